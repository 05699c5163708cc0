# How many plays a turn has under the rules of tabula_kin.pxi, by counting sources rather than making plays.
#
# Included by _core.pyx. What a die or a pair of dice can do from a position is worked out once, however many rolls share it. Two
# moves clash when they cannot both be made: they leave a point with one checker, one lands where the other starts (which is
# another kind of play), or both land where there is room for one.

cdef enum:
    ALL_DICE = 0x7E         # a mask of bits 1..6


cdef struct Clash:
    # for each source of one die, how many sources of another clash with it: three bit-planes, for there are at most four
    uint32_t ones
    uint32_t twos
    uint32_t fours
    int total


cdef struct LongMove:
    # one checker moved by two dice x and y
    int x
    int y
    uint32_t any            # its sources
    uint32_t no_hit         # those with a pause that hits nothing
    uint32_t hit_x          # those with a blot on the pause after x
    uint32_t hit_y          # those with a blot on the pause after y, where it is another die


cdef struct SharedByRolls:
    const FixedBoard *f
    int n[7]                # sources of each die
    int all                 # and of all dice
    Clash clash[7][7]       # [u][v], u != v: of each source of u with those of v
    LongMove long_move[7][7]  # [x][y], x <= y
    uint8_t leave[32]       # of each index, the dice that move a checker from it, a mask of bits 1..6
    uint8_t land[32]        # and to it


# The number of dice in a mask of bits 1..6. Filled once, as the module is loaded.
cdef uint8_t DICE_IN[128]


cdef void fill_dice_in() noexcept nogil:
    cdef int mask
    for mask in range(128):
        DICE_IN[mask] = <uint8_t>tabula_popcount(mask >> 1)


fill_dice_in()


cdef inline void find_clashes(const FixedBoard *f, int u, int v, Clash *of_u, Clash *of_v) noexcept nogil:
    """The clashes of each source of u with those of v, and the other way round."""
    cdef uint32_t by_u = f.sources[u], by_v = f.sources[v]
    cdef uint32_t same = by_u & by_v & f.single, ahead = by_u & by_v >> u, behind = by_u & by_v << v
    cdef uint32_t meet = by_u & (by_v << v & f.room_for_one) >> u
    add_up(same, ahead, behind, meet, of_u)
    add_up(same, behind >> v, ahead << u, meet << u >> v, of_v)
    of_u.total = of_v.total = 0
    if same | ahead | behind | meet:
        of_u.total = of_v.total = tabula_popcount_sum(same, ahead) + tabula_popcount_sum(behind, meet)


cdef inline void add_up(uint32_t same, uint32_t ahead, uint32_t behind, uint32_t meet, Clash *clash) noexcept nogil:
    """Adds four masks bit by bit: the sum at each source, 0..4, as three bit-planes."""
    cdef uint32_t left = same ^ ahead, right = behind ^ meet, both_left = same & ahead, both_right = behind & meet
    clash.ones = left ^ right
    clash.twos = both_left ^ both_right ^ (left & right)
    clash.fours = both_left & both_right


cdef inline void find_long_move(const FixedBoard *f, int x, int y, LongMove *made) noexcept nogil:
    cdef uint32_t no_hit = f.quiet_pauses, hitting = f.hit_pauses
    cdef uint32_t sources = f.standing & f.free >> (x + y)
    made.x = x
    made.y = y
    made.any = sources & (f.land >> x | f.land >> y)
    made.no_hit = sources & (no_hit >> x | no_hit >> y)
    made.hit_x = sources & hitting >> x
    made.hit_y = sources & hitting >> y if x != y else 0


cdef void fill_shared(const Turn *turn, SharedByRolls *s) noexcept nogil:
    """Works out what each die can do alone, twice, and with each other."""
    cdef int u, v, p
    cdef uint32_t rest
    s.f = &turn.fixed
    s.all = 0
    memset(s.leave, 0, sizeof(s.leave))
    memset(s.land, 0, sizeof(s.land))
    for u in range(1, 7):
        s.n[u] = tabula_popcount(s.f.sources[u])
        s.all += s.n[u]
        rest = s.f.sources[u]
        while rest:
            p = tabula_ctz(rest)
            rest &= rest - 1
            s.leave[p] |= 1 << u
            s.land[p + u] |= 1 << u
        for v in range(u, 7):
            if u < v:
                find_clashes(s.f, u, v, &s.clash[u][v], &s.clash[v][u])
            find_long_move(s.f, u, v, &s.long_move[u][v])


# The 56 rolls of three dice as a mask, in the order of ROLLS[3]. ROLLS_BY_PAUSES[mask] has the rolls that can take one checker
# over two pauses out of a mask of distances 1..12, ROLLS_BY_PIPS[pips] those of so many pips, and ROLLS_PAUSING_AT[pips] those
# that can pause at that distance. Filled once, as the module is loaded.
cdef uint64_t ROLLS_BY_PAUSES[4096]
cdef uint64_t ROLLS_BY_PIPS[19]
cdef uint64_t ROLLS_PAUSING_AT[13]


cdef void fill_rolls_of_one_checker() noexcept nogil:
    cdef uint64_t over_both[13][13]
    cdef uint64_t roll = 1
    cdef int a, b, c, i, j, mask, n
    cdef int firsts[6]
    cdef int seconds[6]
    memset(over_both, 0, sizeof(over_both))
    for n in range(N_ROLLS[3]):
        a = ROLLS[3][n][0]
        b = ROLLS[3][n][1]
        c = ROLLS[3][n][2]
        firsts[0] = firsts[1] = a
        firsts[2] = firsts[3] = b
        firsts[4] = firsts[5] = c
        seconds[0] = seconds[2] = a + b
        seconds[1] = seconds[4] = a + c
        seconds[3] = seconds[5] = b + c
        ROLLS_BY_PIPS[a + b + c] |= roll
        for i in range(6):
            over_both[firsts[i]][seconds[i]] |= roll
            ROLLS_PAUSING_AT[firsts[i]] |= roll
            ROLLS_PAUSING_AT[seconds[i]] |= roll
        roll <<= 1
    ROLLS_BY_PAUSES[0] = 0
    for mask in range(1, 4096):
        i = tabula_ctz(mask)
        ROLLS_BY_PAUSES[mask] = ROLLS_BY_PAUSES[mask & (mask - 1)]
        for j in range(i + 1, 12):
            if mask >> j & 1:
                ROLLS_BY_PAUSES[mask] |= over_both[i + 1][j + 1]


fill_rolls_of_one_checker()


cdef uint64_t count_one_checker_all_rolls(const SharedByRolls *s, int64_t *plays) noexcept nogil:
    """Adds what count_one_checker gives for all rolls of three dice, and returns those that have any."""
    cdef const FixedBoard *f = s.f
    cdef uint32_t sources = f.standing, blots, ends
    cdef uint64_t found = 0, rolls, reached, hitting
    cdef uint32_t hits[6]
    cdef int p, i
    while sources:
        p = tabula_ctz(sources)
        sources &= sources - 1
        rolls = ROLLS_BY_PAUSES[f.land >> (p + 1) & 0xFFF]
        if not rolls:
            continue
        ends = f.free >> p & 0x7FFF8
        reached = 0
        while ends:
            reached |= ROLLS_BY_PIPS[tabula_ctz(ends)]
            ends &= ends - 1
        rolls &= reached
        found |= rolls
        blots = f.hit_pauses >> p & 0x1FFE
        hitting = 0
        while blots:
            hitting |= ROLLS_PAUSING_AT[tabula_ctz(blots)]
            blots &= blots - 1
        hitting &= rolls
        plays[0] += tabula_popcount_sum(<uint32_t>(rolls & ~hitting), <uint32_t>((rolls & ~hitting) >> 32))
        while hitting:
            i = tabula_ctz64(hitting)
            hitting &= hitting - 1
            plays[0] += hit_sets(f, p, ROLLS[3][i][0], ROLLS[3][i][1], ROLLS[3][i][2], hits)
    return found


cdef int64_t count_rolls_tabula_kin(const Turn *turn) noexcept nogil:
    """The plays of all rolls."""
    cdef SharedByRolls s
    cdef const uint8_t *roll
    cdef uint32_t shorts[7][7]
    cdef uint64_t rolls_of_one = 0
    cdef int64_t plays = 0
    cdef bint by_one_checker
    cdef int a, b, c, i, n, dice = turn.rules.dice
    fill_shared(turn, &s)
    if dice == 3:
        rolls_of_one = count_one_checker_all_rolls(&s, &plays)
    for b in range(1, 7):
        for a in range(b, 7):
            shorts[b][a] = ALL_DICE if dice == 3 else 0
    for i in range(N_ROLLS[dice]):
        roll = ROLLS[dice][i]
        if dice == 3:
            a = roll[0]
            b = roll[1]
            c = roll[2]
            n = count_three_checkers(&s, a, b, c)
            by_one_checker = rolls_of_one & 1
            rolls_of_one >>= 1
            if n or by_one_checker:
                # three dice can be played, so that all that is left to count is one checker moved twice
                plays += n
                continue
            shorts[c][b] &= ~(<uint32_t>1 << a)
            shorts[c][a] &= ~(<uint32_t>1 << b)
            shorts[b][a] &= ~(<uint32_t>1 << c)
        plays += count_roll(&s, roll, dice, turn.rules.larger_die)
    for b in range(1, 7):
        for a in range(b, 7):
            plays += count_two_checkers(&s, &s.long_move[b][a], shorts[b][a])
    return plays


cdef int count_roll(const SharedByRolls *s, const uint8_t *roll, int dice, bint larger_die) noexcept nogil:
    """The number of plays of a roll, the largest die first."""
    cdef int n = 0, i
    if dice == 3:
        n = count_three_dice(s, roll[0], roll[1], roll[2])
        if n:
            return n
        n = count_two_dice(s, roll[0], roll[1])
        if roll[1] != roll[2]:
            n += count_two_dice(s, roll[0], roll[2])
        if roll[0] != roll[1]:
            n += count_two_dice(s, roll[1], roll[2])
    elif dice == 2:
        n = count_two_dice(s, roll[0], roll[1])
    if n:
        return n
    for i in range(dice):
        if i == 0 or roll[i] != roll[i - 1]:
            n += s.n[roll[i]]
            if n and larger_die:
                return n
    return n if n else 1


cdef int count_two_dice(const SharedByRolls *s, int x, int y) noexcept nogil:
    """The plays of two dice, x >= y."""
    cdef const LongMove *both = &s.long_move[y][x]
    cdef const FixedBoard *f = s.f
    cdef int n = tabula_popcount(both.no_hit) + tabula_popcount_sum(both.hit_x, both.hit_y)
    cdef uint32_t by = f.sources[x]
    if x != y:
        return n + s.n[x] * s.n[y] - s.clash[x][y].total
    n += s.n[x] * (s.n[x] - 1) // 2
    return n + tabula_popcount(by & ~f.single & ~(f.room_for_one >> x)) - tabula_popcount(by & by >> x)


cdef inline int count_three_checkers(const SharedByRolls *s, int a, int b, int c) noexcept nogil:
    """Three checkers moved once each, a >= b >= c."""
    if a == c:
        return count_three_equal_dice(s, a)
    if a == b:
        return count_two_equal_dice_and_one(s, a, c)
    if b == c:
        return count_two_equal_dice_and_one(s, b, a)
    return count_three_different_dice(s, a, b, c)


cdef int count_three_dice(const SharedByRolls *s, int a, int b, int c) noexcept nogil:
    """The plays of three dice, a >= b >= c."""
    cdef int n = count_three_checkers(s, a, b, c) + count_one_checker(s, a, b, c)
    n += count_two_checkers(s, &s.long_move[c][b], <uint32_t>1 << a)
    if a != b:
        n += count_two_checkers(s, &s.long_move[c][a], <uint32_t>1 << b)
    if b != c:
        n += count_two_checkers(s, &s.long_move[b][a], <uint32_t>1 << c)
    return n


cdef inline uint32_t without_clash(
    const FixedBoard *f, int die, uint32_t stood, uint32_t landed
) noexcept nogil:
    """The sources of a die that clash with no move that leaves a point of `stood` for one of `landed`."""
    return f.sources[die] & ~(landed | (stood & f.single)) & ~((stood | (landed & f.room_for_one)) >> die)


cdef inline int clashing(const FixedBoard *f, int a, int b, int c, uint32_t sources, int offset) noexcept nogil:
    """For clashing moves by b and c, from q and q + offset: the number of moves by a that clash with neither."""
    cdef int n = 0
    cdef uint32_t q, r
    while sources:
        q = sources & -sources
        sources ^= q
        r = q << offset if offset >= 0 else q >> -offset
        n += tabula_popcount(without_clash(f, a, q | r, q << b | r << c))
    return n


cdef int count_three_different_dice(const SharedByRolls *s, int a, int b, int c) noexcept nogil:
    """Three checkers moved once each by different dice, a > b > c.

    The triples of sources of which the one of a clashes with neither other, less those whose other two clash, those of one
    point of two checkers, those landing where two more have room, and the second way of the six points (see find_three_checkers).
    """
    cdef const FixedBoard *f = s.f
    cdef const Clash *ab = &s.clash[a][b]
    cdef const Clash *ac = &s.clash[a][c]
    cdef uint32_t by_a = f.sources[a], by_b = f.sources[b], by_c = f.sources[c], six = 0, of_two, for_two
    cdef int n
    if not (by_a and by_b and by_c):
        return 0
    n = s.n[a] * s.n[b] * s.n[c] - s.n[c] * ab.total - s.n[b] * ac.total
    if (ab.ones | ab.twos | ab.fours) & (ac.ones | ac.twos | ac.fours):
        n += tabula_popcount(ab.ones & ac.ones)
        if ab.twos | ac.twos:
            n += 2 * tabula_popcount_sum(ab.ones & ac.twos, ab.twos & ac.ones) + 4 * tabula_popcount(ab.twos & ac.twos)
        if ab.fours | ac.fours:
            n += (
                4 * tabula_popcount_sum(ab.ones & ac.fours, ab.fours & ac.ones)
                + 8 * tabula_popcount_sum(ab.twos & ac.fours, ab.fours & ac.twos)
                + 16 * tabula_popcount(ab.fours & ac.fours)
            )
    if s.clash[b][c].total:
        n -= (
            clashing(f, a, b, c, by_b & by_c & f.single, 0)
            + clashing(f, a, b, c, by_b & by_c >> b, b)
            + clashing(f, a, b, c, by_b & by_c << c, -c)
            + clashing(f, a, b, c, by_b & (by_c << c & f.room_for_one) >> b, b - c)
        )
    if a != b + c:
        six = f.standing & f.standing >> (a - b) & f.standing << (b - c)
        if six:
            six &= f.free >> a & f.free >> c & f.free >> (a + c - b)
    of_two = by_a & by_b & by_c & f.double
    for_two = by_a << a & by_b << b & by_c << c & f.room_for_two
    if six | of_two | for_two:
        n -= tabula_popcount_sum(of_two, six) + tabula_popcount(for_two)
    return n


cdef int count_two_equal_dice_and_one(const SharedByRolls *s, int a, int b) noexcept nogil:
    """Three checkers moved once each, two of them by a and one by b.

    For each source of b, the pairs of sources of a that do not clash with it: n (n - 1) / 2 of different ones, and those that two
    checkers leave; less those of which one lands where the other starts.
    """
    cdef const FixedBoard *f = s.f
    cdef const Clash *ba = &s.clash[b][a]
    cdef uint32_t by_a = f.sources[a], rest, p
    cdef int n_a = s.n[a], n, squares
    if not (by_a and f.sources[b]):
        return 0
    # the sum over the sources of b of (n_a - d) (n_a - d - 1) / 2, where d of a's clash with it
    squares = tabula_popcount(ba.ones)
    if ba.twos | ba.fours:
        squares += 4 * tabula_popcount_sum(ba.twos, ba.ones & ba.twos) + 16 * tabula_popcount(ba.fours)
    n = (s.n[b] * n_a * (n_a - 1) - (2 * n_a - 1) * ba.total + squares) // 2
    rest = by_a & ~f.single & ~(f.room_for_one >> a)
    while rest:
        p = rest & -rest
        rest ^= p
        n += tabula_popcount(
            without_clash(f, b, p, p << a) & ~(p & f.double) & ~((p << a & f.room_for_two) >> b)
        )
    rest = by_a & by_a >> a
    while rest:
        p = rest & -rest
        rest ^= p
        n -= tabula_popcount(without_clash(f, b, p | p << a, p << a | p << 2 * a))
    return n


cdef int count_three_equal_dice(const SharedByRolls *s, int a) noexcept nogil:
    """Three checkers moved once each by equal dice: multisets of three sources, no two of them one die apart."""
    cdef const FixedBoard *f = s.f
    cdef uint32_t by = f.sources[a], twice, thrice, next_by
    cdef int n = s.n[a], m, edges
    if not by:
        return 0
    # sources that two or three checkers can leave, for targets that hold as many more
    twice = by & ~f.single & ~(f.room_for_one >> a)
    thrice = twice & ~f.double & ~(f.room_for_two >> a)
    m = n * (n - 1) * (n - 2) // 6 + (n - 1) * tabula_popcount(twice) + tabula_popcount(thrice)
    next_by = by & by >> a
    if next_by:
        edges = tabula_popcount(next_by)
        m -= edges * (n - 2) + tabula_popcount_sum(next_by & twice, next_by & twice >> a)
        m += tabula_popcount(next_by & next_by >> a)
    return m


cdef int count_two_checkers(const SharedByRolls *s, const LongMove *both, uint32_t thirds) noexcept nogil:
    """One checker moved by two dice and another by a third, for each die of a mask: the cases are those of find_two_checkers."""
    cdef const FixedBoard *f = s.f
    cdef int x = both.x, y = both.y, pips = x + y, n = 0, all_shorts = 0, base, p, z
    cdef uint32_t rest = both.any, by_pips = 0, dice, over, gone
    if not rest or not thirds:
        return 0
    if thirds == ALL_DICE:
        all_shorts = s.all
    else:
        for z in range(1, 7):
            if thirds >> z & 1:
                all_shorts += s.n[z]
    if pips <= 6 and thirds >> pips & 1:
        by_pips = f.sources[pips]
    while rest:
        p = tabula_ctz(rest)
        rest &= rest - 1
        # the dice whose short move from p itself cannot be made as well
        gone = s.leave[p] & thirds if f.single >> p & 1 else 0
        base = all_shorts - DICE_IN[s.land[p] & thirds] - DICE_IN[s.leave[p + pips] & thirds]
        if f.room_for_one >> (p + pips) & 1:
            if by_pips >> p & 1:
                gone |= <uint32_t>1 << pips
                base += 1
            base -= DICE_IN[s.land[p + pips] & thirds]
        base -= DICE_IN[gone]
        if both.no_hit >> p & 1:
            n += base
            dice = thirds & ((<uint32_t>1 << x) - 1)
            if dice:
                n -= DICE_IN[s.leave[p + y] & dice]
                n -= DICE_IN[s.land[p + x] & dice]
            dice = thirds & ((<uint32_t>1 << y) - 1)
            if dice and x != y:
                n -= DICE_IN[s.leave[p + x] & dice]
                over = s.land[p + y] & dice
                if y > x:
                    over &= ~(<uint32_t>1 << (y - x))
                n -= DICE_IN[over]
            if by_pips:
                n -= tabula_popcount(both.no_hit & ((<uint32_t>1 << p) - 1) & ~(<uint32_t>1 << p >> pips))
        else:
            # every pause is a blot: only a short move that lands there, so that it is hit anyhow
            dice = thirds & ~(<uint32_t>1 << pips)
            if both.hit_x >> p & 1:
                n += DICE_IN[s.land[p + x] & dice & ~((<uint32_t>1 << x) - 1) & ~(gone & <uint32_t>1 << x)]
            if both.hit_y >> p & 1:
                n += DICE_IN[s.land[p + y] & dice & ~((<uint32_t>1 << y) - 1) & ~(gone & <uint32_t>1 << y)]
        if both.hit_x >> p & 1:
            n += base - DICE_IN[s.land[p + x] & thirds & ~(gone & <uint32_t>1 << x)]
            if x != y:
                n -= (by_pips << y >> x >> p) & 1
        if both.hit_y >> p & 1:
            n += base - DICE_IN[s.land[p + y] & thirds & ~(gone & <uint32_t>1 << y)]
    return n


cdef int count_one_checker(const SharedByRolls *s, int a, int b, int c) noexcept nogil:
    """One checker moved by all three dice, once for each set of blots hit on the way."""
    cdef uint32_t hitting
    cdef uint32_t hits[6]
    cdef int n = tabula_popcount(one_checker_sources(s.f, a, b, c, &hitting))
    while hitting:
        n += hit_sets(s.f, tabula_ctz(hitting), a, b, c, hits)
        hitting &= hitting - 1
    return n
