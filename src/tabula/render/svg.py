"""A position as an SVG picture: a `str` that a browser, a notebook or an editor can display.

No element has an id and there is no style sheet, so that one page can have many boards.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, Literal
from xml.sax.saxutils import escape

from tabula import dice
from tabula._arguments import choice, whole
from tabula._native.position import Play, Position, checked_position
from tabula.errors import short_repr
from tabula.render import captions
from tabula.render.arrows import Trip, curve, trips
from tabula.render.layout import (
    BOTTOM,
    CAPTION,
    DEPTH,
    EDGE,
    HEIGHT,
    LEVELS,
    MIDDLE,
    PITCH,
    RADIUS,
    SLAB,
    TOP,
    WIDTH,
    Box,
    Spot,
    View,
)
from tabula.render.theme import DARK, LIGHT, resolve
from tabula.rules import OFF

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["DARK", "LIGHT", "board"]

_SIDES: Final = ("white", "black")
_MOST_PIXELS: Final = 10_000
_DIE: Final = 44.0
_PIPS: Final = {1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679"}
_FONT: Final = 'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif"'


def board(
    position: Position,
    *,
    play: Play | None = None,
    roll: dice.RollLike | None = None,
    labels: Literal["arabic", "roman"] = "arabic",
    colours: str | Mapping[str, str] = "light",
    size: int | None = None,
) -> str:
    """The position as SVG, as the side to move sees it: that side enters at the top right, goes left along the top, then back.

    Where both sides travel the same way (Tabula) the board is two rows of twelve; where they travel opposite ways (backgammon) it
    has a bar. Points have the side to move's own numbers. Black's checkers have an inner ring and white's have none, so that the
    sides differ without colour. A number on a stack is how many checkers it has; a bracket closes a stack that is full.
    ``<title>`` and ``<desc>`` describe the picture in words.

    Parameters
    ----------
    position
        The position to draw.
    play
        A play that starts from the position or has just led to it. Its moves are arrows, hits have a badge with a cross, and its
        roll is drawn, with faint dice for those that the play does not use.
    roll
        The dice thrown, as `Position.plays` takes them. Without `roll` and `play` no dice are drawn.
    labels
        How points are numbered: ``"arabic"``, 1 to 24, or ``"roman"``, I to XXIV.
    colours
        ``"light"``, ``"dark"``, or a mapping of keys of `LIGHT` to CSS colours, which replace the colours of
        `LIGHT`; ``{**DARK, "arrow": "gold"}`` changes the dark theme.
    size
        The width in pixels, 1..10000, which sets the height too. Without it, the picture fills the space that the page gives it.

    Raises
    ------
    ValueError
        For an unknown value of `labels`, `colours` or `size`, a play of another position, or a roll that is not the play's.
    TypeError
        For an argument of the wrong type.

    Examples
    --------
    >>> from tabula import Position
    >>> from tabula.render import svg
    >>> svg.board(Position(), roll="652", size=350)[:62]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 606" '
    >>> svg.board(Position(), labels="greek")
    Traceback (most recent call last):
    ...
    ValueError: labels must be 'arabic' or 'roman', not 'greek'
    """
    checked_position(position)
    thrown = _roll_drawn(position, play, roll)
    choice("labels", labels, ("arabic", "roman"))
    picture = _Picture(position, play, thrown, resolve(colours), labels == "roman")
    pixels = ""
    if size is not None:
        width = whole("size", size)
        if not 1 <= width <= _MOST_PIXELS:
            raise ValueError(f"size must be 1..{_MOST_PIXELS} pixels, not {short_repr(width)}")
        pixels = f'width="{width}" height="{max(1, round(width * HEIGHT / WIDTH))}" '
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(WIDTH)} {_n(HEIGHT)}" {pixels}role="img" {_FONT}>',
            f"<title>{_text(captions.title(position))}</title>",
            f"<desc>{_text(captions.description(position, play, thrown))}</desc>",
            *picture.lines(),
            "</svg>",
        ]
    )


def _roll_drawn(position: Position, play: Play | None, roll: dice.RollLike | None) -> dice.Roll | None:
    """The dice to draw; ValueError if play, roll and position do not agree."""
    thrown = None if roll is None else dice.parse(roll, position.rules.dice)
    if play is None:
        return thrown
    if not isinstance(play, Play):
        raise TypeError(f"play must be a Play, not {short_repr(play)}")
    if position not in (play.origin, play.position):
        raise ValueError(
            f"play must start from the position drawn or end in it, and {short_repr(play)} is from {play.origin.to_text()}"
        )
    if thrown is not None and thrown != play.roll:
        raise ValueError(f"roll must be the play's own, {dice.to_text(play.roll)}, not {dice.to_text(thrown)}")
    return play.roll


def _n(number: float) -> str:
    """A number rounded to a tenth of a unit, in its shortest form."""
    return f"{round(number, 1) + 0.0:g}"  # adding zero turns -0.0 into 0.0


_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _text(words: str) -> str:
    """Text for XML: escaped, with the characters replaced that XML does not allow."""
    return escape(_FORBIDDEN.sub("\ufffd", words))


def _roman(number: int) -> str:
    """A number of 1..24 in Roman numerals."""
    return "X" * (number // 10) + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[number % 10]


def _box(box: Box, fill: str, corner: float = 0.0, extra: str = "") -> str:
    x, y, width, height = map(_n, box)
    rounded = f' rx="{_n(corner)}"' if corner else ""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}"{rounded} fill="{fill}"{extra}/>'


def _word(place: Spot, size: float, fill: str, words: str, *, anchor: str = "middle", bold: bool = False) -> str:
    """A word, vertically centred at a place: the baseline is a third of an em lower, half the height of a digit."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{_n(place.x)}" y="{_n(place.y + 0.36 * size)}" font-size="{_n(size)}" text-anchor="{anchor}"{weight} '
        f'fill="{fill}">{_text(words)}</text>'
    )


class _Picture:
    """One picture; `lines` gives its elements from the bottom layer to the top."""

    def __init__(
        self, position: Position, play: Play | None, roll: dice.Roll | None, colours: Mapping[str, str], roman: bool
    ) -> None:
        self.position = position
        self.play = play
        self.roll = roll
        self.ink = colours
        self.roman = roman
        self.view = View.of(position)
        self.tracks = captions.by_side(position)
        self.before = play is not None and play.origin == position
        self.trips: list[Trip] = [] if play is None else trips(play, self.view)

    def lines(self) -> list[str]:
        """All elements."""
        return [
            *self._surface(),
            *self._points(),
            *self._trays(),
            *self._rings(),
            *self._checkers(),
            *self._arrows(),
            *self._counts(),
            *self._hits(),
            *self._dice(),
            *self._caption(),
        ]

    def _surface(self) -> list[str]:
        view, ink = self.view, self.ink
        left, right = view.boxes
        drawn = [_box(Box(0, 0, WIDTH, HEIGHT), ink["frame"], 10)]
        if view.opposed:
            drawn += [_box(left, ink["board"]), _box(right, ink["board"]), _box(view.bar, ink["bar"])]
            drawn.append(_word(Spot(view.bar.x + view.bar.width / 2, MIDDLE), 14, ink["label"], self.position.rules.waiting_label))
        else:
            drawn.append(_box(Box(left.x, left.y, right.x + right.width - left.x, left.height), ink["board"]))
        return drawn

    def _points(self) -> list[str]:
        view, ink, rules = self.view, self.ink, self.position.rules
        drawn = []
        for index in range(1, OFF):
            x, upper = view.column(index), view.upper(index)
            fill = ink["point alternate" if index % 2 else "point"]
            edge, end = (TOP, TOP + DEPTH) if upper else (BOTTOM, BOTTOM - DEPTH)
            if view.opposed:
                half = PITCH / 2 - 1
                corners = f"{_n(x - half)},{_n(edge)} {_n(x + half)},{_n(edge)} {_n(x)},{_n(end)}"
                drawn.append(f'<polygon points="{corners}" fill="{fill}"/>')
            else:
                drawn.append(_box(Box(x - PITCH / 2 + 2, min(edge, end), PITCH - 4, DEPTH), fill, 4))
            number = rules.number(index)
            label, size = (_roman(number), 14.0) if self.roman else (str(number), 17.0)
            drawn.append(_word(Spot(x, TOP - 16 if upper else BOTTOM + 16), size, ink["label"], label))
        return drawn

    def _trays(self) -> list[str]:
        view, ink = self.view, self.ink
        drawn = []
        upper_name = "off" if view.opposed else self.position.rules.waiting_label
        for tray, above, name in zip(view.trays, (True, False), (upper_name, "off"), strict=True):
            drawn.append(_box(tray, ink["bar"], 4))
            y = tray.y + 14 if above else tray.y + tray.height - 14
            drawn.append(_word(Spot(tray.x + tray.width / 2, y), 14, ink["label"], name))
        for side, track in enumerate(self.tracks):
            for index in (OFF,) if view.opposed else (0, OFF):
                drawn += [self._slab(view.spot(side, index, level), side) for level in range(track[index])]
                if track[index]:
                    x, above = view.lane(side, index)
                    y = TOP + 36 if above else BOTTOM - 36
                    drawn.append(_word(Spot(x, y), 16, ink["label"], str(track[index]), bold=True))
        return drawn

    def _slab(self, place: Spot, side: int) -> str:
        """A checker drawn from the side; black's has a line along it, as it has a ring from above."""
        name = _SIDES[side]
        edge = f' stroke="{self.ink[f"{name} edge"]}"'
        slab = _box(Box(place.x - RADIUS, place.y - SLAB / 2, 2 * RADIUS, SLAB), self.ink[name], 3, edge)
        if side:
            line = Box(place.x - RADIUS + 6, place.y - 0.5, 2 * RADIUS - 12, 1)
            slab += _box(line, self.ink[f"{name} mark"])
        return slab

    def _stacks(self) -> Iterable[tuple[int, int, int]]:
        """Side, index on its own track and number of checkers, of each stack that is drawn from above."""
        for side, track in enumerate(self.tracks):
            for index in range(0 if self.view.opposed else 1, OFF):
                if track[index]:
                    yield side, index, track[index]

    def _checkers(self) -> list[str]:
        drawn = []
        for side, index, count in self._stacks():
            drawn += [self._checker(self.view.spot(side, index, level), side) for level in range(min(count, LEVELS))]
            if index and count == self.position.rules.stack_limit:
                drawn.append(self._full(side, index, count))
        return drawn

    def _checker(self, place: Spot, side: int, radius: float = RADIUS) -> str:
        name = _SIDES[side]
        x, y = map(_n, place)
        checker = (
            f'<circle cx="{x}" cy="{y}" r="{_n(radius - 1)}" fill="{self.ink[name]}" '
            f'stroke="{self.ink[f"{name} edge"]}" stroke-width="1.5"/>'
        )
        if side:
            checker += (
                f'<circle cx="{x}" cy="{y}" r="{_n(radius * 0.7)}" fill="none" '
                f'stroke="{self.ink[f"{name} mark"]}" stroke-width="1.2" stroke-opacity="0.7"/>'
            )
        return checker

    def _full(self, side: int, index: int, count: int) -> str:
        """The bracket that closes a full stack."""
        x, y = self.view.spot(side, index, min(count, LEVELS) - 1)
        way = 1 if y < MIDDLE else -1
        end = y + way * (RADIUS + 4)
        return (
            f'<path d="M{_n(x - 19)} {_n(end - way * 10)}V{_n(end)}H{_n(x + 19)}V{_n(end - way * 10)}" fill="none" '
            f'stroke="{self.ink["full"]}" stroke-width="4" stroke-linejoin="round"/>'
        )

    def _counts(self) -> list[str]:
        return [
            _word(self.view.spot(side, index, 0), 18, self.ink[f"{_SIDES[side]} mark"], str(count), bold=True)
            for side, index, count in self._stacks()
            if count > 1
        ]

    def _rings(self) -> list[str]:
        """A ring on each place where a move will end or has started; a checker that stands there covers the ring."""
        drawn = []
        for trip in self.trips:
            index, place = (trip.target, trip.end) if self.before else (trip.source, trip.start)
            if 0 < index < OFF or (index == 0 and self.view.opposed):
                drawn.append(
                    f'<circle cx="{_n(place.x)}" cy="{_n(place.y)}" r="{_n(RADIUS - 2)}" fill="none" stroke="{self.ink["arrow"]}" '
                    'stroke-width="2" stroke-dasharray="5 4"/>'
                )
        return drawn

    def _arrows(self) -> list[str]:
        """An arrow for each move, with a rim in another colour."""
        drawn = []
        for trip in self.trips:
            line = curve(trip, self.view, from_empty=not self.before, to_empty=self.before and not trip.hit)
            path = f"M{_at(line.start)}Q{_at(line.control)} {_at(line.end)}"
            head = " ".join(f"{_n(corner.x)},{_n(corner.y)}" for corner in line.head)
            for part, width in (("arrow edge", 8.5), ("arrow", 5.0)):
                drawn.append(
                    f'<g fill="{self.ink[part]}" stroke="{self.ink[part]}" stroke-linejoin="round" stroke-linecap="round">'
                    f'<path d="{path}" fill="none" stroke-width="{_n(width)}"/>'
                    f'<polygon points="{head}" stroke-width="{_n(width - 4)}"/></g>'
                )
        return drawn

    def _hits(self) -> list[str]:
        """A badge with a cross at each point where a checker is hit, on the other side than the arrow."""
        drawn = []
        for trip in self.trips:
            if trip.hit:
                x, y = trip.end.x + (15 if trip.start.x < trip.end.x else -15), trip.end.y + (-15 if trip.end.y < MIDDLE else 15)
                drawn.append(
                    f'<circle cx="{_n(x)}" cy="{_n(y)}" r="9" fill="{self.ink["hit"]}" stroke="{self.ink["hit mark"]}"/>'
                    f'<path d="M{_n(x - 4)} {_n(y - 4)}l8 8m0 -8l-8 8" stroke="{self.ink["hit mark"]}" stroke-width="2.5" '
                    'stroke-linecap="round"/>'
                )
        return drawn

    def _dice(self) -> list[str]:
        if self.roll is None:
            return []
        side = self.position.turn if self.play is None else self.play.origin.turn
        name = _SIDES[side]
        played = Counter(move.die for move in (self.play.moves if self.play is not None else ()))
        # Equal dice that are played twice make two moves for each die.
        worth = 2 if self.position.rules.doubles == "twice" and len(set(self.roll)) == 1 else 1
        step = _DIE + 10
        drawn = []
        for i, die in enumerate(self.roll):
            x = self.view.dice.x + step * (i - (len(self.roll) - 1) / 2)
            faint = self.play is not None and played[die] <= 0
            played[die] -= worth
            face = self._die(Spot(x, MIDDLE), die, name)
            drawn.append(f'<g opacity="0.4">{face}</g>' if faint else face)
        return drawn

    def _die(self, place: Spot, die: int, name: str) -> str:
        edge = f' stroke="{self.ink[f"{name} edge"]}" stroke-width="1.5"'
        face = _box(Box(place.x - _DIE / 2, place.y - _DIE / 2, _DIE, _DIE), self.ink[name], 8, edge)
        pips = ""
        for cell in _PIPS[die]:
            row, column = divmod(int(cell) - 1, 3)
            x, y = place.x + (column - 1) * 12, place.y + (row - 1) * 12
            pips += f'<circle cx="{_n(x)}" cy="{_n(y)}" r="4.2" fill="{self.ink[f"{name} mark"]}"/>'
        return face + pips

    def _caption(self) -> list[str]:
        position, ink = self.position, self.ink
        drawn = []
        for side, name in enumerate(captions.SIDES):
            x, to_move = 44.0 + 190 * side, side == position.turn and position.outcome is None
            pips = position.pips[0 if side == position.turn else 1]
            if to_move:
                drawn.append(f'<path d="M{_n(x - 30)} {_n(CAPTION - 8)}l13 8l-13 8z" fill="{ink["label"]}"/>')
            drawn.append(self._checker(Spot(x, CAPTION), side, 11))
            caption = f"{name} {captions.count(pips, 'pip')}"
            drawn.append(_word(Spot(x + 18, CAPTION), 17, ink["label"], caption, anchor="start", bold=to_move))
        if position.outcome is not None:
            caption = captions.headline(position)
        elif self.play is not None:
            caption = str(self.play) if self.before else f"played {self.play}"
        else:
            caption = ""
        if caption:
            size = min(17.0, 450.0 / len(caption))
            drawn.append(_word(Spot(WIDTH - EDGE - 4, CAPTION), size, ink["label"], caption, anchor="end", bold=True))
        return drawn


def _at(place: Spot) -> str:
    return f"{_n(place.x)} {_n(place.y)}"
