"""Writing match text: hits are always marked, and the tags say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabula import games
from tabula.errors import short_repr
from tabula.game import Game
from tabula.notation.matchtext.model import UNKNOWN_PLAY, Match, MatchGame, MatchTurn
from tabula.rules import BACKGAMMON, BLACK, WHITE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabula._native.position import Position

__all__ = ["record", "write"]

_ACTIONS: Final[dict[str, str]] = {
    "take": " Takes",
    "drop": " Drops",
    "double": " Doubles",
    "beaver": " Beavers",
    "raccoon": " Raccoons",
    "resign": " Concedes",
    "time": " Lost on time",
}
_CANNOT_MOVE: Final = "Cannot Move"
_COLUMN: Final = 42
"""Where the second player's half starts, unless the first one's name is longer."""

_FORMAT: Final = "1"
"""The version of the record of a Tabula game."""


def record(games: Game | Iterable[Game], *, players: tuple[str, str] = ("White", "Black"), length: int = 0) -> Match:
    """The match of these games, in order, all under the same rules; a game that is not over has no winner.

    Games that start elsewhere than the rules say have a tag ``Start`` with that position. ValueError for no game, and for games
    under different rules or from different starts.

    >>> game = Game()
    >>> _ = game.push(game.position.plays("652")[0])
    >>> print(write(record(game)).splitlines()[-1])
      1) 652: bar/6 bar/5 bar/2
    """
    played = [games] if isinstance(games, Game) else list(games)
    if not played:
        raise ValueError("a match has at least one game, and none is given")
    rules = played[0].rules
    if any(game.rules != rules for game in played):
        raise ValueError("the games of a match have the same rules, and these have different ones")
    starts = {_other_start(game.start) for game in played}
    if len(starts) > 1:
        raise ValueError("the games of a match start from the same position, and these from different ones")
    (start,) = starts
    tags = () if start is None else (("Start", start.to_text()),)
    score = [0, 0]
    match_games = []
    for number, game in enumerate(played, 1):
        turns = tuple(MatchTurn(turn.before.turn, "play", turn.before, turn.roll, turn.play, turn.after) for turn in game.turns)
        winner, points = game.outcome or (None, None)
        before = (score[WHITE], score[BLACK])
        if winner is not None and points is not None:
            score[winner] += points
        wins_match = winner is not None and 0 < length <= score[winner]
        match_games.append(MatchGame(number, before, turns, winner, points, wins_match))
    return Match(players, tuple(match_games), rules, length, tags)


def _other_start(start: Position) -> Position | None:
    """The start of a game with White to move; None for the start that the rules say, whichever side has the first turn."""
    if (start.mover, start.other) == (start.rules.setup, start.rules.other_setup):
        return None
    return start if start.turn == WHITE else start.swap_sides()


def write(match: Match) -> str:
    """The match as text, hits marked, which `read` reads back to an equal one; rules that are no preset must then be given again.

    ValueError for names or tags that the layout cannot hold: line breaks, a colon in a name, a quote in a tag.

    >>> from tabula.notation import matchtext
    >>> match = matchtext.read(" Game 1\\n A : 0      B : 0\\n 1) 652: 0/6/8,25/5\\n")
    >>> print(write(match))
    ; [Variation "Tabula"]
    ; [Hits "marked"]
    ; [Format "1"]
    <BLANKLINE>
    0 point match
    <BLANKLINE>
    <BLANKLINE>
     Game 1
     A : 0                                    B : 0
      1) 652: bar/8 bar/5
    <BLANKLINE>
    """
    for name in match.players:
        if not name or name != name.strip() or ":" in name or not name.isprintable():
            raise ValueError(
                f"a player's name in match text is printable, without colons or space around it, not {short_repr(name)}"
            )
    lines = [f'; [{name} "{value}"]' for name, value in _tags(match)]
    lines += ["", f"{match.length} point match"]
    for game in match.games:
        lines += ["", "", f" Game {game.number}"]
        names = [f"{name} : {score}" for name, score in zip(match.players, game.score, strict=True)]
        column = max(_COLUMN, len(names[0]) + 4)
        lines.append(f" {names[0]}".ljust(column) + names[1])
        lines += _rows(game, column)
    return "\n".join(lines) + "\n"


def _tags(match: Match) -> list[tuple[str, str]]:
    """The header: the tags of the match, and those that say how this text is written."""
    game = games.with_rules(match.rules)
    variation = "custom" if game is None else game.name.replace("_", " ").capitalize()
    written = {"Variation": variation, "Hits": "marked"} | ({"Format": _FORMAT} if match.rules.dice != BACKGAMMON.dice else {})
    others = [(name, value) for name, value in match.tags if name.capitalize() not in written]
    for name, value in others:
        if not (name + value).isprintable() or '"' in name + value or not name.strip() or name != name.strip() or "[" in name:
            raise ValueError(f"a tag of match text is printable and has no quotes, not {short_repr(name)} with {short_repr(value)}")
    return others + list(written.items())


def _rows(game: MatchGame, column: int) -> list[str]:
    """The numbered lines of a game, and the line with the winner."""
    rows: list[list[str]] = []
    last = BLACK
    for turn in game.turns:
        if turn.side == WHITE or last == BLACK:
            rows.append(["", ""])
        rows[-1][turn.side] = _cell_text(turn)
        last = turn.side
    lines = [f"{f'{number:>3}) {left} '.ljust(column)}{right}" for number, (left, right) in enumerate(rows, 1)]
    if game.winner is not None:
        points = "" if game.points is None else f" {game.points} point{'' if game.points == 1 else 's'}"
        match = (" and the match" if points else " the match") if game.wins_match else ""
        lines.append(f"{' ' * (6 if game.winner == WHITE else column)}Wins{points}{match}")
    return [line.rstrip() for line in lines]


def _cell_text(turn: MatchTurn) -> str:
    thrown = "" if turn.roll is None else "".join(map(str, turn.roll))
    if turn.kind == "note" or not turn.legal:
        return turn.text if turn.play is None else f"{thrown}: {turn.play}"
    if turn.kind == "play":
        return f"{thrown}: {turn.play if turn.play is not None and turn.play.moves else _CANNOT_MOVE}"
    if turn.kind == "unplayed":
        return f"{thrown}: Concedes"
    if turn.kind == "unknown":
        return f"{thrown}: {UNKNOWN_PLAY}" if thrown else UNKNOWN_PLAY
    return _ACTIONS[turn.kind] + ("" if turn.value is None else f" => {turn.value}")
