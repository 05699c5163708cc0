"""How fast long calls react to Ctrl-C: the time from the signal to the KeyboardInterrupt, in milliseconds.

python benchmarks/interrupts.py [TIMES]
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from tabula import BACKGAMMON, Position, batch, perft
from tabula.playouts import playouts

if TYPE_CHECKING:
    from collections.abc import Callable


def delays(call: Callable[[], object], times: int) -> list[float]:
    """The delay of each of some interruptions, at random moments of the call's first second."""
    found = []
    source = random.Random(1)
    sent = [0.0]

    def send() -> None:
        sent[0] = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    while len(found) < times:
        timer = threading.Timer(source.uniform(0.1, 1), send)
        try:
            timer.start()
            call()
            timer.join()
        except KeyboardInterrupt:
            found.append(1000 * (time.perf_counter() - sent[0]))
    return found


def main() -> int:
    """Prints the middle and the longest delay of each call."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    start = Position(BACKGAMMON)
    boards = batch.start(3_000_000, rules=BACKGAMMON)
    rng = np.random.default_rng(1)
    rolls = batch.roll(len(boards), rng=rng, rules=BACKGAMMON)
    for threads in (1, 2):
        calls: dict[str, Callable[[], object]] = {
            "perft": lambda threads=threads: perft(start, 9, threads=threads),
            "batch.counts": lambda threads=threads: batch.counts(boards, None, rules=BACKGAMMON, threads=threads),
            "batch.random_play": lambda threads=threads: batch.random_play(
                boards, rolls, rules=BACKGAMMON, threads=threads, rng=rng
            ),
            "playouts": lambda threads=threads: playouts(start, 10_000_000, rng=rng, threads=threads),
        }
        for name, call in calls.items():
            found = delays(call, times)
            print(f"{name}, {threads} thread{'s' * (threads > 1)}: {median(found):.1f} ms, at most {max(found):.1f} ms", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
