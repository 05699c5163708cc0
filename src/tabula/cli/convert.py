"""The command `convert`: a position text in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabula import notation
from tabula.cli.arguments import RefusedError, add_json, add_position, join_with_or, one_of, read_position
from tabula.cli.output import DONE, position_fields, print_json
from tabula.notation import written_formats

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `convert`."""
    add_position(parser, positional=True, required=True)
    parser.add_argument(
        "--to", metavar="FORMAT", help=f"{join_with_or(written_formats())}; if left out, every format that can hold the position"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Writes a position text in other formats."""
    if args.text is None and args.position is None:
        raise RefusedError("convert needs a position text")
    reading = read_position(args)
    position = reading.position
    names = written_formats(position.rules) if args.to is None else (one_of("the format", args.to, written_formats()),)
    try:
        texts = {
            name: notation.convert(reading.text or args.text or args.position or "", name, rules=position.rules) for name in names
        }
    except ValueError as error:
        raise RefusedError(str(error)) from error
    if args.json:
        print_json({**position_fields(position), "formats": texts})
    elif args.to is not None:
        print(texts[args.to])
    else:
        width = max(map(len, written_formats()))
        for name, text in texts.items():
            print(f"{name:<{width}}  {text}")
    return DONE
