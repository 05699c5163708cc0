# Two dice, waiting checkers first, no stack limit, no half gate, gates looked at before each move: listing and
# picking for backgammon and its kin.
#
# Included by _core.pyx. Each function is given a turn of such rules. docs/architecture.md argues why no play is missed and none
# comes twice.

cdef bint fits_backgammon_kin(const tabula_rules *rules) noexcept nogil:
    """Whether these rules are served here.

    Without a limit and with waiting checkers first, nothing but bearing off depends on what was moved before; a home of at most 18
    points means that a checker does not enter and bear off on one roll of two different dice.
    """
    cdef tabula_rules rest = rules[0]
    clear_what_all_serve(&rest)
    rest.dice = rules.dice != 2
    rest.enter_first = rules.enter_first != 1
    rest.gates_by_move = rules.gates_by_move != 1
    rest.stack_limit = not rules.checkers <= rules.stack_limit <= TABULA_MAX_CHECKERS
    rest.home_start = not 6 < rules.home_start <= TABULA_POINTS
    rest.doubles_twice = rules.doubles_twice > 1
    rest.direction = rules.direction > TABULA_PARALLEL
    rest.blots_block = rules.blots_block > 1
    rest.bear_off = rules.bear_off > TABULA_BEAR_OFF_REARMOST
    rest.larger_die = rules.larger_die > 1
    return nothing_left(&rest)


cdef inline bint not_home_at_least(const Turn *turn, const Node *node, int least) noexcept nogil:
    """Whether `least` checkers, 2 or 4, are not home yet: then as many moves bear none off."""
    cdef uint32_t outside = (<uint32_t>1 << turn.rules.home_start) - 1
    if (node.planes[2] | node.planes[3]) & outside:
        return True
    return (
        tabula_popcount(node.planes[0] & outside) + 2 * tabula_popcount(node.planes[1] & outside)
    ) >= least


cdef inline uint32_t single_checkers(const Node *node) noexcept nogil:
    """The indices with exactly one own checker."""
    return node.planes[0] & ~(node.planes[1] | node.planes[2] | node.planes[3])


cdef inline bint two_waiting(const Node *node) noexcept nogil:
    """Whether two checkers or more are waiting: two different dice do no more than enter them."""
    return (node.planes[1] | node.planes[2] | node.planes[3]) & WAITING != 0


cdef int list_backgammon_kin(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the distinct plays of the turn."""
    if turn.kinds == 1:
        return list_equal_dice(turn, node, plays, dice_used)
    if occupied(node) & WAITING:
        return list_two_dice_entering(turn, node, plays, dice_used)
    if not_home_at_least(turn, node, 2):
        return list_two_dice_nothing_waiting(turn, node, plays, dice_used)
    return list_two_dice_bear_off(turn, node, plays, dice_used)


cdef inline void put(tabula_play *play, uint64_t lo, uint64_t hi, uint32_t hits) noexcept nogil:
    play.lo = lo
    play.hi = hi | <uint64_t>hits << HIT_SHIFT


cdef struct DieMoves:
    # the moves of one die, their sources ascending: what each changes, with the hit above the counts, and its source as a bit
    int n
    tabula_side change[28]
    uint32_t source[28]


cdef inline void find_die_moves(DieMoves *moves, uint32_t sources, int die, uint32_t blots) noexcept nogil:
    cdef int p, n = 0
    while sources:
        p = tabula_ctz(sources)
        moves.change[n].lo = CHANGE[die][p].lo
        moves.change[n].hi = CHANGE[die][p].hi | <uint64_t>(<uint32_t>1 << (p + die) & blots) << HIT_SHIFT
        moves.source[n] = sources & -sources
        sources &= sources - 1
        n += 1
    moves.n = n
    for p in range(n, n + 3):
        moves.source[p] = 0
        moves.change[p].lo = moves.change[p].hi = 0


cdef struct TwoDiceMoves:
    # what two different dice a > b can do where nothing waits and nothing is borne off
    uint32_t standing       # indices with own checkers
    uint32_t single         # indices with exactly one
    uint32_t by_a           # sources of a
    uint32_t by_b           # sources of b
    uint32_t either_order   # sources of one checker that makes the same play by a then b and by b then a: the second is left out
    uint64_t by_both        # one checker by both dice over an empty point: by a first in the low half, by b first in the high half


cdef inline void find_two_dice_moves(const Turn *turn, const Node *node, TwoDiceMoves *two) noexcept nogil:
    cdef int a = turn.dice[0], b = turn.dice[1]
    cdef uint32_t standing = occupied(node), unblocked = turn.unblocked, both = unblocked >> (a + b)
    two.standing = standing
    two.single = single_checkers(node)
    two.by_a = standing & unblocked >> a
    two.by_b = standing & unblocked >> b
    two.either_order = two.by_a & two.by_b & both & ~(turn.blots >> a) & ~(turn.blots >> b)
    two.by_both = (
        (both & ~(standing >> a) & two.by_a) | <uint64_t>(both & ~(standing >> b) & two.by_b & ~two.either_order) << 32
    )


cdef inline uint32_t sources_beside(const TwoDiceMoves *two, uint32_t source, int b) noexcept nogil:
    """The sources by b that go with one by a, a bit."""
    return two.by_b & ~((two.single & source) | (two.either_order & source >> b))


cdef inline void put_by_both(const Turn *turn, const Node *node, uint64_t by_both, tabula_play *play) noexcept nogil:
    """Puts the play of one checker moved by both dice from the lowest source in `by_both`."""
    cdef int a = turn.dice[0], b = turn.dice[1], p = tabula_ctz64(by_both)
    cdef int die = b if p & 32 else a
    p &= 31
    put(
        play, node.own.lo + CHANGE[a + b][p].lo, node.own.hi + CHANGE[a + b][p].hi,
        (<uint32_t>1 << (p + die) | <uint32_t>1 << (p + a + b)) & turn.blots,
    )


cdef int list_two_dice_nothing_waiting(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Two different dice, nothing waiting, and nothing can be borne off."""
    cdef int a = turn.dice[0], b = turn.dice[1], p
    cdef uint32_t sources, bit
    cdef uint64_t by_both
    cdef tabula_play *play = plays
    cdef TwoDiceMoves two
    cdef DieMoves partners
    dice_used[0] = 2
    find_two_dice_moves(turn, node, &two)
    find_die_moves(&partners, two.by_b, b, turn.blots)
    sources = two.by_a
    while sources:
        p = tabula_ctz(sources)
        bit = sources & -sources
        sources ^= bit
        play = tabula_put_selected(
            play, node.own.lo + CHANGE[a][p].lo, node.own.hi + CHANGE[a][p].hi, <uint64_t>(bit << a & turn.blots) << HIT_SHIFT,
            partners.change, partners.source, partners.n, sources_beside(&two, bit, b),
        )
    by_both = two.by_both
    while by_both:
        put_by_both(turn, node, by_both, play)
        by_both &= by_both - 1
        play += 1
    if play != plays:
        return <int>(play - plays)
    return list_one_die(turn, node, two.by_a, two.by_b, plays, dice_used)


cdef int list_one_die(
    const Turn *turn, const Node *node, uint32_t by_a, uint32_t by_b, tabula_play *plays, int *dice_used
) noexcept nogil:
    """Two different dice of which one at most can be played: `by_a` and `by_b` have the sources of each."""
    cdef int order, die, p
    cdef uint32_t sources
    cdef tabula_play *play = plays
    for order in range(2):
        die = turn.dice[order]
        sources = by_b if order else by_a
        while sources:
            p = tabula_ctz(sources)
            sources &= sources - 1
            put(play, node.own.lo + CHANGE[die][p].lo, node.own.hi + CHANGE[die][p].hi, <uint32_t>1 << (p + die) & turn.blots)
            play += 1
        if turn.rules.larger_die and play != plays:
            break
    dice_used[0] = play != plays
    if play == plays:
        put(play, node.own.lo, node.own.hi, 0)
        play += 1
    return <int>(play - plays)


cdef int list_two_dice_entering(const Turn *turn, const Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Two different dice, a checker waiting or more."""
    cdef int a = turn.dice[0], b = turn.dice[1], p, first
    cdef uint32_t unblocked = turn.unblocked, standing = occupied(node) & ~<uint32_t>WAITING
    cdef uint32_t at_a = <uint32_t>1 << a & unblocked, at_b = <uint32_t>1 << b & unblocked, by_a, by_b
    cdef int other_die[2]
    cdef tabula_side entered[2]
    cdef uint32_t hits[2]
    cdef uint64_t moves
    cdef tabula_play *play = plays
    dice_used[0] = 2
    if two_waiting(node):
        if at_a and at_b:
            put(
                plays, node.own.lo + CHANGE[a][0].lo + CHANGE[b][0].lo, node.own.hi + CHANGE[a][0].hi + CHANGE[b][0].hi,
                (at_a | at_b) & turn.blots,
            )
            return 1
        return list_one_die(turn, node, at_a >> a, at_b >> b, plays, dice_used)
    by_b = (standing | at_a) & unblocked >> b if at_a else 0
    by_a = (standing | at_b) & unblocked >> a if at_b else 0
    if at_a and unblocked >> (a + b) & 1 and not turn.blots & (at_a | at_b):
        # the checker that enters and goes on ends on the same point by either die first
        by_a &= ~at_b
    # by the die that enters, turn.dice[first]: the die played after it, the side that has entered, and what it has hit
    other_die[0] = b
    other_die[1] = a
    hits[0] = at_a & turn.blots
    hits[1] = at_b & turn.blots
    for first in range(2):
        entered[first].lo = node.own.lo + CHANGE[turn.dice[first]][0].lo
        entered[first].hi = node.own.hi + CHANGE[turn.dice[first]][0].hi
    moves = by_b | <uint64_t>by_a << 32
    while moves:
        p = tabula_ctz64(moves)
        moves &= moves - 1
        first = p >> 5
        p &= 31
        put(
            play, entered[first].lo + CHANGE[other_die[first]][p].lo, entered[first].hi + CHANGE[other_die[first]][p].hi,
            hits[first] | (<uint32_t>1 << (p + other_die[first]) & turn.blots),
        )
        play += 1
    if play != plays:
        return <int>(play - plays)
    return list_one_die(turn, node, at_a >> a, at_b >> b, plays, dice_used)


cdef int pick_backgammon_kin(
    Turn *turn, Node *node, tabula_stream *stream, tabula_play *plays, tabula_play *picked, int *dice_used
) noexcept nogil:
    """Makes only the play picked, where two different dice are played and nothing is waiting or can be borne off."""
    cdef int n, at, n_partners, a = turn.dice[0], b = turn.dice[1], p, q
    cdef uint32_t sources, partners
    cdef uint64_t by_both
    cdef TwoDiceMoves two
    if turn.kinds == 2 and not occupied(node) & WAITING and not_home_at_least(turn, node, 2):
        find_two_dice_moves(turn, node, &two)
        n = count_both_dice(
            turn, a, b, two.standing, two.single, two.by_a, two.by_b,
            tabula_popcount(two.by_a), tabula_popcount(two.by_b),
        )
        if n:
            # the order is that of list_two_dice_nothing_waiting
            dice_used[0] = 2
            at = <int>stream_below(stream, n)
            sources = two.by_a
            while sources:
                partners = sources_beside(&two, sources & -sources, b)
                n_partners = tabula_popcount(partners)
                if at < n_partners:
                    p = tabula_ctz(sources)
                    q = nth_bit(partners, at)
                    put(
                        picked, node.own.lo + CHANGE[a][p].lo + CHANGE[b][q].lo, node.own.hi + CHANGE[a][p].hi + CHANGE[b][q].hi,
                        (<uint32_t>1 << (p + a) | <uint32_t>1 << (q + b)) & turn.blots,
                    )
                    return n
                at -= n_partners
                sources &= sources - 1
            by_both = two.by_both
            while at:
                by_both &= by_both - 1
                at -= 1
            put_by_both(turn, node, by_both, picked)
            return n
    n = list_backgammon_kin(turn, node, plays, dice_used)
    picked[0] = plays[stream_below(stream, n)]
    return n


cdef int list_two_dice_bear_off(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Two different dice where a checker may be borne off: both orders are walked, and each end is looked up among those found."""
    cdef Node first
    cdef uint32_t sources, partners, hits
    cdef int order, a, b, p, q, n = 0
    cdef tabula_play play
    dice_used[0] = 2
    for order in range(2):
        a = turn.dice[order]
        b = turn.dice[1 - order]
        sources = movable(turn, node, a)
        while sources:
            p = tabula_ctz(sources)
            sources &= sources - 1
            first = node[0]
            move_checker(turn, &first, p, a)
            partners = movable(turn, &first, b)
            while partners:
                q = tabula_ctz(partners)
                partners &= partners - 1
                hits = first.hits | (<uint32_t>1 << (q + b) & turn.blots)
                put(&play, first.own.lo + CHANGE[b][q].lo, first.own.hi + CHANGE[b][q].hi, hits)
                n = add_new(plays, n, &play)
    if n:
        return n
    sources = movable(turn, node, turn.dice[0])
    partners = movable(turn, node, turn.dice[1])
    # from where both dice bear a checker off they come to one end
    partners &= ~(sources & ~<uint32_t>0 << (TABULA_OFF - turn.dice[1]))
    return list_one_die(turn, node, sources, partners, plays, dice_used)


cdef inline int add_new(tabula_play *plays, int n, const tabula_play *play) noexcept nogil:
    """Adds a play to a short list unless it is there; returns the length of the list."""
    cdef int i
    for i in range(n):
        if plays[i].lo == play.lo and plays[i].hi == play.hi:
            return n
    plays[n] = play[0]
    return n + 1


cdef int list_equal_dice(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Equal dice: multisets of sources, each of which can be played in ascending order, and no two of which end alike."""
    cdef int moves
    cdef tabula_play *end
    if not_home_at_least(turn, node, turn.total):
        return list_equal_dice_no_bear_off(turn, node, plays, dice_used)
    for moves in range(turn.total, 0, -1):
        end = list_ascending_sources(turn, node, 0, moves, plays)
        if end != plays:
            dice_used[0] = moves
            return <int>(end - plays)
    dice_used[0] = 0
    put(plays, node.own.lo, node.own.hi, 0)
    return 1


cdef enum:
    # the most ways in which 15 checkers make no, one, two or three moves by equal dice, and what tabula_put_changed reads and
    # writes beyond
    NO_MOVE = 1 + 4
    ONE_MOVE = 15 + 4
    TWO_MOVES = 120 + 4
    THREE_MOVES = 680 + 4


cdef int list_equal_dice_no_bear_off(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Equal dice, and nothing can be borne off.

    made[k] lists the ways to make k moves from the sources looked at so far. The next source adds to each list the ways of a
    shorter list, each with m more moves from that source. The checkers that stand on a source can always leave it. More than
    these can leave it only if they came from the source one die below: rest[k][r] is where the ways begin that move r checkers
    or more from there.
    """
    cdef int d = turn.dice[0], left = turn.total, entered = 0, come, source, own, k, m, first, odd = 0
    cdef uint32_t standing = occupied(node), open_ahead = turn.unblocked >> d, leaving, starts
    cdef uint64_t lo, hi, hit
    cdef tabula_play none[NO_MOVE]
    cdef tabula_play one[ONE_MOVE]
    cdef tabula_play two[TWO_MOVES]
    cdef tabula_play three[THREE_MOVES]
    cdef tabula_play *made[TABULA_MAX_MOVES + 1]
    cdef int n[TABULA_MAX_MOVES + 1]
    cdef int old[TABULA_MAX_MOVES + 1]
    cdef int rest[2][TABULA_MAX_MOVES + 1][TABULA_MAX_MOVES + 1]
    put(none, node.own.lo, node.own.hi, 0)
    if standing & open_ahead & WAITING:
        entered = min(side_count(&node.own, 0), left)
        left -= entered
        put(none, none[0].lo + entered * CHANGE[d][0].lo, none[0].hi, <uint32_t>1 << d & turn.blots)
        standing |= <uint32_t>1 << d
    dice_used[0] = entered
    leaving = standing & open_ahead & ~<uint32_t>WAITING
    if none[0].lo & 15 or not left or not leaving:
        plays[0] = none[0]
        return 1
    # where a checker may come to that goes on from there
    starts = leaving << d & open_ahead & ~leaving
    while starts:
        leaving |= starts
        starts = starts << d & open_ahead & ~leaving
    made[0] = none
    made[1] = one
    made[2] = two
    made[3] = three
    made[left] = plays
    n[0] = 1
    n[1] = n[2] = n[3] = n[4] = 0
    for m in range(1, TABULA_MAX_MOVES + 1):
        rest[0][0][m] = rest[1][0][m] = 1
    starts = leaving & ~(leaving << d)
    while starts:
        source = tabula_ctz(starts)
        starts &= starts - 1
        come = 0
        while True:
            own = side_count(&node.own, source)
            if source == d:
                own += entered
            lo = CHANGE[d][source].lo
            hi = CHANGE[d][source].hi
            hit = <uint64_t>(<uint32_t>1 << (source + d) & turn.blots) << HIT_SHIFT
            memcpy(old, n, sizeof(n))
            come = min(own + come, left)
            for m in range(1, come + 1):
                for k in range(1, m):
                    rest[odd][k][m] = n[k]
                for k in range(m, left + 1):
                    rest[odd][k][m] = n[k]
                    first = 0 if m <= own else rest[1 - odd][k - m][m - own]
                    tabula_put_changed(made[k] + n[k], made[k - m] + first, old[k - m] - first, m * lo, m * hi + hit)
                    n[k] += old[k - m] - first
            source += d
            if not leaving >> source & 1:
                break
            odd = 1 - odd
    k = left
    while not n[k]:
        k -= 1
    if k < left:
        memcpy(plays, made[k], n[k] * sizeof(tabula_play))
    dice_used[0] = entered + k
    return n[k]


cdef tabula_play *list_ascending_sources(Turn *turn, const Node *node, int least, int moves, tabula_play *play) noexcept nogil:
    """Adds every way to make `moves` moves, none from below index `least`; returns where the list ends."""
    cdef int d = turn.dice[0], p
    cdef uint32_t sources = movable(turn, node, d) >> least << least
    cdef Node then
    while sources:
        p = tabula_ctz(sources)
        sources &= sources - 1
        if moves == 1:
            put(
                play, node.own.lo + CHANGE[d][p].lo, node.own.hi + CHANGE[d][p].hi,
                node.hits | (<uint32_t>1 << (p + d) & turn.blots),
            )
            play += 1
        else:
            then = node[0]
            move_checker(turn, &then, p, d)
            play = list_ascending_sources(turn, &then, p, moves - 1, play)
    return play
