"""What other extension modules of the package may look at in a Position; they change nothing in it."""

from tabula._core cimport CompiledRules, tabula_position


cdef class Position:
    cdef tabula_position p
    cdef CompiledRules compiled_rules
    cdef int side
