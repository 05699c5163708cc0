"""How commands write: lines, errors, JSON, boards, pictures, a progress bar, and the code that a command ends with."""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from tabula.cli.arguments import SIDES, RefusedError, style
from tabula.errors import quoted
from tabula.render import svg, text

if TYPE_CHECKING:
    import argparse

    from tabula._native.position import Outcome, Play, Position
    from tabula.dice import Roll
    from tabula.work.threads import Progress

__all__ = [
    "DONE",
    "MISMATCH",
    "ProgressBar",
    "discard_unwritten",
    "outcome_fields",
    "play_fields",
    "position_fields",
    "print_error",
    "print_json",
    "print_line",
    "text_board",
    "write_svg",
    "write_whole",
]

DONE: Final = 0
MISMATCH: Final = 1
"""A perft value is not the published one, or a replay met a problem."""


# ----------------------------------------------------------------------------------------------------------------------- lines


def print_line(line: str = "") -> None:
    """Prints it; a character that the terminal has no code for is written as its escape."""
    code = sys.stdout.encoding or "utf-8"
    print(line.encode(code, "backslashreplace").decode(code))


def print_error(sentence: str) -> None:
    """Prints it on stderr, if that can be written to."""
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        discard_unwritten(sys.stderr)


def discard_unwritten(stream: TextIO) -> None:
    """Writes what the stream still holds, or drops it if that fails: Python flushes again as it ends, and must not fail then."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


# ------------------------------------------------------------------------------------------------------------------------ JSON


def print_json(value: Any) -> None:
    """Prints a value as JSON, in ASCII."""
    print(json.dumps(value, indent=2))


def position_fields(position: Position) -> dict[str, Any]:
    """A position in plain values that JSON can hold: what every command writes of one first."""
    return {"game": position.rules.name, "position": position.to_text()}


def play_fields(play: Play) -> dict[str, Any]:
    """A play in plain values: as people write it, and its moves on the mover's own track."""
    return {"play": str(play), "moves": [move._asdict() for move in play.moves]}


def outcome_fields(outcome: Outcome | None) -> dict[str, Any] | None:
    """The winner and the points in plain values; None while the game goes on."""
    return None if outcome is None else {"winner": SIDES[outcome.winner], "points": outcome.points}


# ---------------------------------------------------------------------------------------------------------------------- boards


def text_board(position: Position, args: argparse.Namespace, *, upside_down: bool = False) -> str:
    """The board in a style that stdout can write, in colour if stdout takes colours."""
    return text.board(position, style=style(args), colour=text.wants_colour(sys.stdout), upside_down=upside_down)


def write_svg(file: str, position: Position, *, roll: Roll | None = None, play: Play | None = None) -> None:
    """Writes the picture of a position; the dice of a game that is over are not drawn."""
    if position.outcome is not None and play is None:
        roll = None
    Path(file).write_text(svg.board(position, roll=roll, play=play) + "\n", encoding="utf-8", newline="\n")


def write_whole(file: str, written: str, *, force: bool) -> None:
    """Writes a text to a file as a whole or not at all, ``-`` for stdout; RefusedError for a file that exists, unless `force`."""
    if file == "-":
        sys.stdout.buffer.write(written.encode("utf-8"))
        return
    path = Path(os.path.realpath(file))  # a link stays, and what it points at is written
    if path.exists() and not force:
        raise RefusedError(f"there is a file {quoted(file)} already: --force overwrites it")
    if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
        path.write_text(written, encoding="utf-8", newline="\n", errors="backslashreplace")
        return
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(written, encoding="utf-8", newline="\n", errors="backslashreplace")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


# -------------------------------------------------------------------------------------------------------------------- progress


class ProgressBar:
    """A progress bar on stderr if that is a terminal and tqdm is installed; otherwise nothing.

    `progress` is the function to call with the numbers of finished and of all parts, or None where there is no bar.
    """

    def __init__(self, label: str, *, enabled: bool = True) -> None:
        self._label = label
        self._enabled = enabled and sys.stderr.isatty()
        self._bar: Any = None
        self.progress: Progress | None = None

    def __enter__(self) -> ProgressBar:
        if self._enabled:
            try:
                tqdm = importlib.import_module("tqdm").tqdm
            except ImportError:
                return self
            self._bar = tqdm(desc=self._label, total=0, leave=False, file=sys.stderr, dynamic_ncols=True)
            self.progress = self._update
        return self

    def _update(self, done: int, total: int) -> None:
        if self._bar.total != total:
            self._bar.reset(total)
        self._bar.update(done - self._bar.n)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
