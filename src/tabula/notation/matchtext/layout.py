"""The layout of match text: which kind a line is of, and the cells of the two columns in it. It knows nothing of the game."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = [
    "Cell",
    "Heading",
    "Result",
    "action",
    "cells",
    "dice_cell",
    "game_number",
    "heading",
    "is_numbered",
    "is_unknown",
    "lines",
    "result",
    "tag",
]

_GAME: Final = re.compile(r"game[ \t]{1,8}([0-9]{1,9})", re.IGNORECASE)
_SCORE: Final = re.compile(r":[ \t]{0,8}([0-9]{1,6})(?=[ \t]|$)")
_NUMBERED: Final = re.compile(r"[ \t]{0,80}([0-9]{1,9})\)")
_WORD: Final = re.compile(r"\S+")
_DICE: Final = re.compile(r"([0-9]{1,3}):", re.ASCII)
_DICE_ALONE: Final = re.compile(r"([1-6]{2,3})[ \t]", re.ASCII)
"""Dice without their colon."""

_PARTS: Final = re.compile(r"[a-z]+|[0-9]+")
_PLAY_STARTS: Final = frozenset(("bar", "cannot", "can't", "pass", "no"))
_PLAY_WORDS: Final = _PLAY_STARTS | {"off", "move", "play"}

_ACTIONS: Final[dict[str, str]] = {
    "doubles": "double",
    "redoubles": "double",
    "takes": "take",
    "accepts": "take",
    "drops": "drop",
    "passes": "drop",
    "rejects": "drop",
    "beavers": "beaver",
    "raccoons": "raccoon",
    "concedes": "resign",
    "conceded": "resign",
    "resigns": "resign",
    "resigned": "resign",
    "resign": "resign",
    "forfeits": "resign",
    "timeout": "time",
}
"""What a cell says by its first word."""

_WON: Final = frozenset(("wins", "win", "won"))
_LOST: Final = frozenset(("losses", "loses", "loss", "lost"))
_STARTERS: Final = frozenset((*_ACTIONS, *_WON, *_LOST))
"""Words that start a cell where no dice stand before them."""

_TIME: Final = frozenset(("time", "timeout"))
_GRADES: Final = {"single": 1, "gammon": 2, "backgammon": 3}
_RESULT_WORDS: Final = frozenset(("point", "points", "game", "match", *_GRADES))

_TAB: Final = 8
_BESIDE: Final = 2
"""A word at most this many spaces behind the dice belongs to their cell."""

_MIDDLE: Final = 20
"""Where the right column starts, until a line with the names has been read."""

_MAX_LINE: Final = 1000
"""A line with more characters is no line of a match."""

_MAX_CELL: Final = 100
"""Characters of a cell of words that are looked at."""


class Heading(NamedTuple):
    """The line of a game that names the players with their scores, and where the right column starts."""

    players: tuple[str, str]
    score: tuple[int, int]
    column: int


class Cell(NamedTuple):
    """The text in one column of a line; column 0 is the left one."""

    column: int
    text: str


class Result(NamedTuple):
    """What a cell like ``Wins 2 points with a gammon`` says of the player in whose column it stands."""

    won: bool
    points: int | None
    """None where the cell has no number."""

    grade: int | None
    """1 for a single game, 2 for a gammon, 3 for a backgammon; None where the cell has no word for it."""

    match: bool
    """Whether the match is decided with it."""


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

    A line without a number has cells if each is a result or an action. `column` is where the right column starts. Two cells are
    separated by the dice or the word that each starts with, because a long cell runs into the other column; it decides only whose
    cell a single one is, and where a word that is not known may start a cell.
    """
    if len(line) > _MAX_LINE:
        return None
    line = line.expandtabs(_TAB)
    number = _NUMBERED.match(line)
    words = list(_WORD.finditer(line, number.end() if number else 0))
    starts: list[int] = []
    dice, last = False, number.end() if number else 0
    for place, word in enumerate(words):
        gap = word.start() - last
        beside = dice and gap <= _BESIDE
        following = words[place + 1][0] if place + 1 < len(words) else ""
        dice = _DICE.match(word[0]) is not None or _is_dice_alone(word[0], following)
        if not starts or dice or (not beside and _starts_cell(word, gap, column)):
            starts.append(word.start())
        last = word.end()
    if number is None and not (starts and all(_first_word(line[start:]) in _STARTERS for start in starts)):
        return None
    if not starts:
        return []
    if len(starts) == 1:
        middle = _MIDDLE if column is None else max(1, column // 2)
        return [Cell(int(starts[0] >= middle), line[starts[0] :].rstrip())]
    if len(starts) == 2:
        return [Cell(0, line[starts[0] : starts[1]].rstrip()), Cell(1, line[starts[1] :].rstrip())]
    return None


def is_numbered(line: str) -> bool:
    """Whether a line starts with the number of a turn, as in `` 3)``."""
    return _NUMBERED.match(line) is not None


def _first_word(text: str) -> str:
    return text[:_MAX_CELL].split(None, 1)[0].lower()


def _is_dice_alone(word: str, following: str) -> bool:
    """Whether a word is dice that lack their colon: a play comes after them."""
    return _DICE_ALONE.match(f"{word} ") is not None and len(word) <= 3 and _is_play(following)


def _is_play(word: str) -> bool:
    return "/" in word or is_unknown(word) or word.lower() in _PLAY_STARTS


def _starts_cell(word: re.Match[str], gap: int, column: int | None) -> bool:
    """Whether a word that is no dice, behind another cell's words, starts a cell of its own."""
    lower = word[0].lower()
    if is_unknown(lower) or lower in _STARTERS:
        return True
    if column is None or gap <= _BESIDE or word.start() < column - _BESIDE:
        return False
    return lower.isalpha() and lower not in _PLAY_WORDS


def is_unknown(text: str) -> bool:
    """Whether a text is question marks, two or more: a play, or a roll, that is not known."""
    return len(text) > 1 and not text.strip("?")


def dice_cell(text: str) -> tuple[str, str] | None:
    """The dice of a cell and the text behind them, ``('31', '8/5 6/5')``; None for a cell that does not start with dice.

    The colon may be missing where a play comes next.
    """
    match = _DICE.match(text)
    if match is None:
        match = _DICE_ALONE.match(text)
        if match is None or not _is_play(text[match.end() : match.end() + _MAX_CELL].split(None, 1)[0]):
            return None
    return match[1], text[match.end() :].strip()


def action(text: str) -> tuple[str, int | None] | None:
    """The kind of turn that a cell of words is, and the number in it; None for words that are not known."""
    words = _PARTS.findall(text[:_MAX_CELL].lower())
    if not words:
        return None
    value = next((int(word) for word in words if word.isdigit() and len(word) < 10), None)
    if not _TIME.isdisjoint(words):
        return "time", None
    kind = _ACTIONS.get(words[0])
    return None if kind is None else (kind, value)


def result(text: str) -> Result | None:
    """What a cell like ``Wins 2 points`` or ``Losses 1 point`` says; None for another cell."""
    if len(text) > _MAX_LINE:
        return None
    words = _PARTS.findall(text.lower())
    if not words or words[0] not in _WON | _LOST:
        return None
    won = words[0] in _WON
    points = next((int(word) for word in words if word.isdigit() and len(word) < 10), None)
    if not won and (points is None and _RESULT_WORDS.isdisjoint(words)):
        return None
    grade = next((_GRADES[word] for word in words if word in _GRADES), None)
    return Result(won, points, grade, "match" in words)
