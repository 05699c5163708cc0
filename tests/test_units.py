"""Long work in small units: the same to the bit whoever does them, in whatever order, and however often it is broken off."""

import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import documents, work
from support.tracks import side
from support.work import QUESTION, EndsItsProcess, Later, Refuses, RefusesOnce, Square

import tabula
from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules, divide, perft
from tabula.playouts import Playouts, playouts
from tabula.work import Stop, in_threads, units
from tabula.work.checkpoint import InvalidCheckpointError
from tabula.work.units import UnitFailedError, results


def processes(many: int = 2) -> Executor:
    return ProcessPoolExecutor(many, multiprocessing.get_context("spawn"))


EXECUTORS: dict[str, Callable[[], Executor]] = {
    "threads": lambda: ThreadPoolExecutor(3),
    "another order": Later,
    "fails once": lambda: Later(seed=2, fails=1),
}


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with processes() as made:
        yield made


@pytest.fixture(params=["processes", *EXECUTORS])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    if request.param == "processes":
        yield request.getfixturevalue("pool")
        return
    with EXECUTORS[request.param]() as made:
        yield made


def seeded() -> np.random.Generator:
    return np.random.default_rng(7)


def same(one: Playouts, two: Playouts) -> bool:
    return one.games.tobytes() == two.games.tobytes() and one.plays_by_ply.tolist() == two.plays_by_ply.tolist()


# ------------------------------------------------------------------------------------------------------------ the same answers


@pytest.mark.parametrize(
    ("rules", "depth", "leaves"),
    [(TABULA, 1, 222), (TABULA, 3, 44_094_841), (BACKGAMMON, 2, 202_782), (TABULA_HISTORIC, 4, 9_834_496)],
)
def test_perft_does_not_depend_on_who_counts(executor: Executor, rules: Rules, depth: int, leaves: int) -> None:
    # merged within a unit, for that is soon done
    assert perft(Position(rules), depth, executor=executor, merge=depth > 3) == leaves


def test_a_deep_perft_is_counted_in_units_two_plies_down(tmp_path: Path) -> None:
    small = Position(Rules(dice=1, stack_limit=None, setup=side({0: 3}, checkers=3)))
    expected = perft(small, 5)
    assert expected == perft(small, 5, engine="reference") > 10_000
    with Later() as executor:
        assert perft(small, 5, executor=executor, checkpoint=tmp_path / "small") == expected
        assert {unit.depth for unit in executor.order} == {3}
        assert perft(small, 5, executor=executor, merge=True) == expected
    assert divide(small, 5, checkpoint=tmp_path / "small") == divide(small, 5)
    assert divide(small, 5, "3", checkpoint=tmp_path / "a roll") == divide(small, 5, "3")


def test_divide_does_not_depend_on_who_counts(executor: Executor) -> None:
    start = Position()
    assert divide(start, 2, executor=executor) == divide(start, 2)
    assert divide(start, 3, "652", executor=executor) == divide(start, 3, "652")


def test_the_reference_counts_in_units_too(executor: Executor) -> None:
    assert perft(Position(), 1, engine="reference", executor=executor) == 222


def test_nothing_to_count_is_counted(executor: Executor, tmp_path: Path) -> None:
    over = Position.from_points({24: 1}, {}, rules=TABULA, off=(14, 15))
    assert perft(over, 2, executor=executor, checkpoint=tmp_path / "over") == 0
    assert perft(Position(), 0, executor=executor) == 1
    assert set(divide(over, 1, executor=executor).values()) == {0}


def test_playouts_do_not_depend_on_who_plays(executor: Executor) -> None:
    expected = playouts(Position(BACKGAMMON), 5_000, rng=seeded())
    assert same(playouts(Position(BACKGAMMON), 5_000, rng=seeded(), executor=executor), expected)


def test_playouts_by_a_policy_do_not_depend_on_who_plays(executor: Executor, tmp_path: Path) -> None:
    expected = playouts(Position(), 300, rng=seeded(), policy=work.bears_off)
    assert same(playouts(Position(), 300, rng=seeded(), policy=work.bears_off, executor=executor), expected)
    kept = playouts(Position(), 300, rng=seeded(), policy=work.bears_off, threads=2, checkpoint=tmp_path / "games")
    assert same(kept, expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_checkpoint_alone_changes_nothing_and_is_all_that_is_read_the_second_time(
    tmp_path: Path, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = playouts(Position(), 5_000, rng=seeded())
    for _ in range(2):
        assert perft(Position(), 3, checkpoint=tmp_path / "three", threads=threads) == 44_094_841
        assert same(playouts(Position(), 5_000, rng=seeded(), checkpoint=tmp_path / "games", threads=threads), expected)
        monkeypatch.setattr(units, "_run", lambda jobs, *_: iter(list(jobs)))
    with Later() as executor:
        assert same(playouts(Position(), 5_000, rng=seeded(), checkpoint=tmp_path / "games", executor=executor), expected)


def test_progress_is_told_of_every_unit(tmp_path: Path) -> None:
    for _ in range(2):
        told: list[tuple[int, int]] = []
        perft(Position(), 2, checkpoint=tmp_path / "two", progress=lambda done, many, told=told: told.append((done, many)))
        assert told == [(done, 122) for done in range(123)]
        games: list[tuple[int, int]] = []
        playouts(
            Position(),
            5_000,
            rng=seeded(),
            checkpoint=tmp_path / "games",
            progress=lambda done, many, told=games: told.append((done, many)),
        )
        assert games == [(0, 5000), (2048, 5000), (4096, 5000), (5000, 5000)]


def test_games_cross_an_executor_as_bytes() -> None:
    class Listens(ThreadPoolExecutor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = super().submit(fn, *args, **kwargs)
            sent.append(future)
            return future

    sent: list[Future[Any]] = []
    with Listens(1) as executor:
        played = playouts(Position(), 3_000, rng=seeded(), executor=executor)
    crossed = [future.result() for future in sent]
    assert [type(result) for result in crossed] == [bytes, bytes]
    assert b"".join(result[: games * 56] for result, games in zip(crossed, (2048, 952), strict=True)) == played.games.tobytes()


def test_results_in_order_raise_the_first_error_of_the_order() -> None:
    """Which exception a call raises does not depend on the number of threads."""
    later_has_failed = threading.Event()

    def fails(n: int, stop: Stop) -> int:
        del stop
        if n == 3:
            later_has_failed.set()
            raise ArithmeticError("the later one")
        if n == 2:
            assert later_has_failed.wait(60)
            raise LookupError("the first one")
        return n

    found = in_threads(fails, range(10), 4)
    assert [next(found), next(found)] == [0, 1]
    with pytest.raises(LookupError, match="the first one"):
        next(found)


@pytest.mark.parametrize("threads", [0, 1025, 1.5])
def test_work_of_ones_own_has_a_number_of_threads_too(threads: Any) -> None:
    for call in (
        lambda: list(in_threads(lambda n, _: n, range(3), threads)),
        lambda: list(results(map(Square, range(10)), 10, QUESTION, threads=threads)),
    ):
        with pytest.raises((TypeError, ValueError), match=r"^threads must be "):
            call()


def test_the_first_program_of_the_page_runs_as_a_file(tmp_path: Path) -> None:
    """A process that it starts imports the file again."""
    program = documents.blocks(documents.text_of("docs/scaling.md"), "python")[0].text
    (tmp_path / "three.py").write_text(program, encoding="utf-8")
    subprocess.run([sys.executable, "three.py"], cwd=tmp_path, check=True)
    assert len((tmp_path / "three.checkpoint").read_text(encoding="ascii").splitlines()) == 123


# ------------------------------------------------------------------------------------------------------------------- failures


def squares(made: type[Square], *more: object) -> Iterator[Square]:
    return (made(n, *more) for n in range(10))


def test_a_unit_that_fails_once_is_done_again(tmp_path: Path, pool: Executor) -> None:
    found = results(squares(RefusesOnce, tmp_path), 10, QUESTION, executor=pool)
    assert dict(found) == {n: n**2 for n in range(10)}


def test_a_unit_that_fails_twice_is_named_with_its_reason(pool: Executor) -> None:
    with pytest.raises(UnitFailedError, match=r"^the square of \d failed: ArithmeticError: no square of \d$") as failed:
        list(results(squares(Refuses), 10, QUESTION, executor=pool))
    assert isinstance(failed.value.__cause__, ArithmeticError)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_unit_that_fails_here_is_named_with_its_reason(threads: int) -> None:
    with pytest.raises(UnitFailedError, match=r"^the square of \d failed: ArithmeticError: no square of \d$"):
        list(results(squares(Refuses), 10, QUESTION, threads=threads))


def test_a_policy_that_raises_is_the_cause(pool: Executor, tmp_path: Path) -> None:
    for options in ({"executor": pool}, {"checkpoint": tmp_path / "games"}):
        with pytest.raises(UnitFailedError, match=r"^games 0\.\.9 failed: LookupError: '\(2, 26\) is unknown'$|^games 0") as failed:
            playouts(Position(), 10, rng=seeded(), policy=work.raises, **options)
        assert isinstance(failed.value.__cause__, LookupError)


def test_a_policy_that_cannot_be_sent_is_refused_in_a_sentence(pool: Executor) -> None:
    with pytest.raises(TypeError, match=r"^games 0\.\.9 cannot be sent to another process: .*; a policy must be a function or"):
        playouts(Position(), 10, rng=seeded(), policy=lambda after: after[:, 1, 25], executor=pool)


def test_what_was_done_before_a_worker_ended_is_not_lost(tmp_path: Path) -> None:
    file, done = tmp_path / "squares", tmp_path / "done"
    with processes(1) as broken, pytest.raises(BrokenExecutor) as told:
        list(results(squares(EndsItsProcess, done), 10, QUESTION, executor=broken, checkpoint=file))
    counted = re.fullmatch(
        r"the executor broke after (\d) of 10 units: a worker has ended, or could not load what it was sent; "
        rf"{re.escape(str(file))} has what was done: the same call with another executor goes on from there",
        str(told.value),
    )
    assert counted
    lines = file.read_text().splitlines()
    assert len(lines) == 1 + 7 >= 1 + int(counted[1])
    done.touch()
    with processes(1) as whole:
        assert dict(results(squares(EndsItsProcess, done), 10, QUESTION, executor=whole, checkpoint=file)) == {
            n: n**2 for n in range(10)
        }
    assert file.read_text().splitlines()[:8] == lines


def test_without_a_checkpoint_the_sentence_says_so(tmp_path: Path) -> None:
    with processes(1) as broken, pytest.raises(BrokenExecutor, match=r"; a checkpoint would have stored what was done$"):
        list(results(squares(EndsItsProcess, tmp_path / "done"), 10, QUESTION, executor=broken))


def test_what_is_no_executor_is_named() -> None:
    for call in (
        lambda thing: perft(Position(), 2, executor=thing),
        lambda thing: divide(Position(), 2, executor=thing),
        lambda thing: playouts(Position(), 2, rng=seeded(), executor=thing),
    ):
        with pytest.raises(TypeError, match=r"^executor must be a concurrent\.futures\.Executor, or None, not 7$"):
            call(7)

        class Strange:
            def submit(self, *_: object) -> int:
                return 5

        with pytest.raises(TypeError, match=r"executor\.submit must give a concurrent\.futures\.Future, not 5; of a dask"):
            call(Strange())


def test_threads_and_an_executor_are_not_both_asked_for(pool: Executor) -> None:
    rng = seeded()
    for call in (
        lambda: perft(Position(), 2, threads=2, executor=pool),
        lambda: divide(Position(), 2, threads=2, executor=pool),
        lambda: playouts(Position(), 2, rng=rng, threads=2, executor=pool),
    ):
        with pytest.raises(ValueError, match=r"the executor has workers of its own: leave threads at 1, not 2$"):
            call()
    assert rng.bit_generator.state == seeded().bit_generator.state


# ---------------------------------------------------------------------------------------------------------- broken off and on


def test_no_more_units_are_under_way_than_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "_IN_FLIGHT", 5)
    taken = 0

    def taking() -> Iterator[Square]:
        nonlocal taken
        for n in range(50):
            taken += 1
            yield Square(n)

    with Later() as executor:
        for done, _ in enumerate(results(taking(), 50, QUESTION, executor=executor), 1):
            assert taken <= done + 5
        assert executor.most <= 5
    assert taken == 50


@pytest.mark.parametrize("far", [True, False])
def test_an_interrupt_leaves_a_checkpoint_to_go_on_from(tmp_path: Path, far: bool) -> None:
    file = tmp_path / "three"

    def interrupt(done: int, _: int) -> None:
        if done == 30:
            raise KeyboardInterrupt

    with one_of(far) as options:
        with pytest.raises(KeyboardInterrupt):
            perft(Position(), 3, checkpoint=file, progress=interrupt, **options)
        kept = file.read_text().splitlines()
        assert 31 <= len(kept) <= 123
        assert perft(Position(), 3, checkpoint=file, **options) == 44_094_841
    assert file.read_text().splitlines()[: len(kept)] == kept
    assert len(file.read_text().splitlines()) == 123


@contextmanager
def one_of(far: bool) -> Iterator[dict]:
    if not far:
        yield {"threads": 2}
        return
    with Later() as executor:
        yield {"executor": executor}


def test_the_seed_belongs_to_the_question(tmp_path: Path) -> None:
    file = tmp_path / "games"
    playouts(Position(), 10, rng=seeded(), checkpoint=file)
    with pytest.raises(
        InvalidCheckpointError, match=r"is the checkpoint of another question: its seed is \d+, and here it is \d+$"
    ):
        playouts(Position(), 10, rng=np.random.default_rng(8), checkpoint=file)
    with pytest.raises(InvalidCheckpointError, match="its games is 10, and here it is 11"):
        playouts(Position(), 11, rng=seeded(), checkpoint=file)
    with pytest.raises(InvalidCheckpointError, match=r"its policy is None, and here it is 'support\.work\.bears_off'"):
        playouts(Position(), 10, rng=seeded(), policy=work.bears_off, checkpoint=file)
    with pytest.raises(InvalidCheckpointError, match="its kind is 'playouts', and here it is 'perft'"):
        perft(Position(), 2, checkpoint=file)


def test_the_rules_and_the_position_belong_to_the_question(tmp_path: Path) -> None:
    file = tmp_path / "two"
    perft(Position(), 2, checkpoint=file)
    for other, said in (
        (Position(Rules(stack_limit=6)), "its rules.stack_limit is 5, and here it is 6"),
        (Position().swap_sides(), "its position is 'O------------------------o:w', and here it is 'O------------------------o:b'"),
    ):
        with pytest.raises(InvalidCheckpointError, match=re.escape(said)):
            perft(other, 2, checkpoint=file)
    for options, said in (({"merge": True}, "engine"), ({"engine": "reference"}, "engine")):
        with pytest.raises(InvalidCheckpointError, match=f"its {said} is"):
            perft(Position(), 2, checkpoint=file, **options)
    with pytest.raises(InvalidCheckpointError, match=r"its roll is not given, and here it is \[6, 5, 2\]"):
        divide(Position(), 2, "652", checkpoint=file)
    assert perft(Position(Rules(name="another label")), 2, checkpoint=file) == 59_085


COMMANDS = {
    "perft": ["perft", "4", "--game", "historic", "--json"],
    "perft in processes": ["perft", "4", "--game", "historic", "--json", "--processes", "2"],
    "games": ["playouts", "--games", "30000", "--seed", "3"],
}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("name", COMMANDS)
def test_killed_at_any_moment_and_started_again_it_comes_to_the_same_end(name: str, tmp_path: Path) -> None:
    file = tmp_path / "work"
    command = [sys.executable, "-m", "tabula", *COMMANDS[name]]
    rng = random.Random(name)
    kept: list[str] = []
    for _ in range(4):
        with subprocess.Popen(
            [*command, "--checkpoint", str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as running:
            enough = (file.stat().st_size if file.exists() else 0) + rng.randrange(300 if "perft" in name else 400_000)
            while running.poll() is None and (not file.exists() or file.stat().st_size <= enough):
                pass
            running.send_signal(signal.SIGKILL)
        text = file.read_text()
        lines = text[: text.rfind("\n") + 1].splitlines()
        assert lines[: len(kept)] == kept
        assert len(lines) > len(kept)
        kept = lines
    last = subprocess.run([*command, "--checkpoint", str(file)], check=True, capture_output=True, text=True)
    if name == "games":
        assert last.stdout == subprocess.run(command, check=True, capture_output=True, text=True).stdout
    else:
        assert '"leaves": 9834496' in last.stdout
    whole = file.read_text().splitlines()
    assert whole[: len(kept)] == kept
    assert len(whole) == len(set(whole)) == 1 + (15 if name == "games" else 56)


def test_a_worker_that_is_to_end_gives_up_its_units() -> None:
    code = (
        "from tabula import Position, perft\nfrom tabula.work.units import UnitFailedError, give_up\n"
        "from concurrent.futures import ThreadPoolExecutor\ngive_up()\n"
        "with ThreadPoolExecutor(1) as pool:\n    try:\n        perft(Position(), 3, executor=pool)\n"
        "    except UnitFailedError as error:\n        print(type(error.__cause__).__name__)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "StoppedError\n"


def test_importing_the_package_does_not_load_what_only_units_need() -> None:
    code = "import sys, tabula; print('tabula.work.units' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "False\n"
    assert tabula.perft(Position(), 1) == 222


def test_one_future_for_two_units_is_refused() -> None:
    """A sum without one of its units would be a wrong number that nobody sees."""

    class Again(Executor):
        def __init__(self) -> None:
            self.given: list[Future[object]] = []

        def submit(self, fn: Callable[..., object], /, *args: object, **kwargs: object) -> Future[object]:
            if len(self.given) < 3:
                self.given.append(Future())
                self.given[-1].set_result(fn(*args, **kwargs))
            return self.given[-1]

    for call in (
        lambda: perft(Position(), 2, executor=Again()),
        lambda: divide(Position(), 2, executor=Again()),
        lambda: playouts(Position(), 10_000, rng=seeded(), executor=Again()),
    ):
        with pytest.raises(TypeError, match=r"^executor\.submit must give a future of its own for every call, and gave one again$"):
            call()


@pytest.mark.parametrize("many", [9, 11])
@pytest.mark.parametrize("how", [{}, {"threads": 2}, {"executor": None}, {"checkpoint": "squares"}])
def test_as_many_units_as_are_said_must_come(
    many: int, how: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = "there are more units" if many == 9 else "there are 10 units"
    with ThreadPoolExecutor(1) as executor, pytest.raises(ValueError, match=f"^n_units is {many}, and {said}$"):
        list(results(map(Square, range(10)), many, QUESTION, **({"executor": executor} if "executor" in how else how)))


def test_an_exception_that_no_pickle_brings_back_is_told_by_one_that_does(pool: Executor) -> None:
    """It would break the pool, which has nothing to do with it."""
    with pytest.raises(UnitFailedError, match=r"^games 0\.\.9 failed: RuntimeError: UnpickledError: told$") as found:
        playouts(Position(), 10, rng=seeded(), policy=work.raises_what_no_pickle_brings_back, executor=pool)
    assert isinstance(found.value.__cause__, RuntimeError)
    assert perft(Position(), 1, executor=pool) == 222


def test_what_a_call_that_raises_has_drawn_is_given_back(tmp_path: Path) -> None:
    """The same call again asks the same question of its checkpoint."""
    rng, file = seeded(), tmp_path / "games"

    def breaks_off(done: int, many: int) -> None:
        if 0 < done < many:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        playouts(Position(BACKGAMMON), 10_000, rng=rng, checkpoint=file, progress=breaks_off)
    assert len(file.read_text().splitlines()) > 1
    again = playouts(Position(BACKGAMMON), 10_000, rng=rng, checkpoint=file)
    assert same(again, playouts(Position(BACKGAMMON), 10_000, rng=seeded()))
    assert rng.integers(1 << 30) != seeded().integers(1 << 30)
