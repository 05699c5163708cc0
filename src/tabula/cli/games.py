"""`game`: the arguments of a game in the terminal, and how it reads, draws and is written down."""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabula.bots import BOTS
from tabula.cli.boards import play_facts
from tabula.cli.common import (
    DONE,
    SIDES,
    RefusedError,
    either,
    facts,
    one_of,
    outcome_facts,
    position_argument,
    print_json,
    reading,
    say,
    seed_argument,
    seed_of,
    style_argument,
    style_of,
    svg_argument,
    text_board,
    write_svg,
)
from tabula.cli.table import Table
from tabula.errors import quoted
from tabula.notation import matchtext
from tabula.render.text import signs
from tabula.rules import BLACK, WHITE

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from tabula._native.position import Play, Position
    from tabula.cli.table import Draw
    from tabula.dice import Roll
    from tabula.game import Game

__all__ = ["PEOPLE", "game", "game_arguments"]

PEOPLE: Final[dict[str, frozenset[int]]] = {
    "white": frozenset((WHITE,)),
    "black": frozenset((BLACK,)),
    "both": frozenset((WHITE, BLACK)),
    "none": frozenset(),
}
"""The sides that people play, by what ``--side`` calls them."""


def game_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `game`."""
    parser.add_argument(
        "--side", metavar="SIDE", default="white", help=f"what people play: {either(PEOPLE)}; white if left out, and bots the rest"
    )
    parser.add_argument(
        "--bot", metavar="NAME", help="random, or pips, which looks at pips and blots one play ahead; pips if left out"
    )
    seed_argument(parser, "throws the same dice")
    position_argument(parser)
    parser.add_argument("--save", metavar="FILE", help="write the game there when it ends or is left, as match text")
    style_argument(parser)
    svg_argument(parser, "the board, a new one whenever it is shown,")
    parser.add_argument("--json", action="store_true", help="tell the game as JSON when it ends or is left, the talk on stderr")


def game(args: argparse.Namespace) -> int:
    """Plays one game."""
    told = reading(args)
    people = PEOPLE[one_of("the side", args.side, PEOPLE)]
    if args.bot is not None and args.side == "both":
        raise RefusedError("--bot has nothing to play where --side is both")
    bot = one_of("the bot", args.bot or "pips", BOTS)
    start = None if args.position is None else told.position
    record = _Record(people, bot, start)
    if args.save is not None:
        record.refuse_start()
    with contextlib.redirect_stdout(sys.stderr) if args.json else contextlib.nullcontext():
        seed = seed_of(args)
        table = Table(
            told.position.rules,
            people=people,
            bot=bot,
            seed=seed,
            ask=_asker(),
            write=say,
            draw=_drawer(args),
            save=record.save,
            signs=signs(style_of(args)),
            start=start,
            roll=told.roll,
        )
        if args.save is not None:
            record.write(table.game, Path(args.save))  # a file that cannot be is told before the game is played
        try:
            table.play()
        finally:
            if args.save is not None:
                record.write(table.game, Path(args.save))
    if args.json:
        print_json(
            _game_facts(table.game)
            | {"seed": seed, "people": [SIDES[side] for side in sorted(people)], "bot": None if args.side == "both" else bot}
        )
    return DONE


def _game_facts(played: Game) -> dict[str, Any]:
    turns = [
        {"side": SIDES[turn.before.turn], "roll": turn.roll, **play_facts(turn.play), "position": turn.after.to_text()}
        for turn in played.turns
    ]
    return {**facts(played.position), "start": played.start.to_text(), "outcome": outcome_facts(played.outcome), "turns": turns}


def _drawer(args: argparse.Namespace) -> Draw:
    """What draws the board on stdout, and in the picture's file where one is asked for."""

    def draw(position: Position, *, roll: Roll | None = None, play: Play | None = None, upside_down: bool = False) -> None:
        if args.svg is not None:
            write_svg(args.svg, position, roll=roll, play=play)
        print(text_board(position, args, upside_down=upside_down))

    return draw


def _asker() -> Callable[[str], str]:
    """What reads a line: with what a terminal has for editing it, and from anything else with the line told again."""
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
        say(printable if len(printable) <= room else f"{printable[: room - 3]}...")
        return line

    return ask


class _Record:
    """How a game is written down: who played it, and where it began."""

    def __init__(self, people: frozenset[int], bot: str, start: Position | None) -> None:
        white, black = ("Player" if side in people else f"Bot {bot}" for side in (WHITE, BLACK))
        self._players = (white, black) if white != black else (f"{white} white", f"{black} black")
        self._start = start
        self._written: set[Path] = set()

    def refuse_start(self) -> None:
        """RefusedError where match text cannot hold the game."""
        if self._start is not None and self._start.mover + self._start.other != 2 * self._start.rules.setup:
            raise RefusedError("match text tells games from their beginning, and this one has begun elsewhere")

    def write(self, played: Game, path: Path) -> None:
        """Writes the game, over whatever the file held."""
        path.write_text(matchtext.write(matchtext.record(played, players=self._players)), encoding="utf-8", newline="\n")

    def save(self, played: Game, file: str) -> None:
        """Writes the game to a file that is new, or that was written before in this game."""
        try:
            self.refuse_start()
        except RefusedError as refused:
            raise ValueError(str(refused)) from refused
        path = Path(file)
        with contextlib.suppress(RuntimeError):  # where a home is not known, "~" is a name like another
            path = path.expanduser()
        if path not in self._written and path.exists():
            raise ValueError(f"there is a file {quoted(file)} already: choose another name")
        self.write(played, path)
        self._written.add(path)
