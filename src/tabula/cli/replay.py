"""The command `replay`: files of matches, every play looked up among the legal ones."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tabula.cli.arguments import RefusedError, add_game, add_json, rules_given
from tabula.cli.output import DONE, MISMATCH, print_error, print_json, print_line
from tabula.errors import quoted
from tabula.notation import matchtext
from tabula.notation.replay_report import FileReport, Report, replay_file

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
    parser.add_argument("--force", action="store_true", help="with --csv: overwrite FILE if there is one")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Reports on files of matches."""
    if args.encoding is not None:
        check_encoding(args.encoding)
    if args.json and args.csv == "-":
        raise RefusedError("--json and --csv - both write to standard output: give --csv a file")
    if args.csv not in (None, "-") and not args.force and Path(args.csv).exists():
        raise RefusedError(f"there is a file {quoted(args.csv)} already: --force overwrites it")
    files: list[FileReport] = []
    matches: list[Match] = []
    for file in args.files:
        report, found = replay_file(file, rules=rules_given(args), keep_going=args.keep_going, encoding=args.encoding)
        files.append(report)
        matches += found if args.csv is not None else ()
    report_on_all = Report(tuple(files))
    if args.csv is not None:
        table = io.StringIO()
        matchtext.write_csv(table, matches)
        if args.csv == "-":
            print(table.getvalue(), end="")
        else:
            write_whole(Path(args.csv), table.getvalue())
    if args.json:
        print_json(report_on_all.to_dict())
    elif args.csv == "-":
        for problem in report_on_all.problems:
            print_error(str(problem))
    else:
        print_line(str(report_on_all))
    return MISMATCH if report_on_all.problems else DONE


def write_whole(path: Path, text: str) -> None:
    """Writes a file whole or not at all: it is written beside its place first, then put there."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n", errors="backslashreplace")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def check_encoding(name: str) -> None:
    """RefusedError for an encoding that Python does not know."""
    try:
        "match".encode(name)
    except (LookupError, ValueError):
        raise RefusedError(f"the encoding must be one that Python knows, as cp1251 or shift-jis, not {quoted(name)}") from None
