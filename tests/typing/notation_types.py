"""What a type checker must make of `tabula.notation`."""

import io
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, assert_type

from tabula import TABULA, Play, Position, Rules, notation
from tabula.game import Game
from tabula.notation import MatchState, Reading, matchtext
from tabula.notation.gnubg import from_match_id, from_position_id
from tabula.notation.replay_report import FileReport, Report

position = Position()

# positions
formats: Mapping[str, notation.Format] = notation.FORMATS
assert_type(notation.written_formats(TABULA), tuple[str, ...])
entry = formats["xgid"]
assert_type(entry.name, str)
assert_type(entry.title, str)
assert_type(entry.layout, str)
assert_type(entry.example, str)
assert_type(entry.looks_like("4HPwATDgc/ABMA"), bool)
assert_type(entry.read("4HPwATDgc/ABMA", None), Reading)
writer: Callable[[Position, tuple[int, ...] | None, MatchState | None], str] | None = entry.write
assert_type(entry.games, str)
assert_type(entry.unsaid, Rules | None)
assert_type(entry.holds(TABULA), bool)
reading = notation.read("4HPwATDgc/ABMA:cAkAAAAAAAAA")
assert_type(notation.read("4HPwATDgc/ABMA:cAkAAAAAAAAA"), Reading)
assert_type(reading.position, Position)
assert_type(reading.text, str | None)
assert_type(reading.roll, tuple[int, ...] | None)
assert_type(reading.match, MatchState | None)
assert_type(notation.tabula_text(position, "652"), str)
assert_type(notation.position_id(position), str)
assert_type(notation.match_id(0, "31"), str)
assert_type(notation.gnubg_id(position, "31", reading.match), str)
assert_type(notation.xgid(position), str)
assert_type(notation.convert("4HPwATDgc/ABMA", "xgid"), str)
assert_type(from_position_id("4HPwATDgc/ABMA"), Position)
assert_type(from_match_id("cAkAAAAAAAAA"), tuple[int, tuple[int, ...] | None, MatchState])

# facts of a match
state = MatchState(length=7, offer="double")
assert_type(state.length, int)
assert_type(state.score, tuple[int, int])
assert_type(state.cube, int)
assert_type(state.owner, int | None)
assert_type(state.crawford, bool)
assert_type(state.jacoby, bool)
assert_type(state.beavers, bool)
assert_type(state.max_cube, int)
offer: Literal["double", "beaver", "raccoon"] | None = state.offer
assert_type(state.resignation, int)
assert_type(state.decision, int | None)
assert_type(state.state, str)
assert_type(state.players, tuple[str, str] | None)

# plays
assert_type(notation.parse_play(position, "bar/11 bar/2", "652"), Play)
assert_type(notation.play_text(notation.parse_play(position, "bar/11 bar/2", "652")), str)

# games and matches
match = matchtext.read("", strict=True)
assert_type(matchtext.decode(b""), str)
assert_type(matchtext.read(""), matchtext.Match)
assert_type(matchtext.record([Game()], players=("White", "Black")), matchtext.Match)
assert_type(matchtext.write(match), str)
assert_type(match.players, tuple[str, str])
assert_type(match.games, tuple[matchtext.MatchGame, ...])
assert_type(match.rules, Rules)
assert_type(match.length, int)
assert_type(match.tags, tuple[tuple[str, str], ...])
assert_type(match.problems, tuple[matchtext.Problem, ...])
game = match.games[0]
assert_type(game.number, int)
assert_type(game.score, tuple[int, int])
assert_type(game.turns, tuple[matchtext.MatchTurn, ...])
assert_type(game.winner, int | None)
assert_type(game.points, int | None)
assert_type(game.wins_match, bool)
assert_type(game.problem, matchtext.Problem | None)
assert_type(game.line, int)
turn = game.turns[0]
assert_type(turn.side, int)
assert_type(turn.kind, str)
assert_type(turn.before, Position)
assert_type(turn.roll, tuple[int, ...] | None)
assert_type(turn.play, Play | None)
assert_type(turn.after, Position | None)
assert_type(turn.value, int | None)
assert_type(turn.line, int)
assert_type(turn.text, str)
problem = match.problems[0]
assert_type(problem.file, str)
assert_type(problem.line, int)
assert_type(problem.text, str)
assert_type(problem.kind, Literal["illegal", "ambiguous", "unreadable", "contradiction", "unread"])
assert_type(problem.message, str)
assert_type(problem.game, int | None)
assert_type(problem.turn, int | None)
assert_type(problem.side, int | None)
assert_type(problem.roll, tuple[int, ...] | None)
assert_type(problem.position, Position | None)
assert_type(problem.to_dict(), dict[str, Any])
assert_type(turn.match, MatchState | None)
assert_type(turn.legal, bool)
assert_type(matchtext.read_all("1 point match"), tuple[matchtext.Match, ...])
assert_type(match.rows(), Iterator[dict[str, Any]])
matchtext.write_csv(io.StringIO(), [match])
report = notation.replay(["match.txt"])
assert_type(notation.replay(["match.txt"]), Report)
assert_type(report.files, tuple[FileReport, ...])
assert_type(report.problems, tuple[matchtext.Problem, ...])
assert_type(report.total("plays"), int)
assert_type(report.to_dict(), dict[str, Any])
assert_type(report.files[0].file, str)
assert_type(report.files[0].games, int)
assert_type(report.files[0].plays, int)
assert_type(report.files[0].unplayed_cells, int)
assert_type(report.files[0].unknown_ends, int)
assert_type(report.files[0].problems, tuple[matchtext.Problem, ...])

# What must be refused
notation.parse_play(position, "8/5", "31", hits="some")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
MatchState(offer="drop")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
