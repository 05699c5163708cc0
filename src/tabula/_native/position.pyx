# cython: nonecheck=True
# Play.__new__(Play) has no origin: whoever makes one gets an exception, not a crash.
"""Positions, moves, plays and the view of all plays of a roll: thin classes over the native generator."""

cimport cython
from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from cpython.number cimport PyNumber_AsSsize_t
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE
from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

from tabula._core cimport (
    TABULA_ABI_VERSION, TABULA_LAYOUT, TABULA_MAX_DICE, TABULA_MAX_MOVES, TABULA_OFF, TABULA_TRACK, CompiledRules, apply as
    apply_play, borrow, compiled, count, facing, follow, game_over, generate, give_back, swap_sides, moves_of,
    perft as native_perft, points_won,
    side_count, side_from_counts, side_to_counts, side_won, tabula_move, tabula_play, tabula_position, tabula_side,
    unpack_plays,
)

import collections.abc
import itertools
import typing

import numpy as np

from tabula import dice as _dice
from tabula import letters as _text
from tabula._core import same_build
from tabula.errors import IllegalPlayError, InvalidPositionError, short_repr
from tabula._arguments import white_or_black, whole
from tabula.rules import OFF, POINTS, TABULA, TRACK, WHITE

__all__ = ["Move", "Next", "Outcome", "Play", "Plays", "Position", "count_leaves"]

same_build(__name__, TABULA_ABI_VERSION, TABULA_LAYOUT)

cdef extern from "Python.h":
    int PyLong_CheckExact(object)
    long PyLong_AsLongAndOverflow(object, int *overflow) except? -1


class Move(typing.NamedTuple):
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


class Outcome(typing.NamedTuple):
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


class Next(typing.NamedTuple):
    """How a turn can go on, as `Plays.after` tells it.

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

    moves: tuple
    may_end: bool


# Looked up once: a call for an array is short enough for it to show.
_empty = np.empty
_INT8 = np.dtype(np.int8)
cdef CompiledRules DEFAULT = compiled(TABULA)


# ------------------------------------------------------------------------------------------------------------------ positions

@cython.final
@cython.freelist(256)
@cython.no_gc
cdef class Position:
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

    def __cinit__(self, rules=TABULA):
        # There is no __init__: called again, it would change a position that other threads may be looking at.
        self.c = DEFAULT if rules is DEFAULT.rules else compiled(rules)
        self.p.mover = self.p.other = self.c.c.setup

    @staticmethod
    def from_tracks(mover, other, *, rules, turn=WHITE):
        """The position with these two tracks, the side to move first, each 26 counts on its own side's track.

        Raises InvalidPositionError where the checkers cannot stand so under `rules`, TypeError for counts that are not integers,
        and ValueError for a `turn` that is neither `WHITE` nor `BLACK`.

        >>> from tabula import BACKGAMMON, Position
        >>> Position.from_tracks(BACKGAMMON.setup, BACKGAMMON.setup, rules=BACKGAMMON) == Position(BACKGAMMON)
        True
        """
        cdef CompiledRules c = compiled(rules)
        return _checked(c, _track("mover", mover), _track("other", other), _turn(turn))

    @staticmethod
    def from_points(mover, other, *, rules, turn=WHITE, bar=(0, 0), off=(0, 0)):
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
        cdef CompiledRules c = compiled(rules)
        waiting, borne = _pair("bar", bar), _pair("off", off)
        tracks = (
            _points(rules, "mover", mover, waiting[0], borne[0]),
            _points(rules, "other", other, waiting[1], borne[1]),
        )
        return _checked(c, tracks[0], tracks[1], _turn(turn))

    @staticmethod
    def from_array(a, *, rules, turn=WHITE):
        """The position in an int8 array of shape (2, 26): row 0 the side to move, row 1 the other, each on its own track.

        The array is copied; it may be read-only or not contiguous. Raises TypeError for anything but an int8 array and
        InvalidPositionError for another shape or checkers that cannot stand so under `rules`.

        >>> from tabula import TABULA, Position
        >>> Position.from_array(Position().to_array(), rules=TABULA) == Position()
        True
        """
        cdef CompiledRules c = compiled(rules)
        if not isinstance(a, np.ndarray):
            raise TypeError(f"a position array must be a numpy.ndarray, not {type(a).__name__}")
        if a.dtype != np.int8:
            raise TypeError(f"a position array must be int8, not {a.dtype}")
        if a.shape != (2, TRACK):
            raise InvalidPositionError(f"a position array has the shape (2, {TRACK}), not {a.shape}")
        return _checked(c, tuple(a[0].tolist()), tuple(a[1].tolist()), _turn(turn))

    @staticmethod
    def from_text(text, *, rules=TABULA):
        """The position that a text says: 26 letters and ``:w`` or ``:b``, as docs/notation.md describes.

        Raises InvalidTextError for what is not such a text and InvalidPositionError where the checkers cannot stand so under
        `rules`.

        >>> from tabula import BACKGAMMON, Position
        >>> Position.from_text("-b----E-C---eE---c-e----B-:w", rules=BACKGAMMON) == Position(BACKGAMMON)
        True
        """
        cdef CompiledRules c = compiled(rules)
        white, black, turn = _text.parse(text, rules=rules)
        return _checked(c, white, black, turn) if turn == WHITE else _checked(c, black, white, turn)

    @property
    def mover(self):
        """The track of the side to move, a tuple of 26 counts."""
        return _counts(&self.p.mover)

    @property
    def other(self):
        """The track of the side that is not to move, a tuple of 26 counts on its own track."""
        return _counts(&self.p.other)

    @property
    def turn(self):
        """The side to move, `WHITE` (0) or `BLACK` (1)."""
        return self.side

    @property
    def rules(self):
        """The `Rules` that the position stands under."""
        return self.c.rules

    @property
    def pips(self):
        """How far the checkers of the mover and of the other side still have to travel, 25 for a waiting one."""
        return _pips(&self.p.mover), _pips(&self.p.other)

    @property
    def outcome(self):
        """None while the game goes on; else who has won and how many points, as an `Outcome`."""
        if side_won(&self.c.c, &self.p.mover):
            return Outcome(self.side, points_won(&self.c.c, &self.p.other))
        if side_won(&self.c.c, &self.p.other):
            return Outcome(1 - self.side, points_won(&self.c.c, &self.p.mover))
        return None

    def swap_sides(self):
        """The same board with the other side to move: `mover` and `other` change places, and so does the turn.

        >>> from tabula import BLACK, Position
        >>> Position().swap_sides().turn == BLACK
        True
        """
        cdef tabula_position turned
        turned.mover = self.p.other
        turned.other = self.p.mover
        return _position(self.c, &turned, 1 - self.side)

    def to_array(self):
        """A new int8 array of shape (2, 26): row 0 the side to move, row 1 the other, each on its own track.

        >>> from tabula import BACKGAMMON, Position
        >>> Position(BACKGAMMON).to_array()[0, :13]
        array([0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5], dtype=int8)
        """
        a = np.empty((2, TRACK), np.int8)
        cdef int8_t[:, ::1] view = a
        side_to_counts(&self.p.mover, &view[0, 0])
        side_to_counts(&self.p.other, &view[1, 0])
        return a

    def to_text(self):
        """The position as 26 letters and the side to move, which `from_text` reads back under the same rules.

        >>> from tabula import Position
        >>> Position().to_text()
        'O------------------------o:w'
        """
        mover, other = self.mover, self.other
        white, black = (mover, other) if self.side == WHITE else (other, mover)
        return _text.to_text(white, black, self.side, rules=self.c.rules)

    def plays(self, roll):
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
        cdef uint8_t dice[TABULA_MAX_DICE]
        _parse(self.c, roll, dice)
        return _plays(self, dice)

    def count(self, roll):
        """How many distinct legal plays a roll has: ``len(position.plays(roll))``, with none of them kept.

        >>> from tabula import Position
        >>> Position().count("652")
        4
        """
        cdef uint8_t dice[TABULA_MAX_DICE]
        cdef int n
        _parse(self.c, roll, dice)
        n = count(&self.c.c, &self.p, dice)
        if n < 0:
            raise MemoryError
        return n

    def parse_play(self, text, roll, *, hits="marked"):
        """The one legal play of a roll that a text tells, lenient in form and strict in meaning: `tabula.notation.parse_play`.

        Raises InvalidTextError for what is not notation, IllegalPlayError with the reason for what no legal play does, and
        AmbiguousPlayError with the candidates for what several do.

        >>> from tabula import BACKGAMMON, Position
        >>> Position(BACKGAMMON).parse_play("24/18, 13/11", "62")
        <Play 24/18 13/11 with 6-2>
        """
        from tabula.notation.play_read import parse_play
        return parse_play(self, text, roll, hits=hits)

    def apply(self, play, roll=None):
        """The position after a play, the other side to move.

        Parameters
        ----------
        play
            A `Play` of this position; or, with `roll`, its moves in an order that can be made: `Move` or (source, die) each.
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
        """
        cdef Plays plays
        if isinstance(play, Play):
            if (<Play>play).start != self:
                raise IllegalPlayError("the play is one of another position")
            if roll is not None and _dice.parse(roll, self.c.c.dice) != play.roll:
                raise IllegalPlayError(f"the play is one of {_dice.to_text(play.roll)}, not of the roll given")
            return play.position
        if roll is None:
            raise TypeError("apply() needs a Play, or moves and their roll")
        plays = self.plays(roll)
        return plays._ended(_steps(play))

    def __eq__(self, other):
        cdef Position that
        if not isinstance(other, Position):
            return NotImplemented
        that = <Position>other
        return (
            self.p.mover.lo == that.p.mover.lo and self.p.mover.hi == that.p.mover.hi
            and self.p.other.lo == that.p.other.lo and self.p.other.hi == that.p.other.hi
            and self.side == that.side
            and (self.c is that.c or self.c.rules == that.c.rules)
        )

    def __hash__(self):
        return hash((self.p.mover.lo, self.p.mover.hi, self.p.other.lo, self.p.other.hi, self.side, self.c.rules))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _position_from_text, (self.to_text(), self.c.rules)

    def __repr__(self):
        return f"Position.from_text({self.to_text()!r}, rules={self.c.rules!r})"

    def __str__(self):
        from tabula.render.text import board
        return board(self)

    def _repr_svg_(self):
        """The board as a picture, which is how a notebook shows a position."""
        from tabula.render.svg import board
        return board(self, size=560)


cdef Position _position(CompiledRules c, const tabula_position *p, int side):
    """A position known to be legal."""
    cdef Position made = Position.__new__(Position)
    made.c = c
    made.p = p[0]
    made.side = side
    return made


cdef Position _checked(CompiledRules c, tuple mover, tuple other, int side):
    """A position of two tracks of 26 integers, or InvalidPositionError saying what is wrong with them."""
    rules = c.rules
    cdef tabula_position p
    cdef int8_t counts[2][26]
    for row, (name, track) in enumerate((("mover", mover), ("other", other))):
        for index, checkers in enumerate(track):
            if checkers < 0:
                raise InvalidPositionError(
                    f"{name} has {short_repr(checkers)} checkers {_where(rules, index)}: a count cannot be negative"
                )
            if checkers > rules.limit and 0 < index < OFF and rules.stack_limit is not None:
                raise InvalidPositionError(
                    f"{name} has {short_repr(checkers)} checkers {_where(rules, index)}, and at most {rules.limit} may stand on one"
                )
        if sum(track) != rules.checkers:
            raise InvalidPositionError(
                f"{name} has {short_repr(sum(track))} checkers in all, and these rules give a side {rules.checkers}"
            )
        for index, checkers in enumerate(track):
            counts[<int>row][<int>index] = checkers
    for point in range(1, OFF):
        if mover[point] and other[rules.facing(point)]:
            raise InvalidPositionError(
                f"both sides stand on one point: the mover's {rules.label(point)}, the other's {rules.label(rules.facing(point))}"
            )
    if mover[OFF] == other[OFF] == rules.checkers:
        raise InvalidPositionError("both sides have borne all checkers off, and only one can have won")
    side_from_counts(counts[0], &p.mover)
    side_from_counts(counts[1], &p.other)
    return _position(c, &p, side)


cdef str _where(rules, int index):
    """Where the checkers at a track index are."""
    return f"on point {rules.label(index)}" if 0 < index < OFF else ("waiting", "off")[index == OFF]


cdef tuple _track(str name, counts):
    cdef bint dimensions = isinstance(counts, np.ndarray) and counts.ndim > 0
    if isinstance(counts, (str, bytes)) or not (dimensions or isinstance(counts, collections.abc.Sequence)):
        raise TypeError(f"{name} must be a sequence of {TRACK} counts, not {short_repr(counts)}")
    if len(counts) != TRACK:
        raise InvalidPositionError(f"{name} must have {TRACK} counts, not {len(counts)}")
    cdef list track = []
    for index, checkers in enumerate(counts):
        track.append(whole(f"{name}[{index}]", checkers))
    return tuple(track)


cdef tuple _points(rules, str name, points, int waiting, int borne):
    if not isinstance(points, collections.abc.Mapping):
        raise TypeError(f"{name} must be a mapping of point to checkers, not {short_repr(points)}")
    track = [0] * TRACK
    track[0], track[OFF] = waiting, borne
    seen = set()
    for point, checkers in points.items():
        point = whole(f"a point of {name}", point)
        if not 1 <= point <= POINTS:
            raise InvalidPositionError(f"{name} has point {short_repr(point)}, and points are 1..{POINTS}")
        if point in seen:
            raise InvalidPositionError(f"{name} has point {point} twice")
        seen.add(point)
        track[rules.number(point)] = whole(f"{name}'s checkers on {point}", checkers)
    return tuple(track)


cdef tuple _pair(str name, pair):
    if isinstance(pair, (str, bytes)) or not isinstance(pair, collections.abc.Sequence):
        raise TypeError(f"{name} must be two counts, the mover's and the other's, not {short_repr(pair)}")
    if len(pair) != 2:
        raise InvalidPositionError(f"{name} must be two counts, the mover's and the other's, not {short_repr(pair)}")
    counts = (whole(name, pair[0]), whole(name, pair[1]))
    for checkers in counts:
        if not 0 <= checkers <= 15:
            raise InvalidPositionError(f"{name} must be counts of 0..15, not {short_repr(checkers)}")
    return counts


cdef int _turn(turn) except -1:
    return white_or_black("turn", turn)


cdef tuple _counts(const tabula_side *side):
    cdef int8_t counts[26]
    cdef list track = []
    cdef int i
    side_to_counts(side, counts)
    for i in range(TABULA_TRACK):
        track.append(counts[i])
    return tuple(track)


cdef int _pips(const tabula_side *side):
    cdef int index, pips = 0
    for index in range(TABULA_OFF):
        pips += (TABULA_OFF - index) * side_count(side, index)
    return pips


cdef int _parse(CompiledRules c, roll, uint8_t *dice) except -1:
    """The dice of a roll, the largest first."""
    cdef Py_ssize_t n = c.c.dice, i, j
    cdef long die
    cdef int overflow
    if type(roll) is tuple and PyTuple_GET_SIZE(roll) == n:
        for i in range(n):
            item = <object>PyTuple_GET_ITEM(roll, i)
            if not PyLong_CheckExact(item):
                break
            die = PyLong_AsLongAndOverflow(item, &overflow)
            if not 1 <= die <= 6:
                break
            j = i
            while j and dice[j - 1] < die:
                dice[j] = dice[j - 1]
                j -= 1
            dice[j] = <uint8_t>die
        else:
            return 0
    for i, face in enumerate(_dice.parse(roll, n)):
        dice[i] = face
    return 0


def _position_from_text(text, rules):
    return Position.from_text(text, rules=rules)


# ---------------------------------------------------------------------------------------------------------------------- plays

@cython.final
@cython.freelist(256)
@cython.no_gc
cdef class Play:
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

    cdef Position start
    cdef uint8_t dice[TABULA_MAX_DICE]
    cdef tabula_play play

    def __init__(self):
        raise TypeError("a Play comes from Position.plays(roll)")

    @property
    def origin(self):
        """The position that the play starts from."""
        return self.start

    @property
    def roll(self):
        """The roll played, the largest die first."""
        return _roll(self.start.c, self.dice)

    @property
    def position(self):
        """The afterstate: the position after the play, the other side to move."""
        return _afterstate(self.start, &self.play)

    @property
    def moves(self):
        """The moves, a tuple of `Move` in an order that can be made; empty for a pass."""
        cdef tabula_move moves[TABULA_MAX_MOVES]
        cdef int i, n = moves_of(&self.start.c.c, &self.start.p, self.dice, &self.play, moves)
        cdef list made = []
        for i in range(n):
            made.append(Move(moves[i].source, moves[i].target, moves[i].die, bool(moves[i].hit)))
        return tuple(made)

    def __eq__(self, other):
        cdef Play that
        if not isinstance(other, Play):
            return NotImplemented
        that = <Play>other
        return (
            self.play.lo == that.play.lo and self.play.hi == that.play.hi
            and self.start == that.start and self.roll == that.roll
        )

    def __hash__(self):
        return hash((self.start, self.roll, self.play.lo, self.play.hi))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        cdef list steps = []
        for move in self.moves:
            steps.append((move.source, move.die))
        return _play_from_moves, (self.start, self.roll, tuple(steps))

    def __repr__(self):
        return f"<Play {self} with {_dice.to_text(self.roll)}>"

    def __str__(self):
        from tabula.notation.play_write import play_text
        return play_text(self)

    def _repr_svg_(self):
        """The board that the play starts from with its moves as arrows, which is how a notebook shows a play."""
        from tabula.render.svg import board
        return board(self.start, play=self, size=560)


def _play_from_moves(origin, roll, moves):
    cdef Position start = <Position?>origin
    cdef Plays plays = start.plays(roll)
    return plays[plays.index(plays._ended(_steps(moves)))]


cdef Position _afterstate(Position start, const tabula_play *play):
    cdef tabula_position after
    apply_play(&start.c.c, &start.p, play, &after)
    swap_sides(&after)
    return _position(start.c, &after, 1 - start.side)


cdef tuple _roll(CompiledRules c, const uint8_t *dice):
    cdef list roll = []
    cdef int i
    for i in range(c.c.dice):
        roll.append(dice[i])
    return tuple(roll)


cdef Plays _plays(Position start, const uint8_t *dice):
    """The root view: the only one that owns plays."""
    cdef Plays made
    cdef int n, used
    cdef tabula_play *found = borrow()
    if found == NULL:
        raise MemoryError
    n = generate(&start.c.c, &start.p, dice, found, &used)
    made = Plays.__new__(Plays)
    made.held = <tabula_play *>PyMem_RawMalloc(n * sizeof(tabula_play))
    if made.held == NULL:
        give_back(found)
        raise MemoryError
    memcpy(made.held, found, n * sizeof(tabula_play))
    give_back(found)
    made.all = made.held
    made.first = 0
    made.stride = 1
    made.n = n
    made.used = used
    made.start = start
    memcpy(made.dice, dice, TABULA_MAX_DICE)
    return made


@cython.final
@cython.freelist(64)
@cython.no_gc
cdef class Plays:
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

    cdef Position start
    cdef uint8_t dice[TABULA_MAX_DICE]
    cdef int used
    cdef tabula_play *held
    cdef Plays owner
    cdef const tabula_play *all
    cdef Py_ssize_t first
    cdef Py_ssize_t stride
    cdef Py_ssize_t n

    def __init__(self):
        raise TypeError("Plays come from Position.plays(roll)")

    def __dealloc__(self):
        PyMem_RawFree(self.held)

    @property
    def position(self):
        """The position that the plays start from."""
        return self.start

    @property
    def roll(self):
        """The roll, the largest die first."""
        return _roll(self.start.c, self.dice)

    @property
    def dice_used(self):
        """How many dice each of the plays uses: as many as can be played, 0..4."""
        return self.used

    @property
    def positions(self):
        """The afterstates as a new int8 array of shape (n, 2, 26), with sides swapped: row 0 is the next player."""
        a = _empty((self.n, 2, TRACK), _INT8)
        cdef Py_buffer view
        if self.n:
            PyObject_GetBuffer(a, &view, PyBUF_WRITABLE)
            unpack_plays(&self.start.c.c, &self.start.p, self._at(0), self.n, self.stride, <int8_t *>view.buf)
            PyBuffer_Release(&view)
        return a

    def after(self, *moves):
        """How a turn can go on after these moves, each a `Move` or (source, die), so that it still becomes a legal play.

        Returns a pair: `moves`, the single moves that can come next as a tuple of `Move`, and `may_end`, whether the moves made
        are a whole legal play. Slices of plays answer as the whole does.

        Raises IllegalPlayError if no legal play starts with these moves.

        >>> from tabula import BACKGAMMON, Position
        >>> plays = Position(BACKGAMMON).plays("61")
        >>> plays.after((12, 6)).moves[0], plays.after((12, 6), (17, 1)).may_end
        (Move(source=1, target=2, die=1, hit=False), True)
        """
        cdef uint32_t sources[7]
        cdef tabula_play reached
        cdef int most, die, source
        steps = _steps(moves)
        most = self._follow(steps, &reached, sources)
        if most < 0:
            self._refuse(steps, False)
        cdef tabula_position now
        apply_play(&self.start.c.c, &self.start.p, &reached, &now)
        coming = []
        for die in range(1, 7):
            for source in range(TABULA_OFF):
                if sources[die] >> source & 1:
                    coming.append(_move(self.start.c, &now, source, die))
        return Next(tuple(sorted(coming)), len(steps) == most)

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        cdef Py_ssize_t i
        cdef Plays view
        if isinstance(index, slice):
            within = range(self.n)[index]
            view = Plays.__new__(Plays)
            view.owner = self if self.owner is None else self.owner
            view.all = self.all
            view.n = len(within)
            view.first = self.first + self.stride * <Py_ssize_t>within.start
            view.stride = self.stride * <Py_ssize_t>within.step if view.n > 1 else 1
            view.start = self.start
            view.used = self.used
            memcpy(view.dice, self.dice, TABULA_MAX_DICE)
            return view
        i = PyNumber_AsSsize_t(index, IndexError)
        if i < 0:
            i += self.n
        if not 0 <= i < self.n:
            raise IndexError(f"index {short_repr(index)} is out of range for {self.n} plays")
        return self._play(i)

    def __iter__(self):
        cdef Py_ssize_t i
        for i in range(self.n):
            yield self._play(i)

    def __reversed__(self):
        return iter(self[::-1])

    def __contains__(self, item):
        try:
            return self._find(item) >= 0
        except (TypeError, ValueError):
            return False

    def index(self, item, start=0, stop=None):
        """The index of a play, of an afterstate or of a play's moves.

        Raises ValueError if it is not there, or not within ``[start:stop]``, and TypeError for what is none of the three.

        >>> from tabula import Position
        >>> plays = Position().plays("652")
        >>> plays.index([(0, 6), (0, 5), (0, 2)]), plays.index(plays[1].position)
        (0, 1)
        """
        cdef Py_ssize_t found = self._find(item)
        if found < 0 or found not in range(self.n)[slice(start, stop)]:
            raise ValueError(f"{short_repr(item)} is not among the plays")
        return found

    def count(self, item):
        """1 if the item is among the plays, else 0: they are distinct.

        >>> from tabula import Position
        >>> plays = Position().plays("652")
        >>> plays.count(plays[0]), plays.count([(0, 6), (0, 5)])
        (1, 0)
        """
        return int(item in self)

    def __eq__(self, other):
        cdef Plays that
        cdef Py_ssize_t i
        if not isinstance(other, Plays):
            return NotImplemented
        that = <Plays>other
        if self.n != that.n or self.start != that.start or self.roll != that.roll:
            return False
        for i in range(self.n):
            if not _same(self._at(i), that._at(i)):
                return False
        return True

    def __hash__(self):
        return hash((self.start, self.roll, self.n, tuple(self[:1])))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _plays_from_slice, (self.start, self.roll, self.first, self.stride, self.n)

    def __repr__(self):
        return f"<{self.n} play{'' if self.n == 1 else 's'} of {_dice.to_text(self.roll)} from {self.start.to_text()}>"

    def _repr_html_(self):
        """A table of small boards, which is how a notebook shows plays."""
        from tabula.render.html import table
        return table(self)

    cdef const tabula_play *_at(self, Py_ssize_t i):
        return self.all + (self.first + i * self.stride)

    cdef Play _play(self, Py_ssize_t i):
        cdef Play made = Play.__new__(Play)
        made.start = self.start
        made.play = self._at(i)[0]
        memcpy(made.dice, self.dice, TABULA_MAX_DICE)
        return made

    cdef Py_ssize_t _find(self, item) except -2:
        """The index of a play, an afterstate or moves; -1 if it is not there; TypeError if it is none of these."""
        cdef tabula_play wanted
        cdef uint32_t sources[7]
        cdef Py_ssize_t i
        cdef Position reached
        if isinstance(item, Play):
            if (<Play>item).start != self.start or item.roll != self.roll:
                return -1
            wanted = (<Play>item).play
        elif isinstance(item, Position):
            reached = <Position>item
            for i in range(self.n):
                if _afterstate(self.start, self._at(i)) == reached:
                    return i
            return -1
        else:
            steps = _steps(item)
            try:
                if self._follow(steps, &wanted, sources) != len(steps):
                    return -1
            except IllegalPlayError:  # a Move that says what does not happen
                return -1
        for i in range(self.n):
            if _same(self._at(i), &wanted):
                return i
        return -1

    cdef int _follow(self, list steps, tabula_play *reached, uint32_t *sources) except -2:
        """How many dice a play uses that starts with these steps, or -1; IllegalPlayError if a `Move` tells another move."""
        cdef uint8_t made[2 * TABULA_MAX_MOVES]
        cdef int i, most = -1
        cdef tabula_position now
        cdef tabula_play at
        if len(steps) <= TABULA_MAX_MOVES and not self._over():
            for i, (source, die, _) in enumerate(steps):
                made[2 * i] = source
                made[2 * i + 1] = die
            most = follow(&self.start.c.c, &self.start.p, self.dice, made, len(steps), reached, sources)
        if most < 0:
            return -1
        for i, (source, die, move) in enumerate(steps):
            if move is None:
                continue
            follow(&self.start.c.c, &self.start.p, self.dice, made, i, &at, sources)
            apply_play(&self.start.c.c, &self.start.p, &at, &now)
            real = _move(self.start.c, &now, source, die)
            if real != move:
                raise IllegalPlayError(f"{move} says what does not happen: moving from {source} with a {die} is {real}")
        if follow(&self.start.c.c, &self.start.p, self.dice, made, len(steps), reached, sources) != most:
            raise AssertionError("the moves were followed before")
        return most

    cdef bint _over(self):
        return game_over(&self.start.c.c, &self.start.p)

    cdef int _refuse(self, list steps, bint whole_play) except -1:
        """Raises IllegalPlayError with the reason that the reference finds."""
        from tabula import reference
        told = []
        for source, die, _ in steps:
            told.append(reference.Step(source, die))
        raise IllegalPlayError(
            reference.explain(self.start.c.rules, self.start.mover, self.start.other, self.roll, told, whole=whole_play)
        )

    cdef Position _ended(self, list steps):
        """The position after steps that are a whole legal play; IllegalPlayError with the reason if they are not."""
        cdef tabula_play reached
        cdef uint32_t sources[7]
        if self._follow(steps, &reached, sources) != <int>len(steps):
            self._refuse(steps, True)
        return _afterstate(self.start, &reached)


def _plays_from_slice(origin, roll, first, stride, n):
    cdef Position position = <Position?>origin
    plays = position.plays(roll)
    if n == 0:
        return plays[:0]
    stop = first + n * stride
    return plays[first:stop if stop >= 0 else None:stride]


cdef inline bint _same(const tabula_play *one, const tabula_play *two) noexcept:
    return one.lo == two.lo and one.hi == two.hi


cdef object _move(CompiledRules c, const tabula_position *now, int source, int die):
    """A move that can be made from `now`, the mover's side first."""
    cdef int target = min(source + die, <int>TABULA_OFF)
    cdef bint hit = False
    if target < TABULA_OFF:
        hit = side_count(&now.other, facing(&c.c, target)) == 1
    return Move(source, target, die, bool(hit))


cdef list _steps(moves):
    """Moves as (source, die, the Move itself or None)."""
    try:
        told = None if isinstance(moves, (str, bytes, collections.abc.Set, collections.abc.Mapping)) else iter(moves)
    except TypeError:
        told = None
    if told is None:
        raise TypeError(f"moves must be a sequence of Move or (source, die), not {short_repr(moves)}")
    steps = []
    # No roll has as many moves, so that whatever comes after these changes nothing; it may have no end.
    for move in itertools.islice(told, TABULA_MAX_MOVES + 1):
        if isinstance(move, Move):
            source, die = move.source, move.die
        else:
            try:
                source, die = move
            except (TypeError, ValueError):
                raise TypeError(f"a move must be a Move or (source, die), not {short_repr(move)}") from None
        source, die = whole("a move's source", source), whole("a move's die", die)
        if not 0 <= source < OFF:
            raise ValueError(f"a move's source must be 0..{POINTS}, not {short_repr(source)}")
        if not 1 <= die <= 6:
            raise ValueError(f"a move's die must be 1..6, not {short_repr(die)}")
        steps.append((source, die, move if isinstance(move, Move) else None))
    return steps


collections.abc.Sequence.register(Plays)


def count_leaves(Position position not None, int depth, bint build=False):
    """Leaves `depth` plies on, with the GIL released; `build` builds the last ply where it could be counted.

    `tabula.perft` is the public face.

    >>> count_leaves(Position(), 1)
    222
    """
    cdef int64_t leaves
    if depth < 0:
        raise ValueError(f"depth must be 0 or more, not {depth}")
    with nogil:
        leaves = native_perft(&position.c.c, &position.p, depth, build)
    if leaves < 0:
        raise MemoryError
    return leaves
