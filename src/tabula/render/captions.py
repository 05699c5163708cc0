"""A board in words: what a picture says to those who cannot see it, and what stands in its captions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabula.dice import to_text
from tabula.rules import OFF, WHITE

if TYPE_CHECKING:
    from tabula._native.position import Play, Position
    from tabula.dice import Roll

__all__ = ["SIDES", "by_side", "count", "description", "headline", "title"]

SIDES: Final = ("White", "Black")
"""What the sides are called, `WHITE` and `BLACK`."""


def by_side(position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """White's track and black's."""
    return (position.mover, position.other) if position.turn == WHITE else (position.other, position.mover)


def headline(position: Position, names: tuple[str, str] | str = SIDES) -> str:
    """Who is to move, or who has won what.

    >>> from tabula import Position
    >>> headline(Position()), headline(Position(), "OX")
    ('White to move', 'O to move')
    """
    outcome = position.outcome
    if outcome is None:
        return f"{names[position.turn]} to move"
    return f"{names[outcome.winner]} has won {count(outcome.points, 'point')}"


def count(number: int, noun: str) -> str:
    """So many of a thing: ``1 pip``, ``2 pips``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def title(position: Position) -> str:
    """One line: the name of the game and who is to move.

    >>> from tabula import BACKGAMMON, Position
    >>> title(Position(BACKGAMMON))
    'backgammon: White to move'
    """
    return f"{position.rules.name or 'tables'}: {headline(position)}"


def description(position: Position, play: Play | None = None, roll: Roll | None = None) -> str:
    """The whole board in sentences, points in the numbering that the side to move has.

    >>> from tabula import BACKGAMMON, Position
    >>> description(Position(BACKGAMMON))[:86]
    'Points are numbered as White sees them. White: 5 on 6, 3 on 8, 5 on 13, 2 on 24; 0 wai'
    """
    rules = position.rules
    mover = SIDES[position.turn]
    said = [f"Points are numbered as {mover} sees them."] if rules.direction == "opposed" else []
    said += [_side(position, side) for side in range(2)]
    if play is not None:
        order = "to be played" if play.origin == position else "just played"
        said.append(f"{SIDES[play.origin.turn]} threw {to_text(play.roll)}, {order}: {play}.")
        said += [f"A checker on {rules.label(move.target)} is hit." for move in play.moves if move.hit and play.origin == position]
    elif roll is not None:
        said.append(f"{mover} has thrown {to_text(roll)}.")
    said.append(f"{headline(position)}.")
    return " ".join(said)


def _side(position: Position, side: int) -> str:
    rules = position.rules
    track = by_side(position)[side]
    standing = {}
    for index in range(1, OFF):
        if track[index]:
            seen = index if side == position.turn else rules.facing(index)
            standing[rules.number(seen)] = track[index]
    points = ", ".join(
        f"{stack} on {number}{' (full)' if stack == rules.stack_limit else ''}" for number, stack in sorted(standing.items())
    )
    pips = position.pips[0 if side == position.turn else 1]
    return f"{SIDES[side]}: {points or 'none on the board'}; {track[0]} waiting; {track[OFF]} off; {count(pips, 'pip')}."
