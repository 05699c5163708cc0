"""The calls that roll out: their arguments, their units of work, and where they stop."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Final

import numpy as np

from tabula._arguments import at_least, check_executor, check_progress, generator
from tabula._native.position import Position
from tabula.errors import short_repr
from tabula.evaluate import CHANCES, checked_evaluator, swap_sides
from tabula.playouts import MAX_PLIES
from tabula.rollouts.games import SENT, Games, Settings
from tabula.rollouts.results import Comparison, Rollout, points_of
from tabula.search import NORMAL

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from concurrent.futures import Executor
    from os import PathLike

    from numpy.typing import NDArray

    from tabula.dice import RollLike
    from tabula.evaluate import Evaluator
    from tabula.search import Filters
    from tabula.work.threads import Progress

__all__ = ["MOST_GAMES", "compare", "rollout"]

MOST_GAMES: Final = 1 << 32
"""The most games of one rollout: more than any memory holds."""


def rollout(
    position: Position,
    evaluator: Evaluator,
    games: int = 1296,
    *,
    rng: np.random.Generator,
    plies: int = 0,
    filters: Filters = NORMAL,
    horizon: int | None = None,
    reduce: bool | None = None,
    stratify: bool = True,
    stop: float | None = None,
    max_plies: int = MAX_PLIES,
    threads: int = 1,
    progress: Progress | None = None,
    executor: Executor | None = None,
    checkpoint: str | PathLike[str] | None = None,
) -> Rollout:
    """Plays games from a position, before the roll, and measures what it is worth to the side to move.

    The result depends on the arguments and one number of 64 bits that is drawn from `rng`; not on `threads`, `executor` or
    `checkpoint`.

    Parameters
    ----------
    position
        Where every game starts.
    evaluator
        What chooses the plays of both sides, and what measures luck.
    games
        How often to play, 1..2^32.
    plies, filters
        How each play is chosen, as `tabula.search.search` has them. Luck is measured at 0 plies all the same.
    horizon
        After this number of plies a game is cut, and its result is the evaluator's value there. None: games are played to the end.
    reduce
        Whether luck is measured, which looks at all rolls of every ply: some twenty times the evaluations at 0 plies. None: if
        `plies` is 1 or more, or there is a horizon.
    stratify
        Whether the throws are stratified; otherwise each is drawn by itself.
    stop
        No more games are begun when the standard error of the better estimate is no larger than this. It is looked at after every
        324 games of one or two dice, 216 of three.
    max_plies
        A game that is not over after this number of plies (1..16,777,216) is given up and counted; its result is the evaluator's
        value there.
    threads
        The threads that list plays. The evaluator is called by the caller's thread, or by the workers of an executor.
    progress
        Called with the number of finished games and of all games.
    executor, checkpoint
        As `tabula.playouts.playouts` takes them.

    Raises
    ------
    TypeError, ValueError
        An argument of the wrong type or out of its range; an evaluator for other rules or its wrong values.
    tabula.work.UnitFailedError, concurrent.futures.BrokenExecutor, OSError
        As `tabula.playouts.playouts` raises them, with an executor or a checkpoint.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import BACKGAMMON, Position
    >>> from tabula.bots import weigh
    >>> def careful(positions):
    ...     return -weigh(positions, rules=BACKGAMMON) / 100
    >>> found = rollout(Position(BACKGAMMON), careful, 36, rng=np.random.default_rng(1))
    >>> found.reduced_points is None, found.given_up, round(float(found.chances[0]), 1)
    (True, 0, 0.6)
    """
    settings = Settings(plies, filters, horizon, reduce, stratify, max_plies, threads)
    if not isinstance(position, Position):
        raise TypeError(f"position must be a Position, not {short_repr(position)}")
    run = _Run((position,), evaluator, games, settings, stop, progress, executor, checkpoint)
    return run.rollouts(rng, swapped=False)[0]


def compare(
    position: Position,
    roll: RollLike,
    evaluator: Evaluator,
    games: int = 1296,
    *,
    rng: np.random.Generator,
    plays: Sequence[int] | None = None,
    plies: int = 0,
    filters: Filters = NORMAL,
    horizon: int | None = None,
    reduce: bool | None = None,
    stratify: bool = True,
    stop: float | None = None,
    max_plies: int = MAX_PLIES,
    threads: int = 1,
    progress: Progress | None = None,
    executor: Executor | None = None,
    checkpoint: str | PathLike[str] | None = None,
) -> Comparison:
    """Rolls out the plays of a roll, game i of each on the same dice, and compares them.

    The parameters are those of `rollout`, and:

    Parameters
    ----------
    plays
        The numbers of the plays to compare, as `Position.plays` lists them, such as the first of ``tabula.search.search(...)[0]``.
        None: all of them.
    games
        How often each is played.
    stop
        No more games are begun when the standard error of no difference from the best is larger than this.

    Raises
    ------
    IndexError
        For a play that there is not.
    ValueError
        If the game is over, `plays` is empty or has one twice, and as `rollout` raises it.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import BACKGAMMON, Position
    >>> def pips(positions):
    ...     return np.tanh(((positions[:, 1] - positions[:, 0]) @ (25 - np.arange(26))) / 50)
    >>> start = Position(BACKGAMMON)
    >>> found = compare(start, "31", pips, 36, rng=np.random.default_rng(1), plays=[0, 1, 2], horizon=3)
    >>> len(found.rollouts), float(found.differences[0]), found.rollouts[0].points >= found.rollouts[1].points
    (3, 0.0, True)
    """
    settings = Settings(plies, filters, horizon, reduce, stratify, max_plies, threads)
    if not isinstance(position, Position):
        raise TypeError(f"position must be a Position, not {short_repr(position)}")
    listed = position.plays(roll)
    if not listed:
        raise ValueError(f"there are no plays to compare, for the game is over: {position.to_text()}")
    chosen = list(range(len(listed))) if plays is None else [at_least("a play", play, 0) for play in plays]
    for play in chosen:
        if play >= len(listed):
            raise IndexError(f"there is no play {play}, the roll has {len(listed)}")
    if not chosen or len(set(chosen)) < len(chosen):
        raise ValueError(f"plays must be different plays, one or more, not {short_repr(plays)}")
    starts = tuple(listed[play].position for play in chosen)
    run = _Run(starts, evaluator, games, settings, stop, progress, executor, checkpoint)
    found = run.rollouts(rng, swapped=True)
    order = sorted(range(len(found)), key=lambda each: -found[each].points)
    return Comparison(tuple(chosen[each] for each in order), tuple(found[each] for each in order))


class _Run:
    """The units of one call, and what becomes of their results."""

    def __init__(
        self,
        starts: tuple[Position, ...],
        evaluator: Evaluator,
        games: int,
        settings: Settings,
        stop: float | None,
        progress: Progress | None,
        executor: Executor | None,
        checkpoint: str | PathLike[str] | None,
    ) -> None:
        self.rules = starts[0].rules
        self.evaluator = checked_evaluator(evaluator, self.rules)
        self.starts = starts
        self.games = at_least("games", games, 1, MOST_GAMES)
        self.settings = settings
        if stop is not None and (isinstance(stop, bool) or not isinstance(stop, int | float | np.floating)):
            raise TypeError(f"stop must be a number or None, not {short_repr(stop)}")
        if stop is not None and not stop > 0:
            raise ValueError(f"stop must be more than 0, not {short_repr(stop)}")
        self.stop = stop
        check_progress(progress)
        check_executor(executor, settings.threads)
        self.progress, self.executor, self.checkpoint = progress, executor, checkpoint
        # A whole number of blocks of throws, and a divisor of the games after which the first two throws have all come once.
        self.size = 216 if self.rules.dice == 3 else 324

    def rollouts(self, rng: np.random.Generator, *, swapped: bool) -> list[Rollout]:
        state = generator(rng).bit_generator.state
        try:
            seed = int(rng.integers(0, 1 << 64, dtype=np.uint64))
            tables = self._played(seed)
        except BaseException:
            rng.bit_generator.state = state
            raise
        return [self._rollout(start, seed, table, swapped=swapped) for start, table in zip(self.starts, tables, strict=True)]

    def _rollout(self, start: Position, seed: int, table: NDArray[np.float64], *, swapped: bool) -> Rollout:
        width = (table.shape[1] - 2) // 2
        found = [table[:, :width], table[:, width : 2 * width]]
        if swapped:
            found = [swap_sides(each) if width == CHANCES else -each for each in found]
        plies, endings = (table[:, column].astype(np.int64) for column in (-2, -1))
        return Rollout(start, seed, found[0], found[1] if self.settings.reduces else None, plies, endings)

    def _played(self, seed: int) -> list[NDArray[np.float64]]:
        """For each start a table with a row for each game: its plain and its reduced result, its plies and how it ended."""
        units = [
            Games(start, self.evaluator, seed, first, min(self.size, self.games - first), self.settings)
            for first in range(0, self.games, self.size)
            for start in self.starts
        ]
        total = self.games * len(self.starts)
        found: dict[int, NDArray[np.float64]] = {}
        starts, complete, done = len(self.starts), 0, 0
        sums = _Sums(starts)
        if self.progress is not None:
            self.progress(0, total)
        with closing(self._results(units, seed)) as results:
            for number, table in results:
                found[number] = table
                done += len(table)
                if self.progress is not None:
                    self.progress(done, total)
                # Blocks in their order, so that where it stops does not depend on which is finished first.
                while not self._stops(sums) and all(complete * starts + each in found for each in range(starts)):
                    sums.add([_better_points(found[complete * starts + each]) for each in range(starts)])
                    complete += 1
                if self._stops(sums):
                    break
        return [np.concatenate([found[block * starts + each] for block in range(complete)]) for each in range(starts)]

    def _stops(self, sums: _Sums) -> bool:
        return self.stop is not None and sums.largest_se() <= self.stop

    def _results(self, units: list[Games], seed: int) -> Generator[tuple[int, NDArray[np.float64]], None, None]:
        if self.executor is None and self.checkpoint is None:
            for number, unit in enumerate(units):
                yield number, unit.play(None)
            return
        from tabula.work.units import results, unusable  # here, for it brings in the thread pool, pickle and JSON

        settings = self.settings
        own = self.evaluator if hasattr(self.evaluator, "__qualname__") else type(self.evaluator)
        question = {
            "kind": "rollout",
            "positions": [start.to_text() for start in self.starts],
            "evaluator": f"{own.__module__}.{own.__qualname__}",
            "games": self.games,
            "seed": seed,
            "plies": settings.plies,
            "filters": [None if each is None else list(each) for each in settings.filters],
            "horizon": settings.horizon,
            "reduce": settings.reduces,
            "stratify": settings.stratify,
            "max_plies": settings.max_plies,
            "rules": {field: value for field, value in self.rules.to_dict().items() if field != "name"},
        }
        with closing(results(units, len(units), question, executor=self.executor, checkpoint=self.checkpoint)) as found:
            for number, result in found:
                games = units[number].games
                columns = len(result) // (8 * games) if isinstance(result, bytes) else 0
                if columns not in (4, 2 * CHANCES + 2) or len(result) != 8 * games * columns:
                    raise unusable(number, result, f"result of {games} games", self.checkpoint)
                yield number, np.frombuffer(result, SENT).reshape(games, columns).astype(np.float64)


class _Sums:
    """The sums from which the standard errors of several starts follow, and those of their differences."""

    def __init__(self, starts: int) -> None:
        self.games = 0
        self.sums = np.zeros(starts)
        self.products = np.zeros((starts, starts))

    def add(self, results: Sequence[NDArray[np.float64]]) -> None:
        each = np.stack(results)
        self.games += each.shape[1]
        self.sums += each.sum(axis=1)
        self.products += each @ each.T

    def largest_se(self) -> float:
        """That of the differences from the best start, or of the only start; infinite while it is not known."""
        if self.games < 2:
            return float("inf")
        squares = np.diag(self.products)
        if len(self.sums) == 1:
            sums = self.sums
        else:
            best = int(self.sums.argmin())  # results speak for the side that answers
            squares = squares + squares[best] - 2 * self.products[best]
            sums = self.sums - self.sums[best]
        variances = np.maximum(squares - sums**2 / self.games, 0) / (self.games - 1)
        return float(np.sqrt(variances.max() / self.games))


def _better_points(table: NDArray[np.float64]) -> NDArray[np.float64]:
    width = (table.shape[1] - 2) // 2
    return points_of(table[:, width : 2 * width])
