"""Ray with two workers, one of which is killed in the middle of its work, through the class that docs/scaling.md has for it."""

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import documents, jobs

pytest.importorskip("ray")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")

COMMANDS = jobs.adapted(
    documents.commands("docs/scaling.md", "five_ray.py"),
    {'address="auto"': "num_cpus=2", "Position(), 5,": "Position(), 3,", "\npython ": f"\n{jobs.PYTHON} "},
)
"""What the page says, with two workers that are started here."""

BEGIN = """
import os, signal, time
import numpy as np
from support import work
from tabula import BACKGAMMON
from tabula.playouts import playouts
from tabula.work.units import UnitFailedError, results
""" + re.search(r"<<'END'\n(.*)^print\(perft", COMMANDS, re.DOTALL | re.MULTILINE)[1]
"""The page's program up to the counting, with more to import."""

Run = Callable[[str], jobs.Ended]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Runs shell commands. Ray makes sockets, whose paths must be short, and keeps a token in the home folder."""
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as short:
        yield lambda command: jobs.ran(command, tmp_path, HOME=short, RAY_TMPDIR=short, RAY_USAGE_STATS_ENABLED="0")


@pytest.fixture
def told(run: Run, tmp_path: Path) -> Callable[[str], list[str]]:
    """What a program tells with `tell`; for Ray prints among what is printed."""

    def lines(program: str) -> list[str]:
        (tmp_path / "program.py").write_text(
            BEGIN + "def tell(*told):\n    print(*told, file=open('told', 'a'), flush=True)\n" + program, encoding="utf-8"
        )
        ended = run(f"{jobs.PYTHON} program.py")
        assert ended.status == 0, ended.out + ended.err
        return (tmp_path / "told").read_text().splitlines()

    return lines


def test_the_commands_of_the_page_count_right(run: Run, tmp_path: Path) -> None:
    ended = run(COMMANDS)
    assert ended.status == 0, ended.err
    assert re.findall(r"^\d+$", ended.out, re.MULTILINE) == ["44094841"]
    assert len((tmp_path / "five.checkpoint").read_text().splitlines()) == 123


def test_perft_and_playouts_are_right_though_a_worker_is_killed(told: Callable[[str], list[str]], tmp_path: Path) -> None:
    program = """
class KillsAWorker:
    def __init__(self, after):
        # Asked for later, its number would come after the units that wait for a worker.
        self.worker = ray.get(ray.remote(lambda: os.getpid()).remote())
        self.after, self.killed, self.done = after, False, []

    def __call__(self, done, many):
        self.done.append((done, many))
        if done >= self.after and not self.killed:
            os.kill(self.worker, signal.SIGKILL)
            self.killed = True

kills = KillsAWorker(20)
tell(perft(Position(), 4, merge=True, executor=RayExecutor(), progress=kills, checkpoint="four"))
tell(kills.killed, kills.done == [(done, 122) for done in range(123)])

kills = KillsAWorker(5_000)
there = playouts(Position(BACKGAMMON), 20_000, rng=np.random.default_rng(5), executor=RayExecutor(), progress=kills)
here = playouts(Position(BACKGAMMON), 20_000, rng=np.random.default_rng(5))
tell(kills.killed, there.games.tobytes() == here.games.tobytes())
tell(there.plays_by_ply.tolist() == here.plays_by_ply.tolist())

there, here = (
    playouts(Position(BACKGAMMON), 600, rng=np.random.default_rng(5), policy=work.bears_off, executor=doing)
    for doing in (RayExecutor(), None)
)
tell(there.games.tobytes() == here.games.tobytes())
"""
    assert told(program) == ["30279799386", "True True", "True True", "True", "True"]
    assert len((tmp_path / "four").read_text().splitlines()) == 123


def test_a_unit_that_fails_twice_is_named_with_its_reason(told: Callable[[str], list[str]]) -> None:
    program = """
try:
    list(results(map(work.Refuses, range(10)), 10, work.QUESTION, executor=RayExecutor()))
except UnitFailedError as error:
    tell(str(error).splitlines()[0])
    tell(str(error).splitlines()[-1])
    tell(isinstance(error.__cause__, ArithmeticError))
"""
    named, reason, is_one = told(program)
    assert re.match(r"the square of \d failed: RayTaskError\(ArithmeticError\): ", named)
    assert re.fullmatch(r"ArithmeticError: no square of \d", reason)
    assert is_one == "True"


def test_a_unit_that_ends_its_worker_is_named_once_ray_gives_it_up(told: Callable[[str], list[str]]) -> None:
    program = """
from pathlib import Path
try:
    list(results((work.EndsItsProcess(n, Path("none")) for n in range(10)), 10, work.QUESTION, executor=RayExecutor()))
except UnitFailedError as error:
    tell(str(error))
"""
    (named,) = told(program)
    assert named.startswith("the square of 7 failed: WorkerCrashedError: ")


def test_after_ctrl_c_the_units_are_given_up_and_the_next_call_goes_on(told: Callable[[str], list[str]], tmp_path: Path) -> None:
    program = """
def interrupts(done, many):
    if done == 20:
        os.kill(os.getpid(), signal.SIGINT)

try:
    perft(Position(), 4, merge=True, executor=RayExecutor(), progress=interrupts, checkpoint="four")
except KeyboardInterrupt:
    tell(sum(1 for _ in open("four")) < 123)
tell(perft(Position(), 4, merge=True, executor=RayExecutor(), checkpoint="four"))

class Endless(work.Square):
    def run(self, stop):
        while self.n:
            time.sleep(0.01)
        return 0

try:
    for _ in results(map(Endless, range(10)), 10, work.QUESTION, executor=RayExecutor()):
        raise KeyboardInterrupt
except KeyboardInterrupt:
    tell(perft(Position(), 1, executor=RayExecutor()))
"""
    assert told(program) == ["True", "30279799386", "222"]
    assert len((tmp_path / "four").read_text().splitlines()) == 123
