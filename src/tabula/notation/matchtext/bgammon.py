"""The replays of bgammon.org, as the lines of match text that say the same.

The format is that of ``REPLAY.md`` in the server's repository, tslocum/bgammon. Points are numbered as the first player of a game
sees them, whoever moves, and every move of a checker is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabula.notation.matchtext import layout
from tabula.rules import BACKGAMMON, OFF, TABULA

if TYPE_CHECKING:
    from tabula.rules import Rules

__all__ = ["looks_like_replay", "match_lines"]

_MARK: Final = "bgammon-replay"
_VARIANTS: Final = {"0": BACKGAMMON, "2": TABULA}
_VARIATIONS: Final = {"0": "Backgammon", "1": "Acey-deucey", "2": "Tabula"}
_MOVE: Final = re.compile(r"([0-9]{1,2}|[a-z]{1,4})/([0-9]{1,2}|[a-z]{1,4})")
_WAITING: Final = frozenset(("bar", "b", "off", "o", "home", "h"))
_COLUMN: Final = 60
"""Where the second player's cells stand, behind the longest name."""

_GAME_FIELDS: Final = 9
_MAX_NAME: Final = 100


def looks_like_replay(text: str) -> bool:
    """Whether a text is a replay of bgammon.org.

    >>> looks_like_replay("bgammon-replay 00000024\\ni 1702738670 Ann Ben 1 0 0 1 1 0\\n"), looks_like_replay("3 point match")
    (True, False)
    """
    return text.startswith(_MARK)


def match_lines(text: str) -> list[tuple[int, str]]:
    """The lines of match text that say what a replay says, each with the number of its line in the replay.

    >>> for _, line in match_lines("bgammon-replay 00000024\\ni 1702738670 Ann Ben 1 0 0 1 1 0\\n1 r 3-1 8/5 6/5\\n"):
    ...     print(" ".join(line.split()))
    ; [Variation "Backgammon"]
    1 point match
    Game 1
    Ann : 0 Ben : 0
    1) 31: 8/5 6/5
    Wins 1 points
    """
    made: list[tuple[int, str]] = []
    games: list[list[tuple[int, list[str]]]] = []
    for number, line in layout.lines(text):
        words = line.split()
        if words[0] == "i" and len(words) >= _GAME_FIELDS:
            games.append([])
        if games:
            games[-1].append((number, words))
    match: tuple[object, ...] | None = None
    game_number = 0
    for game in games:
        number, head = game[0]
        _, _, first, second, length, score, other_score, winner, points, *variant = [word[:_MAX_NAME] for word in head]
        named = variant[0] if variant else "0"
        same = frozenset((first, second)), length, named
        if same != match or (score == other_score == "0"):
            made += [(number, f'; [Variation "{_VARIATIONS.get(named, named)}"]'), (number, f"{length} point match")]
            match, game_number = same, 0
        game_number += 1
        column = max(_COLUMN, len(first) + len(score) + 8)
        made.append((number, f" Game {game_number}"))
        made.append((number, f" {first} : {score}".ljust(column) + f"{second} : {other_score}"))
        made += _events(game[1:], _VARIANTS.get(named, BACKGAMMON), column)
        if winner in ("1", "2"):
            made.append((game[-1][0], " " * (column if winner == "2" else 20) + f"Wins {points} points"))
    return made


def _events(events: list[tuple[int, list[str]]], rules: Rules, column: int) -> list[tuple[int, str]]:
    """The rows of a game."""
    down = {player: _goes_down(events, player, default=player == "1") for player in ("1", "2")}
    rows = []
    for row, (number, words) in enumerate(events, 1):
        player, event, *more = [*words, "", ""]
        cells = {"1": "", "2": ""}
        if player not in cells:
            rows.append((number, f"{row:>3}) {' '.join(words)}"))
            continue
        if event == "r":
            moves = " ".join(_move(move, rules, down=down[player]) for move in more[1:] if move)
            cells[player] = f"{more[0].replace('-', '')}: {moves}"
        elif event == "d":
            cells[player] = f"Doubles => {more[0]}"
            cells["1" if player == "2" else "2"] = "Takes" if more[1] == "1" else "Drops"
        elif event == "t":
            cells[player] = "Resigns"
        else:
            cells[player] = " ".join(words)
        if event == "d" and player == "2":
            # The answer stands in the next row: cells are read from left to right.
            rows.append((number, f"{row:>3})".ljust(column) + cells["2"]))
            cells["2"] = ""
        rows.append((number, f"{row:>3}) {cells['1']}".ljust(column) + cells["2"]))
    return rows


def _goes_down(events: list[tuple[int, list[str]]], player: str, *, default: bool) -> bool:
    """Whether a player's checkers go from 24 to 1, by the first move of theirs that shows it."""
    for _, words in events:
        if words[:2] != [player, "r"]:
            continue
        for word in words[3:]:
            move = _MOVE.fullmatch(word.lower())
            if move is None:
                continue
            source, target = move.groups()
            if source.isdigit() and target.isdigit() and source != target:
                return int(source) > int(target)
            if target.isdigit() and source in _WAITING:
                return int(target) > OFF // 2
    return default


def _move(word: str, rules: Rules, *, down: bool) -> str:
    """A move in the mover's own numbering; what is no move is left as it is."""
    move = _MOVE.fullmatch(word.lower())
    if move is None:
        return word
    names = []
    for place, at_source in zip(move.groups(), (True, False), strict=True):
        if not place.isdigit():
            names.append("bar" if at_source else "off")
            continue
        index = OFF - int(place) if down else int(place)
        names.append(("bar" if at_source else "off") if not 0 < index < OFF else rules.label(index))
    return "/".join(names)
