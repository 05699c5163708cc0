"""The errors that tell one kind of refusal from another.

All of them are `ValueError`s, so that ``except ValueError`` catches every refusal of a value. A bad roll, a bad `Rules` or
another bad value is a plain `ValueError`; a value of the wrong type, None included, is a `TypeError`.
"""

from __future__ import annotations

__all__ = ["AmbiguousPlay", "IllegalPlay", "InvalidPosition", "InvalidText"]


class InvalidPosition(ValueError):
    """The checkers named cannot stand like that under the rules named.

    >>> from tabula import Position, TABULA
    >>> Position.from_points({1: 6}, {}, rules=TABULA, bar=(9, 15))
    Traceback (most recent call last):
    ...
    tabula.errors.InvalidPosition: mover has 6 checkers on point 1, and at most 5 may stand on one
    """


class InvalidText(ValueError):
    """The text is not written in the notation that it was read as.

    >>> from tabula import Position, TABULA
    >>> Position.from_text("O:w", rules=TABULA)
    Traceback (most recent call last):
    ...
    tabula.errors.InvalidText: a position text has 26 letters before the ':', not 1: 'O:w'
    """


class IllegalPlay(ValueError):
    """The moves are no whole legal play of the roll; the message says which rule stops which move.

    >>> from tabula import Position, TABULA
    >>> Position(TABULA).apply([(0, 6), (0, 5)], "652")
    Traceback (most recent call last):
    ...
    tabula.errors.IllegalPlay: bar/6 bar/5 plays 2 dice of 6-5-2, and 3 can be played
    """


class AmbiguousPlay(ValueError):
    """The text fits more than one legal play; the message names them."""
