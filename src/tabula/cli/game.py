"""The command `game`: its arguments, and how a game in the terminal reads lines, draws boards and is saved."""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import sys
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabula.bots import BOTS
from tabula.cli.arguments import (
    SIDES,
    RefusedError,
    add_position,
    add_seed,
    add_style,
    add_svg,
    join_with_or,
    one_of,
    read_position,
    rules_given,
    seed_or_new,
    style,
)
from tabula.cli.output import (
    DONE,
    outcome_fields,
    play_fields,
    position_fields,
    print_json,
    print_line,
    text_board,
    write_svg,
)
from tabula.cli.terminal_game import TerminalGame
from tabula.errors import InvalidTextError, quoted
from tabula.game import Game, Turn
from tabula.notation import Reading, matchtext
from tabula.render.text import signs
from tabula.rules import BLACK, WHITE

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from tabula._native.position import Play, Position
    from tabula.cli.terminal_game import DrawBoard
    from tabula.dice import Roll

__all__ = ["PEOPLE", "add_arguments", "run"]

PEOPLE: Final[dict[str, frozenset[int]]] = {
    "white": frozenset((WHITE,)),
    "black": frozenset((BLACK,)),
    "both": frozenset((WHITE, BLACK)),
    "none": frozenset(),
}
"""The sides that people play, by the values of ``--side``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `game`."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="a game to go on with: match text, its last game")
    parser.add_argument(
        "--side",
        metavar="SIDE",
        default="white",
        help=f"the side that you play: {join_with_or(PEOPLE)}; white if left out; the bot plays the rest",
    )
    parser.add_argument(
        "--bot", metavar="NAME", help="random, or pips, which compares pips and blots one play ahead; pips if left out"
    )
    add_seed(parser, "throws the same dice")
    add_position(parser)
    parser.add_argument("--save", metavar="FILE", help="when the game is over or left, write it to FILE as match text")
    add_style(parser)
    add_svg(parser, "the board, each time it is drawn")
    parser.add_argument(
        "--json", action="store_true", help="when the game is over or left, print it as JSON; the rest goes to stderr"
    )


def run(args: argparse.Namespace) -> int:
    """Plays one game."""
    begun = _read_game(args)
    reading = read_position(args) if begun is None else Reading(begun[0].before)
    people = PEOPLE[one_of("the side", args.side, PEOPLE)]
    if args.bot is not None and args.side == "both":
        raise RefusedError("--bot has nothing to play where --side is both")
    bot = one_of("the bot", "pips" if args.bot is None else args.bot, BOTS)
    start = reading.position if begun is not None or args.position is not None else None
    saver = _Saver(people, bot, args.file)
    with contextlib.redirect_stdout(sys.stderr) if args.json else contextlib.nullcontext():
        seed = seed_or_new(args)
        terminal_game = TerminalGame(
            reading.position.rules,
            people=people,
            bot=bot,
            seed=seed,
            ask=_line_reader(),
            write=print_line,
            draw=_board_drawer(args),
            save=saver.save,
            signs=signs(style(args)),
            start=start,
            roll=reading.roll,
            begun=begun or (),
        )
        if args.save is not None:
            saver.write(terminal_game.game, Path(args.save))  # a file that cannot be written is an error before the game starts
        try:
            terminal_game.play()
        finally:
            if args.save is not None:
                saver.write(terminal_game.game, Path(args.save))
    if args.json:
        print_json(
            _game_fields(terminal_game.game)
            | {"seed": seed, "people": [SIDES[side] for side in sorted(people)], "bot": None if args.side == "both" else bot}
        )
    return DONE


def _read_game(args: argparse.Namespace) -> list[Turn] | None:
    """The turns of the last game of FILE; None without a file. RefusedError where there is nothing to go on with."""
    if args.file is None:
        return None
    if args.position is not None:
        raise RefusedError(f"a game goes on from a file or from a position, not from both {quoted(args.file)} and --position")
    text = matchtext.decode(Path(args.file).read_bytes())
    try:
        last = matchtext.read_all(text, rules=rules_given(args), file=args.file)[-1].games[-1]
    except InvalidTextError as error:
        raise RefusedError(str(error)) from error
    if last.problem is not None:
        raise RefusedError(str(last.problem))
    turns = [Turn(turn.before, turn.play.roll, turn.play, turn.play.position) for turn in last.turns if turn.play is not None]
    if not turns:
        raise RefusedError(f"the last game of {quoted(args.file)} has no play yet: start it with --position")
    return turns


def _game_fields(played: Game) -> dict[str, Any]:
    """A game in plain values that JSON can hold."""
    turns = [
        {"side": SIDES[turn.before.turn], "roll": turn.roll, **play_fields(turn.play), "position": turn.after.to_text()}
        for turn in played.turns
    ]
    return {
        **position_fields(played.position),
        "start": played.start.to_text(),
        "outcome": outcome_fields(played.outcome),
        "turns": turns,
    }


_BOARD_ROWS: Final = 15
_BOARD_COLUMNS: Final = 41
"""The size of a text board, without the lines below it."""

_ESCAPES: Final = re.compile("\x1b\\[[0-9;]*m")


def _board_drawer(args: argparse.Namespace) -> DrawBoard:
    """The function that draws the board on stdout, and in the file of ``--svg`` if that is given."""

    def draw(
        position: Position,
        *,
        roll: Roll | None = None,
        play: Play | None = None,
        upside_down: bool = False,
        beside: Sequence[str] = (),
    ) -> None:
        if args.svg is not None:
            write_svg(args.svg, position, roll=roll, play=play)
        lines = text_board(position, args, upside_down=upside_down).splitlines()
        for line, more in zip_longest(lines[:_BOARD_ROWS], beside, fillvalue=""):
            room = " " * (_BOARD_COLUMNS + 2 - len(_ESCAPES.sub("", line)))
            print_line(f"{line}{room}{more}" if more else line)
        print_line("\n".join(lines[_BOARD_ROWS:]))

    return draw


def _line_reader() -> Callable[[str], str]:
    """The function that prints a prompt and reads a line: with line editing from a terminal; from a pipe it prints the line too."""
    stream = sys.stdin
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="surrogateescape")
    if stream.isatty():
        with contextlib.suppress(ImportError):  # not every Python has it
            importlib.import_module("readline")
        return input

    def ask(prompt: str) -> str:
        print(prompt, end="", flush=True)
        line = stream.readline()
        if not line:
            raise EOFError
        line = line.rstrip("\r\n")
        room = 80 - len(prompt)
        printable = "".join(letter if letter.isprintable() else "?" for letter in line)
        print_line(printable if len(printable) <= room else f"{printable[: room - 3]}...")
        return line

    return ask


class _Saver:
    """Saves a game as match text, with the names of its players."""

    def __init__(self, people: frozenset[int], bot: str, file: str | None) -> None:
        white, black = ("Player" if side in people else f"Bot {bot}" for side in (WHITE, BLACK))
        self._players = (white, black) if white != black else (f"{white} white", f"{black} black")
        self._written: set[Path] = set() if file is None else {Path(file)}

    def write(self, played: Game, path: Path) -> None:
        """Writes the game to a file, in place of what the file held."""
        path.write_text(matchtext.write(matchtext.record(played, players=self._players)), encoding="utf-8", newline="\n")

    def save(self, played: Game, file: str) -> None:
        """Writes the game to a new file, or to one that this game was read from or has been saved in before."""
        path = Path(file)
        with contextlib.suppress(RuntimeError):  # without a home directory, "~" is a name like any other
            path = path.expanduser()
        if path not in self._written and path.exists():
            raise ValueError(f"there is a file {quoted(file)} already: choose another name")
        self.write(played, path)
        self._written.add(path)
