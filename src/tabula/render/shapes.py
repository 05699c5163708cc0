"""The shapes of a drawn board as SVG elements: each is given its place and its colours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from tabula.render.layout import BOTTOM, CUBE, DEPTH, PITCH, RADIUS, SLAB, TOP, WIDTH, Box, Spot
from tabula.rules import OFF, may_wait

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabula.render.layout import View
    from tabula.render.marks import Cube

__all__ = [
    "DICE_PITCH",
    "SIDES",
    "box",
    "checker",
    "cube",
    "cube_value",
    "die",
    "hit_badge",
    "n",
    "points",
    "slab",
    "surface",
    "text",
    "trays",
    "word",
]

SIDES: Final = ("white", "black")
"""The colour keys of the sides."""

_DIE: Final = 44.0
DICE_PITCH: Final = _DIE + 10
"""The distance from one die to the next."""

_PIPS: Final = {1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679"}
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def n(number: float) -> str:
    """A number rounded to a tenth of a unit, in its shortest form."""
    return f"{round(number, 1) + 0.0:g}"  # adding zero turns -0.0 into 0.0


def text(words: str) -> str:
    """Text for XML: escaped, with the characters replaced that XML does not allow."""
    return escape(_FORBIDDEN.sub("\ufffd", words))


def box(place: Box, fill: str, corner: float = 0.0, extra: str = "") -> str:
    """A rectangle; `extra` are more attributes."""
    x, y, width, height = map(n, place)
    rounded = f' rx="{n(corner)}"' if corner else ""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}"{rounded} fill="{fill}"{extra}/>'


def word(place: Spot, size: float, fill: str, words: str, *, anchor: str = "middle", bold: bool = False) -> str:
    """A word, vertically centred at a place: the baseline is a third of an em lower, half the height of a digit."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{n(place.x)}" y="{n(place.y + 0.36 * size)}" font-size="{n(size)}" text-anchor="{anchor}"{weight} '
        f'fill="{fill}">{text(words)}</text>'
    )


def surface(view: View, ink: Mapping[str, str], height: float) -> list[str]:
    """The frame of the picture and the board without its points."""
    left, right = view.boxes
    drawn = [box(Box(0, 0, WIDTH, height), ink["frame"], 10)]
    if view.opposed:
        return [*drawn, box(left, ink["board"]), box(right, ink["board"]), box(view.bar, ink["bar"])]
    return [*drawn, box(Box(left.x, left.y, right.x + right.width - left.x, left.height), ink["board"])]


def points(view: View, ink: Mapping[str, str], fill: Mapping[int, str]) -> list[str]:
    """The points of the board; `fill` has other colours for some of the viewer's."""
    drawn = []
    for index in range(1, OFF):
        x = view.column(index)
        colour = fill.get(index, ink["point alternate" if index % 2 else "point"])
        edge, end = (TOP, TOP + DEPTH) if view.upper(index) else (BOTTOM, BOTTOM - DEPTH)
        if view.opposed:
            half = PITCH / 2 - 1
            corners = f"{n(x - half)},{n(edge)} {n(x + half)},{n(edge)} {n(x)},{n(end)}"
            drawn.append(f'<polygon points="{corners}" fill="{colour}"/>')
        else:
            drawn.append(box(Box(x - PITCH / 2 + 2, min(edge, end), PITCH - 4, DEPTH), colour, 4))
    return drawn


def trays(view: View, ink: Mapping[str, str]) -> list[str]:
    """The two trays with their names."""
    drawn = []
    upper_name = "off" if view.opposed else view.rules.waiting_label if may_wait(view.rules) else ""
    for tray, above, name in zip(view.trays, (True, False), (upper_name, "off"), strict=True):
        drawn.append(box(tray, ink["bar"], 4))
        y = tray.y + 14 if above else tray.y + tray.height - 14
        drawn += [word(Spot(tray.x + tray.width / 2, y), 14, ink["label"], name)] if name else []
    return drawn


def slab(place: Spot, side: int, ink: Mapping[str, str]) -> str:
    """A checker drawn from the side; black's has a line along it, as it has a ring from above."""
    name = SIDES[side]
    edge = f' stroke="{ink[f"{name} edge"]}"'
    drawn = box(Box(place.x - RADIUS, place.y - SLAB / 2, 2 * RADIUS, SLAB), ink[name], 3, edge)
    if side:
        drawn += box(Box(place.x - RADIUS + 6, place.y - 0.5, 2 * RADIUS - 12, 1), ink[f"{name} mark"])
    return drawn


def checker(place: Spot, side: int, ink: Mapping[str, str], radius: float = RADIUS) -> str:
    """A checker from above; black's has an inner ring."""
    name = SIDES[side]
    x, y = map(n, place)
    drawn = f'<circle cx="{x}" cy="{y}" r="{n(radius - 1)}" fill="{ink[name]}" stroke="{ink[f"{name} edge"]}" stroke-width="1.5"/>'
    if side:
        drawn += (
            f'<circle cx="{x}" cy="{y}" r="{n(radius * 0.7)}" fill="none" '
            f'stroke="{ink[f"{name} mark"]}" stroke-width="1.2" stroke-opacity="0.7"/>'
        )
    return drawn


def hit_badge(place: Spot, ink: Mapping[str, str]) -> str:
    """The badge with a cross where a checker is hit."""
    x, y = place
    return (
        f'<circle cx="{n(x)}" cy="{n(y)}" r="9" fill="{ink["hit"]}" stroke="{ink["hit mark"]}"/>'
        f'<path d="M{n(x - 4)} {n(y - 4)}l8 8m0 -8l-8 8" stroke="{ink["hit mark"]}" stroke-width="2.5" stroke-linecap="round"/>'
    )


def die(place: Spot, number: int, side: int, ink: Mapping[str, str]) -> str:
    """A die of one side's colour."""
    name = SIDES[side]
    edge = f' stroke="{ink[f"{name} edge"]}" stroke-width="1.5"'
    drawn = box(Box(place.x - _DIE / 2, place.y - _DIE / 2, _DIE, _DIE), ink[name], 8, edge)
    for cell in _PIPS[number]:
        row, column = divmod(int(cell) - 1, 3)
        x, y = place.x + (column - 1) * 12, place.y + (row - 1) * 12
        drawn += f'<circle cx="{n(x)}" cy="{n(y)}" r="4.2" fill="{ink[f"{name} mark"]}"/>'
    return drawn


def cube(place: Spot, ink: Mapping[str, str]) -> str:
    """The cube without its value."""
    edge = f' stroke="{ink["white edge"]}" stroke-width="1.5"'
    return box(Box(place.x - CUBE / 2, place.y - CUBE / 2, CUBE, CUBE), ink["white"], 4, edge)


def cube_value(drawn: Cube, ink: Mapping[str, str]) -> str:
    """The value on the cube."""
    value = str(drawn.value)
    return word(drawn.place, min(17.0, 40.0 / len(value)), ink["white mark"], value, bold=True)
