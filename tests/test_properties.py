"""What holds for every position of every rules, tried on random ones."""

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.listing import listing
from support.strategies import positions, small_turns, turns
from support.tracks import State
from support.turns import Line, whole_turns

from tabula import IllegalPlayError, Move, Play, Plays, Position, divide, perft, reference
from tabula.dice import all_rolls, parse

Turn = tuple[Position, tuple[int, ...]]

a_tenth_as_often = settings(max_examples=max(1, settings.default.max_examples // 10))
"""For what takes the reference long."""

four_times_as_often = settings(max_examples=4 * settings.default.max_examples)
"""For what all else rests on."""

OFF = 25


def over(position: Position) -> bool:
    return position.outcome is not None


def end(play: Play) -> State:
    """The afterstate, not with sides swapped."""
    return play.position.other, play.position.mover


def pairs(play: Play) -> Line:
    return tuple((move.source, move.die) for move in play.moves)


def explained(position: Position, roll: tuple[int, ...], moves: Line, *, whole: bool = True) -> str | None:
    """What the reference has against these moves."""
    steps = [reference.Step(*move) for move in moves]
    return reference.explain(position.rules, position.mover, position.other, parse(roll, position.rules.dice), steps, whole=whole)


def refused(attempt: Callable[[], object]) -> str | None:
    """What an attempt is refused with; None if it is not."""
    try:
        attempt()
    except IllegalPlayError as error:
        return str(error)
    return None


# ------------------------------------------------------------------------------------------------------------- the two engines


@four_times_as_often
@given(st.one_of(turns(), small_turns(3)))
def test_native_and_reference_list_the_same_plays_with_the_same_moves(turn: Turn) -> None:
    position, roll = turn
    expected = reference.generate(position.rules, position.mover, position.other, parse(roll, position.rules.dice))
    plays = position.plays(roll)
    assert plays.dice_used == expected.dice_used
    assert len(plays) == position.count(roll) == len(expected.afterstates)
    assert {end(play): pairs(play) for play in plays} == expected.afterstates


@given(small_turns(4))
def test_the_reference_lists_what_its_rule_of_a_single_move_allows(turn: Turn) -> None:
    position, roll = turn
    assume(not over(position))
    lines = whole_turns(position, roll)
    found = reference.generate(position.rules, position.mover, position.other, parse(roll, position.rules.dice))
    assert set(found.afterstates) == set(lines.values())
    assert found.dice_used == len(next(iter(lines)))
    for state, shown in found.afterstates.items():
        same_end = [line for line, reached in lines.items() if reached == state]
        assert shown == min(same_end, key=lambda line: (sorted(line), line))


@given(positions())
def test_both_engines_agree_on_who_has_won_and_what(position: Position) -> None:
    winners = [
        turn for turn, track in ((position.turn, position.mover), (1 - position.turn, position.other)) if reference.won(track)
    ]
    assert len(winners) < 2
    if winners:
        loser = position.other if winners[0] == position.turn else position.mover
        assert position.outcome == (winners[0], reference.points_won(position.rules, loser))
    else:
        assert position.outcome is None


@given(positions())
def test_perft_is_the_sum_of_divide_on_both_engines(position: Position) -> None:
    by_roll = divide(position, 1)
    assert by_roll == {roll: position.count(roll) for roll in all_rolls(position.rules.dice)}
    assert perft(position, 1) == sum(by_roll.values())


@a_tenth_as_often
@given(small_turns(1))
def test_perft_of_two_plies_is_the_same_on_both_engines(turn: Turn) -> None:
    position, _ = turn
    assert perft(position, 2) == perft(position, 2, engine="reference") == sum(divide(position, 2).values())


# ------------------------------------------------------------------------------------------------------------- what a play leaves


@given(turns())
def test_every_afterstate_conserves_checkers_breaks_no_limit_and_shares_no_point(turn: Turn) -> None:
    position, roll = turn
    rules = position.rules
    after = position.plays(roll).positions.astype(int)
    assert (after >= 0).all()
    assert (after.sum(axis=2) == rules.checkers).all()
    assert (after[:, :, 1:OFF] <= rules.limit).all()
    other, mover = after[:, 0], after[:, 1]
    facing = other[:, [rules.facing(point) for point in range(1, OFF)]]
    assert not (mover[:, 1:OFF].astype(bool) & facing.astype(bool)).any()
    assert not ((mover[:, OFF] == rules.checkers) & (other[:, OFF] == rules.checkers)).any()


@given(turns())
def test_every_afterstate_is_a_legal_position_with_the_other_side_to_move(turn: Turn) -> None:
    position, roll = turn
    for play in position.plays(roll):
        after = play.position
        assert after.turn == 1 - position.turn
        assert after.rules == position.rules
        assert Position.from_tracks(after.mover, after.other, rules=after.rules, turn=after.turn) == after


@given(turns())
def test_a_play_takes_the_mover_forward_and_the_other_side_only_back_to_wait(turn: Turn) -> None:
    position, roll = turn
    for play in position.plays(roll):
        mover, other = end(play)
        assert mover[OFF] >= position.mover[OFF]
        assert mover[0] <= position.mover[0]
        hit = [point for point in range(1, OFF) if other[point] != position.other[point]]
        assert all((position.other[point], other[point]) == (1, 0) for point in hit)
        assert other[0] == position.other[0] + len(hit)
        assert other[OFF] == position.other[OFF]


@given(turns())
def test_afterstates_are_distinct(turn: Turn) -> None:
    position, roll = turn
    plays = position.plays(roll)
    assert len(np.unique(plays.positions.reshape(len(plays), 52), axis=0)) == len(plays)
    assert len(set(plays)) == len({play.position for play in plays}) == len(plays)


@given(turns())
def test_there_is_no_play_exactly_when_the_game_is_over_and_a_pass_is_alone(turn: Turn) -> None:
    position, roll = turn
    plays = position.plays(roll)
    assert (len(plays) == 0) == over(position)
    if plays.dice_used == 0 and not over(position):
        (play,) = plays
        assert play.moves == ()
        assert play.position == position.swap_sides()


# -------------------------------------------------------------------------------------------------------------------- its moves


@given(st.one_of(turns(), small_turns(3)))
def test_the_moves_shown_made_one_by_one_under_the_rule_of_a_single_move_end_at_the_position(turn: Turn) -> None:
    position, roll = turn
    rules = position.rules
    start = reference.gates(rules, position.mover, roll)
    for play in position.plays(roll):
        mover, other = position.mover, position.other
        left = [*(roll * 2 if rules.doubles == "twice" and len(set(roll)) == 1 else roll), *rules.extra_dice]
        for move in play.moves:
            step = reference.Step(move.source, move.die)
            left.remove(move.die)
            assert reference.refusal(rules, mover, other, step, start) is None
            mover, other, hit = reference.make(rules, mover, other, step)
            assert move == Move(step.source, reference.landing(step), step.die, hit)
        assert (mover, other) == end(play)
        assert position.apply(play.moves, roll) == position.apply(pairs(play), roll) == position.apply(play) == play.position


@given(turns(), st.randoms())
def test_in_holds_for_the_plays_listed(turn: Turn, random: random.Random) -> None:
    position, roll = turn
    plays = position.plays(roll)
    for number in random.sample(range(len(plays)), min(len(plays), 20)):
        play = plays[number]
        for item in (play, play.position, play.moves, pairs(play)):
            assert item in plays
            assert plays.index(item) == number


def near_misses(plays: Plays, random: random.Random) -> list[Line]:
    """Moves that are nearly those of a play: one changed, left out, added or moved elsewhere."""
    made = []
    for play in random.sample(list(plays), min(len(plays), 6)):
        line = list(pairs(play))
        made.append(tuple(random.sample(line, len(line))))
        made.append((*line, (random.randrange(OFF), random.choice(plays.roll))))
        for index, (source, die) in enumerate(line):
            made.append((*line[:index], *line[index + 1 :]))
            nearby = (max(source - 1, 0), min(source + 1, OFF - 1), random.randrange(OFF))
            made += [(*line[:index], (other, die), *line[index + 1 :]) for other in nearby]
            made.append((*line[:index], (source, random.randint(1, 6)), *line[index + 1 :]))
    return made


@given(turns(), st.randoms())
def test_in_and_apply_take_moves_exactly_when_they_are_a_whole_legal_play(turn: Turn, random: random.Random) -> None:
    position, roll = turn
    assume(not over(position))
    plays = position.plays(roll)
    whole = whole_turns(position, roll)
    for moves in near_misses(plays, random):
        assert (moves in plays) == (moves in whole)
        if moves in whole:
            assert end(plays[plays.index(moves)]) == whole[moves]
            assert position.apply(moves, roll) == plays[plays.index(moves)].position


@given(turns(), st.randoms())
def test_apply_refuses_moves_for_the_reason_that_the_reference_gives(turn: Turn, random: random.Random) -> None:
    position, roll = turn
    plays = position.plays(roll)
    for moves in random.sample(misses := near_misses(plays, random), min(len(misses), 3)):
        assert refused(lambda: position.apply(moves, roll)) == explained(position, roll, moves)  # noqa: B023 - called at once


@given(turns(), st.randoms())
def test_in_holds_for_afterstates_exactly_when_they_are_listed(turn: Turn, random: random.Random) -> None:
    position, roll = turn
    plays = position.plays(roll)
    listed = {play.position for play in plays}
    for play in random.sample(list(plays), min(len(plays), 6)):
        after = play.position
        assert after.swap_sides() not in plays
        mover = list(after.other)
        source, target = random.randrange(OFF), random.randrange(OFF + 1)
        if mover[source]:
            mover[source] -= 1
            mover[target] += 1
            try:
                near = Position.from_tracks(after.mover, mover, rules=after.rules, turn=after.turn)
            except ValueError:
                continue
            assert (near in plays) == (near in listed)


@given(turns(), turns())
def test_in_does_not_hold_for_the_plays_of_another_turn(turn: Turn, another: Turn) -> None:
    (position, roll), (other_position, other_roll) = turn, another
    assume((position, sorted(roll)) != (other_position, sorted(other_roll)))
    plays = position.plays(roll)
    assert not any(play in plays for play in itertools.islice(other_position.plays(other_roll), 20))
    assert not any(play in plays for play in itertools.islice(position.swap_sides().plays(roll), 20))


# ------------------------------------------------------------------------------------------------------------- a move at a time


def walk(plays: Plays, made: Line = ()) -> dict[Line, bool]:
    """Every line that `after` leads along, and whether the turn may end with it."""
    coming = plays.after(*made)
    lines = {made: coming.may_end}
    for move in coming.moves:
        lines |= walk(plays, (*made, (move.source, move.die)))
    return lines


@given(small_turns(4))
def test_walking_after_in_every_way_makes_exactly_the_whole_turns(turn: Turn) -> None:
    position, roll = turn
    assume(not over(position))
    plays = position.plays(roll)
    whole = whole_turns(position, roll)
    walked = walk(plays)
    assert {line for line, may_end in walked.items() if may_end} == set(whole)
    assert set(walked) == {line[:length] for line in whole for length in range(len(line) + 1)}
    assert {position.apply(line, roll) for line in whole} == {play.position for play in plays}


@given(turns(), st.randoms())
def test_after_tells_the_moves_that_can_come_next_and_whether_the_turn_may_end(turn: Turn, random: random.Random) -> None:
    position, roll = turn
    assume(not over(position))
    plays = position.plays(roll)
    lines = list(whole_turns(position, roll))
    for made in range(plays.dice_used + 1):
        line = random.choice(lines)[:made]
        coming = plays.after(*line)
        following = {longer[made] for longer in lines if longer[:made] == line and len(longer) > made}
        assert [(move.source, move.die) for move in coming.moves] == sorted(
            following, key=lambda step: (step[0], sum(step), step[1])
        )
        assert coming.may_end == (made == plays.dice_used) == (not following)


@given(turns(), st.randoms())
def test_after_refuses_what_no_legal_play_starts_with_for_the_reason_that_the_reference_gives(
    turn: Turn, random: random.Random
) -> None:
    position, roll = turn
    plays = position.plays(roll)
    for moves in random.sample(misses := near_misses(plays, random), min(len(misses), 3)):
        assert refused(lambda: plays.after(*moves)) == explained(position, roll, moves, whole=False)  # noqa: B023 - called at once


# ---------------------------------------------------------------------------------------------------------------- always the same


@given(turns(), st.randoms())
def test_order_and_moves_are_the_same_when_asked_again_whatever_the_order_of_the_dice(turn: Turn, random: random.Random) -> None:
    position, roll = turn
    plays = position.plays(roll)
    again = Position.from_text(position.to_text(), rules=position.rules).plays(tuple(random.sample(roll, len(roll))))
    assert again == plays
    assert [play.moves for play in again] == [play.moves for play in plays]
    assert (again.positions == plays.positions).all()


@given(turns())
def test_order_and_moves_are_the_same_for_the_other_colour(turn: Turn) -> None:
    position, roll = turn
    turned = Position.from_tracks(position.mover, position.other, rules=position.rules, turn=1 - position.turn)
    plays, others = position.plays(roll), turned.plays(roll)
    assert (plays.positions == others.positions).all()
    assert [play.moves for play in plays] == [play.moves for play in others]
    assert [str(play) for play in plays] == [str(play) for play in others]
    assert {play.position.turn for play in others} <= {position.turn}


def test_order_and_moves_are_the_same_in_another_process_with_another_hash_seed() -> None:
    here = listing()
    assert here.count("\n") > 1000
    tests = Path(__file__).parent
    for seed in ("0", "1", "12345"):
        paths = [str(tests), *filter(None, sys.path)]
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(paths)}
        there = subprocess.run(
            [sys.executable, "-m", "support.listing"], env=environment, check=True, capture_output=True, text=True, encoding="utf-8"
        )
        assert there.stdout == here
