"""The boards kept as files, each looked at before it was kept. Run this file to draw them anew, then look at them."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

from tabula import BACKGAMMON, BLACK, TABULA, TABULA_HISTORIC, WHITE, Play, Position, Rules
from tabula.notation import MatchState
from tabula.render import svg, text

FOLDER = Path(__file__).parent / "golden"

ZENO = Position.from_points(
    {6: 7, 9: 1, 10: 2, 19: 2, 20: 2, 23: 1}, {8: 2, 11: 2, 12: 2, 13: 1, 14: 2, 15: 2, 18: 2, 21: 2}, rules=TABULA_HISTORIC
)
"""The board of AD 480, before the throw 2-5-6."""

ENTERING = Position.from_points({1: 5, 2: 1, 12: 3, 11: 2, 24: 1}, {4: 1, 7: 1, 13: 1, 22: 4, 20: 1}, rules=TABULA, bar=(3, 7))
LEAVING = Position.from_points({6: 2, 3: 1, 1: 2}, {8: 2, 1: 5}, rules=BACKGAMMON, off=(10, 8))
CROSSING = Position.from_points(
    {24: 2, 18: 1, 22: 1, 20: 2, 9: 9}, {13: 1, 21: 3, 9: 1, 11: 8, 6: 1, 2: 1}, rules=BACKGAMMON, turn=BLACK
)
SHUT_OUT = Position.from_points({13: 2}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 20: 1}, rules=BACKGAMMON, bar=(2, 0), off=(11, 2))
ALL_OFF = Position.from_points({}, {2: 15}, rules=BACKGAMMON, off=(15, 0))
ON_BAR = Position.from_points({6: 5, 8: 3, 13: 5}, {1: 1, 6: 5, 8: 3, 13: 5}, rules=BACKGAMMON, bar=(2, 1))
ALL_WAITING = Position.from_points({}, {}, rules=BACKGAMMON, bar=(15, 15))
FIFTEEN = Position.from_points({5: 15}, {7: 15}, rules=TABULA_HISTORIC)
CROSSWISE = Position(
    dataclasses.replace(BACKGAMMON, dice=1, doubles="once", opening="roll-off", numbering="up", name="crosswise"),
)
TOWARDS_ONE = Position.from_points({24: 2, 20: 6, 3: 7}, {22: 1, 1: 6}, rules=Rules(numbering="down", stack_limit=7), bar=(0, 8))


MATCH = MatchState(length=7, score=(3, 5), cube=2, owner=BLACK, players=("Ann", "Benjamin of Tudela, the Traveller"))


def play_of(position: Position, roll: str, *, hits: int = 0) -> Play:
    """The first of the plays that hit at least so often, by its text."""
    found = [play for play in position.plays(roll) if sum(move.hit for move in play.moves) >= hits]
    return min(found, key=str)


def _before(position: Position, roll: str, *, hits: int = 0, colours: str = "light") -> str:
    return svg.board(position, play=play_of(position, roll, hits=hits), colours=colours)


def _after(position: Position, roll: str, *, hits: int = 0, colours: str = "light") -> str:
    play = play_of(position, roll, hits=hits)
    return svg.board(play.position, play=play, colours=colours)


BOARDS: dict[str, Callable[[], str]] = {
    "tabula-start.svg": lambda: svg.board(Position(), roll="652"),
    "tabula-start-dark-roman.svg": lambda: svg.board(Position(), colours="dark", labels="roman"),
    "tabula-first-roll.svg": lambda: _before(Position(), "652"),
    "tabula-hits.svg": lambda: _before(ENTERING, "643", hits=2),
    "tabula-hits-after-dark.svg": lambda: _after(ENTERING, "643", hits=2, colours="dark"),
    "zeno-before.svg": lambda: svg.board(ZENO, play=ZENO.plays("256")[0], labels="roman"),
    "zeno-after-dark.svg": lambda: svg.board(ZENO.plays("256")[0].position, colours="dark", size=350),
    "historic-fifteen.svg": lambda: svg.board(FIFTEEN, roll="666"),
    "backgammon-start.svg": lambda: svg.board(Position(BACKGAMMON), roll="61"),
    "backgammon-hits.svg": lambda: _before(CROSSING, "66", hits=2),
    "backgammon-hits-after.svg": lambda: _after(CROSSING, "66", hits=2),
    "backgammon-leaving-dark.svg": lambda: _before(LEAVING, "66", colours="dark"),
    "backgammon-pass.svg": lambda: _before(SHUT_OUT, "61"),
    "backgammon-all-off-dark.svg": lambda: svg.board(ALL_OFF, colours="dark"),
    "backgammon-all-waiting.svg": lambda: svg.board(ALL_WAITING),
    "custom-up-opposed.svg": lambda: svg.board(CROSSWISE, roll="5"),
    "custom-down-same.svg": lambda: svg.board(TOWARDS_ONE, roll="222", colours="dark"),
    "backgammon-other-side.svg": lambda: svg.board(
        CROSSING, play=play_of(CROSSING, "66", hits=2), side=WHITE, names=("Ann", "Ben")
    ),
    "backgammon-match-print.svg": lambda: svg.board(
        Position(BACKGAMMON), roll="31", match=MATCH, colours="print", arrows=[(8, 5), ("bar", 22, "green")], fill={5: "gold"}
    ),
    "backgammon-double-dark.svg": lambda: svg.board(
        CROSSING, match=dataclasses.replace(MATCH, offer="double"), side=WHITE, colours="dark", caption="Double?"
    ),
    "zeno-match-roman.svg": lambda: svg.board(ZENO, play=ZENO.plays("256")[0], labels="roman", match=MATCH, side=BLACK),
    "tabula-start.txt": lambda: text.board(Position()),
    "zeno-ascii.txt": lambda: text.board(ZENO),
    "zeno-unicode.txt": lambda: text.board(ZENO, style="unicode"),
    "zeno-upside-down.txt": lambda: text.board(ZENO, upside_down=True),
    "backgammon-ascii.txt": lambda: text.board(CROSSING),
    "backgammon-unicode-colour.txt": lambda: text.board(CROSSING, style="unicode", colour=True),
    "backgammon-upside-down.txt": lambda: text.board(CROSSING, upside_down=True),
    "backgammon-bar.txt": lambda: text.board(ON_BAR),
    "backgammon-all-waiting-colour.txt": lambda: text.board(ALL_WAITING, style="unicode", colour=True),
    "backgammon-all-off.txt": lambda: text.board(ALL_OFF),
}
"""Every kept board: the name of its file and how it is drawn."""


def main() -> None:
    """Draws every board anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, draw in BOARDS.items():
        (FOLDER / name).write_text(draw() + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
