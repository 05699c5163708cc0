# Which way of generating serves a Rules.
#
# Included by _core.pyx. The fast ways are asked first. Each makes a copy of the rules in which a field is 0 if the way has an
# answer for its value. A field that the way does not name stays as it is. The way serves the rules if every byte of the copy is 0,
# so that rules with a field or a value that it does not name go on to the next, the general way is asked in the same manner, and
# what it does not name either is left to the search through every line. That is why, in every field to come, 0 must stand for
# what changes nothing.

cdef enum:
    GENERAL
    ENTER_FIRST
    FIXED_GATES
    EVERY_LINE

cdef enum:
    # the reserved byte that holds the way: the last, so that fields to come take those before it
    WAY = 3


cdef inline int way_of(const tabula_rules *rules) noexcept nogil:
    return rules.reserved[WAY]


cdef void choose_way(tabula_rules *rules) noexcept nogil:
    """Stores the way that serves these rules in them."""
    rules.reserved[WAY] = EVERY_LINE
    if fits_enter_first(rules):
        rules.reserved[WAY] = ENTER_FIRST
    elif fits_fixed_gates(rules):
        rules.reserved[WAY] = FIXED_GATES
    elif fits_general(rules):
        rules.reserved[WAY] = GENERAL


cdef inline void clear_unread(tabula_rules *rules) noexcept nogil:
    """Clears what no way of generating looks at, and what every way takes as it is."""
    rules.setup.lo = rules.setup.hi = 0
    rules.checkers = 0
    rules.highest_win = 0
    rules.reserved[WAY] = 0
    rules.seal = 0


cdef inline bint nothing_left(const tabula_rules *rules) noexcept nogil:
    """Whether every byte is 0."""
    cdef tabula_rules blank
    memset(&blank, 0, sizeof(tabula_rules))
    return memcmp(rules, &blank, sizeof(tabula_rules)) == 0
