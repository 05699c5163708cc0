"""The rules of backgammon, one test for each sentence of them, on both engines; points as a player numbers them, 24 down to 1."""

from support.engines import Engine
from support.tracks import WAITING, mirrored, side

from tabula import BACKGAMMON, Position

WON = side({})


def test_a_game_starts_with_2_on_24_5_on_13_3_on_8_and_5_on_6() -> None:
    start = Position(BACKGAMMON)
    assert start.mover == start.other == mirrored({24: 2, 13: 5, 8: 3, 6: 5})
    assert start == Position.from_points({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, rules=BACKGAMMON)


def test_two_dice_are_thrown_and_doubles_are_played_four_times(engine: Engine) -> None:
    start = BACKGAMMON.setup
    assert engine.ends(BACKGAMMON, start, start, "31").dice_used == 2
    assert engine.ends(BACKGAMMON, start, start, "33").dice_used == 4
    assert engine.ends(BACKGAMMON, mirrored({13: 1}), WAITING, "33") == (4, {(mirrored({1: 1}), WAITING)})


def test_the_sides_travel_in_opposed_directions(engine: Engine) -> None:
    other = mirrored({24: 2, 12: 13})
    assert engine.refusal(BACKGAMMON, mirrored({7: 1, 24: 1}), other, "61", [(18, 6)]) == (
        "7/1 with a 6 cannot be made: 1 is blocked by 2 opposing checkers"
    )


def test_a_hit_checker_waits_on_the_bar(engine: Engine) -> None:
    assert engine.ends(BACKGAMMON, mirrored({7: 1}), mirrored({21: 1}), "21") == (2, {(mirrored({4: 1}), side({0: 1}))})


def test_a_hit_on_the_way_is_optional_when_both_pauses_are_open(engine: Engine) -> None:
    blot = mirrored({20: 1})
    assert engine.ends(BACKGAMMON, mirrored({7: 1}), blot, "21") == (
        2,
        {(mirrored({4: 1}), blot), (mirrored({4: 1}), side({0: 1}))},
    )


def test_checkers_on_the_bar_enter_before_any_other_moves(engine: Engine) -> None:
    mover = side({0: 2, 12: 1})
    ends = engine.ends(BACKGAMMON, mover, WAITING, "21")
    assert (ends.dice_used, ends.movers) == (2, {side({1: 1, 2: 1, 12: 1})})
    assert engine.refusal(BACKGAMMON, mover, WAITING, "21", [(0, 1), (12, 2)]) == (
        "13/11 with a 2 cannot be made: a waiting checker must enter first"
    )


def test_a_checker_enters_with_die_d_on_the_other_sides_point_d(engine: Engine) -> None:
    other = mirrored({6: 2, 5: 2, 4: 11})
    mover = side({0: 15})
    assert engine.ends(BACKGAMMON, mover, other, "65") == (0, {(mover, other)})
    assert engine.ends(BACKGAMMON, mover, other, "63") == (1, {(side({0: 14, 3: 1}), other)})


def test_as_many_dice_as_possible_are_played(engine: Engine) -> None:
    other = mirrored({21: 2, 9: 2, 7: 3, 6: 4, 5: 4})
    mover = mirrored({24: 1, 8: 1, 6: 13})
    assert engine.ends(BACKGAMMON, mover, other, "62") == (2, {(mirrored({22: 1, 2: 1, 6: 13}), other)})


def test_the_larger_die_is_played_if_just_one_can_be_and_either_could(engine: Engine) -> None:
    other = mirrored({21: 2, 1: 13})
    mover = mirrored({12: 1})
    assert engine.ends(BACKGAMMON, mover, other, "62") == (1, {(mirrored({6: 1}), other)})
    assert engine.refusal(BACKGAMMON, mover, other, "62", [(13, 2)]) == (
        "12/10 plays a 2, and if only one die can be played it must be the largest that can, a 6"
    )


def test_the_smaller_die_is_played_if_only_it_can_be(engine: Engine) -> None:
    other = mirrored({19: 2, 21: 2, 1: 11})
    mover = mirrored({12: 1})
    assert engine.ends(BACKGAMMON, mover, other, "62") == (1, {(mirrored({10: 1}), other)})


def test_checkers_are_borne_off_from_the_last_six_points_once_all_are_there(engine: Engine) -> None:
    assert engine.refusal(BACKGAMMON, mirrored({6: 1, 1: 1}), WAITING, "61", [(19, 6), (24, 1)]) is None
    mover = mirrored({8: 1, 6: 2})
    assert engine.refusal(BACKGAMMON, mover, WAITING, "61", [(19, 6), (18, 1)]) == (
        "6/off with a 6 cannot be made: bearing off needs every checker on 6 to 1"
    )


def test_the_last_checker_may_come_home_with_one_die_and_another_be_borne_off_with_the_next(engine: Engine) -> None:
    assert engine.refusal(BACKGAMMON, mirrored({7: 1, 6: 2}), WAITING, "61", [(18, 1), (19, 6)]) is None


def test_a_checker_is_borne_off_by_the_exact_number_or_with_a_larger_one_from_the_rearmost_point(engine: Engine) -> None:
    mover = mirrored({4: 1, 2: 1})
    assert engine.ends(BACKGAMMON, mover, WAITING, "62") == (2, {(WON, WAITING), (mirrored({2: 1}), WAITING)})
    assert engine.refusal(BACKGAMMON, mover, WAITING, "61", [(23, 6), (21, 1)]) == (
        "2/off with a 6 cannot be made: a larger die bears off from 2 only when no checker is behind it"
    )
    assert engine.refusal(BACKGAMMON, mover, WAITING, "65", [(21, 6), (23, 5)]) is None


def test_a_checker_may_move_within_the_last_six_points_instead_of_being_borne_off(engine: Engine) -> None:
    ends = engine.ends(BACKGAMMON, mirrored({6: 1, 4: 1}), WAITING, "41")
    assert (ends.dice_used, ends.movers) == (2, {mirrored({4: 1, 1: 1}), mirrored({3: 1, 2: 1}), mirrored({5: 1})})


def test_there_is_no_stack_limit(engine: Engine) -> None:
    assert engine.refusal(BACKGAMMON, mirrored({8: 1, 6: 14}), WAITING, "21", [(17, 2), (19, 1)]) is None


def test_a_win_counts_two_points_if_the_loser_has_borne_none_off(engine: Engine) -> None:
    assert engine.points_won(BACKGAMMON, mirrored({12: 15})) == 2
    assert engine.points_won(BACKGAMMON, mirrored({12: 14})) == 1


def test_a_win_counts_three_points_if_the_loser_moreover_waits_or_stands_in_the_winners_last_six_points(engine: Engine) -> None:
    assert engine.points_won(BACKGAMMON, side({0: 1, 12: 14})) == 3
    for point in range(19, 25):
        assert engine.points_won(BACKGAMMON, mirrored({point: 1, 12: 14})) == 3
    assert engine.points_won(BACKGAMMON, mirrored({18: 1, 12: 14})) == 2
    assert engine.points_won(BACKGAMMON, side({0: 1, 12: 13})) == 1
