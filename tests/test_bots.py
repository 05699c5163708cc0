"""The simple bots: what they take, how they weigh it, and that they are what they are called."""

from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import positions, rolls

from tabula import BACKGAMMON, TABULA, Position, bots
from tabula.game import Game
from tabula.playouts import playouts, replay
from tabula.rules import PRESETS

OVER = Position.from_text("-------------------------o:b", rules=TABULA)


def told(position: Position) -> int:
    """What `weigh` promises, in the words of its docstring, for the side that is not to move."""
    rules, mine, theirs = position.rules, position.other, position.mover
    value = sum(count * (25 - index) for index, count in enumerate(theirs))
    value -= sum(count * (25 - index) for index, count in enumerate(mine))
    for point in range(1, 25):
        there = rules.facing(point)
        if rules.blots == "hit" and mine[point] == 1 and any(theirs[index] for index in range(there)):
            value -= 4
    return value


@pytest.mark.parametrize(
    ("rules", "theirs", "exposed"),
    [
        (TABULA, {9: 1}, True),
        (TABULA, {11: 1}, False),
        (TABULA, {0: 1}, True),
        (BACKGAMMON, {14: 1}, True),
        (BACKGAMMON, {16: 1}, False),
        (BACKGAMMON, {0: 1}, True),
    ],
)
def test_a_blot_counts_while_somebody_has_yet_to_come_to_it(rules, theirs, exposed):
    def tracks(points):
        track = [points.get(index, 0) for index in range(26)]
        track[25] = 15 - sum(track)
        return track

    position = Position.from_tracks(tracks(theirs), tracks({10: 1, 20: 2}), rules=rules)
    lead = position.pips[0] - (15 + 2 * 5)
    assert bots.weigh(position.to_array()[None], rules=rules).tolist() == [lead - (bots.BLOT if exposed else 0)]


def test_a_blot_costs_four_pips_at_the_start_of_tabula():
    # bar/6 bar/5 bar/2 leaves three blots, the others two; all go 13 pips.
    plays = Position().plays("652")
    assert {str(play): int(value) for play, value in zip(plays, bots.weigh(plays.positions, rules=TABULA), strict=True)} == {
        "bar/6 bar/5 bar/2": 13 - 12,
        "bar/11 bar/2": 13 - 8,
        "bar/8 bar/5": 13 - 8,
        "bar/7 bar/6": 13 - 8,
    }


@given(st.data())
def test_it_weighs_as_it_says_and_takes_the_first_of_the_best(data):
    position = data.draw(positions())
    plays = position.plays(data.draw(rolls(position.rules)))
    if not plays:
        return
    values = [told(play.position) for play in plays]
    assert bots.weigh(plays.positions, rules=position.rules).tolist() == values
    assert bots.pips_and_blots(plays) == plays[values.index(max(values))]


def test_every_play_is_as_likely_as_another_for_the_random_bot():
    plays = Position(BACKGAMMON).plays("31")
    rng = np.random.default_rng(7)
    drawn = Counter(plays.index(bots.random_play(plays, rng)) for _ in range(1600))
    # fifteen degrees of freedom: 44.3 is passed once in ten thousand times, and the seed is fixed
    assert len(plays) == 16
    assert sum((drawn[index] - 100) ** 2 / 100 for index in range(16)) < 44.3


def test_the_random_bot_draws_one_number():
    plays = Position(BACKGAMMON).plays("31")
    one, two = np.random.default_rng(3), np.random.default_rng(3)
    assert bots.random_play(plays, one) == plays[int(two.integers(16))]
    assert one.bit_generator.state == two.bit_generator.state


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_weigh_is_a_policy_that_plays_what_the_bot_plays(rules):
    policy = partial(bots.weigh, rules=rules)
    start = Position(rules)
    played = playouts(start, 3, rng=np.random.default_rng(1), policy=policy)
    for key in played.games["seed"]:
        record = replay(start, int(key), policy=policy)
        assert record.outcome is not None
        assert all(turn.play == bots.pips_and_blots(turn.before.plays(turn.roll)) for turn in record.turns)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_the_pips_bot_beats_the_random_one_most_of_the_time(rules):
    won = 0
    for number in range(40):
        rng = np.random.default_rng(number)
        game = Game(rules, rng)
        game.open()
        while game.outcome is None:
            if game.rolled is None:
                game.roll()
            name = "pips" if game.position.turn == number % 2 else "random"
            game.push(bots.BOTS[name](game.plays, rng))
        won += game.outcome.winner == number % 2
    assert won >= 26


@pytest.mark.parametrize("bot", bots.BOTS.values(), ids=bots.BOTS)
def test_a_game_that_is_over_has_nothing_to_choose(bot):
    with pytest.raises(ValueError, match="there are no plays to choose from: the game is over"):
        bot(OVER.plays("652"), np.random.default_rng(1))
    with pytest.raises(TypeError, match=r"plays must be a Plays, not \[\]"):
        bot([], np.random.default_rng(1))


def test_bad_input_is_named():
    plays = Position().plays("652")
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator, not None"):
        bots.random_play(plays, None)
    with pytest.raises(TypeError, match="rules must be a Rules, not 'tabula'"):
        bots.weigh(plays.positions, rules="tabula")
    with pytest.raises(TypeError, match="afterstates must be an int8 array, not an array of int64"):
        bots.weigh(plays.positions.astype(np.int64), rules=TABULA)
    with pytest.raises(TypeError, match="afterstates must be an int8 array, not None"):
        bots.weigh(None, rules=TABULA)
    with pytest.raises(ValueError, match=r"afterstates must have the shape \(n, 2, 26\), not \(2, 26\)"):
        bots.weigh(plays.positions[0], rules=TABULA)
    assert bots.weigh(plays.positions[:0], rules=TABULA).shape == (0,)
