"""Whole arrays at once: each row is what the single call says, however the arrays lie in memory and however many threads work."""

import copy
import dataclasses
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from support import strategies

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, InvalidPositionError, Position, Rules, batch, dice
from tabula._native import batch as _batch
from tabula.batch.call import PART
from tabula.batch.listing import BLOCK_ROWS

PRESETS = (TABULA, BACKGAMMON, TABULA_HISTORIC)
FEW = settings(max_examples=50)
"""For what depends little on the position: drawing rules and positions takes longer than the call."""

THREADS = (1, 2, 8)


class Batch(NamedTuple):
    """Positions of one Rules and a roll for each, as objects and as arrays."""

    rules: Rules
    singles: list[Position]
    positions: np.ndarray
    rolls: np.ndarray

    def plays(self) -> list[Any]:
        """The plays of each row by single calls."""
        return [position.plays(roll) for position, roll in zip(self.singles, self.rolls.tolist(), strict=True)]


def arrays(rules: Rules, singles: list[Position], rolls: list[tuple[int, ...]]) -> Batch:
    positions = np.empty((len(singles), 2, 26), np.int8)
    for row, position in enumerate(singles):
        positions[row] = position.mover, position.other
    return Batch(rules, singles, positions, np.array(rolls, np.uint8).reshape(len(singles), rules.dice))


@st.composite
def batches(draw: st.DrawFn, least: int = 0) -> Batch:
    rules = draw(strategies.rules())
    turns = draw(st.lists(strategies.turns(st.just(rules)), min_size=least, max_size=6))
    return arrays(rules, [position for position, _ in turns], [roll for _, roll in turns])


def games(rules: Rules, n: int, plies: int = 40, seed: int = 1) -> Batch:
    """Positions from the middle of random games, some of them finished."""
    rng = np.random.default_rng(seed)
    positions = batch.start(n, rules=rules)
    for ply in range(plies):
        on = slice(0, n - n * ply // plies)
        positions[on] = batch.random_play(positions[on], batch.roll(len(positions[on]), rng=rng, rules=rules), rules=rules, rng=rng)
    positions[5::50] = finished(rules).to_array()
    return Batch(rules, [], positions, batch.roll(n, rng=rng, rules=rules))


def finished(rules: Rules) -> Position:
    """A position that the side which is not to move has won."""
    mover = (rules.checkers, *[0] * 25)
    return Position.from_tracks(mover, (*[0] * 25, rules.checkers), rules=rules)


def every_function(b: Batch, **options: Any) -> dict[str, Callable[[], Any]]:
    """A call of every function that reads positions."""
    positions, rolls, rules = b.positions, b.rolls, b.rules
    index = np.zeros(0 if rolls is None else len(rolls), np.int64)
    return {
        "afterstates": lambda: batch.afterstates(positions, rolls, rules=rules, **options),
        "all_rolls": lambda: batch.all_rolls(positions, rules=rules, **options),
        "counts": lambda: batch.counts(positions, rolls, rules=rules, **options),
        "counts of all rolls": lambda: batch.counts(positions, None, rules=rules, **options),
        "moves": lambda: batch.moves(positions, rolls, rules=rules, **options),
        "play": lambda: batch.play(positions, rolls, index, rules=rules, **options),
        "random_play": lambda: batch.random_play(positions, rolls, rules=rules, rng=np.random.default_rng(3), **options),
        "outcome": lambda: batch.outcome(positions, rules=rules, **options),
        "pack": lambda: batch.pack(positions, rules=rules, **options),
        "stuck": lambda: batch.stuck(positions, rules=rules, **options),
    }


def same(one: Any, two: Any) -> bool:
    """Whether two results hold the same, of the same dtypes."""
    if isinstance(one, np.ndarray):
        return one.dtype == two.dtype and one.shape == two.shape and bool((one == two).all())
    return type(one) is type(two) and all(same(value, vars(two)[name]) for name, value in vars(one).items())


FUNCTIONS = sorted(every_function(Batch(TABULA, [], np.empty((0, 2, 26), np.int8), np.empty((0, 3), np.uint8))))


# ----------------------------------------------------------------------------------------------------- a row is a single call


@given(batches())
def test_afterstates_of_a_row_are_those_of_the_single_call(b: Batch) -> None:
    found = batch.afterstates(b.positions, b.rolls, rules=b.rules)
    plays = b.plays()
    assert len(found) == len(plays)
    assert (found.positions.dtype, found.offsets.dtype, found.dice_used.dtype, found.rows.dtype) == (
        "int8",
        "int64",
        "uint8",
        "int64",
    )
    assert found.offsets.tolist() == [0, *np.cumsum([len(each) for each in plays]).tolist()]
    assert found.positions.shape == (found.offsets[-1], 2, 26)
    assert found.rows.tolist() == [row for row, each in enumerate(plays) for _ in each]
    for row, each in enumerate(plays):
        assert np.array_equal(found[row], each.positions)
        assert found.dice_used[row] == each.dice_used
        assert np.shares_memory(found[row], found.positions) or not len(each)


@given(batches())
@FEW
def test_counts_of_a_row_are_those_of_the_single_call(b: Batch) -> None:
    found = batch.counts(b.positions, b.rolls, rules=b.rules)
    assert found.dtype == np.int64
    assert found.tolist() == [len(each) for each in b.plays()]


@given(batches())
@FEW
def test_all_rolls_are_each_roll_of_each_position(b: Batch) -> None:
    every = dice.all_rolls(b.rules.dice)
    found = batch.all_rolls(b.positions, rules=b.rules)
    many = batch.counts(b.positions, None, rules=b.rules)
    assert (many.dtype, many.shape) == (np.dtype(np.int64), (len(b.singles), len(every)))
    assert np.array_equal(many.ravel(), np.diff(found.offsets))
    assert list(map(tuple, found.rolls.tolist())) == list(every)
    assert found.chances.tolist() == [float(chance) for chance in dice.chances(b.rules.dice).values()]
    assert found.weights.tolist() == found.chances.tolist() * len(b.singles)
    for row, (position, roll) in enumerate((position, roll) for position in b.singles for roll in every):
        assert np.array_equal(found[row], position.plays(roll).positions)
        assert found.dice_used[row] == position.plays(roll).dice_used


@given(batches())
def test_moves_of_a_row_are_those_that_the_plays_show(b: Batch) -> None:
    found = batch.moves(b.positions, b.rolls, rules=b.rules)
    assert (found.moves.dtype, found.moves.shape) == (np.dtype(np.uint8), (found.offsets[-1], 4, 2))
    for row, each in enumerate(b.plays()):
        shown = [[[move.source, move.die] for move in play.moves] for play in each]
        assert found[row].tolist() == [moves + [[255, 255]] * (4 - len(moves)) for moves in shown]


@given(batches(least=1), st.data())
@FEW
def test_play_is_the_play_of_that_number(b: Batch, data: st.DataObject) -> None:
    plays = b.plays()
    index = [data.draw(st.integers(0, max(0, len(each) - 1))) for each in plays]
    after = batch.play(b.positions, b.rolls, index, rules=b.rules)
    for row, each in enumerate(plays):
        expected = each.positions[index[row]] if len(each) else b.positions[row]
        assert np.array_equal(after[row], expected)


@given(batches(), st.integers(0, 2**32))
@FEW
def test_a_random_play_is_one_of_the_plays(b: Batch, seed: int) -> None:
    after = batch.random_play(b.positions, b.rolls, rules=b.rules, rng=np.random.default_rng(seed))
    for row, each in enumerate(b.plays()):
        choices = each.positions if len(each) else b.positions[row : row + 1]
        assert (choices == after[row]).all(axis=(1, 2)).any()


@given(batches())
@FEW
def test_stuck_says_what_each_position_says(b: Batch) -> None:
    ended = batch.stuck(b.positions, rules=b.rules)
    assert ended.dtype == np.bool_
    assert ended.tolist() == [position.stuck for position in b.singles]


@given(batches())
@FEW
def test_outcome_tells_who_has_won_what(b: Batch) -> None:
    points = batch.outcome(b.positions, rules=b.rules)
    assert points.dtype == np.int8
    for found, position in zip(points.tolist(), b.singles, strict=True):
        outcome = position.outcome
        assert found == (0 if outcome is None else outcome.points if outcome.winner == position.turn else -outcome.points)


@given(batches())
@FEW
def test_flip_turns_each_position_round(b: Batch) -> None:
    flipped = batch.swap_sides(b.positions)
    assert flipped.flags.c_contiguous
    assert flipped.flags.owndata
    for row, position in enumerate(b.singles):
        assert np.array_equal(flipped[row], position.swap_sides().to_array())
    assert np.array_equal(batch.swap_sides(flipped), b.positions)


@pytest.mark.parametrize("rules", PRESETS)
def test_start_is_the_position_at_the_start(rules: Rules) -> None:
    positions = batch.start(3, rules=rules)
    assert (positions.dtype, positions.shape) == (np.dtype(np.int8), (3, 2, 26))
    assert all(np.array_equal(each, Position(rules).to_array()) for each in positions)


def test_rolls_are_fair_and_come_from_the_generator() -> None:
    rolls = batch.roll(60_000, rng=np.random.default_rng(5), rules=TABULA)
    assert (rolls.dtype, rolls.shape) == (np.dtype(np.uint8), (60_000, 3))
    assert np.array_equal(rolls, batch.roll(60_000, rng=np.random.default_rng(5), rules=TABULA))
    assert not np.array_equal(rolls, np.sort(rolls))
    for die in rolls.T:
        # 10,000 of each face are expected; this is more than ten standard deviations.
        assert (np.abs(np.bincount(die, minlength=7)[1:] - 10_000) < 1000).all()


# ---------------------------------------------------------------------------------------------------------------- random play


def test_random_play_takes_each_play_as_often_as_another() -> None:
    n = 50_000
    positions, rolls = batch.start(n, rules=BACKGAMMON), np.full((n, 2), (3, 1), np.uint8)
    after = batch.random_play(positions, rolls, rules=BACKGAMMON, rng=np.random.default_rng(7))
    found = np.unique(batch.pack(after, rules=BACKGAMMON), return_counts=True)[1]
    assert len(found) == 16
    # 3,125 of each are expected; this is more than nine standard deviations.
    assert (np.abs(found - n / 16) < 500).all()


@pytest.mark.parametrize("n", [0, 1, 5000])
def test_random_play_draws_one_number(n: int) -> None:
    b = games(TABULA, n)
    one, two = np.random.default_rng(9), np.random.default_rng(9)
    batch.random_play(b.positions, b.rolls, rules=TABULA, rng=one)
    two.integers(0, 2**64, dtype=np.uint64)
    assert one.bit_generator.state == two.bit_generator.state


def test_random_play_depends_on_the_generator() -> None:
    b = games(BACKGAMMON, 300, plies=5)
    one, two = (batch.random_play(b.positions, b.rolls, rules=BACKGAMMON, rng=np.random.default_rng(seed)) for seed in (1, 2))
    assert not np.array_equal(one, two)


def test_nothing_is_drawn_where_the_input_is_refused() -> None:
    rng = np.random.default_rng(1)
    before = rng.bit_generator.state
    with pytest.raises(ValueError, match="rolls must have the shape"):
        batch.random_play(batch.start(2, rules=TABULA), np.ones((2, 2), np.uint8), rules=TABULA, rng=rng)
    assert rng.bit_generator.state == before


# ----------------------------------------------------------------------------------------------------------------------- keys


@given(batches())
@FEW
def test_a_key_unpacks_to_its_position(b: Batch) -> None:
    keys = batch.pack(b.positions, rules=b.rules)
    assert (keys.dtype, keys.shape) == (np.dtype("V32"), (len(b.singles),))
    for check in (True, False):
        assert np.array_equal(batch.unpack(keys, rules=b.rules, check=check), b.positions)


@given(batches())
@FEW
def test_keys_are_equal_exactly_when_positions_are(b: Batch) -> None:
    keys = batch.pack(b.positions, rules=b.rules).tolist()
    for key, position in zip(keys, b.positions, strict=True):
        for other_key, other in zip(keys, b.positions, strict=True):
            assert (key == other_key) == np.array_equal(position, other)


@given(batches(least=1))
@FEW
def test_the_bytes_of_a_key_are_as_documented(b: Batch) -> None:
    key = batch.pack(b.positions, rules=b.rules)[0].tobytes()
    for side, counts in enumerate(b.positions[0].tolist()):
        halves = [half for byte in key[16 * side : 16 * side + 16] for half in (byte & 15, byte >> 4)]
        assert halves == [*counts, *[0] * 6]


def test_keys_serve_as_those_of_a_dictionary_and_can_be_sorted() -> None:
    b = games(TABULA, 5000)
    keys = batch.pack(b.positions, rules=TABULA)
    unique, first, inverse, many = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    table: dict[bytes, int] = {}
    for key in keys.tolist():
        table[key] = table.get(key, 0) + 1
    assert table == dict(zip(unique.tolist(), many.tolist(), strict=True))
    assert np.array_equal(keys[first], unique)
    assert np.array_equal(batch.unpack(unique, rules=TABULA)[inverse.ravel()], b.positions)
    assert len(table) == len({position.tobytes() for position in b.positions})


def test_keys_go_through_a_file(tmp_path: Path) -> None:
    b = games(BACKGAMMON, 100)
    np.save(tmp_path / "keys.npy", batch.pack(b.positions, rules=BACKGAMMON))
    assert np.array_equal(batch.unpack(np.load(tmp_path / "keys.npy"), rules=BACKGAMMON), b.positions)


@given(batches(least=1), st.data())
def test_a_tampered_key_is_refused_or_another_position(b: Batch, data: st.DataObject) -> None:
    keys = batch.pack(b.positions, rules=b.rules)
    row = data.draw(st.integers(0, len(keys) - 1))
    tampered = keys.copy()
    tampered.view(np.uint8).reshape(len(keys), 32)[row, data.draw(st.integers(0, 31))] ^= 1 << data.draw(st.integers(0, 7))
    # One bit more or less is another number of checkers, or a bit that no key has.
    with pytest.raises(InvalidPositionError, match=f"^row {row}: "):
        batch.unpack(tampered, rules=b.rules)
    assert batch.unpack(tampered, rules=b.rules, check=False).shape == b.positions.shape


@given(hnp.arrays(np.uint8, (3, 32)))
def test_arbitrary_bytes_are_no_keys(bytes_: np.ndarray) -> None:
    keys = bytes_.view("V32").reshape(3)
    assert batch.unpack(keys, rules=TABULA, check=False).max() <= 15
    with pytest.raises(InvalidPositionError, match=r"^row \d: "):
        batch.unpack(keys, rules=TABULA)


@pytest.mark.parametrize("row", [0, 63, 64, 127, 128, PART - 1, PART, PART + 100])
def test_a_bad_key_is_named_wherever_it_stands(row: int) -> None:
    keys = batch.pack(batch.start(PART + 101, rules=TABULA), rules=TABULA)
    keys.view(np.uint8).reshape(-1, 32)[row, 15] = 1
    with pytest.raises(InvalidPositionError, match=f"^row {row}: the key has bits where a key of a position has none$"):
        batch.unpack(keys, rules=TABULA)


@pytest.mark.parametrize("keys", [None, [b"x" * 32], np.zeros(3, "V31"), np.zeros(3, "S32"), np.zeros((3, 32), np.uint8)])
def test_what_is_no_array_of_keys_is_refused(keys: Any) -> None:
    with pytest.raises(TypeError, match=r"^keys must be an array of dtype V32, not "):
        batch.unpack(keys, rules=TABULA)


def test_keys_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^keys must have the shape \(n,\), not \(2, 3\)$"):
        batch.unpack(np.zeros((2, 3), "V32"), rules=TABULA)


# ----------------------------------------------------------------------------------------------------------------- validation


def reason(array: np.ndarray, rules: Rules) -> str | None:
    try:
        Position.from_array(array, rules=rules)
    except InvalidPositionError as error:
        return str(error)
    return None


@st.composite
def damaged(draw: st.DrawFn) -> Batch:
    """A batch in which some checkers have been moved about or changed in number."""
    b = draw(batches(least=1))
    count = st.integers(-128, 127) | st.integers(-1, 16)
    place = st.tuples(st.integers(0, len(b.singles) - 1), st.integers(0, 1), st.integers(0, 25))
    for row, side, index in draw(st.lists(place, max_size=4)):
        if draw(st.booleans()):
            b.positions[row, side, index] = draw(count)
        else:
            b.positions[row, side] = np.roll(b.positions[row, side], draw(st.integers(1, 25)))
    return b


@given(damaged())
def test_validate_says_what_the_single_call_says(b: Batch) -> None:
    expected = [reason(each, b.rules) for each in b.positions]
    found = batch.validate(b.positions, rules=b.rules)
    assert found.legal.dtype == np.bool_
    assert found.legal.tolist() == [said is None for said in expected]
    assert found.reasons == {row: said for row, said in enumerate(expected) if said is not None}
    assert list(found.reasons) == sorted(found.reasons)


@given(damaged())
def test_every_function_names_the_first_bad_row(b: Batch) -> None:
    reasons = batch.validate(b.positions, rules=b.rules).reasons
    for call in every_function(b._replace(positions=b.positions)).values():
        if reasons:
            row = min(reasons)
            with pytest.raises(InvalidPositionError) as error:
                call()
            assert str(error.value) == f"row {row}: {reasons[row]}"
        else:
            call()


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_first_bad_row_is_named_whatever_the_number_of_threads(name: str, threads: int) -> None:
    b = Batch(BACKGAMMON, [], batch.start(3 * PART, rules=BACKGAMMON), np.full((3 * PART, 2), 3, np.uint8))
    b.positions[[PART + 7, 3 * PART - 1, PART + 9], 1, 25] = 1
    with pytest.raises(InvalidPositionError, match=rf"^row {PART + 7}: other has 16 checkers in all"):
        every_function(b, threads=threads)[name]()


@pytest.mark.parametrize("die", [0, 7, 255])
@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("name", ["afterstates", "counts", "moves", "play", "random_play"])
def test_a_bad_die_is_refused_with_its_row(name: str, check: bool, die: int) -> None:
    b = games(TABULA, 10, plies=3)
    b.rolls[4, 1] = die
    with pytest.raises(ValueError, match=rf"^row 4: a die must be 1\.\.6, not {die}: "):
        every_function(b, check=check)[name]()


@pytest.mark.parametrize("index", [-1, 16, 2**62, -(2**63), 2**63, 2**64 - 1])
def test_a_play_that_is_not_there_is_refused(index: int) -> None:
    rolls = np.full((2, 2), (3, 1), np.uint8)
    chosen = np.array([0, index], np.int64 if index < 2**63 else np.uint64)
    with pytest.raises(IndexError, match=rf"^row 1: index {index} is out of range for 16 plays$"):
        batch.play(batch.start(2, rules=BACKGAMMON), rolls, chosen, rules=BACKGAMMON)


def test_the_index_of_an_unchecked_row_is_refused_all_the_same() -> None:
    positions = batch.start(1, rules=BACKGAMMON)
    positions[0, 0] = np.roll(positions[0, 0], 4)
    with pytest.raises(IndexError, match=r"^row 0: index 4000 is out of range for \d+ plays$"):
        batch.play(positions, np.uint8([[3, 1]]), [4000], rules=BACKGAMMON, check=False)


@pytest.mark.parametrize("index", [[0.0, 1.0], [True, False], ["0", "1"], [None, 0]])
def test_an_index_that_is_no_integer_is_refused(index: Any) -> None:
    with pytest.raises(TypeError, match=r"^index must be integers, not "):
        batch.play(batch.start(2, rules=TABULA), np.ones((2, 3), np.uint8), index, rules=TABULA)


@pytest.mark.parametrize("dtype", ["u1", "i2", ">i4", ">u8", "<i8"])
def test_an_index_of_any_integers_serves(dtype: str) -> None:
    rolls = np.full((2, 2), (3, 1), np.uint8)
    after = batch.play(batch.start(2, rules=BACKGAMMON), rolls, np.array([15, 2], dtype), rules=BACKGAMMON)
    plays = Position(BACKGAMMON).plays("31").positions
    assert np.array_equal(after, plays[[15, 2]])


def test_an_index_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^index must have the shape \(2,\), one for each position, not \(1,\)$"):
        batch.play(batch.start(2, rules=TABULA), np.ones((2, 3), np.uint8), [0], rules=TABULA)


WRONG_POSITIONS = [
    (None, TypeError, "positions must be an int8 array, not NoneType"),
    ([[[0] * 26] * 2], TypeError, "positions must be an int8 array, not list"),
    (np.zeros((1, 2, 26)), TypeError, "positions must be an int8 array, not an array of float64"),
    (np.zeros((1, 2, 26), np.uint8), TypeError, "positions must be an int8 array, not an array of uint8"),
    (np.zeros((2, 26), np.int8), ValueError, r"positions must have the shape \(n, 2, 26\), not \(2, 26\)"),
    (np.zeros((1, 2, 25), np.int8), ValueError, r"positions must have the shape \(n, 2, 26\), not \(1, 2, 25\)"),
    (np.zeros((1, 26, 2), np.int8), ValueError, r"positions must have the shape \(n, 2, 26\), not \(1, 26, 2\)"),
]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(("positions", "error", "said"), WRONG_POSITIONS)
def test_arrays_of_another_kind_are_refused(name: str, positions: Any, error: type[Exception], said: str) -> None:
    b = Batch(TABULA, [], batch.start(1, rules=TABULA), np.ones((1, 3), np.uint8))
    with pytest.raises(error, match=f"^{said}$"):
        every_function(b._replace(positions=positions))[name]()


@pytest.mark.parametrize(
    ("rolls", "error", "said"),
    [
        ([[1, 2, 3]], TypeError, "rolls must be a uint8 array, not list"),
        (np.ones((1, 3), np.int64), TypeError, "rolls must be a uint8 array, not an array of int64"),
        (np.ones((1, 2), np.uint8), ValueError, r"rolls must have the shape \(1, 3\), dice for each position, not \(1, 2\)"),
        (np.ones((2, 3), np.uint8), ValueError, r"rolls must have the shape \(1, 3\), dice for each position, not \(2, 3\)"),
        (np.ones(3, np.uint8), ValueError, r"rolls must have the shape \(1, 3\), dice for each position, not \(3,\)"),
    ],
)
@pytest.mark.parametrize("name", ["afterstates", "counts", "moves", "play", "random_play"])
def test_rolls_of_another_kind_are_refused(name: str, rolls: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=f"^{said}$"):
        every_function(Batch(TABULA, [], batch.start(1, rules=TABULA), rolls))[name]()


@pytest.mark.parametrize("name", ["afterstates", "moves", "play", "random_play"])
def test_rolls_are_needed(name: str) -> None:
    with pytest.raises(TypeError, match=r"^rolls must be a uint8 array, not NoneType$"):
        every_function(Batch(TABULA, [], batch.start(1, rules=TABULA), None))[name]()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_other_values_are_refused(name: str) -> None:
    b = games(TABULA, 2, plies=1)
    with pytest.raises(TypeError, match=r"^rules must be a Rules, not 'tabula'$"):
        every_function(b._replace(rules="tabula"))[name]()
    with pytest.raises(ValueError, match=r"^threads must be 1 or more, not 0$"):
        every_function(b, threads=0)[name]()
    with pytest.raises(TypeError, match=r"threads"):
        every_function(b, threads=1.0)[name]()


def test_other_values_are_refused_where_there_are_no_positions() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match=r"^n must be 0 or more, not -1$"):
        batch.start(-1, rules=TABULA)
    with pytest.raises(ValueError, match=r"^n must be 0 or more, not -1$"):
        batch.roll(-1, rng=rng, rules=TABULA)
    with pytest.raises(TypeError, match=r"^n must be"):
        batch.roll(1.5, rng=rng, rules=TABULA)
    with pytest.raises(TypeError, match=r"^rng must be a numpy\.random\.Generator, not 1$"):
        batch.roll(1, rng=1, rules=TABULA)
    with pytest.raises(TypeError, match=r"^rng must be a numpy\.random\.Generator, not None$"):
        batch.random_play(batch.start(1, rules=TABULA), np.ones((1, 3), np.uint8), rules=TABULA, rng=None)
    for call in (partial(batch.start, 1), partial(batch.roll, 1, rng=rng)):
        with pytest.raises(TypeError, match=r"^rules must be a Rules, not None$"):
            call(rules=None)
    with pytest.raises(TypeError, match=r"^positions must be an int8 array, not NoneType$"):
        batch.swap_sides(None)


# -------------------------------------------------------------------------------------------------- threads, parts and memory


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("n", [PART - 1, PART, PART + 1, 2 * PART + 17])
def test_results_do_not_depend_on_threads_or_parts(rules: Rules, n: int) -> None:
    b = games(rules, n, plies=12)
    alone = {name: call() for name, call in every_function(b).items() if name != "all_rolls"}
    for threads in THREADS[1:]:
        for name, call in every_function(b, threads=threads).items():
            if name != "all_rolls":
                assert same(alone[name], call()), name
    # What is far behind a boundary is what a call of its own says.
    tail = Batch(rules, [], b.positions[-5:], b.rolls[-5:])
    for name in ("counts", "outcome"):
        assert np.array_equal(alone[name][-5:], every_function(tail)[name]())
    last = alone["afterstates"]
    assert np.array_equal(last.positions[last.offsets[-6] :], every_function(tail)["afterstates"]().positions)


def test_all_rolls_do_not_depend_on_threads_or_parts() -> None:
    # 80 positions of 56 rolls are more than one part, and a boundary lies within a position.
    b = games(TABULA, 80)
    alone = batch.all_rolls(b.positions, rules=TABULA)
    assert len(alone) > PART
    for threads in THREADS[1:]:
        assert same(alone, batch.all_rolls(b.positions, rules=TABULA, threads=threads))
    later = batch.all_rolls(b.positions[70:], rules=TABULA)
    assert np.array_equal(alone.positions[alone.offsets[70 * 56] :], later.positions)


def layouts(array: np.ndarray) -> dict[str, np.ndarray]:
    """The same values in arrays that lie otherwise in memory."""
    wide = np.full((*(2 * length + 1 for length in array.shape),), 99, array.dtype)
    strided = wide[tuple(slice(1, None, 2) for _ in array.shape)]
    strided[...] = array
    fixed = array.copy()
    fixed.flags.writeable = False
    unaligned = np.zeros(array.nbytes + 1, array.dtype)[1:].reshape(array.shape)
    unaligned[...] = array
    return {
        "read-only": fixed,
        "strided": strided,
        "Fortran": np.asfortranarray(array),
        "transposed": np.ascontiguousarray(array.T).T,
        "backwards": np.ascontiguousarray(array[::-1])[::-1],
        "backwards in every axis": np.flip(np.ascontiguousarray(np.flip(array))),
        "unaligned": unaligned,
        "frombuffer": np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape),
        "rows apart": np.repeat(array, 2, axis=0)[::2],
    }


LAYOUTS = sorted(layouts(np.zeros((1, 2, 26), np.int8)))


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_inputs_may_lie_in_memory_as_they_like(layout: str, rules: Rules) -> None:
    b = games(rules, 50)
    other = Batch(rules, [], layouts(b.positions)[layout], layouts(b.rolls)[layout])
    before = other.positions.copy(), other.rolls.copy()
    plain, found = every_function(b), every_function(other)
    for name in FUNCTIONS:
        assert same(plain[name](), found[name]()), name
    assert batch.validate(other.positions, rules=rules).legal.all()
    assert np.array_equal(batch.swap_sides(other.positions), batch.swap_sides(b.positions))
    keys = batch.pack(b.positions, rules=rules)
    strided = np.repeat(keys, 2)[::2]
    assert np.array_equal(batch.unpack(strided[::-1], rules=rules), b.positions[::-1])
    index = np.zeros(100, np.int32)[::2]
    assert np.array_equal(batch.play(other.positions, other.rolls, index, rules=rules), plain["play"]())
    assert np.array_equal(before[0], other.positions)
    assert np.array_equal(before[1], other.rolls)


def test_one_position_may_stand_for_many() -> None:
    positions = np.broadcast_to(Position(BACKGAMMON).to_array(), (5, 2, 26))
    rolls = np.broadcast_to(np.uint8([3, 1]), (5, 2))
    assert batch.counts(positions, rolls, rules=BACKGAMMON).tolist() == [16] * 5


@pytest.mark.parametrize("rules", PRESETS)
def test_empty_input_gives_empty_output(rules: Rules) -> None:
    b = Batch(rules, [], np.empty((0, 2, 26), np.int8), np.empty((0, rules.dice), np.uint8))
    rolls = len(dice.all_rolls(rules.dice))
    for threads in THREADS:
        calls = every_function(b, threads=threads)
        for name in ("afterstates", "all_rolls"):
            found = calls[name]()
            assert (len(found), found.positions.shape, found.offsets.tolist(), found.dice_used.shape) == (0, (0, 2, 26), [0], (0,))
            assert (found.rows.shape, found.best([]).shape, list(found)) == ((0,), (0,), [])
        assert calls["all_rolls"]().weights.shape == (0,)
        assert calls["counts"]().shape == (0,)
        assert calls["counts of all rolls"]().shape == (0, rolls)
        assert (calls["moves"]().moves.shape, len(calls["moves"]())) == ((0, 4, 2), 0)
        assert calls["play"]().shape == calls["random_play"]().shape == (0, 2, 26)
        assert (calls["outcome"]().shape, calls["outcome"]().dtype) == ((0,), np.int8)
        assert (calls["pack"]().shape, calls["pack"]().dtype) == ((0,), np.dtype("V32"))
    assert batch.play(b.positions, b.rolls, [], rules=rules).shape == (0, 2, 26)
    assert batch.unpack(np.empty(0, "V32"), rules=rules).shape == (0, 2, 26)
    assert batch.start(0, rules=rules).shape == batch.swap_sides(b.positions).shape == (0, 2, 26)
    assert batch.roll(0, rng=np.random.default_rng(1), rules=rules).shape == (0, rules.dice)
    found = batch.validate(b.positions, rules=rules)
    assert (found.legal.shape, found.reasons) == ((0,), {})


@pytest.mark.parametrize("rules", PRESETS)
def test_finished_games_have_no_plays_and_are_left_alone(rules: Rules) -> None:
    over = finished(rules)
    b = arrays(rules, [over, Position(rules), over.swap_sides()], [(1,) * rules.dice] * 3)
    assert len(batch.afterstates(b.positions, b.rolls, rules=rules)[0]) == 0
    found = batch.afterstates(b.positions[[0, 2]], b.rolls[:2], rules=rules)
    assert (found.offsets.tolist(), found.dice_used.tolist(), found.positions.shape) == ([0, 0, 0], [0, 0], (0, 2, 26))
    assert found.best([]).tolist() == [-1, -1]
    assert batch.moves(b.positions[[0, 2]], b.rolls[:2], rules=rules).moves.shape == (0, 4, 2)
    assert (batch.counts(b.positions, None, rules=rules)[[0, 2]] == 0).all()
    points = rules.highest_win
    assert batch.outcome(b.positions, rules=rules).tolist() == [-points, 0, points]
    after = batch.play(b.positions, b.rolls, [-5, 0, 99], rules=rules)
    assert np.array_equal(after[[0, 2]], b.positions[[0, 2]])
    after = batch.random_play(b.positions, b.rolls, rules=rules, rng=np.random.default_rng(1))
    assert np.array_equal(after[[0, 2]], b.positions[[0, 2]])
    assert not np.array_equal(after[1], b.positions[1])


# ------------------------------------------------------------------------------------------------------------------------ out


@pytest.mark.parametrize("room", [0, 1, 1000])
@pytest.mark.parametrize("threads", THREADS)
def test_out_is_a_capacity(room: int, threads: int) -> None:
    b = games(BACKGAMMON, 500, plies=5)
    for name, function in (
        ("afterstates", partial(batch.afterstates, b.positions, b.rolls)),
        ("all_rolls", partial(batch.all_rolls, b.positions)),
    ):
        fresh = function(rules=BACKGAMMON)
        m = len(fresh.positions)
        out = np.full((m + room, 2, 26), 77, np.int8)
        found = function(rules=BACKGAMMON, threads=threads, out=out)
        assert same(found, fresh), name
        assert found.positions.ctypes.data == out.ctypes.data
        assert (out[m:] == 77).all()


def test_more_plays_than_the_first_rows_let_guess_are_given_room() -> None:
    """The start has 4 plays of 6-5-2, and what comes later has many more; and the other way round."""
    few = batch.start(2 * PART, rules=TABULA)
    many = games(TABULA, 2 * PART, plies=40)
    for positions, rolls in (
        (np.concatenate([few, many.positions]), np.concatenate([np.tile(np.uint8([6, 5, 2]), (len(few), 1)), many.rolls])),
        (np.concatenate([many.positions, few]), np.concatenate([many.rolls, np.tile(np.uint8([6, 5, 2]), (len(few), 1))])),
        (np.tile(few[:1], (PART, 1, 1)), np.tile(np.uint8([6, 5, 2]), (PART, 1))),
    ):
        alone, together = (batch.afterstates(positions, rolls, rules=TABULA, threads=threads) for threads in (1, 2))
        assert same(alone, together)
        assert alone.positions.flags.owndata
        assert alone.positions.nbytes == 52 * alone.offsets[-1]


def test_too_small_an_out_is_refused_with_the_size_that_is_needed() -> None:
    b = games(BACKGAMMON, 100, plies=5)
    m = int(batch.counts(b.positions, b.rolls, rules=BACKGAMMON).sum())
    out = np.full((m - 1, 2, 26), 77, np.int8)
    with pytest.raises(ValueError, match=rf"^out has room for {m - 1} positions, and {m} are needed$"):
        batch.afterstates(b.positions, b.rolls, rules=BACKGAMMON, out=out)
    every = int(batch.counts(b.positions, None, rules=BACKGAMMON).sum())
    with pytest.raises(ValueError, match=rf"^out has room for {m - 1} positions, and {every} are needed$"):
        batch.all_rolls(b.positions, rules=BACKGAMMON, out=out)


def fixed(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("out", "error", "said"),
    [
        ([[[0] * 26] * 2] * 50, TypeError, "out must be an int8 array, not list"),
        (np.zeros((50, 2, 26), np.uint8), TypeError, "out must be an int8 array, not an array of uint8"),
        (np.zeros((50, 2, 26), np.int64), TypeError, "out must be an int8 array, not an array of int64"),
        (np.zeros((50, 52), np.int8), ValueError, r"out must have the shape \(capacity, 2, 26\), not \(50, 52\)"),
        (np.zeros((50, 2, 32), np.int8), ValueError, r"out must have the shape \(capacity, 2, 26\), not \(50, 2, 32\)"),
        (np.zeros((50, 2, 32), np.int8)[:, :, :26], ValueError, "out must be C-contiguous and writable"),
        (np.zeros((99, 2, 26), np.int8)[::2], ValueError, "out must be C-contiguous and writable"),
        (np.zeros((50, 2, 26), np.int8)[::-1], ValueError, "out must be C-contiguous and writable"),
        (np.zeros((50, 2, 26), np.int8, order="F"), ValueError, "out must be C-contiguous and writable"),
        (fixed(np.zeros((50, 2, 26), np.int8)), ValueError, "out must be C-contiguous and writable"),
    ],
)
def test_an_out_of_another_kind_is_refused(out: Any, error: type[Exception], said: str) -> None:
    positions, rolls = batch.start(2, rules=TABULA), np.ones((2, 3), np.uint8)
    with pytest.raises(error, match=f"^{said}$"):
        batch.afterstates(positions, rolls, rules=TABULA, out=out)
    with pytest.raises(error, match=f"^{said}$"):
        batch.all_rolls(positions, rules=TABULA, out=out)


def test_an_out_that_overlaps_an_input_is_refused() -> None:
    memory = np.zeros(100 * 52, np.int8)
    out = memory.reshape(100, 2, 26)
    out[-2:] = batch.start(2, rules=TABULA)
    rolls = np.ones((2, 3), np.uint8)
    with pytest.raises(ValueError, match=r"^out shares memory with an input$"):
        batch.afterstates(out[-2:], rolls, rules=TABULA, out=out)
    memory[:6] = 1
    with pytest.raises(ValueError, match=r"^out shares memory with an input$"):
        batch.afterstates(batch.start(2, rules=TABULA), memory[:6].view(np.uint8).reshape(2, 3), rules=TABULA, out=out)
    assert batch.afterstates(out[-2:], rolls, rules=TABULA, out=out[:-2]).offsets[-1] == 6


# ------------------------------------------------------------------------------------------------------------ results as values


def test_rows_of_a_result_are_taken_as_those_of_a_sequence() -> None:
    b = games(BACKGAMMON, 4, plies=3)
    for found in (batch.afterstates(b.positions, b.rolls, rules=BACKGAMMON), batch.moves(b.positions, b.rolls, rules=BACKGAMMON)):
        assert np.array_equal(found[-1], found[3])
        assert np.array_equal(found[np.int64(2)], found[2])
        assert [len(row) for row in found] == np.diff(found.offsets).tolist()
        assert found.rows.tolist() == [row for row in range(4) for _ in found[row]]
        for row in (4, -5):
            with pytest.raises(IndexError, match=rf"^row {row} is out of range for 4 rows$"):
                found[row]
        with pytest.raises(TypeError):
            found[1:]
        with pytest.raises(AttributeError):
            found.offsets = None


def test_results_are_shown_shortly_and_can_be_pickled_and_copied() -> None:
    positions, rolls = batch.start(2, rules=TABULA), np.uint8([[6, 5, 2], [1, 1, 1]])
    results = {
        "<Ragged: 7 plays in 2 rows>": batch.afterstates(positions, rolls, rules=TABULA),
        "<AllRolls: 444 plays in 112 rows>": batch.all_rolls(positions, rules=TABULA),
        "<Moves: 7 plays in 2 rows>": batch.moves(positions, rolls, rules=TABULA),
    }
    for shown, found in results.items():
        assert repr(found) == shown
        for again in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
            assert same(again, found)
            assert again is not found


def test_best_takes_the_highest_score_and_the_first_of_equal_ones() -> None:
    positions = np.concatenate([batch.start(2, rules=TABULA), finished(TABULA).to_array()[None], batch.start(1, rules=TABULA)])
    rolls = np.uint8([[6, 5, 2], [1, 1, 1], [1, 2, 3], [6, 5, 2]])
    found = batch.afterstates(positions, rolls, rules=TABULA)
    assert np.diff(found.offsets).tolist() == [4, 3, 0, 4]
    index = found.best([1, 5, 5, 2, -3, -2, -2, -np.inf, -np.inf, -np.inf, -np.inf])
    assert (index.dtype, index.tolist()) == (np.dtype(np.int64), [1, 1, -1, 0])
    assert found.best(np.full(11, np.inf, np.float32)).tolist() == [0, 0, -1, 0]
    assert found.best(np.array([0, -0.0, 0, 0] + [0] * 7)).tolist() == [0, 0, -1, 0]
    assert found.best(np.repeat(np.arange(11) % 4 == 3, 2)[::2]).tolist() == [3, 0, -1, 0]
    assert found.best(np.arange(22, dtype=">i4")[::2]).tolist() == [3, 2, -1, 3]


@given(batches(), st.data())
@FEW
def test_best_is_argmax_row_by_row(b: Batch, data: st.DataObject) -> None:
    found = batch.afterstates(b.positions, b.rolls, rules=b.rules)
    scores = data.draw(hnp.arrays(np.float64, len(found.positions), elements=st.sampled_from([-np.inf, -1.0, 0.0, 2.5, np.inf])))
    parts = np.split(scores, found.offsets[1:-1]) if len(found) else []
    assert found.best(scores).tolist() == [int(part.argmax()) if len(part) else -1 for part in parts]


def test_scores_of_another_kind_are_refused() -> None:
    found = batch.afterstates(batch.start(2, rules=TABULA), np.uint8([[6, 5, 2], [1, 1, 1]]), rules=TABULA)
    for scores in (np.zeros(6), np.zeros(8), np.zeros((7, 1)), 0.0, [[0.0] * 7]):
        with pytest.raises(ValueError, match=r"^scores must have the shape \(7,\), one for each afterstate, not \("):
            found.best(scores)
    for scores in (np.zeros(7, complex), ["1"] * 7, [None] * 7):
        with pytest.raises(TypeError, match=r"^scores must be real numbers, not "):
            found.best(scores)
    scores = np.zeros(7)
    scores[5] = np.nan
    with pytest.raises(ValueError, match=r"^row 1: a score is NaN$"):
        found.best(scores)


@given(hnp.arrays(np.int64, st.integers(1, 5), elements=st.integers(-(2**63), 2**63 - 1) | st.integers(-1, 9)))
def test_offsets_that_somebody_made_up_spoil_nothing(offsets: np.ndarray) -> None:
    made_up = batch.Ragged(np.zeros((7, 2, 26), np.int8), offsets, np.zeros(len(offsets) - 1, np.uint8))
    inside = bool((offsets[:-1] >= 0).all() and (offsets[1:] <= 7).all())
    if inside:
        assert len(made_up.best(np.zeros(7))) == len(offsets) - 1
    else:
        with pytest.raises(ValueError, match=r"^row \d: "):
            made_up.best(np.zeros(7))


# ------------------------------------------------------------------------------------------------------- nothing spoils memory


@st.composite
def nonsense(draw: st.DrawFn) -> Batch:
    """Any counts; or counts that add up, in places that no rules allow."""
    rules = draw(strategies.rules())
    n = draw(st.integers(1, 4))
    if draw(st.integers(0, 3)) == 0:
        positions = draw(hnp.arrays(np.int8, (n, 2, 26)))
    else:
        positions = np.zeros((n, 2, 26), np.int8)
        few = draw(st.integers(1, 26))
        for side in positions.reshape(2 * n, 26):
            places = draw(st.lists(st.integers(0, few - 1), min_size=rules.checkers, max_size=rules.checkers))
            np.add.at(side, places, 1)
        if draw(st.booleans()):
            positions = positions[:, :, ::-1].copy()
    rolls = draw(hnp.arrays(np.uint8, (n, rules.dice), elements=st.integers(1, 6)))
    return Batch(rules, [], positions, rolls)


@given(nonsense())
@settings(max_examples=300)
def test_unchecked_positions_spoil_nothing(b: Batch) -> None:
    adds_up = bool(((b.positions >= 0).all(axis=2) & (b.positions.sum(axis=2, dtype=int) == b.rules.checkers)).all())
    for name, call in every_function(b, check=False, threads=2).items():
        if adds_up:
            found = call()
            if name == "afterstates":
                assert (found.positions.sum(axis=2, dtype=int) == b.rules.checkers).all()
        else:
            with pytest.raises(InvalidPositionError, match=r"^row \d: (mover|other) has "):
                call()


def test_unchecked_moves_of_a_point_over_the_limit_are_given_though_listing_and_counting_differ() -> None:
    rules = dataclasses.replace(BACKGAMMON, stack_limit=2, setup=(15, *[0] * 25), home_start=13)
    over = np.zeros((1, 2, 26), np.int8)
    over[0, 0, 1:3] = 12, 3
    over[0, 1, 0] = 15
    rolls = np.array([[1, 1]], np.uint8)
    counted = batch.counts(over, rolls, rules=rules, check=False)[0]
    assert len(batch.moves(over, rolls, rules=rules, check=False)[0]) == counted
    with pytest.raises(InvalidPositionError, match="row 0: mover has 12 checkers on"):
        batch.moves(over, rolls, rules=rules)


@given(nonsense())
@FEW
def test_unchecked_legal_positions_give_what_checked_ones_give(b: Batch) -> None:
    legal = batch.validate(b.positions, rules=b.rules).legal
    b = b._replace(positions=b.positions[legal], rolls=b.rolls[legal])
    checked, unchecked = every_function(b), every_function(b, check=False)
    for name in FUNCTIONS:
        assert same(checked[name](), unchecked[name]()), name


@pytest.mark.parametrize("name", [*FUNCTIONS, "validate"])
def test_arrays_that_are_written_to_meanwhile_spoil_nothing(name: str) -> None:
    b = games(BACKGAMMON, 3000 if name in ("all_rolls", "counts of all rolls") else 20_000, plies=10)
    original = b.positions.copy(), b.rolls.copy()
    rng = np.random.default_rng(1)
    over = threading.Event()

    def write() -> None:
        while not over.is_set():
            b.positions[...] = rng.integers(-128, 128, dtype=np.int8)
            b.rolls[...] = 255
            b.positions[...], b.rolls[...] = original
            b.positions[...] = b.positions[::-1].copy()
            b.rolls[...] = 6

    calls = {**every_function(b, threads=2), "validate": lambda: batch.validate(b.positions[:2000], rules=b.rules)}
    writer = threading.Thread(target=write)
    writer.start()
    said = set()
    try:
        for _ in range(6):
            try:
                calls[name]()
            except (ValueError, IndexError, RuntimeError) as error:
                said.add(str(error))
    finally:
        over.set()
        writer.join()
    assert all(sentence.startswith("row ") for sentence in said)


def test_another_shape_given_meanwhile_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 2 * PART
    b = games(BACKGAMMON, n, plies=2)
    expected = batch.counts(b.positions, b.rolls, rules=BACKGAMMON)
    kernel = _batch.counts

    def reshaping(*args: Any) -> int:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            b.positions.shape = (26, 2, n)
        return kernel(*args)

    monkeypatch.setattr(_batch, "counts", reshaping)
    assert np.array_equal(batch.counts(b.positions, b.rolls, rules=BACKGAMMON), expected)


@pytest.mark.parametrize("first_stop", [(-1, 1), (0, 3), (2, 1), (0, 2**62)])
def test_a_kernel_refuses_rows_that_are_not_there(first_stop: tuple[int, int]) -> None:
    positions, rolls = batch.start(2, rules=TABULA), np.ones((2, 3), np.uint8)
    turns = _batch.Input(TABULA, positions, rolls)
    room = np.empty((9, 2, 26), np.int8)
    words = np.empty((9, 4), np.uint64)
    offsets = np.array([0, 3, 6, 6, 6], np.int64)
    kernels: dict[str, tuple[Any, ...]] = {
        "validate": (np.empty(9, np.uint8),),
        "pack": (words,),
        "unpack": (words, room),
        "counts": (offsets,),
        "list_plays": (_batch.Block(9, 4080),),
        "moves": (offsets, np.empty((9, 4, 2), np.uint8)),
        "play": (None, 1, room),
        "outcome": (np.empty(9, np.int8),),
        "stuck": (np.empty(9, np.uint8),),
    }
    for name, arrays_ in kernels.items():
        with pytest.raises(IndexError, match=r"^rows "):
            getattr(_batch, name)(turns, *first_stop, *arrays_)
        if name in ("counts", "list_plays", "moves", "play"):
            with pytest.raises(ValueError, match=r"^there are no rolls$"):
                getattr(_batch, name)(_batch.Input(TABULA, positions), 0, 2, *arrays_)


def test_offsets_that_do_not_fit_keep_a_kernel_from_writing() -> None:
    turns = _batch.Input(TABULA, batch.start(2, rules=TABULA), np.ones((2, 3), np.uint8))
    for offsets in ([0, 3, 5], [0, 3, 7], [-3, 0, 3], [4, 7, 10], [2**62, 2**62 + 3, 2**62 + 6], [2**63 - 1, -(2**63) + 2, 0]):
        made = np.full((6, 4, 2), 77, np.uint8)
        given = np.array(offsets, np.int64)
        bad = 1 if offsets[:2] == [0, 3] else 0
        assert _batch.moves(turns, 0, 2, given, made) == bad
        assert (made[3 * bad :] == 77).all()


@pytest.mark.parametrize("at", [-1, -(2**63), 4, 6, 2**62, 2**63 - 1])
def test_a_place_that_is_not_there_keeps_plays_from_being_written(at: int) -> None:
    rows = _batch.Input(TABULA, batch.start(1, rules=TABULA), np.ones((1, 3), np.uint8))
    block, room = _batch.Block(1, 4080), np.full((6, 2, 26), 77, np.int8)
    offsets, used = np.zeros(2, np.int64), np.zeros(1, np.uint8)
    assert (_batch.list_plays(rows, 0, 1, block), block.plays) == (1, 3)
    with pytest.raises(IndexError, match=rf"^3 positions from {at} on, with room for 6$"):
        _batch.write(block, at, room, offsets, used)
    assert (room == 77).all()
    _batch.write(block, 3, room, offsets, used)
    assert (room[:3] == 77).all()
    assert np.array_equal(room[3:], Position().plays("111").positions)
    assert (offsets.tolist(), used.tolist()) == ([0, 6], [3])


@pytest.mark.parametrize(("offsets", "used"), [(0, 9), (2, 9), (9, 1), (9, 0)])
def test_rows_that_are_not_there_keep_plays_from_being_written(offsets: int, used: int) -> None:
    rows = _batch.Input(TABULA, batch.start(2, rules=TABULA), np.ones((2, 3), np.uint8))
    block, room = _batch.Block(2, 2 * 4080), np.full((6, 2, 26), 77, np.int8)
    assert _batch.list_plays(rows, 0, 2, block) == 2
    with pytest.raises(IndexError, match=rf"^rows up to 2, with room for {min(offsets - 1, used)}$"):
        _batch.write(block, 0, room, np.zeros(offsets, np.int64), np.zeros(used, np.uint8))
    assert (room == 77).all()


def test_rows_are_listed_as_long_as_there_is_room() -> None:
    rows = _batch.Input(TABULA, batch.start(9, rules=TABULA), np.ones((9, 3), np.uint8))
    for size, first, reached, plays in (((4, 1 << 16), 0, 4, 12), ((9, 4080), 2, 3, 3), ((9, 4080 + 6), 2, 5, 9)):
        block = _batch.Block(*size)
        assert (_batch.list_plays(rows, first, 9, block), block.plays) == (reached, plays)
    for most_rows, most_plays in ((0, 4080), (-1, 4080), (1, 4079), (2**40, 4080), (1, 2**40)):
        with pytest.raises(ValueError, match=r"^there must be a row or more and room for 4080 plays"):
            _batch.Block(most_rows, most_plays)


# ------------------------------------------------------------------------------------------- interruptions, processes, memory


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, ZeroDivisionError])
def test_what_is_raised_in_the_middle_is_raised(monkeypatch: pytest.MonkeyPatch, error: type[BaseException], threads: int) -> None:
    b = games(BACKGAMMON, 5 * PART, plies=1)
    kernel, running = _batch.list_plays, threading.active_count()
    out = np.full((30 * len(b.positions), 2, 26), 77, np.int8)

    def failing(turns: Any, first: int, *rest: Any) -> Any:
        if first >= 2 * PART:
            raise error
        return kernel(turns, first, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(_batch, "list_plays", failing)
        with pytest.raises(error):
            batch.afterstates(b.positions, b.rolls, rules=BACKGAMMON, threads=threads, out=out)
    assert threading.active_count() == running
    again = batch.afterstates(b.positions, b.rolls, rules=BACKGAMMON, threads=threads, out=out)
    assert same(again, batch.afterstates(b.positions, b.rolls, rules=BACKGAMMON))


@pytest.mark.parametrize("threads", THREADS)
def test_an_error_in_writing_ends_the_threads_that_wait_for_it(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """The third block has more plays than there is room for, so that its thread waits for the one that writes the second."""
    narrow, wide = batch.start(2 * BLOCK_ROWS, rules=TABULA), games(TABULA, 2 * BLOCK_ROWS, plies=40)
    positions = np.concatenate([narrow, wide.positions])
    rolls = np.concatenate([np.tile(np.uint8([6, 5, 2]), (len(narrow), 1)), wide.rolls])
    write, calls = _batch.write, []

    def failing(*args: Any) -> None:
        calls.append(args)
        if len(calls) == 2:
            time.sleep(0.2)
            raise ZeroDivisionError
        write(*args)

    monkeypatch.setattr(_batch, "write", failing)
    with pytest.raises(ZeroDivisionError):
        batch.afterstates(positions, rolls, rules=TABULA, threads=threads)


def alone(program: str, *argv: object) -> str:
    """What a program prints in a process of its own."""
    path = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", textwrap.dedent(program), *map(str, argv)]
    run = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C there")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("name", "kernel_name"), [("counts", "counts"), ("afterstates", "list_plays")])
def test_ctrl_c_is_heard_in_the_middle(name: str, kernel_name: str, threads: int) -> None:
    program = """
        import os, signal, sys, threading
        import numpy as np
        from tabula import BACKGAMMON, batch
        from tabula._native import batch as _batch

        name, kernel_name, threads, n = *sys.argv[1:3], int(sys.argv[3]), 400_000
        function = getattr(batch, name)
        positions, rolls = batch.start(n, rules=BACKGAMMON), np.full((n, 2), (6, 5), np.uint8)

        def plays(threads):
            found = function(positions, rolls, rules=BACKGAMMON, threads=threads)
            return found if name == "counts" else np.diff(found.offsets)

        whole = plays(1)
        kernel, parts, sent = getattr(_batch, kernel_name), [], threading.Event()

        def interrupted(turns, first, *rest):
            parts.append(first)
            if len(parts) == 10:
                sent.set()
                os.kill(os.getpid(), signal.SIGINT)
            return kernel(turns, first, *rest)

        setattr(_batch, kernel_name, interrupted)
        try:
            plays(threads)
        except KeyboardInterrupt:
            print("heard", sent.is_set(), len(parts) < n // 4096, threading.active_count())
        setattr(_batch, kernel_name, kernel)
        print((plays(threads) == whole).all())
    """
    assert alone(program, name, kernel_name, threads).split() == ["heard", "True", "True", "1", "True"]


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork")
def test_a_fork_after_a_threaded_call_works() -> None:
    program = """
        import multiprocessing
        import numpy as np
        from tabula import TABULA, batch

        positions = batch.start(20_000, rules=TABULA)
        rolls = batch.roll(20_000, rng=np.random.default_rng(1), rules=TABULA)

        def total(threads):
            return int(batch.afterstates(positions, rolls, rules=TABULA, threads=threads).positions.sum())

        before = total(4)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(pool.map(total, [1, 2, 4, 8]) == [before] * 4)
        print(total(4) == before)
    """
    assert alone(program).split() == ["True", "True"]


MILLION = 1_000_000
MIB = 1 << 20


@pytest.mark.measure
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the kernel does not tell the peak of a single call")
@pytest.mark.parametrize("threads", [1, 4])
def test_a_million_positions_take_no_more_than_the_output_and_eight_mebibytes_a_thread(threads: int) -> None:
    """The peak of resident memory is set back before each call, and what the call has at its peak is compared with its result."""
    program = """
        import dataclasses, json, sys
        import numpy as np
        from tabula import TABULA, batch

        threads, n = int(sys.argv[1]), int(sys.argv[2])

        def resident(field):
            with open("/proc/self/status") as status:
                return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field))

        def size(found):
            if isinstance(found, np.ndarray):
                return found.nbytes
            if isinstance(found, tuple):
                return sum(each.nbytes for each in found if isinstance(each, np.ndarray))
            return sum(getattr(found, field.name).nbytes for field in dataclasses.fields(found))

        def input_of(n):
            return batch.start(n, rules=TABULA), np.tile(np.uint8([6, 5, 2]), (n, 1))

        def calls(positions, rolls):
            keys = batch.pack(positions, rules=TABULA)
            index = np.zeros(len(positions), np.int64)
            options = {"rules": TABULA, "threads": threads}
            return {
                "afterstates": lambda: batch.afterstates(positions, rolls, **options),
                "all_rolls": lambda: batch.all_rolls(positions[: len(positions) // 100], **options),
                "counts": lambda: batch.counts(positions, rolls, **options),
                "moves": lambda: batch.moves(positions, rolls, **options),
                "play": lambda: batch.play(positions, rolls, index, **options),
                "random_play": lambda: batch.random_play(positions, rolls, rng=np.random.default_rng(1), **options),
                "outcome": lambda: batch.outcome(positions, **options),
                "stuck": lambda: batch.stuck(positions, **options),
                "validate": lambda: batch.validate(positions, **options),
                "pack": lambda: batch.pack(positions, **options),
                "unpack": lambda: batch.unpack(keys, **options),
                "swap_sides": lambda: batch.swap_sides(positions),
                "start": lambda: batch.start(len(positions), rules=TABULA),
                "roll": lambda: batch.roll(len(positions), rng=np.random.default_rng(1), rules=TABULA),
            }

        for call in calls(*input_of(50_000)).values():
            call()
        told = {}
        for name, call in calls(*input_of(n)).items():
            with open("/proc/self/clear_refs", "w") as peak:
                peak.write("5")
            before = resident("VmRSS:")
            found = call()
            told[name] = resident("VmHWM:") - before, size(found)
            del found
        print(json.dumps(told))
    """
    told = json.loads(alone(program, threads, MILLION))
    assert len(told) == 14
    excess = {name: (peak - output) / MIB for name, (peak, output) in told.items()}
    assert {name: mib for name, mib in excess.items() if mib > 8 * threads} == {}
    # What is measured is there: no output can be made without its memory.
    assert all(told[name][0] > told[name][1] / 2 for name in ("afterstates", "all_rolls", "play"))


@pytest.mark.parametrize("check", [None, "", [], 0, 1, np.array([1, 2])])
def test_check_is_true_or_false(check: Any) -> None:
    """What is nearly false turned the checks off without a word."""
    boards, rolls = batch.start(2, rules=BACKGAMMON), np.uint8([[2, 1], [6, 5]])
    for call in (
        lambda: batch.afterstates(boards, rolls, rules=BACKGAMMON, check=check),
        lambda: batch.counts(boards, rolls, rules=BACKGAMMON, check=check),
        lambda: batch.pack(boards, rules=BACKGAMMON, check=check),
        lambda: batch.outcome(boards, rules=BACKGAMMON, check=check),
    ):
        with pytest.raises(TypeError, match=r"^check must be True or False, not "):
            call()


def test_where_the_room_that_is_guessed_cannot_be_had_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wide rows at first make a guess beyond any memory for many narrow ones."""
    wide = Position.from_points(dict.fromkeys(range(1, 16), 1), {}, rules=BACKGAMMON, bar=(0, 15))
    over = Position.from_points({}, {1: 15}, rules=BACKGAMMON, off=(15, 0))
    boards = np.concatenate([np.tile(wide.to_array(), (1024, 1, 1)), np.tile(over.to_array(), (3000, 1, 1))])
    rolls = np.tile(np.uint8([1, 1]), (len(boards), 1))
    expected = batch.afterstates(boards, rolls, rules=BACKGAMMON)
    empty, refused = np.empty, []

    def no_room(shape: Any, *dtype: Any) -> Any:
        if isinstance(shape, tuple) and len(shape) == 3 and shape[0] > 1.5 * len(expected.positions):
            refused.append(shape)
            raise MemoryError
        return empty(shape, *dtype)

    monkeypatch.setattr(np, "empty", no_room)
    found = batch.afterstates(boards, rolls, rules=BACKGAMMON)
    assert len(refused) == 1
    assert np.array_equal(found.positions, expected.positions)
    assert np.array_equal(found.offsets, expected.offsets)


def test_a_number_of_games_beyond_any_memory_is_named() -> None:
    with pytest.raises(ValueError, match=rf"^n must be \d+ or fewer, not {1 << 62}$"):
        batch.start(1 << 62, rules=TABULA)


@pytest.mark.parametrize("dtype", ["c8", "?", "O", "U2"])
def test_no_indices_at_all_are_still_integers(dtype: str) -> None:
    """An empty array of complex numbers was taken, with a warning of numpy."""
    boards, rolls = batch.start(0, rules=BACKGAMMON), np.zeros((0, 2), np.uint8)
    assert batch.play(boards, rolls, [], rules=BACKGAMMON).shape == (0, 2, 26)
    with pytest.raises(TypeError, match=r"^index must be integers, not "):
        batch.play(boards, rolls, np.zeros(0, dtype), rules=BACKGAMMON)


# ------------------------------------------------------------------------------------------------------ what is chosen of a row


def chosen_by_hand(found: batch.Ragged, index: list[int], empty: np.ndarray) -> np.ndarray:
    return np.stack([part[play] if len(part) else empty[row] for row, (part, play) in enumerate(zip(found, index, strict=True))])


@given(st.data())
def test_what_is_chosen_is_the_boards_themselves_and_empty_rows_get_what_the_caller_says(data: st.DataObject) -> None:
    rows = data.draw(batches())
    found = batch.afterstates(rows.positions, rows.rolls, rules=rows.rules)
    scores = np.array([data.draw(st.integers(-3, 3)) for _ in range(len(found.positions))], np.float64)
    best = found.best(scores).tolist()
    expected = chosen_by_hand(found, best, rows.positions) if len(found) else rows.positions
    assert found.chosen(scores, empty=rows.positions).tolist() == expected.tolist()
    assert found.at(best, empty=rows.positions).tolist() == expected.tolist()
    played = batch.play(rows.positions, rows.rolls, np.maximum(best, 0), rules=rows.rules)
    assert played.tolist() == expected.tolist()
    highest = [
        scores[start:end].max() if end > start else 7.5 for start, end in zip(found.offsets, found.offsets[1:], strict=False)
    ]
    assert found.best_scores(scores, empty=7.5).tolist() == highest
    own = [value if len(part) else -row for row, (part, value) in enumerate(zip(found, highest, strict=True))]
    assert found.best_scores(scores, empty=-np.arange(float(len(found)))).tolist() == own
    places = [-1 if play < 0 else start + play for play, start in zip(best, found.offsets.tolist(), strict=False)]
    assert found.places(best).tolist() == places


def one_finished() -> tuple[np.ndarray, batch.Ragged]:
    positions = batch.start(3, rules=BACKGAMMON)
    positions[1, 1] = 0
    positions[1, 1, 25] = 15
    return positions, batch.afterstates(positions, np.uint8([[3, 1]] * 3), rules=BACKGAMMON)


def test_an_empty_row_is_an_error_unless_the_caller_says_what_it_gets() -> None:
    positions, found = one_finished()
    scores = np.zeros(len(found.positions))
    for call in (found.chosen, found.best_scores):
        with pytest.raises(ValueError, match="row 1 has no plays, for its game is over: say by empty= what it gets"):
            call(scores)
    with pytest.raises(ValueError, match="row 1 has no plays"):
        found.at([0, 0, 0])
    # not the last board of the row before, which offsets[:-1] + best would give
    assert (found.chosen(scores, empty=positions)[1] == positions[1]).all()


@pytest.mark.parametrize(
    ("index", "error", "message"),
    [
        ([0, 0, 16], IndexError, "row 2: there is no play 16, it has 16"),
        ([-1, 0, 0], IndexError, "row 0: there is no play -1, it has 16"),
        ([0, 0], ValueError, r"index must have the shape \(3,\), one for each row, not \(2,\)"),
        ([0.0, 0.0, 0.0], TypeError, "index must be integers, not float64"),
        (np.array([2**64 - 1, 0, 0], np.uint64), IndexError, "row 0: there is no play 18446744073709551615"),
    ],
)
def test_a_play_that_there_is_not_is_refused(index, error: type[Exception], message: str) -> None:
    positions, found = one_finished()
    with pytest.raises(error, match=message):
        found.at(index, empty=positions)


def test_what_empty_rows_get_must_fit() -> None:
    positions, found = one_finished()
    with pytest.raises(ValueError, match=r"empty must have the shape \(3, 2, 26\), not \(2, 2, 26\)"):
        found.at([0, 0, 0], empty=positions[:2])
    with pytest.raises(TypeError, match="empty must be an int8 array"):
        found.at([0, 0, 0], empty=positions.astype(int))
    with pytest.raises(ValueError, match=r"empty must be one number or \(3,\), not an array of shape \(2,\)"):
        found.best_scores(np.zeros(len(found.positions)), empty=[1, 2])


@pytest.mark.parametrize("empty", ["3", 1j, [None, 1], [b"1", b"2"], {}])
def test_the_score_of_an_empty_row_is_a_real_number(empty):
    positions = batch.start(2, rules=BACKGAMMON)
    positions[1, 1] = 0
    positions[1, 1, 25] = 15
    after = batch.afterstates(positions, np.uint8([[3, 1], [6, 6]]), rules=BACKGAMMON)
    with pytest.raises(TypeError, match=r"^empty must be real numbers, not "):
        after.best_scores(np.zeros(16), empty=empty)
    assert after.best_scores(np.zeros(16), empty=3).tolist() == [0.0, 3.0]
