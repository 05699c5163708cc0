# One door for all ways of generating: listing, counting and picking plays by the way that serves a Rules.
#
# Included by _core.pyx.

cdef int list_turn(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    if way_of(turn.rules) == BACKGAMMON_KIN:
        return list_backgammon_kin(turn, node, plays, dice_used)
    if way_of(turn.rules) == TABULA_KIN:
        return list_tabula_kin(turn, plays, dice_used)
    if way_of(turn.rules) == GENERAL:
        return list_general(turn, node, plays, dice_used)
    return list_any(turn, node, plays, dice_used)


cdef int count_turn(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    cdef int used
    if way_of(turn.rules) == BACKGAMMON_KIN:
        return count_backgammon_kin(turn, node, scratch)
    if way_of(turn.rules) == TABULA_KIN:
        return count_tabula_kin(turn)
    if way_of(turn.rules) == GENERAL:
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
    if game_over(rules, position):
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
    if game_over(rules, position):
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

    Returns the number of plays: 0 exactly when the game is over, then nothing is drawn. `scratch` has room for
    TABULA_MAX_PLAYS.
    """
    cdef Turn turn
    cdef Node node
    cdef int n
    dice_used[0] = 0
    if game_over(rules, position):
        return 0
    open_turn(rules, position, &turn, &node)
    take_roll(rules, roll, &turn)
    if way_of(rules) == BACKGAMMON_KIN:
        n = pick_backgammon_kin(&turn, &node, stream, scratch, picked, dice_used)
    elif way_of(rules) == TABULA_KIN:
        n = pick_tabula_kin(&turn, stream, scratch, picked, dice_used)
    elif way_of(rules) == GENERAL:
        n = pick_general(&turn, &node, stream, scratch, picked, dice_used)
    else:
        n = list_any(&turn, &node, scratch, dice_used)
        picked[0] = scratch[stream_below(stream, n)]
    if TABULA_CHECKED:
        check_plays(rules, position, picked, 1, dice_used[0])
        check_picked(&turn, &node, position, scratch, picked, n, dice_used[0])
    return n
