"""Match text, the layout of ``.mat`` and ``.txt`` files that most programs exchange: read and written, backgammon and Tabula alike.

docs/notation.md describes the layout and the dialects read; with three dice it is the record of a Tabula game, version 1.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, Literal

from tabula import dice
from tabula._arguments import choice
from tabula.errors import AmbiguousPlayError, IllegalPlayError, InvalidTextError, quoted, short_repr
from tabula.game import Game
from tabula.notation import match_lines
from tabula.notation.play_read import parse_play
from tabula.rules import BACKGAMMON, BLACK, PRESETS, TABULA, WHITE, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabula._native.position import Play, Position
    from tabula.dice import Roll
    from tabula.notation.match_lines import Cell

__all__ = ["Match", "MatchGame", "MatchTurn", "Problem", "decode", "read", "record", "write"]

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
_WRITTEN: Final[dict[str, str]] = {
    "take": " Takes",
    "drop": " Drops",
    "double": " Doubles",
    "beaver": " Beavers",
    "raccoon": " Raccoons",
    "resign": " Concedes",
}
_UNKNOWN: Final = "????"
_NO_ROLL: Final = frozenset(("0", "00", "000"))
_CANNOT: Final = "Cannot Move"
_COLUMN: Final = 42
_FORMAT: Final = "1"
_GUESS: Final = {1: BACKGAMMON, 2: BACKGAMMON, 3: TABULA}


@dataclasses.dataclass(frozen=True, slots=True)
class MatchTurn:
    """One cell of a game: a roll with what was done with it, or an action of the cube.

    Attributes
    ----------
    side
        `WHITE` for the first player, `BLACK` for the second.
    kind
        ``"play"``; ``"unplayed"``, a roll that the side gave up with; ``"unknown"``, a roll, or none, whose play the file does not
        tell; ``"double"``, ``"take"``, ``"drop"``, ``"beaver"``, ``"raccoon"``; ``"resign"``.
    before, roll, play, after
        The position before, the roll or None, the play or None, and the position after; None where the file does not tell.
    value
        The cube that a double names.
    line, text
        Where in the file it stands, and how; no part of equality.

    Examples
    --------
    >>> turn = read(" Game 1\\n A : 0      B : 0\\n 1) 652: bar/8 bar/5\\n").games[0].turns[0]
    >>> turn.kind, turn.roll, str(turn.play)
    ('play', (6, 5, 2), 'bar/8 bar/5')
    """

    side: int
    kind: str
    before: Position
    roll: Roll | None = None
    play: Play | None = None
    after: Position | None = None
    value: int | None = None
    line: int = dataclasses.field(default=0, compare=False)
    text: str = dataclasses.field(default="", compare=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong at one place of a file: a play that is not legal, fits several, or a line that is not readable.

    >>> print(read(" Game 1\\n A : 0      B : 0\\n 1) 652: 6/5\\n").problems[0])
    <text>:3: '6/5': 6/5 goes against the direction of play ['1) 652: 6/5']
    """

    file: str
    """What errors call the text."""

    line: int
    """The number of the line, from 1."""

    text: str
    """The line."""

    kind: Literal["illegal", "ambiguous", "unreadable"]
    """What is wrong with it."""

    message: str
    """Why, as a sentence."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message} [{quoted(self.text)}]"


@dataclasses.dataclass(frozen=True, slots=True)
class MatchGame:
    """One game of a match: its number, the score before it, its turns, and who won how many points, as the file says.

    `winner` and `points` are None where the file names no winner. `problem` is what damaged the game, whose turns then end there.

    >>> game = read(" Game 1\\n A : 0      B : 0\\n 1) 652: bar/8 bar/5\\n").games[0]
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


@dataclasses.dataclass(frozen=True, slots=True)
class Match:
    """A match, or a game by itself: players, length (0 where none is set), the rules, the games, and the header's tags as pairs.

    >>> match = read("3 point match\\n Game 1\\n A : 0      B : 0\\n 1) 31: 8/5 6/5\\n")
    >>> match.players, match.length, match.rules, len(match.games), match.problems
    (('A', 'B'), 3, BACKGAMMON, 1, ())
    """

    players: tuple[str, str]
    games: tuple[MatchGame, ...]
    rules: Rules
    length: int = 0
    tags: tuple[tuple[str, str], ...] = dataclasses.field(default=(), compare=False)
    problems: tuple[Problem, ...] = dataclasses.field(default=(), compare=False)


# --------------------------------------------------------------------------------------------------------------------- reading


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
    """The match that a text tells, every play replayed and found among the legal ones.

    Parameters
    ----------
    rules
        The rules played. Without them a ``[Variation]`` tag that names a preset counts, else the dice: three are Tabula's.
    hits
        Whether the text marks hits, as `parse_play` has it. Without it a ``[Hits]`` tag counts, else whether a play has a star.
    file
        What errors call the text.
    strict
        True: the first problem is raised. False: it is kept in `problems`, the rest of its game is left out, and reading goes on
        with the next game.

    Raises
    ------
    InvalidTextError
        For a text that has no game in it or names a variation that is not known.
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
    lines = match_lines.lines(text)
    survey = _survey(lines)
    reader = _Reader(_rules(survey, rules, file), _hits(survey, hits), file, strict)
    for number, line in lines:
        reader.take(number, line)
    reader.end_game()
    if not reader.games:
        raise InvalidTextError("there is no game in it, which a line 'Game 1' would start").within(file, 1, text)
    games = tuple(reader.games)
    problems = tuple(game.problem for game in games if game.problem is not None)
    return Match(reader.players, games, reader.rules, reader.length, survey.tags, problems)


@dataclasses.dataclass(frozen=True, slots=True)
class _Survey:
    """What must be known of a whole text before its first play is read."""

    tags: tuple[tuple[str, str], ...]
    variation_line: int
    stars: bool
    dice: int
    """How many dice most of the rolls have; 0 where there is no roll."""


def _survey(lines: list[tuple[int, str]]) -> _Survey:
    tags: list[tuple[str, str]] = []
    variation_line, stars, thrown = 0, False, Counter[int]()
    for number, line in lines:
        if line.lstrip().startswith(";"):
            pair = match_lines.tag(line)
            if pair is not None:
                tags.append(pair)
                variation_line = number if pair[0].lower() == "variation" else variation_line
            continue
        if ":" not in line:
            continue
        for cell in match_lines.cells(line, None) or ():
            told = match_lines.dice_cell(cell.text)
            if told is not None:
                stars = stars or "*" in told[1]
                thrown[len(told[0])] += 1
    return _Survey(tuple(tags), variation_line, stars, max(thrown, key=lambda dice: (thrown[dice], -dice), default=0))


def _named(survey: _Survey, name: str) -> str | None:
    return next((value for key, value in survey.tags if key.lower() == name), None)


def _rules(survey: _Survey, rules: Rules | None, file: str) -> Rules:
    if rules is not None:
        return rules
    variation = _named(survey, "variation")
    if variation is None:
        return _GUESS.get(survey.dice, BACKGAMMON)
    known = PRESETS.get(variation.strip().lower())
    if known is None:
        error = InvalidTextError(f"the variation is none of {', '.join(PRESETS)}, and its rules must be given")
        raise error.within(file, survey.variation_line, variation)
    return known


def _hits(survey: _Survey, hits: Literal["marked", "unmarked"] | None) -> Literal["marked", "unmarked"]:
    if hits is not None:
        return hits
    told = _named(survey, "hits")
    if told is not None and told.strip().lower() in ("marked", "unmarked"):
        return "marked" if told.strip().lower() == "marked" else "unmarked"
    return "marked" if survey.stars else "unmarked"


class _Reader:
    """Takes the lines of a match one by one, and gathers its games."""

    def __init__(self, rules: Rules, hits: Literal["marked", "unmarked"], file: str, strict: bool) -> None:
        self.rules = rules
        self.players = ("", "")
        self.length = 0
        self.games: list[MatchGame] = []
        self._hits = hits
        self._file = file
        self._strict = strict
        self._open: _Open | None = None

    def take(self, number: int, line: str) -> None:
        """Read one line that is not empty."""
        if line.lstrip().startswith(";"):
            return
        if self._open is None:
            points = match_lines.length(line)
            if points is not None:
                self.length = points
                return
        game = match_lines.game_number(line)
        if game is not None:
            self.end_game()
            self._open = _Open(Game(self.rules), game, number)
            return
        if self._open is None or self._open.problem is not None:
            return
        try:
            self._line(self._open, number, line)
        except (InvalidTextError, IllegalPlayError, AmbiguousPlayError) as error:
            self._open.problem = self._problem(number, line, error)

    def end_game(self) -> None:
        """Close the game that is open, if one is."""
        if self._open is not None:
            self.games.append(self._open.closed())
        self._open = None

    def _line(self, game: _Open, number: int, line: str) -> None:
        if game.heading is None:
            game.heading = match_lines.heading(line)
            if game.heading is None:
                raise InvalidTextError("a game starts with a line 'name : score  name : score'")
            if not any(self.players):
                self.players = game.heading.players
            return
        found = match_lines.cells(line, game.heading.column)
        if found is None:
            raise InvalidTextError("this is no line of a game: a number, ')' and at most two cells, or 'Wins n points'")
        for cell in found:
            self._cell(game, number, cell)

    def _cell(self, game: _Open, number: int, cell: Cell) -> None:
        won = match_lines.wins(cell.text)
        if won is not None:
            game.winner, (game.points, game.wins_match) = cell.side, won
            return
        told = match_lines.dice_cell(cell.text)
        if told is not None and told[0] not in _NO_ROLL:
            self._rolled(game, number, cell, *told)
            return
        text = cell.text if told is None else told[1]
        if text == _UNKNOWN or (told is not None and not text):
            game.add(cell, "unknown", number)
            return
        word, *more = text.split()
        kind = _ACTIONS.get(word.lower())
        if kind is None:
            raise InvalidTextError("a cell is dice with a play, or an action like 'Doubles => 2', 'Takes' or 'Drops'")
        digits = "".join(more).removeprefix("=>").removeprefix("to")
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None
        game.add(cell, kind, number, value=value)

    def _rolled(self, game: _Open, number: int, cell: Cell, thrown: str, text: str) -> None:
        """A cell with dice: a play, a pass, or a roll that was not played or whose play is not told."""
        try:
            roll = dice.parse(thrown, self.rules.dice)
        except ValueError as error:
            raise InvalidTextError(str(error)) from None
        game.to_move(cell.side, self.players)
        position = game.record.position
        gave_up = _ACTIONS.get(text.lower()) == "resign"
        if text == _UNKNOWN or gave_up:
            game.add(cell, "unplayed" if gave_up else "unknown", number, roll=roll)
            game.left = "a roll that was not played" if gave_up else "a play that is not told"
            return
        if not text and position.plays(roll).dice_used:
            game.add(cell, "unplayed", number, roll=roll)
            game.left = "a roll that was not played"
            return
        play = parse_play(position, text, roll, hits=self._hits)
        game.add(cell, "play", number, roll=roll, play=play, after=game.record.push(play))

    def _problem(self, number: int, line: str, error: InvalidTextError | IllegalPlayError | AmbiguousPlayError) -> Problem:
        """The error as a problem with its place; raised with it when reading strictly."""
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


class _Open:
    """A game that is being read."""

    def __init__(self, record: Game, number: int, line: int) -> None:
        self.record = record
        self.heading: match_lines.Heading | None = None
        self.winner: int | None = None
        self.points: int | None = None
        self.wins_match = False
        self.problem: Problem | None = None
        self.left: str | None = None
        self._number = number
        self._line = line
        self._turns: list[MatchTurn] = []

    def to_move(self, side: int, players: Sequence[str]) -> None:
        """Refuse a roll of the side that is not to move; the first roll says who starts."""
        if self.left is not None:
            raise InvalidTextError(f"the game goes on after {self.left}")
        if not self.record.turns:
            self.record.open(side)
        elif side != self.record.position.turn and self.record.outcome is None:
            raise InvalidTextError(f"{quoted(players[side])} rolls, and it is the turn of {quoted(players[1 - side])}")

    def add(self, cell: Cell, kind: str, line: int, **told: Any) -> None:
        """Add a turn; `before` is where the game stood."""
        turns = self.record.turns
        before = turns[-1].before if kind == "play" else self.record.position
        self._turns.append(MatchTurn(cell.side, kind, before, line=line, text=cell.text, **told))

    def closed(self) -> MatchGame:
        """The game as it was read."""
        score = (0, 0) if self.heading is None else self.heading.score
        return MatchGame(
            self._number, score, tuple(self._turns), self.winner, self.points, self.wins_match, self.problem, self._line
        )


# --------------------------------------------------------------------------------------------------------------------- writing


def record(games: Game | Iterable[Game], *, players: tuple[str, str] = ("White", "Black"), length: int = 0) -> Match:
    """The match that these games are, in order, all of the same rules; a game that is not over has no winner.

    ValueError for no game, or games of different rules.

    >>> game = Game()
    >>> _ = game.push(game.position.plays("652")[0])
    >>> print(write(record(game)).splitlines()[-1])
      1) 652: bar/6 bar/5 bar/2
    """
    told = [games] if isinstance(games, Game) else list(games)
    if not told:
        raise ValueError("a match has at least one game")
    rules = told[0].rules
    if any(game.rules != rules for game in told):
        raise ValueError("the games of a match have the same rules")
    score = [0, 0]
    made = []
    for number, game in enumerate(told, 1):
        turns = tuple(MatchTurn(turn.before.turn, "play", turn.before, turn.roll, turn.play, turn.after) for turn in game.turns)
        winner, points = game.outcome or (None, None)
        before = (score[WHITE], score[BLACK])
        if winner is not None and points is not None:
            score[winner] += points
        wins_match = winner is not None and 0 < length <= score[winner]
        made.append(MatchGame(number, before, turns, winner, points, wins_match))
    return Match(players, tuple(made), rules, length)


def write(match: Match) -> str:
    """The match as text, hits marked, which `read` reads back to an equal one; rules that are no preset must then be given again.

    ValueError for names or tags that the layout cannot hold: line breaks, a colon in a name, a quote in a tag.

    >>> match = read(" Game 1\\n A : 0      B : 0\\n 1) 652: 0/6/8,25/5\\n")
    >>> print(write(match))
    ; [Variation "Tabula"]
    ; [Hits "marked"]
    ; [Format "1"]
    <BLANKLINE>
    0 point match
    <BLANKLINE>
    <BLANKLINE>
     Game 1
     A : 0                                    B : 0
      1) 652: bar/8 bar/5
    <BLANKLINE>
    """
    for name in match.players:
        if not name or name != name.strip() or ":" in name or not name.isprintable():
            raise ValueError(
                f"a player's name in match text is printable, without colons or space around it, not {short_repr(name)}"
            )
    out = [f'; [{name} "{value}"]' for name, value in _tags(match)]
    out += ["", f"{match.length} point match"]
    for game in match.games:
        out += ["", "", f" Game {game.number}"]
        names = [f"{name} : {score}" for name, score in zip(match.players, game.score, strict=True)]
        column = max(_COLUMN, len(names[0]) + 4)
        out.append(f" {names[0]}".ljust(column) + names[1])
        out += _rows(game, column)
    return "\n".join(out) + "\n"


def _tags(match: Match) -> list[tuple[str, str]]:
    """The header: the tags of the match, but for those that say how this text is written."""
    variation = next((name.capitalize() for name, preset in PRESETS.items() if preset == match.rules), "custom")
    ours = {"Variation": variation, "Hits": "marked"} | ({"Format": _FORMAT} if match.rules.dice != BACKGAMMON.dice else {})
    kept = [(name, value) for name, value in match.tags if name.capitalize() not in ours]
    for name, value in kept:
        if not (name + value).isprintable() or '"' in name + value or not name.strip() or name != name.strip() or "[" in name:
            raise ValueError(f"a tag of match text is printable and has no quotes, not {short_repr(name)} with {short_repr(value)}")
    return kept + list(ours.items())


def _rows(game: MatchGame, column: int) -> list[str]:
    """The numbered lines of a game, and the one that says who won."""
    rows: list[list[str]] = []
    last = BLACK
    for turn in game.turns:
        if turn.side == WHITE or last == BLACK:
            rows.append(["", ""])
        rows[-1][turn.side] = _cell_text(turn)
        last = turn.side
    lines = [f"{f'{number:>3}) {left} '.ljust(column)}{right}" for number, (left, right) in enumerate(rows, 1)]
    if game.winner is not None:
        points = f"Wins {game.points} point{'' if game.points == 1 else 's'}{' and the match' if game.wins_match else ''}"
        lines.append(" " * (6 if game.winner == WHITE else column) + points)
    return [line.rstrip() for line in lines]


def _cell_text(turn: MatchTurn) -> str:
    thrown = "" if turn.roll is None else "".join(map(str, turn.roll))
    if turn.kind == "play":
        return f"{thrown}: {turn.play if turn.play is not None and turn.play.moves else _CANNOT}"
    if turn.kind == "unplayed":
        return f"{thrown}: Concedes"
    if turn.kind == "unknown":
        return f"{thrown}: {_UNKNOWN}" if thrown else _UNKNOWN
    return _WRITTEN[turn.kind] + ("" if turn.value is None else f" => {turn.value}")
