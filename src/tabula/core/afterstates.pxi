# The positions after plays.
#
# Included by _core.pyx.

cdef void apply(
    const tabula_rules *rules, const tabula_position *position, const tabula_play *play, tabula_position *after
) noexcept nogil:
    """The position after a play, not with sides swapped: `mover` is the side that has played. `after` may be `position` itself."""
    cdef uint32_t hits = <uint32_t>(play.hi >> HIT_SHIFT) & ALL_POINTS
    cdef int point
    after.other = position.other
    after.mover.lo = play.lo
    after.mover.hi = play.hi & TABULA_SIDE_HI
    while hits:
        point = tabula_ctz(hits)
        hits &= hits - 1
        side_add(&after.other, facing(rules, point), -1)
        side_add(&after.other, 0, 1)


cdef void swap_sides(tabula_position *position) noexcept nogil:
    """Makes the other side the side to move."""
    cdef tabula_side side = position.mover
    position.mover = position.other
    position.other = side


cdef void unpack_plays(
    const tabula_rules *rules, const tabula_position *position, const tabula_play *plays, int64_t n, int64_t stride, int8_t *counts
) noexcept nogil:
    """The positions after n plays, each `stride` after the one before, with sides swapped: 2 x 26 counts each."""
    cdef tabula_position after
    cdef int8_t untouched[32]
    if n <= 0:
        return
    tabula_unpack_wide(position.other.lo, position.other.hi, untouched)
    # what is written beyond a side is written over by the next; only the last must keep to its bytes
    while n > 1:
        n -= 1
        if plays.hi >> HIT_SHIFT:
            apply(rules, position, plays, &after)
            tabula_unpack_wide(after.other.lo, after.other.hi, counts)
        else:
            tabula_copy_wide(untouched, counts)
        tabula_unpack_wide(plays.lo, plays.hi & TABULA_SIDE_HI, counts + 26)
        counts += 52
        plays += stride
    apply(rules, position, plays, &after)
    tabula_unpack(after.other.lo, after.other.hi, counts)
    tabula_unpack(after.mover.lo, after.mover.hi, counts + 26)
