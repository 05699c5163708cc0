# The moves of a turn as callers give them: `Move` or (source, die) each.
#
# Included by position.pyx.

cdef enum:
    # one more than any roll has, so that too many are seen; what comes after them changes nothing, and may have no end
    MOVES_READ = TABULA_MAX_MOVES + 1
    NOT_GIVEN = -1
    NOT_PLAIN = -2


cdef struct GivenMoves:
    int n
    uint8_t moves[2 * MOVES_READ]   # source and die of each
    # what a Move says besides: NOT_GIVEN for a (source, die), NOT_PLAIN for what is none of the integers of a Move that we make
    int target[MOVES_READ]
    int hit[MOVES_READ]


cdef inline int small_int(item):
    """An int of 0..255, or -1 for anything else."""
    cdef int overflow
    cdef long value
    if not PyLong_CheckExact(item):
        return -1
    value = PyLong_AsLongAndOverflow(item, &overflow)
    return <int>value if 0 <= value <= 255 else -1


cdef tuple read_moves(moves, GivenMoves *given):
    """Fills the moves that a caller gives, and returns them as a tuple; TypeError or ValueError for what are no moves."""
    cdef tuple items
    cdef Py_ssize_t i
    if type(moves) is list or type(moves) is tuple:
        items = tuple(moves)
        given.n = min(<int>PyTuple_GET_SIZE(items), <int>MOVES_READ)
        for i in range(given.n):
            if not read_move(<object>PyTuple_GET_ITEM(items, i), given, <int>i):
                break
        else:
            return items
    items = tuple(_careful_moves(moves))
    given.n = <int>len(items)
    for i, item in enumerate(items):
        given.moves[2 * i] = item[0]
        given.moves[2 * i + 1] = item[1 if len(item) == 2 else 2]
        given.target[i] = given.hit[i] = NOT_GIVEN if len(item) == 2 else NOT_PLAIN
    return items


cdef bint read_move(item, GivenMoves *given, int i):
    """Fills one move; False where it is not made of plain integers in their range."""
    cdef int source, die
    cdef bint is_move = type(item) is _Move
    if not is_move and not (type(item) is tuple and PyTuple_GET_SIZE(item) == 2):
        return False
    source = small_int(<object>PyTuple_GET_ITEM(item, 0))
    die = small_int(<object>PyTuple_GET_ITEM(item, 2 if is_move else 1))
    if not 0 <= source < TABULA_OFF or not 1 <= die <= 6:
        return False
    given.moves[2 * i] = <uint8_t>source
    given.moves[2 * i + 1] = <uint8_t>die
    given.target[i] = given.hit[i] = NOT_GIVEN
    if is_move:
        given.target[i] = small_int(<object>PyTuple_GET_ITEM(item, 1))
        hit = <object>PyTuple_GET_ITEM(item, 3)
        given.hit[i] = hit is True
        if given.target[i] < 0 or not (hit is True or hit is False):
            given.target[i] = given.hit[i] = NOT_PLAIN
    return True


cdef list _careful_moves(moves):
    """Moves as a list of Move and (source, die); TypeError or ValueError for what are no moves."""
    try:
        given = None if isinstance(moves, (str, bytes, collections.abc.Set, collections.abc.Mapping)) else iter(moves)
    except TypeError:
        given = None
    if given is None:
        raise TypeError(f"moves must be a sequence of Move or (source, die), not {short_repr(moves)}")
    checked = []
    for move in itertools.islice(given, MOVES_READ):
        if isinstance(move, Move):
            source, die = move.source, move.die
        else:
            try:
                source, die = move
            except (TypeError, ValueError):
                raise TypeError(f"a move must be a Move or (source, die), not {short_repr(move)}") from None
        source, die = whole("a move's source", source), whole("a move's die", die)
        if not 0 <= source < OFF:
            raise ValueError(f"a move's source must be 0..{POINTS}, not {short_repr(source)}")
        if not 1 <= die <= 6:
            raise ValueError(f"a move's die must be 1..6, not {short_repr(die)}")
        checked.append(Move(source, move.target, die, move.hit) if isinstance(move, Move) else (source, die))
    return checked


cdef inline int target_of(int source, int die) noexcept:
    return min(source + die, <int>TABULA_OFF)


cdef inline bint lands_on_blot(CompiledRules compiled_rules, const tabula_side *other, int target) noexcept:
    """Whether one checker of the other side stands where the mover's track has `target`."""
    return target < TABULA_OFF and side_count(other, facing(&compiled_rules.c_rules, target)) == 1


cdef object made_move(CompiledRules compiled_rules, const tabula_position *now, int source, int die):
    """The Move that a checker of the mover makes from `now`."""
    cdef int target = target_of(source, die)
    return Move(source, target, die, bool(lands_on_blot(compiled_rules, &now.other, target)))


cdef int check_moves(Plays plays, tuple items, const GivenMoves *given) except -1:
    """IllegalPlayError if a Move says another target or hit than its source and die have. The moves can be made in their order."""
    cdef uint32_t hits = 0
    cdef int i, source, die, target
    cdef bint hit
    for i in range(given.n):
        source, die = given.moves[2 * i], given.moves[2 * i + 1]
        target = target_of(source, die)
        hit = lands_on_blot(plays.start.compiled_rules, &plays.start.p.other, target) and not hits >> target & 1
        hits |= <uint32_t>hit << target
        if given.target[i] == NOT_GIVEN or (given.target[i] == target and given.hit[i] == hit):
            continue
        real = Move(source, target, die, bool(hit))
        if items[i] != real:
            raise IllegalPlayError(f"{items[i]} says what does not happen: moving from {source} with a {die} is {real}")
    return 0
