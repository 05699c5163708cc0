"""The command `replay`: files of matches, every play looked up among the legal ones."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tabula import notation
from tabula.cli.arguments import RefusedError, add_game, add_json, rules_named
from tabula.cli.output import DONE, MISMATCH, print_json, print_line, write_whole
from tabula.errors import quoted
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
        "--keep-going", action="store_true", help="read on after an illegal play, from the board that the file implies"
    )
    parser.add_argument("--encoding", metavar="ENCODING", help="the encoding of the files; if left out, it is recognised")
    parser.add_argument(
        "--html", metavar="OUT", help="write the match of one FILE as a page that needs no other file; - is standard output"
    )
    parser.add_argument("--force", action="store_true", help="replace OUT where it exists")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Reports on files of matches."""
    if args.encoding is not None:
        check_encoding(args.encoding)
    if args.html is not None and len(args.files) != 1:
        raise RefusedError(f"--html writes the page of one file, and there are {len(args.files)}")
    rules = rules_named(args.game)
    report = notation.replay(args.files, rules=rules, keep_going=args.keep_going, encoding=args.encoding)
    if args.html is not None and report.total("games"):
        write_whole(args.html, html.game(_only_match(args)), force=args.force)
    with contextlib.redirect_stdout(sys.stderr) if args.html == "-" else contextlib.nullcontext():
        if args.json:
            print_json(report.to_dict())
        else:
            print_line(str(report))
    return MISMATCH if report.problems else DONE


def _only_match(args: argparse.Namespace) -> matchtext.Match:
    """The match of the one file; RefusedError if there are several."""
    (file,) = args.files
    text = matchtext.decode(Path(file).read_bytes(), encoding=args.encoding)
    matches = list(matchtext.read_all(text, rules=rules_named(args.game), file=file, keep_going=args.keep_going))
    if len(matches) != 1:
        raise RefusedError(f"--html writes the page of one match, and {quoted(file)} has {len(matches)}")
    return matches[0]


def check_encoding(name: str) -> None:
    """RefusedError for an encoding that Python does not know."""
    try:
        b"".decode(name)
    except (LookupError, ValueError):
        raise RefusedError(f"the encoding must be one that Python knows, as cp1251 or shift-jis, not {quoted(name)}") from None
