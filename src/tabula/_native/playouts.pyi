from typing import Self, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from tabula._native.position import Position

__all__ = ["RECORD", "PolicyGames", "RandomGames", "choice_at", "roll_at"]

RECORD: np.dtype[np.void]

@disjoint_base
class Games:
    def __new__(cls, start: Position, seed: int, first: int, records: NDArray[np.void], max_plies: int) -> Self: ...
    def plays_by_ply(self) -> NDArray[np.int64]: ...

@final
class RandomGames(Games):
    def play(self, plies: int) -> bool: ...

@final
class PolicyGames(Games):
    @property
    def running(self) -> int: ...
    def throw(self) -> int: ...
    def write_candidates(self, out: NDArray[np.int8]) -> None: ...
    def choose(self, scores: NDArray[np.float64]) -> None: ...

def roll_at(key: int, ply: int, dice: int) -> tuple[int, ...]: ...
def choice_at(key: int, ply: int, dice: int, plays: int) -> int: ...
