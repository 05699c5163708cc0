"""All plays of a roll as a page fragment: small boards with their plays as arrows, for a notebook."""

from __future__ import annotations

from html import escape
from itertools import islice
from typing import Final

from tabula import dice
from tabula._native.position import Plays
from tabula.errors import short_repr
from tabula.render import captions, svg

__all__ = ["table"]

_MOST: Final = 24
_COLUMNS: Final = 3
_SIZE: Final = 300
_CELL: Final = "padding:6px;text-align:center;vertical-align:top"


def table(plays: Plays) -> str:
    """Plays as an HTML table of small boards, each with its index and text. It has the first 24, and says how many more there are.

    Raises TypeError for anything but `Plays`.

    >>> from tabula import Position
    >>> table(Position().plays("652"))[:33]
    '<div><p>4 plays of 6-5-2</p>\\n<tab'
    """
    if not isinstance(plays, Plays):
        raise TypeError(f"plays must be Plays, not {short_repr(plays)}")
    head = f"{captions.count(len(plays), 'play')} of {dice.to_text(plays.roll)}"
    if not plays:
        return f"<div><p>{head}</p></div>"
    cells = [
        f'<td style="{_CELL}">{svg.board(play.origin, play=play, size=_SIZE)}<br/>{index}: {escape(str(play))}</td>'
        for index, play in enumerate(islice(plays, _MOST))
    ]
    rows = [f"<tr>{''.join(cells[at : at + _COLUMNS])}</tr>" for at in range(0, len(cells), _COLUMNS)]
    more = f"<p>and {len(plays) - _MOST} more</p>" if len(plays) > _MOST else ""
    return "\n".join([f"<div><p>{head}</p>", "<table>", *rows, "</table>", f"{more}</div>"])
