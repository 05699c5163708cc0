# cython: nonecheck=True
# Play.__new__(Play) has no origin: whoever makes one gets an exception, not a crash.
"""Positions, moves, plays and the view of all plays of a roll: thin classes over the native generator.

One module in several files, for positions and plays make each other: `Position` stands here, texts of positions in letters.pxi,
`Play` and `Plays` in plays.pxi, moves that callers give in given_moves.pxi, the text of a play in play_text.pxi.
"""

cimport cython
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDED_RO, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from cpython.number cimport PyNumber_AsSsize_t
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from tabula._core cimport (
    TABULA_ABI_VERSION, TABULA_LAYOUT, TABULA_MAX_DICE, TABULA_MAX_MOVES, TABULA_OFF, TABULA_POINTS, TABULA_TRACK, CompiledRules,
    apply as apply_play, borrow, compiled, count, facing, follow, stuck, game_over, generate, give_back, moves_of, moves_of_all,
    pack_position,
    outcome, perft as native_perft, side_count, side_to_counts, swap_sides, tabula_move, tabula_play,
    tabula_position, tabula_side, times_played, unpack_plays, wrong_position,
)

import collections.abc
import itertools
import typing

import numpy as np

from tabula import dice as _dice
from tabula import games, legality
from tabula._arguments import flag, white_or_black, whole
from tabula._core import same_build
from tabula.errors import IllegalPlayError, InvalidPositionError, InvalidTextError, quoted, short_repr
from tabula.rules import OFF, POINTS, PRESETS, TABULA, TRACK, WHITE, Rules

__all__ = [
    "Move", "Next", "Outcome", "Play", "Plays", "Position", "checked_position", "count_leaves", "find_play", "play_text",
    "position_from_runs",
]

same_build(__name__, TABULA_ABI_VERSION, TABULA_LAYOUT)

cdef extern from "Python.h":
    int PyLong_CheckExact(object)
    long PyLong_AsLongAndOverflow(object, int *overflow) except? -1
    object PyWeakref_NewRef(object, void *callback)


include "tuples.pxi"


_empty = np.empty
_INT8 = np.dtype(np.int8)
cdef object _ndarray = np.ndarray
cdef object _Move = Move
cdef CompiledRules DEFAULT = compiled(TABULA)

# The presets by name, and their names: a pickle of a position says which of them it stands under.
cdef dict PRESET = {}
cdef dict PRESET_NAME = {}
for _name, _rules in PRESETS.items():
    PRESET[_name] = compiled(_rules)
    PRESET_NAME[PRESET[_name]] = _name


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

    def __cinit__(self, *args, **kwargs):
        # There is no __init__: called again, it would change a position that other threads may be looking at.
        self.compiled_rules = _rules_given(args, kwargs) if args or kwargs else DEFAULT
        self.p.mover = self.compiled_rules.c_rules.setup
        self.p.other = self.compiled_rules.c_rules.setup_other

    @staticmethod
    def from_tracks(mover, other, *, rules, turn=WHITE):
        """The position with these two tracks, the side to move first, each 26 counts on its own side's track.

        Raises InvalidPositionError where the checkers cannot stand so under `rules`, TypeError for counts that are not integers,
        and ValueError for a `turn` that is neither `WHITE` nor `BLACK`.

        >>> from tabula import BACKGAMMON, Position
        >>> Position.from_tracks(BACKGAMMON.setup, BACKGAMMON.setup, rules=BACKGAMMON) == Position(BACKGAMMON)
        True
        """
        cdef CompiledRules compiled_rules = _compiled(rules)
        cdef int8_t counts[2 * TABULA_TRACK]
        if _plain_track(mover, counts) and _plain_track(other, counts + TABULA_TRACK):
            return _legal(compiled_rules, counts, _turn(turn))
        return _of_tracks(compiled_rules, _track("mover", mover), _track("other", other), _turn(turn))

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
        cdef CompiledRules compiled_rules = compiled(rules)
        waiting, borne = _pair("bar", bar), _pair("off", off)
        tracks = (
            _points(rules, "mover", mover, waiting[0], borne[0]),
            _points(rules, "other", other, waiting[1], borne[1]),
        )
        return _of_tracks(compiled_rules, tracks[0], tracks[1], _turn(turn))

    @staticmethod
    def from_array(a, *, rules, turn=WHITE):
        """The position in an int8 array of shape (2, 26): row 0 the side to move, row 1 the other, each on its own track.

        The array is copied; it may be read-only or not contiguous. Raises TypeError for anything but an int8 array and
        InvalidPositionError for another shape or checkers that cannot stand so under `rules`.

        >>> from tabula import TABULA, Position
        >>> Position.from_array(Position().to_array(), rules=TABULA) == Position()
        True
        """
        cdef CompiledRules compiled_rules = _compiled(rules)
        cdef int8_t counts[2 * TABULA_TRACK]
        if _plain_array(a, counts):
            return _legal(compiled_rules, counts, _turn(turn))
        if not isinstance(a, np.ndarray):
            raise TypeError(f"a position array must be a numpy.ndarray, not {type(a).__name__}")
        if a.dtype != np.int8:
            raise TypeError(f"a position array must be int8, not {a.dtype}")
        if a.shape != (2, TRACK):
            raise InvalidPositionError(f"a position array has the shape (2, {TRACK}), not {a.shape}")
        return _of_tracks(compiled_rules, tuple(a[0].tolist()), tuple(a[1].tolist()), _turn(turn))

    @staticmethod
    def from_text(text, *, rules=None):
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
        cdef CompiledRules compiled_rules
        cdef int8_t counts[2 * TABULA_TRACK]
        cdef int turn
        if not isinstance(text, str):
            raise TypeError(f"a position text must be a str, not {short_repr(text)}")
        if type(text) is not str:
            text = str.__str__(text)
        if rules is None or len(text) != TEXT_LENGTH:
            text, rules = without_name(<str>text, rules)
        compiled_rules = _compiled(rules)
        turn = read_letters(compiled_rules, <str>text, counts)
        if turn < 0:
            raise refusal_of_letters(compiled_rules, <str>text)
        return _legal(compiled_rules, counts, turn)

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
        return self.compiled_rules.rules

    @property
    def pips(self):
        """The pips that the mover's checkers and the other side's still have to travel, 25 for a waiting one."""
        return _pips(&self.p.mover), _pips(&self.p.other)

    @property
    def outcome(self):
        """None while the game goes on; else who has won and how many points, as an `Outcome`."""
        cdef int points = outcome(&self.compiled_rules.c_rules, &self.p)
        if points == 0:
            return None
        return Outcome(self.side, points) if points > 0 else Outcome(1 - self.side, -points)

    @property
    def stuck(self):
        """Whether neither side can move, whatever is thrown: both would pass for ever, and nobody wins.

        It happens where blots block or piles may not grow. A game that is over is not stuck.

        >>> from tabula import Position
        >>> Position().stuck
        False
        """
        return bool(stuck(&self.compiled_rules.c_rules, &self.p))

    def swap_sides(self):
        """The same board with the other side to move: `mover` and `other` change places, and so does the turn.

        >>> from tabula import BLACK, Position
        >>> Position().swap_sides().turn == BLACK
        True
        """
        cdef tabula_position board = self.p
        swap_sides(&board)
        return _position(self.compiled_rules, &board, 1 - self.side)

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

    def to_text(self, *, rules=False):
        """The position as 26 letters and the side to move; with ``rules=True``, the name of the rules and a colon in front.

        `from_text` reads it back: the letters alone under the same rules, the text with a preset's name without them. ValueError
        for rules that have a preset's name and are others.

        >>> from tabula import Position
        >>> Position().to_text()
        'O------------------------o:w'
        >>> Position().to_text(rules=True)
        'tabula:O------------------------o:w'
        """
        text = write_letters(self.compiled_rules, &self.p, self.side)
        flag("rules", rules)
        return with_name(self.compiled_rules.rules, text) if rules else text

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
        _parse(self.compiled_rules, roll, dice)
        return _plays(self, dice)

    def count(self, roll):
        """How many distinct legal plays a roll has: ``len(position.plays(roll))``, without listing them.

        >>> from tabula import Position
        >>> Position().count("652")
        4
        """
        cdef uint8_t dice[TABULA_MAX_DICE]
        cdef int n
        _parse(self.compiled_rules, roll, dice)
        n = count(&self.compiled_rules.c_rules, &self.p, dice)
        if n < 0:
            raise MemoryError
        return n

    def parse_play(self, text, roll, *, hits="marked"):
        """The one legal play of a roll that a text names, lenient in form and strict in meaning: `tabula.notation.parse_play`.

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
        cdef uint8_t dice[TABULA_MAX_DICE]
        if isinstance(play, Play):
            if (<Play>play).start != self:
                raise IllegalPlayError("the play is one of another position")
            if roll is not None and _dice.parse(roll, self.compiled_rules.c_rules.dice) != play.roll:
                raise IllegalPlayError(f"the play is one of {_dice.to_text(play.roll)}, not of the roll given")
            return play.position
        if roll is None:
            raise TypeError("apply() needs a Play, or moves and their roll")
        if isinstance(play, str):
            return self.parse_play(play, roll).position
        _parse(self.compiled_rules, roll, dice)
        return _plays(self, dice)._end_of(play)

    def __eq__(self, other):
        cdef Position that
        if not isinstance(other, Position):
            return NotImplemented
        that = <Position>other
        return (
            same_board(&self.p, &that.p) and self.side == that.side
            and same_rules(self, that)
        )

    def __hash__(self):
        # Equal rules need not be one object, and positions under different rules are rarely in one table: the board is enough.
        cdef uint64_t x = self.p.mover.lo ^ <uint64_t>self.side
        x = (x ^ x >> 32) * <uint64_t>0x9E3779B97F4A7C15 ^ self.p.mover.hi
        x = (x ^ x >> 32) * <uint64_t>0xD6E8FEB86659FD93 ^ self.p.other.lo
        x = (x ^ x >> 32) * <uint64_t>0x9E3779B97F4A7C15 ^ self.p.other.hi
        x = (x ^ x >> 32) * <uint64_t>0xD6E8FEB86659FD93
        return <Py_hash_t>(x ^ x >> 32)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        rules = PRESET_NAME.get(self.compiled_rules) or self.compiled_rules.rules
        return _position_from_words, (rules, words_of(&self.p), self.side)

    def __repr__(self):
        return f"Position.from_text({self.to_text()!r}, rules={self.compiled_rules.rules!r})"

    def __str__(self):
        from tabula.render.text import board
        return board(self)

    def _repr_svg_(self):
        """The board as a picture, which is how a notebook shows a position."""
        return picture(self, None)


cdef Position _position(CompiledRules compiled_rules, const tabula_position *p, int side):
    """A position known to be legal."""
    cdef Position made = Position.__new__(Position)
    made.compiled_rules = compiled_rules
    made.p = p[0]
    made.side = side
    return made


cdef inline bint same_rules(Position one, Position two):
    return one.compiled_rules is two.compiled_rules or one.compiled_rules.rules == two.compiled_rules.rules


cdef inline bint same_board(const tabula_position *one, const tabula_position *two) noexcept:
    return (
        one.mover.lo == two.mover.lo and one.mover.hi == two.mover.hi
        and one.other.lo == two.other.lo and one.other.hi == two.other.hi
    )


cdef inline CompiledRules _compiled(rules):
    return DEFAULT if rules is DEFAULT.rules else compiled(rules)


cdef CompiledRules _rules_given(tuple args, dict kwargs):
    """The rules among the arguments of `Position(...)`."""
    if len(args) + len(kwargs) == 1:
        if args:
            return _compiled(args[0])
        if "rules" in kwargs:
            return _compiled(kwargs["rules"])
    given = ", ".join([*map(short_repr, args), *map("{0[0]}={0[1]}".format, zip(kwargs, map(short_repr, kwargs.values())))])
    raise TypeError(
        f"Position takes one argument, rules, and makes the start of a game; from_text, from_tracks, from_points and from_array "
        f"make other positions: Position({given})"
    )


cdef Position _legal(CompiledRules compiled_rules, const int8_t *counts, int side):
    """A position of 2 x 26 counts, or InvalidPositionError with what is wrong with them."""
    cdef tabula_position p
    if pack_position(&compiled_rules.c_rules, counts, &p):
        raise InvalidPositionError(legality.reason(compiled_rules.rules, _tuple(counts), _tuple(counts + TABULA_TRACK)))
    return _position(compiled_rules, &p, side)


cdef Position _of_tracks(CompiledRules compiled_rules, tuple mover, tuple other, int side):
    """A position of two tracks of 26 integers of any size."""
    cdef int8_t counts[2 * TABULA_TRACK]
    cdef tabula_position p
    cdef int i
    # A count outside 0..15 is illegal in any game; -1 and 16 stand for all of them, for larger ones do not fit into the array.
    for i in range(TABULA_TRACK):
        counts[i] = max(-1, min(mover[i], 16))
        counts[TABULA_TRACK + i] = max(-1, min(other[i], 16))
    if pack_position(&compiled_rules.c_rules, counts, &p):
        raise InvalidPositionError(legality.reason(compiled_rules.rules, mover, other))
    return _position(compiled_rules, &p, side)


cdef tuple _counts(const tabula_side *side):
    cdef int8_t counts[26]
    side_to_counts(side, counts)
    return _tuple(counts)


cdef tuple _tuple(const int8_t *counts):
    cdef list track = []
    cdef int i
    for i in range(TABULA_TRACK):
        track.append(counts[i])
    return tuple(track)


cdef int _pips(const tabula_side *side):
    cdef int index, pips = 0
    for index in range(TABULA_OFF):
        pips += (TABULA_OFF - index) * side_count(side, index)
    return pips


cdef bytes words_of(const tabula_position *p):
    """The four words of a position, 32 bytes, the lowest byte of each first."""
    cdef bytes data = PyBytes_FromStringAndSize(NULL, 32)
    cdef uint8_t *at = <uint8_t *>PyBytes_AS_STRING(data)
    cdef uint64_t[4] words = [p.mover.lo, p.mover.hi, p.other.lo, p.other.hi]
    cdef int i
    for i in range(32):
        at[i] = <uint8_t>(words[i // 8] >> 8 * (i % 8))
    return data


def _position_from_words(rules, bytes words not None, turn):
    """The position of a pickle, checked like any other input."""
    cdef CompiledRules compiled_rules
    cdef const uint8_t *at = <const uint8_t *>PyBytes_AS_STRING(words)
    cdef uint64_t[4] read = [0, 0, 0, 0]
    cdef tabula_position p
    cdef int i, side = _turn(turn)
    if type(rules) is str and rules not in PRESET:
        raise ValueError(f"rules must be a Rules or the name of a preset, {', '.join(PRESET)}, not {short_repr(rules)}")
    compiled_rules = PRESET[rules] if type(rules) is str else compiled(rules)
    if PyBytes_GET_SIZE(words) != 32:
        raise InvalidPositionError(f"a pickle of a position has 32 bytes, not {len(words)}")
    for i in range(32):
        read[i // 8] |= <uint64_t>at[i] << 8 * (i % 8)
    p.mover.lo, p.mover.hi, p.other.lo, p.other.hi = read[0], read[1], read[2], read[3]
    if (p.mover.hi | p.other.hi) >> 40:
        raise InvalidPositionError("a pickle of a position has bits where no count stands")
    if wrong_position(&compiled_rules.c_rules, &p):
        raise InvalidPositionError(legality.reason(compiled_rules.rules, _counts(&p.mover), _counts(&p.other)))
    return _position(compiled_rules, &p, side)


# From modules that import this one, hence imported when called.

cdef object picture(position, play):
    from tabula.render.svg import board
    return board(position, play=play, size=560)


cdef object table_of_pictures(plays):
    from tabula.render.html import table
    return table(plays)


cdef int refuse_moves(Plays plays, const GivenMoves *given, bint whole_play) except -1:
    """Raises IllegalPlayError with the reason that the reference finds."""
    from tabula import reference
    cdef Position start = plays.start
    cdef list steps = []
    cdef int i
    for i in range(given.n):
        steps.append(reference.Step(given.moves[2 * i], given.moves[2 * i + 1]))
    raise IllegalPlayError(reference.explain(start.rules, start.mover, start.other, plays.roll, steps, whole=whole_play))


include "inputs.pxi"
include "letters.pxi"
include "given_moves.pxi"
include "plays.pxi"
include "play_text.pxi"


def checked_position(position, str field="position"):
    """`position`, or a TypeError that names the field, for what is no `Position`.

    >>> checked_position("652", "start")
    Traceback (most recent call last):
    ...
    TypeError: start must be a Position, not '652'
    """
    if not isinstance(position, Position):
        raise TypeError(f"{field} must be a Position, not {short_repr(position)}")
    return position


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
        leaves = native_perft(&position.compiled_rules.c_rules, &position.p, depth, build)
    if leaves < 0:
        raise MemoryError
    return leaves
