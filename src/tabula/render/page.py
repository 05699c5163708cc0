"""A game or a match as one page of HTML that needs nothing else: its data, its boards and its list of turns.

The script draws every board from its data: a page with thousands of turns has one empty board, each checker, die and arrow once.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from tabula.describing import waiting_place
from tabula.notation.match_state import MatchState
from tabula.notation.xg import xgid
from tabula.render import captions, shapes
from tabula.render.arrows import curve, hit_place, trips
from tabula.render.layout import CAPTION, LEVELS, WIDTH, Spot, View
from tabula.render.marks import cube_drawn, unused_dice
from tabula.render.theme import DARK, LIGHT, PRINT
from tabula.rules import BACKGAMMON, OFF, TRACK, may_wait

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabula._native.position import Position
    from tabula.notation.matchtext import Match, MatchGame, MatchTurn

__all__ = ["page"]

_MORE: Final[dict[str, dict[str, str]]] = {
    "light": {
        "paper": "#fffdf8",
        "text": "#2b2118",
        "raised": "#f3ebdc",
        "line": "#b9a98e",
        "chosen": "#1769aa",
        "chosen-text": "#ffffff",
        "focus": "#1769aa",
        "wrong": "#b71c1c",
    },
    "dark": {
        "paper": "#191614",
        "text": "#e8ddcb",
        "raised": "#2a2522",
        "line": "#6b5d4c",
        "chosen": "#64b5f6",
        "chosen-text": "#10202e",
        "focus": "#64b5f6",
        "wrong": "#ff8a7d",
    },
    "print": {
        "paper": "#ffffff",
        "text": "#000000",
        "raised": "#ffffff",
        "line": "#000000",
        "chosen": "#ffffff",
        "chosen-text": "#000000",
        "focus": "#000000",
        "wrong": "#000000",
    },
}
"""The colours of the page beside those of its board."""

_HEIGHT: Final = CAPTION - 22
"""The height of the board's picture, which has no line below the numbers of the points."""

_CELLS: Final = {
    "take": "Takes",
    "drop": "Drops",
    "beaver": "Beavers",
    "raccoon": "Raccoons",
    "resign": "Resigns",
    "time": "Loses on time",
}


def page(match: Match, *, names: tuple[str, str], side: int) -> str:
    """The page of a match, with the names of its players; `side` is the one whose view all boards have."""
    return _Page(match, names, side).text()


def _words(text: str) -> str:
    """Text for HTML: escaped, with the characters replaced that a document cannot hold."""
    return escape("".join(sign if sign.isprintable() else "\ufffd" for sign in text))


def _name(text: str) -> str:
    """A name in a sentence of its own direction, so that one written from right to left turns nothing around it."""
    return f"<bdi>{_words(text)}</bdi>"


def _json(value: Any) -> str:
    """JSON that can stand within a script element: no text in it can end or start one."""
    written = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return written.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _number(value: float) -> float | int:
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def _pair(spot: Spot) -> str:
    return f"{_number(spot.x)},{_number(spot.y)}"


def _variables(colours: Mapping[str, str]) -> str:
    return "".join(f"--{key.replace(' ', '-')}:{colour};" for key, colour in colours.items())


def _style() -> str:
    light, dark, printed = (
        _variables({**board, **_MORE[name]}) for name, board in (("light", LIGHT), ("dark", DARK), ("print", PRINT))
    )
    themes = f":root{{color-scheme:light dark;{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    return f"{themes}@media print{{:root{{{printed}}}}}\n{_file('page.css')}"


def _file(name: str) -> str:
    return resources.files("tabula.render").joinpath(name).read_text(encoding="utf-8")


def _cell(turn: MatchTurn) -> str:
    """What a turn was, as the list has it."""
    roll = "" if turn.roll is None else "".join(map(str, turn.roll))
    if turn.kind == "play" and turn.play is not None:
        return f"{roll}: {turn.play if turn.play.moves else 'cannot move'}"
    if turn.kind == "double":
        return "Doubles" if turn.value is None else f"Doubles to {turn.value}"
    if turn.kind == "unplayed":
        return f"{roll}: resigns"
    if turn.kind == "unknown":
        return f"{roll}: ????".removeprefix(": ")
    return _CELLS.get(turn.kind) or turn.text or turn.kind


class _Table:
    """Values that many turns share, each once, by the number of its place."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[str, int] = {}

    def place(self, value: Any) -> int:
        key = json.dumps(value)
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value)
        return self._places[key]


class _Page:
    """One page; `text` gives it whole."""

    def __init__(self, match: Match, names: tuple[str, str], side: int) -> None:
        self.match = match
        self.names = names
        self.rules = match.rules
        self.view = View(match.rules, side)
        self.turns: list[list[Any]] = []
        self.arrows, self.standings = _Table(), _Table()
        numbers = [game.number for game in match.games]
        self.game_numbers = numbers if len(set(numbers)) == len(numbers) else list(range(1, len(numbers) + 1))

    def text(self) -> str:
        games = "\n".join(self._game(number, game) for number, game in zip(self.game_numbers, self.match.games, strict=True))
        script, style = _file("page.js"), _style()
        policy = f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
        title = _words(self._title())
        white, black = (
            f'<span id="side{side}"><span class="sign" aria-hidden="true"></span>{_name(name)}, {colour}: '
            f'<span id="count{side}"></span></span>'
            for side, (name, colour) in enumerate(zip(self.names, ("white", "black"), strict=True))
        )
        return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="tabula">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header>
<h1>{" and ".join(map(_name, self.names))}</h1>
<dl>{self._facts()}</dl>
</header>
<main>
<section id="viewer" aria-label="Board">
<noscript><p>The boards need a script, which this browser does not run. All turns are listed below.</p></noscript>
{self._board()}
<p id="board-words" class="hidden"></p>
<p id="players">{white} {black}</p>
<p id="standing"></p>
<p id="status" aria-live="polite"></p>
<div class="row">
<button type="button" id="first" aria-label="First turn" aria-keyshortcuts="Home">|&#9664;&#xFE0E;</button>
<button type="button" id="previous" aria-label="Turn before" aria-keyshortcuts="ArrowLeft">&#9664;&#xFE0E;</button>
<button type="button" id="next" aria-label="Next turn" aria-keyshortcuts="ArrowRight">&#9654;&#xFE0E;</button>
<button type="button" id="last" aria-label="Last turn" aria-keyshortcuts="End">&#9654;&#xFE0E;|</button>
</div>
<div class="row">
<label for="id" id="id-name">Position</label>
<input id="id" readonly spellcheck="false" aria-label="Text of the position">
<button type="button" id="copy">Copy</button>
<span id="copied" role="status"></span>
</div>
</section>
<section id="games" aria-label="Turns">
{self._problems()}{games}
</section>
</main>
<script type="application/json" id="data">{_json(self._data())}</script>
<script>{script}</script>
</body>
</html>
"""

    def _title(self) -> str:
        match = self.match
        length = f", {match.length}-point match" if match.length else ""
        return f"{self.names[0]} and {self.names[1]}{length}"

    def _facts(self) -> str:
        match = self.match
        facts = [("Rules", self.rules.name or "tables")]
        facts += [("Match", captions.count(match.length, "point"))] if match.length else []
        facts += [(name, value) for name, value in match.tags if value]
        return "".join(f"<div><dt>{_words(name)}</dt><dd>{_name(value)}</dd></div>" for name, value in facts)

    def _problems(self) -> str:
        """The problems that belong to no game of the page; those of a game stand in its table."""
        listed = [problem for game in self.match.games for problem in _problems_of(self.match, game)]
        others = [problem for problem in self.match.problems if problem not in listed]
        return "".join(f'<p class="problem">line {problem.line}: {_words(problem.message)}</p>\n' for problem in others)

    def _board(self) -> str:
        """The empty board, and each checker, die and mark once, to be copied to its places."""
        ink = {key: f"var(--{key.replace(' ', '-')})" for key in LIGHT}
        middle = Spot(0, 0)
        copied = {
            **{f"checker{side}": shapes.checker(middle, side, ink) for side in range(2)},
            **{f"flat{side}": shapes.slab(middle, side, ink) for side in range(2)},
            **{f"die{side}{number}": shapes.die(middle, number, side, ink) for side in range(2) for number in range(1, 7)},
            "hit": shapes.hit_badge(middle, ink),
            "cube": shapes.cube(middle, ink),
        }
        lines = [
            f'<svg id="board" viewBox="0 0 {shapes.n(WIDTH)} {shapes.n(_HEIGHT)}" role="img" aria-labelledby="board-words">',
            "<defs>",
            *(f'<g id="{name}">{drawn}</g>' for name, drawn in copied.items()),
            "</defs>",
            *shapes.surface(self.view, ink, _HEIGHT),
            *shapes.points(self.view, ink, {}),
            *shapes.trays(self.view, ink),
            '<g id="drawn"></g>',
            "</svg>",
        ]
        return "\n".join(lines)

    def _data(self) -> dict[str, Any]:
        view, rules = self.view, self.rules
        places = []
        for side in range(2):
            spots = [(view.spot(side, index, 0), view.spot(side, index, 1)) for index in range(TRACK)]
            places.append([[*map(_number, (low.x, low.y, high.x - low.x, high.y - low.y))] for low, high in spots])
        return {
            "names": self.names,
            "side": view.side,
            "opposed": view.opposed,
            "bar": [_number(view.bar_middle.x), _number(view.bar_middle.y), rules.waiting_label] if view.opposed else None,
            "waiting": waiting_place(rules),
            "mayWait": may_wait(rules),
            "facing": [0, *map(rules.facing, range(1, OFF)), OFF],
            "numbers": [rules.number(index) for index in range(TRACK)],
            "levels": LEVELS,
            "places": places,
            "labels": [[_number(spot.x), _number(spot.y)] for spot in map(view.label, range(1, OFF))],
            "dice": [[_number(spot.x), _number(spot.y), shapes.DICE_PITCH] for spot in map(view.dice, range(2))],
            "arrows": self.arrows.values,
            "standings": self.standings.values,
            "turns": self.turns,
        }

    # ----------------------------------------------------------------------------------------------------------------- turns

    def _game(self, number: int, game: MatchGame) -> str:
        """The table of a game; its turns are added to the data."""
        names, score = self.names, game.score
        rows: list[list[str]] = []
        last = 1
        problems = _problems_of(self.match, game)
        wrong = {problem.turn for problem in problems}
        for at, turn in enumerate(game.turns, 1):
            if turn.side == 0 or last == 1:
                rows.append(["", ""])
            marked = at in wrong or not turn.legal
            rows[-1][turn.side] += self._link(f"g{number}t{at}", _cell(turn), marked=marked)
            last = turn.side
            self._add(game, turn, turn.before, turn.side, f"turn {at}, {names[turn.side]}, ")
        body = "".join(
            f'<tr><th scope="row">{at}</th><td>{left}</td><td>{right}</td></tr>\n' for at, (left, right) in enumerate(rows, 1)
        )
        body += "".join(
            f'<tr><th></th><td colspan="2" class="problem">line {problem.line}: {_words(problem.message)}</td></tr>\n'
            for problem in problems
        )
        result = self._result(number, game)
        heads = "".join(f'<th scope="col">{_name(name)}</th>' for name in names)
        caption = f"Game {number}: {_name(names[0])} {score[0]}, {_name(names[1])} {score[1]}"
        return (
            f'<table id="g{number}" data-name="Game {number}"><caption>{caption}</caption>\n'
            f'<thead><tr><th scope="col"><span class="hidden">Row</span></th>{heads}</tr></thead>\n'
            f"<tbody>\n{body}{result}</tbody></table>"
        )

    def _result(self, number: int, game: MatchGame) -> str:
        """The row with the end of a game and the board after its last turn; nothing for a game without turns."""
        if not game.turns:
            return ""
        names = self.names
        if game.winner is None:
            words = "The game is not finished"
        else:
            points = "" if game.points is None else f" {captions.count(game.points, 'point')}"
            words = f"{names[game.winner]} wins{points}{' and the match' if game.wins_match else ''}"
        last = game.turns[-1]
        position = last.before if last.after is None else last.after
        self._add(game, None, position, position.turn, "")
        link = self._link(f"g{number}t{len(game.turns) + 1}", words, marked=False)
        return f'<tr><th></th><td colspan="2">{link}</td></tr>\n'

    def _link(self, name: str, words: str, *, marked: bool) -> str:
        return f'<a class="turn{" wrong" if marked else ""}" id="{name}" href="#{name}">{_words(words)}</a>'

    def _add(self, game: MatchGame, turn: MatchTurn | None, position: Position, side: int, before: str) -> None:
        """Adds to the data what the script shows of one turn, or of the end of a game."""
        state = None if turn is None else turn.match
        standing = MatchState(length=self.match.length, score=game.score) if state is None else state
        cube = cube_drawn(standing, self.view)
        drawn = None if cube is None else [cube.value, _number(cube.place.x), _number(cube.place.y)]
        play = None if turn is None else turn.play
        roll = () if turn is None or turn.roll is None else turn.roll
        arrows = []
        for trip in [] if play is None else trips(play, self.view):
            line = curve(trip, self.view, from_empty=False, to_empty=not trip.hit)
            path = f"M{_pair(line.start)}Q{_pair(line.control)} {_pair(line.end)}"
            hit = [*map(_number, hit_place(trip))] if trip.hit else 0
            arrows.append(self.arrows.place([path, " ".join(map(_pair, line.head)), hit]))
        unused = unused_dice(roll, play)
        letters = "".join(chr(97 + count) for track in captions.by_side(position) for count in track)
        self.turns.append(
            [
                side,
                letters,
                "".join(map(str, roll)),
                unused,
                arrows,
                self.standings.place([captions.match_words(standing), list(standing.score), drawn]),
                self._id(position, turn, state),
                before,
            ]
        )

    def _id(self, position: Position, turn: MatchTurn | None, state: MatchState | None) -> str:
        """The XGID of a turn, or the library's own text where the game or the match has none."""
        if self.rules == BACKGAMMON and position.outcome is None:
            try:
                return xgid(position, None if turn is None else turn.roll, state)
            except ValueError:  # what an XGID has no room for
                pass
        return position.to_text()


def _problems_of(match: Match, game: MatchGame) -> Sequence[Any]:
    """The problems of one game."""
    return [problem for problem in match.problems if problem == game.problem or problem.game == game.number]
