# Every play of a turn under any rules.
#
# Included by _core.pyx. There are four parts. The search over every line of moves knows nothing but `movable`; the moves printed for a
# play are found by it, and rules with a field that is not named in `fits_general` are served by it. The search in order leaves
# out lines that only change the order of moves. Where nothing that a move could change matters to another move of the turn, the
# board is steady, and the plays are found by what they change, as in fixed_gates.pxi. Checkers that must enter first come before
# either. docs/architecture.md argues why no play is missed.

cdef struct Search:
    Turn turn
    int left[TABULA_MAX_DICE]       # how many of each kind of die are still to be played
    int most                        # dice played in the plays kept
    int die                         # where larger_die decides: the die of the plays kept
    uint16_t path[TABULA_MAX_MOVES]  # source << 3 | die of each move made
    # when listing: the distinct plays, and where each stands in them by its hash
    tabula_play *plays
    int n
    uint32_t mask
    uint16_t table[TABLE]
    # when looking for the moves of one play: that play, and the smallest line to it
    const tabula_play *wanted
    uint64_t sorted_line
    uint64_t line
    # when looking for those of all plays, which are listed already: how many, and the smallest line to each
    int listed
    uint64_t *sorted_lines
    uint64_t *lines


cdef inline tabula_play as_play(const Node *node) noexcept nogil:
    cdef tabula_play play
    play.lo = node.own.lo
    play.hi = node.own.hi | <uint64_t>node.hits << HIT_SHIFT
    return play


cdef inline uint32_t slot_of(const tabula_play *play) noexcept nogil:
    cdef uint64_t x = play.lo * <uint64_t>0x9E3779B97F4A7C15 ^ play.hi * <uint64_t>0xD6E8FEB86659FD93
    return <uint32_t>(x >> 40 ^ x >> 20)


cdef void clear(Search *search) noexcept nogil:
    """Forgets what was kept: plays that use fewer dice, or a smaller only die, than one just found."""
    cdef int i
    if search.listed:
        for i in range(search.listed):
            search.sorted_lines[i] = search.lines[i] = ~<uint64_t>0
        return
    search.n = 0
    search.sorted_line = search.line = ~<uint64_t>0
    memset(search.table, 0, (search.mask + 1) * sizeof(uint16_t))


cdef void fill_table(Search *search) noexcept nogil:
    """Puts the plays kept into a table that is less than half full of them, so that looking up always ends."""
    cdef int i
    cdef uint32_t slot
    while 2 * search.n > <int>search.mask and search.mask + 1 < TABLE:
        search.mask = 2 * search.mask + 1
    memset(search.table, 0, (search.mask + 1) * sizeof(uint16_t))
    for i in range(search.n):
        slot = slot_of(&search.plays[i]) & search.mask
        while search.table[slot]:
            slot = (slot + 1) & search.mask
        search.table[slot] = <uint16_t>(i + 1)


cdef void keep(Search *search, tabula_play play) noexcept nogil:
    """Adds a play unless it is there. The bound of TABULA_MAX_PLAYS holds for plays of any one number of dice."""
    cdef uint32_t slot = slot_of(&play) & search.mask
    cdef int i
    while search.table[slot]:
        i = search.table[slot] - 1
        if search.plays[i].lo == play.lo and search.plays[i].hi == play.hi:
            return
        slot = (slot + 1) & search.mask
    if TABULA_CHECKED and search.n == TABULA_MAX_PLAYS:
        broken("more plays than there is room for")
    search.plays[search.n] = play
    search.n += 1
    search.table[slot] = <uint16_t>search.n
    if 2 * search.n > <int>search.mask and search.mask + 1 < TABLE:
        fill_table(search)


cdef void compare_line(Search *search, int made, uint64_t *sorted_least, uint64_t *least) noexcept nogil:
    """Keeps the path just walked if its sorted moves, or then its order, are smaller than those kept."""
    cdef uint16_t moves[TABULA_MAX_MOVES]
    cdef uint64_t line = 0, sorted_line = 0
    cdef uint16_t move
    cdef int i, j
    for i in range(made):
        move = search.path[i]
        line = line << 16 | move
        j = i
        while j and moves[j - 1] > move:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move
    for i in range(made):
        sorted_line = sorted_line << 16 | moves[i]
    if sorted_line < sorted_least[0] or (sorted_line == sorted_least[0] and line < least[0]):
        sorted_least[0] = sorted_line
        least[0] = line


cdef int find(const Search *search, const tabula_play *play) noexcept nogil:
    """The index of a play among those listed and put into the table, or -1."""
    cdef uint32_t slot = slot_of(play) & search.mask
    cdef int i
    while search.table[slot]:
        i = search.table[slot] - 1
        if search.plays[i].lo == play.lo and search.plays[i].hi == play.hi:
            return i
        slot = (slot + 1) & search.mask
    return -1


cdef void end_of_line(Search *search, const Node *node, int made) noexcept nogil:
    """A line of moves that cannot go on: its end is kept if no longer one, nor one with a larger only die, is known."""
    cdef tabula_play play
    cdef int die, i
    if made < search.most:
        return
    if made > search.most:
        search.most = made
        search.die = 0
        clear(search)
    if made == 1 and search.turn.rules.larger_die:
        die = search.path[0] & 7
        if die < search.die:
            return
        if die > search.die:
            search.die = die
            clear(search)
    play = as_play(node)
    if search.listed:
        i = find(search, &play)
        if i >= 0:
            compare_line(search, made, &search.sorted_lines[i], &search.lines[i])
    elif search.wanted == NULL:
        keep(search, play)
    elif play.lo == search.wanted.lo and play.hi == search.wanted.hi:
        compare_line(search, made, &search.sorted_line, &search.line)


cdef void walk(Search *search, const Node *node, int made) noexcept nogil:
    """Every line of moves from here on: each die that is left, each source it can move from."""
    cdef Node next_node
    cdef uint32_t sources
    cdef int kind, source, die
    cdef bint stuck = True
    for kind in range(search.turn.kinds):
        if not search.left[kind]:
            continue
        die = search.turn.dice[kind]
        sources = movable(&search.turn, node, die)
        search.left[kind] -= 1
        while sources:
            stuck = False
            source = tabula_ctz(sources)
            sources &= sources - 1
            next_node = node[0]
            move_checker(&search.turn, &next_node, source, die)
            search.path[made] = <uint16_t>(source << 3 | die)
            walk(search, &next_node, made + 1)
        search.left[kind] += 1
    if stuck:
        end_of_line(search, node, made)


cdef void search_all(Search *search, const Node *node) noexcept nogil:
    """Walks every line of a turn. `listed` says how many plays are listed already, 0 where they are to be found."""
    cdef int kind
    for kind in range(search.turn.kinds):
        search.left[kind] = search.turn.each[kind]
    search.most = search.die = 0
    search.mask = 255
    if search.listed:
        search.n = search.listed
        fill_table(search)
    clear(search)
    walk(search, node, 0)


cdef int list_any(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the distinct plays of a turn under any rules."""
    cdef Search search
    search.turn = turn[0]
    search.plays = plays
    search.wanted = NULL
    search.listed = 0
    search_all(&search, node)
    dice_used[0] = search.most
    return search.n


# ---------------------------------------------------------------------------------------------------------------- the search in order

cdef bint fits_general(const tabula_rules *rules) noexcept nogil:
    """Whether all that these rules say is known to the rest of this file; if not, every line of moves is searched.

    A field that is not filled in here, or a value that is not known here, leaves a difference.
    """
    cdef tabula_rules known
    memset(&known, 0, sizeof(tabula_rules))
    # what no way of generating depends on, or every way takes as it is
    known.setup = rules.setup
    known.checkers = rules.checkers
    known.highest_win = rules.highest_win
    known.path = rules.path
    known.seal = rules.seal
    # what `steady` and `walk_in_order` have an answer for
    known.dice = min(rules.dice, <uint8_t>TABULA_MAX_DICE)
    known.doubles_twice = rules.doubles_twice != 0
    known.opposed = rules.opposed != 0
    known.enter_first = rules.enter_first != 0
    known.half_gate = rules.half_gate != 0
    known.gates_by_move = rules.gates_by_move != 0
    known.larger_die = rules.larger_die != 0
    if 1 <= rules.stack_limit <= TABULA_MAX_CHECKERS:
        known.stack_limit = rules.stack_limit
    if 1 <= rules.home_start <= TABULA_POINTS:
        known.home_start = rules.home_start
    if rules.bear_off == TABULA_BEAR_OFF_EXACT or rules.bear_off == TABULA_BEAR_OFF_REARMOST:
        known.bear_off = rules.bear_off
    return memcmp(&known, rules, sizeof(tabula_rules)) == 0


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
    cdef uint32_t sources, movable_now = 0
    cdef int kind, source
    for kind in range(turn.kinds):
        sources_of[kind] = movable(turn, node, turn.dice[kind]) if search.left[kind] else 0
        movable_now |= sources_of[kind]
    if not movable_now:
        end_of_line(search, node, made)
        return
    for kind in range(turn.kinds):
        sources = sources_of[kind]
        if kind < last_kind:
            sources &= ~before[kind]
        elif kind == last_kind:
            sources &= ~before[kind] | ~<uint32_t>0 << last_source
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
    play.lo = node.own.lo + STEP[die][source].lo
    play.hi = node.own.hi + STEP[die][source].hi
    play.hi |= <uint64_t>(node.hits | (<uint32_t>1 << (source + die) & turn.blots)) << HIT_SHIFT
    return play


cdef void end_by_last_die(Search *search, const Node *node, int die, uint32_t sources) noexcept nogil:
    """Adds the plays that use all dice and end with this die."""
    if search.most < search.turn.total:
        search.most = search.turn.total
        clear(search)
    while sources:
        keep(search, play_by(&search.turn, node, tabula_ctz(sources), die))
        sources &= sources - 1


cdef int list_in_order(const Turn *turn, const Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the distinct plays of a turn, whatever the position."""
    cdef Search search
    cdef int kind, moves
    cdef tabula_play *end
    if turn.kinds == 1 and unlimited(turn.rules):
        # equal dice where no point can be full: each set of sources can be played in ascending order, and ends on a board of its own
        for moves in range(turn.total, 0, -1):
            end = list_ascending(<Turn *>turn, node, 0, moves, plays)
            if end != plays:
                dice_used[0] = moves
                return <int>(end - plays)
        dice_used[0] = 0
        plays[0] = as_play(node)
        return 1
    search.turn = turn[0]
    search.plays = plays
    search.wanted = NULL
    search.listed = 0
    for kind in range(turn.kinds):
        search.left[kind] = turn.each[kind]
    search.most = search.die = 0
    search.mask = 63
    clear(&search)
    walk_in_order(&search, node, 0, -1, 0, NULL)
    dice_used[0] = search.most
    return search.n


# ------------------------------------------------------------------------------------------------------------------ the steady board

cdef inline bint at_least(const Node *node, uint32_t indices, int least) noexcept nogil:
    """Whether so many checkers, at most 4, stand on these indices."""
    if (node.planes[2] | node.planes[3]) & indices:
        return True
    return tabula_popcount(node.planes[0] & indices) + 2 * tabula_popcount(node.planes[1] & indices) >= least


cdef bint steady(const Turn *turn, const Node *node, int moves, int pips, int largest) noexcept nogil:
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
    # A larger die bears off the rearmost checker: the rearmost has the exact number or more to go until the last move.
    return not (
        off and rules.bear_off != TABULA_BEAR_OFF_EXACT and reach >> (<int>TABULA_OFF + 1)
        and not at_least(node, (<uint32_t>2 << (<int>TABULA_OFF - largest)) - 1, moves)
    )


cdef inline bint steady_roll(const Turn *turn, const Node *node) noexcept nogil:
    """The same for the roll that the turn plays."""
    cdef int kind, pips = 0
    for kind in range(turn.kinds):
        pips += turn.dice[kind] * turn.each[kind]
    return steady(turn, node, turn.total, pips, turn.dice[0])


cdef inline void fix_once(Turn *turn, const Node *node) noexcept nogil:
    """Fills turn.fixed where it is not: rolls of one position share it."""
    if not turn.fixed.standing:
        fix(turn, node)


cdef int count_pair_steady(const Fixed *f, int x, int y) noexcept nogil:
    """How many plays of both of two different dice there are on a steady board.

    Pairs of sources, less those that leave a point with one checker, land where the other starts, or both land where there is
    room for one; and one checker moved by both, once for each set of blots that a pause hits.
    """
    cdef uint32_t by_x = f.by[x], by_y = f.by[y], sources = f.standing & f.free >> (x + y)
    cdef int n = tabula_popcount_sum(
        sources & (f.quiet >> x | f.quiet >> y), sources & f.loud >> x
    ) + tabula_popcount(sources & f.loud >> y)
    if by_x and by_y:
        n += tabula_popcount(by_x) * tabula_popcount(by_y)
        n -= tabula_popcount_sum(by_x & by_y & f.one, by_x & by_y >> x)
        n -= tabula_popcount_sum(by_x & by_y << y, by_x & (by_y << y & f.last) >> x)
    return n


cdef int count_single_steady(const Turn *turn) noexcept nogil:
    """How many plays of one of two different dice there are where no two can be played."""
    cdef int first = tabula_popcount(turn.fixed.by[turn.dice[0]]), second = tabula_popcount(turn.fixed.by[turn.dice[1]])
    if first and turn.rules.larger_die:
        return first
    return first + second if first + second else 1


# The points 0, d, 2d, ... below 25, for each die d. Filled once, as the module is loaded.
cdef uint32_t CHAIN[7]


cdef void fill_chains() noexcept nogil:
    cdef int d, point
    for d in range(1, 7):
        CHAIN[d] = 0
        for point in range(25):
            if point % d == 0:
                CHAIN[d] |= <uint32_t>1 << point


fill_chains()


cdef int count_equal_steady(const Turn *turn) noexcept nogil:
    """How many plays equal dice have on a steady board, by chains of points one die apart.

    A polynomial tells how many ways there are to make 0, 1, ..., 4 moves, 12 bits a coefficient; what lies above is of no account.
    Along a chain, ways[k] is the polynomial of the ways in which k checkers leave the last point looked at.
    """
    cdef const Fixed *f = &turn.fixed
    cdef int d = turn.dice[0], left = turn.total, chain, point, own, k
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
            if point and own + <int>TABULA_MAX_MOVES > turn.rules.stack_limit:
                leave_crowded(ways, own, max(own, turn.rules.stack_limit), go >> point & 1)
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
    cdef const Fixed *f = &turn.fixed
    cdef int d = turn.dice[0], limit = turn.rules.stack_limit, source, count, made, fewest
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
        fewest = count - limit if over & bit else 1
        side = own
        for made in range(1, min(count, moves) + 1):
            side = stepped(side, d, source, bit << d & f.blots)
            if made < fewest:
                continue
            still_over = over & ~bit
            if source + d < <int>TABULA_OFF and side_count(&side, source + d) > limit:
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
    if unlimited(turn.rules) and not occupied(node) & WAITING:
        alike = turn[0]
        alike.unblocked = turn.fixed.land
        return list_far(&alike, node, plays, dice_used)
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
    return list_fixed_gates(turn, plays, dice_used)


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
    return count_fixed_gates(turn)


# ------------------------------------------------------------------------------------------------------- checkers that must enter first

cdef inline int waiting_first(const Turn *turn, const Node *node) noexcept nogil:
    """How many checkers have to enter before any other move."""
    return side_count(&node.own, 0) if turn.rules.enter_first else 0


cdef inline int room_to_enter(const Turn *turn, const Node *node, int die) noexcept nogil:
    """How many more checkers can enter by this die; no gate closes the points 1..6 to them."""
    return turn.rules.stack_limit - side_count(&node.own, die) if turn.unblocked >> die & 1 else 0


cdef inline int enter(const Turn *turn, Node *node, int kind, int most) noexcept nogil:
    """Enters as many checkers as there is room for by the dice of one kind, at most so many; returns how many."""
    cdef int k, checkers = max(min(most, room_to_enter(turn, node, turn.dice[kind])), 0)
    for k in range(checkers):
        move_checker(turn, node, 0, turn.dice[kind])
    return checkers


cdef void go_on(const Turn *turn, int kind, int played, Turn *rest, Node *node, uint32_t *hits) noexcept nogil:
    """The rest of a turn after so many checkers have entered by dice of one kind, as a turn of its own.

    The blots hit so far are no blots in it any more; they are to be added to its plays.
    """
    cdef int k
    cdef uint32_t standing = occupied(node)
    rest[0] = turn[0]
    rest.total -= played
    rest.each[kind] -= played
    if not rest.each[kind]:
        rest.kinds -= 1
        for k in range(kind, rest.kinds):
            rest.dice[k] = rest.dice[k + 1]
            rest.each[k] = rest.each[k + 1]
    if turn.rules.gates_by_move:
        rest.start_points = open_points(turn.rules, standing)
        rest.start_off = open_off(turn.rules, standing)
    rest.fixed.standing = 0
    hits[0] = node.hits
    rest.blots &= ~node.hits
    node.hits = 0


cdef struct LastDie:
    # for each kind of die that may be played last, after all others have entered a checker each: the board then, whether it can
    # be reached, and the sources of that die
    Node entered[TABULA_MAX_DICE]
    bint possible[TABULA_MAX_DICE]
    uint32_t sources[TABULA_MAX_DICE]
    int n                   # the plays of all dice


cdef void find_last_die(const Turn *turn, const Node *node, LastDie *last) noexcept nogil:
    """What can be played where one die more is thrown than checkers wait.

    Two ways to the same board differ by which die a checker enters by that goes on by the other: one of them is left out if
    both hit the same blots.
    """
    cdef int kind, k, first, checkers
    cdef uint32_t end
    last.n = 0
    for kind in range(turn.kinds):
        last.entered[kind] = node[0]
        last.possible[kind] = True
        last.sources[kind] = 0
        for k in range(turn.kinds):
            checkers = turn.each[k] - (k == kind)
            if enter(turn, &last.entered[kind], k, checkers) < checkers:
                last.possible[kind] = False
        if not last.possible[kind]:
            continue
        last.sources[kind] = movable(turn, &last.entered[kind], turn.dice[kind])
        for first in range(kind):
            end = <uint32_t>1 << (turn.dice[kind] + turn.dice[first]) & turn.blots
            if (
                last.sources[first] >> turn.dice[kind] & 1
                and (last.entered[first].hits | end) == (last.entered[kind].hits | end)
            ):
                last.sources[kind] &= ~(<uint32_t>1 << turn.dice[first])
        last.n += tabula_popcount(last.sources[kind])


cdef int list_last_die(const Turn *turn, const Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` where one die more is thrown than checkers wait, and the dice are not all equal."""
    cdef LastDie last
    cdef Node entered
    cdef uint32_t sources
    cdef int kind, n = 0
    find_last_die(turn, node, &last)
    dice_used[0] = turn.total
    for kind in range(turn.kinds):
        sources = last.sources[kind]
        while sources:
            plays[n] = play_by(turn, &last.entered[kind], tabula_ctz(sources), turn.dice[kind])
            sources &= sources - 1
            n += 1
    if n:
        return n
    # No die is left to play after they have entered; the smallest first, for it is the larger one that has entered a checker.
    dice_used[0] = turn.total - 1
    for kind in range(turn.kinds - 1, -1, -1):
        if last.possible[kind]:
            plays[n] = as_play(&last.entered[kind])
            n += 1
            if turn.total == 2 and turn.rules.larger_die:
                break
    if n:
        return n
    # Not all of them can enter: those that can are told by the room.
    entered = node[0]
    dice_used[0] = 0
    for kind in range(turn.kinds):
        dice_used[0] += enter(turn, &entered, kind, turn.each[kind])
    plays[0] = as_play(&entered)
    return 1


cdef int list_two_last_dice(const Turn *turn, const Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` for one waiting checker and three dice that are not all equal: it enters by each kind of die in turn.

    The plays of the other two dice are listed behind those that are there, and those that are new stay.
    """
    cdef Search search
    cdef tabula_rules any_die = turn.rules[0]
    cdef Turn rest
    cdef Node entered
    cdef tabula_play play
    cdef uint32_t hits
    cdef int kind, i, n, first, used, most = -1
    # The larger die is asked for only where no other follows.
    any_die.larger_die = False
    search.plays = plays
    search.listed = 0
    search.mask = 255
    clear(&search)
    for kind in range(turn.kinds):
        entered = node[0]
        if not enter(turn, &entered, kind, 1):
            continue
        go_on(turn, kind, 1, &rest, &entered, &hits)
        rest.rules = &any_die
        first = search.n
        n = list_free(&rest, &entered, plays + first, &used)
        if used < most or (used == most == 0 and turn.rules.larger_die):
            continue
        if used > most:
            most = used
            clear(&search)
        for i in range(first, first + n):
            play = plays[i]
            play.hi |= <uint64_t>hits << HIT_SHIFT
            keep(&search, play)
    dice_used[0] = most + 1
    if most < 0:
        plays[0] = as_play(node)
        return 1
    return search.n


cdef int list_entering_first(const Turn *turn, const Node *node, int waiting, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` where so many checkers have to enter before any other move."""
    cdef Turn rest
    cdef Node entered
    cdef uint32_t hits
    cdef int kind, i, n, checkers = 0
    if turn.kinds > 1 and waiting < turn.total:
        if waiting == turn.total - 1:
            return list_last_die(turn, node, plays, dice_used)
        return list_two_last_dice(turn, node, plays, dice_used)
    entered = node[0]
    for kind in range(turn.kinds):
        checkers += enter(turn, &entered, kind, min(turn.each[kind], waiting))
    dice_used[0] = checkers
    if checkers < waiting or checkers == turn.total:
        plays[0] = as_play(&entered)
        return 1
    go_on(turn, 0, checkers, &rest, &entered, &hits)
    n = list_free(&rest, &entered, plays, dice_used)
    dice_used[0] += checkers
    for i in range(n):
        plays[i].hi |= <uint64_t>hits << HIT_SHIFT
    return n


cdef int count_entering_first(const Turn *turn, const Node *node, int waiting, tabula_play *scratch) noexcept nogil:
    """How many plays list_entering_first would list."""
    cdef LastDie last
    cdef Turn rest
    cdef Node entered
    cdef uint32_t hits
    cdef int used
    if waiting >= turn.total:
        return 1
    if turn.kinds > 1:
        if waiting == turn.total - 1:
            find_last_die(turn, node, &last)
            if last.n:
                return last.n
        return list_entering_first(turn, node, waiting, scratch, &used)
    entered = node[0]
    if enter(turn, &entered, 0, waiting) < waiting:
        return 1
    go_on(turn, 0, waiting, &rest, &entered, &hits)
    return count_free(&rest, &entered, scratch)


# ---------------------------------------------------------------------------------------------------------------------- the door to it

cdef int list_general(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the distinct plays of a turn under any rules that `fits_general` knows."""
    turn.fixed.standing = 0
    return list_again(turn, node, plays, dice_used)


cdef int list_again(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """The same, where turn.fixed may be filled by another roll of this position."""
    cdef int waiting = waiting_first(turn, node)
    if waiting:
        return list_entering_first(turn, node, waiting, plays, dice_used)
    return list_free(turn, node, plays, dice_used)


cdef int count_general(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    """How many distinct plays a turn has."""
    turn.fixed.standing = 0
    return count_again(turn, node, scratch)


cdef int count_again(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    cdef int waiting = waiting_first(turn, node)
    if waiting:
        return count_entering_first(turn, node, waiting, scratch)
    return count_free(turn, node, scratch)


cdef int pick_general(
    Turn *turn, Node *node, tabula_stream *stream, tabula_play *plays, tabula_play *picked, int *dice_used
) noexcept nogil:
    """Makes only the play picked, where the board is steady."""
    cdef int n
    if not waiting_first(turn, node) and turn.total <= <int>TABULA_MAX_DICE and steady_roll(turn, node):
        fix(turn, node)
        return pick_fixed_gates(turn, stream, plays, picked, dice_used)
    n = list_general(turn, node, plays, dice_used)
    picked[0] = plays[stream_below(stream, n)]
    return n


cdef int64_t count_rolls_general(Turn *turn, Node *node, bint build, tabula_play *scratch) noexcept nogil:
    """The plays of all rolls of a position, counted or built."""
    cdef const tabula_rules *rules = turn.rules
    cdef uint8_t roll[TABULA_MAX_DICE]
    cdef int64_t leaves = 0
    cdef int a, b, c, used, dice = rules.dice, moves = dice * (2 if rules.doubles_twice else 1)
    cdef int waiting = waiting_first(turn, node)
    cdef bint all_steady
    turn.fixed.standing = 0
    if not build and waiting >= moves:
        # whatever can enter does
        return 6 if dice == 1 else 21 if dice == 2 else 56
    all_steady = not build and steady(turn, node, moves, 6 * moves, 6)
    if all_steady:
        fix(turn, node)
        if dice == 3:
            return count_rolls_fixed_gates(turn)
    for a in range(1, 7):
        for b in range(1, a + 1 if dice > 1 else 2):
            for c in range(1, b + 1 if dice > 2 else 2):
                roll[0] = <uint8_t>a
                roll[1] = <uint8_t>b
                roll[2] = <uint8_t>c
                take_roll(rules, roll, turn)
                if all_steady:
                    leaves += count_steady(turn)
                elif build:
                    leaves += list_again(turn, node, scratch, &used)
                else:
                    leaves += count_again(turn, node, scratch)
    return leaves
