"""What stands before the games of a match: its tags, its length, and where the next match of a file starts."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from tabula.notation.matchtext import layout

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Header", "header", "length", "sections", "speaks_of_length"]

_LENGTH: Final = re.compile(r"([0-9]{1,5})[ \t]{1,8}points?[ \t]{1,8}match\b", re.IGNORECASE)
_PARTS: Final = re.compile(r"[a-z]+|[0-9]+|[^a-z0-9\s]")
_PUNCTUATION: Final = frozenset(":-.=\"'")
_BREAKS: Final = frozenset(",;()[]/")
_LENGTH_WORDS: Final = frozenset(("point", "points", "pt", "pts", "length", "pointer"))
_OTHER_WORDS: Final = frozenset(
    ("match", "of", "to", "the", "a", "an", "is", "game", "games", "play", "playing", "up", "first", "in")
)
_NUMBER_WORDS: Final = {
    word: number
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen")
    )
}
_MONEY: Final = frozenset(("money", "unlimited"))
_MONEY_WORDS: Final = _MONEY | {"match", "length", "game", "session", "play", "points", "point"}
_LENGTH_TAGS: Final = frozenset(("matchlength", "length", "match length", "points"))
_MAX_HEADER: Final = 100
"""Characters of a header line that are looked at."""

_MAX_DIGITS: Final = 5


class Header(NamedTuple):
    """What is found in the lines of a match before its first play is read.

    `length` is None where no line says it; `length_line` is then the first line that speaks of it and is not understood, or None.
    """

    tags: tuple[tuple[str, str], ...]
    lines: dict[str, int]
    """The line of each tag, by its name in lower case."""

    length: int | None
    length_line: tuple[int, str] | None
    dice: int
    """How many dice most of the rolls have; 0 where there is no roll."""

    stars: bool
    """Whether any play has a star."""

    def tag(self, *names: str) -> str | None:
        """The value of the first tag with one of these names, in lower case; None without one."""
        return next((value for key, value in self.tags if key.lower() in names), None)


def header(lines: list[tuple[int, str]]) -> Header:
    """What the lines of one match say before their first play is read."""
    tags: list[tuple[str, str]] = []
    tag_lines: dict[str, int] = {}
    points, unclear, in_game = None, None, False
    stars, rolls = False, Counter[int]()
    for number, line in lines:
        if line.lstrip().startswith(";"):
            pair = layout.tag(line)
            if pair is not None:
                tags.append(pair)
                tag_lines[pair[0].lower()] = number
            continue
        if not in_game:
            in_game = layout.game_number(line) is not None
            stated = length(line)
            points = points if stated is None else stated
            if stated is None and unclear is None and not in_game and speaks_of_length(line):
                unclear = number, line
            continue
        if ":" not in line and "/" not in line:
            continue
        for cell in layout.cells(line, None) or ():
            dice_and_play = layout.dice_cell(cell.text)
            if dice_and_play is not None:
                stars = stars or "*" in dice_and_play[1]
                rolls[len(dice_and_play[0])] += 1
    if points is None:
        value = next((value for name, value in tags if name.lower() in _LENGTH_TAGS), None)
        points = None if value is None else length(f"length {value}")
    dice = max(rolls, key=lambda count: (rolls[count], -count), default=0)
    return Header(tuple(tags), tag_lines, points, unclear if points is None else None, dice, stars)


def length(line: str) -> int | None:
    """The points of a line like ``3 point match``, ``Match of 3 points`` or ``Match length: 3``; 0 for money play; else None."""
    line = line.strip()[:_MAX_HEADER]
    match = _LENGTH.match(line)
    if match:
        return int(match[1])
    if layout.result(line) is not None:
        return None
    clauses: list[list[str]] = [[]]
    for part in _PARTS.findall(line.lower()):
        if part in _BREAKS:
            clauses.append([])
        elif part not in _PUNCTUATION:
            clauses[-1].append(part)
    return next((points for points in map(_clause_length, clauses) if points is not None), None)


def _clause_length(words: list[str]) -> int | None:
    numbers = [word for word in words if word.isdigit() or word in _NUMBER_WORDS]
    others = frozenset(words) - frozenset(numbers)
    if not numbers:
        return 0 if others & _MONEY and others <= _MONEY_WORDS else None
    if len(numbers) != 1 or len(numbers[0]) > max(_MAX_DIGITS, len("thirteen")) or not others <= _LENGTH_WORDS | _OTHER_WORDS:
        return None
    if not (others & _LENGTH_WORDS or ("match" in others and others & {"to", "of"})):
        return None
    number = numbers[0]
    return int(number) if number.isdigit() else _NUMBER_WORDS[number]


def speaks_of_length(line: str) -> bool:
    """Whether a line of a header is about the length of the match."""
    words = re.findall(_PARTS, line.strip()[:_MAX_HEADER].lower())
    followed = any(first == "match" and second in ("to", "of") for first, second in itertools.pairwise(words))
    return followed or not _LENGTH_WORDS.isdisjoint(words)


def sections(lines: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """The lines of each match of a file.

    A match starts with a line that says its length, or with tags before a game 1, once a game has been read. A length that is said
    again before the next game of the same match and players starts none.
    """
    start = 0
    block: int | None = None
    block_length: int | None = None
    points: int | None = None
    last_game = 0
    players: frozenset[str] | None = None
    for place, (_, line) in enumerate(lines):
        comment = line.lstrip().startswith(";")
        stated = None if comment or ")" in line[:_MAX_HEADER] else length(line)
        if stated is not None or (comment and layout.tag(line) is not None):
            block = place if block is None else block
            block_length = block_length if stated is None else stated
            continue
        if comment:
            continue
        number = layout.game_number(line)
        if number is not None:
            heading = layout.heading(lines[place + 1][1]) if place + 1 < len(lines) else None
            names = None if heading is None else frozenset(heading.players)
            if last_game and block is not None:
                goes_on = number == last_game + 1 and names == players and block_length in (None, points)
                if not goes_on and (block_length is not None or number == 1):
                    yield lines[start:block]
                    start, points = block, None
            points = points if block_length is None else block_length
            players, last_game = names, number
        if number is not None or layout.is_numbered(line):
            block = block_length = None
    yield lines[start:]
