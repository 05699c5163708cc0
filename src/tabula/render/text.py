"""A position as a board of characters, for terminals and `print`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TextIO

from tabula._arguments import choice, flag
from tabula._native.position import Position, checked_position
from tabula.render import captions
from tabula.rules import OFF, POINTS, WHITE

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["board", "fitting_style", "signs", "wants_colour"]

_HEIGHT: Final = 5
_HALF_ROW: Final = 6
_LINE: Final = 80


class _Style(NamedTuple):
    """The characters of a style: white's checker and black's, an empty point, lines, corners from top left to bottom right."""

    signs: str
    empty: str
    across: str
    down: str
    corners: str


_STYLES: Final = {"ascii": _Style("OX", ".", "-", "|", "++++++"), "unicode": _Style("○●", "·", "─", "│", "┌┬┐└┴┘")}
_WHITE_INK, _BLACK_INK, _FAINT, _PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[2m", "\x1b[0m"


def board(
    position: Position,
    *,
    style: Literal["ascii", "unicode"] = "ascii",
    colour: bool = False,
    upside_down: bool = False,
) -> str:
    """The board as the side to move sees it, with points in its own numbering.

    A stack that is too high for the board has the number of its checkers instead of the top one. Where the sides travel opposite
    ways, the line between the halves is the bar, and the checkers on it stand there, the viewer's above the middle. Below the
    board stand, for each side, the checkers in hand or on the bar, those off, and the pips to go. No line has more than 80 columns.

    Parameters
    ----------
    position
        The position to draw.
    style
        ``"ascii"``, O for white and X for black; or ``"unicode"``, ○ for white and ● for black.
    colour
        Whether to add the escape sequences that make white bold, black red and empty points faint on a terminal.
    upside_down
        Draw the board as the other side sees it, from across the table and in that side's numbering.

    Raises
    ------
    ValueError
        For an unknown style.
    TypeError
        If `position` is not a `Position`, or `colour` or `upside_down` not True or False.

    Examples
    --------
    >>> from tabula import Position
    >>> print(board(Position()).splitlines()[-1])
    O to move   O: 15 in hand, 0 off, 375 pips   X: 15 in hand, 0 off, 375 pips
    >>> print(board(Position(), upside_down=True).splitlines()[0])
      13 14 15 16 17 18   19 20 21 22 23 24
    """
    checked_position(position)
    choice("style", style, _STYLES)
    flag("colour", colour)
    flag("upside_down", upside_down)
    return _Board(position, _STYLES[style], colour, upside_down).text()


def wants_colour(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether to write to `stream` in colour: it is a terminal, not a dumb one, and NO_COLOR is empty or not set.

    >>> import io
    >>> wants_colour(io.StringIO())
    False
    """
    return stream.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def fitting_style(stream: TextIO) -> Literal["ascii", "unicode"]:
    """``"unicode"`` if `stream` can encode the characters of that style, else ``"ascii"``.

    >>> import io
    >>> fitting_style(io.TextIOWrapper(io.BytesIO(), "utf-8")), fitting_style(io.TextIOWrapper(io.BytesIO(), "latin-1"))
    ('unicode', 'ascii')
    """
    try:
        "".join(map("".join, _STYLES["unicode"])).encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return "ascii"
    return "unicode"


def signs(style: Literal["ascii", "unicode"]) -> str:
    """The characters of a style for white's checker and black's; ValueError for an unknown style.

    >>> signs("ascii")
    'OX'
    """
    return _STYLES[choice("style", style, _STYLES)].signs


class _Board:
    """One board, and how it is to be drawn."""

    def __init__(self, position: Position, style: _Style, colour: bool, upside_down: bool) -> None:
        self.position = position
        self.rules = position.rules
        self.style = style
        self.colour = colour
        first, second = range(POINTS // 2, 0, -1), range(POINTS // 2 + 1, OFF)
        self.rows = (first, second)
        # Each side sees itself enter at the top right. Where the sides enter at different corners, the other side's view has its
        # own indices in the same places; where they travel the same way from one, it has the two rows exchanged.
        self.viewer = position.turn
        if upside_down and self.rules.direction != "same":
            self.viewer = 1 - position.turn
        elif upside_down:
            self.rows = (second, first)

    def text(self) -> str:
        """The whole board."""
        upper, lower = self.rows
        rule = self.style.across * (3 * _HALF_ROW + 1)
        return "\n".join(
            [
                self._numbers(upper),
                rule.join(self.style.corners[:3]),
                *(self._row(upper, height, self.viewer) for height in range(_HEIGHT)),
                self._row((), 0),
                *(self._row(lower, height, 1 - self.viewer) for height in reversed(range(_HEIGHT))),
                rule.join(self.style.corners[3:]),
                self._numbers(lower),
                "",
                self._summary(),
            ]
        )

    def _numbers(self, points: range) -> str:
        cells = [f"{self.rules.number(point):>3}" for point in points]
        return f" {''.join(cells[:_HALF_ROW])}  {''.join(cells[_HALF_ROW:])}"

    def _row(self, points: range | tuple[()], height: int, bar_side: int | None = None) -> str:
        """The row at one height of these points, or the row between them; on the bar stand checkers of `bar_side`."""
        cells = [self._cell(point, height) for point in points] or ["   "] * 2 * _HALF_ROW
        down = self.style.down
        bar = f" {down}" if bar_side is None else self._bar(bar_side, _HEIGHT - 1 - height)
        return f"{down}{''.join(cells[:_HALF_ROW])}{bar}{''.join(cells[_HALF_ROW:])} {down}"

    def _bar(self, side: int, level: int) -> str:
        """The two characters of the bar at one level, counted from the middle."""
        count = captions.by_side(self.position)[side][0] if self.rules.direction != "same" else 0
        if level >= count:
            return f" {self.style.down}"
        cell = str(count) if level == _HEIGHT - 1 and count > _HEIGHT else self.style.signs[side]
        return self._inked(f"{cell:>2}", _WHITE_INK if side == WHITE else _BLACK_INK)

    def _cell(self, point: int, height: int) -> str:
        """The three characters at one height (0 is the edge of the board) of the viewer's point."""
        for side, track in enumerate(captions.by_side(self.position)):
            count = track[point if side == self.viewer else self.rules.facing(point)]
            if count:
                break
        if height >= count:
            return self._inked("  " + self.style.empty, _FAINT) if height == 0 else "   "
        cell = str(count) if height == _HEIGHT - 1 and count > _HEIGHT else self.style.signs[side]
        return self._inked(f"{cell:>3}", _WHITE_INK if side == WHITE else _BLACK_INK)

    def _inked(self, cell: str, ink: str) -> str:
        return f"{ink}{cell}{_PLAIN}" if self.colour else cell

    def _summary(self) -> str:
        position, signs = self.position, self.style.signs
        place = "on bar" if self.rules.waiting_label == "bar" else self.rules.waiting_label
        head = captions.headline(position, signs)
        sides = []
        for side, track in enumerate(captions.by_side(position)):
            pips = position.pips[0 if side == position.turn else 1]
            waiting = f"{track[0]} {place}, " if captions.speaks_of_waiting(position) else ""
            sides.append(f"{signs[side]}: {waiting}{track[OFF]} off, {captions.count(pips, 'pip')}")
        one_line = "   ".join([head, *sides])
        return one_line if len(one_line) <= _LINE else "\n".join([head, "   ".join(sides)])
