# One turn, one checker at a time: which moves can come next within a legal play.
#
# Included by _core.pyx.

cdef bint stuck(const tabula_rules *rules, const tabula_position *position) noexcept nogil:
    """Whether neither side can move a checker by any die, so that both pass for ever."""
    cdef tabula_position board = position[0]
    cdef Turn turn
    cdef Node node
    cdef int side, die
    for side in range(2):
        open_turn(rules, &board, &turn, &node)
        for die in range(1, 7):
            if movable(&turn, &node, die):
                return False
        swap_sides(&board)
    return not game_over(rules, position)


cdef int longest(const Turn *turn, const Node *node, int *left, int total) noexcept nogil:
    """The most dice, of the `total` left, that can still be played."""
    cdef Node next_node
    cdef uint32_t sources
    cdef int kind, best = 0, found
    for kind in range(turn.kinds):
        if not left[kind]:
            continue
        sources = movable(turn, node, turn.dice[kind])
        left[kind] -= 1
        while sources and best < total:
            next_node = node[0]
            move_checker(turn, &next_node, tabula_ctz(sources), turn.dice[kind])
            sources &= sources - 1
            found = 1 + longest(turn, &next_node, left, total - 1)
            if found > best:
                best = found
        left[kind] += 1
        if best == total:
            break
    return best


cdef int follow(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const uint8_t *moves, int made,
    tabula_play *reached, uint32_t *next_sources
) noexcept nogil:
    """Makes the first `made` moves of a turn, source and die each, and tells how it can go on within a legal play.

    Returns the number of dice that a legal play uses, and fills `reached` with what the moves come to and `next_sources`, seven
    masks, with the sources of each die that can come next. Returns -1 if no legal play starts like that.
    """
    cdef Turn turn
    cdef Node node, next_node
    cdef int left[TABULA_MAX_DICE]
    cdef int i, kind, die, most, largest = 0
    cdef uint32_t sources, bit
    memset(next_sources, 0, 7 * sizeof(uint32_t))
    open_turn(rules, position, &turn, &node)
    take_roll(rules, roll, &turn)
    for kind in range(turn.kinds):
        left[kind] = turn.each[kind]
    most = longest(&turn, &node, left, turn.total)
    if rules.larger_die and most == 1:
        for kind in range(turn.kinds):
            if turn.dice[kind] > largest and movable(&turn, &node, turn.dice[kind]):
                largest = turn.dice[kind]
    for i in range(made):
        die = moves[2 * i + 1]
        for kind in range(turn.kinds):
            if turn.dice[kind] == die and left[kind]:
                break
        else:
            return -1
        if die < largest or not movable(&turn, &node, die) >> moves[2 * i] & 1:
            return -1
        move_checker(&turn, &node, moves[2 * i], die)
        left[kind] -= 1
    reached[0] = as_play(&node)
    if made + longest(&turn, &node, left, turn.total - made) != most:
        return -1
    if made == most:
        return most
    for kind in range(turn.kinds):
        die = turn.dice[kind]
        if not left[kind] or die < largest:
            continue
        left[kind] -= 1
        sources = movable(&turn, &node, die)
        while sources:
            bit = sources & -sources
            sources ^= bit
            next_node = node
            move_checker(&turn, &next_node, tabula_ctz(bit), die)
            if made + 1 + longest(&turn, &next_node, left, turn.total - made - 1) == most:
                next_sources[die] |= bit
        left[kind] += 1
    return most
