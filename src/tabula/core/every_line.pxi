# The search through every line of moves of a turn, under any rules: it knows nothing but `movable`.
#
# Included by _core.pyx. It finds the moves printed for a play, and lists the plays of rules that no other way serves.

cdef struct Search:
    Turn turn
    int left[TABULA_MAX_DICE]       # how many of each kind of die are still to be played
    int most                        # dice played in the plays stored
    int die                         # where larger_die decides: the die of the plays stored
    uint16_t path[TABULA_MAX_MOVES]  # source << 3 | die of each move made
    # when listing: the distinct plays, and where each stands in them by its hash
    tabula_play *plays
    int n
    uint32_t mask
    uint16_t table[TABLE]
    # when looking for the moves of one play: that play, and the smallest line to it
    const tabula_play *requested
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
    """Empties the list: its plays use fewer dice, or a smaller only die, than one just found."""
    cdef int i
    if search.listed:
        for i in range(search.listed):
            search.sorted_lines[i] = search.lines[i] = ~<uint64_t>0
        return
    search.n = 0
    search.sorted_line = search.line = ~<uint64_t>0
    memset(search.table, 0, (search.mask + 1) * sizeof(uint16_t))


cdef void fill_table(Search *search) noexcept nogil:
    """Puts the plays stored into a table that is less than half full of them, so that looking up always ends."""
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


cdef void store_play(Search *search, tabula_play play) noexcept nogil:
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
    """Stores the path just walked if its sorted moves, or then its order, are smaller than those stored."""
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
    """A line of moves that cannot go on: its end is stored if no longer one, nor one with a larger only die, is known."""
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
    elif search.requested == NULL:
        store_play(search, play)
    elif play.lo == search.requested.lo and play.hi == search.requested.hi:
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
    search.requested = NULL
    search.listed = 0
    search_all(&search, node)
    dice_used[0] = search.most
    return search.n
