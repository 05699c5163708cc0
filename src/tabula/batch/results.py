"""What the functions of `tabula.batch` return: flat arrays with something for each play, and where each row's part lies."""

from __future__ import annotations

import dataclasses
import operator
from functools import cached_property
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import numpy as np

from tabula._native import batch as _native
from tabula.rules import TRACK

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

__all__ = ["AllRolls", "Moves", "Ragged", "Validation"]

Item = TypeVar("Item", bound=np.generic)


class Rows(Generic[Item]):
    """One flat array with something for each play of each row, and offsets that say where a row's part of it lies."""

    offsets: npt.NDArray[np.int64]

    @property
    def _flat(self) -> npt.NDArray[Item]:
        raise NotImplementedError

    @cached_property
    def rows(self) -> npt.NDArray[np.int64]:
        """(m): the row that each play belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> npt.NDArray[Item]:
        number = operator.index(row)
        if not -len(self) <= number < len(self):
            raise IndexError(f"row {number} is out of range for {len(self)} rows")
        number %= len(self)
        return self._flat[self.offsets[number] : self.offsets[number + 1]]

    def __iter__(self) -> Iterator[npt.NDArray[Item]]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        plays, rows = len(self._flat), len(self)
        return f"<{type(self).__name__}: {plays} play{'s' * (plays != 1)} in {rows} row{'s' * (rows != 1)}>"


@dataclasses.dataclass(frozen=True, eq=False, repr=False, init=False)
class Ragged(Rows[np.int8]):
    """What each row of a batch can become: one flat array, and where each row's part of it lies.

    ``len`` is the number of rows, ``ragged[i]`` a view of row i's positions, in the order of ``Position.plays``.

    >>> import numpy as np
    >>> from tabula import BACKGAMMON, batch
    >>> after = batch.afterstates(batch.start(2, rules=BACKGAMMON), np.uint8([[3, 1], [6, 6]]), rules=BACKGAMMON)
    >>> len(after), [len(positions) for positions in after], after.rows[14:18]
    (2, [16, 11], array([0, 0, 1, 1]))
    """

    positions: npt.NDArray[np.int8]
    """The afterstates, (m, 2, 26), with sides swapped: row 0 of each is the next player."""

    offsets: npt.NDArray[np.int64]
    """(n + 1): those of row i are ``positions[offsets[i]:offsets[i + 1]]``."""

    dice_used: npt.NDArray[np.uint8]
    """(n): how many dice each play of the row uses."""

    def __init__(self, positions: npt.NDArray[np.int8], offsets: npt.NDArray[np.int64], dice_used: npt.NDArray[np.uint8]) -> None:
        # What a frozen dataclass writes itself takes twice as long, a twentieth of a batch of one position.
        fields = self.__dict__
        fields["positions"] = positions
        fields["offsets"] = offsets
        fields["dice_used"] = dice_used

    @property
    def _flat(self) -> npt.NDArray[np.int8]:
        return self.positions

    def best(self, scores: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """For each row the index within it of its highest score, the lowest index among equal ones; -1 for an empty row.

        `scores` is one number for each afterstate, (m); they are compared as float64. Raises TypeError for what are no real numbers
        and ValueError for another shape or a NaN, naming its row.

        >>> import numpy as np
        >>> from tabula import BACKGAMMON, batch
        >>> after = batch.afterstates(batch.start(1, rules=BACKGAMMON), np.uint8([[3, 1]]), rules=BACKGAMMON)
        >>> after
        <Ragged: 16 plays in 1 row>
        >>> after.best(-np.arange(16.0))
        array([0])
        """
        numbers = np.asarray(scores)
        if numbers.shape != (len(self.positions),):
            raise ValueError(f"scores must have the shape ({len(self.positions)},), one for each afterstate, not {numbers.shape}")
        if numbers.dtype.kind not in "fiub":
            raise TypeError(f"scores must be real numbers, not {numbers.dtype}")
        index = np.empty(len(self), np.int64)
        bad = _native.best(np.ascontiguousarray(numbers, np.float64), np.ascontiguousarray(self.offsets), index)
        if bad >= 0:
            raise ValueError(f"row {bad}: a score is NaN")
        return index

    def places(self, index: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Where the index-th play of each row stands in `positions`, int64 (n); -1 for an empty row, whose index is not looked at.

        Raises IndexError where a row has no such play, naming the row, ValueError for another shape and TypeError for what are no
        integers.

        >>> import numpy as np
        >>> from tabula import BACKGAMMON, batch
        >>> after = batch.afterstates(batch.start(2, rules=BACKGAMMON), np.uint8([[3, 1], [6, 6]]), rules=BACKGAMMON)
        >>> after.places([5, 0])
        array([ 5, 16])
        """
        numbers = np.asarray(index)
        if numbers.dtype.kind not in "iu" and (numbers.size or numbers.dtype.kind != "f"):  # an empty list is an array of floats
            raise TypeError(f"index must be integers, not {numbers.dtype}")
        if numbers.shape != (len(self),):
            raise ValueError(f"index must have the shape ({len(self)},), one for each row, not {numbers.shape}")
        plays = np.diff(self.offsets)
        wrong = (plays > 0) & ((numbers < 0) | (numbers >= plays))
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise IndexError(f"row {row}: there is no play {numbers[row]}, it has {plays[row]}")
        return np.where(plays > 0, self.offsets[:-1] + numbers.astype(np.int64), -1)

    def at(self, index: npt.ArrayLike, *, empty: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """The afterstate of the index-th play of each row, int8 (n, 2, 26), with sides swapped.

        An empty row, that of a finished game, gets its row of `empty`, int8 (n, 2, 26): give the positions before the play, and
        finished games stay as they are. Without `empty` it is a ValueError that names the row.

        >>> import numpy as np
        >>> from tabula import BACKGAMMON, batch
        >>> positions = batch.start(2, rules=BACKGAMMON)
        >>> after = batch.afterstates(positions, np.uint8([[3, 1], [6, 6]]), rules=BACKGAMMON)
        >>> bool((after.at([0, 3])[1] == after[1][3]).all())
        True
        """
        places = self.places(index)
        none = places < 0
        if not none.any():
            return self.positions[places]
        if empty is None:
            raise ValueError(f"row {int(np.flatnonzero(none)[0])} has no plays, for its game is over: say by empty= what it gets")
        if not isinstance(empty, np.ndarray) or empty.dtype != np.int8:
            raise TypeError("empty must be an int8 array")
        if empty.shape != (len(self), 2, TRACK):
            raise ValueError(f"empty must have the shape ({len(self)}, 2, {TRACK}), not {empty.shape}")
        found: npt.NDArray[np.int8] = empty.copy()
        found[~none] = self.positions[places[~none]]
        return found

    def chosen(self, scores: npt.ArrayLike, *, empty: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """The afterstate with the highest score of each row, int8 (n, 2, 26): `at` of `best`, whose arguments and errors it has.

        >>> import numpy as np
        >>> from tabula import BACKGAMMON, batch
        >>> positions = batch.start(2, rules=BACKGAMMON)
        >>> positions[1, 1] = 0
        >>> positions[1, 1, 25] = 15  # the other side has won
        >>> after = batch.afterstates(positions, np.uint8([[3, 1], [6, 6]]), rules=BACKGAMMON)
        >>> bool((after.chosen(np.zeros(16), empty=positions)[1] == positions[1]).all())
        True
        """
        return self.at(self.best(scores), empty=empty)

    def best_scores(self, scores: npt.ArrayLike, *, empty: npt.ArrayLike | None = None) -> npt.NDArray[np.float64]:
        """The highest score of each row, float64 (n); for an empty row what `empty` says, one number or (n).

        Without `empty` an empty row is a ValueError that names it: the score of a finished game is its outcome, not 0. Otherwise
        the errors are those of `best`.

        >>> import numpy as np
        >>> from tabula import BACKGAMMON, batch
        >>> after = batch.afterstates(batch.start(2, rules=BACKGAMMON), np.uint8([[3, 1], [6, 6]]), rules=BACKGAMMON)
        >>> after.best_scores(np.arange(27.0))
        array([15., 26.])
        """
        places = self.places(self.best(scores))
        none = places < 0
        numbers = np.asarray(scores, np.float64)
        if not none.any():
            return numbers[places]
        if empty is None:
            raise ValueError(f"row {int(np.flatnonzero(none)[0])} has no plays, for its game is over: say by empty= what it gets")
        own = np.asarray(empty)
        if own.dtype.kind not in "fiub":
            raise TypeError(f"empty must be real numbers, not {own.dtype}")
        if own.shape not in ((), (len(self),)):
            raise ValueError(f"empty must be one number or ({len(self)},), not an array of shape {own.shape}")
        found = np.array(np.broadcast_to(own, (len(self),)), np.float64)
        found[~none] = numbers[places[~none]]
        return found


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class AllRolls(Ragged):
    """What each position can become with each roll: row ``i * len(rolls) + r`` is position i with roll r.

    >>> from tabula import TABULA, batch
    >>> ahead = batch.all_rolls(batch.start(2, rules=TABULA), rules=TABULA)
    >>> len(ahead), ahead.rolls.shape, ahead.rolls[0], float(ahead.chances[0] * 216)
    (112, (56, 3), array([1, 1, 1], dtype=uint8), 1.0)
    """

    rolls: npt.NDArray[np.uint8]
    """Every roll once, (56, 3), (21, 2) or (6, 1), the largest die first."""

    chances: npt.NDArray[np.float64]
    """The chance of each roll; they sum to 1."""

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """(n x rolls): the chance of each row's roll."""
        return np.tile(self.chances, len(self) // len(self.chances))


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Moves(Rows[np.uint8]):
    """The moves of every play of every row: ``moves[i]`` has those of row i, in the order of `Ragged`.

    >>> import numpy as np
    >>> from tabula import TABULA, batch
    >>> batch.moves(batch.start(1, rules=TABULA), np.uint8([[6, 5, 2]]), rules=TABULA)[0][0].tolist()
    [[0, 2], [0, 5], [0, 6], [255, 255]]
    """

    moves: npt.NDArray[np.uint8]
    """(m, 4, 2): source (0..24) and die (1..6) of each move in an order that can be made; 255 where there is none."""

    offsets: npt.NDArray[np.int64]
    """(n + 1): those of row i are ``moves[offsets[i]:offsets[i + 1]]``."""

    @property
    def _flat(self) -> npt.NDArray[np.uint8]:
        return self.moves


class Validation(NamedTuple):
    """Which rows are legal positions, and why the others are not.

    >>> from tabula import TABULA, batch
    >>> batch.validate(batch.start(1, rules=TABULA), rules=TABULA)
    Validation(legal=array([ True]), reasons={})
    """

    legal: npt.NDArray[np.bool_]
    """(n): whether the position is legal."""

    reasons: Mapping[int, str]
    """For each row that is not, a sentence, in the order of the rows."""
