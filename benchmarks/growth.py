"""How time and memory grow: with depth, with the number of plays, and from one thread to two.

    python benchmarks/growth.py

Prints the tables of docs/benchmarks.md, or those that are named: depth, plays, threads. Times are processor time, but for the
threads, which are timed by the clock. Memory is the peak resident size of a process of its own, less its size before; not every
system reports it. Two threads are compared with the gain of a loop of pure arithmetic without the GIL from two threads in the
same run. Every answer is checked.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, ParamSpec, TypeVar

import corpora
import native

from tabula import Position, perft
from tabula.counting import published
from tabula.rules import PRESETS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corpora import Turn

GAMES: Final = ("tabula", "backgammon")
TABLES: Final = {"depth": "Depth", "plays": "Number of plays", "threads": "Threads"}

BOUNDS: Final = (1, 2, 5, 10, 20, 50, 100, 1000)
"""Turns are put together by their number of plays: from each bound to below the next."""

_LONG: Final = 1.0
"""A perft that takes longer than so many seconds is timed once."""

_SHORT: Final = 0.02
"""A shorter one is repeated until it has taken so many seconds."""

_HELD: Final = 20_000
"""About so many lists of plays are held at once to see how much memory one takes."""

P = ParamSpec("P")
Result = TypeVar("Result")

WARM: Final = 500_000
"""The length of the arithmetic before a process is timed: some tenths of a second."""


class Walk(NamedTuple):
    """One perft: its leaves, the seconds it took, and how many bytes more than before were resident at most."""

    leaves: int
    seconds: float
    bytes: int | None


def alone(function: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
    """What a function returns in a fresh process, whose memory nothing else has touched."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *args, **kwargs).result()


def resident(field: str) -> int | None:
    """Bytes this process has resident, now (``"VmRSS"``) or at most so far (``"VmHWM"``); None where the system does not say."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    kilobytes = [line.split()[1] for line in status.read_text(encoding="utf-8").splitlines() if line.startswith(field)]
    return 1024 * int(kilobytes[0])


def less(after: int | None, before: int | None) -> int | None:
    """The difference, if both are known."""
    return None if after is None or before is None else max(after - before, 0)


def walk(game: str, depth: int, merge: bool) -> Walk:
    """One perft from the start; the leaves must be the published ones."""
    start = Position(PRESETS[game])
    right = published(start)[depth].leaves
    perft(start, 1)
    arithmetic(WARM)  # a processor that has been idle takes a moment to run at its full speed
    before = resident("VmHWM")
    best, spent = float("inf"), 0.0
    while spent < _SHORT:
        began = time.process_time()
        leaves = perft(start, depth, merge=merge)
        seconds = time.process_time() - began
        if leaves != right:
            raise ValueError(f"perft({depth}) of {game} came to {leaves}, and {right} is right")
        best = min(best, seconds)
        spent += seconds
    return Walk(right, best, less(resident("VmHWM"), before))


def by_depth(depth: int, merged: int, rounds: int) -> Iterator[str]:
    """Rows for each depth: each leaf counted down to `depth`, and repeated positions merged down to `merged`."""
    ways = [(game, plies, False) for game in GAMES for plies in range(1, depth + 1)]
    ways += [(game, plies, True) for game in GAMES for plies in range(2, merged + 1)]
    found: dict[tuple[str, int, bool], list[Walk]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, walks in found.items():
            if not walks or walks[0].seconds < _LONG:
                walks.append(alone(walk, *way))
    yield "| game | depth | repeated positions | leaves | seconds | M leaves a second | memory, MB |"
    yield "|---|---|---|---|---|---|---|"
    for (game, plies, merge), walks in found.items():
        seconds = min(each.seconds for each in walks)
        memory = min((each.bytes for each in walks if each.bytes is not None), default=None)
        kind = "merged" if merge else "counted again"
        rate = walks[0].leaves / seconds / 1e6
        yield f"| {game} | {plies} | {kind} | {walks[0].leaves:,} | {seconds:.6f} | {rate:,.0f} | {megabytes(memory)} |"


def megabytes(amount: int | None) -> str:
    """For a table: so many MB, or that it is not known."""
    return "not known" if amount is None else f"{amount / 1e6:.1f}"


def held(game: str, low: int, high: int, turns: int) -> float | None:
    """Bytes that a `Plays` of one of these turns takes, on average over many of them held at once."""
    chosen = select(corpora.read(game).turns[:turns], low, high)
    times = max(1, _HELD // len(chosen))
    gc.collect()
    before = resident("VmRSS")
    lists = [turn.position.plays(turn.roll) for _ in range(times) for turn in chosen]
    taken = less(resident("VmRSS"), before)
    return None if taken is None else taken / len(lists)


def select(turns: Sequence[Turn], low: int, high: int) -> list[Turn]:
    """The turns with at least `low` plays and fewer than `high`."""
    return [turn for turn in turns if low <= turn.plays < high]


def by_plays(turns: int, rounds: int) -> Iterator[str]:
    """Rows for the turns of a corpus, put together by how many plays they have."""
    groups = [Group(game, low, high, turns) for game in GAMES for low, high in pairwise(BOUNDS)]
    groups = [group for group in groups if group.turns]
    for _ in range(rounds):
        for group in groups:
            group.round()
    yield "| game | plays | turns | mean plays | `len(plays)`, ns | `.positions`, ns | built natively, ns | ns a play | bytes |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for group in groups:
        yield group.row()


class Group:
    """The turns of a corpus with at least `low` plays and fewer than `high`, and the best times of a pass over them."""

    def __init__(self, game: str, low: int, high: int, turns: int) -> None:
        self.game, self.low, self.high = game, low, high
        self.turns = select(corpora.read(game).turns[:turns], low, high)
        self.plays = sum(turn.plays for turn in self.turns)
        self.passes = 4000 // max(len(self.turns), 1) + 1
        self.ways: list[Callable[[], int]] = [lambda: lengths(self.turns, self.passes), lambda: positions(self.turns, self.passes)]
        loop = native.turns(self.turns) if self.turns else None
        if loop is not None:
            self.ways.append(lambda: loop.build(self.passes))
        self.best = [float("inf")] * len(self.ways)
        self.bytes = alone(held, game, low, high, turns) if self.turns else None

    def round(self) -> None:
        """Times each way once; each must come to the right number of plays."""
        for index, way in enumerate(self.ways):
            began = time.process_time()
            found = way()
            self.best[index] = min(self.best[index], time.process_time() - began)
            if found != self.plays * self.passes:
                raise ValueError(f"a pass came to {found} plays, and {self.plays * self.passes} is right")

    def row(self) -> str:
        """Its row of the table."""
        span = str(self.low) if self.high == self.low + 1 else f"{self.low} to {self.high - 1}"
        best = [f"{best * 1e9 / self.passes / len(self.turns):.0f}" for best in self.best]
        built = f"{self.best[2] * 1e9 / self.passes / self.plays:.1f}" if len(self.ways) == 3 else "not compiled | not compiled"
        held_bytes = "not known" if self.bytes is None else f"{self.bytes:.0f}"
        mean = self.plays / len(self.turns)
        return f"| {self.game} | {span} | {len(self.turns)} | {mean:.1f} | {' | '.join(best)} | {built} | {held_bytes} |"


def lengths(turns: Sequence[Turn], passes: int) -> int:
    """The plays of the turns, so many times over, by `len`."""
    return sum([len(turn.position.plays(turn.roll)) for _ in range(passes) for turn in turns])


def positions(turns: Sequence[Turn], passes: int) -> int:
    """The plays of the turns, so many times over, by `.positions`."""
    return sum([len(turn.position.plays(turn.roll).positions) for _ in range(passes) for turn in turns])


def arithmetic(iterations: int) -> bytes:
    """A loop of pure arithmetic that holds no GIL and touches next to no memory: one hash of another, so many times."""
    return hashlib.pbkdf2_hmac("sha256", b"tabula", b"", iterations)


def by_threads(depth: int, rounds: int, iterations: int) -> Iterator[str]:
    """Rows for one and two threads: the arithmetic, and the perft of each game, all in turn in every round."""
    once = arithmetic(iterations)

    def hashes(threads: int) -> None:
        with ThreadPoolExecutor(threads) as pool:
            if set(pool.map(arithmetic, [iterations] * 2)) != {once}:
                raise ValueError("the arithmetic does not come to the same twice")

    def leaves(game: str, threads: int) -> None:
        start = Position(PRESETS[game])
        if perft(start, depth, threads=threads) != published(start)[depth].leaves:
            raise ValueError(f"perft({depth}) of {game} with {threads} threads is wrong")

    ways: dict[str, Callable[[int], None]] = {"arithmetic": hashes}
    for game in GAMES:
        ways[f"perft({depth}) of {game}"] = lambda threads, game=game: leaves(game, threads)  # type: ignore[misc]
    best = {(name, threads): float("inf") for name in ways for threads in (1, 2)}
    for _ in range(rounds):
        for name, threads in best:
            began = time.perf_counter()
            ways[name](threads)
            best[name, threads] = min(best[name, threads], time.perf_counter() - began)
    ceiling = best["arithmetic", 1] / best["arithmetic", 2]
    yield "| work | 1 thread, s | 2 threads, s | gain | of the arithmetic's gain |"
    yield "|---|---|---|---|---|"
    for name in ways:
        one, two = best[name, 1], best[name, 2]
        yield f"| {name} | {one:.3f} | {two:.3f} | {one / two:.2f} | {one / two / ceiling:.0%} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the tables asked for."""
    parser = argparse.ArgumentParser(description="How time and memory grow: with depth, with the number of plays, with threads.")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"which tables: {', '.join(TABLES)} (all of them)")
    parser.add_argument("--depth", type=int, default=3, help="plies counted (3)")
    parser.add_argument("--merged", type=int, default=4, help="plies counted with repeated positions merged (4)")
    parser.add_argument("--turns", type=int, default=corpora.TURNS, help="so many turns of each corpus (all)")
    parser.add_argument("--rounds", type=int, default=15, help="rounds, of which the best is printed (15)")
    parser.add_argument("--iterations", type=int, default=300_000, help="length of the arithmetic (300000)")
    args = parser.parse_args(argv)
    names = args.tables or list(TABLES)
    for name in names:
        if name not in TABLES:
            parser.error(f"there is no table {name!r}, only {', '.join(TABLES)}")
    for name in names:
        print(f"## {TABLES[name]}\n", flush=True)
        for row in rows(name, args):
            print(row, flush=True)
        print()
    return 0


def rows(name: str, args: argparse.Namespace) -> Iterator[str]:
    """The rows of a table."""
    if name == "depth":
        return by_depth(args.depth, args.merged, min(args.rounds, 5))
    if name == "plays":
        return by_plays(args.turns, args.rounds)
    return by_threads(args.depth, args.rounds, args.iterations)


if __name__ == "__main__":
    sys.exit(main())
