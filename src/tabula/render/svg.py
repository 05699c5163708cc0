"""A position as an SVG picture: a `str` that a browser, a notebook or an editor can display.

No element has an id and there is no style sheet, so that one page can have many boards.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, Literal
from xml.sax.saxutils import escape

from tabula import dice
from tabula._arguments import choice, white_or_black, whole
from tabula._native.position import Play, Position
from tabula.errors import short_repr
from tabula.render import captions
from tabula.render.arrows import Trip, curve, own_trip, trips
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
    SECOND_ROW,
    SLAB,
    TOP,
    WIDTH,
    Box,
    Spot,
    View,
)
from tabula.render.marks import Arrow, arrows_drawn, fills, two_names
from tabula.render.theme import DARK, LIGHT, PRINT, resolve
from tabula.rules import OFF

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabula.render.arrows import Curve
    from tabula.render.marks import ArrowLike, Standing

__all__ = ["DARK", "LIGHT", "PRINT", "Arrow", "board"]

_SIDES: Final = ("white", "black")
_MOST_PIXELS: Final = 10_000
_DIE: Final = 44.0
_CUBE: Final = 28.0
_LONGEST_NAME: Final = 24
_PIPS: Final = {1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679"}
_FONT: Final = 'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif"'


def board(
    position: Position,
    *,
    play: Play | None = None,
    roll: dice.RollLike | None = None,
    side: int | None = None,
    match: Standing | None = None,
    names: Sequence[str] | None = None,
    caption: str | None = None,
    arrows: Iterable[ArrowLike] = (),
    fill: Mapping[int, str] | None = None,
    labels: Literal["arabic", "roman"] = "arabic",
    colours: str | Mapping[str, str] = "light",
    size: int | None = None,
) -> str:
    """The position as SVG, as one side sees it: that side enters at the top right, goes left along the top, then back.

    Where both sides travel the same way (Tabula) the board is two rows of twelve; where they travel opposite ways (backgammon) it
    has a bar. Points have the numbers of the side whose play is drawn, or else of the side to move, so that a play below the board
    is written in the numbers beside it. Black's checkers have an inner ring and white's have none, so that the sides differ
    without colour. A number on a stack of more than five is how many checkers it has; a bracket closes a stack that is full.
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
    side
        The side whose view is drawn, `WHITE` or `BLACK`; the side to move if left out. With the same side for each position of a
        game, the board stays where it is and only checkers move.
    match
        How the match stands, a `MatchState`: its score and cube are drawn.
    names
        White's name and black's; those of `match` if left out, or else the names of the colours.
    caption
        The words at the right below the board; the play, or who has won, if left out.
    arrows
        More arrows: pairs of source and target, or `Arrow`, which has a colour too. A point is its number on this picture; there
        are also ``"bar"`` and ``"off"``, those of the side that the numbers belong to.
    fill
        Points to highlight, by their numbers on this picture, with their colours.
    labels
        How points are numbered: ``"arabic"``, 1 to 24, or ``"roman"``, I to XXIV.
    colours
        ``"light"``, ``"dark"``, ``"print"``, or a mapping of keys of `LIGHT` to CSS colours, which replace the colours of
        `LIGHT`; ``{**DARK, "arrow": "gold"}`` changes the dark theme.
    size
        The width in pixels, 1..10000, which sets the height too. Without it, the picture fills the space that the page gives it.

    Raises
    ------
    ValueError
        For an unknown value of `side`, `labels`, `colours` or `size`, a play of another position, a roll that is not the play's,
        and for what is no point or no colour in `arrows` and `fill`.
    TypeError
        For an argument of the wrong type.

    Examples
    --------
    >>> from tabula import Position
    >>> from tabula.render import svg
    >>> svg.board(Position(), roll="652", size=350)[:62]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 606" '
    >>> "gold" in svg.board(Position(), side=1, names=("Ann", "Ben"), arrows=[("bar", 6)], fill={6: "gold"})
    True
    >>> svg.board(Position(), labels="greek")
    Traceback (most recent call last):
    ...
    ValueError: labels must be 'arabic' or 'roman', not 'greek'
    """
    if not isinstance(position, Position):
        raise TypeError(f"position must be a Position, not {short_repr(position)}")
    thrown = _roll_drawn(position, play, roll)
    choice("labels", labels, ("arabic", "roman"))
    if side is not None:
        side = white_or_black("side", side)
    if caption is not None and not isinstance(caption, str):
        raise TypeError(f"caption must be a str or None, not {short_repr(caption)}")
    if names is None and match is not None:
        names = match.players
    picture = _Picture(
        position,
        play,
        thrown,
        view=View(position.rules, position.turn if side is None else side),
        match=match,
        names=None if names is None else two_names(names),
        caption=caption,
        arrows=arrows_drawn(arrows, position.rules),
        fill=fills(fill, position.rules),
        colours=resolve(colours),
        roman=labels == "roman",
    )
    pixels = ""
    if size is not None:
        width = whole("size", size)
        if not 1 <= width <= _MOST_PIXELS:
            raise ValueError(f"size must be 1..{_MOST_PIXELS} pixels, not {short_repr(width)}")
        pixels = f'width="{width}" height="{max(1, round(width * picture.height / WIDTH))}" '
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(WIDTH)} {_n(picture.height)}" {pixels}role="img" {_FONT}>',
            f"<title>{_text(captions.title(position, picture.names))}</title>",
            f"<desc>{_text(picture.description())}</desc>",
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
        self,
        position: Position,
        play: Play | None,
        roll: dice.Roll | None,
        *,
        view: View,
        match: Standing | None,
        names: tuple[str, str] | None,
        caption: str | None,
        arrows: list[tuple[int, int, str | None]],
        fill: dict[int, str],
        colours: Mapping[str, str],
        roman: bool,
    ) -> None:
        self.position = position
        self.play = play
        self.roll = roll
        self.view = view
        self.match = match
        self.names = captions.SIDES if names is None else names
        self.own_caption = caption
        self.own_arrows = arrows
        self.fill = fill
        self.ink = colours
        self.roman = roman
        self.numbered_by = captions.numbered_by(position, play)
        self.second_row = names is not None or match is not None
        self.height = HEIGHT + (SECOND_ROW if self.second_row else 0.0)
        self.tracks = captions.by_side(position)
        self.before = play is not None and play.origin == position
        self.trips: list[Trip] = [] if play is None else trips(play, self.view)

    def lines(self) -> list[str]:
        """All elements."""
        return [
            *self._surface(),
            *self._points(),
            *self._trays(),
            *self._cube(),
            *self._rings(),
            *self._checkers(),
            *self._arrows(),
            *self._counts(),
            *self._hits(),
            *self._dice(),
            *self._caption(),
        ]

    def description(self) -> str:
        """The picture in words."""
        words = captions.description(self.position, self.play, self.roll, names=self.names, match=self.match)
        label = self.position.rules.label
        arrows = [f"{label(source)} to {label(target)}" for source, target, _ in self.own_arrows]
        points = [label(index) for index in self.fill]
        more = [f"{name}: {', '.join(listed)}." for name, listed in (("Arrows", arrows), ("Highlighted", points)) if listed]
        return " ".join([words, *more])

    def _surface(self) -> list[str]:
        view, ink = self.view, self.ink
        left, right = view.boxes
        drawn = [_box(Box(0, 0, WIDTH, self.height), ink["frame"], 10)]
        if view.opposed:
            drawn += [_box(left, ink["board"]), _box(right, ink["board"]), _box(view.bar, ink["bar"])]
            if not self._cube_is_drawn() or self._cube_place().y != MIDDLE:
                place = Spot(view.bar.x + view.bar.width / 2, MIDDLE)
                drawn.append(_word(place, 14, ink["label"], self.position.rules.waiting_label))
        else:
            drawn.append(_box(Box(left.x, left.y, right.x + right.width - left.x, left.height), ink["board"]))
        return drawn

    def _points(self) -> list[str]:
        view, ink, rules = self.view, self.ink, self.position.rules
        drawn = []
        for index in range(1, OFF):
            x, upper = view.column(index), view.upper(index)
            own_index = index if view.side == self.numbered_by else rules.facing(index)
            fill = self.fill.get(own_index, ink["point alternate" if index % 2 else "point"])
            edge, end = (TOP, TOP + DEPTH) if upper else (BOTTOM, BOTTOM - DEPTH)
            if view.opposed:
                half = PITCH / 2 - 1
                corners = f"{_n(x - half)},{_n(edge)} {_n(x + half)},{_n(edge)} {_n(x)},{_n(end)}"
                drawn.append(f'<polygon points="{corners}" fill="{fill}"/>')
            else:
                drawn.append(_box(Box(x - PITCH / 2 + 2, min(edge, end), PITCH - 4, DEPTH), fill, 4))
            number = rules.number(own_index)
            label, size = (captions.roman(number), 14.0) if self.roman else (str(number), 17.0)
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
            if count > LEVELS
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
        """An arrow for each move, then the caller's own, each with a rim in another colour."""
        drawn = []
        for trip in self.trips:
            line = curve(trip, self.view, from_empty=not self.before, to_empty=self.before and not trip.hit)
            drawn += self._arrow(line, self.ink["arrow"])
        tracks = self.tracks[self.numbered_by], self.tracks[1 - self.numbered_by]
        for source, target, colour in self.own_arrows:
            trip = own_trip(source, target, tracks, self.numbered_by, self.view)
            drawn += self._arrow(curve(trip, self.view, from_empty=False, to_empty=True), colour or self.ink["arrow"])
        return drawn

    def _arrow(self, line: Curve, colour: str) -> list[str]:
        path = f"M{_at(line.start)}Q{_at(line.control)} {_at(line.end)}"
        head = " ".join(f"{_n(corner.x)},{_n(corner.y)}" for corner in line.head)
        return [
            f'<g fill="{ink}" stroke="{ink}" stroke-linejoin="round" stroke-linecap="round">'
            f'<path d="{path}" fill="none" stroke-width="{_n(width)}"/>'
            f'<polygon points="{head}" stroke-width="{_n(width - 4)}"/></g>'
            for ink, width in ((self.ink["arrow edge"], 8.5), (colour, 5.0))
        ]

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

    def _cube_is_drawn(self) -> bool:
        """Whether there is a match whose cube is in use; where both sides travel the same way, once it has been turned."""
        match = self.match
        if match is None or match.length == 1 or match.crawford:
            return False
        return self.view.opposed or match.cube > 1 or match.owner is not None or match.offer is not None

    def _cube_place(self) -> Spot:
        """In the middle of the bar or of the left half, or before its owner; in the left half where it is offered."""
        view, match = self.view, self.match
        assert match is not None
        left, _ = view.boxes
        beside = left if not view.opposed or match.offer is not None else view.bar
        x = beside.x + beside.width / 2
        if match.owner is None or match.offer is not None:
            return Spot(x, MIDDLE)
        away = (BOTTOM - TOP) / 2 - _CUBE / 2 - 2 if view.opposed else _CUBE / 2
        return Spot(x, MIDDLE + away if match.owner == view.side else MIDDLE - away)

    def _cube(self) -> list[str]:
        if not self._cube_is_drawn():
            return []
        match, place = self.match, self._cube_place()
        assert match is not None
        value = str(match.cube * (1 if match.offer is None else 2))
        edge = f' stroke="{self.ink["white edge"]}" stroke-width="1.5"'
        face = _box(Box(place.x - _CUBE / 2, place.y - _CUBE / 2, _CUBE, _CUBE), self.ink["white"], 4, edge)
        return [face, _word(place, min(17.0, 40.0 / len(value)), self.ink["white mark"], value, bold=True)]

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
        for side, full_name in enumerate(self.names):
            x = 44.0 + (330 if self.second_row else 190) * side
            to_move = side == position.turn and position.outcome is None
            pips = position.pips[0 if side == position.turn else 1]
            if to_move:
                drawn.append(f'<path d="M{_n(x - 30)} {_n(CAPTION - 8)}l13 8l-13 8z" fill="{ink["label"]}"/>')
            drawn.append(self._checker(Spot(x, CAPTION), side, 11))
            name = full_name if len(full_name) <= _LONGEST_NAME else f"{full_name[: _LONGEST_NAME - 1]}…"
            caption = f"{name} {captions.count(pips, 'pip')}"
            if self.match is not None:
                caption = f"{name}: {captions.count(self.match.score[side], 'point')}, {captions.count(pips, 'pip')}"
            size = min(17.0, 510.0 / len(caption)) if self.second_row else 17.0
            drawn.append(_word(Spot(x + 18, CAPTION), size, ink["label"], caption, anchor="start", bold=to_move))
        row = CAPTION + (SECOND_ROW if self.second_row else 0.0)
        words = "" if self.match is None else captions.match_words(self.match)
        if words:
            drawn.append(_word(Spot(EDGE + 4, row), min(14.0, 450.0 / len(words)), ink["label"], words, anchor="start"))
        caption = self._caption_text()
        if caption:
            size = min(17.0, 450.0 / len(caption))
            drawn.append(_word(Spot(WIDTH - EDGE - 4, row), size, ink["label"], caption, anchor="end", bold=True))
        return drawn

    def _caption_text(self) -> str:
        if self.own_caption is not None:
            return self.own_caption
        if self.position.outcome is not None:
            return captions.headline(self.position, self.names)
        if self.play is None:
            return ""
        words = captions.play_words(self.play, in_roman=self.roman)
        return words if self.before else f"played {words}"


def _at(place: Spot) -> str:
    return f"{_n(place.x)} {_n(place.y)}"
