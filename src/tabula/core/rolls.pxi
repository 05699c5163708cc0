# Rolls: all distinct ones, all throws, and what a turn plays of a roll.
#
# Included by _core.pyx.

# The distinct rolls of one, two and three dice, the largest die first, and how many there are; dice that are not thrown are 0.
# Filled once, as the module is loaded.
cdef uint8_t ROLLS[TABULA_MAX_DICE + 1][56][TABULA_MAX_DICE]
cdef int N_ROLLS[TABULA_MAX_DICE + 1]


cdef void fill_rolls() noexcept nogil:
    cdef int dice, a, b, c, n
    for dice in range(1, <int>TABULA_MAX_DICE + 1):
        n = 0
        for a in range(1, 7):
            for b in range(1, a + 1 if dice > 1 else 2):
                for c in range(1, b + 1 if dice > 2 else 2):
                    ROLLS[dice][n][0] = <uint8_t>a
                    ROLLS[dice][n][1] = <uint8_t>b if dice > 1 else 0
                    ROLLS[dice][n][2] = <uint8_t>c if dice > 2 else 0
                    n += 1
        N_ROLLS[dice] = n


fill_rolls()


# THROWN[dice][throw]: the first `dice` dice of throw 0..215, the largest first, then zeros. Filled once, as the module is loaded.
cdef uint8_t THROWN[TABULA_MAX_DICE + 1][216][TABULA_MAX_DICE]


cdef void fill_thrown() noexcept nogil:
    cdef int dice, throw, faces, i, j
    cdef uint8_t die
    for dice in range(1, <int>TABULA_MAX_DICE + 1):
        for throw in range(216):
            faces = throw
            for i in range(dice):
                die = <uint8_t>(1 + faces % 6)
                faces //= 6
                j = i
                while j and THROWN[dice][throw][j - 1] < die:
                    THROWN[dice][throw][j] = THROWN[dice][throw][j - 1]
                    j -= 1
                THROWN[dice][throw][j] = die


fill_thrown()
