"""What a position text can have besides the board: the roll, and the cube and score of the match."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

from tabula._arguments import choice, flag, whole
from tabula._native.position import Position, checked_position
from tabula.errors import short_repr
from tabula.rules import BACKGAMMON, BLACK, RULE_FIELDS, WHITE, Rules

if TYPE_CHECKING:
    from tabula.dice import Roll

__all__ = ["MatchState", "Reading"]

MAX_LENGTH: Final = 2**15 - 1
"""The longest match and the highest score: what a Match ID has room for."""

MAX_CUBE: Final = 2**15
STATES: Final = ("none", "playing", "over", "resigned", "dropped")
"""The states of a game, in the order in which a Match ID counts them."""

_CHECKERS: Final = frozenset((1, 2, 3, BACKGAMMON.checkers))
_OFFERS: Final = ("double", "beaver", "raccoon")


@dataclasses.dataclass(frozen=True, slots=True)
class MatchState:
    """The cube, the score and the rules of the match that a position is from. Immutable, and checked when it is made.

    Attributes
    ----------
    length
        The points that win the match; 0 for money play, or if the text does not say.
    score
        White's points and black's.
    cube, owner
        The value of the cube, before the double where one is offered, and the side that owns the cube; None if it is in the middle.
    crawford
        Whether this is the Crawford game.
    jacoby, beavers
        Whether those two rules of money play are in force. A Match ID may say so in a match too, where it means nothing.
    max_cube
        The highest value that the cube may have; only an XGID has it.
    offer
        What the side on roll has just offered, or None: ``"double"``, ``"beaver"`` or ``"raccoon"``.
    resignation
        What the side resigns: 0 nothing, 1 a single game, 2 a gammon, 3 a backgammon.
    decision
        The side that is to decide, where it is neither the side on roll nor, after an offer, the other; else None.
    state
        ``"playing"``, or ``"none"``, ``"over"``, ``"resigned"``, ``"dropped"``.
    players
        White's name and black's, or None.

    Raises
    ------
    ValueError
        For a value out of range.
    TypeError
        For a value of the wrong type.

    Examples
    --------
    >>> MatchState(length=7, score=(3, 5), cube=2, owner=0).owner
    0
    """

    length: int = 0
    score: tuple[int, int] = (0, 0)
    cube: int = 1
    owner: int | None = None
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    max_cube: int = 1024
    offer: Literal["double", "beaver", "raccoon"] | None = None
    resignation: int = 0
    decision: int | None = None
    state: str = "playing"
    players: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        _within("length", self.length, 0, MAX_LENGTH)
        if not isinstance(self.score, tuple) or len(self.score) != 2:
            raise TypeError(f"score must be white's points and black's, not {short_repr(self.score)}")
        for points in self.score:
            _within("score", points, 0, MAX_LENGTH)
        for field, cube in (("cube", self.cube), ("max_cube", self.max_cube)):
            value = whole(field, cube)
            if not 1 <= value <= MAX_CUBE or value & (value - 1):
                raise ValueError(f"{field} must be a power of two up to {MAX_CUBE}, not {short_repr(value)}")
        for field, side in (("owner", self.owner), ("decision", self.decision)):
            if side is not None:
                _within(field, side, WHITE, BLACK)
        _within("resignation", self.resignation, 0, 3)
        for field, value in (("crawford", self.crawford), ("jacoby", self.jacoby), ("beavers", self.beavers)):
            flag(field, value)
        if self.offer is not None:
            choice("offer", self.offer, _OFFERS)
        choice("state", self.state, STATES)


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """What a position text was read as.

    >>> from tabula import notation
    >>> reading = notation.read("O------------------------o:w:652:tabula")
    >>> reading.position.to_text(), reading.roll, reading.match
    ('O------------------------o:w', (6, 5, 2), None)
    """

    position: Position
    """The position."""

    roll: Roll | None = None
    """The roll that is to be played, or None."""

    match: MatchState | None = None
    """The match, or None if the text has no field for it."""

    text: str | None = dataclasses.field(default=None, compare=False)
    """What was read: the text itself, or the id or board line that was found among other words."""


def match_state_unchecked(**fields: Any) -> MatchState:
    """A `MatchState` of fields that the reader of an id has found to be in range; those that are left out have their defaults.

    >>> match_state_unchecked(length=7, score=(3, 5)) == MatchState(length=7, score=(3, 5))
    True
    """
    made = object.__new__(MatchState)
    for assign, value in zip(_ASSIGNMENTS, (_DEFAULTS | fields).values(), strict=True):
        assign(made, value)
    return made


def is_backgammon(rules: Rules) -> bool:
    """Whether these are backgammon's rules, but for the start: what GNU Backgammon and eXtreme Gammon can play.

    A start has 15 checkers, or one to three as in hypergammon. How the game is opened does not matter.

    >>> from tabula import TABULA, games
    >>> is_backgammon(games.get("nackgammon")), is_backgammon(games.get("hypergammon")), is_backgammon(TABULA)
    (True, True, False)
    """
    return rules is BACKGAMMON or _differs_in_start_alone(rules)


@lru_cache(maxsize=64)
def _differs_in_start_alone(rules: Rules) -> bool:
    same = all(getattr(rules, name) == getattr(BACKGAMMON, name) for name in RULE_FIELDS if name != "opening")
    return same and rules.checkers in _CHECKERS


def backgammon_writing(position: Position, what: str) -> None:
    """ValueError unless the position is one of backgammon from some start, the only games that `what` can hold."""
    checked_position(position)
    if not is_backgammon(position.rules):
        raise ValueError(f"{what} tells of backgammon positions only, and these are other rules: {short_repr(position.rules.name)}")


def match_or_money_play(match: MatchState | None) -> MatchState:
    """The match itself, or money play for None."""
    if match is not None and not isinstance(match, MatchState):
        raise TypeError(f"match must be a MatchState or None, not {short_repr(match)}")
    return match or _MONEY_PLAY


def _within(field: str, value: int, low: int, high: int) -> None:
    if not (type(value) is int and low <= value <= high) and not low <= whole(field, value) <= high:
        raise ValueError(f"{field} must be {low}..{high}, not {short_repr(value)}")


_MONEY_PLAY: Final = MatchState()
_DEFAULTS: Final = {field.name: field.default for field in dataclasses.fields(MatchState)}
_ASSIGNMENTS: Final = tuple(getattr(MatchState, name).__set__ for name in _DEFAULTS)
