"""Arrays of positions and of rolls as the other native modules read them; arrays.pxd has the functions that read a row."""

cimport cython
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer

from tabula._core cimport TABULA_ABI_VERSION, TABULA_LAYOUT, TABULA_MAX_DICE

from tabula._core import same_build

same_build(__name__, TABULA_ABI_VERSION, TABULA_LAYOUT)


cdef int hold(object array, Py_buffer *buffer, const char *item, int axes) except -1:
    """Takes hold of an array, which must have so many axes and items of this one-byte format."""
    PyObject_GetBuffer(array, buffer, PyBUF_STRIDES | PyBUF_FORMAT)
    if buffer.ndim != axes or buffer.itemsize != 1 or buffer.format == NULL or buffer.format[0] != item[0]:
        PyBuffer_Release(buffer)
        raise ValueError(f"the array must have {axes} axes and items of the format {item.decode()}")
    return 0


@cython.final
cdef class PositionArray:
    def __cinit__(self, array not None):
        hold(array, &self.buffer, b"b", 3)
        self.held = True
        if self.buffer.shape[1] != 2 or self.buffer.shape[2] != TABULA_TRACK:
            raise ValueError("positions must have the shape (n, 2, 26)")
        self.rows = self.buffer.shape[0]
        self.data = <const char *>self.buffer.buf
        self.row_stride, self.side_stride, self.index_stride = (
            self.buffer.strides[0], self.buffer.strides[1], self.buffer.strides[2]
        )
        self.contiguous = self.index_stride == 1 and self.side_stride == TABULA_TRACK

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.buffer)


@cython.final
cdef class RollArray:
    def __cinit__(self, array not None):
        hold(array, &self.buffer, b"B", 2)
        self.held = True
        if not 1 <= self.buffer.shape[1] <= TABULA_MAX_DICE:
            raise ValueError("rolls must have the shape (n, dice)")
        self.rows = self.buffer.shape[0]
        self.dice = <int>self.buffer.shape[1]
        self.data = <const char *>self.buffer.buf
        self.row_stride, self.die_stride = self.buffer.strides[0], self.buffer.strides[1]

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.buffer)
