"""The command `playouts`: whole games of random plays."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING

import numpy as np

from tabula.cli.arguments import (
    RefusedError,
    add_json,
    add_position,
    add_seed,
    position_without_roll,
    seed_or_new,
    whole_number,
)
from tabula.cli.output import DONE, ProgressBar, position_fields, print_json
from tabula.cli.workers import add_workers, process_pool, read_workers
from tabula.playouts import MAX_PLIES, MOST_GAMES, MOST_PLIES, drawing, playouts, plot
from tabula.work.units import UnitFailedError

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `playouts`."""
    parser.add_argument("--games", metavar="N", default="10000", help="how many games to play; 10000 if left out")
    add_position(parser)
    add_seed(parser, "plays the same games")
    add_workers(parser, "play", "save finished parts of the games in FILE, and continue from those that are there")
    parser.add_argument(
        "--max-plies", metavar="N", default=str(MAX_PLIES), help=f"abandon a game after N plies; {MAX_PLIES} if left out"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="also draw how long games were and how many plays rolls had: .png, .svg or .pdf"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Plays whole games."""
    position, games = position_without_roll(args), whole_number("--games", args.games, 1, MOST_GAMES)
    threads, processes = read_workers(args)
    if args.checkpoint is not None and args.seed is None:
        raise RefusedError("--checkpoint needs --seed N: without it every run plays other games")
    max_plies = whole_number("--max-plies", args.max_plies, 1, MOST_PLIES)
    seed = seed_or_new(args)
    try:
        if args.plot is not None:
            drawing(args.plot)
        with process_pool(processes) as executor, ProgressBar("games") as bar:
            played = playouts(
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
        print_json({**position_fields(position), "seed": seed, **summary.to_dict()})
    else:
        print(f"random games of {position.rules.name} from {position.to_text()}, seed {seed}\n{summary}")
    if args.plot is not None:
        plot(played, args.plot)
    return DONE
