"""Every parser of the notation behind one face, for what must hold whatever text comes in; the fuzzer feeds them too."""

from collections.abc import Callable
from typing import Any

from tabula import BACKGAMMON, TABULA, AmbiguousPlayError, IllegalPlayError, InvalidPositionError, InvalidTextError, Position
from tabula.notation import FORMATS, matchtext, read
from tabula.notation.gnubg import from_match_id, from_position_id

__all__ = ["OURS", "PARSERS", "SEEDS", "feed"]

OURS = (InvalidTextError, InvalidPositionError, IllegalPlayError, AmbiguousPlayError)

PARSERS: dict[str, Callable[[str], Any]] = {
    "read": read,
    "read as tabula": lambda text: read(text, rules=TABULA),
    "letters text": lambda text: Position.from_text(text, rules=BACKGAMMON),
    "position id": from_position_id,
    "match id": from_match_id,
    **{name: lambda text, entry=entry: entry.read(text, None) for name, entry in FORMATS.items() if entry.unsaid is not None},
    "backgammon play": lambda text: Position(BACKGAMMON).parse_play(text, "31"),
    "tabula play": lambda text: Position(TABULA).parse_play(text, "652", hits="unmarked"),
    "match": matchtext.read,
    "match, strictly": lambda text: matchtext.read(text, strict=True),
}

SEEDS = (
    *(entry.example for entry in FORMATS.values()),
    "8/5*, 6/5 bar/22(2) 24/18*/13 6/off Cannot Move",
    '; [Variation "Tabula"]\n3 point match\n Game 1\n A : 0     B : 0\n  1) 652: bar/13     31: ????\n      Wins 1 point\n',
    " Game 1\n A : 0     B : 0\n  1) 31: 8/5 6/5     42: 8/4* 6/4\n  2)  Doubles => 2     Takes\n  3) 00: ????   54: Concedes\n",
)


def feed(text: str) -> None:
    """Every parser gives a result or one of our errors, whose message can be shown anywhere."""
    for parse in PARSERS.values():
        try:
            parse(text)
        except OURS as error:
            str(error).encode("utf-8")
