"""Positions of any rules, for what must hold of every picture."""

from hypothesis import strategies as st
from support.strategies import agreeing

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules, games
from tabula.rules import OFF, RULE_FIELDS, TRACK

__all__ = ["positions", "rolls_of", "waiting_is_said"]


@st.composite
def rules_of_any_kind(draw: st.DrawFn) -> Rules:
    """A preset, another game of the family, or rules of the player's own with up to fifteen checkers that all wait."""
    preset = draw(st.sampled_from([TABULA, BACKGAMMON, TABULA_HISTORIC, *map(games.get, games.names()), *[None] * 8]))
    if preset is not None:
        return preset
    fields = {name: draw(st.sampled_from(field.values)) for name, field in RULE_FIELDS.items()}
    fields |= {"stack_limit": draw(st.sampled_from([2, 3, 5, 7, 15, None])), "home_start": 13}
    fields["setup"] = (draw(st.integers(1, 15)), *[0] * (TRACK - 1))
    return Rules(**agreeing(fields), name="any")


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A legal position: checkers put one by one where they may stand."""
    rules = draw(rules_of_any_kind())
    tracks = [[0] * TRACK, [0] * TRACK]
    for side in range(2):
        # Few places make high stacks.
        places = draw(st.lists(st.integers(0, OFF), min_size=1, max_size=6))
        for _ in range(rules.checkers):
            index = draw(st.sampled_from(places))
            other = tracks[1 - side]
            taken = 0 < index < OFF and (tracks[side][index] == rules.limit or other[rules.facing(index)])
            tracks[side][0 if taken else index] += 1
    if tracks[0][OFF] == tracks[1][OFF] == rules.checkers:
        tracks[0][OFF] -= 1
        tracks[0][0] += 1
    return Position.from_tracks(tracks[0], tracks[1], rules=rules, turn=draw(st.integers(0, 1)))


def rolls_of(rules: Rules) -> st.SearchStrategy[tuple[int, ...]]:
    """Any roll of a game."""
    return st.lists(st.integers(1, 6), min_size=rules.dice, max_size=rules.dice).map(tuple)


def waiting_is_said(position: Position) -> bool:
    """Whether a board in words has the counts of waiting checkers: some wait, or may in a game from the start."""
    rules = position.rules
    return rules.blots == "hit" or any(counts[0] for counts in (rules.setup, rules.other_setup, position.mover, position.other))
