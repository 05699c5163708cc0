"""Why a position is illegal, as a sentence. Whether it is illegal is decided by the native `pack_position` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabula.errors import short_repr
from tabula.rules import OFF, Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["reason"]


def reason(rules: Rules, mover: Sequence[int], other: Sequence[int]) -> str:
    """The first thing that is wrong with two tracks of 26 counts under `rules`, the side to move first.

    >>> from tabula import TABULA
    >>> reason(TABULA, [9, 6, *[0] * 24], TABULA.setup)
    'mover has 6 checkers on point 1, and at most 5 may stand on one'
    """
    for name, track in (("mover", mover), ("other", other)):
        for index, count in enumerate(track):
            if count < 0:
                return f"{name} has {short_repr(count)} checkers {_place(rules, index)}: a count cannot be negative"
            if count > rules.limit and 0 < index < OFF and rules.stack_limit is not None:
                return f"{name} has {short_repr(count)} checkers {_place(rules, index)}, and at most {rules.limit} may stand on one"
        if sum(track) != rules.checkers:
            return f"{name} has {short_repr(sum(track))} checkers in all, and these rules give a side {rules.checkers}"
    for point in range(1, OFF):
        facing = rules.facing(point)
        if mover[point] and other[facing]:
            return f"both sides stand on one point: the mover's {rules.label(point)}, the other's {rules.label(facing)}"
    if mover[OFF] == other[OFF] == rules.checkers:
        return "both sides have borne all checkers off, and only one can have won"
    raise AssertionError(f"nothing is wrong with {tuple(mover)} and {tuple(other)}")


def _place(rules: Rules, index: int) -> str:
    """Where the checkers at a track index stand."""
    return f"on point {rules.label(index)}" if 0 < index < OFF else ("waiting", "off")[index == OFF]
