"""The command `replay`: files of matches, every play looked up among the legal ones."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tabula.cli.arguments import RefusedError, add_game, add_json, rules_given
from tabula.cli.output import DONE, MISMATCH, print_error, print_json, print_line, write_whole
from tabula.errors import quoted
from tabula.notation import matchtext
from tabula.notation.replay_report import FileReport, Report, replay_file
from tabula.render import html

if TYPE_CHECKING:
    import argparse

    from tabula.notation.matchtext import Match

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `replay`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="match text: .mat or .txt")
    add_game(parser, "the game that the file names, else tabula for three dice and backgammon for two")
    parser.add_argument(
        "--keep-going", action="store_true", help="read on after an illegal play, from the board that the file implies"
    )
    parser.add_argument("--encoding", metavar="ENCODING", help="the encoding of the files; if left out, it is recognised")
    parser.add_argument("--csv", metavar="FILE", help="write a table with a row for each turn to FILE, or for - to standard output")
    parser.add_argument(
        "--html", metavar="OUT", help="write the match of one FILE as a page that needs no other file; - is standard output"
    )
    parser.add_argument("--force", action="store_true", help="with --csv and --html: overwrite FILE and OUT if they are there")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Reports on files of matches."""
    if args.encoding is not None:
        check_encoding(args.encoding)
    outputs = (("--csv", args.csv), ("--html", args.html), ("--json", "-" if args.json else None))
    on_stdout = [option for option, name in outputs if name == "-"]
    if args.csv == "-" and len(on_stdout) > 1:
        raise RefusedError(f"{' and '.join(on_stdout)} both write to standard output: give --csv a file")
    if args.html is not None and len(args.files) != 1:
        raise RefusedError(f"--html writes the page of one file, and there are {len(args.files)}")
    for option, name in outputs:
        if option != "--json" and name not in (None, "-") and not args.force and Path(name).exists():
            raise RefusedError(f"there is a file {quoted(name)} already: --force overwrites it")
    used = {os.path.realpath(file): "replay reads" for file in args.files}
    for option, name in outputs:
        if name not in (None, "-"):
            use = used.setdefault(os.path.realpath(name), f"{option} writes")
            if use != f"{option} writes":
                raise RefusedError(f"{option} cannot write to {quoted(name)}, which {use}: give it another file")
    files: list[FileReport] = []
    matches: list[Match] = []
    for file in args.files:
        report, found = replay_file(file, rules=rules_given(args), keep_going=args.keep_going, encoding=args.encoding)
        files.append(report)
        matches += found if args.csv is not None or args.html is not None else ()
    report_on_all = Report(tuple(files))
    if args.csv is not None:
        table = io.StringIO()
        matchtext.write_csv(table, matches)
        if args.csv == "-":
            print(table.getvalue(), end="")
        else:
            write_whole(args.csv, table.getvalue(), force=args.force)
    if args.html is not None and matches:
        if len(matches) > 1:
            raise RefusedError(f"--html writes the page of one match, and {quoted(args.files[0])} has {len(matches)}")
        write_whole(args.html, html.game(matches[0]), force=args.force)
    with contextlib.redirect_stdout(sys.stderr) if args.html == "-" else contextlib.nullcontext():
        if args.json:
            print_json(report_on_all.to_dict())
        elif args.csv == "-":
            for problem in report_on_all.problems:
                print_error(str(problem))
        else:
            print_line(str(report_on_all))
    return MISMATCH if report_on_all.problems else DONE


def check_encoding(name: str) -> None:
    """RefusedError for an encoding that Python does not know."""
    try:
        "match".encode(name)
    except (LookupError, ValueError):
        raise RefusedError(f"the encoding must be one that Python knows, as cp1251 or shift-jis, not {quoted(name)}") from None
