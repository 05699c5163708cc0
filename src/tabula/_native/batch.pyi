from typing import Final, Self, final

import numpy as np
import numpy.typing as npt

from tabula.rules import Rules

_Bytes = npt.NDArray[np.uint8]
_Counts = npt.NDArray[np.int8]
_Index = npt.NDArray[np.int64]
_Words = npt.NDArray[np.uint64]

MAX_PLAYS: Final[int]

@final
class Input:
    """What a kernel reads: positions and, where dice are thrown, a roll for each or every roll for each."""

    def __new__(
        cls, rules: Rules, positions: _Counts, rolls: _Bytes | None = None, every: bool = False, check: bool = True
    ) -> Self: ...
    @property
    def rolls_each(self) -> int: ...
    @property
    def rows(self) -> int: ...

@final
class Block:
    """Room for the plays of some rows, which are listed before it is known where in the result they go."""

    def __new__(cls, rows: int, plays: int) -> Self: ...
    @property
    def plays(self) -> int: ...

def validate(given: Input, first: int, stop: int, wrong: _Bytes) -> int:
    """What is wrong with each position: WRONG_CHECKERS to BOTH_OFF of the core; 0 for a legal one."""

def pack(given: Input, first: int, stop: int, keys: _Words) -> int:
    """The four words of each position."""

def unpack(given: Input, first: int, stop: int, keys: _Words, positions: _Counts) -> int:
    """The counts in each key, written to `positions`."""

def counts(given: Input, first: int, stop: int, plays: _Index) -> int:
    """How many distinct plays each row has."""

def list_plays(given: Input, first: int, stop: int, block: Block) -> int:
    """Lists the plays of row after row into `block`, in place of what was there.

    Returns the first row that is not listed: `stop`, a row for which the block may have no room left, or one that cannot be taken.
    The first row always finds room, so `first` is returned only if it cannot be taken.
    """

def write(block: Block, at: int, after: _Counts, offsets: _Index, dice_used: _Bytes) -> None:
    """Writes a block to a result: the afterstates from `at` on, where those of each row end, and the dice that they use."""

def moves(given: Input, first: int, stop: int, offsets: _Index, made: _Bytes) -> int:
    """Writes the moves of each play of a row between its offsets: source and die, 255 where there is none."""

def play(given: Input, first: int, stop: int, index: _Index | None, seed: int, after: _Counts) -> int:
    """Writes the position after one play of each row: the index-th, or, where `index` is None, one by chance."""

def stuck(given: Input, first: int, stop: int, ended: _Bytes) -> int:
    """1 for each position in which neither side can ever move again, else 0."""

def outcome(given: Input, first: int, stop: int, points: _Counts) -> int:
    """The points that row 0 has won (+) or lost (-) in each position; 0 while the game goes on."""

def best(scores: npt.NDArray[np.float64], offsets: _Index, index: _Index) -> int:
    """The index within each row of its highest score, the first of equal ones; -1 for an empty row.

    Returns the first row with a score that is no number, or whose offsets lie beyond the scores, or -1.
    """
