"""Kernels over whole arrays of positions: loops around the native generator, each called once for a range of rows.

They write only where the offsets and shapes they are given allow, whatever the arrays hold; what else is to be checked, and said, is
the work of `tabula.batch`. A kernel returns the first row it could not take, or -1.
"""

cimport cython
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.math cimport isnan
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from tabula._core cimport (
    TABULA_MAX_DICE, TABULA_MAX_MOVES, TABULA_MAX_PLAYS, CompiledRules, apply, borrow, compiled, count, generate, give_back,
    moves_of_all, pack_position, points_won, side_to_counts, side_won, stream_below, stream_seed, tabula_play, tabula_position,
    tabula_rules, tabula_side, tabula_stream, unpack_plays,
)

from tabula.dice import all_rolls

cdef enum:
    SIDE = 26
    ROW = 52
    # what keeps a row from being taken
    BAD_ROLL = 5
    # beyond this a position is none that memory could not be spoilt by
    UNSAFE = 1


@cython.final
cdef class Rolls:
    """Which roll is played from which position: a roll for each row, or every roll for every position."""

    cdef uint8_t every[56][TABULA_MAX_DICE]
    cdef const uint8_t[:, :] given
    cdef int dice
    cdef readonly Py_ssize_t each       # rows for each position

    def __init__(self, rules, const uint8_t[:, :] given=None):
        cdef CompiledRules c = compiled(rules)
        self.dice = c.c.dice
        self.given = given
        self.each = 1
        if given is None:
            self.each = 0
            for roll in all_rolls(self.dice):
                for i in range(self.dice):
                    self.every[self.each][<int>i] = roll[i]
                self.each += 1


cdef inline bint read_roll(Rolls rolls, Py_ssize_t row, uint8_t *roll) noexcept nogil:
    """The roll of a row, the largest die first; False if it is none."""
    cdef int i, j
    cdef uint8_t die
    if rolls.given is None:
        memcpy(roll, rolls.every[row % rolls.each], TABULA_MAX_DICE)
        return True
    for i in range(rolls.dice):
        die = rolls.given[row, i]
        if not 1 <= die <= 6:
            return False
        j = i
        while j and roll[j - 1] < die:
            roll[j] = roll[j - 1]
            j -= 1
        roll[j] = die
    return True


cdef inline int read_position(
    const tabula_rules *rules, const int8_t[:, :, :] positions, Py_ssize_t row, tabula_position *position
) noexcept nogil:
    """The position of a row, and what is wrong with it, as pack_position says."""
    cdef int8_t counts[ROW]
    cdef Py_ssize_t side, index
    if positions.strides[2] == 1 and positions.strides[1] == SIDE:
        return pack_position(rules, &positions[row, 0, 0], position)
    for side in range(2):
        for index in range(SIDE):
            counts[side * SIDE + index] = positions[row, side, index]
    return pack_position(rules, counts, position)


cdef inline int read_turn(
    const tabula_rules *rules, const int8_t[:, :, :] positions, Rolls rolls, Py_ssize_t row, bint check, tabula_position *position,
    uint8_t *roll
) noexcept nogil:
    """Position and roll of a row, and what keeps them from being taken."""
    cdef int wrong = read_position(rules, positions, row // rolls.each, position)
    if wrong > UNSAFE and not check:
        wrong = 0
    if wrong == 0 and not read_roll(rolls, row, roll):
        wrong = BAD_ROLL
    return wrong


cdef inline void turn_round(const tabula_position *position, int8_t *counts) noexcept nogil:
    side_to_counts(&position.other, counts)
    side_to_counts(&position.mover, counts + SIDE)


def validate(rules, const int8_t[:, :, :] positions not None, Py_ssize_t first, Py_ssize_t stop, uint8_t[::1] wrong not None):
    """What is wrong with each position of a range, as pack_position numbers it; 0 for a legal one."""
    cdef CompiledRules c = compiled(rules)
    cdef tabula_position position
    cdef Py_ssize_t row
    with nogil:
        for row in range(first, stop):
            wrong[row] = read_position(&c.c, positions, row, &position)


def pack(
    rules, const int8_t[:, :, :] positions not None, Py_ssize_t first, Py_ssize_t stop, bint check, uint64_t[:, ::1] keys not None
):
    """The four words of each position of a range."""
    cdef CompiledRules c = compiled(rules)
    cdef tabula_position position
    cdef Py_ssize_t row, bad = -1
    cdef int wrong
    with nogil:
        for row in range(first, stop):
            wrong = read_position(&c.c, positions, row, &position)
            if wrong and (check or wrong <= UNSAFE):
                bad = row
                break
            memcpy(&keys[row, 0], &position, sizeof(tabula_position))
    return bad


def unpack(const uint64_t[:, ::1] keys not None, Py_ssize_t first, Py_ssize_t stop, int8_t[:, :, ::1] positions not None):
    """The counts in each key of a range; what stands in bits that a key does not use is left out."""
    cdef Py_ssize_t row
    cdef const tabula_position *position
    with nogil:
        for row in range(first, stop):
            position = <const tabula_position *>&keys[row, 0]
            side_to_counts(&position.mover, &positions[row, 0, 0])
            side_to_counts(&position.other, &positions[row, 1, 0])


def counts(
    rules, const int8_t[:, :, :] positions not None, Rolls rolls not None, Py_ssize_t first, Py_ssize_t stop, bint check,
    int64_t[::1] many not None
):
    """How many distinct plays each row of a range has."""
    cdef CompiledRules c = compiled(rules)
    cdef tabula_position position
    cdef uint8_t roll[TABULA_MAX_DICE]
    cdef Py_ssize_t row, bad = -1
    cdef int n
    with nogil:
        for row in range(first, stop):
            if read_turn(&c.c, positions, rolls, row, check, &position, roll):
                bad = row
                break
            n = count(&c.c, &position, roll)
            if n < 0:
                with gil:
                    raise MemoryError
            many[row] = n
    return bad


def afterstates(
    rules, const int8_t[:, :, :] positions not None, Rolls rolls not None, Py_ssize_t first, Py_ssize_t stop, bint check,
    const int64_t[::1] offsets not None, int8_t[:, :, ::1] after not None, uint8_t[::1] dice_used not None
):
    """Writes the afterstates of each row of a range between its offsets, turned round."""
    cdef CompiledRules c = compiled(rules)
    cdef tabula_position position
    cdef uint8_t roll[TABULA_MAX_DICE]
    cdef Py_ssize_t row, bad = -1, room = after.shape[0]
    cdef int n, used
    cdef tabula_play *plays = borrow()
    if plays == NULL:
        raise MemoryError
    with nogil:
        for row in range(first, stop):
            if read_turn(&c.c, positions, rolls, row, check, &position, roll):
                bad = row
                break
            n = generate(&c.c, &position, roll, plays, &used)
            # an array that somebody writes to meanwhile may come to another number than it was counted to
            if offsets[row] < 0 or offsets[row + 1] - offsets[row] != n or offsets[row + 1] > room:
                bad = row
                break
            dice_used[row] = <uint8_t>used
            if n:
                unpack_plays(&c.c, &position, plays, n, 1, &after[offsets[row], 0, 0])
    give_back(plays)
    return bad


def moves(
    rules, const int8_t[:, :, :] positions not None, Rolls rolls not None, Py_ssize_t first, Py_ssize_t stop, bint check,
    const int64_t[::1] offsets not None, uint8_t[:, :, ::1] made not None
):
    """Writes the moves of each play of a range between its row's offsets: source and die, 255 where there is none."""
    cdef CompiledRules c = compiled(rules)
    cdef tabula_position position
    cdef uint8_t roll[TABULA_MAX_DICE]
    cdef Py_ssize_t row, bad = -1, room = made.shape[0]
    cdef int n, used, i, j
    cdef uint64_t move
    cdef uint64_t *lines = <uint64_t *>PyMem_RawMalloc(2 * TABULA_MAX_PLAYS * sizeof(uint64_t))
    cdef tabula_play *plays = borrow()
    if plays == NULL or lines == NULL:
        PyMem_RawFree(lines)
        give_back(plays)
        raise MemoryError
    with nogil:
        for row in range(first, stop):
            if read_turn(&c.c, positions, rolls, row, check, &position, roll):
                bad = row
                break
            n = generate(&c.c, &position, roll, plays, &used)
            if offsets[row] < 0 or offsets[row + 1] - offsets[row] != n or offsets[row + 1] > room:
                bad = row
                break
            if not n:
                continue
            memset(&made[offsets[row], 0, 0], 255, n * 2 * TABULA_MAX_MOVES)
            moves_of_all(&c.c, &position, roll, plays, n, lines + TABULA_MAX_PLAYS, lines)
            for i in range(n):
                for j in range(used):
                    move = lines[i] >> 16 * (used - 1 - j) & 0xFFFF
                    made[offsets[row] + i, j, 0] = <uint8_t>(move >> 3)
                    made[offsets[row] + i, j, 1] = <uint8_t>(move & 7)
    PyMem_RawFree(lines)
    give_back(plays)
    return bad


def play(
    rules, const int8_t[:, :, :] positions not None, Rolls rolls not None, Py_ssize_t first, Py_ssize_t stop, bint check,
    const int64_t[:] index, uint64_t seed, int8_t[:, :, ::1] after not None
):
    """Writes the position after one play of each row of a range: the index-th, or, where `index` is None, one by chance."""
    cdef CompiledRules c = compiled(rules)
    cdef tabula_position position
    cdef tabula_stream stream
    cdef uint8_t roll[TABULA_MAX_DICE]
    cdef Py_ssize_t row, bad = -1
    cdef int64_t chosen
    cdef int n, used
    cdef tabula_play *plays = borrow()
    if plays == NULL:
        raise MemoryError
    with nogil:
        for row in range(first, stop):
            if read_turn(&c.c, positions, rolls, row, check, &position, roll):
                bad = row
                break
            n = generate(&c.c, &position, roll, plays, &used)
            if n == 0:
                side_to_counts(&position.mover, &after[row, 0, 0])
                side_to_counts(&position.other, &after[row, 1, 0])
                continue
            if index is None:
                stream = stream_seed(seed, <uint64_t>row)
                chosen = stream_below(&stream, n)
            else:
                chosen = index[row]
                if not 0 <= chosen < n:
                    bad = row
                    break
            apply(&c.c, &position, &plays[chosen], &position)
            turn_round(&position, &after[row, 0, 0])
    give_back(plays)
    return bad


def outcome(
    rules, const int8_t[:, :, :] positions not None, Py_ssize_t first, Py_ssize_t stop, bint check, int8_t[::1] points not None
):
    """The points that row 0 has won (+) or lost (-) in each position of a range; 0 while the game goes on."""
    cdef CompiledRules c = compiled(rules)
    cdef tabula_position position
    cdef Py_ssize_t row, bad = -1
    cdef int wrong
    with nogil:
        for row in range(first, stop):
            wrong = read_position(&c.c, positions, row, &position)
            if wrong and (check or wrong <= UNSAFE):
                bad = row
                break
            points[row] = 0
            if side_won(&c.c, &position.mover):
                points[row] = <int8_t>points_won(&c.c, &position.other)
            elif side_won(&c.c, &position.other):
                points[row] = <int8_t>-points_won(&c.c, &position.mover)
    return bad


def best(const double[::1] scores not None, const int64_t[::1] offsets not None, int64_t[::1] index not None):
    """The index within each row of its highest score, the first of equal ones; -1 for an empty row.

    Returns the first row with a score that is no number, or -1.
    """
    cdef Py_ssize_t row, i, bad = -1
    cdef double highest
    with nogil:
        for row in range(index.shape[0]):
            index[row] = -1
            highest = 0
            for i in range(offsets[row], offsets[row + 1]):
                if isnan(scores[i]):
                    bad = row
                    break
                if index[row] < 0 or scores[i] > highest:
                    index[row] = i - offsets[row]
                    highest = scores[i]
            if bad >= 0:
                break
    return bad
