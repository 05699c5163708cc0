"""The arguments that several commands take: how they are added to a parser, read and refused."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from tabula import dice, games
from tabula._native.position import Position
from tabula.errors import quoted
from tabula.notation import FORMATS, Reading, read
from tabula.render import text
from tabula.rules import PRESETS, TABULA, Rules

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from tabula.games import GameEntry

__all__ = [
    "NAME",
    "SIDES",
    "STYLES",
    "RefusedError",
    "add_game",
    "add_json",
    "add_position",
    "add_rules_file",
    "add_seed",
    "add_style",
    "add_svg",
    "game_named",
    "join_with_or",
    "one_of",
    "position_without_roll",
    "read_position",
    "rules_given",
    "rules_of_file",
    "seed_or_new",
    "style",
    "whole_number",
]

NAME: Final = "tabula"
"""The name of the program."""

SIDES: Final = ("white", "black")
"""The names of `WHITE` and `BLACK` in arguments and in JSON."""

STYLES: Final = ("unicode", "ascii")


class RefusedError(Exception):
    """The input cannot be used; the message is the one sentence that the user sees."""


# ---------------------------------------------------------------------------------------------------------------------- values


def join_with_or(names: Iterable[str]) -> str:
    """The names as a sentence lists them: ``a, b or c``."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else str(last)


def whole_number(name: str, typed: str, low: int, high: int = 10**18) -> int:
    """The argument `name` as a number, `low` to `high`; RefusedError for anything else."""
    digits = typed.lstrip("0") or typed[:1] if typed.isascii() and typed.isdigit() else ""
    if not digits or (len(digits) < 20 and int(digits) < low):
        raise RefusedError(f"{name} must be a whole number, {low} or more, not {quoted(typed)}")
    if len(digits) >= 20 or int(digits) > high:
        raise RefusedError(f"{name} must be {high} or less, not {quoted(typed)}")
    return int(digits)


def one_of(name: str, typed: str, choices: Iterable[str]) -> str:
    """The argument `name`, which must be one of the choices; RefusedError for anything else."""
    known = tuple(choices)
    if typed not in known:
        raise RefusedError(f"{name} must be {join_with_or(known)}, not {quoted(typed)}")
    return typed


# ---------------------------------------------------------------------------------------------------- JSON, pictures, seed, style


def add_json(parser: argparse.ArgumentParser) -> None:
    """Adds ``--json``."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_svg(parser: argparse.ArgumentParser, subject: str) -> None:
    """Adds ``--svg FILE``; `subject` is what the picture shows."""
    parser.add_argument("--svg", metavar="FILE", help=f"also write to FILE a picture of {subject}")


def add_seed(parser: argparse.ArgumentParser, effect: str) -> None:
    """Adds ``--seed N``; `effect` is what the same seed does again."""
    parser.add_argument("--seed", metavar="N", help=f"the same seed {effect}; if left out, a new seed is drawn and printed")


def seed_or_new(args: argparse.Namespace) -> int:
    """The number after ``--seed``, or a new one."""
    return whole_number("--seed", args.seed, 0) if args.seed is not None else int(np.random.default_rng().integers(10**9))


def add_style(parser: argparse.ArgumentParser) -> None:
    """Adds ``--style NAME``, which `style` reads."""
    parser.add_argument(
        "--style",
        metavar="NAME",
        help=f"{join_with_or(STYLES)}; if left out, unicode on a terminal that can show it, and ascii otherwise",
    )


def style(args: argparse.Namespace) -> Literal["ascii", "unicode"]:
    """The style after ``--style``, or one that stdout can write; RefusedError for one that it cannot write."""
    writable = text.fitting_style(sys.stdout)
    if args.style is None:
        return writable if sys.stdout.isatty() else "ascii"
    if one_of("the style", args.style, STYLES) == "ascii":
        return "ascii"
    if writable != "unicode":
        raise RefusedError(f"the style cannot be unicode: {sys.stdout.encoding} has no code for its signs")
    return "unicode"


# ---------------------------------------------------------------------------------------------------------- games and positions


def add_game(parser: argparse.ArgumentParser, default: str) -> None:
    """Adds ``--game NAME`` and ``--rules FILE``; `default` says which game is played without them."""
    parser.add_argument(
        "--game", metavar="NAME", help=f"{', '.join(PRESETS)} or another game that 'rules' lists; if left out, {default}"
    )
    add_rules_file(parser, "rules of your own instead of --game: the JSON of Rules.to_dict()")


def add_rules_file(parser: argparse.ArgumentParser, effect: str) -> None:
    """Adds ``--rules FILE``, which `rules_of_file` reads."""
    parser.add_argument("--rules", metavar="FILE", help=effect)


def game_named(typed: str) -> GameEntry:
    """The game with this name; RefusedError for an unknown name, with those that are nearest to it."""
    try:
        return games.entry(typed)
    except ValueError as error:
        raise RefusedError(str(error)) from error


def rules_given(args: argparse.Namespace) -> Rules | None:
    """The rules that ``--game`` names or that stand in the file after ``--rules``, None without either."""
    if args.rules is None:
        return None if args.game is None else game_named(args.game).rules
    if args.game is not None:
        raise RefusedError("the rules are given once: by --game or by --rules")
    return rules_of_file(args.rules)


def rules_of_file(file: str) -> Rules:
    """The rules in a file; RefusedError for one that holds none."""
    try:
        return Rules.from_dict(json.loads(Path(file).read_text(encoding="utf-8")))
    except (ValueError, TypeError, RecursionError) as error:
        raise RefusedError(f"--rules takes a file with the JSON of Rules.to_dict(), and {quoted(file)} is none: {error}") from error


def add_position(parser: argparse.ArgumentParser, *, positional: bool = False, required: bool = False) -> None:
    """Adds ``--game`` and ``--position``, and if `positional` the same text without an option before it."""
    add_game(parser, f"the game that the position names, else {TABULA.name} for its start")
    titles = join_with_or(entry.title for entry in FORMATS.values())
    default = "" if required else "; if left out, the start of the game"
    help_text = f"{titles}{default}. 'show' prints position texts"
    if positional:
        parser.add_argument("text", metavar="TEXT", nargs="?", help=help_text)
        parser.add_argument("--position", metavar="TEXT", help="the same, written as for the other commands")
    else:
        parser.add_argument("--position", metavar="TEXT", help=help_text)


_LETTERS_TEXT: Final = re.compile(r"[-A-Za-z]*:[^:]{0,11}")
"""A position text that names no game, right or nearly right: no other format looks like it."""

_LETTERS: Final = re.compile(r"[-A-Oa-o]{26}:[wb]")
"""One that is right."""


def read_position(args: argparse.Namespace) -> Reading:
    """The position that was typed, or the start, of `TABULA` without ``--game``; RefusedError for a text that names no game."""
    rules = rules_given(args)
    typed = args.position
    if getattr(args, "text", None) is not None:
        if typed is not None:
            raise RefusedError(f"one position is taken, not both {quoted(args.text)} and {quoted(typed)}")
        typed = args.text
    if typed is None:
        return Reading(Position(rules or TABULA))
    if rules is None and _LETTERS.fullmatch(typed):
        raise RefusedError(f"{quoted(typed)} does not say which game it is of: put --game and its name, or 'NAME:', before it")
    try:
        if _LETTERS_TEXT.fullmatch(typed):
            return Reading(Position.from_text(typed, rules=rules or TABULA))
        reading = read(typed, rules=rules)
    except ValueError as error:
        raise RefusedError(str(error)) from error
    if reading.text not in (None, typed.strip(), typed.strip().rstrip(".,;")):
        print(f"{NAME}: {quoted(reading.text or '')} was read", file=sys.stderr)
    return reading


def position_without_roll(args: argparse.Namespace) -> Position:
    """The position of a command that throws the dice itself; RefusedError for a text with a roll in it."""
    reading = read_position(args)
    if reading.roll is not None:
        raise RefusedError(
            f"the position comes with a roll, {dice.to_text(reading.roll)}, and this command throws the dice: leave the roll out"
        )
    return reading.position
