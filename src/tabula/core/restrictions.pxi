# What some rules ask of a move beside its two ends: how many checkers leave the start point, and which primes are made.
#
# Included by _core.pyx. Turn and Node are those of turn.pxi.

cdef inline int may_leave(const tabula_rules *rules, const uint8_t *roll, int start_count) noexcept nogil:
    """How many checkers may leave the start point in a turn that starts with so many there."""
    if rules.dice == 2 and roll[0] == roll[1] and start_count == rules.checkers:
        return rules.head_limit + (rules.head_doubles >> roll[0] & 1)
    return rules.head_limit


cdef inline void open_restrictions(Turn *turn, const tabula_position *position, const Node *node) noexcept nogil:
    """What a turn from here looks at for these rules, whatever the roll."""
    cdef const tabula_rules *rules = turn.rules
    turn.piles = (<uint32_t>1 << rules.pile_from) - 1 & ALL_POINTS
    turn.held_back = rules.head_limit or rules.runner or rules.primes_ahead
    turn.start_point = turn.facing_primes = turn.opposing = 0
    turn.leave = -1
    if not turn.held_back:
        return
    if rules.head_limit or rules.runner:
        turn.start_point = <uint32_t>1 << rules.start_point
        turn.start_count = side_count(&node.own, rules.start_point)
        # take_roll has the limit of a roll
        turn.may_leave = TABULA_MAX_CHECKERS + 1
    if rules.primes_ahead:
        turn.facing_primes = turn.opposing = side_standing(&position.other) & ALL_POINTS


cdef uint32_t not_held_back(const Turn *turn, const Node *node, int die, uint32_t sources) noexcept nogil:
    """Those of the sources that these rules let the die move a checker from."""
    cdef const tabula_rules *rules = turn.rules
    cdef int count
    if sources & turn.start_point:
        count = side_count(&node.own, rules.start_point)
        if turn.start_count - count >= turn.may_leave:
            sources &= ~turn.start_point
        elif rules.runner and count < rules.checkers and not runner_there(rules, node):
            sources &= ~turn.start_point
    if turn.opposing and sources:
        sources &= ~completing(turn, node, die, sources)
    return sources


cdef inline bint runner_there(const tabula_rules *rules, const Node *node) noexcept nogil:
    """Whether a checker has come as far as the rules ask of the first."""
    return occupied(node) >> rules.runner or side_count(&node.own, TABULA_OFF)


cdef uint32_t completing(const Turn *turn, const Node *node, int die, uint32_t sources) noexcept nogil:
    """Those of the sources from which the die completes a prime that may not be made."""
    cdef const tabula_rules *rules = turn.rules
    cdef uint32_t opposing = turn.opposing & ~facing_points(rules, node.hits)
    cdef uint32_t held, found, rest, bit
    if not opposing:
        return 0
    held = facing_points(rules, occupied(node) & ALL_POINTS)
    found = sources & facing_points(rules, completed_by_one(held, opposing)) >> die
    rest = found & node.planes[0] & ~(node.planes[1] | node.planes[2] | node.planes[3]) & ALL_POINTS
    while rest:
        # a lone checker leaves a gap
        bit = rest & -rest
        rest ^= bit
        if not facing_points(rules, completed_by_one(held & ~facing_points(rules, bit), opposing)) & bit << die:
            found ^= bit
    return found


cdef inline uint32_t completed_by_one(uint32_t held, uint32_t opposing) noexcept nogil:
    """The points not held that complete six in a row with no opposing checker beyond them; all on the other side's track."""
    cdef uint32_t gaps = ALL_POINTS & ~held, one = 0, two = 0, rows
    cdef int k
    for k in range(6):
        # bit i: whether one gap or more, and two or more, are among the points i to i + k
        two |= one & gaps >> k
        one |= gaps >> k
    rows = rows_ahead(opposing) & one & ~two
    return gaps & (rows | rows << 1 | rows << 2 | rows << 3 | rows << 4 | rows << 5)


cdef inline uint32_t rows_ahead(uint32_t opposing) noexcept nogil:
    """The first points of all six in a row that no opposing checker stands beyond; there is one on the board."""
    cdef int last = 31 - tabula_clz(opposing)
    return FIRST_OF_SIX & (~<uint32_t>0 << (last - 5 if last > 5 else 0))


cdef inline void add_extra_dice(const tabula_rules *rules, const uint8_t *roll, uint8_t *played) noexcept nogil:
    """The numbers that a turn plays, the largest first: those of a roll and the extra ones."""
    cdef int k, at, n = rules.dice
    cdef uint8_t extra = rules.extra_dice, number
    for k in range(n):
        played[k] = roll[k]
    while extra:
        number = extra & 7
        extra >>= 3
        at = n
        while at and played[at - 1] < number:
            played[at] = played[at - 1]
            at -= 1
        played[at] = number
        n += 1
