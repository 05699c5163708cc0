"""A position as a board of characters, for terminals and `print`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabula.rules import OFF

if TYPE_CHECKING:
    from tabula._position import Position

__all__ = ["board"]

_SIGNS: Final = "OX"
_HEIGHT: Final = 5
_HALF_ROW: Final = 6


def board(position: Position) -> str:
    """The board as the side to move sees it, points named in its own numbering: O is white, X is black.

    A stack higher than the board shows how many it holds. Below stand the checkers waiting, those off, and the pips to go.

    >>> from tabula import Position
    >>> print(board(Position()).splitlines()[-1])
    O to move   O: 15 waiting, 0 off, 375 pips   X: 15 waiting, 0 off, 375 pips
    """
    rules = position.rules
    upper, lower = (
        (range(12, 0, -1), range(13, OFF)) if rules.numbering == "up" else (range(13, OFF), range(12, 0, -1))
    )
    lines = [
        _numbers(upper),
        _RULE,
        *(_row(position, upper, height) for height in range(_HEIGHT)),
        _row(position, (), 0),
        *(_row(position, lower, height) for height in reversed(range(_HEIGHT))),
        _RULE,
        _numbers(lower),
        "",
        _summary(position),
    ]
    return "\n".join(lines)


_RULE: Final = "+" + "+".join(["-" * (3 * _HALF_ROW + 1)] * 2) + "+"


def _numbers(points: range) -> str:
    cells = [f"{point:>3}" for point in points]
    return f" {''.join(cells[:_HALF_ROW])}  {''.join(cells[_HALF_ROW:])}"


def _row(position: Position, points: range | tuple[()], height: int) -> str:
    cells = [_cell(position, point, height) for point in points] or ["   "] * 2 * _HALF_ROW
    return f"|{''.join(cells[:_HALF_ROW])} |{''.join(cells[_HALF_ROW:])} |"


def _cell(position: Position, point: int, height: int) -> str:
    """What stands at one height (0 the edge of the board) of a point, named as the mover names it."""
    rules = position.rules
    index = rules.number(point)
    mine, theirs = position.mover[index], position.other[rules.facing(index)]
    count, side = (mine, position.turn) if mine else (theirs, 1 - position.turn)
    if height >= count:
        return "  ." if height == 0 else "   "
    if height == _HEIGHT - 1 and count > _HEIGHT:
        return f"{count:>3}"
    return f"  {_SIGNS[side]}"


def _summary(position: Position) -> str:
    tracks, pips = (position.mover, position.other), position.pips
    sides = []
    for side, sign in enumerate(_SIGNS):
        row = 0 if side == position.turn else 1
        sides.append(f"{sign}: {tracks[row][0]} waiting, {tracks[row][OFF]} off, {pips[row]} pips")
    outcome = position.outcome
    if outcome is None:
        head = f"{_SIGNS[position.turn]} to move"
    else:
        points = "1 point" if outcome.points == 1 else f"{outcome.points} points"
        head = f"{_SIGNS[outcome.winner]} has won {points}"
    return "   ".join([head, *sides])
