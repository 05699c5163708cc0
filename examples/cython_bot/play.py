"""Plays games of the bot against itself: python play.py tabula 1000 1 (the game, how many, the seed)."""

import sys

import cython_bot

from tabula.rules import PRESETS

game, games, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for name, total in cython_bot.play(PRESETS[game], games, seed).items():
    print(name, total)
