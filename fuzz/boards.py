"""Random rules and random positions under them, many of them just inside or outside the conditions of the fast ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tabula import Rules, batch
from tabula.rules import MAX_CHECKERS, MAX_DICE, OFF, PRESETS, RULE_FIELDS, TRACK

if TYPE_CHECKING:
    import random

    import numpy.typing as npt

Track = list[int]

SHAPES = (
    "from the start",
    "row",
    "row",
    "anywhere",
    "waiting",
    "home",
    "ending",
    "ending",
    "outside",
    "stacks",
    "blots",
    "close",
    "one die apart",
)


QUIET: dict[str, Any] = {
    "blots": "hit",
    "head_limit": None,
    "head_doubles": (),
    "primes": "free",
    "runner": None,
    "pile_from": 1,
    "extra_dice": (),
    "setup_other": None,
}
"""Fields of other games, with the values that change nothing: rules that have few of them differ from these are more telling."""


def any_rules(source: random.Random) -> Rules:
    """Valid rules: near backgammon, near Tabula, near the games that start from one point, a preset with changes, or any."""
    while True:
        kind = source.randrange(12)
        try:
            if kind > 7:
                return _from_one_point(source)
            return _near_backgammon(source) if kind < 3 else _near_tabula(source) if kind < 5 else _kin(source, kind)
        except ValueError:  # no room to bear off, or fields that contradict each other
            continue


def _anything(source: random.Random) -> dict[str, Any]:
    fields: dict[str, Any] = {name: source.choice(field.values) for name, field in RULE_FIELDS.items()}
    fields |= {
        "stack_limit": source.choice((None, 1, 2, 5, source.randint(1, MAX_CHECKERS))),
        "home_start": source.choice((0, 13, 19, source.randint(1, OFF - 1))),
        "setup": (source.choice((15, 15, source.randint(1, MAX_CHECKERS))), *[0] * (TRACK - 1)),
        "name": "random",
    }
    fields |= {name: value for name, value in QUIET.items() if source.randrange(4)}
    return _agreeing(fields)


def _agreeing(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields, those changed that contradict the number of dice, the extra ones or the start."""
    if fields["dice"] != 2:
        fields |= {"doubles": "once", "opening": "roll-off", "head_doubles": ()}
    if fields["doubles"] == "twice" or fields["dice"] + len(fields["extra_dice"]) > MAX_DICE:
        fields["extra_dice"] = ()
    if fields["setup"][0]:
        fields |= {"head_limit": None, "runner": None}
    return fields


def _from_one_point(source: random.Random) -> Rules:
    """Rules near narde, jacquet, the English games or revertier: a start on a point or two, and fields that bear on it."""
    checkers, start = source.choice((15, 15, source.randint(1, MAX_CHECKERS))), source.choice((1, 1, source.randint(1, 8)))
    setup = [0] * TRACK
    setup[start] = source.randint(1, checkers)
    setup[start + source.randint(1, 3)] += checkers - setup[start]
    numbers = sorted(source.sample(range(1, 7), source.randrange(4)))
    fields = _anything(source) | QUIET | {
        "dice": source.choice((2, 2, 2, 3)),
        "direction": source.choice(("parallel", "parallel", "opposed")),
        "doubles": source.choice(("once", "twice", "twice")),
        "stack_limit": source.choice((None, None, None, source.randint(max(setup), MAX_CHECKERS))),
        "enter_first": source.choice((False, True)),
        "half_gate": False,
        "gates": source.choice(("move", "move", "turn")),
        "blots": source.choice(("hit", "block", "block")),
        "setup": tuple(setup),
    }  # fmt: skip
    telling = {
        "head_limit": source.choice((1, 1, 2)),
        "head_doubles": tuple(numbers),
        "primes": "ahead",
        "runner": source.choice((19, source.randint(2, OFF - 1))),
        "pile_from": source.choice((7, 13, source.randint(2, OFF - 1))),
        "extra_dice": (source.randint(1, 6),),
    }
    for name in source.sample(sorted(telling), source.choice((1, 1, 2, 3, 6))):
        fields[name] = telling[name]
    return Rules(**_agreeing(fields))


def _near_backgammon(source: random.Random) -> Rules:
    fields = _anything(source)
    checkers = fields["setup"][0]
    fields |= {
        "dice": 2,
        "doubles": source.choice(("once", "twice", "twice")),
        "stack_limit": source.choice((None, source.randint(checkers, MAX_CHECKERS))),
        "home_start": source.randint(7, OFF - 1),
        "enter_first": True,
        "half_gate": False,
        "gates": "move",
    }
    return Rules(
        **_agreeing(fields | _one_beyond(source, {"stack_limit": max(1, checkers - 1), "home_start": 6, "half_gate": True}))
    )


def _near_tabula(source: random.Random) -> Rules:
    fields = _anything(source)
    fields |= {
        "doubles": "once",
        "stack_limit": source.choice((None, 2, 3, 4, 5, source.randint(2, MAX_CHECKERS))),
        "enter_first": False,
        "gates": "turn",
        "bear_off": "exact",
    }
    beyond = {"stack_limit": 1, "enter_first": True, "gates": "move", "bear_off": "rearmost"}
    return Rules(**(fields | _one_beyond(source, beyond)))


def _one_beyond(source: random.Random, changes: dict[str, Any]) -> dict[str, Any]:
    """In one of ten cases one change, which breaks a fast way's condition."""
    if source.randrange(10):
        return {}
    name = source.choice(sorted(changes))
    return {name: changes[name]}


def _kin(source: random.Random, kind: int) -> Rules:
    anything = _anything(source)
    if kind == 7:
        return Rules(**anything)
    preset = source.choice(list(PRESETS.values()))
    names = source.sample(sorted(set(anything) - {"name"}), source.randrange(3))
    return Rules(**_agreeing(preset.to_dict() | {name: anything[name] for name in names}))


def any_side(source: random.Random, rules: Rules, taken: Track | None = None) -> Track:
    """A legal track that shares no point with `taken`, in one of many shapes."""
    free = [point for point in range(1, OFF) if taken is None or not taken[rules.facing(point)]]
    track = [0] * TRACK
    left = rules.checkers
    shape = source.choice(SHAPES)
    if shape == "from the start":
        # most where a side starts, and few further on
        head = next(point for point in range(TRACK) if rules.setup[point])
        if head == 0 or head in free:
            track[head] = source.choice((left, left - 1, source.randint(0, left)))
            track[head] = max(0, min(track[head], rules.limit if head else left))
    elif shape == "row":
        # nearly a prime, in front of few or of none
        start = source.randint(1, 18)
        row = [point for point in free if start <= point < start + 8]
        for point in source.sample(row, min(left, len(row), source.randint(3, 7))):
            track[point] = 1
        track[OFF] = source.randint(0, left - sum(track))
        free = [point for point in free if point < start + source.choice((0, 8, OFF))]
    elif shape == "waiting":
        track[0] = source.choice((1, 1, 2, source.randint(1, left)))
        track[0] = min(track[0], left)
    elif shape == "home":
        free = [point for point in free if point >= rules.home_start]
        track[OFF] = source.randint(0, left - 1)
    elif shape == "ending":
        free = [point for point in free if point >= min(rules.home_start, 19) - source.choice((0, 0, 3))]
        track[OFF] = left - source.randint(0, min(4, left))
    elif shape == "outside":
        away = source.randint(0, min(4, left))
        for point in source.choices([0, *(point for point in free if point < rules.home_start)], k=away):
            track[point if track[point] < rules.limit else 0] += 1
        free = [point for point in free if point >= rules.home_start]
        left -= away
        track[OFF] = source.randint(0, left)
    elif shape == "stacks":
        free = source.sample(free, min(len(free), source.randint(1, 4)))
    elif shape == "blots":
        for point in source.sample(free, min(left, len(free))):
            track[point] = 1
        left -= sum(track)
        free = []
    elif shape == "close":
        start = source.randint(1, 18)
        free = [point for point in free if start <= point < start + 8]
        track[OFF] = source.randint(0, left)
    elif shape == "one die apart":
        die, start = source.randint(1, 6), source.randint(1, 6)
        free = [point for point in free if point % die == start % die]
        track[0] = source.randint(0, min(2, left))
    left = rules.checkers - sum(track)
    while left:
        free = [point for point in free if track[point] < rules.limit]
        if not free:
            track[source.choice((0, 0, OFF))] += left
            break
        track[source.choice(free)] += 1
        left -= 1
    return track


def any_position(source: random.Random, rules: Rules) -> tuple[Track, Track]:
    """Both tracks of a legal position."""
    one = any_side(source, rules)
    two = any_side(source, rules, one)
    if one[OFF] == two[OFF] == rules.checkers:
        two = list(rules.other_setup)
    return (one, two) if source.random() < 0.5 else (two, one)


def reachable(source: random.Random, rules: Rules, n: int) -> npt.NDArray[np.int8]:
    """`n` positions from random games, (n, 2, 26)."""
    rng = np.random.default_rng(source.getrandbits(64))
    now, seen = batch.start(8, rules=rules), []
    for _ in range(source.choice((10, 40, 120))):
        now = batch.random_play(now, batch.roll(len(now), rng=rng, rules=rules), rules=rules, rng=rng)
        seen.append(now)
    found = np.concatenate(seen)
    return found[rng.integers(0, len(found), n)]


def any_positions(source: random.Random, rules: Rules, n: int) -> npt.NDArray[np.int8]:
    """`n` legal positions, (n, 2, 26): some from games, the others any."""
    games = reachable(source, rules, n // 4) if source.random() < 0.5 else np.empty((0, 2, TRACK), np.int8)
    made = [any_position(source, rules) for _ in range(n - len(games))]
    return np.concatenate([np.array(made, np.int8).reshape(-1, 2, TRACK), games])
