"""The fields of `Rules` that only other games of the family use, each rule on both engines, and what several of them say together.

Each is shown on one game with that field alone, or with the few more that let it be seen alone. Cases of whole games are in
test_golden.py.
"""

import dataclasses
from typing import Any

import numpy as np
import pytest
from support.engines import Engine
from support.stuck import STUCK
from support.tracks import WAITING, side

from tabula import BACKGAMMON, BLACK, TABULA, WHITE, Position, Rules, _core, batch, games, perft
from tabula import dice as dice_room
from tabula.bots import weigh
from tabula.game import Game
from tabula.playouts import playouts, replay

FAMILY = [name for name in games.names() if name not in {"tabula", "historic", "backgammon"}]

ASIDE = side({2: 1})
"""A side whose one checker on the board holds nobody up."""


def plain(**fields: Any) -> Rules:
    """One die and few rules: checkers that leave point 1, no limit, no gate."""
    few = {"dice": 1, "stack_limit": None, "half_gate": False, "direction": "parallel", "setup": side({1: 15}), "gates": "move"}
    return Rules(**{**few, **fields})


def two(**fields: Any) -> Rules:
    return plain(**{"dice": 2, **fields})


# ----------------------------------------------------------------------------------------------------------------------- direction


@pytest.mark.parametrize("point", range(1, 25))
def test_direction_parallel_an_index_is_12_more_or_less_for_the_other_side(engine: Engine, point: int) -> None:
    rules = plain()
    across = point + 12 if point <= 12 else point - 12
    assert rules.facing(point) == across
    assert rules.facing(across) == point
    hit = engine.ends(rules, side({point - 1: 1}), side({across: 1}), "1")
    assert hit == (1, {(side({point: 1}), side({0: 1}))})
    blocked = engine.ends(rules, side({point - 1: 1}), side({across: 2}), "1")
    assert blocked.dice_used == 0


def test_direction_parallel_both_start_on_their_first_point_without_meeting() -> None:
    start = Position(plain())
    assert start.mover == start.other == side({1: 15})


@pytest.mark.parametrize("index", range(1, 25))
def test_highest_win_3_the_winners_last_six_points_are_the_losers_7_to_12_where_directions_are_parallel(
    engine: Engine, index: int
) -> None:
    assert engine.points_won(plain(highest_win=3), side({index: 15})) == (3 if 7 <= index <= 12 else 2)


# --------------------------------------------------------------------------------------------------------------- wins, bearing off


def test_highest_win_2_a_win_counts_2_if_the_loser_has_borne_none_off_wherever_he_stands(engine: Engine) -> None:
    rules = dataclasses.replace(BACKGAMMON, highest_win=2)
    assert engine.points_won(rules, side({0: 5, 1: 10})) == 2
    assert engine.points_won(rules, side({19: 15})) == 2
    assert engine.points_won(rules, side({0: 14})) == 1


def test_bear_off_any_a_larger_die_bears_any_checker_off(engine: Engine) -> None:
    rules = plain(bear_off="any", home_start=19)
    assert engine.ends(rules, side({19: 1, 22: 1, 24: 1}), ASIDE, "4").movers == {
        side({22: 1, 23: 1, 24: 1}),
        side({19: 1, 24: 1}),
        side({19: 1, 22: 1}),
    }


def test_bear_off_any_the_home_must_still_be_reached_by_all(engine: Engine) -> None:
    rules = plain(bear_off="any", home_start=19)
    assert engine.refusal(rules, side({18: 1, 24: 1}), ASIDE, "4", [(24, 4)]) == (
        "24/off with a 4 cannot be made: bearing off needs every checker on 19 to 24"
    )


@pytest.mark.parametrize("bear_off", ["exact", "rearmost", "any"])
def test_home_start_0_bearing_off_has_no_condition(engine: Engine, bear_off: str) -> None:
    """A 4 with checkers on 1, 21 and 23: from 21 it is exact, from 23 larger than needed, and others stand behind."""
    rules = plain(bear_off=bear_off, home_start=0)
    found = {side({1: 1, 23: 1}), side({5: 1, 21: 1, 23: 1})} | ({side({1: 1, 21: 1})} if bear_off == "any" else set())
    assert engine.ends(rules, side({1: 1, 21: 1, 23: 1}), ASIDE, "4").movers == found


def test_home_start_0_the_rearmost_bears_off_by_a_larger_die(engine: Engine) -> None:
    rules = plain(bear_off="rearmost", home_start=0)
    assert side({23: 2}) in engine.ends(rules, side({22: 1, 23: 2}), ASIDE, "4").movers
    assert engine.ends(plain(bear_off="exact", home_start=0), side({22: 1, 23: 2}), ASIDE, "4").dice_used == 0


def test_home_start_0_a_checker_may_be_borne_off_while_another_waits(engine: Engine) -> None:
    rules = plain(home_start=0)
    assert side({0: 1}) in engine.ends(rules, side({0: 1, 23: 1}), ASIDE, "2").movers
    must_enter = plain(home_start=0, enter_first=True)
    assert engine.ends(must_enter, side({0: 1, 23: 1}), ASIDE, "2").movers == {side({2: 1, 23: 1})}


def test_home_start_0_the_half_gate_closes_bearing_off_too(engine: Engine) -> None:
    rules = plain(home_start=0, half_gate=True, gates="turn")
    assert engine.ends(rules, side({0: 1, 23: 1}), ASIDE, "2").movers == {side({2: 1, 23: 1})}
    assert side({}) in engine.ends(rules, side({23: 1}), ASIDE, "2").movers


# --------------------------------------------------------------------------------------------------------------------------- blots


def test_blots_block_a_lone_opposing_checker_blocks_as_two_do_at_pauses_too(engine: Engine) -> None:
    rules = two(blots="block")
    lone = side({plain().facing(4): 1})
    assert engine.refusal(rules, side({1: 1}), lone, "31", [(1, 3)]) == (
        "1/4 with a 3 cannot be made: 4 is blocked by 1 opposing checker"
    )
    assert engine.ends(rules, side({1: 1}), lone, "31") == (2, {(side({5: 1}), lone)})
    walled = side({plain().facing(2): 1, plain().facing(4): 1})
    assert engine.ends(rules, side({1: 1}), walled, "31") == (0, {(side({1: 1}), walled)})


def test_blots_block_no_blot_counts_in_what_the_simple_bot_weighs() -> None:
    start = Position(games.get("jacquet"))
    after = start.plays("65").positions
    lead = after[:, 0] @ np.arange(25, -1, -1) - after[:, 1] @ np.arange(25, -1, -1)
    assert (weigh(after, rules=games.get("jacquet")) == lead).all()
    assert (weigh(after, rules=dataclasses.replace(games.get("jacquet"), blots="hit")) < lead).any()


# ----------------------------------------------------------------------------------------------------------------- the start point


def test_head_limit_no_more_checkers_leave_the_start_point_in_a_turn(engine: Engine) -> None:
    assert engine.ends(two(head_limit=1), side({1: 15}), ASIDE, "31").movers == {side({1: 14, 5: 1})}
    assert engine.ends(two(head_limit=2), side({1: 15}), ASIDE, "31").movers == {
        side({1: 14, 5: 1}),
        side({1: 13, 2: 1, 4: 1}),
    }
    assert engine.refusal(two(head_limit=1), side({1: 15}), ASIDE, "31", [(1, 3), (1, 1)]) == (
        "1/2 with a 1 cannot be made: no more than 1 may leave 1 in this turn"
    )


def test_head_limit_a_checker_that_lands_on_the_start_point_may_leave_in_its_stead(engine: Engine) -> None:
    rules = two(head_limit=1, doubles="twice", direction="opposed", setup=side({3: 15}))
    # 1/3 comes, and two leave 3: one more than was there stays away
    assert engine.refusal(rules, side({1: 1, 3: 2}), ASIDE, "22", [(1, 2), (3, 2), (3, 2), (5, 2)]) is None
    assert engine.refusal(rules, side({1: 1, 3: 2}), ASIDE, "22", [(3, 2), (1, 2), (3, 2), (5, 2)]) is None
    assert engine.refusal(rules, side({1: 1, 3: 2}), ASIDE, "22", [(3, 2), (3, 2), (1, 2), (5, 2)]) is not None


def test_head_limit_the_start_point_is_the_lowest_of_the_setup_for_both_sides(engine: Engine) -> None:
    rules = two(head_limit=1, direction="opposed", setup=side({3: 8, 5: 7}), setup_other=side({1: 15}))
    assert rules.start_point == 3
    assert engine.refusal(rules, side({3: 8, 5: 7}), ASIDE, "31", [(3, 3), (3, 1)]) is not None
    assert engine.refusal(rules, side({3: 8, 5: 7}), ASIDE, "31", [(5, 3), (5, 1)]) is None
    assert engine.refusal(rules, side({1: 15}), ASIDE, "31", [(1, 3), (1, 1)]) is None


@pytest.mark.parametrize("die", range(1, 7))
def test_head_doubles_one_more_may_leave_by_these_doubles_in_a_turn_that_begins_with_all_there(engine: Engine, die: int) -> None:
    rules = two(doubles="twice", head_limit=1, head_doubles=(3, 4, 6))
    _, found = engine.ends(rules, side({1: 15}), ASIDE, f"{die}{die}")
    assert min(mover[1] for mover, _ in found) == (13 if die in {3, 4, 6} else 14)


def test_head_doubles_say_nothing_once_a_checker_is_gone(engine: Engine) -> None:
    rules = two(doubles="twice", head_limit=1, head_doubles=(3, 4, 6))
    for mover in (side({1: 14, 8: 1}), side({1: 14}), side({1: 1, 9: 14})):
        _, found = engine.ends(rules, mover, ASIDE, "33")
        assert min(after[1] for after, _ in found) == mover[1] - 1


def test_head_doubles_are_played_once_where_doubles_are(engine: Engine) -> None:
    rules = two(doubles="once", head_limit=1, head_doubles=(3,))
    assert engine.ends(rules, side({1: 15}), ASIDE, "33").movers == {side({1: 13, 4: 2}), side({1: 14, 7: 1})}


def test_runner_no_second_checker_leaves_the_start_point_until_one_has_come_there(engine: Engine) -> None:
    rules = two(runner=7)
    assert engine.ends(rules, side({1: 15}), ASIDE, "31").movers == {side({1: 14, 5: 1})}
    assert engine.refusal(rules, side({1: 14, 5: 1}), ASIDE, "31", [(1, 3)]) == (
        "1/4 with a 3 cannot be made: no second checker leaves 1 until one has come to 7"
    )
    assert engine.refusal(rules, side({1: 14, 7: 1}), ASIDE, "31", [(1, 3), (1, 1)]) is None


def test_runner_it_may_come_there_in_the_same_turn(engine: Engine) -> None:
    rules = two(runner=7)
    assert engine.refusal(rules, side({1: 14, 5: 1}), ASIDE, "32", [(5, 2), (1, 3)]) is None
    assert engine.refusal(rules, side({1: 14, 5: 1}), ASIDE, "32", [(1, 3), (5, 2)]) is not None
    assert engine.refusal(two(runner=5), side({1: 15}), ASIDE, "41", [(1, 4), (1, 1)]) is None
    assert engine.refusal(two(runner=5), side({1: 15}), ASIDE, "41", [(1, 1), (1, 4)]) is not None


def test_runner_a_checker_off_has_come_there_and_one_that_was_hit_has_not(engine: Engine) -> None:
    rules = plain(runner=19)
    assert engine.refusal(rules, side({1: 14}), ASIDE, "3", [(1, 3)]) is None
    assert engine.refusal(rules, side({0: 1, 1: 14}), ASIDE, "3", [(1, 3)]) is not None
    assert engine.refusal(rules, side({0: 1, 1: 13, 19: 1}), ASIDE, "3", [(1, 3)]) is None


def test_runner_and_head_limit_each_hold_the_start_point(engine: Engine) -> None:
    rules = two(runner=7, head_limit=1, doubles="twice")
    _, found = engine.ends(rules, side({1: 15}), ASIDE, "66")
    assert {mover[1] for mover, _ in found} == {14}
    _, found = engine.ends(dataclasses.replace(rules, head_limit=2), side({1: 15}), ASIDE, "66")
    assert {mover[1] for mover, _ in found} == {13}
    _, found = engine.ends(dataclasses.replace(rules, runner=None), side({1: 14, 2: 1}), ASIDE, "66")
    assert {mover[1] for mover, _ in found} == {13}


def test_runner_and_head_limit_a_side_that_was_hit_enters_and_still_counts_what_leaves(engine: Engine) -> None:
    rules = two(runner=4, head_limit=1, enter_first=True)
    # entering by the 4 brings the runner, and then one checker leaves; entering by the 1 brings none
    assert engine.ends(rules, side({0: 1, 1: 14}), ASIDE, "41").movers == {
        side({1: 14, 5: 1}),
        side({1: 13, 2: 1, 4: 1}),
    }


# --------------------------------------------------------------------------------------------------------------------------- piles


def test_pile_from_below_it_no_landing_on_a_point_with_an_own_checker_a_pause_included(engine: Engine) -> None:
    rules = two(pile_from=7)
    assert engine.refusal(rules, side({1: 2, 4: 1}), ASIDE, "31", [(1, 3)]) == (
        "1/4 with a 3 cannot be made: 4 has a checker, and before 7 no second one lands on a point"
    )
    # to pause on 2 or 4 is to land there
    assert engine.refusal(rules, side({1: 1, 4: 1}), ASIDE, "31", [(1, 3), (4, 1)]) is not None
    assert engine.refusal(rules, side({1: 1, 2: 1, 4: 1}), ASIDE, "31", [(1, 1), (2, 3)]) is not None
    assert engine.refusal(rules, side({4: 1, 7: 1}), ASIDE, "31", [(4, 3), (7, 1)]) is None


def test_pile_from_a_point_that_was_left_takes_a_checker_again(engine: Engine) -> None:
    rules = two(pile_from=7)
    assert engine.refusal(rules, side({1: 1, 4: 1}), ASIDE, "31", [(4, 1), (1, 3)]) is None
    assert engine.refusal(rules, side({1: 1, 4: 1}), ASIDE, "31", [(1, 3), (4, 1)]) is not None


def test_pile_from_a_pile_that_stands_is_legal_and_may_be_left(engine: Engine) -> None:
    rules = plain(pile_from=7)
    assert engine.ends(rules, side({3: 4}), ASIDE, "2").movers == {side({3: 3, 5: 1})}
    assert engine.ends(rules, side({1: 1, 3: 4}), ASIDE, "2").movers == {side({1: 1, 3: 3, 5: 1})}


# -------------------------------------------------------------------------------------------------------------------------- primes

FIVE = {6: 1, 7: 1, 8: 1, 9: 1, 10: 1}


def there(*points: int) -> dict[int, int]:
    """Points of the mover's track as the other side counts them, with a checker each."""
    return {plain().facing(point): 1 for point in points}


def test_primes_ahead_no_landing_completes_six_in_a_row_with_no_opposing_checker_beyond_them(engine: Engine) -> None:
    rules = plain(primes="ahead", blots="block")
    # points 6 to 11 of the mover are 18 to 23 of the other side
    mover = side({1: 1, 5: 1, **FIVE})
    assert engine.refusal(rules, mover, side(there(4)), "6", [(5, 6)]) == (
        "5/11 with a 6 cannot be made: 11 completes six points in a row with no opposing checker beyond them"
    )
    assert engine.refusal(rules, mover, side(there(12)), "6", [(5, 6)]) is None
    assert engine.refusal(plain(blots="block"), mover, side(there(4)), "6", [(5, 6)]) is None


def test_primes_ahead_the_row_is_one_of_the_other_sides_track(engine: Engine) -> None:
    # the mover's 10 to 15 are 22 to 24 and 1 to 3 of the other side: no row
    rules = plain(primes="ahead", blots="block")
    row = {10: 1, 11: 1, 12: 1, 14: 1, 15: 1}
    assert engine.refusal(rules, side({9: 1, **row}), side(there(1)), "4", [(9, 4)]) is None
    # the mover's 24 and 1 are 12 and 13 of the other side: a row that goes on from his last point to his first
    around = {22: 1, 23: 1, 24: 1, 1: 1, 2: 1}
    assert engine.refusal(rules, side({20: 1, **around}), side(there(13)), "1", [(20, 1)]) is not None
    assert engine.refusal(rules, side({20: 1, **around}), side(there(3)), "1", [(20, 1)]) is None


def test_primes_ahead_a_pause_counts_and_the_dice_can_be_played_the_other_way_round(engine: Engine) -> None:
    rules = two(primes="ahead", blots="block")
    mover = side({5: 1, **FIVE})
    assert engine.refusal(rules, mover, side(there(4)), "61", [(5, 6), (11, 1)]) is not None
    assert engine.refusal(rules, mover, side(there(4)), "61", [(10, 1), (5, 6)]) is None
    assert engine.refusal(rules, mover, side(there(4)), "63", [(9, 3), (5, 6)]) is None


def test_primes_ahead_a_checker_that_leaves_the_row_completes_none(engine: Engine) -> None:
    rules = plain(primes="ahead", blots="block")
    assert engine.refusal(rules, side(FIVE), side(there(4)), "5", [(6, 5)]) is None
    assert engine.refusal(rules, side({**FIVE, 6: 2}), side(there(4)), "5", [(6, 5)]) is not None


def test_primes_ahead_nothing_is_asked_if_the_other_side_has_no_checker_on_the_board(engine: Engine) -> None:
    rules = plain(primes="ahead", blots="block")
    mover = side({5: 1, **FIVE})
    assert engine.refusal(rules, mover, WAITING, "6", [(5, 6)]) is None
    assert engine.refusal(rules, mover, side({0: 3}), "6", [(5, 6)]) is None


def test_primes_ahead_a_landing_on_a_held_point_completes_nothing_and_a_row_that_stands_is_legal(engine: Engine) -> None:
    rules = plain(primes="ahead", blots="block")
    assert engine.refusal(rules, side({5: 1, 11: 1, **FIVE}), side(there(4)), "6", [(5, 6)]) is None


def test_primes_and_hits_the_checker_hit_by_the_landing_stood_on_the_board_and_not_beyond_the_row(engine: Engine) -> None:
    rules = plain(primes="ahead")
    mover = side({5: 1, **FIVE})
    assert engine.refusal(rules, mover, side(there(11)), "6", [(5, 6)]) is not None
    assert engine.refusal(rules, mover, side(there(11, 12)), "6", [(5, 6)]) is None


def test_primes_and_hits_a_checker_hit_before_holds_up_nothing_any_more(engine: Engine) -> None:
    rules = two(primes="ahead")
    mover = side({4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 2})
    # 12 is beyond 5 to 10: it is hit first, and nobody stands there any more
    assert engine.refusal(rules, mover, side(there(12, 3)), "63", [(9, 3), (4, 6)]) is not None
    assert engine.refusal(rules, mover, side(there(12, 3)), "63", [(4, 6), (9, 3)]) is None
    # it was his only one: nothing is asked
    assert engine.refusal(rules, mover, side(there(12)), "63", [(9, 3), (4, 6)]) is None


# --------------------------------------------------------------------------------------------------------- extra dice, both setups


def test_extra_dice_are_played_in_every_turn_besides_the_dice_thrown(engine: Engine) -> None:
    rules = plain(extra_dice=(6, 2))
    assert engine.ends(rules, side({1: 1}), ASIDE, "3") == (3, {(side({12: 1}), ASIDE)})
    assert engine.refusal(rules, side({1: 1}), ASIDE, "3", [(1, 5)]) == "1/6 needs a 5, and the roll is 3 and 6-2"
    assert engine.refusal(rules, side({1: 1}), ASIDE, "3", [(1, 6)]) == ("1/7 plays 1 die of 3 and 6-2, and 3 can be played")


def test_extra_dice_equal_to_a_die_thrown_is_one_more_of_it(engine: Engine) -> None:
    rules = two(extra_dice=(6,))
    assert engine.ends(rules, side({1: 1}), ASIDE, "66") == (3, {(side({19: 1}), ASIDE)})


def test_extra_dice_a_roll_is_what_is_thrown() -> None:
    rules = two(extra_dice=(6,))
    start = Position(rules)
    plays = start.plays("21")
    assert (plays.roll, plays.dice_used) == ((2, 1), 3)
    assert "2-1 and 6" in repr(plays)
    assert "2-1 and 6" in repr(plays[0])
    assert dice_room.to_text((6, 5), (6,)) == "6-5 and 6"
    assert batch.roll(4, rng=np.random.default_rng(1), rules=rules).shape == (4, 2)
    assert len(batch.all_rolls(batch.start(1, rules=rules), rules=rules)) == 21
    for play in plays:
        assert start.parse_play(str(play), "21") == play
        assert start.apply(play.moves, "21") == play.position
    with pytest.raises(ValueError, match=r"^'1/10': 1/10 is 9 pips, and the dice of 1-1 and 6 do not add up to that$"):
        start.parse_play("1/10", "11")


def test_setup_other_is_the_start_of_the_side_that_does_not_begin() -> None:
    rules = games.get("seis_dos_e_as")
    start = Position(rules)
    assert (start.mover, start.other, start.turn) == (rules.setup, rules.setup_other, WHITE)
    assert batch.start(2, rules=rules)[1].tolist() == [list(rules.setup), list(rules.other_setup)]
    game = Game(rules)
    for first in (BLACK, WHITE, BLACK):
        game.open(first)
        assert (game.start.turn, game.start.mover, game.start.other) == (first, rules.setup, rules.setup_other)
    black = Position.from_tracks(rules.setup, rules.other_setup, rules=rules, turn=BLACK)
    played = [playouts(position, 50, rng=np.random.default_rng(2)).games for position in (start, black)]
    assert (played[0] == played[1]).all()
    assert set(played[0]["winner"].tolist()) == {0, 1}


# ---------------------------------------------------------------------------------------------------------------- games as a whole


@pytest.mark.parametrize("name", FAMILY)
def test_perft_of_each_game_in_the_general_way_is_what_is_published(name: str) -> None:
    start = Position(_core.general(games.get(name)))
    for depth, value in games.entry(name).perft.items():
        assert perft(start, depth) == value.leaves


@pytest.mark.parametrize("name", FAMILY)
def test_perft_of_each_game_by_every_line_is_what_is_published(name: str) -> None:
    start = Position(_core.every_line(games.get(name)))
    for depth, value in games.entry(name).perft.items():
        if value.leaves < 2_000_000:
            assert perft(start, depth) == value.leaves


@pytest.mark.parametrize("name", FAMILY)
def test_random_games_of_each_game_come_to_an_end_and_are_replayed(name: str) -> None:
    start = Position(games.get(name))
    played = playouts(start, 60, rng=np.random.default_rng(3), max_plies=5000)
    for number in (0, 59):
        record = played.games[number]
        game = replay(start, record["seed"], max_plies=5000)
        assert len(game.turns) == record["plies"]
        assert (game.outcome is None) == (record["winner"] < 0)
        assert sum(len(turn.play.moves) == 0 for turn in game.turns) == record["passes"].sum()
        assert sum(move.hit for turn in game.turns for move in turn.play.moves) == record["hits"].sum()
        wasted = [
            sum((*turn.roll, *games.get(name).extra_dice))
            * (2 if games.get(name).doubles == "twice" and len(set(turn.roll)) == 1 else 1)
            - sum(move.die for move in turn.play.moves)
            for turn in game.turns
        ]
        assert sum(wasted) == record["wasted"]


def test_a_game_in_which_neither_side_can_ever_move_is_given_up_and_counted() -> None:
    position, rules = STUCK, STUCK.rules
    assert position.stuck
    assert all(position.plays(roll).dice_used == 0 for roll in dice_room.all_rolls(2))
    assert not Position(rules).stuck
    played = playouts(position, 10, rng=np.random.default_rng(1))
    assert (played.games["winner"] == -1).all()
    assert (played.games["plies"] == 1).all()
    assert played.summary().unfinished == 10
    assert len(replay(position, played.games["seed"][0]).turns) == 1
    by_policy = playouts(position, 10, rng=np.random.default_rng(1), policy=lambda after: after[:, 1, 25])
    assert (by_policy.games == played.games).all()


def test_a_game_that_is_over_is_not_stuck() -> None:
    over = Position.from_tracks(side({}), side({1: 15}), rules=plain())
    assert over.outcome is not None
    assert not over.stuck


def test_the_ways_that_serve_other_games_serve_what_they_can_prove() -> None:
    assert _core.way(dataclasses.replace(BACKGAMMON, direction="parallel", blots="block", setup=side({1: 15}))) == "backgammon kin"
    assert _core.way(dataclasses.replace(TABULA, blots="block", home_start=0)) == "tabula kin"
    assert _core.way(dataclasses.replace(BACKGAMMON, highest_win=2)) == "backgammon kin"
    for change in (
        {"head_limit": 15},
        {"runner": 2},
        {"pile_from": 2},
        {"primes": "ahead"},
        {"home_start": 0},
        {"bear_off": "any"},
    ):
        assert _core.way(dataclasses.replace(BACKGAMMON, **change)) == "general"  # type: ignore[arg-type]
    assert _core.way(dataclasses.replace(TABULA, dice=2, extra_dice=(3,))) == "general"
