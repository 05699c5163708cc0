/* capi_checks.h - what the C interface looks at before it believes a struct or a roll: the seal of rules, and dice. Private. */
#ifndef TABULA_CHECKS_H
#define TABULA_CHECKS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rolls.h"
#include "tabula.h"

/* A sum over everything that stands before the seal. Each word is multiplied by an odd number, so that a change in one of them
 * always shows; of other changes one in 2^64 does not. */
static inline uint64_t tabula_seal(const tabula_rules *rules) {
    uint64_t words[offsetof(tabula_rules, seal) / sizeof(uint64_t)], seal = TABULA_ABI_VERSION;
    size_t i;
    memcpy(words, rules, sizeof words);
    for (i = 0; i < sizeof words / sizeof words[0]; i++) seal = seal * UINT64_C(0x9E3779B97F4A7C15) + words[i];
    return seal;
}

/* The seal is the last word, behind whole words. */
typedef char tabula_seal_covers_all
    [offsetof(tabula_rules, seal) % 8 == 0 && offsetof(tabula_rules, seal) + 8 == sizeof(tabula_rules) ? 1 : -1];

#endif
