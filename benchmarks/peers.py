"""`tabula` compared with other programs, on one corpus of backgammon, in one process.

    python -m pip install --group peers
    python benchmarks/peers.py

First every peer is asked for the positions after each turn of the corpus, and the sets are compared with ours; where one differs,
the turns are counted and printed, and a difference that docs/benchmarks.md does not explain ends the run with exit code 1. Then
each way of asking is timed, all of them in turn in every round, and the tables of docs/benchmarks.md are printed from the best
round of each, in seconds of processor time. A peer that is not installed is left out, with a sentence.
"""

from __future__ import annotations

import abc
import argparse
import importlib
import platform
import sys
import time
from collections import Counter
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

import corpora
import native
import numpy as np
from corpora import Turn

from tabula import BACKGAMMON, Position, perft
from tabula.counting import published
from tabula.rules import OFF, TRACK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

Track = tuple[int, ...]

_SHOWN: Final = 3
"""How many differing turns are printed in full for a peer."""

_LONG: Final = 0.5
"""A pass that takes longer than so many seconds is timed in three rounds only."""

_SHORT: Final = 0.01
"""A shorter pass is repeated until it takes so many seconds."""


class Timed(NamedTuple):
    """One way of asking: its name, what it calls, a pass over the corpus that returns a number of results, and the right number."""

    name: str
    how: str
    run: Callable[[], int]
    expected: int


class Peer(abc.ABC):
    """Another program that lists plays."""

    name: ClassVar[str]
    """The name of its distribution."""

    module: ClassVar[str]
    """What is imported."""

    any_position: ClassVar[bool] = True
    """Whether it can be asked about a position without playing up to it."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        """Turns the corpus into the peer's own form, so that this is no part of what is timed."""
        self.turns = turns

    @abc.abstractmethod
    def afterstates(self, index: int) -> list[bytes]:
        """The positions after a turn of the corpus as the peer lists them, repeated where it repeats them."""

    @abc.abstractmethod
    def timed(self) -> list[Timed]:
        """What is timed."""

    def explained(self, turn: Turn) -> bool:  # noqa: ARG002
        """Whether a difference in this turn is a known one."""
        return False


def packed(next_player: Sequence[int], played: Sequence[int]) -> bytes:
    """A position after a play, as a key: 26 counts of the next player's track, then 26 of the other's."""
    return bytes(next_player) + bytes(played)


def with_off(track: Sequence[int]) -> Track:
    """The track of 26 counts whose first 25 these are."""
    return (*track, BACKGAMMON.checkers - sum(track))


class GnubgNN(Peer):
    """Two lists of 25 a board: the player's own points 1..24, numbered down, then the bar; the opponent's list first."""

    name = "gnubg-nn"
    module = "gnubg_nn"

    def __init__(self, turns: Sequence[Turn]) -> None:
        super().__init__(turns)
        gnubg: Any = importlib.import_module(self.module)
        self.moves: Callable[..., Sequence[str]] = gnubg.moves
        self.board: Callable[[str], tuple[Sequence[int], Sequence[int]]] = gnubg.board_from_position_key
        self.asked = [([list(self.to_peer(t.position.other)), list(self.to_peer(t.position.mover))], *t.roll) for t in turns]

    @staticmethod
    def to_peer(track: Track) -> Track:
        """A track without what is off, from the bar backwards."""
        return track[OFF - 1 :: -1]

    @staticmethod
    def from_peer(points: Sequence[int]) -> Track:
        """The track that a list of 25 says."""
        return with_off(points[::-1])

    def afterstates(self, index: int) -> list[bytes]:
        keys = self.moves(*self.asked[index])
        if not keys:
            return [packed(self.turns[index].position.other, self.turns[index].position.mover)]
        return [packed(*map(self.from_peer, self.board(key))) for key in keys]

    def timed(self) -> list[Timed]:
        total = sum(turn.plays for turn in self.turns)

        def keys() -> int:
            moves = self.moves
            return sum([len(moves(board, first, second)) or 1 for board, first, second in self.asked])

        def decoded() -> int:
            moves, decode = self.moves, self.board
            return sum([len([decode(key) for key in moves(board, first, second)]) or 1 for board, first, second in self.asked])

        return [
            Timed("gnubg-nn, keys", "`moves(board, d1, d2)`", keys, total),
            Timed("gnubg-nn, boards", "`moves`, then `board_from_position_key` for each", decoded, total),
        ]


class Bgsage(Peer):
    """One list of 26 a board: the mover's checkers positive by his own numbering, the opponent's negative, 25 and 0 the bars."""

    name = "bgsage"
    module = "bgbot_cpp"

    def __init__(self, turns: Sequence[Turn]) -> None:
        super().__init__(turns)
        self.possible: Callable[..., Sequence[Sequence[int]]] = importlib.import_module(self.module).possible_moves
        self.asked = [(self.to_peer(turn.position.mover, turn.position.other), *turn.roll) for turn in turns]

    @staticmethod
    def to_peer(mover: Track, other: Track) -> list[int]:
        """The board of two tracks."""
        return [other[0], *(mover[OFF - point] - other[point] for point in range(1, OFF)), mover[0]]

    @staticmethod
    def from_peer(board: Sequence[int]) -> tuple[Track, Track]:
        """The mover's track and the other's that a board says."""
        mover = (board[OFF], *(max(board[OFF - index], 0) for index in range(1, OFF)))
        other = (board[0], *(max(-board[index], 0) for index in range(1, OFF)))
        return with_off(mover), with_off(other)

    @staticmethod
    def all_from_peer(listed: Sequence[Sequence[int]]) -> npt.NDArray[np.int8]:
        """The positions after a turn as tabula has them, int8 (m, 2, 26), made by numpy out of all boards at once."""
        boards = np.array(listed, np.int8).reshape(-1, TRACK)
        after = np.zeros((len(boards), 2, TRACK), np.int8)
        after[:, 0, 0], after[:, 1, 0] = boards[:, 0], boards[:, OFF]
        np.maximum(-boards[:, 1:OFF], 0, out=after[:, 0, 1:OFF])
        np.maximum(boards[:, OFF - 1 : 0 : -1], 0, out=after[:, 1, 1:OFF])
        after[:, :, OFF] = BACKGAMMON.checkers - after[:, :, :OFF].sum(axis=2)
        return after

    def afterstates(self, index: int) -> list[bytes]:
        after = []
        for board in self.possible(*self.asked[index]):
            mover, other = self.from_peer(board)
            after.append(packed(other, mover))
        return after

    def timed(self) -> list[Timed]:
        total = sum(len(self.possible(*asked)) for asked in self.asked)

        def boards() -> int:
            possible = self.possible
            return sum([len(possible(board, first, second)) for board, first, second in self.asked])

        return [Timed("bgsage, boards", "`bgbot_cpp.possible_moves(board, d1, d2)`", boards, total)]

    def explained(self, turn: Turn) -> bool:
        """A last checker and two different dice: it lists the end of the game by one die, where both can be played."""
        return turn.position.mover[OFF] == BACKGAMMON.checkers - 1 and turn.roll[0] != turn.roll[1]


class OpenSpiel(Peer):
    """States that are reached by playing: the games of the corpus are played again in it, from their first rolls on.

    A double is two turns of two dice each; here they are put together. Actions that lead to one position are listed each.
    """

    name = "open-spiel"
    module = "pyspiel"
    any_position = False
    _BAR: Final = 100

    def __init__(self, turns: Sequence[Turn]) -> None:
        super().__init__(turns)
        game = importlib.import_module(self.module).load_game("backgammon(max_player_turns=1000000)")
        self.states: list[Any] = []
        state: Any = None
        for index, turn in enumerate(turns):
            start = turn.position in (Position(BACKGAMMON), Position(BACKGAMMON).swap_sides())
            if start:
                state = game.new_initial_state()
                thrown = f"{'XO'[turn.position.turn]} starts, (roll: {{}})"
            else:
                state = self._follow(self.states[index - 1], turns[index - 1], turn)
                thrown = "(roll: {})"
            state.apply_action(self._thrown(state, thrown, turn.roll))
            self.states.append(state)

    @staticmethod
    def _thrown(state: Any, text: str, roll: tuple[int, ...]) -> int:
        first, second = roll
        endings = text.format(f"{first}{second}"), text.format(f"{second}{first}")
        actions: list[int] = [action for action, _ in state.chance_outcomes()]
        return next(action for action in actions if state.action_to_string(-1, action).endswith(endings))

    def _follow(self, state: Any, before: Turn, after: Turn) -> Any:
        target = packed(after.position.mover, after.position.other)
        for end in self.ends(state):
            if self.board(end, before.position.turn) == target:
                return end.clone()
        raise ValueError(f"{self.name} does not get from {before.position.to_text()} to {after.position.to_text()}")

    @staticmethod
    def ends(state: Any) -> Iterator[Any]:
        """The states after the whole turn, by every line of actions."""
        player = state.current_player()
        for action in state.legal_actions():
            child = state.child(action)
            if child.current_player() != player:
                yield child
            else:
                yield from (child.child(second) for second in child.legal_actions())

    def board(self, state: Any, played: int) -> bytes:
        """The position that a state is in after a turn of this player, 0 or 1."""
        tracks = []
        for player in (1 - played, played):
            points = [state.board(player, point) for point in range(OFF - 1)]
            tracks.append(with_off([state.board(player, self._BAR), *(points if player == 0 else points[::-1])]))
        return packed(*tracks)

    def afterstates(self, index: int) -> list[bytes]:
        return [self.board(end, self.turns[index].position.turn) for end in self.ends(self.states[index])]

    def timed(self) -> list[Timed]:
        after = [self.afterstates(index) for index in range(len(self.turns))]
        doubles = [turn.roll[0] == turn.roll[1] for turn in self.turns]

        def actions() -> int:
            total = 0
            for state, double in zip(self.states, doubles, strict=True):
                found = state.legal_actions()
                if double:
                    player = state.current_player()
                    children = [state.child(action) for action in found]
                    total += sum([len(child.legal_actions()) if child.current_player() == player else 1 for child in children])
                else:
                    total += len(found)
            return total

        def boards() -> int:
            return sum([len({str(end) for end in self.ends(state)}) for state in self.states])

        return [
            Timed("open-spiel, actions", "`legal_actions()`, twice for a double", actions, sum(map(len, after))),
            Timed(
                "open-spiel, boards", "the same, `child` and `str` of each, as a set", boards, sum(len(set(ends)) for ends in after)
            ),
        ]


PEERS: Final[tuple[type[Peer], ...]] = (GnubgNN, Bgsage, OpenSpiel)


LAST_CHECKER: Final = Turn(
    Position.from_points({2: 1}, {24: 1}, rules=BACKGAMMON, off=(14, 14)),
    (6, 1),
    1,
)
"""A last checker on 2 and a blot on 1: both dice can be played, by way of the blot, so that the six alone may not be."""


class Comparison(NamedTuple):
    """What comparing a peer's positions with ours found."""

    turns: int
    listed: int
    distinct: int
    differing: list[int]
    unexplained: list[int]


def ours(turn: Turn) -> set[bytes]:
    """Our positions after a turn."""
    return {board.tobytes() for board in turn.position.plays(turn.roll).positions}


def compare(peer: Peer) -> Comparison:
    """Holds the set of positions after every turn against ours; ours must be as many as the corpus says."""
    listed = distinct = 0
    differing, unexplained = [], []
    for index, turn in enumerate(peer.turns):
        mine = ours(turn)
        if len(mine) != turn.plays:
            raise ValueError(f"{turn.position.to_text()} {turn.roll} has {turn.plays} afterstates, and {len(mine)} were generated")
        theirs = Counter(peer.afterstates(index))
        listed += theirs.total()
        distinct += len(theirs)
        if set(theirs) != mine:
            differing.append(index)
            if not peer.explained(turn):
                unexplained.append(index)
    return Comparison(len(peer.turns), listed, distinct, differing, unexplained)


def sentences(peer: Peer, found: Comparison) -> Iterator[str]:
    """The comparison in sentences."""
    same = "the same positions as ours" if not found.differing else f"{len(found.differing)} with other positions than ours"
    many = "a turn beside the corpus" if peer.turns == [LAST_CHECKER] else f"{found.turns:,} turns"
    yield f"{peer.name} {version(peer.name)}: {many}, {same}; {found.listed:,} listed, {found.distinct:,} distinct"
    for index in found.differing[:_SHOWN]:
        turn = peer.turns[index]
        mine, theirs = ours(turn), set(peer.afterstates(index))
        kind = "unexplained" if index in found.unexplained else "known"
        yield f"  {kind}: {turn.position.to_text()} {turn.roll}: {len(mine - theirs)} only ours, {len(theirs - mine)} only theirs"
    if len(found.differing) > _SHOWN:
        yield f"  and {len(found.differing) - _SHOWN} more, {len(found.unexplained)} unexplained in all"


def our_calls(turns: Sequence[Turn]) -> list[Timed]:
    """What a call from Python costs."""
    total = sum(turn.plays for turn in turns)
    pairs = [(turn.position, turn.roll) for turn in turns]

    def length() -> int:
        return sum([len(position.plays(roll)) for position, roll in pairs])

    def positions() -> int:
        return sum([len(position.plays(roll).positions) for position, roll in pairs])

    def counted() -> int:
        return sum([position.count(roll) for position, roll in pairs])

    return [
        Timed("`len(position.plays(roll))`", "calls", length, total),
        Timed("`position.plays(roll).positions`", "calls", positions, total),
        Timed("`position.count(roll)`", "calls", counted, total),
    ]


def our_generator(turns: Sequence[Turn], depth: int) -> list[Timed]:
    """The generator with no Python in between."""
    total = sum(turn.plays for turn in turns)
    rules = turns[0].position.rules
    start = Position(rules)
    ways = []
    loop = native.turns(turns)
    if loop is None:
        print(f"Cython or a compiler is missing: {rules.name} generated in a native loop is left out.")
    else:
        ways = [
            Timed(f"{rules.name}: built in the native buffer", "positions", loop.build, total),
            Timed(f"{rules.name}: counted natively, roll by roll", "positions", loop.count, total),
        ]
    leaves = published(start)[depth].leaves
    return [*ways, Timed(f"{rules.name}: `perft` from the start, depth {depth}", "leaves", lambda: perft(start, depth), leaves)]


def best_rates(ways: Sequence[Timed], rounds: int) -> list[float]:
    """For each way the results a second of its best round; in a round each way has its turn. Every answer is checked.

    Seconds are of processor time: each way works in one thread, and waiting for other programs of the machine is no part of it.
    """
    best = [0.0] * len(ways)
    times = [1] * len(ways)
    sparse = [False] * len(ways)
    for number in range(rounds):
        for index, way in enumerate(ways):
            if sparse[index] and number % max(rounds // 2, 1):
                continue
            results = 0
            began = time.process_time()
            for _ in range(times[index]):
                results += way.run()
            taken = time.process_time() - began
            if results != way.expected * times[index]:
                raise ValueError(f"{way.name} got {results}, and {way.expected * times[index]} is right")
            best[index] = max(best[index], results / taken)
            sparse[index] = taken > _LONG
            if number == 0:
                times[index] = max(1, round(_SHORT / taken))
    return best


def table(mine: Sequence[tuple[Timed, float]], theirs: Sequence[tuple[Timed, float]], turns: int, total: int) -> Iterator[str]:
    """The ratio table and the peers' own rates in Markdown, from what each way of ours and of theirs got a second.

    The corpus has `turns` turns and `total` distinct positions after them. A peer's rate is as if each of its calls had given
    just the distinct positions of the turn, so that repeated or missing ones neither help it nor harm it.
    """
    passes = [(way, rate / way.expected) for way, rate in theirs]
    yield f"| ours | a second | {' | '.join(way.name for way, _ in passes)} |"
    yield f"|---|---|{'---|' * len(passes)}"
    for way, rate in mine:
        own = f"{rate * turns / way.expected / 1e6:.2f} M calls" if way.how == "calls" else f"{rate / 1e6:,.0f} M {way.how}"
        yield f"| {way.name} | {own} | {' | '.join(f'{rate / (passed * total):,.1f}' for _, passed in passes)} |"
    yield ""
    yield "| theirs | what is called | calls a second | distinct positions a second |"
    yield "|---|---|---|---|"
    for way, passed in passes:
        yield f"| {way.name} | {way.how} | {passed * turns:,.0f} | {passed * total:,.0f} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Compares, then times; 1 where a peer's positions differ in a way that is not explained."""
    parser = argparse.ArgumentParser(
        description="Compare with other generators of backgammon plays, first in positions, then in time."
    )
    parser.add_argument("--turns", type=int, default=corpora.TURNS, help="so many turns of the corpus (all of them)")
    parser.add_argument("--rounds", type=int, default=21, help="rounds of timing (21)")
    parser.add_argument("--depth", type=int, default=3, help="depth of the perft that is timed (3)")
    args = parser.parse_args(argv)
    turns = corpora.read("backgammon").turns[: args.turns]
    total = sum(turn.plays for turn in turns)
    print(f"{len(turns):,} turns of random games of backgammon, {total:,} distinct positions after them.")
    print(f"Python {platform.python_version()}, NumPy {np.__version__}.\n")
    unexplained = False
    mine = [*our_calls(turns), *our_generator(turns, args.depth)]
    mine += our_generator(corpora.read("tabula").turns[: args.turns], args.depth)
    theirs = []
    for kind in PEERS:
        try:
            peer = kind(turns)
        except ImportError as error:
            print(f"{kind.name} is left out: {error}.")
            continue
        for asked in (peer, kind([LAST_CHECKER])) if kind.any_position else (peer,):
            found = compare(asked)
            print("\n".join(sentences(asked, found)), flush=True)
            unexplained |= bool(found.unexplained)
        theirs += peer.timed()
    rates = best_rates([*mine, *theirs], args.rounds)
    ours_timed = list(zip(mine, rates, strict=False))
    theirs_timed = list(zip(theirs, rates[len(mine) :], strict=True))
    print()
    print("\n".join(table(ours_timed, theirs_timed, len(turns), total)))
    return int(unexplained)


if __name__ == "__main__":
    sys.exit(main())
