"""The command `perft`: the leaves of the game tree, ply by ply."""

from __future__ import annotations

import sys
import time
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, Any, Final

from tabula import dice
from tabula.cli.arguments import NAME, RefusedError, add_json, add_position, position_without_roll, whole_number
from tabula.cli.output import DONE, MISMATCH, ProgressBar, position_fields, print_error, print_json
from tabula.cli.workers import add_workers, process_pool, read_workers
from tabula.counting import divide, perft, published
from tabula.work.checkpoint import InvalidCheckpointError
from tabula.work.units import UnitFailedError

if TYPE_CHECKING:
    import argparse
    from concurrent.futures import Executor

    from tabula._native.position import Position

__all__ = ["add_arguments", "run"]

_QUICK: Final = 2
"""This many plies are counted too fast for a progress bar or other processes to be of use."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `perft`."""
    parser.add_argument("depth", metavar="DEPTH", nargs="?", default="3", help="how many plies to count; 3 if left out")
    parser.add_argument("--divide", action="store_true", help="also print the leaves of the last ply for each first roll")
    add_workers(parser, "count", "count DEPTH alone, save finished parts in FILE, and continue from those that are there")
    parser.add_argument(
        "--merge", action="store_true", help="search a position once even if it is reached in several ways; the result is the same"
    )
    add_position(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Counts the game tree ply by ply."""
    position, deepest = position_without_roll(args), whole_number("the depth", args.depth, 1)
    threads, processes = read_workers(args)
    if args.divide and args.merge:
        raise RefusedError("--divide splits what --merge puts together: use one of them")
    try:
        with process_pool(processes) as executor:
            return _count(args, position, deepest, threads, executor)
    except (UnitFailedError, BrokenExecutor, InvalidCheckpointError) as error:
        raise RefusedError(str(error)) from error


def _count(args: argparse.Namespace, position: Position, deepest: int, threads: int, executor: Executor | None) -> int:
    known = published(position)
    depths: list[dict[str, Any]] = []
    fields: dict[str, Any] = {**position_fields(position), "depths": depths}
    if not args.json:
        print(f"perft of {position.rules.name} from {position.to_text()}")
        print(f"{'depth':>5}  {'leaves':>20}  {'seconds':>10}  {'leaves/s':>15}", flush=True)
    wrong = False
    for depth in range(1, deepest + 1) if args.checkpoint is None else [deepest]:
        by_roll: dict[dice.Roll, int] = {}
        with ProgressBar(f"depth {depth}", enabled=depth > _QUICK) as bar:
            started = time.perf_counter()
            options: dict[str, Any] = {
                "threads": threads,
                "progress": bar.progress,
                "executor": executor if depth > _QUICK else None,
                "checkpoint": args.checkpoint,
            }
            if args.divide and depth == deepest:
                by_roll = divide(position, depth, **options)
                leaves = sum(by_roll.values())
            else:
                leaves = perft(position, depth, merge=args.merge, **options)
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
            fields["divide"] = {dice.to_text(roll): below for roll, below in by_roll.items()}
        if wrong:
            break
    if args.json:
        print_json(fields)
    if wrong:
        sys.stdout.flush()
        last = depths[-1]
        print_error(f"{NAME}: depth {last['depth']} has {last['published']:,} leaves as published, not {last['leaves']:,}")
    return MISMATCH if wrong else DONE
