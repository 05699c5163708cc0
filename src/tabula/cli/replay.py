"""The command `replay`: files of matches, every play looked up among the legal ones."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tabula import notation
from tabula.cli.arguments import RefusedError, add_game, add_json, rules_named
from tabula.cli.output import DONE, MISMATCH, print_json, print_line, write_whole
from tabula.notation import matchtext
from tabula.render import html

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `replay`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="match text: .mat or .txt")
    add_game(parser, "the game that the file names, else tabula for three dice and backgammon for two")
    parser.add_argument(
        "--html", metavar="OUT", help="write the match of one FILE as a page that needs no other file; - is standard output"
    )
    parser.add_argument("--force", action="store_true", help="replace OUT where it exists")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Reports on files of matches."""
    if args.html is not None and len(args.files) != 1:
        raise RefusedError(f"--html writes the page of one file, and there are {len(args.files)}")
    rules = rules_named(args.game)
    report = notation.replay(args.files, rules=rules)
    if args.html is not None and report.total("games"):
        file = args.files[0]
        match = matchtext.read(matchtext.decode(Path(file).read_bytes()), rules=rules, file=file)
        write_whole(args.html, html.game(match), force=args.force)
    with contextlib.redirect_stdout(sys.stderr) if args.html == "-" else contextlib.nullcontext():
        if args.json:
            print_json(report.to_dict())
        else:
            print_line(str(report))
    return MISMATCH if report.problems else DONE
