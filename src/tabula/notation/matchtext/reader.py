"""Reading match text: its lines become matches and games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from tabula import games
from tabula._arguments import choice, flag
from tabula._native.position import Position
from tabula.errors import InvalidTextError, quoted, short_repr
from tabula.notation.match_state import MAX_LENGTH
from tabula.notation.matchtext import layout
from tabula.notation.matchtext.bgammon import looks_like_replay, match_lines
from tabula.notation.matchtext.encoding import UNDECODED
from tabula.notation.matchtext.game_reader import GameReader, Options
from tabula.notation.matchtext.header import header, length, sections
from tabula.notation.matchtext.model import Match, MatchGame, Problem
from tabula.notation.matchtext.resemblance import resemblance
from tabula.notation.matchtext.score import terms
from tabula.rules import BACKGAMMON, BLACK, TABULA, Rules

if TYPE_CHECKING:
    from tabula.notation.matchtext.game_reader import TextError
    from tabula.notation.matchtext.header import Header

__all__ = ["read", "read_all"]

_RULES_BY_DICE: Final = {1: BACKGAMMON, 2: BACKGAMMON, 3: TABULA}
"""The rules of a text that names none, by the number of dice in most of its rolls."""


def read(
    text: str,
    *,
    rules: Rules | None = None,
    hits: Literal["marked", "unmarked"] | None = None,
    file: str = "<text>",
    strict: bool = False,
    keep_going: bool = False,
) -> Match:
    """The match in a text, the first if there are several, every play replayed and looked up among the legal ones.

    Parameters
    ----------
    rules
        The rules of the games. If None, they are those of the preset that a ``[Variation]`` tag names; without the tag, Tabula's
        for three dice and backgammon's for two.
    hits
        Whether the text marks hits, as `parse_play` has it. If None, a ``[Hits]`` tag says so; without the tag, hits are marked if
        any play of the text has a star.
    file
        The name of the text in errors.
    strict
        True: the first problem is raised. False: it is added to `problems`, the rest of its game is left out but for the result
        that the text states, and reading continues with the next game.
    keep_going
        True: after an illegal play the game is read on, from the board that the text implies: the checkers are moved that stand
        where the cell says. `MatchTurn.legal` says of every turn whether it was legal. Where no position comes of it, or the text
        is no play, the game ends with a problem.

    Raises
    ------
    InvalidTextError
        For a text without a game, saying what it looks like, or with a variation that is not known.
    InvalidTextError, IllegalPlayError, AmbiguousPlayError
        When strict: the first problem, with file, line and text.

    Examples
    --------
    >>> match = read("1 point match\\n Game 1\\n A : 0      B : 0\\n 1) 31: 8/5 6/5    42: 8/4 6/4\\n")
    >>> match.players, [str(turn.play) for turn in match.games[0].turns]
    (('A', 'B'), ['8/5 6/5', '8/4 6/4'])
    """
    return _read(text, rules=rules, hits=hits, file=file, strict=strict, keep_going=keep_going, first=True)[0]


def read_all(
    text: str,
    *,
    rules: Rules | None = None,
    hits: Literal["marked", "unmarked"] | None = None,
    file: str = "<text>",
    strict: bool = False,
    keep_going: bool = False,
) -> tuple[Match, ...]:
    """Every match of a text, with the parameters and errors of `read`.

    >>> games = " Game 1\\n A : 0      B : 0\\n 1) 31: 8/5 6/5\\n"
    >>> [match.length for match in read_all("1 point match\\n" + games + "3 point match\\n" + games)]
    [1, 3]
    """
    return _read(text, rules=rules, hits=hits, file=file, strict=strict, keep_going=keep_going, first=False)


def _read(
    text: str,
    *,
    rules: Rules | None,
    hits: Literal["marked", "unmarked"] | None,
    file: str,
    strict: bool,
    keep_going: bool,
    first: bool,
) -> tuple[Match, ...]:
    if not isinstance(text, str):
        raise TypeError(f"a match text must be a str, not {short_repr(text)}")
    if rules is not None and not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules or None, not {short_repr(rules)}")
    if hits is not None:
        choice("hits", hits, ("marked", "unmarked"))
    flag("strict", strict)
    flag("keep_going", keep_going)
    parts = list(sections(match_lines(text) if looks_like_replay(text) else layout.lines(text)))
    headers = [header(part) for part in parts]
    stars = any(found.stars for found in headers)
    matches = []
    for part, found in zip(parts, headers, strict=True):
        marked = _hits(found, hits, stars=stars)
        reader = _MatchReader(_rules(found, rules, file), found, marked, file, strict=strict, keep_going=keep_going)
        match = reader.read(part, following=parts[1][0] if first and len(parts) > 1 else None)
        if match is not None:
            matches.append(match)
        if first:
            break
    if not matches:
        raise InvalidTextError(resemblance(text)).within(file, 1, text)
    return tuple(matches)


def _rules(found: Header, rules: Rules | None, file: str) -> Rules:
    if rules is not None:
        return rules
    variation = found.tag("variation")
    if variation is None:
        return _RULES_BY_DICE.get(found.dice, BACKGAMMON)
    try:
        return games.get(variation)
    except ValueError as error:
        raise InvalidTextError(f"{error}; for another variation the rules must be given").within(
            file, found.lines["variation"], variation
        ) from None


def _starts(found: Header, rules: Rules, file: str) -> tuple[Position, Position]:
    """The position that a tag ``[Start "..."]`` says, else the one that the rules say; and where the other side opens instead.

    The board of a tag is the same whoever opens; by the rules, `setup_other` is the start of the side that does not.
    """
    start = found.tag("start")
    if start is None:
        return Position(rules), Position.from_tracks(rules.setup, rules.other_setup, rules=rules, turn=BLACK)
    try:
        position = Position.from_text(start, rules=rules)
        return position, position.swap_sides()
    except ValueError as error:
        raise InvalidTextError(f"the position that the games start from is not one: {error}").within(
            file, found.lines["start"], start
        ) from error


def _hits(found: Header, hits: Literal["marked", "unmarked"] | None, *, stars: bool) -> Literal["marked", "unmarked"]:
    if hits is not None:
        return hits
    value = (found.tag("hits") or "").strip().lower()
    if value in ("marked", "unmarked"):
        return "marked" if value == "marked" else "unmarked"
    return "marked" if stars else "unmarked"


class _MatchReader:
    """Reads the lines of one match into games."""

    def __init__(
        self, rules: Rules, found: Header, hits: Literal["marked", "unmarked"], file: str, *, strict: bool, keep_going: bool
    ) -> None:
        self._options = Options(rules, *_starts(found, rules, file), terms(found), hits, keep_going, self._report, file)
        self._header = found
        self._players = ("", "")
        self._games: list[MatchGame] = []
        self._problems: list[Problem] = []
        self._strict = strict
        self._game: GameReader | None = None
        self._recent: list[tuple[int, int]] = []
        """The scores before the games so far that differ from each other: a million games of one score are one entry."""

    def read(self, lines: list[tuple[int, str]], *, following: tuple[int, str] | None) -> Match | None:
        """The match of these lines, None if they have no game; `following` is the first line of a match that is not read."""
        self._check_header(lines)
        for number, line in lines:
            if line.lstrip().startswith(";"):
                continue
            game = layout.game_number(line)
            if game is not None:
                self._end_game()
                self._game = GameReader(self._options, game, number)
            elif self._game is not None and (layout.is_numbered(line) or length(line) is None):
                self._read_line_of_game(self._game, number, line)
        self._end_game()
        if not self._games:
            return None
        if following is not None:
            self._line_problem("unread", "a second match starts here, and read_all() reads every match of a text", *following)
        problems = tuple(sorted(self._problems, key=lambda problem: problem.line))
        options = self._options
        return Match(self._players, tuple(self._games), options.rules, options.terms.length or 0, self._header.tags, problems)

    def _check_header(self, lines: list[tuple[int, str]]) -> None:
        found = self._header
        if found.length_line is not None:
            message = "this line speaks of the match's length, and is not understood: it is written '3 point match'"
            self._line_problem("unreadable", message, *found.length_line)
        if (found.length or 0) > MAX_LENGTH and lines:
            self._line_problem("unreadable", f"a match is {MAX_LENGTH} points long at most, not {found.length}", *lines[0])
        for number, line in lines:
            if UNDECODED in line:
                message = "there are bytes here that are in no encoding that was recognised: decode(data, encoding) takes its name"
                self._line_problem("unreadable", message, number, line)
                return

    def _read_line_of_game(self, game: GameReader, number: int, line: str) -> None:
        if game.heading is not None:
            game.read_line(number, line)
            return
        heading = layout.heading(line)
        if heading is None:
            game.stop(number, line, InvalidTextError("a game starts with a line 'name : score  name : score'"))
            game.read_line(number, line)
            return
        sides, wrong = self._sides(heading.players)
        if not any(self._players):
            self._players = heading.players
        game.head(heading, self._players, sides)
        if wrong is not None:
            game.contradict_names(wrong, number, line)

    def _sides(self, names: tuple[str, str]) -> tuple[tuple[int, int], str | None]:
        """The side of the player in each column, and a sentence if the names do not say it."""
        left, right = map(_folded, names)
        if left == right:
            return (0, 1), f"both players are called {quoted(names[0])}: the left column is taken for the first player"
        if not any(self._players):
            return (0, 1), None
        first, second = map(_folded, self._players)
        swapped = left == second or right == first
        new = [name for name in names if _folded(name) not in (first, second)]
        if not new:
            return ((1, 0) if swapped else (0, 1)), None
        wrong = f"the players were {quoted(self._players[0])} and {quoted(self._players[1])}, and here is {quoted(new[0])}"
        return ((1, 0) if swapped and len(new) == 1 else (0, 1)), wrong

    def _end_game(self) -> None:
        """Adds the game that is being read, if there is one, to the games."""
        game = self._game
        self._game = None
        if game is None:
            return
        self._games.append(game.end(self._recent))
        if game.score not in self._recent[-1:]:
            self._recent.append(game.score)

    def _line_problem(self, kind: Literal["unreadable", "unread"], message: str, number: int, line: str) -> None:
        problem = Problem(self._options.file, number, line.strip(), kind, message)
        self._report(problem, InvalidTextError(message))

    def _report(self, problem: Problem, error: TextError) -> None:
        """Adds a problem; when reading strictly, its error is raised with its place instead."""
        if self._strict:
            raise error.within(problem.file, problem.line, problem.text)
        self._problems.append(problem)


def _folded(name: str) -> str:
    """A name without what programs change in it: case and the width of its spaces."""
    return " ".join(name.split()).casefold()
