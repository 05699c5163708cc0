/* tabula.h - the C interface of tabula: plain structs, limits, error codes and the table of functions, for C, C++ and Cython.
 *
 * This file is all that a caller has to read. With Python.h included before it, `tabula_import` fetches the table:
 *
 *     const tabula_api *tabula = tabula_import();      // NULL, with ImportError set, if there is none that fits
 *     tabula_rules rules;
 *     tabula_position position;
 *     tabula_play plays[TABULA_MAX_PLAYS];
 *     uint8_t roll[TABULA_MAX_DICE] = {6, 5, 2};
 *     tabula->rules_preset("tabula", &rules);
 *     tabula->start(&rules, &position);
 *     int n = tabula->generate(&rules, &position, roll, plays, TABULA_MAX_PLAYS, NULL);
 *
 * Cython has the same functions by name: `from tabula cimport tabula_generate`, and so on. Without Python.h this file declares the
 * structs alone, which is enough for code that is handed the table.
 *
 * Sides. A side is a track of 26 counts: index 0 is waiting (in hand, on the bar), 1..24 are the points in that side's direction
 * of travel, 25 is borne off. A count takes four bits: index i is nibble i of `lo` for i < 16 and nibble i - 16 of `hi` above.
 * The upper 24 bits of a side's `hi` are zero. A side has as many checkers as the rules give it, `checkers`, 1..15.
 *
 * Dice. A roll is an array of as many dice as the rules throw, `dice`, each 1..6, in any order: the functions sort a copy.
 *
 * Memory. Every struct and array belongs to the caller and is read or written only during the call; no function keeps a pointer.
 * Nothing needs more alignment than its C type has, nothing has to be freed. Structs may be copied, compared and stored as bytes,
 * within one process and one TABULA_ABI_VERSION.
 *
 * Threads. No function but `rules_from` needs the GIL or touches a Python object. All may be called by any number of threads at
 * once, as long as no thread writes to a struct or array that another uses.
 *
 * Bad input. Functions that return int give 0 or more when all is well, and else one of the negative codes below; what they would
 * have written is then left as it was. No function reads or writes out of bounds or does anything else undefined, whatever bytes
 * the structs hold; but a pointer must be NULL, which is TABULA_BAD_ARGUMENT, or lead to as much memory as is said.
 *
 *   rules      A tabula_rules is filled by `rules_preset` or `rules_from` and never changed: its last word seals the others, and a
 *              struct with another seal is TABULA_BAD_RULES.
 *   positions  `valid` says which are legal. What comes from `start` or `from_counts`, and from there by `apply` of plays that were
 *              generated and by `swap_sides`, always is. `generate`, `count`, `random_play` and `perft` look at all that `valid`
 *              does.
 *              `outcome` and the functions that are given a play look at the number of checkers alone.
 *   plays      A tabula_play is to be one that was generated for that position and roll. What other ones come to is said at each
 *              function. */
#ifndef TABULA_H
#define TABULA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a struct's layout, a limit, a code or a signature changes. Functions are only ever added, at the end of the
 * table. */
#define TABULA_ABI_VERSION 1

#define TABULA_POINTS 24
#define TABULA_OFF 25
#define TABULA_TRACK 26
#define TABULA_MAX_CHECKERS 15
#define TABULA_MAX_DICE 3
/* The most moves in a play: three dice once each, or two equal dice twice each. */
#define TABULA_MAX_MOVES 4
/* The deepest that `perft` goes. */
#define TABULA_MAX_DEPTH 16

/* No roll has more distinct plays than this, whatever the rules and the position.
 *
 * Give each of a side's n checkers the list of the dice that move it, in order. Every play is what some such handing out of the
 * dice does, so there are no more plays than ways to hand m dice out to n ordered lists: n (n+1) ... (n+m-1) for dice that
 * differ, and fewer for equal ones. Three dice and 15 checkers: 15 * 16 * 17. Four moves are always four equal dice: the
 * number of multisets of four of 15, 18 choose 4 = 3060. Plays that leave dice unplayed are counted only when no play uses
 * more: two of three dice, 3 * 15 * 16; one, 3 * 15. */
#define TABULA_MAX_PLAYS 4080

/* What a function returns when all is well and there is nothing to count, and what is wrong otherwise; `error` has a sentence. */
enum {
    TABULA_OK = 0,
    TABULA_BAD_ARGUMENT = -1, /* a pointer is NULL, a number is out of its range, or a name is not known */
    TABULA_BAD_RULES = -2,    /* the rules were not filled by rules_preset or rules_from, or have been changed since */
    TABULA_BAD_CHECKERS = -3, /* a side has not the number of checkers that the rules give it, or bits above its counts are set */
    TABULA_CROWDED = -4,      /* a point holds more checkers of a side than the rules allow */
    TABULA_SHARED_POINT = -5, /* both sides stand on one point */
    TABULA_BOTH_OFF = -6,     /* both sides have borne all off */
    TABULA_BAD_ROLL = -7,     /* a die is not 1..6 */
    TABULA_BAD_PLAY = -8,     /* the play is none of this position and roll */
    TABULA_NO_ROOM = -9,      /* there are more plays than the array has room for */
    TABULA_NO_MEMORY = -10    /* no memory could be had to work in */
};

/* One side's 26 counts. */
typedef struct tabula_side {
    uint64_t lo, hi;
} tabula_side;

/* Both sides, each on its own track; `mover` is the side whose turn it is. */
typedef struct tabula_position {
    tabula_side mover, other;
} tabula_position;

/* A play, as what it changes: the mover's counts after it and, in the upper 24 bits of `hi`, the blots it hits: bit 39 + p
 * for point p (1..24) of the mover's track. Two plays of one position and roll are the same play if and only if they are equal. */
typedef struct tabula_play {
    uint64_t lo, hi;
} tabula_play;

/* One checker moved by one die, on the mover's track: source 0..24, target 1..25, die 1..6, hit 0 or 1. */
typedef struct tabula_move {
    uint8_t source, target, die, hit;
} tabula_move;

/* A stream of random numbers: what it gives next depends on these two words alone, and any two will do. Streams of one seed and
 * different games do not repeat each other. For games, not for secrets. */
typedef struct tabula_stream {
    uint64_t key;     /* which stream */
    uint64_t counter; /* how far it has come */
} tabula_stream;

/* Where a ply's random numbers begin in the stream of a game: at ply << TABULA_PLY_SHIFT, as `stream_ply` sets it. Of the 256 that
 * it has for itself it needs one for the dice and one for the play, and some more once in 2^24 plies. */
#define TABULA_PLY_SHIFT 8

/* What bears a checker off: the exact number alone; or also a larger one, where no own checker is behind it; or any larger one. */
enum {
    TABULA_BEAR_OFF_EXACT = 0,
    TABULA_BEAR_OFF_REARMOST = 1,
    TABULA_BEAR_OFF_ANY = 2
};

/* How the two sides travel: the same way; in opposed directions; the same way from opposite corners. Index i of one side is i,
 * 25 - i, or i + 12 or i - 12 of the other. */
enum {
    TABULA_SAME = 0,
    TABULA_OPPOSED = 1,
    TABULA_PARALLEL = 2
};

/* The rules, as the Python class `tabula.Rules` explains them: to be read, and filled by `rules_preset` or `rules_from` alone. */
typedef struct tabula_rules {
    tabula_side setup;      /* where the checkers of the side that begins start */
    tabula_side setup_other; /* and those of the other */
    uint8_t dice;           /* thrown in a turn, 1..3 */
    uint8_t doubles_twice;  /* equal dice are each played twice: 0, 1; two dice only */
    uint8_t direction;      /* TABULA_SAME, TABULA_OPPOSED, TABULA_PARALLEL */
    uint8_t stack_limit;    /* the most checkers of a side on a point, 1..15; 15 where there is none */
    uint8_t enter_first;    /* 0, 1 */
    uint8_t half_gate;      /* 0, 1 */
    uint8_t home_start;     /* 0..24; 0: bearing off has no condition */
    uint8_t gates_by_move;  /* 0: looked at as the turn starts, 1: before each move */
    uint8_t bear_off;       /* TABULA_BEAR_OFF_... */
    uint8_t larger_die;     /* 0, 1 */
    uint8_t highest_win;    /* the most points that a win can count, 1..3 */
    uint8_t checkers;       /* of each side, 1..15 */
    uint8_t blots_block;    /* 1: a lone opposing checker blocks a point; 0: it is hit there */
    uint8_t head_limit;     /* the most checkers that may leave the start point in a turn, 1..15; 0 where there is no limit */
    uint8_t head_doubles;   /* bit n, 1..6: the double of n lets one more leave it if all stand there */
    uint8_t primes_ahead;   /* 1: no landing completes six points in a row with no opposing checker beyond them */
    uint8_t runner;         /* no second checker leaves the start point until one has come here, 2..24; 0: no such rule */
    uint8_t pile_from;      /* below this index, 2..24, no landing on a point with an own checker; 0: everywhere is one */
    uint8_t extra_dice;     /* numbers played besides the dice thrown: the smaller in bits 0..2, a larger in bits 3..5; 0: none */
    uint8_t start_point;    /* the lowest index of setup with checkers */
    uint8_t reserved[4];    /* the library's own */
    uint64_t seal;          /* of all that stands before it */
} tabula_rules;

/* The sizes of the structs in one number, so that two builds can find out whether they mean the same. */
#define TABULA_LAYOUT \
    ((uint32_t)(sizeof(tabula_rules) << 24 | sizeof(tabula_position) << 16 | sizeof(tabula_play) << 11 \
                | sizeof(tabula_stream) << 6 | sizeof(tabula_move)))

struct _object; /* PyObject, where Python.h is included */

/* The functions. Cython has each of them under its name here with `tabula_` before it, but for `rules_from`, whose exceptions it
 * raises. Where nothing else is said, an int that is returned is TABULA_OK or a negative code. */
typedef struct tabula_api {
    uint32_t abi_version; /* TABULA_ABI_VERSION of the library that was loaded */
    uint32_t size;        /* sizeof(tabula_api) there; a table that is longer than yours has functions that you do not know */
    uint32_t layout;      /* TABULA_LAYOUT there */
    uint32_t reserved;

    /* What a code means, as a sentence without a full stop: a static string in English, never NULL, whatever the code. */
    const char *(*error)(int code);

    /* ---- rules */

    /* Fills the rules of a game known by name, such as "backgammon": the names are those of `tabula.rules.PRESETS`. Reads `name` up
     * to its zero byte. TABULA_BAD_ARGUMENT for another name. */
    int (*rules_preset)(const char *name, tabula_rules *rules);

    /* Fills the rules that a Python object of the class `tabula.Rules` describes. The caller holds the GIL and keeps his
     * reference. Returns 0, or -1 with a Python exception set: TypeError where it is no Rules. */
    int (*rules_from)(struct _object *object, tabula_rules *rules);

    /* ---- positions */

    /* The start of a game. */
    int (*start)(const tabula_rules *rules, tabula_position *position);

    /* Whether a position is legal: TABULA_OK, or what is wrong first, in the order BAD_CHECKERS, CROWDED, SHARED_POINT,
     * BOTH_OFF. */
    int (*valid)(const tabula_rules *rules, const tabula_position *position);

    /* A position from 2 x 26 counts, the side to move first, each side on its own track; and whether it is legal, as `valid`
     * says. The position is written with TABULA_CROWDED, TABULA_SHARED_POINT and TABULA_BOTH_OFF as well. Each count is read once,
     * so that counts which another thread writes to meanwhile are taken as some position or refused. */
    int (*from_counts)(const tabula_rules *rules, const int8_t *counts, tabula_position *position);

    /* The 2 x 26 counts of a position, the side to move first: 52 bytes are written, each 0..15, whatever the position. */
    int (*to_counts)(const tabula_position *position, int8_t *counts);

    /* Who has won: `points` gets 0 while the game goes on, + the points, 1..3, if `mover` has borne all off, - the points if
     * `other` has; TABULA_BOTH_OFF if both have. After `apply` and before `swap_sides` the side that has just played is `mover`. */
    int (*outcome)(const tabula_rules *rules, const tabula_position *position, int *points);

    /* ---- plays */

    /* Writes the distinct legal plays of a roll to `plays`, which has room for `capacity` of them, and returns how many they
     * are: 1 or more, or 0 if the game is over. A roll with nothing playable has one play, of no moves. TABULA_MAX_PLAYS is
     * room enough for any roll; with less, TABULA_NO_ROOM if they do not fit. Their order depends on rules, position and roll
     * alone. `dice_used` gets the number of dice that each of them plays, 0..4; it may be NULL. */
    int (*generate)(
        const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_play *plays, int capacity,
        int *dice_used);

    /* How many plays `generate` would list; none is built. */
    int (*count)(const tabula_rules *rules, const tabula_position *position, const uint8_t *roll);

    /* The position after a play, not with sides swapped: `mover` is the side that has played. `after` may be `position` itself.
     * TABULA_BAD_PLAY where the play's counts are not all of the mover's checkers, or where it hits what is no blot. Any other
     * play is taken at its word; whether the position that it leads to is legal is for `valid` and `generate` to say. */
    int (*apply)(const tabula_rules *rules, const tabula_position *position, const tabula_play *play, tabula_position *after);

    /* Makes the other side the side to move: `mover` and `other` change places. */
    int (*swap_sides)(tabula_position *position);

    /* Chooses one of the distinct plays of a roll, each as likely as another, by one number from the stream (now and then two).
     * Returns how many there were; if that is 0, the game is over, `play` is left as it was, and the stream as well. */
    int (*random_play)(
        const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, tabula_stream *stream, tabula_play *play);

    /* The moves of a play, in an order in which they can be made: writes 0..4 of them to `moves`, which has room for
     * TABULA_MAX_MOVES, and returns how many. TABULA_BAD_PLAY if the play is none of this position and roll. It searches anew:
     * call it for the plays that somebody looks at, not for all. */
    int (*moves)(
        const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *play,
        tabula_move *moves);

    /* ---- random numbers */

    /* The stream of one game of a seed; any two numbers will do. The games of `tabula.playouts` have these streams. */
    tabula_stream (*stream_seed)(uint64_t seed, uint64_t game);

    /* Goes to where the numbers of a ply (0 for the first) begin. Random games of `tabula.playouts` do so before each ply,
     * throw the dice and choose the play, so that the dice of a ply do not depend on what was chosen before. */
    int (*stream_ply)(tabula_stream *stream, uint64_t ply);

    /* 64 random bits; 0 if `stream` is NULL. */
    uint64_t (*stream_next)(tabula_stream *stream);

    /* A number of 0..limit - 1, each as likely as another; 0 if limit is 0 or `stream` is NULL. */
    uint32_t (*stream_below)(tabula_stream *stream, uint32_t limit);

    /* Throws `dice` fair dice, 1..3, and writes them to `roll`, the largest first. */
    int (*stream_roll)(tabula_stream *stream, int dice, uint8_t *roll);

    /* ---- many at once */

    /* The counts of the positions after n plays, with sides swapped, as networks want them: for each play 2 x 26 counts, the next
     * player's first. Writes n x 52 bytes, each 0..15. Neither the position nor the plays are looked at: the counts after a
     * play that was not generated mean nothing. TABULA_BAD_ARGUMENT if n is negative. */
    int (*afterstates)(
        const tabula_rules *rules, const tabula_position *position, const tabula_play *plays, int n, int8_t *counts);

    /* What `moves` gives for each of the n plays that `generate` listed, found in one search: TABULA_MAX_MOVES moves for each,
     * zeros after the last. Returns how many moves each has, which is the same for all of a roll. n is 0..TABULA_MAX_PLAYS.
     * TABULA_BAD_PLAY if one of the plays is none of this position and roll; what `moves` holds then means nothing. */
    int (*all_moves)(
        const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *plays, int n,
        tabula_move *moves);

    /* The leaves of the game tree `depth` plies on, 0..TABULA_MAX_DEPTH: each distinct roll once, each distinct play once,
     * nothing after the end of a game. A negative number is a code. It cannot be interrupted, and a ply more takes some
     * hundreds of times as long. */
    int64_t (*perft)(const tabula_rules *rules, const tabula_position *position, int depth);
} tabula_api;

#ifdef Py_PYTHON_H
/* Imports tabula and returns its table, which lives as long as the process; NULL with a Python exception set if tabula cannot
 * be imported, or with ImportError if it was built for another tabula.h. Needs the GIL; call it once and keep what it returns.
 * A Cython module may call it too, to raise ImportError for another build before it does anything. */
static inline const tabula_api *tabula_import(void) {
    const tabula_api *api;
    /* PyCapsule_Import sees only modules that are loaded. */
    PyObject *module = PyImport_ImportModule("tabula._native.capi");
    if (module == NULL) return NULL;
    Py_DECREF(module);
    api = (const tabula_api *)PyCapsule_Import("tabula._native.capi.C_API", 0);
    if (api == NULL) return NULL;
    if (api->abi_version != TABULA_ABI_VERSION || api->layout != TABULA_LAYOUT || api->size < sizeof(tabula_api)) {
        PyErr_Format(
            PyExc_ImportError,
            "this module was compiled for version %d of tabula.h, and the tabula installed has version %d, or another build of it: "
            "compile it again with the header in tabula.get_include()",
            (int)TABULA_ABI_VERSION, (int)api->abi_version);
        return NULL;
    }
    return api;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
