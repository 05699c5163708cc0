"""The errors that tell one kind of refusal from another.

Each of them is a `ValueError`, so that ``except ValueError`` catches every refusal of a value. A bad roll, a bad `Rules` or
another bad value is a plain `ValueError`; a value of the wrong type, None included, is a `TypeError`.
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

_SHOWN: Final = 60
_SHOWN_OF_VALUES: Final = 100


class InvalidPositionError(ValueError):
    """The checkers named cannot stand like that under the rules named.

    >>> from tabula import Position, TABULA
    >>> Position.from_points({1: 6}, {}, rules=TABULA, bar=(9, 15))
    Traceback (most recent call last):
    ...
    tabula.errors.InvalidPositionError: mover has 6 checkers on point 1, and at most 5 may stand on one
    """


class _TextError(ValueError):
    """An error about a text that people or programs write, which may stand in a file."""

    position: int | None = None
    """The index in the text at which the trouble starts, where the parser knows it."""

    file: str | None = None
    """The file that the text stands in, where it stands in one; `line` and `text` are then told too."""

    line: int | None = None
    """The number of the line, from 1."""

    text: str | None = None
    """The line."""

    def within(self, file: str, line: int, text: str) -> Self:
        """The error itself, which from now on says where in a file its text stands."""
        self.file, self.line, self.text = file, line, text
        return self

    def __str__(self) -> str:
        said = super().__str__()
        return said if self.file is None else f"{self.file}:{self.line}: {said} [{quoted(self.text or '')}]"


class InvalidTextError(_TextError):
    """The text is not written in the notation that it was read as.

    >>> from tabula import Position, TABULA
    >>> Position.from_text("O:w", rules=TABULA)
    Traceback (most recent call last):
    ...
    tabula.errors.InvalidTextError: a position text has 26 letters before the ':', not 1: 'O:w'
    """


class IllegalPlayError(_TextError):
    """The moves are no whole legal play of the roll; the message says which rule stops which move.

    >>> from tabula import Position, TABULA
    >>> Position(TABULA).apply([(0, 6), (0, 5)], "652")
    Traceback (most recent call last):
    ...
    tabula.errors.IllegalPlayError: bar/6 bar/5 plays 2 dice of 6-5-2, and 3 can be played
    """


class AmbiguousPlayError(_TextError):
    """The text fits more than one legal play; the message names them.

    >>> from tabula import BACKGAMMON, Position
    >>> position = Position.from_points({24: 1, 6: 14}, {5: 1, 8: 14}, rules=BACKGAMMON)
    >>> position.parse_play("24/18", "42", hits="unmarked")
    Traceback (most recent call last):
    ...
    tabula.errors.AmbiguousPlayError: '24/18' fits 2 plays of 4-2: 24/20* 20/18, 24/18
    """


def invalid_text(sentence: str, text: str, at: int) -> InvalidTextError:
    """An `InvalidTextError` that says where in the text the trouble starts, `at` counted from 0, and shows the text around it.

    >>> invalid_text("a move has a slash", "8-5", 1)
    InvalidTextError("a move has a slash (character 2 of '8-5')")
    """
    error = InvalidTextError(f"{sentence} (character {at + 1} of {quoted(text, at)})")
    error.position = at
    return error


def quoted(text: str, at: int = 0) -> str:
    """The text in quotes, cut to what is around `at` where it is long enough to hide the sentence that it stands in.

    >>> quoted("8/5"), len(quoted("8/5 " * 100, at=200))
    ("'8/5'", 68)
    """
    start = max(0, at - _SHOWN // 2) if len(text) > _SHOWN else 0
    return f"{'...' if start else ''}{text[start : start + _SHOWN]!r}{'...' if len(text) > start + _SHOWN else ''}"


def short_repr(value: object) -> str:
    """Any value as an error message shows it: its `repr` on one line, cut where it is long enough to hide the sentence.

    >>> short_repr(1.5), short_repr("652"), len(short_repr([0] * 1000))
    ('1.5', "'652'", 103)
    """
    if isinstance(value, str):
        return quoted(value)
    try:
        told = " ".join(repr(value).split())
    except Exception:  # a repr of somebody's own that fails, or an int of too many digits
        return f"a value of the type {type(value).__name__}"
    return told if len(told) <= _SHOWN_OF_VALUES else f"{told[:_SHOWN_OF_VALUES]}..."
