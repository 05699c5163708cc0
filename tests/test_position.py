"""`Position`: made from tracks, points, arrays and text, what is refused, and how it behaves as a value."""

import contextlib
import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from support.strategies import positions
from support.tracks import WAITING, Track, mirrored, side

import tabula
from tabula import BACKGAMMON, BLACK, TABULA, TABULA_HISTORIC, WHITE, InvalidPositionError, Move, Position, Rules
from tabula.dice import all_rolls

HUGE = 10**30
MIDDLE = Position.from_tracks(side({0: 2, 3: 4, 20: 1}), side({5: 5, 24: 2}), rules=TABULA, turn=BLACK)
FEW = Rules(dice=2, doubles="twice", stack_limit=2, direction="opposed", setup=side({0: 2}, 2), name="few")
IN_BACKGAMMON = Position.from_tracks(side({0: 1, 20: 3}), side({1: 2, 12: 3}), rules=BACKGAMMON)
SOME = [
    Position(),
    Position(BACKGAMMON),
    Position(TABULA_HISTORIC),
    Position(FEW),
    MIDDLE,
    IN_BACKGAMMON,
    IN_BACKGAMMON.swap_sides(),
]

some = pytest.mark.parametrize("position", SOME, ids=range(len(SOME)))


# -------------------------------------------------------------------------------------------------------------------------- making


@pytest.mark.parametrize("rules", [TABULA, TABULA_HISTORIC, BACKGAMMON, FEW], ids=lambda rules: rules.name)
def test_a_position_of_rules_is_their_start_with_white_to_move(rules: Rules) -> None:
    start = Position(rules)
    assert start.rules is rules
    assert start.turn == WHITE
    assert start.mover == start.other == rules.setup
    assert start.outcome is None


def test_a_position_without_rules_is_the_start_of_tabula() -> None:
    assert Position() == Position(TABULA) == Position(rules=TABULA)


@pytest.mark.parametrize("turn", [WHITE, BLACK])
def test_from_tracks_keeps_both_tracks_the_turn_and_the_rules(turn: int) -> None:
    mover, other = side({0: 2, 3: 4, 20: 1}), side({5: 5, 24: 2})
    position = Position.from_tracks(mover, other, rules=TABULA, turn=turn)
    assert (position.mover, position.other, position.turn) == (mover, other, turn)
    assert position.rules is TABULA


def test_from_tracks_takes_any_sequence_of_integers() -> None:
    expected = Position()
    track = list(TABULA.setup)
    for given_track in (track, np.array(track), np.array(track, np.uint8), [np.int64(n) for n in track], tuple(track)):
        assert Position.from_tracks(given_track, tuple(track), rules=TABULA) == expected
    assert all(type(count) is int for count in Position.from_tracks(np.array(track), track, rules=TABULA).mover)


def test_from_points_reads_points_in_the_games_own_numbering_each_side_in_its_own_view() -> None:
    position = Position.from_points({6: 2, 2: 1}, {24: 1, 3: 2}, rules=BACKGAMMON, bar=(1, 0), off=(11, 12))
    assert position.mover == mirrored({6: 2, 2: 1, 25: 1})
    assert position.other == mirrored({24: 1, 3: 2})
    position = Position.from_points({6: 2, 1: 1}, {24: 1, 3: 2}, rules=TABULA, turn=BLACK, bar=(1, 0), off=(11, 12))
    assert position.mover == side({0: 1, 6: 2, 1: 1})
    assert position.other == side({24: 1, 3: 2})
    assert position.turn == BLACK


def test_from_points_takes_numpy_integers_and_points_with_no_checkers() -> None:
    points = {np.int64(13): np.int8(5), 7: 0, 1: 5, 2: 5}
    assert Position.from_points(points, {}, rules=TABULA, bar=(0, 15)).mover == side({1: 5, 2: 5, 13: 5})


@some
def test_to_array_gives_int8_row_0_the_side_to_move(position: Position) -> None:
    array = position.to_array()
    assert (array.dtype, array.shape) == (np.int8, (2, 26))
    assert (tuple(array[0].tolist()), tuple(array[1].tolist())) == (position.mover, position.other)


@some
def test_an_array_round_trip_gives_the_same_position(position: Position) -> None:
    assert Position.from_array(position.to_array(), rules=position.rules, turn=position.turn) == position


def test_an_array_is_copied_both_ways() -> None:
    array = MIDDLE.to_array()
    position = Position.from_array(array, rules=TABULA, turn=BLACK)
    array[:] = 0
    MIDDLE.to_array()[:] = 0
    assert position == MIDDLE
    assert MIDDLE.mover == side({0: 2, 3: 4, 20: 1})


def test_an_array_may_be_read_only_or_not_contiguous() -> None:
    array = MIDDLE.to_array()
    read_only = array.copy()
    read_only.flags.writeable = False
    wide = np.zeros((4, 52), np.int8)
    wide[::2, ::2] = array
    for given_array in (read_only, np.asfortranarray(array), wide[::2, ::2], array[::-1, ::-1].copy()[::-1, ::-1]):
        assert Position.from_array(given_array, rules=TABULA, turn=BLACK) == MIDDLE
    with pytest.raises(AttributeError):
        MIDDLE.mover = ()  # type: ignore[misc]


# -------------------------------------------------------------------------------------------------------------- what is refused

ON_ONE = side({3: 2, 5: 1})

BAD_TRACKS: list[tuple[Any, Any, Rules, str]] = [
    (WAITING[:25], WAITING, TABULA, "mover must have 26 counts, not 25"),
    (WAITING, (*WAITING, 0), TABULA, "other must have 26 counts, not 27"),
    ((), WAITING, TABULA, "mover must have 26 counts, not 0"),
    ((14, *[0] * 25), WAITING, TABULA, "mover has 14 checkers in all, and these rules give a side 15"),
    (WAITING, (15, *[0] * 24, 1), TABULA, "other has 16 checkers in all, and these rules give a side 15"),
    ((0,) * 26, WAITING, TABULA, "mover has 0 checkers in all, and these rules give a side 15"),
    ((16, -1, *[0] * 24), WAITING, TABULA, "mover has -1 checkers on point 1: a count cannot be negative"),
    ((-1, 0, 4, 4, 4, 4, *[0] * 20), WAITING, TABULA, "mover has -1 checkers waiting: a count cannot be negative"),
    (WAITING, (16, *[0] * 24, -1), TABULA, "other has -1 checkers off: a count cannot be negative"),
    ((-HUGE, *[0] * 25), WAITING, TABULA, f"mover has {-HUGE} checkers waiting: a count cannot be negative"),
    ((HUGE, *[0] * 25), WAITING, TABULA, f"mover has {HUGE} checkers in all, and these rules give a side 15"),
    ((0, HUGE, *[0] * 24), WAITING, TABULA, f"mover has {HUGE} checkers on point 1, and at most 5 may stand on one"),
    ((0, HUGE, *[0] * 24), WAITING, BACKGAMMON, f"mover has {HUGE} checkers in all, and these rules give a side 15"),
    ((0, 2**64, *[0] * 24), WAITING, BACKGAMMON, f"mover has {2**64} checkers in all, and these rules give a side 15"),
    ((256 + 15, *[0] * 25), WAITING, TABULA, "mover has 271 checkers in all, and these rules give a side 15"),
    (side({3: 6}), WAITING, TABULA, "mover has 6 checkers on point 3, and at most 5 may stand on one"),
    (WAITING, side({24: 6}), TABULA, "other has 6 checkers on point 24, and at most 5 may stand on one"),
    (ON_ONE, side({5: 1}), TABULA, "both sides stand on one point: the mover's 5, the other's 5"),
    (ON_ONE, side({20: 1}), BACKGAMMON, "both sides stand on one point: the mover's 20, the other's 5"),
    (side({}), side({}), TABULA, "both sides have borne all checkers off, and only one can have won"),
    (side({}), side({}), BACKGAMMON, "both sides have borne all checkers off, and only one can have won"),
]


@pytest.mark.parametrize(("mover", "other", "rules", "sentence"), BAD_TRACKS, ids=[row[-1] for row in BAD_TRACKS])
def test_tracks_that_cannot_stand_so_are_refused(mover: Any, other: Any, rules: Rules, sentence: str) -> None:
    with pytest.raises(InvalidPositionError) as refused:
        Position.from_tracks(mover, other, rules=rules)
    assert str(refused.value) == sentence


def test_points_on_which_both_sides_may_not_stand_are_other_points_when_opposed() -> None:
    Position.from_tracks(ON_ONE, side({20: 1}), rules=TABULA)
    Position.from_tracks(ON_ONE, side({5: 1}), rules=BACKGAMMON)


def test_a_point_at_the_limit_is_no_point_over_it() -> None:
    Position.from_tracks(side({3: 5}), side({4: 5}), rules=TABULA)
    Position.from_tracks(side({3: 15}), side({4: 15}), rules=BACKGAMMON)


def test_one_side_may_be_all_off() -> None:
    assert Position.from_tracks(side({}), WAITING, rules=TABULA).outcome is not None


BAD_TYPES: list[tuple[Any, str]] = [
    (None, "mover must be a sequence of 26 counts, not None"),
    ("O" * 26, f"mover must be a sequence of 26 counts, not {'O' * 26!r}"),
    (b"0" * 26, f"mover must be a sequence of 26 counts, not {b'0' * 26!r}"),
    ({0: 15}, "mover must be a sequence of 26 counts, not {0: 15}"),
    (15, "mover must be a sequence of 26 counts, not 15"),
    ((15.0, *[0] * 25), "mover[0] must be an integer, not 15.0"),
    ((15, None, *[0] * 24), "mover[1] must be an integer, not None"),
    ((15, False, *[0] * 24), "mover[1] must be an integer, not False"),
    ((15, "0", *[0] * 24), "mover[1] must be an integer, not '0'"),
    (np.zeros((26,)), f"mover[0] must be an integer, not {np.float64(0.0)!r}"),
]


@pytest.mark.parametrize(("track", "sentence"), BAD_TYPES, ids=[sentence for _, sentence in BAD_TYPES])
def test_tracks_of_a_wrong_type_are_refused(track: Any, sentence: str) -> None:
    with pytest.raises(TypeError) as refused:
        Position.from_tracks(track, WAITING, rules=TABULA)
    assert str(refused.value) == sentence
    with pytest.raises(TypeError) as refused:
        Position.from_tracks(WAITING, track, rules=TABULA)
    assert str(refused.value) == sentence.replace("mover", "other")


BAD_POINTS: list[tuple[dict[str, Any], str]] = [
    ({"mover": {0: 15}}, "mover has point 0, and points are 1..24"),
    ({"mover": {25: 15}}, "mover has point 25, and points are 1..24"),
    ({"other": {-1: 15}}, "other has point -1, and points are 1..24"),
    ({"mover": {HUGE: 1}}, f"mover has point {HUGE}, and points are 1..24"),
    ({"mover": {1: 5}}, "mover has 5 checkers in all, and these rules give a side 15"),
    ({"mover": {1: 6}, "off": (9, 0)}, "mover has 6 checkers on point 1, and at most 5 may stand on one"),
    ({"mover": {1: HUGE}}, f"mover has {HUGE} checkers on point 1, and at most 5 may stand on one"),
    ({"mover": {1: -1}, "off": (15, 0)}, "mover has -1 checkers on point 1: a count cannot be negative"),
    ({"bar": (16, 15)}, "bar must be counts of 0..15, not 16"),
    ({"bar": (-1, 15)}, "bar must be counts of 0..15, not -1"),
    ({"off": (HUGE, 0)}, f"off must be counts of 0..15, not {HUGE}"),
    ({"bar": (15,)}, "bar must be two counts, the mover's and the other's, not (15,)"),
    ({"off": (0, 0, 0)}, "off must be two counts, the mover's and the other's, not (0, 0, 0)"),
    ({"mover": {4: 1}, "other": {4: 1}, "bar": (14, 14)}, "both sides stand on one point: the mover's 4, the other's 4"),
    ({"bar": (0, 0), "off": (15, 15)}, "both sides have borne all checkers off, and only one can have won"),
]


@pytest.mark.parametrize(("changed", "sentence"), BAD_POINTS, ids=[sentence for _, sentence in BAD_POINTS])
def test_points_that_cannot_stand_so_are_refused(changed: dict[str, Any], sentence: str) -> None:
    arguments: dict[str, Any] = {"mover": {}, "other": {}, "bar": (0, 15), "off": (0, 0)} | changed
    with pytest.raises(InvalidPositionError) as refused:
        Position.from_points(arguments.pop("mover"), arguments.pop("other"), rules=TABULA, **arguments)
    assert str(refused.value) == sentence


BAD_POINT_TYPES: list[tuple[dict[str, Any], str]] = [
    ({"mover": None}, "mover must be a mapping of point to checkers, not None"),
    ({"other": None}, "other must be a mapping of point to checkers, not None"),
    ({"mover": [(1, 5)]}, "mover must be a mapping of point to checkers, not [(1, 5)]"),
    ({"mover": {None: 1}}, "a point of mover must be an integer, not None"),
    ({"mover": {"1": 1}}, "a point of mover must be an integer, not '1'"),
    ({"mover": {1: None}}, "mover's checkers on 1 must be an integer, not None"),
    ({"mover": {1: 1.0}}, "mover's checkers on 1 must be an integer, not 1.0"),
    ({"bar": None}, "bar must be two counts, the mover's and the other's, not None"),
    ({"bar": 3}, "bar must be two counts, the mover's and the other's, not 3"),
    ({"bar": "00"}, "bar must be two counts, the mover's and the other's, not '00'"),
    ({"off": (None, 0)}, "off must be an integer, not None"),
]


@pytest.mark.parametrize(("changed", "sentence"), BAD_POINT_TYPES, ids=[sentence for _, sentence in BAD_POINT_TYPES])
def test_points_of_a_wrong_type_are_refused(changed: dict[str, Any], sentence: str) -> None:
    arguments: dict[str, Any] = {"mover": {}, "other": {}, "bar": (15, 15), "off": (0, 0)} | changed
    with pytest.raises(TypeError) as refused:
        Position.from_points(arguments.pop("mover"), arguments.pop("other"), rules=TABULA, **arguments)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("dtype", ["int16", "int32", "int64", "uint8", "float32", "float64", "bool", "object", "S1", "i1,i1"])
def test_an_array_of_another_dtype_is_refused(dtype: str) -> None:
    with pytest.raises(TypeError, match=r"^a position array must be int8, not "):
        Position.from_array(np.zeros((2, 26), dtype), rules=TABULA)


@pytest.mark.parametrize("shape", [(26,), (2, 25), (2, 27), (26, 2), (1, 2, 26), (3, 26), (0, 26), (2, 0), (), (52,)])
def test_an_array_of_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidPositionError) as refused:
        Position.from_array(np.zeros(shape, np.int8), rules=TABULA)
    assert str(refused.value) == f"a position array has the shape (2, 26), not {shape}"


@pytest.mark.parametrize("array", [None, [[15, *[0] * 25]] * 2, "O", memoryview(bytes(52)), 3])
def test_what_is_no_array_is_refused(array: Any) -> None:
    with pytest.raises(TypeError, match=r"^a position array must be a numpy.ndarray, not "):
        Position.from_array(array, rules=TABULA)


def test_an_array_of_checkers_that_cannot_stand_so_is_refused() -> None:
    array = Position().to_array()
    array[1, 0] = -113
    with pytest.raises(InvalidPositionError, match=r"^other has -113 checkers waiting: a count cannot be negative$"):
        Position.from_array(array, rules=TABULA)


@pytest.mark.parametrize("turn", [2, -1, HUGE])
def test_a_turn_is_white_or_black(turn: int) -> None:
    for make in (
        lambda: Position.from_tracks(WAITING, WAITING, rules=TABULA, turn=turn),
        lambda: Position.from_points({}, {}, rules=TABULA, bar=(15, 15), turn=turn),
        lambda: Position.from_array(Position().to_array(), rules=TABULA, turn=turn),
    ):
        with pytest.raises(ValueError, match=f"^turn must be WHITE \\(0\\) or BLACK \\(1\\), not {turn}$") as refused:
            make()
        assert type(refused.value) is ValueError


@pytest.mark.parametrize("turn", [None, "w", 0.0, True])
def test_a_turn_is_an_integer(turn: Any) -> None:
    with pytest.raises(TypeError, match=r"^turn must be an integer, not "):
        Position.from_tracks(WAITING, WAITING, rules=TABULA, turn=turn)


@pytest.mark.parametrize("rules", [None, "tabula", {}, Rules])
def test_rules_are_a_rules(rules: Any) -> None:
    for make in (
        lambda: Position(rules),
        lambda: Position.from_tracks(WAITING, WAITING, rules=rules),
        lambda: Position.from_points({}, {}, rules=rules),
        lambda: Position.from_array(Position().to_array(), rules=rules),
        lambda: Position.from_text(Position().to_text(), rules="tabula" if rules is None else rules),  # None: the text names them
    ):
        with pytest.raises(TypeError, match=r"^rules must be a Rules, not "):
            make()


def test_rules_must_be_named_but_for_the_start_and_texts() -> None:
    with pytest.raises(TypeError):
        Position.from_tracks(WAITING, WAITING)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Position.from_points({}, {})  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Position.from_array(Position().to_array())  # type: ignore[call-arg]


# --------------------------------------------------------------------------------------------------------------- what it tells


def test_pips_are_what_both_sides_still_have_to_travel() -> None:
    assert Position().pips == (375, 375)
    assert Position(BACKGAMMON).pips == (167, 167)
    assert MIDDLE.pips == (2 * 25 + 4 * 22 + 5, 5 * 20 + 2)
    assert Position.from_tracks(side({}), side({24: 1}), rules=TABULA).pips == (0, 1)


@some
def test_flip_is_the_same_board_with_the_other_side_to_move(position: Position) -> None:
    flipped = position.swap_sides()
    assert (flipped.mover, flipped.other, flipped.turn) == (position.other, position.mover, 1 - position.turn)
    assert flipped.rules is position.rules
    assert flipped.pips == position.pips[::-1]
    assert flipped != position
    assert flipped.swap_sides() == position


OUTCOMES = [
    (TABULA, WAITING, 1),
    (TABULA, side({24: 1}), 1),
    (BACKGAMMON, mirrored({1: 1}), 1),
    (BACKGAMMON, mirrored({18: 15}), 2),
    (BACKGAMMON, mirrored({19: 1, 1: 14}), 3),
    (BACKGAMMON, side({0: 1, 24: 14}), 3),
    (dataclasses.replace(TABULA, highest_win=3), side({18: 5, 17: 5, 16: 5}), 2),
    (dataclasses.replace(TABULA, highest_win=3), side({19: 5, 17: 5, 16: 5}), 3),
]


@pytest.mark.parametrize("turn", [WHITE, BLACK])
@pytest.mark.parametrize(("rules", "loser", "points"), OUTCOMES)
def test_the_outcome_names_the_winner_and_the_points_whoever_is_to_move(rules: Rules, loser: Track, points: int, turn: int) -> None:
    won = side({})
    assert Position.from_tracks(loser, won, rules=rules, turn=turn).outcome == (1 - turn, points)
    outcome = Position.from_tracks(won, loser, rules=rules, turn=turn).outcome
    assert outcome == (turn, points)
    assert (outcome.winner, outcome.points) == (turn, points)


def test_the_outcome_is_none_while_the_game_goes_on() -> None:
    assert [position.outcome for position in SOME] == [None] * len(SOME)


@pytest.mark.parametrize("rules", [TABULA, BACKGAMMON, FEW], ids=lambda rules: rules.name)
def test_a_finished_game_has_no_plays(rules: Rules) -> None:
    won = side({}, rules.checkers)
    for position in (
        Position.from_tracks(rules.setup, won, rules=rules),
        Position.from_tracks(won, rules.setup, rules=rules),
    ):
        roll = (3,) * rules.dice
        plays = position.plays(roll)
        assert len(plays) == position.count(roll) == plays.dice_used == 0
        assert not plays
        assert list(plays) == []
        assert plays.positions.shape == (0, 2, 26)


# ------------------------------------------------------------------------------------------------------------- the value itself


@some
def test_equal_positions_are_one_value(position: Position) -> None:
    again = Position.from_tracks(position.mover, position.other, rules=position.rules, turn=position.turn)
    assert again == position
    assert hash(again) == hash(position)
    assert len({again, position}) == 1


def test_positions_differ_in_tracks_turn_or_rules() -> None:
    one = Position.from_tracks(side({1: 1}), side({2: 1}), rules=TABULA)
    others = [
        Position.from_tracks(side({3: 1}), side({2: 1}), rules=TABULA),
        Position.from_tracks(side({1: 1}), side({3: 1}), rules=TABULA),
        Position.from_tracks(side({2: 1}), side({1: 1}), rules=TABULA),
        Position.from_tracks(side({1: 1}), side({2: 1}), rules=TABULA, turn=BLACK),
        Position.from_tracks(side({1: 1}), side({2: 1}), rules=TABULA_HISTORIC),
    ]
    assert all(other != one for other in others)
    assert len({one, *others}) == 6


def test_equal_rules_make_equal_positions_whichever_object_they_are() -> None:
    twin = Rules(name="twin")
    assert Position(twin) == Position(TABULA)
    assert hash(Position(twin)) == hash(Position(TABULA))


def test_a_position_equals_nothing_else() -> None:
    for thing in (None, 0, "O------------------------o:w", Position().to_text(), (WAITING, WAITING), object()):
        assert Position() != thing
    with pytest.raises(TypeError):
        Position() < Position()  # type: ignore[operator]  # noqa: B015


@some
def test_a_copy_is_the_position_itself(position: Position) -> None:
    assert copy.copy(position) is position
    assert copy.deepcopy(position) is position


@pytest.mark.parametrize(
    ("make", "given"),
    [
        (lambda: Position(text="x"), "text='x'"),  # type: ignore[call-arg]
        (lambda: Position(TABULA, 1), "TABULA, 1"),  # type: ignore[call-arg]
        (lambda: Position(TABULA, rules=TABULA), "TABULA, rules=TABULA"),  # type: ignore[misc]
        (lambda: Position(TABULA, turn=1), "TABULA, turn=1"),  # type: ignore[call-arg]
    ],
)
def test_a_position_made_with_other_arguments_is_refused_in_a_sentence(make: Callable[[], Position], given: str) -> None:
    with pytest.raises(TypeError) as refused:
        make()
    assert str(refused.value) == (
        "Position takes one argument, rules, and makes the start of a game; from_text, from_tracks, from_points and from_array "
        f"make other positions: Position({given})"
    )


def test_positions_under_equal_rules_have_one_hash() -> None:
    again = Rules.from_dict(BACKGAMMON.to_dict())
    assert again is not BACKGAMMON
    assert hash(Position(again)) == hash(Position(BACKGAMMON))
    assert Position(again) in {Position(BACKGAMMON)}


def test_hashes_of_positions_are_seldom_the_same() -> None:
    reached = {play.position for roll in all_rolls(2) for play in Position(BACKGAMMON).plays(roll)}
    assert len({hash(position) for position in reached}) == len(reached)
    assert len({hash(position) & 0xFFFF for position in reached}) > 0.9 * len(reached)


def test_a_pickle_that_was_changed_is_looked_at_like_any_input() -> None:
    make, (rules, words, turn) = Position(BACKGAMMON).__reduce__()
    assert make(rules, words, turn) == Position(BACKGAMMON)
    for changed, sentence in (
        (words[:31], "a pickle of a position has 32 bytes, not 31"),
        (words[:15] + b"\1" + words[16:], "a pickle of a position has bits where no count stands"),
        (b"\1" + words[1:], "mover has 14 checkers in all, and these rules give a side 15"),
    ):
        with pytest.raises(InvalidPositionError) as refused:
            make(rules, changed, turn)
        assert str(refused.value) == sentence
    with pytest.raises(ValueError, match="turn must be WHITE"):
        make(rules, words, 2)


@some
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_round_trip_gives_the_same_position(position: Position, protocol: int) -> None:
    back = pickle.loads(pickle.dumps(position, protocol))
    assert back == position
    assert back.rules.name == position.rules.name
    assert back.plays((3,) * back.rules.dice) == position.plays((3,) * back.rules.dice)


@pytest.mark.parametrize("rules", [TABULA, TABULA_HISTORIC, BACKGAMMON], ids=lambda rules: rules.name)
def test_a_pickled_position_of_a_preset_has_the_preset_itself(rules: Rules) -> None:
    assert pickle.loads(pickle.dumps(Position(rules))).rules is rules


@some
def test_the_repr_evaluates_to_the_same_position(position: Position) -> None:
    back = eval(repr(position), dict(vars(tabula)))
    assert back == position
    assert back.rules.name == position.rules.name


def test_the_repr_of_the_start() -> None:
    assert repr(Position()) == "Position.from_text('O------------------------o:w', rules=TABULA)"


@some
def test_str_draws_the_board(position: Position) -> None:
    assert str(position).count("\n") > 10


@pytest.mark.parametrize("name", ["mover", "other", "turn", "rules", "pips", "outcome", "mine"])
def test_a_position_cannot_be_changed(name: str) -> None:
    before = MIDDLE.to_text()
    with pytest.raises(AttributeError):
        setattr(MIDDLE, name, 0)
    with pytest.raises(AttributeError):
        delattr(MIDDLE, name)
    assert MIDDLE.to_text() == before


def test_calling_init_again_changes_nothing() -> None:
    position = Position.from_tracks(side({1: 1}), side({2: 1}), rules=TABULA)
    before = hash(position)
    with contextlib.suppress(TypeError):
        position.__init__(BACKGAMMON)  # type: ignore[misc]
    assert (position.rules, position.mover, hash(position)) == (TABULA, side({1: 1}), before)


def test_a_position_cannot_be_subclassed() -> None:
    with pytest.raises(TypeError):
        type("Mine", (Position,), {})


@given(positions())
def test_any_position_survives_every_round_trip(position: Position) -> None:
    rules, turn = position.rules, position.turn
    assert Position.from_tracks(position.mover, position.other, rules=rules, turn=turn) == position
    assert Position.from_array(position.to_array(), rules=rules, turn=turn) == position
    assert Position.from_text(position.to_text(), rules=rules) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert eval(repr(position), dict(vars(tabula))) == position
    assert position.swap_sides().swap_sides() == position
    points = [
        {rules.number(index): track[index] for index in range(1, 25) if track[index]} for track in (position.mover, position.other)
    ]
    bar, off = (position.mover[0], position.other[0]), (position.mover[25], position.other[25])
    assert Position.from_points(*points, rules=rules, turn=turn, bar=bar, off=off) == position


# ------------------------------------------------------------------------------------------------------------------------- apply


def test_apply_of_a_play_gives_its_afterstate() -> None:
    start = Position()
    for play in start.plays("652"):
        assert start.apply(play) == play.position
        assert start.apply(play, "2-5-6") == play.position


def test_apply_of_moves_gives_the_afterstate_in_any_order_that_can_be_made() -> None:
    start = Position(BACKGAMMON)
    expected = Position.from_tracks(
        BACKGAMMON.setup, mirrored({24: 2, 13: 5, 8: 2, 7: 0, 6: 4, 5: 2}), rules=BACKGAMMON, turn=BLACK
    )
    for moves in (
        [(17, 3), (19, 1)],
        ((19, 1), (17, 3)),
        iter([(19, 1), (17, 3)]),
        [Move(19, 20, 1, False), (17, 3)],
        [Move(19, 20, 1), [17, 3]],
        [(np.int64(19), np.int8(1)), (17, 3)],
    ):
        assert start.apply(moves, "31") == expected


def test_apply_of_no_moves_passes_where_nothing_can_be_played() -> None:
    stuck = Position.from_tracks(side({1: 1}), side({2: 2}), rules=TABULA)
    assert stuck.apply([], "111") == stuck.swap_sides()


ILLEGAL: list[tuple[Position, Any, str, str]] = [
    (Position(), [], "652", "passing plays no dice of 6-5-2, and 3 can be played"),
    (Position(), [(0, 6)], "652", "bar/6 plays 1 die of 6-5-2, and 3 can be played"),
    (Position(), [(0, 6), (0, 5)], "652", "bar/6 bar/5 plays 2 dice of 6-5-2, and 3 can be played"),
    (Position(), [(0, 4)], "652", "bar/4 needs a 4, and the roll is 6-5-2"),
    (Position(), [(0, 6), (0, 6)], "652", "bar/6 needs another 6, and the roll is 6-5-2"),
    (Position(), [(0, 6), (0, 5), (0, 2), (0, 2)], "652", "bar/2 needs another 2, and the roll is 6-5-2"),
    (Position(), [(0, 1)] * 4, "111", "bar/1 needs another 1, and the roll is 1-1-1"),
    (Position(), [(1, 6)], "652", "1/7 with a 6 cannot be made: no checker stands on 1"),
    (Position(), [(0, 6), (3, 5)], "652", "3/8 with a 5 cannot be made: no checker stands on 3"),
    (
        Position(),
        [(0, 6), (6, 5), (11, 2)],
        "652",
        "11/13 with a 2 cannot be made: points 13 to 24 and off are closed to a side with a checker waiting as the turn started",
    ),
    (Position(), [(0, 6), (6, 5)], "652", "bar/6 6/11 plays 2 dice of 6-5-2, and 3 can be played"),
    (
        Position.from_tracks(side({19: 1}), WAITING, rules=TABULA),
        [(19, 6)],
        "621",
        "after 19/off no more dice can be played, and 2 of 6-2-1 must be in all",
    ),
    (Position(BACKGAMMON), [(0, 6)], "61", "bar/19 with a 6 cannot be made: no checker is waiting"),
    (Position(BACKGAMMON), [(19, 6)], "61", "6/off with a 6 cannot be made: bearing off needs every checker on 6 to 1"),
    (Position(BACKGAMMON), [(19, 5)], "51", "6/1 with a 5 cannot be made: 1 is blocked by 2 opposing checkers"),
    (Position(BACKGAMMON), [(1, 1)] * 5, "11", "24/23 with a 1 cannot be made: no checker stands on 24"),
    (Position(BACKGAMMON), [(17, 1), (18, 1), (19, 1), (17, 1), (17, 1)], "11", "8/7 needs another 1, and the roll is 1-1"),
    (Position.from_tracks(side({}), WAITING, rules=TABULA), [], "652", "the game is over"),
    (Position.from_tracks(WAITING, side({}), rules=TABULA), [(0, 6)], "652", "the game is over"),
    (
        Position(),
        [Move(0, 6, 6, True), (0, 5), (0, 2)],
        "652",
        f"{Move(0, 6, 6, True)} says what does not happen: moving from 0 with a 6 is {Move(0, 6, 6)}",
    ),
    (
        Position(),
        [(0, 5), Move(0, 7, 6), (0, 2)],
        "652",
        f"{Move(0, 7, 6, False)} says what does not happen: moving from 0 with a 6 is {Move(0, 6, 6)}",
    ),
]


@pytest.mark.parametrize(("position", "moves", "roll", "sentence"), ILLEGAL, ids=[row[-1] for row in ILLEGAL])
def test_apply_says_why_moves_are_no_whole_legal_play(position: Position, moves: Any, roll: str, sentence: str) -> None:
    with pytest.raises(tabula.IllegalPlayError) as refused:
        position.apply(moves, roll)
    assert str(refused.value) == sentence


def test_apply_refuses_a_play_of_another_position_or_roll() -> None:
    start = Position()
    play = start.plays("652")[0]
    with pytest.raises(tabula.IllegalPlayError, match=r"^the play is one of another position$"):
        start.swap_sides().apply(play)
    with pytest.raises(tabula.IllegalPlayError, match=r"^the play is one of another position$"):
        Position(TABULA_HISTORIC).apply(play)
    with pytest.raises(tabula.IllegalPlayError, match=r"^the play is one of 6-5-2, not of the roll given$"):
        start.apply(play, "651")


def test_apply_refuses_what_are_no_moves() -> None:
    start = Position()
    for play, roll, sentence in [
        (None, None, "apply() needs a Play, or moves and their roll"),
        ([(0, 6), (0, 5), (0, 2)], None, "apply() needs a Play, or moves and their roll"),
        (None, "652", "moves must be a sequence of Move or (source, die), not None"),
        ("bar/6 bar/5 bar/2", None, "apply() needs a Play, or moves and their roll"),
        (6, "652", "moves must be a sequence of Move or (source, die), not 6"),
        ([None], "652", "a move must be a Move or (source, die), not None"),
        ([(0, 6, 6)], "652", "a move must be a Move or (source, die), not (0, 6, 6)"),
        ([(0,)], "652", "a move must be a Move or (source, die), not (0,)"),
        ([(None, 6)], "652", "a move's source must be an integer, not None"),
        ([(0, 6.0)], "652", "a move's die must be an integer, not 6.0"),
        ([(0, True)], "652", "a move's die must be an integer, not True"),
        ([(0, 6), (0, 5), (0, 2)], 652, "a roll must be text or a sequence of dice, not 652"),
    ]:
        with pytest.raises(TypeError) as refused:
            start.apply(play, roll)  # type: ignore[call-overload]
        assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ((25, 1), "a move's source must be 0..24, not 25"),
        ((-1, 1), "a move's source must be 0..24, not -1"),
        ((HUGE, 1), f"a move's source must be 0..24, not {HUGE}"),
        ((0, 0), "a move's die must be 1..6, not 0"),
        ((0, 7), "a move's die must be 1..6, not 7"),
        ((0, -HUGE), f"a move's die must be 1..6, not {-HUGE}"),
    ],
)
def test_apply_refuses_sources_and_dice_that_do_not_exist(move: tuple[int, int], sentence: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the sentence is compared whole
        Position().apply([move], "652")
    assert str(refused.value) == sentence


# -------------------------------------------------------------------------------------------------------------------------- rolls


@pytest.mark.parametrize("roll", ["652", "2-5-6", (6, 5, 2), [5, 2, 6], np.array([2, 6, 5]), iter((6, 2, 5)), (np.int8(6), 5, 2)])
def test_a_roll_is_read_in_every_form_and_order(roll: Any) -> None:
    assert Position().plays(roll) == Position().plays((6, 5, 2))


BAD_ROLLS: list[tuple[Any, str]] = [
    ((0, 1, 2), "a die must be 1..6, not 0: (0, 1, 2)"),
    ((7, 1, 2), "a die must be 1..6, not 7: (7, 1, 2)"),
    ((1, 2, HUGE), f"a die must be 1..6, not {HUGE}: (1, 2, {HUGE})"),
    ((1, -HUGE, 2), f"a die must be 1..6, not {-HUGE}: (1, {-HUGE}, 2)"),
    ([1, 2, HUGE], f"a die must be 1..6, not {HUGE}: [1, 2, {HUGE}]"),
    ((1, 2), "a roll of this game has 3 dice, not 2: (1, 2)"),
    ((), "a roll of this game has 3 dice, not 0: ()"),
    ((1, 2, 3, 4), "a roll of this game has 3 dice, not 4: (1, 2, 3, 4)"),
    ("12", "a roll of this game has 3 dice, not 2: '12'"),
    ("120", "a die must be 1..6, not 0: '120'"),
    ("1-2-9", "a die must be 1..6, not 9: '1-2-9'"),
    ("6;5;2", "a roll is written like 652 or 6-5-2, not '6;5;2'"),
]


@pytest.mark.parametrize(("roll", "sentence"), BAD_ROLLS, ids=[sentence for _, sentence in BAD_ROLLS])
def test_what_is_no_roll_is_refused(roll: Any, sentence: str) -> None:
    for ask in (Position().plays, Position().count, lambda roll: Position().apply([], roll)):
        with pytest.raises(ValueError) as refused:  # noqa: PT011 - the sentence is compared whole
            ask(roll)
        assert type(refused.value) is ValueError
        assert str(refused.value) == sentence


@pytest.mark.parametrize(
    "roll", [None, 652, 6.5, b"652", {6: 1, 5: 1, 2: 1}, (6, 5, None), (6, 5, 2.0), (True, 5, 2), ["6", "5", "2"]]
)
def test_a_roll_of_a_wrong_type_is_refused(roll: Any) -> None:
    for ask in (Position().plays, Position().count):
        with pytest.raises(TypeError, match=r"^a (roll|die) must be "):
            ask(roll)


def test_a_roll_has_the_number_of_dice_of_the_rules() -> None:
    with pytest.raises(ValueError, match=r"^a roll of this game has 2 dice, not 3: '652'$"):
        Position(BACKGAMMON).plays("652")
    with pytest.raises(ValueError, match=r"^a roll of this game has 1 die, not 2: '65'$"):
        Position(Rules(dice=1)).plays("65")
