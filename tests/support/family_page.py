"""The page docs/family.md and its pictures, made from the games of `tabula.games`.

python tests/support/family_page.py --update
"""

import argparse
import dataclasses
from pathlib import Path

from tabula import BACKGAMMON, Position, games
from tabula.render import svg
from tabula.rules import PRESETS, Rules

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "family.md"
PICTURES = DOCS / "images" / "family"

HEAD = """\
# The family

Games of the tables family that `Rules` can express and that have a name here. `tabula.games.get(name)` gives the rules of one,
`tabula.games.entry(name)` all that this page says of it. On the command line `--game NAME` takes them, and `rules NAME` explains
one. Capitals, spaces and hyphens in a name do not matter.

The table says how each differs from `BACKGAMMON`; [the rules](rules.md) explain the fields. Perft counts the leaves of the game
tree to depth 1, 2 and so on.
"""

OUT = """\
## What is out

A game is here if a position is both sides' counts and nothing else, and if a turn needs no more than that, the dice and the
position at its start. These are not:

| game | why |
|---|---|
| plakoto, tapa | a checker pins a blot and stands on it: a point would need one bit more |
| fevga, moultezim | the sources contradict each other on which six points may not be filled |
| gul bara | a double goes on to the higher doubles: up to 24 moves in a turn |
| acey-deucey | a turn goes on after 2-1 |
| trictrac and other scoring games | points are scored for positions on the way |
| doblet and other unstacking games | checkers are unstacked first, and do not travel |

## Two more readings of Tabula

Two readings on the web need fields that `TABULA` does not use: any checker in the last quarter may leave with a larger throw
(`bear_off="any"`, `home_start=19`), and bearing off has no condition (`home_start=0`).
"""


def difference(rules: Rules) -> str:
    """The fields in which rules differ from backgammon's, as a call would have them."""
    changed = []
    for field in dataclasses.fields(rules):
        value = getattr(rules, field.name)
        if field.name != "name" and value != getattr(BACKGAMMON, field.name):
            drawn = setup(value) if field.name.startswith("setup") else repr(value)
            changed.append(f"{field.name} {drawn}".replace("'", ""))
    return ", ".join(changed)


def setup(counts: tuple[int, ...] | None) -> str:
    """A setup as checkers and track index: ``2@1 5@12``."""
    return " ".join(f"{count}@{index}" for index, count in enumerate(counts or ()) if count)


def page() -> str:
    """The whole page."""
    known = [games.entry(name) for name in games.names()]
    lines = [HEAD, "| game | differs from backgammon in | perft | sure |", "|---|---|---|---|"]
    for game in known:
        rules = "" if game.rules is BACKGAMMON else f"`{game.rules!r}`" if game.name in PRESETS else difference(game.rules)
        perft = ", ".join(f"{value.leaves:,}" for value in game.perft.values())
        lines.append(f"| [{game.name}](#{game.name.replace('_', '-')}) | {rules} | {perft} | {game.sure} |")
    for game in known:
        also = f" Also called {', '.join(game.other_names)}." if game.other_names else ""
        lines += ["", f"## {game.name}", "", f"{game.about}{also}"]
        lines += ["", " ".join(game.readings)] if game.readings else []
        lines += ["", f"Source: {'; '.join(game.sources)}."]
        if game.name not in PRESETS or game.name == "narde":
            lines += ["", f"![The start of {game.name}.](images/family/{game.name}.svg)"]
    return "\n".join(lines) + "\n\n" + OUT


def pictures() -> dict[str, str]:
    """The picture of each start that the page has, by its file's name."""
    drawn = [name for name in games.names() if f"images/family/{name}.svg" in page()]
    return {f"{name}.svg": svg.board(Position(games.get(name))) + "\n" for name in drawn}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true", help="write the page and its pictures")
    if parser.parse_args().update:
        PICTURES.mkdir(exist_ok=True)
        PAGE.write_text(page(), encoding="utf-8")
        for name, picture in pictures().items():
            (PICTURES / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
