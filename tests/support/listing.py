"""The plays of some seeded turns as text, to be compared between processes."""

import random
import sys

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules
from tabula.dice import all_rolls

OWN = Rules(dice=2, doubles="twice", direction="opposed", stack_limit=3, gates="move", setup=(9, *[0] * 25), name="own")


def listing(games: int = 2, plies: int = 12) -> str:
    """Every play of every turn of some random games, in order, with its moves and its afterstate."""
    source = random.Random(20)
    lines = []
    for rules in (TABULA, BACKGAMMON, TABULA_HISTORIC, OWN):
        for _ in range(games):
            position = Position(rules)
            for _ in range(plies):
                plays = position.plays(source.choice(all_rolls(rules.dice)))
                lines += [f"{play.position.to_text()} {play} {[tuple(move) for move in play.moves]}" for play in plays]
                position = plays[source.randrange(len(plays))].position
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(listing())
