"""The generator as the rule book reads, on tracks: pure Python, written to be checked by eye and never made faster.

The native generator is checked against it, and it explains why a play is refused. A side is a track, a tuple of 26
counts (index 0 waiting, 1..24 the points in its direction of travel, 25 borne off). `mover` is the side whose turn it is. Nothing
here checks its input: tracks come from a `Position`, rolls from `tabula.dice`.

>>> from tabula import TABULA, reference
>>> plays = reference.generate(TABULA, TABULA.setup, TABULA.setup, (1, 1, 1))
>>> plays.dice_used, [moves for moves in plays.afterstates.values()][0]
(3, (Step(source=0, die=1), Step(source=0, die=1), Step(source=0, die=1)))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tabula.dice import Roll, all_rolls, to_text
from tabula.rules import HALF, LAST_SIX, OFF, POINTS, PRIME, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Gates", "LegalPlays", "Step", "explain", "gates", "generate", "make", "perft", "points_won", "refusal", "won"]

Track: TypeAlias = tuple[int, ...]
State: TypeAlias = tuple[Track, Track]
"""The mover's track and the other side's, each on its own."""


class Step(NamedTuple):
    """One checker and the die that is to move it.

    >>> landing(Step(source=0, die=6)), landing(Step(source=20, die=6))
    (6, 25)
    """

    source: int
    """The index that the checker leaves, 0..24."""

    die: int
    """The die, 1..6."""


class Gates(NamedTuple):
    """What is looked at as a turn starts: the two conditions of `Rules.gates`, and the start point.

    >>> from tabula import TABULA
    >>> gates(TABULA, TABULA.setup)
    Gates(half_open=False, off_open=False, start_count=15, may_leave=None)
    """

    half_open: bool
    """Whether the second half of the board is open."""

    off_open: bool
    """Whether bearing off is open."""

    start_count: int
    """How many checkers stand on the start point."""

    may_leave: int | None
    """How many of them may leave it in the turn; None where there is no limit."""


class LegalPlays(NamedTuple):
    """The legal plays of one roll.

    >>> from tabula import TABULA
    >>> plays = generate(TABULA, TABULA.setup, TABULA.setup, (6, 5, 2))
    >>> plays.dice_used, len(plays.afterstates)
    (3, 4)
    """

    dice_used: int
    """How many dice every play of the roll uses, 0..4."""

    afterstates: dict[State, tuple[Step, ...]]
    """The moves of each play by the two tracks after it: the mover's, then the other side's (sides not swapped). Empty only when
    the game was over."""


def won(track: Track) -> bool:
    """Whether a side has borne all its checkers off.

    >>> won((0,) * 25 + (15,))
    True
    """
    return sum(track[:OFF]) == 0


def points_won(rules: Rules, loser: Track) -> int:
    """The points that a win counts when the loser's track is `loser`: 1, 2 or 3.

    >>> from tabula import BACKGAMMON
    >>> points_won(BACKGAMMON, BACKGAMMON.setup)
    3
    """
    if rules.highest_win == 1 or loser[OFF]:
        return 1
    if rules.highest_win == 2:
        return 2
    in_last_six = any(loser[rules.facing(point)] for point in range(LAST_SIX, POINTS + 1))
    return 3 if loser[0] or in_last_six else 2


def gates(rules: Rules, mover: Track, roll: Roll = ()) -> Gates:
    """Whether the second half of the board and bearing off are open to a side whose track is `mover`; and how many checkers may
    leave the start point in a turn that starts so, with this roll.

    >>> from tabula import BACKGAMMON
    >>> gates(BACKGAMMON, BACKGAMMON.setup)
    Gates(half_open=True, off_open=False, start_count=2, may_leave=None)
    """
    start_count, may_leave = mover[rules.start_point], rules.head_limit
    if may_leave is not None and len(set(roll)) == 1 and roll[0] in rules.head_doubles and start_count == rules.checkers:
        may_leave += 1
    return Gates(
        half_open=not rules.half_gate or mover[0] == 0,
        off_open=not any(mover[: rules.home_start]),
        start_count=start_count,
        may_leave=may_leave,
    )


def refusal(rules: Rules, mover: Track, other: Track, step: Step, start: Gates) -> str | None:
    """Why this move cannot be made now, as a sentence; None if it can.

    `start` is what `gates` gave at the start of the turn. It counts where the rules look at the gates once a turn.

    >>> from tabula import TABULA
    >>> refusal(TABULA, TABULA.setup, TABULA.setup, Step(6, 1), gates(TABULA, TABULA.setup))
    'no checker stands on 6'
    """
    source, die = step
    if not mover[source]:
        return "no checker is waiting" if source == 0 else f"no checker stands on {rules.label(source)}"
    if rules.enter_first and mover[0] and source != 0:
        return "a waiting checker must enter first"
    if source == rules.start_point:
        label = rules.label(source)
        if start.may_leave is not None and start.start_count - mover[source] >= start.may_leave:
            return f"no more than {start.may_leave} may leave {label} in this turn"
        if rules.runner is not None and mover[source] < rules.checkers and not any(mover[rules.runner :]):
            return f"no second checker leaves {label} until one has come to {rules.label(rules.runner)}"
    target = landing(step)
    now, when = (start, " as the turn started") if rules.gates == "turn" else (gates(rules, mover), "")
    if target >= HALF and not now.half_open:
        return f"points {rules.label(HALF)} to {rules.label(POINTS)} and off are closed to a side with a checker waiting{when}"
    if target < OFF:
        opposing = other[rules.facing(target)]
        if opposing >= (1 if rules.blots == "block" else 2):
            return f"{rules.label(target)} is blocked by {opposing} opposing checker{'' if opposing == 1 else 's'}"
        if mover[target] >= rules.limit:
            return f"{rules.label(target)} is full with {mover[target]} checkers"
        if target < rules.pile_from and mover[target]:
            return f"{rules.label(target)} has a checker, and before {rules.label(rules.pile_from)} no second one lands on a point"
        if rules.primes == "ahead" and completes_prime(rules, mover, other, step):
            return f"{rules.label(target)} completes six points in a row with no opposing checker beyond them"
        return None
    if not now.off_open:
        home = rules.label(rules.home_start)
        return f"bearing off needs every checker on {home} to {rules.label(POINTS)}{when}"
    needed = OFF - source
    if die > needed:
        if rules.bear_off == "exact":
            return f"only an exact {needed} bears off from {rules.label(source)}"
        if rules.bear_off == "rearmost" and any(mover[:source]):
            return f"a larger die bears off from {rules.label(source)} only when no checker is behind it"
    return None


def completes_prime(rules: Rules, mover: Track, other: Track, step: Step) -> bool:
    """Whether a move lands on a point of the board that it does not hold, and so completes six held points in a row of the other
    side's track, beyond which no checker of that side stands; a side that has none on the board is held up by nothing.

    >>> from tabula import TABULA
    >>> row, ahead, behind = [0, 0, 9, 1, 1, 1, 1, 2] + 18 * [0], [0] * 9 + [15] + [0] * 16, [0, 15] + [0] * 24
    >>> completes_prime(TABULA, row, ahead, Step(2, 6)), completes_prime(TABULA, row, behind, Step(2, 6))
    (False, True)
    """
    target = landing(step)
    if mover[target] or not any(other[1:OFF]):
        return False
    held = {rules.facing(point) for point in range(1, OFF) if mover[point] > (point == step.source)}
    landed = rules.facing(target)
    held.add(landed)
    return any(
        held.issuperset(range(first, first + PRIME)) and not any(other[first + PRIME : OFF])
        for first in range(landed - PRIME + 1, landed + 1)
    )


def landing(step: Step) -> int:
    """The index that a move ends on, 1..25."""
    return min(step.source + step.die, OFF)


def make(rules: Rules, mover: Track, other: Track, step: Step) -> tuple[Track, Track, bool]:
    """Both tracks after a move that can be made, and whether it hit.

    >>> from tabula import TABULA
    >>> mine, theirs, hit = make(TABULA, TABULA.setup, TABULA.setup, Step(0, 3))
    >>> mine[:4], hit
    ((14, 0, 0, 1), False)
    """
    target = landing(step)
    mine, theirs = list(mover), list(other)
    mine[step.source] -= 1
    mine[target] += 1
    hit = target < OFF and theirs[rules.facing(target)] == 1
    if hit:
        theirs[rules.facing(target)] = 0
        theirs[0] += 1
    return tuple(mine), tuple(theirs), hit


def dice_of(rules: Rules, roll: Roll) -> tuple[int, ...]:
    """The numbers that a roll gives to play: each die and each extra one, or each die twice when they are equal and count so."""
    if rules.extra_dice:
        return tuple(sorted(roll + rules.extra_dice, reverse=True))
    return roll * 2 if rules.doubles == "twice" and roll[0] == roll[1] else roll


def generate(rules: Rules, mover: Track, other: Track, roll: Roll) -> LegalPlays:
    """Every distinct play of `roll`, with the moves that define it.

    >>> from tabula import BACKGAMMON
    >>> plays = generate(BACKGAMMON, BACKGAMMON.setup, BACKGAMMON.setup, (3, 1))
    >>> len(plays.afterstates), next(iter(plays.afterstates.values()))
    (16, (Step(source=1, die=1), Step(source=1, die=3)))
    """
    if won(mover) or won(other):
        return LegalPlays(0, {})
    lines = list(_lines(rules, mover, other, dice_of(rules, roll), gates(rules, mover, roll)))
    most = max(len(steps) for steps, _ in lines)
    lines = [(steps, end) for steps, end in lines if len(steps) == most]
    if rules.larger_die and most == 1:
        largest = max(steps[0].die for steps, _ in lines)
        lines = [(steps, end) for steps, end in lines if steps[0].die == largest]
    smallest: dict[State, tuple[Step, ...]] = {}
    for steps, end in sorted(lines, key=lambda line: (sorted(line[0]), line[0])):
        smallest.setdefault(end, steps)
    return LegalPlays(most, smallest)


def _lines(rules: Rules, mover: Track, other: Track, dice: Sequence[int], start: Gates) -> Iterator[tuple[tuple[Step, ...], State]]:
    """Every way to play on with these dice until no more can be played, and the tracks that each leads to."""
    stuck = True
    for die in sorted(set(dice)):
        left = list(dice)
        left.remove(die)
        for source in (index for index in range(OFF) if mover[index]):
            step = Step(source, die)
            if refusal(rules, mover, other, step, start) is None:
                stuck = False
                mine, theirs, _ = make(rules, mover, other, step)
                for steps, end in _lines(rules, mine, theirs, left, start):
                    yield (step, *steps), end
    if stuck:
        yield (), (mover, other)


def explain(rules: Rules, mover: Track, other: Track, roll: Roll, steps: Sequence[Step], *, whole: bool = True) -> str | None:
    """Why these moves, made in this order, are not a complete legal play of the roll, as a sentence; None if they are one.

    With ``whole=False``: why no legal play starts with them.

    >>> from tabula import TABULA
    >>> explain(TABULA, TABULA.setup, TABULA.setup, (6, 5, 2), [Step(0, 6), Step(0, 5)])
    'bar/6 bar/5 plays 2 dice of 6-5-2, and 3 can be played'
    """
    if won(mover) or won(other):
        return "the game is over"
    start, left = gates(rules, mover, roll), list(dice_of(rules, roll))
    text = to_text(roll, rules.extra_dice)
    mine, theirs = mover, other
    for step in steps:
        move = f"{rules.label(step.source)}/{rules.label(landing(step))}"
        if step.die not in left:
            return f"{move} needs {'another' if step.die in dice_of(rules, roll) else 'a'} {step.die}, and the roll is {text}"
        reason = refusal(rules, mine, theirs, step, start)
        if reason is not None:
            return f"{move} with a {step.die} cannot be made: {reason}"
        left.remove(step.die)
        mine, theirs, _ = make(rules, mine, theirs, step)
    plays = generate(rules, mover, other, roll)
    moves = " ".join(f"{rules.label(step.source)}/{rules.label(landing(step))}" for step in steps)
    if len(steps) == plays.dice_used:
        largest = _largest(plays)
        if rules.larger_die and plays.dice_used == 1 and steps[0].die != largest:
            return f"{moves} plays a {steps[0].die}, and if only one die can be played it must be the largest that can, a {largest}"
        return None
    further = max(len(rest) for rest, _ in _lines(rules, mine, theirs, left, start))
    if len(steps) + further < plays.dice_used:
        more = f"at most {further} more {_dice(further)}" if further else "no more dice"
        return f"after {moves} {more} can be played, and {plays.dice_used} of {text} must be in all"
    if whole:
        played = f"{moves} plays {len(steps)} {_dice(len(steps))}" if steps else "passing plays no dice"
        return f"{played} of {text}, and {plays.dice_used} can be played"
    return None


def _largest(plays: LegalPlays) -> int:
    """The largest die that any of the plays uses; 0 where none is used."""
    return max((step.die for steps in plays.afterstates.values() for step in steps), default=0)


def _dice(number: int) -> str:
    return "die" if number == 1 else "dice"


def perft(rules: Rules, mover: Track, other: Track, depth: int) -> int:
    """The leaves after `depth` plies: each distinct roll once, each distinct afterstate once.

    >>> from tabula import TABULA
    >>> perft(TABULA, TABULA.setup, TABULA.setup, 1)
    222
    """
    if depth == 0:
        return 1
    return sum(
        perft(rules, theirs, mine, depth - 1)
        for roll in all_rolls(rules.dice)
        for mine, theirs in generate(rules, mover, other, roll).afterstates
    )
