"""The places of points, checkers, trays and dice on a drawn board, in the units of the SVG's view box. Nothing here draws.

The board is seen by one side: it enters at the top right, goes along the top to the left and along the bottom back to the right.
Where both sides travel the same way (Tabula), the board is two rows of twelve points; a tray at its start has the checkers
waiting, and a tray at its end those off. Where they travel opposite ways (backgammon), checkers that wait are on a bar between the
quarters, and each side has a tray for its checkers off at the end of its track.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final, NamedTuple

from tabula.rules import OFF, POINTS, WHITE

if TYPE_CHECKING:
    from tabula.rules import Rules

__all__ = ["Box", "Spot", "View"]

RADIUS: Final = 20.0
"""The radius of a checker."""

PITCH: Final = 46.0
"""The distance from one point to the next."""

LEVELS: Final = 5
"""The most checkers drawn one beside the other on a point or the bar; a higher stack has its number on it."""

DEPTH: Final = 214.0
"""The length of a point, from the edge of the board."""

EDGE: Final = 12.0
TOP: Final = 32.0
"""The upper edge of the board, under the labels of the upper row."""

CUBE: Final = 28.0
"""The length of the cube's edges."""

STRIP: Final = 66.0
"""The distance between the two rows, where the dice are drawn."""

MIDDLE: Final = TOP + DEPTH + STRIP / 2
BOTTOM: Final = TOP + 2 * DEPTH + STRIP
CAPTION: Final = BOTTOM + 56.0
"""The middle of the line below the board."""

SECOND_ROW: Final = 30.0
"""The distance from the line below the board to one more, which a picture has that names the players or their match."""

WIDTH: Final = 700.0
HEIGHT: Final = BOTTOM + 80.0

SLAB: Final = 9.0
"""The thickness of a checker in a tray, which is drawn from the side."""

SLABS_AT: Final = 52.0
"""The distance from the edge of a tray to its first checker; the tray's name and counts stand between."""

_SLAB_PITCH: Final = 11.0
_BASE: Final = 4.0
_HALF_ROW: Final = 6
_BAR_AT: Final = 16.0


class Spot(NamedTuple):
    """A place on the picture."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle of the picture."""

    x: float
    y: float
    width: float
    height: float


@dataclasses.dataclass(frozen=True)
class View:
    """The board as one side sees it.

    Parameters
    ----------
    rules
        The rules of the position: they say which of the two boards is drawn and how points are numbered.
    side
        The side whose view it is.
    """

    rules: Rules
    side: int

    @property
    def opposed(self) -> bool:
        """Whether the sides travel opposite ways, so that the board has a bar."""
        return self.rules.direction == "opposed"

    @property
    def gap(self) -> float:
        """The distance between the left and the right quarters: the bar, or a narrow gap that makes points easier to count."""
        return 56.0 if self.opposed else 14.0

    @property
    def boxes(self) -> tuple[Box, Box]:
        """The left and the right half of the playing surface."""
        half = _HALF_ROW * PITCH
        return Box(EDGE, TOP, half, BOTTOM - TOP), Box(EDGE + half + self.gap, TOP, half, BOTTOM - TOP)

    @property
    def bar(self) -> Box:
        """The gap between the halves."""
        left, right = self.boxes
        return Box(left.x + left.width, TOP, right.x - left.x - left.width, BOTTOM - TOP)

    @property
    def bar_middle(self) -> Spot:
        """The middle of the bar."""
        return Spot(self.bar.x + self.bar.width / 2, MIDDLE)

    @property
    def trays(self) -> tuple[Box, Box]:
        """The upper and the lower tray."""
        _, right = self.boxes
        x, height = right.x + right.width + EDGE, DEPTH + STRIP / 2 - EDGE / 2
        width = WIDTH - EDGE - x
        return Box(x, TOP, width, height), Box(x, BOTTOM - height, width, height)

    def dice(self, side: int) -> Spot:
        """The middle of the dice of `side`: in the half where its checkers do not go from one row to the other.

        A die moves at most six points, so that the arrows between rows stay in one half: the left, but the right for the other
        side where it starts from the opposite corner.
        """
        half = self.boxes[self.rules.direction != "parallel" or side == self.side]
        return Spot(half.x + half.width / 2, MIDDLE)

    def viewer_index(self, side: int, index: int) -> int:
        """The viewer's index of the point that `side` has at `index`, 1..24."""
        return index if side == self.side else self.rules.facing(index)

    def upper(self, index: int) -> bool:
        """Whether the viewer's point `index` is in the upper row."""
        return index <= POINTS // 2

    def column(self, index: int) -> float:
        """How far from the left the middle of the viewer's point `index` is."""
        column = POINTS // 2 - index if self.upper(index) else index - POINTS // 2 - 1
        return EDGE + PITCH * column + (self.gap if column >= _HALF_ROW else 0.0) + PITCH / 2

    def label(self, index: int) -> Spot:
        """The middle of the number of the viewer's point `index`."""
        return Spot(self.column(index), TOP - 16 if self.upper(index) else BOTTOM + 16)

    def spot(self, side: int, index: int, level: int) -> Spot:
        """The middle of a checker of `side` at `index` of its own track; `level` 0 is the checker next to the edge."""
        if index == OFF or (index == 0 and not self.opposed):
            return self._lying(side, index, level)
        level = min(level, LEVELS - 1)
        if index == 0:
            away = _BAR_AT + RADIUS + 2 * RADIUS * level
            return Spot(self.bar.x + self.bar.width / 2, MIDDLE - away if side == self.side else MIDDLE + away)
        point = self.viewer_index(side, index)
        inward = _BASE + RADIUS + 2 * RADIUS * level
        return Spot(self.column(point), TOP + inward if self.upper(point) else BOTTOM - inward)

    def lane(self, side: int, index: int) -> tuple[float, bool]:
        """Where a tray has the checkers of `side` waiting (index 0) or off (25): from the left, and whether in the upper tray."""
        upper, _ = self.trays
        if self.opposed:
            return upper.x + upper.width / 2, side != self.side
        return upper.x + upper.width * (0.26 if side == WHITE else 0.74), index == 0

    def _lying(self, side: int, index: int, level: int) -> Spot:
        x, above = self.lane(side, index)
        inward = SLABS_AT + SLAB / 2 + _SLAB_PITCH * level
        return Spot(x, TOP + inward if above else BOTTOM - inward)
