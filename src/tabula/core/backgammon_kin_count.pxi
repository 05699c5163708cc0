# How many plays a turn has under the rules of backgammon_kin.pxi, by counting sources rather than making plays.
#
# Included by _core.pyx.

cdef int count_backgammon_kin(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    """How many distinct plays the turn has. `scratch` has room for TABULA_MAX_PLAYS."""
    cdef int used, a = turn.dice[0], b = turn.dice[1]
    cdef uint32_t standing
    if turn.kinds == 1:
        return count_equal_dice(turn, node, a, turn.total, scratch)
    if two_waiting(node):
        return 1
    if node.planes[0] & WAITING:
        return count_two_dice_one_waiting(turn, node, a, b)
    if not_home_at_least(turn, node, 2):
        standing = occupied(node)
        return count_two_dice_nothing_waiting(
            turn, a, b, standing, single_checkers(node), standing & turn.unblocked >> a, standing & turn.unblocked >> b,
            tabula_popcount(standing & turn.unblocked >> a), tabula_popcount(standing & turn.unblocked >> b),
        )
    return list_two_dice_bear_off(turn, node, scratch, &used)


cdef int64_t count_rolls_backgammon_kin(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    """The plays of all rolls; what a die can do is worked out once."""
    cdef uint32_t by[7]
    cdef int n[7]
    cdef uint32_t standing = occupied(node), single = single_checkers(node)
    cdef int64_t plays = 0
    cdef int a, b, used, total = 4 if turn.rules.doubles_twice else 2
    turn.kinds = 1
    turn.total = total
    for a in range(1, 7):
        turn.dice[0] = a
        turn.each[0] = total
        plays += count_equal_dice(turn, node, a, total, scratch)
    if two_waiting(node):
        return plays + 15
    if node.planes[0] & WAITING:
        for a in range(2, 7):
            for b in range(1, a):
                plays += count_two_dice_one_waiting(turn, node, a, b)
        return plays
    if not_home_at_least(turn, node, 2):
        for a in range(1, 7):
            by[a] = standing & turn.unblocked >> a
            n[a] = tabula_popcount(by[a])
        for a in range(2, 7):
            for b in range(1, a):
                plays += count_two_dice_nothing_waiting(turn, a, b, standing, single, by[a], by[b], n[a], n[b])
        return plays
    turn.kinds = turn.total = 2
    turn.each[0] = turn.each[1] = 1
    for a in range(2, 7):
        for b in range(1, a):
            turn.dice[0] = a
            turn.dice[1] = b
            plays += list_two_dice_bear_off(turn, node, scratch, &used)
    return plays


cdef inline int count_equal_dice(Turn *turn, Node *node, int d, int total, tabula_play *scratch) noexcept nogil:
    cdef int used
    if not_home_at_least(turn, node, total):
        return count_equal_dice_no_bear_off(turn, node, d, total)
    return list_equal_dice(turn, node, scratch, &used)


cdef inline int count_both_dice(
    const Turn *turn, int a, int b, uint32_t standing, uint32_t single, uint32_t by_a, uint32_t by_b, int n_a, int n_b
) noexcept nogil:
    """The plays that use both of two different dice, where nothing is waiting and nothing can be borne off."""
    cdef uint32_t both = turn.unblocked >> (a + b), no_blot = ~turn.blots
    cdef int n = n_a * n_b - tabula_popcount_sum(
        single & by_a & by_b, by_a & by_b & both & no_blot >> a & no_blot >> b
    )
    return n + tabula_popcount_sum(by_a & both & ~(standing >> a), by_b & both & ~(standing >> b))


cdef inline int count_two_dice_nothing_waiting(
    const Turn *turn, int a, int b, uint32_t standing, uint32_t single, uint32_t by_a, uint32_t by_b, int n_a, int n_b
) noexcept nogil:
    """Two different dice, nothing waiting, and nothing can be borne off."""
    cdef int n = count_both_dice(turn, a, b, standing, single, by_a, by_b, n_a, n_b)
    if n:
        return n
    if turn.rules.larger_die:
        n = n_a if n_a else n_b
    else:
        n = n_a + n_b
    return n if n else 1


cdef int count_two_dice_one_waiting(const Turn *turn, const Node *node, int a, int b) noexcept nogil:
    """Two different dice, one checker waiting."""
    cdef int n = 0
    cdef uint32_t standing = occupied(node) & ~<uint32_t>WAITING, unblocked = turn.unblocked
    cdef uint32_t at_a = <uint32_t>1 << a & unblocked, at_b = <uint32_t>1 << b & unblocked
    if at_a:
        n += tabula_popcount((standing | at_a) & unblocked >> b)
    if at_b:
        n += tabula_popcount((standing | at_b) & unblocked >> a)
        if at_a and unblocked >> (a + b) & 1 and not turn.blots & (at_a | at_b):
            n -= 1
    if n:
        return n
    if at_a and at_b and not turn.rules.larger_die:
        return 2
    return 1


# 1 + x + ... + x^k with 12 bits a coefficient: the ways in which up to k checkers leave a point.
cdef uint64_t UP_TO[16]


cdef void fill_up_to() noexcept nogil:
    cdef int k
    UP_TO[0] = 1
    for k in range(1, 16):
        UP_TO[k] = UP_TO[k - 1] | (<uint64_t>1 << 12 * k if k <= <int>TABULA_MAX_MOVES else 0)


fill_up_to()


cdef int count_equal_dice_no_bear_off(const Turn *turn, const Node *node, int d, int left) noexcept nogil:
    """Equal dice, nothing borne off: the number of multisets of sources, by chains of points one die apart.

    The coefficients of a polynomial, 12 bits each, are the numbers of ways to make 0, 1, ..., 4 moves; higher ones do not count,
    nor do those above the moves left. Along a chain, ways[k] is the polynomial of the ways in which k checkers leave the last
    point looked at.
    """
    cdef int source, k, own, entered = 0
    cdef uint32_t standing = occupied(node), open_ahead = turn.unblocked >> d, leaving, starts
    cdef uint64_t ways[TABULA_MAX_MOVES + 1]
    cdef uint64_t product = 1
    if standing & WAITING:
        entered = side_count(&node.own, 0)
        if entered >= left or not open_ahead & WAITING:
            return 1
        left -= entered
        standing = (standing & ~<uint32_t>WAITING) | <uint32_t>1 << d
    leaving = standing & open_ahead
    if not leaving:
        return 1
    # a chain goes on to points that are empty, as long as a checker may come there and leave again
    starts = leaving << d & open_ahead & ~leaving
    while starts:
        leaving |= starts
        starts = starts << d & open_ahead & ~leaving
    starts = leaving & ~(leaving << d)
    while starts:
        source = tabula_ctz(starts)
        starts &= starts - 1
        own = side_count(&node.own, source)
        if source == d:
            own += entered
        if not leaving >> (source + d) & 1:
            product *= UP_TO[own]
            continue
        for k in range(TABULA_MAX_MOVES + 1):
            ways[k] = <uint64_t>1 << 12 * k if k <= own else 0
        source += d
        while leaving >> source & 1:
            own = side_count(&node.own, source)
            for k in range(TABULA_MAX_MOVES - 1, -1, -1):
                ways[k] += ways[k + 1]
            for k in range(TABULA_MAX_MOVES, 0, -1):
                ways[k] = ways[k - own if k > own else 0] << 12 * k
            source += d
        product *= ways[0] + ways[1] + ways[2] + ways[3] + ways[4]
    # a checker that can leave makes one move at least
    k = left
    while not product >> 12 * k & 0xFFF:
        k -= 1
    return <int>(product >> 12 * k) & 0xFFF
