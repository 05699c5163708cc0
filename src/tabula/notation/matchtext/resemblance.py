"""What a text without a game in it looks like."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["resemblance"]

_READ: Final = "and match text (.mat, .txt) and the replays of bgammon.org are read"
_HEAD: Final = 1000
_LOOKS: Final = (
    (re.compile(r"\(;[^)]{0,400}GM\[[ ]{0,2}6"), "looks like SGF for backgammon (GM[6])"),
    (re.compile(r"\(;"), "looks like SGF"),
    (re.compile(r"JavaFIBS"), "looks like a match of JavaFIBS"),
    (re.compile(r"RGMH|\x00\x00\x00\x00RGMH"), "looks like a file of eXtreme Gammon"),
    (re.compile(r"BGF"), "looks like a file of BGBlitz"),
    (re.compile(r"<(?:!DOCTYPE|html|HTML)"), "looks like HTML"),
    (re.compile(r"PK\x03\x04"), "looks like a ZIP archive"),
    (re.compile(r"XGID[=:]|GNU Backgammon|GNUBGID|Position ID|board:"), "looks like a position, which notation.read() reads,"),
    (re.compile(r"[{\[]"), "looks like JSON"),
)


def resemblance(text: str) -> str:
    """Why there is no game in a text, as a sentence that says what the text looks like.

    >>> resemblance("(;FF[4]GM[6]CA[UTF-8]")
    'this looks like SGF for backgammon (GM[6]), and match text (.mat, .txt) and the replays of bgammon.org are read'
    """
    head = text[:_HEAD].lstrip("\ufeff \t\r\n")
    for pattern, looks in _LOOKS:
        if pattern.match(head):
            return f"this {looks.rstrip(',')}, {_READ}"
    return "there is no game in it: a game starts with a line 'Game 1'"
