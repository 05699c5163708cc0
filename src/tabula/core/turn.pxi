# One turn and one move of it: the whole of what the rules say about moving a checker.
#
# Included by _core.pyx.

cdef struct FixedBoard:
    tabula_side own
    uint32_t standing       # indices 0..24 with own checkers
    uint32_t land           # where a checker may land or pause: points, and 25 when bearing off is open
    uint32_t free           # of those, where one more may stay
    uint32_t blots          # points with exactly one opposing checker
    uint32_t quiet_pauses   # where a checker may pause without a hit
    uint32_t hit_pauses     # and with one
    uint32_t single         # indices with exactly one own checker
    uint32_t double         # with exactly two
    uint32_t room_for_one   # points with room for one more only
    uint32_t room_for_two   # points with room for two more only
    uint32_t sources[7]     # from where this die moves a checker that then stays


cdef struct Turn:
    # what stays as it is while a turn is played
    const tabula_rules *rules
    uint32_t unblocked      # points 1..24 with at most one opposing checker
    uint32_t blots          # points 1..24 with exactly one
    uint32_t start_points   # points that the half gate left open as the turn started
    bint start_off          # bearing off was open as the turn started
    int kinds               # distinct dice, the largest first
    int dice[TABULA_MAX_DICE]
    int each[TABULA_MAX_DICE]
    int total               # dice to play
    uint32_t piles          # points where no checker lands beside an own one
    bint held_back          # whether one of the rules is in force that the following are for
    uint32_t start_point    # the start point, where a rule limits who leaves it
    int start_count         # the checkers that stood there as the turn started
    int may_leave           # how many may leave it
    uint32_t facing_primes  # where primes are asked about: the opposing checkers' points on their own track
    uint32_t opposing       # the same, or 0 in a turn that is known to make none
    int leave               # on a steady board: how many checkers may leave the start point, if less than stand there, or -1
    FixedBoard fixed        # for the rules of tabula_kin.pxi, and where general.pxi finds the board steady


cdef struct Node:
    # the mover in the middle of a turn: counts as nibbles and, for indices 0..24, as bit-planes; and the blots hit so far
    tabula_side own
    uint32_t planes[4]
    uint32_t hits


cdef inline uint32_t occupied(const Node *node) noexcept nogil:
    return node.planes[0] | node.planes[1] | node.planes[2] | node.planes[3]


cdef uint32_t open_points(const tabula_rules *rules, uint32_t standing) noexcept nogil:
    """The points that the half gate leaves open to a side whose checkers stand so."""
    return FIRST_HALF if rules.half_gate and standing & WAITING else ALL_POINTS


cdef bint open_off(const tabula_rules *rules, uint32_t standing) noexcept nogil:
    """Whether a side whose checkers stand so may bear off."""
    return standing & ((<uint32_t>1 << rules.home_start) - 1) == 0 and not (rules.half_gate and standing & WAITING)


cdef uint32_t movable(const Turn *turn, const Node *node, int die) noexcept nogil:
    """The indices from which one checker can be moved by this die now: the whole of what the rules say about a move."""
    cdef const tabula_rules *rules = turn.rules
    cdef uint32_t standing = occupied(node)
    cdef uint32_t points = turn.start_points
    cdef bint off = turn.start_off
    cdef uint32_t sources, exact, not_full
    cdef int limit = rules.stack_limit
    if rules.gates_by_move:
        points = open_points(rules, standing)
        off = open_off(rules, standing)
    not_full = (
        (node.planes[0] ^ -<uint32_t>(limit & 1))
        | (node.planes[1] ^ -<uint32_t>(limit >> 1 & 1))
        | (node.planes[2] ^ -<uint32_t>(limit >> 2 & 1))
        | (node.planes[3] ^ -<uint32_t>(limit >> 3 & 1))
    )
    sources = standing & (points & turn.unblocked & not_full & ~(standing & turn.piles)) >> die
    if off:
        exact = <uint32_t>1 << (TABULA_OFF - die)
        sources |= standing & exact
        if rules.bear_off == TABULA_BEAR_OFF_REARMOST and standing:
            # A checker past the exact point has none behind it only if it is the rearmost of all.
            standing &= -standing
            if standing > exact:
                sources |= standing
            standing = occupied(node)
        elif rules.bear_off == TABULA_BEAR_OFF_ANY:
            sources |= standing & (0 - exact)
    if rules.enter_first and standing & WAITING:
        sources &= WAITING
    if turn.held_back:
        sources = not_held_back(turn, node, die, sources)
    return sources


cdef inline void move_checker(const Turn *turn, Node *node, int source, int die) noexcept nogil:
    """Moves one checker; the move is one that `movable` allows."""
    cdef int target = source + die
    cdef uint32_t bit = <uint32_t>1 << source
    cdef uint32_t carry
    cdef int k
    side_add(&node.own, source, -1)
    for k in range(4):
        node.planes[k] ^= bit
        bit &= node.planes[k]
    if target >= TABULA_OFF:
        side_add(&node.own, TABULA_OFF, 1)
        return
    side_add(&node.own, target, 1)
    bit = <uint32_t>1 << target
    node.hits |= bit & turn.blots
    for k in range(4):
        carry = node.planes[k] & bit
        node.planes[k] ^= bit
        bit = carry
    if TABULA_CHECKED:
        check_node(turn, node)


cdef inline void open_turn(const tabula_rules *rules, const tabula_position *position, Turn *turn, Node *node) noexcept nogil:
    """What a turn from here looks at, whatever the roll."""
    cdef uint32_t planes[4]
    cdef uint32_t one, two, standing
    cdef int k
    turn.rules = rules
    tabula_planes(position.other.lo, position.other.hi, planes)
    two = planes[1] | planes[2] | planes[3]
    one = planes[0] & ~two
    if rules.blots_block:
        two |= one
        one = 0
    one = facing_points(rules, one)
    two = facing_points(rules, two)
    turn.unblocked = ALL_POINTS & ~two
    turn.blots = ALL_POINTS & one
    node.own = position.mover
    tabula_planes(position.mover.lo, position.mover.hi, node.planes)
    for k in range(4):
        node.planes[k] &= ALL_POINTS | WAITING
    node.hits = 0
    standing = occupied(node)
    turn.start_points = open_points(rules, standing)
    turn.start_off = open_off(rules, standing)
    open_restrictions(turn, position, node)
    if way_of(rules) == TABULA_KIN:
        fill_fixed(turn, node)


cdef inline void take_roll(const tabula_rules *rules, const uint8_t *roll, Turn *turn) noexcept nogil:
    """What a turn plays with; the largest die comes first."""
    cdef int times = times_played(rules, roll)
    cdef int k, kinds = 1
    cdef uint8_t played[TABULA_MAX_DICE]
    if rules.head_limit:
        turn.may_leave = may_leave(rules, roll, turn.start_count)
    turn.total = rules.dice * times
    if rules.extra_dice:
        turn.total += extra_dice(rules)
        add_extra_dice(rules, roll, played)
        roll = played
    turn.dice[0] = roll[0]
    turn.each[0] = times
    for k in range(1, turn.total // times):
        if roll[k] == roll[k - 1]:
            turn.each[kinds - 1] += times
        else:
            turn.dice[kinds] = roll[k]
            turn.each[kinds] = times
            kinds += 1
    turn.kinds = kinds


cdef inline int nth_bit(uint32_t mask, int n) noexcept nogil:
    """The index of the n-th bit that is set, from 0."""
    while n:
        mask &= mask - 1
        n -= 1
    return tabula_ctz(mask)
