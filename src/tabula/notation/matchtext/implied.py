"""The board that the text of a play implies, whether the rules allow the play or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabula._native.position import Position
from tabula.notation.play_read import spelled_moves
from tabula.rules import OFF

if TYPE_CHECKING:
    from tabula._native.position import Play
    from tabula.dice import Roll

__all__ = ["implied_position", "play_to"]


def implied_position(position: Position, text: str) -> Position:
    """The position after the moves that a text names: checkers that stand where it says are moved, and hit what is alone.

    InvalidTextError for what is no notation; InvalidPositionError where the checkers could not stand so.

    >>> from tabula import BACKGAMMON
    >>> implied_position(Position(BACKGAMMON), "8/2").to_text()
    '-bA---E-B---eE---c-e----B-:b'
    """
    rules = position.rules
    mover, other = list(position.mover), list(position.other)
    for source, target in spelled_moves(text, rules).hops:
        if not mover[source]:
            continue
        mover[source] -= 1
        mover[target] += 1
        facing = rules.facing(target) if 0 < target < OFF else None
        if facing is not None and other[facing] == 1:
            other[facing], other[0] = 0, other[0] + 1
    return Position.from_tracks(other, mover, rules=rules, turn=1 - position.turn)


def play_to(position: Position, roll: Roll, after: Position) -> Play | None:
    """The legal play of the roll that leads to this position; None if there is none."""
    return next((play for play in position.plays(roll) if play.position == after), None)
