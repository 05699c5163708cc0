"""Replaying files of matches: how many games and plays they hold, and every play that is not legal or not readable."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tabula.errors import InvalidTextError
from tabula.notation.matchtext import Match, Problem, decode, read

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from tabula.rules import Rules

__all__ = ["FileReport", "Report", "replay"]


@dataclasses.dataclass(frozen=True, slots=True)
class FileReport:
    """What one file holds.

    Attributes
    ----------
    plays
        Legal plays, passes included.
    unplayed_cells
        Rolls that a side gave up with instead of playing them.
    unknown_ends
        Rolls whose play the file does not tell.
    problems
        Plays that are not legal or not readable, and lines that are not.

    Examples
    --------
    >>> FileReport("a.mat", games=1, plays=40, unplayed_cells=0, unknown_ends=0, problems=()).plays
    40
    """

    file: str
    games: int
    plays: int
    unplayed_cells: int
    unknown_ends: int
    problems: tuple[Problem, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Report:
    """What several files hold, file by file; `str` tells the totals.

    >>> print(Report((FileReport("a.mat", games=1, plays=40, unplayed_cells=0, unknown_ends=0, problems=()),)))
    1 file, 1 game, 40 plays, 0 unplayed cells, 0 unknown ends, 0 problems
    """

    files: tuple[FileReport, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, in the order of the files."""
        return tuple(problem for file in self.files for problem in file.problems)

    def total(self, field: Literal["games", "plays", "unplayed_cells", "unknown_ends"]) -> int:
        """The sum of a count over all files.

        >>> replay([]).total("plays")
        0
        """
        return sum(getattr(file, field) for file in self.files)

    def to_dict(self) -> dict[str, Any]:
        """All of it in plain values that JSON can hold, the totals first.

        >>> replay([]).to_dict()["games"]
        0
        """
        return {
            "files": len(self.files),
            "games": self.total("games"),
            "plays": self.total("plays"),
            "unplayed_cells": self.total("unplayed_cells"),
            "unknown_ends": self.total("unknown_ends"),
            "problems": [dataclasses.asdict(problem) for problem in self.problems],
            "by_file": [dataclasses.asdict(file) | {"problems": len(file.problems)} for file in self.files],
        }

    def __str__(self) -> str:
        counts = (
            _many(len(self.files), "file"),
            _many(self.total("games"), "game"),
            _many(self.total("plays"), "play"),
            _many(self.total("unplayed_cells"), "unplayed cell"),
            _many(self.total("unknown_ends"), "unknown end"),
            _many(len(self.problems), "problem"),
        )
        return "\n".join([*map(str, self.problems), ", ".join(counts)])


def replay(files: Iterable[str | PathLike[str]], *, rules: Rules | None = None) -> Report:
    """Replay every match of these files; `rules` as `matchtext.read` has them.

    A file that is no match text, a damaged game and a play that is not legal are problems of the report. OSError for a file that
    cannot be read.

    >>> str(replay([]))
    '0 files, 0 games, 0 plays, 0 unplayed cells, 0 unknown ends, 0 problems'
    """
    return Report(tuple(_replay(Path(file), rules) for file in files))


def _replay(path: Path, rules: Rules | None) -> FileReport:
    # A name that is no Unicode is told with its bytes spelled out, so that it can be printed.
    name = str(path).encode("utf-8", "backslashreplace").decode("utf-8")
    try:
        match = read(decode(path.read_bytes()), rules=rules, file=name)
    except InvalidTextError as error:
        return FileReport(name, 0, 0, 0, 0, (Problem(name, error.line or 1, error.text or "", "unreadable", error.args[0]),))
    return _counted(match, name)


def _counted(match: Match, name: str) -> FileReport:
    turns = [turn for game in match.games for turn in game.turns]
    return FileReport(
        name,
        games=len(match.games),
        plays=sum(turn.kind == "play" for turn in turns),
        unplayed_cells=sum(turn.kind == "unplayed" for turn in turns),
        unknown_ends=sum(turn.kind == "unknown" and turn.roll is not None for turn in turns),
        problems=match.problems,
    )


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
