"""What a script does one call at a time: microseconds for each, and as multiples of ``len(position.plays((3, 1)))``.

    python benchmarks/everyday.py

The answers of the calls are checked before they are timed. The aims are multiples, so that they hold on any machine; a call
that takes longer is marked. Every call is timed in short turns, one after the other, and the shortest turn counts.
"""

from __future__ import annotations

import pickle
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from tabula import BACKGAMMON, TABULA, Position
from tabula.notation import gnubg_id, read, xgid
from tabula.render.text import board

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS: Final = 25
SECONDS: Final = 0.002
"""How long a turn of one call takes."""


class Call(NamedTuple):
    """One call of the table."""

    name: str
    call: Callable[[], object]
    answer: object
    aim: float | None = None
    times: int = 1
    """How many of what the name says one call does."""


def calls() -> list[Call]:
    """The calls, on backgammon's start and on a position of its middle game; the first is the unit."""
    start = Position(BACKGAMMON)
    position = start.plays((3, 1))[7].position
    array, text, data = position.to_array(), position.to_text(), pickle.dumps(position)
    tracks = (position.mover, position.other)
    turn = position.turn
    listed = position.plays((3, 1))
    play = listed[-1]
    gnubg, xg = gnubg_id(position, "31"), xgid(position, "31")
    return [
        Call("len(plays((3, 1)))", lambda: len(position.plays((3, 1))), len(listed), 1),
        Call('plays("31")', lambda: position.plays("31"), listed, 2),
        Call("from_tracks", lambda: Position.from_tracks(*tracks, rules=BACKGAMMON, turn=turn), position, 8),
        Call("from_array", lambda: Position.from_array(array, rules=BACKGAMMON, turn=turn), position, 8),
        Call("to_text", position.to_text, text, 8),
        Call("from_text", lambda: Position.from_text(text, rules=BACKGAMMON), position, 12),
        Call("hash", lambda: hash(position), hash(Position.from_text(text, rules=BACKGAMMON)), 3),
        Call("apply with moves", lambda moves=play.moves: position.apply(moves, "31"), play.position, 12),
        Call("Position in plays", lambda after=play.position: after in listed, True, 12),
        Call("pickle", lambda: pickle.dumps(position), data, 20),
        Call("unpickle", lambda: pickle.loads(data), position, 20),
        Call("parse_play", lambda name=str(play): position.parse_play(name, "31"), play, 40),
        Call("str(play), each", lambda: [str(each) for each in position.plays((3, 1))], list(map(str, listed)), 6, len(listed)),
        Call("write a GNUBG id", lambda: gnubg_id(position, "31"), gnubg, 60),
        Call("read a GNUBG id", lambda: read(gnubg).position, position, 60),
        Call("write an XGID", lambda: xgid(position, "31"), xg, 60),
        Call("read an XGID", lambda: read(xg).position, position, 60),
        Call("text board", lambda: board(position), str(position)),
        Call("Tabula: str(play), each", _tabula_texts, _tabula_texts(), None, len(Position(TABULA).plays("652"))),
    ]


def _tabula_texts() -> list[str]:
    return [str(play) for play in Position(TABULA).plays("652")]


def fastest(timed: list[Call]) -> list[float]:
    """Seconds for each call, the shortest of several turns."""
    counts = [1] * len(timed)
    best = [float("inf")] * len(timed)
    for _ in range(ROUNDS):
        for i, each in enumerate(timed):
            call, count = each.call, counts[i]
            began = time.perf_counter()
            for _ in range(count):
                call()
            taken = time.perf_counter() - began
            best[i] = min(best[i], taken / count)
            counts[i] = max(1, int(SECONDS / best[i]))
    return [seconds / each.times for seconds, each in zip(best, timed, strict=True)]


def main() -> None:
    timed = calls()
    for each in timed:
        assert each.call() == each.answer, each.name
    seconds = fastest(timed)
    print(f"{'call':<26} {'us':>8} {'multiple':>9} {'aim':>5}")
    for each, taken in zip(timed, seconds, strict=True):
        multiple = taken / seconds[0]
        aim = "" if each.aim is None else f"{each.aim:g}"
        late = each.aim is not None and multiple > each.aim
        print(f"{each.name:<26} {taken * 1e6:8.2f} {multiple:9.1f} {aim:>5}{'  longer than the aim' if late else ''}")


if __name__ == "__main__":
    main()
