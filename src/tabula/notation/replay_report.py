"""Replaying files of matches: the number of games and plays in them, and every play that is illegal or unreadable."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tabula.errors import InvalidTextError
from tabula.notation.matchtext import Match, Problem, decode, read_all

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from tabula.rules import Rules

__all__ = ["FileReport", "Report", "replay", "replay_file"]


@dataclasses.dataclass(frozen=True, slots=True)
class FileReport:
    """The counts and problems of one file.

    Attributes
    ----------
    plays
        Legal plays, passes included.
    unplayed_cells
        Rolls that a side resigned with instead of playing them.
    unknown_ends
        Rolls whose play is not in the file.
    problems
        Plays that are illegal, ambiguous or unreadable, and unreadable lines.

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
    """The counts and problems of several files, file by file; `str` gives the problems and the totals.

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
        """The report in plain values that JSON can hold, the totals first.

        >>> replay([]).to_dict()["games"]
        0
        """
        return {
            "files": len(self.files),
            "games": self.total("games"),
            "plays": self.total("plays"),
            "unplayed_cells": self.total("unplayed_cells"),
            "unknown_ends": self.total("unknown_ends"),
            "problems": [problem.to_dict() for problem in self.problems],
            "by_file": [
                {field.name: getattr(file, field.name) for field in dataclasses.fields(file)} | {"problems": len(file.problems)}
                for file in self.files
            ],
        }

    def __str__(self) -> str:
        counts = (
            _count(len(self.files), "file"),
            _count(self.total("games"), "game"),
            _count(self.total("plays"), "play"),
            _count(self.total("unplayed_cells"), "unplayed cell"),
            _count(self.total("unknown_ends"), "unknown end"),
            _count(len(self.problems), "problem"),
        )
        return "\n".join([*map(str, self.problems), ", ".join(counts)])


def replay(
    files: Iterable[str | PathLike[str]], *, rules: Rules | None = None, keep_going: bool = False, encoding: str | None = None
) -> Report:
    """Replays every match of these files, and reports on them.

    `rules` and `keep_going` are as in `matchtext.read`, `encoding` as in `matchtext.decode`. A file that is no match text, a
    damaged game and an illegal play are problems of the report. OSError for a file that cannot be opened.

    >>> str(replay([]))
    '0 files, 0 games, 0 plays, 0 unplayed cells, 0 unknown ends, 0 problems'
    """
    return Report(tuple(replay_file(file, rules=rules, keep_going=keep_going, encoding=encoding)[0] for file in files))


def replay_file(
    file: str | PathLike[str], *, rules: Rules | None = None, keep_going: bool = False, encoding: str | None = None
) -> tuple[FileReport, tuple[Match, ...]]:
    """The report on one file, and its matches; parameters and errors as for `replay`.

    >>> replay_file("missing.mat")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: 'missing.mat'
    """
    path = Path(file)
    # Bytes of a name that are no Unicode are written as escapes, so that it can be printed.
    name = str(path).encode("utf-8", "backslashreplace").decode("utf-8")
    try:
        matches = read_all(decode(path.read_bytes(), encoding), rules=rules, file=name, keep_going=keep_going)
    except InvalidTextError as error:
        problem = Problem(name, error.line or 1, error.text or "", "unreadable", error.args[0])
        return FileReport(name, 0, 0, 0, 0, (problem,)), ()
    return _file_report(matches, name), matches


def _file_report(matches: tuple[Match, ...], name: str) -> FileReport:
    turns = [turn for match in matches for game in match.games for turn in game.turns]
    return FileReport(
        name,
        games=sum(len(match.games) for match in matches),
        plays=sum(turn.kind == "play" and turn.legal for turn in turns),
        unplayed_cells=sum(turn.kind == "unplayed" for turn in turns),
        unknown_ends=sum(turn.kind == "unknown" and turn.roll is not None for turn in turns),
        problems=tuple(problem for match in matches for problem in match.problems),
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
