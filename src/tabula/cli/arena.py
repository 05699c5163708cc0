"""The command `arena`: a match between two players."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING

import numpy as np

from tabula import arena
from tabula.bots import BOTS
from tabula.cli.arguments import RefusedError, add_game, add_json, add_seed, one_of, rules_given, seed_or_new, whole_number
from tabula.cli.output import DONE, ProgressBar, print_json
from tabula.cli.workers import add_workers, process_pool, read_workers
from tabula.playouts import MAX_PLIES, MOST_PLIES
from tabula.rules import TABULA
from tabula.work.units import UnitFailedError

if TYPE_CHECKING:
    import argparse

    from tabula.bots import Bot

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `arena`."""
    names = ", ".join(BOTS)
    parser.add_argument("one", metavar="ONE", help=f"a player: {names}")
    parser.add_argument("two", metavar="TWO", help="the other player; points are those that ONE wins")
    parser.add_argument("--games", metavar="N", default="1000", help="the games to play; 1000 if left out")
    parser.add_argument(
        "--no-pairs", action="store_true", help="dice of its own for each game, not the same for two with places exchanged"
    )
    add_game(parser, TABULA.name)
    add_seed(parser, "plays the same games")
    add_workers(parser, "work", "save finished parts of the match in FILE, and continue from those that are there")
    parser.add_argument(
        "--max-plies", metavar="N", default=str(MAX_PLIES), help=f"give a game up after N plies; {MAX_PLIES} if left out"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Plays a match."""
    one, two = _player("ONE", args.one), _player("TWO", args.two)
    rules = rules_given(args) or TABULA
    games = whole_number("--games", args.games, 1, arena.MOST_GAMES)
    max_plies = whole_number("--max-plies", args.max_plies, 1, MOST_PLIES)
    threads, processes = read_workers(args)
    if games % 2 and not args.no_pairs:
        raise RefusedError(f"--games must be an even number, not {games}, unless --no-pairs is given")
    if args.checkpoint is not None and args.seed is None:
        raise RefusedError("--checkpoint needs --seed N: without it every run plays other games")
    seed = seed_or_new(args)
    try:
        with process_pool(processes) as executor, ProgressBar("games") as bar:
            match = arena.play(
                one,
                two,
                games,
                rng=np.random.default_rng(seed),
                rules=rules,
                pairs=not args.no_pairs,
                threads=threads,
                max_plies=max_plies,
                progress=bar.progress,
                executor=executor,
                checkpoint=args.checkpoint,
            )
    except (ValueError, UnitFailedError, BrokenExecutor) as error:
        raise RefusedError(str(error)) from error
    if args.json:
        print_json({"game": rules.name, "one": args.one, "two": args.two, **match.to_dict(), "seed": seed})
    else:
        print(f"{args.one} against {args.two}, {len(match):,} games of {rules.name}, seed {seed}\n{match}")
    return DONE


def _player(argument: str, name: str) -> Bot:
    return BOTS[one_of(argument, name, BOTS)]
