"""`replay` and `convert`: what people and programs have written, read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabula import notation
from tabula.cli.common import (
    DONE,
    MISMATCH,
    RefusedError,
    either,
    facts,
    game_argument,
    json_argument,
    one_of,
    position_argument,
    print_json,
    reading,
    rules_of,
    say,
)
from tabula.notation import FORMATS, NATIVE_FORMATS
from tabula.rules import BACKGAMMON

if TYPE_CHECKING:
    import argparse

__all__ = ["convert", "convert_arguments", "replay", "replay_arguments"]


def replay_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `replay`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="match text: .mat or .txt")
    game_argument(parser, "what the file says or its dice tell")
    json_argument(parser)


def replay(args: argparse.Namespace) -> int:
    """Reports on files of matches."""
    report = notation.replay(args.files, rules=rules_of(args.game))
    if args.json:
        print_json(report.to_dict())
    else:
        say(str(report))
    return MISMATCH if report.problems else DONE


def convert_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `convert`."""
    position_argument(parser, alone=True, needed=True)
    parser.add_argument("--to", metavar="FORMAT", help=f"{either(FORMATS)}; all that can hold the position if left out")
    json_argument(parser)


def convert(args: argparse.Namespace) -> int:
    """Turns a position text into the other formats."""
    if args.text is None and args.position is None:
        raise RefusedError("convert needs a position text")
    told = reading(args)
    wanted = FORMATS if told.position.rules == BACKGAMMON else NATIVE_FORMATS
    if args.to is not None:
        wanted = (one_of("the format", args.to, FORMATS),)
    text, rules = args.text or args.position or "", told.position.rules
    try:
        made = {name: notation.convert(text, name, rules=rules) for name in wanted}
    except ValueError as error:
        raise RefusedError(str(error)) from error
    if args.json:
        print_json({**facts(told.position), "formats": made})
    elif args.to is not None:
        print(made[args.to])
    else:
        for name, converted in made.items():
            print(f"{name:<8} {converted}")
    return DONE
