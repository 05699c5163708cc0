"""Play text, lenient in form and strict in meaning: a text is one legal play of its position and roll, or an error saying why."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from tabula import reference
from tabula._arguments import choice
from tabula._native.position import Position, checked_position, find_play
from tabula.dice import FACES, to_text
from tabula.errors import AmbiguousPlayError, IllegalPlayError, invalid_text, quoted, short_repr
from tabula.reference import Step
from tabula.rules import OFF, POINTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabula._native.position import Play, Plays
    from tabula.dice import RollLike
    from tabula.rules import Rules

__all__ = ["Hop", "SpelledMoves", "parse_play", "spelled_moves"]

_PASSES: Final = frozenset(("", "pass", "cannot move", "can't move", "no move", "no play"))
_LONGEST_PASS: Final = 40
_MOST_HOPS: Final = 8
"""No roll has as many moves; a text with more is refused before they are looked at."""
_NAMED: Final = 6
"""How many candidates an error names."""

_GAP: Final = re.compile(r"[\s,]*")
_PLACE: Final = re.compile(r"([0-9]+)|(bar|b)|(off)", re.ASCII | re.IGNORECASE)
_TIMES: Final = re.compile(r"\s*\(\s*([0-9]+)\s*\)")
_MAX_DIGITS: Final = 2
_BETWEEN: Final = ("/", "-", "\N{EN DASH}")
"""What stands between the places of a move: FIBS writes a hyphen, and records of Long Nardy a hyphen or a dash."""


class Hop(NamedTuple):
    """A checker's way from one place that the text names to the next: one move, or several merged."""

    source: int
    target: int


class SpelledMoves(NamedTuple):
    """A text as read: every hop, and the places that bear a star."""

    hops: tuple[Hop, ...]
    stars: frozenset[int]


def parse_play(position: Position, text: str, roll: RollLike, *, hits: Literal["marked", "unmarked"] = "marked") -> Play:
    """The one legal play of `roll` from `position` that the text names.

    Moves may stand in any order, apart or merged: ``24/18 18/13``, ``24/13``, ``24/18*/13``, ``8/4(2)``, with commas or without.
    ``bar``, ``b``, ``off`` and the words for a pass are read in any case; ``25/`` is the bar and ``/0`` off as well; a hyphen may
    stand for the slash. A star only ever chooses between plays, for a landing on a blot hits whether or not one is written.

    Parameters
    ----------
    hits
        ``"marked"``: where a pause may hit or not, no star means no hit. Text equal to a play's own is then that play.
        ``"unmarked"``, for sources that write no stars: what the path leaves open is ambiguous.

    Raises
    ------
    InvalidTextError
        For what is not notation.
    IllegalPlayError
        For what no legal play does, with the reason.
    AmbiguousPlayError
        For what several legal plays do, with the candidates.
    ValueError, TypeError
        For what is not a roll of this game, as `Position.plays` raises them.

    Examples
    --------
    >>> from tabula import BACKGAMMON, Position
    >>> print(parse_play(Position(BACKGAMMON), "8/5, 6/5", "31"))
    8/5 6/5
    >>> parse_play(Position(BACKGAMMON), "24/18 13/8", "61")
    Traceback (most recent call last):
    ...
    tabula.errors.IllegalPlayError: '24/18 13/8': 13/8 needs a 5, and the roll is 6-1
    """
    checked_position(position)
    if not isinstance(text, str):
        raise TypeError(f"a play's text must be a str, not {short_repr(text)}")
    choice("hits", hits, ("marked", "unmarked"))
    plays = position.plays(roll)
    named = find_play(plays, text)
    return named if named is not None else _read_closely(plays, text, hits)


def _read_closely(plays: Plays, text: str, hits: str) -> Play:
    """The play that a text in any form names, of several the one that its stars choose, or the error that says what is wrong."""
    position = plays.position
    spelled = spelled_moves(text, position.rules)
    found = _fitting(plays, spelled.hops)
    if not found:
        raise IllegalPlayError(f"{quoted(text)}: {_reason(plays, spelled.hops)}")
    if len(found) > 1:
        found = _starred(found, spelled.stars, hits)
    if len(found) == 1:
        return found[0]
    named = ", ".join(map(str, found[:_NAMED])) + (", ..." if len(found) > _NAMED else "")
    roll = to_text(plays.roll, plays.position.rules.extra_dice)
    raise AmbiguousPlayError(f"{quoted(text)} fits {len(found)} plays of {roll}: {named}")


# -------------------------------------------------------------------------------------------------------------------- the text


def spelled_moves(text: str, rules: Rules) -> SpelledMoves:
    """The hops and stars of a text; InvalidTextError with its place for what is not notation."""
    words = text.strip(" \t\r\n,")
    if len(words) <= _LONGEST_PASS and " ".join(words.split()).lower() in _PASSES:
        return SpelledMoves((), frozenset())
    hops: list[Hop] = []
    stars: set[int] = set()
    at = _end(_GAP.match(text, 0))
    while at < len(text):
        at, chain, starred = _chain(text, at, rules)
        stars.update(starred)
        times = _TIMES.match(text, at)
        if times is not None:
            if len(times[1]) > _MAX_DIGITS or not int(times[1]):
                raise invalid_text("a move is repeated 1 to 4 times", text, times.start(1))
            at = times.end()
            if text.startswith("*", at):
                at, stars = at + 1, stars | {chain[-1].target}
        hops.extend(chain * (int(times[1]) if times else 1))
        if len(hops) > _MOST_HOPS:
            raise IllegalPlayError(f"{quoted(text)} tells of more moves than any roll has")
        gap = _end(_GAP.match(text, at))
        if gap == at < len(text):
            raise invalid_text(f"a move is followed by a space, not by {text[at]!r}", text, at)
        at = gap
    return SpelledMoves(tuple(hops), frozenset(stars))


def _chain(text: str, at: int, rules: Rules) -> tuple[int, list[Hop], set[int]]:
    """Where the chain of places that starts at `at` ends, its hops, and the places in it that bear a star."""
    at, source = _place(text, at, rules, source=True)
    if not text.startswith(_BETWEEN, at):
        raise invalid_text("a move is written like 13/7", text, at)
    hops: list[Hop] = []
    stars: set[int] = set()
    while text.startswith(_BETWEEN, at):
        if source == OFF:
            raise invalid_text("a checker that is off does not move", text, at)
        at, target = _place(text, at + 1, rules, source=False)
        if text.startswith("*", at):
            stars.add(target)
            at += 1
        hops.append(Hop(source, target))
        if len(hops) > _MOST_HOPS:
            break
        source = target
    return at, hops, stars


def _place(text: str, at: int, rules: Rules, *, source: bool) -> tuple[int, int]:
    """Where the place named at `at` ends, and its track index."""
    match = _PLACE.match(text, at)
    if match is None:
        found = repr(text[at]) if at < len(text) else "the end"
        raise invalid_text(f"a point, bar or off must stand here, not {found}", text, at)
    end, (digits, bar, off) = match.end(), match.groups()
    if bar:
        index = 0
    elif off:
        index = OFF
    else:
        number = int(digits) if len(digits) <= _MAX_DIGITS else OFF + 1
        if number > OFF:
            raise invalid_text(f"points are 1 to {POINTS}", text, at)
        index = rules.number(number)
        # Backgammon's numbers for the bar and off are read in every game: nothing else can be meant by them there.
        if source and number == OFF:
            index = 0
        elif not source and number == 0:
            index = OFF
    if source and index == OFF:
        raise invalid_text("a checker that is off does not move", text, at)
    if not source and index == 0:
        raise invalid_text("no move ends on the bar", text, at)
    return end, index


def _end(match: re.Match[str] | None) -> int:
    """Where a match ends that cannot fail."""
    return match.end() if match else 0


# --------------------------------------------------------------------------------------------------------------- what it means


def _fitting(plays: Plays, hops: Sequence[Hop]) -> list[Play]:
    """The legal plays that have moves which make these hops, in some order, and none else."""
    found: set[int] = set()
    for steps in _spellings(plays, hops):
        if len(steps) == plays.dice_used:
            index = _index(plays, steps)
            if index is not None:
                found.add(index)
    return [plays[index] for index in sorted(found)]


def _spellings(plays: Plays, hops: Sequence[Hop]) -> list[tuple[Step, ...]]:
    """Every set of single moves, as a sorted tuple, that the roll's dice can make the hops of."""
    partial: set[tuple[tuple[Step, ...], tuple[int, ...]]] = {((), reference.dice_of(plays.position.rules, plays.roll))}
    for source, target in hops:
        partial = {
            (tuple(sorted(steps + more)), left) for steps, dice in partial for more, left in _walks(source, target, dice) if more
        }
    return sorted({steps for steps, _ in partial})


def _walks(source: int, target: int, dice: tuple[int, ...]) -> Iterator[tuple[tuple[Step, ...], tuple[int, ...]]]:
    """Every way to go from source to target with these dice, and the dice that are left; standing still is one of no moves."""
    if source == target:
        yield (), dice
        return
    for die in sorted(set(dice)):
        step = Step(source, die)
        landing = reference.landing(step)
        if landing <= target:
            left = list(dice)
            left.remove(die)
            for more, rest in _walks(landing, target, tuple(left)):
                yield (step, *more), rest


def _index(plays: Plays, steps: tuple[Step, ...]) -> int | None:
    """The index of the play that these moves make in the first order in which they can be made."""
    for order in _orders(steps):
        try:
            return plays.index(order)
        except ValueError:
            continue
    return None


def _orders(steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    """The distinct orders of a few moves, the order given first."""
    return iter(dict.fromkeys(itertools.permutations(steps)))


def _starred(found: list[Play], stars: frozenset[int], hits: str) -> list[Play]:
    """Those of several plays that hit what the stars say, where they differ in it."""
    hit = [_hits(play) for play in found]
    always, ever = frozenset.intersection(*hit), frozenset.union(*hit)
    starred = (stars & ever) - always
    if hits == "marked":
        chosen = [play for play, points in zip(found, hit, strict=True) if points - always == starred]
    else:
        chosen = [play for play, points in zip(found, hit, strict=True) if starred <= points]
    return chosen or found


def _hits(play: Play) -> frozenset[int]:
    """The points, on the mover's track, where a play hits."""
    rules, before, after = play.origin.rules, play.origin.other, play.position.mover
    return frozenset(rules.facing(index) for index in range(1, OFF) if before[index] == 1 and not after[index])


# ------------------------------------------------------------------------------------------------------------------ what is wrong


def _reason(plays: Plays, hops: Sequence[Hop]) -> str:
    """Why no legal play makes these hops, as a sentence."""
    position, roll = plays.position, plays.roll
    rules = position.rules
    dice, text = reference.dice_of(rules, roll), to_text(roll, rules.extra_dice)
    alone: list[Step] = []
    for source, target in hops:
        named = f"{rules.label(source)}/{rules.label(target)}"
        if source == 0 and not position.mover[0]:
            return f"{named} cannot be made: no checker is waiting"
        if source >= target:
            return f"{named} goes against the direction of play"
        walk = min(_walks(source, target, dice), key=lambda walk: len(walk[0]), default=None)
        if walk is None:
            pips = target - source
            if pips <= FACES:
                return f"{named} needs {'at least ' if target == OFF else ''}a {pips}, and the roll is {text}"
            return f"{named} is {pips} pips, and the dice of {text} do not add up to that"
        alone.extend(walk[0])
    for source in dict.fromkeys(source for source, _ in hops[: len(dice)] if len(hops) <= len(dice)):
        leaving = sum(hop.source == source for hop in hops)
        standing = position.mover[source] + sum(hop.target == source for hop in hops)
        if position.mover[source] and leaving > standing:
            return f"{leaving} checkers leave {rules.label(source)}, and {standing} {'stands' if standing == 1 else 'stand'} there"
    tried = _furthest(plays, _spellings(plays, hops)) if len(hops) <= len(dice) else None
    reason = reference.explain(rules, position.mover, position.other, roll, alone if tried is None else tried)
    return reason or "no legal play does that"


def _furthest(plays: Plays, spellings: Sequence[tuple[Step, ...]]) -> tuple[Step, ...] | None:
    """Of the ways to make the moves with the fewest dice, the one that gets on longest before a rule stops it.

    None if the dice do not suffice.
    """
    rules, mover, other = plays.position.rules, plays.position.mover, plays.position.other
    start = reference.gates(rules, mover, plays.roll)
    best, reached = None, -1
    fewest = min(map(len, spellings), default=0)
    for steps in spellings:
        if len(steps) > fewest:
            continue
        for order in _orders(steps):
            mine, theirs, made = mover, other, 0
            for step in order:
                if reference.refusal(rules, mine, theirs, step, start) is not None:
                    break
                mine, theirs, _ = reference.make(rules, mine, theirs, step)
                made += 1
            if made > reached:
                best, reached = order, made
    return best
