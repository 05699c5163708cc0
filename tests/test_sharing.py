"""Views make nothing per play, and nothing is kept of what is done with."""

import ctypes
import gc
import shutil
import subprocess
import sys
import sysconfig
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabula import BACKGAMMON, TABULA, Play, Plays, Position, Rules, divide, perft

MANY = Position.from_points(
    dict.fromkeys((3, 4, 6, 7, 9, 10, 12, 14, 15, 17, 18, 20, 21, 23, 24), 1), {}, rules=BACKGAMMON, bar=(0, 15)
)
"""A position whose 1-1 has 2,226 plays."""

LAST = MANY.plays("11")[-1]
START = Position()
PLAYS = START.plays("652")


KINDS = (Play, Plays, Position, np.ndarray)
"""What could be made for each play."""

SUPPORT = Path(__file__).parent / "support"
COMPILER = (sysconfig.get_config_var("CC") or "cc").split()

FREES_AT = object.__basicsize__ + 4 * ctypes.sizeof(ctypes.c_void_p)
"""Where the struct of a type has the function that frees an object: behind the header, three words and the name."""

Made = Callable[[Callable[[], Any]], dict[type, int]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """How many objects of each kind a call makes, those that live for a moment included; its result is given up too."""
    if sys.platform == "win32" or shutil.which(COMPILER[0]) is None:
        pytest.skip("needs a C compiler")
    path = tmp_path_factory.mktemp("counted") / "count_freed.so"
    subprocess.run([*COMPILER, "-shared", "-fPIC", "-O1", str(SUPPORT / "count_freed.c"), "-o", str(path)], check=True)
    library = ctypes.PyDLL(str(path))
    library.count_from_now.argtypes = [ctypes.c_int, ctypes.c_void_p]
    library.counted_until_now.restype = ctypes.c_long

    def count(call: Callable[[], Any]) -> dict[type, int]:
        call()
        for k, kind in enumerate(KINDS):
            library.count_from_now(k, id(kind) + FREES_AT)
        try:
            call()
        finally:
            freed = {kind: library.counted_until_now(k) for k, kind in enumerate(KINDS)}
        return freed

    return count


def blocks(look: Callable[[], Any]) -> int:
    """How many blocks of Python's memory are taken by what a look gives."""
    look()
    before = sys.getallocatedblocks()
    result = look()
    taken = sys.getallocatedblocks() - before
    del result
    return taken


LOOKS: dict[str, Callable[[], Any]] = {
    "plays": lambda: MANY.plays("11"),
    "count": lambda: MANY.count("11"),
    "positions": lambda: MANY.plays("11").positions,
    "slice": lambda: MANY.plays("11")[1:-1:2][::-1],
    "in": lambda: MANY.plays("11")[0] in MANY.plays("11"),
    "a position in": lambda: LAST.position in MANY.plays("11"),
    "moves in": lambda: LAST.moves in MANY.plays("11"),
    "the index of a position": lambda: MANY.plays("11").index(LAST.position),
    "equality": lambda: MANY.plays("11") == MANY.plays("11"),
    "reading a text": lambda: MANY.parse_play(str(LAST), "11"),
    "the text of one play": lambda: str(MANY.plays("11")[-1]),
    "apply": lambda: MANY.apply(LAST.moves, "11"),
    "a move at a time": lambda: MANY.plays("11").after(),
    "iteration left half-way": lambda: next(iter(MANY.plays("11"))),
}


@pytest.mark.parametrize("name", LOOKS)
def test_a_look_at_plays_makes_no_object_per_play(name: str, made: Made) -> None:
    assert MANY.count("11") == 2226
    assert sum(made(LOOKS[name]).values()) < 20
    assert blocks(LOOKS[name]) < 150


def test_a_list_of_plays_makes_one_object_each(made: Made) -> None:
    assert made(lambda: list(MANY.plays("11"))) == {Play: 2226, Plays: 1, Position: 0, np.ndarray: 0}
    assert blocks(lambda: list(MANY.plays("11"))) > 1000


def test_an_object_for_each_play_is_seen_though_none_is_held(made: Made) -> None:
    def look() -> bool:
        return any(play.position == START for play in MANY.plays("11"))

    assert blocks(look) < 150
    assert made(look) == {Play: 2226, Plays: 1, Position: 2226, np.ndarray: 0}


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
    "a refused text": lambda: refused(lambda: Position.from_text("x", rules=START.rules)),
    "texts": lambda: Position.from_text(START.to_text(), rules=START.rules),
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
