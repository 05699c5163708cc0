# Sides, tracks and whole positions: counts in nibbles, what is added to them, and what makes a position illegal.
#
# Included by _core.pyx.

# What moving a checker from an index by so many pips adds to a side: to each word on its own, never carrying from one to the
# other. Filled once, as the module is loaded.
cdef tabula_side STEP[19][32]


cdef void side_from_counts(const int8_t *counts, tabula_side *side) noexcept nogil:
    """26 counts of 0..15 into nibbles."""
    cdef int index
    side.lo = side.hi = 0
    for index in range(16):
        side.lo |= <uint64_t>(counts[index] & 15) << 4 * index
    for index in range(16, TABULA_TRACK):
        side.hi |= <uint64_t>(counts[index] & 15) << 4 * (index - 16)


cdef void side_to_counts(const tabula_side *side, int8_t *counts) noexcept nogil:
    """Nibbles into 26 counts; what stands above them in `hi` is left out."""
    tabula_unpack(side.lo, side.hi & TABULA_SIDE_HI, counts)


cdef void position_to_counts(const tabula_position *position, int8_t *counts) noexcept nogil:
    """Both sides as 2 x 26 counts; what is written beyond the first is written over by the second."""
    tabula_unpack_wide(position.mover.lo, position.mover.hi, counts)
    tabula_unpack(position.other.lo, position.other.hi & TABULA_SIDE_HI, counts + TABULA_TRACK)


cdef int pack_position(const tabula_rules *rules, const int8_t *counts, tabula_position *position) noexcept nogil:
    """2 x 26 counts as a position, and what is wrong with it: 0 nothing, 1 that a side has not the checkers that it should.

    Only after 1 is it no position that the generator can be given: every list of its plays is sized by the number of checkers.
    After 2, too many checkers stand on a point, after 3 both sides on one, after 4 both have borne all off.
    """
    cdef uint32_t mine, theirs, many, too_many
    cdef int limit = rules.stack_limit
    cdef bint all_there = tabula_pack(counts, limit, &position.mover.lo, &position.mover.hi, &mine, &many) == rules.checkers
    all_there &= tabula_pack(counts + 26, limit, &position.other.lo, &position.other.hi, &theirs, &too_many) == rules.checkers
    return wrong_with(rules, position, mine, theirs, many | too_many) if all_there else 1


cdef int wrong_position(const tabula_rules *rules, const tabula_position *position) noexcept nogil:
    """The same of a position that is words already."""
    cdef uint32_t mine, theirs, many, too_many
    cdef bint all_there = (position.mover.hi | position.other.hi) & ~TABULA_SIDE_HI == 0
    all_there &= tabula_look(position.mover.lo, position.mover.hi, rules.stack_limit, &mine, &many) == rules.checkers
    all_there &= tabula_look(position.other.lo, position.other.hi, rules.stack_limit, &theirs, &too_many) == rules.checkers
    return wrong_with(rules, position, mine, theirs, many | too_many) if all_there else 1


cdef inline int wrong_with(
    const tabula_rules *rules, const tabula_position *position, uint32_t mine, uint32_t theirs, uint32_t many
) noexcept nogil:
    """What is wrong where each side has its checkers, by where they stand; `many` has the indices with more than the limit."""
    if many & ALL_POINTS:
        return 2
    if mine & (tabula_reverse(theirs) if rules.opposed else theirs) & ALL_POINTS:
        return 3
    if side_won(rules, &position.mover) and side_won(rules, &position.other):
        return 4
    return 0


cdef int side_count(const tabula_side *side, int index) noexcept nogil:
    """The count at one index, 0..25."""
    if index < 16:
        return <int>(side.lo >> 4 * index) & 15
    return <int>(side.hi >> 4 * (index - 16)) & 15


cdef inline void side_add(tabula_side *side, int index, int64_t checkers) noexcept nogil:
    """Adds to the count at one index, which stays within 0..15."""
    if index < 16:
        side.lo += <uint64_t>checkers << 4 * index
    else:
        side.hi += <uint64_t>checkers << 4 * (index - 16)


cdef void fill_steps() noexcept nogil:
    cdef tabula_side step
    cdef int pips, source
    for pips in range(19):
        for source in range(TABULA_OFF):
            step.lo = step.hi = 0
            side_add(&step, source, -1)
            side_add(&step, min(source + pips, <int>TABULA_OFF), 1)
            STEP[pips][source] = step


fill_steps()


cdef bint side_won(const tabula_rules *rules, const tabula_side *side) noexcept nogil:
    """Whether all of a side's checkers are off."""
    return side_count(side, TABULA_OFF) == rules.checkers


cdef inline uint32_t side_standing(const tabula_side *side) noexcept nogil:
    """The indices with any checkers."""
    cdef uint32_t planes[4]
    tabula_planes(side.lo, side.hi, planes)
    return planes[0] | planes[1] | planes[2] | planes[3]


cdef int points_won(const tabula_rules *rules, const tabula_side *loser) noexcept nogil:
    """How many points the win over this side counts, 1..3."""
    cdef uint32_t last_six = LAST_SIX_POINTS
    if rules.highest_win == 1 or side_count(loser, TABULA_OFF):
        return 1
    if rules.opposed:
        last_six = tabula_reverse(last_six)
    return 3 if side_standing(loser) & (last_six | WAITING) else 2
