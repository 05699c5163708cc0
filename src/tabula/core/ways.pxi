# Which way of generating serves a Rules.
#
# Included by _core.pyx. The conditions are `fits_backgammon_kin` (backgammon_kin.pxi) and `fits_tabula_kin` (tabula_kin.pxi):
# - backgammon kin: without a limit and with waiting checkers first, nothing but bearing off depends on what was moved before. So
#   plays of two dice are pairs of sources, and those of equal dice multisets of sources.
# - tabula kin: with gates looked at once a turn, exact bearing off and no duty to enter first, one mask says where a checker may
#   land all through the turn. So plays are listed by what they change, whatever the order of the dice.
#
# The fast ways are asked first. Each makes a copy of the rules in which a field is 0 if the way has an
# answer for its value. A field that the way does not name stays as it is. The way serves the rules if every byte of the copy is 0,
# so that rules with a field or a value that it does not name go on to the next. The general way (`fits_general`) is asked last, in
# the same manner; what it does not name is left to the search through every line. That is why 0 must stand for what changes nothing
# in every field added from now on; older ones, such as `stack_limit`, need not.

cdef enum:
    GENERAL
    BACKGAMMON_KIN
    TABULA_KIN
    EVERY_LINE

cdef extern from "core/bits.h" nogil:
    enum:
        TABULA_N_RESERVED

cdef enum:
    # the reserved byte that holds the way: the last, so that new fields take those before it
    WAY = TABULA_N_RESERVED - 1


cdef inline int way_of(const tabula_rules *rules) noexcept nogil:
    return rules.reserved[WAY]


cdef void choose_way(tabula_rules *rules) noexcept nogil:
    """Stores the way that serves these rules in them."""
    rules.reserved[WAY] = EVERY_LINE
    if fits_backgammon_kin(rules):
        rules.reserved[WAY] = BACKGAMMON_KIN
    elif fits_tabula_kin(rules):
        rules.reserved[WAY] = TABULA_KIN
    elif fits_general(rules):
        rules.reserved[WAY] = GENERAL


cdef inline void clear_what_all_serve(tabula_rules *rules) noexcept nogil:
    """Clears the members whose every value each way serves: both setups and what is worked out of them, highest_win, the way itself
    and the seal."""
    rules.setup.lo = rules.setup.hi = rules.setup_other.lo = rules.setup_other.hi = 0
    rules.checkers = rules.start_point = 0
    rules.highest_win = 0
    rules.reserved[WAY] = 0
    rules.seal = 0


cdef inline bint nothing_left(const tabula_rules *rules) noexcept nogil:
    """Whether every byte is 0."""
    cdef tabula_rules blank
    memset(&blank, 0, sizeof(tabula_rules))
    return memcmp(rules, &blank, sizeof(tabula_rules)) == 0
