"""Playing whole games: at random in native code, or by a policy; here, in threads, or in units of work over an executor."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabula import batch
from tabula._arguments import at_least, check_executor, check_progress, generator, thread_count, whole, within
from tabula._native import position as _position
from tabula._native.playouts import RECORD, PolicyGames, RandomGames, choice_at, roll_at
from tabula.errors import short_repr
from tabula.game import Game
from tabula.playouts.records import Playouts
from tabula.rules import TRACK
from tabula.work.threads import Progress, Stop, in_threads

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from os import PathLike

    from tabula._native.position import Position
    from tabula.rules import Rules

__all__ = ["MAX_PLIES", "MOST_GAMES", "MOST_PLIES", "Policy", "playouts", "replay"]

Policy: TypeAlias = Callable[[NDArray[np.int8]], Any]
"""Gets candidate afterstates, int8 (m, 2, 26), with sides swapped, and returns m scores for the side that has just moved."""

MAX_PLIES: Final = 10_000
"""After so many plies a game is given up, if nothing else is said: many times what the longest of a million games took."""

MOST_GAMES: Final = 1 << 40
"""The most games of one call: more records than any memory holds."""

MOST_PLIES: Final = 1 << 24
"""The largest `max_plies`."""

_GAMES_A_THREAD_UNIT: Final = 128
"""How many random games are one unit of work for a thread."""

_PLIES_A_CALL: Final = 8192
"""How many plies are played in one call to the native core: some milliseconds, so that Ctrl-C is heard between two."""

_GAMES_A_UNIT: Final = 2048
"""How many random games are one unit of work for an executor or a checkpoint: some hundredths of a second, 115 kB of records."""

_GAMES_A_POLICY_UNIT: Final = 256
"""How many, with a policy, which may be a thousand times as slow."""

_SENT_RECORD: Final = RECORD.newbyteorder("<")
"""A record as it is sent and stored, by machines of either byte order."""

_SENT_COUNT: Final = np.dtype("<i8")
"""The number of distinct plays of a ply, likewise."""

_EXACT: Final = 1 << 53
"""Whole numbers up to this have a float64 of their own."""


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
        A game that is not over after so many plies (1..16,777,216) is given up: it is counted, and its winner is -1. So is, after a
        pass, one in which neither side can ever move again (`Position.stuck`).
    progress
        Called with how many games are done, and how many there are.
    executor
        What plays, instead of this process: a `concurrent.futures.Executor`, such as a `ProcessPoolExecutor` or the one that
        `dask.distributed.Client(...).get_executor()` gives; docs/scaling.md has more. The games are split by their numbers, 2,048
        random ones a unit of work. How many threads a worker has is the executor's affair: `threads` stays 1.
    checkpoint
        A file that finished units are stored in, some 75 bytes a game (see `tabula.work`), with an executor or without. If
        there is such a file, the playing goes on from it. The same state of `rng` asks the same question; another is refused. Of a
        policy the file has only the name.

    Raises
    ------
    TypeError
        An argument of the wrong type; scores that are not real numbers; a policy that cannot be pickled, with an executor.
    ValueError
        An argument out of its range; scores of the wrong shape, NaN, or integers beyond 2^53; `threads` with an executor; an
        `InvalidCheckpointError`, if the file is that of another question.
    tabula.work.UnitFailedError, concurrent.futures.BrokenExecutor
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
    _position.checked_position(position)
    games = at_least("games", games, 1, MOST_GAMES)
    threads = thread_count(threads)
    max_plies = within("max_plies", max_plies, 1, MOST_PLIES)
    generator(rng)
    if policy is not None and not callable(policy):
        raise TypeError(f"policy must be None or callable, not {short_repr(policy)}")
    check_executor(executor, threads)
    check_progress(progress)
    report = _no_report if progress is None else progress
    with _drawn(rng) as seed:
        records = np.zeros(games, RECORD)
        report(0, games)
        if executor is not None or checkpoint is not None:
            sums = _in_units(position, seed, records, threads, max_plies, policy, report, executor, checkpoint)
        elif policy is None:
            sums = _at_random(position, seed, records, threads, max_plies, report)
        else:
            sums = _by_policy(position, seed, records, threads, max_plies, policy, report)
    records.flags.writeable = sums.flags.writeable = False
    return Playouts(position, seed, max_plies, records, sums)


@contextmanager
def _drawn(rng: np.random.Generator) -> Iterator[int]:
    """The seed of all games, drawn from `rng`, which goes back to its state before if they are not played to the end."""
    state = rng.bit_generator.state
    try:
        yield int(rng.integers(0, 1 << 64, dtype=np.uint64))
    except BaseException:
        rng.bit_generator.state = state
        raise


def _no_report(done: int, games: int) -> None:
    """Progress that nobody has asked for."""
    del done, games


def _at_random(
    position: Position, seed: int, records: NDArray[np.void], threads: int, max_plies: int, report: Progress
) -> NDArray[np.int64]:
    """Fills the records by games one after another, and returns the sum of distinct plays by ply."""

    def played(part: tuple[int, int], stop: Stop) -> NDArray[np.int64]:
        return _play_randomly(position, seed, part[0], records[slice(*part)], max_plies, stop)

    sums = np.zeros(0, np.int64)
    parts = _parts(len(records), -(-len(records) // _GAMES_A_THREAD_UNIT))
    for (_, done), more in zip(parts, in_threads(played, parts, threads), strict=True):
        sums = _added(sums, more)
        report(done, len(records))
    return sums


def _play_randomly(
    position: Position, seed: int, number: int, records: NDArray[np.void], max_plies: int, stop: Stop
) -> NDArray[np.int64]:
    """Fills the records of random games, those with the numbers from `number` on."""
    games = RandomGames(position, seed, number, records, max_plies)
    while not games.play(_PLIES_A_CALL):
        stop.check()
    return games.plays_by_ply()


def _by_policy(
    position: Position,
    seed: int,
    records: NDArray[np.void],
    threads: int,
    max_plies: int,
    policy: Policy,
    report: Progress,
    number: int = 0,
) -> NDArray[np.int64]:
    """Fills the records by games side by side, from the one with this number on, and returns the sum of distinct plays by ply."""
    shares = [
        PolicyGames(position, seed, number + part[0], records[slice(*part)], max_plies)
        for part in _parts(len(records), min(threads, len(records)))
    ]
    while running := [share for share in shares if share.running]:
        ends = np.cumsum([0, *in_threads(lambda share, _: share.throw(), running, len(running))]).tolist()
        candidates = np.empty((ends[-1], 2, TRACK), np.int8)
        parts = [candidates[first:end] for first, end in itertools.pairwise(ends)]
        for _ in in_threads(lambda each, _: each[0].write_candidates(each[1]), zip(running, parts, strict=True), len(parts)):
            pass
        scores = _checked_scores(policy(candidates), ends[-1])
        for share, first, end in zip(running, ends, ends[1:], strict=False):
            share.choose(scores[first:end])
        report(len(records) - sum(share.running for share in shares), len(records))
    sums = np.zeros(0, np.int64)
    for share in shares:
        sums = _added(sums, share.plays_by_ply())
    return sums


@dataclasses.dataclass(frozen=True)
class _Games:
    """A unit of work: games with following numbers."""

    position: Position
    seed: int
    first: int
    n_games: int
    max_plies: int
    policy: Policy | None
    threads: int

    def __str__(self) -> str:
        return f"games {self.first:,}..{self.first + self.n_games - 1:,}"

    def run(self, stop: Stop) -> bytes:
        """Plays them. The result is their records, and behind them the sum of distinct plays by ply."""

        def check(done: int, games: int) -> None:
            del done, games
            stop.check()

        records = np.zeros(self.n_games, RECORD)
        if self.policy is None:
            sums = _play_randomly(self.position, self.seed, self.first, records, self.max_plies, stop)
        else:
            sums = _by_policy(self.position, self.seed, records, self.threads, self.max_plies, self.policy, check, self.first)
        return records.astype(_SENT_RECORD).tobytes() + sums.astype(_SENT_COUNT).tobytes()


def _in_units(
    position: Position,
    seed: int,
    records: NDArray[np.void],
    threads: int,
    max_plies: int,
    policy: Policy | None,
    report: Progress,
    executor: Executor | None,
    checkpoint: str | PathLike[str] | None,
) -> NDArray[np.int64]:
    """Fills the records unit by unit, as they are finished, and returns the sum of distinct plays by ply."""
    from tabula.work.units import results, unusable  # here, for it brings in the thread pool, pickle and JSON

    size = _GAMES_A_UNIT if policy is None else _GAMES_A_POLICY_UNIT
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
            end = len(part) * _SENT_RECORD.itemsize
            if not isinstance(result, bytes) or len(result) < end or len(result[end:]) % _SENT_COUNT.itemsize:
                raise unusable(unit, result, f"record of {len(part)} games", checkpoint)
            part[:] = np.frombuffer(result[:end], _SENT_RECORD)
            sums = _added(sums, np.frombuffer(result[end:], _SENT_COUNT).astype(np.int64))
            done += len(part)
            report(done, len(records))
    return sums


def _name(policy: Policy) -> str:
    """Where a policy stands: all that a file can say of it."""
    named = policy if hasattr(policy, "__qualname__") else type(policy)
    return f"{named.__module__}.{named.__qualname__}"


def _parts(n_games: int, n_parts: int) -> list[tuple[int, int]]:
    """Ranges of games, nearly equal."""
    return [(n_games * part // n_parts, n_games * (part + 1) // n_parts) for part in range(n_parts)]


def _added(one: NDArray[np.int64], two: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sum of two arrays, the shorter of which goes on with zeros."""
    longer, shorter = (one, two) if len(one) >= len(two) else (two, one)
    longer = longer.copy()
    longer[: len(shorter)] += shorter
    return longer


def _checked_scores(returned: Any, m: int) -> NDArray[np.float64]:
    """What a policy has returned for `m` candidates, as float64, or an error that says what is wrong with it."""
    try:
        scores = np.asarray(returned)
    except Exception as error:
        raise TypeError(f"the policy must return an array of {m} scores, not {short_repr(returned)}") from error
    if scores.dtype.kind not in "fiu" or scores.dtype.itemsize > 8:
        raise TypeError(f"the policy must return real numbers, integers or floats of up to 64 bits, not {scores.dtype}")
    if scores.shape != (m,):
        raise ValueError(f"the policy must return one score for each of {m} candidates, not an array of shape {scores.shape}")
    if scores.dtype.kind != "f" and m and (scores.min() < -_EXACT or scores.max() > _EXACT):
        raise ValueError("the policy must return integers within -2^53..2^53, or floats")
    scores = np.ascontiguousarray(scores, np.float64)
    wrong = np.flatnonzero(np.isnan(scores))
    if len(wrong):
        raise ValueError(f"the policy returned NaN for {len(wrong)} of {m} candidates, the first of them number {wrong[0]}")
    return scores


def replay(position: Position, seed: int, *, policy: Policy | None = None, max_plies: int = MAX_PLIES) -> Game:
    """One game of `playouts` again, turn by turn, as a `tabula.game.Game`.

    Parameters
    ----------
    position
        Where it started.
    seed
        The key of the game's stream, which its record has as `seed`; not the seed of all games, `Playouts.seed`.
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
    _position.checked_position(position)
    key, max_plies = whole("seed", seed), within("max_plies", max_plies, 1, MOST_PLIES)
    if not 0 <= key < 1 << 64:
        raise ValueError(f"seed must be 0..2^64 - 1, not {short_repr(key)}")
    dice = position.rules.dice
    game = Game(position.rules, start=position)
    while game.outcome is None and len(game.turns) < max_plies and not _gave_up(game):
        ply = len(game.turns)
        game.roll(roll_at(key, ply, dice))
        plays = game.plays
        if policy is None:
            chosen = choice_at(key, ply, dice, len(plays))
        else:
            chosen = int(np.argmax(_checked_scores(policy(plays.positions), len(plays))))
        game.push(plays[chosen])
    return game


def _gave_up(game: Game) -> bool:
    """Whether a game has come to a place where it is given up: neither side can ever move again, and the last turn was a pass."""
    return bool(game.turns) and not game.turns[-1].play.moves and game.position.stuck


def gave_up(before: NDArray[np.int8], after: NDArray[np.int8], rules: Rules) -> NDArray[np.bool_]:
    """The same of many games after a ply, bool (n), from their positions before and after it, (n, 2, 26)."""
    # After a pass the rows have changed places and nothing else has.
    passed = np.flatnonzero((before[:, 0] == after[:, 1]).all(axis=1))
    ended = np.zeros(len(after), np.bool_)
    if len(passed):
        ended[passed] = batch.stuck(after[passed], rules=rules, check=False)
    return ended
