"""Any position text, read as what it is: one function that tells the formats apart and refuses what it cannot be sure of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabula import dice
from tabula._arguments import choice
from tabula._native.position import Position
from tabula.errors import InvalidTextError, quoted, short_repr
from tabula.notation.fibs import TAG, read_fibs
from tabula.notation.gnubg import MATCH_ID, POSITION_ID, gnubg_id, read_gnubg
from tabula.notation.match_state import Reading, backgammon_reading
from tabula.notation.xg import PREFIX, read_xgid, xgid
from tabula.rules import PRESETS, TRACK, Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabula.dice import RollLike

__all__ = ["FORMATS", "NATIVE_FORMATS", "convert", "read", "tabula_text"]

_LETTERS: Final = re.compile(rf"[-A-Oa-o]{{{TRACK}}}")
_ID: Final = re.compile(r"[A-Za-z0-9+/]+")
_CUBE: Final = re.compile(r"-?[0-9]")


def read(text: str, *, rules: Rules | None = None) -> Reading:
    """The position, roll and match that a text tells, in whichever of the known formats it is.

    The formats: the native text, ``letters:turn`` or ``letters:turn:roll:name``, where the roll may be empty and the name is one of
    the presets'; a GNU Backgammon Position ID, alone or with a Match ID behind a colon; an XGID; a FIBS board line.

    Parameters
    ----------
    rules
        The rules of a native text that names none; it must agree with what any other text says.

    Raises
    ------
    InvalidTextError
        For what is none of these, saying what it looked like.
    InvalidPositionError
        Where the checkers cannot stand so.

    Examples
    --------
    >>> read("4HPwATDgc/ABMA:cAkAAAAAAAAA").position.to_text()
    '-b----E-C---eE---c-e----B-:w'
    >>> read("O------------------------o:w:652:tabula").roll
    (6, 5, 2)
    >>> read("cAkAAAAAAAAA")
    Traceback (most recent call last):
    ...
    tabula.errors.InvalidTextError: 'cAkAAAAAAAAA' looks like a GNU Backgammon Match ID, which tells of no position by itself
    """
    if not isinstance(text, str):
        raise TypeError(f"a position text must be a str, not {short_repr(text)}")
    if rules is not None and not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules or None, not {short_repr(rules)}")
    try:
        return _read(text.strip(), rules)
    except InvalidTextError as error:
        if error.position is None:
            error.position = 0
        raise


def _read(told: str, rules: Rules | None) -> Reading:
    """What a text with no space around it tells."""
    if told.startswith(TAG):
        backgammon_reading(rules, "a FIBS board line")
        return read_fibs(told)
    board = told[TRACK : TRACK + 1] == ":" and _LETTERS.match(told)
    if told[: len(PREFIX)].upper() == PREFIX or (board and _CUBE.match(told, TRACK + 1)):
        backgammon_reading(rules, "an XGID")
        return read_xgid(told)
    if board:
        return _native(told, rules)
    first, colon, second = told[: POSITION_ID + MATCH_ID + 2].partition(":")
    if len(first) == POSITION_ID and _ID.fullmatch(first) and (not colon or _ID.fullmatch(second) or not second):
        backgammon_reading(rules, "a GNU Backgammon id")
        return read_gnubg(told)
    raise InvalidTextError(f"{quoted(told)} {_likeness(told)}")


def tabula_text(position: Position, roll: RollLike | None = None) -> str:
    """The native text with roll and game, ``letters:turn:roll:name``, which `read` needs no rules for.

    ValueError for rules that are none of the presets, for they have no name that `read` knows, and for what is no roll of them.

    >>> tabula_text(Position(), "652")
    'O------------------------o:w:652:tabula'
    """
    if not isinstance(position, Position):
        raise TypeError(f"position must be a Position, not {short_repr(position)}")
    rules = position.rules
    name = next((name for name, preset in PRESETS.items() if preset == rules), None)
    if name is None:
        raise ValueError(f"only the presets have a name in a position text, and these are other rules: {short_repr(rules.name)}")
    thrown = "" if roll is None else "".join(map(str, dice.parse(roll, rules.dice)))
    return f"{position.to_text()}:{thrown}:{name}"


_WRITERS: Final[dict[str, Callable[[Reading], str]]] = {
    "tabula": lambda reading: tabula_text(reading.position, reading.roll),
    "letters": lambda reading: reading.position.to_text(),
    "gnubg": lambda reading: gnubg_id(reading.position, reading.roll, reading.match),
    "xgid": lambda reading: xgid(reading.position, reading.roll, reading.match),
}

FORMATS: Final = tuple(_WRITERS)
"""What `convert` can write: the native text with roll and game, the native letters alone, GNU Backgammon's two ids, XGID."""

NATIVE_FORMATS: Final = ("tabula", "letters")
"""Those that hold a position of any game; the others are backgammon's."""


def convert(text: str, to: str, *, rules: Rules | None = None) -> str:
    """Any text that `read` reads, as the format `to`, one of `FORMATS`. What the other format has no room for is left out.

    Raises as `read` does, and ValueError for an unknown format or a game that the format does not know.

    >>> convert("4HPwATDgc/ABMA", "xgid")
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10'
    """
    return _WRITERS[choice("to", to, FORMATS)](read(text, rules=rules))


def _native(told: str, rules: Rules | None) -> Reading:
    """What ``letters:turn``, or that with a roll and a name, tells."""
    letters, turn, *more = told.split(":", 4)
    if len(more) > 2:
        raise InvalidTextError(f"{quoted(told)} has more than letters, turn, roll and name")
    thrown, name = [*more, "", ""][:2]
    if name:
        if name not in PRESETS:
            raise InvalidTextError(f"the games are {', '.join(PRESETS)}, not {quoted(name)}: {quoted(told)}")
        if rules is not None and rules != PRESETS[name]:
            raise InvalidTextError(f"the text says {name!r}, and other rules were asked for: {short_repr(rules.name)}")
        rules = PRESETS[name]
    if rules is None:
        raise InvalidTextError(f"{quoted(told)} names no game, so that its rules must be given")
    position = Position.from_text(f"{letters}:{turn}", rules=rules)
    try:
        roll = dice.parse(thrown, rules.dice) if thrown else None
    except ValueError as error:
        raise InvalidTextError(f"{error}: {quoted(told)}") from None
    return Reading(position, roll)


def _likeness(told: str) -> str:
    """What a text that is not read looks like, and why it is not read as that."""
    if not told:
        return "is no position text: it is empty"
    if len(told) == MATCH_ID and _ID.fullmatch(told):
        return "looks like a GNU Backgammon Match ID, which tells of no position by itself"
    if _LETTERS.fullmatch(told):
        return "looks like the letters of a position text or an XGID, and does not say whose turn it is"
    head, colon, _ = told[:100].partition(":")
    if colon and len(head) == POSITION_ID and _ID.fullmatch(head):
        return "looks like a GNU Backgammon Position ID with something behind the colon that is no Match ID"
    if colon and TRACK - 2 <= len(head) <= TRACK + 2 and re.fullmatch(r"[-A-Za-z]+", head):
        return f"looks like a position text or an XGID, and its {len(head)} letters are not {TRACK} of '-', 'A'..'O', 'a'..'o'"
    if len(told) < 20 and _ID.fullmatch(told):
        return f"looks like an id, and a GNU Backgammon Position ID has {POSITION_ID} characters, not {len(told)}"
    return "is none of the position texts that are known: native, GNU Backgammon id, XGID, FIBS board line"
