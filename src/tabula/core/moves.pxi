# The moves of a play.
#
# Included by _core.pyx.

cdef int moves_of(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *play, tabula_move *moves
) noexcept nogil:
    """The moves of a play: of the sets of moves that end there the smallest when sorted, in its smallest order.

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
    search.requested = play
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
    search.requested = NULL
    search.lines = lines
    search.sorted_lines = sorted_lines
    search.listed = n
    search_all(&search, &node)
