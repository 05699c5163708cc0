"""A job of three processes under MPI: one hands out the work, two do it, and one of these is killed in the middle."""

import os
import re
import shutil
from pathlib import Path

import pytest
from support import documents, jobs

pytest.importorskip("mpi4py")

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL"),
    pytest.mark.skipif(shutil.which("mpiexec", path=jobs.PATH) is None, reason="there is no mpiexec"),
]


@pytest.fixture(scope="module", autouse=True)
def _mpi_starts(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A machine may have MPI and yet not let its processes find each other."""
    ended = jobs.ran(f"mpiexec -n 3 {jobs.PYTHON} -c 'from mpi4py import MPI'", tmp_path_factory.mktemp("mpi"))
    if ended.status:
        pytest.skip(f"MPI does not start here: {ended.err.strip()[-200:]}")


COMMANDS = jobs.adapted(
    documents.commands("docs/scaling.md", "five_mpi.py"), {"mpiexec -n 64 python ": f"mpiexec -n 3 {jobs.PYTHON} "}
)
"""What the page says, with two processes that do the work."""

FOUR = jobs.adapted(COMMANDS, {"Position(), 5,": "Position(), 4, merge=True,"})

BEGIN = """
import os, signal
import numpy as np
from mpi4py.futures import MPIPoolExecutor
from support import work
from tabula import BACKGAMMON, Position, divide, perft
from tabula.playouts import playouts
from tabula.work.units import results
"""


def ran(program: str, folder: Path) -> jobs.Ended:
    (folder / "program.py").write_text(BEGIN + program, encoding="utf-8")
    return jobs.ran(f"mpiexec -n 3 {jobs.PYTHON} -m mpi4py.futures program.py", folder)


def tells(ended: jobs.Ended, expected: str) -> None:
    """It has ended well, and printed this."""
    assert (ended.status, ended.out) == (0, expected), ended.err


def goes_on(ended: jobs.Ended, folder: Path) -> None:
    """A job that has ended in the middle told no number, and the page's commands come to the right one from its checkpoint."""
    assert ended.status != 0
    assert not re.search(r"^\d+$", ended.out, re.MULTILINE)
    file = folder / "five.checkpoint"
    kept = file.read_text().splitlines()
    assert 21 <= len(kept) < 123
    tells(jobs.ran(FOUR, folder), "30279799386\n")
    lines = file.read_text().splitlines()
    assert lines[: len(kept)] == kept
    assert len(lines) == len(set(lines)) == 123


def test_the_commands_of_the_page_count_right(tmp_path: Path) -> None:
    tells(jobs.ran(jobs.adapted(COMMANDS, {"Position(), 5,": "Position(), 3,"}), tmp_path), "44094841\n")
    assert len((tmp_path / "five.checkpoint").read_text().splitlines()) == 123


def test_divide_and_playouts_are_the_same_as_in_one_process(tmp_path: Path) -> None:
    program = """
if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        print(executor.num_workers, divide(Position(), 3, executor=executor) == divide(Position(), 3))
        for games, policy in ((10_000, None), (600, work.bears_off)):
            here, there = (
                playouts(Position(BACKGAMMON), games, rng=np.random.default_rng(5), policy=policy, executor=doing)
                for doing in (None, executor)
            )
            print(here.games.tobytes() == there.games.tobytes(), here.plays_by_ply.tolist() == there.plays_by_ply.tolist())
"""
    tells(ran(program, tmp_path), "2 True\nTrue True\nTrue True\n")


def test_a_worker_that_is_killed_ends_the_job_and_the_next_one_goes_on(tmp_path: Path) -> None:
    program = """
def kill(done, many):
    if done == 20:
        os.kill(worker, signal.SIGKILL)
        signal.pause()  # MPI ends this process

if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        worker = executor.submit(os.getpid).result()
        print(perft(Position(), 4, merge=True, executor=executor, checkpoint="five.checkpoint", progress=kill))
"""
    goes_on(ran(program, tmp_path), tmp_path)


def test_ctrl_c_ends_the_job_and_the_next_one_goes_on(tmp_path: Path) -> None:
    with jobs.job(FOUR, tmp_path) as running:
        running.wait_for_lines(tmp_path / "five.checkpoint", 21)
        running.interrupt()
        ended = running.end()
    goes_on(ended, tmp_path)


def test_a_unit_that_fails_twice_ends_the_job_and_is_named(tmp_path: Path) -> None:
    program = """
if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        print(list(results(map(work.Refuses, range(10)), 10, work.QUESTION, executor=executor)))
"""
    ended = ran(program, tmp_path)
    assert ended.status != 0
    assert re.search(
        r"^tabula\.work\.units\.UnitFailedError: the square of \d failed: ArithmeticError: no square of \d$",
        ended.err,
        re.MULTILINE,
    )
