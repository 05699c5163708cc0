"""The corpora, for the benchmarks."""

import corpora
import pytest
from corpora import Corpus


@pytest.fixture(params=corpora.GAMES)
def corpus(request: pytest.FixtureRequest) -> Corpus:
    """The corpus of each game."""
    return corpora.read(request.param)
