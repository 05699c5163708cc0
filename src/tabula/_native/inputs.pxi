# What callers give, read: tracks, arrays, checkers by point, the side to move, and rolls. Plain forms are read first, and quickly.
#
# Included by position.pyx.

cdef bint _plain_track(track, int8_t *counts):
    """Fills 26 counts from a list or tuple of small ints; False for whatever must be looked at closer."""
    cdef tuple items
    cdef int i, checkers
    if type(track) is not tuple and type(track) is not list:
        return False
    items = tuple(track)
    if PyTuple_GET_SIZE(items) != TABULA_TRACK:
        return False
    for i in range(TABULA_TRACK):
        checkers = small_int(<object>PyTuple_GET_ITEM(items, i))
        if not 0 <= checkers <= 15:
            return False
        counts[i] = <int8_t>checkers
    return True


cdef bint _plain_array(a, int8_t *counts) except -1:
    """Fills 2 x 26 counts from an int8 array of that shape; False for whatever must be looked at closer."""
    cdef Py_buffer view
    cdef bint plain
    cdef Py_ssize_t row, i
    if type(a) is not _ndarray:
        return False
    try:
        PyObject_GetBuffer(a, &view, PyBUF_STRIDED_RO | PyBUF_FORMAT)
    except (BufferError, ValueError):
        return False
    plain = view.ndim == 2 and view.shape[0] == 2 and view.shape[1] == TABULA_TRACK
    plain = plain and view.format[0] == c"b" and view.format[1] == 0
    if plain:
        for row in range(2):
            for i in range(TABULA_TRACK):
                counts[TABULA_TRACK * row + i] = (<int8_t *>view.buf + row * view.strides[0] + i * view.strides[1])[0]
    PyBuffer_Release(&view)
    return plain


cdef tuple _track(str name, counts):
    cdef bint dimensions = isinstance(counts, np.ndarray) and counts.ndim > 0
    if isinstance(counts, (str, bytes)) or not (dimensions or isinstance(counts, collections.abc.Sequence)):
        raise TypeError(f"{name} must be a sequence of {TRACK} counts, not {short_repr(counts)}")
    if len(counts) != TRACK:
        raise InvalidPositionError(f"{name} must have {TRACK} counts, not {len(counts)}")
    cdef list track = []
    for index, checkers in enumerate(counts):
        track.append(whole(f"{name}[{index}]", checkers))
    return tuple(track)


cdef tuple _points(rules, str name, points, int waiting, int borne):
    if not isinstance(points, collections.abc.Mapping):
        raise TypeError(f"{name} must be a mapping of point to checkers, not {short_repr(points)}")
    track = [0] * TRACK
    track[0], track[OFF] = waiting, borne
    seen = set()
    for point, checkers in points.items():
        point = whole(f"a point of {name}", point)
        if not 1 <= point <= POINTS:
            raise InvalidPositionError(f"{name} has point {short_repr(point)}, and points are 1..{POINTS}")
        if point in seen:
            raise InvalidPositionError(f"{name} has point {point} twice")
        seen.add(point)
        track[rules.number(point)] = whole(f"{name}'s checkers on {point}", checkers)
    return tuple(track)


cdef tuple _pair(str name, pair):
    if isinstance(pair, (str, bytes)) or not isinstance(pair, collections.abc.Sequence):
        raise TypeError(f"{name} must be two counts, the mover's and the other's, not {short_repr(pair)}")
    if len(pair) != 2:
        raise InvalidPositionError(f"{name} must be two counts, the mover's and the other's, not {short_repr(pair)}")
    counts = (whole(name, pair[0]), whole(name, pair[1]))
    for checkers in counts:
        if not 0 <= checkers <= 15:
            raise InvalidPositionError(f"{name} must be counts of 0..15, not {short_repr(checkers)}")
    return counts


cdef int _turn(turn) except -1:
    return <int>turn if type(turn) is int and 0 <= turn <= 1 else white_or_black("turn", turn)


cdef int _parse(CompiledRules compiled_rules, roll, uint8_t *dice) except -1:
    """The dice of a roll, the largest first."""
    cdef Py_ssize_t i, n = compiled_rules.c_rules.dice
    if type(roll) is tuple:
        if _plain_dice(<tuple>roll, n, dice):
            return 0
    elif type(roll) is str:
        if _plain_digits(<str>roll, n, dice):
            return 0
    for i, face in enumerate(_dice.parse(roll, n)):
        dice[i] = face
    return 0


cdef inline void _insert_die(uint8_t *dice, Py_ssize_t i, int die) noexcept:
    """Puts a die among the `i` that stand there, the largest first."""
    while i and dice[i - 1] < die:
        dice[i] = dice[i - 1]
        i -= 1
    dice[i] = <uint8_t>die


cdef inline bint _plain_dice(tuple roll, Py_ssize_t n, uint8_t *dice):
    cdef Py_ssize_t i
    cdef int die
    if PyTuple_GET_SIZE(roll) != n:
        return False
    for i in range(n):
        die = small_int(<object>PyTuple_GET_ITEM(roll, i))
        if not 1 <= die <= 6:
            return False
        _insert_die(dice, i, die)
    return True


cdef inline bint _plain_digits(str roll, Py_ssize_t n, uint8_t *dice):
    """Reads "652" and "6-5-2"."""
    cdef Py_ssize_t i, stride = 1 if len(roll) == n else 2
    cdef int die
    if len(roll) != stride * (n - 1) + 1:
        return False
    for i in range(n):
        die = <int>roll[stride * i] - c"0"
        if not 1 <= die <= 6 or (i and stride == 2 and roll[2 * i - 1] != u"-"):
            return False
        _insert_die(dice, i, die)
    return True
