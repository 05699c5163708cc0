"""The throw of the emperor Zeno, AD 480: the best known position of Tabula.

Agathias describes it in an epigram of the sixth century (Palatine Anthology IX 482). Zeno, white, stood well, threw 2, 5 and 6, and
after this eight of his checkers stood alone. This program proves that he had no choice, lists the plays of the other throws, and
draws the board before and after his throw.

    python examples/zeno.py            prints
    python examples/zeno.py FOLDER     also writes before.svg and after.svg there
"""

import sys
from pathlib import Path

from tabula import TABULA_HISTORIC, Position, dice
from tabula.render import svg

ZENO = Position.from_points(
    {6: 7, 9: 1, 10: 2, 19: 2, 20: 2, 23: 1},
    {8: 2, 11: 2, 12: 2, 13: 1, 14: 2, 15: 2, 18: 2, 21: 2},
    rules=TABULA_HISTORIC,
)


def blots(position: Position) -> int:
    """How many checkers of the side that has just played stand alone."""
    return position.other[1:25].count(1)


def main() -> None:
    print(ZENO, end="\n\n")

    (play,) = ZENO.plays("256")
    print(f"Zeno threw 2-5-6. His only play: {play}. It leaves {blots(play.position)} blots.")
    print()
    print(play.position, end="\n\n")

    print("Every roll he could have thrown, the plays it has, and the fewest blots that one of them leaves:")
    print("roll   plays  blots")
    forced = []
    for roll in dice.all_rolls(TABULA_HISTORIC.dice):
        plays = ZENO.plays(roll)
        fewest = min(blots(play.position) for play in plays)
        print(f"{dice.to_text(roll)}  {len(plays):>5}  {fewest:>5}{'  forced' if len(plays) == 1 else ''}")
        if len(plays) == 1:
            forced.append(roll)

    chance = sum(dice.chances(TABULA_HISTORIC.dice)[roll] for roll in forced)
    print(
        f"\n{len(forced)} rolls of 56 are forced; the chance of one was {chance}, and of 2-5-6 itself {dice.chances(3)[6, 5, 2]}."
    )

    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "before.svg").write_text(svg.board(ZENO, play=play, labels="roman"), encoding="utf-8")
        (folder / "after.svg").write_text(svg.board(play.position, labels="roman"), encoding="utf-8")
        print(f"Drawn: {folder / 'before.svg'}, {folder / 'after.svg'}")


if __name__ == "__main__":
    main()
