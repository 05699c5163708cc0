"""A board in words: the description for those who cannot see the picture, and the captions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabula.describing import waiting_place
from tabula.dice import to_text
from tabula.rules import OFF, WHITE, may_wait

if TYPE_CHECKING:
    from tabula._native.position import Play, Position
    from tabula.dice import Roll
    from tabula.render.marks import Standing

__all__ = [
    "SIDES",
    "by_side",
    "count",
    "description",
    "headline",
    "match_words",
    "numbered_by",
    "play_words",
    "roman",
    "speaks_of_waiting",
    "title",
]

SIDES: Final = ("White", "Black")
"""The names of `WHITE` and `BLACK`."""

_POINT: Final = re.compile(r"(?<![(\d])\d+")
"""The number of a point in a play; the number behind a bracket says how often a move is made."""


def by_side(position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """White's track, then black's."""
    return (position.mover, position.other) if position.turn == WHITE else (position.other, position.mover)


def speaks_of_waiting(position: Position) -> bool:
    """Whether the counts of waiting checkers are written: in Long Nardy none can come to wait.

    >>> from tabula import NARDE, Position
    >>> speaks_of_waiting(Position()), speaks_of_waiting(Position(NARDE))
    (True, False)
    """
    return may_wait(position.rules) or bool(position.mover[0] or position.other[0])


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


def title(position: Position, names: tuple[str, str] | str = SIDES) -> str:
    """One line: the name of the game and who is to move.

    >>> from tabula import BACKGAMMON, Position
    >>> title(Position(BACKGAMMON))
    'backgammon: White to move'
    """
    return f"{position.rules.name or 'tables'}: {headline(position, names)}"


def numbered_by(position: Position, play: Play | None) -> int:
    """The side whose numbers the points have: the one whose play is written beside them, else the side to move."""
    return position.turn if play is None else play.origin.turn


def roman(number: int) -> str:
    """A number of 1..24 in Roman numerals.

    >>> roman(19)
    'XIX'
    """
    return "X" * (number // 10) + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[number % 10]


def play_words(play: Play, *, in_roman: bool = False) -> str:
    """A play as people write it, its points in Arabic or Roman numerals.

    >>> from tabula import Position
    >>> play_words(Position().plays("652")[0], in_roman=True)
    'bar/VI bar/V bar/II'
    """
    return _POINT.sub(lambda found: roman(int(found[0])), str(play)) if in_roman else str(play)


def match_words(match: Standing) -> str:
    """One line: the length of the match, whether this is its Crawford game, and the cube, as far as there is something to say.

    >>> from tabula.notation import MatchState
    >>> match_words(MatchState(length=5, score=(4, 2), crawford=True)), match_words(MatchState(cube=2, offer="double"))
    ('5-point match, Crawford game', 'cube 2, double offered')
    """
    words = [f"{match.length}-point match"] if match.length else []
    words += ["Crawford game"] if match.crawford else []
    words += [f"cube {match.cube}"] if match.cube > 1 or match.owner is not None else []
    words += [f"{match.offer} offered"] if match.offer is not None else []
    return ", ".join(words)


def description(
    position: Position,
    play: Play | None = None,
    roll: Roll | None = None,
    *,
    names: tuple[str, str] = SIDES,
    match: Standing | None = None,
) -> str:
    """The whole board in sentences; points have the numbers of the side that `numbered_by` names.

    >>> from tabula import BACKGAMMON, Position
    >>> description(Position(BACKGAMMON))[:86]
    'Points are numbered as White sees them. White: 5 on 6, 3 on 8, 5 on 13, 2 on 24; 0 on '
    """
    rules = position.rules
    viewer = numbered_by(position, play)
    sentences = [f"Points are numbered as {names[viewer]} sees them."] if rules.direction != "same" else []
    sentences += [_side(position, side, viewer, names[side]) for side in range(2)]
    if match is not None:
        sentences.append(f"The score is {match.score[0]} to {match.score[1]}.")
        words = match_words(match)
        sentences += [f"{words[0].upper()}{words[1:]}."] if words else []
        sentences += [] if match.owner is None else [f"{names[match.owner]} owns the cube."]
    if play is not None:
        order = "to be played" if play.origin == position else "just played"
        sentences.append(f"{names[play.origin.turn]} threw {to_text(play.roll, play.origin.rules.extra_dice)}, {order}: {play}.")
        if play.origin == position:
            sentences += [f"A checker on {rules.label(move.target)} is hit." for move in play.moves if move.hit]
    elif roll is not None:
        sentences.append(f"{names[position.turn]} has thrown {to_text(roll, position.rules.extra_dice)}.")
    sentences.append(f"{headline(position, names)}.")
    return " ".join(sentences)


def _side(position: Position, side: int, viewer: int, name: str) -> str:
    rules = position.rules
    track = by_side(position)[side]
    stacks = {}
    for index in range(1, OFF):
        if track[index]:
            stacks[rules.number(index if side == viewer else rules.facing(index))] = track[index]
    points = ", ".join(
        f"{stack} on {number}{' (full)' if stack == rules.stack_limit else ''}" for number, stack in sorted(stacks.items())
    )
    pips = position.pips[0 if side == position.turn else 1]
    waiting = f"{track[0]} {waiting_place(rules)}; " if speaks_of_waiting(position) else ""
    return f"{name}: {points or 'none on the board'}; {waiting}{track[OFF]} off; {count(pips, 'pip')}."
