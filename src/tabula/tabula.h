/* tabula.h - the plain data of the generator: structs, limits and error codes, usable from C, C++ and Cython.
 *
 * A side is a track of 26 counts: index 0 is waiting (in hand, on the bar), 1..24 are the points in that side's direction of
 * travel, 25 is borne off. A count takes four bits: index i is nibble i of `lo` for i < 16 and nibble i - 16 of `hi` above.
 * The upper 24 bits of a side's `hi` are zero.
 */
#ifndef TABULA_H
#define TABULA_H

#include <stdint.h>

/* Raised whenever a struct's layout, a limit or a signature changes. */
#define TABULA_ABI_VERSION 1

#define TABULA_POINTS 24
#define TABULA_OFF 25
#define TABULA_TRACK 26
#define TABULA_MAX_CHECKERS 15
#define TABULA_MAX_DICE 3
/* The most moves in a play: three dice once each, or two equal dice twice each. */
#define TABULA_MAX_MOVES 4

/* No roll has more distinct plays than this, whatever the rules and the position.
 *
 * Give each of a side's n checkers the list of the dice that move it, in order. Every play is what some such handing out of the
 * dice does, so there are no more plays than ways to hand m dice out to n ordered lists: n (n+1) ... (n+m-1) for dice that
 * differ, and fewer for equal ones. Three dice and 15 checkers: 15 * 16 * 17. Four moves are always four equal dice: the
 * number of multisets of four of 15, 18 choose 4 = 3060. Plays that leave dice unplayed are counted only when no play uses
 * more: two of three dice, 3 * 15 * 16; one, 3 * 15. */
#define TABULA_MAX_PLAYS 4080

/* One side's 26 counts. */
typedef struct tabula_side {
    uint64_t lo, hi;
} tabula_side;

/* Both sides, each on its own track; `mover` is the side whose turn it is. */
typedef struct tabula_position {
    tabula_side mover, other;
} tabula_position;

/* A play, told by what it changes: the mover's counts after it and, in the upper 24 bits of `hi`, the blots it hits: bit 39 + p
 * for point p (1..24) of the mover's track. Two plays of one position and roll are the same play if and only if they are equal. */
typedef struct tabula_play {
    uint64_t lo, hi;
} tabula_play;

/* One checker moved by one die, on the mover's track: source 0..24, target 1..25, die 1..6, hit 0 or 1. */
typedef struct tabula_move {
    uint8_t source, target, die, hit;
} tabula_move;

/* A stream of random numbers: what it gives next depends on these two words alone. Streams of one seed and different games do
 * not repeat each other. */
typedef struct tabula_stream {
    uint64_t key;     /* which stream */
    uint64_t counter; /* how far it has come */
} tabula_stream;

/* Which way of generating serves a Rules; chosen once, when the struct is filled. */
enum {
    TABULA_PATH_GENERAL = 0,
    TABULA_PATH_BAR_FIRST = 1,
    TABULA_PATH_FIXED_GATES = 2
};

/* The rules, as the dataclass `tabula.Rules` explains them. Filled from one, never by hand. */
typedef struct tabula_rules {
    tabula_side setup;
    uint8_t dice;           /* 1..3 */
    uint8_t doubles_twice;  /* 0, 1 */
    uint8_t opposed;        /* 0, 1 */
    uint8_t stack_limit;    /* 1..15; 15 where there is none */
    uint8_t enter_first;    /* 0, 1 */
    uint8_t half_gate;      /* 0, 1 */
    uint8_t home_start;     /* 1..24 */
    uint8_t gates_by_move;  /* 0: as the turn starts, 1: before each move */
    uint8_t exact_bear_off; /* 0, 1 */
    uint8_t larger_die;     /* 0, 1 */
    uint8_t gammons;        /* 0, 1 */
    uint8_t checkers;       /* 1..15 */
    uint8_t path;           /* TABULA_PATH_... */
    uint8_t reserved[3];
} tabula_rules;

#endif
