# Counting the game tree.
#
# Included by _core.pyx.

cdef int64_t count_rolls(
    const tabula_rules *rules, const tabula_position *position, bint build, tabula_play *scratch
) noexcept nogil:
    """The plays of all rolls of one position, each distinct roll once; the work that does not depend on the roll is done once."""
    cdef Turn turn
    cdef Node node
    cdef int64_t leaves = 0
    cdef int i, used
    if game_over(rules, position):
        return 0
    open_turn(rules, position, &turn, &node)
    if way_of(rules) == TABULA_KIN and not build:
        return count_rolls_tabula_kin(&turn)
    if way_of(rules) == BACKGAMMON_KIN and not build:
        return count_rolls_backgammon_kin(&turn, &node, scratch)
    if way_of(rules) == GENERAL:
        return count_rolls_general(&turn, &node, build, scratch)
    for i in range(N_ROLLS[rules.dice]):
        take_roll(rules, ROLLS[rules.dice][i], &turn)
        if build:
            leaves += list_turn(&turn, &node, scratch, &used)
        else:
            leaves += count_turn(&turn, &node, scratch)
    return leaves


cdef int64_t perft(const tabula_rules *rules, const tabula_position *position, int depth, bint build) noexcept nogil:
    """Leaves `depth` plies on, or -1 if there is no memory; the last ply is counted, or built where `build` says so."""
    cdef tabula_play *scratch
    cdef int64_t leaves
    if depth == 0:
        return 1
    scratch = borrow()
    if scratch == NULL:
        return -1
    leaves = perft_below(rules, position, depth, build, scratch)
    give_back(scratch)
    return leaves


cdef int64_t perft_below(
    const tabula_rules *rules, const tabula_position *position, int depth, bint build, tabula_play *scratch
) noexcept nogil:
    """The same for one ply or more; the last ply works in `scratch`, which all of them share."""
    cdef tabula_play *plays
    cdef tabula_position after
    cdef int64_t leaves = 0, below
    cdef int roll, i, n, used
    if depth == 1:
        return count_rolls(rules, position, build, scratch)
    plays = borrow()
    if plays == NULL:
        return -1
    for roll in range(N_ROLLS[rules.dice]):
        n = generate(rules, position, ROLLS[rules.dice][roll], plays, &used)
        for i in range(n):
            apply(rules, position, &plays[i], &after)
            swap_sides(&after)
            below = perft_below(rules, &after, depth - 1, build, scratch)
            if below < 0:
                give_back(plays)
                return -1
            leaves += below
    give_back(plays)
    return leaves
