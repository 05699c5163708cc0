"""Encoding positions for learning, beside copying as many bytes. A round is `ROWS` positions into an array that stays in the cache.

python -m pytest benchmarks -n 0 --benchmark-only --benchmark-group-by=param:encoder
"""

import numpy as np
import numpy.typing as npt
import pytest
from corpora import Corpus
from pytest_benchmark.fixture import BenchmarkFixture

from tabula import features

ROWS = 1000
"""Positions of the corpus; their 198 columns take 0.8 MB."""

Floats = npt.NDArray[np.float32]

every_encoder = pytest.mark.parametrize("encoder", features.ENCODERS)


def first(corpus: Corpus) -> npt.NDArray[np.int8]:
    return np.array([(turn.position.mover, turn.position.other) for turn in corpus.turns[:ROWS]], np.int8)


def out_for(encoder: features.Encoder, corpus: Corpus) -> Floats:
    rules = corpus.turns[0].position.rules
    if encoder == "tabula" and rules.limit > 5:
        pytest.skip(f"the tabula encoder is not for {rules.name}")
    return np.zeros((ROWS, features.width(encoder, rules=rules)), np.float32)


def on_points(encoder: features.Encoder, x: Floats, checkers: int, limit: int) -> Floats:
    """How many checkers the mover has on each of his points, read back from his features."""
    if encoder == "raw":
        return (x[:, 1:25] * np.float32(checkers)).round()
    if encoder == "tesauro":
        return x[:, :96].reshape(len(x), 24, 4) @ np.array([1, 1, 1, 2], np.float32)
    if encoder == "unary":
        most = min(checkers, limit)
        return x[:, checkers : checkers + 24 * most].reshape(len(x), 24, most).sum(axis=2)
    return x[:, :144].reshape(len(x), 24, 6) @ np.arange(6, dtype=np.float32)


@every_encoder
@pytest.mark.parametrize("check", [True, False], ids=["checked", "unchecked"])
def test_encoding(benchmark: BenchmarkFixture, corpus: Corpus, encoder: features.Encoder, check: bool) -> None:
    rules, positions, out = corpus.turns[0].position.rules, first(corpus), out_for(encoder, corpus)
    x = benchmark(getattr(features, encoder), positions, rules=rules, out=out, check=check)
    assert x is out
    assert (on_points(encoder, x, rules.checkers, rules.limit) == positions[:, 0, 1:25]).all()


@every_encoder
def test_copying_as_many_bytes(benchmark: BenchmarkFixture, corpus: Corpus, encoder: features.Encoder) -> None:
    out = out_for(encoder, corpus)
    source = np.arange(out.size, dtype=np.float32).reshape(out.shape)
    benchmark(np.copyto, out, source)
    assert (out == source).all()


@every_encoder
def test_flipping(benchmark: BenchmarkFixture, corpus: Corpus, encoder: features.Encoder) -> None:
    rules, positions, out = corpus.turns[0].position.rules, first(corpus), out_for(encoder, corpus)
    x = getattr(features, encoder)(positions, rules=rules)
    assert benchmark(features.swap_sides, x, encoder, rules=rules, out=out) is out
    assert (on_points(encoder, out, rules.checkers, rules.limit) == positions[:, 1, 1:25]).all()
