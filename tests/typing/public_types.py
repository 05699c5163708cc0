"""What a type checker must make of the public names. It is checked by mypy, and never run."""

from typing import assert_type

import numpy as np
import numpy.typing as npt

import tabula
from tabula import TABULA, Move, Play, Plays, Position, Rules, divide, perft

position = Position()
plays = position.plays("652")
play = plays[0]

assert_type(plays, Plays)
assert_type(play, Play)
assert_type(plays[np.int64(0)], Play)
assert_type(plays[1:], Plays)
assert_type([each.position for each in reversed(plays)], list[Position])
assert_type(plays.positions, npt.NDArray[np.int8])
assert_type(plays.after((0, 6), Move(0, 5, 5)).moves, tuple[Move, ...])
assert_type(play.moves[0].hit, bool)
assert_type(play.roll, tuple[int, ...])
assert_type(position.rules, Rules)
assert_type(position.count(np.array([6, 5, 2])), int)
assert_type(position.apply(play), Position)
assert_type(position.apply(play.moves, "652"), Position)
assert_type(position.apply([(0, 6), (0, 5), (0, 2)], (6, 5, 2)), Position)
assert_type(Position.from_tracks(np.zeros(26, np.int64), [15] + 25 * [0], rules=TABULA, turn=tabula.BLACK), Position)
assert_type(perft(position, 2, engine="reference"), int)
assert_type(tabula.get_include(), str)
assert_type(divide(position, 2), dict[tuple[int, ...], int])
assert_type(divide(position, 2, "652"), dict[Play, int])

position.turn = 1  # type: ignore[misc]
position.plays(None)  # type: ignore[arg-type]
position.apply(play.moves)  # type: ignore[call-overload]
Play(1)  # type: ignore[arg-type]
perft(position, 2, engine="fast")  # type: ignore[arg-type]
Rules(direction="sideways")  # type: ignore[arg-type]
