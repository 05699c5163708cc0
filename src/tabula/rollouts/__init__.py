"""Rollouts: what a position is worth, measured by games that an evaluator plays from it on both sides.

Two means are given of the same games. The plain one is that of their results. For the reduced one the luck of each roll is taken
off: what the best play of this roll is worth, less the mean of the same over all rolls, both by the evaluator. The luck has mean
zero whatever the evaluator is, so both means estimate the same; the better the evaluator is, the less the reduced results vary.

The throws are stratified. Among the first 36 games of two dice every first throw comes once, among the next 36 again; likewise
every second throw and each later one, and among 1,296 games every pair of the first two. With three dice it is 216 and 46,656. The
standard errors are those of independent games, and so too large rather than too small.

Values and chances speak for the side to move in the position, and in a comparison for the side that makes the play.

>>> import numpy as np
>>> from tabula import BACKGAMMON, Position, rollouts
>>> def pips(positions):
...     return np.tanh(((positions[:, 1] - positions[:, 0]) @ (25 - np.arange(26))) / 50)
>>> found = rollouts.rollout(Position(BACKGAMMON), pips, 72, rng=np.random.default_rng(1), horizon=4)
>>> found.games, found.se < found.plain_se
(72, True)
"""

from tabula.rollouts.play import MOST_GAMES, compare, rollout
from tabula.rollouts.results import Comparison, Rollout

__all__ = ["MOST_GAMES", "Comparison", "Rollout", "compare", "rollout"]
