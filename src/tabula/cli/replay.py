"""The command `replay`: files of matches, every play looked up among the legal ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabula import notation
from tabula.cli.arguments import add_game, add_json, rules_named
from tabula.cli.output import DONE, MISMATCH, print_json, print_line

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `replay`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="match text: .mat or .txt")
    add_game(parser, "the game that the file names, else tabula for three dice and backgammon for two")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Reports on files of matches."""
    report = notation.replay(args.files, rules=rules_named(args.game))
    if args.json:
        print_json(report.to_dict())
    else:
        print_line(str(report))
    return MISMATCH if report.problems else DONE
