"""What a type checker must make of `tabula.batch` and `tabula.features`."""

from collections.abc import Iterator, Mapping
from typing import assert_type

import numpy as np
import numpy.typing as npt

from tabula import BACKGAMMON, batch, features

Bytes = npt.NDArray[np.int8]
Index = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

rng = np.random.default_rng(1)
positions = batch.start(2, rules=BACKGAMMON)
rolls = batch.roll(2, rng=rng, rules=BACKGAMMON)

assert_type(positions, Bytes)
assert_type(rolls, npt.NDArray[np.uint8])
assert_type(batch.start(2, rules=BACKGAMMON), Bytes)
assert_type(batch.roll(2, rng=rng, rules=BACKGAMMON), npt.NDArray[np.uint8])

after = batch.afterstates(positions, rolls, rules=BACKGAMMON, threads=2, out=np.empty((99, 2, 26), np.int8), check=False)
assert_type(batch.afterstates(positions, rolls, rules=BACKGAMMON), batch.Ragged)
assert_type(after.positions, Bytes)
assert_type(after.offsets, Index)
assert_type(after.dice_used, npt.NDArray[np.uint8])
assert_type(after.rows, Index)
assert_type(after.best([0.5, 1.0]), Index)
assert_type(after[0], Bytes)
assert_type(len(after), int)
assert_type(iter(after), Iterator[Bytes])

ahead = batch.all_rolls(positions, rules=BACKGAMMON)
assert_type(batch.all_rolls(positions, rules=BACKGAMMON), batch.AllRolls)
assert_type(ahead.rolls, npt.NDArray[np.uint8])
assert_type(ahead.chances, npt.NDArray[np.float64])
assert_type(ahead.weights, npt.NDArray[np.float64])

made = batch.moves(positions, rolls, rules=BACKGAMMON)
assert_type(batch.moves(positions, rolls, rules=BACKGAMMON), batch.Moves)
assert_type(made.moves, npt.NDArray[np.uint8])
assert_type(made.offsets, Index)
assert_type(made[0], npt.NDArray[np.uint8])

found = batch.validate(positions, rules=BACKGAMMON)
assert_type(batch.validate(positions, rules=BACKGAMMON), batch.Validation)
assert_type(found.legal, npt.NDArray[np.bool_])
assert_type(found.reasons, Mapping[int, str])

assert_type(batch.counts(positions, None, rules=BACKGAMMON), Index)
assert_type(batch.swap_sides(positions), Bytes)
assert_type(batch.outcome(positions, rules=BACKGAMMON), Bytes)
assert_type(batch.stuck(positions, rules=BACKGAMMON), npt.NDArray[np.bool_])
assert_type(batch.pack(positions, rules=BACKGAMMON), npt.NDArray[np.void])
assert_type(batch.unpack(batch.pack(positions, rules=BACKGAMMON), rules=BACKGAMMON), Bytes)
assert_type(batch.play(positions, rolls, [0, 0], rules=BACKGAMMON), Bytes)
assert_type(batch.random_play(positions, rolls, rules=BACKGAMMON, rng=rng), Bytes)

encoder: features.Encoder = "tesauro"
assert_type(features.ENCODERS, tuple[features.Encoder, ...])
assert_type(features.raw(positions, rules=BACKGAMMON), Floats)
assert_type(features.tesauro(positions, rules=BACKGAMMON, out=np.empty((2, 198), np.float32)), Floats)
assert_type(features.unary(positions, rules=BACKGAMMON, threads=2), Floats)
assert_type(features.tabula(positions, rules=BACKGAMMON, check=False), Floats)
assert_type(features.swap_sides(features.raw(positions, rules=BACKGAMMON), "raw", rules=BACKGAMMON), Floats)
assert_type(features.width(encoder, rules=BACKGAMMON), int)
assert_type(features.columns("raw", rules=BACKGAMMON), tuple[str, ...])

# What must be refused
batch.counts(positions, rolls)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
batch.outcome([[0]], rules=BACKGAMMON)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
features.width("stones", rules=BACKGAMMON)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
