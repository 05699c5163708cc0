"""The command `replay`: files of matches, every play looked up among the legal ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabula import notation
from tabula.cli.arguments import RefusedError, add_game, add_json, rules_named
from tabula.cli.output import DONE, MISMATCH, print_json, print_line
from tabula.errors import quoted

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `replay`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="match text: .mat or .txt")
    add_game(parser, "the game that the file names, else tabula for three dice and backgammon for two")
    parser.add_argument(
        "--keep-going", action="store_true", help="read on after an illegal play, from the board that the file implies"
    )
    parser.add_argument("--encoding", metavar="ENCODING", help="the encoding of the files; if left out, it is recognised")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Reports on files of matches."""
    if args.encoding is not None:
        check_encoding(args.encoding)
    report = notation.replay(args.files, rules=rules_named(args.game), keep_going=args.keep_going, encoding=args.encoding)
    if args.json:
        print_json(report.to_dict())
    else:
        print_line(str(report))
    return MISMATCH if report.problems else DONE


def check_encoding(name: str) -> None:
    """RefusedError for an encoding that Python does not know."""
    try:
        b"".decode(name)
    except (LookupError, ValueError):
        raise RefusedError(f"the encoding must be one that Python knows, as cp1251 or shift-jis, not {quoted(name)}") from None
