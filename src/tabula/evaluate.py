"""Evaluators: functions that say what positions are worth, and what turns them into players and policies.

An evaluator is called with positions, int8 (n, 2, 26), before the roll: row 0 is the side to move. It returns for each position
either the points that row 0 can expect, (n,), or five chances, (n, 5): that row 0 wins, wins a gammon or more, wins a backgammon,
loses a gammon or more, loses a backgammon. They are cumulative, as in GNU Backgammon: a backgammon counts among the gammons too.

**Values and chances speak for row 0.** After a play row 0 is the other side, so a good play has a low value. A score speaks for the
side that has just played: ``score = -value``. What takes an evaluator here and in `tabula.search`, `tabula.rollouts` and
`tabula.arena` changes the sign itself.

>>> import numpy as np
>>> from tabula import BACKGAMMON, batch
>>> from tabula.evaluate import settled
>>> def pips(positions):
...     travel = 25 - np.arange(26)
...     return ((positions[:, 1] - positions[:, 0]) @ travel) / 100
>>> evaluator = settled(pips, BACKGAMMON)
>>> after = batch.afterstates(batch.start(2, rules=BACKGAMMON), np.uint8([[3, 1], [6, 6]]), rules=BACKGAMMON)
>>> after.chosen(-evaluator(after.positions)).shape
(2, 2, 26)
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast

import numpy as np

from tabula import batch, bots
from tabula._arguments import array_of
from tabula._native.position import Plays, Position
from tabula.errors import short_repr
from tabula.rules import TRACK, checked_rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabula._native.position import Play
    from tabula.batch import Ragged
    from tabula.bots import Bot
    from tabula.rules import Rules

__all__ = [
    "LOSE_BACKGAMMON",
    "LOSE_GAMMON",
    "WIN",
    "WIN_BACKGAMMON",
    "WIN_GAMMON",
    "Evaluator",
    "Player",
    "Table",
    "Turns",
    "as_bot",
    "as_player",
    "as_policy",
    "checked_evaluator",
    "evaluated",
    "from_bot",
    "points",
    "settled",
    "swap_sides",
    "with_table",
]

Evaluator: TypeAlias = Callable[["NDArray[np.int8]"], Any]
"""A function of positions, int8 (n, 2, 26), that returns points (n,) or chances (n, 5) for row 0, the side to move."""

WIN: Final = 0
"""The column of chances that row 0 wins."""

WIN_GAMMON: Final = 1
"""The column of chances that row 0 wins a gammon or more."""

WIN_BACKGAMMON: Final = 2
"""The column of chances that row 0 wins a backgammon."""

LOSE_GAMMON: Final = 3
"""The column of chances that row 0 loses a gammon or more."""

LOSE_BACKGAMMON: Final = 4
"""The column of chances that row 0 loses a backgammon."""

CHANCES: Final = 5

_INT8: Final = np.dtype(np.int8)
_WORTH: Final = np.array([2.0, 1.0, 1.0, -1.0, -1.0])
_SEEN_BY_OTHER: Final = [WIN, LOSE_GAMMON, LOSE_BACKGAMMON, WIN_GAMMON, WIN_BACKGAMMON]


class Table(Protocol):
    """An evaluator that knows some positions, such as an exact table of endgames."""

    def __call__(self, positions: NDArray[np.int8], /) -> Any:
        """The values of positions that it covers."""

    def covers(self, positions: NDArray[np.int8], /) -> NDArray[np.bool_]:
        """Which positions it knows, bool (n)."""


# ---------------------------------------------------------------------------------------------------------------------- values


def points(values: NDArray[Any]) -> NDArray[np.float64]:
    """The points that row 0 can expect, float64 (n,): of chances (n, 5), or of points, which stay as they are.

    >>> points(np.array([[0.5, 0.2, 0.0, 0.1, 0.0], [1.0, 1.0, 1.0, 0.0, 0.0]]))
    array([0.1, 3. ])
    """
    found = _values("values", values)
    if found.ndim == 1:
        return found
    # By columns, so that the sum of a row does not depend on the rows beside it.
    total: NDArray[np.float64] = 2 * found[:, WIN] - 1
    total += found[:, WIN_GAMMON]
    total += found[:, WIN_BACKGAMMON]
    total -= found[:, LOSE_GAMMON]
    total -= found[:, LOSE_BACKGAMMON]
    return total


def swap_sides(values: NDArray[Any]) -> NDArray[np.float64]:
    """What the other side can expect: points (n,) negated, or the chances (n, 5) of the same games seen by the other side.

    >>> swap_sides(np.array([[0.6, 0.2, 0.1, 0.05, 0.0]]))
    array([[0.4 , 0.05, 0.  , 0.2 , 0.1 ]])
    >>> swap_sides(np.array([1.5]))
    array([-1.5])
    """
    found = _values("values", values)
    if found.ndim == 1:
        return -found
    swapped = found[:, _SEEN_BY_OTHER]
    swapped[:, WIN] = 1 - swapped[:, WIN]
    return swapped


def of_outcomes(outcomes: NDArray[np.int8], *, chances: bool) -> NDArray[np.float64]:
    """The points, or the chances, of finished games from what `tabula.batch.outcome` says of them."""
    if not chances:
        return outcomes.astype(np.float64)
    bounds = np.array([1, 2, 3, -2, -3])
    won = outcomes[:, None] >= bounds[:3]
    lost = outcomes[:, None] <= bounds[3:]
    return np.concatenate([won, lost], axis=1).astype(np.float64)


def _values(field: str, values: object) -> NDArray[np.float64]:
    """Points or chances as float64, or an error that names what is wrong with them."""
    try:
        found = np.asarray(values)
    except Exception as error:
        raise TypeError(f"{field} must be an array, not {short_repr(values)}") from error
    if found.dtype.kind not in "fiu":
        raise TypeError(f"{field} must be real numbers, not {found.dtype}")
    if found.ndim not in (1, 2) or (found.ndim == 2 and found.shape[1] != CHANCES):
        raise ValueError(f"{field} must have the shape (n,), points, or (n, {CHANCES}), chances, not {found.shape}")
    return found.astype(np.float64, copy=False)


# ------------------------------------------------------------------------------------------------------------------ evaluators


def checked_evaluator(evaluator: Evaluator, rules: Rules) -> Evaluator:
    """The evaluator, if it can be called and is not for other rules.

    An evaluator says what rules it is for by an attribute ``rules``; one without is taken for any.

    >>> from tabula import BACKGAMMON, TABULA
    >>> checked_evaluator(settled(lambda positions: positions[:, 0, 25] / 15, BACKGAMMON), TABULA)
    Traceback (most recent call last):
    ...
    ValueError: the evaluator is for the rules of backgammon, and these are those of tabula
    """
    checked_rules(rules)
    if not callable(evaluator):
        raise TypeError(f"an evaluator must be callable, not {short_repr(evaluator)}")
    own = getattr(evaluator, "rules", None)
    if own is not None and own != rules:
        names = (getattr(own, "name", None) or short_repr(own), rules.name or short_repr(rules))
        other = f"others, of the name {names[1]}" if names[0] == names[1] else f"those of {names[1]}"
        raise ValueError(f"the evaluator is for the rules of {names[0]}, and these are {other}")
    return evaluator


def evaluated(evaluator: Evaluator, positions: NDArray[np.int8]) -> NDArray[np.float64]:
    """What the evaluator says of positions, checked: float64, points (n,) or chances (n, 5), for row 0.

    Raises TypeError for positions that are no int8 array and for values that are no real numbers, and ValueError for another shape
    or a NaN, naming its row. Whether chances are between 0 and 1 is not checked.

    >>> from tabula import TABULA, batch
    >>> evaluated(lambda positions: np.full(len(positions), np.nan), batch.start(2, rules=TABULA))
    Traceback (most recent call last):
    ...
    ValueError: the evaluator's values: row 0 is NaN
    """
    array_of("positions", positions, _INT8)
    if positions.ndim != 3 or positions.shape[1:] != (2, TRACK):
        raise ValueError(f"positions must have the shape (n, 2, {TRACK}), not {positions.shape}")
    values = _values("the evaluator's values", evaluator(positions))
    if len(values) != len(positions):
        raise ValueError(f"the evaluator's values must be {len(positions)}, one for each position, not {len(values)}")
    wrong = np.isnan(values)
    if wrong.any():
        row = int(np.flatnonzero(wrong if values.ndim == 1 else wrong.any(axis=1))[0])
        raise ValueError(f"the evaluator's values: row {row} is NaN")
    return values


@dataclasses.dataclass(frozen=True)
class _Settled:
    evaluator: Evaluator
    rules: Rules

    def __call__(self, positions: NDArray[np.int8]) -> NDArray[np.float64]:
        outcomes = batch.outcome(positions, rules=self.rules, check=False)
        going = outcomes == 0
        if going.all():
            return evaluated(self.evaluator, positions)
        # Where all are finished, the evaluator is asked about no positions: its answer says whether it gives points or chances.
        found = evaluated(self.evaluator, positions[going])
        values = of_outcomes(outcomes, chances=found.ndim == 2)
        values[going] = found
        return values


def settled(evaluator: Evaluator, rules: Rules) -> Evaluator:
    """An evaluator for which finished games have the value of their outcome; the given one is asked only about the others.

    It is called with an array of no positions where all games are finished.

    >>> from tabula import TABULA, batch
    >>> positions = batch.start(2, rules=TABULA)
    >>> positions[0, 1, [0, 25]] = 0, 15
    >>> settled(lambda positions: np.full(len(positions), 0.25), TABULA)(positions)
    array([-1.  ,  0.25])
    """
    checked_evaluator(evaluator, rules)
    return evaluator if isinstance(evaluator, _Settled) else _Settled(evaluator, rules)


@dataclasses.dataclass(frozen=True)
class _WithTable:
    evaluator: Evaluator
    table: Table

    @property
    def rules(self) -> Any:
        own = getattr(self.table, "rules", None)
        return getattr(self.evaluator, "rules", None) if own is None else own

    def __call__(self, positions: NDArray[np.int8]) -> NDArray[np.float64]:
        covered = np.asarray(self.table.covers(positions))
        if covered.dtype != np.bool_ or covered.shape != (len(positions),):
            raise ValueError(f"covers must give bools of the shape ({len(positions)},), not {covered.dtype} of {covered.shape}")
        exact, rest = evaluated(self.table, positions[covered]), evaluated(self.evaluator, positions[~covered])
        if exact.ndim != rest.ndim:
            exact, rest = points(exact), points(rest)
        values = np.empty((len(positions), *rest.shape[1:]))
        values[covered], values[~covered] = exact, rest
        return values


def with_table(evaluator: Evaluator, table: Table) -> Evaluator:
    """An evaluator that takes the value from the table where the table covers the position, and asks the given one elsewhere.

    If one of the two gives chances and the other points, it gives points. Each is called with an array of no positions where the
    other has all of them.

    >>> from tabula import TABULA, batch
    >>> class Started:
    ...     def covers(self, positions):
    ...         return positions[:, 0, 0] < 15
    ...
    ...     def __call__(self, positions):
    ...         return np.ones(len(positions))
    >>> positions = batch.start(2, rules=TABULA)
    >>> positions[1, 0, :2] = 14, 1
    >>> with_table(lambda positions: np.zeros(len(positions)), Started())(positions)
    array([0., 1.])
    """
    if not callable(evaluator):
        raise TypeError(f"an evaluator must be callable, not {short_repr(evaluator)}")
    if not callable(table) or not callable(getattr(table, "covers", None)):
        raise TypeError(f"a table must be callable and have a method covers, not {short_repr(table)}")
    own, rules = getattr(evaluator, "rules", None), getattr(table, "rules", None)
    if own is not None and rules is not None:
        checked_evaluator(evaluator, rules)
    return _WithTable(evaluator, table)


# --------------------------------------------------------------------------------------------------------- policies and players


@dataclasses.dataclass(frozen=True)
class _Policy:
    evaluator: Evaluator

    def __call__(self, afterstates: NDArray[np.int8]) -> NDArray[np.float64]:
        return -points(evaluated(self.evaluator, afterstates))


def as_policy(evaluator: Evaluator, rules: Rules) -> Callable[[NDArray[np.int8]], NDArray[np.float64]]:
    """A policy for `tabula.playouts.playouts`: it scores afterstates for the side that has just played.

    Finished games are scored by their outcome. It can be pickled if the evaluator can.

    >>> from tabula import BACKGAMMON, Position
    >>> from tabula.playouts import playouts
    >>> policy = as_policy(lambda positions: positions[:, 1, 25] - positions[:, 0, 25], BACKGAMMON)
    >>> played = playouts(Position(BACKGAMMON), 10, rng=np.random.default_rng(1), policy=policy)
    >>> bool((played.games["winner"] >= 0).all())
    True
    """
    return _Policy(settled(evaluator, rules))


@dataclasses.dataclass(frozen=True)
class _Bot:
    evaluator: Evaluator

    def __call__(self, plays: Plays, rng: np.random.Generator) -> Play:
        del rng
        if not isinstance(plays, Plays):
            raise TypeError(f"plays must be a Plays, not {short_repr(plays)}")
        if not plays:
            raise ValueError("there are no plays to choose from: the game is over")
        return plays[int(np.argmax(as_policy(self.evaluator, plays.position.rules)(plays.positions)))]


def as_bot(evaluator: Evaluator) -> Bot:
    """A bot, as `tabula.bots` has them, that takes the play whose afterstate is worth least to the other side, the first of equals.

    >>> from tabula import BACKGAMMON, Position
    >>> bot = as_bot(lambda positions: positions[:, 0, 19])  # the other side's checkers on its 6-point
    >>> print(bot(Position(BACKGAMMON).plays("31"), np.random.default_rng(1)))
    24/21 24/23
    """
    if not callable(evaluator):
        raise TypeError(f"an evaluator must be callable, not {short_repr(evaluator)}")
    return _Bot(evaluator)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Turns:
    """What a player chooses from: games side by side, each with a roll. No game of them is finished."""

    rules: Rules
    """The rules of all of them."""

    positions: NDArray[np.int8]
    """The positions before the play, (n, 2, 26): row 0 is the side that plays."""

    rolls: NDArray[np.uint8]
    """The dice, (n, dice)."""

    after: Ragged
    """The afterstates of the distinct plays of each row, with sides swapped: row 0 of each is the next player."""

    keys: NDArray[np.uint64]
    """(n): a random number for each row, a function of the game and its ply, and not of what else is played beside it."""

    def generator(self, row: int) -> np.random.Generator:
        """A random generator for one row, made from its key."""
        return np.random.default_rng(int(self.keys[row]))


class Player(Protocol):
    """What plays games side by side. It may look at the position before the play and at the roll, which an evaluator cannot."""

    def choose(self, turns: Turns, /) -> NDArray[np.int64]:
        """For each row the number of one of its plays, from 0: integers (n)."""


@dataclasses.dataclass(frozen=True)
class _EvaluatorPlayer:
    evaluator: Evaluator

    def choose(self, turns: Turns) -> NDArray[np.int64]:
        # Where there is no choice, the evaluator is not asked.
        plays = np.diff(turns.after.offsets)
        several = np.repeat(plays > 1, plays)
        scores = np.zeros(len(several))
        if several.any():
            scores[several] = as_policy(self.evaluator, turns.rules)(turns.after.positions[several])
        return turns.after.best(scores)


@dataclasses.dataclass(frozen=True)
class _BotPlayer:
    bot: Bot

    def choose(self, turns: Turns) -> NDArray[np.int64]:
        if self.bot is bots.pips_and_blots:
            return turns.after.best(bots.weigh(turns.after.positions, rules=turns.rules))
        plays = np.diff(turns.after.offsets)
        if self.bot is bots.random_play:
            return ((turns.keys >> np.uint64(11)) * 2.0**-53 * plays).astype(np.int64)
        chosen = np.zeros(len(plays), np.int64)
        for row in np.flatnonzero(plays > 1).tolist():
            listed = Position.from_array(turns.positions[row], rules=turns.rules).plays(turns.rolls[row].tolist())
            chosen[row] = listed.index(self.bot(listed, turns.generator(row)))
        return chosen


def from_bot(bot: Bot) -> Player:
    """A player that asks a bot of `tabula.bots`, or one of yours, about each turn in which there is a choice.

    The two bots of `tabula.bots` are not called one turn at a time: `pips_and_blots` chooses the same plays from arrays, and
    `random_play` makes each play of a turn as likely as another.

    >>> from tabula import TABULA, arena
    >>> def first(plays, rng):
    ...     return plays[0]
    >>> len(arena.play(from_bot(first), from_bot(first), 2, rng=np.random.default_rng(1), rules=TABULA))
    2
    """
    if not callable(bot):
        raise TypeError(f"a bot must be callable, not {short_repr(bot)}")
    return _BotPlayer(bot)


def as_player(chooser: Evaluator | Bot | Player, rules: Rules) -> Player:
    """The player that an evaluator, a bot or a player is.

    What has a method ``choose`` is a player. A function that needs two arguments is a bot, and so are those of `tabula.bots`; any
    other is an evaluator. `from_bot` says of a function that it is a bot.

    >>> from tabula import TABULA
    >>> from tabula.bots import pips_and_blots
    >>> as_player(pips_and_blots, TABULA) == from_bot(pips_and_blots)
    True
    """
    if callable(getattr(chooser, "choose", None)):
        own = getattr(chooser, "rules", None)
        if own is not None and own != checked_rules(rules):
            raise ValueError(f"the player is for the rules of {getattr(own, 'name', own)}, and these are those of {rules.name}")
        return cast("Player", chooser)
    if not callable(chooser):
        raise TypeError(f"a player must be an evaluator, a bot or have a method choose, not {short_repr(chooser)}")
    if any(chooser is bot for bot in bots.BOTS.values()) or _needs_two(chooser):
        return _BotPlayer(cast("Bot", chooser))
    return _EvaluatorPlayer(settled(cast("Evaluator", chooser), rules))


def _needs_two(function: Callable[..., Any]) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some native functions do not say what they take
        return False
    for count in (1, 2):
        try:
            signature.bind(*(None,) * count)
        except TypeError:
            continue
        return count == 2
    return False
