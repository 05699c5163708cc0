"""Rollouts: exact tables have no variance, both estimates agree, throws are stratified, and nothing depends on how it is run."""

import itertools
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
import pytest
from support.evaluators import ONE_CHECKER, ExactTable, chances_by_pips, middle, pips
from support.stuck import STUCK

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules, batch, evaluate, rollouts
from tabula.dice import chances
from tabula.playouts import playouts
from tabula.rollouts import Comparison, Rollout, compare, rollout
from tabula.rollouts.games import Games, Settings
from tabula.search import NORMAL, search
from tabula.work import UnitFailedError

GAMES = [TABULA, BACKGAMMON, TABULA_HISTORIC]
TABLES = {rules: ExactTable(rules) for rules in (*GAMES, ONE_CHECKER)}
START = Position(BACKGAMMON)


def rng(seed: int = 11) -> np.random.Generator:
    return np.random.default_rng(seed)


def exact(rules: Rules, row: int) -> tuple[Position, ExactTable, float]:
    """A position with one checker a side, its table, and its exact value."""
    table = TABLES[rules]
    position = table.positions[row]
    return Position.from_array(position, rules=rules), table, float(table.points(position[None])[0])


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("horizon", [None, 1, 2, 5])
@pytest.mark.parametrize("row", [100, 333])
def test_every_reduced_game_of_an_exact_table_gives_the_exact_value(rules: Rules, horizon: int | None, row: int) -> None:
    position, table, points = exact(rules, row)
    for evaluator in (table, table.points):
        found = rollout(position, evaluator, 50, rng=rng(), horizon=horizon, reduce=True)
        reduced = found.reduced_results
        assert reduced is not None
        each = evaluate.points(reduced if reduced.shape[1] == 5 else reduced[:, 0])
        assert np.abs(each - points).max() < 1e-12
        assert found.se < 1e-12
        if reduced.shape[1] == 5:
            assert np.abs(reduced - table(position.to_array()[None])).max() < 1e-12
        if horizon is None:
            assert found.plain_se > 0.01
    assert rollout(position, table, 50, rng=rng(), reduce=True, plies=1).se < 1e-12


def test_reduced_and_plain_agree_over_a_hundred_positions() -> None:
    scores = []
    for row in range(100):
        position, _, _ = exact(TABULA, 5 + 5 * row)

        def rough(positions: np.ndarray) -> np.ndarray:
            # a coarse opinion: who has fewer pips
            return np.sign(pips(positions)) / 2

        found = rollout(position, rough, 216, rng=rng(row), reduce=True, stratify=False)
        assert found.reduced_points is not None
        each = evaluate.points(found.reduced_results[:, 0]) - evaluate.points(found.plain_results[:, 0])
        spread = each.std(ddof=1) / np.sqrt(len(each))
        scores.append((found.reduced_points - found.plain_points) / spread if spread else 0.0)
        assert found.given_up == 0
    scores = np.array(scores)
    assert (np.abs(scores) < 3.6).all()
    assert (np.abs(scores) < 3).mean() >= 0.98
    assert (scores**2).mean() < 1.5


def test_the_mean_luck_is_zero_when_every_first_throw_comes_once() -> None:
    # One ply, cut there: the mean of the results over all throws is what the position is worth by one ply of search.
    for rules, games in ((BACKGAMMON, 36), (TABULA, 216)):
        position = Position.from_array(middle(rules, 1)[0], rules=rules)
        found = rollout(position, pips, games, rng=rng(), horizon=1)
        assert found.plain_points == pytest.approx(found.points, abs=1e-12)
        by_hand = 0.0
        for roll, chance in chances(rules.dice).items():
            plays = position.plays(roll).positions
            by_hand -= float(chance) * evaluate.settled(pips, rules)(plays).min()
        assert found.points == pytest.approx(by_hand, abs=1e-12)
        assert found.se < 1e-12


@pytest.mark.parametrize("rules", GAMES)
def test_whole_plain_games_are_those_of_the_policy(rules: Rules) -> None:
    found = rollout(Position(rules), pips, 648, rng=rng(), stratify=False)
    assert found.reduced_points is None
    assert (found.cut, found.given_up) == (0, 0)
    played = playouts(Position(rules), 4000, rng=rng(), policy=evaluate.as_policy(pips, rules)).games
    points = np.where(played["winner"] == 0, 1, -1) * played["points"]
    spread = np.sqrt(found.se**2 + points.var(ddof=1) / len(points))
    assert abs(found.points - points.mean()) < 4 * spread
    assert abs(found.plies.mean() - played["plies"].mean()) < 4 * played["plies"].std() / np.sqrt(600)
    assert found.chances is not None
    assert evaluate.points(found.chances[None])[0] == pytest.approx(found.points)


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_throws_are_stratified(dice: int) -> None:
    rules = {1: Rules(dice=1), 2: BACKGAMMON, 3: TABULA}[dice]
    throws = 6**dice
    settings = Settings(0, NORMAL, None, False, True, 100, 1)
    start = Position(rules)
    games = throws**2 if dice < 3 else 2 * throws

    def thrown(ply: int) -> np.ndarray:
        dice_of = [Games(start, pips, 5, first, min(324, games - first), settings)._throws(ply) for first in range(0, games, 324)]
        return np.concatenate(dice_of).astype(np.int64) @ 6 ** np.arange(dice)

    first, second, third = thrown(0), thrown(1), thrown(2)
    for each in (first, second, third):
        for block in range(0, games, throws):
            assert len(set(each[block : block + throws])) == throws
    if dice < 3:
        assert len(set(zip(first.tolist(), second.tolist(), strict=True))) == throws**2
    assert (first != second).any()
    assert (third[:throws] != third[throws : 2 * throws]).any()
    free = Games(start, pips, 5, 0, 216, Settings(0, NORMAL, None, False, False, 100, 1))._throws(0)
    assert free.shape == (216, dice)
    assert set(np.unique(free)) == set(range(1, 7))


def test_stratified_throws_lower_the_spread_of_means() -> None:
    means = {
        stratify: [rollout(START, pips, 36, rng=rng(seed), horizon=1, reduce=False, stratify=stratify).points for seed in range(8)]
        for stratify in (True, False)
    }
    assert np.std(means[True]) < 1e-12
    assert np.std(means[False]) > 1e-4


def test_a_longer_rollout_begins_with_the_same_games() -> None:
    short, long = (rollout(START, pips, games, rng=rng(), horizon=3) for games in (324, 700))
    assert (long.plain_results[:324] == short.plain_results).all()
    assert (long.reduced_results[:324] == short.reduced_results).all()


@pytest.mark.parametrize("evaluator", [pips, chances_by_pips])
def test_threads_executors_and_checkpoints_change_nothing(evaluator, tmp_path) -> None:
    call = partial(rollout, START, evaluator, 700, horizon=3, plies=1, filters=((NORMAL[0]),))
    reports: list[tuple[int, int]] = []
    expected = call(rng=rng(), progress=lambda *each: reports.append(each))
    assert reports == [(0, 700), (324, 700), (648, 700), (700, 700)]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        others = [call(rng=rng(), executor=pool), call(rng=rng(), executor=pool, stop=1e-9)]
    file = tmp_path / "games.checkpoint"
    others += [call(rng=rng(), threads=2), call(rng=rng(), checkpoint=file), call(rng=rng(), checkpoint=file, stop=1e-9)]
    for other in others:
        assert (other.plain_results == expected.plain_results).all()
        assert (other.reduced_results == expected.reduced_results).all()
        assert (other.plies == expected.plies).all()
        assert other.chances is None or (other.chances == expected.chances).all()
    with pytest.raises(ValueError, match="question"):
        rollout(START, evaluator, 700, rng=rng(), horizon=4, checkpoint=file)


def test_it_stops_at_a_standard_error_in_the_order_of_the_games(tmp_path) -> None:
    whole = rollout(START, pips, 3000, rng=rng(), horizon=4)
    for blocks in (1, 3):
        goal = rollout(START, pips, 324 * blocks, rng=rng(), horizon=4).se
        reports: list[tuple[int, int]] = []
        found = rollout(
            START, pips, 3000, rng=rng(), horizon=4, stop=goal * (1 + 1e-9), progress=lambda *each, to=reports: to.append(each)
        )
        assert reports[-1] == (found.games, 3000)
        assert found.games <= 324 * blocks
        assert found.se <= goal * (1 + 1e-9)
        assert (found.plain_results == whole.plain_results[: found.games]).all()
        with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
            same = rollout(START, pips, 3000, rng=rng(), horizon=4, stop=goal * (1 + 1e-9), executor=pool)
        assert same.games == found.games
    file = tmp_path / "games.checkpoint"
    rollout(START, pips, 3000, rng=rng(), horizon=4, stop=1.0, checkpoint=file)
    assert (rollout(START, pips, 3000, rng=rng(), horizon=4, checkpoint=file).plain_results == whole.plain_results).all()


def test_games_that_do_not_end_are_given_up_and_counted() -> None:
    found = rollout(START, pips, 36, rng=rng(), max_plies=3)
    assert (found.given_up, found.cut) == (36, 0)
    cut = rollout(START, pips, 36, rng=rng(), horizon=3, reduce=False)
    assert (cut.given_up, cut.cut) == (0, 36)
    assert found.points == cut.points  # both have the evaluator's value there
    assert found.chances is None


@pytest.mark.parametrize("reduce", [True, False])
def test_a_finished_game_is_worth_its_outcome(reduce: bool) -> None:
    over = Position.from_text("-------------------------o:b", rules=TABULA)
    found = rollout(over, pips, 20, rng=rng(), reduce=reduce)
    points = float(batch.outcome(over.to_array()[None], rules=TABULA)[0])
    assert (found.points, found.se, found.plies.max(), found.given_up) == (points, 0, 0, 0)


def test_luck_is_measured_where_it_is_said_to_be() -> None:
    for arguments, measured in (({}, False), ({"horizon": 2}, True), ({"plies": 1, "horizon": 2}, True), ({"reduce": True}, True)):
        found = rollout(START, pips, 4, rng=rng(), **arguments)
        assert (found.reduced_results is not None) == measured
    assert rollout(START, pips, 4, rng=rng(), horizon=2, reduce=False).reduced_results is None


def test_more_plies_choose_the_plays_of_the_search() -> None:
    found = rollout(START, pips, 36, rng=rng(), horizon=1, plies=1, reduce=False)
    seed = found.seed
    rolls = Games(START, pips, seed, 0, 36, Settings(1, NORMAL, 1, False, True, 10, 1))._throws(0)
    positions = batch.start(36, rules=BACKGAMMON)
    chosen = batch.play(positions, rolls, search(positions, rolls, pips, rules=BACKGAMMON, plies=1).best, rules=BACKGAMMON)
    assert found.plain_results[:, 0].tolist() == (-pips(chosen)).tolist()


# ---------------------------------------------------------------------------------------------------------------------- figures


def test_figures_are_those_of_the_results() -> None:
    plain, reduced = np.array([[1.0], [-1.0], [2.0], [0.5]]), np.array([[0.5], [0.25], [0.75], [0.5]])
    found = Rollout(START, 7, plain, reduced, np.array([3, 4, 5, 6]), np.array([0, 0, 2, 1]))
    assert (found.games, found.points, found.plain_points, found.cut, found.given_up) == (4, 0.5, 0.625, 1, 1)
    assert found.se == found.reduced_se == pytest.approx(reduced.std(ddof=1) / 2)
    assert found.plain_se == pytest.approx(plain.std(ddof=1) / 2)
    assert found.chances is None
    assert repr(found) == f"<Rollout: 4 games, +0.5000 +- {found.se:.4f} points>"
    as_dict = found.to_dict()
    assert (as_dict["points"], as_dict["plain_points"], as_dict["chances"]) == (0.5, 0.625, None)
    whole = Rollout(START, 7, np.array([[1.0], [-3.0]]), None, np.array([3, 4]), np.array([0, 0]))
    assert whole.chances.tolist() == [0.5, 0, 0, 0.5, 0.5]
    assert whole.reduced_points is whole.reduced_se is None
    alone = Rollout(START, 7, np.array([[1.0]]), None, np.array([3]), np.array([0]))
    assert np.isnan(alone.se)
    assert alone.to_dict()["se"] is alone.to_dict()["chances_se"] is None


# ------------------------------------------------------------------------------------------------------------------- comparisons


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: rules.name)
def test_a_comparison_with_an_exact_table_finds_its_order(rules: Rules) -> None:
    table = TABLES[rules]
    position = Position.from_array(table.positions[200], rules=rules)
    roll = (2, 1, 1)[: rules.dice] if rules.dice == 2 else (3, 2, 1)
    plays = position.plays(roll)
    found = compare(position, roll, table, 20, rng=rng(), reduce=True)
    values = -table.points(plays.positions)
    assert found.differences.tolist() == pytest.approx(sorted(values.max() - values), abs=1e-12)
    assert [each.points for each in found.rollouts] == pytest.approx([values[play] for play in found.plays], abs=1e-12)
    assert found.best in np.flatnonzero(values > values.max() - 1e-12)
    assert found.differences_se.max() < 1e-12


def test_candidates_have_the_same_dice() -> None:
    found = compare(START, "31", pips, 72, rng=rng(), plays=[0, 5, 9], horizon=3, reduce=False)
    assert sorted(found.plays) == [0, 5, 9]
    for play, each in zip(found.plays, found.rollouts, strict=True):
        after = START.plays("31")[play].position
        assert each.position == after
        alone = rollout(after, pips, 72, rng=rng(), horizon=3, reduce=False)
        assert alone.seed == each.seed
        assert (each.plain_results == -alone.plain_results).all()
    points = [each.points for each in found.rollouts]
    assert points == sorted(points, reverse=True)
    pairs = [found.rollouts[0].plain_results - each.plain_results for each in found.rollouts]
    assert found.differences.tolist() == pytest.approx([pair.mean() for pair in pairs])
    assert found.differences_se.tolist() == pytest.approx([pair.std(ddof=1) / np.sqrt(72) for pair in pairs])
    assert repr(found) == f"<Comparison: 3 plays, 72 games each, best is play {found.best}>"
    five = compare(START, "31", chances_by_pips, 36, rng=rng(), plays=[0, 5], horizon=2)
    assert (evaluate.points(five.rollouts[0].chances[None])[0]) == pytest.approx(five.rollouts[0].points)


def test_the_spread_of_a_difference_is_less_than_that_of_independent_games() -> None:
    found = compare(START, "31", pips, 648, rng=rng(), plays=[0, 5], reduce=False)
    apart = np.hypot(*(each.se for each in found.rollouts))
    assert found.differences_se[1] < 0.95 * apart


def test_a_comparison_stops_when_no_difference_is_unsure() -> None:
    whole = compare(START, "31", pips, 972, rng=rng(), plays=[0, 5, 9], horizon=3)
    goal = float(whole.differences_se.max())
    found = compare(START, "31", pips, 5000, rng=rng(), plays=[0, 5, 9], horizon=3, stop=goal * (1 + 1e-9))
    assert found.rollouts[0].games <= 972
    assert found.differences_se.max() <= goal * (1 + 1e-9)
    assert {each.games for each in found.rollouts} == {found.rollouts[0].games}


def test_a_play_that_wins_at_once_is_worth_its_points() -> None:
    table = TABLES[BACKGAMMON]
    position = Position.from_array(table.positions[-30], rules=BACKGAMMON)
    assert position.mover[25] == 14
    for roll in itertools.combinations_with_replacement((6, 5, 4), 2):
        found = compare(position, roll, pips, 20, rng=rng())
        if position.plays(roll)[found.best].position.outcome is not None:
            assert (found.rollouts[0].points, found.rollouts[0].se) == (1, 0)
            break
    else:
        pytest.fail("no roll wins")


# ----------------------------------------------------------------------------------------------------------------------- refused


OVER = Position.from_text("-------------------------o:b", rules=TABULA)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"games": 0}, ValueError, "games must be 1 or more, not 0"),
        ({"horizon": 0}, ValueError, r"horizon must be 1\.\.16777216, not 0"),
        ({"plies": -1}, ValueError, r"plies must be 0\.\.8, not -1"),
        ({"filters": 3}, TypeError, "filters must be a sequence"),
        ({"reduce": 1}, TypeError, "reduce must be True or False, not 1"),
        ({"stratify": None}, TypeError, "stratify must be True or False, not None"),
        ({"stop": 0}, ValueError, "stop must be more than 0, not 0"),
        ({"stop": float("nan")}, ValueError, "stop must be more than 0, not nan"),
        ({"stop": "x"}, TypeError, "stop must be a number or None, not 'x'"),
        ({"max_plies": 0}, ValueError, r"max_plies must be 1\.\."),
        ({"threads": 0}, ValueError, "threads must be 1 or more"),
        ({"progress": 1}, TypeError, "progress must be callable"),
        ({"executor": 1}, TypeError, "executor must be"),
        ({"rng": 1}, TypeError, "rng must be a numpy.random.Generator, not 1"),
        ({"position": "x"}, TypeError, "position must be a Position, not 'x'"),
        ({"evaluator": evaluate.settled(pips, TABULA)}, ValueError, "the evaluator is for the rules of tabula"),
        ({"evaluator": 5}, TypeError, "an evaluator must be callable, not 5"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, message: str) -> None:
    call = {"position": START, "evaluator": pips, "games": 2, "rng": rng(), "horizon": 1, **arguments}
    first = call.pop("position"), call.pop("evaluator"), call.pop("games")
    with pytest.raises(error, match=message):
        rollout(*first, **call)
    with pytest.raises(error, match=message):
        compare(first[0], "31", *first[1:], **call)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"plays": []}, ValueError, r"plays must be different plays, one or more, not \[\]"),
        ({"plays": [1, 1]}, ValueError, r"plays must be different plays, one or more, not \[1, 1\]"),
        ({"plays": [99]}, IndexError, "there is no play 99, the roll has 16"),
        ({"plays": [-1]}, ValueError, "a play must be 0 or more, not -1"),
        ({"roll": "99"}, ValueError, "a die must be 1..6"),
        ({"position": OVER, "roll": "321"}, ValueError, "there are no plays to compare, for the game is over"),
    ],
)
def test_bad_plays_are_refused(arguments, error, message: str) -> None:
    call = {"position": START, "roll": "31", **arguments}
    with pytest.raises(error, match=message):
        compare(call.pop("position"), call.pop("roll"), pips, 2, rng=rng(), horizon=1, **call)


def fails(positions: np.ndarray) -> np.ndarray:
    raise ArithmeticError(f"{len(positions)} positions")


def test_what_the_evaluator_raises_passes_through_and_the_generator_is_as_before(tmp_path) -> None:
    generator = rng()
    with pytest.raises(ArithmeticError, match="positions"):
        rollout(START, fails, 2, rng=generator)
    with pytest.raises(UnitFailedError, match=r"games 0\.\.1 from .* failed: ArithmeticError"):
        rollout(START, fails, 2, rng=generator, checkpoint=tmp_path / "file")
    assert generator.integers(1 << 62) == rng().integers(1 << 62)


def test_the_names_are_these() -> None:
    assert set(rollouts.__all__) == {"MOST_GAMES", "Comparison", "Rollout", "compare", "rollout"}
    assert rollouts.Comparison is Comparison


@pytest.mark.parametrize("reduce", [False, True])
def test_a_game_in_which_neither_side_can_ever_move_is_given_up_at_once(reduce: bool) -> None:
    found = rollout(STUCK, lambda positions: np.full(len(positions), 0.25), 10, rng=rng(), reduce=reduce)
    assert found.given_up == 10
    assert found.plies.tolist() == [1] * 10
