"""The games of a rollout: a unit of work plays some of them side by side."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

import numpy as np

from tabula import batch
from tabula._arguments import flag, thread_count, within
from tabula.dice import FACES
from tabula.evaluate import swap_sides
from tabula.playouts import MOST_PLIES as MOST_PLIES_OF_A_GAME
from tabula.playouts.play import gave_up
from tabula.rollouts.results import CUT, FINISHED, GIVEN_UP
from tabula.search import MOST_PLIES, Tree, checked_filters, over_rolls, search

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabula._native.position import Position
    from tabula.evaluate import Evaluator
    from tabula.search import Filters
    from tabula.work.threads import Stop

__all__ = ["SENT", "Games", "Settings"]

SENT: Final = np.dtype("<f8")
"""A number of a result as it is sent and stored, by machines of either byte order."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """How games are played and measured."""

    plies: int
    filters: Filters
    horizon: int | None
    reduce: bool | None
    stratify: bool
    max_plies: int
    threads: int

    def __post_init__(self) -> None:
        within("plies", self.plies, 0, MOST_PLIES)
        checked_filters(self.filters)
        if self.horizon is not None:
            within("horizon", self.horizon, 1, MOST_PLIES_OF_A_GAME)
        if self.reduce is not None:
            flag("reduce", self.reduce)
        flag("stratify", self.stratify)
        within("max_plies", self.max_plies, 1, MOST_PLIES_OF_A_GAME)
        thread_count(self.threads)

    @property
    def reduces(self) -> bool:
        return self.plies > 0 or self.horizon is not None if self.reduce is None else self.reduce


@dataclasses.dataclass(frozen=True)
class Games:
    """A unit of work: games side by side from one position, those with the numbers from `first` on."""

    start: Position
    evaluator: Evaluator
    seed: int
    first: int
    games: int
    settings: Settings

    def __str__(self) -> str:
        return f"games {self.first:,}..{self.first + self.games - 1:,} from {self.start.to_text()}"

    def run(self, stop: Stop) -> bytes:
        return self.play(stop).astype(SENT).tobytes()

    def play(self, stop: Stop | None) -> NDArray[np.float64]:
        """A row for each game: its plain and its reduced result, its plies and how it ended."""
        rules, settings = self.start.rules, self.settings
        tree = Tree(self.evaluator, rules, None, _BATCH, settings.threads)
        boards = np.repeat(self.start.to_array()[None], self.games, axis=0)
        luck: list[NDArray[np.float64]] = []
        plies, endings = np.zeros(self.games, np.int64), np.full(self.games, FINISHED)
        going = np.arange(self.games) if self.start.outcome is None else np.arange(0)
        limit = settings.max_plies if settings.horizon is None else min(settings.horizon, settings.max_plies)
        for ply in range(limit):
            if not len(going):
                break
            if stop is not None:
                stop.check()
            rolls, before = self._throws(ply)[going], boards[going]
            if settings.reduces:
                boards[going], lucky = self._measured(tree, boards[going], rolls, ply)
                if not luck:
                    luck.append(np.zeros((self.games, lucky.shape[1])))
                luck[0][going] += lucky
            else:
                boards[going] = self._chosen(tree, boards[going], rolls)
            plies[going] = ply + 1
            stuck = gave_up(before, boards[going], rules)
            endings[going[stuck]] = GIVEN_UP
            going = going[~stuck & (batch.outcome(boards[going], rules=rules, check=False) == 0)]
        endings[going] = CUT if settings.horizon is not None and settings.horizon <= settings.max_plies else GIVEN_UP
        # Row 0 of a board is the side to move in the start if an even number of plies has been played.
        values = tree.evaluate(boards)
        plain = _columns(np.where(_like(plies % 2 == 0, values), values, swap_sides(values)))
        reduced = plain - luck[0] if luck else plain
        return np.concatenate([plain, reduced, plies[:, None], endings[:, None]], axis=1)

    def _chosen(self, tree: Tree, boards: NDArray[np.int8], rolls: NDArray[np.uint8]) -> NDArray[np.int8]:
        rules, settings = self.start.rules, self.settings
        if settings.plies == 0:
            return tree.best_afterstates(batch.afterstates(boards, rolls, rules=rules, threads=settings.threads, check=False))
        found = search(
            boards,
            rolls,
            self.evaluator,
            rules=rules,
            plies=settings.plies,
            filters=settings.filters,
            batch=_BATCH,
            threads=settings.threads,
        )
        return batch.play(boards, rolls, found.best, rules=rules, threads=settings.threads, check=False)

    def _measured(
        self, tree: Tree, boards: NDArray[np.int8], rolls: NDArray[np.uint8], ply: int
    ) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
        """The boards after the plays, and the luck of the rolls for the side to move in the start, (n, 1) or (n, 5)."""
        ahead = batch.all_rolls(boards, rules=self.start.rules, threads=self.settings.threads, check=False)
        best, worth = tree.best_replies(ahead)
        # Worth to the next player, who is the side to move in the start after an odd number of plies, which `ply` is the last of.
        worth = _columns(worth if ply % 2 else swap_sides(worth)).reshape(len(boards), len(ahead.rolls), -1)
        thrown = _numbers(ahead.rolls)[_codes(np.sort(rolls, axis=1)[:, ::-1])]
        luck = worth[np.arange(len(boards)), thrown] - over_rolls(ahead, worth)
        if self.settings.plies:
            return self._chosen(tree, boards, rolls), luck
        rows = np.arange(len(boards)) * len(ahead.rolls) + thrown
        return ahead.positions[ahead.offsets[rows] + best[rows]], luck

    def _throws(self, ply: int) -> NDArray[np.uint8]:
        """The dice of every game at a ply, (n, dice)."""
        n = self.start.rules.dice
        throws = FACES**n
        numbers = np.arange(self.first, self.first + self.games)
        if not self.settings.stratify:
            faces = np.random.default_rng([self.seed, ply, self.first]).integers(throws, size=self.games)
        else:
            # One order of all throws for `size` games. At each ply every throw comes once in a block. In the second ply the order
            # begins one later in each following block, so that every pair of the first two throws comes once.
            size = throws if ply > 1 else throws**2
            shift = numbers // throws if ply == 1 else np.zeros_like(numbers)
            order = {
                block: np.random.default_rng([self.seed, ply, block]).permutation(throws)
                for block in range(self.first // size, int(numbers[-1]) // size + 1)
            }
            turns = zip((numbers // size).tolist(), ((numbers + shift) % throws).tolist(), strict=True)
            faces = np.array([order[block][place] for block, place in turns])
        return (faces[:, None] // FACES ** np.arange(n) % FACES + 1).astype(np.uint8)


_BATCH: Final = 1 << 16


def _columns(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values[:, None] if values.ndim == 1 else values


def _like(rows: NDArray[np.bool_], values: NDArray[np.float64]) -> NDArray[np.bool_]:
    return rows if values.ndim == 1 else rows[:, None]


def _codes(rolls: NDArray[np.uint8]) -> NDArray[np.int64]:
    """A number for each roll, the largest die first."""
    return rolls.astype(np.int64) @ (FACES + 1) ** np.arange(rolls.shape[1])


def _numbers(rolls: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The number of each roll among `rolls`, by its code."""
    found = np.zeros((FACES + 1) ** rolls.shape[1], np.int64)
    found[_codes(rolls)] = np.arange(len(rolls))
    return found
