"""Kernels that write the features of positions, a range of rows in each call and without the GIL.

They write only into the rows they are given, whatever the arrays hold, even if somebody writes to them meanwhile: the counts of a
row are copied and cut to 0..15 before anything is looked up by them. What else is to be checked, and said, is the work of
`tabula.features`, where the columns are explained too.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from tabula._core cimport (
    TABULA_ABI_VERSION, TABULA_LAYOUT, TABULA_MAX_CHECKERS, TABULA_OFF, TABULA_POINTS, TABULA_TRACK, CompiledRules, compiled,
    open_off, open_points, tabula_position, tabula_rules,
)
from tabula._native.arrays cimport PositionArray, copy_counts, read_position

from tabula._core import same_build

same_build(__name__, TABULA_ABI_VERSION, TABULA_LAYOUT)

cdef enum:
    ROW = 52                # counts of a position
    WORDS = 7               # the words of eight counts that hold them
    COUNTS = 16             # what a count of four bits can be: the rows of a table
    TESAURO_UNITS = 4       # for each point
    TESAURO_SIDE = 98
    TABULA_UNITS = 6        # for each point
    TABULA_SIDE = 149
    MOST_UNARY = 780        # units of both sides, where each index has as many as there can be checkers

cdef uint64_t LOW_BITS = 0x0F0F0F0F0F0F0F0F

# What is looked up by a count: its units, and padding up to where copying is fast.
cdef float TRUNCATED[COUNTS][TESAURO_UNITS]
cdef float AT_LEAST[COUNTS][COUNTS]
cdef float ONE_OF[COUNTS][8]
cdef float HALVES[COUNTS]
cdef float FIFTEENTHS[COUNTS]
cdef float[2] TURN = [1, 0]


cdef void fill_tables() noexcept nogil:
    cdef int count, unit
    for count in range(COUNTS):
        for unit in range(3):
            TRUNCATED[count][unit] = count > unit
        TRUNCATED[count][3] = <float>((count - 3) / 2.0) if count > 3 else 0
        for unit in range(COUNTS):
            AT_LEAST[count][unit] = count > unit
        for unit in range(8):
            ONE_OF[count][unit] = count == unit < TABULA_UNITS
        HALVES[count] = <float>(count / 2.0)
        FIFTEENTHS[count] = <float>(count / <double>TABULA_MAX_CHECKERS)


fill_tables()


# ------------------------------------------------------------------------------------------------------- a position in, a row out

cdef struct Scale:
    # what an encoder has to know of the rules
    const tabula_rules *rules
    Py_ssize_t width
    int units               # that `unary` has for a point; it has one for each checker at the two ends of the track
    float checkers
    float most_pips


ctypedef void (*Encoder)(const Scale *scale, const uint8_t *counts, float *x) noexcept nogil


cdef void raw(const Scale *scale, const uint8_t *counts, float *x) noexcept nogil:
    cdef int i
    for i in range(ROW):
        x[i] = counts[i] / scale.checkers


cdef inline void write_tesauro_half(const uint8_t *counts, float *x) noexcept nogil:
    cdef int i
    for i in range(TABULA_POINTS):
        memcpy(x + TESAURO_UNITS * i, TRUNCATED[counts[1 + i]], sizeof(TRUNCATED[0]))
    x[TESAURO_SIDE - 2] = HALVES[counts[0]]
    x[TESAURO_SIDE - 1] = FIFTEENTHS[counts[TABULA_OFF]]


cdef void tesauro(const Scale *scale, const uint8_t *counts, float *x) noexcept nogil:
    write_tesauro_half(counts, x)
    write_tesauro_half(counts + TABULA_TRACK, x + TESAURO_SIDE)
    memcpy(x + 2 * TESAURO_SIDE, TURN, sizeof(TURN))


cdef void unary(const Scale *scale, const uint8_t *counts, float *x) noexcept nogil:
    # Whole rows of the table are copied, and what is too much is written over by the next; so the last needs room behind it.
    cdef float built[MOST_UNARY + COUNTS]
    cdef float *end = built
    cdef int _side, point, ends = scale.rules.checkers
    for _side in range(2):
        memcpy(end, AT_LEAST[counts[0]], sizeof(AT_LEAST[0]))
        end += ends
        if scale.units <= COUNTS // 2:
            for point in range(1, TABULA_OFF):
                memcpy(end, AT_LEAST[counts[point]], sizeof(AT_LEAST[0]) // 2)
                end += scale.units
        else:
            for point in range(1, TABULA_OFF):
                memcpy(end, AT_LEAST[counts[point]], sizeof(AT_LEAST[0]))
                end += scale.units
        memcpy(end, AT_LEAST[counts[TABULA_OFF]], sizeof(AT_LEAST[0]))
        end += ends
        counts += TABULA_TRACK
    memcpy(x, built, scale.width * sizeof(float))


cdef inline void write_tabula_half(const Scale *scale, const uint8_t *counts, float *x) noexcept nogil:
    cdef int index, pips = 0
    cdef uint32_t standing = 0
    for index in range(TABULA_OFF):
        pips += (TABULA_OFF - index) * counts[index]
        standing |= <uint32_t>(counts[index] != 0) << index
    for index in range(TABULA_POINTS):
        memcpy(x + TABULA_UNITS * index, ONE_OF[counts[1 + index]], TABULA_UNITS * sizeof(float))
    x += TABULA_UNITS * TABULA_POINTS
    x[0] = counts[0] / scale.checkers
    x[1] = counts[TABULA_OFF] / scale.checkers
    x[2] = open_points(scale.rules, standing) >> TABULA_POINTS & 1
    x[3] = open_off(scale.rules, standing)
    x[4] = pips / scale.most_pips


cdef void tabula(const Scale *scale, const uint8_t *counts, float *x) noexcept nogil:
    write_tabula_half(scale, counts, x)
    write_tabula_half(scale, counts + TABULA_TRACK, x + TABULA_SIDE)


# ------------------------------------------------------------------------------------------------------------------ whole arrays

cdef Encoder prepare(str encoder, CompiledRules compiled_rules, Scale *scale) except NULL:
    """The function of an encoder, and what it has to know."""
    cdef int checkers = compiled_rules.c_rules.checkers
    scale.rules = &compiled_rules.c_rules
    scale.units = min(<int>compiled_rules.c_rules.stack_limit, checkers)
    scale.checkers = checkers
    scale.most_pips = TABULA_OFF * checkers
    if encoder == "raw":
        scale.width = ROW
        return raw
    if encoder == "tesauro":
        scale.width = 2 * TESAURO_SIDE + 2
        return tesauro
    if encoder == "unary":
        scale.width = 2 * (2 * checkers + TABULA_POINTS * scale.units)
        return unary
    if encoder == "tabula":
        scale.width = 2 * TABULA_SIDE
        return tabula
    raise ValueError(f"there is no encoder {encoder!r}")


cdef PositionArray rows_of(object array, Py_ssize_t first, Py_ssize_t stop):
    """The reader of an array that has the rows of this range."""
    cdef PositionArray positions = PositionArray(array)
    if not 0 <= first <= stop <= positions.rows:
        raise ValueError(f"rows {first}..{stop} of {positions.rows}")
    return positions


def width(str encoder not None, rules):
    """How many columns an encoder has under these rules."""
    cdef Scale scale
    prepare(encoder, compiled(rules), &scale)
    return scale.width


def first_wrong(rules, array not None, Py_ssize_t first, Py_ssize_t stop):
    """The first row of a range with what is no legal position, or -1."""
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef PositionArray positions = rows_of(array, first, stop)
    cdef tabula_position position
    cdef Py_ssize_t row, found = -1
    with nogil:
        for row in range(first, stop):
            if read_position(positions, row, &compiled_rules.c_rules, &position):
                found = row
                break
    return found


def encode(
    str encoder not None, rules, array not None, Py_ssize_t first, Py_ssize_t stop, float[:, :] out not None
):
    """Writes the features of the positions of a range into the same rows of `out`. Nothing that they hold is checked."""
    cdef CompiledRules compiled_rules = compiled(rules)
    cdef PositionArray positions = rows_of(array, first, stop)
    cdef Scale scale
    cdef Encoder write = prepare(encoder, compiled_rules, &scale)
    cdef uint64_t words[WORDS]
    cdef char *x
    cdef Py_ssize_t row, step = out.strides[0]
    cdef int i
    if out.shape[0] < stop or out.shape[1] != scale.width or (stop and out.strides[1] != sizeof(float)):
        raise ValueError("out has another shape, or columns that are apart")
    words[WORDS - 1] = 0
    with nogil:
        x = <char *>&out[0, 0] + first * step if first < stop else NULL
        for row in range(first, stop):
            copy_counts(positions, row, <int8_t *>words)
            for i in range(WORDS):
                words[i] &= LOW_BITS
            write(&scale, <const uint8_t *>words, <float *>x)
            x += step
