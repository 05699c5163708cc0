"""A corpus as C structs, and loops over it that touch no Python object: what is timed is the generator alone."""

from libc.stdint cimport int8_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc

from tabula._core cimport (
    TABULA_MAX_DICE, TABULA_MAX_PLAYS, TABULA_TRACK, CompiledRules, compiled, count, generate, side_from_counts, tabula_play,
    tabula_position,
)


cdef class Turns:
    """Positions under one Rules, each with its roll, in arrays of C structs."""

    cdef CompiledRules rules
    cdef tabula_position *positions
    cdef uint8_t *rolls
    cdef tabula_play *plays
    cdef Py_ssize_t n

    def __cinit__(self, turns):
        """`turns` is a sequence of (position, roll) under one Rules, the dice as `tabula.dice.parse` gives them."""
        cdef int8_t counts[26]
        cdef Py_ssize_t i
        cdef int k, which
        self.n = len(turns)
        self.rules = compiled(turns[0][0].rules)
        self.positions = <tabula_position *>calloc(self.n, sizeof(tabula_position))
        self.rolls = <uint8_t *>calloc(self.n, TABULA_MAX_DICE)
        self.plays = <tabula_play *>malloc(TABULA_MAX_PLAYS * sizeof(tabula_play))
        if not self.positions or not self.rolls or not self.plays:
            raise MemoryError
        for i in range(self.n):
            position, roll = turns[i]
            for which in range(2):
                track = position.other if which else position.mover
                for k in range(TABULA_TRACK):
                    counts[k] = track[k]
                side_from_counts(counts, &self.positions[i].other if which else &self.positions[i].mover)
            for k in range(len(roll)):
                self.rolls[i * TABULA_MAX_DICE + k] = roll[k]

    def __dealloc__(self):
        free(self.positions)
        free(self.rolls)
        free(self.plays)

    def build(self, int passes=1):
        """Builds the distinct plays of every turn in the native buffer, so many times over, and returns how many they were."""
        cdef int64_t total = 0
        cdef Py_ssize_t i
        cdef int used, _pass
        with nogil:
            for _pass in range(passes):
                for i in range(self.n):
                    total += generate(&self.rules.c_rules, &self.positions[i], &self.rolls[i * TABULA_MAX_DICE], self.plays, &used)
        return total

    def count(self, int passes=1):
        """Counts the distinct plays of every turn, so many times over, and returns how many they were."""
        cdef int64_t total = 0
        cdef Py_ssize_t i
        cdef int _pass
        with nogil:
            for _pass in range(passes):
                for i in range(self.n):
                    total += count(&self.rules.c_rules, &self.positions[i], &self.rolls[i * TABULA_MAX_DICE])
        return total
