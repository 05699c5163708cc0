"""A position as an SVG picture: a `str` that a browser, a notebook or an editor can display.

No element has an id and there is no style sheet, so that one page can have many boards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from tabula import dice
from tabula._arguments import choice, white_or_black, whole
from tabula._native.position import Play, Position, checked_position
from tabula.errors import short_repr
from tabula.render import captions, shapes
from tabula.render.arrows import Trip, curve, hit_place, own_trip, trips
from tabula.render.layout import (
    BOTTOM,
    CAPTION,
    EDGE,
    HEIGHT,
    LEVELS,
    MIDDLE,
    RADIUS,
    SECOND_ROW,
    TOP,
    WIDTH,
    Spot,
    View,
)
from tabula.render.marks import Arrow, arrows_drawn, cube_drawn, fills, two_names, unused_dice
from tabula.render.shapes import DICE_PITCH, n, text, word
from tabula.render.theme import DARK, LIGHT, PRINT, resolve
from tabula.rules import OFF

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabula.render.arrows import Curve
    from tabula.render.marks import ArrowLike, Standing

__all__ = ["DARK", "LIGHT", "PRINT", "Arrow", "board"]

_MOST_PIXELS: Final = 10_000
_LONGEST_NAME: Final = 24
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
    checked_position(position)
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
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {n(WIDTH)} {n(picture.height)}" {pixels}role="img" {_FONT}>',
            f"<title>{text(captions.title(position, picture.names))}</title>",
            f"<desc>{text(picture.description())}</desc>",
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
            *shapes.surface(self.view, self.ink, self.height),
            *shapes.points(self.view, self.ink, self._fill()),
            *self._labels(),
            *shapes.trays(self.view, self.ink),
            *self._lying(),
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

    def _own_index(self, index: int) -> int:
        """The index of the viewer's point `index` on the track of the side whose numbers are drawn."""
        return index if self.view.side == self.numbered_by else self.position.rules.facing(index)

    def _fill(self) -> dict[int, str]:
        """The caller's colours by the viewer's points."""
        return {self._own_index(index): colour for index, colour in self.fill.items()}

    def _labels(self) -> list[str]:
        drawn = []
        for index in range(1, OFF):
            number = self.position.rules.number(self._own_index(index))
            label, size = (captions.roman(number), 14.0) if self.roman else (str(number), 17.0)
            drawn.append(word(self.view.label(index), size, self.ink["label"], label))
        cube = None if self.match is None else cube_drawn(self.match, self.view)
        if self.view.opposed and (cube is None or cube.place != self.view.bar_middle):
            drawn.append(word(self.view.bar_middle, 14, self.ink["label"], self.position.rules.waiting_label))
        return drawn

    def _lying(self) -> list[str]:
        """The checkers in trays, with their numbers."""
        view, ink = self.view, self.ink
        drawn = []
        for side, track in enumerate(self.tracks):
            for index in (OFF,) if view.opposed else (0, OFF):
                drawn += [shapes.slab(view.spot(side, index, level), side, ink) for level in range(track[index])]
                if track[index]:
                    x, above = view.lane(side, index)
                    y = TOP + 36 if above else BOTTOM - 36
                    drawn.append(word(Spot(x, y), 16, ink["label"], str(track[index]), bold=True))
        return drawn

    def _stacks(self) -> Iterable[tuple[int, int, int]]:
        """Side, index on its own track and number of checkers, of each stack that is drawn from above."""
        for side, track in enumerate(self.tracks):
            for index in range(0 if self.view.opposed else 1, OFF):
                if track[index]:
                    yield side, index, track[index]

    def _checkers(self) -> list[str]:
        drawn = []
        for side, index, count in self._stacks():
            drawn += [shapes.checker(self.view.spot(side, index, level), side, self.ink) for level in range(min(count, LEVELS))]
            if index and count == self.position.rules.stack_limit:
                drawn.append(self._full(side, index, count))
        return drawn

    def _full(self, side: int, index: int, count: int) -> str:
        """The bracket that closes a full stack."""
        x, y = self.view.spot(side, index, min(count, LEVELS) - 1)
        way = 1 if y < MIDDLE else -1
        end = y + way * (RADIUS + 4)
        return (
            f'<path d="M{n(x - 19)} {n(end - way * 10)}V{n(end)}H{n(x + 19)}V{n(end - way * 10)}" fill="none" '
            f'stroke="{self.ink["full"]}" stroke-width="4" stroke-linejoin="round"/>'
        )

    def _counts(self) -> list[str]:
        return [
            word(self.view.spot(side, index, 0), 18, self.ink[f"{shapes.SIDES[side]} mark"], str(count), bold=True)
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
                    f'<circle cx="{n(place.x)}" cy="{n(place.y)}" r="{n(RADIUS - 2)}" fill="none" stroke="{self.ink["arrow"]}" '
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
        head = " ".join(f"{n(corner.x)},{n(corner.y)}" for corner in line.head)
        return [
            f'<g fill="{ink}" stroke="{ink}" stroke-linejoin="round" stroke-linecap="round">'
            f'<path d="{path}" fill="none" stroke-width="{n(width)}"/>'
            f'<polygon points="{head}" stroke-width="{n(width - 4)}"/></g>'
            for ink, width in ((self.ink["arrow edge"], 8.5), (colour, 5.0))
        ]

    def _hits(self) -> list[str]:
        """A badge with a cross at each point where a checker is hit."""
        return [shapes.hit_badge(hit_place(trip), self.ink) for trip in self.trips if trip.hit]

    def _dice(self) -> list[str]:
        if self.roll is None:
            return []
        side = self.position.turn if self.play is None else self.play.origin.turn
        unused = unused_dice(self.roll, self.play)
        drawn = []
        for at, die in enumerate(self.roll):
            x = self.view.dice(side).x + DICE_PITCH * (at - (len(self.roll) - 1) / 2)
            face = shapes.die(Spot(x, MIDDLE), die, side, self.ink)
            drawn.append(f'<g opacity="0.4">{face}</g>' if at in unused else face)
        return drawn

    def _cube(self) -> list[str]:
        cube = None if self.match is None else cube_drawn(self.match, self.view)
        return [] if cube is None else [shapes.cube(cube.place, self.ink), shapes.cube_value(cube, self.ink)]

    def _caption(self) -> list[str]:
        position, ink = self.position, self.ink
        drawn = []
        for side, full_name in enumerate(self.names):
            x = 44.0 + (330 if self.second_row else 190) * side
            to_move = side == position.turn and position.outcome is None
            pips = position.pips[0 if side == position.turn else 1]
            if to_move:
                drawn.append(f'<path d="M{n(x - 30)} {n(CAPTION - 8)}l13 8l-13 8z" fill="{ink["label"]}"/>')
            drawn.append(shapes.checker(Spot(x, CAPTION), side, ink, 11))
            name = full_name if len(full_name) <= _LONGEST_NAME else f"{full_name[: _LONGEST_NAME - 1]}…"
            caption = f"{name} {captions.count(pips, 'pip')}"
            if self.match is not None:
                caption = f"{name}: {captions.count(self.match.score[side], 'point')}, {captions.count(pips, 'pip')}"
            size = min(17.0, 510.0 / len(caption)) if self.second_row else 17.0
            drawn.append(word(Spot(x + 18, CAPTION), size, ink["label"], caption, anchor="start", bold=to_move))
        row = CAPTION + (SECOND_ROW if self.second_row else 0.0)
        words = "" if self.match is None else captions.match_words(self.match)
        if words:
            drawn.append(word(Spot(EDGE + 4, row), min(14.0, 450.0 / len(words)), ink["label"], words, anchor="start"))
        caption = self._caption_text()
        if caption:
            size = min(17.0, 450.0 / len(caption))
            drawn.append(word(Spot(WIDTH - EDGE - 4, row), size, ink["label"], caption, anchor="end", bold=True))
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
    return f"{n(place.x)} {n(place.y)}"
