"""Whole games: against a slow loop over `Position.plays` with a stream of its own, and what may not change them."""

import json
import math
import os
import signal
import sys
import tracemalloc
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from support.strategies import positions
from support.tracks import side

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules, cli
from tabula._native import playouts as _playouts
from tabula.playouts import RECORD, Playouts, drawing, playouts, plot, replay, wilson

PRESETS = (TABULA, BACKGAMMON, TABULA_HISTORIC)
TWICE = Rules(
    dice=2, doubles="twice", stack_limit=4, bear_off="rearmost", half_gate=False, home_start=10, highest_win=3, name="own"
)
ONE_DIE = Rules(dice=1, bear_off="rearmost", half_gate=False, larger_die=True, setup=(3, *[0] * 25), name="one die")
BEARING_OFF = Rules(dice=2, bear_off="rearmost", gates="move", setup=(2, *[0] * 25), name="short")

LAST_ONE = Position.from_tracks(side({24: 1}), side({0: 15}), rules=TABULA)
"""The side on roll wins with any roll that has a one, and is stuck with all others."""

OVER = Position.from_tracks(side({24: 1}), side({}), rules=TABULA)
"""The side that is not on roll has won."""

preset = pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)


def seeded(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


# -------------------------------------------------------------------------------------------------- the same, slowly and by hand

NAMES = tuple(RECORD.fields or ())
WORD = (1 << 64) - 1


def mixed(x: int) -> int:
    """The finalizer of splitmix64, from the paper."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
    return x ^ x >> 31


class Stream:
    """The random numbers of one game, in Python's integers."""

    def __init__(self, seed: int, game: int) -> None:
        self.key = mixed(seed + 0x9E3779B97F4A7C15 & WORD) ^ mixed(mixed(game + 0xD1B54A32D192ED03 & WORD) + seed & WORD)
        self.counter = 0

    def word(self) -> int:
        self.counter += 1
        return mixed(mixed(self.key + self.counter * 0x9E3779B97F4A7C15 & WORD) ^ self.key)

    def below(self, limit: int) -> int:
        """Lemire's way without a bias: a product is thrown away where its low half is under 2^32 mod limit."""
        while True:
            product = (self.word() >> 32) * limit
            if product & 0xFFFFFFFF >= (1 << 32) % limit:
                return product >> 32

    def roll(self, ply: int, dice: int) -> list[int]:
        """The dice of a ply; what comes next is the choice of its play."""
        self.counter = ply << 8
        faces = self.below(216)
        return sorted((1 + faces // 6**i % 6 for i in range(dice)), reverse=True)


def slow(start: Position, seed: int, number: int, policy: Any = None, max_plies: int = 10_000) -> dict[str, Any]:
    """One game by Position.plays, and its record, each figure from the play's own moves and positions."""
    stream = Stream(seed, number)
    told: dict[str, Any] = dict.fromkeys(NAMES, 0)
    told |= {"seed": stream.key, "winner": -1, "hits": [0, 0], "passes": [0, 0], "by_ply": []}
    position = start
    ahead = np.sign(start.pips[1] - start.pips[0])
    while position.outcome is None and told["plies"] < max_plies:
        roll = stream.roll(told["plies"], start.rules.dice)
        plays = position.plays(roll)
        chosen = stream.below(len(plays)) if policy is None else int(np.argmax(policy(plays.positions)))
        play = plays[chosen]
        mover = told["plies"] % 2
        dice = roll * 2 if start.rules.doubles == "twice" and roll[0] == roll[1] else [*roll, *start.rules.extra_dice]
        told["plies"] += 1
        told["plays"] += len(plays)
        told["by_ply"].append(len(plays))
        told["most_plays"] = max(told["most_plays"], len(plays))
        told["forced"] += len(plays) == 1
        told["passes"][mover] += not play.moves
        told["hits"][mover] += sum(move.hit for move in play.moves)
        told["wasted"] += sum(dice) - sum(move.die for move in play.moves)
        position = play.position
        mine, theirs = position.pips if told["plies"] % 2 == 0 else position.pips[::-1]
        now = np.sign(theirs - mine)
        told["lead_changes"] += bool(now == -ahead != 0)
        ahead = now or ahead
        if not play.moves and position.stuck:
            break
    if position.outcome is not None:
        told["winner"] = 0 if position.outcome.winner == start.turn else 1
        told["points"] = position.outcome.points
    return told


def even(after: Any) -> Any:
    """A policy to which all is one, so that the first play is made."""
    return np.zeros(len(after))


def drawn(seed: int) -> int:
    """What `playouts` draws from a generator."""
    return int(seeded(seed).integers(0, 1 << 64, dtype=np.uint64))


def assert_same(played: Playouts, games: Sequence[dict[str, Any]]) -> None:
    by_ply = np.zeros(max(len(game["by_ply"]) for game in games), np.int64)
    for record, game in zip(played.games, games, strict=True):
        assert {name: record[name].tolist() for name in NAMES} == {name: game[name] for name in NAMES}
        by_ply[: len(game["by_ply"])] += np.array(game["by_ply"], np.int64)
    assert played.plays_by_ply.tolist() == by_ply.tolist()


def starts() -> Iterator[Position]:
    yield from (Position(rules) for rules in (*PRESETS, TWICE, ONE_DIE, BEARING_OFF))
    yield Position(BACKGAMMON).swap_sides()
    yield LAST_ONE
    yield LAST_ONE.swap_sides()
    yield OVER
    # few checkers, large dice, no other way to tell which die bore off
    yield Position.from_tracks(side({23: 1, 24: 1}), side({22: 2}), rules=BACKGAMMON)


@pytest.mark.parametrize("start", list(starts()), ids=lambda start: f"{start.rules.name} {start.to_text()}")
def test_games_are_those_of_a_slow_loop(start: Position) -> None:
    games = 3 if start.rules is TABULA_HISTORIC else 12
    played = playouts(start, games, rng=seeded(7))
    assert played.seed == drawn(7)
    assert_same(played, [slow(start, played.seed, number) for number in range(games)])


@hypothesis.given(positions(), st.integers(0, 1 << 32))
def test_a_few_plies_of_any_game_are_those_of_a_slow_loop(start: Position, seed: int) -> None:
    played = playouts(start, 3, rng=seeded(seed), max_plies=3)
    assert_same(played, [slow(start, played.seed, number, max_plies=3) for number in range(3)])


@pytest.mark.parametrize("start", list(starts()), ids=lambda start: f"{start.rules.name} {start.to_text()}")
@pytest.mark.parametrize("threads", [1, 3])
def test_games_by_a_policy_are_those_of_a_slow_loop(start: Position, threads: int) -> None:
    def policy(after: Any) -> Any:
        # forward, and no blots behind: whole numbers, so that many are equal
        return after[:, 1, 10:].sum(axis=1) - 2 * (after[:, 1] == 1).sum(axis=1)

    played = playouts(start, 4, rng=seeded(8), policy=policy, threads=threads, max_plies=400)
    assert_same(played, [slow(start, played.seed, number, policy, 400) for number in range(4)])


def test_the_stream_is_splitmix64s() -> None:
    # The first numbers of Vigna's splitmix64.c from the seed 0.
    assert [mixed(0x9E3779B97F4A7C15 * i & WORD) for i in (1, 2)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]


@preset
def test_replay_tells_a_game_turn_by_turn(rules: Rules) -> None:
    played = playouts(Position(rules), 3, rng=seeded(2))
    for record in played.games:
        game = replay(Position(rules), record["seed"])
        assert game.outcome is not None
        assert (len(game.turns), game.outcome.winner, game.outcome.points) == (record["plies"], record["winner"], record["points"])
        plays = [len(turn.before.plays(turn.roll)) for turn in game.turns]
        assert (sum(plays), max(plays), plays.count(1)) == (record["plays"], record["most_plays"], record["forced"])


def test_replay_asks_the_policy_again() -> None:
    def policy(after: Any) -> Any:
        return after[:, 1].astype(float) @ np.arange(26.0) ** 2

    played = playouts(Position(BACKGAMMON), 5, rng=seeded(3), policy=policy)
    for record in played.games:
        game = replay(Position(BACKGAMMON), int(record["seed"]), policy=policy)
        assert len(game.turns) == record["plies"]
        assert [turn.roll for turn in game.turns[:9]] == [_playouts.roll_at(int(record["seed"]), ply, 2) for ply in range(9)]


def test_a_policy_plays_the_same_dice() -> None:
    start = Position(TABULA)
    seed = playouts(start, 1, rng=seeded(4)).games["seed"][0]
    assert seed == playouts(start, 1, rng=seeded(4), policy=even).games["seed"][0]
    rolls = [[turn.roll for turn in replay(start, seed, policy=policy).turns] for policy in (None, lambda after: after[:, 1, 0])]
    assert rolls[0][:90] == rolls[1][:90]


def test_a_replay_is_given_up_as_its_game_was() -> None:
    assert len(replay(Position(), 5, max_plies=7).turns) == 7
    assert len(replay(OVER, 5).turns) == 0


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (1 << 64, ValueError), (1.5, TypeError), (None, TypeError)])
def test_a_replay_is_of_a_key(seed: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="seed must be"):
        replay(Position(), seed)


# --------------------------------------------------------------------------------------------------------- what changes nothing


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize(("chunk", "plies"), [(1, 1), (7, 100), (256, 8192), (10_000, 1 << 20)])
def test_threads_and_chunks_change_nothing(threads: int, chunk: int, plies: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = playouts(Position(BACKGAMMON), 30, rng=seeded(5))
    monkeypatch.setattr("tabula.playouts.play._GAMES_A_THREAD_UNIT", chunk)
    monkeypatch.setattr("tabula.playouts.play._PLIES_A_CALL", plies)
    played = playouts(Position(BACKGAMMON), 30, rng=seeded(5), threads=threads)
    assert played.games.tobytes() == expected.games.tobytes()
    assert played.plays_by_ply.tobytes() == expected.plays_by_ply.tobytes()


def test_games_do_not_depend_on_how_many_there_are() -> None:
    few, many = (playouts(Position(), games, rng=seeded(6)).games for games in (10, 300))
    assert few.tobytes() == many[:10].tobytes()
    assert len(set(many["seed"].tolist())) == 300


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_threads_change_nothing_with_a_policy_either(threads: int) -> None:
    def policy(after: Any) -> Any:
        return after[:, 1, 12:].sum(axis=1)

    played = playouts(Position(), 20, rng=seeded(5), policy=policy, threads=threads)
    assert played.games.tobytes() == playouts(Position(), 20, rng=seeded(5), policy=policy).games.tobytes()


def test_the_side_on_roll_moves_first_whatever_its_colour() -> None:
    white, black = Position(BACKGAMMON), Position(BACKGAMMON).swap_sides()
    assert playouts(white, 20, rng=seeded(1)).games.tobytes() == playouts(black, 20, rng=seeded(1)).games.tobytes()
    assert set(playouts(LAST_ONE, 20, rng=seeded(1), max_plies=400).games["winner"].tolist()) == {0}
    assert set(playouts(LAST_ONE.swap_sides(), 20, rng=seeded(1), max_plies=400).games["winner"].tolist()) == {1}


def test_one_number_is_drawn_from_the_generator() -> None:
    used, fresh = seeded(9), seeded(9)
    playouts(Position(), 3, rng=used)
    fresh.integers(0, 1 << 64, dtype=np.uint64)
    assert used.bit_generator.state == fresh.bit_generator.state


# ------------------------------------------------------------------------------------------------------------- how games end


def test_a_game_that_is_given_up_is_counted_and_said() -> None:
    played = playouts(Position(), 50, rng=seeded(1), max_plies=150)
    summary = played.summary()
    finished = playouts(Position(), 50, rng=seeded(1)).games
    late = finished["plies"] > 150
    assert len(played) == 50
    assert 0 < summary.unfinished == late.sum() < 50
    assert (played.games["winner"] == np.where(late, -1, finished["winner"])).all()
    assert (played.games["points"] == ~late).all()
    assert (played.games["plies"] == np.minimum(finished["plies"], 150)).all()
    assert summary.first_wins + summary.second_wins == 50 - summary.unfinished
    assert f"unfinished         {summary.unfinished} given up after 150 plies" in str(summary)
    assert summary.interval == wilson(summary.first_wins, 50 - summary.unfinished)


def test_a_game_may_end_with_the_last_ply_that_it_has() -> None:
    longest = playouts(Position(), 1, rng=seeded(1)).games["plies"][0]
    assert playouts(Position(), 1, rng=seeded(1), max_plies=int(longest)).games["winner"][0] >= 0
    assert playouts(Position(), 1, rng=seeded(1), max_plies=int(longest) - 1).games["winner"][0] == -1


def test_a_position_that_is_over_is_a_game_of_no_plies() -> None:
    for policy in (None, even):
        played = playouts(OVER, 2, rng=seeded(1), policy=policy)
        assert played.games["plies"].tolist() == [0, 0]
        assert played.games["winner"].tolist() == [1, 1]
        assert len(played.plays_by_ply) == len(played.turns_by_ply) == 0
        summary = played.summary()
        assert (summary.plies, summary.plays_a_turn, summary.second_wins) == (0, 0, 2)
        assert "0.00% of 2" in str(summary)


def test_nothing_is_known_of_wins_where_no_game_ended() -> None:
    summary = playouts(Position(), 3, rng=seeded(1), max_plies=1).summary()
    assert summary.interval == (0.0, 1.0)
    assert "first player wins" not in str(summary)


# -------------------------------------------------------------------------------------------------------------- the statistics


WITHIN = {
    "tabula": {"plies": (161, 167), "plays_a_turn": (29, 31), "hits": (34, 38), "share": (0.46, 0.54)},
    "backgammon": {"plies": (92, 100), "plays_a_turn": (18, 19.2), "hits": (15, 17), "share": (0.48, 0.56)},
    "historic": {"plies": (170, 190), "plays_a_turn": (50, 64), "hits": (10, 60), "share": (0.38, 0.62)},
}


@preset
def test_what_games_say_is_within_wide_bounds(rules: Rules) -> None:
    games = 200 if rules is TABULA_HISTORIC else 3000
    summary = playouts(Position(rules), games, rng=seeded(11), threads=2).summary()
    told = {"plies": summary.plies, "plays_a_turn": summary.plays_a_turn, "hits": summary.hits[0]}
    told["share"] = summary.first_wins / games
    bounds = WITHIN[rules.name]
    assert {name: value for name, value in told.items() if not bounds[name][0] <= value <= bounds[name][1]} == {}
    assert summary.unfinished == 0
    assert sum(summary.wins_by_points) == games
    assert (summary.wins_by_points[1] > 0) == (rules.highest_win == 3)
    quantiles = list(summary.plies_quantiles.values())
    assert [summary.shortest, *quantiles, summary.longest] == sorted([summary.shortest, *quantiles, summary.longest])


def test_the_summary_is_that_of_the_records() -> None:
    played = playouts(Position(BACKGAMMON), 500, rng=seeded(12))
    games, summary = played.games, played.summary(confidence=0.9)
    points = [record["points"] * (1 if record["winner"] == 0 else -1) for record in games]
    assert summary.first_points == pytest.approx(sum(map(int, points)) / 500)
    assert summary.plays_a_turn == pytest.approx(games["plays"].sum() / games["plies"].sum())
    assert summary.forced_share == pytest.approx(games["forced"].sum() / games["plies"].sum())
    assert summary.passed_share == pytest.approx(games["passes"].sum() / games["plies"].sum())
    assert summary.hits == pytest.approx(games["hits"].mean(axis=0))
    assert summary.passes == pytest.approx(games["passes"].mean(axis=0))
    assert summary.plies_quantiles[0.5] == sorted(games["plies"].tolist())[249]
    assert summary.interval == wilson(summary.first_wins, 500, 0.9)
    assert json.loads(json.dumps(summary.to_dict()))["plies_quantiles"]["0.5"] == summary.plies_quantiles[0.5]
    assert played.turns_by_ply.tolist() == [int((games["plies"] > ply).sum()) for ply in range(len(played.plays_by_ply))]
    assert repr(played) == "<Playouts of backgammon: 500 games from -b----E-C---eE---c-e----B-:w>"


def test_wilsons_interval_is_where_a_score_test_just_fails() -> None:
    for wins, games in ((0, 10), (3, 10), (10, 10), (5000, 10_000), (1, 1)):
        for bound in wilson(wins, games):
            if 0 < bound < 1:
                z = abs(wins / games - bound) / math.sqrt(bound * (1 - bound) / games)
                assert z == pytest.approx(1.959964, abs=1e-5)
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 2, 0), "confidence must be between 0 and 1, not 0"),
        ((1, 2, 1.0), "confidence must be between 0 and 1, not 1.0"),
        ((1, 2, math.nan), "confidence must be between 0 and 1, not nan"),
        ((3, 2), "wins must be 0..2, not 3"),
        ((-1, 2), "wins must be 0..2, not -1"),
    ],
)
def test_what_wilsons_interval_refuses(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        wilson(*arguments)


def test_results_are_read_only() -> None:
    played = playouts(Position(), 2, rng=seeded(1))
    with pytest.raises(ValueError, match="read-only"):
        played.games["plies"] = 0
    with pytest.raises(ValueError, match="read-only"):
        played.plays_by_ply[0] = 0


# ------------------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"position": TABULA}, TypeError, "position must be a Position, not "),
        ({"games": 0}, ValueError, "games must be 1 or more, not 0"),
        ({"games": 1.0}, TypeError, "games must be an integer, not 1.0"),
        ({"rng": 5}, TypeError, "rng must be a numpy.random.Generator, not 5"),
        ({"rng": None}, TypeError, "rng must be a numpy.random.Generator, not None"),
        ({"threads": 0}, ValueError, "threads must be 1 or more, not 0"),
        ({"policy": 5}, TypeError, "policy must be None or callable, not 5"),
        ({"max_plies": 0}, ValueError, "max_plies must be 1..16777216, not 0"),
        ({"max_plies": 1 << 25}, ValueError, "max_plies must be 1..16777216, not "),
        ({"max_plies": None}, TypeError, "max_plies must be an integer, not None"),
    ],
)
def test_what_playouts_refuses(change: dict[str, Any], error: type[Exception], message: str) -> None:
    arguments: dict[str, Any] = {"position": Position(), "games": 1, "rng": seeded(1)} | change
    with pytest.raises(error, match=f"^{message}"):
        playouts(arguments.pop("position"), arguments.pop("games"), **arguments)


class FailingError(Exception):
    """What a policy may raise."""


def raises(after: Any) -> Any:
    raise FailingError(len(after))


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "raises": (raises, FailingError, "^"),
    "NaN": (
        lambda after: np.where(np.arange(len(after)) % 2, np.nan, 1.0),
        ValueError,
        "returned NaN for [0-9]+ of [0-9]+ candidates",
    ),
    "too few": (
        lambda after: np.zeros(len(after) - 1),
        ValueError,
        "one score for each of [0-9]+ candidates, not an array of shape",
    ),
    "too many": (lambda after: np.zeros(len(after) + 1), ValueError, "one score for each of [0-9]+ candidates"),
    "a column": (lambda after: np.zeros((len(after), 1)), ValueError, "one score for each of [0-9]+ candidates, not .* 1\\)"),
    "a number": (lambda _: 1.0, ValueError, "one score for each of [0-9]+ candidates, not an array of shape \\(\\)"),
    "nothing": (lambda _: None, TypeError, "must return real numbers, .* not object"),
    "text": (lambda after: ["a"] * len(after), TypeError, "must return real numbers, .* not <U1"),
    "complex": (lambda after: np.zeros(len(after), complex), TypeError, "must return real numbers, .* not complex128"),
    "bool": (lambda after: np.zeros(len(after), bool), TypeError, "must return real numbers, .* not bool"),
    "ragged": (lambda _: [[1], [1, 2]], TypeError, "must return an array of [0-9]+ scores, not "),
    "large integers": (lambda after: np.full(len(after), 1 << 60), ValueError, "integers within -2\\^53..2\\^53"),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_policy_is_told_so(name: str, threads: int) -> None:
    policy, error, message = WRONG[name]
    with pytest.raises(error, match=message):
        playouts(Position(), 10, rng=seeded(1), policy=policy, threads=threads)
    with pytest.raises(error, match=message):
        replay(Position(), 1, policy=policy)
    assert_same(playouts(Position(), 1, rng=seeded(1)), [slow(Position(), drawn(1), 0)])


def late(wrong: Any, after: Any, calls: list[int]) -> Any:
    calls.append(len(after))
    return wrong(after) if len(calls) == 20 else np.zeros(len(after))


@pytest.mark.parametrize("name", ["raises", "NaN", "too few", "nothing"])
def test_a_policy_that_goes_wrong_leaks_nothing(name: str) -> None:
    wrong, error, _ = WRONG[name]

    def once() -> None:
        calls: list[int] = []
        with pytest.raises(error):
            playouts(Position(), 200, rng=seeded(1), policy=lambda after: late(wrong, after, calls))
        assert len(calls) == 20

    once()
    tracemalloc.start()
    try:
        for _ in range(3):
            once()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(10):
            once()
        # Cython's PyMem_Raw and NumPy's arrays are both traced: a table and its plays are hundreds of kilobytes
        assert tracemalloc.get_traced_memory()[0] - before < 50_000
    finally:
        tracemalloc.stop()


def test_what_a_policy_is_given() -> None:
    seen: list[Any] = []

    def policy(after: Any) -> Any:
        seen.append(after)
        after.flags.writeable = True
        return np.zeros(len(after), np.float32)[::1]

    playouts(Position(BACKGAMMON), 5, rng=seeded(1), policy=policy)
    assert all((after.dtype, after.shape[1:]) == (np.int8, (2, 26)) for after in seen)
    assert all((after.sum(axis=2) == 15).all() for after in seen)
    # row 0 is the next player: after the first ply he stands as he started, but for what was hit
    assert (seen[0][:, 0, 1:] <= np.array(BACKGAMMON.setup[1:])).all()
    assert len(seen) == playouts(Position(BACKGAMMON), 5, rng=seeded(1), policy=policy).games["plies"].max()


def test_a_policy_may_spoil_what_it_is_given() -> None:
    def spoils(after: Any) -> Any:
        scores = after[:, 1, 13:].sum(axis=1)
        after[:] = 99
        return scores

    clean = playouts(Position(), 5, rng=seeded(1), policy=lambda after: after[:, 1, 13:].sum(axis=1))
    assert playouts(Position(), 5, rng=seeded(1), policy=spoils).games.tobytes() == clean.games.tobytes()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8, np.int64, np.uint64, ">f8", list])
def test_scores_may_be_any_real_numbers(dtype: Any) -> None:
    def policy(after: Any) -> Any:
        scores = after[:, 1, 13:].sum(axis=1)
        return scores.tolist() if dtype is list else np.repeat(scores.astype(dtype), 2)[::2]

    plain = playouts(Position(), 3, rng=seeded(1), policy=lambda after: after[:, 1, 13:].sum(axis=1))
    assert playouts(Position(), 3, rng=seeded(1), policy=policy).games.tobytes() == plain.games.tobytes()


def test_infinite_scores_are_scores() -> None:
    worst = playouts(Position(), 3, rng=seeded(1), policy=lambda after: np.full(len(after), -np.inf))
    first = playouts(Position(), 3, rng=seeded(1), policy=even)
    assert worst.games.tobytes() == first.games.tobytes()


def test_a_policy_may_play_games_itself() -> None:
    def policy(after: Any) -> Any:
        playouts(Position(BACKGAMMON), 2, rng=seeded(1), max_plies=5)
        return np.zeros(len(after))

    played = playouts(Position(), 2, rng=seeded(1), policy=policy, max_plies=20)
    assert_same(played, [slow(Position(), played.seed, i, even, 20) for i in range(2)])


# --------------------------------------------------------------------------------------------------------- interrupted, forked


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("policy", [None, even], ids=["random", "policy"])
def test_ctrl_c_leaves_the_library_usable(threads: int, policy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabula.playouts.play._GAMES_A_THREAD_UNIT", 5)

    def interrupted(done: int, many: int) -> None:
        if 0 < done < many:
            signal.raise_signal(signal.SIGINT)

    expected = playouts(Position(), 100, rng=seeded(1), policy=policy)
    with pytest.raises(KeyboardInterrupt):
        playouts(Position(), 100, rng=seeded(1), threads=threads, policy=policy, progress=interrupted)
    played = playouts(Position(), 100, rng=seeded(1), threads=threads, policy=policy)
    assert played.games.tobytes() == expected.games.tobytes()


def test_progress_is_told_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabula.playouts.play._GAMES_A_THREAD_UNIT", 8)
    told: list[tuple[int, int]] = []
    for policy in (None, even):
        told.clear()
        playouts(Position(), 20, rng=seeded(1), policy=policy, progress=lambda done, many: told.append((done, many)))
        assert (told[0], told[-1]) == ((0, 20), (20, 20))
        assert told == sorted(told)
        assert len(told) > 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_after_a_threaded_call_works() -> None:
    expected = playouts(Position(), 600, rng=seeded(1), threads=2).games.tobytes()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = playouts(Position(), 600, rng=seeded(1), threads=2).games.tobytes() != expected
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# ------------------------------------------------------------------------------------------------------------ the native tables


def test_a_table_looks_at_what_it_is_given() -> None:
    records = np.zeros(2, RECORD)
    for wrong in (np.zeros(0, RECORD), np.zeros((2, 2), RECORD), np.zeros(2), None):
        with pytest.raises(ValueError, match="records must be an array of RECORD"):
            _playouts.RandomGames(Position(), 1, 0, wrong, 10)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_plies must be"):
        _playouts.RandomGames(Position(), 1, 0, records, 0)
    with pytest.raises((TypeError, ValueError)):
        _playouts.RandomGames(Position(), 1, 0, np.zeros(4, RECORD)[::2], 10)
    table = _playouts.PolicyGames(Position(), 1, 0, records, 10)
    with pytest.raises(ValueError, match="there are 0 candidates, not 1"):
        table.choose(np.zeros(1))
    table.choose(np.zeros(0))
    candidates = table.throw()
    for shape in ((candidates - 1, 2, 26), (candidates, 1, 26), (candidates, 2, 25)):
        with pytest.raises(ValueError, match=r"candidates|shape"):
            table.write_candidates(np.zeros(shape, np.int8))
    with pytest.raises(ValueError, match="candidates"):
        table.choose(np.zeros(candidates + 1))
    assert table.running == 2


@pytest.mark.parametrize("arguments", [(1, -1, 2), (1, 1 << 24, 2), (1, 0, 0), (1, 0, 4)])
def test_a_roll_is_that_of_a_ply_and_some_dice(arguments: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="must be"):
        _playouts.roll_at(*arguments)
    with pytest.raises(ValueError, match="must be"):
        _playouts.choice_at(*arguments, 5)
    with pytest.raises(ValueError, match="plays must be 1 or more"):
        _playouts.choice_at(1, 0, 2, 0)


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_dice_are_fair(dice: int) -> None:
    thrown = [_playouts.roll_at(key, ply, dice) for key in range(100) for ply in range(60)]
    faces = np.bincount(np.array(thrown).ravel(), minlength=7)[1:]
    expected = 6000 * dice / 6
    # five degrees of freedom: 25.7 is passed once in ten thousand times, and the keys are fixed
    assert ((faces - expected) ** 2 / expected).sum() < 25.7
    assert all(list(roll) == sorted(roll, reverse=True) for roll in thrown)


# ------------------------------------------------------------------------------------------------------------- the command line


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = cli.main(["playouts", *argv])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command_prints_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "--games", "50", "--game", "backgammon", "--seed", "3")
    summary = playouts(Position(BACKGAMMON), 50, rng=seeded(3)).summary()
    assert (code, err) == (0, "")
    assert out == f"random games of backgammon from -b----E-C---eE---c-e----B-:w, seed 3\n{summary}\n"


def test_the_command_tells_the_seed_that_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--games", "5")
    seed = out.splitlines()[0].rpartition("seed ")[2]
    assert run(capsys, "--games", "5", "--seed", seed, "--threads", "2")[1] == out


def test_the_command_tells_it_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    text = LAST_ONE.to_text()
    code, out, _ = run(capsys, "--games", "20", "--game", "tabula", "--position", text, "--seed", "3", "--max-plies", "2", "--json")
    told = json.loads(out)
    assert code == 0
    assert (told["game"], told["position"], told["seed"]) == ("tabula", text, 3)
    assert told["games"] == 20 == told["unfinished"] + told["first_wins"]
    assert told["unfinished"] > 0


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--games", "0"], "--games must be a whole number, 1 or more, not '0'"),
        (["--games", "many"], "--games must be a whole number, 1 or more, not 'many'"),
        (["--threads", "0"], "--threads must be a whole number, 1 or more, not '0'"),
        (["--seed", "-1"], "--seed must be a whole number, 0 or more, not '-1'"),
        (["--max-plies", "99999999"], "--max-plies must be 16777216 or less, not '99999999'"),
        (["--game", "chess"], "no game is called 'chess', the games are tabula, historic, backgammon, "),
    ],
)
def test_what_the_command_refuses(capsys: pytest.CaptureFixture[str], argv: list[str], message: str) -> None:
    code, out, err = run(capsys, *argv)
    assert (code, out) == (2, "")
    assert err.startswith("tabula: ")
    assert message in err


def test_the_command_shows_its_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    class Bar:
        made: ClassVar[list[Any]] = []

        def __init__(self, *, desc: str, total: int, **_: Any) -> None:
            self.desc, self.total, self.n = desc, total, 0
            self.made.append(self)

        def reset(self, total: int) -> None:
            self.total = total

        def update(self, more: int) -> None:
            self.n += more

        def close(self) -> None:
            self.closed = True

    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setitem(sys.modules, "tqdm", type("tqdm", (), {"tqdm": Bar}))
    assert cli.main(["playouts", "--games", "1000"]) == 0
    assert [(bar.desc, bar.n, bar.total, bar.closed) for bar in Bar.made] == [("games", 1000, 1000, True)]


def test_one_sentence_says_that_matplotlib_is_missing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    code, out, err = run(capsys, "--games", "3", "--plot", "games.png")
    assert (code, out) == (2, "")
    assert err == 'tabula: plots need matplotlib, which is not installed: pip install "tabula-movegen[plot]"\n'


def test_a_picture_is_drawn(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    for games in ("1", "300"):
        file = tmp_path / f"{games}.svg"
        code, out, _ = run(capsys, "--games", games, "--plot", str(file))
        assert code == 0
        assert out.startswith("random games of tabula")
        assert b"<svg" in file.read_bytes()
    plot(playouts(OVER, 2, rng=seeded(1)), tmp_path / "over.png")
    with pytest.raises(ValueError, match="into a file or onto axes, one of the two"):
        plot(playouts(OVER, 2, rng=seeded(1)))
    with pytest.raises(ValueError, match="axes must be two, one for the lengths and one for the plays, not 3"):
        plot(playouts(OVER, 2, rng=seeded(1)), axes=[None] * 3)
    with pytest.raises(ValueError, match=r"the picture's name must end with one of .*, not 'games'"):
        drawing(tmp_path / "games")
    code, out, err = run(capsys, "--games", "3", "--plot", str(tmp_path / "games.txt"))
    assert (code, out) == (2, "")
    assert "must end with one of" in err


@pytest.mark.parametrize("progress", [0, 5, "", []])
def test_progress_is_called_or_refused(progress: Any) -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(TypeError, match=r"^progress must be callable, or None, not "):
        playouts(Position(), 10, rng=rng, progress=progress)
    assert rng.integers(1 << 60) == np.random.default_rng(1).integers(1 << 60)


def test_progress_is_called_whatever_its_truth_is() -> None:
    class Empty(list[tuple[int, int]]):
        def __call__(self, *told: int) -> None:
            self.append(told)  # type: ignore[arg-type]

    told = Empty()
    playouts(Position(), 10, rng=np.random.default_rng(1), progress=told)
    assert told[0] == (0, 10)
    assert told[-1] == (10, 10)


@pytest.mark.parametrize("call", [{"threads": 1025}, {"threads": 1 << 62}, {"games": 1 << 62}])
def test_numbers_beyond_any_machine_are_named(call: dict[str, int]) -> None:
    (field,) = call
    with pytest.raises(ValueError, match=rf"^{field} must be \d+ or fewer, not {call[field]}$"):
        playouts(Position(), **({"games": 10, "rng": np.random.default_rng(1)} | call))
