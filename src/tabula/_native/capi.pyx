"""The C interface: the native generator behind checks, as free functions on plain structs and as a table for C.

tabula.h says what each function does. None of them trusts what it is given further than it says there; the functions of
`tabula._core`, which trust everything, are called once all is looked at.
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, strcmp

from tabula._core cimport (
    TABULA_ABI_VERSION, TABULA_LAYOUT, TABULA_MAX_DICE, TABULA_MAX_MOVES, TABULA_MAX_PLAYS, TABULA_OFF, TABULA_PLY_SHIFT,
    HIT_SHIFT, TABULA_TRACK, apply, borrow, compiled, count, facing, game_over, generate, give_back, swap_sides, moves_of,
    moves_of_all, pack_position, perft,
    outcome, pick, position_to_counts, side_count, side_won, stream_below, stream_next, stream_roll, stream_seed, tabula_move,
    tabula_play, tabula_position, tabula_rules, tabula_stream, unpack_plays,
    WRONG_CHECKERS, wrong_position,
)

from tabula._core import same_build
from tabula.rules import PRESETS

__all__ = ["C_API"]

same_build(__name__, TABULA_ABI_VERSION, TABULA_LAYOUT)

cdef extern from "_native/capi_checks.h" nogil:
    uint64_t tabula_seal(const tabula_rules *rules)
    bint tabula_sort_roll(int dice, const uint8_t *roll, uint8_t *sorted)

cdef extern from "core/bits.h" nogil:
    const bint TABULA_SSE2
    int tabula_nibble_sum(uint64_t lo, uint64_t hi)
    bint tabula_has_checkers(const tabula_position *position, int checkers)


cdef inline int code_of(int wrong) noexcept nogil:
    """The code for what the core says is wrong with a position."""
    # WRONG_CHECKERS to BOTH_OFF are the codes from TABULA_BAD_CHECKERS down
    return TABULA_BAD_CHECKERS + WRONG_CHECKERS - wrong if wrong else TABULA_OK


cdef const char *tabula_error(int code) noexcept nogil:
    if code == TABULA_BAD_ARGUMENT:
        return b"a pointer is NULL, a number is out of its range, or a name is not known"
    if code == TABULA_BAD_RULES:
        return b"the rules were not filled by rules_preset or rules_from, or have been changed since"
    if code == TABULA_BAD_CHECKERS:
        return b"a side has not the number of checkers that the rules give it"
    if code == TABULA_CROWDED:
        return b"a point holds more checkers of a side than the rules allow"
    if code == TABULA_SHARED_POINT:
        return b"both sides stand on one point"
    if code == TABULA_BOTH_OFF:
        return b"both sides have borne all their checkers off"
    if code == TABULA_BAD_ROLL:
        return b"a die is not 1..6"
    if code == TABULA_BAD_PLAY:
        return b"the play is none of this position and roll"
    if code == TABULA_NO_ROOM:
        return b"there are more plays than the array has room for"
    if code == TABULA_NO_MEMORY:
        return b"there is no memory to work in"
    if code >= TABULA_OK:
        return b"nothing is wrong"
    return b"no function of tabula returns this code"


# ----------------------------------------------------------------------------------------------------------------- the rules

cdef struct Preset:
    const char *name
    tabula_rules rules


cdef Preset *PRESET = NULL
cdef int N_PRESETS = 0
_names = list(map(str.encode, PRESETS))


cdef int fill_presets() except -1:
    """Every preset of rules.py as it is there, so that C code needs no interpreter to get one."""
    global PRESET, N_PRESETS
    PRESET = <Preset *>PyMem_RawMalloc(len(_names) * sizeof(Preset))
    if PRESET == NULL:
        raise MemoryError
    for name, rules in zip(_names, PRESETS.values(), strict=True):
        PRESET[N_PRESETS].name = name
        tabula_rules_from(rules, &PRESET[N_PRESETS].rules)
        N_PRESETS += 1
    return 0


cdef int tabula_rules_preset(const char *name, tabula_rules *rules) noexcept nogil:
    cdef int i
    if name == NULL or rules == NULL:
        return TABULA_BAD_ARGUMENT
    for i in range(N_PRESETS):
        if strcmp(name, PRESET[i].name) == 0:
            rules[0] = PRESET[i].rules
            return TABULA_OK
    return TABULA_BAD_ARGUMENT


cdef int tabula_rules_from(object rules, tabula_rules *filled) except -1:
    if filled == NULL:
        raise ValueError("there is no struct to fill: the pointer is NULL")
    filled[0] = compiled(rules).c_rules
    filled.seal = tabula_seal(filled)
    return 0


# ------------------------------------------------------------------------------------------------------------------- checks

cdef inline int known(const tabula_rules *rules, const void *first, const void *second) noexcept nogil:
    """What is wrong with the rules or two other pointers, or TABULA_OK."""
    if rules == NULL or first == NULL or second == NULL:
        return TABULA_BAD_ARGUMENT
    return TABULA_OK if tabula_seal(rules) == rules.seal else TABULA_BAD_RULES


cdef inline int has_checkers(const tabula_rules *rules, const tabula_position *position, const void *other) noexcept nogil:
    """What is wrong with the rules or with the number of checkers, which the memory that the generator uses depends on."""
    cdef int wrong = known(rules, position, other)
    if wrong:
        return wrong
    return TABULA_OK if tabula_has_checkers(position, rules.checkers) else TABULA_BAD_CHECKERS


cdef inline int legal(const tabula_rules *rules, const tabula_position *position, const void *other) noexcept nogil:
    """What is wrong with the rules or the position."""
    cdef int wrong = known(rules, position, other)
    if wrong:
        return wrong
    return code_of(wrong_position(rules, position))


# ---------------------------------------------------------------------------------------------------------------- positions

cdef int tabula_start(const tabula_rules *rules, tabula_position *position) noexcept nogil:
    cdef int wrong = known(rules, position, position)
    if wrong:
        return wrong
    position.mover = rules.setup
    position.other = rules.setup_other
    return TABULA_OK


cdef int tabula_valid(const tabula_rules *rules, const tabula_position *position) noexcept nogil:
    return legal(rules, position, position)


cdef int tabula_from_counts(const tabula_rules *rules, const int8_t *counts, tabula_position *position) noexcept nogil:
    cdef int8_t copied[2 * TABULA_TRACK]
    cdef tabula_position packed
    cdef int wrong = known(rules, counts, position)
    if wrong:
        return wrong
    if not TABULA_SSE2:
        # Packing reads a count more than once then, and one that is written to meanwhile could answer differently.
        memcpy(copied, counts, sizeof(copied))
        counts = copied
    wrong = pack_position(rules, counts, &packed)
    if wrong != WRONG_CHECKERS:
        position[0] = packed
    return code_of(wrong)


cdef int tabula_to_counts(const tabula_position *position, int8_t *counts) noexcept nogil:
    if position == NULL or counts == NULL:
        return TABULA_BAD_ARGUMENT
    position_to_counts(position, counts)
    return TABULA_OK


cdef int tabula_outcome(const tabula_rules *rules, const tabula_position *position, int *points) noexcept nogil:
    cdef int wrong = has_checkers(rules, position, points)
    if wrong:
        return wrong
    if side_won(rules, &position.mover) and side_won(rules, &position.other):
        return TABULA_BOTH_OFF
    points[0] = outcome(rules, position)
    return TABULA_OK


# -------------------------------------------------------------------------------------------------------------------- plays

cdef int tabula_generate(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_play *plays, int capacity,
    int *dice_used
) noexcept nogil:
    cdef uint8_t dice[TABULA_MAX_DICE]
    cdef tabula_play *scratch
    cdef int n, used, wrong = legal(rules, position, roll)
    if wrong:
        return wrong
    if plays == NULL or capacity < 0:
        return TABULA_BAD_ARGUMENT
    if not tabula_sort_roll(rules.dice, roll, dice):
        return TABULA_BAD_ROLL
    if capacity >= TABULA_MAX_PLAYS:
        n = generate(rules, position, dice, plays, &used)
    else:
        scratch = borrow()
        if scratch == NULL:
            return TABULA_NO_MEMORY
        n = generate(rules, position, dice, scratch, &used)
        if n <= capacity:
            memcpy(plays, scratch, n * sizeof(tabula_play))
        give_back(scratch)
        if n > capacity:
            return TABULA_NO_ROOM
    if dice_used != NULL:
        dice_used[0] = used
    return n


cdef int tabula_count(const tabula_rules *rules, const tabula_position *position, const uint8_t *roll) noexcept nogil:
    cdef uint8_t dice[TABULA_MAX_DICE]
    cdef int n, wrong = legal(rules, position, roll)
    if wrong:
        return wrong
    if not tabula_sort_roll(rules.dice, roll, dice):
        return TABULA_BAD_ROLL
    n = count(rules, position, dice)
    return TABULA_NO_MEMORY if n < 0 else n


cdef int tabula_apply(
    const tabula_rules *rules, const tabula_position *position, const tabula_play *play, tabula_position *after
) noexcept nogil:
    cdef uint64_t hits
    cdef int point, wrong = has_checkers(rules, position, play)
    if wrong:
        return wrong
    if after == NULL:
        return TABULA_BAD_ARGUMENT
    hits = play.hi >> HIT_SHIFT + 1
    if tabula_nibble_sum(play.lo, play.hi ^ hits << HIT_SHIFT + 1) != rules.checkers:
        return TABULA_BAD_PLAY
    point = 1
    while hits:
        if hits & 1 and side_count(&position.other, facing(rules, point)) != 1:
            return TABULA_BAD_PLAY
        hits >>= 1
        point += 1
    apply(rules, position, play, after)
    return TABULA_OK


cdef int tabula_swap_sides(tabula_position *position) noexcept nogil:
    if position == NULL:
        return TABULA_BAD_ARGUMENT
    swap_sides(position)
    return TABULA_OK


cdef int tabula_random_play(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_stream *stream, tabula_play *play
) noexcept nogil:
    cdef uint8_t dice[TABULA_MAX_DICE]
    cdef tabula_play *scratch
    cdef int n, used, wrong = legal(rules, position, roll)
    if wrong:
        return wrong
    if stream == NULL or play == NULL:
        return TABULA_BAD_ARGUMENT
    if not tabula_sort_roll(rules.dice, roll, dice):
        return TABULA_BAD_ROLL
    scratch = borrow()
    if scratch == NULL:
        return TABULA_NO_MEMORY
    n = pick(rules, position, dice, stream, scratch, play, &used)
    give_back(scratch)
    return n


cdef int tabula_moves(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *play, tabula_move *moves
) noexcept nogil:
    cdef uint8_t dice[TABULA_MAX_DICE]
    cdef int n, wrong = has_checkers(rules, position, roll)
    if wrong:
        return wrong
    if play == NULL or moves == NULL:
        return TABULA_BAD_ARGUMENT
    if not tabula_sort_roll(rules.dice, roll, dice):
        return TABULA_BAD_ROLL
    if game_over(rules, position):
        return TABULA_BAD_PLAY
    n = moves_of(rules, position, dice, play, moves)
    return TABULA_BAD_PLAY if n < 0 else n


cdef int tabula_all_moves(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *plays, int n,
    tabula_move *moves
) noexcept nogil:
    cdef uint8_t dice[TABULA_MAX_DICE]
    cdef uint64_t *lines
    cdef int i, made = 0, wrong = has_checkers(rules, position, roll)
    if wrong:
        return wrong
    if plays == NULL or moves == NULL or not 0 <= n <= TABULA_MAX_PLAYS:
        return TABULA_BAD_ARGUMENT
    if not tabula_sort_roll(rules.dice, roll, dice):
        return TABULA_BAD_ROLL
    if n == 0:
        return 0
    if game_over(rules, position):
        return TABULA_BAD_PLAY
    lines = <uint64_t *>PyMem_RawMalloc(2 * n * sizeof(uint64_t))
    if lines == NULL:
        return TABULA_NO_MEMORY
    moves_of_all(rules, position, dice, plays, n, lines + n, lines)
    while made < TABULA_MAX_MOVES and lines[0] >> 16 * made:
        made += 1
    for i in range(n):
        if lines[i] == ~<uint64_t>0:
            made = TABULA_BAD_PLAY
            break
        write_line(lines[i], made, plays[i].hi >> HIT_SHIFT, moves + i * TABULA_MAX_MOVES)
    PyMem_RawFree(lines)
    return made


cdef inline void write_line(uint64_t line, int made, uint64_t hits, tabula_move *moves) noexcept nogil:
    """A line of so many moves, (source << 3 | die) in 16 bits each; `hits` has a bit for each point where a blot is hit."""
    cdef uint16_t move
    cdef int i, target
    for i in range(made):
        move = <uint16_t>(line >> 16 * (made - 1 - i))
        target = min((move >> 3) + (move & 7), <int>TABULA_OFF)
        moves[i].source = <uint8_t>(move >> 3)
        moves[i].die = move & 7
        moves[i].target = <uint8_t>target
        moves[i].hit = <uint8_t>(hits >> target & 1)
        hits &= ~(<uint64_t>1 << target)
    for i in range(made, TABULA_MAX_MOVES):
        moves[i].source = moves[i].die = moves[i].target = moves[i].hit = 0


cdef int tabula_afterstates(
    const tabula_rules *rules, const tabula_position *position, const tabula_play *plays, int n, int8_t *counts
) noexcept nogil:
    cdef int wrong = known(rules, position, plays)
    if wrong:
        return wrong
    if counts == NULL or n < 0:
        return TABULA_BAD_ARGUMENT
    unpack_plays(rules, position, plays, n, 1, counts)
    return TABULA_OK


cdef int64_t tabula_perft(const tabula_rules *rules, const tabula_position *position, int depth) noexcept nogil:
    cdef int64_t leaves
    cdef int wrong = legal(rules, position, position)
    if wrong:
        return wrong
    if not 0 <= depth <= TABULA_MAX_DEPTH:
        return TABULA_BAD_ARGUMENT
    leaves = perft(rules, position, depth, False)
    return TABULA_NO_MEMORY if leaves < 0 else leaves


# ----------------------------------------------------------------------------------------------------------- random numbers

cdef tabula_stream tabula_stream_seed(uint64_t seed, uint64_t game) noexcept nogil:
    return stream_seed(seed, game)


cdef int tabula_stream_ply(tabula_stream *stream, uint64_t ply) noexcept nogil:
    if stream == NULL:
        return TABULA_BAD_ARGUMENT
    stream.counter = ply << TABULA_PLY_SHIFT
    return TABULA_OK


cdef uint64_t tabula_stream_next(tabula_stream *stream) noexcept nogil:
    return stream_next(stream) if stream != NULL else 0


cdef uint32_t tabula_stream_below(tabula_stream *stream, uint32_t limit) noexcept nogil:
    return stream_below(stream, limit) if stream != NULL and limit else 0


cdef int tabula_stream_roll(tabula_stream *stream, int dice, uint8_t *roll) noexcept nogil:
    cdef uint8_t thrown[TABULA_MAX_DICE]
    if stream == NULL or roll == NULL or not 1 <= dice <= TABULA_MAX_DICE:
        return TABULA_BAD_ARGUMENT
    stream_roll(stream, dice, thrown)
    memcpy(roll, thrown, dice)
    return TABULA_OK


# ---------------------------------------------------------------------------------------------------------------- the table

cdef tabula_api API
API.abi_version = TABULA_ABI_VERSION
API.size = sizeof(tabula_api)
API.layout = TABULA_LAYOUT
API.reserved = 0
API.error = tabula_error
API.rules_preset = tabula_rules_preset
API.rules_from = tabula_rules_from
API.start = tabula_start
API.valid = tabula_valid
API.from_counts = tabula_from_counts
API.to_counts = tabula_to_counts
API.outcome = tabula_outcome
API.generate = tabula_generate
API.count = tabula_count
API.apply = tabula_apply
API.swap_sides = tabula_swap_sides
API.random_play = tabula_random_play
API.moves = tabula_moves
API.stream_seed = tabula_stream_seed
API.stream_ply = tabula_stream_ply
API.stream_next = tabula_stream_next
API.stream_below = tabula_stream_below
API.stream_roll = tabula_stream_roll
API.afterstates = tabula_afterstates
API.all_moves = tabula_all_moves
API.perft = tabula_perft

fill_presets()

C_API = PyCapsule_New(&API, "tabula._native.capi.C_API", NULL)
