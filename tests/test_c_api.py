"""The functions of tabula.h, called through the table that C callers get, against Position; and what each says to bad input."""

import ctypes
import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support import abi, capi
from support.capi import C, CMove, CPlay, CPosition, CRules, Stream, array, c_counts, c_position, c_roll, c_rules, generated
from support.strategies import positions, rolls, rules

import tabula
from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, _core, dice, perft
from tabula.playouts import playouts, replay
from tabula.rules import PRESETS, RULE_FIELDS

SOURCE = Path(__file__).parents[1] / "src" / "tabula"


@st.composite
def turns(draw):
    """A position and a roll of its rules."""
    position = draw(positions())
    return position, draw(rolls(position.rules))


def code_of(name):
    return getattr(capi, name)


# ------------------------------------------------------------------------------------------------------------------- answers


@given(turns())
def test_generate_lists_what_plays_lists_in_the_same_order(turn):
    position, roll = turn
    chosen, packed = c_rules(position.rules), c_position(position)
    expected = position.plays(roll)
    plays, used = generated(chosen, packed, roll)
    assert C.count(chosen, packed, c_roll(roll)) == len(plays) == len(expected)
    assert used == (len(expected[0].moves) if expected else 0)
    listed = (CPlay * len(plays))(*plays)
    counts = (ctypes.c_int8 * (52 * len(plays)))()
    assert C.afterstates(chosen, packed, listed, len(plays), counts) == capi.OK
    assert np.array_equal(np.array(counts, np.int8).reshape(-1, 2, 26), expected.positions)
    assert C.generate(chosen, packed, c_roll(roll), (CPlay * capi.MAX_PLAYS)(), capi.MAX_PLAYS, None) == len(plays)


@given(turns())
def test_apply_and_turn_lead_to_the_position_after_a_play(turn):
    position, roll = turn
    chosen, packed = c_rules(position.rules), c_position(position)
    for play, expected in zip(generated(chosen, packed, roll)[0], position.plays(roll), strict=True):
        after = CPosition()
        assert C.apply(chosen, packed, play, after) == C.swap_sides(after) == C.valid(chosen, after) == capi.OK
        assert np.array_equal(array(after), expected.position.to_array())


def test_apply_may_write_where_it_reads():
    chosen, packed, after = c_rules(TABULA), c_position(Position()), CPosition()
    play = generated(chosen, packed, (6, 5, 2))[0][0]
    assert C.apply(chosen, packed, play, after) == C.apply(chosen, packed, play, packed) == capi.OK
    assert bytes(after) == bytes(packed)


@given(turns())
def test_the_moves_of_a_play_are_those_that_python_shows(turn):
    position, roll = turn
    chosen, packed = c_rules(position.rules), c_position(position)
    plays, used = generated(chosen, packed, roll)
    all_moves = (CMove * (4 * max(len(plays), 1)))()
    assert C.all_moves(chosen, packed, c_roll(roll), (CPlay * max(len(plays), 1))(*plays), len(plays), all_moves) == used
    for i, (play, expected) in enumerate(zip(plays, position.plays(roll), strict=True)):
        moves = (CMove * 4)()
        assert C.moves(chosen, packed, c_roll(roll), play, moves) == used
        for shown in (moves, all_moves[4 * i : 4 * i + 4]):
            told = [(move.source, move.target, move.die, bool(move.hit)) for move in shown[:used]]
            assert told == [tuple(move) for move in expected.moves]
        assert not any(bytes(move) != bytes(4) for move in all_moves[4 * i + used : 4 * i + 4])


@given(positions())
def test_a_position_goes_to_counts_and_back(position):
    packed, again = c_position(position), CPosition()
    assert np.array_equal(array(packed), position.to_array())
    assert C.from_counts(c_rules(position.rules), c_counts(array(packed)), again) == capi.OK
    assert bytes(again) == bytes(packed)
    assert C.valid(c_rules(position.rules), packed) == capi.OK


@given(positions())
def test_the_outcome_is_seen_from_the_mover(position):
    points = ctypes.c_int(-9)
    assert C.outcome(c_rules(position.rules), c_position(position), points) == capi.OK
    outcome = position.outcome
    expected = 0 if outcome is None else outcome.points if outcome.winner == position.turn else -outcome.points
    assert points.value == expected


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_the_one_of_rules_py(name):
    preset, position = CRules(), CPosition()
    assert C.rules_preset(name.encode(), preset) == C.start(preset, position) == capi.OK
    assert bytes(preset) == bytes(c_rules(PRESETS[name]))
    assert np.array_equal(array(position), Position(PRESETS[name]).to_array())
    assert [C.perft(preset, position, depth) for depth in range(3)] == [perft(Position(PRESETS[name]), depth) for depth in range(3)]


@given(rules())
def test_the_fields_of_the_struct_are_those_of_the_rules(of):
    filled = c_rules(of)
    codes = {field.member: field.code(getattr(of, name)) for name, field in RULE_FIELDS.items() if field.member}
    assert {name: getattr(filled, name) for name in capi.FIELDS} == codes | {
        "checkers": of.checkers,
        "start_point": of.start_point,
    }
    for side, setup in ((filled.setup, of.setup), (filled.setup_other, of.other_setup)):
        assert tuple(word >> 4 * i & 15 for word, n in ((side.lo, 16), (side.hi, 10)) for i in range(n)) == setup


VERSION = int(re.search(r"#define TABULA_ABI_VERSION (\d+)", abi.header())[1])

TABULA_MEMBERS = {"dice": 3, "stack_limit": 5, "half_gate": 1, "home_start": 13, "highest_win": 1, "checkers": 15}
HISTORIC_MEMBERS = TABULA_MEMBERS | {"stack_limit": 15, "enter_first": 1, "home_start": 19, "gates_by_move": 1}
BACKGAMMON_MEMBERS = {
    "dice": 2, "doubles_twice": 1, "direction": 1, "stack_limit": 15, "enter_first": 1, "home_start": 19, "gates_by_move": 1,
    "bear_off": 1, "larger_die": 1, "highest_win": 3, "checkers": 15, "start_point": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    ("of", "members"),
    [(TABULA, TABULA_MEMBERS), (BACKGAMMON, BACKGAMMON_MEMBERS), (TABULA_HISTORIC, HISTORIC_MEMBERS)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_the_members_of_the_presets_are_these_and_all_others_are_0(of, members):
    filled = c_rules(of)
    assert {name: getattr(filled, name) for name in capi.FIELDS if getattr(filled, name)} == members


def test_the_struct_of_the_header_has_a_member_for_each_field_of_the_table():
    members = abi.structs(abi.header())["tabula_rules"]
    assert members == ["setup", "setup_other", *capi.FIELDS, "reserved", "seal"] == [name for name, _ in CRules._fields_]
    assert sorted(capi.FIELDS) == sorted(
        ["checkers", "start_point", *(field.member for field in RULE_FIELDS.values() if field.member)]
    )
    declared = re.search(r"ctypedef struct tabula_rules:\n(.*?)\n\n", (SOURCE / "_core.pxd").read_text(), re.DOTALL)[1]
    assert [line.split()[1].partition("[")[0] for line in declared.splitlines()] == members


def test_the_order_of_the_dice_does_not_matter_and_they_are_left_as_they_are():
    chosen, packed = c_rules(TABULA), c_position(Position())
    expected = [bytes(play) for play in generated(chosen, packed, (6, 5, 2))[0]]
    for roll in itertools.permutations((6, 5, 2)):
        given_roll = c_roll(roll)
        assert [bytes(play) for play in generated(chosen, packed, roll)[0]] == expected
        assert C.count(chosen, packed, given_roll) == len(expected)
        assert tuple(given_roll) == roll


# ------------------------------------------------------------------------------------------------------------ random numbers


@pytest.mark.parametrize("of", [TABULA, BACKGAMMON], ids=lambda of: of.name)
def test_a_random_game_is_the_one_that_playouts_plays(of):
    played = playouts(Position(of), 3, rng=np.random.default_rng(5))
    seed = int(np.random.default_rng(5).integers(0, 1 << 64, dtype=np.uint64))
    chosen, position, roll, play = c_rules(of), CPosition(), c_roll((0, 0, 0)), CPlay()
    for game in range(3):
        stream = C.stream_seed(seed, game)
        record = played.games[game]
        assert stream.key == record["seed"]
        assert C.start(chosen, position) == capi.OK
        plays, points = 0, ctypes.c_int(0)
        turns = replay(Position(of), int(record["seed"])).turns
        for ply, turn in enumerate(turns):
            assert C.stream_ply(stream, ply) == C.stream_roll(stream, of.dice, roll) == capi.OK
            assert tuple(roll)[: of.dice] == tuple(turn.roll)
            plays += C.random_play(chosen, position, roll, stream, play)
            assert C.apply(chosen, position, play, position) == C.outcome(chosen, position, points) == capi.OK
            assert bool(points.value) == (ply == len(turns) - 1)
            assert C.swap_sides(position) == capi.OK
        assert (plays, points.value, len(turns)) == (record["plays"], record["points"], record["plies"])


def test_numbers_below_a_limit_and_words_come_from_the_same_counter():
    stream, same = C.stream_seed(1, 2), C.stream_seed(1, 2)
    words = [C.stream_next(stream) for _ in range(50)]
    assert len(set(words)) == 50
    # Of so small a limit no number is thrown away: each is the upper part of a word's upper half times the limit.
    assert [C.stream_below(same, 10) for _ in range(50)] == [(word >> 32) * 10 >> 32 for word in words]
    assert stream.counter == same.counter == 50
    assert C.stream_ply(stream, 3) == capi.OK
    assert stream.counter == 3 << 8


def test_of_a_large_limit_numbers_are_thrown_away_until_each_is_as_likely_as_another():
    limit = 3 << 30
    stream, same = C.stream_seed(1, 2), C.stream_seed(1, 2)
    products = (C.stream_next(same) // 2**32 * limit for _ in iter(int, 1))
    kept = (product >> 32 for product in products if product % 2**32 >= 2**32 % limit)
    assert [C.stream_below(stream, limit) for _ in range(100)] == [next(kept) for _ in range(100)]
    assert stream.counter == same.counter > 110


def test_every_die_falls_about_as_often_as_another():
    stream, roll = C.stream_seed(7, 0), c_roll((0, 0, 0))
    thrown = []
    for _ in range(6000):
        assert C.stream_roll(stream, 3, roll) == capi.OK
        assert sorted(roll, reverse=True) == list(roll)
        thrown += roll
    assert all(2700 < thrown.count(die) < 3300 for die in range(1, 7))
    assert set(thrown) == set(range(1, 7))


# ----------------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("of", [TABULA, BACKGAMMON, TABULA_HISTORIC], ids=lambda of: of.name)
def test_rules_with_any_bit_changed_are_refused(of):
    position, points = c_position(Position(of)), ctypes.c_int(-9)
    for bit in range(8 * ctypes.sizeof(CRules)):
        bad = c_rules(of)
        ctypes.cast(ctypes.byref(bad), ctypes.POINTER(ctypes.c_uint8))[bit // 8] ^= 1 << bit % 8
        assert C.valid(bad, position) == C.count(bad, position, c_roll((6, 5, 2))) == capi.BAD_RULES
        assert C.outcome(bad, position, points) == capi.BAD_RULES
    assert points.value == -9


def every_function(chosen, position, roll, play, *, moves=None):
    """What each function that takes rules returns, by name."""
    plays, used, stream, after = (CPlay * capi.MAX_PLAYS)(), ctypes.c_int(-9), C.stream_seed(1, 1), CPosition()
    moves = (CMove * 4)() if moves is None else moves
    return {
        "start": lambda: C.start(chosen, after),
        "valid": lambda: C.valid(chosen, position),
        "from_counts": lambda: C.from_counts(chosen, c_counts(np.zeros((2, 26))), after),
        "outcome": lambda: C.outcome(chosen, position, used),
        "generate": lambda: C.generate(chosen, position, roll, plays, capi.MAX_PLAYS, used),
        "count": lambda: C.count(chosen, position, roll),
        "apply": lambda: C.apply(chosen, position, play, after),
        "random_play": lambda: C.random_play(chosen, position, roll, stream, plays),
        "moves": lambda: C.moves(chosen, position, roll, play, moves),
        "afterstates": lambda: C.afterstates(chosen, position, plays, 0, c_counts(np.zeros((2, 26)))),
        "all_moves": lambda: C.all_moves(chosen, position, roll, play, 1, moves),
        "perft": lambda: C.perft(chosen, position, 1),
    }


FULL = ["valid", "generate", "count", "random_play", "perft"]
"""The functions that look at all that makes a position legal."""

PLAYING = ["outcome", "apply", "moves", "all_moves"]
"""Those that look at the number of checkers alone."""


def test_an_empty_struct_is_no_rules_to_any_function():
    position = c_position(Position())
    play = generated(c_rules(TABULA), position, (6, 5, 2))[0][0]
    for name, call in every_function(CRules(), position, c_roll((6, 5, 2)), play).items():
        assert call() == capi.BAD_RULES, name


WRONG = {
    "BAD_CHECKERS": [{(0, 0): 14}, {(1, 0): 16}, {(0, 0): -1, (0, 1): 16}, {(0, 0): 0}, {(0, 3): -15}, {(1, 25): 127}],
    "CROWDED": [{(0, 0): 9, (0, 3): 6}, {(1, 0): 0, (1, 24): 15}],
    "SHARED_POINT": [{(0, 0): 14, (0, 3): 1, (1, 0): 14, (1, 3): 1}],
    "BOTH_OFF": [{(0, 0): 0, (0, 25): 15, (1, 0): 0, (1, 25): 15}],
}


@pytest.mark.parametrize(("name", "changes"), [(name, changes) for name, each in WRONG.items() for changes in each])
def test_what_is_wrong_with_counts_has_a_code(name, changes):
    chosen, packed, counts = c_rules(TABULA), CPosition(), Position().to_array().astype(int)
    for at, count in changes.items():
        counts[at] = count
    assert C.from_counts(chosen, c_counts(counts), packed) == code_of(name)
    if name == "BAD_CHECKERS":
        assert bytes(packed) == bytes(32)
        return
    assert np.array_equal(array(packed), counts)
    calls = every_function(chosen, packed, c_roll((6, 5, 2)), CPlay(packed.mover.lo, packed.mover.hi))
    assert {calls[function]() for function in FULL} == {code_of(name)}
    assert calls["outcome"]() == (capi.BOTH_OFF if name == "BOTH_OFF" else capi.OK)


@pytest.mark.parametrize("word", range(4))
def test_a_position_without_its_checkers_is_refused_by_every_function_that_looks_at_it(word):
    for bit in range(64):
        chosen, packed = c_rules(TABULA), c_position(Position())
        (ctypes.c_uint64 * 4).from_buffer(packed)[word] ^= 1 << bit
        calls = every_function(chosen, packed, c_roll((6, 5, 2)), CPlay(packed.mover.lo, packed.mover.hi))
        assert {calls[function]() for function in FULL + PLAYING} == {capi.BAD_CHECKERS}


@pytest.mark.parametrize("count", [16 * 16 + 15, 26 * 15])
def test_checkers_are_not_counted_modulo_anything(count):
    """26 counts of at most 15 can come to 256 more than they should."""
    counts = [15] * (count // 15) + [count % 15]
    nibbles = sum(number << 4 * index for index, number in enumerate(counts))
    side = capi.Side(nibbles & (1 << 64) - 1, nibbles >> 64)
    packed = CPosition(side, side)
    assert C.valid(c_rules(TABULA), packed) == C.outcome(c_rules(TABULA), packed, ctypes.c_int()) == capi.BAD_CHECKERS


@given(positions(), st.data())
def test_what_is_legal_is_what_python_takes(position, data):
    counts = position.to_array().astype(int)
    for _ in range(data.draw(st.integers(0, 3))):
        side, source, target = (data.draw(st.integers(0, most)) for most in (1, 25, 25))
        counts[side, source] -= 1
        counts[side, target] += 1
    assume(counts.min() >= 0)
    chosen, packed = c_rules(position.rules), CPosition()
    try:
        Position.from_array(counts.astype(np.int8), rules=position.rules)
    except tabula.InvalidPositionError:
        assert C.from_counts(chosen, c_counts(counts), packed) == C.valid(chosen, packed) < 0
    else:
        assert C.from_counts(chosen, c_counts(counts), packed) == C.valid(chosen, packed) == capi.OK


@pytest.mark.parametrize("roll", [(0, 5, 2), (6, 7, 2), (6, 5, 255), (0, 0, 0)])
def test_a_die_that_is_none_is_refused(roll):
    chosen, packed = c_rules(TABULA), c_position(Position())
    play = generated(chosen, packed, (6, 5, 2))[0][0]
    calls = every_function(chosen, packed, c_roll(roll), play)
    rolled = ["generate", "count", "random_play", "moves", "all_moves"]
    assert {calls[name]() for name in rolled} == {capi.BAD_ROLL}


def test_only_as_many_dice_are_read_as_the_rules_throw():
    one_die = tabula.Rules(dice=1)
    position = c_position(Position(one_die))
    assert C.count(c_rules(one_die), position, c_roll((6, 77, 99))) == Position(one_die).count("6")


def test_no_more_plays_are_written_than_there_is_room_for():
    chosen, packed, roll = c_rules(BACKGAMMON), c_position(Position(BACKGAMMON)), c_roll((3, 1, 0))
    expected = [bytes(play) for play in generated(chosen, packed, (3, 1))[0]]
    guard = CPlay(0xABCD, 0xEF01)
    for capacity in (0, 1, 15, 16, 17, 4079, 4080):
        plays, used = (CPlay * (capacity + 1))(*[guard] * (capacity + 1)), ctypes.c_int(-9)
        n = C.generate(chosen, packed, roll, plays, capacity, used)
        if capacity < 16:
            assert (n, used.value) == (capi.NO_ROOM, -9)
            assert all(bytes(play) == bytes(guard) for play in plays)
        else:
            assert (n, used.value) == (16, 2)
            assert [bytes(play) for play in plays[:16]] == expected
            assert bytes(plays[capacity]) == bytes(guard)
    assert C.generate(chosen, packed, roll, (CPlay * 16)(), -1, None) == capi.BAD_ARGUMENT


def test_a_finished_game_has_no_plays():
    won = Position.from_tracks([0] * 25 + [15], TABULA.setup, rules=TABULA)
    for position in (won, won.swap_sides()):
        chosen, packed, stream, play = c_rules(TABULA), c_position(position), C.stream_seed(1, 1), CPlay(1, 2)
        assert generated(chosen, packed, (6, 5, 2)) == ([], 0)
        assert C.count(chosen, packed, c_roll((6, 5, 2))) == C.random_play(chosen, packed, c_roll((6, 5, 2)), stream, play) == 0
        assert (stream.counter, play.lo, play.hi) == (0, 1, 2)
        unmoved = CPlay(packed.mover.lo, packed.mover.hi)
        assert C.moves(chosen, packed, c_roll((6, 5, 2)), unmoved, (CMove * 4)()) == capi.BAD_PLAY
        assert C.all_moves(chosen, packed, c_roll((6, 5, 2)), unmoved, 1, (CMove * 4)()) == capi.BAD_PLAY
        assert C.perft(chosen, packed, 2) == 0


def test_a_play_with_other_checkers_or_hits_where_no_blot_is_cannot_be_applied():
    chosen, packed, after = c_rules(BACKGAMMON), c_position(Position(BACKGAMMON)), CPosition()
    play = generated(chosen, packed, (3, 1))[0][0]
    for wrong in (
        CPlay(play.lo + 1, play.hi),
        CPlay(0, 0),
        CPlay(play.lo, play.hi | 1 << 36),
        *(CPlay(play.lo, play.hi | 1 << 39 + point) for point in range(1, 25)),
    ):
        assert C.apply(chosen, packed, wrong, after) == capi.BAD_PLAY
    assert bytes(after) == bytes(32)


def test_a_hit_is_taken_where_a_blot_stands_on_either_kind_of_board():
    for of, index in ((TABULA, 5), (BACKGAMMON, 20)):
        mover, other = [0] * 26, [0] * 26
        mover[1], mover[0] = 1, 14
        other[index], other[25] = 1, 14
        position = Position.from_tracks(mover, other, rules=of)
        chosen, packed, after = c_rules(of), c_position(position), CPosition()
        hits = []
        for point in range(1, 25):
            play = CPlay(packed.mover.lo, packed.mover.hi | 1 << 39 + point)
            if C.apply(chosen, packed, play, after) == capi.OK:
                hits.append(point)
        assert hits == [5]


def test_moves_are_asked_of_plays_of_this_roll_alone():
    chosen, packed, moves = c_rules(TABULA), c_position(Position()), (CMove * 8)()
    play = generated(chosen, packed, (6, 5, 2))[0][0]
    other = generated(chosen, packed, (1, 1, 1))[0][0]
    roll = c_roll((6, 5, 2))
    assert C.moves(chosen, packed, roll, other, moves) == capi.BAD_PLAY
    assert C.all_moves(chosen, packed, roll, (CPlay * 2)(play, other), 2, moves) == capi.BAD_PLAY
    assert C.all_moves(chosen, packed, roll, (CPlay * 2)(other, play), 2, moves) == capi.BAD_PLAY
    for n in (-1, capi.MAX_PLAYS + 1):
        assert C.all_moves(chosen, packed, roll, play, n, moves) == capi.BAD_ARGUMENT
    assert C.afterstates(chosen, packed, play, -1, c_counts(np.zeros((2, 26)))) == capi.BAD_ARGUMENT


def test_a_depth_out_of_range_is_refused():
    for depth in (-1, capi.MAX_DEPTH + 1):
        assert C.perft(c_rules(TABULA), c_position(Position()), depth) == capi.BAD_ARGUMENT


def test_dice_to_throw_are_one_to_three():
    stream, roll = C.stream_seed(1, 1), c_roll((9, 9, 9))
    for number in (-1, 0, 4):
        assert C.stream_roll(stream, number, roll) == capi.BAD_ARGUMENT
    assert tuple(roll) == (9, 9, 9)
    assert C.stream_below(stream, 0) == 0
    assert stream.counter == 0


def test_a_preset_that_nobody_knows_is_refused():
    preset = CRules()
    for name in (b"", b"Tabula", b"tabula ", b"backgammo", b"\xff"):
        assert C.rules_preset(name, preset) == capi.BAD_ARGUMENT
    assert bytes(preset) == bytes(64)


def test_what_is_no_rules_is_a_type_error():
    with pytest.raises(TypeError, match="rules must be a Rules, not 'tabula'"):
        C.rules_from("tabula", CRules())


ARGUMENTS = {
    "rules_preset": lambda: [b"tabula", CRules()],
    "start": lambda: [c_rules(TABULA), CPosition()],
    "valid": lambda: [c_rules(TABULA), c_position(Position())],
    "from_counts": lambda: [c_rules(TABULA), c_counts(Position().to_array()), CPosition()],
    "to_counts": lambda: [c_position(Position()), c_counts(np.zeros((2, 26)))],
    "outcome": lambda: [c_rules(TABULA), c_position(Position()), ctypes.c_int()],
    "generate": lambda: [c_rules(TABULA), c_position(Position()), c_roll((6, 5, 2)), (CPlay * 9)(), 9, ctypes.c_int()],
    "count": lambda: [c_rules(TABULA), c_position(Position()), c_roll((6, 5, 2))],
    "apply": lambda: [c_rules(TABULA), c_position(Position()), CPlay(15, 0), CPosition()],
    "swap_sides": lambda: [CPosition()],
    "random_play": lambda: [c_rules(TABULA), c_position(Position()), c_roll((6, 5, 2)), Stream(), CPlay()],
    "moves": lambda: [c_rules(TABULA), c_position(Position()), c_roll((6, 5, 2)), CPlay(), (CMove * 4)()],
    "stream_ply": lambda: [Stream(), 1],
    "stream_roll": lambda: [Stream(), 1, c_roll((0, 0, 0))],
    "afterstates": lambda: [c_rules(TABULA), c_position(Position()), CPlay(15, 0), 1, c_counts(np.zeros((2, 26)))],
    "all_moves": lambda: [c_rules(TABULA), c_position(Position()), c_roll((6, 5, 2)), CPlay(), 1, (CMove * 4)()],
    "perft": lambda: [c_rules(TABULA), c_position(Position()), 1],
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_null_pointer_is_told_and_not_followed(name):
    function = getattr(C, name)
    for at, argument in enumerate(ARGUMENTS[name]()):
        if isinstance(argument, int):
            continue
        arguments = ARGUMENTS[name]()
        arguments[at] = None
        optional = name.startswith("generate") and at == 5
        assert function(*arguments) == (4 if optional else capi.BAD_ARGUMENT), at


def test_a_stream_that_is_not_there_gives_zero():
    assert C.stream_next(None) == C.stream_below(None, 5) == 0
    with pytest.raises(ValueError, match="there is no struct to fill: the pointer is NULL"):
        C.rules_from(TABULA, None)


def test_every_code_has_a_sentence_of_its_own():
    told = [C.error(code).decode() for code in range(0, -11, -1)]
    assert len(set(told)) == 11
    assert told[0] == C.error(7).decode() == "nothing is wrong"
    assert C.error(-11) == C.error(-(2**31)) == b"no function of tabula returns this code"
    assert not any(sentence.endswith(".") for sentence in told)


# ---------------------------------------------------------------------------------------------------------------- the builds


def test_the_header_is_where_get_include_says():
    assert Path(tabula.get_include(), "tabula.h").read_text(encoding="utf-8").startswith("/* tabula.h - ")


def test_the_table_says_what_it_is():
    assert C.size == ctypes.sizeof(capi.Table)
    assert (C.abi_version, C.reserved) == (VERSION, 0)
    assert all(ctypes.cast(getattr(C, name), ctypes.c_void_p).value for name in capi.FUNCTIONS)


def test_a_module_of_another_build_is_refused_in_one_sentence():
    _core.same_build("tabula._other", C.abi_version, C.layout)
    for version, layout in ((C.abi_version + 1, C.layout), (C.abi_version, C.layout + 1)):
        with pytest.raises(ImportError) as refused:
            _core.same_build("tabula._other", version, layout)
        assert str(refused.value) == (
            f"tabula._other was compiled for version {version} of tabula.h and tabula._core for version {VERSION}, or for another "
            "build of it: install tabula-movegen again, so that all its modules come from one build"
        )


@pytest.mark.parametrize("source", sorted(SOURCE.rglob("*.pyx")), ids=lambda path: path.stem)
def test_every_module_of_the_package_asks_whether_it_is_of_the_same_build(source):
    ways = "\nsame_build(__name__, TABULA_ABI_VERSION, TABULA_LAYOUT)\n", "\ntabula_import()\n"
    assert any(way in source.read_text(encoding="utf-8") for way in ways) or source.stem == "_core"


def test_all_rolls_of_a_position_can_be_counted():
    chosen, packed = c_rules(BACKGAMMON), c_position(Position(BACKGAMMON))
    counted = sum(C.count(chosen, packed, c_roll(roll)) for roll in dice.all_rolls(2))
    assert counted == C.perft(chosen, packed, 1) == perft(Position(BACKGAMMON), 1)
