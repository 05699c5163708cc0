"""Both engines give the golden answer in every case of tests/data, whose README tells the format."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from support.engines import Engine
from support.tracks import State

from tabula import Rules
from tabula.rules import PRESETS

DATA = Path(__file__).parent / "data"
FILES = {"rules_cases.jsonl": 1200, "backgammon_peer_cases.jsonl": 1000, "family_cases.jsonl": 1198}

Case = dict[str, Any]


def read(name: str) -> list[Case]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def rules_name(case: Case) -> str:
    return case["rules"] if isinstance(case["rules"], str) else case["rules"]["name"]


def cases() -> dict[str, list[tuple[int, Case]]]:
    """The cases with their line numbers, by file and rules."""
    grouped: dict[str, list[tuple[int, Case]]] = {}
    for name in FILES:
        for number, case in enumerate(read(name), 1):
            grouped.setdefault(f"{name}-{rules_name(case)}", []).append((number, case))
    return grouped


def digest(states: Iterable[State]) -> str:
    lines = sorted("/".join(",".join(map(str, track)) for track in state) for state in states)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


CASES = cases()


@pytest.mark.parametrize("name", CASES)
def test_every_golden_case(engine: Engine, name: str) -> None:
    wrong = {}
    for number, case in CASES[name]:
        rules = PRESETS[case["rules"]] if isinstance(case["rules"], str) else Rules.from_dict(case["rules"])
        roll = "".join(map(str, case["roll"]))
        dice_used, states = engine.ends(rules, tuple(case["mover"]), tuple(case["other"]), roll)
        found = {"dice_used": dice_used, "count": len(states), "sha256": digest(states)}
        expected = {key: case[key] for key in found}
        if found != expected:
            wrong[f"line {number}"] = (found, expected)
    assert not wrong


@pytest.mark.parametrize(("name", "number"), FILES.items())
def test_no_golden_case_is_missing(name: str, number: int) -> None:
    assert len(read(name)) == number


def test_the_golden_cases_cover_three_presets_and_fourteen_custom_rules() -> None:
    of_rules = [name.partition("-")[2] for name in CASES if name.startswith("rules_cases")]
    assert sorted(of_rules) == sorted([*({*PRESETS} - {"narde"}), *(f"c{number}" for number in range(14))])
