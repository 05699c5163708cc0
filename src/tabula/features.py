"""Positions as rows of numbers for learning: whole batches at once, into float32 arrays that can be used again.

=========  ================  ========================================================================================
encoder    columns           what a row is
=========  ================  ========================================================================================
`raw`      52                the 26 counts of each side, as parts of its checkers
`tesauro`  198               the inputs of TD-Gammon: four units for each side and point
`unary`    by the rules      one unit for each checker that can stand at an index: 300 columns for `TABULA`, 780 for
                             `BACKGAMMON`
`tabula`   298               which of 0..5 checkers stand on a point, the gates, and pips; for rules with a
                             `stack_limit` of 5 or less
=========  ================  ========================================================================================

**Perspective.** A position is seen by the side to move. Its row 0, the *mover*, fills the first half of the columns, and row 1, the
*other*, fills the second half in the same order. Each side's points are those of its own track, so that a column means the same for
both: point 24 is the last before bearing off. Nothing says who is white. `swap_sides` gives the features of the same board as the
other side sees it.

All four encoders are called in the same way:

positions
    int8, (n, 2, 26): row 0 of each position the side to move, row 1 the other, each on its own track (index 0 waiting, 1..24 the
    points in that side's direction of travel, 25 off). It may be read-only and need not be contiguous.
rules
    The `Rules` that they stand under.
out
    Where to write: float32, (n, columns), writable, the columns of a row side by side, apart from `positions` in memory. Its rows
    may have gaps between them, as in a slice of the columns of a wider array. Made anew if left out.
threads
    How many threads work on it, 1 or more. The result does not depend on it.
check
    False trusts the positions to be legal ones of `rules`. What is written for others then means nothing, but no other memory is
    touched.

They return `out`, and raise InvalidPositionError for the first row that is no legal position, naming it, before anything is
written; TypeError for arrays of another type; ValueError for arrays of another shape and for an `out` that cannot be written to
as it is.

>>> from tabula import BACKGAMMON, batch, features
>>> positions = batch.start(1000, rules=BACKGAMMON)
>>> x = features.tesauro(positions, rules=BACKGAMMON)
>>> x.shape, x.dtype, features.tesauro(positions, rules=BACKGAMMON, out=x) is x
((1000, 198), dtype('float32'), True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar

import numpy as np

from tabula._arguments import array_of, choice, flag, thread_count
from tabula._native import features as _features
from tabula._native.position import Position
from tabula.batch.call import positions_array
from tabula.errors import InvalidPositionError
from tabula.rules import OFF, POINTS, TRACK, Rules
from tabula.work.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy.typing as npt

__all__ = ["ENCODERS", "Encoder", "columns", "raw", "swap_sides", "tabula", "tesauro", "unary", "width"]

Result = TypeVar("Result")

Encoder: TypeAlias = Literal["raw", "tesauro", "unary", "tabula"]

ENCODERS: Final[tuple[Encoder, ...]] = ("raw", "tesauro", "unary", "tabula")
"""The encoders by name: each is a function of this module."""

_FLOAT32: Final = np.dtype(np.float32)

_PART: Final = 16384
"""Rows in one unit of work: about a millisecond, so that threads share them evenly and Ctrl-C is heard between two."""

_MOST_ONE_HOT: Final = 5
"""The most checkers on a point that `tabula` has a unit for."""


def raw(
    positions: npt.NDArray[np.int8],
    *,
    rules: Rules,
    out: npt.NDArray[np.float32] | None = None,
    threads: int = 1,
    check: bool = True,
) -> npt.NDArray[np.float32]:
    """The counts themselves, float32 (n, 52), seen by the side to move: 0..1, and each side's 26 columns sum to 1.

    ======  ==========================================================================
    column  value
    ======  ==========================================================================
    0       the mover's checkers waiting, as a part of the checkers that a side has
    1..24   those on his point 1..24
    25      those off
    26..51  the same of the other side, on its own track
    ======  ==========================================================================

    The top of the module explains the arguments and the errors.

    >>> from tabula import BACKGAMMON, batch, features
    >>> x = features.raw(batch.start(1, rules=BACKGAMMON), rules=BACKGAMMON)
    >>> (x[0, :26] * 15).round().astype(int).tolist()
    [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, 0, 0]
    """
    return _encode("raw", positions, rules, out, threads, check)


def tesauro(
    positions: npt.NDArray[np.int8],
    *,
    rules: Rules,
    out: npt.NDArray[np.float32] | None = None,
    threads: int = 1,
    check: bool = True,
) -> npt.NDArray[np.float32]:
    """The 198 inputs of TD-Gammon's first version, float32 (n, 198), seen by the side to move.

    With n checkers of a side at an index of its track:

    ========  ========================================================================
    column    value
    ========  ========================================================================
    4p - 4    for the mover's point p, 1..24: 1 if n >= 1, else 0
    4p - 3    1 if n >= 2, else 0
    4p - 2    1 if n >= 3, else 0
    4p - 1    (n - 3) / 2 if n > 3, else 0; at most 6
    96        n / 2 waiting: in hand, or on the bar; at most 7.5
    97        n / 15 off
    98..195   the same of the other side, on its own track
    196       1 if the mover, whose columns come first, is to move: always
    197       1 if the other is to move: never
    ========  ========================================================================

    TD-Gammon saw every position with the same colour first, and its last two units said whose turn it was. Here the side to move
    always comes first, so that they are 1 and 0 and a network reads them as a constant. `swap_sides` swaps the sides of
    chosen rows, these units included: a trainer that needs one colour first for a whole game swaps the rows in which the other
    colour is to move. The divisors 2 and 15 are TD-Gammon's, whatever number of checkers the rules have.

    The top of the module explains the arguments and the errors.

    Gerald Tesauro, "Practical issues in temporal difference learning", Machine Learning 8 (1992), 257-277, and "Temporal difference
    learning and TD-Gammon", Communications of the ACM 38:3 (1995), 58-68. The order of the columns is this module's own.

    >>> from tabula import BACKGAMMON, batch, features
    >>> x = features.tesauro(batch.start(1, rules=BACKGAMMON), rules=BACKGAMMON)
    >>> x[0, 0:4].tolist(), x[0, 44:48].tolist(), x[0, 196:].tolist()
    ([1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [1.0, 0.0])
    """
    return _encode("tesauro", positions, rules, out, threads, check)


def unary(
    positions: npt.NDArray[np.int8],
    *,
    rules: Rules,
    out: npt.NDArray[np.float32] | None = None,
    threads: int = 1,
    check: bool = True,
) -> npt.NDArray[np.float32]:
    """Each count as so many ones and then zeros, float32 (n, columns), seen by the side to move.

    Let C be the checkers that a side has, and L the most that can stand on a point: C, or `stack_limit` where that is less. A side
    has W = 2C + 24L columns. With n checkers at an index of its track:

    ==================  ==============================================================
    column              value
    ==================  ==============================================================
    0 .. C-1            for the mover, waiting: 1 in column k if n > k, else 0
    C + (p-1)L + k      for his point p, 1..24, and k = 0 .. L-1: 1 if n > k, else 0
    C + 24L + k         for those off and k = 0 .. C-1: 1 if n > k, else 0
    W .. 2W-1           the same of the other side, on its own track
    ==================  ==============================================================

    That is 300 columns under `TABULA` and 780 under `BACKGAMMON`. The top of the module explains the arguments and the errors.

    >>> from tabula import TABULA, batch, features
    >>> x = features.unary(batch.start(1, rules=TABULA), rules=TABULA)
    >>> x.shape, int(x[0, :15].sum()), int(x.sum())
    ((1, 300), 15, 30)
    """
    return _encode("unary", positions, rules, out, threads, check)


def tabula(
    positions: npt.NDArray[np.int8],
    *,
    rules: Rules,
    out: npt.NDArray[np.float32] | None = None,
    threads: int = 1,
    check: bool = True,
) -> npt.NDArray[np.float32]:
    """What a game with full points turns on, float32 (n, 298), seen by the side to move: every value is 0..1.

    ==========  ======================================================================
    column      value
    ==========  ======================================================================
    6p - 6 + k  for the mover's point p, 1..24, and k = 0..5: 1 if k stand there, else 0
    144         his checkers waiting, as a part of the checkers that a side has
    145         those off
    146         1 if points 13..24 are open to him as far as the half gate goes, else 0
    147         1 if bearing off is open to him, else 0
    148         his pips, as a part of the most there can be: 25 for each checker
    149..297    the same of the other side, on its own track
    ==========  ======================================================================

    The two gates stand as they would if that side's turn started from this very position. Rules without a half gate have it open.

    The top of the module explains the arguments and the errors. Besides, rules with a stack_limit of None or above 5
    are refused with ValueError.

    >>> from tabula import TABULA, batch, features
    >>> x = features.tabula(batch.start(1, rules=TABULA), rules=TABULA)
    >>> x[0, 144:149].tolist()
    [1.0, 0.0, 0.0, 0.0, 1.0]
    """
    return _encode("tabula", positions, rules, out, threads, check)


def width(encoder: Encoder, *, rules: Rules) -> int:
    """How many columns an encoder has under these rules.

    Raises ValueError for an unknown name and for rules that the encoder refuses.

    >>> from tabula import BACKGAMMON, features
    >>> {encoder: features.width(encoder, rules=BACKGAMMON) for encoder in ("raw", "tesauro", "unary")}
    {'raw': 52, 'tesauro': 198, 'unary': 780}
    """
    encoder_name = choice("encoder", encoder, ENCODERS)
    columns = _features.width(encoder_name, rules)
    if encoder_name == "tabula" and (rules.stack_limit is None or rules.stack_limit > _MOST_ONE_HOT):
        raise ValueError(f"the tabula encoder is for rules with a stack_limit of 1..{_MOST_ONE_HOT}, not {rules.stack_limit}")
    return columns


def columns(encoder: Encoder, *, rules: Rules) -> tuple[str, ...]:
    """The name of every column of an encoder, in order; each is a valid identifier.

    A name starts with the side, ``mover`` or ``other``, and goes on with the index of its own track: ``waiting``, ``1`` .. ``24``
    or ``off``. ``ge2`` is 1 for two checkers or more, ``is2`` for exactly two, ``beyond3`` counts those past the third by halves.
    Raises what `width` raises.

    >>> from tabula import TABULA, features
    >>> names = features.columns("tesauro", rules=TABULA)
    >>> names[:4], names[96:98]
    (('mover_1_ge1', 'mover_1_ge2', 'mover_1_ge3', 'mover_1_beyond3'), ('mover_waiting', 'mover_off'))
    >>> features.columns("tabula", rules=TABULA)[146:151]
    ('mover_half_gate_open', 'mover_bearing_off_open', 'mover_pips', 'other_1_is0', 'other_1_is1')
    """
    width(encoder, rules=rules)
    names = [f"{side}_{name}" for side in ("mover", "other") for name in _side_columns(encoder, rules)]
    return (*names, *_turn_columns(encoder))


def _side_columns(encoder: Encoder, rules: Rules) -> Iterator[str]:
    points = range(1, POINTS + 1)
    if encoder == "raw":
        yield from ("waiting", *map(str, points), "off")
    elif encoder == "tesauro":
        yield from (f"{point}_{unit}" for point in points for unit in ("ge1", "ge2", "ge3", "beyond3"))
        yield from ("waiting", "off")
    elif encoder == "unary":
        for index in range(TRACK):
            most = min(rules.limit, rules.checkers) if 0 < index < OFF else rules.checkers
            place = {0: "waiting", OFF: "off"}.get(index, str(index))
            yield from (f"{place}_ge{count}" for count in range(1, most + 1))
    else:
        yield from (f"{point}_is{count}" for point in points for count in range(_MOST_ONE_HOT + 1))
        yield from ("waiting", "off", "half_gate_open", "bearing_off_open", "pips")


def _turn_columns(encoder: Encoder) -> tuple[str, ...]:
    """The columns behind those of the two sides: one for each side, or none."""
    return ("mover_to_move", "other_to_move") if encoder == "tesauro" else ()


def swap_sides(
    features: npt.NDArray[np.float32],
    encoder: Encoder,
    *,
    rules: Rules,
    out: npt.NDArray[np.float32] | None = None,
) -> npt.NDArray[np.float32]:
    """The same positions as the other side sees them: the two sides' columns change places. It is its own inverse.

    What the encoder writes is seen by the side to move; after `swap_sides` the side that is *not* to move comes first, and the
    turn units of `tesauro` change places too, so that they still name the one that is. But for those units,
    ``swap_sides(encode(positions))`` is ``encode(batch.swap_sides(positions))``.

    Parameters
    ----------
    features
        float32, (n, columns), as `encoder` writes them under `rules`. It may be read-only and need not be contiguous.
    out
        Where to write, as for an encoder: apart from `features` in memory. It is returned.

    Raises
    ------
    TypeError, ValueError
        As an encoder raises them.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import TABULA, batch, features
    >>> positions = batch.start(3, rules=TABULA)
    >>> x = features.tesauro(positions, rules=TABULA)
    >>> black = np.array([False, True, False])
    >>> x[black] = features.swap_sides(x[black], "tesauro", rules=TABULA)
    >>> x[:, 196:].tolist()
    [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """
    n_columns = width(encoder, rules=rules)
    array_of("features", features, _FLOAT32)
    if features.ndim != 2 or features.shape[1] != n_columns:
        raise ValueError(f"features must have the shape (n, {n_columns}) for the {encoder} encoder, not {features.shape}")
    out = _writable(out, features.shape, "features", features)
    side = (n_columns - len(_turn_columns(encoder))) // 2
    out[:, :side] = features[:, side : 2 * side]
    out[:, side : 2 * side] = features[:, :side]
    out[:, 2 * side :] = features[:, 2 * side :][:, ::-1]
    return out


# ------------------------------------------------------------------------------------------------------------ what all of them do


def _encode(
    encoder: Encoder, positions: Any, rules: Rules, out: npt.NDArray[np.float32] | None, threads: int, check: bool
) -> npt.NDArray[np.float32]:
    n_columns = width(encoder, rules=rules)
    flag("check", check)
    threads = thread_count(threads)
    positions_array("positions", positions)
    n = len(positions)
    out = _writable(out, (n, n_columns), "positions", positions)
    if check:
        _check(positions, rules, threads)
    for _ in _in_parts(lambda first, stop: _features.encode(encoder, rules, positions, first, stop, out), n, threads):
        pass
    return out


def _in_parts(work: Callable[[int, int], Result], n: int, threads: int) -> Iterable[Result]:
    """What `work` returns for each part of n rows, in order."""
    if n <= _PART:  # getting ready for threads takes longer than a few rows
        return [work(0, n)]
    parts = [(first, min(first + _PART, n)) for first in range(0, n, _PART)]
    return in_threads(lambda part, _: work(*part), parts, min(threads, len(parts)))


def _check(positions: npt.NDArray[np.int8], rules: Rules, threads: int) -> None:
    """Raises InvalidPositionError for the first row that is no legal position."""
    for row in _in_parts(lambda first, stop: _features.first_wrong(rules, positions, first, stop), len(positions), threads):
        if row >= 0:
            try:
                Position.from_array(positions[row], rules=rules)
            except InvalidPositionError as error:
                raise InvalidPositionError(f"row {row}: {error}") from None
            raise RuntimeError(f"row {row}: positions was written to while it was read")


def _writable(
    out: npt.NDArray[np.float32] | None, shape: tuple[int, ...], name: str, source: npt.NDArray[Any]
) -> npt.NDArray[np.float32]:
    """`out`, or a new array if it is None; an error if features of this shape cannot be written to it."""
    if out is None:
        return np.empty(shape, np.float32)
    array_of("out", out, _FLOAT32)
    if out.shape != shape:
        raise ValueError(f"out must have the shape {shape}, not {out.shape}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")
    n, n_columns = shape
    if n and (out.strides[1] != out.itemsize or (n > 1 and out.strides[0] < n_columns * out.itemsize) or not out.flags.aligned):
        raise ValueError(f"out must have a row's columns side by side, aligned, and its rows apart; its strides are {out.strides}")
    if np.may_share_memory(out, source):
        raise ValueError(f"out must be apart from {name} in memory, and overlaps it")
    return out
