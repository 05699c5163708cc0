"""Whatever text comes in, every parser gives a result or one of our errors, with work that grows no faster than the text."""

import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsers import OURS, PARSERS, SEEDS, feed

from tabula import InvalidTextError
from tabula.notation import FORMATS, matchtext

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


@given(st.sampled_from(SEEDS), st.integers(0, 10_000), st.text(max_size=4))
def test_no_text_looks_like_two_formats(seed, at, change) -> None:
    at %= len(seed) + 1
    for skipped in range(4):
        text = (seed[:at] + change + seed[at + skipped :]).strip()
        assert sum(entry.looks_like(text) for entry in FORMATS.values()) <= 1


@pytest.mark.parametrize("name", PARSERS)
def test_what_is_no_text_is_a_type_error(name) -> None:
    for value in (None, b"4HPwATDgc/ABMA", 3, ["31"]):
        with pytest.raises(TypeError):
            PARSERS[name](value)


@given(st.text())
def test_a_text_that_is_refused_is_refused_at_a_place(text) -> None:
    for name in ("read", "position id", "match id", "gnubg", "xgid", "fibs", "backgammon play", "tabula play"):
        error = refusal(PARSERS[name], text)
        if isinstance(error, InvalidTextError):
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


Parser = Callable[[str], Any]


def work(parse: Parser, text: str) -> int:
    """What a parser does with a text, counted: the lines of Python it runs, and the letters that its calls of str methods read."""
    done = 0

    def ran(_frame: FrameType, event: str, _told: Any) -> Any:
        nonlocal done
        done += event == "line"
        return ran

    def called(_frame: FrameType, event: str, function: Any) -> None:
        nonlocal done
        if event == "c_call" and isinstance(function.__self__, str) and function.__name__ not in AT_ONE_PLACE:
            done += len(function.__self__)

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(ran)
    sys.setprofile(called)
    try:
        error = refusal(parse, text)
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    assert len(str(error)) < 1000
    return done


AT_ONE_PLACE = ("startswith", "endswith", "removeprefix")
"""Methods of str that read no more than a few letters."""


@pytest.mark.parametrize("piece", LONG)
@pytest.mark.parametrize("name", PARSERS)
def test_work_grows_no_faster_than_the_text(name: str, piece: str) -> None:
    # Ten times the text, ten times the work and what does not depend on the text. Squared, it would be a hundred times.
    for prefix in ("", "XGID=", "board:", " Game 1\n A : 0    B : 0\n  1) "):
        small, large = (work(PARSERS[name], prefix + LONG[piece] * (size // len(LONG[piece]))) for size in (2_000, 20_000))
        assert large <= 11 * small + 1_000


def test_work_that_is_squared_is_found_out() -> None:
    def parse(text: str) -> None:
        while text:
            text = text.removeprefix("(").lower()

    def nested(text: str) -> None:
        for _ in text:
            for _ in text:
                pass

    for squared in (parse, nested):
        assert work(squared, "(" * 2_000) > 50 * work(squared, "(" * 200)


@pytest.mark.slow
def test_ten_megabytes_and_a_million_games() -> None:
    for text in ("(" * 10_000_000, "\x00" * 10_000_000, "\ud800" * 10_000_000, "6/5 " * 2_500_000):
        for parse in PARSERS.values():
            assert len(str(refusal(parse, text))) < 1000
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
