"""Whole games by the million, and what they measure.

A game is told by the position it starts from and a key of 64 bits. The key is that of a stream of random numbers of its own
(splitmix64's finalizer over a counter: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), made from a
seed that is drawn once a call and from the game's number. So a game is the same whatever thread plays it and whatever else is
played, and the dice of a ply do not depend on the plays chosen before: two policies can be compared on the same dice.

The side that the position has on roll moves first, and every ply has fresh dice. The throw that opens a game is not played: it
belongs to how a game is set up, and `tabula.dice.opening` makes it.
"""

from __future__ import annotations

import base64
import dataclasses
import importlib
import math
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import PurePath
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabula._arguments import whole
from tabula._native import position as _position
from tabula._native.playouts import RECORD, OneByOne, Together, choice_at, roll_at
from tabula.errors import short_repr
from tabula.game import Game
from tabula.rules import TRACK
from tabula.work.threads import Progress, Stop, alone, in_threads, progress_of, threads_of

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from os import PathLike

    from tabula._native.position import Position

__all__ = ["MAX_PLIES", "RECORD", "Playouts", "Summary", "drawing", "playouts", "plot", "replay", "wilson"]

Policy: TypeAlias = Callable[[NDArray[np.int8]], Any]
"""Gets candidate afterstates, int8 (m, 2, 26), with sides swapped, and returns m scores for the side that has just moved."""

MAX_PLIES: Final = 10_000
"""After so many plies a game is given up, if nothing else is said: many times what the longest of a million games took."""

MOST_GAMES: Final = 1 << 40
"""More records than any memory holds."""

MOST_PLIES: Final = 1 << 24

_CHUNK: Final = 128
"""How many random games are one unit of work for a thread."""

_PLIES: Final = 8192
"""How many plies are played in one call to the native core: some milliseconds, so that Ctrl-C is heard between two."""

_UNIT: Final = 2048
"""How many random games are one unit of work for an executor or a checkpoint: some hundredths of a second, 150 kB of records."""

_UNIT_OF_POLICY: Final = 256
"""How many, with a policy, which may be a thousand times as slow."""

_WRITTEN: Final = RECORD.newbyteorder("<")
"""A record as it is sent and kept, by machines of either byte order."""

_EXACT: Final = 1 << 53
"""Whole numbers up to this have a float64 of their own."""

_QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def playouts(
    position: Position,
    games: int,
    *,
    rng: np.random.Generator,
    threads: int = 1,
    policy: Policy | None = None,
    max_plies: int = MAX_PLIES,
    progress: Progress | None = None,
    executor: Executor | None = None,
    checkpoint: str | PathLike[str] | None = None,
) -> Playouts:
    """Plays whole games from a position, and records what happened in each.

    The side on roll in the position moves first and each ply has fresh dice; the opening throw is not played. The result depends
    on the position, the policy, `max_plies` and what is drawn from `rng`, which is one number of 64 bits; not on `threads`,
    `executor` or `checkpoint`.

    Parameters
    ----------
    position
        Where every game starts. If it is over, its games have no plies.
    games
        How many, 1..2^40. A game's record takes 56 bytes.
    rng
        A `numpy.random.Generator`, which the seed of all games is drawn from. If the call raises, it is as it was before, so that
        the same call again plays the same games, and goes on from its checkpoint.
    threads
        How many threads play. With a policy they find the candidates, and the policy is called by the caller's thread.
    policy
        None: each distinct play of a roll is as likely as any other, and games are played in native code.

        Or a function that is called once a ply for all running games. It gets their candidates as one new int8 array of shape
        (m, 2, 26), with sides swapped: row 0 is the next player, row 1 the side that has just moved, each on its own track. It
        returns m scores, real numbers, for the side that has just moved: in each game the highest is played, and the first of
        equals. Passes and forced plays are among the candidates. All of a ply's candidates are held at once, some 52 + 16 + 8 bytes
        each: about 1.5 kB a game of backgammon and 2.5 kB a game of Tabula. What it raises passes through as it is, and no games
        are returned then.

        With an executor or a checkpoint it is called for 256 games at a time, and what it raises is the cause of a
        `UnitFailedError`. An executor must be able to pickle it: a function or an object of a class that stands at the top of a
        module. A policy whose scores depend on what else is in the array may then choose otherwise than without.
    max_plies
        A game that is not over after so many plies (1..16,777,216) is given up: it is counted, and its winner is -1.
    progress
        Called with how many games are done, and how many there are.
    executor
        What plays, instead of this process: a `concurrent.futures.Executor`, such as a `ProcessPoolExecutor` or the one that
        `dask.distributed.Client(...).get_executor()` gives; docs/scaling.md has more. The games are split by their numbers, 2,048
        random ones a unit of work. How many threads a worker has is the executor's affair: `threads` stays 1.
    checkpoint
        A file that finished units are kept in, some 75 bytes a game (see `tabula.work.checkpoint`), with an executor or without. If
        there is such a file, the playing goes on from it. The same state of `rng` asks the same question; another is refused. Of a
        policy the file has only the name.

    Raises
    ------
    TypeError
        An argument of the wrong type; scores that are not real numbers; a policy that cannot be pickled, with an executor.
    ValueError
        An argument out of its range; scores of the wrong shape, NaN, or integers beyond 2^53; `threads` with an executor; an
        `InvalidCheckpointError`, if the file is that of another question.
    tabula.work.units.UnitFailedError, concurrent.futures.BrokenExecutor
        If a unit raised an exception, with an executor twice; if the executor has lost its workers.
    OSError
        If the checkpoint cannot be written, or another run has it.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import BACKGAMMON, Position
    >>> from tabula.playouts import playouts
    >>> played = playouts(Position(BACKGAMMON), 1000, rng=np.random.default_rng(1))
    >>> len(played), 90 < played.summary().plies < 100
    (1000, True)

    A policy that is greedy to bear off plays against itself:

    >>> played = playouts(Position(BACKGAMMON), 10, rng=np.random.default_rng(1), policy=lambda after: after[:, 1, 25])
    >>> bool((played.games["winner"] >= 0).all())
    True

    Two processes, and a file from which the playing would go on:

    >>> from concurrent.futures import ProcessPoolExecutor
    >>> import multiprocessing
    >>> with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
    ...     played = playouts(Position(), 5000, rng=np.random.default_rng(1), executor=pool, checkpoint="games.checkpoint")
    >>> bool((played.games == playouts(Position(), 5000, rng=np.random.default_rng(1)).games).all())
    True
    """
    if not isinstance(position, _position.Position):
        raise TypeError(f"position must be a Position, not {short_repr(position)}")
    games, threads, max_plies = _at_least_one("games", games), threads_of(threads), _limit(max_plies)
    if games > MOST_GAMES:
        raise ValueError(f"games must be {MOST_GAMES} or fewer, not {games}")
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, not {short_repr(rng)}")
    if policy is not None and not callable(policy):
        raise TypeError(f"policy must be None or callable, not {short_repr(policy)}")
    alone(executor, threads)
    progress_of(progress)
    tell = _untold if progress is None else progress
    with _drawn(rng) as seed:
        records = np.zeros(games, RECORD)
        tell(0, games)
        if executor is not None or checkpoint is not None:
            sums = _in_units(position, seed, records, threads, max_plies, policy, tell, executor, checkpoint)
        elif policy is None:
            sums = _at_random(position, seed, records, threads, max_plies, tell)
        else:
            sums = _by_policy(position, seed, records, threads, max_plies, policy, tell)
    records.flags.writeable = sums.flags.writeable = False
    return Playouts(position, seed, max_plies, records, sums)


@contextmanager
def _drawn(rng: np.random.Generator) -> Iterator[int]:
    """The seed of all games; what the generator was before is given back if they are not played to the end."""
    state = rng.bit_generator.state
    try:
        yield int(rng.integers(0, 1 << 64, dtype=np.uint64))
    except BaseException:
        rng.bit_generator.state = state
        raise


def _untold(done: int, many: int) -> None:
    """Progress that nobody asked for."""
    del done, many


def _at_least_one(field: str, value: int) -> int:
    found = whole(field, value)
    if found < 1:
        raise ValueError(f"{field} must be 1 or more, not {found}")
    return found


def _limit(max_plies: int) -> int:
    found = whole("max_plies", max_plies)
    if not 1 <= found <= MOST_PLIES:
        raise ValueError(f"max_plies must be 1..{MOST_PLIES}, not {found}")
    return found


def _at_random(
    position: Position, seed: int, records: NDArray[np.void], threads: int, max_plies: int, tell: Progress
) -> NDArray[np.int64]:
    """Fills the records by games one after another, and returns the sum of distinct plays by ply."""

    def played(part: tuple[int, int], stop: Stop) -> NDArray[np.int64]:
        return _one_by_one(position, seed, part[0], records[slice(*part)], max_plies, stop)

    sums = np.zeros(0, np.int64)
    parts = _parts(len(records), -(-len(records) // _CHUNK))
    for (_, done), more in zip(parts, in_threads(played, parts, threads), strict=True):
        sums = _added(sums, more)
        tell(done, len(records))
    return sums


def _one_by_one(
    position: Position, seed: int, number: int, records: NDArray[np.void], max_plies: int, stop: Stop
) -> NDArray[np.int64]:
    """Fills the records of random games, those with the numbers from `number` on."""
    table = OneByOne(position, seed, number, records, max_plies)
    while not table.play(_PLIES):
        stop.check()
    return table.by_ply()


def _by_policy(
    position: Position,
    seed: int,
    records: NDArray[np.void],
    threads: int,
    max_plies: int,
    policy: Policy,
    tell: Progress,
    number: int = 0,
) -> NDArray[np.int64]:
    """Fills the records by games side by side, from the one with this number on, and returns the sum of distinct plays by ply."""
    tables = [
        Together(position, seed, number + part[0], records[slice(*part)], max_plies)
        for part in _parts(len(records), min(threads, len(records)))
    ]
    while running := [table for table in tables if table.running]:
        ends = np.cumsum([0, *in_threads(lambda table, _: table.throw(), running, len(running))]).tolist()
        candidates = np.empty((ends[-1], 2, TRACK), np.int8)
        shares = [(table, candidates[first:end]) for table, first, end in zip(running, ends, ends[1:], strict=False)]
        for _ in in_threads(lambda share, _: share[0].write(share[1]), shares, len(shares)):
            pass
        scores = _scores(policy(candidates), ends[-1])
        for table, first, end in zip(running, ends, ends[1:], strict=False):
            table.choose(scores[first:end])
        tell(len(records) - sum(table.running for table in tables), len(records))
    sums = np.zeros(0, np.int64)
    for table in tables:
        sums = _added(sums, table.by_ply())
    return sums


@dataclasses.dataclass(frozen=True)
class _Games:
    """A unit of work: games with following numbers."""

    position: Position
    seed: int
    first: int
    many: int
    max_plies: int
    policy: Policy | None
    threads: int

    def __str__(self) -> str:
        return f"games {self.first:,}..{self.first + self.many - 1:,}"

    def run(self, stop: Stop) -> dict[str, Any]:
        """Plays them."""

        def wanted(done: int, many: int) -> None:
            del done, many
            stop.check()

        records = np.zeros(self.many, RECORD)
        if self.policy is None:
            sums = _one_by_one(self.position, self.seed, self.first, records, self.max_plies, stop)
        else:
            sums = _by_policy(self.position, self.seed, records, self.threads, self.max_plies, self.policy, wanted, self.first)
        return {"records": base64.b64encode(records.astype(_WRITTEN).tobytes()).decode("ascii"), "plays_by_ply": sums.tolist()}


def _in_units(
    position: Position,
    seed: int,
    records: NDArray[np.void],
    threads: int,
    max_plies: int,
    policy: Policy | None,
    tell: Progress,
    executor: Executor | None,
    checkpoint: str | PathLike[str] | None,
) -> NDArray[np.int64]:
    """Fills the records unit by unit, as they are finished, and returns the sum of distinct plays by ply."""
    from tabula.work.units import results, unusable  # here, for it brings in the thread pool, pickle and JSON

    size = _UNIT if policy is None else _UNIT_OF_POLICY
    starts = range(0, len(records), size)
    question = {
        "kind": "playouts",
        "position": position.to_text(),
        "games": len(records),
        "seed": seed,
        "max_plies": max_plies,
        "policy": None if policy is None else _name(policy),
        "games_a_unit": size,
        "rules": {field: value for field, value in position.rules.to_dict().items() if field != "name"},
    }
    # A policy is called by the caller's thread, and the others find its candidates.
    inside, outside = (1, threads) if policy is None else (threads, 1)
    units = (_Games(position, seed, first, min(size, len(records) - first), max_plies, policy, inside) for first in starts)
    sums, done = np.zeros(0, np.int64), 0
    with closing(results(units, len(starts), question, executor=executor, threads=outside, checkpoint=checkpoint)) as found:
        for unit, result in found:
            part = records[starts[unit] : starts[unit] + size]
            try:
                part[:] = np.frombuffer(base64.b64decode(result["records"]), _WRITTEN)
                sums = _added(sums, np.array(result["plays_by_ply"], np.int64))
            except (TypeError, ValueError, LookupError) as error:
                raise unusable(unit, result, f"record of {len(part)} games", checkpoint) from error
            done += len(part)
            tell(done, len(records))
    return sums


def _name(policy: Policy) -> str:
    """Where a policy stands: all that a file can say of it."""
    named = policy if hasattr(policy, "__qualname__") else type(policy)
    return f"{named.__module__}.{named.__qualname__}"


def _parts(many: int, parts: int) -> list[tuple[int, int]]:
    """Ranges of games, nearly equal."""
    return [(many * part // parts, many * (part + 1) // parts) for part in range(parts)]


def _added(one: NDArray[np.int64], two: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sum of two arrays, the shorter of which goes on with zeros."""
    longer, shorter = (one, two) if len(one) >= len(two) else (two, one)
    longer = longer.copy()
    longer[: len(shorter)] += shorter
    return longer


def _scores(told: Any, many: int) -> NDArray[np.float64]:
    """What a policy has returned as `many` float64, or an error that says what is wrong with it."""
    try:
        scores = np.asarray(told)
    except Exception as error:
        raise TypeError(f"the policy must return an array of {many} scores, not {short_repr(told)}") from error
    if scores.dtype.kind not in "fiu" or scores.dtype.itemsize > 8:
        raise TypeError(f"the policy must return real numbers, integers or floats of up to 64 bits, not {scores.dtype}")
    if scores.shape != (many,):
        raise ValueError(f"the policy must return one score for each of {many} candidates, not an array of shape {scores.shape}")
    if scores.dtype.kind != "f" and many and (scores.min() < -_EXACT or scores.max() > _EXACT):
        raise ValueError("the policy must return integers within -2^53..2^53, or floats")
    scores = np.ascontiguousarray(scores, np.float64)
    wrong = np.flatnonzero(np.isnan(scores))
    if len(wrong):
        raise ValueError(f"the policy returned NaN for {len(wrong)} of {many} candidates, the first of them number {wrong[0]}")
    return scores


# ----------------------------------------------------------------------------------------------------------------- the results


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Playouts:
    """Games that have been played, as `playouts` returns them. ``len`` is how many.

    Attributes
    ----------
    position
        Where all games started.
    seed
        What was drawn from the generator.
    max_plies
        After how many plies a game was given up.
    games
        A read-only structured array, a record a game, in the order of their numbers. "The first player" is the side that the
        position has on roll.

        ================  ===========  ==============================================================================
        ``seed``          uint64       the key of the game's stream: what `replay` takes
        ``winner``        int16        0 the first player, 1 the other, -1 nobody within `max_plies`
        ``points``        int16        what the winner won, 1..3; 0 if nobody did
        ``plies``         int32        turns played, passes among them
        ``plays``         int64        distinct plays (afterstates) to choose from, those of all turns together
        ``most_plays``    int32        the most of them in one turn
        ``forced``        int32        turns with exactly one, passes among them
        ``hits``          int32, (2,)  checkers hit by the first player, and by the other
        ``passes``        int32, (2,)  turns with nothing playable, of the first player, and of the other
        ``wasted``        int32        pips of the dice that were not playable, those left when the last checker is off
                                       among them; all pips of a die that bears off count as played
        ``lead_changes``  int32        how often a side came to have fewer pips to go than the other, which had had fewer
                                       before; a tie changes nothing
        ================  ===========  ==============================================================================
    plays_by_ply
        A read-only int64 array: for each ply the distinct plays of all games that got there, together.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import Position
    >>> from tabula.playouts import playouts
    >>> played = playouts(Position(), 100, rng=np.random.default_rng(1))
    >>> played.games.dtype.names[:4], played.games["hits"].shape
    (('seed', 'winner', 'points', 'plies'), (100, 2))
    >>> int(played.plays_by_ply.sum()) == int(played.games["plays"].sum())
    True
    """

    position: Position
    seed: int
    max_plies: int
    games: NDArray[np.void]
    plays_by_ply: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.games)

    def __repr__(self) -> str:
        return f"<Playouts of {self.position.rules.name}: {len(self)} games from {self.position.to_text()}>"

    @property
    def turns_by_ply(self) -> NDArray[np.int64]:
        """A new int64 array: for each ply how many games got there.

        >>> import numpy as np
        >>> from tabula import Position
        >>> from tabula.playouts import playouts
        >>> playouts(Position(), 20, rng=np.random.default_rng(1)).turns_by_ply[:3]
        array([20, 20, 20])
        """
        ended = np.bincount(self.games["plies"], minlength=len(self.plays_by_ply) + 1)
        return (len(self) - np.cumsum(ended))[: len(self.plays_by_ply)].astype(np.int64)

    def summary(self, confidence: float = 0.95) -> Summary:
        """What the games say together; `confidence`, between 0 and 1, is that of the interval for the first player's wins.

        >>> import numpy as np
        >>> from tabula import Position
        >>> from tabula.playouts import playouts
        >>> summary = playouts(Position(), 1000, rng=np.random.default_rng(1)).summary()
        >>> summary.games, summary.unfinished, summary.interval[0] < summary.first_wins / 1000 < summary.interval[1]
        (1000, 0, True)
        """
        games = self.games
        wins = [int((games["winner"] == side).sum()) for side in (0, 1)]
        plies = games["plies"].astype(np.int64)
        turns = max(int(plies.sum()), 1)
        points = np.where(games["winner"] == 1, -1, 1) * games["points"].astype(np.int64)
        return Summary(
            games=len(games),
            unfinished=len(games) - sum(wins),
            max_plies=self.max_plies,
            first_wins=wins[0],
            second_wins=wins[1],
            confidence=confidence,
            interval=wilson(wins[0], sum(wins), confidence),
            first_points=float(points.mean()),
            wins_by_points=tuple(int((games["points"] == won).sum()) for won in (1, 2, 3)),
            plies=float(plies.mean()),
            plies_deviation=float(plies.std()),
            plies_quantiles={share: int(np.quantile(plies, share, method="inverted_cdf")) for share in _QUANTILES},
            shortest=int(plies.min()),
            longest=int(plies.max()),
            plays_a_turn=float(games["plays"].sum() / turns),
            most_plays=int(games["most_plays"].max()),
            forced_share=float(games["forced"].sum(dtype=np.int64) / turns),
            passed_share=float(games["passes"].sum(dtype=np.int64) / turns),
            hits=_pair(games["hits"]),
            passes=_pair(games["passes"]),
            wasted=float(games["wasted"].mean()),
            lead_changes=float(games["lead_changes"].mean()),
        )


def _pair(columns: NDArray[np.int32]) -> tuple[float, float]:
    first, second = columns.mean(axis=0)
    return float(first), float(second)


@dataclasses.dataclass(frozen=True)
class Summary:
    """What games say together. `str` tells it in lines, `to_dict` for JSON.

    Games that were given up count in all figures but the wins and their interval; in the lengths, with the plies they had.

    Attributes
    ----------
    games, unfinished, max_plies
        How many games there were, and how many of them were given up after how many plies.
    first_wins, second_wins
        Games won by the first player, who was on roll in the position, and by the other.
    confidence, interval
        Bounds for the first player's share of the games that ended: a Wilson interval of this confidence.
    first_points
        Points a game that the first player won, less those he lost, on average.
    wins_by_points
        How many games were won with 1, 2 and 3 points.
    plies, plies_deviation, plies_quantiles, shortest, longest
        The length of a game in plies: mean, standard deviation, quantiles (each a length that so large a share of the games does
        not exceed), extremes.
    plays_a_turn, most_plays
        Distinct plays of a turn, on average over all turns, and at most.
    forced_share, passed_share
        The share of the turns with exactly one play, passes among them, and with nothing playable.
    hits, passes
        Hits and passes a game, by the first player and by the other.
    wasted, lead_changes
        A game's pips of dice that could not be played, and changes of the lead in pips.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import BACKGAMMON, Position
    >>> from tabula.playouts import playouts
    >>> print(str(playouts(Position(BACKGAMMON), 200, rng=np.random.default_rng(1)).summary()).splitlines()[0])
    games              200
    """

    games: int
    unfinished: int
    max_plies: int
    first_wins: int
    second_wins: int
    confidence: float
    interval: tuple[float, float]
    first_points: float
    wins_by_points: tuple[int, ...]
    plies: float
    plies_deviation: float
    plies_quantiles: dict[float, int]
    shortest: int
    longest: int
    plays_a_turn: float
    most_plays: int
    forced_share: float
    passed_share: float
    hits: tuple[float, float]
    passes: tuple[float, float]
    wasted: float
    lead_changes: float

    def to_dict(self) -> dict[str, Any]:
        """A dict of plain values, which JSON can hold; the quantiles are keyed by text.

        >>> import numpy as np
        >>> from tabula import Position
        >>> from tabula.playouts import playouts
        >>> told = playouts(Position(), 20, rng=np.random.default_rng(1)).summary().to_dict()
        >>> told["games"], sorted(told["plies_quantiles"])[:2]
        (20, ['0.01', '0.05'])
        """
        told = dataclasses.asdict(self)
        told["plies_quantiles"] = {str(share): plies for share, plies in self.plies_quantiles.items()}
        return told

    def __str__(self) -> str:
        ended = self.games - self.unfinished
        low, high = self.interval
        rows = [("games", f"{self.games:,}")]
        if self.unfinished:
            rows.append(("unfinished", f"{self.unfinished:,} given up after {self.max_plies:,} plies; not counted in the wins"))
        if ended:
            rows.append(
                (
                    "first player wins",
                    f"{self.first_wins / ended:.2%} of {ended:,} ({self.confidence:.0%}: {low:.2%} to {high:.2%})",
                )
            )
        rows.append(("points a game", f"{self.first_points:+.4f} for the first player"))
        if sum(self.wins_by_points[1:]):
            rows.append(("won with 1, 2, 3", ", ".join(f"{won / ended:.2%}" for won in self.wins_by_points)))
        rows += [
            ("plies", f"{self.plies:.2f} on average, deviation {self.plies_deviation:.2f}"),
            (
                "quantiles",
                ", ".join(
                    [
                        f"{self.shortest}",
                        *(f"{share:.0%} {plies}" for share, plies in self.plies_quantiles.items()),
                        f"{self.longest}",
                    ]
                ),
            ),
            ("plays a turn", f"{self.plays_a_turn:.2f} on average, {self.most_plays:,} at most"),
            ("forced turns", f"{self.forced_share:.2%}, passes {self.passed_share:.2%} among them"),
            ("hits a game", _both(self.hits)),
            ("passes a game", _both(self.passes)),
            ("pips wasted", f"{self.wasted:.2f} a game"),
            ("lead changes", f"{self.lead_changes:.2f} a game"),
        ]
        return "\n".join(f"{name:<18} {value}" for name, value in rows)


def _both(pair: tuple[float, float]) -> str:
    return f"{pair[0]:.2f} by the first player, {pair[1]:.2f} by the other"


def wilson(wins: int, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Bounds for a chance of which `wins` in `games` were seen, at a confidence between 0 and 1.

    The score interval of E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
    American Statistical Association 22 (1927). With no games nothing is known: 0 to 1.

    Raises ValueError for a confidence out of its range, and for wins that are not 0..games.

    >>> low, high = wilson(60, 100)
    >>> round(low, 3), round(high, 3)
    (0.502, 0.691)
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {short_repr(confidence)}")
    if not 0 <= wins <= games:
        raise ValueError(f"wins must be 0..{short_repr(games)}, not {short_repr(wins)}")
    if not games:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = wins / games, 1 + z * z / games
    centre = (share + z * z / (2 * games)) / weight
    half = z / weight * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    # Where all games or none were won the bound is 1 or 0 itself, which rounding must not pass.
    return (0.0 if wins == 0 else centre - half), (1.0 if wins == games else centre + half)


# ------------------------------------------------------------------------------------------------------------------- one game


def replay(position: Position, seed: int, *, policy: Policy | None = None, max_plies: int = MAX_PLIES) -> Game:
    """One game of `playouts` again, turn by turn, as a `tabula.game.Game`.

    Parameters
    ----------
    position
        Where it started.
    seed
        Its key, as its record has it.
    policy
        The policy that it was played with. It is now asked about one game at a time, and a policy whose scores depend on what else
        is in the array may choose otherwise.
    max_plies
        After so many plies it is given up.

    Raises
    ------
    TypeError, ValueError
        As `playouts` raises them.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import Position
    >>> from tabula.playouts import playouts, replay
    >>> played = playouts(Position(), 3, rng=np.random.default_rng(1))
    >>> game = replay(Position(), played.games["seed"][2])
    >>> (len(game.turns), game.outcome.winner) == (played.games["plies"][2], played.games["winner"][2])
    True
    """
    if not isinstance(position, _position.Position):
        raise TypeError(f"position must be a Position, not {short_repr(position)}")
    seed, max_plies = whole("seed", seed), _limit(max_plies)
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be 0..2^64 - 1, not {short_repr(seed)}")
    dice = position.rules.dice
    game = Game(position.rules, start=position)
    while game.outcome is None and len(game.turns) < max_plies:
        ply = len(game.turns)
        game.roll(roll_at(seed, ply, dice))
        plays = game.plays
        if policy is None:
            chosen = choice_at(seed, ply, dice, len(plays))
        else:
            chosen = int(np.argmax(_scores(policy(plays.positions), len(plays))))
        game.push(plays[chosen])
    return game


# -------------------------------------------------------------------------------------------------------------------- pictures


def plot(played: Playouts, file: str | PathLike[str]) -> None:
    """Draws how long games are and how many plays their turns have, by ply, into a file; its ending says which kind of picture.

    The picture ends with the ply that one game in a thousand goes beyond, and the mean number of plays with the ply that one in a
    hundred does: after it, it is the mean of few games.

    Matplotlib is needed: ``pip install "tabula-movegen[plot]"``.

    Raises ImportError without it, ValueError for an ending that it does not know, OSError for a file that cannot be written.

    >>> import numpy as np
    >>> from tabula import Position
    >>> from tabula.playouts import playouts, plot
    >>> plot(playouts(Position(), 100, rng=np.random.default_rng(1)), "games.svg")
    """
    figure = drawing(file)
    length, branching = figure.subplots(2, 1, sharex=True)
    plies = played.games["plies"]
    last = max(int(np.quantile(plies, 0.999, method="inverted_cdf")), 1)
    width = max(1, last // 100)
    length.hist(plies, bins=np.arange(0, last + width + 1, width), color="tab:blue")
    length.axvline(float(plies.mean()), color="black", linewidth=1, label=f"mean {plies.mean():.1f}")
    length.set_ylabel("games" if width == 1 else f"games, {width} plies a bar")
    many = "1 game" if len(played) == 1 else f"{len(played):,} games"
    length.set_title(f"{many} of {played.position.rules.name} from {played.position.to_text()}", fontsize=10)
    length.legend()
    turns = played.turns_by_ply
    turns = turns[: np.count_nonzero(100 * turns >= len(played))]
    plays = played.plays_by_ply[: len(turns)] / turns
    branching.plot(np.arange(1, len(plays) + 1), plays, color="tab:orange", linewidth=1)
    branching.set_xlabel("ply")
    branching.set_ylabel("distinct plays a turn, mean")
    branching.set_ylim(bottom=0)
    for axes in (length, branching):
        axes.grid(alpha=0.3)
        axes.set_xlim(0, last)
    figure.savefig(file)


def drawing(file: str | PathLike[str]) -> Any:
    """An empty matplotlib figure that needs no screen, once it is clear that it can be saved under such a name.

    Raises ImportError where matplotlib is missing, with a sentence that says how to install it, and ValueError for a name with no
    ending or one that matplotlib does not know.

    >>> from tabula.playouts import drawing
    >>> drawing("games.svg").axes
    []
    """
    try:
        figure: Any = importlib.import_module("matplotlib.figure").Figure(figsize=(8, 7), dpi=120, layout="constrained")
    except ImportError as error:
        raise ImportError('plots need matplotlib, which is not installed: pip install "tabula-movegen[plot]"') from error
    known = sorted(figure.canvas.get_supported_filetypes())
    ending = PurePath(file).suffix.removeprefix(".").lower()
    if ending not in known:
        raise ValueError(f"the picture's name must end with one of .{', .'.join(known)}, not {short_repr(PurePath(file).name)}")
    return figure
