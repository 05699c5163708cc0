"""Sides written shortly: what is not named has been borne off."""

from collections.abc import Mapping

Track = tuple[int, ...]
State = tuple[Track, Track]

OFF = 25


def side(counts: Mapping[int, int], checkers: int = 15) -> Track:
    """The track with these checkers by index (0 waiting, 1..24 points); all others of the side are off."""
    track = [counts.get(index, 0) for index in range(OFF)]
    assert sum(track) <= checkers
    return (*track, checkers - sum(track))


WAITING = side({0: 15})
"""A side of fifteen that is nowhere in the way."""


def mirrored(points: Mapping[int, int], checkers: int = 15) -> Track:
    """The track with these checkers by point, where points are numbered down: a backgammon player's own numbering."""
    return side({OFF - point: count for point, count in points.items()}, checkers)
