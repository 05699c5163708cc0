"""Kernels over whole arrays of positions: loops around the native generator, each called for one range of rows at a time.

A kernel reads an `Input` and writes to the arrays that come after the range, only within their shapes and the offsets given,
whatever any array holds. It returns the first row that it cannot take, or -1; `tabula.batch` finds the reason and raises it.
"""

cimport cython
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.math cimport isnan
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from tabula._core cimport (
    TABULA_ABI_VERSION, TABULA_LAYOUT, TABULA_MAX_DICE, TABULA_MAX_MOVES, TABULA_MAX_PLAYS, TABULA_TRACK, CompiledRules, compiled,
    count, generate, moves_of_all, outcome as points_of, pick, position_to_counts, stream_below, stream_seed,
    stuck as neither_can_move, tabula_play, tabula_position,
    tabula_rules, tabula_stream, unpack_plays, WRONG_CHECKERS, wrong_position,
)
from tabula._native.arrays cimport PositionArray, RollArray, read_position, read_roll

from tabula._core import same_build
from tabula.dice import all_rolls

same_build(__name__, TABULA_ABI_VERSION, TABULA_LAYOUT)

MAX_PLAYS = TABULA_MAX_PLAYS
"""The most distinct plays that a row can have."""


@cython.final
cdef class Input:
    """What a kernel reads: positions and, where dice are thrown, a roll for each or every roll for each."""

    cdef CompiledRules compiled_rules
    cdef bint check
    cdef PositionArray positions
    cdef RollArray rolls
    cdef uint8_t every[56][TABULA_MAX_DICE]
    cdef readonly Py_ssize_t rolls_each     # rows for each position
    cdef readonly Py_ssize_t rows

    def __cinit__(self, rules, positions, rolls=None, bint every=False, bint check=True):
        cdef int i
        self.compiled_rules = compiled(rules)
        self.check = check
        self.positions = PositionArray.__new__(PositionArray, positions)
        if rolls is not None:
            self.rolls = RollArray.__new__(RollArray, rolls)
            if self.rolls.rows != self.positions.rows or self.rolls.dice != self.compiled_rules.c_rules.dice:
                raise ValueError("rolls are one for each position, of as many dice as the rules throw")
        self.rolls_each = 1
        if every:
            self.rolls_each = 0
            for roll in all_rolls(self.compiled_rules.c_rules.dice):
                i = 0
                for die in roll:
                    self.every[self.rolls_each][i] = die
                    i += 1
                self.rolls_each += 1
        self.rows = self.positions.rows * self.rolls_each


cdef struct Row:
    Py_ssize_t at               # the position read last, -1 before the first
    int wrong                   # what is wrong with it
    tabula_position position
    uint8_t roll[TABULA_MAX_DICE]


cdef int within(Input given, Py_ssize_t first, Py_ssize_t stop, Py_ssize_t room) except -1:
    """Refuses a range of rows that are not there to be read or written."""
    if not 0 <= first <= stop <= min(given.rows, room):
        raise IndexError(f"rows {first}..{stop} of {given.rows}, with room for {room}")
    return 0


cdef int within_rolled(Input given, Py_ssize_t first, Py_ssize_t stop, Py_ssize_t room) except -1:
    """The same for a kernel that plays, which needs dice."""
    if given.rolls is None and given.rolls_each == 1:
        raise ValueError("there are no rolls")
    return within(given, first, stop, room)


cdef Py_ssize_t room_for_positions(int8_t[:, :, ::1] positions):
    return positions.shape[0] if positions.shape[1] == 2 and positions.shape[2] == TABULA_TRACK else 0


cdef inline bint take_position(Input given, const tabula_rules *rules, Py_ssize_t at, Row *row) noexcept nogil:
    """Reads the position `at`, and answers whether it is taken."""
    row.wrong = read_position(given.positions, at, rules, &row.position)
    return row.wrong == 0 or (row.wrong != WRONG_CHECKERS and not given.check)


cdef inline bint take_row(Input given, const tabula_rules *rules, Py_ssize_t number, Row *row) noexcept nogil:
    """Reads position and roll of a row, and answers whether both are taken."""
    cdef Py_ssize_t at
    if given.rolls_each == 1:
        return read_roll(given.rolls, number, row.roll) and take_position(given, rules, number, row)
    at = number // given.rolls_each
    memcpy(row.roll, given.every[number - at * given.rolls_each], TABULA_MAX_DICE)
    if at == row.at:
        return True
    row.at = at
    return take_position(given, rules, at, row)


def validate(Input given not None, Py_ssize_t first, Py_ssize_t stop, uint8_t[::1] wrong not None):
    """What is wrong with each position: WRONG_CHECKERS to BOTH_OFF of the core; 0 for a legal one."""
    cdef const tabula_rules *rules = &given.compiled_rules.c_rules
    cdef Row row
    cdef Py_ssize_t number
    within(given, first, stop, wrong.shape[0])
    with nogil:
        for number in range(first, stop):
            take_position(given, rules, number, &row)
            wrong[number] = <uint8_t>row.wrong
    return -1


def pack(Input given not None, Py_ssize_t first, Py_ssize_t stop, uint64_t[:, ::1] keys not None):
    """The four words of each position."""
    cdef const tabula_rules *rules = &given.compiled_rules.c_rules
    cdef Row row
    cdef Py_ssize_t number, bad = -1
    within(given, first, stop, keys.shape[0] if keys.shape[1] == 4 else 0)
    with nogil:
        for number in range(first, stop):
            if not take_position(given, rules, number, &row):
                bad = number
                break
            memcpy(&keys[number, 0], &row.position, sizeof(tabula_position))
    return bad


def unpack(
    Input given not None, Py_ssize_t first, Py_ssize_t stop, const uint64_t[:, ::1] keys not None,
    int8_t[:, :, ::1] positions not None
):
    """The counts in each key, written to `positions`."""
    cdef const tabula_rules *rules = &given.compiled_rules.c_rules
    cdef tabula_position position
    cdef Py_ssize_t row, bad = -1
    within(given, first, stop, min(keys.shape[0] if keys.shape[1] == 4 else 0, room_for_positions(positions)))
    with nogil:
        for row in range(first, stop):
            memcpy(&position, &keys[row, 0], sizeof(tabula_position))
            position_to_counts(&position, &positions[row, 0, 0])
            if given.check and wrong_position(rules, &position):
                bad = row
                break
    return bad


def counts(Input given not None, Py_ssize_t first, Py_ssize_t stop, int64_t[::1] plays not None):
    """How many distinct plays each row has."""
    cdef const tabula_rules *rules = &given.compiled_rules.c_rules
    cdef Row row
    cdef Py_ssize_t number, bad = -1
    cdef int n = 0
    within_rolled(given, first, stop, plays.shape[0])
    row.at = -1
    with nogil:
        for number in range(first, stop):
            if not take_row(given, rules, number, &row):
                bad = number
                break
            n = count(rules, &row.position, row.roll)
            if n < 0:
                break
            plays[number] = n
    if n < 0:
        raise MemoryError
    return bad


@cython.final
cdef class Block:
    """Room for the plays of some rows, which are listed before it is known where in the result they go."""

    cdef Input given
    cdef tabula_play *listed
    cdef tabula_position *positions
    cdef int *counts                # plays of each row
    cdef uint8_t *dice_used         # by each of them
    cdef Py_ssize_t most_plays
    cdef Py_ssize_t most_rows
    cdef Py_ssize_t first           # first row listed
    cdef Py_ssize_t rows            # rows listed
    cdef readonly Py_ssize_t plays  # plays listed

    def __cinit__(self, Py_ssize_t rows, Py_ssize_t plays):
        """For so many rows, and so many plays of all of them; of one row there are at most TABULA_MAX_PLAYS."""
        if not 0 < rows <= 1 << 30 or not TABULA_MAX_PLAYS <= plays <= 1 << 30:
            raise ValueError(f"there must be a row or more and room for {TABULA_MAX_PLAYS} plays, not {rows} and {plays}")
        self.most_rows = rows
        self.most_plays = plays
        self.listed = <tabula_play *>PyMem_RawMalloc(plays * sizeof(tabula_play))
        self.positions = <tabula_position *>PyMem_RawMalloc(rows * sizeof(tabula_position))
        self.counts = <int *>PyMem_RawMalloc(rows * sizeof(int))
        self.dice_used = <uint8_t *>PyMem_RawMalloc(rows)
        if self.listed == NULL or self.positions == NULL or self.counts == NULL or self.dice_used == NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_RawFree(self.listed)
        PyMem_RawFree(self.positions)
        PyMem_RawFree(self.counts)
        PyMem_RawFree(self.dice_used)


def list_plays(Input given not None, Py_ssize_t first, Py_ssize_t stop, Block block not None):
    """Lists the plays of row after row into `block`, in place of what was there.

    Returns the first row that is not listed: `stop`, a row for which the block may have no room left, or one that cannot be taken.
    The first row always finds room, so `first` is returned only if it cannot be taken.
    """
    cdef const tabula_rules *rules = &given.compiled_rules.c_rules
    cdef Row row
    cdef Py_ssize_t number = first, total = 0
    cdef int n, used
    within_rolled(given, first, stop, stop)
    row.at = -1
    with nogil:
        stop = min(stop, first + block.most_rows)
        while number < stop and block.most_plays - total >= TABULA_MAX_PLAYS and take_row(given, rules, number, &row):
            n = generate(rules, &row.position, row.roll, block.listed + total, &used)
            block.positions[number - first] = row.position
            block.counts[number - first] = n
            block.dice_used[number - first] = <uint8_t>used
            total += n
            number += 1
    block.given = given
    block.first = first
    block.rows = number - first
    block.plays = total
    return number


def write(
    Block block not None, Py_ssize_t at, int8_t[:, :, ::1] after not None, int64_t[::1] offsets not None,
    uint8_t[::1] dice_used not None
):
    """Writes a block to a result: the afterstates from `at` on, where those of each row end, and the dice that they use."""
    cdef const tabula_play *plays = block.listed
    cdef const tabula_rules *rules
    cdef Py_ssize_t i
    if block.given is None:
        return
    if not 0 <= at <= room_for_positions(after) - block.plays:
        raise IndexError(f"{block.plays} positions from {at} on, with room for {room_for_positions(after)}")
    if block.first + block.rows > min(offsets.shape[0] - 1, dice_used.shape[0]):
        raise IndexError(f"rows up to {block.first + block.rows}, with room for {min(offsets.shape[0] - 1, dice_used.shape[0])}")
    rules = &block.given.compiled_rules.c_rules
    with nogil:
        for i in range(block.rows):
            if block.counts[i]:
                unpack_plays(rules, &block.positions[i], plays, block.counts[i], 1, &after[at, 0, 0])
            plays += block.counts[i]
            at += block.counts[i]
            offsets[block.first + i + 1] = at
            dice_used[block.first + i] = block.dice_used[i]


cdef inline bint fits(const int64_t[::1] offsets, Py_ssize_t row, int n, Py_ssize_t room) noexcept nogil:
    """Whether a row's n plays are as many as its offsets leave room for: an array that is written to meanwhile can have others."""
    return 0 <= offsets[row] <= room - n and offsets[row + 1] == offsets[row] + n


def moves(
    Input given not None, Py_ssize_t first, Py_ssize_t stop, const int64_t[::1] offsets not None, uint8_t[:, :, ::1] made not None
):
    """Writes the moves of each play of a row between its offsets: source and die, 255 where there is none."""
    cdef const tabula_rules *rules = &given.compiled_rules.c_rules
    cdef Row row
    cdef Py_ssize_t number, bad = -1, room = made.shape[0] if made.shape[1] == TABULA_MAX_MOVES and made.shape[2] == 2 else 0
    cdef int n, counted, used, i
    cdef uint64_t *lines
    cdef tabula_play *plays
    within_rolled(given, first, stop, offsets.shape[0] - 1)
    row.at = -1
    lines = <uint64_t *>PyMem_RawMalloc(2 * TABULA_MAX_PLAYS * sizeof(uint64_t))
    plays = <tabula_play *>PyMem_RawMalloc(TABULA_MAX_PLAYS * sizeof(tabula_play))
    if plays == NULL or lines == NULL:
        PyMem_RawFree(lines)
        PyMem_RawFree(plays)
        raise MemoryError
    with nogil:
        for number in range(first, stop):
            if not take_row(given, rules, number, &row):
                bad = number
                break
            n = generate(rules, &row.position, row.roll, plays, &used)
            counted = n
            if not given.check and 0 <= offsets[number + 1] - offsets[number] <= TABULA_MAX_PLAYS:
                # Counting and listing may differ in a position that is not legal, where neither means anything.
                counted = <int>(offsets[number + 1] - offsets[number])
                n = min(n, counted)
            if not fits(offsets, number, counted, room):
                bad = number
                break
            if counted:
                memset(&made[offsets[number], 0, 0], 255, counted * 2 * TABULA_MAX_MOVES)
            if n:
                moves_of_all(rules, &row.position, row.roll, plays, n, lines + TABULA_MAX_PLAYS, lines)
                for i in range(n):
                    write_line(lines[i], &made[offsets[number] + i, 0, 0])
    PyMem_RawFree(lines)
    PyMem_RawFree(plays)
    return bad


cdef inline void write_line(uint64_t line, uint8_t *made) noexcept nogil:
    """Source and die of each move of a line, (source << 3 | die) in 16 bits each, the last move lowest."""
    cdef int n = 0, i, move
    # A play of a position that is not legal may be one that no line comes to.
    if line == ~<uint64_t>0:
        return
    while n < TABULA_MAX_MOVES and line >> 16 * n:
        n += 1
    for i in range(n):
        move = <int>(line >> 16 * (n - 1 - i)) & 0xFFFF
        made[2 * i] = <uint8_t>(move >> 3)
        made[2 * i + 1] = move & 7


def play(
    Input given not None, Py_ssize_t first, Py_ssize_t stop, const int64_t[:] index, uint64_t seed,
    int8_t[:, :, ::1] after not None
):
    """Writes the position after one play of each row: the index-th, or, where `index` is None, one by chance."""
    cdef const tabula_rules *rules = &given.compiled_rules.c_rules
    cdef Row row
    cdef tabula_stream stream
    cdef tabula_play picked
    cdef Py_ssize_t number, room, bad = -1
    cdef int64_t chosen
    cdef int n, used
    cdef tabula_play *plays
    room = room_for_positions(after)
    if index is not None:
        room = min(room, index.shape[0])
    within_rolled(given, first, stop, room)
    row.at = -1
    plays = <tabula_play *>PyMem_RawMalloc(TABULA_MAX_PLAYS * sizeof(tabula_play))
    if plays == NULL:
        raise MemoryError
    with nogil:
        for number in range(first, stop):
            if not take_row(given, rules, number, &row):
                bad = number
                break
            if index is None and given.check:
                stream = stream_seed(seed, <uint64_t>number)
                n = pick(rules, &row.position, row.roll, &stream, plays, &picked, &used)
            else:
                n = generate(rules, &row.position, row.roll, plays, &used)
            if n == 0:
                position_to_counts(&row.position, &after[number, 0, 0])
                continue
            if index is not None:
                chosen = index[number]
                if not 0 <= chosen < n:
                    bad = number
                    break
                picked = plays[chosen]
            elif not given.check:
                # `pick` is for legal positions only; others have plays too, and one of those is drawn from the list.
                stream = stream_seed(seed, <uint64_t>number)
                picked = plays[stream_below(&stream, n)]
            unpack_plays(rules, &row.position, &picked, 1, 1, &after[number, 0, 0])
    PyMem_RawFree(plays)
    return bad


def outcome(Input given not None, Py_ssize_t first, Py_ssize_t stop, int8_t[::1] points not None):
    """The points that row 0 has won (+) or lost (-) in each position; 0 while the game goes on."""
    cdef const tabula_rules *rules = &given.compiled_rules.c_rules
    cdef Row row
    cdef Py_ssize_t number, bad = -1
    within(given, first, stop, points.shape[0])
    with nogil:
        for number in range(first, stop):
            if not take_position(given, rules, number, &row):
                bad = number
                break
            points[number] = <int8_t>points_of(rules, &row.position)
    return bad


def stuck(Input given not None, Py_ssize_t first, Py_ssize_t stop, uint8_t[::1] ended not None):
    """1 for each position in which neither side can ever move again, else 0."""
    cdef const tabula_rules *rules = &given.compiled_rules.c_rules
    cdef Row row
    cdef Py_ssize_t number, bad = -1
    within(given, first, stop, ended.shape[0])
    with nogil:
        for number in range(first, stop):
            if not take_position(given, rules, number, &row):
                bad = number
                break
            ended[number] = neither_can_move(rules, &row.position)
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
