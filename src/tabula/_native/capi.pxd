"""The C interface as Cython sees it: the functions that tabula.h explains, each under its name there with `tabula_` before it.

`from tabula cimport ...` gives the same names.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t

from tabula._core cimport (
    TABULA_ABI_VERSION, TABULA_MAX_CHECKERS, TABULA_MAX_DICE, TABULA_MAX_MOVES, TABULA_MAX_PLAYS, TABULA_OFF, TABULA_PLY_SHIFT,
    TABULA_POINTS, TABULA_TRACK, tabula_move, tabula_play, tabula_position, tabula_rules, tabula_side, tabula_stream,
)


cdef extern from "tabula.h" nogil:
    enum:
        TABULA_MAX_DEPTH
        TABULA_OK
        TABULA_BAD_ARGUMENT
        TABULA_BAD_RULES
        TABULA_BAD_CHECKERS
        TABULA_CROWDED
        TABULA_SHARED_POINT
        TABULA_BOTH_OFF
        TABULA_BAD_ROLL
        TABULA_BAD_PLAY
        TABULA_NO_ROOM
        TABULA_NO_MEMORY

    ctypedef struct tabula_api:
        uint32_t abi_version
        uint32_t size
        uint32_t layout
        uint32_t reserved
        const char *(*error)(int code) noexcept nogil
        int (*rules_preset)(const char *name, tabula_rules *rules) noexcept nogil
        int (*rules_from)(object rules, tabula_rules *filled) except -1
        int (*start)(const tabula_rules *rules, tabula_position *position) noexcept nogil
        int (*valid)(const tabula_rules *rules, const tabula_position *position) noexcept nogil
        int (*from_counts)(const tabula_rules *rules, const int8_t *counts, tabula_position *position) noexcept nogil
        int (*to_counts)(const tabula_position *position, int8_t *counts) noexcept nogil
        int (*outcome)(const tabula_rules *rules, const tabula_position *position, int *points) noexcept nogil
        int (*generate)(
            const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_play *plays, int capacity,
            int *dice_used
        ) noexcept nogil
        int (*count)(const tabula_rules *rules, const tabula_position *position, const uint8_t *roll) noexcept nogil
        int (*apply)(
            const tabula_rules *rules, const tabula_position *position, const tabula_play *play, tabula_position *after
        ) noexcept nogil
        int (*swap_sides)(tabula_position *position) noexcept nogil
        int (*random_play)(
            const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_stream *stream,
            tabula_play *play
        ) noexcept nogil
        int (*moves)(
            const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *play,
            tabula_move *moves
        ) noexcept nogil
        tabula_stream (*stream_seed)(uint64_t seed, uint64_t game) noexcept nogil
        int (*stream_ply)(tabula_stream *stream, uint64_t ply) noexcept nogil
        uint64_t (*stream_next)(tabula_stream *stream) noexcept nogil
        uint32_t (*stream_below)(tabula_stream *stream, uint32_t limit) noexcept nogil
        int (*stream_roll)(tabula_stream *stream, int dice, uint8_t *roll) noexcept nogil
        int (*afterstates)(
            const tabula_rules *rules, const tabula_position *position, const tabula_play *plays, int n, int8_t *counts
        ) noexcept nogil
        int (*all_moves)(
            const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *plays, int n,
            tabula_move *moves
        ) noexcept nogil
        int64_t (*perft)(const tabula_rules *rules, const tabula_position *position, int depth) noexcept nogil


cdef extern from "tabula.h":
    const tabula_api *tabula_import() except NULL


cdef const char *tabula_error(int code) noexcept nogil

cdef int tabula_rules_preset(const char *name, tabula_rules *rules) noexcept nogil
cdef int tabula_rules_from(object rules, tabula_rules *filled) except -1

cdef int tabula_start(const tabula_rules *rules, tabula_position *position) noexcept nogil
cdef int tabula_valid(const tabula_rules *rules, const tabula_position *position) noexcept nogil
cdef int tabula_from_counts(const tabula_rules *rules, const int8_t *counts, tabula_position *position) noexcept nogil
cdef int tabula_to_counts(const tabula_position *position, int8_t *counts) noexcept nogil
cdef int tabula_outcome(const tabula_rules *rules, const tabula_position *position, int *points) noexcept nogil

cdef int tabula_generate(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_play *plays, int capacity,
    int *dice_used
) noexcept nogil
cdef int tabula_count(const tabula_rules *rules, const tabula_position *position, const uint8_t *roll) noexcept nogil
cdef int tabula_apply(
    const tabula_rules *rules, const tabula_position *position, const tabula_play *play, tabula_position *after
) noexcept nogil
cdef int tabula_swap_sides(tabula_position *position) noexcept nogil
cdef int tabula_random_play(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_stream *stream, tabula_play *play
) noexcept nogil
cdef int tabula_moves(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *play, tabula_move *moves
) noexcept nogil

cdef tabula_stream tabula_stream_seed(uint64_t seed, uint64_t game) noexcept nogil
cdef int tabula_stream_ply(tabula_stream *stream, uint64_t ply) noexcept nogil
cdef uint64_t tabula_stream_next(tabula_stream *stream) noexcept nogil
cdef uint32_t tabula_stream_below(tabula_stream *stream, uint32_t limit) noexcept nogil
cdef int tabula_stream_roll(tabula_stream *stream, int dice, uint8_t *roll) noexcept nogil

cdef int tabula_afterstates(
    const tabula_rules *rules, const tabula_position *position, const tabula_play *plays, int n, int8_t *counts
) noexcept nogil
cdef int tabula_all_moves(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *plays, int n,
    tabula_move *moves
) noexcept nogil
cdef int64_t tabula_perft(const tabula_rules *rules, const tabula_position *position, int depth) noexcept nogil
