"""`show` and `plays`: one position, and the legal plays of a roll."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabula import dice
from tabula.cli.common import (
    DONE,
    SIDES,
    RefusedError,
    facts,
    json_argument,
    outcome_facts,
    position_argument,
    print_json,
    reading,
    style_argument,
    svg_argument,
    text_board,
    write_svg,
)

if TYPE_CHECKING:
    import argparse

    from tabula._native.position import Play, Position

__all__ = ["play_facts", "plays", "plays_arguments", "show", "show_arguments"]


def show_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `show`."""
    position_argument(parser, alone=True)
    parser.add_argument(
        "--upside-down", action="store_true", help="as the side that is not to move sees it; a picture stays the right way up"
    )
    style_argument(parser)
    svg_argument(parser, "the board")
    json_argument(parser)


def show(args: argparse.Namespace) -> int:
    """Draws a position."""
    told = reading(args)
    position = told.position
    if args.json and (args.style is not None or args.upside_down):
        raise RefusedError("--json draws no board that --style or --upside-down could change")
    board = text_board(position, args, upside_down=args.upside_down)
    if args.svg is not None:
        write_svg(args.svg, position, roll=told.roll)
    if args.json:
        print_json(_position_facts(position) | {"roll": told.roll})
        return DONE
    print(board)
    thrown = "" if told.roll is None else f", {dice.to_text(told.roll)} to play"
    print(f"\n{position.to_text()}  ({position.rules.name}{thrown})")
    return DONE


def _position_facts(position: Position) -> dict[str, Any]:
    return {
        **facts(position),
        "turn": SIDES[position.turn],
        "mover": position.mover,
        "other": position.other,
        "pips": position.pips,
        "outcome": outcome_facts(position.outcome),
    }


def plays_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `plays`."""
    parser.add_argument(
        "roll", metavar="ROLL", nargs="*", help="the dice: 652, 6-5-2 or 6 5 2; may be left out if the position tells them"
    )
    parser.add_argument("--play", metavar="PLAY", help="only this one of them, written like '13/7 8/5'; or why it is not legal")
    position_argument(parser)
    svg_argument(parser, "the position with the dice, and with the arrows of --play if that is given,")
    json_argument(parser)


def plays(args: argparse.Namespace) -> int:
    """Lists the legal plays of a roll."""
    told = reading(args)
    position = told.position
    roll = "-".join(args.roll) if args.roll else told.roll
    if roll is None:
        raise RefusedError("plays needs a roll, like 652 or 6-5-2")
    try:
        legal = position.plays(roll)
        wanted = legal if args.play is None else [position.parse_play(args.play, legal.roll)]
    except ValueError as error:
        raise RefusedError(str(error)) from error
    if args.svg is not None:
        write_svg(args.svg, position, roll=legal.roll, play=None if args.play is None else wanted[0])
    if args.json:
        listed = [play_facts(play) | {"position": play.position.to_text()} for play in wanted]
        print_json({**facts(position), "roll": legal.roll, "legal": len(legal), "plays": listed})
        return DONE
    many = "1 play" if len(legal) == 1 else f"{len(legal)} plays"
    if position.outcome is not None:
        print(f"{many}: the game is over")
        return DONE
    print(f"{many if args.play is None else f'1 of {many}'} of {dice.to_text(legal.roll)}:")
    lines = [(str(play), play.position.to_text()) for play in wanted]
    width = max(len(text) for text, _ in lines)
    for text, after in lines:
        print(f"  {text:<{width}}  {after}")
    return DONE


def play_facts(play: Play) -> dict[str, Any]:
    """A play in plain values: as people write it, and its moves on the mover's own track."""
    return {"play": str(play), "moves": [move._asdict() for move in play.moves]}
