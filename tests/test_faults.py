"""What goes wrong around the library: no memory, Ctrl-C, a fork, threads without number, an interpreter that ends in the middle.

Each runs in a process of its own, which says what it saw on its last line.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

SUPPORT = Path(__file__).parent / "support"
COMPILER = (sysconfig.get_config_var("CC") or "cc").split()

WORK = """
import sys
import numpy as np
from tabula import BACKGAMMON, TABULA, Position, Rules, batch, dice, divide, features, perft
from tabula._native import position as _position
from tabula.playouts import playouts

START = {rules: Position(rules) for rules in (TABULA, BACKGAMMON, Rules(stack_limit=3, gates="move"))}
ENDING = {rules: Position.from_points({24: 1}, {23: 1}, rules=rules, off=(14, 14)) for rules in START}
BOARDS = {rules: batch.start(50, rules=rules) for rules in START}
ROLLS = {rules: np.tile(np.array(dice.all_rolls(rules.dice)[7:8], np.uint8), (50, 1)) for rules in START}

def digest(value):
    if isinstance(value, np.ndarray):
        return value.tobytes()
    return value

def in_groups(position, depth):
    perft_module = sys.modules[perft.__module__]
    wide, perft_module._WIDE = perft_module._WIDE, 0
    try:
        return perft(position, depth, merge=True)
    finally:
        perft_module._WIDE = wide

def works():
    for rules, start in START.items():
        roll, boards, rolls = dice.all_rolls(rules.dice)[7], BOARDS[rules], ROLLS[rules]
        yield lambda: start.count(roll)
        yield lambda: digest(start.plays(roll).positions)
        yield lambda: [play.moves for play in start.plays(roll)[::2]]
        yield lambda: digest(batch.afterstates(boards, rolls, rules=rules).positions)
        yield lambda: digest(batch.all_rolls(boards, rules=rules).positions)
        yield lambda: digest(batch.counts(boards, None, rules=rules))
        yield lambda: digest(batch.moves(boards, rolls, rules=rules).moves)
        yield lambda: digest(batch.random_play(boards, rolls, rules=rules, rng=np.random.default_rng(1)))
        yield lambda: digest(batch.unpack(batch.pack(boards, rules=rules), rules=rules))
        yield lambda: digest(features.raw(boards, rules=rules))
        yield lambda: perft(start, 2)
        yield lambda: perft(start, 2, merge=True)
        yield lambda: in_groups(start, 2)
        yield lambda: _position.count_leaves(ENDING[rules], 3)
        yield lambda: divide(start, 1)
        yield lambda: digest(playouts(start, 20, rng=np.random.default_rng(7)).games)
"""
"""Calls that a program is given: each with an answer that can be compared."""


def told(code: str, *arguments: object, work: bool = True, **variables: str) -> Any:
    """What a process prints on its last line, as JSON; it must end well and complain of nothing."""
    done = subprocess.run(
        [sys.executable, "-c", (WORK if work else "") + code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **variables},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout.splitlines()[-1])


# ----------------------------------------------------------------------------------------------------------------- no memory


@pytest.fixture(scope="module")
def failing_malloc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that goes in front of malloc."""
    if not sys.platform.startswith("linux") or shutil.which(COMPILER[0]) is None:
        pytest.skip("needs glibc and a C compiler")
    made = tmp_path_factory.mktemp("malloc") / "failing_malloc.so"
    subprocess.run([*COMPILER, "-shared", "-fPIC", "-O1", str(SUPPORT / "failing_malloc.c"), "-o", str(made)], check=True)
    return made


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="something else is in front of malloc")
def test_when_memory_fails_at_any_place_the_call_says_so_leaks_nothing_and_the_next_one_works(failing_malloc: Path) -> None:
    code = """
import ctypes, gc, json, sys
malloc = ctypes.CDLL(sys.argv[1])
malloc.fail_at.argtypes = [ctypes.c_long, ctypes.c_size_t]
malloc.blocks.restype = malloc.refused.restype = ctypes.c_long

def attempt(work, n):
    "Whether it came to its end, with the n-th large block refused."
    malloc.fail_at(n, 1024)
    try:
        answer = work()
    except MemoryError:
        answer = None
    refused = malloc.refused()
    malloc.fail_at(-1, 0)
    return answer, refused

places = errors = leaks = 0
for work in works():
    expected = work()
    n = 0
    while True:
        answer, refused = attempt(work, n)
        assert answer is None or answer == expected, "another answer when memory failed"
        if not refused:
            break
        errors += answer is None
        places += 1
        assert work() == expected, "another answer after memory had failed"
        n += 1
    gc.collect()
    before = malloc.blocks()
    for _ in range(10):
        for place in range(n):
            attempt(work, place)
    gc.collect()
    leaks += malloc.blocks() - before > 5 * n
print(json.dumps([places, errors, leaks]))
"""
    places, errors, leaks = told(code, failing_malloc, LD_PRELOAD=str(failing_malloc), PYTHONMALLOC="pymalloc")
    assert places > 50
    assert errors > 50
    assert leaks == 0


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="something else is in front of malloc")
@pytest.mark.parametrize(
    "call",
    [
        "start.count(roll)",
        "start.plays(roll)",
        "perft(start, 1)",
        "perft(start, 2, merge=True)",
        "batch.counts(boards, rolls, rules=rules)",
    ],
)
def test_when_there_is_no_memory_for_the_first_list_the_call_says_so_and_the_next_one_works(
    call: str, failing_malloc: Path
) -> None:
    """Later calls borrow the block that the first one made, so that each is the first of a process of its own."""
    code = f"""
import ctypes, json, sys
malloc = ctypes.CDLL(sys.argv[1])
malloc.fail_at.argtypes = [ctypes.c_long, ctypes.c_size_t]
rules = BACKGAMMON
start, roll, boards, rolls = START[rules], "31", BOARDS[rules], ROLLS[rules]
malloc.fail_at(0, 16 * 4080)
try:
    {call}
    said = False
except MemoryError:
    said = True
malloc.fail_at(-1, 0)
{call}
print(json.dumps([said, perft(start, 1) == sum(divide(start, 1).values())]))
"""
    assert told(code, failing_malloc, LD_PRELOAD=str(failing_malloc), PYTHONMALLOC="pymalloc") == [True, True]


def test_when_objects_cannot_be_made_the_call_says_so_and_the_next_one_works() -> None:
    pytest.importorskip("_testcapi")
    code = """
import _testcapi, json
refused = 0
for work in works():
    expected = work()
    for n in (*range(1, 40), *range(40, 400, 13)):
        _testcapi.set_nomemory(n, n + 1)
        try:
            answer = work()
        except MemoryError:
            answer = None
        except RuntimeError as error:  # which is how Python says it of a lock or a thread
            assert str(error) in ("can't allocate lock", "can't start new thread")
            answer = None
        except SystemError as error:  # which is how numpy's ufuncs forget to say it
            assert "numpy.ufunc object" in str(error), error
            answer = None
        finally:
            _testcapi.remove_mem_hooks()
        refused += answer is None
        assert answer is None or answer == expected
        assert work() == expected
print(json.dumps(refused))
"""
    assert told(code) > 100


# -------------------------------------------------------------------------------------------------------------------- Ctrl-C


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself Ctrl-C there")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_in_perft_batch_and_playouts_ends_the_call_and_the_next_one_works(threads: int) -> None:
    code = """
import json, os, signal, sys, threading
threads = int(sys.argv[1])
rules, start = BACKGAMMON, Position(BACKGAMMON)
boards = batch.start(3_000_000, rules=rules)
rolls = batch.roll(len(boards), rng=np.random.default_rng(1), rules=rules)
out = np.empty((1, 2, 26), np.int8)
heard, leaves = 0, perft(start, 2)
for call in (
    lambda: perft(start, 9, threads=threads),
    lambda: batch.counts(boards, None, rules=rules, threads=threads),
    lambda: batch.random_play(boards, rolls, rules=rules, threads=threads, rng=np.random.default_rng(1)),
    lambda: playouts(start, 10_000_000, rng=np.random.default_rng(1), threads=threads),
):
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        call()
    except KeyboardInterrupt:
        heard += 1
    timer.join()
    assert perft(start, 2, threads=threads) == leaves
    assert len(batch.counts(boards[:5], rolls[:5], rules=rules, threads=threads)) == 5
print(json.dumps(heard))
"""
    assert told(code, threads) == 4


# ------------------------------------------------------------------------------------------------------------ forks, threads


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_while_threads_generate_leaves_a_child_that_generates() -> None:
    code = """
import json, os, threading, warnings
warnings.simplefilter("ignore")  # Python warns of a fork with threads
expected = [work() for work in works()]
stop = threading.Event()
def busy():
    while not stop.is_set():
        for work in works():
            work()
workers = [threading.Thread(target=busy) for _ in range(4)]
for worker in workers:
    worker.start()
good = 0
for _ in range(5):
    child = os.fork()
    if not child:
        os._exit(0 if [work() for work in works()] == expected else 1)
    good += os.waitpid(child, 0)[1] == 0
stop.set()
for worker in workers:
    worker.join()
print(json.dumps(good))
"""
    assert told(code) == 5


def test_thousands_of_threads_that_live_for_one_call_all_get_the_answer() -> None:
    code = """
import json, threading
start = START[BACKGAMMON]
boards = BOARDS[BACKGAMMON]
def look():
    many = batch.counts(boards, None, rules=BACKGAMMON).sum()
    return [perft(start, 1), start.count("31"), len(start.plays("11")), many]
expected, right = look(), []
def once():
    right.append(look() == expected)
for _ in range(40):
    threads = [threading.Thread(target=once) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(json.dumps([len(right), all(right)]))
"""
    assert told(code) == [4000, True]


@pytest.mark.parametrize("daemon", [True, False])
@pytest.mark.parametrize(
    "call",
    ["perft(start, 3, threads=2)", "batch.counts(boards, None, rules=TABULA, threads=2)", "playouts(start, 3000, rng=rng)"],
)
def test_an_interpreter_ends_while_a_thread_is_in_the_middle_of_a_call(call: str, daemon: bool) -> None:
    code = f"""
import threading
start, boards, rng = START[TABULA], batch.start(20_000, rules=TABULA), np.random.default_rng(1)
began = threading.Event()
def busy():
    began.set()
    for _ in range({10_000 if daemon else 1}):
        try:
            {call}
        except RuntimeError:  # no thread can be started any more
            return
threading.Thread(target=busy, daemon={daemon}).start()
began.wait()
print(0, flush=True)
"""
    assert told(code) == 0
