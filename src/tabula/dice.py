"""Rolls: all of them with their chances; reading and throwing them; and the throw that opens a game.

A roll is an unordered multiset of dice. It is stored as a tuple with the largest die first: ``(6, 5, 2)``.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, SupportsIndex, TypeAlias

from tabula._arguments import whole, within
from tabula.errors import short_repr
from tabula.rules import BLACK, WHITE, checked_rules

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np

    from tabula.rules import Rules

__all__ = ["Opening", "Roll", "RollLike", "all_rolls", "chances", "opening", "parse", "throw", "to_text"]

Roll: TypeAlias = tuple[int, ...]
"""Dice, the largest first."""

RollLike: TypeAlias = str | Iterable[SupportsIndex]
"""What `parse` reads as a roll: ``"652"``, ``"6-5-2"`` or whole numbers in any order."""

FACES: Final = 6
"""How many faces a die has."""

_MAX_DICE: Final = 3
"""The most dice that any rules throw."""

_MOST_READ: Final = 20
"""The most dice that are read of an iterable, which may have no end."""


class Opening(NamedTuple):
    """Who starts a game, and with which roll.

    >>> import numpy as np
    >>> from tabula import TABULA
    >>> from tabula.dice import opening
    >>> len(opening(np.random.default_rng(1), TABULA).roll)
    3
    """

    turn: int
    """The side that starts, `WHITE` or `BLACK`."""

    roll: Roll
    """The roll that this side plays."""


def all_rolls(dice: int) -> tuple[Roll, ...]:
    """Every distinct roll of `dice` dice (1..3), each once, in ascending order: 6, 21 or 56 of them.

    >>> all_rolls(2)[:4]
    ((1, 1), (2, 1), (2, 2), (3, 1))
    """
    return _all_rolls(_number(dice))


@cache
def _all_rolls(dice: int) -> tuple[Roll, ...]:
    return tuple(sorted(tuple(reversed(faces)) for faces in itertools.combinations_with_replacement(range(1, FACES + 1), dice)))


def chances(dice: int) -> Mapping[Roll, Fraction]:
    """The chance of every roll of `dice` dice (1..3), as exact fractions that sum to 1, in the order of `all_rolls`.

    >>> chances(3)[6, 5, 2], chances(3)[6, 6, 6]
    (Fraction(1, 36), Fraction(1, 216))
    """
    return _chances(_number(dice))


@cache
def _chances(dice: int) -> Mapping[Roll, Fraction]:
    from fractions import Fraction  # here, because few callers need it and it imports the module decimal

    return MappingProxyType(
        {
            roll: Fraction(math.factorial(dice), FACES**dice * math.prod(math.factorial(n) for n in Counter(roll).values()))
            for roll in _all_rolls(dice)
        }
    )


def _number(dice: int) -> int:
    """`dice` as an int of 1..3."""
    return within("dice", dice, 1, _MAX_DICE)


def parse(roll: RollLike, dice: int) -> Roll:
    """The roll that `roll` says, for a game of `dice` dice: ``"652"``, ``"6-5-2"``, ``"6,5,2"``, ``"6 5 2"`` or any iterable of
    integers, in any order.

    ValueError for a wrong number of dice, a die that is not 1..6 or a text that is not a roll; TypeError for anything that is
    neither text nor integers.

    >>> parse("2-5-6", 3)
    (6, 5, 2)
    """
    dice = _number(dice)
    if isinstance(roll, str):
        separator = next((sign for sign in "-, " if sign in roll), None)
        faces = list(roll) if separator is None else [face.strip(" ") for face in roll.split(separator)]
        if not all(len(face) == 1 and face.isascii() and face.isdigit() for face in faces):
            raise ValueError(f"a roll is written like {'652'[:dice]} or {'6-5-2'[: 2 * dice - 1]}, not {short_repr(roll)}")
        found = [int(face) for face in faces]
    else:
        found = [whole("a die", face) for face in _faces(roll)]
    if len(found) != dice:
        count = f"more than {_MOST_READ}" if len(found) > _MOST_READ else str(len(found))
        raise ValueError(f"a roll of this game has {dice} {'die' if dice == 1 else 'dice'}, not {count}: {short_repr(roll)}")
    for die in found:
        if not 1 <= die <= FACES:
            raise ValueError(f"a die must be 1..{FACES}, not {short_repr(die)}: {short_repr(roll)}")
    return tuple(sorted(found, reverse=True))


def _faces(roll: Iterable[SupportsIndex]) -> Iterable[SupportsIndex]:
    """The dice of an iterable, but no more of them than show that it has too many."""
    if isinstance(roll, Iterable) and not isinstance(roll, bytes | bytearray | memoryview | Mapping):
        with contextlib.suppress(TypeError):  # a NumPy array without dimensions passes for iterable, and iter() refuses it
            return itertools.islice(iter(roll), _MOST_READ + 1)
    raise TypeError(f"a roll must be text or a sequence of dice, not {short_repr(roll)}")


def to_text(roll: Roll, extra_dice: Sequence[int] = ()) -> str:
    """The roll with hyphens, as people write it, and behind it the numbers that the rules' `extra_dice` play besides.

    >>> to_text((6, 5, 2)), to_text((6, 5), (6,))
    ('6-5-2', '6-5 and 6')
    """
    thrown = "-".join(map(str, roll))
    return f"{thrown} and {'-'.join(map(str, sorted(extra_dice, reverse=True)))}" if extra_dice else thrown


def throw(rng: np.random.Generator, dice: int) -> Roll:
    """A random roll of `dice` fair dice, drawn from a `numpy.random.Generator`.

    >>> import numpy as np
    >>> len(throw(np.random.default_rng(1), 3))
    3
    """
    return tuple(sorted(_fair_dice(rng, _number(dice)), reverse=True))


def opening(rng: np.random.Generator, rules: Rules) -> Opening:
    """Who starts a game of `rules` and with which roll: one die each, white's first, ties thrown again.

    >>> import numpy as np
    >>> from tabula import BACKGAMMON
    >>> turn, roll = opening(np.random.default_rng(1), BACKGAMMON)
    >>> roll[0] != roll[1]
    True
    """
    checked_rules(rules)
    while True:
        white, black = _fair_dice(rng, 2)
        if white != black:
            break
    turn = WHITE if white > black else BLACK
    roll = (max(white, black), min(white, black)) if rules.opening == "split" else throw(rng, rules.dice)
    return Opening(turn, roll)


def _fair_dice(rng: np.random.Generator, dice: int) -> list[int]:
    """So many fair dice, in the order in which they fall."""
    if not callable(getattr(rng, "integers", None)):
        raise TypeError(f"rng must be a numpy.random.Generator, not {short_repr(rng)}")
    return [int(die) for die in rng.integers(1, FACES + 1, dice)]
