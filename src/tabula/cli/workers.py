"""What `perft` and `playouts` share: threads, processes and checkpoints."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tabula._arguments import MOST_THREADS
from tabula.cli.arguments import RefusedError, whole_number
from tabula.work.units import give_up

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from concurrent.futures import Executor
    from multiprocessing.synchronize import Event

__all__ = ["add_workers", "process_pool", "read_workers"]


def add_workers(parser: argparse.ArgumentParser, verb: str, checkpoint: str) -> None:
    """Adds ``--threads``, ``--processes`` and ``--checkpoint``; `checkpoint` says what the last one does."""
    parser.add_argument("--threads", metavar="N", default="1", help=f"how many threads {verb}; 1 if left out")
    parser.add_argument("--processes", metavar="N", help=f"how many processes {verb}, instead of threads")
    parser.add_argument("--checkpoint", metavar="FILE", help=checkpoint)


def read_workers(args: argparse.Namespace) -> tuple[int, int | None]:
    """The numbers of threads and of processes; None for no processes."""
    threads = whole_number("--threads", args.threads, 1, MOST_THREADS)
    if args.processes is None:
        return threads, None
    if threads > 1:
        raise RefusedError("--threads is for this process, and --processes is for others: use one of them")
    return threads, whole_number("--processes", args.processes, 1, MOST_THREADS)


@contextmanager
def process_pool(processes: int | None) -> Iterator[Executor | None]:
    """An executor of so many processes, which end when this process is interrupted or ends in any other way; None for None."""
    if processes is None:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")
    end = context.Event()
    with ProcessPoolExecutor(processes, context, _begin_worker, (end,)) as pool:
        try:
            yield pool
        except BaseException:
            end.set()
            raise


def _begin_worker(end: Event) -> None:
    """Leaves Ctrl-C to the parent process: the worker ends when the parent sets `end`, or when the parent itself ends."""

    def watch_parent() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    def watch_end() -> None:
        end.wait()
        give_up()

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for watch in (watch_parent, watch_end):
        threading.Thread(target=watch, daemon=True).start()
