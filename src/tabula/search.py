"""Looking ahead: the plays of a roll, judged by what can follow them.

Plies are counted as GNU Backgammon counts them; other programs count one more. At 0 plies a play is worth what the evaluator says
of the position after it. At 1 ply it is worth the mean over all rolls of what the best reply is worth, at 2 plies the replies to
the replies are looked at, and so on. As in GNU Backgammon, the best reply inside the tree is the one that is best at 0 plies, and
only this one is looked at more deeply. Filters say which of the plays of the roll are: those that are good at 0 plies.

Values and chances speak for row 0 of the positions that are given, the side that makes the play: the highest is the best.

>>> import numpy as np
>>> from tabula import BACKGAMMON, batch
>>> from tabula.search import search
>>> def pips(positions):
...     return ((positions[:, 1] - positions[:, 0]) @ (25 - np.arange(26))) / 100
>>> found = search(batch.start(1, rules=BACKGAMMON), np.uint8([[3, 1]]), pips, rules=BACKGAMMON, plies=1)
>>> found
<Found: 16 plays in 1 row>
>>> bool(found.best[0] == found[0][0]), found.plies[:8].tolist()
(True, [1, 1, 1, 1, 1, 1, 1, 1])
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from tabula import batch as arrays
from tabula._arguments import at_least, check_progress, flag, thread_count, within
from tabula.batch.results import Rows
from tabula.errors import short_repr
from tabula.evaluate import checked_evaluator, evaluated, of_outcomes, points, swap_sides

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabula.batch import AllRolls, Ragged
    from tabula.evaluate import Evaluator, Player, Turns
    from tabula.rules import Rules
    from tabula.work.threads import Progress

__all__ = [
    "BATCH",
    "HUGE",
    "LARGE",
    "MOST_PLIES",
    "NARROW",
    "NORMAL",
    "TINY",
    "Filter",
    "Filters",
    "Found",
    "player",
    "search",
    "value",
]

BATCH: Final = 1 << 16
"""The boards that an evaluator is given at once, if nothing else is said."""

MOST_PLIES: Final = 8
"""The largest `plies`: each of them takes some hundred times as long as the one before."""

_MOST_BOARDS: Final = 1 << 32


class Filter(NamedTuple):
    """Which plays are looked at more deeply: the `keep` best ones, and of the next ones up to `most` within `within` of the best.

    The best play always is among them.

    >>> Filter()
    Filter(keep=0, most=8, within=0.16)
    """

    keep: int = 0
    """This number of the best ones are, whatever they are worth."""

    most: int = 8
    """And at most this number of the next ones."""

    within: float = 0.16
    """If they are worth at most this number of points less than the best."""


Filters: TypeAlias = Sequence[Filter | None]
"""For 0 plies, 1 ply and so on, what goes on from there to the next ply; None, or no entry: every play that came there."""

TINY: Final[Filters] = (Filter(0, 5, 0.08), None, Filter(0, 2, 0.02), None)
"""GNU Backgammon's filters of this name."""

NARROW: Final[Filters] = (Filter(0, 8, 0.12), None, Filter(0, 2, 0.03), None)
"""GNU Backgammon's filters of this name."""

NORMAL: Final[Filters] = (Filter(0, 8, 0.16), None, Filter(0, 2, 0.04), None)
"""GNU Backgammon's filters of this name."""

LARGE: Final[Filters] = (Filter(0, 16, 0.32), None, Filter(0, 4, 0.08), None)
"""GNU Backgammon's filters of this name."""

HUGE: Final[Filters] = (Filter(0, 20, 0.44), None, Filter(0, 6, 0.11), None)
"""GNU Backgammon's filters of this name."""


# ---------------------------------------------------------------------------------------------------------------------- results


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Found(Rows[np.int64]):
    """The plays of each position, best first: those looked at most deeply before the others, and among these the highest value.

    ``found[i]`` has the numbers of position i's plays in this order, as `tabula.batch.afterstates` numbers them; it is empty if the
    game is over.
    """

    index: NDArray[np.int64]
    """(m): the number of each play among those of its position."""

    offsets: NDArray[np.int64]
    """(n + 1): the plays of position i are ``index[offsets[i]:offsets[i + 1]]``; in `values`, `chances` and `plies` likewise."""

    values: NDArray[np.float64]
    """(m): the points that the side that makes the play can expect."""

    chances: NDArray[np.float64] | None
    """(m, 5): its chances, if the evaluator gives chances."""

    plies: NDArray[np.int64]
    """(m): the plies at which the play was looked at. Values of different plies do not compare well."""

    outcomes: NDArray[np.int8]
    """(n): the outcome of each position, 0 while the game goes on."""

    @property
    def _flat(self) -> NDArray[np.int64]:
        return self.index

    @property
    def best(self) -> NDArray[np.int64]:
        """(n): the number of each position's best play; -1 where the game is over. `tabula.batch.play` takes it."""
        return self._of_best(self.index, -1)

    @property
    def best_values(self) -> NDArray[np.float64]:
        """(n): what the best play is worth; where the game is over, its outcome."""
        return self._of_best(self.values, self.outcomes)

    def _of_best(self, each: NDArray[Any], empty: Any) -> NDArray[Any]:
        some = np.diff(self.offsets) > 0
        found = np.array(np.broadcast_to(np.asarray(empty, each.dtype), (len(self),)))
        found[some] = each[self.offsets[:-1][some]]
        return found


# ----------------------------------------------------------------------------------------------------------------------- search


def search(
    positions: NDArray[np.int8],
    rolls: NDArray[np.uint8],
    evaluator: Evaluator,
    *,
    rules: Rules,
    plies: int = 0,
    filters: Filters = NORMAL,
    merge: bool | None = None,
    batch: int = BATCH,
    threads: int = 1,
    progress: Progress | None = None,
) -> Found:
    """All plays of each position with its roll, in order of value.

    A finished game has no plays. Where there is one play, a pass for instance, nothing is looked ahead: its value is that at 0
    plies. Likewise if a filter leaves one. Finished games inside the tree have the value of their outcome.

    The evaluator is called by the caller's thread. The result does not depend on `threads`. It depends on `batch` and `merge`
    only as the evaluator itself does: one that multiplies matrices may give other last bits for an array of another width.

    Parameters
    ----------
    positions
        int8, (n, 2, 26).
    rolls
        uint8, (n, dice), dice of 1..6 in any order.
    evaluator
        What positions are worth to row 0 before the roll: points (n,) or chances (n, 5), as `tabula.evaluate` says.
    plies
        How deep to look, 0..8.
    filters
        What is looked at beyond 0 plies: `TINY`, `NARROW`, `NORMAL`, `LARGE`, `HUGE` or your own; ``()`` is every play.
    merge
        Whether equal boards are evaluated once. None: with three dice, where enough boards are equal for it to save time.
    batch
        The boards that are listed and evaluated at once, which bounds the memory: 1..2^32. The replies of one position are listed
        together, even if they are more.
    threads
        The threads that list plays.
    progress
        Called with the positions that are finished and all positions; at 0 plies only at the end.

    Raises
    ------
    InvalidPositionError
        For the first row that is no legal position, naming it.
    ValueError
        For the first row whose dice are no dice, an evaluator for other rules, its wrong values, an argument out of its range.
    TypeError
        For an argument of the wrong type.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import TABULA, batch
    >>> def pips(positions):
    ...     return ((positions[:, 1] - positions[:, 0]) @ (25 - np.arange(26))) / 100
    >>> found = search(batch.start(2, rules=TABULA), np.uint8([[6, 5, 2], [1, 1, 1]]), pips, rules=TABULA)
    >>> found.best, found.best_values.round(2)
    (array([0, 0]), array([0.13, 0.03]))
    """
    tree = Tree(evaluator, rules, merge, batch, threads)
    plies = within("plies", plies, 0, MOST_PLIES)
    stages = checked_filters(filters)
    check_progress(progress)
    after = arrays.afterstates(positions, rolls, rules=rules, threads=threads)
    outcomes = arrays.outcome(positions, rules=rules, threads=threads, check=False)
    found = swap_sides(tree.evaluate(after.positions))
    looked = np.zeros(len(found), np.int64)
    plays = np.diff(after.offsets)
    ahead = np.flatnonzero(np.repeat(plays > 1, plays))

    def look(ply: int, report: Progress | None) -> None:
        """Gives the plays that are looked ahead of their values at this depth."""
        rows = after.rows[ahead]

        def of_rows(done: int, total: int) -> None:
            if report is not None:
                report(int(rows[done]) if done < total else len(after), len(after))

        found[ahead] = swap_sides(tree.before_roll(after.positions[ahead], ply, of_rows))
        looked[ahead] = ply

    for ply, stage in enumerate(stages[:plies]):
        if stage is not None and len(ahead):
            if ply:
                look(ply, None)
            ahead = _filtered(stage, points(found[ahead]), after.rows[ahead], ahead)
    if plies and len(ahead):
        look(plies, progress)
    elif progress is not None:
        progress(len(after), len(after))
    values = points(found)
    order = np.lexsort((-values, -looked, after.rows))
    index = (np.arange(len(values)) - after.offsets[after.rows])[order]
    chances = found[order] if found.ndim == 2 else None
    return Found(index, after.offsets, values[order], chances, looked[order], outcomes)


def value(
    positions: NDArray[np.int8],
    evaluator: Evaluator,
    *,
    rules: Rules,
    plies: int = 1,
    merge: bool | None = None,
    batch: int = BATCH,
    threads: int = 1,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """What each position is worth before the roll, to row 0: float64, points (n,) or chances (n, 5), as the evaluator gives them.

    At 0 plies it is what the evaluator says, at 1 ply the mean over all rolls of what the best play is worth at 0 plies, and so on.
    A finished game has the value of its outcome. The parameters and errors are those of `search`.

    >>> import numpy as np
    >>> from tabula import TABULA, batch
    >>> def pips(positions):
    ...     return ((positions[:, 1] - positions[:, 0]) @ (25 - np.arange(26))) / 100
    >>> value(batch.start(2, rules=TABULA), pips, rules=TABULA).round(3)
    array([0.105, 0.105])
    """
    tree = Tree(evaluator, rules, merge, batch, threads)
    plies = within("plies", plies, 0, MOST_PLIES)
    check_progress(progress)
    arrays.outcome(positions, rules=rules, threads=threads)  # the check of the positions
    if plies:
        return tree.before_roll(positions, plies, progress)
    found = tree.evaluate(positions)
    if progress is not None:
        progress(len(positions), len(positions))
    return found


@dataclasses.dataclass(frozen=True)
class _Player:
    evaluator: Evaluator
    plies: int
    filters: Filters
    merge: bool | None
    batch: int

    @property
    def rules(self) -> Rules | None:
        return getattr(self.evaluator, "rules", None)

    def choose(self, turns: Turns) -> NDArray[np.int64]:
        found = search(
            turns.positions,
            turns.rolls,
            self.evaluator,
            rules=turns.rules,
            plies=self.plies,
            filters=self.filters,
            merge=self.merge,
            batch=self.batch,
        )
        return found.best


def player(
    evaluator: Evaluator, *, plies: int = 1, filters: Filters = NORMAL, merge: bool | None = None, batch: int = BATCH
) -> Player:
    """A player for `tabula.arena.play` that takes the best play of a search, whose parameters and errors it has.

    >>> import numpy as np
    >>> from tabula import BACKGAMMON, arena
    >>> from tabula.bots import weigh
    >>> def careful(positions):
    ...     return -weigh(positions, rules=BACKGAMMON) / 50
    >>> len(arena.play(player(careful), careful, 2, rng=np.random.default_rng(1), rules=BACKGAMMON))
    2
    """
    if not callable(evaluator):
        raise TypeError(f"an evaluator must be callable, not {short_repr(evaluator)}")
    within("plies", plies, 0, MOST_PLIES)
    if merge is not None:
        flag("merge", merge)
    return _Player(evaluator, plies, checked_filters(filters), merge, within("batch", batch, 1, _MOST_BOARDS))


def checked_filters(filters: Filters) -> tuple[Filter | None, ...]:
    if not isinstance(filters, Sequence):
        raise TypeError(f"filters must be a sequence of Filter or None, not {short_repr(filters)}")
    for ply, each in enumerate(filters):
        if each is None:
            continue
        if not isinstance(each, Filter):
            raise TypeError(f"filters[{ply}] must be a Filter or None, not {short_repr(each)}")
        at_least("keep", each.keep, 0)
        at_least("most", each.most, 0)
        if not each.within >= 0:
            raise ValueError(f"within must be 0 or more, not {short_repr(each.within)}")
    return tuple(filters)


def _filtered(stage: Filter, values: NDArray[np.float64], rows: NDArray[np.int64], plays: NDArray[np.int64]) -> NDArray[np.int64]:
    """The plays that go on, in the order of their rows; none of a row where it would be one."""
    order = np.lexsort((-values, rows))
    values, rows, plays = values[order], rows[order], plays[order]
    first = np.flatnonzero(np.diff(rows, prepend=-1))
    lengths = np.diff(first, append=len(rows))
    rank = np.arange(len(rows)) - np.repeat(first, lengths)
    enough = values >= np.repeat(values[first], lengths) - stage.within
    going = (rank < max(stage.keep, 1)) | ((rank < stage.keep + stage.most) & enough)
    several = np.repeat(np.add.reduceat(going, first) > 1, lengths)
    return np.sort(plays[going & several])


# ------------------------------------------------------------------------------------------------------------------------- tree


class Tree:
    """An evaluator and how it is called; the values that it has at 0 plies, and those before a roll at more."""

    def __init__(self, evaluator: Evaluator, rules: Rules, merge: bool | None, batch: int, threads: int) -> None:
        self.evaluator = checked_evaluator(evaluator, rules)
        self.rules = rules
        if merge is not None:
            flag("merge", merge)
        self.merge = rules.dice == 3 if merge is None else merge
        self.batch = within("batch", batch, 1, _MOST_BOARDS)
        self.threads = thread_count(threads)

    def evaluate(self, boards: NDArray[np.int8]) -> NDArray[np.float64]:
        """The values of boards at 0 plies: of finished games by the outcome, of the others by the evaluator."""
        values, number = self._of_distinct(boards)
        return values if number is None else values[number]

    def best_replies(self, ahead: Ragged) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The number of each row's best play at 0 plies, and the value of its afterstate. No row is empty."""
        values, number = self._of_distinct(ahead.positions)
        scores = -points(values)
        best = ahead.best(scores if number is None else scores[number])
        places = ahead.places(best)
        return best, values[places if number is None else number[places]]

    def _of_distinct(self, boards: NDArray[np.int8]) -> tuple[NDArray[np.float64], NDArray[np.int64] | None]:
        """The values of the distinct boards, and for each board the number of its value; None if each has one of its own."""
        distinct = self._distinct(boards) if self.merge and len(boards) > 1 else None
        if distinct is None:
            return self._settled(boards), None
        first, number = distinct
        return self._settled(boards[first]), number

    def _settled(self, boards: NDArray[np.int8]) -> NDArray[np.float64]:
        outcomes = arrays.outcome(boards, rules=self.rules, threads=self.threads, check=False)
        going = outcomes == 0
        if going.all():
            return self._in_batches(boards)
        found = self._in_batches(boards[going])
        values = of_outcomes(outcomes, chances=found.ndim == 2)
        values[going] = found
        return values

    def _in_batches(self, boards: NDArray[np.int8]) -> NDArray[np.float64]:
        if len(boards) <= self.batch:
            return evaluated(self.evaluator, boards)
        parts = range(0, len(boards), self.batch)
        return np.concatenate([evaluated(self.evaluator, boards[part : part + self.batch]) for part in parts])

    def _distinct(self, boards: NDArray[np.int8]) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """A place of each distinct board, and for each board the number of its distinct one; None if that is not found.

        Sums of 64 bits are compared, as they sort ten times as fast as keys. Should two boards have one sum, all are evaluated.
        """
        keys = arrays.pack(boards, rules=self.rules, threads=self.threads, check=False).view(np.uint64).reshape(-1, 4)
        sums = keys @ _FACTORS
        sums ^= sums >> np.uint64(29)
        # Which of equal boards comes first in this order depends on the machine; the boards that are evaluated do not.
        order = np.argsort(sums)
        inside = sums[order]
        new = np.concatenate([[True], inside[1:] != inside[:-1]])
        first = order[new]
        number = np.empty(len(boards), np.int64)
        number[order] = np.cumsum(new) - 1
        return (first, number) if (keys[first[number]] == keys).all() else None

    def before_roll(self, positions: NDArray[np.int8], plies: int, progress: Progress | None = None) -> NDArray[np.float64]:
        """The values of positions before the roll, at one ply or more."""
        outcomes = arrays.outcome(positions, rules=self.rules, threads=self.threads, check=False)
        going = np.flatnonzero(outcomes == 0)
        if not len(going):
            found = of_outcomes(outcomes, chances=evaluated(self.evaluator, positions[:0]).ndim == 2)
        elif len(going) == len(positions):
            found = self._in_parts(positions, plies, progress)
        else:

            def of_all(done: int, _: int) -> None:
                if progress is not None:
                    progress(int(going[done]), len(positions))

            means = self._in_parts(positions[going], plies, of_all)
            found = of_outcomes(outcomes, chances=means.ndim == 2)
            found[going] = means
        if progress is not None:
            progress(len(positions), len(positions))
        return found

    def _in_parts(self, positions: NDArray[np.int8], plies: int, progress: Progress | None) -> NDArray[np.float64]:
        """The means of a part of the positions at a time: of those whose replies are no more than `batch`, but of one at least."""
        replies = arrays.counts(positions, None, rules=self.rules, threads=self.threads, check=False).sum(axis=1)
        ends = np.cumsum(replies)
        parts, start = [], 0
        while start < len(positions):
            if progress is not None:
                progress(start, len(positions))
            before = int(ends[start - 1]) if start else 0
            end = max(start + 1, int(np.searchsorted(ends, before + self.batch, side="right")))
            parts.append(self._mean(positions[start:end], plies))
            start = end
        return np.concatenate(parts)

    def _mean(self, positions: NDArray[np.int8], plies: int) -> NDArray[np.float64]:
        ahead = arrays.all_rolls(positions, rules=self.rules, threads=self.threads, check=False)
        if plies == 1:
            _, replies = self.best_replies(ahead)
        else:
            replies = self.before_roll(self.best_afterstates(ahead), plies - 1)
        return over_rolls(ahead, swap_sides(replies).reshape(len(positions), len(ahead.chances), *replies.shape[1:]))

    def best_afterstates(self, ahead: Ragged) -> NDArray[np.int8]:
        """The afterstate of each row that is best at 0 plies; where there is one, the evaluator is not asked. No row is empty."""
        plays = np.diff(ahead.offsets)
        several = np.repeat(plays > 1, plays)
        scores = np.zeros(len(several))
        if several.any():
            scores[several] = -points(self.evaluate(ahead.positions[several]))
        return ahead.chosen(scores)


def over_rolls(ahead: AllRolls, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The means of values, (n, rolls) or (n, rolls, 5), over the rolls."""
    # Roll by roll, so that the sum of a position does not depend on the positions beside it.
    mean: NDArray[np.float64] = ahead.chances[0] * values[:, 0]
    for roll in range(1, len(ahead.chances)):
        mean += ahead.chances[roll] * values[:, roll]
    return mean


_FACTORS: Final = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93], np.uint64)
"""Odd numbers without a pattern."""
