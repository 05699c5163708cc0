"""The generator without Python in between: building, counting, perft. Each answer is asserted, and then its time is measured.

python -m pytest benchmarks -n 0 --benchmark-only
"""

import corpora
import native
import pytest
from corpora import Corpus
from pytest_benchmark.fixture import BenchmarkFixture

from tabula import Position, perft
from tabula._native import position as _position
from tabula.counting import published
from tabula.rules import PRESETS


def loop_of(corpus: Corpus) -> native.Turns:
    loop = native.turns(corpus.turns)
    if loop is None:
        pytest.skip("Cython or a compiler is missing")
    return loop


def test_building_the_plays_of_a_corpus(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    loop = loop_of(corpus)
    assert benchmark(loop.build) == sum(turn.plays for turn in corpus.turns)


def test_counting_the_plays_of_a_corpus(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    loop = loop_of(corpus)
    assert benchmark(loop.count) == sum(turn.plays for turn in corpus.turns)


@pytest.mark.parametrize("build", [False, True], ids=["count", "build"])
def test_every_roll_of_the_first_positions(benchmark: BenchmarkFixture, corpus: Corpus, build: bool) -> None:
    positions = [turn.position for turn in corpus.turns[: corpora.FIRST]]
    assert benchmark(lambda: sum([_position.count_leaves(each, 1, build) for each in positions])) == corpus.all_rolls


@pytest.mark.parametrize("build", [False, True], ids=["count", "build"])
@pytest.mark.parametrize("game", PRESETS)
def test_two_plies_from_the_start(benchmark: BenchmarkFixture, game: str, build: bool) -> None:
    start = Position(PRESETS[game])
    assert benchmark(_position.count_leaves, start, 2, build) == published(start)[2].leaves


@pytest.mark.parametrize("merge", [False, True], ids=["every leaf", "merged"])
@pytest.mark.parametrize("game", PRESETS)
def test_perft_of_three_plies(benchmark: BenchmarkFixture, game: str, merge: bool) -> None:
    start = Position(PRESETS[game])
    leaves = benchmark.pedantic(perft, (start, 3), {"merge": merge}, rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]
    assert leaves == published(start)[3].leaves
