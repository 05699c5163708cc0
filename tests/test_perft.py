"""Leaves of the game tree, against values that did not come from the code under test."""

import sys
import threading
from math import prod

import pytest
from support.engines import Engine
from support.tracks import WAITING, side

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, Rules, divide, perft
from tabula._native.layers import PlyPositions
from tabula.counting import published
from tabula.dice import all_rolls, chances

LEAVES = {
    "tabula": (222, 59_085, 44_094_841),
    "backgammon": (447, 202_782, 116_154_993),
    "historic": (56, 3_136, 175_616),
}
DEEPER = {
    "tabula": (30_279_799_386, 31_688_083_424_570),
    "backgammon": (65_769_899_582,),
    "historic": (9_834_496, 550_731_776, 30_840_979_456, 1_727_094_849_536),
}
PRESETS = (TABULA, BACKGAMMON, TABULA_HISTORIC)

BACKGAMMON_BY_ROLL = (
    "11:42 12:15 13:16 14:14 15:8 16:10 22:75 23:17 24:18 25:8 26:14 33:73 34:17 35:9 36:14 44:52 45:9 46:14 55:4 56:7 66:11"
)

preset = pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)


@pytest.mark.parametrize("depth", [1, 2, 3])
@preset
def test_perft_from_the_start(rules: Rules, depth: int) -> None:
    start = Position(rules)
    leaves = perft(start, depth)
    assert leaves == LEAVES[rules.name][depth - 1], f"by roll: {divide(start, depth)}"


@pytest.mark.parametrize(
    ("rules", "depth"), [(TABULA, 1), (TABULA, 2), (BACKGAMMON, 1), (TABULA_HISTORIC, 1), (TABULA_HISTORIC, 2)]
)
def test_perft_of_both_engines(engine: Engine, rules: Rules, depth: int) -> None:
    assert engine.perft(rules, rules.setup, rules.setup, depth) == LEAVES[rules.name][depth - 1]


@preset
def test_the_published_tables_say_the_same(rules: Rules) -> None:
    table = published(Position(rules))
    assert {depth: value.leaves for depth, value in table.items()} == dict(enumerate(LEAVES[rules.name] + DEEPER[rules.name], 1))
    assert all(value.source for value in table.values())


def test_a_position_that_is_no_start_has_no_published_table() -> None:
    assert published(Position(TABULA).swap_sides()) == {}


@pytest.mark.parametrize("engine_name", ["native", "reference"])
@preset
def test_perft_by_the_name_of_the_engine(rules: Rules, engine_name: str) -> None:
    start = Position(rules)
    assert perft(start, 0, engine=engine_name) == 1
    assert perft(start, 1, engine=engine_name) == LEAVES[rules.name][0]


def test_a_finished_game_has_no_successors(engine: Engine) -> None:
    assert [engine.perft(TABULA, WAITING, side({}), depth) for depth in (0, 1, 2)] == [1, 0, 0]


def test_a_won_game_counts_as_a_leaf_and_has_none_below(engine: Engine) -> None:
    rules = Rules(dice=1, stack_limit=None, setup=side({0: 1}, checkers=1))
    last = side({24: 1}, checkers=1)
    assert engine.perft(rules, last, side({1: 1}, checkers=1), 1) == 6
    assert engine.perft(rules, last, side({1: 1}, checkers=1), 2) == 5 * 6


def test_a_pass_counts_as_one_leaf(engine: Engine) -> None:
    blocking = side({1: 3, 2: 3, 3: 3, 4: 2, 5: 2, 6: 2})
    assert engine.perft(TABULA, WAITING, blocking, 1) == 56


def test_the_start_of_backgammon_by_roll(engine: Engine) -> None:
    expected = {roll: int(count) for roll, count in (pair.split(":") for pair in BACKGAMMON_BY_ROLL.split())}
    start = BACKGAMMON.setup
    assert {roll: len(engine.ends(BACKGAMMON, start, start, roll).states) for roll in expected} == expected
    assert len(expected) == 21
    assert sum(expected.values()) == 447


def test_the_start_of_backgammon_weighted_by_the_36_throws() -> None:
    throws = {roll: int(36 * chance) for roll, chance in chances(2).items()}
    start = Position(BACKGAMMON)
    assert sum(times * start.count(roll) for roll, times in throws.items()) == 637
    two_plies = sum(
        times * throws[answer] * play.position.count(answer)
        for roll, times in throws.items()
        for play in start.plays(roll)
        for answer in throws
    )
    assert two_plies == 419_783


def test_the_historic_game_begins_with_one_play_a_roll_for_three_plies() -> None:
    assert LEAVES["historic"] == tuple(prod([56] * depth) for depth in (1, 2, 3))


def test_the_historic_values_are_those_of_one_play_a_roll() -> None:
    assert {depth: value.leaves for depth, value in published(Position(TABULA_HISTORIC)).items()} == {
        depth: 56**depth for depth in range(1, 8)
    }


@preset
def test_divide_splits_perft_by_roll(rules: Rules) -> None:
    by_roll = divide(Position(rules), 2)
    assert tuple(by_roll) == all_rolls(rules.dice)
    assert sum(by_roll.values()) == LEAVES[rules.name][1]


@preset
def test_divide_of_a_roll_splits_it_by_play(rules: Rules) -> None:
    start = Position(rules)
    for roll, leaves in divide(start, 2).items():
        by_play = divide(start, 2, roll)
        assert list(by_play) == list(start.plays(roll))
        assert sum(by_play.values()) == leaves


@preset
def test_divide_at_depth_one_counts_plays(rules: Rules) -> None:
    start = Position(rules)
    assert divide(start, 1) == {roll: start.count(roll) for roll in all_rolls(rules.dice)}
    assert set(divide(start, 1, all_rolls(rules.dice)[-1]).values()) == {1}


def test_progress_is_told_before_each_position_of_the_first_ply_and_at_the_end() -> None:
    told: list[tuple[int, int]] = []
    assert perft(Position(), 2, progress=lambda done, total: told.append((done, total))) == 59_085
    assert told == [(done, 222) for done in range(223)]


def test_perft_of_no_plies_is_one_leaf_whatever_is_told_of_progress() -> None:
    told: list[tuple[int, int]] = []
    assert perft(Position(), 0, progress=lambda done, total: told.append((done, total))) == 1
    assert told == []


def test_what_perft_refuses() -> None:
    start = Position()
    with pytest.raises(ValueError, match=r"^depth must be 0 or more, not -1$"):
        perft(start, -1)
    with pytest.raises(ValueError, match=r"^depth must be 1 or more, not 0$"):
        divide(start, 0)
    with pytest.raises(ValueError, match=r"^engine must be 'native' or 'reference', not 'fast'$"):
        perft(start, 1, engine="fast")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="dice"):
        divide(start, 1, "65")


@pytest.mark.parametrize("depth", [None, 1.0, "1", True])
def test_a_depth_is_an_integer(depth: object) -> None:
    with pytest.raises(TypeError, match="depth must be an integer"):
        perft(Position(), depth)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="depth must be an integer"):
        divide(Position(), depth)  # type: ignore[call-overload]


@pytest.mark.parametrize("depth", [0, 1, 3])
@pytest.mark.parametrize("engine_name", ["native", "reference"])
@pytest.mark.parametrize("position", [None, "O------------------------o:w", TABULA])
def test_perft_is_of_a_position(position: object, engine_name: str, depth: int) -> None:
    with pytest.raises(TypeError, match="position"):
        perft(position, depth, engine=engine_name)  # type: ignore[arg-type]


@pytest.mark.parametrize("position", [None, "O------------------------o:w", TABULA])
def test_divide_is_of_a_position(position: object) -> None:
    with pytest.raises(TypeError, match="position"):
        divide(position, 1)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="position"):
        divide(position, 1, "321")  # type: ignore[call-overload]


@pytest.mark.parametrize("rules", [TABULA, BACKGAMMON, TABULA_HISTORIC], ids=lambda rules: rules.name)
@pytest.mark.parametrize("depth", range(4))
def test_merging_repeated_positions_changes_no_number(rules: Rules, depth: int) -> None:
    assert perft(Position(rules), depth, merge=True) == perft(Position(rules), depth)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("rules", "depth", "leaves"),
    [(TABULA, 4, 30_279_799_386), (BACKGAMMON, 3, 116_154_993), (TABULA_HISTORIC, 4, 9_834_496), (TABULA, 1, 222), (TABULA, 0, 1)],
    ids=lambda value: getattr(value, "name", None),
)
def test_merging_group_by_group_changes_no_number(
    monkeypatch: pytest.MonkeyPatch, rules: Rules, depth: int, leaves: int, threads: int
) -> None:
    monkeypatch.setattr(sys.modules[perft.__module__], "_WIDE", 0)
    told: list[tuple[int, int]] = []
    assert perft(Position(rules), depth, merge=True, threads=threads, progress=lambda *now: told.append(now)) == leaves
    if depth:
        assert told[-1][0] == told[-1][1]
    over = Position.from_points({24: 1}, {}, rules=TABULA, off=(14, 15))
    assert perft(over, depth, merge=True, threads=threads) == (depth == 0)


def test_every_position_of_a_layer_is_in_one_group_and_what_is_no_group_is_refused() -> None:
    start = Position(BACKGAMMON)
    first, second, at_once = PlyPositions(start), PlyPositions(start, empty=True), PlyPositions(start, empty=True)
    first.expand(0, 1, second)
    assert len(second) == 406
    with pytest.raises(ValueError, match="there is no group 0, with 0 of 406 positions in groups"):
        second.head(0)
    for begins, ends in ((1, 2), (0, 0), (0, 407), (-1, 1)):
        with pytest.raises(ValueError, match="is not the next range of 406 positions, 0 of which are in groups"):
            second.group(begins, ends)
    assert second.group(0, 400) == 2
    with pytest.raises(ValueError, match="there is no group 0, with 400 of 406 positions in groups"):
        second.head(0)
    assert second.group(400, 406) == 2
    for group in (-1, 2):
        with pytest.raises(ValueError, match=f"there is no group {group}, "):
            second.head(group)
    for place, most, next_ply in ((0, 1, at_once), (407, 1, at_once), (1, 0, at_once), (1, 1, second)):
        with pytest.raises(ValueError, match="cannot be expanded into another ply"):
            second.expand_group(place, most, next_ply)
    expanded = 0
    for group in range(2):
        place = second.head(group)
        while place:
            place = second.expand_group(place, 1, at_once)
            expanded += 1
    assert expanded == 406
    assert len(at_once) == 163_706
    first.expand(0, 1, second)  # every position again: none is added
    assert second.head(0)
    at_once.group(0, 5)
    second.expand(0, 1, at_once)
    at_once.group(5, 6)
    grown = PlyPositions(start)
    grown.group(0, 1)
    first.expand(0, 1, grown)
    with pytest.raises(ValueError, match="406 positions came after the first were put into groups"):
        grown.group(1, 2)


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_the_number_of_threads_changes_no_number(threads: int, merge: bool) -> None:
    assert perft(Position(), 3, threads=threads, merge=merge) == 44_094_841
    assert perft(Position(), 0, threads=threads, merge=merge) == 1
    assert divide(Position(), 2, threads=threads) == divide(Position(), 2)


def test_four_plies_of_tabula_are_counted_by_merging() -> None:
    assert perft(Position(), 4, merge=True, threads=2) == 30_279_799_386


def test_a_position_that_is_over_has_no_leaves_when_merged_either() -> None:
    over = Position.from_points({24: 1}, {}, rules=TABULA, off=(14, 15))
    assert [perft(over, depth, merge=True) for depth in range(3)] == [1, 0, 0]


@pytest.mark.parametrize(("threads", "error"), [(0, ValueError), (-1, ValueError), (None, TypeError), (1.0, TypeError)])
def test_threads_is_a_number_of_one_or_more(threads: object, error: type[Exception]) -> None:
    for count in (perft, divide):
        with pytest.raises(error, match="threads must be"):
            count(Position(), 1, threads=threads)  # type: ignore[operator]


def test_the_reference_does_not_merge() -> None:
    with pytest.raises(ValueError, match="merge=True goes with engine='native' only"):
        perft(Position(), 1, engine="reference", merge=True)


def test_progress_is_told_of_every_part_whatever_the_threads() -> None:
    for options in ({"threads": 2}, {"merge": True}, {"merge": True, "threads": 2}):
        told: list[tuple[int, int]] = []
        assert perft(Position(), 2, progress=lambda done, many, told=told: told.append((done, many)), **options) == 59_085
        assert told[0][0] == 0
        assert told[-1][0] == told[-1][1]


def test_a_counting_that_is_given_up_stops_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(done: int, _: int) -> None:
        if done:
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        perft(Position(), 4, threads=2, progress=give_up)
    monkeypatch.setattr(sys.modules[perft.__module__], "_WIDE", 1000)
    with pytest.raises(KeyboardInterrupt):
        perft(Position(), 4, merge=True, threads=2, progress=give_up)
    assert threading.active_count() == before
    assert perft(Position(), 2, threads=2) == 59_085


def test_what_is_no_position_progress_or_engine_is_named() -> None:
    for call in (published, lambda thing: perft(thing, 1), lambda thing: divide(thing, 1)):
        for thing in (None, "O" * 10**6, 7):
            with pytest.raises(TypeError, match=r"^position must be a Position, not ") as refused:
                call(thing)
            assert len(str(refused.value)) < 200
    for call in (perft, divide):
        with pytest.raises(TypeError, match=r"^progress must be callable, or None, not 7$"):
            call(Position(), 1, progress=7)
    with pytest.raises(TypeError, match=r"^engine must be 'native' or 'reference', not None$"):
        perft(Position(), 1, engine=None)  # type: ignore[arg-type]


def test_more_ways_than_64_bits_hold_are_counted_too() -> None:
    """Few positions, reached in very many ways: the number of ways outgrew its 64 bits after 13 plies."""
    position = Position.from_text("-----------------------aA-:w", rules=TABULA)
    reached = {position: 1}
    for depth in range(1, 16):
        leaves: dict[Position, int] = {}
        for start, ways in reached.items():
            for roll in all_rolls(3):
                for play in start.plays(roll):
                    leaves[play.position] = leaves.get(play.position, 0) + ways
        assert perft(position, depth, merge=True) == sum(leaves.values())
        reached = leaves
    assert sum(reached.values()) > 1 << 64


@pytest.mark.parametrize("merge", [False, True])
def test_what_progress_raises_ends_the_work_at_once(monkeypatch: pytest.MonkeyPatch, merge: bool) -> None:
    """Held by whoever caught it, the exception held the threads' work too, which went on to its end."""
    module = sys.modules[perft.__module__]
    monkeypatch.setattr(module, "_WIDE", 1000)

    def give_up(done: int, _: int) -> None:
        if done:
            raise LookupError("enough")

    before = threading.active_count()
    with pytest.raises(LookupError, match="enough") as held:
        perft(Position(), 4, threads=2, merge=merge, progress=give_up)
    assert threading.active_count() == before
    assert held.value.__traceback__ is not None
