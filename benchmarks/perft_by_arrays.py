"""A second way to the values of perft: whole arrays of afterstates, sorted and merged by numpy.

    python benchmarks/perft_by_arrays.py 5 --game backgammon

It shares the generator with `perft(..., merge=True)`, and nothing else: positions are listed by `tabula.batch.all_rolls`, stored as
packed keys, and sorted by 64 mixed bits of each, so that those that are alike stand together; the last ply is counted roll by roll,
by `tabula.batch.counts`. A value that the package publishes is compared.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from tabula import Position, batch
from tabula.counting import published
from tabula.rules import PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from tabula import Rules

Words: TypeAlias = "npt.NDArray[np.uint64]"

ROWS: Final = 256
"""About so many positions are followed at a time, whose afterstates a processor's cache holds."""

REPORT_EVERY: Final = 30.0
"""Seconds between two lines of progress."""


class Reached(NamedTuple):
    """Distinct positions, and in how many ways each is reached."""

    keys: Words
    """(n, 4), packed."""

    ways: Words
    """(n)."""


def mixed(columns: Sequence[Words]) -> Words:
    """One number of 64 bits for several."""
    mix = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        mix = (mix ^ column) * np.uint64(0x9E3779B97F4A7C15)
        mix ^= mix >> np.uint64(29)
    return mix * np.uint64(0xD6E8FEB86659FD93)


def merged(reached: Reached) -> Reached:
    """The same positions, those that are alike put together."""
    if len(reached.keys) < 2:
        return reached
    order = np.argsort(mixed(list(reached.keys.T)))
    keys, ways = reached.keys[order], reached.ways[order]
    first = np.flatnonzero(np.concatenate([[True], (keys[1:] != keys[:-1]).any(axis=1)]))
    return Reached(keys[first], np.add.reduceat(ways, first))


def unpacked(keys: Words, rules: Rules) -> npt.NDArray[np.int8]:
    """The positions of packed keys."""
    return batch.unpack(keys.view("V32").ravel(), rules=rules, check=False)


def followed(reached: Reached, rules: Rules) -> Reached:
    """Every afterstate of every roll of these positions, those that are alike put together."""
    listed = batch.all_rolls(unpacked(reached.keys, rules), rules=rules, check=False)
    keys = batch.pack(listed.positions, rules=rules, check=False).view(np.uint64).reshape(-1, 4)
    rolls = len(listed) // max(1, len(reached.keys))
    return merged(Reached(keys, np.repeat(np.repeat(reached.ways, rolls), np.diff(listed.offsets))))


def leaves(reached: Reached, rules: Rules) -> int:
    """How many afterstates they have in all, each as often as it is reached."""
    plays = batch.counts(unpacked(reached.keys, rules), None, rules=rules, check=False).sum(axis=1, dtype=np.uint64)
    low, high = reached.ways & np.uint64(0xFFFFFFFF), reached.ways >> np.uint64(32)
    return int((low * plays).sum()) + (int((high * plays).sum()) << 32)


def pieces(reached: Reached) -> Iterator[Reached]:
    """Some positions at a time: nearly all that share the track at rest, and so come to the same positions, together."""
    resting = mixed([reached.keys[:, 2], reached.keys[:, 3]]) >> np.uint64(32)
    order = np.argsort(resting)
    resting = resting[order]
    starts = np.flatnonzero(np.concatenate([[True], resting[1:] != resting[:-1]])) if len(order) else np.zeros(0, np.intp)
    cuts = starts[np.concatenate([[True], starts[1:] // ROWS != starts[:-1] // ROWS])] if len(starts) else starts
    for first, last in zip(cuts, [*cuts[1:], len(order)], strict=True):
        yield Reached(reached.keys[order[first:last]], reached.ways[order[first:last]])


def perft(position: Position, depth: int) -> int:
    """Leaves so many plies on."""
    rules, reported = position.rules, time.monotonic()
    start = batch.pack(position.to_array()[None], rules=rules).view(np.uint64).reshape(1, 4)
    reached = Reached(start, np.ones(1, np.uint64))
    if depth == 0:
        return 1
    for _ in range(depth - 2):
        parts = [followed(piece, rules) for piece in pieces(reached)]
        reached = merged(Reached(np.concatenate([part.keys for part in parts]), np.concatenate([part.ways for part in parts])))
        print(f"{len(reached.keys):,} positions", file=sys.stderr, flush=True)
    if depth == 1:
        return leaves(reached, rules)
    total = done = 0
    for piece in pieces(reached):
        total += leaves(followed(piece, rules), rules)
        done += len(piece.keys)
        if time.monotonic() - reported > REPORT_EVERY:
            reported = time.monotonic()
            print(f"{done:,} of them followed", file=sys.stderr, flush=True)
    return total


def main(argv: Sequence[str] | None = None) -> int:
    """Counts, and compares with what is published. Returns 1 if it is another number."""
    parser = argparse.ArgumentParser(description="Perft by whole arrays: a second way to the same numbers.")
    parser.add_argument("depth", type=int, help="plies, 0 or more")
    parser.add_argument("--game", choices=PRESETS, default="tabula", help="which rules (tabula)")
    args = parser.parse_args(argv)
    if args.depth < 0:
        parser.error(f"depth must be 0 or more, not {args.depth}")
    position = Position(PRESETS[args.game])
    began = time.process_time()
    found = perft(position, args.depth)
    known = published(position).get(args.depth)
    said = "not published" if known is None else "as published" if known.leaves == found else f"published is {known.leaves:,}"
    print(f"perft({args.depth}) of {args.game} is {found:,}, {said}; {time.process_time() - began:.1f} s of processor time")
    return 0 if known is None or known.leaves == found else 1


if __name__ == "__main__":
    sys.exit(main())
