"""A play as people write it: ``24/18* 18/13`` in backgammon, ``bar/8* bar/5`` in Tabula."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tabula._native.position import Play

__all__ = ["PASS", "play_text"]

PASS: Final = "pass"
"""What a play of no moves is written as."""


@dataclasses.dataclass
class _Chain:
    """One checker's moves, merged over the pauses at which it hit nothing."""

    source: int
    target: int
    hit: bool


def play_text(play: Play) -> str:
    """The canonical text of a play, in the numbering of its rules.

    Moves are taken in the order shown; each joins the earliest chain that ends where it starts, unless that landing hit. Chains
    stand by source along the track, the farther target first; equal ones are grouped, and ``*`` marks a hit.

    >>> from tabula import BACKGAMMON, Position
    >>> sorted(map(play_text, Position(BACKGAMMON).plays("11")))[:2]
    ['24/20', '24/21 24/23']
    """
    chains: list[_Chain] = []
    for source, target, _, hit in play.moves:
        chain = next((chain for chain in chains if chain.target == source and not chain.hit), None)
        if chain is None:
            chains.append(_Chain(source, target, hit))
        else:
            chain.target, chain.hit = target, hit
    chains.sort(key=lambda chain: (chain.source, -chain.target))
    label = play.origin.rules.label
    many = Counter((chain.source, chain.target) for chain in chains)
    hits = {(chain.source, chain.target) for chain in chains if chain.hit}
    return (
        " ".join(
            f"{label(source)}/{label(target)}{'*' if (source, target) in hits else ''}{f'({times})' if times > 1 else ''}"
            for (source, target), times in many.items()
        )
        or PASS
    )
