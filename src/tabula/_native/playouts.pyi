from typing import Self, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from tabula._native.position import Position

__all__ = ["RECORD", "OneByOne", "Together", "choice_at", "roll_at"]

RECORD: np.dtype[np.void]

@disjoint_base
class Table:
    def __new__(cls, start: Position, seed: int, first: int, records: NDArray[np.void], max_plies: int) -> Self: ...
    def by_ply(self) -> NDArray[np.int64]: ...

@final
class OneByOne(Table):
    def play(self, plies: int) -> bool: ...

@final
class Together(Table):
    @property
    def running(self) -> int: ...
    def throw(self) -> int: ...
    def write(self, out: NDArray[np.int8]) -> None: ...
    def choose(self, scores: NDArray[np.float64]) -> None: ...

def roll_at(key: int, ply: int, dice: int) -> tuple[int, ...]: ...
def choice_at(key: int, ply: int, dice: int, plays: int) -> int: ...
