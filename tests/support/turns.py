"""Every whole turn by brute force, from the reference's rule of a single move alone: an account of its own of what a turn is."""

from collections.abc import Iterator

from support.tracks import State
from tabula import Position, reference
from tabula.dice import parse

Line = tuple[tuple[int, int], ...]
"""Moves as (source, die), in the order in which they are made."""


def whole_turns(position: Position, roll: tuple[int, ...]) -> dict[Line, State]:
    """Each line of moves that is a whole legal play of the roll, with its end, which is not with sides swapped."""
    rules = position.rules
    lines = dict(_lines(position, parse(roll, rules.dice)))
    most = max(map(len, lines))
    lines = {line: end for line, end in lines.items() if len(line) == most}
    if rules.larger_die and most == 1:
        largest = max(line[0][1] for line in lines)
        lines = {line: end for line, end in lines.items() if line[0][1] == largest}
    return lines


def _lines(position: Position, roll: tuple[int, ...]) -> Iterator[tuple[Line, State]]:
    """Each line of legal moves, whole or not: the empty one too."""
    rules = position.rules
    start = reference.gates(rules, position.mover, roll)
    dice = (roll * 2 if rules.doubles == "twice" and len(set(roll)) == 1 else roll) + rules.extra_dice
    reached: list[tuple[Line, State, tuple[int, ...]]] = [((), (position.mover, position.other), dice)]
    while reached:
        line, (mover, other), left = reached.pop()
        yield line, (mover, other)
        for die in set(left):
            rest = list(left)
            rest.remove(die)
            for source in range(25):
                step = reference.Step(source, die)
                if reference.refusal(rules, mover, other, step, start) is None:
                    mine, theirs, _ = reference.make(rules, mover, other, step)
                    reached.append(((*line, (source, die)), (mine, theirs), tuple(rest)))
