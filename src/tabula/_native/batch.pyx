"""Kernels over whole arrays of positions: loops around the native generator, each called for one range of rows at a time.

A kernel reads `Turns` and writes the arrays that come after the range, only within their shapes and the offsets given, whatever any
array holds. It returns the first row it could not take, or -1; why, and how to say so, is the work of `tabula.batch`.
"""

cimport cython
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.math cimport isnan
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from tabula._native.capi cimport (
    TABULA_BAD_CHECKERS, TABULA_MAX_DICE, TABULA_MAX_MOVES, TABULA_MAX_PLAYS, TABULA_NO_MEMORY, TABULA_OK, TABULA_TRACK,
    tabula_afterstates, tabula_all_moves, tabula_count_trusting, tabula_from_counts, tabula_generate_trusting, tabula_import,
    tabula_move, tabula_outcome, tabula_play, tabula_position, tabula_random_play, tabula_rules, tabula_rules_from,
    tabula_stream, tabula_stream_below, tabula_stream_seed, tabula_to_counts, tabula_valid,
)

from tabula.dice import all_rolls

# It is a client of the C interface like any other, and needs nothing else of the native core.
tabula_import()

cdef enum:
    ROW = 2 * TABULA_TRACK


cdef struct Turn:
    Py_ssize_t at               # the position read last, -1 before the first
    int wrong                   # what is wrong with it, a code of tabula.h
    tabula_position position
    uint8_t roll[TABULA_MAX_DICE]


@cython.final
cdef class Turns:
    """What a kernel reads: positions and, where dice are thrown, a roll for each or every roll for each."""

    cdef tabula_rules c
    cdef bint check
    cdef const int8_t[:, :, :] positions
    cdef const uint8_t[:, :] rolls
    cdef bint whole                     # a position's counts lie side by side
    cdef uint8_t every[56][TABULA_MAX_DICE]
    cdef readonly Py_ssize_t each       # rows for each position
    cdef readonly Py_ssize_t rows

    def __init__(
        self, rules, const int8_t[:, :, :] positions not None, const uint8_t[:, :] rolls=None, bint every=False, bint check=True
    ):
        tabula_rules_from(rules, &self.c)
        self.check = check
        self.positions = positions
        self.rolls = rolls
        if positions.shape[1] != 2 or positions.shape[2] != TABULA_TRACK:
            raise ValueError("positions are 2 x 26 counts each")
        if rolls is not None and (rolls.shape[0] != positions.shape[0] or rolls.shape[1] != self.c.dice):
            raise ValueError("rolls are one for each position, of as many dice as the rules throw")
        self.whole = positions.strides[2] == 1 and positions.strides[1] == TABULA_TRACK
        self.each = 1
        if every:
            self.each = 0
            for roll in all_rolls(self.c.dice):
                for i, die in enumerate(roll):
                    self.every[self.each][<int>i] = die
                self.each += 1
        self.rows = positions.shape[0] * self.each


cdef int within(Turns turns, Py_ssize_t first, Py_ssize_t stop, Py_ssize_t room) except -1:
    """Refuses a range of rows that are not there to be read or written."""
    if not 0 <= first <= stop <= min(turns.rows, room):
        raise IndexError(f"rows {first}..{stop} of {turns.rows}, with room for {room}")
    return 0


cdef int within_turns(Turns turns, Py_ssize_t first, Py_ssize_t stop, Py_ssize_t room) except -1:
    """The same for a kernel that plays, which needs dice."""
    if turns.rolls is None and turns.each == 1:
        raise ValueError("there are no rolls")
    return within(turns, first, stop, room)


cdef Py_ssize_t room_for_positions(int8_t[:, :, ::1] positions):
    return positions.shape[0] if positions.shape[1] == 2 and positions.shape[2] == TABULA_TRACK else 0


cdef inline void read_roll(Turns turns, Py_ssize_t row, uint8_t *roll) noexcept nogil:
    """The roll of a row, whatever it holds: who plays it looks at the dice."""
    cdef int i
    for i in range(turns.c.dice):
        roll[i] = turns.rolls[row, i]


cdef inline bint read_position(Turns turns, Py_ssize_t at, Turn *turn) noexcept nogil:
    """The position `at`, and whether it is taken."""
    cdef int8_t counts[ROW]
    cdef Py_ssize_t side, index
    if turns.whole:
        turn.wrong = tabula_from_counts(&turns.c, &turns.positions[at, 0, 0], &turn.position)
    else:
        for side in range(2):
            for index in range(TABULA_TRACK):
                counts[side * TABULA_TRACK + index] = turns.positions[at, side, index]
        turn.wrong = tabula_from_counts(&turns.c, counts, &turn.position)
    # What is wrong with the number of checkers, or worse, is no position even to who trusts it.
    return turn.wrong == TABULA_OK or (turn.wrong < TABULA_BAD_CHECKERS and not turns.check)


cdef inline bint read_turn(Turns turns, Py_ssize_t row, Turn *turn) noexcept nogil:
    """Position and roll of a row, and whether both are taken."""
    cdef Py_ssize_t at
    if turns.each == 1:
        read_roll(turns, row, turn.roll)
        return read_position(turns, row, turn)
    at = row // turns.each
    memcpy(turn.roll, turns.every[row - at * turns.each], TABULA_MAX_DICE)
    if at == turn.at:
        return True
    turn.at = at
    return read_position(turns, at, turn)


def validate(Turns turns not None, Py_ssize_t first, Py_ssize_t stop, uint8_t[::1] wrong not None):
    """What is wrong with each position, the codes of tabula.h without their sign; 0 for a legal one."""
    cdef Turn turn
    cdef Py_ssize_t row
    within(turns, first, stop, wrong.shape[0])
    with nogil:
        for row in range(first, stop):
            read_position(turns, row, &turn)
            wrong[row] = <uint8_t>-turn.wrong
    return -1


def pack(Turns turns not None, Py_ssize_t first, Py_ssize_t stop, uint64_t[:, ::1] keys not None):
    """The four words of each position."""
    cdef Turn turn
    cdef Py_ssize_t row, bad = -1
    within(turns, first, stop, keys.shape[0] if keys.shape[1] == 4 else 0)
    with nogil:
        for row in range(first, stop):
            if not read_position(turns, row, &turn):
                bad = row
                break
            memcpy(&keys[row, 0], &turn.position, sizeof(tabula_position))
    return bad


def unpack(
    Turns turns not None, Py_ssize_t first, Py_ssize_t stop, const uint64_t[:, ::1] keys not None,
    int8_t[:, :, ::1] positions not None
):
    """The counts in each key, written to `positions`."""
    cdef tabula_position position
    cdef Py_ssize_t row, bad = -1
    within(turns, first, stop, min(keys.shape[0] if keys.shape[1] == 4 else 0, room_for_positions(positions)))
    with nogil:
        for row in range(first, stop):
            memcpy(&position, &keys[row, 0], sizeof(tabula_position))
            tabula_to_counts(&position, &positions[row, 0, 0])
            if turns.check and tabula_valid(&turns.c, &position):
                bad = row
                break
    return bad


def counts(Turns turns not None, Py_ssize_t first, Py_ssize_t stop, int64_t[::1] many not None):
    """How many distinct plays each row has."""
    cdef Turn turn
    cdef Py_ssize_t row, bad = -1
    cdef int n = 0
    within_turns(turns, first, stop, many.shape[0])
    turn.at = -1
    with nogil:
        for row in range(first, stop):
            if not read_turn(turns, row, &turn):
                bad = row
                break
            n = tabula_count_trusting(&turns.c, &turn.position, turn.roll)
            if n < 0:
                bad = row
                break
            many[row] = n
    if n == TABULA_NO_MEMORY:
        raise MemoryError
    return bad


cdef inline bint fits(const int64_t[::1] offsets, Py_ssize_t row, int n, Py_ssize_t room) noexcept nogil:
    """Whether a row's n plays are as many as its offsets leave room for: an array that is written to meanwhile can have others.

    A row that was refused has less than none.
    """
    return n >= 0 and 0 <= offsets[row] <= room - n and offsets[row + 1] == offsets[row] + n


@cython.final
cdef class Kept:
    """Room for the plays of some rows, which are listed before it is known where their afterstates go."""

    cdef tabula_play *plays
    cdef tabula_position *positions
    cdef int *many              # plays of each row
    cdef Py_ssize_t room        # for plays
    cdef Py_ssize_t most        # rows
    cdef Py_ssize_t rows        # of those kept
    cdef Py_ssize_t total       # plays of all of them

    def __cinit__(self, Py_ssize_t rows, Py_ssize_t plays):
        """For so many rows, and so many plays of all of them; of one row there are at most TABULA_MAX_PLAYS."""
        if not 0 < rows <= 1 << 30 or not TABULA_MAX_PLAYS <= plays <= 1 << 30:
            raise ValueError(f"there must be a row or more and room for {TABULA_MAX_PLAYS} plays, not {rows} and {plays}")
        self.most = rows
        self.room = plays
        self.plays = <tabula_play *>PyMem_RawMalloc(plays * sizeof(tabula_play))
        self.positions = <tabula_position *>PyMem_RawMalloc(rows * sizeof(tabula_position))
        self.many = <int *>PyMem_RawMalloc(rows * sizeof(int))
        if self.plays == NULL or self.positions == NULL or self.many == NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_RawFree(self.plays)
        PyMem_RawFree(self.positions)
        PyMem_RawFree(self.many)


def keep(
    Turns turns not None, Py_ssize_t first, Py_ssize_t stop, Kept kept not None, int64_t[::1] many not None,
    uint8_t[::1] dice_used not None
):
    """Lists the plays of row after row into `kept`, in place of what was there, and writes how many each has.

    Returns the first row that is not kept, whether it is there that the room ends (else it could not be taken), and how many plays
    there are in all.
    """
    cdef Turn turn
    cdef Py_ssize_t row = first, total = 0
    cdef int n, used
    cdef bint full = False
    within_turns(turns, first, stop, min(many.shape[0], dice_used.shape[0]))
    turn.at = -1
    with nogil:
        while row < stop:
            full = row - first == kept.most or kept.room - total < TABULA_MAX_PLAYS
            if full or not read_turn(turns, row, &turn):
                break
            n = tabula_generate_trusting(
                &turns.c, &turn.position, turn.roll, kept.plays + total, TABULA_MAX_PLAYS, &used
            )
            if n < 0:
                break
            kept.positions[row - first] = turn.position
            kept.many[row - first] = n
            many[row] = n
            dice_used[row] = <uint8_t>used
            total += n
            row += 1
        kept.rows = row - first
        kept.total = total
    return row, full, total


def write(Turns turns not None, Kept kept not None, Py_ssize_t at, int8_t[:, :, ::1] after not None):
    """Writes the afterstates of all rows kept, one after another from `at` on."""
    cdef const tabula_play *plays = kept.plays
    cdef Py_ssize_t row
    cdef int n
    if not 0 <= at <= room_for_positions(after) - kept.total:
        raise IndexError(f"{kept.total} positions from {at} on, with room for {room_for_positions(after)}")
    with nogil:
        for row in range(kept.rows):
            n = kept.many[row]
            if n:
                tabula_afterstates(&turns.c, &kept.positions[row], plays, n, &after[at, 0, 0])
            plays += n
            at += n


def moves(
    Turns turns not None, Py_ssize_t first, Py_ssize_t stop, const int64_t[::1] offsets not None, uint8_t[:, :, ::1] made not None
):
    """Writes the moves of each play of a row between its offsets: source and die, 255 where there is none."""
    cdef Turn turn
    cdef Py_ssize_t row, bad = -1, room = made.shape[0] if made.shape[1] == TABULA_MAX_MOVES and made.shape[2] == 2 else 0
    cdef int n, used = 0, i, j
    cdef tabula_move *lines
    cdef tabula_play *plays
    within_turns(turns, first, stop, offsets.shape[0] - 1)
    turn.at = -1
    lines = <tabula_move *>PyMem_RawMalloc(TABULA_MAX_PLAYS * TABULA_MAX_MOVES * sizeof(tabula_move))
    plays = <tabula_play *>PyMem_RawMalloc(TABULA_MAX_PLAYS * sizeof(tabula_play))
    if plays == NULL or lines == NULL:
        PyMem_RawFree(lines)
        PyMem_RawFree(plays)
        raise MemoryError
    with nogil:
        for row in range(first, stop):
            if not read_turn(turns, row, &turn):
                bad = row
                break
            n = tabula_generate_trusting(&turns.c, &turn.position, turn.roll, plays, TABULA_MAX_PLAYS, &used)
            if not fits(offsets, row, n, room):
                bad = row
                break
            if not n:
                continue
            memset(&made[offsets[row], 0, 0], 255, n * 2 * TABULA_MAX_MOVES)
            used = tabula_all_moves(&turns.c, &turn.position, turn.roll, plays, n, lines)
            if used == TABULA_NO_MEMORY:
                break
            # A play of a position that is not legal can be one that no moves come to, which is told by a code less than 0.
            for i in range(n):
                for j in range(used):
                    made[offsets[row] + i, j, 0] = lines[i * TABULA_MAX_MOVES + j].source
                    made[offsets[row] + i, j, 1] = lines[i * TABULA_MAX_MOVES + j].die
    PyMem_RawFree(lines)
    PyMem_RawFree(plays)
    if used == TABULA_NO_MEMORY:
        raise MemoryError
    return bad


def play(
    Turns turns not None, Py_ssize_t first, Py_ssize_t stop, const int64_t[:] index, uint64_t seed, int8_t[:, :, ::1] after not None
):
    """Writes the position after one play of each row: the index-th, or, where `index` is None, one by chance."""
    cdef Turn turn
    cdef tabula_stream stream
    cdef tabula_play picked
    cdef Py_ssize_t row, room, bad = -1
    cdef int64_t chosen
    cdef int n, used
    cdef tabula_play *plays
    room = room_for_positions(after)
    if index is not None:
        room = min(room, index.shape[0])
    within_turns(turns, first, stop, room)
    turn.at = -1
    plays = <tabula_play *>PyMem_RawMalloc(TABULA_MAX_PLAYS * sizeof(tabula_play))
    if plays == NULL:
        raise MemoryError
    with nogil:
        for row in range(first, stop):
            if not read_turn(turns, row, &turn):
                bad = row
                break
            if index is None and turns.check:
                stream = tabula_stream_seed(seed, <uint64_t>row)
                n = tabula_random_play(&turns.c, &turn.position, turn.roll, &stream, &picked)
            else:
                n = tabula_generate_trusting(&turns.c, &turn.position, turn.roll, plays, TABULA_MAX_PLAYS, &used)
            if n < 0:
                bad = row
                break
            if n == 0:
                tabula_to_counts(&turn.position, &after[row, 0, 0])
                continue
            if index is not None:
                chosen = index[row]
                if not 0 <= chosen < n:
                    bad = row
                    break
                picked = plays[chosen]
            elif not turns.check:
                # Positions that are not looked at may be none that a play is picked for, and still have plays.
                stream = tabula_stream_seed(seed, <uint64_t>row)
                picked = plays[tabula_stream_below(&stream, n)]
            tabula_afterstates(&turns.c, &turn.position, &picked, 1, &after[row, 0, 0])
    PyMem_RawFree(plays)
    return bad


def outcome(Turns turns not None, Py_ssize_t first, Py_ssize_t stop, int8_t[::1] points not None):
    """The points that row 0 has won (+) or lost (-) in each position; 0 while the game goes on."""
    cdef Turn turn
    cdef Py_ssize_t row, bad = -1
    cdef int won
    within(turns, first, stop, points.shape[0])
    with nogil:
        for row in range(first, stop):
            if not read_position(turns, row, &turn):
                bad = row
                break
            # What comes of a game that both have won is not defined, and here it is 0.
            won = 0
            tabula_outcome(&turns.c, &turn.position, &won)
            points[row] = <int8_t>won
    return bad


def best(const double[::1] scores not None, const int64_t[::1] offsets not None, int64_t[::1] index not None):
    """The index within each row of its highest score, the first of equal ones; -1 for an empty row.

    Returns the first row with a score that is no number, or whose offsets lie beyond the scores, or -1.
    """
    cdef Py_ssize_t row, i, start, stop, chosen, bad = -1
    cdef double highest
    if offsets.shape[0] <= index.shape[0]:
        raise IndexError(f"{offsets.shape[0]} offsets for {index.shape[0]} rows")
    with nogil:
        for row in range(index.shape[0]):
            start, stop = offsets[row], offsets[row + 1]
            if start < 0 or stop > scores.shape[0]:
                bad = row
                break
            chosen = -1
            highest = 0
            for i in range(start, stop):
                if isnan(scores[i]):
                    bad = row
                    break
                if chosen < 0 or scores[i] > highest:
                    chosen = i - start
                    highest = scores[i]
            if bad >= 0:
                break
            index[row] = chosen
    return bad
