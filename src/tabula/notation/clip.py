"""Finding the id or board line in what people paste: a whole clip of a program, a sentence, an id with its name before it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from tabula.rules import TRACK

__all__ = ["Found", "find_text"]

_XGID: Final = re.compile(r"XGID[ ]?[=:][ ]?([^\s]+)", re.IGNORECASE)
_XGID_FIELDS: Final = re.compile(rf"[-A-Oa-o]{{{TRACK}}}:-?[0-9][^\s]*")
_GNUBG: Final = re.compile(r"(?:GNUBGID|GNUBG ID|GNUID|Position ID)[ ]?[=:]?[ ]{0,4}([A-Za-z0-9+/]{14}(?::[A-Za-z0-9+/]{12})?)")
_MATCH_ID: Final = re.compile(r"Match ID[ ]{0,4}[=:]?[ ]{0,4}([A-Za-z0-9+/]{12})")
_GNUBG_IDS: Final = re.compile(r"\b[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}\b")
_BOARD_LINE: Final = re.compile(r"board:[^\r\n]*")
_LETTERS: Final = re.compile(rf"(?:[a-z]{{1,20}}:)?[-A-Oa-o]{{{TRACK}}}:[wb](?::[0-9]{{0,3}}:[a-z]{{1,20}})?")
_NEAR: Final = 200
"""A Match ID stands at most this many characters behind its Position ID."""

_BEHIND: Final = ".,;)!?'\""
"""What a sentence puts behind an id."""


class Found(NamedTuple):
    """An id or a board line, as the formats have it, and where it starts in the text."""

    start: int
    text: str


def find_text(text: str) -> Found | None:
    """The first id or board line in a text; None without one.

    >>> find_text("see XGID: -b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10.")
    Found(start=4, text='XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10')
    """
    found = [made for find in (_xgid, _xgid_fields, _gnubg, _gnubg_ids, _board_line, _letters) if (made := find(text)) is not None]
    return min(found, key=lambda one: one.start, default=None)


def _xgid(text: str) -> Found | None:
    match = _XGID.search(text)
    return None if match is None else Found(match.start(), f"XGID={match[1].rstrip(_BEHIND)}")


def _xgid_fields(text: str) -> Found | None:
    return _plain(_XGID_FIELDS.search(text))


def _gnubg(text: str) -> Found | None:
    match = _GNUBG.search(text)
    if match is None:
        return None
    second = None if ":" in match[1] else _MATCH_ID.search(text, match.end(), match.end() + _NEAR)
    return Found(match.start(), match[1] if second is None else f"{match[1]}:{second[1]}")


def _gnubg_ids(text: str) -> Found | None:
    return _plain(_GNUBG_IDS.search(text))


def _board_line(text: str) -> Found | None:
    return _plain(_BOARD_LINE.search(text))


def _letters(text: str) -> Found | None:
    return _plain(_LETTERS.search(text))


def _plain(match: re.Match[str] | None) -> Found | None:
    return None if match is None else Found(match.start(), match[0].strip().rstrip(_BEHIND))
