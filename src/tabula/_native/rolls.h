/* rolls.h - the check of dice that come from outside. Private. */
#ifndef TABULA_ROLLS_H
#define TABULA_ROLLS_H

#include <stdint.h>

/* The dice of a roll, the largest first, as the generator takes them; 0 if one of them is not 1..6. */
static inline int tabula_sort_roll(int dice, const uint8_t *roll, uint8_t *sorted) {
    const uint8_t a = roll[0], b = dice > 1 ? roll[1] : 1, c = dice > 2 ? roll[2] : 1;
    const uint8_t more = a > b ? a : b, less = a > b ? b : a, rest = c > less ? less : c, middle = c > less ? c : less;
    sorted[0] = middle > more ? middle : more;
    sorted[1] = middle > more ? more : middle;
    sorted[2] = rest;
    return rest >= 1 && sorted[0] <= 6;
}

#endif
