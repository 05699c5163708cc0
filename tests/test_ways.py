"""The ways of generating and counting against each other, the search through every line of moves and the reference.

Each fast way is tried on both sides of its condition.
"""

from __future__ import annotations

import dataclasses
from ctypes import sizeof
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.capi import CRules
from support.strategies import positions
from test_golden import CASES, digest

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules, _core, batch, dice, perft, reference
from tabula._native import position as _position
from tabula.rules import PRESETS, RULE_FIELDS

if TYPE_CHECKING:
    from collections.abc import Callable

# What a condition names, changed so that the rules are just outside it.
OUTSIDE = [
    ("tabula kin", TABULA, {"gates": "move"}),
    ("tabula kin", TABULA, {"bear_off": "rearmost"}),
    ("tabula kin", TABULA, {"enter_first": True}),
    ("tabula kin", TABULA, {"stack_limit": 1, "setup": (12,) + (0,) * 25}),
    ("tabula kin", dataclasses.replace(TABULA, dice=2), {"doubles": "twice"}),
    ("backgammon kin", BACKGAMMON, {"stack_limit": 14}),
    ("backgammon kin", BACKGAMMON, {"enter_first": False}),
    ("backgammon kin", BACKGAMMON, {"half_gate": True}),
    ("backgammon kin", BACKGAMMON, {"gates": "turn"}),
    ("backgammon kin", BACKGAMMON, {"home_start": 6}),
    ("backgammon kin", BACKGAMMON, {"dice": 3, "doubles": "once", "opening": "roll-off"}),
]

# And what it does not name: these stay inside.
INSIDE = [
    ("tabula kin", dataclasses.replace(TABULA, stack_limit=2, home_start=13)),
    ("tabula kin", dataclasses.replace(TABULA, stack_limit=None)),
    ("tabula kin", dataclasses.replace(TABULA, half_gate=False, home_start=1)),
    ("tabula kin", dataclasses.replace(TABULA, dice=2)),
    ("tabula kin", dataclasses.replace(TABULA, dice=1)),
    ("tabula kin", dataclasses.replace(TABULA, larger_die=True, direction="opposed")),
    ("backgammon kin", dataclasses.replace(BACKGAMMON, doubles="once")),
    ("backgammon kin", dataclasses.replace(BACKGAMMON, larger_die=False)),
    ("backgammon kin", dataclasses.replace(BACKGAMMON, bear_off="exact")),
    ("backgammon kin", dataclasses.replace(BACKGAMMON, home_start=7)),
    ("backgammon kin", dataclasses.replace(BACKGAMMON, home_start=24)),
    ("backgammon kin", dataclasses.replace(BACKGAMMON, direction="same", setup=TABULA.setup)),
    ("backgammon kin", dataclasses.replace(BACKGAMMON, stack_limit=15)),
]


@pytest.mark.parametrize(("way", "inside", "change"), OUTSIDE, ids=lambda value: str(value)[:40])
def test_a_way_serves_no_rules_outside_its_condition(way: str, inside: Rules, change: dict[str, object]) -> None:
    assert _core.way(inside) == way
    assert _core.way(dataclasses.replace(inside, **change)) == "general"


@pytest.mark.parametrize(("way", "rules"), INSIDE, ids=lambda value: str(value)[:60])
def test_a_way_serves_all_rules_within_its_condition(way: str, rules: Rules) -> None:
    assert _core.way(rules) == way


def test_the_presets_have_the_ways_that_were_made_for_them() -> None:
    assert [_core.way(rules) for rules in (TABULA, BACKGAMMON, TABULA_HISTORIC)] == ["tabula kin", "backgammon kin", "general"]


MEMBERS = {name: getattr(CRules, name).offset for name, _ in CRules._fields_}
READ_BY_NO_WAY = {
    *range(MEMBERS["dice"]),
    MEMBERS["checkers"],
    MEMBERS["start_point"],
    MEMBERS["highest_win"],
    *range(MEMBERS["seal"] - 1, sizeof(CRules)),
}
"""The bytes of the setup, of what generation does not look at, of the way itself and of the seal."""


@pytest.mark.parametrize(("way", "rules"), [("tabula kin", TABULA), ("backgammon kin", BACKGAMMON), ("general", TABULA_HISTORIC)])
def test_rules_with_a_field_or_a_value_that_no_way_knows_are_searched_through_every_line(way: str, rules: Rules) -> None:
    """A field to come is a byte that is reserved now, and 0 until it changes something."""
    fields = [field for field in RULE_FIELDS.values() if field.member]
    known = {MEMBERS[str(field.member)]: {field.code(value) for value in field.values} for field in fields}
    known |= {offset: {0} for offset in range(MEMBERS["reserved"], MEMBERS["seal"] - 1)}
    assert sorted({*known, *READ_BY_NO_WAY}) == list(range(sizeof(CRules)))
    for offset in {*known} - READ_BY_NO_WAY:
        for value in {*range(256)} - known[offset]:
            assert _core.way_with(rules, offset, value) == "every line", (offset, value)
    for offset in READ_BY_NO_WAY - {MEMBERS["checkers"], MEMBERS["start_point"]}:
        assert _core.way_with(rules, offset, 7) == way, offset


def test_the_byte_that_is_changed_is_one_of_the_struct() -> None:
    for offset in (-1, sizeof(CRules)):
        with pytest.raises(ValueError, match=rf"^offset must be 0\.\.63, not {offset}$"):
            _core.way_with(TABULA, offset, 0)


RULES = [rules for _, rules in INSIDE] + [dataclasses.replace(inside, **change) for _, inside, change in OUTSIDE]


@given(positions(st.sampled_from([TABULA, BACKGAMMON, *RULES])), st.data())
def test_a_fast_way_lists_and_counts_what_the_general_one_does(position: Position, data: st.DataObject) -> None:
    rules = position.rules
    general = Position.from_tracks(position.mover, position.other, rules=_core.general(rules))
    leaves = 0
    for roll in dice.all_rolls(rules.dice):
        plays, expected = position.plays(roll), general.plays(roll)
        ends = {bytes(after) for after in plays.positions}
        assert len(ends) == len(plays) == len(expected) == position.count(roll) == general.count(roll)
        assert ends == {bytes(after) for after in expected.positions}
        assert plays.dice_used == expected.dice_used
        leaves += len(plays)
    assert perft(position, 1) == leaves == _position.count_leaves(position, 1, build=True)
    roll = data.draw(st.sampled_from(dice.all_rolls(rules.dice)))
    turn = reference.generate(rules, position.mover, position.other, roll)
    assert len(turn.afterstates) == position.count(roll)


@given(positions(), st.integers(0, 2**32))
def test_the_general_way_lists_counts_and_picks_what_the_search_through_every_line_finds(position: Position, seed: int) -> None:
    rules = _core.general(position.rules)
    general, searched = (
        Position.from_tracks(position.mover, position.other, rules=each) for each in (rules, _core.every_line(rules))
    )
    leaves = 0
    for roll in dice.all_rolls(rules.dice):
        plays, expected = general.plays(roll), searched.plays(roll)
        ends = {bytes(after) for after in expected.positions}
        assert len(plays) == len(expected) == len(ends) == general.count(roll) == searched.count(roll)
        assert ends == {bytes(after) for after in plays.positions}
        assert plays.dice_used == expected.dice_used
        leaves += len(plays)
    for each in (general, searched):
        assert perft(each, 1) == leaves == _position.count_leaves(each, 1, build=True)
    rolls = np.array(dice.all_rolls(rules.dice), np.uint8)
    same = np.tile(position.to_array(), (len(rolls), 1, 1))
    drawn, picked = (
        batch.random_play(same, rolls, rules=rules, rng=np.random.default_rng(seed), check=check) for check in (True, False)
    )
    assert np.array_equal(drawn, picked)


@pytest.mark.parametrize("way", [_core.general, _core.every_line], ids=["general", "every line"])
@pytest.mark.parametrize("name", CASES)
def test_every_golden_case_by_the_ways_that_serve_any_rules(way: Callable[[Rules], Rules], name: str) -> None:
    for number, case in CASES[name]:
        rules = way(PRESETS[case["rules"]] if isinstance(case["rules"], str) else Rules.from_dict(case["rules"]))
        position = Position.from_tracks(tuple(case["mover"]), tuple(case["other"]), rules=rules)
        plays = position.plays("".join(map(str, case["roll"])))
        states = {(play.position.other, play.position.mover) for play in plays}
        found = {"dice_used": plays.dice_used, "count": len(plays), "sha256": digest(states)}
        assert found == {key: case[key] for key in found}, f"line {number}"


def test_copies_that_go_another_way_are_equal_rules() -> None:
    for rules in (TABULA, BACKGAMMON, TABULA_HISTORIC):
        assert [_core.way(way(rules)) for way in (_core.general, _core.every_line)] == ["general", "every line"]
        assert rules == _core.general(rules) == _core.every_line(rules)


ENTERING = dataclasses.replace(TABULA_HISTORIC, half_gate=False, home_start=1, bear_off="rearmost")


@pytest.mark.parametrize("rules", [TABULA_HISTORIC, ENTERING, dataclasses.replace(ENTERING, stack_limit=2, larger_die=True)])
@pytest.mark.parametrize("waiting", [1, 2, 3])
def test_checkers_that_must_enter_are_as_the_reference_has_them(rules: Rules, waiting: int) -> None:
    """Every set of blots and blocks on the points that a checker enters on, with a few more checkers further on."""
    rules = _core.general(rules)
    for pattern in range(3**6):
        other, mover = [0] * 26, [0] * 26
        for point in range(1, 7):
            other[point] = pattern // 3 ** (point - 1) % 3
        other[0] = 15 - sum(other)
        mover[0], mover[12], mover[20] = waiting, 1, 1
        mover[next((point for point in range(1, 7) if not other[point]), 25)] += 1
        mover[25] += 15 - sum(mover)
        position = Position.from_tracks(mover, other, rules=rules)
        for roll in ((6, 3, 2), (5, 4, 1), (3, 2, 1), (4, 4, 2), (6, 3, 3), (2, 2, 2))[pattern % 2 :: 2]:
            expected = reference.generate(rules, tuple(mover), tuple(other), roll)
            plays = position.plays(roll)
            assert {(play.position.other, play.position.mover) for play in plays} == set(expected.afterstates)
            assert len(plays) == position.count(roll) == len(expected.afterstates)
            assert plays.dice_used == expected.dice_used


@pytest.mark.parametrize(("larger_die", "plays"), [(False, 2), (True, 1)])
def test_a_checker_that_enters_by_either_die_and_goes_no_further_enters_by_the_larger_where_that_is_a_rule(
    larger_die: bool, plays: int
) -> None:
    rules = Rules(
        dice=2, doubles="twice", stack_limit=None, enter_first=True, half_gate=False, gates="move", bear_off="rearmost",
        larger_die=larger_die, setup=(15, *[0] * 25),
    )  # fmt: skip
    assert _core.way(rules) == "backgammon kin"
    position = Position.from_points({24: 14}, {8: 2}, rules=rules, bar=(1, 13))
    turn = reference.generate(rules, position.mover, position.other, (5, 3))
    assert position.count("53") == len(position.plays("53")) == len(turn.afterstates) == plays
    assert position.plays("53").dice_used == turn.dice_used == 1


@pytest.mark.parametrize("waiting", range(4))
@pytest.mark.parametrize("limit", [0, 1, 2, 3, 4], ids="moves of {}".format)
def test_equal_dice_whose_lists_begin_with_one_way_are_listed_within_their_room(waiting: int, limit: int) -> None:
    """Four plays at a time are copied from what begins as a list of one; a build with sanitizers sees a step beyond its room."""
    for die in range(1, 7):
        mover, other = [0] * 26, [0] * 26
        # a lone checker with so many free landings ahead of it, and the others where nothing can move
        landing = 1 + die * (limit + 1)
        mover[0], mover[1] = waiting, 1
        if landing <= 24:
            other[BACKGAMMON.facing(landing)] = 2
        mover[24] = 15 - 1 - waiting
        if mover[24] and landing == 24:
            continue
        other[0] = 15 - sum(other)
        position = Position.from_tracks(mover, other, rules=BACKGAMMON)
        expected = reference.generate(BACKGAMMON, tuple(mover), tuple(other), (die, die))
        plays = position.plays((die, die))
        assert plays.dice_used == expected.dice_used
        assert {(play.position.other, play.position.mover) for play in plays} == set(expected.afterstates)
        assert len(plays) == position.count((die, die)) == len(expected.afterstates)


@pytest.mark.parametrize("rules", [TABULA, BACKGAMMON, TABULA_HISTORIC], ids=lambda rules: rules.name)
def test_building_the_last_ply_gives_what_counting_it_gives(rules: Rules) -> None:
    start = Position(rules)
    for depth in range(3):
        assert _position.count_leaves(start, depth, build=True) == _position.count_leaves(start, depth)


@given(positions(st.sampled_from([TABULA, BACKGAMMON, *RULES])), st.integers(0, 2**32))
def test_the_play_that_is_picked_is_the_one_listed_at_the_place_drawn(position: Position, seed: int) -> None:
    """Unchecked batches draw from the list of plays, and checked ones make only the play drawn."""
    rules = position.rules
    rolls = np.array(dice.all_rolls(rules.dice), np.uint8)
    same = np.tile(position.to_array(), (len(rolls), 1, 1))
    drawn, picked = (
        batch.random_play(same, rolls, rules=rules, rng=np.random.default_rng(seed), check=check) for check in (False, True)
    )
    assert np.array_equal(drawn, picked)
