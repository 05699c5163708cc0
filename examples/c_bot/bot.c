#include "bot.h"

#include <string.h>

#define MAX_PLIES 10000

static int play_game(const tabula_api *tabula, const tabula_rules *rules, tabula_stream stream, bot_totals *totals) {
    tabula_position position;
    tabula_play play;
    uint8_t roll[TABULA_MAX_DICE];
    int ply, n, points = 0, wrong = tabula->start(rules, &position);
    for (ply = 0; ply < MAX_PLIES && !wrong && !points; ply++) {
        tabula->stream_ply(&stream, (uint64_t)ply);
        tabula->stream_roll(&stream, rules->dice, roll);
        n = tabula->random_play(rules, &position, roll, &stream, &play);
        if (n < 0) return n;
        totals->plies += 1;
        totals->plays += n;
        wrong = tabula->apply(rules, &position, &play, &position);
        if (!wrong) wrong = tabula->outcome(rules, &position, &points);
        if (points) {
            /* The side that has just played has won: the first player after an odd number of plies. */
            if (ply % 2 == 0) totals->first += 1;
            else totals->second += 1;
            totals->points += ply % 2 == 0 ? points : -points;
        }
        tabula->swap_sides(&position);
    }
    return wrong;
}

int bot_play(const tabula_api *tabula, const char *game, int games, uint64_t seed, bot_totals *totals) {
    tabula_rules rules;
    int i, wrong = tabula->rules_preset(game, &rules);
    memset(totals, 0, sizeof *totals);
    for (i = 0; i < games && !wrong; i++) wrong = play_game(tabula, &rules, tabula->stream_seed(seed, (uint64_t)i), totals);
    return wrong;
}
