"""Every legal play of a three-dice Tabula roll or a backgammon roll: exact, and fast.

>>> from tabula import Position
>>> sorted(str(play) for play in Position().plays("652"))
['bar/11 bar/2', 'bar/6 bar/5 bar/2', 'bar/7 bar/6', 'bar/8 bar/5']
"""

import os
from typing import TYPE_CHECKING

from tabula._native.position import Move, Next, Outcome, Play, Plays, Position
from tabula._version import __version__
from tabula.counting import divide, perft
from tabula.errors import AmbiguousPlayError, IllegalPlayError, InvalidPositionError, InvalidTextError
from tabula.rules import BACKGAMMON, BLACK, NARDE, TABULA, TABULA_HISTORIC, WHITE, Rules

if TYPE_CHECKING:
    from tabula import reference

__all__ = [
    "BACKGAMMON",
    "BLACK",
    "NARDE",
    "TABULA",
    "TABULA_HISTORIC",
    "WHITE",
    "AmbiguousPlayError",
    "IllegalPlayError",
    "InvalidPositionError",
    "InvalidTextError",
    "Move",
    "Next",
    "Outcome",
    "Play",
    "Plays",
    "Position",
    "Rules",
    "__version__",
    "divide",
    "get_include",
    "perft",
    "reference",
]


def get_include() -> str:
    """The folder of tabula.h, for C and Cython code that calls the generator itself: an include directory for the compiler.

    That file explains what can be called, and docs/c-api.md has a bot in Cython and one in C.

    >>> import pathlib, tabula
    >>> pathlib.Path(tabula.get_include(), "tabula.h").is_file()
    True
    """
    return os.path.join(os.path.dirname(__file__), "include")  # noqa: PTH118, PTH120 - pathlib would be imported for this alone


# A type checker that reads this function believes that the package has every name, misspelled ones too.
if not TYPE_CHECKING:

    def __getattr__(name):
        if name == "reference":
            import importlib

            return importlib.import_module("tabula.reference")
        raise AttributeError(f"module 'tabula' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
