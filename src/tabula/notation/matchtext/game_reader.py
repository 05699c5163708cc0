"""Reading one game of match text: its cells become turns, every play is looked up among the legal ones."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from tabula import dice
from tabula.errors import AmbiguousPlayError, IllegalPlayError, InvalidPositionError, InvalidTextError, quoted
from tabula.notation.matchtext import layout
from tabula.notation.matchtext.implied import implied_position, play_to
from tabula.notation.matchtext.model import MatchGame, MatchTurn, Problem
from tabula.notation.matchtext.score import Cube, contradiction, is_crawford
from tabula.notation.play_read import parse_play

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabula._native.position import Position
    from tabula.dice import Roll
    from tabula.notation.matchtext.layout import Heading, Result
    from tabula.notation.matchtext.score import Terms
    from tabula.rules import Rules

__all__ = ["GameReader", "Options", "TextError"]

_Kind = Literal["illegal", "ambiguous", "unreadable", "contradiction", "unread"]
_ANSWERS: Final = frozenset(("take", "drop", "beaver", "raccoon"))
"""The turns that answer an offer."""

_LONGEST_NOTE: Final = 100


TextError: TypeAlias = InvalidTextError | IllegalPlayError | AmbiguousPlayError


class Options(NamedTuple):
    """What holds for all games of a match: how they are read, and whom a problem is reported to."""

    rules: Rules
    start: Position
    """Where a game starts that the side to move in it opens."""

    other_start: Position
    """Where a game starts that the other side opens."""

    terms: Terms
    hits: Literal["marked", "unmarked"]
    keep_going: bool
    report: Callable[[Problem, TextError], None]
    """Takes a problem and its error, which it raises when reading strictly."""

    file: str


class _StopError(Exception):
    """The rest of the game cannot be read; the problem is reported."""


class GameReader:
    """A game that is being read, line by line."""

    def __init__(self, options: Options, number: int, line: int) -> None:
        self.heading: Heading | None = None
        self.number = number
        self.players = ("", "")
        self.score = (0, 0)
        self._options = options
        self._line = line
        self._sides = (0, 1)
        self._position = options.start
        self._started = False
        self._cube = Cube()
        self._turns: list[tuple[MatchTurn, Cube]] = []
        self._winner: int | None = None
        self._result: Result | None = None
        self._result_line = (0, "")
        self._ended_by: str | None = None
        self._stopped = False
        self._problem: Problem | None = None
        self._words: tuple[int, str, layout.Cell | None, InvalidTextError] | None = None

    # ------------------------------------------------------------------------------------------------------------------ lines

    def head(self, heading: Heading, players: tuple[str, str], sides: tuple[int, int]) -> None:
        """Takes the line with the names: `players` in the order of the match, and the side of each column."""
        self.heading, self.players, self._sides = heading, players, sides
        self.score = heading.score if sides == (0, 1) else (heading.score[1], heading.score[0])

    def read_line(self, number: int, line: str) -> None:
        """Reads a line after the names; of a game that has stopped, only the result is read."""
        heading = self.heading
        cells = layout.cells(line, None if heading is None else heading.column)
        result = any(layout.result(cell.text) is not None for cell in cells or ())
        self._settle_words(note=result)
        try:
            if cells is None:
                error = InvalidTextError("this is no line of a game: a number, ')' and at most two cells, or 'Wins n points'")
                self._leave_words(number, line, None, error)
                return
            for cell in cells:
                self._read_cell(number, line, cell)
        except _StopError:
            self._stopped = True
        if result:
            self._settle_words(note=True)

    def stop(self, number: int, line: str, error: InvalidTextError) -> None:
        """Reports an error after which no turn is read."""
        if not self._stopped:
            self._report(error, number, line)
        self._stopped = True

    def contradict_names(self, message: str, number: int, line: str) -> None:
        """Reports names from which it does not follow who is who."""
        self._report(InvalidTextError(message), number, line, "contradiction")

    def end(self, earlier: list[tuple[int, int]]) -> MatchGame:
        """The game, as far as it was read; `earlier` are the scores before the games before it."""
        self._settle_words(note=False)
        self._check_result()
        options = self._options
        doubled = any(turn.kind == "double" for turn, _ in self._turns)
        crawford = is_crawford(options.terms, self.score, earlier, doubled=doubled)
        states: dict[tuple[Any, ...], Any] = {}
        turns = []
        for turn, cube in self._turns:
            key = (cube.value, cube.owner, cube.offer)
            if key not in states:
                states[key] = options.terms.state(self.score, cube, self.players, crawford=crawford)
            turns.append(dataclasses.replace(turn, match=states[key]))
        result = self._result
        return MatchGame(
            self.number,
            self.score,
            tuple(turns),
            self._winner,
            None if result is None else result.points,
            result is not None and result.match,
            self._problem,
            self._line,
        )

    # ------------------------------------------------------------------------------------------------------------------ cells

    def _read_cell(self, number: int, line: str, cell: layout.Cell) -> None:
        side = self._sides[cell.column]
        result = layout.result(cell.text)
        if result is not None:
            if self._result is None or result.won:
                self._winner, self._result = (side if result.won else 1 - side), result
                self._result_line = number, line
            return
        if self._stopped:
            return
        dice_and_play = layout.dice_cell(cell.text)
        if dice_and_play is not None and dice_and_play[0].strip("0"):
            self._read_roll(number, line, side, cell.text, *dice_and_play)
            return
        text = cell.text if dice_and_play is None else dice_and_play[1]
        if layout.is_unknown(text) or (dice_and_play is not None and not text):
            self._add(side, "unknown", number, cell.text)
            return
        action = layout.action(text)
        if action is None:
            error = InvalidTextError("a cell is dice with a play, or an action like 'Doubles => 2', 'Takes' or 'Drops'")
            self._leave_words(number, line, cell, error)
            return
        kind, value = action
        if kind == "double" and not self._started:
            self._open(side)
        self._add(side, kind, number, cell.text, value=value)
        self._cube.act(side, kind, value, self._options.terms.length or 0)

    def _read_roll(self, number: int, line: str, side: int, cell: str, faces: str, text: str) -> None:
        """Reads a cell with dice: a play, a pass, or a roll that was not played or whose play is not known."""
        options = self._options
        if self._ended_by is not None:
            self._stop(InvalidTextError(f"the game goes on after {self._ended_by}"), number, line, side)
        roll: Roll | None = None
        try:
            roll = dice.parse(faces, options.rules.dice)
        except ValueError as error:
            self._stop_or_go_on(InvalidTextError(str(error)), number, line, side)
        self._open(side)
        in_turn = side == self._position.turn or self._position.outcome is not None
        if not in_turn:
            order = f"{quoted(self.players[side])} rolls, and it is the turn of {quoted(self.players[1 - side])}"
            self._stop_or_go_on(InvalidTextError(order), number, line, side, roll)
            self._position = self._position.swap_sides()
        if self._cube.offer is not None:
            self._cube.settle(side if self._cube.offer == "beaver" else 1 - side)
        action = layout.action(text)
        if layout.is_unknown(text) or (action is not None and action[0] in ("resign", "time")):
            kind = "unknown" if action is None else "unplayed"
            self._ended_by = "a play that is not known" if action is None else "a roll that was not played"
            self._add(side, kind, number, cell, roll=roll)
            return
        if not text and roll is not None and self._position.plays(roll).dice_used:
            self._ended_by = "a roll that was not played"
            self._add(side, "unplayed", number, cell, roll=roll)
            return
        self._read_play(number, line, side, cell, text, roll, legal=in_turn)

    def _read_play(self, number: int, line: str, side: int, cell: str, text: str, roll: Roll | None, *, legal: bool) -> None:
        position, options = self._position, self._options
        play = None
        if roll is None:
            after = self._implied(number, line, side, text, roll)
        else:
            try:
                play = parse_play(position, text, roll, hits=options.hits)
                after = play.position
            except (InvalidTextError, IllegalPlayError, AmbiguousPlayError) as error:
                self._stop_or_go_on(error, number, line, side, roll)
                after = self._implied(number, line, side, text, roll)
                play = play_to(position, roll, after) if isinstance(error, AmbiguousPlayError) else None
        self._add(side, "play", number, cell, roll=roll, play=play, after=after, legal=legal and play is not None)
        self._position = after

    def _implied(self, number: int, line: str, side: int, text: str, roll: Roll | None) -> Position:
        """The board that the text implies; where it implies none, that is a problem, and the game stops."""
        try:
            return implied_position(self._position, text)
        except (InvalidTextError, IllegalPlayError):
            raise _StopError from None  # That the text is no play is reported.
        except InvalidPositionError as error:
            self._stop(InvalidTextError(f"no position comes of {quoted(text)}: {error}"), number, line, side, roll)
            raise

    def _open(self, side: int) -> None:
        """The first cell with a roll or a double says who starts."""
        if not self._started and side != self._position.turn:
            self._position = self._options.other_start
        self._started = True

    def _add(self, side: int, kind: str, line: int, text: str, **fields: Any) -> None:
        cube = dataclasses.replace(self._cube)
        if kind not in _ANSWERS:
            cube.offer = None
        self._turns.append((MatchTurn(side, kind, self._position, line=line, text=text, **fields), cube))

    # ------------------------------------------------------------------------------------------------- words, and the result

    def _leave_words(self, number: int, line: str, cell: layout.Cell | None, error: InvalidTextError) -> None:
        """Leaves words that are not known until the next line says whether they end the game."""
        text = line.strip() if cell is None else cell.text
        if len(text) > _LONGEST_NOTE or "/" in text or ":" in text:
            self.stop(number, line, error)
        elif not self._stopped and self._words is None:
            self._words = number, line, cell, error

    def _settle_words(self, *, note: bool) -> None:
        """Makes a note of the words that stand before a result; elsewhere they are a problem."""
        if self._words is None:
            return
        number, line, cell, error = self._words
        self._words = None
        if note:
            side = self._position.turn if cell is None else self._sides[cell.column]
            self._add(side, "note", number, line.strip() if cell is None else cell.text)
        else:
            self.stop(number, line, error)

    def _check_result(self) -> None:
        """Checks the stated result against the cube and the board, where they are known to the end."""
        result, winner = self._result, self._winner
        if result is None or winner is None or self._stopped:
            return
        length = self._options.terms.length
        last = self._turns[-1][0] if self._turns else None
        wrong = contradiction(
            result,
            winner,
            self._position,
            self._cube,
            None if last is None else (last.kind, last.side),
            0 if not length else max(1, length - self.score[winner]),
        )
        if wrong is not None:
            self._report(InvalidTextError(wrong), *self._result_line, "contradiction", side=winner)

    # --------------------------------------------------------------------------------------------------------------- problems

    def _stop_or_go_on(self, error: TextError, number: int, line: str, side: int, roll: Roll | None = None) -> None:
        """Reports an error of a turn; without `keep_going`, the game stops."""
        self._report(error, number, line, side=side, roll=roll, turn=len(self._turns) + 1)
        if not self._options.keep_going:
            raise _StopError

    def _stop(self, error: TextError, number: int, line: str, side: int, roll: Roll | None = None) -> None:
        self._report(error, number, line, side=side, roll=roll, turn=len(self._turns) + 1)
        raise _StopError

    def _report(self, error: TextError, number: int, line: str, kind: _Kind | None = None, **fields: Any) -> None:
        if kind is None:
            kind = (
                "illegal"
                if isinstance(error, IllegalPlayError)
                else "ambiguous"
                if isinstance(error, AmbiguousPlayError)
                else "unreadable"
            )
        if fields.get("turn") is not None:
            fields["position"] = self._position
        problem = Problem(self._options.file, number, line.strip(), kind, str(error), game=self.number, **fields)
        self._options.report(problem, error)
        if self._problem is None:
            self._problem = problem
