"""The native generator against itself and against the reference, on random rules, positions and rolls."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from fuzz.boards import any_positions, any_rules
from tabula import Position, Rules, _core, batch, dice, perft, reference
from tabula._native.position import count_leaves

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    import numpy.typing as npt

POSITIONS = 48

REFERENCE_POSITIONS = 8
"""The positions of a round that are compared with the reference."""

ALWAYS_COMPARED = 16
"""A roll with more plays than this is compared with the reference only by chance."""

END_BYTES, MOVES_BYTES = 52, 8
"""Bytes of an afterstate and of the moves of its play."""


def _sums(after: batch.Ragged, rules: Rules) -> npt.NDArray[np.uint64]:
    """For each row a sum over its afterstates, each mixed to 64 bits, so that their order does not matter."""
    words = batch.pack(after.positions, rules=rules, check=False).view(np.uint64).reshape(-1, 4)
    mixed = np.zeros(len(words), np.uint64)
    for k in range(4):
        mixed = (mixed ^ words[:, k]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed, dtype=np.uint64)])
    return total[after.offsets[1:]] - total[after.offsets[:-1]]


def _fail(what: str, rules: Rules, positions: npt.NDArray[np.int8], row: int) -> None:
    rolls = dice.all_rolls(rules.dice)
    at = positions[row // len(rolls)]
    raise AssertionError(f"{what}: {rules!r}, {_core.way(rules)}, {at.tolist()}, roll {rolls[row % len(rolls)]}")


def fast_and_general(source: random.Random) -> int:
    """Random rules, some positions, every roll: listing, counting and picking against the search through every line of moves.

    The general way is tried with each rules, and so is the fast way that serves them. Returns how many (rules, position, roll) were
    compared.
    """
    rules = any_rules(source)
    positions = any_positions(source, rules, POSITIONS)
    expected = batch.all_rolls(positions, rules=_core.every_line(rules))
    ways = [rules] if _core.way(rules) == "general" else [rules, _core.general(rules)]
    return sum(_against_every_line(source, way, positions, expected) for way in ways)


def _against_every_line(source: random.Random, rules: Rules, positions: npt.NDArray[np.int8], expected: batch.Ragged) -> int:
    listed = batch.all_rolls(positions, rules=rules)
    rows = len(listed)
    for what, one, two in (
        ("other plays", np.diff(listed.offsets), np.diff(expected.offsets)),
        ("other plays", _sums(listed, rules), _sums(expected, rules)),
        ("another number of dice", listed.dice_used, expected.dice_used),
        ("another count", batch.counts(positions, None, rules=rules).ravel(), np.diff(listed.offsets)),
    ):
        if (one != two).any():
            _fail(what, rules, positions, int(np.flatnonzero(one != two)[0]))
    keys = batch.pack(listed.positions, rules=rules)  # checked: each afterstate is a legal position
    assert len(keys) == listed.offsets[-1]
    leaves = batch.counts(positions, None, rules=rules).sum(axis=1)
    for row in range(0, len(positions), 4):
        board = Position.from_array(positions[row], rules=rules)
        if perft(board, 1) != leaves[row] or count_leaves(board, 1, build=True) != leaves[row]:
            _fail("another count of all rolls", rules, positions, row * rows // len(positions))
    seed = source.getrandbits(64)
    rolls = np.tile(np.array(dice.all_rolls(rules.dice), np.uint8), (len(positions), 1))
    each = np.repeat(positions, rows // len(positions), axis=0)
    # the play picked without making a list, and the play at the same place of the list
    one, two = (
        batch.random_play(each, rolls, rules=rules, rng=np.random.default_rng(seed), check=check) for check in (True, False)
    )
    if (one != two).any():
        _fail("another play picked", rules, positions, int(np.flatnonzero((one != two).any(axis=(1, 2)))[0]))
    return rows


def _move_bytes(steps: Iterable[reference.Step]) -> bytes:
    return bytes(itertools.chain(*steps)).ljust(MOVES_BYTES, b"\xff")


def native_and_reference(source: random.Random) -> int:
    """Random rules, some positions, every roll: plays, dice used and the moves of each play, against the reference.

    Every other time the general way serves the rules, whatever they are. The reference makes every order of every play, and one
    case in twenty would take most of the time. So a roll with more plays than `ALWAYS_COMPARED` is compared with a chance of
    (`ALWAYS_COMPARED` / plays)².
    """
    rules = any_rules(source)
    if source.random() < 0.5:
        rules = _core.general(rules)
    rolls = dice.all_rolls(rules.dice)
    positions = any_positions(source, rules, REFERENCE_POSITIONS)
    listed = batch.all_rolls(positions, rules=rules)
    every = np.tile(np.array(rolls, np.uint8), (len(positions), 1))
    moves = batch.moves(np.repeat(positions, len(rolls), axis=0), every, rules=rules).moves
    ends, lines = listed.positions.tobytes(), moves.tobytes()
    counted = batch.counts(positions, None, rules=rules).ravel()
    tracks = [(tuple(mover), tuple(other)) for mover, other in positions.tolist()]
    done = 0
    for row, (first, last) in enumerate(itertools.pairwise(listed.offsets.tolist())):
        plays = last - first
        if plays > ALWAYS_COMPARED and source.random() > (ALWAYS_COMPARED / plays) ** 2:
            continue
        mover, other = tracks[row // len(rolls)]
        expected = reference.generate(rules, mover, other, rolls[row % len(rolls)])
        native = {
            ends[at * END_BYTES : (at + 1) * END_BYTES]: lines[at * MOVES_BYTES : (at + 1) * MOVES_BYTES]
            for at in range(first, last)
        }
        slow = {bytes(theirs + mine): _move_bytes(steps) for (mine, theirs), steps in expected.afterstates.items()}
        if native != slow or plays != len(slow) or counted[row] != plays or listed.dice_used[row] != expected.dice_used:
            _fail("not as the reference", rules, positions, row)
        done += 1
    return done
