/* bits.h - what Cython cannot say: SIMD, bit counting and a relaxed exchange, each with a portable twin. Private. */
#ifndef TABULA_BITS_H
#define TABULA_BITS_H

#include <stdint.h>
#include <string.h>

#include "tabula.h"

/* Whether what must hold after every step is looked at: see invariants.pxi. */
#ifndef TABULA_CHECKED
#define TABULA_CHECKED 0
#endif

/* TABULA_PLAIN leaves the twins in plain C, which other processors have, on this one too. */
#if !defined(TABULA_PLAIN) && (defined(__SSE2__) || defined(_M_X64))
#define TABULA_SSE2 1
#include <emmintrin.h>
#else
#define TABULA_SSE2 0
#endif

#if defined(_MSC_VER)
#include <intrin.h>
static inline int tabula_ctz(uint32_t x) {
    unsigned long i;
    _BitScanForward(&i, x);
    return (int)i;
}

static inline int tabula_clz(uint32_t x) {
    unsigned long i;
    _BitScanReverse(&i, x);
    return 31 - (int)i;
}

static inline int tabula_ctz64(uint64_t x) {
    unsigned long i;
    if (_BitScanForward(&i, (uint32_t)x)) return (int)i;
    _BitScanForward(&i, (uint32_t)(x >> 32));
    return (int)i + 32;
}
#else
#define tabula_ctz(x) __builtin_ctz(x)
#define tabula_ctz64(x) __builtin_ctzll(x)
#define tabula_clz(x) __builtin_clz(x)
#endif

/* Puts another pointer into a slot that threads share, and returns what was there. */
#if defined(_MSC_VER)
#define tabula_swap(slot, block) _InterlockedExchangePointer((void *volatile *)(slot), (block))
#else
#define tabula_swap(slot, block) __atomic_exchange_n((void **)(slot), (void *)(block), __ATOMIC_ACQ_REL)
#endif

/* The bits of a mask, and of two masks together. */
#if defined(__POPCNT__)
#define tabula_popcount(x) __builtin_popcount(x)
#define tabula_popcount_sum(x, y) __builtin_popcountll((uint64_t)(x) | (uint64_t)(y) << 32)
#else
static inline int tabula_popcount(uint32_t x) {
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    return (int)((((x + (x >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24);
}

static inline int tabula_popcount_sum(uint32_t x, uint32_t y) {
    uint64_t v = (uint64_t)x | (uint64_t)y << 32;
    v = v - ((v >> 1) & UINT64_C(0x5555555555555555));
    v = (v & UINT64_C(0x3333333333333333)) + ((v >> 2) & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (int)(v * UINT64_C(0x0101010101010101) >> 56);
}
#endif

/* Bit i to bit 25 - i: a mask of one side's indices as the other side counts them when the sides are opposed. */
static inline uint32_t tabula_reverse(uint32_t x) {
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0F0F0F0Fu) | ((x & 0x0F0F0F0Fu) << 4);
#if defined(_MSC_VER)
    x = _byteswap_ulong(x);
#else
    x = __builtin_bswap32(x);
#endif
    return x >> 6;
}

/* How many bytes of the rules are reserved: the core's choice of the byte that holds the way follows from it. */
enum { TABULA_N_RESERVED = sizeof(((tabula_rules *)0)->reserved) };

#define TABULA_SIDE_HI UINT64_C(0xFFFFFFFFFF)

/* The sum of all 32 nibbles. Four of them fit a byte, eight such bytes do not: they are added up two and two. */
static inline int tabula_nibble_sum(uint64_t lo, uint64_t hi) {
    const uint64_t low = UINT64_C(0x0F0F0F0F0F0F0F0F), bytes = UINT64_C(0x00FF00FF00FF00FF);
    const uint64_t sums = (lo & low) + (lo >> 4 & low) + (hi & low) + (hi >> 4 & low);
    return (int)(((sums & bytes) + (sums >> 8 & bytes)) * UINT64_C(0x0001000100010001) >> 48);
}

/* Whether both sides have so many checkers each, and nothing stands above their counts. All that memory depends on. */
#if TABULA_SSE2
static inline int tabula_has_checkers(const tabula_position *position, int checkers) {
    const __m128i low = _mm_set1_epi8(0x0F), zero = _mm_setzero_si128(), both = _mm_set1_epi64x(checkers);
    const __m128i x = _mm_loadu_si128((const __m128i *)&position->mover), y = _mm_loadu_si128((const __m128i *)&position->other);
    const __m128i of_x = _mm_sad_epu8(_mm_add_epi8(_mm_and_si128(x, low), _mm_and_si128(_mm_srli_epi16(x, 4), low)), zero);
    const __m128i of_y = _mm_sad_epu8(_mm_add_epi8(_mm_and_si128(y, low), _mm_and_si128(_mm_srli_epi16(y, 4), low)), zero);
    const __m128i sums = _mm_add_epi64(_mm_unpacklo_epi64(of_x, of_y), _mm_unpackhi_epi64(of_x, of_y));
    return ((position->mover.hi | position->other.hi) & ~TABULA_SIDE_HI) == 0
        && _mm_movemask_epi8(_mm_cmpeq_epi8(sums, both)) == 0xFFFF;
}
#else
static inline int tabula_has_checkers(const tabula_position *position, int checkers) {
    return ((position->mover.hi | position->other.hi) & ~TABULA_SIDE_HI) == 0
        && tabula_nibble_sum(position->mover.lo, position->mover.hi) == checkers
        && tabula_nibble_sum(position->other.lo, position->other.hi) == checkers;
}
#endif

/* Bit-planes: bit i of plane k is bit k of the count at index i. The upper 24 bits of hi are not looked at. */
#if TABULA_SSE2
static inline __m128i tabula_nibbles(uint64_t word) {
    const __m128i low = _mm_set1_epi8(0x0F);
    const __m128i x = _mm_loadl_epi64((const __m128i *)&word);
    return _mm_unpacklo_epi8(_mm_and_si128(x, low), _mm_and_si128(_mm_srli_epi16(x, 4), low));
}

static inline void tabula_planes(uint64_t lo, uint64_t hi, uint32_t planes[4]) {
    const __m128i a = tabula_nibbles(lo), b = tabula_nibbles(hi & TABULA_SIDE_HI);
    planes[0] = (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(a, 7)) | (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(b, 7)) << 16;
    planes[1] = (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(a, 6)) | (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(b, 6)) << 16;
    planes[2] = (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(a, 5)) | (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(b, 5)) << 16;
    planes[3] = (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(a, 4)) | (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(b, 4)) << 16;
}

/* A side as 26 bytes, exactly; `counts` needs no alignment. */
static inline void tabula_unpack(uint64_t lo, uint64_t hi, int8_t *counts) {
    const __m128i a = tabula_nibbles(lo), b = tabula_nibbles(hi);
    const uint16_t tail = (uint16_t)_mm_extract_epi16(b, 4);
    _mm_storeu_si128((__m128i *)counts, a);
    _mm_storel_epi64((__m128i *)(counts + 16), b);
    memcpy(counts + 24, &tail, 2);
}

/* A side as 26 bytes and 6 more that are of no meaning. */
static inline void tabula_unpack_wide(uint64_t lo, uint64_t hi, int8_t *counts) {
    _mm_storeu_si128((__m128i *)counts, tabula_nibbles(lo));
    _mm_storeu_si128((__m128i *)(counts + 16), tabula_nibbles(hi));
}

static inline void tabula_copy_wide(const int8_t *from, int8_t *counts) {
    _mm_storeu_si128((__m128i *)counts, _mm_loadu_si128((const __m128i *)from));
    _mm_storeu_si128((__m128i *)(counts + 16), _mm_loadu_si128((const __m128i *)(from + 16)));
}

/* 26 bytes as a side. Returns the sum of the bytes read as unsigned: if it is 15 or less, every count is 0..15 and the side is
 * right. `standing` gets the indices with any, `crowded` those with more than `limit`. */
static inline int tabula_pack(
    const int8_t *counts, int limit, uint64_t *lo, uint64_t *hi, uint32_t *standing, uint32_t *crowded) {
    const __m128i zero = _mm_setzero_si128(), low = _mm_set1_epi16(0x00FF), most = _mm_set1_epi8((char)limit);
    const __m128i a = _mm_loadu_si128((const __m128i *)counts);
    const __m128i b = _mm_srli_si128(_mm_loadu_si128((const __m128i *)(counts + 10)), 6);
    const __m128i sums = _mm_add_epi64(_mm_sad_epu8(a, zero), _mm_sad_epu8(b, zero));
    const __m128i words = _mm_packus_epi16(
        _mm_and_si128(_mm_or_si128(a, _mm_srli_epi16(a, 4)), low), _mm_and_si128(_mm_or_si128(b, _mm_srli_epi16(b, 4)), low));
    const __m128i upper = _mm_srli_si128(words, 8);
    _mm_storel_epi64((__m128i *)lo, words);
    _mm_storel_epi64((__m128i *)hi, upper);
    *standing = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(a, zero)) | (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(b, zero)) << 16;
    *crowded = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(a, most)) | (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(b, most)) << 16;
    return _mm_extract_epi16(sums, 0) + _mm_extract_epi16(sums, 4);
}
/* The same of a side that is words already, whose upper 24 bits of hi are zero. Returns the sum of its counts. */
static inline int tabula_look(uint64_t lo, uint64_t hi, int limit, uint32_t *standing, uint32_t *crowded) {
    const __m128i zero = _mm_setzero_si128(), most = _mm_set1_epi8((char)limit);
    const __m128i a = tabula_nibbles(lo), b = tabula_nibbles(hi);
    const __m128i sums = _mm_sad_epu8(_mm_add_epi8(a, b), zero);
    *standing = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(a, zero)) | (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(b, zero)) << 16;
    *crowded = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(a, most)) | (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(b, most)) << 16;
    return _mm_extract_epi16(sums, 0) + _mm_extract_epi16(sums, 4);
}
#else
static inline uint32_t tabula_gather(uint64_t x) {
    x &= UINT64_C(0x1111111111111111);
    x = (x | x >> 3) & UINT64_C(0x0303030303030303);
    x = (x | x >> 6) & UINT64_C(0x000F000F000F000F);
    x = (x | x >> 12) & UINT64_C(0x000000FF000000FF);
    return (uint32_t)(x | x >> 24) & 0xFFFFu;
}

static inline void tabula_planes(uint64_t lo, uint64_t hi, uint32_t planes[4]) {
    int k;
    hi &= TABULA_SIDE_HI;
    for (k = 0; k < 4; k++) planes[k] = tabula_gather(lo >> k) | tabula_gather(hi >> k) << 16;
}

static inline void tabula_unpack(uint64_t lo, uint64_t hi, int8_t *counts) {
    int i;
    for (i = 0; i < 16; i++) counts[i] = (int8_t)(lo >> 4 * i & 15);
    for (i = 0; i < 10; i++) counts[16 + i] = (int8_t)(hi >> 4 * i & 15);
}

#define tabula_unpack_wide tabula_unpack

static inline void tabula_copy_wide(const int8_t *from, int8_t *counts) {
    memcpy(counts, from, TABULA_TRACK);
}

static inline int tabula_pack(
    const int8_t *counts, int limit, uint64_t *lo, uint64_t *hi, uint32_t *standing, uint32_t *crowded) {
    int i, sum = 0;
    *lo = *hi = 0;
    *standing = *crowded = 0;
    for (i = 0; i < TABULA_TRACK; i++) {
        sum += (uint8_t)counts[i];
        if (i < 16) *lo |= (uint64_t)(counts[i] & 15) << 4 * i;
        else *hi |= (uint64_t)(counts[i] & 15) << 4 * (i - 16);
        *standing |= (uint32_t)(counts[i] > 0) << i;
        *crowded |= (uint32_t)(counts[i] > limit) << i;
    }
    return sum;
}

static inline int tabula_look(uint64_t lo, uint64_t hi, int limit, uint32_t *standing, uint32_t *crowded) {
    uint64_t again[2];
    int8_t counts[TABULA_TRACK];
    tabula_unpack(lo, hi, counts);
    return tabula_pack(counts, limit, &again[0], &again[1], standing, crowded);
}
#endif

/* Plays that differ from a side's two words by one change each, and share `hits`, the upper word's bits. Of the n changes, those
 * whose source is among the selected ones are put one after another; returns where they end. The others are written too, and the
 * next play is written over them, so that the processor has no branch to predict. `play` has room for four plays more than are
 * selected, and `change` and `source` have three entries more, whose sources are 0. */
static inline tabula_play *tabula_put_selected(
    tabula_play *play, uint64_t lo, uint64_t hi, uint64_t hits, const tabula_side *change, const uint32_t *source, int n,
    uint32_t selected) {
    const tabula_side *end = change + n;
#if TABULA_SSE2
    const __m128i all = _mm_set_epi64x((long long)hi, (long long)lo), hit = _mm_set_epi64x((long long)hits, 0);
#define TABULA_PUT(k)                                                                                                                \
    _mm_storeu_si128(                                                                                                                \
        (__m128i *)play, _mm_or_si128(_mm_add_epi64(all, _mm_loadu_si128((const __m128i *)(change + (k)))), hit));                   \
    play += (selected & source[k]) != 0;
#else
#define TABULA_PUT(k)                                                                                                                \
    play->lo = lo + change[k].lo;                                                                                                    \
    play->hi = (hi + change[k].hi) | hits;                                                                                           \
    play += (selected & source[k]) != 0;
#endif
    while (change < end) {
        TABULA_PUT(0)
        TABULA_PUT(1)
        TABULA_PUT(2)
        TABULA_PUT(3)
        change += 4;
        source += 4;
    }
#undef TABULA_PUT
    return play;
}

/* The first n of some plays, each with one more change: `lo` and `hi` are added to its words. Up to four more are read and written
 * after them, which the room for both must allow. */
static inline void tabula_put_changed(tabula_play *play, const tabula_play *from, int n, uint64_t lo, uint64_t hi) {
    const tabula_play *end = from + n;
#if TABULA_SSE2
    const __m128i change = _mm_set_epi64x((long long)hi, (long long)lo);
#define TABULA_PUT(k) \
    _mm_storeu_si128((__m128i *)(play + (k)), _mm_add_epi64(_mm_loadu_si128((const __m128i *)(from + (k))), change));
#else
#define TABULA_PUT(k)             \
    play[k].lo = from[k].lo + lo; \
    play[k].hi = from[k].hi + hi;
#endif
    do {
        TABULA_PUT(0)
        TABULA_PUT(1)
        TABULA_PUT(2)
        TABULA_PUT(3)
        from += 4;
        play += 4;
    } while (from < end);
#undef TABULA_PUT
}

#endif
