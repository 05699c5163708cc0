"""The reader of position arrays, int8 of shape (n, 2, 26) with any strides, and of the rolls beside them."""

from libc.stdint cimport int8_t, uint8_t
from libc.string cimport memcpy, memset

from tabula._core cimport TABULA_MAX_DICE, TABULA_TRACK, pack_position, tabula_position, tabula_rules


cdef extern from "core/bits.h" nogil:
    const bint TABULA_SSE2


cdef extern from "_native/rolls.h" nogil:
    bint tabula_sort_roll(int dice, const uint8_t *roll, uint8_t *sorted)


cdef enum:
    POSITION_COUNTS = 2 * TABULA_TRACK


cdef class PositionArray:
    """An array of positions, held for as long as this object lives."""
    cdef Py_buffer buffer
    cdef bint held
    cdef readonly Py_ssize_t rows
    cdef const char *data
    cdef Py_ssize_t row_stride
    cdef Py_ssize_t side_stride
    cdef Py_ssize_t index_stride
    cdef bint contiguous            # the counts of a position lie side by side


cdef class RollArray:
    """An array of rolls, uint8 of shape (n, dice) with any strides, held for as long as this object lives."""
    cdef Py_buffer buffer
    cdef bint held
    cdef readonly Py_ssize_t rows
    cdef readonly int dice
    cdef const char *data
    cdef Py_ssize_t row_stride
    cdef Py_ssize_t die_stride


cdef inline void copy_counts(PositionArray positions, Py_ssize_t row, int8_t *counts) noexcept nogil:
    """The 52 counts of a row, each read once."""
    cdef const char *start = positions.data + row * positions.row_stride
    cdef int side, index
    if positions.contiguous:
        memcpy(counts, start, POSITION_COUNTS)
        return
    for side in range(2):
        for index in range(TABULA_TRACK):
            counts[side * TABULA_TRACK + index] = (
                <const int8_t *>(start + side * positions.side_stride + index * positions.index_stride)
            )[0]


cdef inline int read_position(
    PositionArray positions, Py_ssize_t row, const tabula_rules *rules, tabula_position *position
) noexcept nogil:
    """The position of a row, and what `pack_position` finds wrong with it: after 1 the generator cannot take it.

    Each count is read once, so that an array that is written to meanwhile is judged by what is then used.
    """
    cdef int8_t counts[POSITION_COUNTS]
    if TABULA_SSE2 and positions.contiguous:
        # Packing reads each count once here; elsewhere it reads some of them again.
        return pack_position(rules, <const int8_t *>(positions.data + row * positions.row_stride), position)
    copy_counts(positions, row, counts)
    return pack_position(rules, counts, position)


cdef inline bint read_roll(RollArray rolls, Py_ssize_t row, uint8_t *roll) noexcept nogil:
    """The dice of a row in descending order, and whether each is 1..6."""
    cdef uint8_t thrown[TABULA_MAX_DICE]
    cdef const char *start = rolls.data + row * rolls.row_stride
    cdef int i
    memset(thrown, 1, sizeof(thrown))
    for i in range(rolls.dice):
        thrown[i] = (<const uint8_t *>(start + i * rolls.die_stride))[0]
    return tabula_sort_roll(rolls.dice, thrown, roll)
