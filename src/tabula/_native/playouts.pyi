from typing import Self, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from tabula._native.position import Position

__all__ = ["RECORD", "PolicyGames", "RandomGames", "choice_at", "roll_at"]

RECORD: np.dtype[np.void]

@disjoint_base
class Games:
    """What both ways of playing share: the start, the records that are filled, and the sum of distinct plays by ply."""

    def __new__(cls, start: Position, seed: int, first: int, records: NDArray[np.void], max_plies: int) -> Self: ...
    def plays_by_ply(self) -> NDArray[np.int64]:
        """A new int64 array: for each ply the sum of the numbers of distinct plays that the games had to choose from."""

@final
class RandomGames(Games):
    """Games one after another, each play as likely as any other of its turn."""

    def play(self, plies: int) -> bool:
        """Plays about `plies` plies more, with the GIL released, and returns whether all games are over."""

@final
class PolicyGames(Games):
    """Games side by side, ply by ply: `throw`, then `write_candidates`, then `choose` among them."""

    @property
    def running(self) -> int:
        """How many games go on. They stand first in `games`, in the order of their numbers."""
    def throw(self) -> int:
        """Throws the dice of every running game, with the GIL released, and returns how many candidates there are in all."""
    def write_candidates(self, out: NDArray[np.int8]) -> None:
        """Fills an int8 array (m, 2, 26) with the candidates of all games, with sides swapped, with the GIL released."""
    def choose(self, scores: NDArray[np.float64]) -> None:
        """Makes in every running game the play with the highest score, the first of equals, with the GIL released."""

def roll_at(key: int, ply: int, dice: int) -> tuple[int, ...]:
    """The roll of a ply in the game of a stream's key: dice in descending order."""

def choice_at(key: int, ply: int, dice: int, plays: int) -> int:
    """The index, 0..plays - 1, of the play that a random game makes at a ply."""
