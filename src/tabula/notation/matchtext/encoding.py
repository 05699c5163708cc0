"""The text of a match file's bytes."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["UNDECODED", "decode"]

UNDECODED: Final = "\ufffd"
"""The sign in place of bytes that no encoding known here explains."""

_WIDE: Final = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]{2}")
"""Two signs of Japanese in a row."""

_ACCENTED: Final = re.compile(r"[\u00c0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u00aa\u00b5\u00ba]+")
_MOST_ACCENTS: Final = 2
"""The most accented letters that a Latin word has in a row."""


def decode(data: bytes, encoding: str | None = None) -> str:
    """The text of a match file's bytes.

    With `encoding`, the bytes are read in it. Without: UTF-8 or UTF-16 by its mark; UTF-16 without one by its NULs; UTF-8;
    Shift-JIS where two signs of Japanese stand in a row; Windows' Latin where accented letters stand in words of plain ones. Bytes
    that are none of it become U+FFFD, which `read` reports: no name is made of other letters than its own.

    LookupError for an encoding that Python does not know.

    >>> decode(b"\\xef\\xbb\\xbf3 point match")
    '3 point match'
    >>> decode("J\\u00e4ger".encode("latin-1")), decode("\\u042f\\u043d".encode("cp1251"), "cp1251")
    ('J\u00e4ger', '\u042f\u043d')
    """
    if encoding is not None:
        return data.decode(encoding, "replace").removeprefix("\ufeff")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        for name, high_bytes in (("utf-16-le", data[1::2]), ("utf-16-be", data[::2])):
            if 2 * high_bytes.count(0) > len(high_bytes):
                return data.decode(name, "replace")
    for name, plausible in (("utf-8-sig", lambda _: True), ("cp932", _is_japanese), ("cp1252", _is_latin)):
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        if plausible(text):
            return text
    text = data.decode("utf-8", "replace")
    # Where most of it is no UTF-8, what looks like a letter of it is chance.
    mostly = 2 * text.count(UNDECODED) <= sum(not letter.isascii() for letter in text)
    return text if mostly else data.decode("ascii", "replace")


def _is_japanese(text: str) -> bool:
    return _WIDE.search(text) is not None


def _is_latin(text: str) -> bool:
    """Whether the accented letters stand one or two together in words that have plain letters too."""
    for run in _ACCENTED.finditer(text):
        beside = text[max(0, run.start() - 1) : run.start()] + text[run.end() : run.end() + 1]
        if len(run[0]) > _MOST_ACCENTS or not any(letter.isascii() and letter.isalpha() for letter in beside):
            return False
    return True
