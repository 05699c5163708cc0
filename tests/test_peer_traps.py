"""Positions on which published programs are wrong, with the right answers; points in the mover's own numbering, 24 down to 1."""

from support.engines import Engine
from support.tracks import State, mirrored, side

from tabula import BACKGAMMON


def against(points: dict[int, int]) -> tuple[int, ...]:
    """The other side's track, with its checkers by the point that the mover numbers so; all else off."""
    return side(points)


def plays(engine: Engine, mover: dict[int, int], other: dict[int, int], roll: str) -> tuple[int, set[State]]:
    dice_used, states = engine.ends(BACKGAMMON, mirrored(mover), against(other), roll)
    return dice_used, set(states)


def test_both_dice_are_played_where_one_way_of_many_allows_it(engine: Engine) -> None:
    other = {4: 2, 16: 2, 18: 3, 19: 4, 20: 4}
    assert plays(engine, {24: 1, 8: 1, 6: 13}, other, "62") == (2, {(mirrored({22: 1, 6: 13, 2: 1}), against(other))})


def test_one_die_the_larger(engine: Engine) -> None:
    other = {4: 2, 24: 13}
    assert plays(engine, {12: 1}, other, "62") == (1, {(mirrored({6: 1}), against(other))})


def test_a_double_in_the_bear_off_may_be_split_between_moving_and_bearing_off(engine: Engine) -> None:
    other = {22: 2, 24: 1}
    dice_used, states = plays(engine, {6: 2, 5: 3}, other, "33")
    assert (dice_used, len(states)) == (4, 5)
    assert (mirrored({5: 2, 2: 1, 3: 1}), against(other)) in states


def test_four_ones_from_two_points_have_thirteen_ends(engine: Engine) -> None:
    dice_used, states = plays(engine, {5: 4, 2: 2}, {24: 15}, "11")
    assert (dice_used, len(states)) == (4, 13)


def test_two_dice_are_played_by_the_last_checker_where_one_would_bear_it_off(engine: Engine) -> None:
    dice_used, states = plays(engine, {2: 1}, {1: 1, 24: 14}, "61")
    assert dice_used == 2
    assert states == {(side({}), against({0: 1, 24: 14}))}


def test_three_of_four_fives_are_played(engine: Engine) -> None:
    assert plays(engine, {24: 1}, {4: 2}, "55") == (3, {(mirrored({9: 1}), against({4: 2}))})


def test_the_last_checker_comes_in_with_one_die_and_one_is_borne_off_with_the_other(engine: Engine) -> None:
    other = {24: 15}
    dice_used, states = plays(engine, {7: 1, 6: 7, 4: 7}, other, "61")
    assert dice_used == 2
    assert (mirrored({6: 7, 4: 7}), against(other)) in states


def test_a_hit_is_optional_when_both_pauses_are_open(engine: Engine) -> None:
    blot = {18: 1}
    _, states = plays(engine, {24: 1, 6: 3}, blot, "65")
    assert {other for mover, other in states if mover == mirrored({13: 1, 6: 3})} == {against(blot), side({0: 1})}


def test_a_win_over_a_side_with_a_checker_on_the_bar_and_none_off_is_three_points(engine: Engine) -> None:
    assert engine.points_won(BACKGAMMON, side({0: 1, 12: 14})) == 3
