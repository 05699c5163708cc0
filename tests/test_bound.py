"""TABULA_MAX_PLAYS, the room that a list of plays has: no position that a search finds has more plays than that."""

import random
import re
from importlib import resources

import pytest
from support.engines import ENGINES, Engine
from support.tracks import OFF, Track, mirrored, side

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules

BOUND = int(re.search(r"#define TABULA_MAX_PLAYS (\d+)", resources.files("tabula").joinpath("include/tabula.h").read_text())[1])  # type: ignore[index]

FREE = Rules(stack_limit=None, half_gate=False, home_start=1, bear_off="rearmost", name="free")
FREE_OPPOSED = Rules(
    stack_limit=None, half_gate=False, home_start=1, bear_off="rearmost", direction="opposed", gates="move", name="opposed"
)
FREE_DOUBLES = Rules(dice=2, doubles="twice", stack_limit=None, half_gate=False, home_start=1, bear_off="rearmost", name="doubles")

CASES = [
    (TABULA, (6, 5, 4)),
    (TABULA, (4, 2, 1)),
    (TABULA_HISTORIC, (5, 3, 1)),
    (BACKGAMMON, (1, 1)),
    (BACKGAMMON, (2, 2)),
    (FREE, (4, 2, 1)),
    (FREE, (6, 3, 2)),
    (FREE, (2, 1, 1)),
    (FREE_OPPOSED, (5, 3, 1)),
    (FREE_DOUBLES, (1, 1)),
    (FREE_DOUBLES, (3, 3)),
]

MOST = mirrored(dict.fromkeys((3, 4, 6, 7, 9, 10, 12, 14, 15, 17, 18, 20, 21, 23, 24), 1))


def test_the_bound_is_that_of_three_dice_handed_to_fifteen_checkers() -> None:
    assert BOUND == 15 * 16 * 17


def test_a_double_one_of_backgammon_with_2226_plays(engine: Engine) -> None:
    ends = engine.ends(BACKGAMMON, MOST, side({0: 15}), "11")
    assert (ends.dice_used, len(ends.states)) == (4, 2226)
    assert len(ends.states) <= BOUND


def changed(source: random.Random, mover: Track, other: Track) -> tuple[Track, Track]:
    """The position with one or two checkers of a side put elsewhere; it may be none of the rules."""
    tracks = [list(mover), list(other)]
    for _ in range(source.choice((1, 1, 2))):
        track = source.choice(tracks)
        track[source.choice([index for index in range(OFF + 1) if track[index]])] -= 1
        track[source.choice((0, OFF, *range(1, OFF), *range(1, OFF)))] += 1
    return tuple(tracks[0]), tuple(tracks[1])


def worst(rules: Rules, roll: tuple[int, ...], seed: int, tries: int) -> Position:
    """The position with most plays that a climb from fifteen blots against seven finds."""
    source = random.Random(seed)
    points = source.sample(range(1, OFF), 22)
    best = Position.from_tracks(
        side(dict.fromkeys(points[:15], 1)),
        side({0: 8} | {rules.facing(point): 1 for point in points[15:]}),
        rules=rules,
    )
    most = best.count(roll)
    for _ in range(tries):
        try:
            tried = Position.from_tracks(*changed(source, best.mover, best.other), rules=rules)
        except ValueError:
            continue
        if (found := tried.count(roll)) >= most:
            best, most = tried, found
    return best


@pytest.mark.parametrize(("rules", "roll"), CASES, ids=[f"{rules.name}-{''.join(map(str, roll))}" for rules, roll in CASES])
def test_the_worst_positions_that_a_search_finds_stay_within_the_bound_and_are_listed_whole(
    rules: Rules, roll: tuple[int, ...]
) -> None:
    found = max((worst(rules, roll, seed, 400) for seed in range(3)), key=lambda position: position.count(roll))
    native, reference = (engine.ends(rules, found.mover, found.other, "".join(map(str, roll))) for engine in ENGINES)
    assert native == reference
    assert 100 < found.count(roll) == len(native.states) <= BOUND
