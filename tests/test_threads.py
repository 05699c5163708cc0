"""What threads share: no module keeps anything that changes, and eight threads that use the same objects get the answers of one.

Everything here also holds with the interpreter's lock; on a free-threaded one the eight do run at once, and the lock stays off.
"""

import ast
import copy
import pickle
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, IllegalPlayError, Position, Rules, batch, dice, divide, perft
from tabula._native.layers import PlyPositions
from tabula.features import raw
from tabula.playouts import playouts
from tabula.render import svg
from tabula.render import text as drawing
from tabula.work.threads import Stop, StoppedError, in_threads

SOURCE = Path(__file__).parents[1] / "src" / "tabula"
THREADS = 8
GENERAL = Rules(stack_limit=3, gates="move", name="general")
GAMES = (TABULA, BACKGAMMON, TABULA_HISTORIC, GENERAL)

games = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)


@pytest.fixture(autouse=True)
def often_interrupted() -> Iterator[None]:
    """With the interpreter's lock, a thread has it for so short a time that it is stopped in the middle of most things."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def at_once(work: Callable[[], Any]) -> list[Any]:
    """What each of eight threads gets that begin the same work at the same moment; an error in one of them is raised here."""
    barrier = threading.Barrier(THREADS)
    answers: list[Any] = [None] * THREADS
    errors: list[BaseException] = []

    def run(number: int) -> None:
        try:
            barrier.wait(60)
            answers[number] = work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return answers


def fresh(rules: Rules) -> Rules:
    """Equal rules that nobody has used, so that whatever is made at the first use is made while all eight look."""
    return Rules.from_dict(rules.to_dict())


def places(rules: Rules) -> list[Position]:
    """Some positions of a game, from the start to where checkers are borne off."""
    found = [Position(rules)]
    for turn in range(60):
        rolls = dice.all_rolls(rules.dice)
        plays = found[-1].plays(rolls[turn * 7 % len(rolls)])
        if not plays:
            break
        found.append(plays[turn % len(plays)].position)
    return found[::6]


def refusal(position: Position) -> str:
    """What is said to moves that no roll allows: all of it by the slow road through the reference."""
    try:
        position.apply([(0, 6)] * 4, "6" * position.rules.dice)
    except IllegalPlayError as error:
        return str(error)
    return "none"


LOOKS: dict[str, Callable[[Position], Any]] = {
    "facts": lambda p: (p.mover, p.other, p.turn, p.rules, p.pips, p.outcome, hash(p), p.to_text(), p.to_array().tobytes()),
    "others": lambda p: (p.swap_sides().swap_sides() == p, copy.copy(p) is p, pickle.loads(pickle.dumps(p)) == p, repr(p), str(p)),
    "counts": lambda p: [p.count(roll) for roll in dice.all_rolls(p.rules.dice)],
    "plays": lambda p: [p.plays(roll).positions.tobytes() for roll in dice.all_rolls(p.rules.dice)],
    "moves": lambda p: [[play.moves for play in p.plays(roll)[:3]] for roll in dice.all_rolls(p.rules.dice)[::5]],
    "texts": lambda p: [str(play) for play in p.plays(dice.all_rolls(p.rules.dice)[3])],
    "a move at a time": lambda p: [p.plays(roll).after() for roll in dice.all_rolls(p.rules.dice)[::5] if p.outcome is None],
    "a refusal": refusal,
    "perft": lambda p: (perft(p, 1), divide(p, 1)),
    "pictures": lambda p: (svg.board(p), drawing.board(p)),
}
"""Each way of looking at a position."""


@pytest.mark.parametrize("look", LOOKS)
@games
def test_a_position_that_eight_threads_look_at_says_what_it_says_to_one(rules: Rules, look: str) -> None:
    for text in [place.to_text() for place in places(rules)[::3]]:
        expected = LOOKS[look](Position.from_text(text, rules=fresh(rules)))
        for _ in range(3):
            shared = Position.from_text(text, rules=fresh(rules))
            assert at_once(lambda shared=shared: LOOKS[look](shared)) == [expected] * THREADS


@games
def test_plays_that_eight_threads_look_at_say_what_they_say_to_one(rules: Rules) -> None:
    turns = [place.plays(roll) for place in places(rules) for roll in dice.all_rolls(rules.dice)[::6] if place.outcome is None]

    def look() -> list[Any]:
        return [
            (
                len(plays), plays.dice_used, plays.roll, plays.positions.tobytes(), hash(plays), plays[0] in plays,
                [play.moves for play in plays[::-2]][:3], plays.index(plays[-1].position),
                plays == plays.position.plays(plays.roll),
            )
            for plays in turns
        ]  # fmt: skip

    assert at_once(look) == [look()] * THREADS


@games
def test_the_moves_of_plays_that_eight_threads_ask_for_first_are_found_once(rules: Rules) -> None:
    position, roll = Position(rules), (6, 5, 2)[: rules.dice]
    expected = [play.moves for play in position.plays(roll)]
    for _ in range(50):
        plays = list(position.plays(roll)) + list(asked := position.plays(roll))
        assert at_once(lambda plays=plays: [play.moves for play in plays]) == [expected + expected] * THREADS
        assert len(asked) == len(expected)


def test_rules_that_eight_threads_use_first_are_compiled_once() -> None:
    # A layer takes only what stands under the same compiled rules, so that two of them would be refused.
    for _ in range(200):
        rules = fresh(BACKGAMMON)
        first, *others = at_once(lambda rules=rules: Position(rules))
        for other in others:
            assert PlyPositions(first).expand(0, 1, PlyPositions(other, empty=True)) > 0


def test_no_thread_can_change_a_position_by_making_it_again() -> None:
    position = Position.__new__(Position)
    before = hash(position), position.to_text()

    def look() -> tuple[int, str]:
        for rules in GAMES:
            position.__init__(rules)  # type: ignore[misc]
        return hash(position), position.to_text()

    assert at_once(look) == [before] * THREADS
    assert position == Position()


def test_what_is_computed_at_the_first_call_is_the_same_for_all_who_call_first() -> None:
    for many in (1, 2, 3):
        rolls, chances = dice.all_rolls(many), dict(dice.chances(many))
        dice._all_rolls.cache_clear()
        dice._chances.cache_clear()
        assert at_once(lambda many=many: (dice.all_rolls(many), dict(dice.chances(many)))) == [(rolls, chances)] * THREADS


def test_the_plays_of_an_iterator_that_eight_threads_share_are_handed_out_once_each() -> None:
    plays = Position(BACKGAMMON).plays("11")
    for _ in range(50):
        shared, all_of_them = iter(plays), set(plays)

        def take(shared: Iterator[Any] = shared) -> list[Any]:
            taken = []
            while True:
                try:
                    taken.append(next(shared))
                except ValueError:  # another thread is just taking one
                    continue
                except StopIteration:
                    return taken

        found = [play for taken in at_once(take) for play in taken]
        assert len(found) == len(set(found))
        assert set(found) <= all_of_them


@games
def test_arrays_that_eight_threads_read_give_all_of_them_the_same(rules: Rules) -> None:
    boards = np.stack([place.to_array() for place in places(rules)])
    every = np.array(dice.all_rolls(rules.dice), np.uint8)
    rolls = every[np.arange(len(boards)) * 5 % len(every)]
    boards.flags.writeable = rolls.flags.writeable = False

    def look(rules: Rules = rules, threads: int = 1) -> list[bytes]:
        after = batch.afterstates(boards, rolls, rules=rules, threads=threads)
        found = [
            after.positions, after.offsets, after.rows, after.dice_used, after.best(np.arange(len(after.positions)) % 7),
            batch.all_rolls(boards, rules=rules, threads=threads).positions,
            batch.counts(boards, None, rules=rules, threads=threads), batch.moves(boards, rolls, rules=rules).moves,
            batch.outcome(boards, rules=rules), batch.unpack(batch.pack(boards, rules=rules), rules=rules),
            batch.validate(boards, rules=rules).legal, raw(boards, rules=rules, threads=threads),
        ]  # fmt: skip
        return [array.tobytes() for array in found]

    expected = look()
    for threads in (1, 2):
        unused = fresh(rules)
        assert at_once(lambda unused=unused, threads=threads: look(unused, threads)) == [expected] * THREADS


@games
def test_eight_threads_that_play_the_same_games_see_the_same_games(rules: Rules) -> None:
    def look(start: Position) -> list[Any]:
        played = playouts(start, 20, rng=np.random.default_rng(7), threads=2)
        return [played.games.tobytes(), played.plays_by_ply.tobytes()]

    expected, shared = look(Position(rules)), Position(fresh(rules))
    assert at_once(lambda: look(shared)) == [expected] * THREADS


def test_eight_threads_that_count_the_same_tree_come_to_the_same_number() -> None:
    shared = Position(fresh(BACKGAMMON))
    expected = [perft(Position(BACKGAMMON), 2), perft(Position(BACKGAMMON), 2), divide(Position(BACKGAMMON), 2)]
    look = lambda: [perft(shared, 2, threads=2), perft(shared, 2, merge=True), divide(shared, 2)]  # noqa: E731
    assert at_once(look) == [expected] * THREADS


# ------------------------------------------------------------------------------------------------------------------- the audit

WRITERS = {
    "add", "append", "clear", "difference_update", "discard", "extend", "insert", "intersection_update", "pop", "popitem", "remove",
    "setdefault", "sort", "symmetric_difference_update", "update",
}  # fmt: skip
"""Methods that change what they belong to."""

SWAPPED = {"SPARE": "the block that calls borrow in turn: only ever taken and put back by one atomic exchange"}
"""C variables that change while the package is at work, and why they may."""

GUARDED = {"_OPEN": "the checkpoints that this process has open: only ever changed under the lock beside it"}
"""What Python modules keep that changes while the package is at work, and why it may."""

FILLED = re.compile(r"fill_\w+")
"""Functions that are called once, as their module is loaded, and fill its tables."""


def written(tree: ast.Module) -> Iterator[str]:
    """Where functions of a module change what belongs to the module."""
    ours = {
        node.id for statement in tree.body if not isinstance(statement, ast.FunctionDef | ast.ClassDef)
        for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }  # fmt: skip
    ours |= {
        alias.asname or alias.name for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names
    }
    modules = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        own = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        own |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
        for node in ast.walk(function):
            changed: ast.expr | None = None
            if isinstance(node, ast.Global):
                yield f"line {node.lineno}: global {', '.join(node.names)}"
            elif isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
                changed = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITERS:
                changed = node.func.value
                if isinstance(changed, ast.Name) and changed.id in modules:  # a function of numpy, such as np.sort
                    continue
            if isinstance(changed, ast.Name) and changed.id in ours - own - GUARDED.keys():
                yield f"line {node.lineno}: {function.name} changes {changed.id}"


def test_the_audit_sees_what_it_is_to_see() -> None:
    text = """
import os
KNOWN, NAMES = {}, []
def one(key): KNOWN[key] = 1
def two(): NAMES.append(2)
def three():
    global KNOWN
def four(): os.sep = "/"
def five(): del KNOWN[5]
def six(KNOWN): KNOWN[6] = 6
def seven():
    NAMES = []
    NAMES.append(7)
def eight(): return os.sort(KNOWN)
"""
    assert [each.split(": ")[1] for each in written(ast.parse(text))] == [
        "one changes KNOWN", "two changes NAMES", "global KNOWN", "four changes os", "five changes KNOWN",
    ]  # fmt: skip


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_function_changes_what_belongs_to_its_module(path: Path) -> None:
    assert list(written(ast.parse(path.read_text(encoding="utf-8")))) == []


def native_writes(text: str) -> set[str]:
    """The C variables of a module that anything but the functions that fill tables writes to, or takes the address of."""
    variables = set(re.findall(r"^cdef (?:const )?\w+ \*?(\w+)(?:\[[^=\n]*)?(?: =.*)?$", text, re.MULTILINE))
    found: set[str] = set()
    function = ""
    for line in text.splitlines():
        if line[:1].strip() and (named := re.match(r"(?:cdef|def|cpdef)\b[^=(]*?(\w+)\(", line)):
            function = named[1]
        elif line[:1].strip() and not line.startswith(")"):
            function = ""
        if function and not FILLED.fullmatch(function):
            for name in variables:
                if re.search(rf"&{name}\b(?!\[)|(?<![\w.]){name}(\[[^=]*\])* [-+*|&^/<>]*=(?!=)", line):
                    found.add(name)
    return found


def test_the_audit_of_native_code_sees_what_it_is_to_see() -> None:
    text = """
cdef uint64_t TABLE[3]
cdef int COUNT = 0
cdef void *KEPT = NULL
cdef int LIMIT = 5
cdef void fill_table() noexcept nogil:
    TABLE[0] = 1
cdef int one(int x) noexcept nogil:
    COUNT += TABLE[1]
    return LIMIT == x
def two():
    swap(&KEPT)
"""
    assert native_writes(text) == {"COUNT", "KEPT"}


def test_native_modules_keep_nothing_that_changes_but_one_spare_block() -> None:
    paths = [path for suffix in ("*.pyx", "*.pxi") for path in SOURCE.rglob(suffix)]
    found = {name for path in paths for name in native_writes(path.read_text(encoding="utf-8"))}
    assert found == set(SWAPPED)


def test_importing_the_package_leaves_the_lock_off_where_there_is_a_choice() -> None:
    code = """
import importlib, pkgutil, sys, tabula
for module in pkgutil.walk_packages(tabula.__path__, "tabula."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(getattr(sys, "_is_gil_enabled", lambda: True)())
"""
    told = subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, capture_output=True, text=True).stdout
    before = subprocess.run(
        [sys.executable, "-c", 'import sys, numpy; print(getattr(sys, "_is_gil_enabled", lambda: True)())'],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert told == before


@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), KeyboardInterrupt()])
def test_what_is_handed_out_before_an_error_is_given_up(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Units that were under way when another could not be handed out ran to their end first."""
    submit, handed, given_up = ThreadPoolExecutor.submit, [], []

    def fails(pool: ThreadPoolExecutor, work: Any, unit: int, stop: Stop) -> Any:
        if len(handed) == 3:
            raise error
        handed.append(unit)
        return submit(pool, work, unit, stop)

    def work(unit: int, stop: Stop) -> None:
        try:
            while True:
                stop.check()
                time.sleep(0.001)
        except StoppedError:
            given_up.append(unit)
            raise

    monkeypatch.setattr(ThreadPoolExecutor, "submit", fails)
    with pytest.raises(type(error)):
        list(in_threads(work, range(10), 2))
    assert set(given_up) <= set(handed)
    assert len(handed) == 3
