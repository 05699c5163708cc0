# What the general way makes of piles, of the start point and of primes (restrictions.pxi).
#
# Included by _core.pyx. A pile that may not grow is a limit of one on that point. Who may leave the start point is, on a steady
# board, a smaller number of checkers there. Primes are asked about only in a turn that could complete one. docs/architecture.md
# argues why this is enough.

cdef inline bint known_extra_dice(const tabula_rules *rules) noexcept nogil:
    """Whether they are none, one, or two in ascending order, and not too many beside the dice thrown."""
    cdef int first = rules.extra_dice & 7, second = rules.extra_dice >> 3
    if not rules.extra_dice:
        return True
    if rules.doubles_twice or not 1 <= first <= 6 or (second and not first <= second <= 6):
        return False
    return rules.dice + extra_dice(rules) <= <int>TABULA_MAX_DICE


cdef inline int point_limit(const Turn *turn, int point) noexcept nogil:
    """The most own checkers on a point where one lands."""
    return 1 if turn.piles >> point & 1 else turn.rules.stack_limit


cdef inline uint32_t crowded_piles(const Turn *turn, const Node *node) noexcept nogil:
    """The points with two own checkers or more where no pile may grow."""
    return turn.piles & (node.planes[1] | node.planes[2] | node.planes[3])


cdef bint ascending(const Turn *turn, const Node *node) noexcept nogil:
    """Whether equal dice that can be played at all can be played from ascending sources."""
    cdef const tabula_rules *rules = turn.rules
    if not unlimited(rules) or turn.piles or turn.opposing:
        return False
    return not rules.runner or runner_there(rules, node)


cdef inline void look_for_primes(Turn *turn, const Node *node, int moves) noexcept nogil:
    """Decides whether so many moves may complete a prime that may not be made."""
    if turn.facing_primes:
        turn.opposing = turn.facing_primes if may_complete(turn, node, moves) else 0


cdef bint may_complete(const Turn *turn, const Node *node, int moves) noexcept nogil:
    """Whether six points in a row lack no more own checkers than there are moves, and no opposing one stands beyond them, or none
    but such as may be hit."""
    cdef const tabula_rules *rules = turn.rules
    cdef uint32_t gaps = ALL_POINTS & ~facing_points(rules, occupied(node) & ALL_POINTS)
    cdef uint32_t opposing = turn.facing_primes & ~facing_points(rules, turn.blots)
    cdef uint32_t rows = rows_ahead(opposing) if opposing else FIRST_OF_SIX
    cdef uint32_t least[TABULA_MAX_MOVES + 2]
    cdef int k, n
    if not rows:
        return False
    memset(least, 0, sizeof(least))
    for k in range(6):
        for n in range(moves, 0, -1):
            least[n] |= least[n - 1] & gaps >> k
        least[0] |= gaps >> k
    return rows & ~least[moves] != 0


cdef bint restrictions_steady(Turn *turn, const Node *node, int pips) noexcept nogil:
    """Whether these rules are the same before each move of a turn of so many pips; decides who may leave the start point."""
    cdef uint32_t crowded
    if turn.piles:
        # a point of two or more is closed to the checkers behind it, unless moves clear it first
        crowded = crowded_piles(turn, node)
        if crowded and occupied(node) & ((<uint32_t>1 << (31 - tabula_clz(crowded))) - 1):
            return False
    if not turn.held_back:
        return True
    if turn.opposing:
        return False
    if turn.leave >= 0:
        # another roll may have let fewer leave
        turn.leave = -1
        turn.fixed.standing = 0
    return not turn.start_point or start_point_steady(turn, node, pips)


cdef bint start_point_steady(Turn *turn, const Node *node, int pips) noexcept nogil:
    """Whether so many checkers may leave the start point whatever else moves; stores how many."""
    cdef const tabula_rules *rules = turn.rules
    cdef int count = side_count(&node.own, rules.start_point), leave
    cdef uint32_t behind = occupied(node) & (turn.start_point - 1)
    leave = min(count, turn.may_leave - (turn.start_count - count))
    if rules.runner and not runner_there(rules, node):
        if count == rules.checkers:
            # the first goes, and does not come so far
            if rules.start_point + pips >= rules.runner:
                return False
            leave = min(leave, 1)
        else:
            if (<uint64_t>(occupied(node) & ~turn.start_point) << pips) >> rules.runner:
                return False
            if behind:
                # what lands there may not leave either
                return False
            leave = 0
    if leave < count:
        # a checker that lands there could leave in its stead; and a limit counts those that may not leave too
        if behind or not unlimited(rules):
            return False
        turn.leave = max(leave, 0)
    return True


cdef void restrict_fixed(Turn *turn, const Node *node) noexcept nogil:
    """Changes turn.fixed to what piles and the start point make of it."""
    cdef FixedBoard *f = &turn.fixed
    cdef uint32_t piles = turn.piles, standing = occupied(node)
    cdef int die
    f.land &= ~crowded_piles(turn, node)
    f.free &= f.land & ~(piles & standing)
    f.quiet_pauses = f.land & ~f.blots
    f.hit_pauses = f.land & f.blots
    f.room_for_one = f.room_for_one & ~piles | piles & ~standing
    f.room_for_two &= ~piles
    if turn.leave >= 0:
        f.single &= ~turn.start_point
        f.double &= ~turn.start_point
        if turn.leave == 0:
            f.standing &= ~turn.start_point
        elif turn.leave == 1:
            f.single |= turn.start_point
        elif turn.leave == 2:
            f.double |= turn.start_point
    for die in range(1, 7):
        f.sources[die] = f.standing & f.free >> die
