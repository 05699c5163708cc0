"""The native generator: free functions on the plain structs of tabula.h, without the GIL and on caller-owned memory.

Nothing here checks its input, so nothing here is for Python: `tabula.Position` is. docs/architecture.md says what stands
where. A mask has bit i for index i of the mover's track.
"""

cimport cython
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport fprintf, stderr
from libc.stdlib cimport abort, free, malloc
from libc.string cimport memcmp, memcpy, memset

from tabula.rules import HALF, LAST_SIX, PRIME, MAX_CHECKERS, OFF, POINTS, RULE_FIELDS, TRACK, Rules, checked_rules


cdef extern from "core/bits.h" nogil:
    enum:
        TABULA_CHECKED
    uint64_t TABULA_SIDE_HI
    void *tabula_swap(void **slot, void *block)
    int tabula_ctz(uint32_t mask)
    int tabula_ctz64(uint64_t mask)
    int tabula_clz(uint32_t mask)
    uint32_t tabula_reverse(uint32_t mask)
    int tabula_popcount(uint32_t mask)
    int tabula_popcount_sum(uint32_t x, uint32_t y)
    int tabula_nibble_sum(uint64_t lo, uint64_t hi)
    bint tabula_has_checkers(const tabula_position *position, int checkers)
    void tabula_planes(uint64_t lo, uint64_t hi, uint32_t *planes)
    int tabula_pack(const int8_t *counts, int limit, uint64_t *lo, uint64_t *hi, uint32_t *standing, uint32_t *crowded)
    int tabula_look(uint64_t lo, uint64_t hi, int limit, uint32_t *standing, uint32_t *crowded)
    void tabula_unpack_wide(uint64_t lo, uint64_t hi, int8_t *counts)
    void tabula_copy_wide(const int8_t *from_counts, int8_t *counts)
    void tabula_unpack(uint64_t lo, uint64_t hi, int8_t *counts)
    tabula_play *tabula_put_selected(
        tabula_play *play, uint64_t lo, uint64_t hi, uint64_t hits, const tabula_side *change, const uint32_t *source,
        int n, uint32_t selected,
    )
    void tabula_put_changed(tabula_play *play, const tabula_play *first, int n, uint64_t lo, uint64_t hi)


cdef enum:
    WAITING = 1
    ALL_POINTS = 0x1FFFFFE
    FIRST_HALF = 0x0001FFE
    LAST_SIX_POINTS = 0x1F80000
    FIRST_OF_SIX = 0x00FFFFE
    TABLE = 8192

# rules.py decides what the board is; C code is compiled with numbers of its own, which must be the same.
if (
    (TABULA_POINTS, TABULA_OFF, TABULA_TRACK, TABULA_MAX_CHECKERS) != (POINTS, OFF, TRACK, MAX_CHECKERS)
    or ALL_POINTS != (2 << POINTS) - 2
    or FIRST_HALF != (1 << HALF) - 2
    or LAST_SIX_POINTS != ALL_POINTS & -(1 << LAST_SIX)
    or FIRST_OF_SIX != ALL_POINTS >> (PRIME - 1) & ALL_POINTS
):
    raise ImportError("tabula._core was compiled for another board than tabula.rules describes")


# Each field of the rules that the generator looks at is a member of the struct, and each member is filled.
cdef tabula_rules _EMPTY
memset(&_EMPTY, 0, sizeof(tabula_rules))
_NO_FIELDS = {"setup", "setup_other", "checkers", "start_point", "reserved", "seal"}
if set(_EMPTY) != _NO_FIELDS | {field.member for field in RULE_FIELDS.values() if field.member}:
    raise ImportError("tabula._core was compiled for other fields than tabula.rules has")


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
    """The C struct of a Rules; it is stored in the Rules itself, so that each is compiled once."""
    cdef CompiledRules made
    if not isinstance(rules, Rules):
        checked_rules(rules)
    stored = rules.__dict__.get("_compiled")
    if stored is not None:
        return <CompiledRules?>stored
    # Fields that came past the class, by way of `__dict__`, are as unknown as any input; what follows believes them.
    rules.__post_init__()
    made = CompiledRules.__new__(CompiledRules)
    made.rules = rules
    made.c_rules = members(rules)
    choose_way(&made.c_rules)
    # Of two threads that come here with the same rules one is first, and both go on with what that one made.
    return <CompiledRules?>rules.__dict__.setdefault("_compiled", made)


cdef tabula_side _side(object track):
    cdef tabula_side side
    cdef int8_t counts[26]
    for index, checkers in enumerate(track):
        counts[<int>index] = checkers
    side_from_counts(counts, &side)
    return side


def members(rules):
    """What each member of the struct holds for a Rules, by its name; the way of generating and the seal are added later."""
    found = {
        "setup": _side(rules.setup), "setup_other": _side(rules.other_setup), "checkers": rules.checkers,
        "start_point": rules.start_point, "reserved": [0] * TABULA_N_RESERVED, "seal": 0,
    }
    for name, field in RULE_FIELDS.items():
        if field.member:
            found[field.member] = field.code(getattr(rules, name))
    return found


def general(rules):
    """The same rules, served by the general way of generating if it knows all their fields."""
    cdef CompiledRules made
    copy = Rules.from_dict(rules.to_dict())
    made = compiled(copy)
    made.c_rules.reserved[WAY] = GENERAL if fits_general(&made.c_rules) else EVERY_LINE
    return copy


def every_line(rules):
    """The same rules, always served by the search through every line of moves: what the other ways are compared with."""
    cdef CompiledRules made
    copy = Rules.from_dict(rules.to_dict())
    made = compiled(copy)
    made.c_rules.reserved[WAY] = EVERY_LINE
    return copy


WAYS = ("general", "backgammon kin", "tabula kin", "every line")


def way(rules):
    """Which way of generating serves these rules, by name: for tests and for people who measure."""
    return WAYS[way_of(&compiled(rules).c_rules)]


def way_with(rules, int offset, int value):
    """Which way would serve these rules if the byte at `offset` of their struct were `value`: what a new field would get."""
    cdef tabula_rules changed = compiled(rules).c_rules
    if not 0 <= offset < <int>sizeof(tabula_rules):
        raise ValueError(f"offset must be 0..{sizeof(tabula_rules) - 1}, not {offset}")
    (<uint8_t *>&changed)[offset] = <uint8_t>value
    choose_way(&changed)
    return WAYS[way_of(&changed)]


include "core/ways.pxi"
include "core/sides.pxi"
include "core/rolls.pxi"
include "core/restrictions.pxi"
include "core/turn.pxi"
include "core/every_line.pxi"
include "core/general_restrictions.pxi"
include "core/general.pxi"
include "core/general_entering.pxi"
include "core/invariants.pxi"
include "core/backgammon_kin.pxi"
include "core/backgammon_kin_count.pxi"
include "core/tabula_kin.pxi"
include "core/tabula_kin_count.pxi"
include "core/scratch.pxi"
include "core/dispatch.pxi"
include "core/afterstates.pxi"
include "core/moves.pxi"
include "core/follow.pxi"
include "core/perft.pxi"
include "core/stream.pxi"
