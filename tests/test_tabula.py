"""The rules of Tabula, one test for each sentence of them, on both engines."""

import pytest
from support.engines import Engine
from support.tracks import WAITING, side

from tabula import TABULA, Position

WON = side({})


def test_a_game_has_24_points_15_checkers_and_three_dice_and_starts_with_nothing_on_the_board() -> None:
    start = Position()
    assert start.rules is TABULA
    assert start.mover == start.other == (15, *[0] * 24, 0)
    assert (TABULA.dice, TABULA.checkers, len(start.mover)) == (3, 15, 26)


@pytest.mark.parametrize("die", range(1, 7))
def test_die_d_enters_on_point_d(engine: Engine, die: int) -> None:
    assert side({0: 12, die: 3}) in engine.ends(TABULA, WAITING, WAITING, f"{die}{die}{die}").movers


def test_the_first_roll_may_enter_three_checkers_or_two_or_carry_none_past_the_first_half(engine: Engine) -> None:
    dice_used, states = engine.ends(TABULA, WAITING, WAITING, "652")
    assert dice_used == 3
    assert states == {
        (side({0: 12, 2: 1, 5: 1, 6: 1}), WAITING),
        (side({0: 13, 2: 1, 11: 1}), WAITING),
        (side({0: 13, 5: 1, 8: 1}), WAITING),
        (side({0: 13, 6: 1, 7: 1}), WAITING),
    }


def test_both_sides_enter_at_the_same_end_and_travel_the_same_way(engine: Engine) -> None:
    other = side({0: 13, 3: 2})
    assert engine.refusal(TABULA, WAITING, other, "321", [(0, 3), (0, 2), (0, 1)]) == (
        "bar/3 with a 3 cannot be made: 3 is blocked by 2 opposing checkers"
    )
    assert engine.ends(TABULA, WAITING, other, "321").movers == {
        side({0: 13, 1: 1, 5: 1}),
        side({0: 13, 2: 1, 4: 1}),
        side({0: 14, 6: 1}),
    }


def test_one_checker_may_move_three_times_or_three_once_each_or_one_once_and_another_twice(engine: Engine) -> None:
    dice_used, states = engine.ends(TABULA, side({1: 3}), WAITING, "642")
    assert dice_used == 3
    assert {mover for mover, _ in states} == {
        side({1: 2, 13: 1}),
        side({3: 1, 5: 1, 7: 1}),
        side({1: 1, 3: 1, 11: 1}),
        side({1: 1, 5: 1, 9: 1}),
        side({1: 1, 7: 2}),
    }


def test_a_checker_that_moves_more_than_once_must_be_able_to_land_on_every_point_on_which_it_pauses(engine: Engine) -> None:
    free = engine.ends(TABULA, side({1: 1}), WAITING, "642")
    one_way = engine.ends(TABULA, side({1: 1}), side({0: 7, 3: 2, 5: 2, 9: 2, 14: 2}), "642")
    no_second = engine.ends(TABULA, side({1: 1}), side({0: 7, 3: 2, 5: 2, 9: 2, 11: 2}), "642")
    no_first = engine.ends(TABULA, side({1: 1}), side({0: 9, 3: 2, 5: 2, 7: 2}), "642")
    assert (free.dice_used, free.movers) == (3, {side({13: 1})})
    assert (one_way.dice_used, one_way.movers) == (3, {side({13: 1})})
    assert (no_second.dice_used, no_second.movers) == (1, {side({7: 1})})
    assert (no_first.dice_used, no_first.movers) == (0, {side({1: 1})})


def test_as_many_dice_as_possible_must_be_played_the_number_of_them_and_not_the_pips(engine: Engine) -> None:
    other = side({0: 9, 8: 2, 9: 2, 10: 2})
    ends = engine.ends(TABULA, side({1: 1}), other, "621")
    assert (ends.dice_used, ends.movers) == (2, {side({4: 1})})
    assert engine.refusal(TABULA, side({1: 1}), other, "621", [(1, 6)]) == (
        "after 1/7 no more dice can be played, and 2 of 6-2-1 must be in all"
    )


def test_every_order_of_the_dice_counts(engine: Engine) -> None:
    ends = engine.ends(TABULA, side({1: 1}), side({0: 11, 2: 2, 3: 2}), "321")
    assert (ends.dice_used, ends.movers) == (3, {side({7: 1})})


def test_there_is_no_larger_die_rule(engine: Engine) -> None:
    ends = engine.ends(TABULA, side({1: 1}), side({0: 7, 2: 2, 4: 2, 8: 2, 9: 2}), "621")
    assert (ends.dice_used, ends.movers) == (1, {side({3: 1}), side({7: 1})})


def test_equal_dice_have_no_extra_meaning(engine: Engine) -> None:
    ends = engine.ends(TABULA, WAITING, WAITING, "111")
    assert (ends.dice_used, ends.movers) == (3, {side({0: 12, 1: 3}), side({0: 13, 1: 1, 2: 1}), side({0: 14, 3: 1})})


def test_a_point_with_four_own_checkers_may_be_landed_on_and_one_with_five_is_full(engine: Engine) -> None:
    four, five = side({1: 1, 7: 4, 24: 1}), side({1: 1, 7: 5, 24: 1})
    assert side({7: 5, 24: 1}) in engine.ends(TABULA, four, side({0: 13, 13: 2}), "666").movers
    assert engine.ends(TABULA, five, side({0: 13, 13: 2}), "666") == (0, {(five, side({0: 13, 13: 2}))})


def test_a_full_point_may_be_passed_over(engine: Engine) -> None:
    mover, other = side({6: 1, 7: 5}), side({0: 13, 9: 2})
    ends = engine.ends(TABULA, mover, other, "222")
    assert (ends.dice_used, ends.movers) == (3, {side({7: 5, 12: 1})})


def test_a_full_point_may_not_be_landed_on_for_a_pause_either(engine: Engine) -> None:
    mover, other = side({6: 1, 7: 5}), side({0: 11, 8: 2, 9: 2})
    assert engine.refusal(TABULA, mover, other, "211", [(6, 1), (7, 1)]) == "6/7 with a 1 cannot be made: 7 is full with 5 checkers"
    assert engine.ends(TABULA, mover, other, "211") == (0, {(mover, other)})


def test_a_full_point_becomes_free_when_a_checker_leaves_it_earlier_in_the_same_turn(engine: Engine) -> None:
    mover = side({4: 1, 7: 5})
    assert engine.refusal(TABULA, mover, WAITING, "321", [(4, 3), (7, 2), (7, 1)]) == (
        "4/7 with a 3 cannot be made: 7 is full with 5 checkers"
    )
    assert engine.refusal(TABULA, mover, WAITING, "321", [(7, 2), (4, 3), (7, 1)]) is None
    assert side({7: 4, 8: 1, 9: 1}) in engine.ends(TABULA, mover, WAITING, "321").movers


@pytest.mark.parametrize("opposing", [2, 3, 5])
def test_a_point_with_two_or_more_opposing_checkers_is_blocked_and_may_be_passed_over(engine: Engine, opposing: int) -> None:
    other = side({0: 15 - opposing, 3: opposing})
    assert engine.refusal(TABULA, side({1: 1}), other, "222", [(1, 2)]) == (
        f"1/3 with a 2 cannot be made: 3 is blocked by {opposing} opposing checkers"
    )
    assert engine.ends(TABULA, side({1: 1}), other, "222") == (0, {(side({1: 1}), other)})
    assert engine.ends(TABULA, side({2: 1}), other, "222") == (3, {(side({8: 1}), other)})


def test_a_lone_opposing_checker_that_is_landed_on_is_hit_and_starts_again_from_off_the_board(engine: Engine) -> None:
    other = side({0: 3, 7: 1, 9: 2})
    assert engine.ends(TABULA, side({1: 1}), other, "666") == (3, {(side({19: 1}), side({0: 4, 9: 2}))})


def test_a_hit_at_the_last_landing_counts(engine: Engine) -> None:
    assert engine.ends(TABULA, side({1: 1}), side({0: 14, 7: 1}), "222") == (3, {(side({7: 1}), WAITING)})


def test_several_blots_may_be_hit_in_one_turn(engine: Engine) -> None:
    assert engine.ends(TABULA, side({1: 1}), side({3: 1, 5: 1, 7: 1}), "222") == (3, {(side({7: 1}), side({0: 3}))})


def test_a_checker_enters_on_a_lone_opposing_checker_and_hits_it(engine: Engine) -> None:
    assert (side({0: 12, 1: 1, 2: 1, 6: 1}), WAITING) in engine.ends(TABULA, WAITING, side({0: 14, 6: 1}), "621").states


def test_the_same_checker_and_dice_in_another_order_differing_only_in_a_hit_are_two_plays(engine: Engine) -> None:
    other = side({0: 14, 3: 1})
    assert engine.ends(TABULA, side({1: 1}), other, "321") == (3, {(side({7: 1}), other), (side({7: 1}), WAITING)})


def test_no_checker_moves_onto_or_within_the_second_half_while_one_waits(engine: Engine) -> None:
    mover = side({0: 1, 12: 1, 13: 1})
    assert engine.ends(TABULA, mover, WAITING, "111") == (3, {(side({3: 1, 12: 1, 13: 1}), WAITING)})
    for source in (12, 13):
        assert engine.refusal(TABULA, mover, WAITING, "111", [(source, 1)]) == (
            f"{source}/{source + 1} with a 1 cannot be made: "
            "points 13 to 24 and off are closed to a side with a checker waiting as the turn started"
        )


def test_no_checker_is_borne_off_while_one_waits(engine: Engine) -> None:
    assert engine.ends(TABULA, side({0: 1, 24: 2}), WAITING, "111") == (3, {(side({3: 1, 24: 2}), WAITING)})


def test_the_second_half_stays_closed_in_the_turn_in_which_the_last_waiting_checker_enters(engine: Engine) -> None:
    mover = side({0: 1, 12: 1})
    assert engine.refusal(TABULA, mover, WAITING, "621", [(0, 2), (12, 1)]) == (
        "12/13 with a 1 cannot be made: points 13 to 24 and off are closed to a side with a checker waiting as the turn started"
    )


def test_the_second_half_is_open_when_none_waits_as_the_turn_starts(engine: Engine) -> None:
    assert engine.ends(TABULA, side({12: 1}), WAITING, "432") == (3, {(side({21: 1}), WAITING)})


def test_checkers_borne_off_do_not_count_as_missing(engine: Engine) -> None:
    assert engine.ends(TABULA, side({12: 1}), WAITING, "111") == (3, {(side({15: 1}), WAITING)})


def test_a_gate_once_opened_closes_again_after_a_hit(engine: Engine) -> None:
    ((hitter, hit),) = engine.ends(TABULA, side({10: 1}), side({12: 1, 20: 5}), "222").states
    assert (hitter, hit) == (side({16: 1}), side({0: 1, 20: 5}))
    assert engine.ends(TABULA, hit, hitter, "222") == (3, {(side({6: 1, 20: 5}), hitter)})


def test_waiting_checkers_need_not_be_entered_before_others_move(engine: Engine) -> None:
    ends = engine.ends(TABULA, side({0: 1, 1: 1}), WAITING, "111")
    assert ends.movers == {side({0: 1, 4: 1}), side({1: 1, 3: 1}), side({2: 2})}


def test_bearing_off_takes_the_exact_number(engine: Engine) -> None:
    assert engine.ends(TABULA, side({22: 1}), WAITING, "653") == (1, {(WON, WAITING)})
    assert engine.ends(TABULA, side({23: 1}), WAITING, "666") == (0, {(side({23: 1}), WAITING)})
    assert engine.refusal(TABULA, side({23: 1}), WAITING, "666", [(23, 6)]) == (
        "23/off with a 6 cannot be made: only an exact 2 bears off from 23"
    )


@pytest.mark.parametrize("die", range(1, 7))
def test_point_plus_die_is_25_when_a_checker_is_borne_off(engine: Engine, die: int) -> None:
    assert engine.ends(TABULA, side({25 - die: 3}), WAITING, f"{die}{die}{die}").movers >= {WON}


def test_bearing_off_is_allowed_when_every_checker_not_yet_off_stands_on_13_to_24(engine: Engine) -> None:
    assert engine.refusal(TABULA, side({13: 1, 19: 1}), WAITING, "666", [(19, 6), (13, 6), (19, 6)]) is None


def test_bearing_off_is_closed_if_one_checker_stood_before_13_as_the_turn_started(engine: Engine) -> None:
    mover = side({12: 1, 24: 2})
    assert engine.ends(TABULA, mover, WAITING, "211") == (3, {(side({16: 1, 24: 2}), WAITING)})
    assert engine.refusal(TABULA, mover, WAITING, "211", [(12, 1), (24, 1)]) == (
        "24/off with a 1 cannot be made: bearing off needs every checker on 13 to 24 as the turn started"
    )


def test_the_game_is_won_and_the_turn_ends_with_the_last_checker_off(engine: Engine) -> None:
    assert engine.ends(TABULA, side({24: 1}), WAITING, "611") == (1, {(WON, WAITING)})
    assert engine.refusal(TABULA, side({24: 1}), WAITING, "611", [(24, 1)]) is None


def test_a_game_that_is_over_has_no_plays(engine: Engine) -> None:
    assert engine.ends(TABULA, WAITING, WON, "321") == (0, set())
    assert engine.ends(TABULA, WON, WAITING, "321") == (0, set())
    assert engine.refusal(TABULA, WAITING, WON, "321", []) == "the game is over"


def test_as_many_dice_as_possible_must_be_played_even_when_fewer_would_win_at_once(engine: Engine) -> None:
    assert engine.ends(TABULA, side({19: 1}), WAITING, "621") == (2, {(side({22: 1}), WAITING)})
    assert engine.refusal(TABULA, side({19: 1}), WAITING, "621", [(19, 6)]) == (
        "after 19/off no more dice can be played, and 2 of 6-2-1 must be in all"
    )


def test_a_roll_with_nothing_playable_is_a_pass_the_one_play_of_no_moves(engine: Engine) -> None:
    other = side({1: 5, 2: 5, 3: 5})
    assert engine.moves_shown(TABULA, WAITING, other, "321") == (0, {(WAITING, other): ()})
    assert engine.refusal(TABULA, WAITING, other, "321", []) is None
    assert engine.refusal(TABULA, WAITING, WAITING, "321", []) == "passing plays no dice of 3-2-1, and 3 can be played"
