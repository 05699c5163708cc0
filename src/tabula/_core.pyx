"""The native generator: free functions on the plain structs of tabula.h, without the GIL and on caller-owned memory.

Nothing here checks its input, so nothing here is for Python: `tabula.Position` is. What stands where is told in
docs/architecture.md. A mask has bit i for index i of the mover's track.
"""

cimport cython
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, free, malloc
from libc.string cimport memcpy, memset

from tabula.errors import shown
from tabula.rules import HALF, LAST_SIX, MAX_CHECKERS, OFF, POINTS, TRACK, Rules


cdef extern from "_bits.h" nogil:
    enum:
        TABULA_CHECKED
    uint64_t TABULA_SIDE_HI
    void *tabula_swap(void **slot, void *block)
    int tabula_ctz(uint32_t mask)
    int tabula_ctz64(uint64_t mask)
    uint32_t tabula_reverse(uint32_t mask)
    int tabula_popcount(uint32_t mask)
    int tabula_popcount_sum(uint32_t x, uint32_t y)
    uint64_t tabula_popcount_pair(uint32_t x, uint32_t y)
    void tabula_planes(uint64_t lo, uint64_t hi, uint32_t *planes)
    int tabula_pack(const int8_t *counts, int limit, uint64_t *lo, uint64_t *hi, uint32_t *standing, uint32_t *many)
    int tabula_look(uint64_t lo, uint64_t hi, int limit, uint32_t *standing, uint32_t *many)
    void tabula_unpack_wide(uint64_t lo, uint64_t hi, int8_t *counts)
    void tabula_copy_wide(const int8_t *from_counts, int8_t *counts)
    void tabula_unpack(uint64_t lo, uint64_t hi, int8_t *counts)
    tabula_play *tabula_put_wanted(
        tabula_play *play, uint64_t lo, uint64_t hi, uint64_t hits, const tabula_side *change, const uint32_t *source,
        int n, uint32_t wanted,
    )
    void tabula_put_changed(tabula_play *play, const tabula_play *first, int n, uint64_t lo, uint64_t hi)


cdef enum:
    WAITING = 1
    ALL_POINTS = 0x1FFFFFE
    FIRST_HALF = 0x0001FFE
    LAST_SIX_POINTS = 0x1F80000
    HIT_SHIFT = 39
    TABLE = 8192

# rules.py decides what the board is; C code is compiled with numbers of its own, which must be the same.
if (
    (TABULA_POINTS, TABULA_OFF, TABULA_TRACK, TABULA_MAX_CHECKERS) != (POINTS, OFF, TRACK, MAX_CHECKERS)
    or ALL_POINTS != (2 << POINTS) - 2
    or FIRST_HALF != (1 << HALF) - 2
    or LAST_SIX_POINTS != ALL_POINTS & -(1 << LAST_SIX)
):
    raise ImportError("tabula._core was compiled for another board than tabula.rules describes")


def same_build(module, version, layout):
    """Refuses a module of the package that was compiled with another tabula.h than this one: each asks as it is imported."""
    if (version, layout) != (TABULA_ABI_VERSION, TABULA_LAYOUT):
        raise ImportError(
            f"{module} was compiled for version {version} of tabula.h and tabula._core for version {TABULA_ABI_VERSION}, or for "
            "another build of it: install tabula-movegen again, so that all its modules come from one build"
        )


# ---------------------------------------------------------------------------------------------------------------- the rules

@cython.final
cdef class CompiledRules:
    pass


cdef CompiledRules compiled(object rules):
    """The native form of a Rules; it is kept in the Rules itself, so that each is compiled once."""
    cdef CompiledRules made
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules, not {shown(rules)}")
    kept = rules.__dict__.get("_compiled")
    if kept is not None:
        return <CompiledRules?>kept
    # Fields that came past the class, by way of `__dict__`, are as unknown as any input; what follows believes them.
    rules.__post_init__()
    made = CompiledRules.__new__(CompiledRules)
    made.rules = rules
    cdef tabula_rules *c = &made.c
    cdef int8_t counts[26]
    for index, checkers in enumerate(rules.setup):
        counts[<int>index] = checkers
    memset(c, 0, sizeof(tabula_rules))
    side_from_counts(counts, &c.setup)
    c.dice = rules.dice
    c.doubles_twice = rules.doubles == "twice"
    c.opposed = rules.direction == "opposed"
    c.stack_limit = rules.limit
    c.enter_first = rules.enter_first
    c.half_gate = rules.half_gate
    c.home_start = rules.home_start
    c.gates_by_move = rules.gates == "move"
    c.exact_bear_off = rules.exact_bear_off
    c.larger_die = rules.larger_die
    c.gammons = rules.gammons
    c.checkers = rules.checkers
    c.path = path_for(c)
    # Of two threads that come here with the same rules one is first, and both go on with what that one made.
    return <CompiledRules?>rules.__dict__.setdefault("_compiled", made)


def general(rules):
    """The same rules, always served by the general way of generating: what the faster ways are held against."""
    cdef CompiledRules made
    copy = Rules.from_dict(rules.to_dict())
    made = compiled(copy)
    made.c.path = TABULA_PATH_GENERAL
    return copy


def path(rules):
    """Which way of generating serves these rules, by name: for tests and for people who measure."""
    return ("general", "bar first", "fixed gates")[compiled(rules).c.path]


# What moving a checker from an index by so many pips adds to a side: to each word on its own, never carrying from one to the
# other. Filled once, as the module is loaded.
cdef tabula_side STEP[19][32]


# ------------------------------------------------------------------------------------------------------------- sides, tracks

cdef void side_from_counts(const int8_t *counts, tabula_side *side) noexcept nogil:
    """26 counts of 0..15 into nibbles."""
    cdef int index
    side.lo = side.hi = 0
    for index in range(16):
        side.lo |= <uint64_t>(counts[index] & 15) << 4 * index
    for index in range(16, TABULA_TRACK):
        side.hi |= <uint64_t>(counts[index] & 15) << 4 * (index - 16)


cdef void side_to_counts(const tabula_side *side, int8_t *counts) noexcept nogil:
    """Nibbles into 26 counts; what stands above them in `hi` is left out."""
    tabula_unpack(side.lo, side.hi & TABULA_SIDE_HI, counts)


cdef void position_to_counts(const tabula_position *position, int8_t *counts) noexcept nogil:
    """Both sides as 2 x 26 counts; what is written beyond the first is written over by the second."""
    tabula_unpack_wide(position.mover.lo, position.mover.hi, counts)
    tabula_unpack(position.other.lo, position.other.hi & TABULA_SIDE_HI, counts + TABULA_TRACK)


cdef int pack_position(const tabula_rules *rules, const int8_t *counts, tabula_position *position) noexcept nogil:
    """2 x 26 counts as a position, and what is wrong with it: 0 nothing, 1 that a side has not the checkers that it should.

    Only after 1 is it no position that the generator can be given: every list of its plays is sized by the number of checkers.
    After 2, too many checkers stand on a point, after 3 both sides on one, after 4 both have borne all off.
    """
    cdef uint32_t mine, theirs, many, too_many
    cdef int limit = rules.stack_limit
    cdef bint all_there = tabula_pack(counts, limit, &position.mover.lo, &position.mover.hi, &mine, &many) == rules.checkers
    all_there &= tabula_pack(counts + 26, limit, &position.other.lo, &position.other.hi, &theirs, &too_many) == rules.checkers
    return wrong_with(rules, position, mine, theirs, many | too_many) if all_there else 1


cdef int wrong_position(const tabula_rules *rules, const tabula_position *position) noexcept nogil:
    """The same of a position that is words already."""
    cdef uint32_t mine, theirs, many, too_many
    cdef bint all_there = (position.mover.hi | position.other.hi) & ~TABULA_SIDE_HI == 0
    all_there &= tabula_look(position.mover.lo, position.mover.hi, rules.stack_limit, &mine, &many) == rules.checkers
    all_there &= tabula_look(position.other.lo, position.other.hi, rules.stack_limit, &theirs, &too_many) == rules.checkers
    return wrong_with(rules, position, mine, theirs, many | too_many) if all_there else 1


cdef inline int wrong_with(
    const tabula_rules *rules, const tabula_position *position, uint32_t mine, uint32_t theirs, uint32_t many
) noexcept nogil:
    """What is wrong where each side has its checkers, by where they stand; `many` has the indices with more than the limit."""
    if many & ALL_POINTS:
        return 2
    if mine & (tabula_reverse(theirs) if rules.opposed else theirs) & ALL_POINTS:
        return 3
    if side_won(rules, &position.mover) and side_won(rules, &position.other):
        return 4
    return 0


cdef int side_count(const tabula_side *side, int index) noexcept nogil:
    """The count at one index, 0..25."""
    if index < 16:
        return <int>(side.lo >> 4 * index) & 15
    return <int>(side.hi >> 4 * (index - 16)) & 15


cdef inline void side_add(tabula_side *side, int index, int64_t checkers) noexcept nogil:
    """Adds to the count at one index, which stays within 0..15."""
    if index < 16:
        side.lo += <uint64_t>checkers << 4 * index
    else:
        side.hi += <uint64_t>checkers << 4 * (index - 16)


cdef void fill_steps() noexcept nogil:
    cdef tabula_side step
    cdef int pips, source
    for pips in range(19):
        for source in range(TABULA_OFF):
            step.lo = step.hi = 0
            side_add(&step, source, -1)
            side_add(&step, min(source + pips, <int>TABULA_OFF), 1)
            STEP[pips][source] = step


fill_steps()


cdef bint side_won(const tabula_rules *rules, const tabula_side *side) noexcept nogil:
    """Whether all of a side's checkers are off."""
    return side_count(side, TABULA_OFF) == rules.checkers


cdef inline uint32_t side_standing(const tabula_side *side) noexcept nogil:
    """The indices with any checkers."""
    cdef uint32_t planes[4]
    tabula_planes(side.lo, side.hi, planes)
    return planes[0] | planes[1] | planes[2] | planes[3]


cdef int points_won(const tabula_rules *rules, const tabula_side *loser) noexcept nogil:
    """How many points the win over this side counts, 1..3."""
    cdef uint32_t last_six = LAST_SIX_POINTS
    if not rules.gammons or side_count(loser, TABULA_OFF):
        return 1
    if rules.opposed:
        last_six = tabula_reverse(last_six)
    return 3 if side_standing(loser) & (last_six | WAITING) else 2


# ---------------------------------------------------------------------------------------------------- one move: every rule

cdef struct Fixed:
    tabula_side own
    uint32_t standing       # indices 0..24 with own checkers
    uint32_t land           # where a checker may land or pause: points, and 25 when bearing off is open
    uint32_t free           # of those, where one more may stay
    uint32_t blots
    uint32_t quiet          # where a checker may pause without a hit
    uint32_t loud           # and with one
    uint32_t one            # indices with exactly one own checker
    uint32_t two            # with exactly two
    uint32_t last           # points with room for one more only
    uint32_t last_two       # points with room for two more only
    uint32_t by[7]          # sources from which this die moves a checker that then stays


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
    Fixed fixed             # only for the rules of _fixed_gates.pxi


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
    return standing & ((<uint32_t>1 << rules.home_start) - 1) == 0


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
    sources = standing & (points & turn.unblocked & not_full) >> die
    if off:
        exact = <uint32_t>1 << (TABULA_OFF - die)
        sources |= standing & exact
        if not rules.exact_bear_off and standing:
            # A checker past the exact point has none behind it only if it is the rearmost of all.
            standing &= -standing
            if standing > exact:
                sources |= standing
            standing = occupied(node)
    if rules.enter_first and standing & WAITING:
        sources &= WAITING
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
    if rules.opposed:
        one = tabula_reverse(one)
        two = tabula_reverse(two)
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
    if rules.path == TABULA_PATH_FIXED_GATES:
        fix(turn, node)


cdef inline void take_roll(const tabula_rules *rules, const uint8_t *roll, Turn *turn) noexcept nogil:
    """What a turn plays with; the largest die comes first."""
    cdef int times = 2 if rules.doubles_twice and roll[0] == roll[1] else 1
    cdef int k, kinds = 1
    turn.dice[0] = roll[0]
    turn.each[0] = times
    for k in range(1, rules.dice):
        if roll[k] == roll[k - 1]:
            turn.each[kinds - 1] += times
        else:
            turn.dice[kinds] = roll[k]
            turn.each[kinds] = times
            kinds += 1
    turn.kinds = kinds
    turn.total = rules.dice * times


cdef inline bint over(const tabula_rules *rules, const tabula_position *position) noexcept nogil:
    return side_won(rules, &position.mover) or side_won(rules, &position.other)


# ------------------------------------------------------------------------------------------------------ every play: any rules

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


cdef inline int nth_bit(uint32_t mask, int n) noexcept nogil:
    """The index of the n-th bit that is set, from 0."""
    while n:
        mask &= mask - 1
        n -= 1
    return tabula_ctz(mask)


include "_checked.pxi"
include "_bar_first.pxi"
include "_fixed_gates.pxi"
include "_fixed_gates_count.pxi"


# ------------------------------------------------------------------------------------------------------------------- scratch

# One block that calls borrow in turn; a call that finds it taken makes its own, and the last one given back is kept.
cdef void *SPARE = NULL


cdef tabula_play *borrow() noexcept nogil:
    """Room for TABULA_MAX_PLAYS plays, or NULL if there is no memory; to be given back."""
    cdef void *block = tabula_swap(&SPARE, NULL)
    if block == NULL:
        block = malloc(TABULA_MAX_PLAYS * sizeof(tabula_play))
    return <tabula_play *>block


cdef void give_back(tabula_play *plays) noexcept nogil:
    free(tabula_swap(&SPARE, plays))


# ------------------------------------------------------------------------------------------------------------------ the door

cdef int path_for(const tabula_rules *rules) noexcept nogil:
    """Which way of generating serves these rules."""
    if fits_bar_first(rules):
        return TABULA_PATH_BAR_FIRST
    if fits_fixed_gates(rules):
        return TABULA_PATH_FIXED_GATES
    return TABULA_PATH_GENERAL


cdef int list_turn(Turn *turn, Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    if turn.rules.path == TABULA_PATH_BAR_FIRST:
        return list_bar_first(turn, node, plays, dice_used)
    if turn.rules.path == TABULA_PATH_FIXED_GATES:
        return list_fixed_gates(turn, plays, dice_used)
    return list_any(turn, node, plays, dice_used)


cdef int count_turn(Turn *turn, Node *node, tabula_play *scratch) noexcept nogil:
    cdef int used
    if turn.rules.path == TABULA_PATH_BAR_FIRST:
        return count_bar_first(turn, node, scratch)
    if turn.rules.path == TABULA_PATH_FIXED_GATES:
        return count_fixed_gates(turn)
    return list_any(turn, node, scratch, &used)


cdef int generate(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_play *plays, int *dice_used
) noexcept nogil:
    """Fills `plays`, which has room for TABULA_MAX_PLAYS, with the distinct plays of a roll (dice in descending order).

    Returns their number: 0 exactly when the game is over.
    """
    cdef Turn turn
    cdef Node node
    cdef int n
    dice_used[0] = 0
    if over(rules, position):
        return 0
    open_turn(rules, position, &turn, &node)
    take_roll(rules, roll, &turn)
    if TABULA_CHECKED:
        check_position(rules, position, True)
        n = list_turn(&turn, &node, plays, dice_used)
        check_plays(rules, position, plays, n, dice_used[0])
        return n
    return list_turn(&turn, &node, plays, dice_used)


cdef int count(const tabula_rules *rules, const tabula_position *position, const uint8_t *roll) noexcept nogil:
    """How many plays `generate` would list; -1 if there is no memory."""
    cdef Turn turn
    cdef Node node
    cdef int n
    cdef tabula_play *scratch
    if over(rules, position):
        return 0
    scratch = borrow()
    if scratch == NULL:
        return -1
    open_turn(rules, position, &turn, &node)
    take_roll(rules, roll, &turn)
    n = count_turn(&turn, &node, scratch)
    if TABULA_CHECKED:
        check_count(&turn, &node, position, scratch, n)
    give_back(scratch)
    return n


cdef int pick(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_stream *stream, tabula_play *scratch,
    tabula_play *picked, int *dice_used
) noexcept nogil:
    """One play of a roll, each distinct one as likely as another: what `generate` lists at a place drawn from `stream`.

    Returns how many there are to pick from: 0 exactly when the game is over, then nothing is drawn. `scratch` has room for
    TABULA_MAX_PLAYS.
    """
    cdef Turn turn
    cdef Node node
    cdef int n
    dice_used[0] = 0
    if over(rules, position):
        return 0
    open_turn(rules, position, &turn, &node)
    take_roll(rules, roll, &turn)
    if rules.path == TABULA_PATH_BAR_FIRST:
        n = pick_bar_first(&turn, &node, stream, scratch, picked, dice_used)
    elif rules.path == TABULA_PATH_FIXED_GATES:
        n = pick_fixed_gates(&turn, stream, scratch, picked, dice_used)
    else:
        n = list_any(&turn, &node, scratch, dice_used)
        picked[0] = scratch[stream_below(stream, n)]
    if TABULA_CHECKED:
        check_plays(rules, position, picked, 1, dice_used[0])
        check_picked(&turn, &node, position, scratch, picked, n, dice_used[0])
    return n


cdef void apply(
    const tabula_rules *rules, const tabula_position *position, const tabula_play *play, tabula_position *after
) noexcept nogil:
    """The position after a play, not turned round: `mover` is the side that has played. `after` may be `position` itself."""
    cdef uint32_t hits = <uint32_t>(play.hi >> HIT_SHIFT) & ALL_POINTS
    cdef int point
    after.other = position.other
    after.mover.lo = play.lo
    after.mover.hi = play.hi & TABULA_SIDE_HI
    while hits:
        point = tabula_ctz(hits)
        hits &= hits - 1
        side_add(&after.other, TABULA_OFF - point if rules.opposed else point, -1)
        side_add(&after.other, 0, 1)


cdef void hand_over(tabula_position *position) noexcept nogil:
    """Turns a position round: the other side is to move."""
    cdef tabula_side side = position.mover
    position.mover = position.other
    position.other = side


cdef void unpack_plays(
    const tabula_rules *rules, const tabula_position *position, const tabula_play *plays, int64_t n, int64_t stride, int8_t *counts
) noexcept nogil:
    """The positions after n plays, each `stride` after the one before, turned round: 2 x 26 counts each."""
    cdef tabula_position after
    cdef int8_t untouched[32]
    if n <= 0:
        return
    tabula_unpack_wide(position.other.lo, position.other.hi, untouched)
    # what is written beyond a side is written over by the next; only the last must keep to its bytes
    while n > 1:
        n -= 1
        if plays.hi >> HIT_SHIFT:
            apply(rules, position, plays, &after)
            tabula_unpack_wide(after.other.lo, after.other.hi, counts)
        else:
            tabula_copy_wide(untouched, counts)
        tabula_unpack_wide(plays.lo, plays.hi & TABULA_SIDE_HI, counts + 26)
        counts += 52
        plays += stride
    apply(rules, position, plays, &after)
    tabula_unpack(after.other.lo, after.other.hi, counts)
    tabula_unpack(after.mover.lo, after.mover.hi, counts + 26)


# --------------------------------------------------------------------------------------------------- one play, move by move

cdef int moves_of(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *play, tabula_move *moves
) noexcept nogil:
    """The moves shown for a play: of the sets of moves that end there the smallest when sorted, in its smallest order.

    Fills at most TABULA_MAX_MOVES and returns how many, or -1 if the play is none of this position and roll.
    """
    cdef Search search
    cdef Node node, before
    cdef uint64_t line
    cdef int i
    open_turn(rules, position, &search.turn, &node)
    take_roll(rules, roll, &search.turn)
    before = node
    search.plays = NULL
    search.wanted = play
    search.listed = 0
    search_all(&search, &node)
    if search.line == ~<uint64_t>0:
        return -1
    line = search.line
    node = before
    for i in range(search.most):
        before = node
        moves[i].source = <uint8_t>(line >> 16 * (search.most - 1 - i) >> 3 & 31)
        moves[i].die = <uint8_t>(line >> 16 * (search.most - 1 - i) & 7)
        moves[i].target = <uint8_t>min(moves[i].source + moves[i].die, <int>TABULA_OFF)
        move_checker(&search.turn, &node, moves[i].source, moves[i].die)
        moves[i].hit = node.hits != before.hits
    return search.most


cdef void moves_of_all(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *plays, int n,
    uint64_t *sorted_lines, uint64_t *lines
) noexcept nogil:
    """What moves_of finds for each play of a roll, in one walk: lines[i] has its moves, (source << 3 | die) in 16 bits each.

    The first move is in the highest of as many such fields as the plays have moves. Both arrays have room for n.
    """
    cdef Search search
    cdef Node node
    open_turn(rules, position, &search.turn, &node)
    take_roll(rules, roll, &search.turn)
    search.plays = <tabula_play *>plays
    search.wanted = NULL
    search.lines = lines
    search.sorted_lines = sorted_lines
    search.listed = n
    search_all(&search, &node)


cdef int longest(const Turn *turn, const Node *node, int *left, int total) noexcept nogil:
    """The most dice, of the `total` left, that can still be played."""
    cdef Node next_node
    cdef uint32_t sources
    cdef int kind, best = 0, found
    for kind in range(turn.kinds):
        if not left[kind]:
            continue
        sources = movable(turn, node, turn.dice[kind])
        left[kind] -= 1
        while sources and best < total:
            next_node = node[0]
            move_checker(turn, &next_node, tabula_ctz(sources), turn.dice[kind])
            sources &= sources - 1
            found = 1 + longest(turn, &next_node, left, total - 1)
            if found > best:
                best = found
        left[kind] += 1
        if best == total:
            break
    return best


cdef int follow(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const uint8_t *steps, int made,
    tabula_play *reached, uint32_t *next_sources
) noexcept nogil:
    """Makes the first `made` moves of a turn, source and die each, and tells how it can go on within a legal play.

    Returns the number of dice that a legal play uses, and fills `reached` with what the moves come to and `next_sources`, seven
    masks, with the sources of each die that can come next. Returns -1 if no legal play starts like that.
    """
    cdef Turn turn
    cdef Node node, next_node
    cdef int left[TABULA_MAX_DICE]
    cdef int i, kind, die, most, largest = 0
    cdef uint32_t sources, bit
    memset(next_sources, 0, 7 * sizeof(uint32_t))
    open_turn(rules, position, &turn, &node)
    take_roll(rules, roll, &turn)
    for kind in range(turn.kinds):
        left[kind] = turn.each[kind]
    most = longest(&turn, &node, left, turn.total)
    if rules.larger_die and most == 1:
        for kind in range(turn.kinds):
            if turn.dice[kind] > largest and movable(&turn, &node, turn.dice[kind]):
                largest = turn.dice[kind]
    for i in range(made):
        die = steps[2 * i + 1]
        for kind in range(turn.kinds):
            if turn.dice[kind] == die and left[kind]:
                break
        else:
            return -1
        if die < largest or not movable(&turn, &node, die) >> steps[2 * i] & 1:
            return -1
        move_checker(&turn, &node, steps[2 * i], die)
        left[kind] -= 1
    reached[0] = as_play(&node)
    if made + longest(&turn, &node, left, turn.total - made) != most:
        return -1
    if made == most:
        return most
    for kind in range(turn.kinds):
        die = turn.dice[kind]
        if not left[kind] or die < largest:
            continue
        left[kind] -= 1
        sources = movable(&turn, &node, die)
        while sources:
            bit = sources & -sources
            sources ^= bit
            next_node = node
            move_checker(&turn, &next_node, tabula_ctz(bit), die)
            if made + 1 + longest(&turn, &next_node, left, turn.total - made - 1) == most:
                next_sources[die] |= bit
        left[kind] += 1
    return most


# --------------------------------------------------------------------------------------------------------------------- perft

cdef int64_t count_rolls(
    const tabula_rules *rules, const tabula_position *position, bint build, tabula_play *scratch
) noexcept nogil:
    """The plays of all rolls of one position, each distinct roll once; the work that does not depend on the roll is done once."""
    cdef Turn turn
    cdef Node node
    cdef uint8_t roll[TABULA_MAX_DICE]
    cdef int64_t leaves = 0
    cdef int a, b, c, used
    if over(rules, position):
        return 0
    open_turn(rules, position, &turn, &node)
    if rules.path == TABULA_PATH_FIXED_GATES and not build:
        return count_rolls_fixed_gates(&turn)
    if rules.path == TABULA_PATH_BAR_FIRST and not build:
        return count_rolls_bar_first(&turn, &node, scratch)
    for a in range(1, 7):
        for b in range(1, a + 1 if rules.dice > 1 else 2):
            for c in range(1, b + 1 if rules.dice > 2 else 2):
                roll[0] = <uint8_t>a
                roll[1] = <uint8_t>b
                roll[2] = <uint8_t>c
                take_roll(rules, roll, &turn)
                if build:
                    leaves += list_turn(&turn, &node, scratch, &used)
                else:
                    leaves += count_turn(&turn, &node, scratch)
    return leaves


cdef int64_t perft(const tabula_rules *rules, const tabula_position *position, int depth, bint build) noexcept nogil:
    """Leaves `depth` plies on, or -1 if there is no memory; the last ply is counted, or built where `build` says so."""
    cdef tabula_play *scratch
    cdef int64_t leaves
    if depth == 0:
        return 1
    scratch = borrow()
    if scratch == NULL:
        return -1
    leaves = perft_below(rules, position, depth, build, scratch)
    give_back(scratch)
    return leaves


cdef int64_t perft_below(
    const tabula_rules *rules, const tabula_position *position, int depth, bint build, tabula_play *scratch
) noexcept nogil:
    """The same for one ply or more; the last ply works in `scratch`, which all of them share."""
    cdef tabula_play *plays
    cdef tabula_position after
    cdef uint8_t roll[TABULA_MAX_DICE]
    cdef int64_t leaves = 0, below
    cdef int a, b, c, i, n, used
    if depth == 1:
        return count_rolls(rules, position, build, scratch)
    plays = borrow()
    if plays == NULL:
        return -1
    for a in range(1, 7):
        for b in range(1, a + 1 if rules.dice > 1 else 2):
            for c in range(1, b + 1 if rules.dice > 2 else 2):
                roll[0] = <uint8_t>a
                roll[1] = <uint8_t>b
                roll[2] = <uint8_t>c
                n = generate(rules, position, roll, plays, &used)
                for i in range(n):
                    apply(rules, position, &plays[i], &after)
                    hand_over(&after)
                    below = perft_below(rules, &after, depth - 1, build, scratch)
                    if below < 0:
                        give_back(plays)
                        return -1
                    leaves += below
    give_back(plays)
    return leaves


# ------------------------------------------------------------------------------------------------------------ random numbers

cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    """The finalizer of splitmix64 (Steele, Lea and Flood, 2014): every bit of x changes half of the bits."""
    x = (x ^ x >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ x >> 27) * <uint64_t>0x94D049BB133111EB
    return x ^ x >> 31


cdef tabula_stream stream_seed(uint64_t seed, uint64_t game) noexcept nogil:
    """The stream of one game of a seed. The game's number is mixed before it meets the seed, so that streams do not overlap."""
    cdef tabula_stream stream
    stream.key = mixed(seed + <uint64_t>0x9E3779B97F4A7C15) ^ mixed(mixed(game + <uint64_t>0xD1B54A32D192ED03) + seed)
    stream.counter = 0
    return stream


cdef uint64_t stream_next(tabula_stream *stream) noexcept nogil:
    """64 random bits."""
    stream.counter += 1
    return mixed(mixed(stream.key + stream.counter * <uint64_t>0x9E3779B97F4A7C15) ^ stream.key)


cdef uint32_t stream_below(tabula_stream *stream, uint32_t limit) noexcept nogil:
    """A number of 0..limit - 1, each as likely as another (Lemire, 2019); the limit is 1 or more."""
    cdef uint64_t product = (stream_next(stream) >> 32) * limit
    cdef uint32_t low = <uint32_t>product, threshold
    if low < limit:
        threshold = (0 - limit) % limit
        while low < threshold:
            product = (stream_next(stream) >> 32) * limit
            low = <uint32_t>product
    return <uint32_t>(product >> 32)


# The dice of each of the 216 throws of three dice, the largest first; of the same throws with one die or two, the others are not
# thrown. Filled once, as the module is loaded.
cdef uint8_t THROWN[TABULA_MAX_DICE + 1][216][TABULA_MAX_DICE]


cdef void fill_thrown() noexcept nogil:
    cdef int dice, throw, faces, i, j
    cdef uint8_t die
    for dice in range(1, <int>TABULA_MAX_DICE + 1):
        for throw in range(216):
            faces = throw
            for i in range(dice):
                die = <uint8_t>(1 + faces % 6)
                faces //= 6
                j = i
                while j and THROWN[dice][throw][j - 1] < die:
                    THROWN[dice][throw][j] = THROWN[dice][throw][j - 1]
                    j -= 1
                THROWN[dice][throw][j] = die


fill_thrown()


cdef void stream_roll(tabula_stream *stream, int dice, uint8_t *roll) noexcept nogil:
    """Throws 1..3 dice, the largest first, into room for three."""
    memcpy(roll, THROWN[dice][stream_below(stream, 216)], TABULA_MAX_DICE)
