"""Reading match text: its lines become games, and every play is looked up among the legal ones."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from tabula import dice
from tabula._arguments import choice
from tabula.errors import AmbiguousPlayError, IllegalPlayError, InvalidTextError, quoted, short_repr
from tabula.game import Game
from tabula.notation.matchtext import layout
from tabula.notation.matchtext.model import UNKNOWN_PLAY, Match, MatchGame, MatchTurn, Problem
from tabula.notation.play_read import parse_play
from tabula.rules import BACKGAMMON, PRESETS, TABULA, Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabula.notation.matchtext.layout import Cell

__all__ = ["decode", "read"]

_Hits: TypeAlias = Literal["marked", "unmarked"]

_ACTIONS: Final[dict[str, str]] = {
    "doubles": "double",
    "redoubles": "double",
    "takes": "take",
    "accepts": "take",
    "drops": "drop",
    "passes": "drop",
    "rejects": "drop",
    "beavers": "beaver",
    "raccoons": "raccoon",
    "concedes": "resign",
    "resigns": "resign",
}
_NO_ROLL: Final = frozenset(("0", "00", "000"))
_RULES_BY_DICE: Final = {1: BACKGAMMON, 2: BACKGAMMON, 3: TABULA}
"""The rules of a text that names none, by the number of dice in most of its rolls."""


def decode(data: bytes) -> str:
    """The text of a match file's bytes: UTF-8 or UTF-16 by its mark, UTF-8 without one, else Latin-1, which takes any bytes.

    >>> decode(b"\\xef\\xbb\\xbf3 point match")
    '3 point match'
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read(
    text: str,
    *,
    rules: Rules | None = None,
    hits: Literal["marked", "unmarked"] | None = None,
    file: str = "<text>",
    strict: bool = False,
) -> Match:
    """The match in a text, every play replayed and looked up among the legal ones.

    Parameters
    ----------
    rules
        The rules of the games. If None, they are those of the preset that a ``[Variation]`` tag names; without the tag, Tabula's
        for three dice and backgammon's for two.
    hits
        Whether the text marks hits, as `parse_play` has it. If None, a ``[Hits]`` tag says so; without the tag, hits are marked if
        any play has a star.
    file
        The name of the text in errors.
    strict
        True: the first problem is raised. False: it is added to `problems`, the rest of its game is left out, and reading continues
        with the next game.

    Raises
    ------
    InvalidTextError
        For a text without a game, or with a variation that is not known.
    InvalidTextError, IllegalPlayError, AmbiguousPlayError
        When strict: the first problem, with file, line and text.

    Examples
    --------
    >>> match = read("1 point match\\n Game 1\\n A : 0      B : 0\\n 1) 31: 8/5 6/5    42: 8/4 6/4\\n")
    >>> match.players, [str(turn.play) for turn in match.games[0].turns]
    (('A', 'B'), ['8/5 6/5', '8/4 6/4'])
    """
    if not isinstance(text, str):
        raise TypeError(f"a match text must be a str, not {short_repr(text)}")
    if rules is not None and not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules or None, not {short_repr(rules)}")
    if hits is not None:
        choice("hits", hits, ("marked", "unmarked"))
    lines = layout.lines(text)
    survey = _survey(lines)
    reader = _Reader(_rules(survey, rules, file), _hits(survey, hits), file, strict)
    for number, line in lines:
        reader.read_line(number, line)
    reader.end_game()
    if not reader.games:
        raise InvalidTextError("there is no game in it: a game starts with a line 'Game 1'").within(file, 1, text)
    games = tuple(reader.games)
    problems = tuple(game.problem for game in games if game.problem is not None)
    return Match(reader.players, games, reader.rules, reader.length, survey.tags, problems)


@dataclasses.dataclass(frozen=True, slots=True)
class _Survey:
    """What is found in a whole text before its first play is read."""

    tags: tuple[tuple[str, str], ...]
    variation_line: int
    stars: bool
    dice: int
    """How many dice most of the rolls have; 0 where there is no roll."""


def _survey(lines: list[tuple[int, str]]) -> _Survey:
    tags: list[tuple[str, str]] = []
    variation_line, stars, rolls = 0, False, Counter[int]()
    for number, line in lines:
        if line.lstrip().startswith(";"):
            pair = layout.tag(line)
            if pair is not None:
                tags.append(pair)
                variation_line = number if pair[0].lower() == "variation" else variation_line
            continue
        if ":" not in line:
            continue
        for cell in layout.cells(line, None) or ():
            dice_and_play = layout.dice_cell(cell.text)
            if dice_and_play is not None:
                thrown, play = dice_and_play
                stars = stars or "*" in play
                rolls[len(thrown)] += 1
    return _Survey(tuple(tags), variation_line, stars, max(rolls, key=lambda dice: (rolls[dice], -dice), default=0))


def _tag_value(survey: _Survey, name: str) -> str | None:
    return next((value for key, value in survey.tags if key.lower() == name), None)


def _rules(survey: _Survey, rules: Rules | None, file: str) -> Rules:
    if rules is not None:
        return rules
    variation = _tag_value(survey, "variation")
    if variation is None:
        return _RULES_BY_DICE.get(survey.dice, BACKGAMMON)
    known = PRESETS.get(variation.strip().lower())
    if known is None:
        error = InvalidTextError(f"the variation is none of {', '.join(PRESETS)}, and its rules must be given")
        raise error.within(file, survey.variation_line, variation)
    return known


def _hits(survey: _Survey, hits: _Hits | None) -> _Hits:
    if hits is not None:
        return hits
    value = (_tag_value(survey, "hits") or "").strip().lower()
    if value in ("marked", "unmarked"):
        return "marked" if value == "marked" else "unmarked"
    return "marked" if survey.stars else "unmarked"


class _Reader:
    """Reads the lines of a match one by one into games."""

    def __init__(self, rules: Rules, hits: _Hits, file: str, strict: bool) -> None:
        self.rules = rules
        self.players = ("", "")
        self.length = 0
        self.games: list[MatchGame] = []
        self._hits = hits
        self._file = file
        self._strict = strict
        self._game: _GameReader | None = None

    def read_line(self, number: int, line: str) -> None:
        """Reads one line that is not empty."""
        if line.lstrip().startswith(";"):
            return
        if self._game is None:
            points = layout.length(line)
            if points is not None:
                self.length = points
                return
        game = layout.game_number(line)
        if game is not None:
            self.end_game()
            self._game = _GameReader(Game(self.rules), game, number)
            return
        if self._game is None or self._game.problem is not None:
            return
        try:
            self._read_line_of_game(self._game, number, line)
        except (InvalidTextError, IllegalPlayError, AmbiguousPlayError) as error:
            self._game.problem = self._problem(number, line, error)

    def end_game(self) -> None:
        """Adds the game that is being read, if there is one, to the games."""
        if self._game is not None:
            self.games.append(self._game.result())
        self._game = None

    def _read_line_of_game(self, game: _GameReader, number: int, line: str) -> None:
        if game.heading is None:
            game.heading = layout.heading(line)
            if game.heading is None:
                raise InvalidTextError("a game starts with a line 'name : score  name : score'")
            if not any(self.players):
                self.players = game.heading.players
            return
        cells = layout.cells(line, game.heading.column)
        if cells is None:
            raise InvalidTextError("this is no line of a game: a number, ')' and at most two cells, or 'Wins n points'")
        for cell in cells:
            self._read_cell(game, number, cell)

    def _read_cell(self, game: _GameReader, number: int, cell: Cell) -> None:
        won = layout.wins(cell.text)
        if won is not None:
            game.winner, (game.points, game.wins_match) = cell.side, won
            return
        dice_and_play = layout.dice_cell(cell.text)
        if dice_and_play is not None and dice_and_play[0] not in _NO_ROLL:
            self._read_roll(game, number, cell, *dice_and_play)
            return
        text = cell.text if dice_and_play is None else dice_and_play[1]
        if text == UNKNOWN_PLAY or (dice_and_play is not None and not text):
            game.add(cell, "unknown", number)
            return
        word, *more = text.split()
        kind = _ACTIONS.get(word.lower())
        if kind is None:
            raise InvalidTextError("a cell is dice with a play, or an action like 'Doubles => 2', 'Takes' or 'Drops'")
        digits = "".join(more).removeprefix("=>").removeprefix("to")
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None
        game.add(cell, kind, number, value=value)

    def _read_roll(self, game: _GameReader, number: int, cell: Cell, thrown: str, text: str) -> None:
        """Reads a cell with dice: a play, a pass, or a roll that was not played or whose play is not known."""
        try:
            roll = dice.parse(thrown, self.rules.dice)
        except ValueError as error:
            raise InvalidTextError(str(error)) from None
        game.check_turn(cell.side, self.players)
        position = game.record.position
        gave_up = _ACTIONS.get(text.lower()) == "resign"
        if text == UNKNOWN_PLAY or gave_up:
            game.add(cell, "unplayed" if gave_up else "unknown", number, roll=roll)
            game.ended_by = "a roll that was not played" if gave_up else "a play that is not known"
            return
        if not text and position.plays(roll).dice_used:
            game.add(cell, "unplayed", number, roll=roll)
            game.ended_by = "a roll that was not played"
            return
        play = parse_play(position, text, roll, hits=self._hits)
        game.add(cell, "play", number, roll=roll, play=play, after=game.record.push(play))

    def _problem(self, number: int, line: str, error: InvalidTextError | IllegalPlayError | AmbiguousPlayError) -> Problem:
        """The error as a problem with its place; when reading strictly, it is raised with its place instead."""
        kind: Literal["illegal", "ambiguous", "unreadable"] = (
            "illegal"
            if isinstance(error, IllegalPlayError)
            else "ambiguous"
            if isinstance(error, AmbiguousPlayError)
            else "unreadable"
        )
        if self._strict:
            raise error.within(self._file, number, line.strip())
        return Problem(self._file, number, line.strip(), kind, str(error))


class _GameReader:
    """A game that is being read."""

    def __init__(self, record: Game, number: int, line: int) -> None:
        self.record = record
        self.heading: layout.Heading | None = None
        self.winner: int | None = None
        self.points: int | None = None
        self.wins_match = False
        self.problem: Problem | None = None
        self.ended_by: str | None = None
        self._number = number
        self._line = line
        self._turns: list[MatchTurn] = []

    def check_turn(self, side: int, players: Sequence[str]) -> None:
        """InvalidTextError for a roll of the side that is not to move; the first roll says who starts."""
        if self.ended_by is not None:
            raise InvalidTextError(f"the game goes on after {self.ended_by}")
        if not self.record.turns:
            self.record.open(side)
        elif side != self.record.position.turn and self.record.outcome is None:
            raise InvalidTextError(f"{quoted(players[side])} rolls, and it is the turn of {quoted(players[1 - side])}")

    def add(self, cell: Cell, kind: str, line: int, **fields: Any) -> None:
        """Adds a turn."""
        turns = self.record.turns
        before = turns[-1].before if kind == "play" else self.record.position
        self._turns.append(MatchTurn(cell.side, kind, before, line=line, text=cell.text, **fields))

    def result(self) -> MatchGame:
        """The game, as far as it was read."""
        score = (0, 0) if self.heading is None else self.heading.score
        return MatchGame(
            self._number, score, tuple(self._turns), self.winner, self.points, self.wins_match, self.problem, self._line
        )
