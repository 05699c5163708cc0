"""Many positions at once: arrays in, arrays out.

A batch of positions is an int8 array of shape (n, 2, 26): row 0 of a position is the side to move, row 1 the other, each on its own
track (index 0 waiting, 1..24 the points in that side's direction of travel, 25 off). Inputs may be read-only and need not be
contiguous. A position *after* a play is returned with sides swapped: its row 0 is the next player, so that it can be given to the
next call.

Every function checks its input and names the first bad row. With ``check=False`` it does not check that positions keep to the
limit, share no point and are not won by both sides; the results of other positions are then not defined. It still checks that each
side has the checkers that the rules give it and that each die is 1..6, because memory depends on these. Results never depend on the
number of threads.

>>> import numpy as np
>>> from tabula import BACKGAMMON, batch
>>> positions = batch.start(1000, rules=BACKGAMMON)
>>> rolls = batch.roll(1000, rng=np.random.default_rng(1), rules=BACKGAMMON)
>>> after = batch.afterstates(positions, rolls, rules=BACKGAMMON)
>>> len(after), after.positions.shape[1:], after[0].shape == (after.offsets[1], 2, 26)
(1000, (2, 26), True)
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import numpy as np

from tabula import dice
from tabula._arguments import array_of, generator, row_count
from tabula._native import batch as _native
from tabula.batch.call import Array, Call, Dice, positions_array
from tabula.batch.listing import listed
from tabula.batch.results import AllRolls, Moves, Ragged, Validation
from tabula.rules import TRACK, checked_rules

if TYPE_CHECKING:
    import numpy.typing as npt

    from tabula.rules import Rules

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
    "stuck",
    "swap_sides",
    "unpack",
    "validate",
]

_MAX_MOVES: Final = 4

_KEY: Final = np.dtype("V32")


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
    return listed(Call(rules, positions, rolls, threads, check), out)


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
    found = listed(Call(rules, positions, Dice.EVERY, threads, check), out)
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
    call = Call(rules, positions, Dice.EVERY if rolls is None else rolls, threads, check)
    plays = call.counts()
    return plays.reshape(-1, call.input.rolls_each) if rolls is None else plays


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
    call = Call(rules, positions, rolls, threads, check)
    offsets = call.offsets()
    made = np.empty((int(offsets[-1]), _MAX_MOVES, 2), np.uint8)
    call.run(_native.moves, offsets, made)
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
    call = Call(rules, positions, rolls, threads, check)
    chosen = call.index = np.asarray(index)
    if chosen.dtype.kind not in "iu" and (chosen.size or chosen.dtype.kind != "f"):  # an empty list is an array of floats
        raise TypeError(f"index must be integers, not {chosen.dtype}")
    if chosen.shape != (len(positions),):
        raise ValueError(f"index must have the shape ({len(positions)},), one for each position, not {chosen.shape}")
    if chosen.dtype.kind == "u" and chosen.dtype.itemsize == 8:
        chosen = np.minimum(chosen, np.uint64(2**63 - 1))
    return _after_one(call, chosen.astype(np.int64, copy=False), 0)


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
    call = Call(rules, positions, rolls, threads, check)
    return _after_one(call, None, int(generator(rng).integers(0, 2**64, dtype=np.uint64)))


def _after_one(call: Call, index: Array | None, seed: int) -> npt.NDArray[np.int8]:
    after = np.empty((call.input.rows, 2, TRACK), np.int8)
    call.run(_native.play, index, seed, after)
    return after


def outcome(positions: npt.NDArray[np.int8], *, rules: Rules, threads: int = 1, check: bool = True) -> npt.NDArray[np.int8]:
    """Who has won, int8 (n): 0 while a game goes on, + the points if row 0 has won, - the points if row 1 has.

    >>> from tabula import TABULA, batch
    >>> batch.outcome(batch.start(2, rules=TABULA), rules=TABULA)
    array([0, 0], dtype=int8)
    """
    call = Call(rules, positions, Dice.NONE, threads, check)
    points = np.empty(call.input.rows, np.int8)
    call.run(_native.outcome, points)
    return points


def stuck(positions: npt.NDArray[np.int8], *, rules: Rules, threads: int = 1, check: bool = True) -> npt.NDArray[np.bool_]:
    """Whether neither side can ever move again, bool (n), as `Position.stuck` says: who plays on gives such games up.

    >>> from tabula import NARDE, batch
    >>> batch.stuck(batch.start(2, rules=NARDE), rules=NARDE)
    array([False, False])
    """
    call = Call(rules, positions, Dice.NONE, threads, check)
    ended = np.empty(call.input.rows, np.uint8)
    call.run(_native.stuck, ended)
    return ended.view(np.bool_)


def start(n: int, *, rules: Rules) -> npt.NDArray[np.int8]:
    """`n` games that are about to start, int8 (n, 2, 26): row 0 is the side that begins.

    >>> from tabula import BACKGAMMON, batch
    >>> batch.start(2, rules=BACKGAMMON).shape
    (2, 2, 26)
    """
    positions = np.empty((row_count("n", n), 2, TRACK), np.int8)
    positions[:, 0], positions[:, 1] = checked_rules(rules).setup, rules.other_setup
    return positions


def roll(n: int, *, rng: np.random.Generator, rules: Rules) -> npt.NDArray[np.uint8]:
    """`n` throws of the dice, uint8 (n, dice), as they fall: not sorted.

    >>> import numpy as np
    >>> from tabula import TABULA, batch
    >>> batch.roll(5, rng=np.random.default_rng(1), rules=TABULA).shape
    (5, 3)
    """
    return generator(rng).integers(1, dice.FACES + 1, (row_count("n", n), checked_rules(rules).dice), np.uint8)


def swap_sides(positions: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """The same boards with the other side to move: a new array with the two rows of each position exchanged.

    >>> from tabula import TABULA, batch
    >>> positions = batch.start(2, rules=TABULA)
    >>> bool((batch.swap_sides(batch.swap_sides(positions)) == positions).all())
    True
    """
    return positions_array("positions", positions)[:, ::-1].copy()


def validate(positions: npt.NDArray[np.int8], *, rules: Rules, threads: int = 1) -> Validation:
    """Which rows are legal positions, bool (n), and for each other row the reason, as a sentence.

    >>> from tabula import TABULA, batch
    >>> positions = batch.start(2, rules=TABULA)
    >>> positions[1, 0, 0] = 14
    >>> batch.validate(positions, rules=TABULA)
    Validation(legal=array([ True, False]), reasons={1: 'mover has 14 checkers in all, and these rules give a side 15'})
    """
    call = Call(rules, positions, Dice.NONE, threads, check=True)
    wrong = np.empty(call.input.rows, np.uint8)
    call.run(_native.validate, wrong)
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
    call = Call(rules, positions, Dice.NONE, threads, check)
    words = np.empty((call.input.rows, 4), np.uint64)
    call.run(_native.pack, words)
    return _little_endian(words).view(_KEY).reshape(len(words))


def unpack(keys: npt.NDArray[np.void], *, rules: Rules, threads: int = 1, check: bool = True) -> npt.NDArray[np.int8]:
    """The positions that `pack` made keys of, int8 (n, 2, 26).

    Raises TypeError for anything but an array of dtype V32 and InvalidPositionError for the first key that is none of `rules`. With
    ``check=False`` keys are taken as they are, whatever they hold.

    >>> from tabula import TABULA, batch
    >>> keys = batch.pack(batch.start(2, rules=TABULA), rules=TABULA)
    >>> batch.unpack(keys, rules=TABULA)[0, :, 0]
    array([15, 15], dtype=int8)
    """
    array_of("keys", keys, _KEY)
    if keys.ndim != 1:
        raise ValueError(f"keys must have the shape (n,), not {keys.shape}")
    words = _little_endian(np.ascontiguousarray(keys).view(np.uint64).reshape(len(keys), 4))
    positions = np.empty((len(keys), 2, TRACK), np.int8)
    call = Call(rules, positions, Dice.NONE, threads, check)
    call.keys = words
    call.run(_native.unpack, words, positions)
    return positions


def _little_endian(words: Array) -> Array:
    return words if sys.byteorder == "little" else words.byteswap()
