"""Counting the leaves of the game tree: what proves a generator right and measures it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, overload

from tabula import _position
from tabula.dice import all_rolls
from tabula.errors import shown
from tabula.parallel import Stop, in_threads, threads_of
from tabula.rules import PRESETS, choice, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabula._position import Play, Position
    from tabula.dice import Roll, RollLike

__all__ = ["Published", "divide", "perft", "published"]

Engine: TypeAlias = Literal["native", "reference"]
Progress: TypeAlias = Callable[[int, int], object]
Below: TypeAlias = "Callable[[Position, int, Stop], int]"
Key = TypeVar("Key")

_UNIT: Final = 2
"""How many plies are counted in one call to the native core: some milliseconds, so that Ctrl-C is heard between two."""

_PART: Final = 256
"""How many positions of a layer are looked at in one call, for the same reason."""


def perft(
    position: Position,
    depth: int,
    *,
    engine: Engine = "native",
    merge: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
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
        often this tree repeats itself than of the generator. It takes memory for every distinct position of the last ply but
        one, some 50 to 100 bytes each. The native engine alone does it.
    threads
        How many threads count. The number does not depend on it. The reference uses one.
    progress
        Called with how many parts of the work are done, and how many there are: the positions after the first ply, or, when
        merging, those of the ply being looked at.

    Raises
    ------
    ValueError
        For a negative depth, an unknown engine, fewer threads than one, or `merge` with the reference.
    TypeError
        For arguments of another type.

    Examples
    --------
    >>> from tabula import Position, perft
    >>> perft(Position(), 2)
    59085
    >>> perft(Position(), 3, merge=True, threads=2)
    44094841
    """
    depth = _checked(position, depth, 0)
    threads = threads_of(threads)
    choice("engine", engine, ("native", "reference"))
    _callable(progress)
    if engine == "reference":
        if merge:
            raise ValueError("merge=True goes with engine='native' only")
        threads = 1
    if merge:
        return _merged(position, depth, threads, progress)
    below = _native if engine == "native" else _reference
    if depth == 0 or (progress is None and (threads == 1 or depth <= 1)):
        return below(position, depth, Stop())
    return sum(leaves for _, leaves in _split(_by_roll(position), depth, below, threads, progress))


@overload
def divide(
    position: Position, depth: int, roll: None = None, *, threads: int = 1, progress: Progress | None = None
) -> dict[Roll, int]: ...
@overload
def divide(
    position: Position, depth: int, roll: RollLike, *, threads: int = 1, progress: Progress | None = None
) -> dict[Play, int]: ...
def divide(
    position: Position, depth: int, roll: RollLike | None = None, *, threads: int = 1, progress: Progress | None = None
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
    threads, progress
        As `perft` has them.

    Raises
    ------
    ValueError
        For a depth below 1 or for what is not a roll of this game.
    TypeError
        For arguments of another type.

    Examples
    --------
    >>> from tabula import Position, divide
    >>> sum(divide(Position(), 2).values())
    59085
    >>> sorted((str(play), leaves) for play, leaves in divide(Position(), 2, "111").items())
    [('bar/1(3)', 175), ('bar/2 bar/1', 308), ('bar/3', 268)]
    """
    depth = _checked(position, depth, 1)
    threads = threads_of(threads)
    _callable(progress)
    if roll is not None:
        return dict(_split([(play, play) for play in position.plays(roll)], depth, _native, threads, progress))
    by_roll = dict.fromkeys(all_rolls(position.rules.dice), 0)
    for each, leaves in _split(_by_roll(position), depth, _native, threads, progress):
        by_roll[each] += leaves
    return by_roll


def _known(position: Position) -> None:
    if not isinstance(position, _position.Position):
        raise TypeError(f"position must be a Position, not {shown(position)}")


def _callable(progress: Progress | None) -> None:
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, or None, not {shown(progress)}")


def _checked(position: Position, depth: int, least: int) -> int:
    """The depth, if it is one to be counted from a position."""
    _known(position)
    depth = whole("depth", depth)
    if depth < least:
        raise ValueError(f"depth must be {least} or more, not {depth}")
    return depth


def _by_roll(position: Position) -> list[tuple[Roll, Play]]:
    return [(roll, play) for roll in all_rolls(position.rules.dice) for play in position.plays(roll)]


def _split(
    plays: list[tuple[Key, Play]], depth: int, below: Below, threads: int, progress: Progress | None
) -> Iterator[tuple[Key, int]]:
    """For each of the first plays its key and the leaves below it, in order, with `progress` told before each and at the end."""
    found = in_threads(lambda each, stop: below(each[1].position, depth - 1, stop), plays, threads)
    for (key, _), leaves in zip(plays, _told(found, len(plays), progress), strict=True):
        yield key, leaves


def _told(results: Iterator[int], many: int, progress: Progress | None) -> Iterator[int]:
    """The results, with `progress` told how many are there before each and at the end."""
    if progress is None:
        yield from results
        return
    progress(0, many)
    for done, result in enumerate(results, 1):
        yield result
        progress(done, many)


def _native(position: Position, depth: int, stop: Stop) -> int:
    if depth <= _UNIT:
        stop.check()
        return _position.count_leaves(position, depth)
    return sum(_native(play.position, depth - 1, stop) for _, play in _by_roll(position))


def _reference(position: Position, depth: int, stop: Stop) -> int:
    from tabula import reference

    del stop
    return reference.perft(position.rules, position.mover, position.other, depth)


def _merged(position: Position, depth: int, threads: int, progress: Progress | None) -> int:
    """Ply by ply, each distinct position once with the number of ways to it; the last ply is counted."""
    from tabula._merge import Layer

    if depth == 0:
        return 1
    layer = Layer(position)
    for _ in range(depth - 1):
        following = Layer(position, empty=True)
        parts = _parts(len(layer))
        sum(_told((layer.expand(*part, following) for part in parts), len(parts), progress))
        layer = following
    parts = _parts(len(layer))
    return sum(_told(in_threads(lambda part, _: layer.count(*part), parts, threads), len(parts), progress))


def _parts(many: int) -> list[tuple[int, int]]:
    """Ranges of positions, each some milliseconds of work."""
    return [(first, min(first + _PART, many)) for first in range(0, many, _PART)]


@dataclasses.dataclass(frozen=True)
class Published:
    """A perft value that has been published with the package, and how it was found.

    >>> from tabula import Position
    >>> from tabula.perft import published
    >>> published(Position())[1].leaves
    222
    """

    leaves: int
    """How many leaves there are."""

    source: str
    """How the number was found."""


def published(position: Position) -> Mapping[int, Published]:
    """The published values for a position, by depth; empty where there are none.

    >>> from tabula import Position
    >>> from tabula.perft import published
    >>> published(Position())[2].leaves
    59085
    """
    from importlib import resources  # here, for few ask, and it brings in a dozen modules

    _known(position)
    for table in sorted(resources.files("tabula").joinpath("data").iterdir(), key=lambda file: file.name):
        if table.name.endswith(".perft"):
            start, values = _read(table.read_text(encoding="utf-8"))
            if start == position:
                return values
    return {}


def _read(text: str) -> tuple[Position, dict[int, Published]]:
    """A table: ``rules NAME``, ``position TEXT``, then a line of depth, leaves and source each; ``#`` starts a comment."""
    head: dict[str, str] = {}
    values: dict[int, Published] = {}
    for line in text.splitlines():
        key, _, rest = line.partition("#")[0].strip().partition(" ")
        if key.isdigit():
            leaves, _, source = rest.strip().partition(" ")
            values[int(key)] = Published(int(leaves), source.strip())
        elif key:
            head[key] = rest.strip()
    return _position.Position.from_text(head["position"], rules=PRESETS[head["rules"]]), values
