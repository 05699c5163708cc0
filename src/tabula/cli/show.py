"""The command `show`: one position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabula import dice
from tabula.cli.arguments import SIDES, RefusedError, add_json, add_position, add_style, add_svg, read_position
from tabula.cli.output import DONE, outcome_fields, position_fields, print_json, text_board, write_svg

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `show`."""
    add_position(parser, positional=True)
    parser.add_argument(
        "--upside-down",
        action="store_true",
        help="draw the text board as the side that is not to move sees it; --svg does not change",
    )
    add_style(parser)
    add_svg(parser, "the board")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Draws a position."""
    reading = read_position(args)
    position = reading.position
    if args.json and (args.style is not None or args.upside_down):
        raise RefusedError("--json prints no board: --style and --upside-down have no effect on it")
    board = text_board(position, args, upside_down=args.upside_down)
    if args.svg is not None:
        write_svg(args.svg, position, roll=reading.roll)
    if args.json:
        print_json(
            {
                **position_fields(position),
                "turn": SIDES[position.turn],
                "mover": position.mover,
                "other": position.other,
                "pips": position.pips,
                "outcome": outcome_fields(position.outcome),
                "roll": reading.roll,
            }
        )
        return DONE
    print(board)
    to_play = "" if reading.roll is None else f", {dice.to_text(reading.roll, reading.position.rules.extra_dice)} to play"
    print(f"\n{position.to_text()}  ({position.rules.name}{to_play})")
    return DONE
