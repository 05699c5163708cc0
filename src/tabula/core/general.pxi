# Every play of a turn under any rules whose fields it knows.
#
# Included by _core.pyx. The search in order leaves out lines that only change the order of moves. Where no move changes what
# matters to another move of the turn, the board is steady, and the plays are found by what they change, as in tabula_kin.pxi.
# Checkers that must enter first come before either: general_entering.pxi. What is made of piles, of the start point and of primes
# is in general_restrictions.pxi. docs/architecture.md argues why no play is missed.

# --------------------------------------------------------------------------------------------------------- the search in order

cdef bint fits_general(const tabula_rules *rules) noexcept nogil:
    """Whether all that these rules say is known to the rest of this file; if not, every line of moves is searched.

    `steady` and `walk_in_order` have an answer for each field named here.
    """
    cdef tabula_rules rest = rules[0]
    clear_what_all_serve(&rest)
    rest.dice = not 1 <= rules.dice <= TABULA_MAX_DICE
    rest.doubles_twice = rules.doubles_twice > 1
    rest.direction = rules.direction > TABULA_PARALLEL
    rest.blots_block = rules.blots_block > 1
    rest.stack_limit = not 1 <= rules.stack_limit <= TABULA_MAX_CHECKERS
    rest.enter_first = rules.enter_first > 1
    rest.half_gate = rules.half_gate > 1
    rest.home_start = rules.home_start > TABULA_POINTS
    rest.gates_by_move = rules.gates_by_move > 1
    rest.bear_off = rules.bear_off > TABULA_BEAR_OFF_ANY
    rest.larger_die = rules.larger_die > 1
    rest.head_limit = rules.head_limit > TABULA_MAX_CHECKERS
    rest.head_doubles = rules.head_doubles & ~0x7E
    rest.primes_ahead = rules.primes_ahead > 1
    rest.runner = rules.runner > TABULA_POINTS or rules.runner == 1
    rest.pile_from = rules.pile_from > TABULA_POINTS or rules.pile_from == 1
    rest.extra_dice = not known_extra_dice(rules)
    return nothing_left(&rest)


cdef inline bint unlimited(const tabula_rules *rules) noexcept nogil:
    """Whether no point can be full."""
    return rules.stack_limit >= rules.checkers


cdef void walk_in_order(
    Search *search, const Node *node, int made, int last_kind, int last_source, const uint32_t *before
) noexcept nogil:
    """The lines of moves from here on, but for those that two neighbouring moves only change the order of.

    The order is that of the dice, and of the sources for one die. A move that comes before the last one in it, and could have been
    made before it, is left out. `before` has the sources of each kind of die before the last move.
    """
    cdef Turn *turn = &search.turn
    cdef Node next_node
    cdef uint32_t sources_of[TABULA_MAX_DICE]
    cdef uint32_t sources, again, movable_now = 0
    cdef int kind, source
    for kind in range(turn.kinds):
        sources_of[kind] = movable(turn, node, turn.dice[kind]) if search.left[kind] else 0
        movable_now |= sources_of[kind]
    if not movable_now:
        end_of_line(search, node, made)
        return
    for kind in range(turn.kinds):
        sources = sources_of[kind]
        if kind <= last_kind and not (turn.opposing and turn.blots):
            again = ~<uint32_t>0 << last_source if kind == last_kind else 0
            if turn.opposing:
                # the last move landed there on a lone checker, which cannot go first if the landing then completes a prime
                again |= <uint32_t>1 << (last_source + turn.dice[last_kind])
            sources &= ~before[kind] | again
        if not sources:
            continue
        if made + 1 == turn.total:
            end_by_last_die(search, node, turn.dice[kind], sources)
            continue
        search.left[kind] -= 1
        while sources:
            source = tabula_ctz(sources)
            sources &= sources - 1
            next_node = node[0]
            move_checker(turn, &next_node, source, turn.dice[kind])
            search.path[made] = <uint16_t>(source << 3 | turn.dice[kind])
            walk_in_order(search, &next_node, made + 1, kind, source, sources_of)
        search.left[kind] += 1


cdef inline tabula_play play_by(const Turn *turn, const Node *node, int source, int die) noexcept nogil:
    """The play that ends with this move."""
    cdef tabula_play play
    play.lo = node.own.lo + CHANGE[die][source].lo
    play.hi = node.own.hi + CHANGE[die][source].hi
    play.hi |= <uint64_t>(node.hits | (<uint32_t>1 << (source + die) & turn.blots)) << HIT_SHIFT
    return play


cdef void end_by_last_die(Search *search, const Node *node, int die, uint32_t sources) noexcept nogil:
    """Adds the plays that use all dice and end with this die."""
    if search.most < search.turn.total:
        search.most = search.turn.total
        clear(search)
    while sources:
        store_play(search, play_by(&search.turn, node, tabula_ctz(sources), die))
        sources &= sources - 1


cdef int list_in_order(const Turn *turn, const Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the distinct plays of a turn, whatever the position."""
    cdef Search search
    cdef int kind, moves
    cdef tabula_play *end
    if turn.kinds == 1 and ascending(turn, node):
        # A set of sources can be played in ascending order, and no other ends alike.
        for moves in range(turn.total, 0, -1):
            end = list_ascending_sources(<Turn *>turn, node, 0, moves, plays)
            if end != plays:
                dice_used[0] = moves
                return <int>(end - plays)
        dice_used[0] = 0
        plays[0] = as_play(node)
        return 1
    search.turn = turn[0]
    search.plays = plays
    search.requested = NULL
    search.listed = 0
    for kind in range(turn.kinds):
        search.left[kind] = turn.each[kind]
    search.most = search.die = 0
    search.mask = 63
    clear(&search)
    walk_in_order(&search, node, 0, -1, 0, NULL)
    dice_used[0] = search.most
    return search.n


# ------------------------------------------------------------------------------------------------------------ the steady board

cdef inline bint at_least(const Node *node, uint32_t indices, int least) noexcept nogil:
    """Whether so many checkers, at most 4, stand on these indices."""
    if (node.planes[2] | node.planes[3]) & indices:
        return True
    return tabula_popcount(node.planes[0] & indices) + 2 * tabula_popcount(node.planes[1] & indices) >= least


cdef bint steady(Turn *turn, const Node *node, int moves, int pips, int largest) noexcept nogil:
    """Whether one mask says where a checker may land all through a turn of at most so many moves, pips, and pips a move.

    Then a set of moves can be made in some order if and only if they land there and leave no point with fewer than none or more
    than the limit. Each condition below is one thing that a move could change for those after it.
    """
    cdef const tabula_rules *rules = turn.rules
    cdef uint32_t standing = occupied(node)
    cdef uint64_t reach = <uint64_t>standing << pips
    cdef bint off = turn.start_off
    # Checkers that must enter hold back all others.
    if rules.enter_first and standing & WAITING:
        return False
    if rules.gates_by_move:
        off = open_off(rules, standing)
        # The second half opens as the last waiting checker enters: some wait until the last move, or none gets there.
        if (
            rules.half_gate and standing & WAITING and not at_least(node, WAITING, moves)
            and reach & ~<uint64_t>(FIRST_HALF | WAITING)
        ):
            return False
        # Bearing off opens as the last checker comes home: some are outside until the last move, or none gets off.
        if (
            not off and reach >> <int>TABULA_OFF
            and not at_least(node, (<uint32_t>1 << rules.home_start) - 1, moves)
        ):
            return False
    if not restrictions_steady(turn, node, pips):
        return False
    if rules.bear_off == TABULA_BEAR_OFF_ANY:
        return not (off and reach >> (<int>TABULA_OFF + 1))
    # A larger die bears off the rearmost checker: the rearmost has the exact number or more to go until the last move.
    return not (
        off and rules.bear_off != TABULA_BEAR_OFF_EXACT and reach >> (<int>TABULA_OFF + 1)
        and not at_least(node, (<uint32_t>2 << (<int>TABULA_OFF - largest)) - 1, moves)
    )


cdef inline bint steady_roll(Turn *turn, const Node *node) noexcept nogil:
    """The same for the roll that the turn plays."""
    cdef int kind, pips = 0
    for kind in range(turn.kinds):
        pips += turn.dice[kind] * turn.each[kind]
    return steady(turn, node, turn.total, pips, turn.dice[0])


cdef inline void fix_once(Turn *turn, const Node *node) noexcept nogil:
    """Fills turn.fixed where it is not: rolls of one position share it."""
    if not turn.fixed.standing:
        fill_fixed(turn, node)
        if turn.piles or turn.leave >= 0:
            restrict_fixed(turn, node)


cdef int count_pair_steady(const FixedBoard *f, int x, int y) noexcept nogil:
    """How many plays of both of two different dice there are on a steady board.

    Pairs of sources, less those that leave a point with one checker, land where the other starts, or both land where there is
    room for one; and one checker moved by both, once for each set of blots that a pause hits.
    """
    cdef uint32_t by_x = f.sources[x], by_y = f.sources[y], sources = f.standing & f.free >> (x + y)
    cdef int n = tabula_popcount_sum(
        sources & (f.quiet_pauses >> x | f.quiet_pauses >> y), sources & f.hit_pauses >> x
    ) + tabula_popcount(sources & f.hit_pauses >> y)
    if by_x and by_y:
        n += tabula_popcount(by_x) * tabula_popcount(by_y)
        n -= tabula_popcount_sum(by_x & by_y & f.single, by_x & by_y >> x)
        n -= tabula_popcount_sum(by_x & by_y << y, by_x & (by_y << y & f.room_for_one) >> x)
    return n


cdef int count_single_steady(const Turn *turn) noexcept nogil:
    """How many plays of one of two different dice there are where no two can be played."""
    cdef int first = tabula_popcount(turn.fixed.sources[turn.dice[0]]), second = tabula_popcount(turn.fixed.sources[turn.dice[1]])
    if first and turn.rules.larger_die:
        return first
    return first + second if first + second else 1


# The points 0, d, 2d, ... below 25, for each die d. Filled once, as the module is loaded.
cdef uint32_t CHAIN[7]


cdef void fill_chains() noexcept nogil:
    cdef int d, point
    for d in range(1, 7):
        CHAIN[d] = 0
        for point in range(<int>TABULA_OFF):
            if point % d == 0:
                CHAIN[d] |= <uint32_t>1 << point


fill_chains()


cdef int count_equal_steady(const Turn *turn) noexcept nogil:
    """How many plays equal dice have on a steady board, by chains of points one die apart.

    A polynomial tells how many ways there are to make 0, 1, ..., 4 moves, 12 bits a coefficient; what lies above is of no account.
    Along a chain, ways[k] is the polynomial of the ways in which k checkers leave the last point looked at.
    """
    cdef const FixedBoard *f = &turn.fixed
    cdef int d = turn.dice[0], left = turn.total, chain, point, own, k, limit
    cdef uint32_t go = f.land >> d, standing, rest
    cdef uint64_t ways[TABULA_MAX_MOVES + 1]
    cdef uint64_t product = 1
    for chain in range(d):
        standing = f.standing & CHAIN[d] << chain
        if not standing & go:
            continue
        for k in range(1, TABULA_MAX_MOVES + 1):
            ways[k] = 0
        ways[0] = product
        point = tabula_ctz(standing)
        while True:
            own = side_count(&f.own, point)
            if turn.leave >= 0 and point == turn.rules.start_point:
                own = turn.leave
            limit = point_limit(turn, point)
            if point and own + <int>TABULA_MAX_MOVES > limit:
                leave_crowded(ways, own, max(own, limit), go >> point & 1)
            else:
                for k in range(TABULA_MAX_MOVES - 1, -1, -1):
                    ways[k] += ways[k + 1]
                for k in range(TABULA_MAX_MOVES, 0, -1):
                    ways[k] = ways[k - own if k > own else 0] << 12 * k if go >> point & 1 else 0
            point += d
            if not (ways[1] | ways[2] | ways[3] | ways[4]):
                # no checker comes from below: on to the next that stands
                if point >= <int>TABULA_OFF:
                    break
                rest = standing >> point
                if not rest:
                    break
                point += tabula_ctz(rest)
            elif point >= <int>TABULA_OFF:
                break
        product = ways[0] + ways[1] + ways[2] + ways[3] + ways[4]
    while left and not product >> 12 * left & 0xFFF:
        left -= 1
    return <int>(product >> 12 * left & 0xFFF)


cdef void leave_crowded(uint64_t *ways, int own, int limit, bint go) noexcept nogil:
    """What the ways become at a point where so many stand, which may be over the limit unless some leave."""
    cdef uint64_t come_by[TABULA_MAX_MOVES + 1]
    cdef int come, leave, fewest
    for come in range(TABULA_MAX_MOVES + 1):
        come_by[come] = ways[come]
        ways[come] = 0
    for come in range(TABULA_MAX_MOVES + 1):
        if not come_by[come]:
            continue
        fewest = max(0, own + come - limit)
        if go:
            for leave in range(fewest, min(own + come, TABULA_MAX_MOVES) + 1):
                ways[leave] += come_by[come] << 12 * leave
        elif not fewest:
            ways[0] += come_by[come]


cdef tabula_play *put_equal_steady(
    const Turn *turn, tabula_side own, uint32_t standing, uint32_t over, int least, int moves, tabula_play *play
) noexcept nogil:
    """Adds every way to make so many moves by equal dice from index `least` on; returns where the list ends.

    Sources ascend. `over` has the points that hold more than the limit so far, which must be left by the moves to come.
    """
    cdef const FixedBoard *f = &turn.fixed
    cdef int d = turn.dice[0], source, count, made, fewest
    cdef uint32_t sources = standing & f.land >> d, bit, still_over
    cdef tabula_side side
    if not moves:
        if not over:
            play.lo = own.lo
            play.hi = own.hi
            play += 1
        return play
    sources = sources >> least << least
    while sources:
        source = tabula_ctz(sources)
        bit = sources & -sources
        sources ^= bit
        if over & (bit - 1):
            break
        count = side_count(&own, source)
        if turn.leave >= 0 and source == turn.rules.start_point:
            count = min(count, turn.leave)
        fewest = count - point_limit(turn, source) if over & bit else 1
        side = own
        for made in range(1, min(count, moves) + 1):
            side = changed(side, d, source, bit << d & f.blots)
            if made < fewest:
                continue
            still_over = over & ~bit
            if source + d < <int>TABULA_OFF and side_count(&side, source + d) > point_limit(turn, source + d):
                still_over |= bit << d
            play = put_equal_steady(turn, side, standing | bit << d, still_over, source + 1, moves - made, play)
        if over & bit:
            break
    return play


cdef int list_equal_steady(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the plays of four equal dice on a steady board."""
    cdef int moves
    cdef tabula_play *end
    cdef Turn alike
    if unlimited(turn.rules) and not occupied(node) & WAITING and not turn.piles and turn.leave < 0:
        alike = turn[0]
        alike.unblocked = turn.fixed.land
        return list_equal_dice_no_bear_off(&alike, node, plays, dice_used)
    for moves in range(turn.total, -1, -1):
        end = put_equal_steady(turn, turn.fixed.own, turn.fixed.standing, 0, 0, moves, plays)
        if end != plays:
            break
    dice_used[0] = moves
    return <int>(end - plays)


cdef int list_free(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the plays of a turn in which no checker has to enter first."""
    if not steady_roll(turn, node):
        return list_in_order(turn, node, plays, dice_used)
    fix_once(turn, node)
    if turn.total > <int>TABULA_MAX_DICE:
        return list_equal_steady(turn, node, plays, dice_used)
    return list_tabula_kin(turn, plays, dice_used)


cdef int count_free(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    """How many plays list_free would list."""
    cdef int used
    if not steady_roll(turn, node):
        return list_in_order(turn, node, scratch, &used)
    fix_once(turn, node)
    return count_steady(turn)


cdef int count_steady(Turn *turn) noexcept nogil:
    """The same on a steady board."""
    cdef int n
    if turn.total > <int>TABULA_MAX_DICE:
        return count_equal_steady(turn)
    if turn.total == 2 and turn.kinds == 2:
        n = count_pair_steady(&turn.fixed, turn.dice[0], turn.dice[1])
        return n if n else count_single_steady(turn)
    return count_tabula_kin(turn)


# -------------------------------------------------------------------------------------------------------------- the door to it

cdef int list_general(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the distinct plays of a turn under any rules that `fits_general` knows."""
    turn.fixed.standing = 0
    return list_again(turn, node, plays, dice_used)


cdef int list_again(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """The same, where turn.fixed may be filled by another roll of this position."""
    cdef int waiting
    look_for_primes(turn, node, turn.total)
    waiting = waiting_first(turn, node)
    if waiting:
        return list_entering_first(turn, node, waiting, plays, dice_used)
    return list_free(turn, node, plays, dice_used)


cdef int count_general(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    """How many distinct plays a turn has."""
    turn.fixed.standing = 0
    return count_again(turn, node, scratch)


cdef int count_again(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    cdef int waiting
    look_for_primes(turn, node, turn.total)
    waiting = waiting_first(turn, node)
    if waiting:
        return count_entering_first(turn, node, waiting, scratch)
    return count_free(turn, node, scratch)


cdef int pick_general(
    Turn *turn, Node *node, tabula_stream *stream, tabula_play *plays, tabula_play *picked, int *dice_used
) noexcept nogil:
    """Makes only the play picked, where the board is steady."""
    cdef int n
    turn.fixed.standing = 0
    look_for_primes(turn, node, turn.total)
    if not waiting_first(turn, node) and turn.total <= <int>TABULA_MAX_DICE and steady_roll(turn, node):
        fix_once(turn, node)
        return pick_tabula_kin(turn, stream, plays, picked, dice_used)
    n = list_general(turn, node, plays, dice_used)
    picked[0] = plays[stream_below(stream, n)]
    return n


cdef int64_t count_rolls_general(Turn *turn, Node *node, bint build, tabula_play *scratch) noexcept nogil:
    """The plays of all rolls of a position, counted or built."""
    cdef const tabula_rules *rules = turn.rules
    cdef int64_t leaves = 0
    cdef int i, used, dice = rules.dice, waiting, moves = (dice + extra_dice(rules)) * (2 if rules.doubles_twice else 1)
    cdef bint all_steady
    look_for_primes(turn, node, moves)
    # where none can be made in any roll, none is looked for again
    turn.facing_primes = turn.opposing
    waiting = waiting_first(turn, node)
    turn.fixed.standing = 0
    if rules.head_limit:
        turn.may_leave = rules.head_limit
    if not build and waiting >= moves:
        # whatever can enter does
        return N_ROLLS[dice]
    all_steady = (
        not build and not (rules.head_doubles and turn.start_point and turn.start_count == rules.checkers)
        and steady(turn, node, moves, 6 * moves, 6)
    )
    if all_steady:
        fix_once(turn, node)
        if dice == 3:
            return count_rolls_tabula_kin(turn)
    for i in range(N_ROLLS[dice]):
        take_roll(rules, ROLLS[dice][i], turn)
        if all_steady:
            leaves += count_steady(turn)
        elif build:
            leaves += list_again(turn, node, scratch, &used)
        else:
            leaves += count_again(turn, node, scratch)
    return leaves
