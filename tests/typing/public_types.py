"""What a type checker must make of the names of `tabula` itself. Files of this folder are checked, and never run."""

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, Literal, assert_type

import numpy as np
import numpy.typing as npt

import tabula
from tabula import (
    BACKGAMMON,
    BLACK,
    NARDE,
    TABULA,
    TABULA_HISTORIC,
    WHITE,
    Move,
    Next,
    Outcome,
    Play,
    Plays,
    Position,
    Rules,
    divide,
    perft,
)

position = Position()
plays = position.plays("652")
play = plays[0]

assert_type(tabula.__version__, str)
assert_type([BACKGAMMON, NARDE, TABULA, TABULA_HISTORIC], list[Rules])
sides: tuple[int, int] = (WHITE, BLACK)
module: ModuleType = tabula.reference

# Rules
assert_type(Rules(), Rules)
assert_type(TABULA.dice, int)
assert_type(TABULA.doubles, Literal["once", "twice"])
assert_type(TABULA.direction, Literal["same", "opposed", "parallel"])
assert_type(TABULA.numbering, Literal["up", "down"])
assert_type(TABULA.stack_limit, int | None)
assert_type(TABULA.enter_first, bool)
assert_type(TABULA.half_gate, bool)
assert_type(TABULA.home_start, int)
assert_type(TABULA.gates, Literal["turn", "move"])
assert_type(TABULA.bear_off, Literal["exact", "rearmost", "any"])
assert_type(TABULA.larger_die, bool)
assert_type(TABULA.highest_win, Literal[1, 2, 3])
assert_type(TABULA.opening, Literal["roll-off", "split"])
assert_type(TABULA.setup, tuple[int, ...])
assert_type(TABULA.setup_other, tuple[int, ...] | None)
assert_type(TABULA.blots, Literal["hit", "block"])
assert_type(TABULA.head_limit, int | None)
assert_type(TABULA.head_doubles, tuple[int, ...])
assert_type(TABULA.primes, Literal["free", "ahead"])
assert_type(TABULA.runner, int | None)
assert_type(TABULA.pile_from, int)
assert_type(TABULA.extra_dice, tuple[int, ...])
assert_type(TABULA.other_setup, tuple[int, ...])
assert_type(TABULA.start_point, int)
assert_type(TABULA.dice_played, int)
assert_type(TABULA.name, str)
assert_type(TABULA.checkers, int)
assert_type(TABULA.limit, int)
assert_type(TABULA.waiting_label, str)
assert_type(TABULA.facing(1), int)
assert_type(TABULA.number(1), int)
assert_type(TABULA.label(0), str)
assert_type(TABULA.describe(), str)
assert_type(TABULA.to_dict(), dict[str, Any])
assert_type(Rules.from_dict({"dice": 2}), Rules)

# Position
assert_type(Position(BACKGAMMON), Position)
assert_type(Position.from_tracks(np.zeros(26, np.int64), [15] + 25 * [0], rules=TABULA, turn=tabula.BLACK), Position)
assert_type(Position.from_points({6: 2}, {1: np.int8(1)}, rules=BACKGAMMON, bar=(0, 0), off=(13, 14)), Position)
assert_type(Position.from_array(np.zeros((2, 26), np.int8), rules=TABULA), Position)
assert_type(Position.from_text("O------------------------o:w", rules=TABULA), Position)
assert_type(position.mover, tuple[int, ...])
assert_type(position.other, tuple[int, ...])
assert_type(position.turn, int)
assert_type(position.rules, Rules)
assert_type(position.pips, tuple[int, int])
assert_type(position.stuck, bool)
if position.outcome is not None:
    assert_type(position.outcome.winner, int)
    assert_type(position.outcome.points, int)
assert_type(position.swap_sides(), Position)
assert_type(position.to_array(), npt.NDArray[np.int8])
assert_type(position.to_text(), str)
assert_type(position.plays((6, 5, 2)), Plays)
assert_type(position.count(np.array([6, 5, 2])), int)
assert_type(position.parse_play("bar/11 bar/2", "652", hits="unmarked"), Play)
assert_type(position.apply(play), Position)
assert_type(position.apply(play.moves, "652"), Position)
assert_type(position.apply([(0, 6), (0, 5), (0, 2)], (6, 5, 2)), Position)
assert_type(hash(position), int)
assert_type({position: 1}, dict[Position, int])

# Plays
assert_type(plays, Plays)
assert_type(plays.position, Position)
assert_type(plays.roll, tuple[int, ...])
assert_type(plays.dice_used, int)
assert_type(plays.positions, npt.NDArray[np.int8])
assert_type(plays.after((0, 6), Move(0, 5, 5)).moves, tuple[Move, ...])
assert_type(plays.after().may_end, bool)
assert_type(len(plays), int)
assert_type(plays[np.int64(0)], Play)
assert_type(plays[1:], Plays)
assert_type(iter(plays), Iterator[Play])
assert_type([each.position for each in reversed(plays)], list[Position])
assert_type(plays.index(play), int)
assert_type(plays.index([(0, 6), Move(0, 5, 5)], 0, 4), int)
assert_type(plays.count(play), int)
sequence: Sequence[Play] = plays

# Play and Move
assert_type(play, Play)
assert_type(play.origin, Position)
assert_type(play.roll, tuple[int, ...])
assert_type(play.position, Position)
assert_type(play.moves, tuple[Move, ...])
assert_type(play.moves[0].source, int)
assert_type(play.moves[0].target, int)
assert_type(play.moves[0].die, int)
assert_type(play.moves[0].hit, bool)

outcome: Outcome = Outcome(WHITE, 1)
coming: Next = plays.after()
assert_type(outcome.points, int)
assert_type(coming.may_end, bool)

# Functions
assert_type(perft(position, 2, engine="reference"), int)
assert_type(perft(position, 2, merge=True, threads=2, progress=print), int)
assert_type(tabula.get_include(), str)
assert_type(divide(position, 2), dict[tuple[int, ...], int])
assert_type(divide(position, 2, "652"), dict[Play, int])

# What must be refused
tabula.Positon()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
Position(text="x")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
position.turn = 1  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
position.plays(None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
position.apply(play.moves)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
Play(1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
perft(position, 2, engine="fast")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
Rules(direction="sideways")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
TABULA.dice = 2  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
