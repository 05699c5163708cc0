"""A board in words: the description for those who cannot see the picture, and the captions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabula.dice import to_text
from tabula.rules import OFF, WHITE, waiting_place

if TYPE_CHECKING:
    from tabula._native.position import Play, Position
    from tabula.dice import Roll

__all__ = ["SIDES", "by_side", "count", "description", "headline", "title"]

SIDES: Final = ("White", "Black")
"""The names of `WHITE` and `BLACK`."""


def by_side(position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """White's track, then black's."""
    return (position.mover, position.other) if position.turn == WHITE else (position.other, position.mover)


def headline(position: Position, names: tuple[str, str] | str = SIDES) -> str:
    """Who is to move, or who has won and how many points.

    >>> from tabula import Position
    >>> headline(Position()), headline(Position(), "OX")
    ('White to move', 'O to move')
    """
    outcome = position.outcome
    if outcome is None:
        return f"{names[position.turn]} to move"
    return f"{names[outcome.winner]} has won {count(outcome.points, 'point')}"


def count(number: int, noun: str) -> str:
    """A number with its noun: ``1 pip``, ``2 pips``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def title(position: Position) -> str:
    """One line: the name of the game and who is to move.

    >>> from tabula import BACKGAMMON, Position
    >>> title(Position(BACKGAMMON))
    'backgammon: White to move'
    """
    return f"{position.rules.name or 'tables'}: {headline(position)}"


def description(position: Position, play: Play | None = None, roll: Roll | None = None) -> str:
    """The whole board in sentences; points have the numbers that the side to move gives them.

    >>> from tabula import BACKGAMMON, Position
    >>> description(Position(BACKGAMMON))[:86]
    'Points are numbered as White sees them. White: 5 on 6, 3 on 8, 5 on 13, 2 on 24; 0 on '
    """
    rules = position.rules
    mover = SIDES[position.turn]
    sentences = [f"Points are numbered as {mover} sees them."] if rules.direction == "opposed" else []
    sentences += [_side(position, side) for side in range(2)]
    if play is not None:
        order = "to be played" if play.origin == position else "just played"
        sentences.append(f"{SIDES[play.origin.turn]} threw {to_text(play.roll)}, {order}: {play}.")
        if play.origin == position:
            sentences += [f"A checker on {rules.label(move.target)} is hit." for move in play.moves if move.hit]
    elif roll is not None:
        sentences.append(f"{mover} has thrown {to_text(roll)}.")
    sentences.append(f"{headline(position)}.")
    return " ".join(sentences)


def _side(position: Position, side: int) -> str:
    rules = position.rules
    track = by_side(position)[side]
    stacks = {}
    for index in range(1, OFF):
        if track[index]:
            mover_index = index if side == position.turn else rules.facing(index)
            stacks[rules.number(mover_index)] = track[index]
    points = ", ".join(
        f"{stack} on {number}{' (full)' if stack == rules.stack_limit else ''}" for number, stack in sorted(stacks.items())
    )
    pips = position.pips[0 if side == position.turn else 1]
    waiting = f"{track[0]} {waiting_place(rules)}"
    return f"{SIDES[side]}: {points or 'none on the board'}; {waiting}; {track[OFF]} off; {count(pips, 'pip')}."
