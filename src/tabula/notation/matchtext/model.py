"""A match in plain values: what `read` gives and `write` takes."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final, Literal

from tabula.errors import quoted
from tabula.rules import WHITE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabula._native.position import Play, Position
    from tabula.dice import Roll
    from tabula.notation.match_state import MatchState
    from tabula.rules import Rules

__all__ = ["UNKNOWN_PLAY", "Match", "MatchGame", "MatchTurn", "Problem"]

UNKNOWN_PLAY: Final = "????"
"""The text of a cell whose play is not known."""


@dataclasses.dataclass(frozen=True, slots=True)
class MatchTurn:
    """One cell of a game: a roll with what was done with it, or an action of the cube.

    Attributes
    ----------
    side
        `WHITE` for the first of `Match.players`, `BLACK` for the second, whichever column the name stands in.
    kind
        ``"play"``; ``"unplayed"``, a roll that the side resigned with; ``"unknown"``, a roll, or none, whose play is not in the
        file; ``"double"``, ``"take"``, ``"drop"``, ``"beaver"``, ``"raccoon"``; ``"resign"``; ``"time"``, a loss on time;
        ``"note"``, other words before the result.
    before, roll, play, after
        The position before, the roll or None, the play or None, and the position after; None where the file has no play.
    value
        The cube that a double names.
    match
        The `MatchState` of this decision: length, score, cube, owner, Crawford, and what was offered and waits for an answer. With
        it, ``xgid(turn.before, turn.roll, turn.match)`` is the turn's XGID. None where the text does not say the length.
    legal
        False for a play that the rules forbid, which is read with ``keep_going=True`` only: `play` is then None, and `after` is
        the board that the text implies.
    line, text
        The number of its line in the file, and its text there; they do not count for equality.

    Examples
    --------
    >>> from tabula.notation import matchtext
    >>> turn = matchtext.read("3 point match\\n Game 1\\n A : 0      B : 2\\n 1) 652: bar/8 bar/5\\n").games[0].turns[0]
    >>> turn.kind, turn.roll, str(turn.play), turn.match.score, turn.match.crawford
    ('play', (6, 5, 2), 'bar/8 bar/5', (0, 2), True)
    """

    side: int
    kind: str
    before: Position
    roll: Roll | None = None
    play: Play | None = None
    after: Position | None = None
    value: int | None = None
    match: MatchState | None = dataclasses.field(default=None, compare=False)
    legal: bool = True
    line: int = dataclasses.field(default=0, compare=False)
    text: str = dataclasses.field(default="", compare=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong at one place of a file.

    >>> from tabula import Position
    >>> from tabula.notation import matchtext
    >>> problem = matchtext.read(" Game 1\\n A : 0      B : 0\\n 1) 652: 6/5\\n").problems[0]
    >>> print(problem)
    <text>:3: '6/5': 6/5 goes against the direction of play ['1) 652: 6/5']
    >>> problem.game, problem.turn, problem.side, problem.roll, problem.position == Position()
    (1, 1, 0, (6, 5, 2), True)
    """

    file: str
    """The name of the text in errors."""

    line: int
    """The number of the line, from 1."""

    text: str
    """The line."""

    kind: Literal["illegal", "ambiguous", "unreadable", "contradiction", "unread"]
    """``"illegal"`` or ``"ambiguous"``, a play; ``"unreadable"``, a line; ``"contradiction"``, a line that does not go with the
    rest of the text; ``"unread"``, where a second match starts that `read` does not read."""

    message: str
    """Why, as a sentence."""

    game: int | None = None
    """The number of the game, or None outside of games."""

    turn: int | None = None
    """The number of the turn in its game, from 1, as `MatchGame.turns` counts, or None for a line that is no turn."""

    side: int | None = None
    """The side whose turn it is, or None."""

    roll: Roll | None = None
    """The roll, or None."""

    position: Position | None = None
    """The position before the turn, or None."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message} [{quoted(self.text)}]"

    def to_dict(self) -> dict[str, Any]:
        """The problem in plain values that JSON can hold.

        >>> Problem("a.mat", 3, "1) 31: 8/5", "illegal", "2 dice can be played").to_dict()["line"]
        3
        """
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return values | {"position": None if self.position is None else self.position.to_text()}


@dataclasses.dataclass(frozen=True, slots=True)
class MatchGame:
    """One game of a match: its number, the score before it, its turns, and the winner and points that the file names.

    `score` and `winner` follow the order of `Match.players`. `winner` and `points` are None where the file names none. `problem` is
    the first problem of the game, or None; without ``keep_going=True`` its turns end there.

    >>> from tabula.notation import matchtext
    >>> game = matchtext.read(" Game 1\\n A : 0      B : 0\\n 1) 652: bar/8 bar/5\\n").games[0]
    >>> game.number, game.score, len(game.turns), game.winner
    (1, (0, 0), 1, None)
    """

    number: int
    score: tuple[int, int]
    turns: tuple[MatchTurn, ...]
    winner: int | None = None
    points: int | None = None
    wins_match: bool = False
    problem: Problem | None = dataclasses.field(default=None, compare=False)
    line: int = dataclasses.field(default=0, compare=False)

    def _repr_svg_(self) -> str | None:
        """What a notebook displays: the first player's view of the board after the last turn, with its play; None without turns."""
        from tabula.render.svg import board

        if not self.turns:
            return None
        last = self.turns[-1]
        position = last.before if last.after is None else last.after
        return board(position, play=last.play, side=WHITE, match=last.match, size=560)


@dataclasses.dataclass(frozen=True, slots=True)
class Match:
    """A match, or a game by itself: players, length (0 where none is set), the rules, the games, and the header's tags as pairs.

    >>> from tabula.notation import matchtext
    >>> match = matchtext.read("3 point match\\n Game 1\\n A : 0      B : 0\\n 1) 31: 8/5 6/5\\n")
    >>> match.players, match.length, match.rules, len(match.games), match.problems
    (('A', 'B'), 3, BACKGAMMON, 1, ())
    """

    players: tuple[str, str]
    games: tuple[MatchGame, ...]
    rules: Rules
    length: int = 0
    tags: tuple[tuple[str, str], ...] = dataclasses.field(default=(), compare=False)
    problems: tuple[Problem, ...] = dataclasses.field(default=(), compare=False)

    def rows(self, number: int = 1) -> Iterator[dict[str, Any]]:
        """A row for each turn, in plain values: what ``pandas.DataFrame(match.rows())`` and ``csv.DictWriter`` take.

        The columns are ``match`` (this `number`), ``game``, ``turn`` (from 1), ``side`` (white or black), ``name``, ``kind``,
        ``roll``, ``play``, ``legal``, ``forced`` (one legal play), ``plays`` (how many are legal), ``hits`` (checkers hit),
        ``pips_before`` and ``pips_after`` of the side, ``score`` and ``score_other``, ``cube`` and ``cube_owner``, ``gnubg_id``
        and ``xgid`` (None for other games than backgammon), ``problem``. What a turn does not have is None. A problem that no turn
        comes of has a row of its own.

        >>> from tabula.notation import matchtext
        >>> match = matchtext.read("3 point match\\n Game 1\\n A : 0      B : 1\\n 1) 31: 8/5 6/5\\n")
        >>> row = next(match.rows())
        >>> row["name"], row["roll"], row["play"], row["plays"], row["pips_before"], row["pips_after"], row["score_other"]
        ('A', '3-1', '8/5 6/5', 16, 167, 163, 1)
        """
        from tabula.notation.matchtext import table

        return table.rows(self, number)
