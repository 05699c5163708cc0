"""Whole arrays at once: a corpus repeated to 100,000 positions. Each answer is asserted, and then its time is measured.

python -m pytest benchmarks -n 0 --benchmark-only
"""

from typing import NamedTuple

import numpy as np
import pytest
from corpora import Corpus
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

from tabula import Rules, batch

ROWS = 100_000


class Rows(NamedTuple):
    """The turns of a corpus as arrays, one after another until there are enough of them, and what each comes to."""

    rules: Rules
    positions: NDArray[np.int8]
    rolls: NDArray[np.uint8]
    plays: NDArray[np.int64]


@pytest.fixture
def rows(corpus: Corpus) -> Rows:
    turns = corpus.turns
    return Rows(
        turns[0].position.rules,
        np.resize(np.array([turn.position.to_array() for turn in turns]), (ROWS, 2, 26)),
        np.resize(np.array([turn.roll for turn in turns], np.uint8), (ROWS, len(turns[0].roll))),
        np.resize(np.array([turn.plays for turn in turns], np.int64), ROWS),
    )


def test_afterstates(benchmark: BenchmarkFixture, rows: Rows, corpus: Corpus) -> None:
    found = benchmark(batch.afterstates, rows.positions, rows.rolls, rules=rows.rules)
    assert np.array_equal(np.diff(found.offsets), rows.plays)
    for row, turn in enumerate(corpus.turns[:50]):
        assert np.array_equal(found[row], turn.position.plays(turn.roll).positions)


def test_afterstates_into_an_array_that_is_there(benchmark: BenchmarkFixture, rows: Rows) -> None:
    out = np.empty((int(rows.plays.sum()), 2, 26), np.int8)
    found = benchmark(batch.afterstates, rows.positions, rows.rolls, rules=rows.rules, out=out)
    assert np.array_equal(np.diff(found.offsets), rows.plays)


def test_counts(benchmark: BenchmarkFixture, rows: Rows) -> None:
    assert np.array_equal(benchmark(batch.counts, rows.positions, rows.rolls, rules=rows.rules), rows.plays)


def test_moves(benchmark: BenchmarkFixture, rows: Rows, corpus: Corpus) -> None:
    few = len(corpus.turns)
    found = benchmark(batch.moves, rows.positions[:few], rows.rolls[:few], rules=rows.rules)
    assert np.array_equal(np.diff(found.offsets), rows.plays[:few])
    for row, turn in enumerate(corpus.turns[:50]):
        expected = [[(move.source, move.die) for move in play.moves] for play in turn.position.plays(turn.roll)]
        assert [[(source, die) for source, die in moves if die != 255] for moves in found[row].tolist()] == expected


def test_a_random_play_of_each_row(benchmark: BenchmarkFixture, rows: Rows) -> None:
    rng = np.random.default_rng(1)
    after = benchmark(batch.random_play, rows.positions, rows.rolls, rules=rows.rules, rng=rng)
    assert batch.validate(after, rules=rows.rules).legal.all()


def test_pack(benchmark: BenchmarkFixture, rows: Rows) -> None:
    keys = benchmark(batch.pack, rows.positions, rules=rows.rules)
    assert np.array_equal(batch.unpack(keys, rules=rows.rules), rows.positions)


@pytest.mark.parametrize("check", [True, False], ids=["checked", "unchecked"])
def test_unpack(benchmark: BenchmarkFixture, rows: Rows, check: bool) -> None:
    keys = batch.pack(rows.positions, rules=rows.rules)
    assert np.array_equal(benchmark(batch.unpack, keys, rules=rows.rules, check=check), rows.positions)


def test_validate(benchmark: BenchmarkFixture, rows: Rows) -> None:
    assert benchmark(batch.validate, rows.positions, rules=rows.rules).legal.all()
