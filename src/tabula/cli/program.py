"""The program around the commands: which there are, their help, how errors are told, and the code that it all ends with."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from tabula._version import __version__
from tabula.cli import boards, counting, games, texts
from tabula.cli.common import NAME, RefusedError, either, let_go, tell
from tabula.cli.completion import script
from tabula.errors import quoted, short_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["COMMANDS", "Command", "main", "parser"]

_REFUSED: Final = 2
_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141
_LONGEST: Final = 200
"""The most of an error of argparse that is shown: what was typed may stand in it."""


class Command(NamedTuple):
    """One subcommand.

    Attributes
    ----------
    summary
        What it does, in a sentence.
    example
        What may be typed after ``python -m tabula`` to see it work.
    arguments
        Adds its arguments to a parser.
    run
        Does it, and returns the exit code. `RefusedError` is for input that cannot be used.
    """

    summary: str
    example: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


COMMANDS: Final = {
    "show": Command(
        "Draw a position.",
        "show --game backgammon",
        boards.show_arguments,
        boards.show,
    ),
    "plays": Command(
        "List the legal plays of a roll, each with the position it comes to.",
        "plays 652",
        boards.plays_arguments,
        boards.plays,
    ),
    "perft": Command(
        "Count the leaves of the game tree, ply by ply, against the published values.",
        "perft 2 --game backgammon --divide",
        counting.perft_arguments,
        counting.perft,
    ),
    "playouts": Command(
        "Play whole games with random plays, and tell what happened in them.",
        "playouts --games 100000 --game backgammon",
        counting.playouts_arguments,
        counting.playouts,
    ),
    "replay": Command(
        "Replay files of matches, and tell every play that is not legal or not readable.",
        "replay tests/data/matches/plain.mat",
        texts.replay_arguments,
        texts.replay,
    ),
    "convert": Command(
        "Turn a position text into the other formats.",
        "convert 4HPwATDgc/ABMA --to xgid",
        texts.convert_arguments,
        texts.convert,
    ),
    "game": Command(
        "Play a game in the terminal, against a bot or another person.",
        "game --game backgammon --bot pips",
        games.game_arguments,
        games.game,
    ),
}
"""Every subcommand by its name, in the order in which help lists them."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, with no usage before it."""

    def error(self, message: str) -> NoReturn:
        told = " ".join(message.encode("utf-8", "backslashreplace").decode("utf-8").split())
        raise RefusedError(f"{told if len(told) <= _LONGEST else f'{told[:_LONGEST]}...'} (see {self.prog} --help)")


class _Completion(argparse.Action):
    """Prints the completion of a shell and ends the program, as ``--version`` does."""

    def __call__(self, asking: argparse.ArgumentParser, *told: Any) -> None:
        _, shell, *_ = told
        print(script(parser(NAME), shell))
        asking.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; `argv` is what follows the program's name.

    >>> main(["plays", "652", "--game", "historic"])
    1 play of 6-5-2:
      bar/6 bar/5 bar/2  L-A--AA------------------o:b
    0
    """
    _open_closed_streams()
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except RefusedError as refused:
        tell(f"{NAME}: {refused}")
        return _REFUSED
    except KeyboardInterrupt:
        tell(f"\n{NAME}: interrupted")
        return _INTERRUPTED
    except BrokenPipeError:
        let_go(sys.stdout)
        return _PIPE_CLOSED
    except RuntimeError as error:
        if "start new thread" not in str(error):
            raise
        tell(f"{NAME}: the system starts no more threads; ask for fewer --threads")
        return _REFUSED
    except MemoryError:
        tell(f"{NAME}: there is not enough memory for this")
        return _REFUSED
    except OSError as error:
        tell(f"{NAME}: {error.strerror or error}{f': {short_repr(error.filename)}' if error.filename else ''}")
        let_go(sys.stdout)
        return _REFUSED
    return code


def _open_closed_streams() -> None:
    """Gives Python something to read from and write to where the shell closed a stream: it has None in their place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open to the end


def _run(argv: Sequence[str]) -> int:
    made = parser(NAME if Path(sys.argv[0]).stem == NAME else f"python -m {NAME}")
    if not argv:
        made.error(f"there is nothing to do without a command, which is {either(COMMANDS)}")
    if any("\0" in argument for argument in argv):
        made.error("an argument has a character NUL in it, which no text and no name of a file can have")
    if not argv[0].startswith("-") and argv[0] not in COMMANDS:
        made.error(f"{quoted(argv[0])} is no command: it must be {either(COMMANDS)}")
    args = made.parse_args(_joined(argv))
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def parser(prog: str) -> argparse.ArgumentParser:
    """The parser of the whole command line, for a program called `prog`."""
    made = _Parser(
        prog=prog,
        description="Legal plays, perft and games of Tabula (three dice) and backgammon.",
        epilog=f"'{prog} COMMAND --help' tells about one command.",
        allow_abbrev=False,
    )
    made.add_argument("--version", action="version", version=f"{NAME} {__version__}")
    made.add_argument(
        "--print-completion",
        metavar="SHELL",
        action=_Completion,
        help=f"print what makes bash, zsh or another shell complete '{NAME}'",
    )
    commands = made.add_subparsers(metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        each = commands.add_parser(
            name,
            help=command.summary,
            description=command.summary,
            epilog=f"example:\n  {prog} {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.arguments(each)
        each.set_defaults(run=command.run)
    return made


_BOARD: Final = re.compile(r"-[-A-Oa-o]{25}:")
"""How a position text or an XGID starts that argparse would take for an option."""


def _joined(argv: Sequence[str]) -> list[str]:
    """``--position TEXT`` as ``--position=TEXT``: argparse would take a text that starts with ``-`` for an option."""
    joined: list[str] = []
    for argument in argv:
        if joined and joined[-1] == "--position":
            joined[-1] += f"={argument}"
        elif _BOARD.match(argument):
            joined.append(f"--position={argument}")
        else:
            joined.append(argument)
    return joined
