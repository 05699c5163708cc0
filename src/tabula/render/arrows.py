"""The arrows of a play: where each move starts and ends on the picture, and the curve of its arrow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from tabula.render.layout import MIDDLE, RADIUS, Spot
from tabula.rules import OFF

if TYPE_CHECKING:
    from tabula._native.position import Play
    from tabula.render.layout import View

__all__ = ["Curve", "Trip", "curve", "hit_place", "own_trip", "trips"]

HEAD: Final = 15.0
"""The length of an arrow's head."""

_BEND: Final = 24.0
_BEND_PER_UNIT: Final = 0.12

_OFF_STEP: Final = 18.0
"""The distance between the heads of arrows that bear off. Checkers in a tray are thinner than a head, which would overlap."""


class Trip(NamedTuple):
    """One move on the picture: the checker's index and place before and after, and whether it hits."""

    source: int
    target: int
    start: Spot
    end: Spot
    hit: bool


class Curve(NamedTuple):
    """A quadratic curve and the three corners of the head at its end."""

    start: Spot
    control: Spot
    end: Spot
    head: tuple[Spot, Spot, Spot]


def trips(play: Play, view: View) -> list[Trip]:
    """The moves of a play in their order, each from the top of the stack it leaves to the top of the stack where it arrives.

    Moves that bear off end one above the other, the first nearest to the middle of the board. The first usually comes from the
    farthest point, so that the arrows do not cross.
    """
    side = play.origin.turn
    heights = list(play.origin.mover)
    before, leaving = heights[OFF], sum(move.target == OFF for move in play.moves)
    made = []
    for source, target, _, hit in play.moves:
        heights[source] -= 1
        end = view.spot(side, target, heights[target])
        if target == OFF:
            x, y = view.spot(side, OFF, before)
            step = _OFF_STEP * (before + leaving - 1 - heights[OFF])
            end = Spot(x - RADIUS / 2, y + step if y < MIDDLE else y - step)
        made.append(Trip(source, target, view.spot(side, source, heights[source]), end, hit))
        heights[target] += 1
    return made


def own_trip(source: int, target: int, tracks: tuple[tuple[int, ...], tuple[int, ...]], side: int, view: View) -> Trip:
    """The way of a caller's own arrow: from the top of the stack at `source` to the place above the stack at `target`.

    The indices are those of `side`; `tracks` are its track and the other side's.
    """
    start = view.spot(side, source, max(0, _height(source, tracks, view) - 1))
    return Trip(source, target, start, view.spot(side, target, _height(target, tracks, view)), False)


def _height(index: int, tracks: tuple[tuple[int, ...], tuple[int, ...]], view: View) -> int:
    mine, others = tracks
    return mine[index] if index in (0, OFF) else mine[index] or others[view.rules.facing(index)]


def hit_place(trip: Trip) -> Spot:
    """The middle of the badge of a hit, on the other side than the arrow."""
    x, y = trip.end
    return Spot(x + (15 if trip.start.x < x else -15), y + (-15 if y < MIDDLE else 15))


def curve(trip: Trip, view: View, *, from_empty: bool, to_empty: bool) -> Curve:
    """The curve of a move's arrow. Within a row it bends towards the middle of the board, between rows towards the left end,
    or the right end where the sides start from opposite corners and the arrow is in that half.

    An arrow that bears off arrives at its tray horizontally, so that the heads of several lie apart. At an empty place the arrow
    reaches the middle, at a checker its rim.
    """
    (x1, y1), (x2, y2) = trip.start, trip.end
    length = math.hypot(x2 - x1, y2 - y1)
    bend = _BEND + _BEND_PER_UNIT * length
    if trip.target == OFF:
        control = Spot((x1 + x2) / 2, y2)
    elif (y1 < MIDDLE) == (y2 < MIDDLE):
        control = Spot((x1 + x2) / 2, (y1 + y2) / 2 + (bend if y1 < MIDDLE else -bend))
    elif view.rules.direction == "parallel" and x1 + x2 > 2 * view.bar_middle.x:
        control = Spot(max(x1, x2) + bend / 2 - abs(x1 - x2) / 4, (y1 + y2) / 2)
    else:
        control = Spot(min(x1, x2) - bend / 2 + abs(x1 - x2) / 4, (y1 + y2) / 2)
    start = _towards(trip.start, control, 0.0 if from_empty else RADIUS * 0.55)
    tip = _towards(trip.end, control, 0.0 if to_empty or trip.target == OFF else RADIUS * 0.6)
    neck = _towards(tip, control, HEAD)
    across = Spot((neck.y - tip.y) / HEAD * 8.5, (tip.x - neck.x) / HEAD * 8.5)
    corners = (tip, Spot(neck.x + across.x, neck.y + across.y), Spot(neck.x - across.x, neck.y - across.y))
    return Curve(start, control, _towards(tip, control, HEAD - 1), corners)


def _towards(place: Spot, other: Spot, distance: float) -> Spot:
    length = math.hypot(other.x - place.x, other.y - place.y)
    return Spot(place.x + (other.x - place.x) / length * distance, place.y + (other.y - place.y) / length * distance)
