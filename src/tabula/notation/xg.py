"""XGID, the position text of eXtreme Gammon that most forums use: ten fields with colons between them.

The fields are those of eXtreme Gammon's manual: board, cube, its owner, turn, dice, two scores, rule flags, match length, highest
cube. The board is drawn for the bottom player, upper case, who is white here; it does not turn with the turn.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from tabula import dice
from tabula._native.position import Position
from tabula.errors import InvalidTextError, invalid_text, short_repr
from tabula.notation.match_state import (
    MAX_LENGTH,
    MatchState,
    Reading,
    backgammon_writing,
    match_or_money_play,
    match_state_unchecked,
)
from tabula.rules import BACKGAMMON, BLACK, WHITE

if TYPE_CHECKING:
    from tabula.dice import Roll, RollLike

__all__ = ["looks_like_xgid", "read_xgid", "xgid"]

PREFIX: Final = "XGID="

_NAMES: Final = ("board", "cube", "cube owner", "turn", "dice", "bottom score", "top score", "rule", "match length", "highest cube")
_START: Final = re.compile(r"(?i:XGID=)|[-A-Oa-o]{26}:-?[0-9]")
_NUMBER: Final = re.compile(r"-?[0-9]{1,5}", re.ASCII)
_SMALL: Final = {str(number): number for number in range(-1, 32)}
_DICE: Final = re.compile(r"[1-6]{2}")
_OFFERS: Final[dict[str, Any]] = {"D": "double", "B": "beaver", "R": "raccoon"}
_TURNS: Final = {1: WHITE, -1: BLACK}
_MOST_DOUBLINGS: Final = 15


def xgid(position: Position, roll: RollLike | None = None, match: MatchState | None = None) -> str:
    """The XGID of a position, its prefix and all ten fields, with the roll that is to be played and the match.

    Facts that an XGID has no field for (a resignation, names) are left out. ValueError for rules other than backgammon's, for what
    is no roll of it, and for a roll beside an offer.

    >>> from tabula import BACKGAMMON, Position
    >>> xgid(Position(BACKGAMMON), "31")
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10'
    """
    backgammon_writing(position, "an XGID")
    match = match_or_money_play(match)
    thrown = "00" if roll is None else "".join(map(str, dice.parse(roll, BACKGAMMON.dice)))
    if match.offer is not None:
        if roll is not None:
            raise ValueError(f"an XGID tells of a roll or of an offer, and here are both: {thrown} and {match.offer!r}")
        thrown = next(letter for letter, offer in _OFFERS.items() if offer == match.offer)
    fields = (
        position.to_text().partition(":")[0],
        match.cube.bit_length() - 1,
        0 if match.owner is None else _sign(match.owner),
        _sign(position.turn),
        thrown,
        match.score[WHITE],
        match.score[BLACK],
        int(match.crawford) if match.length else match.jacoby + 2 * match.beavers,
        match.length,
        match.max_cube.bit_length() - 1,
    )
    return PREFIX + ":".join(map(str, fields))


def looks_like_xgid(text: str) -> bool:
    """Whether a text has the prefix, or letters and a number.

    >>> looks_like_xgid("-b----E-C---eE---c-e----B-:0:0:1"), looks_like_xgid("-b----E-C---eE---c-e----B-:w")
    (True, False)
    """
    return _START.match(text) is not None


def read_xgid(text: str) -> Reading:
    """The position, roll and match of an XGID, with its prefix or without.

    InvalidTextError for what is no XGID, naming the field, and InvalidPositionError for checkers that cannot stand so.

    >>> reading = read_xgid("XGID=-aa---EBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8")
    >>> reading.roll, reading.match.jacoby, reading.match.beavers, reading.match.max_cube
    ((6, 1), True, True, 256)
    """
    if not isinstance(text, str):
        raise TypeError(f"an XGID must be a str, not {short_repr(text)}")
    start = len(PREFIX) if text[: len(PREFIX)].upper() == PREFIX else 0
    fields = text[start:].split(":", len(_NAMES))
    if len(fields) != len(_NAMES):
        count = f"more than {len(_NAMES)}" if len(fields) > len(_NAMES) else len(fields)
        raise invalid_text(f"an XGID has {len(_NAMES)} fields, not {count}", text, start)
    numbers = _Fields(text, fields, start)
    turn = numbers.within("turn", -1, 1)
    if turn == 0:
        raise numbers.wrong("turn", "1 or -1")
    owner = numbers.within("cube owner", -1, 1)
    length = numbers.within("match length", 0, MAX_LENGTH)
    rule = numbers.within("rule", 0, 1 if length else 3)
    roll, offer = _thrown(numbers)
    match = match_state_unchecked(
        length=length,
        score=(numbers.within("bottom score", 0, MAX_LENGTH), numbers.within("top score", 0, MAX_LENGTH)),
        cube=1 << numbers.within("cube", 0, _MOST_DOUBLINGS),
        owner=_TURNS[owner] if owner else None,
        crawford=bool(length and rule),
        jacoby=bool(not length and rule & 1),
        beavers=bool(not length and rule & 2),
        max_cube=1 << numbers.within("highest cube", 0, _MOST_DOUBLINGS),
        offer=offer,
    )
    try:
        position = Position.from_text(f"{fields[0]}:{'w' if turn == 1 else 'b'}", rules=BACKGAMMON)
    except InvalidTextError as error:
        error.position = start
        raise
    return Reading(position, roll, match, text)


class _Fields:
    """The fields of one XGID, read by name; the first stands at `start` in the text."""

    def __init__(self, text: str, fields: list[str], start: int) -> None:
        self._text = text
        self._start = start
        self._fields = dict(zip(_NAMES, fields, strict=True))

    def text(self, name: str) -> str:
        return self._fields[name]

    def within(self, name: str, low: int, high: int) -> int:
        """The field as a number; InvalidTextError if it is none or out of range."""
        field = self._fields[name]
        number = _SMALL.get(field)
        if number is None and _NUMBER.fullmatch(field):
            number = int(field)
        if number is None or not low <= number <= high:
            raise self.wrong(name, f"{low} to {high}")
        return number

    def wrong(self, name: str, right: str) -> InvalidTextError:
        before = _NAMES[: _NAMES.index(name)]
        at = self._start + sum(len(self._fields[other]) + 1 for other in before)
        return invalid_text(f"the {name} of an XGID is {right}", self._text, at)


def _thrown(fields: _Fields) -> tuple[Roll | None, Any]:
    """The roll and the offer in the dice field, one of them at most."""
    field = fields.text("dice")
    if field in _OFFERS:
        return None, _OFFERS[field]
    if field == "00":
        return None, None
    if not _DICE.fullmatch(field):
        raise fields.wrong("dice", "two dice, 00, D, B or R")
    one, two = int(field[0]), int(field[1])
    return (max(one, two), min(one, two)), None


def _sign(side: int) -> int:
    return 1 if side == WHITE else -1
