"""What deciding costs beside the evaluator, and what variance reduction gains.

    python benchmarks/deciding.py

Prints two tables of docs/deciding.md, or the one that is named: search, luck. The evaluator of the first does nothing, so that all
time is the search's own; processor time of one thread. The positions are 20 plies into random games, the same in every run.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from tabula import BACKGAMMON, TABULA, Position, batch, bots
from tabula.rollouts import rollout
from tabula.search import NORMAL, search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tabula.rules import Rules
    from tabula.search import Filters

TABLES: Final = ("search", "luck")

_PLIES: Final = 20


class Cost(NamedTuple):
    """What a search asked for and took: boards evaluated for one decision, and microseconds of its own for each of them."""

    boards: float
    own: float


def decisions(rules: Rules, n: int) -> tuple[NDArray[np.int8], NDArray[np.uint8]]:
    """Positions of games that go on, with rolls."""
    rng = np.random.default_rng(1)
    positions = batch.start(n, rules=rules)
    for _ in range(_PLIES):
        positions = batch.random_play(positions, batch.roll(n, rng=rng, rules=rules), rules=rules, rng=rng)
    return positions, batch.roll(n, rng=rng, rules=rules)


class Spread:
    """Values that cost little and differ as those of a good evaluator do: a filter leaves some plays and not all."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.boards = 0
        self.seconds = 0.0

    def __call__(self, positions: NDArray[np.int8]) -> NDArray[np.float64]:
        """The value by pips and blots; the time that it takes is measured."""
        start = time.process_time()
        values = -bots.weigh(positions, rules=self.rules) / 50
        self.boards += len(positions)
        self.seconds += time.process_time() - start
        return values


def cost(rules: Rules, n: int, filters: Filters, *, merge: bool) -> Cost:
    """That of a decision at one ply."""
    positions, rolls = decisions(rules, n)
    evaluator = Spread(rules)
    start = time.process_time()
    search(positions, rolls, evaluator, rules=rules, plies=1, filters=filters, merge=merge)
    own = time.process_time() - start - evaluator.seconds
    return Cost(evaluator.boards / n, 1e6 * own / evaluator.boards)


class Luck(NamedTuple):
    """The variances of one game, plain and reduced, and the boards evaluated for one game."""

    plain: float
    reduced: float
    boards_plain: float
    boards_reduced: float


def luck(rules: Rules, games: int, horizon: int | None) -> Luck:
    """What the variance of a game is with and without luck, by an evaluator of pips and blots."""
    boards = []
    for reduce in (False, True):
        evaluator = Spread(rules)
        found = rollout(
            Position(rules), evaluator, games, rng=np.random.default_rng(1), horizon=horizon, reduce=reduce, stratify=False
        )
        boards.append(evaluator.boards / games)
    assert found.reduced_se is not None
    return Luck(found.plain_se**2 * games, found.reduced_se**2 * games, *boards)


def _table(lines: list[list[Any]]) -> None:
    for line in lines:
        print("| " + " | ".join(map(str, line)) + " |")
    print()


def print_search(n: int) -> None:
    """The boards and the time of a decision."""
    lines: list[list[Any]] = [["game", "filter", "merged", "boards a decision", "own time a board"], ["---"] * 5]
    for rules in (BACKGAMMON, TABULA):
        for name, filters in (("every play", ()), ("NORMAL", NORMAL)):
            for merge in (False, True):
                found = cost(rules, n, filters, merge=merge)
                lines.append([rules.name, name, "yes" if merge else "no", f"{found.boards:,.0f}", f"{found.own:.2f} us"])
    _table(lines)


def print_luck(games: int) -> None:
    """What taking luck off gains."""
    lines: list[list[Any]] = [["game", "cut after", "variance of a game", "reduced", "divided by", "boards a game"], ["---"] * 6]
    for rules in (BACKGAMMON, TABULA):
        for horizon in (None, 7):
            found = luck(rules, games, horizon)
            ratio = found.plain / found.reduced
            boards = f"{found.boards_plain:,.0f} / {found.boards_reduced:,.0f}"
            lines.append([rules.name, horizon or "-", f"{found.plain:.4f}", f"{found.reduced:.4f}", f"{ratio:.1f}", boards])
    _table(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description="What deciding costs.")
    parser.add_argument("tables", metavar="TABLE", nargs="*", help=f"{', '.join(TABLES)}; all if left out")
    parser.add_argument("--decisions", type=int, default=200, help="how large the first table's sample is")
    parser.add_argument("--games", type=int, default=216, help="how large the second one's is")
    args = parser.parse_args(argv)
    if unknown := set(args.tables) - set(TABLES):
        parser.error(f"there is no table {sorted(unknown)[0]}")
    if "search" in (args.tables or TABLES):
        print_search(args.decisions)
    if "luck" in (args.tables or TABLES):
        print_luck(args.games)
    return 0


if __name__ == "__main__":
    sys.exit(main())
