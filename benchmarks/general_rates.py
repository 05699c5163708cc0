"""How fast the general way of generating is: leaves a second, instructions a leaf, and random games.

    python benchmarks/general_rates.py                   leaves a second, beside the committed ones
    python benchmarks/general_rates.py --instructions    instructions a leaf too; valgrind is needed
    python benchmarks/general_rates.py --games           random games a second too
    python benchmarks/general_rates.py --update NAME     write what was measured into general_rates.json, under this name

Leaves are those of perft on one thread. All rules are served by the general way, those of a fast way too. A hundred rules are drawn
from a seed. How many leaves each case has is committed, was found by the search through every line of moves, and is asserted;
times are only reported.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules, _core
from tabula._native import position as _position
from tabula.playouts import playouts
from tabula.rules import MAX_CHECKERS, OFF, POINTS, TRACK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMMITTED: Final = Path(__file__).with_suffix(".json")
SEED: Final = 14
RANDOM_RULES: Final = 100
FUNCTION: Final = "__pyx_pw_6tabula_*count_leaves"
GAMES: Final = 500

THREE_DICE: Final = dataclasses.replace(
    BACKGAMMON, dice=3, doubles="once", larger_die=False, highest_win=1, opening="roll-off", name="three dice"
)


class Case(NamedTuple):
    """One perft from the start."""

    name: str
    rules: Rules
    depth: int


def track(**counts: int) -> tuple[int, ...]:
    """26 counts out of those by index, each named like ``at6=8``."""
    made = [0] * TRACK
    for name, count in counts.items():
        made[int(name[2:])] = count
    return tuple(made)


NAMED: Final = (
    Case("historic", TABULA_HISTORIC, 3),
    Case("bufa de baldrac", dataclasses.replace(THREE_DICE, setup=track(at0=15)), 3),
    Case("emperador", dataclasses.replace(THREE_DICE, setup=track(at1=15)), 2),
    Case("provincial", dataclasses.replace(THREE_DICE, setup=track(at6=8, at7=7)), 2),
    Case("tabula", TABULA, 2),
    Case("backgammon", BACKGAMMON, 2),
)


def random_rules(source: random.Random) -> Rules:
    """Rules that are not refused: every field that generation looks at drawn anew."""
    while True:
        dice = source.choice((2, 3))
        direction = source.choice(("same", "opposed"))
        checkers = source.choice((15, source.randint(3, MAX_CHECKERS)))
        limit = source.choice((None, None, source.randint(1, 6)))
        setup = [0] * TRACK
        if direction == "same" or source.random() < 0.25:
            setup[0] = checkers
        else:
            # Of each two points that face each other one side uses one; a side starts on a few points.
            points = [source.choice((point, OFF - point)) for point in range(1, POINTS // 2 + 1)]
            for point in source.choices(source.sample([0, *points], source.randint(1, 4)), k=checkers):
                setup[point if setup[point] < (limit or MAX_CHECKERS) else 0] += 1
        fields: dict[str, Any] = {
            "dice": dice,
            "doubles": source.choice(("once", "twice")) if dice == 2 else "once",
            "direction": direction,
            "stack_limit": limit,
            "enter_first": source.random() < 0.5,
            "half_gate": source.random() < 0.5,
            "home_start": source.choice((13, 19, source.randint(1, POINTS))),
            "gates": source.choice(("turn", "move")),
            "bear_off": source.choice(("exact", "rearmost")),
            "larger_die": source.random() < 0.5,
            "setup": tuple(setup),
            "name": "random",
        }
        try:
            return Rules(**fields)
        except ValueError:  # the home has no room for all
            continue


def cases() -> list[Case]:
    """The named rules, and the random ones."""
    source = random.Random(SEED)
    return [*NAMED, *(Case(f"random {index}", random_rules(source), 2) for index in range(RANDOM_RULES))]


def start(case: Case) -> Position:
    """The start, under rules that the general way serves."""
    return Position(_core.general(case.rules))


def expected() -> dict[str, int]:
    """The leaves of each case."""
    leaves: dict[str, int] = json.loads(COMMITTED.read_text(encoding="utf-8"))["leaves"]
    return leaves


def check(case: Case, leaves: int, right: int) -> None:
    """Refuses a wrong count."""
    if leaves != right:
        raise ValueError(f"perft({case.depth}) of {case.name} came to {leaves} leaves, and {right} is right")


def rates(chosen: Sequence[Case], rounds: int) -> dict[str, float]:
    """M leaves a second of each case, the best of some rounds."""
    right = expected()
    found: dict[str, float] = {}
    for case in chosen:
        position = start(case)
        best = math.inf
        for _ in range(rounds):
            calls, began = 0, time.process_time()
            while not calls or time.process_time() - began < 0.02:
                check(case, _position.count_leaves(position, case.depth), right[case.name])
                calls += 1
            best = min(best, (time.process_time() - began) / calls)
        found[case.name] = right[case.name] / best / 1e6
    return found


def instructions(case: Case) -> float:
    """Instructions a leaf, counted by callgrind in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--collect-atstart=no"]
        command += [f"--toggle-collect={FUNCTION}", sys.executable, __file__, "--count", case.name]
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if run.returncode:
            raise ValueError(f"valgrind failed with {run.returncode}: {run.stderr.strip()}")
        counted = re.search(r"^(?:totals|summary): (\d+)", out.read_text(encoding="utf-8"), re.MULTILINE)
        if counted is None or counted[1] == "0":
            raise ValueError(f"no instruction was counted in {FUNCTION}: the extension has no symbols")
        return int(counted[1]) / expected()[case.name]


def count(name: str) -> None:
    """One perft: what runs under callgrind."""
    case = next(case for case in cases() if case.name == name)
    check(case, _position.count_leaves(start(case), case.depth), expected()[name])


def games(rules: Rules, rounds: int) -> float:
    """Random games a second, the best of some rounds."""
    position = Position(_core.general(rules))
    best = math.inf
    for _ in range(rounds):
        began = time.process_time()
        playouts(position, GAMES, rng=np.random.default_rng(SEED))
        best = min(best, time.process_time() - began)
    return GAMES / best


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def grouped(figures: dict[str, float]) -> Iterator[tuple[str, float]]:
    """The figure of each named case, and the mean of the random ones."""
    for name, figure in figures.items():
        if not name.startswith("random "):
            yield name, figure
    drawn = [figure for name, figure in figures.items() if name.startswith("random ")]
    if drawn:
        yield f"{len(drawn)} random rules, geometric mean", geometric_mean(drawn)


def rows(measured: dict[str, dict[str, float]], committed: dict[str, dict[str, dict[str, float]]]) -> Iterator[str]:
    """A table: what was measured beside all that is committed."""
    names = list(committed)
    for kind, figures in measured.items():
        yield f"| {kind} | {' | '.join([*names, 'now'])} |"
        yield "|---" * (len(names) + 2) + "|"
        for name, figure in figures.items():
            before = [committed[key].get(kind, {}).get(name) for key in names]
            told = ["-" if value is None else f"{value:,.2f}" for value in before]
            yield f"| {name} | {' | '.join([*told, f'{figure:,.2f}'])} |"
        yield ""


def main(argv: Sequence[str] | None = None) -> int:
    """Measures, prints, and updates what is committed if asked."""
    parser = argparse.ArgumentParser(description="How fast the general way of generating is.")
    parser.add_argument("--instructions", action="store_true", help="count instructions by callgrind too")
    parser.add_argument("--games", action="store_true", help="play random games too")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the best is reported (5)")
    parser.add_argument("--update", metavar="NAME", help="write the figures under this name")
    parser.add_argument("--count", metavar="CASE", help="only count the leaves of this case, once")
    args = parser.parse_args(argv)
    if args.count:
        count(args.count)
        return 0
    chosen = cases()
    measured = {"M leaves a second": dict(grouped(rates(chosen, args.rounds)))}
    if args.instructions:
        if shutil.which("valgrind") is None:
            parser.error("valgrind is not installed, and it is what counts instructions")
        # The random rules have too many leaves for it.
        measured["instructions a leaf"] = {case.name: instructions(case) for case in NAMED}
    if args.games:
        named = (("historic", TABULA_HISTORIC), ("tabula", TABULA), ("backgammon", BACKGAMMON))
        measured["random games a second"] = {name: games(rules, args.rounds) for name, rules in named}
    text = json.loads(COMMITTED.read_text(encoding="utf-8"))
    print("\n".join(rows(measured, text["figures"])))
    if args.update:
        kinds = {kind: {name: round(figure, 2) for name, figure in figures.items()} for kind, figures in measured.items()}
        text["figures"].setdefault(args.update, {}).update(kinds)
        COMMITTED.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
