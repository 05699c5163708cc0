# The plays of a turn in which checkers must enter before any other moves, by the general way.
#
# Included by _core.pyx.

cdef inline int waiting_first(const Turn *turn, const Node *node) noexcept nogil:
    """How many checkers have to enter before any other move, where that says which plays there are: primes are not asked about."""
    return side_count(&node.own, 0) if turn.rules.enter_first and not turn.opposing else 0


cdef inline int room_to_enter(const Turn *turn, const Node *node, int die) noexcept nogil:
    """How many more checkers can enter by this die; no gate closes the points 1..6 to them."""
    return point_limit(turn, die) - side_count(&node.own, die) if turn.unblocked >> die & 1 else 0


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
    # Not all of them can enter: the room says which.
    entered = node[0]
    dice_used[0] = 0
    for kind in range(turn.kinds):
        dice_used[0] += enter(turn, &entered, kind, turn.each[kind])
    plays[0] = as_play(&entered)
    return 1


cdef int list_two_last_dice(const Turn *turn, const Node *node, tabula_play *plays, int *dice_used) noexcept nogil:
    """Fills `plays` for one waiting checker and three dice that are not all equal: it enters by each kind of die in turn.

    The plays of the other two dice are listed behind those that are there, and those that are new are stored with them.
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
            store_play(&search, play)
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
