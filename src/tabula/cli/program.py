"""The program around the commands: the table of commands, the parser, the errors and the exit code."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from tabula._version import __version__
from tabula.cli import arena, convert, game, perft, playouts, plays, replay, rules, show
from tabula.cli.arguments import NAME, RefusedError, join_with_or
from tabula.cli.completion import script
from tabula.cli.output import discard_unwritten, print_error
from tabula.errors import quoted, short_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["COMMANDS", "Command", "main", "parser"]

_REFUSED: Final = 2
_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141
_MAX_ERROR: Final = 200
"""Characters of an error of argparse that are printed: all that was typed may stand in it."""

_FILES: Final = ("checkpoint", "csv", "html", "plot", "rules", "save", "svg")
"""The options that take the path of a file: Python would take an empty one for the current folder."""


class Command(NamedTuple):
    """One subcommand.

    Attributes
    ----------
    summary
        What it does, in a sentence.
    example
        Arguments of ``python -m tabula`` with which to try it.
    add_arguments
        Adds its arguments to a parser.
    run
        Runs it and returns the exit code. It raises `RefusedError` for input that cannot be used.
    """

    summary: str
    example: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


COMMANDS: Final = {
    "show": Command(
        "Draw a position.",
        "show --game backgammon",
        show.add_arguments,
        show.run,
    ),
    "plays": Command(
        "List the legal plays of a roll, each with the position after it.",
        "plays 652",
        plays.add_arguments,
        plays.run,
    ),
    "perft": Command(
        "Count the leaves of the game tree, and compare with the published values.",
        "perft 2 --game backgammon --divide",
        perft.add_arguments,
        perft.run,
    ),
    "playouts": Command(
        "Play whole games with random plays, and summarise them.",
        "playouts --games 100000 --game backgammon",
        playouts.add_arguments,
        playouts.run,
    ),
    "arena": Command(
        "Play a match between two players.",
        "arena pips random --games 200 --game backgammon",
        arena.add_arguments,
        arena.run,
    ),
    "replay": Command(
        "Replay files of matches, and report every play that is illegal or unreadable.",
        "replay tests/data/matches/plain.mat",
        replay.add_arguments,
        replay.run,
    ),
    "convert": Command(
        "Write a position text in other formats.",
        "convert 4HPwATDgc/ABMA --to xgid",
        convert.add_arguments,
        convert.run,
    ),
    "rules": Command(
        "List the games that have a name, or explain the rules of one.",
        "rules hypergammon",
        rules.add_arguments,
        rules.run,
    ),
    "game": Command(
        "Play a game in the terminal, against a bot or another person.",
        "game --game backgammon --bot pips",
        game.add_arguments,
        game.run,
    ),
}
"""Every subcommand by its name, in the order in which help lists them."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, with no usage before it."""

    def error(self, message: str) -> NoReturn:
        line = " ".join(message.encode("utf-8", "backslashreplace").decode("utf-8").split())
        raise RefusedError(f"{line if len(line) <= _MAX_ERROR else f'{line[:_MAX_ERROR]}...'} (see {self.prog} --help)")


class _Completion(argparse.Action):
    """Prints the completion script of a shell and ends the program, as ``--version`` does."""

    def __call__(self, command_line: argparse.ArgumentParser, _namespace: argparse.Namespace, shell: Any, *_: Any) -> None:
        print(script(parser(NAME), shell))
        command_line.exit()


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
        print_error(f"{NAME}: {refused}")
        return _REFUSED
    except KeyboardInterrupt:
        print_error(f"\n{NAME}: interrupted")
        return _INTERRUPTED
    except BrokenPipeError:
        discard_unwritten(sys.stdout)
        return _PIPE_CLOSED
    except RuntimeError as error:
        if "start new thread" not in str(error):
            raise
        print_error(f"{NAME}: the system starts no more threads: use fewer --threads")
        return _REFUSED
    except MemoryError:
        print_error(f"{NAME}: there is not enough memory for this")
        return _REFUSED
    except OSError as error:
        print_error(f"{NAME}: {error.strerror or error}{f': {short_repr(error.filename)}' if error.filename else ''}")
        discard_unwritten(sys.stdout)
        return _REFUSED
    return code


def _open_closed_streams() -> None:
    """Opens the null device for each standard stream that the shell closed: Python has None in its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open until the end


def _run(argv: Sequence[str]) -> int:
    command_line = parser(NAME if Path(sys.argv[0]).stem == NAME else f"python -m {NAME}")
    if not argv:
        command_line.error(f"there is nothing to do without a command, which is {join_with_or(COMMANDS)}")
    if any("\0" in argument for argument in argv):
        command_line.error("an argument has a NUL character in it, and no text and no file name can have one")
    if not argv[0].startswith("-") and argv[0] not in COMMANDS:
        command_line.error(f"{quoted(argv[0])} is no command: it must be {join_with_or(COMMANDS)}")
    args = command_line.parse_args(_joined(argv))
    for option in _FILES:
        if getattr(args, option, None) == "":
            raise RefusedError(f"--{option} must be the path of a file, not ''")
    if getattr(args, "file", None) == "" or "" in getattr(args, "files", ()):
        raise RefusedError("FILE must be the path of a file, not ''")
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def parser(prog: str) -> argparse.ArgumentParser:
    """The parser of the whole command line, for a program called `prog`."""
    command_line = _Parser(
        prog=prog,
        description="Legal plays, perft and games of Tabula (three dice) and backgammon.",
        epilog=f"'{prog} COMMAND --help' is the help of one command.",
        allow_abbrev=False,
    )
    command_line.add_argument("--version", action="version", version=f"{NAME} {__version__}")
    command_line.add_argument(
        "--print-completion",
        metavar="SHELL",
        action=_Completion,
        help=f"print the script with which bash, zsh or another shell completes '{NAME}'",
    )
    commands = command_line.add_subparsers(metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        subparser = commands.add_parser(
            name,
            help=command.summary,
            description=command.summary,
            epilog=f"example:\n  {prog} {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return command_line


_BOARD: Final = re.compile(r"-[-A-Oa-o]{25}:")
"""The start of a position text or an XGID that argparse would take for an option."""


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
