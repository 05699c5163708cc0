"""The command `plays`: the legal plays of a roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabula import dice
from tabula.cli.arguments import RefusedError, add_json, add_position, add_svg, read_position
from tabula.cli.output import DONE, play_fields, position_fields, print_json, write_svg
from tabula.render.captions import count

if TYPE_CHECKING:
    import argparse

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `plays`."""
    parser.add_argument(
        "roll", metavar="ROLL", nargs="*", help="the dice: 652, 6-5-2 or 6 5 2; may be left out if the position has a roll"
    )
    parser.add_argument("--play", metavar="PLAY", help="only this play, written like '13/7 8/5'; if it is not legal, the reason")
    add_position(parser)
    add_svg(parser, "the position and the dice, with arrows for --play")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Lists the legal plays of a roll."""
    reading = read_position(args)
    position = reading.position
    roll = "-".join(args.roll) if args.roll else reading.roll
    if roll is None:
        raise RefusedError("plays needs a roll, like 652 or 6-5-2")
    try:
        legal = position.plays(roll)
        listed = legal if args.play is None else [position.parse_play(args.play, legal.roll)]
    except ValueError as error:
        raise RefusedError(str(error)) from error
    if args.svg is not None:
        write_svg(args.svg, position, roll=legal.roll, play=None if args.play is None else listed[0])
    if args.json:
        plays = [play_fields(play) | {"position": play.position.to_text()} for play in listed]
        print_json({**position_fields(position), "roll": legal.roll, "legal": len(legal), "plays": plays})
        return DONE
    n_plays = count(len(legal), "play")
    if position.outcome is not None:
        print(f"{n_plays}: the game is over")
        return DONE
    print(f"{n_plays if args.play is None else f'1 of {n_plays}'} of {dice.to_text(legal.roll, position.rules.extra_dice)}:")
    lines = [(str(play), play.position.to_text()) for play in listed]
    width = max(len(play) for play, _ in lines)
    for play, afterstate in lines:
        print(f"  {play:<{width}}  {afterstate}")
    return DONE
