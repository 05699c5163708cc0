"""The types of `tabula.bots`, as users write against them."""

from collections.abc import Mapping
from typing import assert_type

import numpy as np
import numpy.typing as npt

from tabula import Play, Position, bots

plays = Position().plays("652")
rng = np.random.default_rng(1)

assert_type(bots.random_play(plays, rng), Play)
assert_type(bots.pips_and_blots(plays), Play)
assert_type(bots.pips_and_blots(plays, rng), Play)
assert_type(bots.weigh(plays.positions, rules=plays.position.rules), npt.NDArray[np.int64])
blot: int = bots.BLOT
assert_type(bots.BOTS, Mapping[str, bots.Bot])
mine: bots.Bot = bots.pips_and_blots
