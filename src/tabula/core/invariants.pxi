# What must hold of the generator after every step, looked at in a build made with TABULA_CHECKED=1: the program is aborted where
# it does not.
#
# Included by _core.pyx. In any other build TABULA_CHECKED is 0 as the compiler sees it, and nothing of this is left.

cdef void broken(const char *what) noexcept nogil:
    fprintf(stderr, "tabula: %s\n", what)
    abort()


cdef bint is_illegal(const tabula_rules *rules, const tabula_position *position) noexcept nogil:
    """Whether a point is over the limit or both sides stand on one: an unchecked position may be so."""
    cdef int point, mine, theirs
    for point in range(1, TABULA_OFF):
        mine = side_count(&position.mover, point)
        theirs = side_count(&position.other, facing(rules, point))
        if mine > rules.stack_limit or theirs > rules.stack_limit or (mine and theirs):
            return True
    return False


cdef void check_position(const tabula_rules *rules, const tabula_position *position, bint may_be_illegal) noexcept nogil:
    if not tabula_has_checkers(position, rules.checkers):
        broken("a side has not its checkers, or something stands above its counts")
    if not may_be_illegal and is_illegal(rules, position):
        broken("a point is over the limit, or both sides stand on one")


cdef void check_node(const Turn *turn, const Node *node) noexcept nogil:
    """The mover in the middle of a turn: its planes are its counts, and it has hit only blots."""
    cdef uint32_t planes[4]
    cdef int k
    if tabula_nibble_sum(node.own.lo, node.own.hi) != turn.rules.checkers:
        broken("the mover has not its checkers after a move")
    tabula_planes(node.own.lo, node.own.hi, planes)
    for k in range(4):
        if (planes[k] ^ node.planes[k]) & (ALL_POINTS | WAITING):
            broken("the planes are not the counts")
    if node.hits & ~turn.blots:
        broken("a hit where no blot was")


cdef void check_plays(
    const tabula_rules *rules, const tabula_position *position, const tabula_play *plays, int n, int dice_used
) noexcept nogil:
    """The plays of a roll: how many, of as many dice as can be, no two alike, and each leaving what a position must be."""
    cdef uint16_t table[TABLE]
    cdef tabula_position after
    cdef uint32_t slot, hits
    cdef int i, k
    cdef bint may_be_illegal = is_illegal(rules, position)
    if not 1 <= n <= <int>TABULA_MAX_PLAYS:
        broken("a roll has no play, or more than there is room for")
    if not 0 <= dice_used <= <int>TABULA_MAX_MOVES or (dice_used == 0 and n != 1):
        broken("a number of dice that cannot be")
    memset(table, 0, sizeof(table))
    for i in range(n):
        hits = <uint32_t>(plays[i].hi >> HIT_SHIFT)
        # the lowest bit is still a count's
        hits &= ~<uint32_t>1
        if hits & ~ALL_POINTS:
            broken("a hit off the points")
        while hits:
            k = tabula_ctz(hits)
            hits &= hits - 1
            if side_count(&position.other, facing(rules, k)) != 1:
                broken("a play hits where no blot was")
        apply(rules, position, &plays[i], &after)
        check_position(rules, &after, may_be_illegal)
        if side_count(&after.mover, TABULA_OFF) < side_count(&position.mover, TABULA_OFF):
            broken("a checker has come back on the board")
        slot = slot_of(&plays[i]) % TABLE
        while table[slot]:
            k = table[slot] - 1
            if plays[k].lo == plays[i].lo and plays[k].hi == plays[i].hi and not may_be_illegal:
                broken("two plays are alike")
            slot = (slot + 1) % TABLE
        table[slot] = <uint16_t>(i + 1)


cdef void check_count(Turn *turn, Node *node, const tabula_position *position, tabula_play *scratch, int n) noexcept nogil:
    """What was counted is what is listed, and what is listed holds."""
    cdef int used, listed = list_turn(turn, node, scratch, &used)
    if n != listed and not is_illegal(turn.rules, position):
        broken("another number was counted than is listed")


cdef void check_picked(
    Turn *turn, Node *node, const tabula_position *position, tabula_play *scratch, const tabula_play *picked, int n, int dice_used
) noexcept nogil:
    """What was picked is one of those that are listed."""
    cdef int used, i, listed = list_turn(turn, node, scratch, &used)
    if is_illegal(turn.rules, position):
        return
    if n != listed or used != dice_used:
        broken("picked from other plays than are listed")
    for i in range(n):
        if scratch[i].lo == picked.lo and scratch[i].hi == picked.hi:
            return
    broken("a play was picked that is not listed")
