"""Counting the leaves of the game tree: what proves a generator right and measures it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from importlib import resources
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, overload

from tabula import _position
from tabula.dice import all_rolls
from tabula.rules import PRESETS, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabula._position import Play, Position
    from tabula.dice import Roll, RollLike

__all__ = ["Published", "divide", "perft", "published"]

Engine: TypeAlias = Literal["native", "reference"]
Progress: TypeAlias = Callable[[int, int], object]
Key = TypeVar("Key")

_UNIT: Final = 2
"""How many plies are counted in one call to the native core: some milliseconds, so that Ctrl-C is heard between two."""


def perft(position: Position, depth: int, *, engine: Engine = "native", progress: Progress | None = None) -> int:
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
    progress
        Called with how many of the positions after the first ply are done, and how many there are.

    Raises ValueError for a negative depth or an unknown engine.

    >>> from tabula import Position, perft
    >>> perft(Position(), 2)
    59085
    """
    depth = _checked(position, depth, 0)
    if engine not in ("native", "reference"):
        raise ValueError(f"engine must be 'native' or 'reference', not {engine!r}")
    below = _native if engine == "native" else _reference
    if depth == 0 or progress is None:
        return below(position, depth)
    return sum(leaves for _, leaves in _split(_by_roll(position), depth, below, progress))


@overload
def divide(position: Position, depth: int, roll: None = None, *, progress: Progress | None = None) -> dict[Roll, int]: ...
@overload
def divide(position: Position, depth: int, roll: RollLike, *, progress: Progress | None = None) -> dict[Play, int]: ...
def divide(
    position: Position, depth: int, roll: RollLike | None = None, *, progress: Progress | None = None
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
    progress
        As `perft` has it.

    Raises ValueError for a depth below 1 or for what is not a roll of this game.

    >>> from tabula import Position, divide
    >>> sum(divide(Position(), 2).values())
    59085
    >>> sorted((str(play), leaves) for play, leaves in divide(Position(), 2, "111").items())
    [('bar/1(3)', 175), ('bar/2 bar/1', 308), ('bar/3', 268)]
    """
    depth = _checked(position, depth, 1)
    if roll is not None:
        return dict(_split([(play, play) for play in position.plays(roll)], depth, _native, progress))
    by_roll = dict.fromkeys(all_rolls(position.rules.dice), 0)
    for each, leaves in _split(_by_roll(position), depth, _native, progress):
        by_roll[each] += leaves
    return by_roll


def _checked(position: Position, depth: int, least: int) -> int:
    """The depth, if it is one to be counted from a position."""
    if not isinstance(position, _position.Position):
        raise TypeError(f"position must be a Position, not {position!r}")
    depth = whole("depth", depth)
    if depth < least:
        raise ValueError(f"depth must be {least} or more, not {depth}")
    return depth


def _by_roll(position: Position) -> list[tuple[Roll, Play]]:
    return [(roll, play) for roll in all_rolls(position.rules.dice) for play in position.plays(roll)]


def _split(
    plays: list[tuple[Key, Play]], depth: int, below: Callable[[Position, int], int], progress: Progress | None
) -> Iterator[tuple[Key, int]]:
    """For each of the first plays its key and the leaves below it, with `progress` told before each and at the end."""
    for done, (key, play) in enumerate(plays):
        if progress is not None:
            progress(done, len(plays))
        yield key, below(play.position, depth - 1)
    if progress is not None:
        progress(len(plays), len(plays))


def _native(position: Position, depth: int) -> int:
    if depth <= _UNIT:
        return _position.count_leaves(position, depth)
    return sum(_native(play.position, depth - 1) for _, play in _by_roll(position))


def _reference(position: Position, depth: int) -> int:
    from tabula import reference

    return reference.perft(position.rules, position.mover, position.other, depth)


@dataclasses.dataclass(frozen=True)
class Published:
    """A perft value that has been published with the package, and how it was found."""

    leaves: int
    source: str


def published(position: Position) -> Mapping[int, Published]:
    """The published values for a position, by depth; empty where there are none.

    >>> from tabula import Position
    >>> from tabula.perft import published
    >>> published(Position())[2].leaves
    59085
    """
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
