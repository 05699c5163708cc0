"""`perft` and `playouts`: what takes long, and shows how far it is."""

from __future__ import annotations

import importlib
import sys
import time
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabula import dice
from tabula.cli.common import (
    DONE,
    MISMATCH,
    NAME,
    Refused,
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
from tabula.perft import divide, published
from tabula.perft import perft as count_leaves
from tabula.playouts import MAX_PLIES, drawing, plot
from tabula.playouts import playouts as play_games

if TYPE_CHECKING:
    import argparse

    from tabula.perft import Progress

__all__ = ["perft", "perft_arguments", "playouts", "playouts_arguments"]

_QUICK: Final = 2
"""The plies that are counted too soon for a progress bar to be of use."""


def perft_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `perft`."""
    parser.add_argument("depth", metavar="DEPTH", nargs="?", default="3", help="how many plies to count; 3 if left out")
    parser.add_argument("--divide", action="store_true", help="show the leaves of the last ply for each first roll as well")
    parser.add_argument("--threads", metavar="N", default="1", help="how many threads count; 1 if left out")
    parser.add_argument(
        "--merge", action="store_true", help="look at a position reached in several ways once; the number is the same"
    )
    position_argument(parser)
    json_argument(parser)


def perft(args: argparse.Namespace) -> int:
    """Counts the game tree ply by ply."""
    position, deepest, threads = bare_position(args), whole("the depth", args.depth, 1), whole("--threads", args.threads, 1)
    if args.divide and args.merge:
        raise Refused("--divide splits what --merge puts together: use one of them")
    known = published(position)
    depths: list[dict[str, Any]] = []
    told: dict[str, Any] = {**facts(position), "depths": depths}
    if not args.json:
        print(f"perft of {position.rules.name} from {position.to_text()}")
        print(f"{'depth':>5}  {'leaves':>20}  {'seconds':>10}  {'leaves/s':>15}", flush=True)
    wrong = None
    for depth in range(1, deepest + 1):
        split = args.divide and depth == deepest
        by_roll: dict[dice.Roll, int] = {}
        with _Bar(f"depth {depth}", wanted=depth > _QUICK) as bar:
            started = time.perf_counter()
            if split:
                by_roll = divide(position, depth, threads=threads, progress=bar.progress)
                leaves = sum(by_roll.values())
            else:
                leaves = count_leaves(position, depth, merge=args.merge, threads=threads, progress=bar.progress)
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
    parser.add_argument("--threads", metavar="N", default="1", help="how many threads play; 1 if left out")
    parser.add_argument("--max-plies", metavar="N", default=str(MAX_PLIES), help=f"give a game up then; {MAX_PLIES} if left out")
    parser.add_argument("--plot", metavar="FILE", help="draw lengths and numbers of plays too: .png, .svg or .pdf")
    json_argument(parser)


def playouts(args: argparse.Namespace) -> int:
    """Plays whole games."""
    position, games, threads = bare_position(args), whole("--games", args.games, 1), whole("--threads", args.threads, 1)
    max_plies = whole("--max-plies", args.max_plies, 1)
    seed = seed_of(args)
    try:
        if args.plot is not None:
            drawing(args.plot)
        with _Bar("games", wanted=True) as bar:
            played = play_games(
                position, games, rng=np.random.default_rng(seed), threads=threads, max_plies=max_plies, progress=bar.progress
            )
    except (ImportError, ValueError) as error:
        raise Refused(str(error)) from error
    summary = played.summary()
    if args.json:
        print_json({**facts(position), "seed": seed, **summary.to_dict()})
    else:
        print(f"random games of {position.rules.name} from {position.to_text()}, seed {seed}\n{summary}")
    if args.plot is not None:
        plot(played, args.plot)
    return DONE
