# Gates fixed as the turn starts, exact bearing off, waiting checkers not bound to enter first, at most three moves: Tabula and its
# kin.
#
# Included by _core.pyx. Under such rules one mask says where a checker may land all through the turn, and moves can be made in
# some order if and only if they land there and leave no point with fewer than none or more than the limit. So plays are listed by
# what they change, which needs no order of the dice: three checkers moved once each, one moved on and another once, or one moved
# by all dice. docs/architecture.md argues why no play is missed and none comes twice.

cdef bint fits_tabula_kin(const tabula_rules *rules) noexcept nogil:
    """Whether these rules are served here.

    With gates looked at once, exact bearing off and no duty to enter first, whether a move can be made depends only on where it
    lands and on the checkers at its two ends. A limit of one goes the general way, which comes here where the board is steady.
    """
    cdef tabula_rules rest = rules[0]
    clear_what_all_serve(&rest)
    rest.dice = not 1 <= rules.dice <= TABULA_MAX_DICE
    rest.stack_limit = not 2 <= rules.stack_limit <= TABULA_MAX_CHECKERS
    rest.home_start = rules.home_start > TABULA_POINTS
    rest.direction = rules.direction > TABULA_PARALLEL
    rest.blots_block = rules.blots_block > 1
    rest.half_gate = rules.half_gate > 1
    rest.larger_die = rules.larger_die > 1
    return nothing_left(&rest)


cdef inline uint32_t exactly(const Node *node, int checkers) noexcept nogil:
    """The indices 0..24 with exactly so many own checkers."""
    return (ALL_POINTS | WAITING) & ~(
        (node.planes[0] ^ -<uint32_t>(checkers & 1))
        | (node.planes[1] ^ -<uint32_t>(checkers >> 1 & 1))
        | (node.planes[2] ^ -<uint32_t>(checkers >> 2 & 1))
        | (node.planes[3] ^ -<uint32_t>(checkers >> 3 & 1))
    )


cdef inline void fill_fixed(Turn *turn, const Node *node) noexcept nogil:
    """Fills turn.fixed, which does not depend on the roll."""
    cdef FixedBoard *f = &turn.fixed
    cdef int limit = turn.rules.stack_limit, die
    f.own = node.own
    f.standing = occupied(node)
    f.land = turn.start_points & turn.unblocked
    if turn.start_off:
        f.land |= <uint32_t>1 << <int>TABULA_OFF
    f.free = f.land & ~(exactly(node, limit) & ALL_POINTS)
    f.blots = turn.blots
    f.quiet_pauses = f.land & ~f.blots
    f.hit_pauses = f.land & f.blots
    f.single = single_checkers(node)
    f.double = exactly(node, 2)
    f.room_for_one = exactly(node, limit - 1) & ALL_POINTS
    f.room_for_two = exactly(node, limit - 2) & ALL_POINTS
    for die in range(1, 7):
        f.sources[die] = f.standing & f.free >> die


# ------------------------------------------------------------------------------------------------------------------- listing

# A group of plays: all moves but one are the same, and the last one moves a checker so many pips from one of the sources.
cdef struct PlayGroup:
    tabula_side own         # the mover so far, with the blots hit so far above its counts as a play has them
    uint32_t sources
    int pips


cdef enum:
    MOST_GROUPS = 128


cdef struct PlayGroups:
    int n
    int cleared             # the plays of groups that had to make room
    PlayGroup group[MOST_GROUPS]


ctypedef struct NoGroups:
    int unused

ctypedef NoGroups *NoGroupsPointer
ctypedef PlayGroups *PlayGroupsPointer

# The functions that find plays are compiled twice. With no groups to fill they list the plays one after another, and return where
# the list ends. With groups they make no play: the caller counts the plays of the groups, or makes one of them.
ctypedef fused GroupsOrNone:
    NoGroupsPointer
    PlayGroupsPointer


cdef inline tabula_play *add_group(
    const FixedBoard *f, tabula_side own, int pips, uint32_t sources, tabula_play *play, GroupsOrNone groups
) noexcept nogil:
    """Adds the plays that move one more checker; there may be none.

    No change takes anything from the bits above the counts that hold the hits, so that adding one leaves them as they are.
    """
    cdef int p
    if GroupsOrNone is PlayGroupsPointer:
        store_group(groups, own, pips, sources)
    else:
        while sources:
            p = tabula_ctz(sources)
            sources &= sources - 1
            play.lo = own.lo + CHANGE[pips][p].lo
            play.hi = own.hi + CHANGE[pips][p].hi | <uint64_t>(<uint32_t>1 << (p + pips) & f.blots) << HIT_SHIFT
            play += 1
    return play


cdef inline void store_group(PlayGroups *groups, tabula_side own, int pips, uint32_t sources) noexcept nogil:
    cdef PlayGroup *group = &groups.group[groups.n]
    group.own = own
    group.sources = sources
    group.pips = pips
    groups.n += sources != 0
    if groups.n == MOST_GROUPS:
        groups.cleared = count_groups(groups)
        groups.n = 0


cdef int count_groups(const PlayGroups *groups) noexcept nogil:
    """The plays of all groups, those that had to make room too."""
    cdef int i, plays = groups.cleared
    for i in range(groups.n):
        plays += tabula_popcount(groups.group[i].sources)
    return plays


cdef int list_tabula_kin(Turn *turn, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` with the distinct plays of the turn."""
    cdef tabula_play *end = plays
    dice_used[0] = find_plays(turn, &end, <NoGroupsPointer>NULL)
    return <int>(end - plays)


cdef int count_tabula_kin(Turn *turn) noexcept nogil:
    """How many distinct plays the turn has."""
    cdef PlayGroups groups
    cdef tabula_play *end = NULL
    find_plays(turn, &end, <PlayGroupsPointer>&groups)
    return count_groups(&groups)


cdef int pick_tabula_kin(
    Turn *turn, tabula_stream *stream, tabula_play *plays, tabula_play *picked, int *dice_used
) noexcept nogil:
    """Makes only the play picked, where there was room for all groups."""
    cdef PlayGroups groups
    cdef const PlayGroup *group
    cdef tabula_play *end = NULL
    cdef int n, at, n_plays, p
    dice_used[0] = find_plays(turn, &end, <PlayGroupsPointer>&groups)
    n = count_groups(&groups)
    at = <int>stream_below(stream, n)
    if groups.cleared:
        list_tabula_kin(turn, plays, dice_used)
        picked[0] = plays[at]
        return n
    group = groups.group
    n_plays = tabula_popcount(group.sources)
    while at >= n_plays:
        at -= n_plays
        group += 1
        n_plays = tabula_popcount(group.sources)
    p = nth_bit(group.sources, at)
    put(
        picked, group.own.lo + CHANGE[group.pips][p].lo, group.own.hi + CHANGE[group.pips][p].hi,
        <uint32_t>1 << (p + group.pips) & turn.blots,
    )
    return n


cdef int find_plays(const Turn *turn, tabula_play **end, GroupsOrNone groups) noexcept nogil:
    """Finds the plays that use the most dice, and returns how many dice these are; if none can be played, the play of no moves."""
    cdef const FixedBoard *f = &turn.fixed
    cdef tabula_play *start = end[0]
    cdef tabula_play *play = start
    cdef int i, j
    if GroupsOrNone is PlayGroupsPointer:
        groups.n = groups.cleared = 0
    if turn.total == 3:
        end[0] = find_three_dice(f, turn, play, groups)
        if found_any(start, end[0], groups):
            return 3
    for i in range(turn.kinds):
        if turn.each[i] > 1:
            play = find_two_dice(f, turn.dice[i], turn.dice[i], play, groups)
        for j in range(i + 1, turn.kinds):
            play = find_two_dice(f, turn.dice[i], turn.dice[j], play, groups)
    end[0] = play
    if found_any(start, play, groups):
        return 2
    for i in range(turn.kinds):
        play = add_group(f, f.own, turn.dice[i], f.sources[turn.dice[i]], play, groups)
        if turn.rules.larger_die and found_any(start, play, groups):
            break
    i = found_any(start, play, groups)
    if not i:
        # a move of no pips is none
        play = add_group(f, f.own, 0, WAITING, play, groups)
    end[0] = play
    return i


cdef inline bint found_any(const tabula_play *start, const tabula_play *play, GroupsOrNone groups) noexcept nogil:
    if GroupsOrNone is PlayGroupsPointer:
        return groups.n or groups.cleared
    else:
        return play != start


cdef inline tabula_side changed(tabula_side own, int pips, int source, uint32_t hits) noexcept nogil:
    """A side, with the blots hit so far above its counts, after one more checker is moved and hits `hits`."""
    own.lo += CHANGE[pips][source].lo
    own.hi = own.hi + CHANGE[pips][source].hi | <uint64_t>hits << HIT_SHIFT
    return own


cdef tabula_play *find_three_dice(const FixedBoard *f, const Turn *turn, tabula_play *play, GroupsOrNone groups) noexcept nogil:
    """Adds the plays of three dice."""
    cdef int a = turn.dice[0], b, c
    if turn.kinds == 3:
        b = turn.dice[1]
        c = turn.dice[2]
        play = find_three_checkers(f, a, b, c, play, groups)
        play = find_two_checkers(f, a, b, c, True, True, False, play, groups)
        play = find_two_checkers(f, a, c, b, True, False, False, play, groups)
        play = find_two_checkers(f, b, c, a, False, False, b + c == a, play, groups)
    elif turn.kinds == 2:
        b = turn.dice[1]
        if turn.each[1] == 2:
            b = turn.dice[0]
            a = turn.dice[1]
        c = b
        play = find_three_checkers(f, a, a, b, play, groups)
        play = find_two_checkers(f, a, a, b, a > b, a > b, a + a == b, play, groups)
        play = find_two_checkers(f, a, b, a, False, b > a, False, play, groups)
        b = a
    else:
        b = c = a
        play = find_three_checkers(f, a, a, a, play, groups)
        play = find_two_checkers(f, a, a, a, False, False, False, play, groups)
    return find_one_checker(f, a, b, c, play, groups)


cdef tabula_play *find_three_checkers(
    const FixedBoard *f, int a, int b, int c, tabula_play *play, GroupsOrNone groups
) noexcept nogil:
    """Adds the plays of three checkers moved once each, and none ends where another starts.

    Equal dice come next to each other, and their sources then ascend. Three different dice can move P + a, P + b and P + c to
    P + a + b, P + a + c and P + b + c in two ways; the one that moves P + b by a is left out.
    """
    cdef uint32_t first = f.sources[a], second, third, p_bit, q_bit, at_p, at_q, stays, shifted, six = 0, six_q
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
        one = changed(f.own, a, p, at_p & f.blots)
        second = f.sources[b] & ~(at_p | (p_bit & f.single)) & ~((p_bit | (at_p & f.room_for_one)) >> b)
        if a == b:
            second = second >> p << p
        six_q = (p_bit & six) >> (b - c) if six else 0
        while second:
            q = tabula_ctz(second)
            second &= second - 1
            q_bit = <uint32_t>1 << q
            at_q = q_bit << b
            stays = at_p | at_q | ((p_bit | q_bit) & f.single) | (p_bit & q_bit & f.double)
            shifted = p_bit | q_bit | ((at_p | at_q) & f.room_for_one) | (at_p & at_q & f.room_for_two)
            third = f.sources[c] & ~stays & ~(shifted >> c)
            if b == c:
                third = third >> q << q
            elif q_bit & six_q:
                third &= ~(p_bit << (a - b))
            play = add_group(f, changed(one, b, q, at_q & f.blots), c, third, play, groups)
    return play


cdef inline tabula_play *find_hit_pauses(
    const FixedBoard *f, tabula_side one, int z, uint32_t pause_x, uint32_t shorts_x, uint32_t pause_y, uint32_t shorts_y,
    tabula_play *play, GroupsOrNone groups
) noexcept nogil:
    """Adds the plays of find_two_checkers that hit on the pause after x or after y; each pause is 0 where there is no blot."""
    if pause_x:
        play = add_group(f, changed(one, 0, 0, pause_x), z, shorts_x, play, groups)
    if pause_y:
        play = add_group(f, changed(one, 0, 0, pause_y), z, shorts_y, play, groups)
    return play


cdef inline tabula_play *find_two_checkers(
    const FixedBoard *f, int x, int y, int z, bint x_larger, bint y_larger, bint alike, tabula_play *play, GroupsOrNone groups
) noexcept nogil:
    """Adds the plays of one checker moved by x and y, and another by z.

    The same change can come from two choices of z, then the larger is listed; or, where x + y = z, from the two checkers changing
    places, then the short move is listed from the higher source. The flags say whether x > z, y > z and x + y = z: constants
    in most calls.
    """
    cdef int pips = x + y, p
    cdef uint32_t longs = f.standing & f.free >> pips & (f.land >> x | f.land >> y), short_by = f.sources[z]
    cdef uint32_t no_hit, hit_x, hit_y, p_bit, shorts, listed, over_x, over_y, landing
    cdef tabula_side one
    if not longs or not short_by:
        return play
    no_hit = longs & (f.quiet_pauses >> x | f.quiet_pauses >> y)
    hit_x = longs & f.hit_pauses >> x
    hit_y = longs & f.hit_pauses >> y if x != y else 0
    while longs:
        p = tabula_ctz(longs)
        p_bit = longs & -longs
        longs ^= p_bit
        landing = p_bit << pips
        shorts = short_by & ~((p_bit & f.single) | landing) & ~((p_bit | (landing & f.room_for_one)) >> z)
        if not shorts:
            continue
        one = changed(f.own, pips, p, landing & f.blots)
        # the sources whose checker lands on the pause: what stood there is hit anyhow
        over_x = p_bit << x >> z
        over_y = p_bit << y >> z
        if p_bit & no_hit:
            listed = shorts
            if y_larger:
                listed &= ~(p_bit << x | over_y)
            if x_larger:
                listed &= ~(p_bit << y | over_x)
            if alike:
                listed &= ~(no_hit & (p_bit - 1))
        else:
            listed = 0
            if not x_larger and not alike and hit_x & p_bit:
                listed |= over_x
            if not y_larger and not alike and hit_y & p_bit:
                listed |= over_y
            listed &= shorts
        play = add_group(f, one, z, listed, play, groups)
        if p_bit & (hit_x | hit_y):
            if alike and x != y:
                over_x |= p_bit << x >> y
            play = find_hit_pauses(
                f, one, z, p_bit << x & f.hit_pauses, shorts & ~over_x, p_bit << y & hit_y << y, shorts & ~over_y, play, groups
            )
    return play


cdef inline uint32_t one_checker_sources(const FixedBoard *f, int a, int b, int c, uint32_t *hitting) noexcept nogil:
    """The sources of one checker moved by all three dice that meets no blot on a pause; `hitting` gets those that may hit one."""
    cdef uint32_t sources = f.standing & f.free >> (a + b + c), land = f.land, blots = f.hit_pauses
    cdef uint32_t one = sources & land >> a, two = sources & land >> b, three = sources & land >> c
    hitting[0] = 0
    if not one | two | three:
        return 0
    if blots:
        hitting[0] = (
            one & blots >> a | two & blots >> b | three & blots >> c
            | (one | two) & blots >> (a + b) | (one | three) & blots >> (a + c) | (two | three) & blots >> (b + c)
        )
    return ~hitting[0] & ((one | two) & land >> (a + b) | (one | three) & land >> (a + c) | (two | three) & land >> (b + c))


cdef inline int hit_sets(const FixedBoard *f, int p, int a, int b, int c, uint32_t *hits) noexcept nogil:
    """The sets of blots that one checker can hit on its pauses when it moves from p by all three dice: returns 0..6 of them."""
    cdef uint32_t one = <uint32_t>1 << (p + a), two = <uint32_t>1 << (p + b), three = <uint32_t>1 << (p + c)
    cdef uint32_t one_two = two << a, one_three = three << a, two_three = three << b
    cdef int n
    n = add_hit_set(f, one | one_two, hits, 0)
    n = add_hit_set(f, one | one_three, hits, n)
    n = add_hit_set(f, two | one_two, hits, n)
    n = add_hit_set(f, two | two_three, hits, n)
    n = add_hit_set(f, three | one_three, hits, n)
    return add_hit_set(f, three | two_three, hits, n)


cdef inline int add_hit_set(const FixedBoard *f, uint32_t pauses, uint32_t *hits, int n) noexcept nogil:
    cdef int i
    if pauses & ~f.land:
        return n
    for i in range(n):
        if hits[i] == pauses & f.blots:
            return n
    hits[n] = pauses & f.blots
    return n + 1


cdef tabula_play *find_one_checker(
    const FixedBoard *f, int a, int b, int c, tabula_play *play, GroupsOrNone groups
) noexcept nogil:
    """Adds the plays of one checker moved by all three dice, one for each set of blots that some way there hits."""
    cdef int pips = a + b + c, p, i, n
    cdef uint32_t hitting
    cdef uint32_t hits[6]
    play = add_group(f, f.own, pips, one_checker_sources(f, a, b, c, &hitting), play, groups)
    while hitting:
        p = tabula_ctz(hitting)
        hitting &= hitting - 1
        n = hit_sets(f, p, a, b, c, hits)
        for i in range(n):
            play = add_group(f, changed(f.own, 0, 0, hits[i]), pips, <uint32_t>1 << p, play, groups)
    return play


cdef tabula_play *find_two_dice(const FixedBoard *f, int x, int y, tabula_play *play, GroupsOrNone groups) noexcept nogil:
    """Adds the plays of two dice, which may be equal: two checkers moved once, or one moved by both."""
    cdef int pips = x + y, p
    cdef uint32_t first = f.sources[x], second, p_bit, at_p
    cdef uint32_t no_hit = f.quiet_pauses, hitting = f.hit_pauses
    while first:
        p = tabula_ctz(first)
        first &= first - 1
        p_bit = <uint32_t>1 << p
        at_p = p_bit << x
        second = f.sources[y] & ~(at_p | (p_bit & f.single)) & ~((p_bit | (at_p & f.room_for_one)) >> y)
        if x == y:
            second = second >> p << p
        play = add_group(f, changed(f.own, x, p, at_p & f.blots), y, second, play, groups)
    first = f.standing & f.free >> pips
    play = add_group(f, f.own, pips, first & (no_hit >> x | no_hit >> y), play, groups)
    while first:
        p = tabula_ctz(first)
        first &= first - 1
        p_bit = <uint32_t>1 << p
        if hitting >> x & p_bit:
            play = add_group(f, changed(f.own, 0, 0, p_bit << x), pips, p_bit, play, groups)
        if x != y and hitting >> y & p_bit:
            play = add_group(f, changed(f.own, 0, 0, p_bit << y), pips, p_bit, play, groups)
    return play
