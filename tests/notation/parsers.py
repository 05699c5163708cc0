"""Every parser of the notation behind one face, for what must hold whatever text comes in; the fuzzer feeds them too."""

from collections.abc import Callable
from typing import Any

from tabula import BACKGAMMON, TABULA, AmbiguousPlayError, IllegalPlayError, InvalidPositionError, InvalidTextError, Position
from tabula.notation import matchtext, read
from tabula.notation.fibs import read_fibs
from tabula.notation.gnubg import from_match_id, from_position_id, read_gnubg
from tabula.notation.xg import read_xgid

__all__ = ["OURS", "PARSERS", "SEEDS", "feed"]

OURS = (InvalidTextError, InvalidPositionError, IllegalPlayError, AmbiguousPlayError)

PARSERS: dict[str, Callable[[str], Any]] = {
    "read": read,
    "read as tabula": lambda text: read(text, rules=TABULA),
    "native text": lambda text: Position.from_text(text, rules=BACKGAMMON),
    "position id": from_position_id,
    "match id": from_match_id,
    "gnubg": read_gnubg,
    "xgid": read_xgid,
    "fibs": read_fibs,
    "backgammon play": lambda text: Position(BACKGAMMON).parse_play(text, "31"),
    "tabula play": lambda text: Position(TABULA).parse_play(text, "652", hits="unmarked"),
    "match": matchtext.read,
    "match, strictly": lambda text: matchtext.read(text, strict=True),
}

FIBS_BOARD = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"

SEEDS = (
    "4HPwATDgc/ABMA:cAkAAAAAAAAA",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10",
    "O------------------------o:w:652:tabula",
    f"board:you:someone:3:0:1:{FIBS_BOARD}:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
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
