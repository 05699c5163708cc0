/* bot.h - a bot that plays at random. It is plain C: it knows nothing of Python, and is handed the functions of tabula. */
#ifndef BOT_H
#define BOT_H

#include "tabula.h"

typedef struct bot_totals {
    int64_t first, second, points, plies, plays;
} bot_totals;

/* Plays so many games of the bot against itself and fills the totals. Returns 0, or the code of what went wrong. */
int bot_play(const tabula_api *tabula, const char *game, int games, uint64_t seed, bot_totals *totals);

#endif
