"""Whole games by the million, and what they measure.

A game is fixed by the position it starts from and a key of 64 bits. The key is that of a stream of random numbers of its own
(splitmix64's finalizer over a counter: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), made from a
seed that is drawn once a call and from the game's number. So a game is the same whatever thread plays it and whatever else is
played, and the dice of a ply do not depend on the plays chosen before: two policies can be compared on the same dice.

The side that the position has on roll moves first, and every ply has fresh dice. The throw that opens a game is not played: it
belongs to how a game is set up, and `tabula.dice.opening` makes it.
"""

from tabula._native.playouts import RECORD
from tabula.playouts.figure import drawing, plot
from tabula.playouts.play import MAX_PLIES, MOST_GAMES, MOST_PLIES, playouts, replay
from tabula.playouts.records import Playouts, Summary, wilson

__all__ = [
    "MAX_PLIES",
    "MOST_GAMES",
    "MOST_PLIES",
    "RECORD",
    "Playouts",
    "Summary",
    "drawing",
    "playouts",
    "plot",
    "replay",
    "wilson",
]
