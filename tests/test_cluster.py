"""A cluster of two worker processes under dask.distributed, one of which is killed in the middle of its work."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support import work

from tabula import BACKGAMMON, Position, perft
from tabula.playouts import playouts

distributed = pytest.importorskip("distributed")

pytestmark = [
    # What dask and the libraries below it warn of is theirs.
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL"),
]


@pytest.fixture(scope="module")
def client() -> Iterator["distributed.Client"]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as made,
    ):
        yield made


class KillsAWorker:
    """Progress that kills one worker, once a few units are done."""

    def __init__(self, client: "distributed.Client", after: int) -> None:
        self.client = client
        self.after = after
        self.killed: int | None = None
        self.told: list[tuple[int, int]] = []

    def __call__(self, done: int, many: int) -> None:
        self.told.append((done, many))
        if done >= self.after and self.killed is None:
            self.killed = next(iter(self.client.run(os.getpid).values()))
            os.kill(self.killed, signal.SIGKILL)


def test_perft_is_right_though_a_worker_is_killed(client: "distributed.Client", tmp_path: Path) -> None:
    client.wait_for_workers(2)
    kills = KillsAWorker(client, 20)
    executor = client.get_executor(pure=False)
    file = tmp_path / "four"
    leaves = perft(Position(), 4, merge=True, executor=executor, progress=kills, checkpoint=file)
    assert leaves == 30_279_799_386
    assert kills.killed is not None
    assert kills.told == [(done, 122) for done in range(123)]
    assert len(file.read_text().splitlines()) == 123


def test_playouts_are_the_same_though_a_worker_is_killed(client: "distributed.Client") -> None:
    client.wait_for_workers(2)
    kills = KillsAWorker(client, 10_000)
    played = playouts(
        Position(BACKGAMMON), 40_000, rng=np.random.default_rng(5), executor=client.get_executor(pure=False), progress=kills
    )
    here = playouts(Position(BACKGAMMON), 40_000, rng=np.random.default_rng(5))
    assert kills.killed is not None
    assert played.games.tobytes() == here.games.tobytes()
    assert played.plays_by_ply.tolist() == here.plays_by_ply.tolist()


def test_a_policy_travels_to_the_workers(client: "distributed.Client") -> None:
    client.wait_for_workers(2)
    executor = client.get_executor(pure=False)
    played = playouts(Position(), 600, rng=np.random.default_rng(5), policy=work.bears_off, executor=executor)
    here = playouts(Position(), 600, rng=np.random.default_rng(5), policy=work.bears_off)
    assert played.games.tobytes() == here.games.tobytes()


def test_a_client_is_not_an_executor_and_the_sentence_says_what_is(client: "distributed.Client") -> None:
    with pytest.raises(TypeError, match=r"of a dask\.distributed Client take client\.get_executor\(\)$"):
        perft(Position(), 2, executor=client)
