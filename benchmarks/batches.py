"""Whole arrays and whole games: afterstates, counts, keys and random games a second, beside peers and with two threads.

    python -m pip install --group peers
    python benchmarks/batches.py

A corpus is repeated until it has a hundred thousand turns. Every answer is compared with what the corpus states, or with the same
call in another way, before a time is printed. Seconds are of processor time where one thread works, and by the clock where two do;
what a loop of pure arithmetic gains from a second thread is measured in the same rounds. A peer that is not installed is left out.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple

import corpora
import numpy as np
from growth import arithmetic
from peers import Bgsage, GnubgNN, Timed, best_rates

from tabula import Position, batch
from tabula.playouts import playouts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from tabula import Rules

ROWS: Final = 100_000
GAMES: Final = 2000
SEED: Final = 1


class Rows(NamedTuple):
    """A corpus as arrays, repeated, and how many afterstates it has in all."""

    rules: Rules
    positions: npt.NDArray[np.int8]
    rolls: npt.NDArray[np.uint8]
    plays: int


def rows(name: str, n: int) -> Rows:
    """At most `n` rows of a corpus, repeated as often as it fits."""
    turns = corpora.read(name).turns[:n]
    times = n // len(turns)
    positions = np.array([(turn.position.mover, turn.position.other) for turn in turns], np.int8)
    rolls = np.array([turn.roll for turn in turns], np.uint8)
    plays = times * sum(turn.plays for turn in turns)
    return Rows(corpora.GAMES[name], np.tile(positions, (times, 1, 1)), np.tile(rolls, (times, 1)), plays)


def alone(name: str, data: Rows, games: int) -> Iterator[Timed]:
    """What one thread does; a result is an afterstate, a position, or a game."""
    rules, positions, rolls, plays = data
    n = len(positions)
    out = np.zeros((plays, 2, 26), np.int8)
    keys = batch.pack(positions, rules=rules)
    if not np.array_equal(batch.unpack(keys, rules=rules), positions):
        raise ValueError("keys are unpacked to other positions")
    ended = sum(playouts(Position(rules), games, rng=np.random.default_rng(SEED)).games["winner"] >= 0)

    def copy() -> int:
        np.copyto(out, source)
        return plays

    def listed(into: npt.NDArray[np.int8] | None, threads: int = 1) -> int:
        return len(batch.afterstates(positions, rolls, rules=rules, out=into, threads=threads).positions)

    source = batch.afterstates(positions, rolls, rules=rules).positions
    yield Timed(f"{name}: copying the afterstates", "positions", copy, plays)
    yield Timed(f"{name}: `afterstates(..., out=)`", "positions", lambda: listed(out), plays)
    yield Timed(f"{name}: `afterstates`, into new memory", "positions", lambda: listed(None), plays)
    yield Timed(f"{name}: `counts`", "positions", lambda: int(batch.counts(positions, rolls, rules=rules).sum()), plays)
    yield Timed(f"{name}: `pack`, checked", "positions", lambda: len(batch.pack(positions, rules=rules)), n)
    yield Timed(f"{name}: `unpack`, checked", "positions", lambda: len(batch.unpack(keys, rules=rules)), n)
    yield Timed(f"{name}: `unpack(check=False)`", "positions", lambda: len(batch.unpack(keys, rules=rules, check=False)), n)
    yield Timed(f"{name}: random games", "games", lambda: finished(rules, games, 1), int(ended))


def finished(rules: Rules, games: int, threads: int) -> int:
    """Plays so many random games, and returns how many came to an end."""
    played = playouts(Position(rules), games, rng=np.random.default_rng(SEED), threads=threads)
    return int((played.games["winner"] >= 0).sum())


def theirs(games: int) -> Iterator[Timed]:
    """What peers do, where they are installed: bgsage lists boards, plain, as arrays, as keys, and gnubg-nn plays random games."""
    turns = corpora.read("backgammon").turns
    plays = sum(turn.plays for turn in turns)
    try:
        bgsage = Bgsage(turns)
    except ImportError as error:
        print(f"bgsage is left out: {error}.")
    else:
        yield Timed("bgsage: lists of 26", "positions", *bgsage.timed()[0][2:])
        yield Timed(
            "bgsage: arrays",
            "positions",
            lambda: sum(len(bgsage.all_from_peer(bgsage.possible(*asked))) for asked in bgsage.asked),
            plays,
        )
        yield Timed(
            "bgsage: keys in Python", "positions", lambda: sum(len(bgsage.afterstates(i)) for i in range(len(turns))), plays
        )
    try:
        gnubg = GnubgNN(turns)
    except ImportError as error:
        print(f"gnubg-nn is left out: {error}.")
        return
    yield Timed("gnubg-nn: random games", "games", lambda: sum(driven(gnubg, number) for number in range(games)), games)


def driven(gnubg: GnubgNN, number: int) -> int:
    """One random game of backgammon on gnubg-nn's list of keys: 1 when it has come to its end."""
    source = random.Random(number)
    start = corpora.GAMES["backgammon"].setup
    board: Sequence[Sequence[int]] = [list(gnubg.to_peer(start)), list(gnubg.to_peer(start))]
    while True:
        keys = gnubg.moves([list(board[0]), list(board[1])], source.randint(1, 6), source.randint(1, 6))
        if keys:
            board = gnubg.board(keys[source.randrange(len(keys))])
            if not any(board[1]):
                return 1
        board = [board[1], board[0]]


def together(data: Rows, games: int, iterations: int, rounds: int) -> Iterator[str]:
    """Rows for one and two threads by the clock: the arithmetic, afterstates and random games, all in turn in every round."""
    rules, positions, rolls, plays = data
    out = np.zeros((plays, 2, 26), np.int8)
    once = arithmetic(iterations)
    ended = finished(rules, games, 1)

    def hashes(threads: int) -> bool:
        with ThreadPoolExecutor(threads) as pool:
            return set(pool.map(arithmetic, [iterations] * 2)) == {once}

    def listed(threads: int) -> bool:
        return len(batch.afterstates(positions, rolls, rules=rules, out=out, threads=threads).positions) == plays

    ways: dict[str, Callable[[int], bool]] = {
        "arithmetic": hashes,
        "`afterstates(..., out=)`": listed,
        "random games": lambda threads: finished(rules, games, threads) == ended,
    }
    best = {(name, threads): float("inf") for name in ways for threads in (1, 2)}
    for _ in range(rounds):
        for name, threads in best:
            began = time.perf_counter()
            if not ways[name](threads):
                raise ValueError(f"{name} with {threads} threads came to something else")
            best[name, threads] = min(best[name, threads], time.perf_counter() - began)
    ceiling = best["arithmetic", 1] / best["arithmetic", 2]
    for name in ways:
        one, two = best[name, 1], best[name, 2]
        yield f"| {name} | {one:.4f} | {two:.4f} | {one / two:.2f} | {100 * one / two / ceiling:.0f}% |"


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description="Time batches and random games.")
    parser.add_argument("--rows", type=int, default=ROWS, help=f"rows of a batch ({ROWS})")
    parser.add_argument("--games", type=int, default=GAMES, help=f"random games in a call ({GAMES})")
    parser.add_argument("--rounds", type=int, default=21, help="rounds of timing (21)")
    parser.add_argument("--iterations", type=int, default=300_000, help="length of the arithmetic (300000)")
    args = parser.parse_args(argv)
    data = {name: rows(name, args.rows) for name in ("tabula", "backgammon")}
    ways = [way for name, each in data.items() for way in alone(name, each, args.games)]
    ways += theirs(max(args.games // 20, 1))
    rates = dict(zip([way.name for way in ways], best_rates(ways, args.rounds), strict=True))
    print("| one thread | a second |\n|---|---|")
    for way in ways:
        rate = f"{rates[way.name] / 1e6:,.1f} M" if rates[way.name] > 1e6 else f"{rates[way.name]:,.0f}"
        print(f"| {way.name} | {rate} {way.how} |")
    for ours, peer in (
        ("backgammon: `afterstates(..., out=)`", "bgsage: arrays"),
        ("backgammon: `afterstates`, into new memory", "bgsage: arrays"),
        ("backgammon: random games", "gnubg-nn: random games"),
    ):
        if peer in rates:
            print(f"\n{ours} beside {peer}: {rates[ours] / rates[peer]:,.1f} times")
    for name, each in data.items():
        print(f"\n| {name} | 1 thread, s | 2 threads, s | gain | of the arithmetic's gain |\n|---|---|---|---|---|")
        print("\n".join(together(each, args.games, args.iterations, args.rounds)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
