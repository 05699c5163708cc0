"""Pages: a game or a match as one that stands alone, and all plays of a roll as a fragment for a notebook."""

from __future__ import annotations

from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Final

from tabula import dice
from tabula._arguments import white_or_black
from tabula._native.position import Plays
from tabula.errors import short_repr
from tabula.game import Game
from tabula.notation.matchtext import Match, MatchGame, record
from tabula.render import captions, svg
from tabula.render.marks import two_names
from tabula.render.page import page
from tabula.rules import WHITE

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["game", "table"]

_MOST: Final = 24
_COLUMNS: Final = 3
_SIZE: Final = 300
_CELL: Final = "padding:6px;text-align:center;vertical-align:top"


def game(game: Game | Match | MatchGame, *, names: Sequence[str] | None = None, side: int = WHITE) -> str:
    """A game or a match as one page of HTML, which needs no other file and no network: a board, and the list of all turns.

    Buttons and the arrow keys go through the turns; ``#g2t14`` behind the page's address is turn 14 of game 2. Each turn has the
    text of its position, an XGID where there is one, to copy; problems of a file that was read are marked. Names and texts are
    escaped, and the page forbids itself whatever is not in it. Printed, it is the board of the turn and the list.

    Parameters
    ----------
    game
        A `Game`, a `tabula.notation.matchtext.Match`, or one `MatchGame` of it.
    names
        White's name and black's; those of the match if left out.
    side
        The side whose view all boards have, `WHITE` or `BLACK`.

    Raises
    ------
    ValueError
        For a `MatchGame` without turns, or for an unknown value of `names` or `side`.
    TypeError
        For an argument of the wrong type.

    Examples
    --------
    >>> from tabula.game import Game
    >>> from tabula.render import html
    >>> played = Game()
    >>> _ = played.push(played.position.plays("652")[0])
    >>> page = html.game(played, names=("Ann", "Ben"))
    >>> page[:15], 'href="#g1t1">652: bar/6 bar/5 bar/2</a>' in page
    ('<!DOCTYPE html>', True)
    """
    side = white_or_black("side", side)
    if isinstance(game, Game):
        game = record(game)
    elif isinstance(game, MatchGame):
        if not game.turns:
            raise ValueError("a game has no page before its first turn")
        game = Match(captions.SIDES, (game,), game.turns[0].before.rules)
    elif not isinstance(game, Match):
        raise TypeError(f"game must be a Game, a Match or a MatchGame, not {short_repr(game)}")
    return page(game, names=game.players if names is None else two_names(names), side=side)


def table(plays: Plays) -> str:
    """Plays as an HTML table of small boards, each with its index and text. It has the first 24, and says how many more there are.

    Raises TypeError for anything but `Plays`.

    >>> from tabula import Position
    >>> table(Position().plays("652"))[:33]
    '<div><p>4 plays of 6-5-2</p>\\n<tab'
    """
    if not isinstance(plays, Plays):
        raise TypeError(f"plays must be Plays, not {short_repr(plays)}")
    head = f"{captions.count(len(plays), 'play')} of {dice.to_text(plays.roll, plays.position.rules.extra_dice)}"
    if not plays:
        return f"<div><p>{head}</p></div>"
    cells = [
        f'<td style="{_CELL}">{svg.board(play.origin, play=play, size=_SIZE)}<br/>{index}: {escape(str(play))}</td>'
        for index, play in enumerate(islice(plays, _MOST))
    ]
    rows = [f"<tr>{''.join(cells[at : at + _COLUMNS])}</tr>" for at in range(0, len(cells), _COLUMNS)]
    more = f"<p>and {len(plays) - _MOST} more</p>" if len(plays) > _MOST else ""
    return "\n".join([f"<div><p>{head}</p>", "<table>", *rows, "</table>", f"{more}</div>"])
