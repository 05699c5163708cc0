"""Every legal play of a three-dice Tabula roll or a backgammon roll: exact, and fast.

>>> from tabula import Position
>>> sorted(str(play) for play in Position().plays("652"))
['bar/11 bar/2', 'bar/6 bar/5 bar/2', 'bar/7 bar/6', 'bar/8 bar/5']
"""

from typing import TYPE_CHECKING, Any

from tabula._position import Move, Play, Plays, Position
from tabula._version import __version__
from tabula.errors import AmbiguousPlay, IllegalPlay, InvalidPosition, InvalidText
from tabula.perft import divide, perft
from tabula.rules import BACKGAMMON, BLACK, TABULA, TABULA_HISTORIC, WHITE, Rules

if TYPE_CHECKING:
    from tabula import reference

__all__ = [
    "BACKGAMMON",
    "BLACK",
    "TABULA",
    "TABULA_HISTORIC",
    "WHITE",
    "AmbiguousPlay",
    "IllegalPlay",
    "InvalidPosition",
    "InvalidText",
    "Move",
    "Play",
    "Plays",
    "Position",
    "Rules",
    "__version__",
    "divide",
    "perft",
    "reference",
]


def __getattr__(name: str) -> Any:
    if name == "reference":
        import importlib

        return importlib.import_module("tabula.reference")
    raise AttributeError(f"module 'tabula' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
