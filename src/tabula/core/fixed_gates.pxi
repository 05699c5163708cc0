# Gates fixed as the turn starts, exact bearing off, waiting checkers not bound to enter first, at most three moves: Tabula and its
# kin.
#
# Included by _core.pyx. Under such rules one mask says where a checker may land all through the turn, and moves can be made in some
# order if and only if they land there and leave no point with fewer than none or more than the limit. So plays are listed by
# what they change, which needs no order of the dice: three checkers moved once each, one moved on and another once, or one moved
# by all dice. docs/architecture.md argues why no play is missed and none comes twice.

cdef bint fits_fixed_gates(const tabula_rules *rules) noexcept nogil:
    """Whether these rules are served here.

    With gates looked at once, exact bearing off and no duty to enter first, whether a move can be made depends only on where it
    lands and on the checkers at its two ends; a limit of one would let a chain of moves wait for itself.
    """
    return (
        not rules.gates_by_move and rules.bear_off == TABULA_BEAR_OFF_EXACT and not rules.enter_first and not rules.doubles_twice
        and rules.stack_limit >= 2
    )


cdef inline uint32_t exactly(const Node *node, int checkers) noexcept nogil:
    """The indices 0..24 with exactly so many own checkers."""
    return (ALL_POINTS | WAITING) & ~(
        (node.planes[0] ^ -<uint32_t>(checkers & 1))
        | (node.planes[1] ^ -<uint32_t>(checkers >> 1 & 1))
        | (node.planes[2] ^ -<uint32_t>(checkers >> 2 & 1))
        | (node.planes[3] ^ -<uint32_t>(checkers >> 3 & 1))
    )


cdef inline void fix(Turn *turn, const Node *node) noexcept nogil:
    """Fills turn.fixed; it does not depend on the roll."""
    cdef Fixed *f = &turn.fixed
    cdef int limit = turn.rules.stack_limit, die
    f.own = node.own
    f.standing = occupied(node)
    f.land = turn.start_points & turn.unblocked
    if turn.start_off:
        f.land |= <uint32_t>1 << <int>TABULA_OFF
    f.free = f.land & ~(exactly(node, limit) & ALL_POINTS)
    f.blots = turn.blots
    f.quiet = f.land & ~f.blots
    f.loud = f.land & f.blots
    f.one = single(node)
    f.two = exactly(node, 2)
    f.last = exactly(node, limit - 1) & ALL_POINTS
    f.last_two = exactly(node, limit - 2) & ALL_POINTS
    for die in range(1, 7):
        f.by[die] = f.standing & f.free >> die


# ------------------------------------------------------------------------------------------------------------------- listing

# A family of plays: they come to one side but for one more checker, which is moved so many pips from one of the sources.
cdef struct Family:
    tabula_side own         # the mover so far, with the blots hit so far above its counts as a play has them
    uint32_t sources
    int pips


cdef enum:
    FAMILIES = 128


cdef struct Families:
    int n
    int many                # the plays of families that had to make room
    Family family[FAMILIES]


ctypedef struct Nothing:
    int unused

ctypedef Nothing *NothingKept
ctypedef Families *FamiliesKept

# The functions that find plays are compiled twice: those given nothing to keep families in list the plays one after another, and
# return where the list ends; the others leave making plays to whoever wants one of them, or only their number.
ctypedef fused Store:
    NothingKept
    FamiliesKept


cdef inline tabula_play *add_family(
    const Fixed *f, tabula_side own, int pips, uint32_t sources, tabula_play *play, Store store
) noexcept nogil:
    """Adds the plays that move one more checker; there may be none.

    No step takes anything from the bits above the counts that hold the hits, so that adding one leaves them as they are.
    """
    cdef int p
    if Store is FamiliesKept:
        keep_family(store, own, pips, sources)
    else:
        while sources:
            p = tabula_ctz(sources)
            sources &= sources - 1
            play.lo = own.lo + STEP[pips][p].lo
            play.hi = own.hi + STEP[pips][p].hi | <uint64_t>(<uint32_t>1 << (p + pips) & f.blots) << HIT_SHIFT
            play += 1
    return play


cdef inline void keep_family(Families *store, tabula_side own, int pips, uint32_t sources) noexcept nogil:
    cdef Family *family = &store.family[store.n]
    family.own = own
    family.sources = sources
    family.pips = pips
    store.n += sources != 0
    if store.n == FAMILIES:
        store.many = count_families(store)
        store.n = 0


cdef int count_families(const Families *store) noexcept nogil:
    """The plays of all families, those that had to make room too."""
    cdef int i, plays = store.many
    for i in range(store.n):
        plays += tabula_popcount(store.family[i].sources)
    return plays


cdef int list_fixed_gates(Turn *turn, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the distinct plays of the turn."""
    cdef tabula_play *end = plays
    dice_used[0] = find_plays(turn, &end, <NothingKept>NULL)
    return <int>(end - plays)


cdef int count_fixed_gates(Turn *turn) noexcept nogil:
    """How many distinct plays the turn has."""
    cdef Families store
    cdef tabula_play *end = NULL
    find_plays(turn, &end, <FamiliesKept>&store)
    return count_families(&store)


cdef int pick_fixed_gates(
    Turn *turn, tabula_stream *stream, tabula_play *plays, tabula_play *picked, int *dice_used
) noexcept nogil:
    """Makes only the play picked, where all families could be kept."""
    cdef Families store
    cdef const Family *family
    cdef tabula_play *end = NULL
    cdef int n, at, many, p
    dice_used[0] = find_plays(turn, &end, <FamiliesKept>&store)
    n = count_families(&store)
    at = <int>stream_below(stream, n)
    if store.many:
        list_fixed_gates(turn, plays, dice_used)
        picked[0] = plays[at]
        return n
    family = store.family
    many = tabula_popcount(family.sources)
    while at >= many:
        at -= many
        family += 1
        many = tabula_popcount(family.sources)
    p = nth_bit(family.sources, at)
    put(
        picked, family.own.lo + STEP[family.pips][p].lo, family.own.hi + STEP[family.pips][p].hi,
        <uint32_t>1 << (p + family.pips) & turn.blots,
    )
    return n


cdef int find_plays(const Turn *turn, tabula_play **end, Store store) noexcept nogil:
    """Finds the plays that use the most dice, and returns how many these are; if none can be played, the one of standing still."""
    cdef const Fixed *f = &turn.fixed
    cdef tabula_play *start = end[0]
    cdef tabula_play *play = start
    cdef int i, j
    if Store is FamiliesKept:
        store.n = store.many = 0
    if turn.total == 3:
        end[0] = find_three(f, turn, play, store)
        if found_any(start, end[0], store):
            return 3
    for i in range(turn.kinds):
        if turn.each[i] > 1:
            play = find_pair(f, turn.dice[i], turn.dice[i], play, store)
        for j in range(i + 1, turn.kinds):
            play = find_pair(f, turn.dice[i], turn.dice[j], play, store)
    end[0] = play
    if found_any(start, play, store):
        return 2
    for i in range(turn.kinds):
        play = add_family(f, f.own, turn.dice[i], f.by[turn.dice[i]], play, store)
        if turn.rules.larger_die and found_any(start, play, store):
            break
    i = found_any(start, play, store)
    if not i:
        # a move of no pips is none
        play = add_family(f, f.own, 0, WAITING, play, store)
    end[0] = play
    return i


cdef inline bint found_any(const tabula_play *start, const tabula_play *play, Store store) noexcept nogil:
    if Store is FamiliesKept:
        return store.n or store.many
    else:
        return play != start


cdef inline tabula_side stepped(tabula_side own, int pips, int source, uint32_t hits) noexcept nogil:
    """A side, with the blots hit so far above its counts, after one more checker is moved and these are hit."""
    own.lo += STEP[pips][source].lo
    own.hi = own.hi + STEP[pips][source].hi | <uint64_t>hits << HIT_SHIFT
    return own


cdef tabula_play *find_three(const Fixed *f, const Turn *turn, tabula_play *play, Store store) noexcept nogil:
    """Adds the plays of three dice."""
    cdef int a = turn.dice[0], b, c
    if turn.kinds == 3:
        b = turn.dice[1]
        c = turn.dice[2]
        play = find_movers(f, a, b, c, play, store)
        play = find_long_short(f, a, b, c, True, True, False, play, store)
        play = find_long_short(f, a, c, b, True, False, False, play, store)
        play = find_long_short(f, b, c, a, False, False, b + c == a, play, store)
    elif turn.kinds == 2:
        b = turn.dice[1]
        if turn.each[1] == 2:
            b = turn.dice[0]
            a = turn.dice[1]
        c = b
        play = find_movers(f, a, a, b, play, store)
        play = find_long_short(f, a, a, b, a > b, a > b, a + a == b, play, store)
        play = find_long_short(f, a, b, a, False, b > a, False, play, store)
        b = a
    else:
        b = c = a
        play = find_movers(f, a, a, a, play, store)
        play = find_long_short(f, a, a, a, False, False, False, play, store)
    return find_runners(f, a, b, c, play, store)


cdef tabula_play *find_movers(const Fixed *f, int a, int b, int c, tabula_play *play, Store store) noexcept nogil:
    """Adds the plays of three checkers moved once each, none of which ends where another starts.

    Equal dice come next to each other, and their sources then ascend. Three different dice can move P + a, P + b and P + c to
    P + a + b, P + a + c and P + b + c in two ways; the one that moves P + b by a is left out.
    """
    cdef uint32_t first = f.by[a], second, third, p_bit, q_bit, at_p, at_q, stays, shifted, six = 0, six_q
    cdef tabula_side one
    cdef int p, q
    if a != b and b != c and a != b + c:
        six = (
            f.standing & f.standing >> (a - b) & f.standing << (b - c)
            & f.free >> a & f.free >> c & f.free >> (a + c - b)
        )
    while first:
        p = tabula_ctz(first)
        first &= first - 1
        p_bit = <uint32_t>1 << p
        at_p = p_bit << a
        one = stepped(f.own, a, p, at_p & f.blots)
        second = f.by[b] & ~(at_p | (p_bit & f.one)) & ~((p_bit | (at_p & f.last)) >> b)
        if a == b:
            second = second >> p << p
        six_q = (p_bit & six) >> (b - c) if six else 0
        while second:
            q = tabula_ctz(second)
            second &= second - 1
            q_bit = <uint32_t>1 << q
            at_q = q_bit << b
            stays = at_p | at_q | ((p_bit | q_bit) & f.one) | (p_bit & q_bit & f.two)
            shifted = p_bit | q_bit | ((at_p | at_q) & f.last) | (at_p & at_q & f.last_two)
            third = f.by[c] & ~stays & ~(shifted >> c)
            if b == c:
                third = third >> q << q
            elif q_bit & six_q:
                third &= ~(p_bit << (a - b))
            play = add_family(f, stepped(one, b, q, at_q & f.blots), c, third, play, store)
    return play


cdef inline tabula_play *find_loud(
    const Fixed *f, tabula_side one, int z, uint32_t pause_x, uint32_t shorts_x, uint32_t pause_y, uint32_t shorts_y,
    tabula_play *play, Store store
) noexcept nogil:
    """Adds the plays of find_long_short that hit on the pause after x or after y; a pause is none where there is nothing to hit."""
    if pause_x:
        play = add_family(f, stepped(one, 0, 0, pause_x), z, shorts_x, play, store)
    if pause_y:
        play = add_family(f, stepped(one, 0, 0, pause_y), z, shorts_y, play, store)
    return play


cdef inline tabula_play *find_long_short(
    const Fixed *f, int x, int y, int z, bint x_larger, bint y_larger, bint alike, tabula_play *play, Store store
) noexcept nogil:
    """Adds the plays of one checker moved by x and y, and another by z.

    The same change can come from two choices of z, then the larger is kept; or, where x + y = z, from the two checkers changing
    places, then the short one is kept at the higher source. The flags, which a call knows beforehand, say whether x > z, y > z and
    x + y = z.
    """
    cdef int far = x + y, p
    cdef uint32_t longs = f.standing & f.free >> far & (f.land >> x | f.land >> y), short_by = f.by[z]
    cdef uint32_t calm, loud_x, loud_y, p_bit, shorts, kept, over_x, over_y, landing
    cdef tabula_side one
    if not longs or not short_by:
        return play
    calm = longs & (f.quiet >> x | f.quiet >> y)
    loud_x = longs & f.loud >> x
    loud_y = longs & f.loud >> y if x != y else 0
    while longs:
        p = tabula_ctz(longs)
        p_bit = longs & -longs
        longs ^= p_bit
        landing = p_bit << far
        shorts = short_by & ~((p_bit & f.one) | landing) & ~((p_bit | (landing & f.last)) >> z)
        if not shorts:
            continue
        one = stepped(f.own, far, p, landing & f.blots)
        # the sources whose checker lands on the pause: what stood there is hit anyhow
        over_x = p_bit << x >> z
        over_y = p_bit << y >> z
        if p_bit & calm:
            kept = shorts
            if y_larger:
                kept &= ~(p_bit << x | over_y)
            if x_larger:
                kept &= ~(p_bit << y | over_x)
            if alike:
                kept &= ~(calm & (p_bit - 1))
        else:
            kept = 0
            if not x_larger and not alike and loud_x & p_bit:
                kept |= over_x
            if not y_larger and not alike and loud_y & p_bit:
                kept |= over_y
            kept &= shorts
        play = add_family(f, one, z, kept, play, store)
        if p_bit & (loud_x | loud_y):
            if alike and x != y:
                over_x |= p_bit << x >> y
            play = find_loud(
                f, one, z, p_bit << x & f.loud, shorts & ~over_x, p_bit << y & loud_y << y, shorts & ~over_y, play, store
            )
    return play


cdef inline uint32_t calm_runners(const Fixed *f, int a, int b, int c, uint32_t *loud) noexcept nogil:
    """The sources from which one checker can be moved by all three dice where no blot is near, and those where one may be hit."""
    cdef uint32_t sources = f.standing & f.free >> (a + b + c), land = f.land, blots = f.loud
    cdef uint32_t one = sources & land >> a, two = sources & land >> b, three = sources & land >> c
    loud[0] = 0
    if not one | two | three:
        return 0
    if blots:
        loud[0] = (
            one & blots >> a | two & blots >> b | three & blots >> c
            | (one | two) & blots >> (a + b) | (one | three) & blots >> (a + c) | (two | three) & blots >> (b + c)
        )
    return ~loud[0] & ((one | two) & land >> (a + b) | (one | three) & land >> (a + c) | (two | three) & land >> (b + c))


cdef inline int runs(const Fixed *f, int p, int a, int b, int c, uint32_t *hits) noexcept nogil:
    """The sets of blots that one checker can hit on its pauses when it moves from p by all three dice: how many, at most six."""
    cdef uint32_t one = <uint32_t>1 << (p + a), two = <uint32_t>1 << (p + b), three = <uint32_t>1 << (p + c)
    cdef uint32_t one_two = two << a, one_three = three << a, two_three = three << b
    cdef int n
    n = add_run(f, one | one_two, hits, 0)
    n = add_run(f, one | one_three, hits, n)
    n = add_run(f, two | one_two, hits, n)
    n = add_run(f, two | two_three, hits, n)
    n = add_run(f, three | one_three, hits, n)
    return add_run(f, three | two_three, hits, n)


cdef inline int add_run(const Fixed *f, uint32_t pauses, uint32_t *hits, int n) noexcept nogil:
    cdef int i
    if pauses & ~f.land:
        return n
    for i in range(n):
        if hits[i] == pauses & f.blots:
            return n
    hits[n] = pauses & f.blots
    return n + 1


cdef tabula_play *find_runners(const Fixed *f, int a, int b, int c, tabula_play *play, Store store) noexcept nogil:
    """Adds the plays of one checker moved by all three dice, one for each set of blots that some way there hits."""
    cdef int far = a + b + c, p, i, n
    cdef uint32_t loud
    cdef uint32_t hits[6]
    play = add_family(f, f.own, far, calm_runners(f, a, b, c, &loud), play, store)
    while loud:
        p = tabula_ctz(loud)
        loud &= loud - 1
        n = runs(f, p, a, b, c, hits)
        for i in range(n):
            play = add_family(f, stepped(f.own, 0, 0, hits[i]), far, <uint32_t>1 << p, play, store)
    return play


cdef tabula_play *find_pair(const Fixed *f, int x, int y, tabula_play *play, Store store) noexcept nogil:
    """Adds the plays of two dice, which may be equal: two checkers moved once, or one moved by both."""
    cdef int far = x + y, p
    cdef uint32_t first = f.by[x], second, p_bit, at_p
    cdef uint32_t quiet = f.quiet, loud = f.loud
    while first:
        p = tabula_ctz(first)
        first &= first - 1
        p_bit = <uint32_t>1 << p
        at_p = p_bit << x
        second = f.by[y] & ~(at_p | (p_bit & f.one)) & ~((p_bit | (at_p & f.last)) >> y)
        if x == y:
            second = second >> p << p
        play = add_family(f, stepped(f.own, x, p, at_p & f.blots), y, second, play, store)
    first = f.standing & f.free >> far
    play = add_family(f, f.own, far, first & (quiet >> x | quiet >> y), play, store)
    while first:
        p = tabula_ctz(first)
        first &= first - 1
        p_bit = <uint32_t>1 << p
        if loud >> x & p_bit:
            play = add_family(f, stepped(f.own, 0, 0, p_bit << x), far, p_bit, play, store)
        if x != y and loud >> y & p_bit:
            play = add_family(f, stepped(f.own, 0, 0, p_bit << y), far, p_bit, play, store)
    return play
