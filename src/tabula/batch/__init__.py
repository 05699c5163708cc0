"""Many positions at once: arrays in, arrays out.

A batch of positions is an int8 array of shape (n, 2, 26): row 0 of a position is the side to move, row 1 the other, each on its own
track (index 0 waiting, 1..24 the points in that side's direction of travel, 25 off). Inputs may be read-only and need not be
contiguous. Whatever is returned as the position *after* a play is with sides swapped: its row 0 is the next player, so that it
can be handed in again.

Every function checks its input and names the first bad row. With ``check=False`` positions are trusted to keep to the limit, to
share no point and not to be won by both sides, and what comes of others is not defined; that each side has the checkers that the
rules give, and dice that they are dice, is looked at all the same, because memory could be spoilt without. Results never depend on
the number of threads.

>>> import numpy as np
>>> from tabula import BACKGAMMON, batch
>>> positions = batch.start(1000, rules=BACKGAMMON)
>>> rolls = batch.roll(1000, rng=np.random.default_rng(1), rules=BACKGAMMON)
>>> after = batch.afterstates(positions, rolls, rules=BACKGAMMON)
>>> len(after), after.positions.shape[1:], after[0].shape == (after.offsets[1], 2, 26)
(1000, (2, 26), True)
"""

from __future__ import annotations

import dataclasses
import enum
import operator
import sys
import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from tabula import dice
from tabula._arguments import flag, thread_count, whole
from tabula._native import batch as _batch
from tabula._native.position import Position
from tabula.errors import InvalidPositionError, short_repr
from tabula.rules import TRACK, Rules
from tabula.work.threads import Stop, in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import numpy.typing as npt

__all__ = [
    "AllRolls",
    "Moves",
    "Ragged",
    "Validation",
    "afterstates",
    "all_rolls",
    "counts",
    "moves",
    "outcome",
    "pack",
    "play",
    "random_play",
    "roll",
    "start",
    "swap_sides",
    "unpack",
    "validate",
]

Array: TypeAlias = np.ndarray[Any, Any]
Item = TypeVar("Item", bound=np.generic)

_PART: Final = 4096
"""Rows in one unit of work: some milliseconds, so that threads share them evenly and Ctrl-C is heard between two."""

_MAX_MOVES: Final = 4

_KEPT: Final = 1024
"""Rows whose plays are listed before they are given a place, by each thread."""

_KEPT_PLAYS: Final = 1 << 17
"""And the most of their plays: with rows and plays some 2 MiB."""

_PATIENCE: Final = 0.05
"""Seconds after which a thread that waits for a place looks whether it is still wanted."""

_MOST: Final = 1 << 48
"""More rows than any memory holds."""

_FIRST: Final = _KEPT
"""Rows that are listed before it is guessed how many plays there will be."""

_GUESS: Final = 40
"""And how many of them each of these is given room for."""

_KEY: Final = np.dtype("V32")


class _Rows(Generic[Item]):
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
        at = operator.index(row)
        if not -len(self) <= at < len(self):
            raise IndexError(f"row {at} is out of range for {len(self)} rows")
        at %= len(self)
        return self._flat[self.offsets[at] : self.offsets[at + 1]]

    def __iter__(self) -> Iterator[npt.NDArray[Item]]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        plays, rows = len(self._flat), len(self)
        return f"<{type(self).__name__}: {plays} play{'s' * (plays != 1)} in {rows} row{'s' * (rows != 1)}>"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Ragged(_Rows[np.int8]):
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
        given = np.asarray(scores)
        if given.shape != (len(self.positions),):
            raise ValueError(f"scores must have the shape ({len(self.positions)},), one for each afterstate, not {given.shape}")
        if given.dtype.kind not in "fiub":
            raise TypeError(f"scores must be real numbers, not {given.dtype}")
        index = np.empty(len(self), np.int64)
        bad = _batch.best(np.ascontiguousarray(given, np.float64), np.ascontiguousarray(self.offsets), index)
        if bad >= 0:
            raise ValueError(f"row {bad}: a score is NaN")
        return index


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
class Moves(_Rows[np.uint8]):
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


def afterstates(
    positions: npt.NDArray[np.int8],
    rolls: npt.NDArray[np.uint8],
    *,
    rules: Rules,
    threads: int = 1,
    out: npt.NDArray[np.int8] | None = None,
    check: bool = True,
) -> Ragged:
    """All distinct legal plays of each position with its roll, as the positions after them.

    Row i is ``Position.from_array(positions[i], rules=rules).plays(rolls[i]).positions``, in the same order; that of a finished
    game is empty.

    Parameters
    ----------
    positions
        int8, (n, 2, 26).
    rolls
        uint8, (n, dice), dice of 1..6 in any order.
    threads
        How many threads work on it.
    out
        Where to write: int8, C-contiguous, (capacity, 2, 26), apart from the inputs. The result's `positions` is its beginning.
        After an error, what stands there is of no meaning.

    Raises
    ------
    InvalidPositionError
        For the first row that is no legal position, naming it.
    ValueError
        For the first row whose dice are no dice, for arrays of another shape, and, with the size needed, where `out` is too small.
    TypeError
        For arrays of another type.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import TABULA, batch
    >>> batch.afterstates(batch.start(2, rules=TABULA), np.uint8([[6, 5, 2], [1, 1, 1]]), rules=TABULA).offsets
    array([0, 4, 7])
    """
    return _list(_Call(rules, positions, rolls, threads, check), out)


def all_rolls(
    positions: npt.NDArray[np.int8],
    *,
    rules: Rules,
    threads: int = 1,
    out: npt.NDArray[np.int8] | None = None,
    check: bool = True,
) -> AllRolls:
    """`afterstates` of every position with every roll, beside the chance of each roll: what looking one ply ahead needs.

    The rows of a position stand together, its rolls in the order of ``tabula.dice.all_rolls``.

    >>> import numpy as np
    >>> from tabula import BACKGAMMON, batch
    >>> ahead = batch.all_rolls(batch.start(1, rules=BACKGAMMON), rules=BACKGAMMON)
    >>> len(ahead), len(ahead.positions), float(ahead.weights.sum().round(12))
    (21, 447, 1.0)
    """
    found = _list(_Call(rules, positions, _Dice.EVERY, threads, check), out)
    chances = dice.chances(rules.dice)
    return AllRolls(
        found.positions,
        found.offsets,
        found.dice_used,
        np.array(list(chances), np.uint8),
        np.array([float(chance) for chance in chances.values()]),
    )


def counts(
    positions: npt.NDArray[np.int8],
    rolls: npt.NDArray[np.uint8] | None,
    *,
    rules: Rules,
    threads: int = 1,
    check: bool = True,
) -> npt.NDArray[np.int64]:
    """How many distinct legal plays each position has with its roll, int64 (n); none of them is built.

    With None for `rolls`: with every roll, int64 (n, rolls), in the order of ``tabula.dice.all_rolls``.

    >>> import numpy as np
    >>> from tabula import TABULA, batch
    >>> batch.counts(batch.start(2, rules=TABULA), np.uint8([[6, 5, 2], [1, 1, 1]]), rules=TABULA)
    array([4, 3])
    """
    call = _Call(rules, positions, _Dice.EVERY if rolls is None else rolls, threads, check)
    many = _count(call)
    return many.reshape(len(positions), call.turns.each) if rolls is None else many


def moves(
    positions: npt.NDArray[np.int8],
    rolls: npt.NDArray[np.uint8],
    *,
    rules: Rules,
    threads: int = 1,
    check: bool = True,
) -> Moves:
    """The moves of every play that `afterstates` lists, in the same order: those that ``Play.moves`` shows.

    >>> import numpy as np
    >>> from tabula import BACKGAMMON, batch
    >>> batch.moves(batch.start(1, rules=BACKGAMMON), np.uint8([[6, 6]]), rules=BACKGAMMON).moves.shape
    (11, 4, 2)
    """
    call = _Call(rules, positions, rolls, threads, check)
    offsets = _offsets(call)
    made = np.empty((int(offsets[-1]), _MAX_MOVES, 2), np.uint8)
    call.run(_batch.moves, offsets, made)
    return Moves(made, offsets)


def play(
    positions: npt.NDArray[np.int8],
    rolls: npt.NDArray[np.uint8],
    index: npt.ArrayLike,
    *,
    rules: Rules,
    threads: int = 1,
    check: bool = True,
) -> npt.NDArray[np.int8]:
    """The position after the index-th play of each row, int8 (n, 2, 26), with sides swapped. Finished games are left as they are.

    Parameters
    ----------
    index
        Integers, (n): for each row the number of one of its plays, from 0, as `Ragged.best` gives. That of a finished game is
        not looked at.

    Raises
    ------
    IndexError
        Where a row has no such play, naming the row.
    InvalidPositionError, ValueError, TypeError
        As `afterstates` raises them.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import TABULA, batch
    >>> batch.play(batch.start(1, rules=TABULA), np.uint8([[6, 5, 2]]), [0], rules=TABULA).shape
    (1, 2, 26)
    """
    call = _Call(rules, positions, rolls, threads, check)
    chosen = call.index = np.asarray(index)
    if chosen.dtype.kind not in "iu" and (chosen.size or chosen.dtype.kind != "f"):  # an empty list is an array of floats
        raise TypeError(f"index must be integers, not {chosen.dtype}")
    if chosen.shape != (len(positions),):
        raise ValueError(f"index must have the shape ({len(positions)},), one for each position, not {chosen.shape}")
    if chosen.dtype.kind == "u" and chosen.dtype.itemsize == 8:
        chosen = np.minimum(chosen, np.uint64(2**63 - 1))
    return _play(call, chosen.astype(np.int64, copy=False), 0)


def random_play(
    positions: npt.NDArray[np.int8],
    rolls: npt.NDArray[np.uint8],
    *,
    rules: Rules,
    rng: np.random.Generator,
    threads: int = 1,
    check: bool = True,
) -> npt.NDArray[np.int8]:
    """The position after one play of each row, each of its distinct plays as likely as another; else as `play`.

    One number is drawn from `rng`, whatever the number of rows.

    >>> import numpy as np
    >>> from tabula import TABULA, batch
    >>> rng = np.random.default_rng(1)
    >>> positions = batch.start(3, rules=TABULA)
    >>> batch.random_play(positions, batch.roll(3, rng=rng, rules=TABULA), rules=TABULA, rng=rng).sum(axis=2)[0]
    array([15, 15])
    """
    call = _Call(rules, positions, rolls, threads, check)
    return _play(call, None, int(_generator(rng).integers(0, 2**64, dtype=np.uint64)))


def outcome(positions: npt.NDArray[np.int8], *, rules: Rules, threads: int = 1, check: bool = True) -> npt.NDArray[np.int8]:
    """Who has won, int8 (n): 0 while a game goes on, + the points if row 0 has won, - the points if row 1 has.

    >>> from tabula import TABULA, batch
    >>> batch.outcome(batch.start(2, rules=TABULA), rules=TABULA)
    array([0, 0], dtype=int8)
    """
    call = _Call(rules, positions, _Dice.NONE, threads, check)
    points = np.empty(call.turns.rows, np.int8)
    call.run(_batch.outcome, points)
    return points


def start(n: int, *, rules: Rules) -> npt.NDArray[np.int8]:
    """`n` games that are about to start, int8 (n, 2, 26).

    >>> from tabula import BACKGAMMON, batch
    >>> batch.start(2, rules=BACKGAMMON).shape
    (2, 2, 26)
    """
    positions = np.empty((_number("n", n), 2, TRACK), np.int8)
    positions[:] = _known(rules).setup
    return positions


def roll(n: int, *, rng: np.random.Generator, rules: Rules) -> npt.NDArray[np.uint8]:
    """`n` throws of the dice, uint8 (n, dice), as they fall: not sorted.

    >>> import numpy as np
    >>> from tabula import TABULA, batch
    >>> batch.roll(5, rng=np.random.default_rng(1), rules=TABULA).shape
    (5, 3)
    """
    return _generator(rng).integers(1, dice.SIDES + 1, (_number("n", n), _known(rules).dice), np.uint8)


def swap_sides(positions: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """The same boards with the other side to move: a new array with the two rows of each position exchanged.

    >>> from tabula import TABULA, batch
    >>> positions = batch.start(2, rules=TABULA)
    >>> bool((batch.swap_sides(batch.swap_sides(positions)) == positions).all())
    True
    """
    return _positions(positions)[:, ::-1].copy()


def validate(positions: npt.NDArray[np.int8], *, rules: Rules, threads: int = 1) -> Validation:
    """Which rows are legal positions, bool (n), and for each other row the reason, as a sentence.

    >>> from tabula import TABULA, batch
    >>> positions = batch.start(2, rules=TABULA)
    >>> positions[1, 0, 0] = 14
    >>> batch.validate(positions, rules=TABULA)
    Validation(legal=array([ True, False]), reasons={1: 'mover has 14 checkers in all, and these rules give a side 15'})
    """
    call = _Call(rules, positions, _Dice.NONE, threads, check=True)
    wrong = np.empty(call.turns.rows, np.uint8)
    call.run(_batch.validate, wrong)
    reasons = {row: str(call.illegal(row)) for row in np.flatnonzero(wrong).tolist()}
    return Validation(wrong == 0, reasons)


def pack(positions: npt.NDArray[np.int8], *, rules: Rules, threads: int = 1, check: bool = True) -> npt.NDArray[np.void]:
    """Each position as a key of 32 bytes, dtype V32, (n): for dictionaries (``keys.tolist()``), `numpy.unique` and files.

    Two keys are equal if and only if the positions are. The bytes are the same on every machine: for the side to move and then for
    the other, 16 bytes with a count in each half byte, index 0 in the lower half of the first; the last three are zero.

    >>> from tabula import TABULA, batch
    >>> keys = batch.pack(batch.start(2, rules=TABULA), rules=TABULA)
    >>> keys[0].tobytes()[:2].hex(), bool((batch.unpack(keys, rules=TABULA) == batch.start(2, rules=TABULA)).all())
    ('0f00', True)
    """
    call = _Call(rules, positions, _Dice.NONE, threads, check)
    words = np.empty((call.turns.rows, 4), np.uint64)
    call.run(_batch.pack, words)
    return _little(words).view(_KEY).reshape(len(words))


def unpack(keys: npt.NDArray[np.void], *, rules: Rules, threads: int = 1, check: bool = True) -> npt.NDArray[np.int8]:
    """The positions that `pack` made keys of, int8 (n, 2, 26).

    Raises TypeError for anything but an array of dtype V32 and InvalidPositionError for the first key that is none of `rules`. With
    ``check=False`` keys are taken as they are, whatever they hold.

    >>> from tabula import TABULA, batch
    >>> keys = batch.pack(batch.start(2, rules=TABULA), rules=TABULA)
    >>> batch.unpack(keys, rules=TABULA)[0, :, 0]
    array([15, 15], dtype=int8)
    """
    if not isinstance(keys, np.ndarray) or keys.dtype != _KEY:
        raise TypeError(f"keys must be an array of dtype V32, not {_kind(keys)}")
    if keys.ndim != 1:
        raise ValueError(f"keys must have the shape (n,), not {keys.shape}")
    words = _little(np.ascontiguousarray(keys).view(np.uint64).reshape(len(keys), 4))
    positions = np.empty((len(keys), 2, TRACK), np.int8)
    call = _Call(rules, positions, _Dice.NONE, threads, check)
    call.keys = words
    call.run(_batch.unpack, words, positions)
    return positions


# --------------------------------------------------------------------------------------------------------- what all of them do


class _Dice(enum.Enum):
    """What stands for the rolls of a call that is given none."""

    NONE = 0
    EVERY = 1


class _Call:
    """The arguments of one call, found to be arrays of the right kind; it runs kernels and says what they did not take."""

    def __init__(self, rules: Rules, positions: Array, rolls: Array | _Dice, threads: int, check: bool) -> None:
        self.rules = _known(rules)
        # Views are ours alone: whoever else has the array may give it another shape meanwhile.
        self.positions = _positions(positions).view(np.ndarray)
        self.rolls = None if isinstance(rolls, _Dice) else _rolls(rules, rolls, len(self.positions))
        self.threads = thread_count(threads)
        flag("check", check)
        self.check = bool(check)
        self.turns = _batch.Turns(rules, self.positions, self.rolls, rolls is _Dice.EVERY, self.check)
        self.index: Array | None = None
        self.keys: Array | None = None

    def run(self, kernel: Callable[..., int], *arrays: Any, first: int = 0) -> None:
        """Runs a kernel over the rows from `first` on, part by part; raises what is wrong with the first that is not taken."""
        turns, rows = self.turns, self.turns.rows
        parts = ((start, min(start + _PART, rows)) for start in range(first, rows, _PART))
        for bad in in_threads(lambda part, _: kernel(turns, *part, *arrays), parts, self.threads):
            if bad >= 0:
                raise self.refusal(bad)

    def illegal(self, at: int) -> InvalidPositionError | None:
        """What is wrong with a position."""
        try:
            Position.from_array(self.positions[at], rules=self.rules)
        except InvalidPositionError as error:
            return error
        return None

    def refusal(self, row: int) -> Exception:
        """What is wrong with a row that a kernel did not take."""
        at = row // self.turns.each
        position = self.positions[at]
        if self.check or (position < 0).any() or (position.sum(axis=1, dtype=np.int64) != self.rules.checkers).any():
            error = self.illegal(at)
            if error is not None:
                return InvalidPositionError(f"row {at}: {error}")
        if self.keys is not None and (self.keys[at, 1::2] >> np.uint64(40)).any():
            return InvalidPositionError(f"row {at}: the key has bits where a key of a position has none")
        if self.rolls is not None:
            roll = self.rolls[at]
            try:
                dice.parse(roll.tolist(), self.rules.dice)
            except ValueError as error:
                return ValueError(f"row {at}: {error}")
            if self.index is not None:
                many = counts(position[None], roll[None], rules=self.rules, check=self.check)[0]
                if not 0 <= self.index[at] < many:
                    return IndexError(f"row {at}: index {self.index[at]} is out of range for {many} plays")
        return RuntimeError(f"row {at}: the arrays were written to while they were read")


def _count(call: _Call, first: int = 0) -> npt.NDArray[np.int64]:
    """How many plays each row has, from one row on."""
    many = np.empty(call.turns.rows, np.int64)
    call.run(_batch.counts, many, first=first)
    return many[first:]


def _offsets(call: _Call) -> npt.NDArray[np.int64]:
    offsets = np.zeros(call.turns.rows + 1, np.int64)
    np.cumsum(_count(call), out=offsets[1:])
    return offsets


def _list(call: _Call, out: Array | None) -> Ragged:
    """The afterstates of every row, in `out` or in memory of their own.

    Nothing is counted beforehand. The first rows are listed alone; from them it is guessed how much room there must be, and memory
    that is never written to costs nothing. Where the guess was too little, or more than can be had, the rest is counted.
    """
    given = None if out is None else _writable(out, call.positions, call.rolls)
    rows = call.turns.rows
    offsets, dice_used = np.zeros(rows + 1, np.int64), np.empty(rows, np.uint8)
    listing = _Listing(
        call, offsets[1:], dice_used, np.empty((min(rows, _FIRST) * _GUESS, 2, TRACK), np.int8) if given is None else given
    )
    stop = min(rows, _FIRST)
    while listing.row < rows:
        try:
            listing.run(stop)
        except _FullError:
            needed = listing.at + int(_count(call, listing.row).sum())
            if given is not None:
                raise ValueError(f"out has room for {len(given)} positions, and {needed} are needed") from None
            listing.out.resize((needed, 2, TRACK), refcheck=False)
        else:
            if stop < rows and given is None:
                try:
                    wider = np.empty((listing.at + (rows - stop) * (listing.at // stop + 1) * 5 // 4, 2, TRACK), np.int8)
                except MemoryError:
                    wider = np.empty((listing.at + int(_count(call, stop).sum()), 2, TRACK), np.int8)
                wider[: listing.at] = listing.out[: listing.at]
                listing.out = wider
            stop = rows
    for first in range(0, rows, _PART):
        # Part by part, for a sum in place makes a copy of what it sums.
        np.cumsum(offsets[first : first + _PART + 1], out=offsets[first : first + _PART + 1])
    if given is not None:
        return Ragged(given[: listing.at], offsets, dice_used)
    listing.out.resize((listing.at, 2, TRACK), refcheck=False)
    return Ragged(listing.out, offsets, dice_used)


class _FullError(Exception):
    """There is no room for the rows that come next."""


class _Listing:
    """Afterstates on their way into one array: a thread lists the plays of some rows, and in its turn takes a place for them.

    `row` and `at` say which row is next to have a place, and where that is.
    """

    def __init__(self, call: _Call, many: Array, dice_used: Array, out: Array) -> None:
        self.call, self.many, self.dice_used, self.out = call, many, dice_used, out
        self.row = self.at = 0
        self._placed = threading.Condition()
        self._kept = threading.local()

    def run(self, stop: int) -> None:
        """Lists the rows up to `stop`; raises `_FullError`, or what is wrong with the first row that cannot be taken."""
        parts = ((first, min(first + _KEPT, stop)) for first in range(self.row, stop, _KEPT))
        threads = min(self.call.threads, -(-(stop - self.row) // _KEPT))
        for bad in in_threads(self._list, parts, threads):
            if bad >= 0:
                raise self.call.refusal(bad)

    def _list(self, part: tuple[int, int], wanted: Stop) -> int:
        row, stop = part
        try:
            kept = self._kept.room
        except AttributeError:
            kept = self._kept.room = _batch.Kept(_KEPT, _KEPT_PLAYS)
        while row < stop:
            reached, full, plays = _batch.keep(self.call.turns, row, stop, kept, self.many, self.dice_used)
            at = self._place(row, reached, plays, wanted)
            _batch.write(self.call.turns, kept, at, self.out)
            if reached < stop and not full:
                return reached
            row = reached
        return -1

    def _place(self, row: int, reached: int, plays: int, wanted: Stop) -> int:
        """Where the afterstates of these rows go; it waits until those before them have their place."""
        with self._placed:
            while self.row != row:
                wanted.check()
                self._placed.wait(_PATIENCE)
            at = self.at
            if at + plays > len(self.out):
                raise _FullError
            self.row, self.at = reached, at + plays
            self._placed.notify_all()
        return at


def _play(call: _Call, index: Array | None, seed: int) -> npt.NDArray[np.int8]:
    after = np.empty((call.turns.rows, 2, TRACK), np.int8)
    call.run(_batch.play, index, seed, after)
    return after


def _known(rules: Rules) -> Rules:
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules, not {short_repr(rules)}")
    return rules


def _kind(value: object) -> str:
    return f"an array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__


def _positions(positions: Array, name: str = "positions", n: str = "n") -> Array:
    if not isinstance(positions, np.ndarray) or positions.dtype != np.int8:
        raise TypeError(f"{name} must be an int8 array, not {_kind(positions)}")
    if positions.ndim != 3 or positions.shape[1:] != (2, TRACK):
        raise ValueError(f"{name} must have the shape ({n}, 2, {TRACK}), not {positions.shape}")
    return positions


def _rolls(rules: Rules, rolls: Array, n: int) -> Array:
    if not isinstance(rolls, np.ndarray) or rolls.dtype != np.uint8:
        raise TypeError(f"rolls must be a uint8 array, not {_kind(rolls)}")
    if rolls.shape != (n, rules.dice):
        raise ValueError(f"rolls must have the shape ({n}, {rules.dice}), dice for each position, not {rolls.shape}")
    return rolls.view(np.ndarray)


def _writable(out: Array, *inputs: Array | None) -> Array:
    _positions(out, "out", "capacity")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out must be C-contiguous and writable")
    if any(array is not None and np.may_share_memory(out, array) for array in inputs):
        raise ValueError("out shares memory with an input")
    return out.view(np.ndarray)


def _number(name: str, value: int) -> int:
    value = whole(name, value)
    if value < 0:
        raise ValueError(f"{name} must be 0 or more, not {short_repr(value)}")
    if value > _MOST:
        raise ValueError(f"{name} must be {_MOST} or fewer, not {short_repr(value)}")
    return value


def _generator(rng: np.random.Generator) -> np.random.Generator:
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, not {short_repr(rng)}")
    return rng


def _little(words: Array) -> Array:
    return words if sys.byteorder == "little" else words.byteswap()
