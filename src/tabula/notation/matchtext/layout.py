"""The layout of match text: which kind a line is of, and the cells of the two players in it. It knows nothing of the game."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["Cell", "Heading", "cells", "dice_cell", "game_number", "heading", "length", "lines", "tag", "wins"]

_LENGTH: Final = re.compile(r"([0-9]{1,5})[ \t]{1,8}points?[ \t]{1,8}match\b", re.IGNORECASE)
_GAME: Final = re.compile(r"game[ \t]{1,8}([0-9]{1,9})", re.IGNORECASE)
_SCORE: Final = re.compile(r":[ \t]{0,8}([0-9]{1,6})(?=[ \t]|$)")
_NUMBERED: Final = re.compile(r"[ \t]{0,80}([0-9]{1,9})\)")
_WORD: Final = re.compile(r"\S+")
_DICE: Final = re.compile(r"([0-9]{1,3}):", re.ASCII)
_WINS: Final = re.compile(r"wins ([0-9]{1,9})(?: points?)?( and the match)?", re.IGNORECASE)
_STARTERS: Final = frozenset(
    (
        *("????", "doubles", "redoubles", "takes", "accepts", "drops", "passes", "rejects", "beavers", "raccoons"),
        *("concedes", "resigns", "wins"),
    )
)
"""Words that start a cell where no dice stand before them."""

_TAB: Final = 8
_BESIDE: Final = 2
"""A word at most this many spaces behind the dice belongs to their cell."""

_MIDDLE: Final = 20
"""Where the second player's half starts, until a line with the names has been read."""

_MAX_LINE: Final = 1000
"""A line with more characters is no line of a match."""


class Heading(NamedTuple):
    """The line of a game that names the players with their scores, and where the second one's column starts."""

    players: tuple[str, str]
    score: tuple[int, int]
    column: int


class Cell(NamedTuple):
    """The text in one player's half of a line; side 0 is the first player."""

    side: int
    text: str


def lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text that are not empty, with their numbers from 1; a byte order mark is left out."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line and not line.isspace()]


def tag(line: str) -> tuple[str, str] | None:
    """Name and value of a header line ``; [Name "value"]``; None for another line, a plain comment among them."""
    start, quote, end = line.find("["), line.find('"'), line.rfind('"')
    if not 0 < start < quote < end:
        return None
    return line[start + 1 : quote].strip(), line[quote + 1 : end]


def length(line: str) -> int | None:
    """The points of a line ``N point match``."""
    match = _LENGTH.match(line.strip()[:_MAX_LINE])
    return int(match[1]) if match else None


def game_number(line: str) -> int | None:
    """The number of a line ``Game k``."""
    match = _GAME.fullmatch(line.strip()) if len(line) <= _MAX_LINE else None
    return int(match[1]) if match else None


def heading(line: str) -> Heading | None:
    """The players and scores of a line ``X : s  Y : s``."""
    if len(line) > _MAX_LINE:
        return None
    line = line.expandtabs(_TAB).rstrip()
    scores = list(_SCORE.finditer(line))
    if len(scores) < 2 or scores[-1].end() != len(line):
        return None
    first, last = scores[0], scores[-1]
    names = line[: first.start()].strip(), line[first.end() : last.start()].strip()
    if not all(names):
        return None
    column = first.end() + len(line[first.end() :]) - len(line[first.end() :].lstrip())
    return Heading(names, (int(first[1]), int(last[1])), column)


def cells(line: str, column: int | None) -> list[Cell] | None:
    """The cells of a numbered line, none, one or two of them; None for a line that is not laid out so.

    `column` is where the second player's half starts. It decides only whose cell a single one is. Two cells are separated by the
    dice or the word that each starts with, because a long cell runs into the other half.
    """
    if len(line) > _MAX_LINE:
        return None
    line = line.expandtabs(_TAB)
    number = _NUMBERED.match(line)
    starts: list[int] = []
    dice, last = False, number.end() if number else 0
    for word in _WORD.finditer(line, last):
        known = word[0].lower() in _STARTERS
        beside = dice and word.start() - last <= _BESIDE
        dice = _DICE.match(word[0]) is not None
        if not starts or dice or (known and not beside):
            starts.append(word.start())
        last = word.end()
    if number is None and (len(starts) != 1 or wins(line) is None):
        return None
    if not starts:
        return []
    if len(starts) == 1:
        middle = _MIDDLE if column is None else max(1, column // 2)
        return [Cell(int(starts[0] >= middle), line[starts[0] :].rstrip())]
    if len(starts) == 2:
        return [Cell(0, line[starts[0] : starts[1]].rstrip()), Cell(1, line[starts[1] :].rstrip())]
    return None


def dice_cell(text: str) -> tuple[str, str] | None:
    """The dice of a cell and the text behind them, ``('31', '8/5 6/5')``; None for a cell that does not start with dice."""
    match = _DICE.match(text)
    return (match[1], text[match.end() :].strip()) if match else None


def wins(text: str) -> tuple[int, bool] | None:
    """The points of a cell ``Wins n points``, and whether they win the match."""
    match = _WINS.fullmatch(" ".join(text.split()))
    return (int(match[1]), match[2] is not None) if match else None
