/* capi_checks.h - what the C interface looks at before it believes a struct: the seal of rules, and a side's checkers. Private. */
#ifndef TABULA_CHECKS_H
#define TABULA_CHECKS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rolls.h"
#include "tabula.h"

#if !defined(TABULA_PLAIN) && (defined(__SSE2__) || defined(_M_X64))
#include <emmintrin.h>
#endif

/* A sum over everything that stands before the seal. Each word is multiplied by an odd number, so that a change in one of them
 * always shows; of other changes one in 2^64 does not. */
static inline uint64_t tabula_seal(const tabula_rules *rules) {
    uint64_t fields[2];
    memcpy(fields, &rules->dice, sizeof fields);
    return UINT64_C(0x9E3779B97F4A7C15) * TABULA_ABI_VERSION + rules->setup.lo * UINT64_C(0xD6E8FEB86659FD93)
        + rules->setup.hi * UINT64_C(0xBF58476D1CE4E5B9) + fields[0] * UINT64_C(0x94D049BB133111EB)
        + fields[1] * UINT64_C(0xD1B54A32D192ED03);
}

/* The seal stands behind exactly those words. */
typedef char tabula_seal_covers_all[offsetof(tabula_rules, dice) == 16 && offsetof(tabula_rules, seal) == 32 ? 1 : -1];

/* The sum of all 32 nibbles. Four of them fit a byte, eight such bytes do not: they are added up two and two. */
static inline int tabula_nibble_sum(uint64_t lo, uint64_t hi) {
    const uint64_t low = UINT64_C(0x0F0F0F0F0F0F0F0F), bytes = UINT64_C(0x00FF00FF00FF00FF);
    const uint64_t sums = (lo & low) + (lo >> 4 & low) + (hi & low) + (hi >> 4 & low);
    return (int)(((sums & bytes) + (sums >> 8 & bytes)) * UINT64_C(0x0001000100010001) >> 48);
}

/* Whether both sides have so many checkers each, and nothing stands above their counts. All that memory depends on. */
#if !defined(TABULA_PLAIN) && (defined(__SSE2__) || defined(_M_X64))
static inline int tabula_has_checkers(const tabula_position *position, int checkers) {
    const __m128i low = _mm_set1_epi8(0x0F), zero = _mm_setzero_si128(), both = _mm_set1_epi64x(checkers);
    const __m128i x = _mm_loadu_si128((const __m128i *)&position->mover), y = _mm_loadu_si128((const __m128i *)&position->other);
    const __m128i of_x = _mm_sad_epu8(_mm_add_epi8(_mm_and_si128(x, low), _mm_and_si128(_mm_srli_epi16(x, 4), low)), zero);
    const __m128i of_y = _mm_sad_epu8(_mm_add_epi8(_mm_and_si128(y, low), _mm_and_si128(_mm_srli_epi16(y, 4), low)), zero);
    const __m128i sums = _mm_add_epi64(_mm_unpacklo_epi64(of_x, of_y), _mm_unpackhi_epi64(of_x, of_y));
    return (position->mover.hi | position->other.hi) >> 40 == 0 && _mm_movemask_epi8(_mm_cmpeq_epi8(sums, both)) == 0xFFFF;
}
#else
static inline int tabula_has_checkers(const tabula_position *position, int checkers) {
    return (position->mover.hi | position->other.hi) >> 40 == 0
        && tabula_nibble_sum(position->mover.lo, position->mover.hi) == checkers
        && tabula_nibble_sum(position->other.lo, position->other.hi) == checkers;
}
#endif

#endif
