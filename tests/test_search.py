"""Looking ahead: against a search written out by single calls, against exact tables, and what filters leave."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.evaluators import ONE_CHECKER, ExactTable, chances_by_pips, middle, pips
from support.strategies import turns

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules, arena, batch, dice, evaluate
from tabula import search as searching
from tabula.search import HUGE, LARGE, NARROW, NORMAL, TINY, Filter, search, value

GAMES = [TABULA, BACKGAMMON, TABULA_HISTORIC]
TABLES = {rules: ExactTable(rules) for rules in (*GAMES, ONE_CHECKER)}


def rolls_for(rules: Rules, n: int, seed: int = 4) -> np.ndarray:
    return batch.roll(n, rng=np.random.default_rng(seed), rules=rules)


# --------------------------------------------------------------------------------------------- the definition, by single calls


def written_out(position: Position, plies: int) -> float:
    """What a position is worth before the roll to the side to move, by `pips`, in the words of the docstring."""
    if position.outcome is not None:
        won = position.outcome.winner == position.turn
        return position.outcome.points if won else -position.outcome.points
    if plies == 0:
        return float(pips(position.to_array()[None])[0])
    mean = 0.0
    for roll, chance in dice.chances(position.rules.dice).items():
        plays = position.plays(roll)
        best = min((play.position for play in plays), key=lambda after: written_out(after, 0))
        mean += float(chance) * -written_out(best, plies - 1)
    return mean


@settings(max_examples=25)
@given(st.data())
def test_it_is_the_search_that_the_docstring_describes(data: st.DataObject) -> None:
    position, roll = data.draw(turns())
    plays = position.plays(roll)
    rows = position.to_array()[None]
    assert value(rows, pips, rules=position.rules)[0] == pytest.approx(written_out(position, 1), abs=1e-12)
    found = search(rows, np.array([roll], np.uint8), pips, rules=position.rules, plies=0)
    assert sorted(found[0].tolist()) == list(range(len(plays)))
    by_play = [-written_out(play.position, 0) for play in plays]
    assert found.values.tolist() == pytest.approx([by_play[play] for play in found[0]], abs=1e-12)
    assert (np.diff(found.values) <= 0).all()


@pytest.mark.parametrize("rules", [BACKGAMMON, TABULA])
def test_one_and_two_plies_by_single_calls(rules: Rules) -> None:
    position = Position.from_array(middle(rules, 1, plies=60)[0], rules=rules)
    roll = (2, 1) if rules.dice == 2 else (2, 1, 1)
    plays = position.plays(roll)
    rows, rolls = position.to_array()[None], np.array([roll], np.uint8)
    found = search(rows, rolls, pips, rules=rules, plies=1, filters=())
    by_play = [-written_out(play.position, 1) for play in plays]
    assert found.values.tolist() == pytest.approx([by_play[play] for play in found[0]], abs=1e-12)
    if rules is BACKGAMMON:
        assert value(rows, pips, rules=rules, plies=2)[0] == pytest.approx(written_out(position, 2), abs=1e-12)


# ------------------------------------------------------------------------------------------------------------------ exact tables


@pytest.mark.parametrize(
    ("rules", "start", "points"),
    [(ONE_CHECKER, 1, 0.45277313704189), (TABULA, 0, 0.08253757441776), (TABULA_HISTORIC, 0, 0.12472677121686)],
)
def test_the_tables_have_the_values_that_other_programs_found(rules: Rules, start: int, points: float) -> None:
    position = np.zeros((1, 2, 26), np.int8)
    position[:, :, start] = 1
    position[:, :, 25] = rules.checkers - 1
    assert TABLES[rules].points(position)[0] == pytest.approx(points, abs=1e-13)


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: rules.name or "one checker")
@pytest.mark.parametrize("plies", [0, 1, 2])
def test_any_plies_of_an_exact_table_are_the_table(rules: Rules, plies: int) -> None:
    table = TABLES[rules]
    positions = table.positions[:: 40 if plies == 2 else 7]
    found = value(positions, table, rules=rules, plies=plies)
    assert np.abs(found - table(positions)).max() < 1e-13
    points = value(positions, table.points, rules=rules, plies=plies)
    assert np.abs(points - table.points(positions)).max() < 1e-13


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: rules.name or "one checker")
def test_the_plays_of_an_exact_table_are_worth_what_it_says_of_their_boards(rules: Rules) -> None:
    table = TABLES[rules]
    positions = table.positions[::5]
    rolls = rolls_for(rules, len(positions))
    after = batch.afterstates(positions, rolls, rules=rules)
    for plies in (1, 2):
        found = search(positions, rolls, table, rules=rules, plies=plies, filters=NORMAL)
        exact = -table.points(after.positions)[after.offsets[found.rows] + found.index]
        assert np.abs(found.values - exact).max() < 1e-13
        assert np.abs(evaluate.points(found.chances) - found.values).max() < 1e-13


# ----------------------------------------------------------------------------------------------------------------------- filters


def test_the_filters_are_those_of_gnu_backgammon() -> None:
    stages = {
        "TINY": (TINY, (0, 5, 0.08), (0, 2, 0.02)),
        "NARROW": (NARROW, (0, 8, 0.12), (0, 2, 0.03)),
        "NORMAL": (NORMAL, (0, 8, 0.16), (0, 2, 0.04)),
        "LARGE": (LARGE, (0, 16, 0.32), (0, 4, 0.08)),
        "HUGE": (HUGE, (0, 20, 0.44), (0, 6, 0.11)),
    }
    for filters, first, third in stages.values():
        assert filters == (first, None, third, None)


@pytest.mark.parametrize(
    "stage", [Filter(0, 8, 0.16), Filter(2, 0, 0.0), Filter(1, 3, 0.02), Filter(0, 0, 0.0), Filter(3, 2, 0.01)]
)
def test_a_filter_leaves_the_best_and_those_near_it(stage: Filter) -> None:
    positions = middle(BACKGAMMON, 100)
    rolls = rolls_for(BACKGAMMON, 100)
    flat = search(positions, rolls, pips, rules=BACKGAMMON)
    found = search(positions, rolls, pips, rules=BACKGAMMON, plies=1, filters=(stage,))
    for row in range(100):
        values = flat.values[flat.offsets[row] : flat.offsets[row + 1]]
        left = [
            play
            for rank, (play, value) in enumerate(zip(flat[row].tolist(), values, strict=True))
            if rank < max(stage.keep, 1) or (rank < stage.keep + stage.most and value >= values[0] - stage.within)
        ]
        deep = found.plies[found.offsets[row] : found.offsets[row + 1]] == 1
        expected = left if len(left) > 1 else []
        assert sorted(found[row][deep].tolist()) == sorted(expected)
        assert deep.tolist() == sorted(deep.tolist(), reverse=True)  # the deeper ones stand first
        # those that were not looked at are in the order of 0 plies
        assert found[row][~deep].tolist() == [play for play in flat[row].tolist() if play not in expected]


def test_a_second_stage_cuts_by_the_values_of_its_own_ply() -> None:
    positions, rolls = middle(BACKGAMMON, 20), rolls_for(BACKGAMMON, 20)
    one = search(positions, rolls, pips, rules=BACKGAMMON, plies=1, filters=(Filter(4, 0, 0),))
    two = search(positions, rolls, pips, rules=BACKGAMMON, plies=2, filters=(Filter(4, 0, 0), Filter(2, 0, 0)))
    for row in range(20):
        plies = two.plies[two.offsets[row] : two.offsets[row + 1]]
        looked = one.plies[one.offsets[row] : one.offsets[row + 1]] == 1
        assert set(two[row][plies == 2]) == set(one[row][looked][:2])
        assert (plies == 1).sum() == max(looked.sum() - 2, 0)
        rest = dict(zip(one[row].tolist(), one.values[one.offsets[row] :], strict=False))
        for play, at, worth in zip(two[row].tolist(), plies, two.values[two.offsets[row] :], strict=False):
            if at == 1:
                assert worth == rest[play]


# ----------------------------------------------------------------------------------------------------- what costs nothing, sizes


class Counted:
    """An evaluator that counts the boards it is asked about, and the largest array of them."""

    def __init__(self) -> None:
        self.boards = self.largest = 0

    def __call__(self, positions: np.ndarray) -> np.ndarray:
        self.boards += len(positions)
        self.largest = max(self.largest, len(positions))
        return pips(positions)


def finished(rules: Rules, n: int = 3) -> np.ndarray:
    positions = batch.start(n, rules=rules)
    positions[:, 1] = 0
    positions[:, 1, 25] = rules.checkers
    return positions


@pytest.mark.parametrize("rules", GAMES)
def test_finished_games_cost_nothing_and_have_their_outcome(rules: Rules) -> None:
    counted = Counted()
    positions = finished(rules)
    found = search(positions, rolls_for(rules, 3), counted, rules=rules, plies=2)
    assert (len(found.index), found.best.tolist()) == (0, [-1, -1, -1])
    assert found.best_values.tolist() == batch.outcome(positions, rules=rules).tolist()
    assert value(positions, counted, rules=rules, plies=2).tolist() == batch.outcome(positions, rules=rules).tolist()
    assert value(positions, chances_by_pips, rules=rules, plies=1).shape == (3, 5)
    assert counted.boards == 0
    mixed = np.concatenate([positions[:1], batch.start(1, rules=rules)])
    found = search(mixed, rolls_for(rules, 2), chances_by_pips, rules=rules, plies=1)
    assert found.best[0] == -1
    assert found.best[1] >= 0
    assert value(mixed, pips, rules=rules)[0] == batch.outcome(mixed, rules=rules)[0]


def test_passes_and_forced_plays_are_not_looked_ahead() -> None:
    position = Position.from_points({24: 1, 6: 14}, {20: 2, 22: 13}, rules=BACKGAMMON, bar=(0, 0))
    for roll in dice.all_rolls(2):
        plays = position.plays(roll)
        if len(plays) == 1:
            counted = Counted()
            found = search(position.to_array()[None], np.array([roll], np.uint8), counted, rules=BACKGAMMON, plies=2)
            assert counted.boards == 1
            assert found.plies.tolist() == [0]


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("evaluator", [pips, chances_by_pips])
def test_batches_threads_and_merging_change_nothing(rules: Rules, evaluator) -> None:
    positions, rolls = middle(rules, 12), rolls_for(rules, 12)
    expected = search(positions, rolls, evaluator, rules=rules, plies=1, merge=False)
    for arguments in ({"batch": 100}, {"batch": 1}, {"merge": True}, {"threads": 2}, {"merge": True, "batch": 3000}):
        if arguments.get("batch") == 1 and rules is not BACKGAMMON:
            continue
        found = search(positions, rolls, evaluator, rules=rules, plies=1, **arguments)
        assert found.index.tolist() == expected.index.tolist()
        assert found.values.tolist() == expected.values.tolist()
        assert found.chances is None or (found.chances == expected.chances).all()
    deep = value(positions[:2], evaluator, rules=rules, plies=2, merge=False)
    assert (value(positions[:2], evaluator, rules=rules, plies=2, merge=True, batch=700) == deep).all()


@pytest.mark.parametrize("rules", [BACKGAMMON, TABULA])
def test_a_matrix_evaluator_may_differ_in_its_last_bits_by_the_width(rules: Rules) -> None:
    weights = np.random.default_rng(2).normal(size=(52, 40)).astype(np.float32)

    def net(positions: np.ndarray) -> np.ndarray:
        return np.tanh(positions.reshape(len(positions), 52).astype(np.float32) @ weights / 8).sum(axis=1) / 40

    positions, rolls = middle(rules, 6), rolls_for(rules, 6)
    wide = search(positions, rolls, net, rules=rules, plies=1, filters=())
    narrow = search(positions, rolls, net, rules=rules, plies=1, filters=(), batch=500)
    order = np.lexsort((wide.index, wide.rows)), np.lexsort((narrow.index, narrow.rows))
    assert np.abs(wide.values[order[0]] - narrow.values[order[1]]).max() < 1e-6


def test_the_evaluator_gets_no_more_boards_than_a_batch() -> None:
    counted = Counted()
    search(middle(BACKGAMMON, 20), rolls_for(BACKGAMMON, 20), counted, rules=BACKGAMMON, plies=1, batch=2000)
    assert 1000 < counted.largest <= 2000


def test_merging_evaluates_equal_boards_once() -> None:
    counts = []
    for merge in (False, True):
        counted = Counted()
        search(middle(TABULA, 20), rolls_for(TABULA, 20), counted, rules=TABULA, plies=1, merge=merge)
        counts.append(counted.boards)
    assert counts[1] < 0.8 * counts[0]


def test_boards_whose_sums_are_equal_are_not_taken_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    positions, rolls = middle(TABULA, 3), rolls_for(TABULA, 3)
    expected = search(positions, rolls, pips, rules=TABULA, plies=1, merge=False)
    monkeypatch.setattr(searching, "_FACTORS", np.zeros(4, np.uint64))
    found = search(positions, rolls, pips, rules=TABULA, plies=1, merge=True)
    assert found.values.tolist() == expected.values.tolist()


def test_progress_ends_with_all_positions() -> None:
    positions, rolls = middle(BACKGAMMON, 5), rolls_for(BACKGAMMON, 5)
    for plies in (0, 1, 2):
        reports: list[tuple[int, int]] = []
        search(
            positions, rolls, pips, rules=BACKGAMMON, plies=plies, batch=2000, progress=lambda *each, to=reports: to.append(each)
        )
        assert reports[-1] == (5, 5)
        assert reports == sorted(reports)
        assert (len(reports) > 3) == (plies > 0)
        reports.clear()
        value(positions, pips, rules=BACKGAMMON, plies=plies, batch=2000, progress=lambda *each, to=reports: to.append(each))
        assert reports[-1] == (5, 5)


def test_what_the_evaluator_raises_passes_through() -> None:
    def interrupted(_: np.ndarray) -> np.ndarray:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(middle(BACKGAMMON, 2), rolls_for(BACKGAMMON, 2), interrupted, rules=BACKGAMMON)


def nan(positions: np.ndarray) -> np.ndarray:
    return np.full(len(positions), np.nan)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"plies": 9}, ValueError, r"plies must be 0\.\.8, not 9"),
        ({"plies": 1.0}, TypeError, "plies must be an integer, not 1.0"),
        ({"filters": 5}, TypeError, "filters must be a sequence of Filter or None, not 5"),
        ({"filters": "normal"}, TypeError, r"filters\[0\] must be a Filter or None, not 'n'"),
        ({"filters": [(0, 8, 0.16)]}, TypeError, r"filters\[0\] must be a Filter or None"),
        ({"filters": [Filter(-1)]}, ValueError, "keep must be 0 or more, not -1"),
        ({"filters": [Filter(0, -1)]}, ValueError, "most must be 0 or more, not -1"),
        ({"filters": [Filter(0, 1, float("nan"))]}, ValueError, "within must be 0 or more, not nan"),
        ({"merge": 1}, TypeError, "merge must be True or False, not 1"),
        ({"batch": 0}, ValueError, r"batch must be 1\.\."),
        ({"threads": 0}, ValueError, "threads must be 1 or more, not 0"),
        ({"progress": 1}, TypeError, "progress must be callable"),
        ({"evaluator": evaluate.settled(pips, TABULA)}, ValueError, "the evaluator is for the rules of tabula"),
        ({"evaluator": nan}, ValueError, "the evaluator's values: row 0 is NaN"),
        ({"rolls": np.zeros((1, 2), np.uint8)}, ValueError, "row 0"),
        ({"positions": np.zeros((1, 2, 26), np.int8)}, ValueError, "row 0"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, message: str) -> None:
    call = {
        "positions": batch.start(1, rules=BACKGAMMON),
        "rolls": np.array([[3, 1]], np.uint8),
        "evaluator": pips,
        "rules": BACKGAMMON,
        "plies": 1,
        **arguments,
    }
    with pytest.raises(error, match=message):
        search(call.pop("positions"), call.pop("rolls"), call.pop("evaluator"), **call)


def test_value_refuses_bad_positions_too() -> None:
    with pytest.raises(ValueError, match="row 0"):
        value(np.zeros((1, 2, 26), np.int8), pips, rules=BACKGAMMON)
    with pytest.raises(ValueError, match="row 0"):
        value(np.zeros((1, 2, 26), np.int8), pips, rules=BACKGAMMON, plies=0)
    assert partial(value, rules=BACKGAMMON)(batch.start(0, rules=BACKGAMMON), pips).shape == (0,)


def test_a_player_takes_the_best_play_of_the_search() -> None:
    positions, rolls = middle(BACKGAMMON, 20), rolls_for(BACKGAMMON, 20)
    after = batch.afterstates(positions, rolls, rules=BACKGAMMON)
    turns = evaluate.Turns(BACKGAMMON, positions, rolls, after, np.zeros(20, np.uint64))
    for plies in (0, 1):
        best = search(positions, rolls, pips, rules=BACKGAMMON, plies=plies).best
        assert searching.player(pips, plies=plies).choose(turns).tolist() == best.tolist()
    with pytest.raises(ValueError, match="the player is for the rules of tabula"):
        evaluate.as_player(searching.player(evaluate.settled(pips, TABULA)), BACKGAMMON)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (partial(searching.player, 5), TypeError, "an evaluator must be callable, not 5"),
        (partial(searching.player, pips, plies=9), ValueError, "plies must be"),
        (partial(searching.player, pips, filters=[1]), TypeError, r"filters\[0\] must be a Filter or None, not 1"),
        (partial(searching.player, pips, merge=2), TypeError, "merge must be True or False, not 2"),
        (partial(searching.player, pips, batch=0), ValueError, "batch must be"),
    ],
)
def test_a_player_is_checked_when_it_is_made(call, error, message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_one_ply_wins_against_none_on_the_same_dice() -> None:
    match = arena.play(searching.player(pips), pips, 200, rng=np.random.default_rng(1), rules=BACKGAMMON)
    assert match.points > 3.3 * match.se
