"""What a type checker must make of `tabula.render`."""

import sys
from collections.abc import Mapping
from typing import Literal, assert_type

from tabula import Position
from tabula.render import html, svg, text, theme

position = Position()
plays = position.plays("652")

assert_type(svg.board(position, play=plays[0], labels="roman", colours="dark", size=400), str)
assert_type(svg.board(position, roll="652", colours={"board": "#fff"}), str)
assert_type(text.board(position, style="unicode", colour=True, upside_down=True), str)
assert_type(text.signs("unicode"), str)
assert_type(text.wants_colour(sys.stdout), bool)
assert_type(text.fitting_style(sys.stdout), Literal["ascii", "unicode"])
assert_type(html.table(plays), str)
assert_type(theme.resolve("light"), Mapping[str, str])
assert_type(theme.LIGHT, Mapping[str, str])
assert_type(theme.DARK, Mapping[str, str])
assert_type(theme.THEMES, Mapping[str, Mapping[str, str]])
assert_type(svg.LIGHT, Mapping[str, str])
assert_type(svg.DARK, Mapping[str, str])

# What must be refused
svg.board(position, labels="greek")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
text.board(position, style="plain")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
