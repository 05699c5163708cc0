"""Thirty recorded matches replay with exactly the counts that were made of them elsewhere, and no illegal play.

The files have no licence, so they are no part of this project: the test reads them from a folder beside the checkout.
"""

import csv
from pathlib import Path

import pytest

from tabula.notation import matchtext, replay

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "matches"

AMBIGUOUS: dict[str, str] = {}
"""Cells, ``file:line``, that their file leaves ambiguous, with the reason. There is none."""

pytestmark = pytest.mark.skipif(
    not (FOLDER / "expected.csv").exists(), reason="the recorded matches are not beside the checkout, and may not be copied into it"
)


def test_the_recorded_matches_replay() -> None:
    with (FOLDER / "expected.csv").open(newline="", encoding="utf-8") as file:
        expected = {row["file"]: row for row in csv.DictReader(file)}
    assert len(expected) == 30
    report = replay(FOLDER / name for name in expected)
    ambiguous = {f"{Path(problem.file).name}:{problem.line}" for problem in report.problems if problem.kind == "ambiguous"}
    assert ambiguous == set(AMBIGUOUS)
    assert [str(problem) for problem in report.problems if problem.kind != "ambiguous"] == []
    for counted, (name, row) in zip(report.files, expected.items(), strict=True):
        found = {
            "file": name,
            "games": str(counted.games),
            "plays": str(counted.plays),
            "unplayed_cells": str(counted.unplayed_cells),
            "unknown_ends": str(counted.unknown_ends),
        }
        assert found == row
    assert report.total("plays") == 12_148


def test_the_recorded_matches_come_back_from_what_is_written_of_them() -> None:
    for path in sorted(FOLDER.glob("*.txt")):
        match = matchtext.read(matchtext.decode(path.read_bytes()), file=path.name, strict=True)
        assert matchtext.read(matchtext.write(match), file=path.name, strict=True) == match
