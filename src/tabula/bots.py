"""Simple players: each is a function of the legal plays and a random number generator, and returns one of the plays.

`random_play` takes any play, and `pips_and_blots` the one with the highest value of `weigh`. They are easy to understand and easy
to beat: a first opponent for a player or for a bot of your own. `BOTS` has them by name.

>>> import numpy as np
>>> from tabula import BACKGAMMON, Position
>>> rng = np.random.default_rng(1)
>>> plays = Position(BACKGAMMON).plays("31")
>>> random_play(plays, rng) in plays
True
>>> print(pips_and_blots(plays, rng))
8/5 6/5
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from tabula._arguments import array_of, generator
from tabula._native.position import Play, Plays
from tabula.errors import short_repr
from tabula.rules import OFF, TRACK, checked_rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabula.rules import Rules

__all__ = ["BLOT", "BOTS", "Bot", "pips_and_blots", "random_play", "weigh"]

Bot: TypeAlias = Callable[[Plays, np.random.Generator], Play]
"""A function of the legal plays of a roll and a `numpy.random.Generator` that returns one of the plays."""

BLOT: Final = 4
"""The pips that `weigh` takes off for a blot that can still be hit."""

_INT8: Final = np.dtype(np.int8)
_TO_GO: Final = np.arange(OFF, -1, -1, dtype=np.int64)
"""The pips that a checker still has to go, by the index of its track."""


def random_play(plays: Plays, rng: np.random.Generator) -> Play:
    """One of the distinct plays, each with the same chance; one number is drawn from `rng`.

    ValueError if there are no plays because the game is over; TypeError for arguments of another type.

    >>> from tabula import Position
    >>> plays = Position().plays("111")
    >>> random_play(plays, np.random.default_rng(1)) in plays
    True
    """
    _check(plays)
    return plays[int(generator(rng).integers(len(plays)))]


def pips_and_blots(plays: Plays, rng: np.random.Generator | None = None) -> Play:
    """The play whose afterstate has the highest value of `weigh`; of equal ones, the first in `plays`.

    `rng` is not used: it is a parameter because every bot is called with one. ValueError if there are no plays because the game
    is over; TypeError for what is not a `Plays`.

    >>> from tabula import Position
    >>> str(pips_and_blots(Position().plays("652")))
    'bar/11 bar/2'
    """
    del rng
    _check(plays)
    return plays[int(np.argmax(weigh(plays.positions, rules=plays.position.rules)))]


def weigh(afterstates: NDArray[np.int8], *, rules: Rules) -> NDArray[np.int64]:
    """The value of each afterstate in pips, for the side that has just moved; higher is better.

    It is the other side's pips less one's own, less `BLOT` for each own blot that can still be hit: a lone checker on a point
    that some checker of the other side, waiting or on the board, has not passed yet. Nothing else counts: not how likely the hit
    is, not the points held, not a gammon. Where blots block, none is hit and none counts.

    With `rules` bound by ``functools.partial`` it is a policy for `tabula.playouts.playouts`.

    Parameters
    ----------
    afterstates
        int8, (n, 2, 26), with sides swapped as `Plays.positions` has them: row 0 of each is the next player, row 1 the side that
        has just moved, each on its own track. They must be legal positions; this is not checked.
    rules
        The `Rules` of the positions: they say which points of the two tracks are the same.

    Returns
    -------
    numpy.ndarray
        n values, int64.

    Raises
    ------
    TypeError
        If `afterstates` is not an int8 array, or `rules` not a `Rules`.
    ValueError
        For an array of another shape.

    Examples
    --------
    >>> from functools import partial
    >>> from tabula import BACKGAMMON, Position
    >>> from tabula.playouts import playouts
    >>> start = Position(BACKGAMMON)
    >>> weigh(start.plays("31").positions[:1], rules=BACKGAMMON).shape
    (1,)
    >>> played = playouts(start, 100, rng=np.random.default_rng(1), policy=partial(weigh, rules=BACKGAMMON))
    >>> 50 < played.summary().plies < 70
    True
    """
    checked_rules(rules)
    array_of("afterstates", afterstates, _INT8)
    if afterstates.ndim != 3 or afterstates.shape[1:] != (2, TRACK):
        raise ValueError(f"afterstates must have the shape (n, 2, {TRACK}), not {afterstates.shape}")
    theirs, mine = afterstates[:, 0], afterstates[:, 1]
    # behind[:, i]: how many of the other side's checkers stand at index i of their own track or before it.
    behind = np.cumsum(theirs[:, :OFF], axis=1, dtype=np.int64)
    lead: NDArray[np.int64] = theirs @ _TO_GO - mine @ _TO_GO
    if rules.blots == "hit":
        facing = [rules.facing(point) for point in range(1, OFF)]
        in_reach = behind[:, [point - 1 for point in facing]] > 0
        lead -= BLOT * ((mine[:, 1:OFF] == 1) & in_reach).sum(axis=1)
    return lead


BOTS: Final[Mapping[str, Bot]] = MappingProxyType({"random": random_play, "pips": pips_and_blots})
"""The bots by their names on the command line."""


def _check(plays: Plays) -> None:
    if not isinstance(plays, Plays):
        raise TypeError(f"plays must be a Plays, not {short_repr(plays)}")
    if not plays:
        raise ValueError("there are no plays to choose from: the game is over")
