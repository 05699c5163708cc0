"""Ten rule sets against speed: the way that serves each, and the leaves a second that it counts.

    python benchmarks/ways.py

Leaves are those of perft from the start on one thread; rules are taken in turn, the best round is printed. How many there are was
found by other programs, and is asserted; times are only reported.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import sys
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules, _core, perft
from tabula.rules import TRACK

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS: Final = 0.1


class Case(NamedTuple):
    """One perft from the start."""

    rules: Rules
    depth: int
    leaves: int


def track(counts: dict[int, int]) -> tuple[int, ...]:
    """26 counts out of those by index."""
    return tuple(counts.get(index, 0) for index in range(TRACK))


THREE_DICE: Final = dataclasses.replace(BACKGAMMON, dice=3, doubles="once", larger_die=False, highest_win=1, opening="roll-off")
FROM_A_POINT: Final = dataclasses.replace(
    BACKGAMMON, direction="parallel", enter_first=False, blots="block", opening="roll-off", setup=track({1: 15})
)
NARDE: Final = dataclasses.replace(
    FROM_A_POINT, head_limit=1, head_doubles=(3, 4, 6), primes="ahead", highest_win=2, name="Long Nardy"
)
PILES: Final = dataclasses.replace(THREE_DICE, setup=track({1: 15}), pile_from=7)

CASES: Final = (
    Case(BACKGAMMON, 3, 116_154_993),
    Case(dataclasses.replace(BACKGAMMON, doubles="once", opening="roll-off", highest_win=1, name="Irish"), 2, 63_722),
    Case(TABULA, 3, 44_094_841),
    Case(TABULA_HISTORIC, 3, 175_616),
    Case(NARDE, 4, 2_411_418),
    Case(dataclasses.replace(FROM_A_POINT, runner=19, highest_win=1, name="jacquet"), 3, 10_897),
    Case(dataclasses.replace(THREE_DICE, setup=track({6: 8, 7: 7}), name="provincial"), 2, 687_358),
    Case(dataclasses.replace(THREE_DICE, setup=track({1: 15}), name="emperador"), 2, 57_063),
    Case(dataclasses.replace(PILES, name="English game"), 2, 41_231),
    Case(dataclasses.replace(PILES, dice=2, extra_dice=(6,), name="English game, two dice"), 2, 7_965),
)


def rate(case: Case) -> float:
    """M leaves a second in one round."""
    start, calls, began = Position(case.rules), 0, time.process_time()
    while not calls or time.process_time() - began < SECONDS:
        leaves = perft(start, case.depth)
        if leaves != case.leaves:
            raise ValueError(f"perft({case.depth}) of {case.rules.name} came to {leaves} leaves, and {case.leaves} is right")
        calls += 1
    return calls * case.leaves / (time.process_time() - began) / 1e6


def main(argv: Sequence[str] | None = None) -> int:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description="Ten rule sets against speed.")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the best is reported (5)")
    rounds = parser.parse_args(argv).rounds
    best = dict.fromkeys(CASES, -math.inf)
    for _ in range(rounds):
        best = {case: max(before, rate(case)) for case, before in best.items()}
    print("| rules | way | perft | leaves | M leaves a second |\n|---|---|---|---|---|")
    for case, figure in best.items():
        way = _core.way(case.rules)
        print(f"| {case.rules.name} | {way} | {case.depth} | {case.leaves:,} | {figure:,.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
