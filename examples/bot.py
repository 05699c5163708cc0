"""A bot in thirty lines. It scores every board that it can leave, and takes the best.

python examples/bot.py          plays 400 games of Tabula against random play, and prints how many it won
"""

import numpy as np

from tabula import TABULA, batch
from tabula.playouts import wilson

GAMES = 400
PIPS = 25 - np.arange(26)


def score(after):
    """How good boards are for the side that has just played: int8 (m, 2, 26) in, m numbers out. Row 1 of each is that side."""
    other, own = after[:, 0], after[:, 1]
    ahead = (other - own) @ PIPS
    blots = (own[:, 1:25] == 1).sum(axis=1)
    return ahead - 3 * blots + 3 * other[:, 0]


def bot_wins(rng):
    """How many games the bot wins; it moves first in every other one."""
    positions = batch.start(GAMES, rules=TABULA)
    going, ply, won = np.arange(GAMES), 0, 0
    while len(going):
        after = batch.afterstates(positions[going], batch.roll(len(going), rng=rng, rules=TABULA), rules=TABULA)
        bots = going % 2 == ply % 2
        chosen = after.best(np.where(bots[after.rows], score(after.positions), rng.random(len(after.positions))))
        positions[going] = after.at(chosen)
        over = batch.outcome(positions[going], rules=TABULA) != 0
        going, ply, won = going[~over], ply + 1, won + int((over & bots).sum())
    return won


if __name__ == "__main__":
    won = bot_wins(np.random.default_rng(1))
    low, high = wilson(won, GAMES)
    print(f"The bot won {won} of {GAMES} games. 95% interval for its chance: {low:.1%} to {high:.1%}.")
