"""What several commands share: how they take a position and a choice, how they refuse, and how they write."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TextIO

import numpy as np

from tabula import dice
from tabula._native.position import Position
from tabula.errors import quoted
from tabula.notation import read
from tabula.notation.match_state import Reading
from tabula.render import svg, text
from tabula.rules import PRESETS, TABULA

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from tabula._native.position import Outcome, Play
    from tabula.dice import Roll
    from tabula.rules import Rules

__all__ = [
    "DONE",
    "MISMATCH",
    "NAME",
    "SIDES",
    "STYLES",
    "RefusedError",
    "bare_position",
    "either",
    "facts",
    "game_argument",
    "json_argument",
    "let_go",
    "one_of",
    "outcome_facts",
    "position_argument",
    "print_json",
    "reading",
    "rules_of",
    "say",
    "seed_argument",
    "seed_of",
    "style_argument",
    "style_of",
    "svg_argument",
    "tell",
    "text_board",
    "whole",
    "write_svg",
]

NAME: Final = "tabula"
DONE: Final = 0
MISMATCH: Final = 1

SIDES: Final = ("white", "black")
"""What the sides are called in arguments and in JSON: `WHITE` and `BLACK`."""

STYLES: Final = ("unicode", "ascii")


class RefusedError(Exception):
    """The input cannot be used; the message is the one sentence that the user sees."""


# -------------------------------------------------------------------------------------------------------------------- writing


def say(text: str = "") -> None:
    """Prints it; a letter that the terminal has no code for is spelled out."""
    code = sys.stdout.encoding or "utf-8"
    print(text.encode(code, "backslashreplace").decode(code))


def tell(sentence: str) -> None:
    """Says it on stderr, where that can be written to."""
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        let_go(sys.stderr)


def let_go(stream: TextIO) -> None:
    """Lets what is still to be written go where it can: Python flushes once more as it ends, and must not fail again."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def print_json(told: Any) -> None:
    """Prints a value as JSON, in ASCII."""
    print(json.dumps(told, indent=2))


def either(names: Iterable[str]) -> str:
    """The names as a sentence has them: ``a, b or c``."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else str(last)


# ------------------------------------------------------------------------------------------------------------------ arguments


def whole(name: str, text: str, least: int, most: int = 10**18) -> int:
    """A whole number that an argument says, `least` to `most`."""
    digits = text.lstrip("0") or text[:1] if text.isascii() and text.isdigit() else ""
    if not digits or (len(digits) < 20 and int(digits) < least):
        raise RefusedError(f"{name} must be a whole number, {least} or more, not {quoted(text)}")
    if len(digits) >= 20 or int(digits) > most:
        raise RefusedError(f"{name} must be {most} or less, not {quoted(text)}")
    return int(digits)


def one_of(name: str, text: str, names: Iterable[str]) -> str:
    """The argument, which must be one of a few names."""
    known = tuple(names)
    if text not in known:
        raise RefusedError(f"{name} must be {either(known)}, not {quoted(text)}")
    return text


def json_argument(parser: argparse.ArgumentParser) -> None:
    """Adds ``--json``."""
    parser.add_argument("--json", action="store_true", help="tell it as JSON")


def svg_argument(parser: argparse.ArgumentParser, what: str) -> None:
    """Adds ``--svg FILE``."""
    parser.add_argument("--svg", metavar="FILE", help=f"write a picture of {what} too")


def style_argument(parser: argparse.ArgumentParser) -> None:
    """Adds ``--style NAME``, which `text_board` looks at."""
    parser.add_argument(
        "--style",
        metavar="NAME",
        help=f"{either(STYLES)}; if left out, unicode on a terminal that has the signs, and ascii elsewhere",
    )


def seed_argument(parser: argparse.ArgumentParser, does: str) -> None:
    """Adds ``--seed N``; `does` says what the same seed does."""
    parser.add_argument("--seed", metavar="N", help=f"the same seed {does}; a new one, which is told, if left out")


def seed_of(args: argparse.Namespace) -> int:
    """The seed asked for, or a new one."""
    return whole("--seed", args.seed, 0) if args.seed is not None else int(np.random.default_rng().integers(10**9))


def game_argument(parser: argparse.ArgumentParser, otherwise: str) -> None:
    """Adds ``--game NAME``; `otherwise` is what is taken if it is left out."""
    parser.add_argument("--game", metavar="NAME", help=f"{either(PRESETS)}; {otherwise} if left out")


def position_argument(parser: argparse.ArgumentParser, *, alone: bool = False, needed: bool = False) -> None:
    """Adds ``--game`` and ``--position``, and if `alone` the same position as an argument of its own; `needed`, one of them is."""
    game_argument(parser, f"what the position says, else {TABULA.name},")
    formats = "26 letters and the side to move as 'show' prints them, GNU Backgammon id, XGID or FIBS board line"
    otherwise = "" if needed else "; the start if left out"
    if alone:
        parser.add_argument("text", metavar="TEXT", nargs="?", help=f"the position: {formats}{otherwise}")
        parser.add_argument("--position", metavar="TEXT", help="the same, as the other commands take it")
    else:
        parser.add_argument("--position", metavar="TEXT", help=f"{formats}{otherwise}")


_LETTERS: Final = re.compile(r"[-A-Za-z]*:[^:]{0,11}")
"""What looks like a position text that names no game, and like nothing else that is read."""


def reading(args: argparse.Namespace) -> Reading:
    """What ``--position`` tells, and the start without it; `TABULA` is played where neither the text nor ``--game`` says."""
    rules = rules_of(args.game)
    text = args.position
    if getattr(args, "text", None) is not None:
        if text is not None:
            raise RefusedError(f"one position is taken, not both {quoted(args.text)} and {quoted(text)}")
        text = args.text
    if text is None:
        return Reading(Position(rules or TABULA))
    try:
        if _LETTERS.fullmatch(text):
            return Reading(Position.from_text(text, rules=rules or TABULA))
        return read(text, rules=rules)
    except ValueError as error:
        raise RefusedError(str(error)) from error


def bare_position(args: argparse.Namespace) -> Position:
    """The position of a command that throws the dice itself; RefusedError for a text that tells a roll."""
    told = reading(args)
    if told.roll is not None:
        raise RefusedError(
            f"the position comes with a roll, {dice.to_text(told.roll)}, and here none is waiting: take it out of the text"
        )
    return told.position


def rules_of(game: str | None) -> Rules | None:
    """The rules that ``--game`` names, None without it."""
    return None if game is None else PRESETS[one_of("the game", game, PRESETS)]


# --------------------------------------------------------------------------------------------------------------------- boards


def style_of(args: argparse.Namespace) -> Literal["ascii", "unicode"]:
    """The style asked for, or else one that fits stdout; RefusedError for one that stdout cannot write."""
    fitting = text.fitting_style(sys.stdout)
    if args.style is None:
        return fitting if sys.stdout.isatty() else "ascii"
    if one_of("the style", args.style, STYLES) == "ascii":
        return "ascii"
    if fitting != "unicode":
        raise RefusedError(f"the style cannot be unicode: {sys.stdout.encoding} has no code for its signs")
    return "unicode"


def text_board(position: Position, args: argparse.Namespace, *, upside_down: bool = False) -> str:
    """The board as stdout can show it, in colour where that is wanted."""
    return text.board(position, style=style_of(args), colour=text.wants_colour(sys.stdout), upside_down=upside_down)


def write_svg(file: str, position: Position, *, roll: Roll | None = None, play: Play | None = None) -> None:
    """Writes the picture of a position; the dice of a game that is over are not drawn."""
    if position.outcome is not None and play is None:
        roll = None
    Path(file).write_text(svg.board(position, roll=roll, play=play) + "\n", encoding="utf-8", newline="\n")


def facts(position: Position) -> dict[str, Any]:
    """A position in plain values that JSON can hold: the head of what every command tells of one."""
    return {"game": position.rules.name, "position": position.to_text()}


def outcome_facts(outcome: Outcome | None) -> dict[str, Any] | None:
    """Who has won what, in plain values; None while the game goes on."""
    return None if outcome is None else {"winner": SIDES[outcome.winner], "points": outcome.points}
