/* _checks.h - what the C interface looks at before it believes a struct: the seal of rules, and a side's checkers. Private. */
#ifndef TABULA_CHECKS_H
#define TABULA_CHECKS_H

#include <stdint.h>
#include <string.h>

#include "tabula.h"

/* A sum over everything that stands before the seal. Each step can be undone, so that a change in one word always shows; of other
 * changes one in 2^64 does not. */
static inline uint64_t tabula_seal(const tabula_rules *rules) {
    uint64_t words[4], seal = UINT64_C(0x9E3779B97F4A7C15) * TABULA_ABI_VERSION;
    int i;
    memcpy(words, rules, sizeof words);
    for (i = 0; i < 4; i++) {
        seal = (seal ^ words[i]) * UINT64_C(0xD6E8FEB86659FD93);
        seal ^= seal >> 32;
    }
    return seal;
}

/* The seal stands behind exactly those words. */
typedef char tabula_seal_covers_all[sizeof(tabula_rules) == 5 * sizeof(uint64_t) ? 1 : -1];

/* The sum of all 32 nibbles. Four of them fit a byte, eight such bytes do not: they are added up two and two. */
static inline int tabula_nibble_sum(uint64_t lo, uint64_t hi) {
    const uint64_t low = UINT64_C(0x0F0F0F0F0F0F0F0F), bytes = UINT64_C(0x00FF00FF00FF00FF);
    const uint64_t sums = (lo & low) + (lo >> 4 & low) + (hi & low) + (hi >> 4 & low);
    return (int)(((sums & bytes) + (sums >> 8 & bytes)) * UINT64_C(0x0001000100010001) >> 48);
}

/* Whether both sides have so many checkers each, and nothing stands above their counts. All that memory depends on. */
static inline int tabula_has_checkers(const tabula_position *position, int checkers) {
    return (position->mover.hi | position->other.hi) >> 40 == 0
        && tabula_nibble_sum(position->mover.lo, position->mover.hi) == checkers
        && tabula_nibble_sum(position->other.lo, position->other.hi) == checkers;
}

#endif
