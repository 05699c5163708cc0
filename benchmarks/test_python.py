"""What a call from Python costs. A round is one pass over a corpus, or over its first turns where a call is long.

python -m pytest benchmarks -n 0 --benchmark-only
"""

from collections.abc import Callable

import numpy as np
from corpora import Corpus
from pytest_benchmark.fixture import BenchmarkFixture

from tabula import Position

SOME = 200
"""So many turns where each play is looked at."""


def each(corpus: Corpus, call: Callable[[Position, tuple[int, ...]], int]) -> Callable[[], int]:
    """A pass over the corpus, and the sum of what the calls return."""
    pairs = [(turn.position, turn.roll) for turn in corpus.turns]
    return lambda: sum([call(position, roll) for position, roll in pairs])


def total(corpus: Corpus) -> int:
    return sum(turn.plays for turn in corpus.turns)


def test_len_of_plays(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    assert benchmark(each(corpus, lambda position, roll: len(position.plays(roll)))) == total(corpus)


def test_positions_of_plays(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    assert benchmark(each(corpus, lambda position, roll: len(position.plays(roll).positions))) == total(corpus)


def test_count(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    assert benchmark(each(corpus, lambda position, roll: position.count(roll))) == total(corpus)


def test_a_position_for_each_play(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    turns = corpus.turns[:SOME]
    after = benchmark(lambda: [[play.position for play in turn.position.plays(turn.roll)] for turn in turns])
    assert [len(set(positions)) for positions in after] == [turn.plays for turn in turns]


def test_moves_of_each_play(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    turns = corpus.turns[:SOME]
    moves = benchmark(lambda: [[play.moves for play in turn.position.plays(turn.roll)] for turn in turns])
    for turn, lines in zip(turns, moves, strict=True):
        assert {turn.position.apply(line, turn.roll) for line in lines} == {
            play.position for play in turn.position.plays(turn.roll)
        }


def test_from_tracks(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    rules = corpus.turns[0].position.rules
    tracks = [(turn.position.mover, turn.position.other, turn.position.turn) for turn in corpus.turns]
    made = benchmark(lambda: [Position.from_tracks(mover, other, rules=rules, turn=turn) for mover, other, turn in tracks])
    assert made == [turn.position for turn in corpus.turns]


def test_from_array(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    rules = corpus.turns[0].position.rules
    arrays = [(np.array([turn.position.mover, turn.position.other], np.int8), turn.position.turn) for turn in corpus.turns]
    made = benchmark(lambda: [Position.from_array(array, rules=rules, turn=turn) for array, turn in arrays])
    assert made == [turn.position for turn in corpus.turns]


def test_from_text(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    rules = corpus.turns[0].position.rules
    texts = [turn.position.to_text() for turn in corpus.turns]
    made = benchmark(lambda: [Position.from_text(text, rules=rules) for text in texts])
    assert made == [turn.position for turn in corpus.turns]


def test_to_text(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    positions = [turn.position for turn in corpus.turns]
    texts = benchmark(lambda: [position.to_text() for position in positions])
    assert [Position.from_text(text, rules=positions[0].rules) for text in texts] == positions


def test_to_array(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    positions = [turn.position for turn in corpus.turns]
    arrays = benchmark(lambda: [position.to_array() for position in positions])
    assert [tuple(map(tuple, array.tolist())) for array in arrays] == [(position.mover, position.other) for position in positions]


def test_parse_play(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    plays = [turn.position.plays(turn.roll)[-1] for turn in corpus.turns[:SOME]]
    asked = [(play.origin, str(play), play.roll) for play in plays]
    found = benchmark(lambda: [position.parse_play(text, roll) for position, text, roll in asked])
    assert found == plays


def test_apply_moves(benchmark: BenchmarkFixture, corpus: Corpus) -> None:
    plays = [turn.position.plays(turn.roll)[-1] for turn in corpus.turns[:SOME]]
    asked = [(play.origin, play.moves, play.roll) for play in plays]
    after = benchmark(lambda: [position.apply(moves, roll) for position, moves, roll in asked])
    assert after == [play.position for play in plays]
