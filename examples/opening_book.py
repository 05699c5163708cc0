"""Every first roll of Tabula and all its plays: how many there are, and a page that draws them.

python examples/opening_book.py              prints the plays of each roll
python examples/opening_book.py BOOK.html    also draws every play on a page
"""

import sys
from pathlib import Path

from tabula import Play, Position, dice
from tabula.render import svg

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>The first rolls of Tabula</title>
<style>
body {{ font-family: system-ui, sans-serif; margin: 2rem }}
section {{ display: flex; flex-wrap: wrap; gap: 1rem }}
figure {{ margin: 0; text-align: center }}
</style>
<h1>The first rolls of Tabula</h1>
{chapters}
</html>
"""


def drawn(play: Play) -> str:
    """A play as a figure of the page: the board with its moves as arrows."""
    return f"<figure>{svg.board(play.origin, play=play, size=340)}<figcaption>{play}</figcaption></figure>"


def main() -> None:
    start = Position()
    chapters = []
    total = 0
    for roll, chance in dice.chances(start.rules.dice).items():
        plays = start.plays(roll)
        total += len(plays)
        name = dice.to_text(roll)
        print(f"{name} ({chance}): {', '.join(sorted(map(str, plays)))}")
        figures = "\n".join(map(drawn, plays))
        chapters.append(f"<h2>{name}</h2>\n<p>thrown with a chance of {chance}</p>\n<section>\n{figures}\n</section>")
    print(f"{total} plays of {len(chapters)} rolls")

    if len(sys.argv) > 1:
        book = Path(sys.argv[1])
        book.write_text(PAGE.format(chapters="\n".join(chapters)), encoding="utf-8")
        print(f"Drawn: {book}")


if __name__ == "__main__":
    main()
