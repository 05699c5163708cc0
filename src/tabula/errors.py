"""The errors for callers who handle one kind of refusal and not another.

Each of them is a `ValueError`, so that ``except ValueError`` catches every refusal of a value. Any other bad value, a roll or a
field of `Rules` for instance, is a plain `ValueError`; a value of the wrong type, None included, is a `TypeError`.
"""

from __future__ import annotations

from typing import Final, Self

__all__ = [
    "AmbiguousPlayError",
    "IllegalPlayError",
    "InvalidPositionError",
    "InvalidTextError",
    "invalid_text",
    "quoted",
    "short_repr",
]

_QUOTED: Final = 60
"""The most characters of a text that a message quotes."""

_REPR: Final = 100
"""The most characters of a value's `repr` that a message has."""


class InvalidPositionError(ValueError):
    """These checkers cannot stand like that under these rules.

    >>> from tabula import Position, TABULA
    >>> Position.from_points({1: 6}, {}, rules=TABULA, bar=(9, 15))
    Traceback (most recent call last):
    ...
    tabula.errors.InvalidPositionError: mover has 6 checkers on point 1, and at most 5 may stand on one
    """


class _TextError(ValueError):
    """An error about a text that people or programs write, which may stand in a file."""

    position: int | None = None
    """The index of the character in the text at which the fault starts, from 0, or None where it is not known."""

    file: str | None = None
    """The file that the text was read from, or None; with a file, `line` and `text` are set too."""

    line: int | None = None
    """The number of the line in the file, from 1."""

    text: str | None = None
    """The line as it stands in the file."""

    def within(self, file: str, line: int, text: str) -> Self:
        """This error, with the place in a file where its text stands; the message then starts with it."""
        self.file, self.line, self.text = file, line, text
        return self

    def __str__(self) -> str:
        message = super().__str__()
        return message if self.file is None else f"{self.file}:{self.line}: {message} [{quoted(self.text or '')}]"


class InvalidTextError(_TextError):
    """The text breaks the notation that it was read as.

    >>> from tabula import Position, TABULA
    >>> Position.from_text("O:w", rules=TABULA)
    Traceback (most recent call last):
    ...
    tabula.errors.InvalidTextError: a position text has 26 letters before the ':', not 1: 'O:w'
    """


class IllegalPlayError(_TextError):
    """The moves are not a complete legal play of the roll; the message says which rule stops which move.

    >>> from tabula import Position, TABULA
    >>> Position(TABULA).apply([(0, 6), (0, 5)], "652")
    Traceback (most recent call last):
    ...
    tabula.errors.IllegalPlayError: bar/6 bar/5 plays 2 dice of 6-5-2, and 3 can be played
    """


class AmbiguousPlayError(_TextError):
    """The text fits several legal plays; the message names them.

    >>> from tabula import BACKGAMMON, Position
    >>> position = Position.from_points({24: 1, 6: 14}, {5: 1, 8: 14}, rules=BACKGAMMON)
    >>> position.parse_play("24/18", "42", hits="unmarked")
    Traceback (most recent call last):
    ...
    tabula.errors.AmbiguousPlayError: '24/18' fits 2 plays of 4-2: 24/20* 20/18, 24/18
    """


def invalid_text(sentence: str, text: str, at: int) -> InvalidTextError:
    """An `InvalidTextError` that says where in the text the fault starts (`at` counts from 0) and quotes the text around it.

    >>> invalid_text("a move has a slash", "8-5", 1)
    InvalidTextError("a move has a slash (character 2 of '8-5')")
    """
    error = InvalidTextError(f"{sentence} (character {at + 1} of {quoted(text, at)})")
    error.position = at
    return error


def quoted(text: str, at: int = 0) -> str:
    """The text in quotes. Of a text of more than 60 characters, only those around the index `at`.

    >>> quoted("8/5"), len(quoted("8/5 " * 100, at=200))
    ("'8/5'", 68)
    """
    start = max(0, at - _QUOTED // 2) if len(text) > _QUOTED else 0
    return f"{'...' if start else ''}{text[start : start + _QUOTED]!r}{'...' if len(text) > start + _QUOTED else ''}"


def short_repr(value: object) -> str:
    """Any value as error messages have it: its `repr` on one line, and no more than its first 100 characters.

    >>> short_repr(1.5), short_repr("652"), len(short_repr([0] * 1000))
    ('1.5', "'652'", 103)
    """
    if isinstance(value, str):
        return quoted(value)
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a user's own __repr__ may raise, and so does the repr of an int with too many digits
        return f"a value of the type {type(value).__name__}"
    return text if len(text) <= _REPR else f"{text[:_REPR]}..."
