"""GNU Backgammon's ids: the Position ID of 14 characters and the Match ID of 12.

The formats are those of the GNU Backgammon manual, "A technical description of the Position ID" and "... of the Match ID". That
program's player 1, who sits at the bottom and plays the X of its board, is white here, as its own reading of an XGID has it; its
player 0 is black.
"""

from __future__ import annotations

import binascii
import operator
import re
from typing import TYPE_CHECKING, Final

from tabula import dice
from tabula._arguments import white_or_black
from tabula._native.position import Position, position_from_runs
from tabula.errors import InvalidPositionError, InvalidTextError, invalid_text, short_repr
from tabula.notation.match_state import (
    STATES,
    MatchState,
    Reading,
    backgammon_writing,
    is_backgammon,
    match_or_money_play,
    match_state_unchecked,
)
from tabula.rules import BACKGAMMON, BLACK, OFF, POINTS, WHITE, Rules, checked_rules

if TYPE_CHECKING:
    from tabula.dice import Roll, RollLike

__all__ = [
    "MATCH_ID",
    "POSITION_ID",
    "from_match_id",
    "from_position_id",
    "gnubg_id",
    "looks_like_gnubg",
    "match_id",
    "position_id",
    "read_gnubg",
]

POSITION_ID: Final = 14
"""The characters of a Position ID."""

MATCH_ID: Final = 12
"""The characters of a Match ID."""

_ALPHABET: Final = re.compile(r"[A-Za-z0-9+/]*")
_IDS: Final = re.compile(r"[A-Za-z0-9+/]{14}(?:\Z|:[A-Za-z0-9+/]{0,12}\Z|:[A-Za-z0-9+/]{13})")
_POSITION_BYTES: Final = 10
_MATCH_BYTES: Final = 9
_CENTRED: Final = 3
_ONES: Final = tuple("1" * count for count in range(BACKGAMMON.checkers + 1))
_FIELDS: Final = (
    ("cube", 4),
    ("owner", 2),
    ("on roll", 1),
    ("crawford", 1),
    ("state", 3),
    ("decision", 1),
    ("doubled", 1),
    ("resignation", 2),
    ("first die", 3),
    ("second die", 3),
    ("length", 15),
    ("score 0", 15),
    ("score 1", 15),
    ("no jacoby", 1),
)
"""The fields of a Match ID and their bits, from the lowest bit up; what is left of the 72 is zero."""

_SHIFTS: Final = tuple(sum(width for _, width in _FIELDS[:i]) for i in range(len(_FIELDS)))
_PLACES: Final = tuple((shift, (1 << width) - 1) for shift, (_, width) in zip(_SHIFTS, _FIELDS, strict=True))
_USED_BITS: Final = sum(width for _, width in _FIELDS)


def position_id(position: Position) -> str:
    """The GNU Backgammon Position ID of a position, 14 characters. It tells who stands how, seen from the side on roll.

    ValueError for rules other than backgammon's, from its own start or another. Source: the GNU Backgammon manual.

    >>> from tabula import BACKGAMMON, Position
    >>> position_id(Position(BACKGAMMON))
    '4HPwATDgc/ABMA'
    """
    backgammon_writing(position, "a Position ID")
    counts = (*position.other[POINTS::-1], *position.mover[POINTS::-1])
    bits = int("0".join(map(_ONES.__getitem__, counts))[::-1], 2)
    return _letters(bits, _POSITION_BYTES)


def from_position_id(text: str, *, turn: int = WHITE, rules: Rules = BACKGAMMON) -> Position:
    """The position that a Position ID tells, with `turn` on roll: the id does not say which side that is.

    Nor does it say which game it is of: `rules` are backgammon's, or those of a game that differs from it in the start alone, as
    nackgammon and hypergammon do; ValueError for others. InvalidTextError for what is no Position ID, InvalidPositionError for one
    whose checkers cannot stand so. Source: the GNU Backgammon manual.

    >>> from_position_id("4HPwATDgc/ABMA").to_text()
    '-b----E-C---eE---c-e----B-:w'
    """
    if not is_backgammon(checked_rules(rules)):
        raise ValueError(f"a Position ID tells of backgammon positions only, and these are other rules: {short_repr(rules.name)}")
    data = _data(text, POSITION_ID, _POSITION_BYTES, "Position ID")
    position = position_from_runs(rules, data, turn)
    if position is None:
        raise _unlike_a_position(text, data, rules.checkers)
    return position


def _unlike_a_position(text: str, data: bytes, checkers: int) -> InvalidTextError | InvalidPositionError:
    """The error that says why the bits of a Position ID are no position."""
    # From the lowest bit up: as many ones as checkers stand on a point, then a zero, for each point of both sides.
    # With 30 ones at most the 80 bits have zeros enough for all 50 points; with more, a side has too many checkers.
    counts = [*map(len, f"{int.from_bytes(data, 'little'):0{8 * _POSITION_BYTES}b}"[::-1].split("0"))]
    for side, track in (("other side", counts[:OFF]), ("side on roll", counts[OFF : 2 * OFF])):
        if sum(track) > checkers:
            return InvalidPositionError(f"the Position ID {text!r} gives the {side} {sum(track)} checkers")
    return invalid_text("a Position ID ends with zero bits after the last checker", text, POSITION_ID - 1)


def match_id(turn: int, roll: RollLike | None = None, match: MatchState | None = None) -> str:
    """The GNU Backgammon Match ID of a match, 12 characters: `turn` is the side on roll, `roll` what it has thrown.

    Facts that a Match ID has no room for (beavers, the highest cube, names) are left out. ValueError for what is no roll of two
    dice. Source: the GNU Backgammon manual.

    >>> match_id(0)
    'cAkAAAAAAAAE'
    >>> match_id(0, "52", MatchState(length=9, score=(4, 2), cube=2, owner=1, jacoby=True))
    'QYkqASAAIAAA'
    """
    turn, match = white_or_black("turn", turn), match_or_money_play(match)
    faces = (0, 0) if roll is None else dice.parse(roll, BACKGAMMON.dice)
    decision = match.decision
    if decision is None:
        decision = _decides(turn, offered=match.offer is not None or match.resignation > 0)
    values = (
        match.cube.bit_length() - 1,
        _CENTRED if match.owner is None else _player(match.owner),
        _player(turn),
        match.crawford,
        STATES.index(match.state),
        _player(decision),
        match.offer is not None,
        match.resignation,
        *faces,
        match.length,
        match.score[BLACK],
        match.score[WHITE],
        not match.jacoby,
    )
    bits = sum(map(operator.lshift, values, _SHIFTS))
    return _letters(bits, _MATCH_BYTES)


def from_match_id(text: str) -> tuple[int, Roll | None, MatchState]:
    """The side on roll, its roll or None, and the match that a Match ID tells. Both endings, with and without Jacoby, are normal.

    InvalidTextError for what is no Match ID. Source: the GNU Backgammon manual.

    >>> turn, roll, match = from_match_id("QYkqASAAIAAA")
    >>> turn, roll, match.length, match.score, match.cube, match.owner
    (0, (5, 2), 9, (4, 2), 2, 1)
    """
    bits = int.from_bytes(_data(text, MATCH_ID, _MATCH_BYTES, "Match ID"), "little")
    if bits >> _USED_BITS:
        raise invalid_text("a Match ID ends with zero bits", text, MATCH_ID - 1)
    cube, owner, on_roll, crawford, state, decides, doubled, resignation, first, second, length, score_0, score_1, no_jacoby = [
        bits >> shift & mask for shift, mask in _PLACES
    ]
    if owner == 2:
        raise _unlike(text, "a cube owner of 2, and it is 0, 1 or 3")
    if state >= len(STATES):
        raise _unlike(text, f"a game state of {state}, and there are 0..{len(STATES) - 1}")
    if first > dice.FACES or second > dice.FACES or (first == 0) != (second == 0):
        raise _unlike(text, f"dice of {first} and {second}")
    turn, decision = _player(on_roll), _player(decides)
    match = match_state_unchecked(
        length=length,
        score=(score_1, score_0),
        cube=1 << cube,
        owner=None if owner == _CENTRED else _player(owner),
        crawford=bool(crawford),
        jacoby=not no_jacoby,
        offer="double" if doubled else None,
        resignation=resignation,
        decision=None if decision == _decides(turn, offered=bool(doubled or resignation)) else decision,
        state=STATES[state],
    )
    return turn, (max(first, second), min(first, second)) if first else None, match


def gnubg_id(position: Position, roll: RollLike | None = None, match: MatchState | None = None) -> str:
    """Position ID and Match ID of a position, with a colon between them, as GNU Backgammon writes and reads them.

    ValueError for rules other than backgammon's and for what is no roll of it.

    >>> from tabula import BACKGAMMON, Position
    >>> gnubg_id(Position(BACKGAMMON), "31")
    '4HPwATDgc/ABMA:cIkFAAAAAAAE'
    """
    return f"{position_id(position)}:{match_id(position.turn, roll, match)}"


def looks_like_gnubg(text: str) -> bool:
    """Whether a text is a Position ID, alone or with a colon and nothing but characters of a Match ID, however many.

    >>> looks_like_gnubg("4HPwATDgc/ABMA"), looks_like_gnubg("QYkqASAAIAAA")
    (True, False)
    """
    return _IDS.match(text) is not None


def read_gnubg(text: str, rules: Rules = BACKGAMMON) -> Reading:
    """What a Position ID says, alone or with a Match ID behind a colon; alone it has white on roll. `rules` as in
    `from_position_id`.

    InvalidTextError for what is no such text, InvalidPositionError for checkers that cannot stand so.

    >>> read_gnubg("4HPwATDgc/ABMA:QYkqASAAIAAA").roll
    (5, 2)
    """
    if not isinstance(text, str):
        raise TypeError(f"an id must be a str, not {short_repr(text)}")
    first, colon, second = text.partition(":")
    if not colon:
        return Reading(from_position_id(first, rules=rules), None, None, text)
    turn, roll, match = from_match_id(second)
    return Reading(from_position_id(first, turn=turn, rules=rules), roll, match, text)


def _letters(bits: int, size: int) -> str:
    """A number of so many bytes as the characters of an id."""
    return binascii.b2a_base64(bits.to_bytes(size, "little"), newline=False).rstrip(b"=").decode("ascii")


def _data(text: str, length: int, size: int, what: str) -> bytes:
    """The bytes that an id's characters say, the lowest first."""
    if not isinstance(text, str):
        raise TypeError(f"a {what} must be a str, not {short_repr(text)}")
    known = _ALPHABET.match(text)
    good = known.end() if known else 0
    if good < len(text):
        raise invalid_text(f"a {what} is made of letters, digits, + and /, not of {text[good]!r}", text, good)
    if len(text) != length:
        raise invalid_text(f"a {what} has {length} characters, not {len(text)}", text, min(len(text), length))
    padded = (text + "=" * (-len(text) % 4)).encode("ascii")
    data = binascii.a2b_base64(padded)
    if binascii.b2a_base64(data, newline=False) != padded:
        raise invalid_text(f"a {what} ends with zero bits", text, length - 1)
    return data[:size]


def _player(side: int) -> int:
    """GNU Backgammon's number of a side, or the side of that number: its player 1 is white."""
    return 1 - side


def _decides(turn: int, *, offered: bool) -> int:
    """The side to decide: the one on roll, or after an offer the other."""
    return 1 - turn if offered else turn


def _unlike(text: str, what: str) -> InvalidTextError:
    return InvalidTextError(f"the Match ID {text!r} has {what}")
