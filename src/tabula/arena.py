"""Matches: two players, games by the thousand, and what the one wins from the other.

A player is an evaluator, a bot or an object with a method ``choose``, as `tabula.evaluate.as_player` says. Each game starts with
the opening throw of its rules. Games come in pairs on the same dice, in which the two have each other's places: luck that both meet
cancels out, and the standard error is that of the means of pairs.

>>> import numpy as np
>>> from tabula import BACKGAMMON, arena
>>> from tabula.bots import BOTS
>>> match = arena.play(BOTS["pips"], BOTS["random"], 200, rng=np.random.default_rng(1), rules=BACKGAMMON)
>>> match.wins > 0.9, match.points > 2 * match.se
(True, True)
"""

from __future__ import annotations

import dataclasses
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabula import batch, dice
from tabula._arguments import at_least, check_executor, check_progress, flag, generator, thread_count, within
from tabula._native.playouts import roll_at
from tabula._native.position import Position
from tabula.errors import short_repr
from tabula.evaluate import Evaluator, Player, Turns, as_player
from tabula.playouts import MAX_PLIES, MOST_PLIES
from tabula.playouts.play import gave_up
from tabula.rules import WHITE, checked_rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor
    from os import PathLike

    from numpy.typing import NDArray

    from tabula.bots import Bot
    from tabula.rules import Rules
    from tabula.work.threads import Progress, Stop

__all__ = ["MOST_GAMES", "RECORD", "MatchResult", "play"]

RECORD: Final = np.dtype([("seed", "<u8"), ("points", "<i2"), ("first", "?"), ("plies", "<i4")])
"""What is recorded of a game: the key of its dice, which both games of a pair have; the points that the first player of the match
has won, negative for those lost and 0 for a game that was given up; whether that player moved first; and how long it was."""

MOST_GAMES: Final = 1 << 40
"""The most games of one match: more records than any memory holds."""

_GAMES_A_UNIT: Final = 512
"""Games side by side, however the match is run: an evaluator's last bits may depend on how wide its arrays are. It is even."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class MatchResult:
    """What two players won from each other. Points and wins are those of the first of them."""

    rules: Rules
    """The rules that were played."""

    pairs: bool
    """Whether games 2k and 2k + 1 had the same dice."""

    seed: int
    """What the dice of all games were made from."""

    games: NDArray[np.void]
    """A record of each game, of the dtype `RECORD`."""

    def __len__(self) -> int:
        return len(self.games)

    @property
    def points(self) -> float:
        """The mean of the points a game. Games that were given up count 0."""
        return float(self.games["points"].mean())

    @property
    def se(self) -> float:
        """The standard error of `points`, of the means of pairs if games came in pairs; NaN for one game or one pair."""
        points = self.games["points"].astype(np.float64)
        if self.pairs:
            points = points.reshape(-1, 2).mean(axis=1)
        return float(points.std(ddof=1) / np.sqrt(len(points))) if len(points) > 1 else float("nan")

    @property
    def wins(self) -> float:
        """The share of the finished games that the first player won; NaN if none was finished."""
        won, lost = int((self.games["points"] > 0).sum()), int((self.games["points"] < 0).sum())
        return won / (won + lost) if won + lost else float("nan")

    @property
    def won(self) -> tuple[int, int, int]:
        """How often the first player won one point, two (a gammon) and three (a backgammon)."""
        return self._of_points(1)

    @property
    def lost(self) -> tuple[int, int, int]:
        """How often the second player did."""
        return self._of_points(-1)

    def _of_points(self, sign: int) -> tuple[int, int, int]:
        one, two, three = (int((self.games["points"] == sign * points).sum()) for points in (1, 2, 3))
        return one, two, three

    @property
    def given_up(self) -> int:
        """How often a game was given up: after `max_plies`, or as neither side could ever move again."""
        return int((self.games["points"] == 0).sum())

    @property
    def plies(self) -> float:
        """The mean number of plies of a game."""
        return float(self.games["plies"].mean())

    def to_dict(self) -> dict[str, Any]:
        """The figures in plain values that JSON can hold; None for what is not known."""
        values = {"points": self.points, "se": self.se, "wins": self.wins}
        return {
            "games": len(self),
            "pairs": self.pairs,
            "seed": self.seed,
            **{name: None if np.isnan(value) else value for name, value in values.items()},
            "won": list(self.won),
            "lost": list(self.lost),
            "given_up": self.given_up,
            "plies": self.plies,
        }

    def __str__(self) -> str:
        won, lost = self.won, self.lost
        lines = [
            f"{self.points:+.4f} points a game{'' if np.isnan(self.se) else f' +- {self.se:.4f} (standard error)'}",
            f"won  {sum(won):,} of {len(self):,}: {won[0]:,} single, {won[1]:,} gammons, {won[2]:,} backgammons",
            f"lost {sum(lost):,}: {lost[0]:,} single, {lost[1]:,} gammons, {lost[2]:,} backgammons",
            f"{self.plies:.1f} plies a game",
        ]
        if self.given_up:
            lines.append(f"given up: {self.given_up:,}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<MatchResult: {len(self)} games, {self.points:+.4f} points a game>"


def play(
    one: Evaluator | Bot | Player,
    two: Evaluator | Bot | Player,
    games: int,
    *,
    rng: np.random.Generator,
    rules: Rules | None = None,
    position: Position | None = None,
    pairs: bool = True,
    threads: int = 1,
    max_plies: int = MAX_PLIES,
    progress: Progress | None = None,
    executor: Executor | None = None,
    checkpoint: str | PathLike[str] | None = None,
) -> MatchResult:
    """Plays games between two players and counts what `one` wins.

    The result depends on the players, the rules, the position, `pairs`, `max_plies` and one number of 64 bits that is drawn from
    `rng`; not on `threads`, `executor` or `checkpoint`.

    Parameters
    ----------
    one, two
        Evaluators, bots or players, as `tabula.evaluate.as_player` takes them. They are called by the caller's thread, or by the
        workers of an executor, for up to 512 games side by side.
    games
        How often they play, 1..2^40; an even number with pairs.
    rules
        The game, with its opening throw.
    position
        Instead of `rules`: where every game starts, before a roll, with no opening throw. The players move first in turn.
    pairs
        True: games 2k and 2k + 1 have the same dice and opening throw, with the players' places exchanged. False: every game has
        dice of its own, and the players change places from game to game.
    threads
        The threads that list plays.
    max_plies
        A game that is not over after this number of plies (1..16,777,216) is given up, and so is one in which neither side can
        ever move again: it counts 0 points and is counted.
    progress
        Called with the number of finished games and of all games.
    executor, checkpoint
        As `tabula.playouts.playouts` takes them: where 512 games at a time are played, and a file with what is finished. An
        executor must be able to pickle the players.

    Raises
    ------
    TypeError
        An argument of the wrong type, or a player that gives no integers.
    ValueError
        An argument out of its range; an odd number of games with pairs; rules and a position, or neither; a position whose game is
        over; a player for other rules; an evaluator's wrong values; `threads` with an executor.
    IndexError
        A player's number of a play that there is not.
    tabula.work.UnitFailedError, concurrent.futures.BrokenExecutor, OSError
        As `tabula.playouts.playouts` raises them, with an executor or a checkpoint.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import TABULA, arena
    >>> from tabula.bots import weigh
    >>> def careful(positions):
    ...     return -weigh(positions, rules=TABULA)
    >>> match = arena.play(careful, careful, 100, rng=np.random.default_rng(1), rules=TABULA)
    >>> match.points, match.se  # a player against itself: each pair cancels out
    (0.0, 0.0)
    """
    if (rules is None) == (position is None):
        raise ValueError("a match has rules=, or position= to start every game from, one of the two")
    if position is not None and not isinstance(position, Position):
        raise TypeError(f"position must be a Position, not {short_repr(position)}")
    if position is not None and position.outcome is not None:
        raise ValueError(f"no game starts from a position whose game is over: {position.to_text()}")
    found = checked_rules(position.rules if position is not None else rules)
    players = as_player(one, found), as_player(two, found)
    games = at_least("games", games, 1, MOST_GAMES)
    flag("pairs", pairs)
    if pairs and games % 2:
        raise ValueError(f"games must be an even number with pairs, not {games}")
    generator(rng)
    threads = thread_count(threads)
    max_plies = within("max_plies", max_plies, 1, MOST_PLIES)
    check_executor(executor, threads)
    check_progress(progress)

    state = rng.bit_generator.state
    try:
        seed = int(rng.integers(0, 1 << 64, dtype=np.uint64))
        units = [
            _Games(found, position, players, seed, first, min(_GAMES_A_UNIT, games - first), pairs, max_plies, threads)
            for first in range(0, games, _GAMES_A_UNIT)
        ]
        records = np.zeros(games, RECORD)
        _play_units(units, records, progress, executor, checkpoint, _names(one, two))
    except BaseException:
        rng.bit_generator.state = state
        raise
    records.flags.writeable = False
    return MatchResult(found, pairs, seed, records)


def _names(*choosers: object) -> list[str]:
    """Where the players stand: all that a file can say of them."""
    named = [chooser if hasattr(chooser, "__qualname__") else type(chooser) for chooser in choosers]
    return [f"{each.__module__}.{each.__qualname__}" for each in named]


def _play_units(
    units: Sequence[_Games],
    records: NDArray[np.void],
    progress: Progress | None,
    executor: Executor | None,
    checkpoint: str | PathLike[str] | None,
    names: list[str],
) -> None:
    def report(done: int) -> None:
        if progress is not None:
            progress(done, len(records))

    report(0)
    done = 0
    if executor is None and checkpoint is None:
        for unit in units:
            records[unit.first : unit.first + unit.games] = unit.play(None)
            done += unit.games
            report(done)
        return
    from tabula.work.units import results, unusable  # here, for it brings in the thread pool, pickle and JSON

    first = units[0]
    question = {
        "kind": "arena",
        "players": names,
        "games": len(records),
        "seed": first.seed,
        "pairs": first.pairs,
        "max_plies": first.max_plies,
        "position": None if first.position is None else first.position.to_text(),
        "games_a_unit": _GAMES_A_UNIT,
        "rules": {field: value for field, value in first.rules.to_dict().items() if field != "name"},
    }
    with closing(results(units, len(units), question, executor=executor, checkpoint=checkpoint)) as found:
        for number, result in found:
            unit = units[number]
            if not isinstance(result, bytes) or len(result) != unit.games * RECORD.itemsize:
                raise unusable(number, result, f"record of {unit.games} games", checkpoint)
            records[unit.first : unit.first + unit.games] = np.frombuffer(result, RECORD)
            done += unit.games
            report(done)


@dataclasses.dataclass(frozen=True)
class _Games:
    """A unit of work: games side by side, those with the numbers from `first` on."""

    rules: Rules
    position: Position | None
    players: tuple[Player, Player]
    seed: int
    first: int
    games: int
    pairs: bool
    max_plies: int
    threads: int

    def __str__(self) -> str:
        return f"games {self.first:,}..{self.first + self.games - 1:,}"

    def run(self, stop: Stop) -> bytes:
        return self.play(stop).tobytes()

    def play(self, stop: Stop | None) -> NDArray[np.void]:
        records = np.zeros(self.games, RECORD)
        positions, rolls = self._begin(records)
        going = np.arange(self.games)
        for ply in range(self.max_plies):
            if stop is not None:
                stop.check()
            if ply or self.position is not None:
                keys = records["seed"][going].tolist()
                rolls = np.array([roll_at(key, ply, self.rules.dice) for key in keys], np.uint8).reshape(-1, self.rules.dice)
            keys = self._stream(ply + 1).integers(0, 1 << 64, self.games, np.uint64)[going]
            ones = records["first"][going] == (ply % 2 == 0)
            before = positions[going]
            for player, rows in zip(self.players, (np.flatnonzero(ones), np.flatnonzero(~ones)), strict=True):
                if len(rows):
                    positions[going[rows]] = self._played(player, positions[going[rows]], rolls[rows], keys[rows])
            outcomes = batch.outcome(positions[going], rules=self.rules, check=False)
            over = (outcomes != 0) | gave_up(before, positions[going], self.rules)
            # Row 0 is the next player now.
            records["points"][going[over]] = np.where(ones, -outcomes, outcomes)[over]
            records["plies"][going] = ply + 1
            going = going[~over]
            if not len(going):
                break
        return records

    def _stream(self, number: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, self.first, number])

    def _begin(self, records: NDArray[np.void]) -> tuple[NDArray[np.int8], NDArray[np.uint8]]:
        """Positions before the first roll, and that roll where the opening throw says it; who moves first, and the games' keys."""
        rng, each = self._stream(0), 2 if self.pairs else 1
        own = -(-self.games // each)
        records["seed"] = np.repeat(rng.integers(0, 1 << 64, own, np.uint64), each)[: self.games]
        even = np.arange(self.games) % 2 == 0
        if self.position is not None:
            records["first"] = even
            return np.repeat(self.position.to_array()[None], self.games, axis=0), np.zeros((0, self.rules.dice), np.uint8)
        thrown = [dice.opening(rng, self.rules) for _ in range(own)]
        white = np.repeat([opening.turn == WHITE for opening in thrown], each)[: self.games]
        rolls = np.repeat(np.array([opening.roll for opening in thrown], np.uint8), each, axis=0)[: self.games]
        records["first"] = white == even
        return batch.start(self.games, rules=self.rules), rolls

    def _played(
        self, player: Player, positions: NDArray[np.int8], rolls: NDArray[np.uint8], keys: NDArray[np.uint64]
    ) -> NDArray[np.int8]:
        after = batch.afterstates(positions, rolls, rules=self.rules, threads=self.threads, check=False)
        return after.at(player.choose(Turns(self.rules, positions, rolls, after, keys)), empty=positions)
