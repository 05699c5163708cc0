"""Evaluators for tests: simple ones, and exact tables of games with one checker a side, solved here."""

from __future__ import annotations

import numpy as np

from tabula import Rules, batch

ONE_CHECKER = Rules(
    dice=2,
    doubles="twice",
    direction="opposed",
    numbering="down",
    stack_limit=None,
    enter_first=True,
    half_gate=False,
    home_start=19,
    gates="move",
    bear_off="rearmost",
    larger_die=True,
    highest_win=3,
    opening="split",
    setup=(0, 1, *(0,) * 24),
    name="one checker",
)
"""Backgammon with one checker a side, which starts on its 24-point: a win can count three."""

TRAVEL = 25 - np.arange(26)


def pips(positions: np.ndarray) -> np.ndarray:
    """The lead in pips and blots, as a small fraction of a point: without the blots greedy players hit each other for ever."""
    blots = (positions[:, :, 1:25] == 1).sum(axis=2)
    return ((positions[:, 1] - positions[:, 0]) @ TRAVEL + 4 * (blots[:, 1] - blots[:, 0])) / 1000


def chances_by_pips(positions: np.ndarray) -> np.ndarray:
    """Five chances that are cumulative and grow with the lead in pips."""
    win = 1 / (1 + np.exp(-20 * pips(positions)))
    return np.stack([win, 0.3 * win, 0.02 * win, 0.3 * (1 - win), 0.02 * (1 - win)], axis=1)


def middle(rules: Rules, n: int, plies: int = 30, seed: int = 3) -> np.ndarray:
    """Positions from the middle of random games that are not over."""
    rng = np.random.default_rng(seed)
    positions = batch.start(n, rules=rules)
    for _ in range(plies):
        after = batch.random_play(positions, batch.roll(n, rng=rng, rules=rules), rules=rules, rng=rng)
        going = batch.outcome(after, rules=rules) == 0
        positions[going] = after[going]
    return positions


class ExactTable:
    """The chances of every position in which each side has one checker left, by sweeps until nothing changes.

    The mover's best play is the one with the most points. Both sides have `checkers` in all, so that gammons are as the rules say.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        off = rules.checkers - 1
        tracks = np.zeros((26, 26), np.int8)
        tracks[np.arange(26), np.arange(26)] += 1
        tracks[:, 25] += off
        every = np.stack([np.repeat(tracks, 26, axis=0), np.tile(tracks, (26, 1))], axis=1)
        legal = batch.validate(every, rules=rules).legal
        going = legal & (every[:, :, 25] == off).all(axis=1)
        self.values = np.full((26 * 26, 5), np.nan)
        outcomes = batch.outcome(every[legal], rules=rules)
        signs = outcomes[:, None] * np.array([1, 1, 1, -1, -1]) >= np.array([1, 2, 3, 2, 3])
        self.values[legal] = np.where(outcomes[:, None] != 0, signs, 0.5)
        ahead = batch.all_rolls(every[going], rules=rules)
        places = self._index(ahead.positions)
        while True:
            w, wg, wb, lg, lb = self.values[places].T
            points = 2 * w - 1 + wg + wb - lg - lb
            best = ahead.offsets[:-1] + ahead.best(-points)
            seen = np.stack([1 - w, lg, lb, wg, wb], axis=1)[best]
            mean = (seen * ahead.weights[:, None]).reshape(going.sum(), -1, 5).sum(axis=1)
            change = np.abs(mean - self.values[going]).max()
            self.values[going] = mean
            if change < 1e-15:
                break
        self.positions = every[going]

    @staticmethod
    def _index(positions: np.ndarray) -> np.ndarray:
        # The one checker that is left, or none: then all are off.
        left = positions[:, :, :25]
        where = np.where(left.any(axis=2), left.argmax(axis=2), 25)
        return where[:, 0] * 26 + where[:, 1]

    def covers(self, positions: np.ndarray) -> np.ndarray:
        """Whether each side has at most one checker left."""
        return (positions[:, :, :25].sum(axis=2) <= 1).all(axis=1)

    def __call__(self, positions: np.ndarray) -> np.ndarray:
        assert self.covers(positions).all()
        return self.values[self._index(positions)]

    def points(self, positions: np.ndarray) -> np.ndarray:
        w, wg, wb, lg, lb = self(positions).T
        return 2 * w - 1 + wg + wb - lg - lb
