"""Whatever text comes in, every parser gives a result or one of our errors, in time that grows no faster than the text."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsers import OURS, PARSERS, SEEDS, feed

from tabula import InvalidText
from tabula.notation import matchtext

WORDS = ("31:", "bar", "off", "Game 1", " point match", "????", "Wins ")
PIECES = st.sampled_from([*SEEDS, *WORDS, *"0123456789:/*()-,;=\n\r\t \x00\ud800Aa"])


@given(st.text(st.characters(codec=None, categories=None)) | st.lists(PIECES, max_size=30).map("".join))
def test_any_text(text) -> None:
    feed(text)


@given(st.binary())
def test_any_bytes(data) -> None:
    feed(matchtext.decode(data))


@given(st.sampled_from(SEEDS), st.integers(0, 10_000), st.text(max_size=4))
def test_a_sound_text_with_a_change(seed, at, change) -> None:
    at %= len(seed) + 1
    for skipped in range(4):
        feed(seed[:at] + change + seed[at + skipped :])


@pytest.mark.parametrize("name", PARSERS)
def test_what_is_no_text_is_a_type_error(name) -> None:
    for value in (None, b"4HPwATDgc/ABMA", 3, ["31"]):
        with pytest.raises(TypeError):
            PARSERS[name](value)


@given(st.text())
def test_a_text_that_is_refused_is_refused_at_a_place(text) -> None:
    for name in ("read", "position id", "match id", "gnubg", "xgid", "fibs", "backgammon play", "tabula play"):
        error = refusal(PARSERS[name], text)
        if isinstance(error, InvalidText):
            assert error.position is not None
            assert 0 <= error.position <= len(text)


def refusal(parse, text: str) -> Exception | None:
    """The error that a parser refuses a text with, or None."""
    try:
        parse(text)
    except OURS as error:
        return error
    return None


LONG = {
    "(": "(",
    "NUL": "\x00",
    "unpaired surrogate": "\ud800",
    "move": "6/5 ",
    "chain": "6/",
    "space": " ",
    "comma": ",",
    "colon": ":",
    "names": "a : 1 ",
    "line": "\n",
    "header": "; [",
    "digit": "1",
    "number": "1) ",
    "dice": "31: ",
    "return": "\r",
    "tab": "\t",
    "board": "board:",
    "letters": "-",
    "game": " Game 1\n",
    "damaged game": " Game 1\n(((\n",
    "short game": " Game 1\n A : 0   B : 0\n 1) 31: 8/5 6/5   42: 8/4 6/4\n",
    "bad game": " Game 1\n A : 0   B : 0\n 1) 64: 8/5 6/5\n",
    "turn": "  1) 31: 8/5\n",
}


def seconds(parse, text: str) -> float:
    started = time.perf_counter()
    error = refusal(parse, text)
    taken = time.perf_counter() - started
    assert len(str(error)) < 1000
    return taken


@pytest.mark.parametrize("piece", LONG)
@pytest.mark.parametrize("name", PARSERS)
def test_time_grows_no_faster_than_the_text(name, piece) -> None:
    # Ten times the text may take ten times as long, and the rest is for noise. Squared, it would take a hundred times.
    for prefix in ("", "XGID=", "board:", " Game 1\n A : 0    B : 0\n  1) "):
        text = prefix + LONG[piece] * (10_000 // len(LONG[piece]))
        small = max(min(seconds(PARSERS[name], text) for _ in range(3)), 1e-4)
        large = min(seconds(PARSERS[name], prefix + LONG[piece] * (100_000 // len(LONG[piece]))) for _ in range(2))
        assert large < 40 * small


def test_ten_megabytes_and_a_million_games() -> None:
    for text in ("(" * 10_000_000, "\x00" * 10_000_000, "\ud800" * 10_000_000, "6/5 " * 2_500_000):
        for name, parse in PARSERS.items():
            assert seconds(parse, text) < 20, name
    match = matchtext.read(" Game 1\n" * 1_000_000)
    assert len(match.games) == 1_000_000


def test_a_sound_text_put_through_random_changes() -> None:
    source = random.Random(9)
    for seed in SEEDS:
        for _ in range(100):
            letters = list(seed)
            for _ in range(source.randint(1, 4)):
                letters[source.randrange(len(letters))] = source.choice("0123456789:/*()-,;\n ABab?")
            feed("".join(letters))
