from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Never, Self, SupportsIndex, TypeAlias, final, overload

import numpy as np
import numpy.typing as npt

from tabula.dice import Roll, RollLike
from tabula.rules import TABULA, WHITE, Rules

__all__ = [
    "Move",
    "Next",
    "Outcome",
    "Play",
    "Plays",
    "Position",
    "checked_position",
    "count_leaves",
    "find_play",
    "play_text",
    "position_from_runs",
]

_Track: TypeAlias = tuple[int, ...]
_Counts: TypeAlias = Sequence[SupportsIndex] | npt.NDArray[np.integer[Any]]
_MoveLike: TypeAlias = Move | tuple[SupportsIndex, SupportsIndex]

class Move(NamedTuple):
    """One checker moved by one die, on the mover's own track.

    Attributes
    ----------
    source
        The index it leaves: 0 waiting, 1..24 a point.
    target
        The index it lands on: 1..24 a point, 25 off.
    die
        The die that moves it, 1..6.
    hit
        Whether it hits a lone opposing checker.

    Examples
    --------
    >>> from tabula import Position
    >>> Position().plays("652")[0].moves[0]
    Move(source=0, target=2, die=2, hit=False)
    """

    source: int
    target: int
    die: int
    hit: bool = False

class Outcome(NamedTuple):
    """How a finished game ended.

    Attributes
    ----------
    winner
        The side that won, `WHITE` (0) or `BLACK` (1).
    points
        The points it won: 1, or up to the rules' `highest_win`.

    Examples
    --------
    >>> from tabula import BACKGAMMON, Position
    >>> Position.from_points({}, {24: 15}, rules=BACKGAMMON, off=(15, 0)).outcome
    Outcome(winner=0, points=3)
    """

    winner: int
    points: int

class Next(NamedTuple):
    """How a turn can go on, which `Plays.after` returns.

    Attributes
    ----------
    moves
        The single moves that can come next, a tuple of `Move`.
    may_end
        Whether the moves made are a whole legal play.

    Examples
    --------
    >>> from tabula import Position
    >>> coming = Position().plays("652").after((0, 6), (0, 5))
    >>> len(coming.moves), coming.may_end
    (3, False)
    """

    moves: tuple[Move, ...]
    may_end: bool

@final
class Position:
    """Both sides' checkers and who is to move. Immutable, hashable, and always legal under its rules.

    ``Position(rules)`` is the start of a game with white to move; `from_tracks`, `from_points`, `from_array` and `from_text` make
    any other. A side is a track of 26 counts: index 0 waiting, 1..24 the points in that side's direction of travel, 25 off.

    Two positions are equal when rules, tracks and turn are.

    Parameters
    ----------
    rules
        A `Rules`; `TABULA` if left out.

    Examples
    --------
    >>> from tabula import BACKGAMMON, Position
    >>> start = Position(BACKGAMMON)
    >>> start.pips
    (167, 167)
    >>> len(start.plays("61"))
    10
    """

    def __new__(cls, rules: Rules = TABULA) -> Self: ...
    @staticmethod
    def from_tracks(mover: _Counts, other: _Counts, *, rules: Rules, turn: SupportsIndex = WHITE) -> Position:
        """The position with these two tracks, the side to move first, each 26 counts on its own side's track.

        Raises InvalidPositionError where the checkers cannot stand so under `rules`, TypeError for counts that are not integers,
        and ValueError for a `turn` that is neither `WHITE` nor `BLACK`.

        >>> from tabula import BACKGAMMON, Position
        >>> Position.from_tracks(BACKGAMMON.setup, BACKGAMMON.setup, rules=BACKGAMMON) == Position(BACKGAMMON)
        True
        """
    @staticmethod
    def from_points(
        mover: Mapping[int, SupportsIndex],
        other: Mapping[int, SupportsIndex],
        *,
        rules: Rules,
        turn: SupportsIndex = WHITE,
        bar: Sequence[SupportsIndex] = (0, 0),
        off: Sequence[SupportsIndex] = (0, 0),
    ) -> Position:
        """The position with these checkers by point, in the game's own numbering, each side's in its own view.

        Parameters
        ----------
        mover, other
            Mappings of point (1..24) to number of checkers, the side to move first.
        bar, off
            For the mover and the other side, the checkers waiting to enter and those borne off, 0..15.

        Raises
        ------
        InvalidPositionError
            Where the checkers cannot stand so under `rules`: they must add up to what the rules give a side.
        TypeError
            For what is no mapping or no pair, and for counts that are not integers.

        Examples
        --------
        >>> from tabula import BACKGAMMON, Position
        >>> Position.from_points({6: 2}, {1: 1}, rules=BACKGAMMON, off=(13, 14)).pips
        (12, 1)
        """
    @staticmethod
    def from_array(a: npt.NDArray[np.int8], *, rules: Rules, turn: SupportsIndex = WHITE) -> Position:
        """The position in an int8 array of shape (2, 26): row 0 the side to move, row 1 the other, each on its own track.

        The array is copied; it may be read-only or not contiguous. Raises TypeError for anything but an int8 array and
        InvalidPositionError for another shape or checkers that cannot stand so under `rules`.

        >>> from tabula import TABULA, Position
        >>> Position.from_array(Position().to_array(), rules=TABULA) == Position()
        True
        """
    @staticmethod
    def from_text(text: str, *, rules: Rules | None = None) -> Position:
        """The position that a text describes: 26 letters and ``:w`` or ``:b``, as docs/notation.md describes.

        The letters do not say which game they are of: either `rules` are given, or the name of a game of `tabula.games` and a colon
        stand in front, as ``to_text(rules=True)`` writes them.

        Raises InvalidTextError for what is not such a text, for a text with neither a name nor `rules`, and for a name that is not
        that of the `rules` given; InvalidPositionError where the checkers cannot stand so under the rules.

        >>> from tabula import BACKGAMMON, Position
        >>> Position.from_text("-b----E-C---eE---c-e----B-:w", rules=BACKGAMMON) == Position(BACKGAMMON)
        True
        >>> Position.from_text("backgammon:-b----E-C---eE---c-e----B-:w") == Position(BACKGAMMON)
        True
        """
    @property
    def mover(self) -> _Track:
        """The track of the side to move, a tuple of 26 counts."""
    @property
    def other(self) -> _Track:
        """The track of the side that is not to move, a tuple of 26 counts on its own track."""
    @property
    def turn(self) -> int:
        """The side to move, `WHITE` (0) or `BLACK` (1)."""
    @property
    def rules(self) -> Rules:
        """The `Rules` that the position stands under."""
    @property
    def pips(self) -> tuple[int, int]:
        """The pips that the mover's checkers and the other side's still have to travel, 25 for a waiting one."""
    @property
    def outcome(self) -> Outcome | None:
        """None while the game goes on; else who has won and how many points, as an `Outcome`."""
    @property
    def stuck(self) -> bool:
        """Whether neither side can move, whatever is thrown: both would pass for ever, and nobody wins.

        It happens where blots block or piles may not grow. A game that is over is not stuck.

        >>> from tabula import Position
        >>> Position().stuck
        False
        """
    def swap_sides(self) -> Position:
        """The same board with the other side to move: `mover` and `other` change places, and so does the turn.

        >>> from tabula import BLACK, Position
        >>> Position().swap_sides().turn == BLACK
        True
        """
    def to_array(self) -> npt.NDArray[np.int8]:
        """A new int8 array of shape (2, 26): row 0 the side to move, row 1 the other, each on its own track.

        >>> from tabula import BACKGAMMON, Position
        >>> Position(BACKGAMMON).to_array()[0, :13]
        array([0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5], dtype=int8)
        """
    def to_text(self, *, rules: bool = False) -> str:
        """The position as 26 letters and the side to move; with ``rules=True``, the name of the rules and a colon in front.

        `from_text` reads it back: the letters alone under the same rules, the text with a preset's name without them. ValueError
        for rules that have a preset's name and are others.

        >>> from tabula import Position
        >>> Position().to_text()
        'O------------------------o:w'
        >>> Position().to_text(rules=True)
        'tabula:O------------------------o:w'
        """
    def plays(self, roll: RollLike) -> Plays:
        """All distinct legal plays of a roll, as a read-only sequence.

        Parameters
        ----------
        roll
            ``"652"``, ``"6-5-2"`` or integers 1..6, as many as the rules throw; their order does not matter.

        Raises
        ------
        ValueError
            For what is not a roll of this game.
        TypeError
            For what is neither text nor integers.

        Examples
        --------
        >>> from tabula import Position
        >>> sorted(str(play) for play in Position().plays((3, 1, 1)))
        ['bar/3 bar/1(2)', 'bar/3 bar/2', 'bar/4 bar/1', 'bar/5']
        """
    def count(self, roll: RollLike) -> int:
        """How many distinct legal plays a roll has: ``len(position.plays(roll))``, without listing them.

        >>> from tabula import Position
        >>> Position().count("652")
        4
        """
    def parse_play(self, text: str, roll: RollLike, *, hits: Literal["marked", "unmarked"] = "marked") -> Play:
        """The one legal play of a roll that a text names, lenient in form and strict in meaning: `tabula.notation.parse_play`.

        Raises InvalidTextError for what is not notation, IllegalPlayError with the reason for what no legal play does, and
        AmbiguousPlayError with the candidates for what several do.

        >>> from tabula import BACKGAMMON, Position
        >>> Position(BACKGAMMON).parse_play("24/18, 13/11", "62")
        <Play 24/18 13/11 with 6-2>
        """
    @overload
    def apply(self, play: Play, roll: RollLike | None = None) -> Position:
        """The position after a play, the other side to move.

        Parameters
        ----------
        play
            A `Play` of this position; or, with `roll`, its text as `parse_play` reads it, or its moves in an order that can be
            made: `Move` or (source, die) each.
        roll
            The roll that the moves are played with. A `Play` brings its own.

        Raises
        ------
        IllegalPlayError
            For a play of another position or roll, and for moves that are no whole legal play, saying which rule stops which move
            or how many dice could have been played.

        Examples
        --------
        >>> from tabula import Position
        >>> Position().apply([(0, 6), (0, 5), (0, 2)], "652").other[:8]
        (12, 0, 1, 0, 0, 1, 1, 0)
        >>> Position().apply("bar/11 bar/2", "652") == Position().apply([(0, 6), (6, 5), (0, 2)], "652")
        True
        """
    @overload
    def apply(self, play: str | Iterable[_MoveLike], roll: RollLike) -> Position:
        """The position after a play, the other side to move.

        Parameters
        ----------
        play
            A `Play` of this position; or, with `roll`, its text as `parse_play` reads it, or its moves in an order that can be
            made: `Move` or (source, die) each.
        roll
            The roll that the moves are played with. A `Play` brings its own.

        Raises
        ------
        IllegalPlayError
            For a play of another position or roll, and for moves that are no whole legal play, saying which rule stops which move
            or how many dice could have been played.

        Examples
        --------
        >>> from tabula import Position
        >>> Position().apply([(0, 6), (0, 5), (0, 2)], "652").other[:8]
        (12, 0, 1, 0, 0, 1, 1, 0)
        >>> Position().apply("bar/11 bar/2", "652") == Position().apply([(0, 6), (6, 5), (0, 2)], "652")
        True
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def _repr_svg_(self) -> str: ...

@final
class Play:
    """A whole turn: one way to play a roll from a position. Immutable and hashable.

    Plays that end in the same position are one play, so equality looks at origin, roll and afterstate. Of the sets of moves that
    come to it, the one shown is the smallest as a sorted list of (source, die), in its smallest order that can be made.

    Examples
    --------
    >>> from tabula import BACKGAMMON, Position
    >>> play = Position(BACKGAMMON).plays("31")[0]
    >>> play.position.turn, len(play.moves), play.roll
    (1, 2, (3, 1))
    """

    def __init__(self, *args: Never, **kwargs: Never) -> None: ...
    @property
    def origin(self) -> Position:
        """The position that the play starts from."""
    @property
    def roll(self) -> Roll:
        """The roll played, the largest die first."""
    @property
    def position(self) -> Position:
        """The afterstate: the position after the play, the other side to move."""
    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves, a tuple of `Move` in an order that can be made; empty for a pass."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def _repr_svg_(self) -> str: ...

@final
class Plays(Sequence[Play]):
    """All distinct legal plays of a roll: a read-only sequence that is a view of the native list.

    ``len``, truth, ``in``, slices and `positions` make no Python object per play; ``plays[i]`` makes one `Play`. The order depends
    on rules, position and roll alone. A roll with nothing playable has one play of no moves; only a finished game has no plays.

    Examples
    --------
    >>> from tabula import Position
    >>> plays = Position().plays("652")
    >>> len(plays), plays.dice_used, plays.positions.shape
    (4, 3, (4, 2, 26))
    >>> [(0, 2), (0, 5), (0, 6)] in plays
    True
    """

    def __init__(self, *args: Never, **kwargs: Never) -> None: ...
    @property
    def position(self) -> Position:
        """The position that the plays start from: the `origin` of each of them."""
    @property
    def roll(self) -> Roll:
        """The roll, the largest die first."""
    @property
    def dice_used(self) -> int:
        """How many dice each of the plays uses: as many as can be played, 0..4."""
    @property
    def positions(self) -> npt.NDArray[np.int8]:
        """The afterstates as a new int8 array of shape (n, 2, 26), with sides swapped: row 0 is the next player."""
    def after(self, *moves: _MoveLike) -> Next:
        """How a turn can go on after these moves, each a `Move` or (source, die), so that it still becomes a legal play.

        Returns a pair: `moves`, the single moves that can come next as a tuple of `Move`, and `may_end`, whether the moves made
        are a whole legal play. Slices of plays answer as the whole does.

        Raises IllegalPlayError if no legal play starts with these moves.

        >>> from tabula import BACKGAMMON, Position
        >>> plays = Position(BACKGAMMON).plays("61")
        >>> plays.after((12, 6)).moves[0], plays.after((12, 6), (17, 1)).may_end
        (Move(source=1, target=2, die=1, hit=False), True)
        """
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Play: ...
    @overload
    def __getitem__(self, index: slice[Any, Any, Any], /) -> Plays: ...
    def __iter__(self) -> Iterator[Play]: ...
    def __reversed__(self) -> Iterator[Play]: ...
    def __contains__(self, item: object, /) -> bool: ...
    def index(self, item: Play | Position | Iterable[_MoveLike], start: int = 0, stop: int | None = None) -> int:
        """The index of a play, of an afterstate or of a play's moves.

        Raises ValueError if it is not there, or not within ``[start:stop]``, and TypeError for what is none of the three.

        >>> from tabula import Position
        >>> plays = Position().plays("652")
        >>> plays.index([(0, 6), (0, 5), (0, 2)]), plays.index(plays[1].position)
        (0, 1)
        """
    def count(self, item: object) -> int:
        """1 if the item is among the plays, else 0: they are distinct.

        >>> from tabula import Position
        >>> plays = Position().plays("652")
        >>> plays.count(plays[0]), plays.count([(0, 6), (0, 5)])
        (1, 0)
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def _repr_html_(self) -> str: ...

def find_play(plays: Plays, text: str) -> Play | None:
    """The one of the plays that a text in plain form names, or None, where `parse_play` must look closer.

    It reads numbers, ``bar`` and ``off`` in lower case, ``*`` and ``(2)``. It answers only where the hops fit one play alone.

    >>> find_play(Position().plays("652"), "bar/6 bar/5 bar/2")
    <Play bar/6 bar/5 bar/2 with 6-5-2>
    >>> find_play(Position().plays("652"), "bar/6") is None
    True
    """

def play_text(play: Play) -> str:
    """The canonical text of a play, in the numbering of its rules: ``str(play)``.

    Moves are taken in the order shown; each joins the earliest chain that ends where it starts, unless that landing hit. Chains
    stand by source along the track, the larger target first; equal ones are grouped, and ``*`` marks a hit.

    >>> from tabula import BACKGAMMON, Position
    >>> sorted(map(play_text, Position(BACKGAMMON).plays("11")))[:2]
    ['24/20', '24/21 24/23']
    """

def checked_position(position: object, field: str = "position") -> Position:
    """`position`, or a TypeError that names the field, for what is no `Position`.

    >>> checked_position("652", "start")
    Traceback (most recent call last):
    ...
    TypeError: start must be a Position, not '652'
    """

def count_leaves(position: Position, depth: int, build: bool = False) -> int:
    """Leaves `depth` plies on, with the GIL released; `build` builds the last ply where it could be counted.

    `tabula.perft` is the public face.

    >>> count_leaves(Position(), 1)
    222
    """

def position_from_runs(rules: Rules, data: bytes, turn: int) -> Position | None:
    """The position that the bits of `data` say, from the lowest bit of the first byte on; None if they say none.

    For each point from index 24 down to 0 they have as many ones as checkers stand there, and a zero: first of the other side, then
    of the side on roll. All bits after these are zero. That is the body of a GNU Backgammon Position ID.

    >>> from tabula import BACKGAMMON
    >>> position_from_runs(BACKGAMMON, bytes.fromhex("e073f00130e073f00130"), 0) == Position(BACKGAMMON)
    True
    >>> position_from_runs(BACKGAMMON, bytes([255] * 10), 0) is None
    True
    """
