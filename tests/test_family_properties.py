"""What holds for every play under the fields of more games, stated without the generator and without the reference."""

import dataclasses
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.strategies import positions, rolls

from tabula import BACKGAMMON, Play, Position, Rules, games

POINTS = range(1, 25)


def kin(**fields: list[Any]) -> st.SearchStrategy[Rules]:
    """Kin of narde that have some of these values; the others are narde's or change nothing."""
    plain = dataclasses.replace(games.get("narde"), head_limit=None, head_doubles=(), primes="free", name="kin")
    ways = {"direction": ["parallel", "parallel", "opposed"], "blots": ["block", "block", "hit"]}
    return st.fixed_dictionaries({name: st.sampled_from(values) for name, values in (ways | fields).items()}).map(
        lambda chosen: dataclasses.replace(plain, **chosen)
    )


def turn(data: st.DataObject, of: st.SearchStrategy[Rules]) -> tuple[Position, tuple[int, ...], list[Play]]:
    position = data.draw(positions(of))
    roll = data.draw(rolls(position.rules))
    return position, roll, list(position.plays(roll))


def left(position: Position, play: Play) -> int:
    """How many checkers fewer stand on point 1 after the play."""
    return position.mover[1] - play.position.other[1]


@given(st.data())
def test_no_play_takes_more_off_the_start_point_than_the_limit_and_one_more_by_a_double(data: st.DataObject) -> None:
    of = kin(head_limit=[1, 2], head_doubles=[(), (3, 4, 6), (1, 2, 3, 4, 5, 6)])
    position, roll, plays = turn(data, of)
    rules = position.rules
    assert rules.head_limit is not None
    first = position.mover[1] == 15 and roll[0] == roll[1] and roll[0] in rules.head_doubles
    for play in plays:
        assert left(position, play) <= rules.head_limit + first


@given(st.data())
def test_no_second_checker_is_off_the_start_point_before_one_has_come_far_enough(data: st.DataObject) -> None:
    position, _, plays = turn(data, kin(runner=[4, 7, 13, 19]))
    runner = position.rules.runner
    assert runner is not None
    for play in plays:
        after = play.position.other
        if not any(after[runner:]):
            assert left(position, play) <= (position.mover[1] == 15)


@given(st.data())
def test_no_pile_grows_before_the_points_where_piles_may(data: st.DataObject) -> None:
    position, _, plays = turn(data, kin(pile_from=[7, 13, 24]))
    for play in plays:
        after = play.position.other
        assert all(after[point] <= max(1, position.mover[point]) for point in range(1, position.rules.pile_from))


@given(st.data())
def test_where_blots_block_the_other_side_stands_as_before_and_no_point_is_shared(data: st.DataObject) -> None:
    position, _, plays = turn(data, kin(blots=["block"], primes=["free", "ahead"], head_limit=[None, 1]))
    for play in plays:
        assert play.position.mover == position.other
        assert not any(move.hit for move in play.moves)
        assert not any(play.position.other[point] and position.other[position.rules.facing(point)] for point in POINTS)


def forbidden(mover: tuple[int, ...], other: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The rows of six points of the other side's track that the mover holds, and that no checker of that side stands beyond;
    directions are parallel."""
    held = [mover[(point + 11) % 24 + 1] > 0 for point in POINTS]
    return {
        tuple(range(first, first + 6))
        for first in range(1, 20)
        if all(held[first - 1 : first + 5]) and not any(other[first + 6 : 25])
    }


@given(st.data())
def test_no_play_makes_a_row_of_six_that_all_on_the_board_still_have_to_pass(data: st.DataObject) -> None:
    position, _, plays = turn(data, kin(primes=["ahead"], direction=["parallel"], blots=["block"], head_limit=[None, 1]))
    stands = forbidden(position.mover, position.other)
    for play in plays:
        if any(position.other[1:25]):
            assert forbidden(play.position.other, play.position.mover) <= stands


EXTRA = (
    games.get("english_two_dice"),
    dataclasses.replace(BACKGAMMON, doubles="once", opening="roll-off", dice=1, extra_dice=(6, 2)),
)


@given(st.data())
def test_each_move_of_a_turn_uses_a_die_thrown_or_an_extra_one(data: st.DataObject) -> None:
    position, roll, plays = turn(data, st.sampled_from(EXTRA))
    for play in plays:
        numbers = [*roll, *position.rules.extra_dice]
        for move in play.moves:
            numbers.remove(move.die)
        assert play.roll == tuple(sorted(roll, reverse=True))


@given(st.data())
def test_a_stuck_position_has_no_move_for_either_side_by_any_roll(data: st.DataObject) -> None:
    position = data.draw(positions(kin(primes=["free", "ahead"], pile_from=[1, 24])))
    if position.stuck:
        for one in (position, position.swap_sides()):
            assert all(not play.moves for die in range(1, 7) for play in one.plays((die, die)))
