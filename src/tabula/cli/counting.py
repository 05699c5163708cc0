"""`perft` and `playouts`: what takes long, and shows how far it is."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabula import dice
from tabula._arguments import MOST_THREADS
from tabula.cli.common import (
    DONE,
    MISMATCH,
    NAME,
    RefusedError,
    bare_position,
    facts,
    json_argument,
    position_argument,
    print_json,
    seed_argument,
    seed_of,
    tell,
    whole,
)
from tabula.counting import divide, published
from tabula.counting import perft as count_leaves
from tabula.playouts import MAX_PLIES, MOST_GAMES, MOST_PLIES, drawing, plot
from tabula.playouts import playouts as play_games
from tabula.work.checkpoint import InvalidCheckpointError
from tabula.work.units import UnitFailedError, give_up

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from concurrent.futures import Executor
    from multiprocessing.synchronize import Event

    from tabula._native.position import Position
    from tabula.work.threads import Progress

__all__ = ["perft", "perft_arguments", "playouts", "playouts_arguments"]

_QUICK: Final = 2
"""The plies that are counted too soon for a progress bar to be of use."""


def _workers_arguments(parser: argparse.ArgumentParser, work: str, kept: str) -> None:
    """Adds what says who works, and where finished parts are kept."""
    parser.add_argument("--threads", metavar="N", default="1", help=f"how many threads {work}; 1 if left out")
    parser.add_argument("--processes", metavar="N", help=f"let so many processes {work} instead")
    parser.add_argument("--checkpoint", metavar="FILE", help=f"{kept}, and go on from it")


def _workers(args: argparse.Namespace) -> tuple[int, int | None]:
    """How many threads and how many processes are asked for."""
    if args.checkpoint == "":
        raise RefusedError("--checkpoint must be the path of a file, not ''")
    threads = whole("--threads", args.threads, 1, MOST_THREADS)
    if args.processes is None:
        return threads, None
    if threads > 1:
        raise RefusedError("--threads is for this process, and --processes is for others: use one of them")
    return threads, whole("--processes", args.processes, 1, MOST_THREADS)


@contextmanager
def _executor(processes: int | None) -> Iterator[Executor | None]:
    """Processes that work, and that end when this one is interrupted or ends in whatever way."""
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
    """Leaves Ctrl-C to the process that a worker works for: it sets `end`, or ends itself, and then the worker does too."""

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


def perft_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `perft`."""
    parser.add_argument("depth", metavar="DEPTH", nargs="?", default="3", help="how many plies to count; 3 if left out")
    parser.add_argument("--divide", action="store_true", help="show the leaves of the last ply for each first roll as well")
    _workers_arguments(parser, "count", "count DEPTH alone, keep its finished parts there")
    parser.add_argument(
        "--merge", action="store_true", help="look at a position reached in several ways once; the number is the same"
    )
    position_argument(parser)
    json_argument(parser)


def perft(args: argparse.Namespace) -> int:
    """Counts the game tree ply by ply."""
    position, deepest, (threads, processes) = bare_position(args), whole("the depth", args.depth, 1), _workers(args)
    if args.divide and args.merge:
        raise RefusedError("--divide splits what --merge puts together: use one of them")
    try:
        with _executor(processes) as executor:
            return _perft(args, position, deepest, threads, executor)
    except (UnitFailedError, BrokenExecutor, InvalidCheckpointError) as error:
        raise RefusedError(str(error)) from error


def _perft(args: argparse.Namespace, position: Position, deepest: int, threads: int, executor: Executor | None) -> int:
    known = published(position)
    depths: list[dict[str, Any]] = []
    told: dict[str, Any] = {**facts(position), "depths": depths}
    if not args.json:
        print(f"perft of {position.rules.name} from {position.to_text()}")
        print(f"{'depth':>5}  {'leaves':>20}  {'seconds':>10}  {'leaves/s':>15}", flush=True)
    wrong = None
    for depth in range(1, deepest + 1) if args.checkpoint is None else [deepest]:
        split = args.divide and depth == deepest
        by_roll: dict[dice.Roll, int] = {}
        with _Bar(f"depth {depth}", wanted=depth > _QUICK) as bar:
            started = time.perf_counter()
            how: dict[str, Any] = {
                "threads": threads,
                "progress": bar.progress,
                "executor": executor if depth > _QUICK else None,
                "checkpoint": args.checkpoint,
            }
            if split:
                by_roll = divide(position, depth, **how)
                leaves = sum(by_roll.values())
            else:
                leaves = count_leaves(position, depth, merge=args.merge, **how)
            seconds = time.perf_counter() - started
        expected = known[depth].leaves if depth in known else None
        depths.append({"depth": depth, "leaves": leaves, "seconds": seconds, "published": expected})
        wrong = expected is not None and expected != leaves
        if wrong and not by_roll:
            by_roll = divide(position, depth)
        if not args.json:
            line = f"{depth:>5}  {leaves:>20,}  {seconds:>10.3f}  {leaves / max(seconds, 1e-9):>15,.0f}"
            print(f"{line}  as published" if expected == leaves else line, flush=True)
            for roll, below in by_roll.items():
                print(f"{dice.to_text(roll):>9}  {below:>16,}")
        if by_roll:
            told["divide"] = {dice.to_text(roll): below for roll, below in by_roll.items()}
        if wrong:
            break
    if args.json:
        print_json(told)
    if wrong:
        sys.stdout.flush()
        last = depths[-1]
        tell(f"{NAME}: depth {last['depth']} has {last['published']:,} leaves as published, not {last['leaves']:,}")
    return MISMATCH if wrong else DONE


class _Bar:
    """A progress bar on stderr where that is a terminal and tqdm is installed; nothing elsewhere."""

    def __init__(self, label: str, *, wanted: bool) -> None:
        self._label = label
        self._wanted = wanted and sys.stderr.isatty()
        self._bar: Any = None
        self.progress: Progress | None = None

    def __enter__(self) -> _Bar:
        if self._wanted:
            try:
                tqdm = importlib.import_module("tqdm").tqdm
            except ImportError:
                return self
            self._bar = tqdm(desc=self._label, total=0, leave=False, file=sys.stderr, dynamic_ncols=True)
            self.progress = self._tell
        return self

    def _tell(self, done: int, total: int) -> None:
        if self._bar.total != total:
            self._bar.reset(total)
        self._bar.update(done - self._bar.n)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def playouts_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `playouts`."""
    parser.add_argument("--games", metavar="N", default="10000", help="how many games to play; 10000 if left out")
    position_argument(parser)
    seed_argument(parser, "plays the same games")
    _workers_arguments(parser, "play", "keep finished parts of the games there")
    parser.add_argument("--max-plies", metavar="N", default=str(MAX_PLIES), help=f"give a game up then; {MAX_PLIES} if left out")
    parser.add_argument("--plot", metavar="FILE", help="draw lengths and numbers of plays too: .png, .svg or .pdf")
    json_argument(parser)


def playouts(args: argparse.Namespace) -> int:
    """Plays whole games."""
    position, games, (threads, processes) = bare_position(args), whole("--games", args.games, 1, MOST_GAMES), _workers(args)
    if args.checkpoint is not None and args.seed is None:
        raise RefusedError("--checkpoint needs --seed N: without it every run plays other games")
    max_plies = whole("--max-plies", args.max_plies, 1, MOST_PLIES)
    seed = seed_of(args)
    try:
        if args.plot is not None:
            drawing(args.plot)
        with _executor(processes) as executor, _Bar("games", wanted=True) as bar:
            played = play_games(
                position,
                games,
                rng=np.random.default_rng(seed),
                threads=threads,
                max_plies=max_plies,
                progress=bar.progress,
                executor=executor,
                checkpoint=args.checkpoint,
            )
    except (ImportError, ValueError, UnitFailedError, BrokenExecutor) as error:
        raise RefusedError(str(error)) from error
    summary = played.summary()
    if args.json:
        print_json({**facts(position), "seed": seed, **summary.to_dict()})
    else:
        print(f"random games of {position.rules.name} from {position.to_text()}, seed {seed}\n{summary}")
    if args.plot is not None:
        plot(played, args.plot)
    return DONE
