"""What a picture has besides the board: arrows and colours of a caller's own, names, how a match stands, dice left unused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

from tabula._arguments import whole
from tabula.errors import short_repr
from tabula.render import theme
from tabula.render.layout import BOTTOM, CUBE, MIDDLE, TOP, Spot
from tabula.rules import OFF, POINTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabula._native.position import Play
    from tabula.dice import Roll
    from tabula.render.layout import View
    from tabula.rules import Rules

__all__ = ["Arrow", "ArrowLike", "Cube", "Place", "Standing", "arrows_drawn", "cube_drawn", "fills", "two_names", "unused_dice"]

Place: TypeAlias = int | Literal["bar", "off"]
"""A place on the picture: the number of a point as it is written there, ``"bar"`` for index 0, or ``"off"``."""


class Arrow(NamedTuple):
    """An arrow of a caller's own; without a colour it has that of a play's arrows.

    >>> Arrow(24, 18), Arrow("bar", 20, colour="green").colour
    (Arrow(source=24, target=18, colour=None), 'green')
    """

    source: Place
    target: Place
    colour: str | None = None


ArrowLike: TypeAlias = Arrow | tuple[Place, Place] | tuple[Place, Place, str | None]
"""An `Arrow`, or a plain tuple of its source and target, with or without a colour."""


class Standing(Protocol):
    """How a match stands: what a picture reads of `tabula.notation.MatchState`, or of any other object that has it."""

    @property
    def length(self) -> int: ...
    @property
    def score(self) -> tuple[int, int]: ...
    @property
    def cube(self) -> int: ...
    @property
    def owner(self) -> int | None: ...
    @property
    def crawford(self) -> bool: ...
    @property
    def offer(self) -> str | None: ...
    @property
    def players(self) -> tuple[str, str] | None: ...


class Cube(NamedTuple):
    """The cube on a picture: the value on its face, and its middle."""

    value: int
    place: Spot


def cube_drawn(match: Standing, view: View) -> Cube | None:
    """The cube of a match: in the middle of the bar, at its owner's end of it, or in the left half where it is offered.

    None where no cube is in use; where both sides travel the same way, none before it has been turned.
    """
    if match.length == 1 or match.crawford:
        return None
    offered = match.offer is not None
    if not view.opposed and match.cube == 1 and match.owner is None and not offered:
        return None
    left, _ = view.boxes
    beside = left if offered or not view.opposed else view.bar
    x = beside.x + beside.width / 2
    if offered or match.owner is None:
        return Cube(2 * match.cube if offered else match.cube, Spot(x, MIDDLE))
    away = (BOTTOM - TOP) / 2 - CUBE / 2 - 2 if view.opposed else CUBE / 2
    return Cube(match.cube, Spot(x, MIDDLE + away if match.owner == view.side else MIDDLE - away))


def unused_dice(roll: Roll, play: Play | None) -> list[int]:
    """The places in a roll of the dice that a play leaves."""
    if play is None:
        return []
    # Equal dice that are played twice make two moves for each die.
    worth = 2 if play.origin.rules.doubles == "twice" and len(set(roll)) == 1 else 1
    played = Counter(move.die for move in play.moves)
    # The extra numbers are not drawn: they are played first where the roll has the same.
    played.subtract({die: min(count, played[die]) for die, count in Counter(play.origin.rules.extra_dice).items()})
    unused = []
    for at, die in enumerate(roll):
        if played[die] <= 0:
            unused.append(at)
        played[die] -= worth
    return unused


def arrows_drawn(arrows: Iterable[ArrowLike], rules: Rules) -> list[tuple[int, int, str | None]]:
    """Each arrow's track indices and colour; ValueError or TypeError for what is no arrow."""
    found = []
    for at, arrow in enumerate(arrows):
        if not isinstance(arrow, tuple) or len(arrow) not in (2, 3):
            raise TypeError(f"arrows[{at}] must be (source, target) or (source, target, colour), not {short_repr(arrow)}")
        source, target, colour = Arrow(*arrow)
        ends = _index(f"the source of arrows[{at}]", source, rules), _index(f"the target of arrows[{at}]", target, rules)
        if ends[0] == ends[1]:
            raise ValueError(f"arrows[{at}] must have two ends, not {short_repr(source)} twice")
        found.append((*ends, None if colour is None else theme.checked(f"the colour of arrows[{at}]", colour)))
    return found


def fills(fill: Mapping[int, str] | None, rules: Rules) -> dict[int, str]:
    """The colours of points by track index; ValueError or TypeError for another key or value."""
    if fill is None:
        return {}
    if not isinstance(fill, Mapping):
        raise TypeError(f"fill must be a mapping of points to colours, not {short_repr(fill)}")
    return {
        _index("a key of fill", point, rules, words=()): theme.checked(f"fill[{short_repr(point)}]", colour)
        for point, colour in fill.items()
    }


def two_names(names: Sequence[str]) -> tuple[str, str]:
    """White's name and black's; ValueError or TypeError for anything else."""
    if isinstance(names, str) or not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"names must be two texts, not {short_repr(names)}")
    if len(names) != 2:
        raise ValueError(f"names must be white's name and black's, not {short_repr(names)}")
    white, black = names
    return white, black


def _index(what: str, place: Place, rules: Rules, words: tuple[str, ...] = ("bar", "off")) -> int:
    if isinstance(place, str) and place in words:
        return 0 if place == "bar" else OFF
    choices = "".join(f" or {word!r}" for word in words)
    if isinstance(place, str):
        raise ValueError(f"{what} must be 1..{POINTS}{choices}, not {short_repr(place)}")
    number = whole(what, place)
    if not 1 <= number <= POINTS:
        raise ValueError(f"{what} must be 1..{POINTS}{choices}, not {short_repr(number)}")
    return rules.number(number)
