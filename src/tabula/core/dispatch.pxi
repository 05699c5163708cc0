# One door for all ways of generating: which way serves a Rules, and listing, counting, picking and applying plays by it.
#
# Included by _core.pyx.

# One block that calls borrow in turn; a call that finds it taken makes its own, and the last one given back is kept.
cdef void *SPARE = NULL


cdef tabula_play *borrow() noexcept nogil:
    """Room for TABULA_MAX_PLAYS plays, or NULL if there is no memory; to be given back."""
    cdef void *block = tabula_swap(&SPARE, NULL)
    if block == NULL:
        block = malloc(TABULA_MAX_PLAYS * sizeof(tabula_play))
    return <tabula_play *>block


cdef void give_back(tabula_play *plays) noexcept nogil:
    free(tabula_swap(&SPARE, plays))


# ------------------------------------------------------------------------------------------------------------------ the door

cdef int path_for(const tabula_rules *rules) noexcept nogil:
    """Which way of generating serves these rules."""
    if fits_bar_first(rules):
        return TABULA_PATH_BAR_FIRST
    if fits_fixed_gates(rules):
        return TABULA_PATH_FIXED_GATES
    if fits_general(rules):
        return TABULA_PATH_GENERAL
    return EVERY_LINE


cdef int list_turn(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    if turn.rules.path == TABULA_PATH_BAR_FIRST:
        return list_bar_first(turn, node, plays, dice_used)
    if turn.rules.path == TABULA_PATH_FIXED_GATES:
        return list_fixed_gates(turn, plays, dice_used)
    if turn.rules.path == TABULA_PATH_GENERAL:
        return list_general(turn, node, plays, dice_used)
    return list_any(turn, node, plays, dice_used)


cdef int count_turn(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    cdef int used
    if turn.rules.path == TABULA_PATH_BAR_FIRST:
        return count_bar_first(turn, node, scratch)
    if turn.rules.path == TABULA_PATH_FIXED_GATES:
        return count_fixed_gates(turn)
    if turn.rules.path == TABULA_PATH_GENERAL:
        return count_general(turn, node, scratch)
    return list_any(turn, node, scratch, &used)


cdef int generate(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_play *plays, int *dice_used
) noexcept nogil:
    """Fills `plays`, which has room for TABULA_MAX_PLAYS, with the distinct plays of a roll (dice in descending order).

    Returns their number: 0 exactly when the game is over.
    """
    cdef Turn turn
    cdef Node node
    cdef int n
    dice_used[0] = 0
    if over(rules, position):
        return 0
    open_turn(rules, position, &turn, &node)
    take_roll(rules, roll, &turn)
    if TABULA_CHECKED:
        check_position(rules, position, True)
        n = list_turn(&turn, &node, plays, dice_used)
        check_plays(rules, position, plays, n, dice_used[0])
        return n
    return list_turn(&turn, &node, plays, dice_used)


cdef int count(const tabula_rules *rules, const tabula_position *position, const uint8_t *roll) noexcept nogil:
    """How many plays `generate` would list; -1 if there is no memory."""
    cdef Turn turn
    cdef Node node
    cdef int n
    cdef tabula_play *scratch
    if over(rules, position):
        return 0
    scratch = borrow()
    if scratch == NULL:
        return -1
    open_turn(rules, position, &turn, &node)
    take_roll(rules, roll, &turn)
    n = count_turn(&turn, &node, scratch)
    if TABULA_CHECKED:
        check_count(&turn, &node, position, scratch, n)
    give_back(scratch)
    return n


cdef int pick(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_stream *stream, tabula_play *scratch,
    tabula_play *picked, int *dice_used
) noexcept nogil:
    """One play of a roll, each distinct one as likely as another: what `generate` lists at a place drawn from `stream`.

    Returns how many there are to pick from: 0 exactly when the game is over, then nothing is drawn. `scratch` has room for
    TABULA_MAX_PLAYS.
    """
    cdef Turn turn
    cdef Node node
    cdef int n
    dice_used[0] = 0
    if over(rules, position):
        return 0
    open_turn(rules, position, &turn, &node)
    take_roll(rules, roll, &turn)
    if rules.path == TABULA_PATH_BAR_FIRST:
        n = pick_bar_first(&turn, &node, stream, scratch, picked, dice_used)
    elif rules.path == TABULA_PATH_FIXED_GATES:
        n = pick_fixed_gates(&turn, stream, scratch, picked, dice_used)
    elif rules.path == TABULA_PATH_GENERAL:
        n = pick_general(&turn, &node, stream, scratch, picked, dice_used)
    else:
        n = list_any(&turn, &node, scratch, dice_used)
        picked[0] = scratch[stream_below(stream, n)]
    if TABULA_CHECKED:
        check_plays(rules, position, picked, 1, dice_used[0])
        check_picked(&turn, &node, position, scratch, picked, n, dice_used[0])
    return n


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
        side_add(&after.other, TABULA_OFF - point if rules.opposed else point, -1)
        side_add(&after.other, 0, 1)


cdef void swap_sides(tabula_position *position) noexcept nogil:
    """Turns a position round: the other side is to move."""
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
