# Two dice, waiting checkers first, no stack limit, no half gate, gates looked at before each move: backgammon and its kin.
#
# Included by _core.pyx. Each function is given a turn of such rules. docs/architecture.md argues why no play is missed and none
# comes twice.

cdef bint fits_bar_first(const tabula_rules *rules) noexcept nogil:
    """Whether these rules are served here.

    Without a limit and with waiting checkers first, nothing but bearing off depends on what was moved before; a home of at most 18
    points means that a checker does not enter and bear off on one roll of two different dice.
    """
    return (
        rules.dice == 2 and rules.enter_first and not rules.half_gate and rules.gates_by_move
        and rules.stack_limit >= rules.checkers and rules.home_start > 6
    )


cdef inline bint outside_at_least(const Turn *turn, const Node *node, int least) noexcept nogil:
    """Whether so many checkers, 2 or 4, are not home yet: then that many moves bear none off."""
    cdef uint32_t outside = (<uint32_t>1 << turn.rules.home_start) - 1
    if (node.planes[2] | node.planes[3]) & outside:
        return True
    return (
        tabula_popcount(node.planes[0] & outside) + 2 * tabula_popcount(node.planes[1] & outside)
    ) >= least


cdef inline uint32_t single(const Node *node) noexcept nogil:
    """The indices with exactly one own checker."""
    return node.planes[0] & ~(node.planes[1] | node.planes[2] | node.planes[3])


# ------------------------------------------------------------------------------------------------------------------ counting

cdef int count_bar_first(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    """How many distinct plays the turn has. `scratch` has room for TABULA_MAX_PLAYS."""
    cdef int used, a = turn.dice[0], b = turn.dice[1]
    cdef uint32_t standing
    if turn.kinds == 1:
        return count_equal_or_list(turn, node, a, turn.total, scratch)
    if waiting_two(node):
        return 1
    if node.planes[0] & WAITING:
        return count_entering(turn, node, a, b)
    if outside_at_least(turn, node, 2):
        standing = occupied(node)
        return count_two(
            turn, a, b, standing, single(node), standing & turn.unblocked >> a, standing & turn.unblocked >> b,
            tabula_popcount(standing & turn.unblocked >> a), tabula_popcount(standing & turn.unblocked >> b),
        )
    return list_few(turn, node, scratch, &used)


cdef int64_t count_rolls_bar_first(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    """The plays of all rolls; what a die can do is worked out once."""
    cdef uint32_t by[7]
    cdef int many[7]
    cdef uint32_t standing = occupied(node), alone = single(node)
    cdef int64_t plays = 0
    cdef int a, b, used, total = 4 if turn.rules.doubles_twice else 2
    turn.kinds = 1
    turn.total = total
    for a in range(1, 7):
        turn.dice[0] = a
        turn.each[0] = total
        plays += count_equal_or_list(turn, node, a, total, scratch)
    if waiting_two(node):
        return plays + 15
    if node.planes[0] & WAITING:
        for a in range(2, 7):
            for b in range(1, a):
                plays += count_entering(turn, node, a, b)
        return plays
    if outside_at_least(turn, node, 2):
        for a in range(1, 7):
            by[a] = standing & turn.unblocked >> a
            many[a] = tabula_popcount(by[a])
        for a in range(2, 7):
            for b in range(1, a):
                plays += count_two(turn, a, b, standing, alone, by[a], by[b], many[a], many[b])
        return plays
    turn.kinds = turn.total = 2
    turn.each[0] = turn.each[1] = 1
    for a in range(2, 7):
        for b in range(1, a):
            turn.dice[0] = a
            turn.dice[1] = b
            plays += list_few(turn, node, scratch, &used)
    return plays


cdef inline bint waiting_two(const Node *node) noexcept nogil:
    """Whether two checkers or more wait: two different dice do no more than enter them."""
    return (node.planes[1] | node.planes[2] | node.planes[3]) & WAITING != 0


cdef inline int count_equal_or_list(Turn *turn, Node *node, int d, int total, tabula_play *scratch) noexcept nogil:
    cdef int used
    if outside_at_least(turn, node, total):
        return count_equal(turn, node, d, total)
    return list_equal(turn, node, scratch, &used)


cdef inline int pairs_and_runs(
    const Turn *turn, int a, int b, uint32_t standing, uint32_t alone, uint32_t by_a, uint32_t by_b, int many_a, int many_b
) noexcept nogil:
    """The plays that use both dice, different ones, where nothing waits and nothing is borne off."""
    cdef uint32_t both = turn.unblocked >> (a + b), no_blot = ~turn.blots
    cdef int n = many_a * many_b - tabula_popcount_sum(
        alone & by_a & by_b, by_a & by_b & both & no_blot >> a & no_blot >> b
    )
    return n + tabula_popcount_sum(by_a & both & ~(standing >> a), by_b & both & ~(standing >> b))


cdef inline int count_two(
    const Turn *turn, int a, int b, uint32_t standing, uint32_t alone, uint32_t by_a, uint32_t by_b, int many_a, int many_b
) noexcept nogil:
    """Two different dice, nothing waiting, nothing borne off."""
    cdef int n = pairs_and_runs(turn, a, b, standing, alone, by_a, by_b, many_a, many_b)
    if n:
        return n
    if turn.rules.larger_die:
        n = many_a if many_a else many_b
    else:
        n = many_a + many_b
    return n if n else 1


cdef int count_entering(const Turn *turn, const Node *node, int a, int b) noexcept nogil:
    """Two different dice, one checker waiting."""
    cdef int n = 0
    cdef uint32_t standing = occupied(node) & ~<uint32_t>WAITING, free = turn.unblocked
    cdef uint32_t at_a = <uint32_t>1 << a & free, at_b = <uint32_t>1 << b & free
    if at_a:
        n += tabula_popcount((standing | at_a) & free >> b)
    if at_b:
        n += tabula_popcount((standing | at_b) & free >> a)
        if at_a and free >> (a + b) & 1 and not turn.blots & (at_a | at_b):
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


cdef int count_equal(const Turn *turn, const Node *node, int d, int left) noexcept nogil:
    """Equal dice, nothing borne off: how many multisets of sources there are, by chains of points one die apart.

    A polynomial tells how many ways there are to make 0, 1, ..., 4 moves, 12 bits a coefficient; what lies above is of no account,
    as is what lies above the moves left. Along a chain, ways[k] is the polynomial of the ways in which k checkers leave the last
    point looked at.
    """
    cdef int source, k, own, entered = 0
    cdef uint32_t standing = occupied(node), free = turn.unblocked >> d, leaving, starts
    cdef uint64_t ways[TABULA_MAX_MOVES + 1]
    cdef uint64_t product = 1
    if standing & WAITING:
        entered = side_count(&node.own, 0)
        if entered >= left or not free & WAITING:
            return 1
        left -= entered
        standing = (standing & ~<uint32_t>WAITING) | <uint32_t>1 << d
    leaving = standing & free
    if not leaving:
        return 1
    # a chain goes on to points that are empty, as long as a checker may come there and leave again
    starts = leaving << d & free & ~leaving
    while starts:
        leaving |= starts
        starts = starts << d & free & ~leaving
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


# ------------------------------------------------------------------------------------------------------------------- listing

cdef int list_bar_first(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the distinct plays of the turn."""
    if turn.kinds == 1:
        return list_equal(turn, node, plays, dice_used)
    if occupied(node) & WAITING:
        return list_entering(turn, node, plays, dice_used)
    if outside_at_least(turn, node, 2):
        return list_two(turn, node, plays, dice_used)
    return list_few(turn, node, plays, dice_used)


cdef inline void put(tabula_play *play, uint64_t lo, uint64_t hi, uint32_t hits) noexcept nogil:
    play.lo = lo
    play.hi = hi | <uint64_t>hits << HIT_SHIFT


cdef struct Reach:
    # the moves of one die from some sources, in ascending order: what each changes, the hit among it, and its source as a bit
    int n
    tabula_side change[28]
    uint32_t source[28]


cdef inline void reach_from(Reach *reach, uint32_t sources, int die, uint32_t blots) noexcept nogil:
    cdef int p, n = 0
    while sources:
        p = tabula_ctz(sources)
        reach.change[n].lo = STEP[die][p].lo
        reach.change[n].hi = STEP[die][p].hi | <uint64_t>(<uint32_t>1 << (p + die) & blots) << HIT_SHIFT
        reach.source[n] = sources & -sources
        sources &= sources - 1
        n += 1
    reach.n = n
    for p in range(n, n + 3):
        reach.source[p] = 0
        reach.change[p].lo = reach.change[p].hi = 0


cdef struct Pairs:
    # what two different dice can do where nothing waits and nothing is borne off
    uint32_t standing
    uint32_t alone
    uint32_t by_a
    uint32_t by_b
    uint32_t twice          # the sources that can run on either way to one end: the way by b first is left out
    uint64_t runs           # one checker by both dice over an empty point: by a first in the low half, by b first in the high one


cdef inline void find_pairs(const Turn *turn, const Node *node, Pairs *pairs) noexcept nogil:
    cdef int a = turn.dice[0], b = turn.dice[1]
    cdef uint32_t standing = occupied(node), free = turn.unblocked, both = free >> (a + b)
    pairs.standing = standing
    pairs.alone = single(node)
    pairs.by_a = standing & free >> a
    pairs.by_b = standing & free >> b
    pairs.twice = pairs.by_a & pairs.by_b & both & ~(turn.blots >> a) & ~(turn.blots >> b)
    pairs.runs = (
        (both & ~(standing >> a) & pairs.by_a) | <uint64_t>(both & ~(standing >> b) & pairs.by_b & ~pairs.twice) << 32
    )


cdef inline uint32_t partners_of(const Pairs *pairs, uint32_t source, int b) noexcept nogil:
    """The sources by b that go with one by a, a bit."""
    return pairs.by_b & ~((pairs.alone & source) | (pairs.twice & source >> b))


cdef inline void put_run(const Turn *turn, const Node *node, uint64_t runs, tabula_play *play) noexcept nogil:
    """The first of the runs."""
    cdef int a = turn.dice[0], b = turn.dice[1], p = tabula_ctz64(runs)
    cdef int die = b if p & 32 else a
    p &= 31
    put(
        play, node.own.lo + STEP[a + b][p].lo, node.own.hi + STEP[a + b][p].hi,
        (<uint32_t>1 << (p + die) | <uint32_t>1 << (p + a + b)) & turn.blots,
    )


cdef int list_two(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Two different dice, nothing waiting, nothing borne off."""
    cdef int a = turn.dice[0], b = turn.dice[1], p
    cdef uint32_t sources, bit
    cdef uint64_t runs
    cdef tabula_play *play = plays
    cdef Pairs pairs
    cdef Reach partners
    dice_used[0] = 2
    find_pairs(turn, node, &pairs)
    reach_from(&partners, pairs.by_b, b, turn.blots)
    sources = pairs.by_a
    while sources:
        p = tabula_ctz(sources)
        bit = sources & -sources
        sources ^= bit
        play = tabula_put_wanted(
            play, node.own.lo + STEP[a][p].lo, node.own.hi + STEP[a][p].hi, <uint64_t>(bit << a & turn.blots) << HIT_SHIFT,
            partners.change, partners.source, partners.n, partners_of(&pairs, bit, b),
        )
    runs = pairs.runs
    while runs:
        put_run(turn, node, runs, play)
        runs &= runs - 1
        play += 1
    if play != plays:
        return <int>(play - plays)
    return list_single(turn, node, pairs.by_a, pairs.by_b, plays, dice_used)


cdef int list_single(
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
            put(play, node.own.lo + STEP[die][p].lo, node.own.hi + STEP[die][p].hi, <uint32_t>1 << (p + die) & turn.blots)
            play += 1
        if turn.rules.larger_die and play != plays:
            break
    dice_used[0] = play != plays
    if play == plays:
        put(play, node.own.lo, node.own.hi, 0)
        play += 1
    return <int>(play - plays)


cdef int list_entering(const Turn *turn, const Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Two different dice, a checker waiting or more."""
    cdef int a = turn.dice[0], b = turn.dice[1], p, way
    cdef uint32_t free = turn.unblocked, standing = occupied(node) & ~<uint32_t>WAITING
    cdef uint32_t at_a = <uint32_t>1 << a & free, at_b = <uint32_t>1 << b & free, by_a, by_b
    cdef int die[2]
    cdef tabula_side entered[2]
    cdef uint32_t hits[2]
    cdef uint64_t moves
    cdef tabula_play *play = plays
    dice_used[0] = 2
    if waiting_two(node):
        if at_a and at_b:
            put(
                plays, node.own.lo + STEP[a][0].lo + STEP[b][0].lo, node.own.hi + STEP[a][0].hi + STEP[b][0].hi,
                (at_a | at_b) & turn.blots,
            )
            return 1
        return list_single(turn, node, at_a >> a, at_b >> b, plays, dice_used)
    by_b = (standing | at_a) & free >> b if at_a else 0
    by_a = (standing | at_b) & free >> a if at_b else 0
    if at_a and free >> (a + b) & 1 and not turn.blots & (at_a | at_b):
        # the checker that enters and goes on comes to the same end either way
        by_a &= ~at_b
    die[0] = b
    die[1] = a
    hits[0] = at_a & turn.blots
    hits[1] = at_b & turn.blots
    for way in range(2):
        entered[way].lo = node.own.lo + STEP[turn.dice[way]][0].lo
        entered[way].hi = node.own.hi + STEP[turn.dice[way]][0].hi
    moves = by_b | <uint64_t>by_a << 32
    while moves:
        p = tabula_ctz64(moves)
        moves &= moves - 1
        way = p >> 5
        p &= 31
        put(
            play, entered[way].lo + STEP[die[way]][p].lo, entered[way].hi + STEP[die[way]][p].hi,
            hits[way] | (<uint32_t>1 << (p + die[way]) & turn.blots),
        )
        play += 1
    if play != plays:
        return <int>(play - plays)
    return list_single(turn, node, at_a >> a, at_b >> b, plays, dice_used)


cdef int pick_bar_first(
    Turn *turn, Node *node, tabula_stream *stream, tabula_play *plays, tabula_play *picked, int *dice_used
) noexcept nogil:
    """Makes only the play picked, where two different dice are played and nothing waits or is borne off."""
    cdef int n, at, many, a = turn.dice[0], b = turn.dice[1], p, q
    cdef uint32_t sources, partners
    cdef uint64_t runs
    cdef Pairs pairs
    if turn.kinds == 2 and not occupied(node) & WAITING and outside_at_least(turn, node, 2):
        find_pairs(turn, node, &pairs)
        n = pairs_and_runs(
            turn, a, b, pairs.standing, pairs.alone, pairs.by_a, pairs.by_b,
            tabula_popcount(pairs.by_a), tabula_popcount(pairs.by_b),
        )
        if n:
            # the order is that of list_two
            dice_used[0] = 2
            at = <int>stream_below(stream, n)
            sources = pairs.by_a
            while sources:
                partners = partners_of(&pairs, sources & -sources, b)
                many = tabula_popcount(partners)
                if at < many:
                    p = tabula_ctz(sources)
                    q = nth_bit(partners, at)
                    put(
                        picked, node.own.lo + STEP[a][p].lo + STEP[b][q].lo, node.own.hi + STEP[a][p].hi + STEP[b][q].hi,
                        (<uint32_t>1 << (p + a) | <uint32_t>1 << (q + b)) & turn.blots,
                    )
                    return n
                at -= many
                sources &= sources - 1
            runs = pairs.runs
            while at:
                runs &= runs - 1
                at -= 1
            put_run(turn, node, runs, picked)
            return n
    n = list_bar_first(turn, node, plays, dice_used)
    picked[0] = plays[stream_below(stream, n)]
    return n


cdef int list_few(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Two different dice where few can move: both orders are walked, and each end is looked for among those found."""
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
                put(&play, first.own.lo + STEP[b][q].lo, first.own.hi + STEP[b][q].hi, hits)
                n = add_new(plays, n, &play)
    if n:
        return n
    sources = movable(turn, node, turn.dice[0])
    partners = movable(turn, node, turn.dice[1])
    # from where both dice bear a checker off they come to one end
    partners &= ~(sources & ~<uint32_t>0 << (TABULA_OFF - turn.dice[1]))
    return list_single(turn, node, sources, partners, plays, dice_used)


cdef inline int add_new(tabula_play *plays, int n, const tabula_play *play) noexcept nogil:
    """Adds a play to a short list unless it is there; returns how many there are now."""
    cdef int i
    for i in range(n):
        if plays[i].lo == play.lo and plays[i].hi == play.hi:
            return n
    plays[n] = play[0]
    return n + 1


cdef int list_equal(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Equal dice: multisets of sources, each of which can be played in ascending order, and no two of which end alike."""
    cdef int moves
    cdef tabula_play *end
    if outside_at_least(turn, node, turn.total):
        return list_far(turn, node, plays, dice_used)
    for moves in range(turn.total, 0, -1):
        end = list_ascending(turn, node, 0, moves, plays)
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


cdef int list_far(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Equal dice, nothing borne off.

    made[k] lists the ways to make k moves from the sources looked at so far. One more source adds to each list what a shorter list
    has, with the moves that it makes more. So many checkers as stand there can always leave; more than these must have come by the
    last source, one die below: rest[k][r] is where the ways that moved r checkers or more from that begin.
    """
    cdef int d = turn.dice[0], left = turn.total, entered = 0, come, source, own, k, m, first, odd = 0
    cdef uint32_t standing = occupied(node), free = turn.unblocked >> d, leaving, starts
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
    if standing & free & WAITING:
        entered = min(side_count(&node.own, 0), left)
        left -= entered
        put(none, none[0].lo + entered * STEP[d][0].lo, none[0].hi, <uint32_t>1 << d & turn.blots)
        standing |= <uint32_t>1 << d
    dice_used[0] = entered
    leaving = standing & free & ~<uint32_t>WAITING
    if none[0].lo & 15 or not left or not leaving:
        plays[0] = none[0]
        return 1
    # where a checker may come to that goes on from there
    starts = leaving << d & free & ~leaving
    while starts:
        leaving |= starts
        starts = starts << d & free & ~leaving
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
            lo = STEP[d][source].lo
            hi = STEP[d][source].hi
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


cdef tabula_play *list_ascending(Turn *turn, const Node *node, int least, int moves, tabula_play *play) noexcept nogil:
    """Adds every way to make so many moves, none from below index `least`; returns where the list ends."""
    cdef int d = turn.dice[0], p
    cdef uint32_t sources = movable(turn, node, d) >> least << least
    cdef Node then
    while sources:
        p = tabula_ctz(sources)
        sources &= sources - 1
        if moves == 1:
            put(
                play, node.own.lo + STEP[d][p].lo, node.own.hi + STEP[d][p].hi,
                node.hits | (<uint32_t>1 << (p + d) & turn.blots),
            )
            play += 1
        else:
            then = node[0]
            move_checker(turn, &then, p, d)
            play = list_ascending(turn, &then, p, moves - 1, play)
    return play
