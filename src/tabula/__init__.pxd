"""The C interface: `from tabula cimport tabula_generate`. include/tabula.h explains every name.

Compile with `tabula.get_include()` among the include directories.
"""

from tabula._native.capi cimport (
    TABULA_BAD_ARGUMENT, TABULA_BAD_CHECKERS, TABULA_BAD_PLAY, TABULA_BAD_ROLL, TABULA_BAD_RULES, TABULA_BOTH_OFF, TABULA_CROWDED,
    TABULA_MAX_DEPTH, TABULA_NO_MEMORY, TABULA_NO_ROOM, TABULA_OK, TABULA_SHARED_POINT, tabula_afterstates, tabula_all_moves,
    tabula_api, tabula_apply, tabula_count, tabula_error, tabula_from_counts, tabula_generate, tabula_import, tabula_moves,
    tabula_outcome, tabula_perft, tabula_random_play, tabula_rules_from, tabula_rules_preset, tabula_start, tabula_stream_below,
    tabula_stream_next, tabula_stream_ply, tabula_stream_roll, tabula_stream_seed, tabula_swap_sides, tabula_to_counts,
    tabula_valid,
)
from tabula._core cimport (
    TABULA_ABI_VERSION, TABULA_MAX_CHECKERS, TABULA_MAX_DICE, TABULA_MAX_MOVES, TABULA_MAX_PLAYS, TABULA_OFF, TABULA_PLY_SHIFT,
    TABULA_POINTS, TABULA_TRACK, tabula_move, tabula_play, tabula_position, tabula_rules, tabula_side, tabula_stream,
)
