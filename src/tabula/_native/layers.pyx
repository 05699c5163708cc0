"""The distinct positions of a ply with the number of ways to each: what perft needs to look at a repeated position only once."""

cimport cython
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from tabula._core cimport (
    TABULA_ABI_VERSION, TABULA_LAYOUT, TABULA_MAX_DICE, CompiledRules, apply, borrow, count_rolls, generate, give_back, swap_sides,
    tabula_play, tabula_position,
)
from tabula._native.position cimport Position

from tabula._core import same_build

same_build(__name__, TABULA_ABI_VERSION, TABULA_LAYOUT)

cdef uint64_t POSITIONS_A_GROUP = 256        # on average


@cython.final
cdef class PlyPositions:
    """Distinct positions, all the same number of plies from the start, and in how many ways each is reached.

    Positions are added by `expand` and `expand_group` of the ply before it alone, by one thread at a time. Once all are there,
    any number of threads may read. `len` is the number of distinct positions.
    """

    cdef CompiledRules compiled_rules
    cdef tabula_position *positions
    cdef uint64_t *ways
    cdef uint32_t *slots            # by hash: 1 + the index of a position, or 0
    cdef uint64_t mask
    cdef uint32_t *heads            # by group: 1 + the index of its last position, or 0
    cdef uint32_t *links            # by index: 1 + the index of the position before it in its group, or 0
    cdef uint64_t last_group
    cdef Py_ssize_t linked          # how many positions are in groups
    cdef Py_ssize_t n_when_grouped  # how many there were when the first of them came into one
    cdef Py_ssize_t n
    cdef Py_ssize_t room
    cdef bint overflow

    def __cinit__(self, Position start not None, bint empty=False):
        self.compiled_rules = start.compiled_rules
        self.mask = 1023
        self.slots = <uint32_t *>PyMem_RawMalloc((self.mask + 1) * sizeof(uint32_t))
        self.room = 512
        self.positions = <tabula_position *>PyMem_RawMalloc(self.room * sizeof(tabula_position))
        self.ways = <uint64_t *>PyMem_RawMalloc(self.room * sizeof(uint64_t))
        if self.slots == NULL or self.positions == NULL or self.ways == NULL:
            raise MemoryError
        memset(self.slots, 0, (self.mask + 1) * sizeof(uint32_t))
        if not empty:
            add(self, &start.p, 1)

    def __dealloc__(self):
        PyMem_RawFree(self.slots)
        PyMem_RawFree(self.positions)
        PyMem_RawFree(self.ways)
        PyMem_RawFree(self.heads)
        PyMem_RawFree(self.links)

    def __len__(self):
        return self.n

    def expand(self, Py_ssize_t first, Py_ssize_t stop, PlyPositions next_ply not None):
        """Adds to the next ply what follows the positions of a range, once for each roll and distinct afterstate.

        Returns how many positions that added to it.
        """
        cdef bint had_memory
        cdef Py_ssize_t before = next_ply.n
        if not 0 <= first <= stop <= self.n or next_ply is self or next_ply.compiled_rules is not self.compiled_rules:
            raise ValueError(f"{first}..{stop} is no range of {self.n} positions to be expanded into another ply")
        with nogil:
            had_memory = expand_range(self, first, stop, next_ply)
        check_expansion(had_memory, next_ply)
        return next_ply.n - before

    def group(self, Py_ssize_t first, Py_ssize_t stop):
        """Puts a range of positions into groups. Those that share the track of the side not on move share a group.

        The ranges follow each other from 0 on, and no more positions are added. Returns the number of groups; some may be empty.
        """
        cdef Py_ssize_t i
        cdef uint64_t group
        if first != self.linked or not first < stop <= self.n:
            raise ValueError(f"{first}..{stop} is not the next range of {self.n} positions, {self.linked} of which are in groups")
        if self.links == NULL:
            self.n_when_grouped = self.n
            self.last_group = 0
            while (self.last_group + 1) * POSITIONS_A_GROUP < <uint64_t>self.n:
                self.last_group = 2 * self.last_group + 1
            PyMem_RawFree(self.heads)
            self.heads = <uint32_t *>PyMem_RawCalloc(self.last_group + 1, sizeof(uint32_t))
            self.links = <uint32_t *>PyMem_RawMalloc(self.n * sizeof(uint32_t))
        if self.heads == NULL or self.links == NULL:
            raise MemoryError
        if self.n_when_grouped != self.n:
            raise ValueError(f"{self.n - self.n_when_grouped} positions came after the first were put into groups")
        with nogil:
            for i in range(first, stop):
                group = mixed(self.positions[i].other.lo ^ mixed(self.positions[i].other.hi)) & self.last_group
                self.links[i] = self.heads[group]
                self.heads[group] = <uint32_t>(i + 1)
        self.linked = stop
        return self.last_group + 1

    def head(self, Py_ssize_t group):
        """The place where a group begins, for `expand_group`; 0 for an empty one."""
        if not self.linked or self.linked != self.n or not 0 <= group <= <Py_ssize_t>self.last_group:
            raise ValueError(f"there is no group {group}, with {self.linked} of {self.n} positions in groups")
        return self.heads[group]

    def expand_group(self, Py_ssize_t place, Py_ssize_t most, PlyPositions next_ply not None):
        """As `expand`, for at most `most` positions of a group, from a place on. Returns the place after them, 0 at the end."""
        cdef bint had_memory
        if (
            not 1 <= place <= self.linked or self.linked != self.n or most < 1
            or next_ply is self or next_ply.compiled_rules is not self.compiled_rules
        ):
            raise ValueError(f"{most} positions from place {place} cannot be expanded into another ply")
        with nogil:
            had_memory = expand_group_part(self, &place, most, next_ply)
        check_expansion(had_memory, next_ply)
        return place

    def count(self, Py_ssize_t first, Py_ssize_t stop):
        """How many leaves the ways to a range of positions have one ply on; an exact int, whatever its size."""
        cdef Py_ssize_t i
        cdef int64_t plays
        cdef uint64_t low = 0, high = 0, part, half = 0xFFFFFFFF
        cdef tabula_play *scratch
        if not 0 <= first <= stop <= self.n:
            raise ValueError(f"{first}..{stop} is no range of {self.n} positions")
        scratch = borrow()
        if scratch == NULL:
            raise MemoryError
        with nogil:
            for i in range(first, stop):
                plays = count_rolls(&self.compiled_rules.c_rules, &self.positions[i], False, scratch)
                # a position has fewer than 2^18 plays, so that halves of 32 bits multiplied by it do not overflow
                part = (self.ways[i] & half) * <uint64_t>plays
                low += part & half
                high += (part >> 32) + (self.ways[i] >> 32) * <uint64_t>plays
        give_back(scratch)
        return (int(high) << 32) + int(low)


cdef int check_expansion(bint had_memory, PlyPositions next_ply) except -1:
    if next_ply.overflow:
        raise OverflowError("a position is reached in more than 2^64 ways")
    if not had_memory:
        raise MemoryError
    return 0


cdef bint expand_range(PlyPositions ply, Py_ssize_t first, Py_ssize_t stop, PlyPositions next_ply) noexcept nogil:
    """Expands a range of positions; False if there is no memory."""
    cdef Py_ssize_t i
    cdef bint had_memory = True
    cdef tabula_play *plays = borrow()
    if plays == NULL:
        return False
    for i in range(first, stop):
        had_memory = had_memory and expand_one(ply, i, plays, next_ply)
    give_back(plays)
    return had_memory


cdef bint expand_group_part(PlyPositions ply, Py_ssize_t *place, Py_ssize_t most, PlyPositions next_ply) noexcept nogil:
    cdef bint had_memory = True
    cdef tabula_play *plays = borrow()
    if plays == NULL:
        return False
    while place[0] and most > 0:
        had_memory = had_memory and expand_one(ply, place[0] - 1, plays, next_ply)
        place[0] = ply.links[place[0] - 1]
        most -= 1
    give_back(plays)
    return had_memory


cdef bint expand_one(PlyPositions ply, Py_ssize_t i, tabula_play *plays, PlyPositions next_ply) noexcept nogil:
    cdef tabula_position after
    cdef uint8_t roll[TABULA_MAX_DICE]
    cdef int dice = ply.compiled_rules.c_rules.dice, x, y, z, j, n, used
    cdef bint had_memory = True
    for x in range(1, 7):
        for y in range(1, x + 1 if dice > 1 else 2):
            for z in range(1, y + 1 if dice > 2 else 2):
                roll[0] = <uint8_t>x
                roll[1] = <uint8_t>y
                roll[2] = <uint8_t>z
                n = generate(&ply.compiled_rules.c_rules, &ply.positions[i], roll, plays, &used)
                for j in range(n):
                    apply(&ply.compiled_rules.c_rules, &ply.positions[i], &plays[j], &after)
                    swap_sides(&after)
                    had_memory = had_memory and add(next_ply, &after, ply.ways[i])
    return had_memory


cdef inline uint64_t hashed(const tabula_position *p) noexcept nogil:
    return mixed(
        (p.mover.lo ^ p.other.hi * <uint64_t>0xC2B2AE3D27D4EB4F) * <uint64_t>0x9E3779B97F4A7C15
        ^ (p.other.lo ^ p.mover.hi * <uint64_t>0x165667B19E3779F9) * <uint64_t>0xD6E8FEB86659FD93
    )


cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    x ^= x >> 32
    x *= <uint64_t>0xD6E8FEB86659FD93
    return x ^ x >> 29


cdef inline bint same(const tabula_position *a, const tabula_position *b) noexcept nogil:
    return (
        a.mover.lo == b.mover.lo and a.mover.hi == b.mover.hi and a.other.lo == b.other.lo and a.other.hi == b.other.hi
    )


cdef bint add(PlyPositions ply, const tabula_position *position, uint64_t ways) noexcept nogil:
    """Adds so many ways to reach a position; False if there is no memory for it, or no index."""
    cdef uint64_t slot = hashed(position) & ply.mask
    cdef uint32_t found = ply.slots[slot]
    while found:
        if same(&ply.positions[found - 1], position):
            ply.ways[found - 1] += ways
            if ply.ways[found - 1] < ways:
                ply.overflow = True
            return True
        slot = (slot + 1) & ply.mask
        found = ply.slots[slot]
    if ply.n == ply.room and not enlarge(ply):
        return False
    ply.positions[ply.n] = position[0]
    ply.ways[ply.n] = ways
    ply.n += 1
    ply.slots[slot] = <uint32_t>ply.n
    if 2 * <uint64_t>ply.n > ply.mask:
        return rehash(ply)
    return True


cdef bint enlarge(PlyPositions ply) noexcept nogil:
    cdef Py_ssize_t room = 2 * ply.room
    cdef void *block
    if <uint64_t>room >> 32:
        return False
    block = PyMem_RawRealloc(ply.positions, room * sizeof(tabula_position))
    if block == NULL:
        return False
    ply.positions = <tabula_position *>block
    block = PyMem_RawRealloc(ply.ways, room * sizeof(uint64_t))
    if block == NULL:
        return False
    ply.ways = <uint64_t *>block
    ply.room = room
    return True


cdef bint rehash(PlyPositions ply) noexcept nogil:
    cdef uint64_t mask = 2 * ply.mask + 1, slot
    cdef Py_ssize_t i
    cdef uint32_t *slots = <uint32_t *>PyMem_RawMalloc((mask + 1) * sizeof(uint32_t))
    if slots == NULL:
        return False
    memset(slots, 0, (mask + 1) * sizeof(uint32_t))
    for i in range(ply.n):
        slot = hashed(&ply.positions[i]) & mask
        while slots[slot]:
            slot = (slot + 1) & mask
        slots[slot] = <uint32_t>(i + 1)
    PyMem_RawFree(ply.slots)
    ply.slots = slots
    ply.mask = mask
    return True
