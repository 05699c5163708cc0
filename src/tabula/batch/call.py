"""The arguments of one call of `tabula.batch`, checked; it runs kernels over their rows and finds what is wrong with a bad one."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from tabula import dice
from tabula._arguments import array_of, flag, thread_count
from tabula._native import batch as _native
from tabula._native.position import Position
from tabula.errors import InvalidPositionError
from tabula.rules import TRACK, checked_rules
from tabula.work.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabula.rules import Rules
    from tabula.work.threads import Stop

Array: TypeAlias = np.ndarray[Any, Any]

INT8: Final = np.dtype(np.int8)
UINT8: Final = np.dtype(np.uint8)

PART: Final = 4096
"""Rows in one unit of work: some milliseconds, so that threads share them evenly and Ctrl-C is heard between two."""


class Dice(enum.Enum):
    """What stands for the rolls of a call that is given none."""

    NONE = 0
    EVERY = 1


class Call:
    """The arguments of one call, found to be arrays of the right kind."""

    def __init__(self, rules: Rules, positions: Array, rolls: Array | Dice, threads: int, check: bool) -> None:
        self.rules = checked_rules(rules)
        # Views are ours alone: whoever else has the array may give it another shape meanwhile.
        self.positions = positions_array("positions", positions).view(np.ndarray)
        self.rolls = None if type(rolls) is Dice else rolls_array(rules, rolls, len(self.positions)).view(np.ndarray)
        self.threads = thread_count(threads)
        flag("check", check)
        self.check = check
        self.input = _native.Input(rules, self.positions, self.rolls, self.rolls is None and rolls is Dice.EVERY, check)
        self.index: Array | None = None
        self.keys: Array | None = None

    def run(self, kernel: Callable[..., int], *arrays: Any, first: int = 0, stop: Stop | None = None) -> None:
        """Runs a kernel over the rows from `first` on, part by part; raises what is wrong with the first that is not taken."""
        given, rows = self.input, self.input.rows
        if rows - first <= PART:
            bad = kernel(given, first, rows, *arrays)
            if bad >= 0:
                raise self.refusal(bad)
            return
        parts = ((start, min(start + PART, rows)) for start in range(first, rows, PART))
        for bad in in_threads(lambda part, _: kernel(given, *part, *arrays), parts, self.threads):
            if stop is not None:
                stop.check()
            if bad >= 0:
                raise self.refusal(bad)

    def counts(self, first: int = 0, stop: Stop | None = None) -> Array:
        """How many plays each row has, from one row on."""
        plays = np.empty(self.input.rows, np.int64)
        self.run(_native.counts, plays, first=first, stop=stop)
        return plays[first:]

    def offsets(self) -> Array:
        """Where the plays of each row begin, and where the last ends."""
        offsets = np.zeros(self.input.rows + 1, np.int64)
        np.cumsum(self.counts(), out=offsets[1:])
        return offsets

    def illegal(self, row: int) -> InvalidPositionError | None:
        """What is wrong with a position."""
        try:
            Position.from_array(self.positions[row], rules=self.rules)
        except InvalidPositionError as error:
            return error
        return None

    def refusal(self, row: int) -> Exception:
        """What is wrong with a row that a kernel did not take."""
        row //= self.input.rolls_each
        position = self.positions[row]
        if self.check or (position < 0).any() or (position.sum(axis=1, dtype=np.int64) != self.rules.checkers).any():
            error = self.illegal(row)
            if error is not None:
                return InvalidPositionError(f"row {row}: {error}")
        if self.keys is not None and (self.keys[row, 1::2] >> np.uint64(40)).any():
            return InvalidPositionError(f"row {row}: the key has bits where a key of a position has none")
        if self.rolls is not None:
            roll = self.rolls[row]
            try:
                dice.parse(roll.tolist(), self.rules.dice)
            except ValueError as error:
                return ValueError(f"row {row}: {error}")
            if self.index is not None:
                plays = np.zeros(1, np.int64)
                _native.counts(_native.Input(self.rules, position[None], roll[None], False, self.check), 0, 1, plays)
                if not 0 <= self.index[row] < plays[0]:
                    return IndexError(f"row {row}: index {self.index[row]} is out of range for {plays[0]} plays")
        return RuntimeError(f"row {row}: the arrays were written to while they were read")


def positions_array(field: str, positions: object, rows: str = "n") -> Array:
    """`positions`, or an error that names the field, unless it is int8 of the shape (n, 2, 26)."""
    array = array_of(field, positions, INT8)
    if array.ndim != 3 or array.shape[1:] != (2, TRACK):
        raise ValueError(f"{field} must have the shape ({rows}, 2, {TRACK}), not {array.shape}")
    return array


def rolls_array(rules: Rules, rolls: object, rows: int) -> Array:
    """`rolls`, or an error, unless it is uint8 with the dice of a roll for each of so many positions."""
    array = array_of("rolls", rolls, UINT8)
    if array.shape != (rows, rules.dice):
        raise ValueError(f"rolls must have the shape ({rows}, {rules.dice}), dice for each position, not {array.shape}")
    return array
