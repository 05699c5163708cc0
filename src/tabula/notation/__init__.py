"""The notations of the field: what people and programs write positions, plays, games and matches in.

Positions
    `FORMATS` is the table of formats. `read` reads a text in any of them; `tabula_text`, `position_id`, `match_id`, `gnubg_id` and
    `xgid` write; `convert` reads and writes.
Plays
    `play_text` gives what ``str(play)`` gives; `parse_play` reads what people write.
Games and matches
    The module `matchtext` reads and writes match text; `replay` reports on files of it.

>>> from tabula import notation
>>> reading = notation.read("4HPwATDgc/ABMA:cAkAAAAAAAAA")
>>> notation.xgid(reading.position, "31", reading.match)
'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10'
>>> print(notation.parse_play(reading.position, "6/5, 8/5", "31"))
8/5 6/5
"""

from tabula._native.position import play_text
from tabula.notation import matchtext
from tabula.notation.formats import FORMATS, Format, convert, read, written_formats
from tabula.notation.gnubg import gnubg_id, match_id, position_id
from tabula.notation.letters import tabula_text
from tabula.notation.match_state import MatchState, Reading
from tabula.notation.play_read import parse_play
from tabula.notation.replay_report import replay
from tabula.notation.xg import xgid

__all__ = [
    "FORMATS",
    "Format",
    "MatchState",
    "Reading",
    "convert",
    "gnubg_id",
    "match_id",
    "matchtext",
    "parse_play",
    "play_text",
    "position_id",
    "read",
    "replay",
    "tabula_text",
    "written_formats",
    "xgid",
]
