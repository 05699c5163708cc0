"""Each field of `Rules` at both its values, and what is common to all rules, on both engines.

A field is shown on Tabula with that one field changed, or with the few more that let it be seen alone.
"""

import dataclasses
from typing import Any

import numpy as np
import pytest
from support.engines import Engine
from support.tracks import WAITING, side

from tabula import BACKGAMMON, BLACK, TABULA, TABULA_HISTORIC, WHITE, Position, Rules
from tabula import dice as dice_room

WON = side({})


def tabula(**fields: Any) -> Rules:
    return dataclasses.replace(TABULA, **fields)


@pytest.mark.parametrize(("dice", "roll", "end"), [(1, "3", {4: 1}), (2, "32", {6: 1}), (3, "321", {7: 1})])
def test_dice_is_how_many_dice_are_thrown_and_played(engine: Engine, dice: int, roll: str, end: dict[int, int]) -> None:
    assert engine.ends(tabula(dice=dice), side({1: 1}), WAITING, roll) == (dice, {(side(end), WAITING)})


def test_doubles_once_equal_dice_are_each_played_once(engine: Engine) -> None:
    assert engine.ends(tabula(dice=2), side({1: 1}), WAITING, "33") == (2, {(side({7: 1}), WAITING)})


def test_doubles_twice_equal_dice_are_each_played_twice(engine: Engine) -> None:
    rules = tabula(dice=2, doubles="twice")
    assert engine.ends(rules, side({1: 1}), WAITING, "33") == (4, {(side({13: 1}), WAITING)})
    assert engine.ends(rules, side({1: 1}), WAITING, "32") == (2, {(side({6: 1}), WAITING)})


def test_direction_same_an_index_is_one_point_for_both(engine: Engine) -> None:
    rules = tabula(dice=1)
    assert engine.ends(rules, side({1: 1}), side({4: 1}), "3") == (1, {(side({4: 1}), side({0: 1}))})
    assert engine.ends(rules, side({1: 1}), side({21: 1}), "3") == (1, {(side({4: 1}), side({21: 1}))})


def test_direction_opposed_an_index_is_25_minus_it_for_the_other_side(engine: Engine) -> None:
    rules = tabula(dice=1, direction="opposed")
    assert engine.ends(rules, side({1: 1}), side({4: 1}), "3") == (1, {(side({4: 1}), side({4: 1}))})
    assert engine.ends(rules, side({1: 1}), side({21: 1}), "3") == (1, {(side({4: 1}), side({0: 1}))})
    assert engine.ends(rules, side({1: 1}), side({21: 2}), "3") == (0, {(side({1: 1}), side({21: 2}))})


def test_numbering_up_points_are_named_by_the_track_index() -> None:
    rules = tabula(dice=1)
    (play,) = Position.from_tracks(side({1: 1}), WAITING, rules=rules).plays("3")
    assert str(play) == "1/4"
    assert Position.from_points({1: 1}, {}, rules=rules, off=(14, 0), bar=(0, 15)).mover == side({1: 1})


def test_numbering_down_points_are_named_25_minus_the_track_index() -> None:
    rules = tabula(dice=1, numbering="down")
    (play,) = Position.from_tracks(side({1: 1}), WAITING, rules=rules).plays("3")
    assert str(play) == "24/21"
    assert Position.from_points({24: 1}, {}, rules=rules, off=(14, 0), bar=(0, 15)).mover == side({1: 1})


def test_numbering_changes_no_play(engine: Engine) -> None:
    mover, other = side({0: 1, 3: 2, 5: 1}), side({2: 1, 9: 2})
    assert engine.ends(tabula(numbering="down"), mover, other, "321") == engine.ends(TABULA, mover, other, "321")


@pytest.mark.parametrize("limit", range(1, 15))
def test_stack_limit_is_the_most_checkers_that_a_side_may_have_on_a_point(engine: Engine, limit: int) -> None:
    rules = tabula(dice=1, stack_limit=limit, home_start=1, half_gate=False)
    assert engine.refusal(rules, side({1: 1, 4: limit - 1}), side({20: 1}), "3", [(1, 3)]) is None
    assert engine.refusal(rules, side({1: 1, 4: limit}), side({20: 1}), "3", [(1, 3)]) == (
        f"1/4 with a 3 cannot be made: 4 is full with {limit} checkers"
    )


def test_stack_limit_is_looked_at_before_every_move_whatever_gates_says(engine: Engine) -> None:
    for gates in ("turn", "move"):
        rules = tabula(dice=2, stack_limit=1, home_start=1, gates=gates)
        assert engine.refusal(rules, side({1: 1, 4: 1}), side({20: 1}), "31", [(4, 1), (1, 3)]) is None
        assert engine.refusal(rules, side({1: 1, 4: 1}), side({20: 1}), "31", [(1, 3), (4, 1)]) is not None


def test_stack_limit_holds_where_sides_travel_in_opposed_directions(engine: Engine) -> None:
    rules = dataclasses.replace(BACKGAMMON, stack_limit=5, setup=side({1: 2, 12: 5, 17: 3, 19: 5}))
    assert engine.refusal(rules, side({17: 1, 19: 5}), WAITING, "21", [(17, 2), (19, 1)]) == (
        "8/6 with a 2 cannot be made: 6 is full with 5 checkers"
    )


def test_stack_limit_none_a_point_may_hold_all_checkers(engine: Engine) -> None:
    assert engine.ends(tabula(stack_limit=None, dice=1), side({1: 1, 4: 14}), side({7: 2}), "3").movers == {side({4: 15})}
    assert engine.ends(tabula(dice=1), side({1: 1, 4: 5}), side({7: 2}), "3") == (0, {(side({1: 1, 4: 5}), side({7: 2}))})


def test_enter_first_while_a_checker_waits_no_other_may_move(engine: Engine) -> None:
    mover = side({0: 2, 5: 1})
    assert engine.ends(tabula(dice=2, enter_first=True), mover, WAITING, "21").movers == {side({1: 1, 2: 1, 5: 1})}


def test_enter_first_a_side_that_cannot_enter_passes(engine: Engine) -> None:
    mover, other = side({0: 1, 5: 1}), side({1: 2, 2: 2})
    assert engine.ends(tabula(dice=2, enter_first=True), mover, other, "21") == (0, {(mover, other)})


def test_without_enter_first_others_may_move_while_a_checker_waits(engine: Engine) -> None:
    assert engine.ends(tabula(dice=2), side({0: 2, 5: 1}), WAITING, "21").movers == {
        side({1: 1, 2: 1, 5: 1}),
        side({0: 1, 1: 1, 7: 1}),
        side({0: 1, 2: 1, 6: 1}),
        side({0: 1, 3: 1, 5: 1}),
        side({0: 2, 8: 1}),
    }


@pytest.mark.parametrize("gates", ["turn", "move"])
def test_enter_first_is_looked_at_before_every_move_whatever_gates_says(engine: Engine, gates: str) -> None:
    rules = tabula(enter_first=True, gates=gates)
    ends = engine.ends(rules, side({0: 1, 5: 1}), WAITING, "111")
    assert (ends.dice_used, ends.movers) == (3, {side({3: 1, 5: 1}), side({2: 1, 6: 1}), side({1: 1, 7: 1})})


def test_half_gate_no_move_onto_or_within_13_to_24_while_a_checker_waits(engine: Engine) -> None:
    rules = tabula(dice=1)
    for source in (12, 13, 23):
        assert engine.refusal(rules, side({0: 1, source: 1}), WAITING, "1", [(source, 1)]) is not None
    assert engine.refusal(rules, side({0: 1, 11: 1}), WAITING, "1", [(11, 1)]) is None


def test_half_gate_closes_a_long_way_in_for_an_entering_checker_too(engine: Engine) -> None:
    rules = tabula(half_gate=True)
    assert engine.ends(rules, side({0: 1}), WAITING, "654") == (
        2,
        {(side({11: 1}), WAITING), (side({10: 1}), WAITING), (side({9: 1}), WAITING)},
    )


def test_half_gate_counts_from_the_movers_own_track_in_opposed_games(engine: Engine) -> None:
    rules = dataclasses.replace(BACKGAMMON, dice=1, doubles="once", opening="roll-off", half_gate=True, enter_first=False)
    assert engine.refusal(rules, side({0: 1, 12: 1}), WAITING, "1", [(12, 1)]) == (
        "13/12 with a 1 cannot be made: points 12 to 1 and off are closed to a side with a checker waiting"
    )


def test_without_half_gate_checkers_move_anywhere_while_one_waits(engine: Engine) -> None:
    rules = tabula(dice=1, half_gate=False)
    for source in (11, 12, 13, 23):
        assert engine.refusal(rules, side({0: 1, source: 1}), WAITING, "1", [(source, 1)]) is None


@pytest.mark.parametrize("home_start", range(1, 25))
def test_home_start_a_checker_is_borne_off_only_when_every_own_checker_not_yet_off_stands_from_it_on(
    engine: Engine, home_start: int
) -> None:
    rules = tabula(dice=1, stack_limit=None, home_start=home_start)
    assert engine.refusal(rules, side({home_start: 1, 24: 1}), WAITING, "1", [(24, 1)]) is None
    assert engine.refusal(rules, side({home_start - 1: 1, 24: 1}), WAITING, "1", [(24, 1)]) is not None


def test_gates_turn_the_half_gate_is_that_of_the_start_of_the_turn(engine: Engine) -> None:
    ends = engine.ends(tabula(gates="turn"), side({0: 1, 12: 1}), WAITING, "111")
    assert ends.movers == {side({3: 1, 12: 1})}


def test_gates_move_the_half_gate_is_looked_at_before_each_move(engine: Engine) -> None:
    ends = engine.ends(tabula(gates="move"), side({0: 1, 12: 1}), WAITING, "111")
    assert ends.movers == {side({3: 1, 12: 1}), side({2: 1, 13: 1}), side({1: 1, 14: 1})}


def test_gates_turn_bearing_off_is_that_of_the_start_of_the_turn(engine: Engine) -> None:
    assert engine.ends(tabula(gates="turn"), side({12: 1, 24: 2}), WAITING, "211").movers == {side({16: 1, 24: 2})}


def test_gates_move_bearing_off_is_looked_at_before_each_move(engine: Engine) -> None:
    assert engine.ends(tabula(gates="move"), side({12: 1, 24: 2}), WAITING, "211").movers == {
        side({16: 1, 24: 2}),
        side({15: 1, 24: 1}),
        side({14: 1}),
    }


@pytest.mark.parametrize("gates", ["turn", "move"])
def test_the_rearmost_checker_is_looked_at_before_every_move_whatever_gates_says(engine: Engine, gates: str) -> None:
    rules = tabula(dice=2, bear_off="rearmost", gates=gates)
    assert engine.refusal(rules, side({20: 1, 22: 1}), WAITING, "65", [(20, 5), (22, 6)]) is None
    assert engine.refusal(rules, side({20: 1, 22: 1}), WAITING, "65", [(22, 6), (20, 5)]) == (
        "22/off with a 6 cannot be made: a larger die bears off from 22 only when no checker is behind it"
    )


@pytest.mark.parametrize("gates", ["turn", "move"])
def test_full_points_are_looked_at_before_every_move_whatever_gates_says(engine: Engine, gates: str) -> None:
    assert engine.refusal(tabula(gates=gates), side({4: 1, 7: 5}), WAITING, "321", [(7, 2), (4, 3), (7, 1)]) is None


def test_bear_off_exact_a_larger_die_bears_nothing_off(engine: Engine) -> None:
    rules = tabula(dice=1)
    assert engine.ends(rules, side({22: 1}), WAITING, "3") == (1, {(WON, WAITING)})
    for die in "456":
        assert engine.ends(rules, side({22: 1}), WAITING, die) == (0, {(side({22: 1}), WAITING)})


def test_bear_off_rearmost_a_larger_die_bears_off_a_checker_with_no_own_checker_behind_it(engine: Engine) -> None:
    rules = tabula(dice=1, bear_off="rearmost")
    for die in "3456":
        assert engine.ends(rules, side({22: 1}), WAITING, die) == (1, {(WON, WAITING)})
    assert engine.ends(rules, side({20: 1, 22: 1}), WAITING, "6").movers == {side({22: 1})}
    assert engine.ends(rules, side({18: 1, 22: 1}), WAITING, "6").movers == {side({22: 1, 24: 1})}
    assert engine.ends(rules, side({18: 1, 19: 1, 22: 1}), WAITING, "6").movers == {
        side({19: 1, 22: 1, 24: 1}),
        side({18: 1, 22: 1}),
    }


def test_bear_off_rearmost_the_home_must_still_be_reached_by_all(engine: Engine) -> None:
    rules = tabula(dice=1, bear_off="rearmost")
    assert engine.ends(rules, side({12: 1, 22: 1}), side({18: 2}), "6") == (0, {(side({12: 1, 22: 1}), side({18: 2}))})
    assert engine.ends(rules, side({0: 1, 22: 1}), side({6: 2}), "6") == (0, {(side({0: 1, 22: 1}), side({6: 2}))})


def test_larger_die_if_at_most_one_die_can_be_played_it_must_be_the_largest_that_can(engine: Engine) -> None:
    rules = tabula(larger_die=True)
    blocked = side({2: 2, 4: 2, 8: 2, 9: 2})
    assert engine.ends(rules, side({1: 1}), blocked, "621") == (1, {(side({7: 1}), blocked)})
    blocked = side({2: 2, 4: 2, 7: 2, 9: 2})
    assert engine.ends(rules, side({1: 1}), blocked, "621") == (1, {(side({3: 1}), blocked)})


def test_larger_die_says_nothing_when_two_dice_can_be_played(engine: Engine) -> None:
    rules = tabula(larger_die=True)
    assert engine.ends(rules, side({1: 1}), side({8: 2, 9: 2, 10: 2}), "621").movers == {side({4: 1})}


def test_without_larger_die_either_die_may_be_the_one_played(engine: Engine) -> None:
    blocked = side({2: 2, 4: 2, 8: 2, 9: 2})
    assert engine.ends(TABULA, side({1: 1}), blocked, "621").movers == {side({3: 1}), side({7: 1})}


def test_highest_win_3_a_win_counts_2_if_the_loser_has_borne_none_off_and_3_if_he_waits_or_stands_in_the_last_six(
    engine: Engine,
) -> None:
    rules = tabula(highest_win=3)
    assert engine.points_won(rules, side({1: 4, 2: 5, 3: 5})) == 1
    assert engine.points_won(rules, side({1: 5, 2: 5, 3: 5})) == 2
    assert engine.points_won(rules, side({0: 1, 1: 4, 2: 5, 3: 5})) == 3


@pytest.mark.parametrize("index", range(1, 25))
@pytest.mark.parametrize("direction", ["same", "opposed"])
def test_highest_win_3_the_last_six_points_are_the_winners(engine: Engine, direction: str, index: int) -> None:
    rules = tabula(highest_win=3, stack_limit=None, direction=direction)
    in_last_six = index >= 19 if direction == "same" else index <= 6
    assert engine.points_won(rules, side({index: 15})) == (3 if in_last_six else 2)


def test_highest_win_1_every_win_counts_one(engine: Engine) -> None:
    assert engine.points_won(TABULA, WAITING) == 1
    assert engine.points_won(TABULA, side({24: 1})) == 1


def test_opening_roll_off_the_higher_of_one_die_each_starts_and_throws_all_dice() -> None:
    rng = np.random.default_rng(5)
    openings = [dice_room.opening(rng, TABULA) for _ in range(2000)]
    assert {turn for turn, _ in openings} == {WHITE, BLACK}
    assert {roll for _, roll in openings} == set(dice_room.all_rolls(3))


def test_opening_split_the_higher_of_one_die_each_starts_and_plays_those_two() -> None:
    rng = np.random.default_rng(5)
    openings = [dice_room.opening(rng, BACKGAMMON) for _ in range(2000)]
    assert {turn for turn, _ in openings} == {WHITE, BLACK}
    assert {roll for _, roll in openings} == {roll for roll in dice_room.all_rolls(2) if roll[0] != roll[1]}


def test_opening_is_unknown_to_positions_and_perft(engine: Engine) -> None:
    rules = dataclasses.replace(BACKGAMMON, opening="roll-off")
    assert engine.perft(rules, rules.setup, rules.setup, 1) == engine.perft(BACKGAMMON, rules.setup, rules.setup, 1) == 447


def test_setup_is_the_starting_track_of_a_side() -> None:
    setup = side({0: 1, 3: 2, 24: 1}, checkers=4)
    start = Position(tabula(direction="opposed", setup=setup))
    assert start.mover == start.other == setup
    assert start.rules.checkers == 4


def test_name_is_no_part_of_equality_or_hash() -> None:
    other = tabula(name="mine")
    assert other == TABULA
    assert hash(other) == hash(TABULA)
    assert Position(other) == Position(TABULA)
    assert hash(Position(other)) == hash(Position(TABULA))


# ------------------------------------------------------------------------------------------------------ common to all rules

ALL = [
    TABULA,
    BACKGAMMON,
    TABULA_HISTORIC,
    tabula(dice=1),
    tabula(dice=2, doubles="twice"),
    tabula(direction="opposed", enter_first=True),
    tabula(gates="move", larger_die=True, bear_off="rearmost"),
]
every_rules = pytest.mark.parametrize("rules", ALL, ids=range(len(ALL)))


def roll_of(rules: Rules, die: int) -> str:
    return str(die) * rules.dice


@every_rules
def test_common_a_point_with_two_or_more_opposing_checkers_is_blocked(engine: Engine, rules: Rules) -> None:
    mover, other = side({2: 1}), side({rules.facing(5): 2})
    assert engine.ends(rules, mover, other, roll_of(rules, 3)) == (0, {(mover, other)})


@every_rules
def test_common_landing_on_a_blot_hits_it_at_pauses_too(engine: Engine, rules: Rules) -> None:
    mover, other = side({2: 1}), side({rules.facing(5): 1, rules.facing(8): 1, 12: 1})
    hits = min(2, rules.dice)
    for _, after in engine.ends(rules, mover, other, roll_of(rules, 3)).states:
        assert after[0] == hits


@every_rules
def test_common_dice_left_after_the_last_checker_is_off_are_not_playable(engine: Engine, rules: Rules) -> None:
    assert engine.ends(rules, side({24: 1}), WAITING, roll_of(rules, 1)) == (1, {(WON, WAITING)})


@every_rules
def test_common_the_game_ends_when_a_side_has_borne_all_off(engine: Engine, rules: Rules) -> None:
    assert engine.ends(rules, WAITING, WON, roll_of(rules, 1)) == (0, set())
    assert Position.from_tracks(WAITING, WON, rules=rules).outcome is not None
    assert Position(rules).outcome is None


@every_rules
def test_common_a_roll_with_nothing_playable_is_one_play_of_no_moves(engine: Engine, rules: Rules) -> None:
    mover, other = side({2: 1}), side({rules.facing(5): 2})
    assert engine.moves_shown(rules, mover, other, roll_of(rules, 3)) == (0, {(mover, other): ()})


@pytest.mark.parametrize("rules", [TABULA, tabula(gates="move"), TABULA_HISTORIC, tabula(bear_off="exact", larger_die=True)])
def test_common_more_dice_win_over_winning_at_once(engine: Engine, rules: Rules) -> None:
    assert engine.ends(rules, side({19: 1}), WAITING, "621") == (2, {(side({22: 1}), WAITING)})
