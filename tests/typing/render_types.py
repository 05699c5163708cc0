"""What a type checker must make of `tabula.render`."""

import sys
from collections.abc import Mapping
from typing import Literal, assert_type

from tabula import Position
from tabula.game import Game
from tabula.notation import MatchState
from tabula.render import html, svg, text, theme

position = Position()
plays = position.plays("652")

assert_type(svg.board(position, play=plays[0], labels="roman", colours="dark", size=400), str)
assert_type(svg.board(position, roll="652", colours={"board": "#fff"}), str)
assert_type(
    svg.board(
        position,
        side=1,
        match=MatchState(length=3),
        names=("Ann", "Ben"),
        caption="",
        arrows=[(1, "off"), ("bar", 3, "red"), svg.Arrow(1, 2)],
        fill={6: "gold"},
    ),
    str,
)
assert_type(text.board(position, style="unicode", colour=True, upside_down=True), str)
assert_type(text.signs("unicode"), str)
assert_type(text.wants_colour(sys.stdout), bool)
assert_type(text.fitting_style(sys.stdout), Literal["ascii", "unicode"])
assert_type(html.table(plays), str)
assert_type(html.game(Game(), names=("Ann", "Ben"), side=1), str)
assert_type(theme.resolve("light"), Mapping[str, str])
assert_type(theme.checked("fill[6]", "gold"), str)
assert_type(svg.Arrow(1, 2).colour, str | None)
assert_type(svg.Arrow("bar", 2, "gold").source, int | Literal["bar", "off"])
assert_type(svg.Arrow(1, "off").target, int | Literal["bar", "off"])
assert_type(theme.PRINT, Mapping[str, str])
assert_type(theme.LIGHT, Mapping[str, str])
assert_type(theme.DARK, Mapping[str, str])
assert_type(theme.THEMES, Mapping[str, Mapping[str, str]])
assert_type(svg.LIGHT, Mapping[str, str])
assert_type(svg.DARK, Mapping[str, str])
assert_type(svg.PRINT, Mapping[str, str])

# What must be refused
svg.board(position, arrows=[(1, "in hand")])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
svg.board(position, labels="greek")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
text.board(position, style="plain")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
