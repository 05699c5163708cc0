"""Views make nothing per play, and nothing is kept of what is done with."""

import gc
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from tabula import BACKGAMMON, TABULA, Position, Rules, divide, perft

MANY = Position.from_points(
    dict.fromkeys((3, 4, 6, 7, 9, 10, 12, 14, 15, 17, 18, 20, 21, 23, 24), 1), {}, rules=BACKGAMMON, bar=(0, 15)
)
"""A position whose 1-1 has 2,226 plays."""

START = Position()
PLAYS = START.plays("652")


def blocks(look: Callable[[], Any]) -> int:
    """How many blocks of Python's memory are taken by what a look gives."""
    look()
    before = sys.getallocatedblocks()
    kept = look()
    taken = sys.getallocatedblocks() - before
    del kept
    return taken


LOOKS: dict[str, Callable[[], Any]] = {
    "plays": lambda: MANY.plays("11"),
    "count": lambda: MANY.count("11"),
    "positions": lambda: MANY.plays("11").positions,
    "slice": lambda: MANY.plays("11")[1:-1:2][::-1],
    "in": lambda: MANY.plays("11")[0] in MANY.plays("11"),
    "a move at a time": lambda: MANY.plays("11").after(),
    "iteration left half-way": lambda: next(iter(MANY.plays("11"))),
}


@pytest.mark.parametrize("name", LOOKS)
def test_a_look_at_plays_makes_no_object_per_play(name: str) -> None:
    assert MANY.count("11") == 2226
    assert blocks(LOOKS[name]) < 150


def test_a_list_of_plays_makes_one_object_each() -> None:
    assert blocks(lambda: list(MANY.plays("11"))) > 1000


def refused(attempt: Callable[[], Any]) -> None:
    try:
        attempt()
    except ValueError:
        return
    raise AssertionError("nothing was refused")


def other_rules(number: int = iter(range(10**9)).__next__) -> None:  # type: ignore[assignment]
    rules = Rules(setup=(number() % 15 + 1, *[0] * 25), name="one of many")
    assert Position.from_text(Position(rules).to_text(), rules=rules).count("652")


WORK: dict[str, Callable[[], Any]] = {
    "plays": lambda: START.plays("652")[1:][0].moves,
    "positions": lambda: PLAYS[::2].positions,
    "apply": lambda: START.apply([(0, 6), (0, 5), (0, 2)], "652"),
    "a refused play": lambda: refused(lambda: START.apply([(0, 6), (0, 5)], "652")),
    "a refused roll": lambda: refused(lambda: START.plays("65")),
    "a refused position": lambda: refused(lambda: Position.from_tracks(TABULA.setup, [15] * 26, rules=TABULA)),
    "a refused text": lambda: refused(lambda: Position.from_text("x")),
    "texts": lambda: Position.from_text(START.to_text()),
    "arrays": lambda: Position.from_array(START.to_array(), rules=TABULA),
    "other rules": other_rules,
    "perft": lambda: (perft(START, 1), divide(START, 1)),
    "in": lambda: (PLAYS[0] in PLAYS, PLAYS[0].position in PLAYS, [(0, 6)] in PLAYS),
}


def collect() -> None:
    """Gives back all that nobody refers to; without the interpreter's lock some of it waits for a second round."""
    gc.collect()
    gc.collect()


@pytest.mark.parametrize("name", WORK)
def test_nothing_is_kept_of_what_is_done_with(name: str) -> None:
    for _ in range(100):
        WORK[name]()
    tracemalloc.start()
    try:
        WORK[name]()
        collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(500):
            WORK[name]()
        collect()
        assert tracemalloc.get_traced_memory()[0] - before < 10_000
    finally:
        tracemalloc.stop()
