"""The native generator: free functions on the plain structs of tabula.h, without the GIL and on caller-owned memory.

Nothing here checks its input, so nothing here is for Python: `tabula.Position` is. What stands where is told in
docs/architecture.md. A mask has bit i for index i of the mover's track.
"""

cimport cython
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, free, malloc
from libc.string cimport memcmp, memcpy, memset

from tabula.errors import short_repr
from tabula.rules import HALF, LAST_SIX, MAX_CHECKERS, OFF, POINTS, TRACK, Rules


cdef extern from "core/bits.h" nogil:
    enum:
        TABULA_CHECKED
    uint64_t TABULA_SIDE_HI
    void *tabula_swap(void **slot, void *block)
    int tabula_ctz(uint32_t mask)
    int tabula_ctz64(uint64_t mask)
    uint32_t tabula_reverse(uint32_t mask)
    int tabula_popcount(uint32_t mask)
    int tabula_popcount_sum(uint32_t x, uint32_t y)
    uint64_t tabula_popcount_pair(uint32_t x, uint32_t y)
    void tabula_planes(uint64_t lo, uint64_t hi, uint32_t *planes)
    int tabula_pack(const int8_t *counts, int limit, uint64_t *lo, uint64_t *hi, uint32_t *standing, uint32_t *many)
    int tabula_look(uint64_t lo, uint64_t hi, int limit, uint32_t *standing, uint32_t *many)
    void tabula_unpack_wide(uint64_t lo, uint64_t hi, int8_t *counts)
    void tabula_copy_wide(const int8_t *from_counts, int8_t *counts)
    void tabula_unpack(uint64_t lo, uint64_t hi, int8_t *counts)
    tabula_play *tabula_put_wanted(
        tabula_play *play, uint64_t lo, uint64_t hi, uint64_t hits, const tabula_side *change, const uint32_t *source,
        int n, uint32_t wanted,
    )
    void tabula_put_changed(tabula_play *play, const tabula_play *first, int n, uint64_t lo, uint64_t hi)


cdef enum:
    WAITING = 1
    ALL_POINTS = 0x1FFFFFE
    FIRST_HALF = 0x0001FFE
    LAST_SIX_POINTS = 0x1F80000
    HIT_SHIFT = 39
    TABLE = 8192
    EVERY_LINE = 3          # the way of generating for rules with what no other way knows

# rules.py decides what the board is; C code is compiled with numbers of its own, which must be the same.
if (
    (TABULA_POINTS, TABULA_OFF, TABULA_TRACK, TABULA_MAX_CHECKERS) != (POINTS, OFF, TRACK, MAX_CHECKERS)
    or ALL_POINTS != (2 << POINTS) - 2
    or FIRST_HALF != (1 << HALF) - 2
    or LAST_SIX_POINTS != ALL_POINTS & -(1 << LAST_SIX)
):
    raise ImportError("tabula._core was compiled for another board than tabula.rules describes")


def same_build(module, version, layout):
    """Refuses a module of the package that was compiled with another tabula.h than this one: each asks as it is imported."""
    if (version, layout) != (TABULA_ABI_VERSION, TABULA_LAYOUT):
        raise ImportError(
            f"{module} was compiled for version {version} of tabula.h and tabula._core for version {TABULA_ABI_VERSION}, or for "
            "another build of it: install tabula-movegen again, so that all its modules come from one build"
        )


# ---------------------------------------------------------------------------------------------------------------- the rules

@cython.final
cdef class CompiledRules:
    pass


cdef CompiledRules compiled(object rules):
    """The native form of a Rules; it is kept in the Rules itself, so that each is compiled once."""
    cdef CompiledRules made
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules, not {short_repr(rules)}")
    kept = rules.__dict__.get("_compiled")
    if kept is not None:
        return <CompiledRules?>kept
    # Fields that came past the class, by way of `__dict__`, are as unknown as any input; what follows believes them.
    rules.__post_init__()
    made = CompiledRules.__new__(CompiledRules)
    made.rules = rules
    cdef tabula_rules *c = &made.c
    cdef int8_t counts[26]
    for index, checkers in enumerate(rules.setup):
        counts[<int>index] = checkers
    memset(c, 0, sizeof(tabula_rules))
    side_from_counts(counts, &c.setup)
    c.dice = rules.dice
    c.doubles_twice = rules.doubles == "twice"
    c.opposed = rules.direction == "opposed"
    c.stack_limit = rules.limit
    c.enter_first = rules.enter_first
    c.half_gate = rules.half_gate
    c.home_start = rules.home_start
    c.gates_by_move = rules.gates == "move"
    c.bear_off = TABULA_BEAR_OFF_EXACT if rules.bear_off == "exact" else TABULA_BEAR_OFF_REARMOST
    c.larger_die = rules.larger_die
    c.highest_win = rules.highest_win
    c.checkers = rules.checkers
    c.path = path_for(c)
    # Of two threads that come here with the same rules one is first, and both go on with what that one made.
    return <CompiledRules?>rules.__dict__.setdefault("_compiled", made)


def general(rules):
    """The same rules, always served by the general way of generating: what the faster ways are held against."""
    cdef CompiledRules made
    copy = Rules.from_dict(rules.to_dict())
    made = compiled(copy)
    made.c.path = TABULA_PATH_GENERAL if fits_general(&made.c) else EVERY_LINE
    return copy


def every_line(rules):
    """The same rules, always served by the search through every line of moves: what the general way is held against."""
    cdef CompiledRules made
    copy = Rules.from_dict(rules.to_dict())
    made = compiled(copy)
    made.c.path = EVERY_LINE
    return copy


def path(rules):
    """Which way of generating serves these rules, by name: for tests and for people who measure."""
    return ("general", "bar first", "fixed gates", "every line")[compiled(rules).c.path]


include "core/sides.pxi"
include "core/turn.pxi"
include "core/every_line.pxi"
include "core/general.pxi"
include "core/general_entering.pxi"
include "core/invariants.pxi"
include "core/bar_first.pxi"
include "core/fixed_gates.pxi"
include "core/fixed_gates_count.pxi"
include "core/dispatch.pxi"
include "core/moves.pxi"
include "core/steps.pxi"
include "core/perft.pxi"
include "core/stream.pxi"
