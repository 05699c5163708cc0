"""Both engines behind one face, so that one test can hold both to one rule.

All of it is in tracks, the side that moves first, and nothing is with sides swapped.
"""

import abc
from collections.abc import Sequence
from typing import NamedTuple

from support.tracks import State, Track
from tabula import IllegalPlayError, Position, Rules, perft, reference
from tabula.dice import parse

Steps = Sequence[tuple[int, int]]
"""Moves as (source, die), in the order in which they are made."""


class Ends(NamedTuple):
    """How many dice the plays of a roll use, and where they end."""

    dice_used: int
    states: frozenset[State]

    @property
    def movers(self) -> set[Track]:
        """The mover's tracks alone, where no two ends differ in the other side alone."""
        movers = {mover for mover, _ in self.states}
        assert len(movers) == len(self.states), "ends that differ in a hit alone"
        return movers


class Engine(abc.ABC):
    """What a rule test asks."""

    name: str

    @abc.abstractmethod
    def moves_shown(
        self, rules: Rules, mover: Track, other: Track, roll: str
    ) -> tuple[int, dict[State, tuple[tuple[int, int], ...]]]:
        """The dice used and, for each end, the moves shown for it."""

    @abc.abstractmethod
    def refusal(self, rules: Rules, mover: Track, other: Track, roll: str, moves: Steps) -> str | None:
        """Why these moves are no whole legal play of the roll; None if they are one."""

    @abc.abstractmethod
    def points_won(self, rules: Rules, loser: Track) -> int | None:
        """What a win over a side that stands so counts."""

    @abc.abstractmethod
    def perft(self, rules: Rules, mover: Track, other: Track, depth: int) -> int:
        """Leaves so many plies on."""

    def ends(self, rules: Rules, mover: Track, other: Track, roll: str) -> Ends:
        """The dice used and the distinct ends of a turn."""
        dice_used, shown = self.moves_shown(rules, mover, other, roll)
        return Ends(dice_used, frozenset(shown))


class Native(Engine):
    """The native generator, as it is reached through `Position`."""

    name = "native"

    def moves_shown(
        self, rules: Rules, mover: Track, other: Track, roll: str
    ) -> tuple[int, dict[State, tuple[tuple[int, int], ...]]]:
        plays = Position.from_tracks(mover, other, rules=rules).plays(roll)
        shown = {
            (play.position.other, play.position.mover): tuple((move.source, move.die) for move in play.moves) for play in plays
        }
        assert len(shown) == len(plays), "plays that are not distinct"
        return plays.dice_used, shown

    def refusal(self, rules: Rules, mover: Track, other: Track, roll: str, moves: Steps) -> str | None:
        try:
            Position.from_tracks(mover, other, rules=rules).apply(moves, roll)
        except IllegalPlayError as error:
            return str(error)
        return None

    def points_won(self, rules: Rules, loser: Track) -> int | None:
        winner = (0,) * 25 + (rules.checkers,)
        outcome = Position.from_tracks(loser, winner, rules=rules).outcome
        return outcome and outcome.points

    def perft(self, rules: Rules, mover: Track, other: Track, depth: int) -> int:
        return perft(Position.from_tracks(mover, other, rules=rules), depth)


class Reference(Engine):
    """The generator as the rule book reads."""

    name = "reference"

    def moves_shown(
        self, rules: Rules, mover: Track, other: Track, roll: str
    ) -> tuple[int, dict[State, tuple[tuple[int, int], ...]]]:
        turn = reference.generate(rules, mover, other, parse(roll, rules.dice))
        return turn.dice_used, {end: tuple(map(tuple, steps)) for end, steps in turn.afterstates.items()}

    def refusal(self, rules: Rules, mover: Track, other: Track, roll: str, moves: Steps) -> str | None:
        steps = [reference.Step(*move) for move in moves]
        return reference.explain(rules, mover, other, parse(roll, rules.dice), steps)

    def points_won(self, rules: Rules, loser: Track) -> int | None:
        return reference.points_won(rules, loser)

    def perft(self, rules: Rules, mover: Track, other: Track, depth: int) -> int:
        return reference.perft(rules, mover, other, depth)


ENGINES = (Native(), Reference())
