"""Counting the leaves of the game tree: what proves a generator right and measures it."""

from __future__ import annotations

import dataclasses
from contextlib import closing
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, overload

from tabula import games
from tabula._arguments import at_least, check_executor, check_progress, choice, thread_count
from tabula._native import position as _position
from tabula.dice import all_rolls
from tabula.work.threads import Progress, Stop, in_threads

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Generator, Iterator, Mapping
    from concurrent.futures import Executor

    from tabula._native.position import Play, Position
    from tabula.dice import Roll, RollLike
    from tabula.games import PerftValue

__all__ = ["divide", "perft", "published"]

Engine: TypeAlias = Literal["native", "reference"]
Below: TypeAlias = "Callable[[Position, int, Stop], int]"
_How: TypeAlias = Literal["native", "merged", "reference"]
Key = TypeVar("Key")

_SHALLOW: Final = 3
"""Down to this depth the subtrees of the first plays are small."""

_PLAYS_A_UNIT: Final = 8
"""How many of the first plays with small subtrees are one unit of work for a thread."""

_PLIES_A_CALL: Final = 2
"""How many plies are counted in one call to the native core: some milliseconds, so that Ctrl-C is heard between two."""

_POSITIONS_A_CALL: Final = 64
"""How many positions of a ply are expanded or counted in one call, for the same reason."""

_WIDE: Final = 1 << 16
"""A ply with more positions than this is wide: those that follow it fill the caches."""

_DEEP: Final = 5
"""From this depth on a unit of work begins two plies down: there are thousands of them, with three plies and more to count each."""


def perft(
    position: Position,
    depth: int,
    *,
    engine: Engine = "native",
    merge: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> int:
    """How many leaves the game tree has `depth` plies below a position.

    Each distinct roll is taken once and each distinct afterstate once, whatever their chances. A finished game has no
    successors.

    Parameters
    ----------
    position
        Where to start.
    depth
        Plies, 0 or more; ``perft(position, 0)`` is 1.
    engine
        ``"native"``, or ``"reference"`` for the slow generator in pure Python.
    merge
        Look at a position that is reached in several ways only once. The number is the same; the time then tells more of how
        often this tree repeats itself than of the generator. It takes memory for every distinct position of a ply, some 50 to 100
        bytes each: of the last ply but one, or, where that would be wide, of the one before it. The native engine alone does it.
    threads
        How many threads count. The number does not depend on it. The reference uses one.
    progress
        Called with how many parts of the work are done, and how many there are: the positions after the first ply, or, when
        merging, those of the ply being looked at; units of work, with `executor` or `checkpoint`.
    executor
        What counts, instead of this process: a `concurrent.futures.Executor`, such as a `ProcessPoolExecutor` or the one that
        `dask.distributed.Client(...).get_executor()` gives; docs/scaling.md has more. The work is split into units: the distinct
        positions one ply down, from depth 5 on two plies, each with what is below it. The number does not depend on who counts
        which, or when. `merge` then merges within a unit. How many threads a worker has is the executor's affair: `threads`
        stays 1.
    checkpoint
        A file that finished units are stored in (see `tabula.work`), with an executor or without. If there is such a file,
        the counting goes on from it.

    Raises
    ------
    ValueError
        For a negative depth, an unknown engine, fewer threads than one, `merge` with the reference, or `threads` with an executor;
        an `InvalidCheckpointError`, if the file is that of another question.
    TypeError
        For arguments of another type.
    tabula.work.UnitFailedError, concurrent.futures.BrokenExecutor
        If a unit raised an exception twice, or the executor has lost its workers.
    OSError
        If the checkpoint cannot be written, or another run has it.

    Examples
    --------
    >>> from tabula import Position, perft
    >>> perft(Position(), 2)
    59085
    >>> perft(Position(), 3, merge=True, threads=2)
    44094841

    Two processes, and a file from which the counting would go on:

    >>> from concurrent.futures import ProcessPoolExecutor
    >>> import multiprocessing
    >>> with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
    ...     perft(Position(), 3, executor=pool, checkpoint="three.checkpoint")
    44094841
    """
    _position.checked_position(position)
    depth = at_least("depth", depth, 0)
    threads = thread_count(threads)
    choice("engine", engine, ("native", "reference"))
    check_progress(progress)
    if engine == "reference":
        if merge:
            raise ValueError("merge=True goes with engine='native' only")
        threads = 1
    check_executor(executor, threads)
    if depth and (executor is not None or checkpoint is not None):
        how: _How = "merged" if merge else engine
        first = [(0, play) for _, play in _by_roll(position)]
        counted = _in_units(position, depth, first, how, threads, progress, executor, checkpoint)
        return sum(leaves * sum(ways.values()) for leaves, ways in counted)
    if merge:
        return _merged(position, depth, threads, progress)
    below = _native if engine == "native" else _reference
    if depth == 0 or (progress is None and (threads == 1 or depth <= 1)):
        return below(position, depth, Stop())
    return sum(leaves for _, leaves in _split(_by_roll(position), depth, below, threads, progress))


@overload
def divide(
    position: Position,
    depth: int,
    roll: None = None,
    *,
    threads: int = 1,
    progress: Progress | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> dict[Roll, int]: ...
@overload
def divide(
    position: Position,
    depth: int,
    roll: RollLike,
    *,
    threads: int = 1,
    progress: Progress | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> dict[Play, int]: ...
def divide(
    position: Position,
    depth: int,
    roll: RollLike | None = None,
    *,
    threads: int = 1,
    progress: Progress | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> dict[Roll, int] | dict[Play, int]:
    """The leaves of `perft` split by the first roll; or, with a roll, those below it split by the play made.

    Parameters
    ----------
    position
        Where to start.
    depth
        Plies, 1 or more.
    roll
        A roll as `Position.plays` takes it, or None.
    threads, progress, executor, checkpoint
        As `perft` has them. Without a roll the units are those of `perft`, and either goes on from the other's checkpoint.

    Raises
    ------
    ValueError
        For a depth below 1 or for what is not a roll of this game.
    TypeError
        For arguments of another type.
    ValueError, UnitFailedError, BrokenExecutor, OSError
        With an executor or a checkpoint, as `perft`.

    Examples
    --------
    >>> from tabula import Position, divide
    >>> sum(divide(Position(), 2).values())
    59085
    >>> sorted((str(play), leaves) for play, leaves in divide(Position(), 2, "111").items())
    [('bar/1(3)', 175), ('bar/2 bar/1', 308), ('bar/3', 268)]
    """
    _position.checked_position(position)
    depth = at_least("depth", depth, 1)
    threads = thread_count(threads)
    check_progress(progress)
    check_executor(executor, threads)
    in_units = executor is not None or checkpoint is not None
    if roll is not None:
        plays = position.plays(roll)
        by_play = dict.fromkeys(plays, 0)
        if not in_units:
            return dict(_split([(play, play) for play in plays], depth, _native, threads, progress))
        pairs = [(play, play) for play in plays]
        question = {"roll": [int(die) for die in plays.roll]}
        for leaves, ways in _in_units(position, depth, pairs, "native", threads, progress, executor, checkpoint, question):
            for play, n_ways in ways.items():
                by_play[play] += n_ways * leaves
        return by_play
    by_roll = dict.fromkeys(all_rolls(position.rules.dice), 0)
    if not in_units:
        for each, leaves in _split(_by_roll(position), depth, _native, threads, progress):
            by_roll[each] += leaves
        return by_roll
    for leaves, by_first_roll in _in_units(position, depth, _by_roll(position), "native", threads, progress, executor, checkpoint):
        for each, n_ways in by_first_roll.items():
            by_roll[each] += n_ways * leaves
    return by_roll


def _by_roll(position: Position) -> list[tuple[Roll, Play]]:
    return [(roll, play) for roll in all_rolls(position.rules.dice) for play in position.plays(roll)]


def _split(
    plays: list[tuple[Key, Play]], depth: int, below: Below, threads: int, progress: Progress | None
) -> Iterator[tuple[Key, int]]:
    """For each of the first plays its key and the leaves below it, in order; calls `progress` before each and at the end."""
    size = _PLAYS_A_UNIT if depth <= _SHALLOW else 1
    groups = (plays[first : first + size] for first in range(0, len(plays), size))
    counted = in_threads(lambda group, stop: [below(play.position, depth - 1, stop) for _, play in group], groups, threads)
    with closing(counted):
        leaves_below = (leaves for group in counted for leaves in group)
        for (key, _), leaves in zip(plays, _with_progress(leaves_below, len(plays), progress), strict=True):
            yield key, leaves


def _with_progress(results: Generator[int, None, None], n_results: int, progress: Progress | None) -> Iterator[int]:
    """The results; calls `progress` before each and at the end. What it raises closes `results`."""
    with closing(results):
        if progress is None:
            yield from results
            return
        progress(0, n_results)
        for done, result in enumerate(results, 1):
            yield result
            progress(done, n_results)


def _native(position: Position, depth: int, stop: Stop) -> int:
    if depth <= _PLIES_A_CALL:
        stop.check()
        return _position.count_leaves(position, depth)
    return sum(_native(play.position, depth - 1, stop) for _, play in _by_roll(position))


def _reference(position: Position, depth: int, stop: Stop) -> int:
    from tabula import reference

    del stop
    return reference.perft(position.rules, position.mover, position.other, depth)


def _merged(position: Position, depth: int, threads: int, progress: Progress | None, stop: Stop | None = None) -> int:
    """Ply by ply, each distinct position once with the number of ways to it; the last ply is counted.

    The last ply but one has the most positions by far. If it would be wide, only what follows one group of positions is in memory
    at a time. A group shares the track of the side not on move: without hits nothing else comes to the same positions, and they
    fit into a cache.
    """
    if depth == 0:
        return 1
    stop = stop or Stop()
    try:
        return _merged_natively(position, depth, threads, progress, stop)
    except OverflowError:  # ways beyond 64 bits
        return _merged_in_python(position, depth, stop)


def _merged_in_python(position: Position, depth: int, stop: Stop) -> int:
    """The same with ints of any size: only few positions are reached in so many ways."""
    ways_to = {position: 1}
    for _ in range(depth - 1):
        ways_to_next: dict[Position, int] = {}
        for start, ways in ways_to.items():
            stop.check()
            for _, play in _by_roll(start):
                ways_to_next[play.position] = ways_to_next.get(play.position, 0) + ways
        ways_to = ways_to_next
    return sum(ways * _position.count_leaves(start, 1) for start, ways in ways_to.items())


def _merged_natively(position: Position, depth: int, threads: int, progress: Progress | None, stop: Stop) -> int:
    from tabula._native.layers import PlyPositions

    def expanded(part: tuple[int, int]) -> int:
        stop.check()
        return positions.expand(*part, next_positions)

    def counted(part: tuple[int, int], _: Stop) -> int:
        stop.check()
        return positions.count(*part)

    def counted_below(group: int, thread_stop: Stop) -> int:
        place, below = positions.head(group), PlyPositions(position, empty=True)
        while place:
            stop.check()
            thread_stop.check()
            place = positions.expand_group(place, _POSITIONS_A_CALL, below)
        leaves = 0
        for part in _parts(len(below)):
            stop.check()
            thread_stop.check()
            leaves += below.count(*part)
        return leaves

    positions = PlyPositions(position)
    for ply in range(1, depth):
        if ply == depth - 1 and len(positions) > _WIDE:
            groups = range(max(positions.group(*part) for part in _parts(len(positions))))
            return sum(_with_progress(in_threads(counted_below, groups, threads), len(groups), progress))
        next_positions = PlyPositions(position, empty=True)
        parts = _parts(len(positions))
        sum(_with_progress((expanded(part) for part in parts), len(parts), progress))
        positions = next_positions
    parts = _parts(len(positions))
    return sum(_with_progress(in_threads(counted, parts, threads), len(parts), progress))


def _parts(n_positions: int) -> list[tuple[int, int]]:
    """Ranges of positions, each some milliseconds of work."""
    return [(first, min(first + _POSITIONS_A_CALL, n_positions)) for first in range(0, n_positions, _POSITIONS_A_CALL)]


@dataclasses.dataclass(frozen=True)
class _Subtree:
    """A unit of work: what is below one position."""

    position: Position
    depth: int
    how: _How

    def __str__(self) -> str:
        return f"perft to depth {self.depth} of {self.position.to_text()}"

    def run(self, stop: Stop) -> int:
        """Counts it."""
        if self.how == "merged":
            return _merged(self.position, self.depth, 1, None, stop)
        return (_native if self.how == "native" else _reference)(self.position, self.depth, stop)


def _in_units(
    position: Position,
    depth: int,
    first: list[tuple[Key, Play]],
    how: _How,
    threads: int,
    progress: Progress | None,
    executor: Executor | None,
    checkpoint: str | os.PathLike[str] | None,
    question: Mapping[str, object] | None = None,
) -> Iterator[tuple[int, Mapping[Key, int]]]:
    """For each position that a unit starts from: its leaves, and in how many ways each key's first plays reach it.

    In the order in which they are finished. `question` is what the checkpoint's question has besides position, depth and rules.
    """
    from tabula.work.units import results, unusable  # here, for it brings in the thread pool, pickle and JSON

    plies = 1 if depth < _DEEP else 2
    starts = _starts(first, plies)
    ways = list(starts.values())
    whole_question = {
        "kind": "perft",
        "position": position.to_text(),
        **(question or {}),
        "depth": depth,
        "engine": how,
        "plies": plies,
        "rules": {field: value for field, value in position.rules.to_dict().items() if field != "name"},
    }
    units = (_Subtree(start, depth - plies, how) for start in starts)
    with closing(results(units, len(ways), whole_question, executor=executor, threads=threads, checkpoint=checkpoint)) as found:
        if progress is not None:
            progress(0, len(ways))
        for done, (index, leaves) in enumerate(found, 1):
            if type(leaves) is not int or leaves < 0:
                raise unusable(index, leaves, "number of leaves", checkpoint)
            yield leaves, ways[index]
            if progress is not None:
                progress(done, len(ways))


def _starts(first: list[tuple[Key, Play]], plies: int) -> dict[Position, dict[Key, int]]:
    """The distinct positions 1 or 2 plies down, in an order that is always the same, and the ways to each by key."""
    ways_to: dict[Position, dict[Key, int]] = {}
    for key, play in first:
        ways = ways_to.setdefault(play.position, {})
        ways[key] = ways.get(key, 0) + 1
    if plies == 1:
        return ways_to
    ways_to_next: dict[Position, dict[Key, int]] = {}
    for start, ways in ways_to.items():
        for _, play in _by_roll(start):
            next_ways = ways_to_next.setdefault(play.position, {})
            for key, n_ways in ways.items():
                next_ways[key] = next_ways.get(key, 0) + n_ways
    return ways_to_next


def published(position: Position) -> Mapping[int, PerftValue]:
    """The published values for a position, by depth, from 1 on; empty if it is not the start of a game of `tabula.games`.

    >>> from tabula import Position
    >>> from tabula.counting import published
    >>> published(Position())[2].leaves
    59085
    """
    _position.checked_position(position)
    game = games.with_rules(position.rules)
    return {} if game is None or position != _position.Position(position.rules) else game.perft
