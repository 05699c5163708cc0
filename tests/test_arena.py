"""Matches: the same dice both ways, what is counted, and that nothing depends on how the match is run."""

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
import pytest
from support.evaluators import ExactTable, pips
from support.stuck import STUCK

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules, arena, bots, evaluate, games
from tabula.arena import RECORD, MatchResult
from tabula.cli import main
from tabula.game import Game
from tabula.work import UnitFailedError

GAMES = [TABULA, BACKGAMMON, TABULA_HISTORIC]
PIPS, RANDOM = bots.pips_and_blots, bots.random_play


def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def other_side_ahead(positions: np.ndarray) -> np.ndarray:
    """An evaluator that is not `pips`."""
    return pips(positions) + (positions[:, 0, 25] - positions[:, 1, 25]) / 50


@pytest.mark.parametrize("rules", GAMES)
def test_a_player_against_itself_wins_nothing_and_every_pair_cancels_out(rules: Rules) -> None:
    match = arena.play(pips, pips, 40, rng=rng(), rules=rules)
    assert match.given_up == 0
    pairs = match.games["points"].reshape(-1, 2)
    assert (pairs.sum(axis=1) == 0).all()
    assert (match.points, match.se) == (0, 0)
    assert (match.games["seed"][::2] == match.games["seed"][1::2]).all()
    assert (match.games["first"][::2] != match.games["first"][1::2]).all()
    assert (match.games["plies"][::2] == match.games["plies"][1::2]).all()


@pytest.mark.parametrize("rules", GAMES)
def test_the_two_exchanged_win_the_opposite(rules: Rules) -> None:
    one = arena.play(pips, other_side_ahead, 60, rng=rng(), rules=rules)
    two = arena.play(other_side_ahead, pips, 60, rng=rng(), rules=rules)
    assert one.given_up == 0
    assert one.points == -two.points
    assert one.won == two.lost
    assert one.se == two.se


@pytest.mark.parametrize("rules", GAMES)
def test_a_recorded_game_is_played_again_turn_by_turn(rules: Rules) -> None:
    from tabula._native.playouts import roll_at

    match = arena.play(PIPS, evaluate.as_bot(pips), 20, rng=rng(), rules=rules, position=None)
    for number, record in enumerate(match.games[:6]):
        # the opening throw is not in the record, and the other dice are
        assert record["plies"] > 1
        assert record["points"] != 0
        assert number % 2 == 0 or record["seed"] == match.games["seed"][number - 1]

    position = Position(rules)
    match = arena.play(PIPS, evaluate.as_bot(pips), 6, rng=rng(), position=position)
    for record in match.games:
        game = Game(rules, start=position)
        while game.outcome is None:
            ply = len(game.turns)
            game.roll(roll_at(int(record["seed"]), ply, rules.dice))
            bot = PIPS if record["first"] == (ply % 2 == 0) else evaluate.as_bot(pips)
            game.push(bot(game.plays, rng()))
        won = game.outcome.points if (game.outcome.winner == 0) == record["first"] else -game.outcome.points
        assert (record["points"], record["plies"]) == (won, len(game.turns))


def test_a_match_starts_with_the_opening_throw() -> None:
    seen: list[list[int]] = []

    class First:
        def choose(self, turns: evaluate.Turns) -> np.ndarray:
            at_start = (turns.positions == Position(turns.rules).to_array()).all(axis=(1, 2))
            seen.extend(turns.rolls[at_start].tolist())
            return np.zeros(len(turns.rolls), np.int64)

    arena.play(First(), First(), 200, rng=rng(), rules=BACKGAMMON)
    assert len(seen) >= 200
    assert all(one != two for one, two in seen[:200])  # the opening throw is never a double
    match = arena.play(pips, pips, 400, rng=rng(), rules=TABULA, pairs=False)
    assert 150 < match.games["first"].sum() < 250
    assert 150 < (match.games["first"] == (np.arange(400) % 2 == 0)).sum() < 250  # the throw decides, not the game's number


def test_random_choices_differ_from_ply_to_ply_and_from_game_to_game() -> None:
    keys: list[int] = []

    class First:
        def choose(self, turns: evaluate.Turns) -> np.ndarray:
            keys.extend(turns.keys.tolist())
            assert turns.generator(0).random() == turns.generator(0).random()
            return np.zeros(len(turns.rolls), np.int64)

    arena.play(First(), First(), 20, rng=rng(), rules=BACKGAMMON)
    assert len(set(keys)) == len(keys) > 500


def test_figures_are_those_of_the_records() -> None:
    games = np.zeros(6, RECORD)
    games["points"] = [3, -1, 2, 0, -2, 1]
    games["plies"] = [1, 2, 3, 4, 5, 6]
    match = MatchResult(BACKGAMMON, True, 7, games)
    assert match.points == 0.5
    means = np.array([1, 1, -0.5])
    assert match.se == pytest.approx(means.std(ddof=1) / np.sqrt(3))
    assert MatchResult(BACKGAMMON, False, 7, games).se == pytest.approx(games["points"].astype(float).std(ddof=1) / np.sqrt(6))
    assert (match.won, match.lost, match.given_up, match.wins, match.plies) == ((1, 1, 1), (1, 1, 0), 1, 0.6, 3.5)
    assert match.to_dict()["won"] == [1, 1, 1]
    assert str(match).splitlines() == [
        "+0.5000 points a game +- 0.5000 (standard error)",
        "won  3 of 6: 1 single, 1 gammons, 1 backgammons",
        "lost 2: 1 single, 1 gammons, 0 backgammons",
        "3.5 plies a game",
        "given up: 1",
    ]
    assert repr(match) == "<MatchResult: 6 games, +0.5000 points a game>"


def test_one_pair_has_no_standard_error() -> None:
    match = arena.play(pips, pips, 2, rng=rng(), rules=BACKGAMMON)
    assert np.isnan(match.se)
    assert match.to_dict()["se"] is None
    assert "standard error" not in str(match)


def test_games_that_do_not_end_are_given_up_and_counted() -> None:
    match = arena.play(pips, pips, 10, rng=rng(), rules=TABULA, max_plies=5)
    assert (match.given_up, match.plies, match.points) == (10, 5, 0)
    assert np.isnan(match.wins)
    assert match.to_dict()["wins"] is None


@pytest.mark.parametrize("players", [(pips, other_side_ahead), (PIPS, RANDOM), (RANDOM, RANDOM)])
def test_threads_executors_and_checkpoints_change_nothing(players, tmp_path) -> None:
    play = partial(arena.play, *players, 1030, rules=BACKGAMMON)
    expected = play(rng=rng()).games
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert (play(rng=rng(), executor=pool).games == expected).all()
    assert (play(rng=rng(), threads=2).games == expected).all()
    file = tmp_path / "match.checkpoint"
    reports: list[tuple[int, int]] = []
    assert (play(rng=rng(), checkpoint=file).games == expected).all()
    assert (play(rng=rng(), checkpoint=file, progress=lambda *done: reports.append(done)).games == expected).all()
    assert reports[0] == (0, 1030)
    assert reports[-1] == (1030, 1030)
    with pytest.raises(ValueError, match="question"):
        arena.play(*players, 1032, rng=rng(), rules=BACKGAMMON, checkpoint=file)


def test_the_first_games_of_a_longer_match_are_the_same() -> None:
    short, long = (arena.play(PIPS, RANDOM, n, rng=rng(), rules=TABULA).games for n in (512, 1024))
    assert (long[:512] == short).all()


def test_an_exact_table_beats_a_player_that_does_not_know_it() -> None:
    table = ExactTable(TABULA)
    start = Position.from_tracks((1, *(0,) * 24, 14), (1, *(0,) * 24, 14), rules=TABULA)
    match = arena.play(table, RANDOM, 2000, rng=rng(), position=start)
    assert match.points > 3 * match.se
    even = arena.play(table, table, 4000, rng=rng(), position=start, pairs=False)
    value = float(table.points(start.to_array()[None])[0])
    first = np.where(even.games["first"], 1, -1) * even.games["points"]
    assert abs(first.mean() - value) < 4 / np.sqrt(4000)


def wrong_kind(turns):
    return np.zeros(len(turns.rolls))


def beyond(turns):
    return np.full(len(turns.rolls), 99)


class Chooser:
    def __init__(self, choose, rules=None):
        self.choose, self.rules = choose, rules


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"games": 3}, ValueError, "games must be an even number with pairs, not 3"),
        ({"games": 0}, ValueError, "games must be 1 or more, not 0"),
        ({"one": 7}, TypeError, "a player must be an evaluator, a bot or have a method choose, not 7"),
        ({"one": Chooser(wrong_kind)}, TypeError, "index must be integers, not float64"),
        ({"one": Chooser(beyond)}, IndexError, "row 0: there is no play 99, it has"),
        ({"one": Chooser(beyond, TABULA)}, ValueError, "the player is for the rules of tabula, and these are those of backgammon"),
        ({"one": evaluate.settled(pips, TABULA)}, ValueError, "the evaluator is for the rules of tabula"),
        ({"rules": None}, ValueError, "a match has rules=, or position= to start every game from, one of the two"),
        ({"position": Position()}, ValueError, "one of the two"),
        ({"rules": None, "position": "x"}, TypeError, "position must be a Position, not 'x'"),
        (
            {"rules": None, "position": Position.from_text("-------------------------o:b", rules=TABULA)},
            ValueError,
            "no game starts from a position whose game is over",
        ),
        ({"rng": 5}, TypeError, "rng must be a numpy.random.Generator, not 5"),
        ({"pairs": 1}, TypeError, "pairs must be True or False, not 1"),
        ({"threads": 0}, ValueError, "threads must be 1 or more, not 0"),
        ({"max_plies": 0}, ValueError, "max_plies must be 1..16777216, not 0"),
        ({"executor": 3}, TypeError, "executor must be"),
        ({"progress": 3}, TypeError, "progress must be callable"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, message: str) -> None:
    call = {"one": pips, "two": pips, "games": 2, "rng": rng(), "rules": BACKGAMMON, **arguments}
    with pytest.raises(error, match=message):
        arena.play(call.pop("one"), call.pop("two"), call.pop("games"), **call)


def fails(positions: np.ndarray) -> np.ndarray:
    raise ArithmeticError(f"{len(positions)} positions")


def test_what_an_evaluator_raises_passes_through_and_the_generator_is_as_before(tmp_path) -> None:
    generator = rng()
    with pytest.raises(ArithmeticError, match="positions"):
        arena.play(fails, pips, 2, rng=generator, rules=TABULA)
    with pytest.raises(UnitFailedError, match=r"games 0\.\.1 failed: ArithmeticError"):
        arena.play(fails, pips, 2, rng=generator, rules=TABULA, checkpoint=tmp_path / "file")
    assert generator.integers(1 << 62) == rng().integers(1 << 62)


def test_the_command_plays_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "pips", "random", "--games", "20", "--game", "backgammon", "--seed", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    match = arena.play(PIPS, RANDOM, 20, rng=np.random.default_rng(3), rules=BACKGAMMON)
    assert found == {"game": "backgammon", "one": "pips", "two": "random", **match.to_dict(), "seed": 3}
    assert main(["arena", "random", "pips", "--games", "3", "--no-pairs", "--seed", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "random against pips, 3 games of tabula, seed 3"
    assert lines[1].endswith("(standard error)")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pips", "rnd"], "TWO must be random or pips, not 'rnd'"),
        (["pips", "random", "--games", "3"], "--games must be an even number, not 3, unless --no-pairs is given"),
        (["pips", "random", "--checkpoint", "f"], "--checkpoint needs --seed N: without it every run plays other games"),
        (["pips"], "the following arguments are required: TWO"),
        (["pips", "random", "--max-plies", "0"], "--max-plies must be a whole number, 1 or more, not '0'"),
    ],
)
def test_the_command_refuses_in_one_sentence(arguments, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_game_in_which_neither_side_can_ever_move_is_given_up_at_once() -> None:
    match = arena.play(bots.random_play, bots.random_play, 10, rng=rng(), position=STUCK)
    assert (match.given_up, match.games["plies"].tolist()) == (10, [1] * 10)


def test_the_side_that_begins_has_the_setup_whoever_of_the_two_it_is() -> None:
    rules, seen = games.get("seis_dos_e_as"), []

    class Looking:
        def choose(self, turns):
            seen.extend(turns.positions.tolist())
            return np.zeros(len(turns.positions), np.int64)

    arena.play(Looking(), Looking(), 100, rng=rng(), rules=rules, max_plies=1)
    assert seen == [[list(rules.setup), list(rules.other_setup)]] * 100
