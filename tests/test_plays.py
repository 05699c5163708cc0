"""`Plays`, `Play` and `Move`: a read-only sequence that is a view, and what it holds."""

import collections.abc
import contextlib
import copy
import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from support.tracks import WAITING, side

from tabula import BACKGAMMON, BLACK, TABULA, IllegalPlayError, Move, Play, Plays, Position, Rules

HUGE = 10**30
CLOSED = "11/13 with a 2 cannot be made: points 13 to 24 and off are closed to a side with a checker waiting as the turn started"
MANY = Position(BACKGAMMON).plays("21")
FEW = Position().plays("652")
PASS = Position.from_tracks(side({1: 1}), side({2: 2}), rules=TABULA).plays("111")
NONE = Position.from_tracks(WAITING, side({}), rules=TABULA).plays("111")
ONE = Position.from_tracks(side({24: 1}), WAITING, rules=TABULA).plays("111")
SOME = {"many": MANY, "few": FEW, "pass": PASS, "none": NONE, "one": ONE}

some = pytest.mark.parametrize("plays", SOME.values(), ids=SOME)

BOUNDS = [None, 0, 1, 2, 7, -1, -2, -7, 100, -100, HUGE, -HUGE]
STEPS = [None, 1, 2, 3, -1, -2, -3, 100, -100, 2**62, -(2**62), HUGE, -HUGE]
SLICES = [slice(*bounds) for bounds in itertools.product(BOUNDS, BOUNDS, STEPS)]


# ------------------------------------------------------------------------------------------------------------------ a sequence


@some
def test_plays_are_a_sequence(plays: Plays) -> None:
    assert isinstance(plays, collections.abc.Sequence)
    assert not isinstance(plays, collections.abc.MutableSequence)
    assert plays.position.plays(plays.roll) == plays


def test_length_truth_and_count_agree() -> None:
    for plays, length in zip(SOME.values(), (15, 4, 1, 0, 1), strict=True):
        assert len(plays) == length
        assert bool(plays) == (length > 0)
        assert plays.position.count(plays.roll) == length


@some
def test_iteration_gives_every_play_once_and_ends(plays: Plays) -> None:
    listed = list(plays)
    assert len(listed) == len(plays) == len(set(listed))
    assert listed == [plays[index] for index in range(len(plays))]
    assert list(reversed(plays)) == listed[::-1]
    assert list(iter(plays)) == listed
    iterator = iter(plays)
    for _ in listed:
        next(iterator)
    with pytest.raises(StopIteration):
        next(iterator)


@some
def test_indices_count_from_both_ends(plays: Plays) -> None:
    listed = list(plays)
    for index in range(-len(plays), len(plays)):
        assert plays[index] == listed[index]
        assert plays[np.int64(index)] == listed[index]


@some
def test_an_index_out_of_range_is_refused(plays: Plays) -> None:
    for index in (len(plays), -len(plays) - 1, 4080, HUGE, -HUGE, 2**63, -(2**63) - 1):
        with pytest.raises(IndexError):
            plays[index]


@pytest.mark.parametrize("index", [None, "0", 0.0, (0,), Move(0, 6, 6)])
def test_an_index_is_an_integer_or_a_slice(index: Any) -> None:
    with pytest.raises(TypeError):
        FEW[index]
    if index is not None:
        with pytest.raises(TypeError):
            FEW[index:]


def test_a_slice_with_no_step_is_refused() -> None:
    with pytest.raises(ValueError, match="step"):
        FEW[::0]


@some
def test_every_slice_holds_what_a_slice_of_a_list_holds(plays: Plays) -> None:
    listed = list(plays)
    for chosen in SLICES:
        view = plays[chosen]
        assert isinstance(view, Plays)
        assert list(view) == listed[chosen], chosen


def test_slices_of_slices_hold_what_slices_of_lists_hold() -> None:
    few = [
        slice(None),
        slice(1, None),
        slice(None, None, -1),
        slice(None, None, 2),
        slice(9, 1, -3),
        slice(5, 5),
        slice(None, None, HUGE),
    ]
    listed = list(MANY)
    for one, two, three in itertools.product(few, repeat=3):
        assert list(MANY[one][two][three]) == listed[one][two][three]


def test_a_slice_outlives_what_it_is_a_view_of() -> None:
    view = Position(BACKGAMMON).plays("21")[3:9][::-2]
    assert list(view) == list(MANY)[3:9][::-2]


@some
def test_a_slice_keeps_position_roll_and_dice(plays: Plays) -> None:
    view = plays[::-1][:2]
    assert (view.position, view.roll, view.dice_used) == (plays.position, plays.roll, plays.dice_used)


@some
def test_positions_hold_the_afterstates_turned_round(plays: Plays) -> None:
    for view in (plays, plays[::-1], plays[1:3]):
        array = view.positions
        assert (array.dtype, array.shape) == (np.int8, (len(view), 2, 26))
        assert array.flags.owndata
        for row, play in zip(array, view, strict=True):
            assert tuple(row[0].tolist()) == play.position.mover
            assert tuple(row[1].tolist()) == play.position.other


def test_positions_are_new_every_time() -> None:
    FEW.positions[:] = 0
    assert FEW.positions.any()


def test_the_roll_has_the_largest_die_first() -> None:
    assert Position().plays("256").roll == (6, 5, 2)
    assert Position().plays("256")[0].roll == (6, 5, 2)
    assert [plays.dice_used for plays in SOME.values()] == [2, 3, 0, 0, 1]


# ---------------------------------------------------------------------------------------------------------------- what is in it


@some
def test_in_index_and_count_know_each_play_by_itself_its_afterstate_and_its_moves(plays: Plays) -> None:
    for number, play in enumerate(plays):
        pairs = [(move.source, move.die) for move in play.moves]
        for item in (play, play.position, play.moves, list(play.moves), pairs, tuple(map(list, pairs))):
            assert item in plays
            assert plays.index(item) == number
            assert plays.count(item) == 1
        assert iter(pairs) in plays


def test_plays_of_another_position_or_roll_are_not_in_it() -> None:
    assert Position().swap_sides().plays("652")[0] not in FEW
    assert Position().plays("651")[0] not in FEW
    assert Position(Rules(highest_win=3)).plays("652")[0] not in FEW
    assert Position(Rules(name="twin")).plays("652")[0] in FEW


def test_afterstates_not_reached_are_not_in_it() -> None:
    after = FEW[0].position
    assert after in FEW
    assert after.swap_sides() not in FEW
    assert Position() not in FEW
    assert Position.from_tracks(after.mover, after.other, rules=Rules(highest_win=3), turn=BLACK) not in FEW


def test_moves_that_are_no_whole_legal_play_are_not_in_it() -> None:
    assert [(0, 6), (0, 5), (0, 2)] in FEW
    for moves in (
        [],
        [(0, 6), (0, 5)],
        [(0, 6), (0, 5), (0, 2), (0, 2)],
        [(0, 6), (6, 5), (11, 2)],
        [(0, 6), (0, 5), (0, 1)],
        [(0, 6), (0, 6), (0, 2)],
        [(0, 6), (0, 5), (1, 2)],
        [(0, 6), (0, 5), (25, 2)],
        [(0, 6), (0, 5), (-1, 2)],
        [(0, 6), (0, 5), (HUGE, 2)],
        [(0, 6), (0, 5), (0, 7)],
        [(0, 6), (0, 5), (0, 0)],
        [Move(0, 6, 6, True), (0, 5), (0, 2)],
        [Move(0, 7, 6), (0, 5), (0, 2)],
        [(0, 6), (0, 5), (0, 2)] * 50,
    ):
        assert moves not in FEW
        assert FEW.count(moves) == 0
        with pytest.raises(ValueError, match=r"a move's|is not among the plays"):
            FEW.index(moves)


@pytest.mark.parametrize(
    "thing", [None, 0, 652, "652", "bar/6 bar/5 bar/2", b"", [None], [(0,)], [(0, 6, 6)], [("0", 6)], object(), 1.5]
)
def test_other_things_are_not_in_it(thing: Any) -> None:
    assert thing not in FEW
    assert FEW.count(thing) == 0
    with pytest.raises(TypeError):
        FEW.index(thing)


def test_only_a_pass_holds_no_moves() -> None:
    assert [] in PASS
    assert PASS[0].moves == ()
    assert [] not in NONE
    assert [] not in FEW


def test_what_is_not_in_a_slice_is_not_in_it() -> None:
    play = MANY[0]
    for item in (play, play.position, play.moves):
        assert item in MANY[:3]
        assert item not in MANY[1:]
        assert MANY[::-1].index(item) == len(MANY) - 1
        with pytest.raises(ValueError, match=r"is not among the plays$"):
            MANY[1:].index(item)


def test_index_looks_between_start_and_stop() -> None:
    play = MANY[5]
    assert MANY.index(play, 5) == MANY.index(play, 0, 6) == MANY.index(play, -10, -9) == 5
    for bounds in ((6,), (0, 5), (-9,), (0, -10)):
        with pytest.raises(ValueError, match=r"is not among the plays$"):
            MANY.index(play, *bounds)


# ---------------------------------------------------------------------------------------------------------------- values, copies


@some
def test_equal_plays_are_one_value(plays: Plays) -> None:
    again = plays.position.plays(plays.roll)
    assert again == plays
    assert hash(again) == hash(plays)
    assert again[:] == plays[:] == plays
    assert hash(again[:]) == hash(plays)
    assert list(again) == list(plays)
    assert [hash(play) for play in again] == [hash(play) for play in plays]


def test_plays_differ_in_what_they_hold() -> None:
    assert MANY[::-1] != MANY
    assert MANY[1:] != MANY
    assert MANY[1:] != MANY[:-1]
    assert FEW != PASS
    assert Position().plays("652") != Position().plays("651")
    assert Position().plays("652") != Position().swap_sides().plays("652")
    for thing in (None, list(MANY), tuple(MANY), MANY.position, MANY[0]):
        assert thing != MANY


def test_a_play_differs_in_origin_roll_or_afterstate() -> None:
    play = FEW[0]
    assert play != FEW[1]
    assert play != Position().swap_sides().plays("652")[0]
    assert play != play.position
    assert play != play.moves
    assert play is not None
    assert len(set(FEW) | set(Position().plays("652"))) == len(FEW)


def test_plays_of_two_rolls_that_end_alike_are_two() -> None:
    blocked = Position.from_tracks(side({1: 1}), side({2: 2, 3: 2}), rules=TABULA)
    passes = [blocked.plays("111")[0], blocked.plays("222")[0]]
    assert passes[0].position == passes[1].position
    assert passes[0] != passes[1]


@some
def test_a_copy_is_the_thing_itself(plays: Plays) -> None:
    assert copy.copy(plays) is plays
    assert copy.deepcopy(plays) is plays
    for play in plays:
        assert copy.copy(play) is play
        assert copy.deepcopy(play) is play


@some
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_round_trip_gives_the_same_plays(plays: Plays, protocol: int) -> None:
    for view in (
        plays,
        plays[::-1],
        plays[1:],
        plays[:-1],
        plays[::2],
        plays[::-2],
        plays[::-3][::-1],
        plays[2:9:3],
        plays[5:5],
        plays[::HUGE],
    ):
        back = pickle.loads(pickle.dumps(view, protocol))
        assert back == view
        assert list(back) == list(view)
        assert (back.position, back.roll, back.dice_used) == (view.position, view.roll, view.dice_used)


@some
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_round_trip_gives_the_same_play(plays: Plays, protocol: int) -> None:
    for play in plays:
        back = pickle.loads(pickle.dumps(play, protocol))
        assert back == play
        assert back.moves == play.moves
        assert back.origin == play.origin


def test_a_move_is_a_tuple_of_source_target_die_and_hit() -> None:
    move = Move(0, 6, 6)
    assert move == (0, 6, 6, False)
    assert (move.source, move.target, move.die, move.hit) == (0, 6, 6, False)
    assert eval(repr(move)) == move
    assert pickle.loads(pickle.dumps(move)) == move
    assert Move(1, 2, 1, hit=True) > move


def test_the_moves_shown_use_the_most_dice_even_where_fewer_would_end_there() -> None:
    last = Position.from_tracks(side({20: 1}), WAITING, rules=BACKGAMMON)
    (play,) = last.plays("51")
    assert play.moves == (Move(20, 21, 1), Move(21, 25, 5))
    assert str(play) == "5/off"
    assert pickle.loads(pickle.dumps(play)) == play


def test_the_moves_shown_are_with_the_larger_die_where_it_must_be_played() -> None:
    last = Position.from_tracks(side({24: 1}), WAITING, rules=BACKGAMMON)
    assert last.plays("65")[0].moves == (Move(24, 25, 6),)


def test_the_moves_shown_are_the_smallest_set_in_its_smallest_order_that_can_be_made() -> None:
    plays = Position.from_tracks(side({1: 1, 3: 1}), WAITING, rules=TABULA).plays("642")
    shown = {str(play): [(move.source, move.die) for move in play.moves] for play in plays}
    assert shown["1/11 3/5"] == [(1, 4), (3, 2), (5, 6)]
    full = Position.from_tracks(side({4: 1, 7: 5}), side({5: 2, 6: 2}), rules=TABULA).plays("321")
    assert full[full.index([(7, 2), (4, 3), (7, 1)])].moves == (Move(7, 8, 1), Move(4, 7, 3), Move(7, 9, 2))


def test_a_hit_is_a_bool() -> None:
    plays = Position.from_tracks(side({1: 1}), side({3: 1}), rules=TABULA).plays("222")
    assert [move.hit for move in plays[0].moves] == [True, False, False]
    assert all(type(move.hit) is bool for move in plays[0].moves)


@some
def test_reprs_tell_what_they_are(plays: Plays) -> None:
    assert repr(plays).startswith(f"<{len(plays)} play")
    for play in plays:
        assert str(play) in repr(play)


def test_reprs() -> None:
    assert repr(FEW) == "<4 plays of 6-5-2 from O------------------------o:w>"
    assert repr(FEW[:1]) == "<1 play of 6-5-2 from O------------------------o:w>"
    assert {repr(play) for play in FEW} == {
        "<Play bar/6 bar/5 bar/2 with 6-5-2>",
        "<Play bar/11 bar/2 with 6-5-2>",
        "<Play bar/8 bar/5 with 6-5-2>",
        "<Play bar/7 bar/6 with 6-5-2>",
    }


# ----------------------------------------------------------------------------------------------------------------- immutability


@pytest.mark.parametrize("name", ["position", "roll", "dice_used", "positions", "mine"])
def test_plays_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(FEW, name, None)
    with pytest.raises(TypeError):
        FEW[0] = FEW[1]  # type: ignore[index]
    with pytest.raises(TypeError):
        del FEW[0]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["origin", "roll", "position", "moves", "mine"])
def test_a_play_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(FEW[0], name, None)


def test_plays_come_from_a_position_alone() -> None:
    with pytest.raises(TypeError, match=r"^a Play comes from Position\.plays\(roll\)$"):
        Play()
    with pytest.raises(TypeError, match=r"^Plays come from Position\.plays\(roll\)$"):
        Plays()
    for kind in (Play, Plays):
        with pytest.raises(TypeError):
            type("Mine", (kind,), {})


def test_calling_init_again_changes_nothing() -> None:
    play, plays = FEW[0], FEW[:]
    for thing in (play, plays):
        with pytest.raises(TypeError):
            thing.__init__()  # type: ignore[misc]
    assert play == FEW[0]
    assert plays == FEW


def test_a_play_or_plays_made_from_nothing_do_not_crash() -> None:
    names = ("origin", "roll", "moves", "position", "positions", "dice_used", "__len__", "__iter__", "__reversed__", "after")
    for kind in (Play, Plays):
        thing = kind.__new__(kind)
        for use in (
            repr,
            str,
            hash,
            pickle.dumps,
            list,
            Position().apply,
            FEW.count,
            lambda thing: thing[:],
            lambda thing: thing == FEW,
        ):
            with contextlib.suppress(AttributeError, TypeError, ValueError):
                use(thing)
        for name in names:
            with contextlib.suppress(AttributeError, TypeError, ValueError):
                value = getattr(thing, name)
                repr(value() if callable(value) else value)
        assert thing not in FEW
    with pytest.raises(IllegalPlayError):
        Position().apply(Play.__new__(Play))


# --------------------------------------------------------------------------------------------------------------------- after


def test_after_nothing_gives_every_first_move() -> None:
    first = FEW.after()
    assert first.moves == (Move(0, 2, 2), Move(0, 5, 5), Move(0, 6, 6))
    assert first.may_end is False
    assert first == (first.moves, first.may_end)


def test_after_some_moves_gives_those_that_still_make_a_legal_play() -> None:
    assert FEW.after((0, 6)) == ((Move(0, 2, 2), Move(0, 5, 5), Move(6, 8, 2), Move(6, 11, 5)), False)
    assert FEW.after((0, 5), (0, 6)) == ((Move(0, 2, 2), Move(5, 7, 2), Move(6, 8, 2)), False)
    assert FEW.after((0, 5), (5, 6)) == ((Move(0, 2, 2),), False)
    assert FEW.after(Move(0, 5, 5, False), [0, 6], (0, 2)) == ((), True)


def test_after_leaves_out_moves_after_which_too_few_dice_could_be_played() -> None:
    plays = Position.from_tracks(side({19: 1}), WAITING, rules=TABULA).plays("621")
    assert plays.after() == ((Move(19, 20, 1), Move(19, 21, 2)), False)
    assert plays.after((19, 2)) == ((Move(21, 22, 1),), False)


def test_after_leaves_out_the_smaller_die_where_the_larger_must_be_played() -> None:
    plays = Position.from_tracks(side({13: 1}), side({4: 2, 24: 13}), rules=BACKGAMMON).plays("62")
    assert plays.after() == ((Move(13, 19, 6),), False)
    with pytest.raises(IllegalPlayError) as refused:
        plays.after((13, 2))
    assert str(refused.value) == "12/10 plays a 2, and if only one die can be played it must be the largest that can, a 6"


def test_after_of_a_pass_may_end_at_once() -> None:
    assert PASS.after() == ((), True)


def test_after_tells_hits() -> None:
    plays = Position.from_tracks(side({1: 1}), side({3: 1}), rules=TABULA).plays("222")
    assert plays.after() == ((Move(1, 3, 2, True),), False)
    assert plays.after(Move(1, 3, 2, True)) == ((Move(3, 5, 2),), False)
    assert plays.after((1, 2), (3, 2)) == ((Move(5, 7, 2),), False)


def test_after_of_a_slice_answers_as_the_whole_does() -> None:
    assert FEW[:1].after() == FEW.after()
    assert FEW[:0].after((0, 6)) == FEW.after((0, 6))


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ([(0, 4)], "bar/4 needs a 4, and the roll is 6-5-2"),
        ([(0, 6), (0, 6)], "bar/6 needs another 6, and the roll is 6-5-2"),
        ([(3, 6)], "3/9 with a 6 cannot be made: no checker stands on 3"),
        (
            [(0, 6), (6, 5), (11, 2)],
            CLOSED,
        ),
        ([(0, 6), (0, 5), (0, 2), (0, 2)], "bar/2 needs another 2, and the roll is 6-5-2"),
        ([(0, 6), (0, 5), (0, 2)] * 3, "bar/6 needs another 6, and the roll is 6-5-2"),
        (
            [Move(0, 6, 6, True)],
            f"{Move(0, 6, 6, True)} says what does not happen: moving from 0 with a 6 is {Move(0, 6, 6)}",
        ),
    ],
)
def test_after_says_why_no_legal_play_starts_so(moves: list[Any], sentence: str) -> None:
    with pytest.raises(IllegalPlayError) as refused:
        FEW.after(*moves)
    assert str(refused.value) == sentence


def test_after_says_that_the_game_is_over() -> None:
    with pytest.raises(IllegalPlayError, match=r"^the game is over$"):
        NONE.after()


def test_after_says_how_many_dice_could_have_been_played() -> None:
    plays = Position.from_tracks(side({19: 1}), WAITING, rules=TABULA).plays("621")
    with pytest.raises(IllegalPlayError) as refused:
        plays.after((19, 6))
    assert str(refused.value) == "after 19/off no more dice can be played, and 2 of 6-2-1 must be in all"


@pytest.mark.parametrize("move", [None, 6, "06", (0,), (0, 6, 6), (None, 6), (0, 6.0)])
def test_after_takes_moves(move: Any) -> None:
    with pytest.raises(TypeError):
        FEW.after(move)


@pytest.mark.parametrize("move", [(25, 1), (-1, 1), (0, 0), (0, 7), (HUGE, 1), (0, HUGE)])
def test_after_takes_moves_that_exist(move: Any) -> None:
    with pytest.raises(ValueError, match=r"^a move's (source|die) must be "):
        FEW.after(move)
