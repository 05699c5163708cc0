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
        not rules.gates_by_move and rules.exact_bear_off and not rules.enter_first and not rules.doubles_twice
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
    # Plays are listed as they are found, or their families are kept: then nothing is made of them before somebody asks.
    const Fixed *f
    tabula_play *plays      # where the next play is put; NULL where families are kept
    int many                # the plays of families that had to make room
    int n                   # families kept
    Family family[FAMILIES]


cdef inline void add_family(Families *found, tabula_side own, int pips, uint32_t sources) noexcept nogil:
    """Adds the plays that move one more checker; there may be none."""
    cdef Family *family
    if found.plays != NULL:
        found.plays = list_family(found.plays, own, pips, sources, found.f.blots)
        return
    family = &found.family[found.n]
    family.own = own
    family.sources = sources
    family.pips = pips
    found.n += sources != 0
    if found.n == FAMILIES:
        found.many += count_families(found)
        found.n = 0


cdef inline tabula_play *list_family(
    tabula_play *play, tabula_side own, int pips, uint32_t sources, uint32_t blots
) noexcept nogil:
    """No step takes anything from the bits above the counts that hold the hits, so that adding one leaves them as they are."""
    cdef int p
    while sources:
        p = tabula_ctz(sources)
        sources &= sources - 1
        play.lo = own.lo + STEP[pips][p].lo
        play.hi = own.hi + STEP[pips][p].hi | <uint64_t>(<uint32_t>1 << (p + pips) & blots) << HIT_SHIFT
        play += 1
    return play


cdef int count_families(const Families *found) noexcept nogil:
    """The plays of the families kept."""
    cdef int i, plays = 0
    for i in range(found.n):
        plays += tabula_popcount(found.family[i].sources)
    return plays


cdef int list_fixed_gates(Turn *turn, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the distinct plays of the turn."""
    cdef Families found
    found.plays = plays
    dice_used[0] = find_families(turn, &found)
    return <int>(found.plays - plays)


cdef int count_fixed_gates(Turn *turn) noexcept nogil:
    """How many distinct plays the turn has."""
    cdef Families found
    found.plays = NULL
    find_families(turn, &found)
    return found.many + count_families(&found)


cdef int find_families(const Turn *turn, Families *found) noexcept nogil:
    """Finds the plays that use the most dice, and returns how many these are; if none can be played, the one of standing still."""
    cdef const Fixed *f = &turn.fixed
    cdef const tabula_play *start = found.plays
    cdef int i, j
    found.f = f
    found.n = found.many = 0
    if turn.total == 3:
        find_three(f, turn, found)
        if found.plays != start or found.n or found.many:
            return 3
    for i in range(turn.kinds):
        if turn.each[i] > 1:
            find_pair(f, turn.dice[i], turn.dice[i], found)
        for j in range(i + 1, turn.kinds):
            find_pair(f, turn.dice[i], turn.dice[j], found)
    if found.plays != start or found.n or found.many:
        return 2
    for i in range(turn.kinds):
        add_family(found, f.own, turn.dice[i], f.by[turn.dice[i]])
        if turn.rules.larger_die and (found.plays != start or found.n):
            break
    if found.plays != start or found.n:
        return 1
    # a move of no pips is none
    add_family(found, f.own, 0, WAITING)
    return 0


cdef inline tabula_side stepped(tabula_side own, int pips, int source, uint32_t hits) noexcept nogil:
    """A side, with the blots hit so far above its counts, after one more checker is moved and these are hit."""
    own.lo += STEP[pips][source].lo
    own.hi = own.hi + STEP[pips][source].hi | <uint64_t>hits << HIT_SHIFT
    return own


cdef void find_three(const Fixed *f, const Turn *turn, Families *found) noexcept nogil:
    """Adds the plays of three dice."""
    cdef int a = turn.dice[0], b, c
    if turn.kinds == 3:
        b = turn.dice[1]
        c = turn.dice[2]
        find_movers(f, a, b, c, found)
        find_long_short(f, a, b, c, True, True, False, found)
        find_long_short(f, a, c, b, True, False, False, found)
        find_long_short(f, b, c, a, False, False, b + c == a, found)
    elif turn.kinds == 2:
        b = turn.dice[1]
        if turn.each[1] == 2:
            b = turn.dice[0]
            a = turn.dice[1]
        c = b
        find_movers(f, a, a, b, found)
        find_long_short(f, a, a, b, a > b, a > b, a + a == b, found)
        find_long_short(f, a, b, a, False, b > a, False, found)
        b = a
    else:
        b = c = a
        find_movers(f, a, a, a, found)
        find_long_short(f, a, a, a, False, False, False, found)
    find_runners(f, a, b, c, found)


cdef void find_movers(const Fixed *f, int a, int b, int c, Families *found) noexcept nogil:
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
            add_family(found, stepped(one, b, q, at_q & f.blots), c, third)


cdef inline void find_long_short(
    const Fixed *f, int x, int y, int z, bint x_larger, bint y_larger, bint alike, Families *found
) noexcept nogil:
    """Adds the plays of one checker moved by x and y, and another by z.

    The same change can come from two choices of z, then the larger is kept; or, where x + y = z, from the two checkers changing
    places, then the short one is kept at the higher source. The flags, which a call knows beforehand, say whether x > z, y > z and
    x + y = z.
    """
    cdef int far = x + y, p
    cdef uint32_t longs = f.standing & f.free >> far & (f.land >> x | f.land >> y), short_by = f.by[z]
    cdef uint32_t calm, loud_x, loud_y, quiet, p_bit, shorts, kept, over_x, over_y, landing
    cdef tabula_side one
    if not longs or not short_by:
        return
    quiet = f.land & ~f.blots
    calm = longs & (quiet >> x | quiet >> y)
    quiet = f.land & f.blots
    loud_x = longs & quiet >> x
    loud_y = longs & quiet >> y if x != y else 0
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
        add_family(found, one, z, kept)
        if p_bit & (loud_x | loud_y):
            if loud_x & p_bit:
                kept = shorts & ~over_x
                if alike and x != y:
                    kept &= ~(p_bit << x >> y)
                add_family(found, stepped(one, 0, 0, p_bit << x), z, kept)
            if loud_y & p_bit:
                add_family(found, stepped(one, 0, 0, p_bit << y), z, shorts & ~over_y)


cdef inline uint32_t calm_runners(const Fixed *f, int a, int b, int c, uint32_t *loud) noexcept nogil:
    """The sources from which one checker can be moved by all three dice where no blot is near, and those where one may be hit."""
    cdef uint32_t sources = f.standing & f.free >> (a + b + c), land = f.land, blots = f.land & f.blots
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


cdef void find_runners(const Fixed *f, int a, int b, int c, Families *found) noexcept nogil:
    """Adds the plays of one checker moved by all three dice, one for each set of blots that some way there hits."""
    cdef int far = a + b + c, p, i, n
    cdef uint32_t loud
    cdef uint32_t hits[6]
    add_family(found, f.own, far, calm_runners(f, a, b, c, &loud))
    while loud:
        p = tabula_ctz(loud)
        loud &= loud - 1
        n = runs(f, p, a, b, c, hits)
        for i in range(n):
            add_family(found, stepped(f.own, 0, 0, hits[i]), far, <uint32_t>1 << p)


cdef void find_pair(const Fixed *f, int x, int y, Families *found) noexcept nogil:
    """Adds the plays of two dice, which may be equal: two checkers moved once, or one moved by both."""
    cdef int far = x + y, p
    cdef uint32_t first = f.by[x], second, p_bit, at_p
    cdef uint32_t quiet = f.land & ~f.blots, loud = f.land & f.blots
    while first:
        p = tabula_ctz(first)
        first &= first - 1
        p_bit = <uint32_t>1 << p
        at_p = p_bit << x
        second = f.by[y] & ~(at_p | (p_bit & f.one)) & ~((p_bit | (at_p & f.last)) >> y)
        if x == y:
            second = second >> p << p
        add_family(found, stepped(f.own, x, p, at_p & f.blots), y, second)
    first = f.standing & f.free >> far
    add_family(found, f.own, far, first & (quiet >> x | quiet >> y))
    while first:
        p = tabula_ctz(first)
        first &= first - 1
        p_bit = <uint32_t>1 << p
        if loud >> x & p_bit:
            add_family(found, stepped(f.own, 0, 0, p_bit << x), far, p_bit)
        if x != y and loud >> y & p_bit:
            add_family(found, stepped(f.own, 0, 0, p_bit << y), far, p_bit)
