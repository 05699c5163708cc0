# cython: language_level=3
"""A bot in Cython: it makes the play that leaves the fewest blots, and plays whole games against itself without a Python object."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from tabula cimport (
    TABULA_MAX_DICE, TABULA_MAX_PLAYS, TABULA_TRACK, tabula_afterstates, tabula_apply, tabula_error, tabula_generate, tabula_import,
    tabula_outcome, tabula_play, tabula_position, tabula_rules, tabula_rules_from, tabula_start, tabula_stream, tabula_stream_ply,
    tabula_stream_roll, tabula_stream_seed, tabula_swap_sides,
)

# An ImportError here and now if the tabula that is installed is of another build than the one this was compiled with.
tabula_import()

cdef enum:
    MAX_PLIES = 10000


cdef struct Totals:
    int64_t first, second, points, plies, plays


cdef struct Buffers:
    tabula_play plays[TABULA_MAX_PLAYS]
    int8_t counts[TABULA_MAX_PLAYS][2][TABULA_TRACK]


cdef int blots(const int8_t *track) noexcept nogil:
    """The points with a single checker."""
    cdef int point, found = 0
    for point in range(1, 25):
        found += track[point] == 1
    return found


cdef int choose(const tabula_rules *rules, const tabula_position *position, int n, Buffers *buffers) noexcept nogil:
    """The index of the play that leaves the fewest blots, the first of equals."""
    cdef int i, best = 0, fewest = 25, found
    # What is written is with sides swapped: row 0 is the next player, row 1 the side that has just moved.
    tabula_afterstates(rules, position, buffers.plays, n, &buffers.counts[0][0][0])
    for i in range(n):
        found = blots(&buffers.counts[i][1][0])
        if found < fewest:
            fewest = found
            best = i
    return best


cdef int play_game(const tabula_rules *rules, tabula_stream stream, Buffers *buffers, Totals *totals) noexcept nogil:
    """Plays one game and adds it to the totals; 0, or the code of what went wrong."""
    cdef tabula_position position
    cdef uint8_t roll[TABULA_MAX_DICE]
    cdef int ply, n, points = 0, wrong = tabula_start(rules, &position)
    for ply in range(MAX_PLIES):
        if wrong or points:
            break
        tabula_stream_ply(&stream, ply)
        tabula_stream_roll(&stream, rules.dice, roll)
        n = tabula_generate(rules, &position, roll, buffers.plays, TABULA_MAX_PLAYS, NULL)
        if n < 0:
            return n
        totals.plies += 1
        totals.plays += n
        wrong = tabula_apply(rules, &position, &buffers.plays[choose(rules, &position, n, buffers)], &position)
        if not wrong:
            wrong = tabula_outcome(rules, &position, &points)
        if points:
            # The side that has just played has won: the first player where the number of plies is odd.
            totals.first += ply % 2 == 0
            totals.second += ply % 2
            totals.points += points if ply % 2 == 0 else -points
        tabula_swap_sides(&position)
    return wrong


def play(rules, int games, uint64_t seed):
    """Plays so many games of a `tabula.Rules`, with the GIL released, and returns what they came to."""
    cdef tabula_rules c
    cdef Totals totals
    cdef Buffers *buffers
    cdef int game, wrong = 0
    tabula_rules_from(rules, &c)
    memset(&totals, 0, sizeof(Totals))
    buffers = <Buffers *>PyMem_Malloc(sizeof(Buffers))
    if buffers == NULL:
        raise MemoryError
    try:
        with nogil:
            for game in range(games):
                wrong = play_game(&c, tabula_stream_seed(seed, game), buffers, &totals)
                if wrong:
                    break
    finally:
        PyMem_Free(buffers)
    if wrong:
        raise RuntimeError(tabula_error(wrong).decode())
    return totals
