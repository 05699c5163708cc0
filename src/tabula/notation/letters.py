"""The position text of letters: ``letters:turn``, or with the roll and the name of the game, ``letters:turn:roll:game``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabula import dice, games
from tabula._native.position import Position, checked_position
from tabula.errors import InvalidTextError, quoted, short_repr
from tabula.notation.match_state import Reading
from tabula.rules import TRACK

if TYPE_CHECKING:
    from tabula.dice import RollLike
    from tabula.rules import Rules

__all__ = ["looks_like_letters", "looks_like_tabula_text", "read_letters", "tabula_text"]

_START: Final = re.compile(rf"[-A-Oa-o]{{{TRACK}}}:(?:[^-0-9]|-[^0-9]|-?\Z)")
"""The letters with what is not the number of an XGID behind the colon."""

_NAMED: Final = re.compile(rf"[^:]{{1,80}}:[-A-Oa-o]{{{TRACK}}}:[wb]\Z")
"""The letters and the turn with a name in front."""


def looks_like_letters(text: str) -> bool:
    """Whether a text is the letters and a turn, perhaps with a roll, or with the name of the rules in front.

    >>> looks_like_letters("O------------------------o:w"), looks_like_letters("O------------------------o:w::tabula")
    (True, False)
    """
    return (_START.match(text) is not None and not _names_game(text)) or _NAMED.match(text) is not None


def looks_like_tabula_text(text: str) -> bool:
    """Whether a text is the letters, a turn, a roll or nothing, and the name of a game.

    >>> looks_like_tabula_text("O------------------------o:w"), looks_like_tabula_text("O------------------------o:w::tabula")
    (False, True)
    """
    return _START.match(text) is not None and _names_game(text) and _NAMED.match(text) is None


def _names_game(text: str) -> bool:
    return any(text.split(":", 4)[3:])


def read_letters(text: str, rules: Rules | None = None) -> Reading:
    """The position and the roll of a text of letters; `rules` are the rules of a text that names no game.

    InvalidTextError for what is no such text, and where the game named has other rules than these; InvalidPositionError for
    checkers that cannot stand so.

    >>> read_letters("O------------------------o:w:652:tabula").roll
    (6, 5, 2)
    """
    if _NAMED.match(text):
        return Reading(Position.from_text(text, rules=rules), None, None, text)
    letters, turn, *more = text.split(":", 4)
    if len(more) > 2:
        raise InvalidTextError(f"{quoted(text)} has more than letters, turn, roll and name")
    thrown, name = [*more, "", ""][:2]
    if name:
        try:
            named = games.get(name)
        except ValueError as error:
            raise InvalidTextError(f"{error}: {quoted(text)}") from None
        if rules is not None and rules != named:
            raise InvalidTextError(f"the text says {name!r}, and other rules were asked for: {short_repr(rules.name)}")
        rules = named
    if rules is None:
        raise InvalidTextError(f"{quoted(text)} names no game, so that its rules must be given")
    position = Position.from_text(f"{letters}:{turn}", rules=rules)
    try:
        roll = dice.parse(thrown, rules.dice) if thrown else None
    except ValueError as error:
        raise InvalidTextError(f"{error}: {quoted(text)}") from None
    return Reading(position, roll, None, text)


def tabula_text(position: Position, roll: RollLike | None = None) -> str:
    """The text of letters with roll and game, ``letters:turn:roll:game``, which `read` needs no rules for.

    ValueError for rules that are none of the games of `tabula.games`, which have no name that `read` knows, and for what is no roll
    of them.

    >>> from tabula import Position
    >>> tabula_text(Position(), "652")
    'O------------------------o:w:652:tabula'
    """
    checked_position(position)
    rules = position.rules
    game = games.with_rules(rules)
    if game is None:
        raise ValueError(
            f"only the games of tabula.games have a name in a position text, and these are other rules: {short_repr(rules.name)}"
        )
    thrown = "" if roll is None else "".join(map(str, dice.parse(roll, rules.dice)))
    return f"{position.to_text()}:{thrown}:{game.name}"
