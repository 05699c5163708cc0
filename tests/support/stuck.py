"""A position in which neither side can ever move again."""

import dataclasses
from typing import Final

from support.tracks import side
from tabula import Position, games

RULES: Final = dataclasses.replace(games.get("maghribiyya"), setup=side({1: 12}, 12), runner=None, pile_from=24)
STUCK: Final = Position.from_tracks(side(dict.fromkeys(range(1, 7), 2), 12), side(dict.fromkeys(range(13, 19), 2), 12), rules=RULES)
"""Each side stands on six points in front of the other's six."""
