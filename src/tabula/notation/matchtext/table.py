"""A match as a table: a row for each turn, in plain values."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any, Final

from tabula import dice
from tabula.notation.gnubg import gnubg_id
from tabula.notation.xg import xgid
from tabula.rules import BACKGAMMON

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TextIO

    from tabula.notation.matchtext.model import Match, MatchGame, MatchTurn

__all__ = ["COLUMNS", "rows", "write_csv"]

COLUMNS: Final = (
    "match",
    "game",
    "turn",
    "side",
    "name",
    "kind",
    "roll",
    "play",
    "legal",
    "forced",
    "plays",
    "hits",
    "pips_before",
    "pips_after",
    "score",
    "score_other",
    "cube",
    "cube_owner",
    "gnubg_id",
    "xgid",
    "problem",
)
"""The names of the columns, in order."""

_SIDES: Final = ("white", "black")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""A cell that starts so is a formula to programs of spreadsheets."""


def rows(match: Match, number: int = 1) -> Iterator[dict[str, Any]]:
    """The rows of a match, `number` in the column ``match``; see `Match.rows`."""
    for game in match.games:
        problems = {problem.turn: problem.message for problem in match.problems if problem.game == game.number}
        for turn_number, turn in enumerate(game.turns, 1):
            yield _row(match, game, turn, number, turn_number, problems.pop(turn_number, None))
        for turn_or_none, message in problems.items():
            yield dict.fromkeys(COLUMNS) | {"match": number, "game": game.number, "turn": turn_or_none, "problem": message}


def _row(match: Match, game: MatchGame, turn: MatchTurn, number: int, turn_number: int, problem: str | None) -> dict[str, Any]:
    played = turn.kind == "play"
    plays = None if turn.roll is None else turn.before.count(turn.roll)
    state = turn.match
    backgammon = match.rules == BACKGAMMON
    return {
        "match": number,
        "game": game.number,
        "turn": turn_number,
        "side": _SIDES[turn.side],
        "name": match.players[turn.side],
        "kind": turn.kind,
        "roll": None if turn.roll is None else dice.to_text(turn.roll),
        "play": str(turn.play) if turn.play is not None else turn.text if played else None,
        "legal": turn.legal if played else None,
        "forced": None if plays is None else plays == 1,
        "plays": plays,
        "hits": _hits(turn) if played else None,
        "pips_before": turn.before.pips[0],
        "pips_after": None if turn.after is None else turn.after.pips[1],
        "score": game.score[turn.side],
        "score_other": game.score[1 - turn.side],
        "cube": None if state is None else state.cube,
        "cube_owner": None if state is None or state.owner is None else _SIDES[state.owner],
        "gnubg_id": gnubg_id(turn.before, turn.roll, state) if backgammon else None,
        "xgid": xgid(turn.before, turn.roll, state) if backgammon else None,
        "problem": problem,
    }


def _hits(turn: MatchTurn) -> int | None:
    """How many checkers the turn has hit: those of the other side that came to wait."""
    return None if turn.after is None else turn.after.mover[0] - turn.before.other[0]


def write_csv(file: TextIO, matches: Iterable[Match]) -> None:
    """Writes the rows of matches, a header first; a text that a spreadsheet would take for a formula gets a quote before it.

    >>> import io
    >>> from tabula.notation import matchtext
    >>> file = io.StringIO()
    >>> write_csv(file, [matchtext.read(" Game 1\\n =A : 0      B : 0\\n 1) 31: 8/5 6/5\\n")])
    >>> print(file.getvalue().splitlines()[1][:40])
    1,1,1,white,'=A,play,3-1,8/5 6/5,True,Fa
    """
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, match in enumerate(matches, 1):
        for row in rows(match, number):
            writer.writerow([_safe(row[name]) for name in COLUMNS])


def _safe(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
