"""Match text, the layout of ``.mat`` and ``.txt`` files that most programs exchange: read and written, backgammon and Tabula alike.

docs/notation.md describes the layout and the dialects read; with three dice it is the record of a Tabula game, version 1.

>>> match = read(" Game 1\\n A : 0      B : 0\\n 1) 652: bar/8 bar/5\\n")
>>> read(write(match)) == match
True
"""

from tabula.notation.matchtext.encoding import decode
from tabula.notation.matchtext.model import Match, MatchGame, MatchTurn, Problem
from tabula.notation.matchtext.reader import read, read_all
from tabula.notation.matchtext.table import write_csv
from tabula.notation.matchtext.writer import record, write

__all__ = ["Match", "MatchGame", "MatchTurn", "Problem", "decode", "read", "read_all", "record", "write", "write_csv"]
