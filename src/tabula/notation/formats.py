"""The table of position formats, and what is done by it: any text read as what it is, and written as another format."""

from __future__ import annotations

import dataclasses
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tabula import games
from tabula._arguments import choice
from tabula.errors import InvalidTextError, quoted, short_repr
from tabula.notation import gnubg, xg
from tabula.notation.clip import find_text
from tabula.notation.fibs import looks_like_fibs, read_fibs
from tabula.notation.letters import looks_like_letters, looks_like_tabula_text, read_letters, tabula_text
from tabula.notation.match_state import is_backgammon
from tabula.rules import BACKGAMMON, TRACK, Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabula._native.position import Position
    from tabula.dice import Roll
    from tabula.notation.match_state import MatchState, Reading

__all__ = ["FORMATS", "Format", "convert", "read", "written_formats"]


@dataclasses.dataclass(frozen=True, slots=True)
class Format:
    """One way to write a position: an entry of `FORMATS`.

    Attributes
    ----------
    name
        What `convert` and the command line call it.
    title
        What sentences call it, with its article.
    layout
        What it looks like, for people.
    example
        A text in it. It says which game it is of, unless `games` is None.
    looks_like
        Takes a text without space around it. True if the text is meant to be in this format: then `read` reads it, or says what
        is wrong with it. No text looks like two formats.
    read
        Takes such a text and the rules asked for, or None, which it may ignore if the text says which game it is of. Gives the
        `Reading`, with the text in it, or raises InvalidTextError or InvalidPositionError.
    write
        Takes a position, a roll or None, and a `MatchState` or None; gives the text. None if the format is read only.
    games
        The games whose positions it can hold, for people.
    holds
        Takes rules. True if positions under them can be written so.
    unsaid
        The rules of a text when `read` is given none, if the text never says which game it is of; else None.

    Examples
    --------
    >>> from tabula import TABULA
    >>> FORMATS["xgid"].title, FORMATS["xgid"].holds(TABULA), FORMATS["letters"].holds(TABULA)
    ('an XGID', False, True)
    """

    name: str
    title: str
    layout: str
    example: str
    looks_like: Callable[[str], bool]
    read: Callable[[str, Rules | None], Reading]
    games: str
    holds: Callable[[Rules], bool]
    write: Callable[[Position, Roll | None, MatchState | None], str] | None = None
    unsaid: Rules | None = None


_BACKGAMMON_STARTS: Final = "backgammon, and from another start nackgammon, hypergammon and their like"


def _backgammon(rules: Rules | None) -> Rules:
    """The rules asked for, if they are backgammon from some start: an id does not say from which."""
    return rules if rules is not None and is_backgammon(rules) else BACKGAMMON


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        entry.name: entry
        for entry in (
            Format(
                name="tabula",
                title="a position text with roll and game",
                layout="`letters:turn:roll:game`, where the roll may be empty",
                example="O------------------------o:w:652:tabula",
                looks_like=looks_like_tabula_text,
                read=read_letters,
                write=lambda position, roll, _: tabula_text(position, roll),
                games="those of `tabula.games`",
                holds=lambda rules: games.with_rules(rules) is not None,
            ),
            Format(
                name="letters",
                title="a position text",
                layout="`letters:turn`, or `game:letters:turn`",
                example="O------------------------o:w",
                looks_like=looks_like_letters,
                read=read_letters,
                write=lambda position, *_: position.to_text(),
                games="any",
                holds=lambda _: True,
            ),
            Format(
                name="gnubg",
                title="a GNU Backgammon id",
                layout="a Position ID of 14 characters, alone or with a colon and a Match ID of 12",
                example="4HPwATDgc/ABMA:cAkAAAAAAAAA",
                looks_like=gnubg.looks_like_gnubg,
                read=lambda text, rules: gnubg.read_gnubg(text, _backgammon(rules)),
                write=gnubg.gnubg_id,
                games=_BACKGAMMON_STARTS,
                holds=is_backgammon,
                unsaid=BACKGAMMON,
            ),
            Format(
                name="xgid",
                title="an XGID",
                layout="ten fields with colons between them, with `XGID=` or without",
                example="XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10",
                looks_like=xg.looks_like_xgid,
                read=lambda text, rules: xg.read_xgid(text, _backgammon(rules)),
                write=xg.xgid,
                games=_BACKGAMMON_STARTS,
                holds=is_backgammon,
                unsaid=BACKGAMMON,
            ),
            Format(
                name="fibs",
                title="a FIBS board line",
                layout="`board:` and 52 more fields with colons between them",
                example="board:You:Other:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
                ":1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
                looks_like=looks_like_fibs,
                read=lambda text, _: read_fibs(text),
                games="backgammon",
                holds=lambda rules: rules == BACKGAMMON,
                unsaid=BACKGAMMON,
            ),
        )
    }
)
"""Every format of positions by its name: `read` reads them all, `convert` writes those that have a `write`."""

_WRITERS: Final = {name: entry.write for name, entry in FORMATS.items() if entry.write is not None}


def written_formats(rules: Rules | None = None) -> tuple[str, ...]:
    """The names of the formats that `convert` writes; with `rules`, of those that can hold positions under them.

    >>> from tabula import TABULA
    >>> written_formats(), written_formats(TABULA)
    (('tabula', 'letters', 'gnubg', 'xgid'), ('tabula', 'letters'))
    """
    return tuple(name for name in _WRITERS if rules is None or FORMATS[name].holds(rules))


def read(text: str, *, rules: Rules | None = None) -> Reading:
    """The position, roll and match that a text in one of `FORMATS` says, whichever it is.

    The text may be a clip of several lines, or a sentence: then the first id or board line in it is read, and `Reading.text` says
    which that was. Names before an id, as in ``GNUBGID``, ``XGID:`` or ``Position ID:``, and a full stop behind it are left out.

    Parameters
    ----------
    rules
        The rules of a text of letters that names no game, and of an id if they are backgammon's from another start, which no id
        says; they must agree with what any other text says.

    Raises
    ------
    InvalidTextError
        For a text in none of the formats, saying what it looks like.
    InvalidPositionError
        For checkers that cannot stand so.

    Examples
    --------
    >>> read("4HPwATDgc/ABMA:cAkAAAAAAAAA").position.to_text()
    '-b----E-C---eE---c-e----B-:w'
    >>> read("O------------------------o:w:652:tabula").roll
    (6, 5, 2)
    >>> read("What now?\\nPosition ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAA").text
    '4HPwATDgc/ABMA:cAkAAAAAAAAA'
    >>> read("cAkAAAAAAAAA")
    Traceback (most recent call last):
    ...
    tabula.errors.InvalidTextError: 'cAkAAAAAAAAA' looks like a GNU Backgammon Match ID, which tells of no position by itself
    """
    if not isinstance(text, str):
        raise TypeError(f"a position text must be a str, not {short_repr(text)}")
    if rules is not None and not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules or None, not {short_repr(rules)}")
    text = text.strip().rstrip(".,;")
    start = 0
    try:
        entry = _format(text)
        if entry is None or (entry.unsaid is not None and len(text.split(None, 1)) > 1):
            found = None if _OGID.match(text) else find_text(text)
            if found is not None and _format(found.text) is not None:
                start, text = found.start, found.text
                entry = _format(text)
        if entry is None:
            raise InvalidTextError(f"{quoted(text)} {_resemblance(text)}")
        reading = entry.read(text, rules)
        if rules is not None and reading.position.rules != rules:
            game = reading.position.rules.name
            raise InvalidTextError(
                f"{entry.title} tells of a {game} position, and other rules were asked for: {short_repr(rules.name)}"
            )
    except InvalidTextError as error:
        error.position = start + (error.position or 0)
        raise
    return reading


def _format(text: str) -> Format | None:
    """The format that a text looks like."""
    return next((entry for entry in FORMATS.values() if entry.looks_like(text)), None)


def convert(text: str, to: str, *, rules: Rules | None = None) -> str:
    """Any text that `read` reads, in the format `to`, one of `written_formats`. What that format has no field for is left out.

    Raises as `read` does, and ValueError for an unknown format or a game that the format cannot hold.

    >>> convert("4HPwATDgc/ABMA", "xgid")
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10'
    """
    write, reading = _WRITERS[choice("to", to, _WRITERS)], read(text, rules=rules)
    return write(reading.position, reading.roll, reading.match)


_LETTERS: Final = re.compile(rf"[-A-Oa-o]{{{TRACK}}}")
_OGID: Final = re.compile(r"(?:OGID[=: ]{1,3})?[0-9a-z]{1,15}:[0-9a-z]{1,15}:[WBN][0-9][A-Z]:|OGID[=: ]", re.ASCII)
_ID: Final = re.compile(r"[A-Za-z0-9+/]+")
_ANY_LETTERS: Final = re.compile(r"[-A-Za-z]+")


def _resemblance(text: str) -> str:
    """What a text that is in none of the formats looks like, and why it is not read as that: the end of a sentence."""
    if not text:
        return "is no position text: it is empty"
    if _OGID.match(text):
        return "looks like an OGID, the position text of OpenGammon, which is not read: the XGID of the same position is"
    if len(text) == gnubg.MATCH_ID and _ID.fullmatch(text):
        return "looks like a GNU Backgammon Match ID, which tells of no position by itself"
    if _LETTERS.fullmatch(text):
        return "looks like the letters of a position text or an XGID, and does not say whose turn it is"
    head, colon, _ = text[:100].partition(":")
    if colon and len(head) == gnubg.POSITION_ID and _ID.fullmatch(head):
        return "looks like a GNU Backgammon Position ID with something behind the colon that is no Match ID"
    if colon and TRACK - 2 <= len(head) <= TRACK + 2 and _ANY_LETTERS.fullmatch(head):
        return f"looks like a position text or an XGID, and its {len(head)} letters are not {TRACK} of '-', 'A'..'O', 'a'..'o'"
    if len(text) < 20 and _ID.fullmatch(text):
        return f"looks like an id, and a GNU Backgammon Position ID has {gnubg.POSITION_ID} characters, not {len(text)}"
    return f"is none of the position texts that are known: {', '.join(entry.title for entry in FORMATS.values())}"
