"""Plays games of the bot against itself: python play.py tabula 1000 1 (the game, how many, the seed)."""

import sys

import c_bot

game, games, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for name, total in c_bot.play(game, games, seed).items():
    print(name, total)
