"""What the notation tests share: random backgammon positions, and the golden cases as positions with rolls."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from tabula import BACKGAMMON, Position, Rules
from tabula.rules import OFF, PRESETS

__all__ = ["DATA", "golden", "random_positions"]

DATA = Path(__file__).parent.parent / "data"


def random_positions(number: int, seed: int = 0) -> Iterator[Position]:
    """Legal backgammon positions, half of them with black to move; hardly one is symmetric."""
    source = random.Random(seed)
    for made in range(number):
        tracks = [[0] * 26, [0] * 26]
        taken: dict[int, int] = {}
        for side, track in enumerate(tracks):
            for _ in range(BACKGAMMON.checkers):
                index = source.choice((0, *range(1, OFF), OFF, *range(1, OFF)))
                point = index if side == 0 else OFF - index
                if 0 < index < OFF and taken.setdefault(point, side) != side:
                    index = OFF
                track[index] += 1
        if tracks[0][OFF] == tracks[1][OFF] == BACKGAMMON.checkers:
            tracks[0][OFF], tracks[0][3] = 14, 1
        yield Position.from_tracks(*tracks, rules=BACKGAMMON, turn=made % 2)


def golden() -> Iterator[tuple[str, Position, tuple[int, ...]]]:
    """The golden cases: the name of the rules, the position, the roll."""
    for line in (DATA / "rules_cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        rules = PRESETS[case["rules"]] if isinstance(case["rules"], str) else Rules.from_dict(case["rules"])
        yield rules.name, Position.from_tracks(case["mover"], case["other"], rules=rules), tuple(case["roll"])
