"""Hypothesis strategies: rules that are not refused, and legal positions of them, many near the edges of the rules."""

from typing import Any

from hypothesis import strategies as st

from support.tracks import OFF, Track, side
from tabula import BACKGAMMON, BLACK, TABULA, TABULA_HISTORIC, WHITE, Position, Rules, games
from tabula.rules import MAX_DICE, RULE_FIELDS

PRESETS = (TABULA, BACKGAMMON, TABULA_HISTORIC)
KIN = (*PRESETS, *(games.get(name) for name in ("narde", "jacquet", "english_two_dice", "revertier", "seis_dos_e_as")))

Draw = st.DrawFn


CHANGES = {name: list(field.values) for name, field in RULE_FIELDS.items() if field.member and name != "highest_win"} | {
    "stack_limit": [None, 2, 3, 5, 14, 15],
    "home_start": [0, 1, 6, 7, 12, 13, 18, 19, 22],
    "head_limit": [None, 1, 2],
    "head_doubles": [(), (3, 4, 6), (1, 2, 3, 4, 5, 6)],
    "runner": [None, 3, 8, 19],
    "pile_from": [1, 3, 7, 13, 24],
    "extra_dice": [(), (6,), (1,), (2, 5), (3, 3)],
}
"""Values for the fields that plays depend on; of many values those at which something changes."""

FROM_A_POINT = side({1: 15})
"""A start from which checkers leave a point, one that the sides do not share where directions are not the same."""


@st.composite
def kin(draw: Draw) -> Rules:
    """A preset, or one with one or two fields changed: what a generator made for a family of rules is chosen by."""
    preset = draw(st.sampled_from(KIN))
    fields = preset.to_dict()
    for name in draw(st.lists(st.sampled_from(sorted(CHANGES)), max_size=2)):
        fields[name] = draw(st.sampled_from(CHANGES[name]))
    tallest = max(fields["setup"][1:])
    if fields["direction"] == "same" or (fields["stack_limit"] or OFF) < tallest or fields["setup_other"]:
        fields |= {"setup": TABULA.setup, "setup_other": None}
    elif any(fields["setup"][point] and fields["setup"][point - 12] for point in range(13, 25)):
        fields["direction"] = preset.direction
    room = (OFF - fields["home_start"]) * (fields["stack_limit"] or OFF)
    if fields["home_start"] and room < preset.checkers:
        fields["home_start"] = preset.home_start if fields["stack_limit"] != 2 else 13
    return Rules.from_dict(agreeing(fields))


def agreeing(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields, those changed that contradict the number of dice, the extra ones or the start."""
    if fields["dice"] != 2:
        fields |= {"doubles": "once", "opening": "roll-off", "head_doubles": ()}
    if fields["doubles"] == "twice" or fields["dice"] + len(fields["extra_dice"]) > MAX_DICE:
        fields["extra_dice"] = ()
    if fields["setup"][0]:
        fields |= {"head_limit": None, "runner": None}
    return fields


@st.composite
def rules(draw: Draw, most: int = 15) -> Rules:
    """Any rules with at most so many checkers a side; with fifteen, often kin of a preset."""
    if most == 15 and draw(st.integers(0, 2)):
        return draw(kin())
    dice = draw(st.sampled_from([3, 2, 1]))
    checkers = draw(st.integers(1, most))
    limit = draw(st.one_of(st.none(), st.integers(1, 15)))
    last_home = OFF - -(-checkers // (limit or 15))
    fields = {name: draw(st.sampled_from(field.values)) for name, field in RULE_FIELDS.items()} | {
        "dice": dice,
        "stack_limit": limit,
        "home_start": draw(
            st.one_of(st.sampled_from([0, 13, 19]).map(lambda start: min(start, last_home)), st.integers(1, last_home))
        ),
    }
    for name in draw(st.lists(st.sampled_from(sorted(QUIET)), max_size=len(QUIET))):
        fields[name] = QUIET[name]
    one, other = draw(setups(fields["direction"], checkers, limit or 15))
    return Rules(**agreeing(fields | {"setup": one}), setup_other=other, name="random")


QUIET = {
    "blots": "hit",
    "head_limit": None,
    "head_doubles": (),
    "primes": "free",
    "runner": None,
    "pile_from": 1,
    "extra_dice": (),
}
"""Values that change nothing: many fields at once hide each other."""


@st.composite
def setups(draw: Draw, direction: str, checkers: int, limit: int) -> tuple[Track, Track | None]:
    """Starting tracks of both sides: of each two facing points only one is used."""
    if direction == "same" and draw(st.booleans()):
        return (checkers, *[0] * OFF), None
    board = Rules(direction=direction)
    several = st.sets(st.integers(1, 24), min_size=1, max_size=8)
    mine = draw(several)
    if direction == "same" or draw(st.booleans()):
        theirs = draw(several) - {board.facing(point) for point in mine}
        tracks = [spread(draw, checkers, limit, sorted(points), [0] * (OFF + 1)) for points in (mine, theirs)]
        return tracks[0], tracks[1]
    points = [point for point in sorted(mine) if board.facing(point) not in mine or point < board.facing(point)]
    return spread(draw, checkers, limit, points, [0] * (OFF + 1)), None


def spread(draw: Draw, checkers: int, limit: int, points: list[int], track: list[int]) -> Track:
    """The track with so many checkers more on some of the points; those that find no room wait."""
    wanted = draw(st.lists(st.sampled_from(points), min_size=checkers, max_size=checkers)) if points else [0] * checkers
    for point in wanted:
        track[point if track[point] < limit else next((free for free in points if track[free] < limit), 0)] += 1
    return tuple(track)


SHAPES = ("anywhere", "waiting", "home", "ending", "ending", "stacks", "blots", "close")


@st.composite
def sides(draw: Draw, rules: Rules, taken: Track | None = None) -> Track:
    """A track of these rules that shares no point with a side of the opponent's, in one of many shapes."""
    free = [point for point in range(1, OFF) if taken is None or not taken[rules.facing(point)]]
    track = [0] * (OFF + 1)
    left = rules.checkers
    shape = draw(st.sampled_from(SHAPES))
    if shape == "waiting":
        track[0] = draw(st.integers(1, left))
    elif shape == "home":
        free = [point for point in free if point >= rules.home_start]
        track[OFF] = draw(st.integers(0, left - 1))
    elif shape == "ending":
        free = [point for point in free if point >= min(rules.home_start, 19)]
        track[OFF] = left - draw(st.integers(0, min(3, left)))
    elif shape == "stacks":
        free = sorted(set(draw(st.lists(st.sampled_from(free), min_size=1, max_size=4))))
    elif shape == "blots":
        track[OFF] = draw(st.integers(0, left - 1))
        left -= track[OFF]
        for point in draw(st.lists(st.sampled_from(free), min_size=min(left, 9), max_size=min(left, 9), unique=True)):
            track[point] = 1
            left -= 1
        track[OFF] += left
        return tuple(track)
    elif shape == "close":
        start = draw(st.integers(1, 18))
        free = [point for point in free if start <= point < start + 8]
        track[0] = draw(st.integers(0, min(2, left)))
        track[OFF] = draw(st.integers(0, left - track[0]))
    return spread(draw, left - track[0] - track[OFF], rules.limit, free, track)


@st.composite
def positions(draw: Draw, of: st.SearchStrategy[Rules] | None = None) -> Position:
    """A legal position, finished ones among them."""
    chosen = draw(rules() if of is None else of)
    one = draw(sides(chosen))
    two = draw(sides(chosen, one))
    if one[OFF] == two[OFF] == chosen.checkers:
        two = (chosen.checkers, *[0] * OFF)
    mover, other = draw(st.permutations([one, two]))
    return Position.from_tracks(mover, other, rules=chosen, turn=draw(st.sampled_from([WHITE, BLACK])))


def rolls(rules: Rules) -> st.SearchStrategy[tuple[int, ...]]:
    """Dice in any order, equal ones more often than chance has them."""
    die = st.integers(1, 6)
    several = st.tuples(*[die] * rules.dice)
    return st.one_of(several, die.map(lambda face: (face,) * rules.dice)) if rules.dice > 1 else several


@st.composite
def turns(draw: Draw, of: st.SearchStrategy[Rules] | None = None) -> tuple[Position, tuple[int, ...]]:
    """A legal position and a roll."""
    position = draw(positions(of))
    return position, draw(rolls(position.rules))


def small_turns(most: int) -> st.SearchStrategy[tuple[Position, tuple[int, ...]]]:
    """A legal position with at most so many checkers a side, and a roll."""
    return turns(rules(most))
