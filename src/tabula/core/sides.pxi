# Sides, tracks and whole positions: counts in nibbles, what is added to them, and what makes a position illegal.
#
# Included by _core.pyx.

# CHANGE[pips][source] is what moving a checker adds to the two words of a side. Neither addition carries. Filled once, as the
# module is loaded.
cdef tabula_side CHANGE[19][32]


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
    """Packs 2 x 26 counts into a position, and returns what is wrong with it first, WRONG_CHECKERS to BOTH_OFF, or 0."""
    cdef uint32_t mine, theirs, crowded, other_crowded
    cdef int limit = rules.stack_limit
    cdef bint all_there = tabula_pack(counts, limit, &position.mover.lo, &position.mover.hi, &mine, &crowded) == rules.checkers
    all_there &= tabula_pack(counts + 26, limit, &position.other.lo, &position.other.hi, &theirs, &other_crowded) == rules.checkers
    return wrong_with(rules, position, mine, theirs, crowded | other_crowded) if all_there else WRONG_CHECKERS


cdef int wrong_position(const tabula_rules *rules, const tabula_position *position) noexcept nogil:
    """What is wrong with a packed position, as `pack_position` returns it."""
    cdef uint32_t mine, theirs, crowded, other_crowded
    cdef bint all_there = (position.mover.hi | position.other.hi) & ~TABULA_SIDE_HI == 0
    all_there &= tabula_look(position.mover.lo, position.mover.hi, rules.stack_limit, &mine, &crowded) == rules.checkers
    all_there &= tabula_look(position.other.lo, position.other.hi, rules.stack_limit, &theirs, &other_crowded) == rules.checkers
    return wrong_with(rules, position, mine, theirs, crowded | other_crowded) if all_there else WRONG_CHECKERS


cdef inline uint32_t facing_points(const tabula_rules *rules, uint32_t points) noexcept nogil:
    """The same points as the other side counts them: `facing` of each bit of a mask."""
    if rules.direction == TABULA_PARALLEL:
        return (points & FIRST_HALF) << HALF_ROUND | points >> HALF_ROUND & FIRST_HALF
    return tabula_reverse(points) if rules.direction else points


cdef inline int wrong_with(
    const tabula_rules *rules, const tabula_position *position, uint32_t mine, uint32_t theirs, uint32_t crowded
) noexcept nogil:
    """What is wrong with a position in which each side has its checkers; `crowded` has the indices with more than the limit."""
    if crowded & ALL_POINTS:
        return CROWDED
    if mine & facing_points(rules, theirs) & ALL_POINTS:
        return SHARED_POINT
    if side_won(rules, &position.mover) and side_won(rules, &position.other):
        return BOTH_OFF
    return 0


cdef inline void side_add(tabula_side *side, int index, int64_t checkers) noexcept nogil:
    """Adds to the count at one index, which stays within 0..15."""
    if index < 16:
        side.lo += <uint64_t>checkers << 4 * index
    else:
        side.hi += <uint64_t>checkers << 4 * (index - 16)


cdef void fill_changes() noexcept nogil:
    cdef tabula_side change
    cdef int pips, source
    for pips in range(19):
        for source in range(TABULA_OFF):
            change.lo = change.hi = 0
            side_add(&change, source, -1)
            side_add(&change, min(source + pips, <int>TABULA_OFF), 1)
            CHANGE[pips][source] = change


fill_changes()


cdef inline uint32_t side_standing(const tabula_side *side) noexcept nogil:
    """The indices with any checkers."""
    cdef uint32_t planes[4]
    tabula_planes(side.lo, side.hi, planes)
    return planes[0] | planes[1] | planes[2] | planes[3]


cdef inline int points_won(const tabula_rules *rules, const tabula_side *loser) noexcept nogil:
    """The points that the win over this side counts, 1..3."""
    if rules.highest_win == 1 or side_count(loser, TABULA_OFF):
        return 1
    if rules.highest_win == 2:
        return 2
    return 3 if side_standing(loser) & (facing_points(rules, LAST_SIX_POINTS) | WAITING) else 2


cdef int outcome(const tabula_rules *rules, const tabula_position *position) noexcept nogil:
    """The points that the mover has won (+) or lost (-); 0 while the game goes on, and where both sides have borne all off."""
    cdef bint won = side_won(rules, &position.mover)
    if won == side_won(rules, &position.other):
        return 0
    return points_won(rules, &position.other) if won else -points_won(rules, &position.mover)
