"""Everything in which two games of the family differ, as one frozen value: the only home of a rule constant.

`Rules` explains every field, and docs/rules.md gives the reasons for what the presets say. Both generators read a `Rules` and
know no rule from anywhere else.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, NoReturn

from tabula._arguments import choice, flag, whole, within
from tabula.errors import short_repr

__all__ = ["BACKGAMMON", "BLACK", "NARDE", "PRESETS", "TABULA", "TABULA_HISTORIC", "WHITE", "Rules"]

WHITE: Final = 0
"""The side that a new position has to move."""

BLACK: Final = 1
"""The other side."""

POINTS: Final = 24
"""The points of the board; a side's track runs from 0 (waiting) over 1..24 to 25 (borne off)."""

OFF: Final = POINTS + 1
"""The track index of a checker that has been borne off."""

TRACK: Final = POINTS + 2
"""How many counts describe one side: indices 0..25."""

HALF: Final = 13
"""The first point of the second half of the board, which `half_gate` closes."""

LAST_SIX: Final = 19
"""The first of a winner's last six points: a loser's checker there makes a win count three points."""

MAX_CHECKERS: Final = 15
"""The most checkers a side may have."""

MAX_DICE: Final = 3
"""The most dice that a turn is played with, thrown ones and extra ones together."""

FACES: Final = range(1, 7)
"""The numbers that a die can have."""

HALF_ROUND: Final = POINTS // 2
"""How far the corners are from each other that sides enter at where ``direction`` is ``"parallel"``."""

PRIME: Final = 6
"""How many points in a row are a prime."""

RENAMED_FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "exact_bear_off": "exact_bear_off is now bear_off: 'exact' for True, 'rearmost' for False",
        "gammons": "gammons is now highest_win: 3 for True, 1 for False",
    }
)
"""What is said of fields of `Rules` that had another name; dictionaries, pickles and checkpoints made before have them."""

_NAMED: Final = 6
"""How many unknown fields an error names."""


@dataclasses.dataclass(frozen=True)
class RuleField:
    """What there is to know of a field of `Rules` beside its name and its default."""

    values: Sequence[Any]
    """All that it can be: whole numbers, texts, flags or tuples, and None."""

    member: str | None
    """The member of `tabula_rules` in tabula.h that holds it; None for a field that the generator does not look at."""

    codes: Mapping[Any, int]
    """The codes of values in that member where they are not as `code` has it."""

    def code(self, value: Any) -> int:
        """The number that stands for a value in the C struct: a whole number for itself, another value by its place.

        >>> RULE_FIELDS["dice"].code(2), RULE_FIELDS["bear_off"].code("rearmost"), RULE_FIELDS["stack_limit"].code(None)
        (2, 1, 15)
        """
        if value in self.codes:
            return self.codes[value]
        return value if type(value) is int else self.values.index(value)

    def checked(self, name: str, value: Any) -> Any:
        """The value as it is stored, or an error that names the field, the value and what it may be."""
        values = [known for known in self.values if known is not None]
        if value is None and len(values) < len(self.values):
            return None
        if isinstance(values[0], tuple):
            return self._checked_numbers(name, value)
        if isinstance(values[0], bool):
            flag(name, value)
        elif isinstance(values[0], str):
            return choice(name, value, values)
        elif isinstance(values[0], int):
            value = within(name, value, min(values), max(values))
        if value not in values:
            raise ValueError(f"{name} must be {' or '.join(map(repr, values))}, not {short_repr(value)}")
        return value

    def _checked_numbers(self, name: str, value: Any) -> tuple[int, ...]:
        """Numbers of dice as they are stored: in ascending order."""
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise TypeError(f"{name} must be a sequence of numbers 1..6, not {short_repr(value)}")
        most = max(map(len, self.values))
        if len(value) > most:
            raise ValueError(f"{name} must have at most {most} numbers, not {len(value)}")
        numbers = tuple(sorted(within(f"{name}[{at}]", number, FACES[0], FACES[-1]) for at, number in enumerate(value)))
        if numbers not in self.values:
            raise ValueError(f"{name} must have no number twice, and is {short_repr(value)}")
        return numbers


def _field(default: Any, values: Sequence[Any], member: str | None = None, codes: Mapping[Any, int] = MappingProxyType({})) -> Any:
    """A field of `Rules`: its default, all its values, and where and how the C struct holds it.

    In every field added from now on the code of a value that changes nothing is 0; older ones, such as `stack_limit`, need not.
    A way of generating that does not name a field serves rules only where its code is 0.
    """
    return dataclasses.field(default=default, metadata={"rule": RuleField(values, member, codes)})


def checked_rules(rules: object) -> Rules:
    """`rules`, or a TypeError for what is no `Rules`."""
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules, not {short_repr(rules)}")
    return rules


def _doubles() -> dict[tuple[int, ...], int]:
    """All sets of doubles, each with its code: bit n for the double of n."""
    sets = (numbers for n in range(len(FACES) + 1) for numbers in itertools.combinations(FACES, n))
    return {numbers: sum(1 << number for number in numbers) for numbers in sets}


def _extra_dice() -> dict[tuple[int, ...], int]:
    """All extra dice that there can be beside one that is thrown, each with its code: three bits for each, the smaller lowest."""
    several = (numbers for n in range(MAX_DICE) for numbers in itertools.combinations_with_replacement(FACES, n))
    return {numbers: sum(number << 3 * at for at, number in enumerate(numbers)) for numbers in several}


_DOUBLES: Final = _doubles()
_EXTRA_DICE: Final = _extra_dice()


def _setup(counts: dict[int, int]) -> tuple[int, ...]:
    return tuple(counts.get(index, 0) for index in range(TRACK))


@dataclasses.dataclass(frozen=True, repr=False)
class Rules:
    """Everything in which two games of the family differ. Immutable, hashable, and checked when it is made.

    Indices are those of a side's own track: 0 is waiting (in hand, on the bar), 1..24 are the points in that side's direction of
    travel, 25 is borne off. Every default is the value of `TABULA`.

    Parameters
    ----------
    dice
        Dice thrown in a turn, 1..3.
    doubles
        ``"once"``: equal dice have no extra meaning. ``"twice"`` (two dice only): equal dice are each played twice.
    direction
        ``"same"``: both sides travel the same way round, index i is one point for both. ``"opposed"``: index i of one side is
        index 25 - i of the other. ``"parallel"``: both travel the same way round from opposite corners, index i of one side is
        index i + 12 or i - 12 of the other.
    numbering
        How points are named to people: ``"up"`` by the track index, ``"down"`` as 25 - index, in the mover's own view.
    stack_limit
        The most checkers that one side may have on a point, 1..15, or None. A full point may be passed over, never landed on,
        not for a pause either.
    enter_first
        While a checker waits at index 0, no other may move. Looked at before every move.
    half_gate
        No move onto or within points 13..24, bearing off included, while a checker waits at index 0.
    home_start
        0..24. A checker may be borne off only when every own checker not yet off stands on ``home_start``..24. 0: at any time.
    gates
        When `half_gate` and the bear-off condition are looked at: ``"turn"``, once, as the turn starts; ``"move"``, before each
        move. It governs these two only.
    bear_off
        ``"exact"``: a checker is borne off by the exact number alone. ``"rearmost"``: also by a larger one, if no own checker is
        behind it. ``"any"``: any checker also by a larger one.
    larger_die
        If at most one die can be played, it must be the largest that can.
    highest_win
        1: every win counts one point. 2: a win counts two if the loser has borne none off. 3: and three if he moreover has a
        checker waiting or in the winner's last six points.
    opening
        One die each, ties thrown again. ``"roll-off"``: the higher starts and throws all dice. ``"split"`` (two dice only): the
        higher starts and plays those two.
    setup
        The starting track of a side: 26 counts; they sum to the number of checkers, 1..15, and none is off.
    setup_other
        The starting track of the side that does not begin, with as many checkers as `setup`; None where it is the same.
    blots
        What a lone opposing checker is to one that would land on it. ``"hit"``: it is hit. ``"block"``: it blocks as two do.
    head_limit
        The most checkers that may leave the start point in a turn, 1..15, or None: its count as the turn started less its count
        now. The start point, `start_point`, is the lowest index of `setup` with checkers, and must not be 0.
    head_doubles
        Doubles of two dice, such as ``(3, 4, 6)``, with which one more may leave it, in a turn that starts with all checkers there.
    primes
        ``"ahead"``: no landing, a pause included, that completes six held points in a row on the other side's track, the point
        landed on among them, unless a checker of the other side stands on a point beyond them. Nothing is asked if he has none on
        1..24. ``"free"``: primes are made at will.
    runner
        No second checker leaves the start point until one has come to this index, 2..24, or beyond, off included. None: no rule.
    pile_from
        1..24. Below this index no landing, a pause included, on a point that has an own checker.
    extra_dice
        Numbers that are played in every turn besides the dice thrown, such as ``(6,)``; together three at most, and `doubles` is
        ``"once"``.
    name
        A label for people and files; no part of equality or hash.

    Raises
    ------
    ValueError
        A field out of its range, or fields that contradict each other; the message names the field and the value.
    TypeError
        A field of the wrong type.

    Examples
    --------
    >>> from tabula import TABULA, Rules
    >>> Rules() == TABULA
    True
    >>> Rules(stack_limit=None, name="open points")
    Rules(stack_limit=None, name='open points')
    >>> Rules(dice=4)
    Traceback (most recent call last):
    ...
    ValueError: dice must be 1..3, not 4
    """

    dice: int = _field(3, range(1, 4), "dice")
    doubles: Literal["once", "twice"] = _field("once", ("once", "twice"), "doubles_twice")
    direction: Literal["same", "opposed", "parallel"] = _field("same", ("same", "opposed", "parallel"), "direction")
    numbering: Literal["up", "down"] = _field("up", ("up", "down"))
    stack_limit: int | None = _field(5, (None, *range(1, MAX_CHECKERS + 1)), "stack_limit", {None: MAX_CHECKERS})
    enter_first: bool = _field(False, (False, True), "enter_first")
    half_gate: bool = _field(True, (False, True), "half_gate")
    home_start: int = _field(13, range(POINTS + 1), "home_start")
    gates: Literal["turn", "move"] = _field("turn", ("turn", "move"), "gates_by_move")
    bear_off: Literal["exact", "rearmost", "any"] = _field("exact", ("exact", "rearmost", "any"), "bear_off")
    larger_die: bool = _field(False, (False, True), "larger_die")
    highest_win: Literal[1, 2, 3] = _field(1, (1, 2, 3), "highest_win")
    opening: Literal["roll-off", "split"] = _field("roll-off", ("roll-off", "split"))
    setup: tuple[int, ...] = _setup({0: 15})
    setup_other: tuple[int, ...] | None = None
    blots: Literal["hit", "block"] = _field("hit", ("hit", "block"), "blots_block")
    head_limit: int | None = _field(None, (None, *range(1, MAX_CHECKERS + 1)), "head_limit", {None: 0})
    head_doubles: tuple[int, ...] = _field((), tuple(_DOUBLES), "head_doubles", _DOUBLES)
    primes: Literal["free", "ahead"] = _field("free", ("free", "ahead"), "primes_ahead")
    runner: int | None = _field(None, (None, *range(2, POINTS + 1)), "runner", {None: 0})
    pile_from: int = _field(1, range(1, POINTS + 1), "pile_from", {1: 0})
    extra_dice: tuple[int, ...] = _field((), tuple(_EXTRA_DICE), "extra_dice", _EXTRA_DICE)
    name: str = dataclasses.field(default="tabula", compare=False)

    def __post_init__(self) -> None:
        for name, field in RULE_FIELDS.items():
            object.__setattr__(self, name, field.checked(name, getattr(self, name)))
        if not isinstance(self.name, str):
            raise TypeError(f"name must be a str, not {short_repr(self.name)}")
        object.__setattr__(self, "setup", _checked_setup("setup", self.setup))
        if self.setup_other is not None:
            other = _checked_setup("setup_other", self.setup_other)
            object.__setattr__(self, "setup_other", None if other == self.setup else other)
        self._check_dice()
        self._check_start()
        room = (OFF - self.home_start) * self.limit
        if self.home_start and room < self.checkers:
            raise ValueError(
                f"home_start={self.home_start} with stack_limit={self.stack_limit} has room for {room} checkers of "
                f"{self.checkers}, so that none could ever be borne off"
            )

    def _check_dice(self) -> None:
        if self.dice != 2:
            if self.doubles == "twice":
                raise ValueError(f"doubles='twice' goes with two dice only, and dice is {self.dice}")
            if self.opening == "split":
                raise ValueError(f"opening='split' goes with two dice only, and dice is {self.dice}")
            if self.head_doubles:
                raise ValueError(f"head_doubles={self.head_doubles} goes with two dice only, and dice is {self.dice}")
        if self.extra_dice and self.doubles == "twice":
            raise ValueError(f"extra_dice={self.extra_dice} goes with doubles='once' only")
        if self.dice + len(self.extra_dice) > MAX_DICE:
            raise ValueError(
                f"dice={self.dice} and extra_dice={self.extra_dice} are {self.dice + len(self.extra_dice)} dice, "
                f"and a turn has at most {MAX_DICE}"
            )

    def _check_start(self) -> None:
        other = self.other_setup
        if sum(other) != self.checkers:
            raise ValueError(f"setup_other must have as many checkers as setup, {self.checkers}, not {sum(other)}")
        for name, track in (("setup", self.setup), ("setup_other", other)):
            for point in range(1, POINTS + 1):
                if track[point] > self.limit:
                    raise ValueError(f"{name} has {track[point]} checkers on index {point}, and stack_limit is {self.stack_limit}")
        for point in range(1, POINTS + 1):
            if self.setup[point] and other[self.facing(point)]:
                raise ValueError(f"setup puts both sides on one point: index {point} of one is {self.facing(point)} of the other")
        for name in ("head_limit", "runner"):
            value = getattr(self, name)
            if value is not None and self.setup[0]:
                checkers = f"{self.setup[0]} checker{'s' * (self.setup[0] > 1)}"
                raise ValueError(f"{name}={value} needs a start point, and setup has {checkers} at index 0")

    @property
    def other_setup(self) -> tuple[int, ...]:
        """The starting track of the side that does not begin: `setup_other`, or `setup` where that is None."""
        return self.setup if self.setup_other is None else self.setup_other

    @property
    def start_point(self) -> int:
        """The lowest index of `setup` with checkers, which `head_limit` and `runner` speak of.

        >>> from tabula import BACKGAMMON, TABULA
        >>> TABULA.start_point, BACKGAMMON.start_point
        (0, 1)
        """
        return next(index for index, count in enumerate(self.setup) if count)

    @property
    def dice_played(self) -> int:
        """How many numbers a roll gives to play where equal dice count once: `dice` and those of `extra_dice`."""
        return self.dice + len(self.extra_dice)

    @property
    def checkers(self) -> int:
        """How many checkers each side has, 1..15."""
        return sum(self.setup)

    @property
    def limit(self) -> int:
        """The most checkers of one side that a point can hold: `stack_limit`, or all there can be."""
        return MAX_CHECKERS if self.stack_limit is None else self.stack_limit

    @property
    def waiting_label(self) -> str:
        """What people call index 0: ``"bar"`` where points are numbered down as in backgammon, ``"in hand"`` as in Tabula.

        >>> from tabula import BACKGAMMON, TABULA
        >>> TABULA.waiting_label, BACKGAMMON.waiting_label
        ('in hand', 'bar')
        """
        return "bar" if self.numbering == "down" else "in hand"

    def facing(self, point: int) -> int:
        """The other side's index of the point that this side has at index `point`, 1..24; ValueError for any other index.

        >>> from tabula import BACKGAMMON, TABULA
        >>> TABULA.facing(1), BACKGAMMON.facing(1)
        (1, 24)
        """
        point = within("point", point, 1, POINTS)
        if self.direction == "parallel":
            return point + HALF_ROUND if point <= HALF_ROUND else point - HALF_ROUND
        return point if self.direction == "same" else OFF - point

    def number(self, index: int) -> int:
        """What people call the point at track index `index`, and back again. ValueError for an index that is not 0..25.

        Players have no number for index 0 and 25. These give 0 and 25 where numbering is up, and 25 and 0 where it is down.

        >>> from tabula import BACKGAMMON, TABULA
        >>> TABULA.number(1), BACKGAMMON.number(1)
        (1, 24)
        """
        index = within("index", index, 0, OFF)
        return index if self.numbering == "up" else OFF - index

    def label(self, index: int) -> str:
        """How a play's text names track index `index`: ``bar``, the number of a point, or ``off``.

        ValueError for an index that is not 0..25.

        >>> from tabula import BACKGAMMON, TABULA
        >>> TABULA.label(1), BACKGAMMON.label(1), TABULA.label(0), TABULA.label(25)
        ('1', '24', 'bar', 'off')
        """
        number = self.number(index)
        if index == 0:
            return "bar"
        return "off" if index == OFF else str(number)

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, in plain values that JSON can hold; `from_dict` makes equal rules of them.

        >>> from tabula import BACKGAMMON, Rules
        >>> Rules.from_dict(BACKGAMMON.to_dict()) == BACKGAMMON
        True
        """
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Rules:
        """The rules with these fields. A missing field has `TABULA`'s value; an unknown one is a ValueError.

        >>> from tabula import Rules
        >>> Rules.from_dict({"stack_limit": 6}).stack_limit
        6
        """
        if not isinstance(fields, Mapping):
            raise TypeError(f"rules must be a mapping of fields, not {short_repr(fields)}")
        renamed = [sentence for field, sentence in RENAMED_FIELDS.items() if field in fields]
        if renamed:
            raise ValueError("; ".join(renamed))
        known = {field.name for field in dataclasses.fields(cls)}
        unknown = [key for key in fields if key not in known]
        if unknown:
            names = ", ".join(map(short_repr, unknown[:_NAMED]))
            raise ValueError(f"unknown field of Rules: {names}{', ...' if unknown[_NAMED:] else ''}")
        return cls(**fields)

    def describe(self) -> str:
        """The rules as a paragraph that a player can read.

        >>> from tabula import TABULA
        >>> print(TABULA.describe()[:60])
        Each side has 15 checkers and throws three dice in its turn;
        """
        from tabula.describing import rule_sentences

        return " ".join(rule_sentences(self))

    def __repr__(self) -> str:
        preset = self._preset()
        if preset is not None:
            return preset
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"Rules({', '.join(changed)})"

    def __reduce__(self) -> str | tuple[Any, ...]:
        return self._preset() or (Rules.from_dict, (self.to_dict(),))

    def __setstate__(self, state: object) -> NoReturn:
        raise TypeError("rules never change: a pickle must call Rules.from_dict, and this one sets fields")

    def __copy__(self) -> Rules:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Rules:
        return self

    def _preset(self) -> str | None:
        """The constant that holds this very object, if one does."""
        return next((constant for constant, rules in _CONSTANTS.items() if rules is self), None)


def _checked_setup(name: str, setup: object) -> tuple[int, ...]:
    """A starting track as it is stored, or an error that says what is wrong with it."""
    if isinstance(setup, str | bytes) or not isinstance(setup, Sequence):
        raise TypeError(f"{name} must be a sequence of {TRACK} counts, not {short_repr(setup)}")
    counts = tuple(whole(f"{name}[{index}]", count) for index, count in enumerate(setup))
    if len(counts) != TRACK:
        raise ValueError(f"{name} must have {TRACK} counts, not {len(counts)}")
    for index, count in enumerate(counts):
        if count < 0:
            raise ValueError(f"{name}[{index}] must not be negative, and is {short_repr(count)}")
    if not 1 <= sum(counts) <= MAX_CHECKERS:
        raise ValueError(f"{name} must have 1..{MAX_CHECKERS} checkers, not {short_repr(sum(counts))}")
    if counts[OFF]:
        raise ValueError(f"{name}[{OFF}] must be 0, for no checker starts off the board; it is {short_repr(counts[OFF])}")
    return counts


def may_wait(rules: Rules) -> bool:
    """Whether a checker waits at index 0 at the start, or can come there because it is hit.

    >>> may_wait(BACKGAMMON), may_wait(NARDE)
    (True, False)
    """
    return rules.blots == "hit" or bool(rules.setup[0] or rules.other_setup[0])


RULE_FIELDS: Final[Mapping[str, RuleField]] = MappingProxyType(
    {field.name: field.metadata["rule"] for field in dataclasses.fields(Rules) if "rule" in field.metadata}
)
"""The fields of `Rules` but for `setup`, `setup_other` and `name`: what checks them, fills the C struct and makes up rules for
tests reads this table."""

TABULA: Final = Rules()
"""The Roman game: three dice, both sides travel the same way, five to a point, exact bearing off."""

TABULA_HISTORIC: Final = dataclasses.replace(
    TABULA, stack_limit=None, enter_first=True, home_start=19, gates="move", name="historic"
)
"""A stricter reading of Tabula, with room for the one old position: Emperor Zeno's throw of AD 480, which is forced in it."""

BACKGAMMON: Final = Rules(
    dice=2,
    doubles="twice",
    direction="opposed",
    numbering="down",
    stack_limit=None,
    enter_first=True,
    half_gate=False,
    home_start=19,
    gates="move",
    bear_off="rearmost",
    larger_die=True,
    highest_win=3,
    opening="split",
    setup=_setup({1: 2, 12: 5, 17: 3, 19: 5}),
    name="backgammon",
)
"""Modern backgammon, as money play and matches use it, without the cube."""

NARDE: Final = dataclasses.replace(
    BACKGAMMON,
    direction="parallel",
    enter_first=False,
    blots="block",
    head_limit=1,
    head_doubles=(3, 4, 6),
    primes="ahead",
    highest_win=2,
    opening="roll-off",
    setup=_setup({1: 15}),
    name="narde",
)
"""Long Nardy, by the rules of the Russian ministry of sport of 2024: all checkers start on one point, and none is hit."""

_CONSTANTS: Final = {"TABULA": TABULA, "TABULA_HISTORIC": TABULA_HISTORIC, "BACKGAMMON": BACKGAMMON, "NARDE": NARDE}

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType({rules.name: rules for rules in _CONSTANTS.values()})
"""The presets by the name that the command line and files know them by."""
