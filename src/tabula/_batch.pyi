from typing import final

import numpy as np
import numpy.typing as npt

from tabula.rules import Rules

_Counts = npt.NDArray[np.int8]
_Dice = npt.NDArray[np.uint8]
_Index = npt.NDArray[np.int64]

@final
class Rolls:
    def __init__(self, rules: Rules, given: _Dice | None = None) -> None: ...
    @property
    def each(self) -> int: ...

def validate(rules: Rules, positions: _Counts, first: int, stop: int, wrong: _Dice) -> None: ...
def pack(rules: Rules, positions: _Counts, first: int, stop: int, check: bool, keys: npt.NDArray[np.uint64]) -> int: ...
def unpack(keys: npt.NDArray[np.uint64], first: int, stop: int, positions: _Counts) -> None: ...
def counts(rules: Rules, positions: _Counts, rolls: Rolls, first: int, stop: int, check: bool, many: _Index) -> int: ...
def afterstates(
    rules: Rules,
    positions: _Counts,
    rolls: Rolls,
    first: int,
    stop: int,
    check: bool,
    offsets: _Index,
    after: _Counts,
    dice_used: _Dice,
) -> int: ...
def moves(
    rules: Rules, positions: _Counts, rolls: Rolls, first: int, stop: int, check: bool, offsets: _Index, made: _Dice
) -> int: ...
def play(
    rules: Rules,
    positions: _Counts,
    rolls: Rolls,
    first: int,
    stop: int,
    check: bool,
    index: _Index | None,
    seed: int,
    after: _Counts,
) -> int: ...
def outcome(rules: Rules, positions: _Counts, first: int, stop: int, check: bool, points: _Counts) -> int: ...
def best(scores: npt.NDArray[np.float64], offsets: _Index, index: _Index) -> int: ...
