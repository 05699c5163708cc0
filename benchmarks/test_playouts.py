"""Whole games: in native code, by a policy, and as a loop in Python plays them, ours and a peer's. A round is some games.

python -m pytest benchmarks -n 0 --benchmark-only -k playouts

Two threads are to be held against `test_arithmetic` with two, which has the same work for one and for two.
"""

import hashlib
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tabula import BACKGAMMON, Position
from tabula.playouts import Playouts, playouts, replay
from tabula.rules import PRESETS

GAMES = 1000
SOME = 20
"""So many games where a loop in Python plays them, or where a turn takes microseconds."""

every_game = pytest.mark.parametrize("game", PRESETS)
both = pytest.mark.parametrize("threads", [1, 2])


def many(game: str) -> int:
    return SOME if game == "historic" else GAMES


def play(game: str, games: int, **options: Any) -> Playouts:
    return playouts(Position(PRESETS[game]), games, rng=np.random.default_rng(1), **options)


def assert_right(played: Playouts, policy: Any = None) -> None:
    """The last game is the one that a loop over `Position.plays` comes to."""
    last = played.games[-1]
    again = replay(played.position, last["seed"], policy=policy)
    assert again.outcome is not None
    assert (len(again.turns), again.outcome.winner) == (last["plies"], last["winner"])


@both
@every_game
def test_random_games(benchmark: BenchmarkFixture, game: str, threads: int) -> None:
    games = many(game)
    played = benchmark(play, game, games, threads=threads)
    assert len(played) == games
    assert_right(played)
    benchmark.extra_info["plies"] = int(played.games["plies"].sum())


@both
def test_arithmetic(benchmark: BenchmarkFixture, threads: int) -> None:
    """What the machine gains from a second thread: hashing without the GIL, which touches next to no memory."""
    with ThreadPoolExecutor(threads) as pool:

        def hashed() -> list[bytes]:
            return list(pool.map(lambda part: hashlib.pbkdf2_hmac("sha256", b"%d" % part, b"", 10_000), range(8)))

        assert len(set(benchmark(hashed))) == 8


def forward(after: Any) -> Any:
    """A policy that takes next to no time: as far as the last points, and off."""
    return after[:, 1, 24] + 2 * after[:, 1, 25]


@pytest.mark.parametrize("game", ["tabula", "backgammon"])
def test_games_by_a_policy(benchmark: BenchmarkFixture, game: str) -> None:
    played = benchmark.pedantic(play, (game, GAMES), {"policy": forward}, rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]
    assert_right(played, forward)


@every_game
def test_games_in_a_loop_in_python(benchmark: BenchmarkFixture, game: str) -> None:
    rules = PRESETS[game]

    def loop() -> int:
        source, plies = random.Random(1), 0
        for _ in range(SOME):
            position = Position(rules)
            while position.outcome is None:
                plays = position.plays([source.randint(1, 6) for _ in range(rules.dice)])
                position = plays[source.randrange(len(plays))].position
                plies += 1
        return plies

    assert 1000 < benchmark(loop) < 6000


def test_games_in_a_loop_over_gnubg_nn(benchmark: BenchmarkFixture) -> None:
    """A board is two lists: the opponent's points and his bar, then those of the side on roll."""
    gnubg = pytest.importorskip("gnubg_nn")
    points = [BACKGAMMON.setup[25 - point] for point in range(1, 25)] + [0]
    moves, board_of = gnubg.moves, gnubg.board_from_position_key
    assert len(moves([points, points], 6, 1)) == Position(BACKGAMMON).count("61")

    def loop() -> int:
        source, plies = random.Random(1), 0
        for _ in range(SOME):
            other, mover = points, points
            while sum(other):
                keys = moves([list(other), list(mover)], source.randint(1, 6), source.randint(1, 6))
                if keys:
                    other, mover = board_of(keys[source.randrange(len(keys))])
                other, mover = mover, other
                plies += 1
        return plies

    assert 1000 < benchmark(loop) < 4000
