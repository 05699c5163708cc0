"""Evaluators: whom their values speak for, finished games, tables, policies, and what is refused."""

import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.evaluators import chances_by_pips, middle, pips
from support.strategies import turns

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, batch, bots, evaluate
from tabula.playouts import playouts

GAMES = [TABULA, BACKGAMMON, TABULA_HISTORIC]


def chances(rng: np.random.Generator, n: int) -> np.ndarray:
    """Random chances, cumulative as they must be."""
    win = rng.random(n)
    gammon, lost_gammon = win * rng.random(n), (1 - win) * rng.random(n)
    return np.stack([win, gammon, gammon * rng.random(n), lost_gammon, lost_gammon * rng.random(n)], axis=1)


def test_points_are_the_mean_of_what_the_chances_say() -> None:
    found = chances(np.random.default_rng(1), 100)
    win, gammon, backgammon, lost_gammon, lost_backgammon = found.T
    exact = [win - gammon, gammon - backgammon, backgammon]
    lost = [1 - win - lost_gammon, lost_gammon - lost_backgammon, lost_backgammon]
    by_hand = sum(n * p for n, p in enumerate(exact, 1)) - sum(n * p for n, p in enumerate(lost, 1))
    assert np.allclose(evaluate.points(found), by_hand, atol=1e-15)


def test_the_other_side_sees_the_opposite_points_and_twice_swapped_is_the_same() -> None:
    found = chances(np.random.default_rng(2), 100)
    swapped = evaluate.swap_sides(found)
    assert np.allclose(evaluate.points(swapped), -evaluate.points(found), atol=1e-15)
    assert np.allclose(evaluate.swap_sides(swapped), found, atol=1e-15)
    assert evaluate.swap_sides(np.array([0.5, -1])).tolist() == [-0.5, 1.0]


@pytest.mark.parametrize("points", [1, 2, 3, -1, -2, -3])
def test_chances_of_an_outcome_are_worth_its_points(points: int) -> None:
    outcome = np.array([points], np.int8)
    assert evaluate.points(evaluate.of_outcomes(outcome, chances=True)).tolist() == [points]
    assert evaluate.of_outcomes(outcome, chances=False).tolist() == [points]


@given(st.data())
def test_finished_games_have_the_value_of_their_outcome(data: st.DataObject) -> None:
    position, _ = data.draw(turns())
    rows = np.stack([position.to_array(), batch.swap_sides(position.to_array()[None])[0]])
    outcomes = batch.outcome(rows, rules=position.rules)

    def fails_on_finished(positions: np.ndarray) -> np.ndarray:
        assert not batch.outcome(positions, rules=position.rules).any()
        return np.full(len(positions), 0.125)

    expected = np.where(outcomes == 0, 0.125, outcomes)
    assert evaluate.settled(fails_on_finished, position.rules)(rows).tolist() == expected.tolist()


def test_an_evaluator_of_chances_is_settled_in_chances_even_if_all_games_are_finished() -> None:
    rows = batch.start(2, rules=BACKGAMMON)
    rows[:, 1] = 0
    rows[:, 1, 25] = 15
    rows[1, 0] = 0
    rows[1, 0, [20, 25]] = 14, 1
    assert evaluate.settled(chances_by_pips, BACKGAMMON)(rows).tolist() == [[0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]
    assert evaluate.settled(pips, BACKGAMMON)(rows).tolist() == [-3, -1]


class First:
    """A table that covers positions with no checkers waiting, and says 1."""

    def __init__(self, rules=None, five=False):
        self.rules, self.five = rules, five

    def covers(self, positions):
        return positions[:, 0, 0] == 0

    def __call__(self, positions):
        assert (positions[:, 0, 0] == 0).all()
        return np.tile([1.0, 0, 0, 0, 0], (len(positions), 1)) if self.five else np.ones(len(positions))


@pytest.mark.parametrize("five", [False, True])
@pytest.mark.parametrize("evaluator", [pips, chances_by_pips])
def test_a_table_speaks_where_it_covers_and_the_evaluator_elsewhere(evaluator, five: bool) -> None:
    positions = middle(BACKGAMMON, 200)
    both = evaluate.with_table(evaluator, First(five=five))
    free = positions[:, 0, 0] == 0
    assert 0 < free.sum() < 200
    found = both(positions)
    assert found.ndim == (2 if five and evaluator is chances_by_pips else 1)
    assert np.array_equal(evaluate.points(found)[free], np.ones(free.sum()))
    assert np.allclose(evaluate.points(found)[~free], evaluate.points(evaluator(positions[~free])), atol=1e-15)
    for part in (free, ~free):  # one of the two has nothing to say
        assert np.allclose(both(positions[part]), found[part], atol=1e-15)


def test_a_table_of_other_rules_is_refused() -> None:
    with pytest.raises(ValueError, match="the evaluator is for the rules of backgammon, and these are those of tabula"):
        evaluate.with_table(evaluate.settled(pips, BACKGAMMON), First(TABULA))
    both = evaluate.with_table(pips, First(TABULA))
    with pytest.raises(ValueError, match="the evaluator is for the rules of tabula, and these are those of backgammon"):
        evaluate.settled(both, BACKGAMMON)


@pytest.mark.parametrize("rules", GAMES)
def test_a_policy_takes_what_is_worth_least_to_the_other_side(rules) -> None:
    policy = evaluate.as_policy(pips, rules)
    played = playouts(Position(rules), 40, rng=np.random.default_rng(1), policy=policy)
    # the same by hand: pips are no more than a fraction of a point, so a game that can be won is won
    by_hand = playouts(
        Position(rules), 40, rng=np.random.default_rng(1), policy=lambda after: np.where(after[:, 1, 25] == 15, 99, -pips(after))
    )
    assert (played.games == by_hand.games).all()


def test_a_bot_made_of_an_evaluator_plays_as_the_policy_does() -> None:
    bot, policy = evaluate.as_bot(pips), evaluate.as_policy(pips, BACKGAMMON)
    for position in middle(BACKGAMMON, 50):
        plays = Position.from_array(position, rules=BACKGAMMON).plays("42")
        assert bot(plays, np.random.default_rng(1)) == plays[int(np.argmax(policy(plays.positions)))]


def turns_of(rules, n: int) -> evaluate.Turns:
    positions = middle(rules, n)
    rng = np.random.default_rng(5)
    rolls = batch.roll(n, rng=rng, rules=rules)
    after = batch.afterstates(positions, rolls, rules=rules)
    return evaluate.Turns(rules, positions, rolls, after, rng.integers(0, 2**64, n, np.uint64))


@pytest.mark.parametrize("rules", GAMES)
def test_the_bots_of_the_library_choose_from_arrays_as_they_do_one_by_one(rules) -> None:
    turns = turns_of(rules, 300)

    def one_by_one(plays, rng):
        return bots.pips_and_blots(plays, rng)

    slow, fast = evaluate.from_bot(one_by_one).choose(turns), evaluate.from_bot(bots.pips_and_blots).choose(turns)
    assert slow.tolist() == fast.tolist()
    random = evaluate.from_bot(bots.random_play).choose(turns)
    plays = np.diff(turns.after.offsets)
    assert ((random >= 0) & (random < plays)).all()
    assert abs(((random + 0.5) / plays).mean() - 0.5) < 0.06


def test_what_a_player_is_is_seen() -> None:
    def needs_two(plays, rng):
        return plays[int(rng.integers(len(plays)))]

    def has_two(positions, scale=1):
        return scale * np.zeros(len(positions))

    class Chooser:
        def choose(self, turns):
            return np.zeros(len(turns.positions), np.int64)

    chooser = Chooser()
    assert evaluate.as_player(chooser, TABULA) is chooser
    assert evaluate.as_player(needs_two, TABULA) == evaluate.from_bot(needs_two)
    assert evaluate.as_player(bots.pips_and_blots, TABULA) == evaluate.from_bot(bots.pips_and_blots)
    assert type(evaluate.as_player(has_two, TABULA)) is type(evaluate.as_player(pips, TABULA))
    with pytest.raises(TypeError, match="a player must be an evaluator, a bot or have a method choose, not 5"):
        evaluate.as_player(5, TABULA)  # type: ignore[arg-type]


def test_policies_and_players_can_be_sent_to_another_process() -> None:
    for made in (evaluate.as_policy(pips, TABULA), evaluate.from_bot(bots.pips_and_blots), evaluate.as_player(pips, TABULA)):
        assert pickle.loads(pickle.dumps(made)) == made


def named(values):
    def evaluator(_):
        return values

    return evaluator


@pytest.mark.parametrize(
    ("evaluator", "error", "message"),
    [
        (named(np.zeros(2)), ValueError, r"the evaluator's values must be 3, one for each position, not 2"),
        (named(np.zeros((3, 4))), ValueError, r"must have the shape \(n,\), points, or \(n, 5\), chances, not \(3, 4\)"),
        (named(np.zeros((3, 5, 1))), ValueError, r"not \(3, 5, 1\)"),
        (named(np.array([0, np.nan, np.nan])), ValueError, "the evaluator's values: row 1 is NaN"),
        (named(np.array([[0.0] * 5, [0.0] * 5, [0.0] * 4 + [np.nan]])), ValueError, "the evaluator's values: row 2 is NaN"),
        (named(np.zeros(3, complex)), TypeError, "the evaluator's values must be real numbers, not complex128"),
        (named("abc"), TypeError, "the evaluator's values must be real numbers, not <U3"),
        (named(np.zeros(3, bool)), TypeError, "must be real numbers, not bool"),
    ],
)
def test_wrong_values_are_refused_and_the_row_is_named(evaluator, error, message: str) -> None:
    with pytest.raises(error, match=message):
        evaluate.evaluated(evaluator, batch.start(3, rules=TABULA))


def test_infinite_points_are_no_nan() -> None:
    found = evaluate.evaluated(named(np.array([np.inf, -np.inf])), batch.start(2, rules=TABULA))
    assert found.tolist() == [np.inf, -np.inf]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (partial(evaluate.settled, 3, TABULA), "an evaluator must be callable, not 3"),
        (partial(evaluate.settled, pips, "tabula"), "rules must be a Rules"),
        (partial(evaluate.with_table, pips, pips), "a table must be callable and have a method covers"),
        (partial(evaluate.with_table, 3, First()), "an evaluator must be callable, not 3"),
        (partial(evaluate.as_bot, None), "an evaluator must be callable, not None"),
        (partial(evaluate.from_bot, None), "a bot must be callable, not None"),
        (partial(evaluate.evaluated, pips, [[0]]), "positions must be an int8 array, not list"),
    ],
)
def test_arguments_of_the_wrong_type_are_refused(call, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()
