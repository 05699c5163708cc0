"""How much faster units of work are done by more processes, and what a unit costs beside its work.

    python benchmarks/scaling.py

Prints the tables of docs/scaling.md: perft over a `ProcessPoolExecutor` and, where it is installed, over dask.distributed, by the
clock, beside a loop of pure arithmetic in the same processes, and by processor time; and the bytes and the time that a unit costs.
Every answer is checked.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import multiprocessing
import os
import pickle
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from tabula import Position, perft
from tabula.counting import published

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

START: Final = Position()


def arithmetic(steps: int) -> int:
    """A loop that needs nothing but a processor."""
    total = 0
    for step in range(steps):
        total += step * step
    return total


@contextmanager
def pool(workers: int) -> Iterator[Executor]:
    """Processes of this machine."""
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as made:
        yield made


@contextmanager
def dask(workers: int) -> Iterator[Executor]:
    """A cluster of dask on this machine."""
    distributed: Any = importlib.import_module("distributed")
    with (
        distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(workers)
        yield client.get_executor(pure=False)


def clock(work: Callable[[], object]) -> float:
    """Seconds by the clock."""
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def processor() -> float:
    """Seconds of processor time that this process has used, and those of its children that have ended."""
    return time.process_time() + sum(os.times()[2:4])


def looped(executor: Executor, steps: int) -> float:
    """Seconds for eight loops of arithmetic."""
    return clock(lambda: [each.result() for each in [executor.submit(arithmetic, steps) for _ in range(8)]])


def counted(executor: Executor, depth: int) -> float:
    """Seconds for a perft, whose number is checked."""
    leaves: list[int] = []
    seconds = clock(lambda: leaves.append(perft(START, depth, merge=True, executor=executor)))
    if leaves != [published(START)[depth].leaves]:
        raise AssertionError(f"perft({depth}) of Tabula came to {leaves}")
    return seconds


class Weighed:
    """An executor that weighs what goes to another one, and what comes back."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self.units: list[int] = []

    def submit(self, work: Callable[..., Any], *args: Any) -> Any:
        """Hands it on."""
        self.units.append(len(pickle.dumps((work, args))))
        return self.executor.submit(work, *args)


def main(argv: list[str] | None = None) -> int:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--depth", type=int, default=4, help="of the perft of Tabula; 4 if left out")
    parser.add_argument("--steps", type=int, default=4_000_000, help="of each of 8 loops of arithmetic")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="how many, in turn; 1 2 if left out")
    args = parser.parse_args(argv)
    kinds = {"processes": pool, **({"dask.distributed": dask} if importlib.util.find_spec("distributed") else {})}
    with ThreadPoolExecutor(1) as here:
        before = processor()
        seconds = counted(here, args.depth)
        alone = processor() - before
    print(f"in a thread of this process: {seconds:.1f} s by the clock, {alone:.1f} s of processor time\n")
    print(
        "| executor | workers | arithmetic, s | gain | perft, s | gain | perft, s of processor time | as much as one thread "
        "| ms beside a unit's work |\n|---|---|---|---|---|---|---|---|---|"
    )
    weighed: list[int] = []
    for kind, made in kinds.items():
        first: tuple[float, float] | None = None
        for workers in args.workers:
            before = processor()
            with made(workers) as executor:
                counted(executor, 2)
                loops = looped(executor, args.steps)
                scales = Weighed(executor)
                beside = counted(scales, 2)  # type: ignore[arg-type]
            empty, before = processor() - before, processor()
            with made(workers) as executor:
                counted(executor, 2)
                looped(executor, args.steps)
                counted(executor, 2)
                leaves = counted(executor, args.depth)
            spent = processor() - before - empty
            weighed = scales.units
            first = first or (loops, leaves)
            print(
                f"| {kind} | {workers} | {loops:.1f} | {first[0] / loops:.2f} | {leaves:.1f} | {first[1] / leaves:.2f} "
                f"| {spent:.1f} | {spent / max(alone, 0.001):.2f} | {1000 * beside / len(weighed):.1f} |",
                flush=True,
            )
    print(f"\n{len(weighed)} units, {min(weighed)} to {max(weighed)} bytes each as they are sent; a result is one number")
    return 0


if __name__ == "__main__":
    sys.exit(main())
