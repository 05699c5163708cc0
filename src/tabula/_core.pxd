"""The native generator as other extension modules of the package see it: free functions on the structs of tabula.h."""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t


cdef extern from "tabula.h" nogil:
    enum:
        TABULA_ABI_VERSION
        TABULA_LAYOUT
        TABULA_POINTS
        TABULA_OFF
        TABULA_TRACK
        TABULA_MAX_CHECKERS
        TABULA_MAX_DICE
        TABULA_MAX_MOVES
        TABULA_MAX_PLAYS
        TABULA_PLY_SHIFT
        TABULA_BEAR_OFF_EXACT
        TABULA_BEAR_OFF_REARMOST
        TABULA_BEAR_OFF_ANY
        TABULA_SAME
        TABULA_OPPOSED
        TABULA_PARALLEL

    ctypedef struct tabula_side:
        uint64_t lo
        uint64_t hi

    ctypedef struct tabula_position:
        tabula_side mover
        tabula_side other

    ctypedef struct tabula_play:
        uint64_t lo
        uint64_t hi

    ctypedef struct tabula_move:
        uint8_t source
        uint8_t target
        uint8_t die
        uint8_t hit

    ctypedef struct tabula_stream:
        uint64_t key
        uint64_t counter

    ctypedef struct tabula_rules:
        tabula_side setup
        tabula_side setup_other
        uint8_t dice
        uint8_t doubles_twice
        uint8_t direction
        uint8_t stack_limit
        uint8_t enter_first
        uint8_t half_gate
        uint8_t home_start
        uint8_t gates_by_move
        uint8_t bear_off
        uint8_t larger_die
        uint8_t highest_win
        uint8_t checkers
        uint8_t blots_block
        uint8_t head_limit
        uint8_t head_doubles
        uint8_t primes_ahead
        uint8_t runner
        uint8_t pile_from
        uint8_t extra_dice
        uint8_t start_point
        uint8_t reserved[4]
        uint64_t seal


cdef enum:
    # where the hits stand in the upper word of a play: the bit of point 0, which none has
    HIT_SHIFT = 39

cdef enum:
    # how far the corners are from each other that the sides enter at where directions are parallel
    HALF_ROUND = TABULA_POINTS >> 1

cdef enum:
    # What is wrong with a position, 0 if nothing is. One with WRONG_CHECKERS must not reach the generator, which sizes every list
    # by the number of checkers.
    WRONG_CHECKERS = 1      # a side has another number of checkers than the rules say, or bits stand above its counts
    CROWDED = 2             # a point holds more checkers of a side than the limit
    SHARED_POINT = 3        # both sides stand on one point
    BOTH_OFF = 4            # both sides have borne all off


cdef inline int side_count(const tabula_side *side, int index) noexcept nogil:
    """The count at one index, 0..25."""
    if index < 16:
        return <int>(side.lo >> 4 * index) & 15
    return <int>(side.hi >> 4 * (index - 16)) & 15


cdef inline bint side_won(const tabula_rules *rules, const tabula_side *side) noexcept nogil:
    """Whether all of a side's checkers are off."""
    return side_count(side, TABULA_OFF) == rules.checkers


cdef inline bint game_over(const tabula_rules *rules, const tabula_position *position) noexcept nogil:
    """Whether a side has borne all its checkers off."""
    return side_won(rules, &position.mover) or side_won(rules, &position.other)


cdef inline int facing(const tabula_rules *rules, int point) noexcept nogil:
    """The index on the other side's track of the point that one side has at index `point`, 1..24."""
    if rules.direction == TABULA_PARALLEL:
        return point + HALF_ROUND if point <= HALF_ROUND else point - HALF_ROUND
    return TABULA_OFF - point if rules.direction else point


cdef inline int extra_dice(const tabula_rules *rules) noexcept nogil:
    """How many numbers a turn plays besides the dice thrown."""
    return (rules.extra_dice != 0) + (rules.extra_dice >> 3 != 0)


cdef inline int times_played(const tabula_rules *rules, const uint8_t *roll) noexcept nogil:
    """How often each die of a roll is played, 1 or 2."""
    return 2 if rules.doubles_twice and roll[0] == roll[1] else 1


cdef class CompiledRules:
    """A Rules beside its C struct: made once for each Rules, which holds it."""
    cdef tabula_rules c_rules
    cdef readonly object rules


cdef CompiledRules compiled(object rules)

cdef void side_from_counts(const int8_t *counts, tabula_side *side) noexcept nogil
cdef void side_to_counts(const tabula_side *side, int8_t *counts) noexcept nogil
cdef void position_to_counts(const tabula_position *position, int8_t *counts) noexcept nogil
cdef int pack_position(const tabula_rules *rules, const int8_t *counts, tabula_position *position) noexcept nogil
cdef int wrong_position(const tabula_rules *rules, const tabula_position *position) noexcept nogil
cdef uint32_t open_points(const tabula_rules *rules, uint32_t standing) noexcept nogil
cdef bint open_off(const tabula_rules *rules, uint32_t standing) noexcept nogil

cdef int generate(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_play *plays, int *dice_used
) noexcept nogil
cdef int count(const tabula_rules *rules, const tabula_position *position, const uint8_t *roll) noexcept nogil
cdef int pick(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_stream *stream, tabula_play *scratch,
    tabula_play *picked, int *dice_used
) noexcept nogil
cdef void apply(
    const tabula_rules *rules, const tabula_position *position, const tabula_play *play, tabula_position *after
) noexcept nogil
cdef void swap_sides(tabula_position *position) noexcept nogil
cdef void unpack_plays(
    const tabula_rules *rules, const tabula_position *position, const tabula_play *plays, int64_t n, int64_t stride, int8_t *counts
) noexcept nogil
cdef tabula_play *borrow() noexcept nogil
cdef void give_back(tabula_play *plays) noexcept nogil
cdef int moves_of(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *play, tabula_move *moves
) noexcept nogil
cdef void moves_of_all(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *plays, int n,
    uint64_t *sorted_lines, uint64_t *lines
) noexcept nogil
cdef int follow(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const uint8_t *moves, int made,
    tabula_play *reached, uint32_t *next_sources
) noexcept nogil
cdef int outcome(const tabula_rules *rules, const tabula_position *position) noexcept nogil
cdef bint stuck(const tabula_rules *rules, const tabula_position *position) noexcept nogil
cdef int64_t count_rolls(
    const tabula_rules *rules, const tabula_position *position, bint build, tabula_play *scratch
) noexcept nogil
cdef int64_t perft(const tabula_rules *rules, const tabula_position *position, int depth, bint build) noexcept nogil

cdef tabula_stream stream_seed(uint64_t seed, uint64_t game) noexcept nogil
cdef uint64_t stream_next(tabula_stream *stream) noexcept nogil
cdef uint32_t stream_below(tabula_stream *stream, uint32_t limit) noexcept nogil
cdef void stream_roll(tabula_stream *stream, int dice, uint8_t *roll) noexcept nogil
