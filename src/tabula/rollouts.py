"""Rollouts: what a position is worth, measured by games that an evaluator plays from it on both sides.

Two means are given of the same games. The plain one is that of their results. For the reduced one the luck of each roll is taken off:
what the best play of this roll is worth, less the mean of the same over all rolls, both by the evaluator. The luck has mean zero
whatever the evaluator is, so both means estimate the same; the better the evaluator is, the less the reduced results vary.

The throws are stratified. Among the first 36 games of two dice every first throw comes once, among the next 36 again; likewise every
second throw and each later one, and among 1,296 games every pair of the first two. With three dice it is 216 and 46,656. The standard
errors are those of independent games, and so too large rather than too small.

Values and chances speak for the side to move in the position, and in a comparison for the side that makes the play.

>>> import numpy as np
>>> from tabula import BACKGAMMON, Position, rollouts
>>> def pips(positions):
...     return np.tanh(((positions[:, 1] - positions[:, 0]) @ (25 - np.arange(26))) / 50)
>>> found = rollouts.rollout(Position(BACKGAMMON), pips, 72, rng=np.random.default_rng(1), horizon=4)
>>> found.games, found.se < found.plain_se
(72, True)
"""

from __future__ import annotations

import dataclasses
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabula import batch
from tabula._arguments import at_least, check_executor, check_progress, flag, generator, thread_count, within
from tabula._native.position import Position
from tabula.dice import FACES
from tabula.errors import short_repr
from tabula.evaluate import CHANCES, checked_evaluator, of_outcomes, points, swap_sides
from tabula.playouts import MAX_PLIES
from tabula.playouts import MOST_PLIES as MOST_PLIES_OF_A_GAME
from tabula.search import MOST_PLIES, NORMAL, Tree, checked_filters, search

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from concurrent.futures import Executor
    from os import PathLike

    from numpy.typing import NDArray

    from tabula.dice import RollLike
    from tabula.evaluate import Evaluator
    from tabula.search import Filters
    from tabula.work.threads import Progress, Stop

__all__ = ["MOST_GAMES", "Comparison", "Rollout", "compare", "rollout"]

MOST_GAMES: Final = 1 << 32
"""The most games of one rollout: more than any memory holds."""

FINISHED: Final = 0
CUT: Final = 1
GIVEN_UP: Final = 2

_SENT: Final = np.dtype("<f8")


# ---------------------------------------------------------------------------------------------------------------------- results


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Rollout:
    """What the games from one position came to, by both estimates. `points` and `se` are of the reduced one if there is one."""

    position: Position
    """Where they started."""

    seed: int
    """What the dice were made from."""

    plain_results: NDArray[np.float64]
    """The result of each game: points (n, 1), or chances (n, 5) if the evaluator gives chances."""

    reduced_results: NDArray[np.float64] | None
    """The same less the luck, or None if luck was not measured."""

    plies: NDArray[np.int64]
    """(n): the plies that each game took."""

    endings: NDArray[np.int64]
    """(n): 0 for a game that was finished, 1 for one cut at the horizon, 2 for one given up."""

    @property
    def games(self) -> int:
        """How often it was played."""
        return len(self.plies)

    @property
    def points(self) -> float:
        """The better estimate of the points: the reduced mean, or without it the plain one."""
        return self.plain_points if self.reduced_points is None else self.reduced_points

    @property
    def se(self) -> float:
        """The standard error of `points`; NaN for one game."""
        return self.plain_se if self.reduced_se is None else self.reduced_se

    @property
    def plain_points(self) -> float:
        """The mean of the points of the games."""
        return float(_points(self.plain_results).mean())

    @property
    def plain_se(self) -> float:
        """The standard error of `plain_points`."""
        return _se(_points(self.plain_results))

    @property
    def reduced_points(self) -> float | None:
        """The mean of the points less the luck; None if luck was not measured."""
        return None if self.reduced_results is None else float(_points(self.reduced_results).mean())

    @property
    def reduced_se(self) -> float | None:
        """The standard error of `reduced_points`."""
        return None if self.reduced_results is None else _se(_points(self.reduced_results))

    @property
    def chances(self) -> NDArray[np.float64] | None:
        """The five chances, (5): of the better estimate; None if the evaluator gives points and not all games were finished."""
        found = self._chances()
        return None if found is None else found.mean(axis=0)

    @property
    def chances_se(self) -> NDArray[np.float64] | None:
        """The standard errors of `chances`, (5)."""
        found = self._chances()
        return None if found is None else np.array([_se(column) for column in found.T])

    def _chances(self) -> NDArray[np.float64] | None:
        if self.plain_results.shape[1] == CHANCES:
            return self.plain_results if self.reduced_results is None else self.reduced_results
        if (self.endings == FINISHED).all():
            return of_outcomes(self.plain_results[:, 0].astype(np.int8), chances=True)
        return None

    @property
    def cut(self) -> int:
        """The games that were cut at the horizon: their result is the evaluator's value there."""
        return int((self.endings == CUT).sum())

    @property
    def given_up(self) -> int:
        """The games that were given up after `max_plies`: they have the evaluator's value there, too."""
        return int((self.endings == GIVEN_UP).sum())

    def to_dict(self) -> dict[str, Any]:
        """The figures in plain values that JSON can hold; None for what is not known."""
        values = {
            "points": self.points,
            "se": self.se,
            "plain_points": self.plain_points,
            "plain_se": self.plain_se,
            "reduced_points": self.reduced_points,
            "reduced_se": self.reduced_se,
        }
        chances, chances_se = self.chances, self.chances_se
        return {
            "position": self.position.to_text(),
            "games": self.games,
            "seed": self.seed,
            **{name: None if value is None or np.isnan(value) else value for name, value in values.items()},
            "chances": None if chances is None else chances.tolist(),
            "chances_se": None if chances_se is None or np.isnan(chances_se).any() else chances_se.tolist(),
            "cut": self.cut,
            "given_up": self.given_up,
        }

    def __repr__(self) -> str:
        return f"<Rollout: {self.games} games, {self.points:+.4f} +- {self.se:.4f} points>"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Rollouts of plays of one roll on the same dice, best first, for the side that makes the play."""

    plays: tuple[int, ...]
    """The number of each play among the plays of the roll, the play with the most points first."""

    rollouts: tuple[Rollout, ...]
    """What each came to; `position` of each is the afterstate, and the figures are those of the side that made the play."""

    @property
    def best(self) -> int:
        """The number of the play with the most points."""
        return self.plays[0]

    @property
    def differences(self) -> NDArray[np.float64]:
        """(k): the points that each play gives away, 0 for the first."""
        return np.array([row.mean() for row in self._behind()])

    @property
    def differences_se(self) -> NDArray[np.float64]:
        """(k): the standard error of each difference, of games on the same dice; 0 for the first, NaN for one game."""
        return np.array([_se(row) for row in self._behind()])

    def _behind(self) -> list[NDArray[np.float64]]:
        results = [_points(_best_results(each)) for each in self.rollouts]
        return [results[0] - result for result in results]

    def __repr__(self) -> str:
        return f"<Comparison: {len(self.plays)} plays, {self.rollouts[0].games} games each, best is play {self.best}>"


def _best_results(found: Rollout) -> NDArray[np.float64]:
    return found.plain_results if found.reduced_results is None else found.reduced_results


def _points(results: NDArray[np.float64]) -> NDArray[np.float64]:
    return points(results if results.shape[1] == CHANCES else results[:, 0])


def _se(values: NDArray[np.float64]) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")


# ------------------------------------------------------------------------------------------------------------------------ calls


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
        After so many plies a game is cut, and its result is the evaluator's value there. None: games are played to the end.
    reduce
        Whether luck is measured, which looks at all rolls of every ply: some twenty times the evaluations at 0 plies. None: if
        `plies` is 1 or more, or there is a horizon.
    stratify
        Whether the throws are stratified; otherwise each is drawn by itself.
    stop
        No more games are begun when the standard error of the better estimate is no larger than this. It is looked at after every
        324 games of one or two dice, 216 of three.
    max_plies
        A game that is not over after so many plies (1..16,777,216) is given up and counted; its result is the evaluator's value.
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
    >>> from tabula import TABULA, Position
    >>> def pips(positions):
    ...     return np.tanh(((positions[:, 1] - positions[:, 0]) @ (25 - np.arange(26))) / 50)
    >>> found = rollout(Position(TABULA), pips, 216, rng=np.random.default_rng(1))
    >>> found.reduced_points is None, found.given_up, round(float(found.chances[0]), 1)
    (True, 0, 0.5)
    """
    settings = _Settings(plies, filters, horizon, reduce, stratify, max_plies, threads)
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
    >>> len(found.rollouts), found.differences[0], found.rollouts[0].points >= found.rollouts[1].points
    (3, 0.0, True)
    """
    settings = _Settings(plies, filters, horizon, reduce, stratify, max_plies, threads)
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


@dataclasses.dataclass(frozen=True)
class _Settings:
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


class _Run:
    """The units of one call, and what becomes of their results."""

    def __init__(
        self,
        starts: tuple[Position, ...],
        evaluator: Evaluator,
        games: int,
        settings: _Settings,
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
            _Games(start, self.evaluator, seed, first, min(self.size, self.games - first), self.settings)
            for first in range(0, self.games, self.size)
            for start in self.starts
        ]
        total = self.games * len(self.starts)
        found: dict[int, NDArray[np.float64]] = {}
        complete = done = 0  # complete blocks, and games
        if self.progress is not None:
            self.progress(0, total)
        with closing(self._results(units, seed)) as results:
            for number, table in results:
                found[number] = table
                done += len(table)
                if self.progress is not None:
                    self.progress(done, total)
                before = complete
                while all(complete * len(self.starts) + each in found for each in range(len(self.starts))):
                    complete += 1
                    # Blocks in their order, so that where it stops does not depend on which is finished first.
                    if self.stop is not None and self._precise(
                        [self._table(found, each, complete) for each in range(len(self.starts))]
                    ):
                        return [self._table(found, each, complete) for each in range(len(self.starts))]
                del before
        return [self._table(found, each, complete) for each in range(len(self.starts))]

    def _table(self, found: dict[int, NDArray[np.float64]], start: int, blocks: int) -> NDArray[np.float64]:
        return np.concatenate([found[block * len(self.starts) + start] for block in range(blocks)])

    def _precise(self, tables: list[NDArray[np.float64]]) -> bool:
        assert self.stop is not None
        width = (tables[0].shape[1] - 2) // 2
        results = [_points(table[:, width : 2 * width]) for table in tables]
        if len(results) > 1:
            best = min(results, key=lambda each: float(each.mean()))  # they speak for the side that answers
            results = [each - best for each in results if each is not best]
        return all(_se(each) <= self.stop for each in results)

    def _results(self, units: list[_Games], seed: int) -> Generator[tuple[int, NDArray[np.float64]], None, None]:
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
                yield number, np.frombuffer(result, _SENT).reshape(games, columns).astype(np.float64)


# ------------------------------------------------------------------------------------------------------------------------ games


@dataclasses.dataclass(frozen=True)
class _Games:
    """A unit of work: games side by side from one position, those with the numbers from `first` on."""

    start: Position
    evaluator: Evaluator
    seed: int
    first: int
    games: int
    settings: _Settings

    def __str__(self) -> str:
        return f"games {self.first:,}..{self.first + self.games - 1:,} from {self.start.to_text()}"

    def run(self, stop: Stop) -> bytes:
        return self.play(stop).astype(_SENT).tobytes()

    def play(self, stop: Stop | None) -> NDArray[np.float64]:
        """A row for each game: its plain and its reduced result, its plies and how it ended."""
        rules, settings = self.start.rules, self.settings
        tree = Tree(self.evaluator, rules, None, _BATCH, settings.threads)
        boards = np.repeat(self.start.to_array()[None], self.games, axis=0)
        luck: list[NDArray[np.float64]] = []
        plies = np.zeros(self.games, np.int64)
        going = np.arange(self.games) if self.start.outcome is None else np.arange(0)
        limit = settings.max_plies if settings.horizon is None else min(settings.horizon, settings.max_plies)
        for ply in range(limit):
            if not len(going):
                break
            if stop is not None:
                stop.check()
            rolls = self._throws(ply)[going]
            if settings.reduces:
                boards[going], lucky = self._measured(tree, boards[going], rolls, ply)
                if not luck:
                    luck.append(np.zeros((self.games, lucky.shape[1])))
                luck[0][going] += lucky
            else:
                boards[going] = self._chosen(tree, boards[going], rolls)
            plies[going] = ply + 1
            going = going[batch.outcome(boards[going], rules=rules, check=False) == 0]
        endings = np.full(self.games, FINISHED)
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
        values = tree.evaluate(ahead.positions)
        best = ahead.best(-points(values))
        worth = values[ahead.places(best)]
        # Worth to the next player, who is the side to move in the start after an odd number of plies, which `ply` is the last of.
        worth = _columns(worth if ply % 2 else swap_sides(worth)).reshape(len(boards), len(ahead.rolls), -1)
        mean = ahead.chances[0] * worth[:, 0]
        for roll in range(1, len(ahead.rolls)):
            mean += ahead.chances[roll] * worth[:, roll]
        thrown = _numbers(ahead.rolls)[_codes(np.sort(rolls, axis=1)[:, ::-1])]
        luck = worth[np.arange(len(boards)), thrown] - mean
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
            # One order of all throws for so many games. At each ply every throw comes once in a block. In the second ply the order
            # begins one later in each following block, so that every pair of the first two throws comes once.
            size = throws if ply > 1 else throws**2
            shift = numbers // throws if ply == 1 else np.zeros_like(numbers)
            order = {
                block: np.random.default_rng([self.seed, ply, block]).permutation(throws)
                for block in range(self.first // size, int(numbers[-1]) // size + 1)
            }
            places = (numbers + shift) % throws
            faces = np.array(
                [order[block][place] for block, place in zip((numbers // size).tolist(), places.tolist(), strict=True)]
            )
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
