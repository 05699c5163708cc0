"""The command line: ``python -m tabula COMMAND``.

A command is one entry of `COMMANDS`: what it is for, an example, the arguments it takes and the function that runs it. Exit codes:
0 done, 1 a perft value is not the published one or a replay met a problem, 2 the input was refused or what is needed is not there
(one sentence on stderr says why), 130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, TextIO

import numpy as np

from tabula import dice
from tabula._position import Position
from tabula._version import __version__
from tabula.errors import quoted
from tabula.notation import FORMATS, NATIVE_FORMATS, convert, read, replay
from tabula.perft import divide, perft, published
from tabula.playouts import MAX_PLIES, drawing, playouts, plot
from tabula.rules import BACKGAMMON, PRESETS, TABULA

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabula.perft import Progress
    from tabula.rules import Rules

__all__ = ["COMMANDS", "Command", "Refused", "main"]

_NAME: Final = "tabula"
_DONE: Final = 0
_MISMATCH: Final = 1
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
        Does it, and returns the exit code. `Refused` is for input that cannot be used.
    """

    summary: str
    example: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


class Refused(Exception):
    """The input cannot be used; the message is the one sentence that the user sees."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, with no usage before it."""

    def error(self, message: str) -> NoReturn:
        told = " ".join(message.encode("utf-8", "backslashreplace").decode("utf-8").split())
        raise Refused(f"{told if len(told) <= _LONGEST else f'{told[:_LONGEST]}...'} (see {self.prog} --help)")


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
    except Refused as refused:
        _tell(f"{_NAME}: {refused}")
        return _REFUSED
    except KeyboardInterrupt:
        _tell(f"\n{_NAME}: interrupted")
        return _INTERRUPTED
    except BrokenPipeError:
        _let_go(sys.stdout)
        return _PIPE_CLOSED
    except OSError as error:
        _tell(f"{_NAME}: {error.strerror or error}{f': {error.filename}' if error.filename else ''}")
        _let_go(sys.stdout)
        return _REFUSED
    return code


def _open_closed_streams() -> None:
    """Gives Python somewhere to write where the shell closed stdout or stderr: it has None in their place."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end


def _tell(sentence: str) -> None:
    """Says it on stderr, where that can be written to."""
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        _let_go(sys.stderr)


def _let_go(stream: TextIO) -> None:
    """Lets what is still to be written go where it can: Python flushes once more as it ends, and must not fail again."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(argv: Sequence[str]) -> int:
    parser = _parser()
    if not argv:
        parser.error(f"there is nothing to do without a command, which is {_either(COMMANDS)}")
    if not argv[0].startswith("-") and argv[0] not in COMMANDS:
        parser.error(f"{quoted(argv[0])} is no command: it must be {_either(COMMANDS)}")
    args = parser.parse_args(_joined(argv))
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)


def _parser() -> argparse.ArgumentParser:
    prog = f"python -m {_NAME}"
    parser = _Parser(
        prog=prog,
        description="Legal plays and perft for Tabula (three dice) and backgammon.",
        epilog=f"'{prog} COMMAND --help' tells about one command.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{_NAME} {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
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
    return parser


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


def _either(names: Any) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else str(last)


# ------------------------------------------------------------------------------------------------- what several commands take


def _position_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", metavar="NAME", default=TABULA.name, help=f"{_either(PRESETS)}; {TABULA.name} if left out")
    parser.add_argument(
        "--position", metavar="TEXT", help="26 letters and the side to move, as 'show' prints them; the start if left out"
    )


def _position(args: argparse.Namespace) -> Position:
    if args.game not in PRESETS:
        raise Refused(f"the game must be {_either(PRESETS)}, not {quoted(args.game)}")
    rules = PRESETS[args.game]
    if args.position is None:
        return Position(rules)
    try:
        return Position.from_text(args.position, rules=rules)
    except ValueError as error:
        raise Refused(str(error)) from error


def _whole(name: str, text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least):
        raise Refused(f"{name} must be a whole number, {least} or more, not {quoted(text)}")
    return int(text)


# ---------------------------------------------------------------------------------------------------------------------- perft


_QUICK: Final = 2
"""The plies that are counted too soon for a progress bar to be of use."""


def _perft_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("depth", metavar="DEPTH", nargs="?", default="3", help="how many plies to count; 3 if left out")
    parser.add_argument("--divide", action="store_true", help="show the leaves of the last ply for each first roll as well")
    parser.add_argument("--threads", metavar="N", default="1", help="how many threads count; 1 if left out")
    parser.add_argument(
        "--merge", action="store_true", help="look at a position reached in several ways once; the number is the same"
    )
    _position_arguments(parser)


def _perft(args: argparse.Namespace) -> int:
    position, deepest, threads = _position(args), _whole("the depth", args.depth, 1), _whole("--threads", args.threads, 1)
    if args.divide and args.merge:
        raise Refused("--divide splits what --merge puts together: use one of them")
    known = published(position)
    print(f"perft of {args.game} from {position.to_text()}")
    print(f"{'depth':>5}  {'leaves':>20}  {'seconds':>10}  {'leaves/s':>15}", flush=True)
    for depth in range(1, deepest + 1):
        split = args.divide and depth == deepest
        by_roll: dict[dice.Roll, int] = {}
        with _Bar(f"depth {depth}", wanted=depth > _QUICK) as bar:
            started = time.perf_counter()
            if split:
                by_roll = divide(position, depth, threads=threads, progress=bar.progress)
                leaves = sum(by_roll.values())
            else:
                leaves = perft(position, depth, merge=args.merge, threads=threads, progress=bar.progress)
            seconds = time.perf_counter() - started
        line = f"{depth:>5}  {leaves:>20,}  {seconds:>10.3f}  {leaves / max(seconds, 1e-9):>15,.0f}"
        agrees = depth in known and known[depth].leaves == leaves
        print(f"{line}  as published" if agrees else line, flush=True)
        wrong = depth in known and not agrees
        if split or wrong:
            _print_divide(by_roll or divide(position, depth))
        if wrong:
            sys.stdout.flush()
            _tell(f"{_NAME}: depth {depth} has {known[depth].leaves:,} leaves as published, not {leaves:,}")
            return _MISMATCH
    return _DONE


def _print_divide(by_roll: dict[dice.Roll, int]) -> None:
    for roll, leaves in by_roll.items():
        print(f"{dice.to_text(roll):>9}  {leaves:>16,}")


class _Bar:
    """A progress bar on stderr where that is a terminal and tqdm is installed; nothing elsewhere."""

    def __init__(self, label: str, *, wanted: bool) -> None:
        self._label = label
        self._wanted = wanted and sys.stderr.isatty()
        self._bar: Any = None
        self.progress: Progress | None = None

    def __enter__(self) -> _Bar:
        if self._wanted:
            try:
                tqdm = importlib.import_module("tqdm").tqdm
            except ImportError:
                return self
            self._bar = tqdm(desc=self._label, total=0, leave=False, file=sys.stderr, dynamic_ncols=True)
            self.progress = self._tell
        return self

    def _tell(self, done: int, total: int) -> None:
        if self._bar.total != total:
            self._bar.reset(total)
        self._bar.update(done - self._bar.n)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


# ---------------------------------------------------------------------------------------------------------------------- plays


def _plays_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("roll", metavar="ROLL", nargs="+", help="the dice: 652, 6-5-2 or 6 5 2")
    _position_arguments(parser)


def _plays(args: argparse.Namespace) -> int:
    position = _position(args)
    try:
        plays = position.plays("-".join(args.roll))
    except ValueError as error:
        raise Refused(str(error)) from error
    many = "1 play" if len(plays) == 1 else f"{len(plays)} plays"
    if position.outcome is not None:
        print(f"{many}: the game is over")
        return _DONE
    print(f"{many} of {dice.to_text(plays.roll)}:")
    lines = [(str(play), play.position.to_text()) for play in plays]
    width = max(len(text) for text, _ in lines)
    for text, after in lines:
        print(f"  {text:<{width}}  {after}")
    return _DONE


# ----------------------------------------------------------------------------------------------------------------------- show


def _show(args: argparse.Namespace) -> int:
    position = _position(args)
    print(position)
    print(f"\n{position.to_text()}  ({args.game})")
    return _DONE


# ------------------------------------------------------------------------------------------------------------- replay, convert


def _replay_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="match text: .mat or .txt")
    parser.add_argument("--game", metavar="NAME", help=f"{_either(PRESETS)}; what the file says or its dice tell if left out")
    parser.add_argument("--json", action="store_true", help="tell it as JSON")


def _replay(args: argparse.Namespace) -> int:
    report = replay(args.files, rules=_rules(args.game))
    told = json.dumps(report.to_dict(), indent=2) if args.json else str(report)
    # A file may hold letters that the terminal has no code for.
    print(told.encode(sys.stdout.encoding or "utf-8", "backslashreplace").decode(sys.stdout.encoding or "utf-8"))
    return _MISMATCH if report.problems else _DONE


def _convert_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", nargs="?", help="a position text, GNU Backgammon id, XGID or FIBS board line")
    parser.add_argument("--position", metavar="TEXT", help="the same, as the other commands take it")
    parser.add_argument("--to", metavar="FORMAT", help=f"{_either(FORMATS)}; all that can hold the position if left out")
    parser.add_argument("--game", metavar="NAME", help=f"{_either(PRESETS)}, for a text that names no game")


def _convert(args: argparse.Namespace) -> int:
    if (args.text is None) == (args.position is None):
        raise Refused("convert takes one position text")
    text, rules = args.text or args.position or "", _rules(args.game)
    if args.to is not None and args.to not in FORMATS:
        raise Refused(f"the format must be {_either(FORMATS)}, not {quoted(args.to)}")
    try:
        if args.to is not None:
            print(convert(text, args.to, rules=rules))
            return _DONE
        position = read(text, rules=rules).position
    except ValueError as error:
        raise Refused(str(error)) from error
    for name in FORMATS if position.rules == BACKGAMMON else NATIVE_FORMATS:
        print(f"{name:<8} {convert(text, name, rules=rules)}")
    return _DONE


def _rules(game: str | None) -> Rules | None:
    if game is not None and game not in PRESETS:
        raise Refused(f"the game must be {_either(PRESETS)}, not {quoted(game)}")
    return None if game is None else PRESETS[game]


# ------------------------------------------------------------------------------------------------------------------- playouts


def _playouts_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", metavar="N", default="10000", help="how many games to play; 10000 if left out")
    _position_arguments(parser)
    parser.add_argument("--seed", metavar="N", help="the same seed plays the same games; a new one, which is told, if left out")
    parser.add_argument("--threads", metavar="N", default="1", help="how many threads play; 1 if left out")
    parser.add_argument("--max-plies", metavar="N", default=str(MAX_PLIES), help=f"give a game up then; {MAX_PLIES} if left out")
    parser.add_argument("--json", action="store_true", help="tell it as JSON")
    parser.add_argument("--plot", metavar="FILE", help="draw lengths and numbers of plays too: .png, .svg or .pdf")


def _playouts(args: argparse.Namespace) -> int:
    position, games, threads = _position(args), _whole("--games", args.games, 1), _whole("--threads", args.threads, 1)
    max_plies = _whole("--max-plies", args.max_plies, 1)
    seed = _whole("--seed", args.seed, 0) if args.seed is not None else int(np.random.default_rng().integers(10**9))
    try:
        if args.plot is not None:
            drawing(args.plot)
        with _Bar("games", wanted=True) as bar:
            played = playouts(
                position, games, rng=np.random.default_rng(seed), threads=threads, max_plies=max_plies, progress=bar.progress
            )
    except (ImportError, ValueError) as error:
        raise Refused(str(error)) from error
    summary = played.summary()
    if args.json:
        told = {"game": args.game, "position": position.to_text(), "seed": seed, **summary.to_dict()}
        print(json.dumps(told, indent=2))
    else:
        print(f"random games of {args.game} from {position.to_text()}, seed {seed}\n{summary}")
    if args.plot is not None:
        plot(played, args.plot)
    return _DONE


COMMANDS: Final = {
    "perft": Command(
        "Count the leaves of the game tree, ply by ply, against the published values.",
        "perft 2 --game backgammon --divide",
        _perft_arguments,
        _perft,
    ),
    "plays": Command(
        "List the legal plays of a roll, each with the position it comes to.",
        "plays 652",
        _plays_arguments,
        _plays,
    ),
    "show": Command(
        "Draw a position.",
        "show --game backgammon",
        _position_arguments,
        _show,
    ),
    "replay": Command(
        "Replay files of matches, and tell every play that is not legal or not readable.",
        "replay tests/data/matches/plain.mat",
        _replay_arguments,
        _replay,
    ),
    "convert": Command(
        "Turn a position text into the other formats.",
        "convert 4HPwATDgc/ABMA --to xgid",
        _convert_arguments,
        _convert,
    ),
    "playouts": Command(
        "Play whole games with random plays, and tell what happened in them.",
        "playouts --games 100000 --game backgammon",
        _playouts_arguments,
        _playouts,
    ),
}
"""Every subcommand by its name, in the order in which help lists them."""
