"""The corpora: turns of random games in files, and how each file is made again from its seed.

    python benchmarks/corpora.py            make every corpus again and compare it with its file
    python benchmarks/corpora.py --write    write the files

A file starts with lines after ``#`` that say where it comes from and what its distinct afterstates come to. Then it has one
line a turn: the text of the position, the roll, and how many distinct afterstates the roll has. Games, plays and counts all come
from `tabula.reference`, and the native generator has no part in them.
"""

from __future__ import annotations

import argparse
import itertools
import random
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tabula import BACKGAMMON, TABULA, Position, reference
from tabula.dice import parse, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabula import Rules
    from tabula.dice import Roll

FOLDER: Final = Path(__file__).parent / "corpora"
TURNS: Final = 2000
SEEDS: Final = {"tabula": 20480, "backgammon": 20167}
GAMES: Final = {"tabula": TABULA, "backgammon": BACKGAMMON}


FIRST: Final = 100
"""How many positions of a corpus are counted with every roll too."""

_TOTAL: Final = "# Distinct afterstates in all: "
_ALL_ROLLS: Final = f"# Distinct afterstates of every roll of the first {FIRST} positions, each roll by itself: "


class Turn(NamedTuple):
    """A position, the roll thrown in it, and how many distinct afterstates the roll has."""

    position: Position
    roll: Roll
    plays: int


def make(rules: Rules, seed: int) -> Iterator[Turn]:
    """The turns of one random game after another, without end.

    A game opens as its rules say; then dice are fair, and each distinct afterstate is as likely as any other. Only
    `random.Random.random` is asked, whose numbers are the same in every version of Python; and what is chosen from is sorted, so
    that the order in which plays are listed does not matter.
    """
    source = random.Random(seed)

    def die() -> int:
        return 1 + int(6 * source.random())

    while True:
        white = black = 0
        while white == black:
            white, black = die(), die()
        turn = 0 if white > black else 1
        thrown = [white, black] if rules.opening == "split" else [die() for _ in range(rules.dice)]
        mover = other = rules.setup
        while not reference.won(other):
            roll = tuple(sorted(thrown, reverse=True))
            ends = sorted(reference.generate(rules, mover, other, roll).afterstates)
            yield Turn(Position.from_tracks(mover, other, rules=rules, turn=turn), roll, len(ends))
            other, mover = ends[int(source.random() * len(ends))]
            turn = 1 - turn
            thrown = [die() for _ in range(rules.dice)]


class Corpus(NamedTuple):
    """The turns of a file, and how many leaves its first `FIRST` positions have one ply on, each distinct roll once."""

    turns: list[Turn]
    all_rolls: int


def lines(name: str, turns: Sequence[Turn]) -> Iterator[str]:
    """The lines of a corpus file."""
    yield f"# {len(turns)} turns of random games of {name}, one after another; the last is cut short."
    yield f"# Made by benchmarks/corpora.py from the seed {SEEDS[name]}; games, plays and counts by tabula.reference."
    yield "# A line: the position, the roll, how many distinct afterstates the roll has."
    yield f"{_TOTAL}{sum(turn.plays for turn in turns)}"
    yield f"{_ALL_ROLLS}{sum(reference.perft(t.position.rules, t.position.mover, t.position.other, 1) for t in turns[:FIRST])}"
    for turn in turns:
        yield f"{turn.position.to_text()} {to_text(turn.roll)} {turn.plays}"


def read(name: str) -> Corpus:
    """A corpus, ``"tabula"`` or ``"backgammon"``.

    Raises ValueError where the total that the file states is not the sum of its counts.
    """
    return _read(path(name), GAMES[name])


@cache
def _read(file: Path, rules: Rules) -> Corpus:
    turns, total, all_rolls = [], None, 0
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(_TOTAL):
            total = int(line.removeprefix(_TOTAL))
        elif line.startswith(_ALL_ROLLS):
            all_rolls = int(line.removeprefix(_ALL_ROLLS))
        elif not line.startswith("#"):
            text, roll, plays = line.split()
            turns.append(Turn(Position.from_text(text, rules=rules), parse(roll, rules.dice), int(plays)))
    if total != sum(turn.plays for turn in turns):
        raise ValueError(f"{file.name} states {total} afterstates, and its lines sum to {sum(turn.plays for turn in turns)}")
    return Corpus(turns, all_rolls)


def path(name: str) -> Path:
    """The file of a corpus."""
    return FOLDER / f"{name}.txt"


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the corpora, or compares them; 1 if a file is not what its seed makes."""
    parser = argparse.ArgumentParser(description="Make the corpora again from their seeds, and compare them with their files.")
    parser.add_argument("--write", action="store_true", help="write the files instead")
    write = parser.parse_args(argv).write
    wrong = 0
    for name, rules in GAMES.items():
        text = "".join(f"{line}\n" for line in lines(name, list(itertools.islice(make(rules, SEEDS[name]), TURNS))))
        if write:
            path(name).write_text(text, encoding="utf-8", newline="\n")
            print(f"{path(name).name} written")
        elif path(name).read_text(encoding="utf-8") == text:
            print(f"{path(name).name} is what its seed makes")
        else:
            wrong = 1
            print(f"{path(name).name} is not what its seed makes")
    return wrong


if __name__ == "__main__":
    raise SystemExit(main())
