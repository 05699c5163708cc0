"""GNU Backgammon's ids and XGID: worked examples, both turns of asymmetric positions, and everything that is refused."""

import base64
import dataclasses
import random

import pytest
from positions import random_positions

from tabula import BACKGAMMON, BLACK, TABULA, WHITE, InvalidPositionError, InvalidTextError, Position
from tabula.notation import MatchState, Reading, gnubg_id, match_id, position_id, read, xgid
from tabula.notation.gnubg import from_match_id, from_position_id, read_gnubg
from tabula.notation.xg import read_xgid

START = Position(BACKGAMMON)


def points(mover: dict[int, int], other: dict[int, int], **more) -> Position:
    return Position.from_points(mover, other, rules=BACKGAMMON, **more)


@pytest.mark.parametrize(
    ("told", "position"),
    [
        ("4HPwATDgc/ABMA", START),
        ("HC/wATDg8+AxAA", points({6: 5, 8: 4, 13: 4, 16: 2}, {3: 3, 6: 4, 7: 1, 13: 5, 24: 2})),
        ("4HPkASjg2+ABMA", Position.from_text("-aa---EBB---dDa--c-e----B-:w", rules=BACKGAMMON)),
    ],
)
def test_position_ids_known_from_elsewhere(told, position) -> None:
    assert position_id(position) == told
    assert from_position_id(told) == position
    # The id is seen from the side on roll: with the other one on roll the same board is the same text for the other colour.
    assert from_position_id(told, turn=BLACK).mover == position.mover
    assert from_position_id(told, turn=BLACK).turn == BLACK


def test_a_position_id_sees_the_board_from_the_side_on_roll() -> None:
    reading = read("--CBCBC------B--b--cabbcb-:0:0:-1:00:0:0:0:0:10")
    assert reading.position.turn == BLACK
    assert position_id(reading.position) == "brcDBgC7rWMAAA"
    assert position_id(reading.position.swap_sides()) != "brcDBgC7rWMAAA"


def test_a_match_id_known_from_elsewhere() -> None:
    turn, roll, match = from_match_id("QYkqASAAIAAA")
    # That program's player 1, on roll here, is white; its player 0 owns the cube, and its scores are 2 and 4 in that order.
    assert (turn, roll) == (WHITE, (5, 2))
    assert match == MatchState(length=9, score=(4, 2), cube=2, owner=BLACK, jacoby=True)
    assert match_id(turn, roll, match) == "QYkqASAAIAAA"
    assert match_id(turn, roll, dataclasses.replace(match, jacoby=False)) == "QYkqASAAIAAE"


@pytest.mark.parametrize(
    ("told", "same"),
    [
        # What GNU Backgammon 1.08 itself answers to these XGIDs.
        ("-aa---EBB---dDa--c-e----B-:0:0:1:61:0:0:3:0:8", "4HPkASjg2+ABMA:cAkHAAAAAAAA"),
        ("-b----E-C---eE---c-e----B-:1:1:1:52:2:4:0:9:10", "4HPwATDgc/ABMA:UYkqAUAAEAAE"),
        ("-b----E-C---eE---c-e----B-:0:0:1:00:6:4:1:7:10", "4HPwATDgc/ABMA:8AngAEAAMAAE"),
    ],
)
def test_an_xgid_becomes_the_id_that_gnu_backgammon_makes_of_it(told, same) -> None:
    reading = read_xgid(told)
    assert gnubg_id(reading.position, reading.roll, reading.match) == same
    back = read_gnubg(same)
    assert (back.position, back.roll) == (reading.position, reading.roll)


def test_all_ten_fields_of_an_xgid() -> None:
    reading = read_xgid("XGID=-aa---EBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8")
    assert reading == Reading(
        Position.from_text("-aa---EBB---dDa--c-e----B-:w", rules=BACKGAMMON),
        (6, 1),
        MatchState(jacoby=True, beavers=True, max_cube=256),
    )
    reading = read_xgid("xgid=--A-bBBBB--BbB-----dbbc-B-:2:-1:-1:00:6:4:1:7:10")
    assert reading.position.turn == BLACK
    assert reading.match == MatchState(length=7, score=(6, 4), cube=4, owner=BLACK, crawford=True)


def test_upper_case_is_white_whoever_is_to_move() -> None:
    for sign, turn in (("1", WHITE), ("-1", BLACK)):
        position = read_xgid(f"aC----B-------------b---dB:0:0:{sign}:31:0:0:0:0:10").position
        white, black = (position.mover, position.other) if turn == WHITE else (position.other, position.mover)
        assert position.turn == turn
        assert (white[0], white[25 - 1], white[25 - 6]) == (2, 3, 2)
        assert (black[0], black[20], black[24]) == (1, 2, 4)


@pytest.mark.parametrize(("letter", "offer"), [("D", "double"), ("B", "beaver"), ("R", "raccoon")])
def test_offers_have_a_letter_in_an_xgid(letter, offer) -> None:
    told = f"XGID=-b----E-C---eE---c-e----B-:1:-1:1:{letter}:0:0:2:0:10"
    reading = read(told)
    assert (reading.roll, reading.match.offer) == (None, offer)
    assert xgid(reading.position, reading.roll, reading.match) == told
    with pytest.raises(ValueError, match="a roll or of an offer"):
        xgid(reading.position, "31", reading.match)


def random_match(source: random.Random, *, money: bool) -> MatchState:
    length = 0 if money else source.randint(1, 25)
    cube = 2 ** source.randint(0, 6)
    return MatchState(
        length=length,
        score=(source.randint(0, 24), source.randint(0, 24)),
        cube=cube,
        owner=source.choice((None, WHITE, BLACK)) if cube > 1 else None,
        crawford=not money and source.random() < 0.3,
        jacoby=money and source.random() < 0.5,
        beavers=money and source.random() < 0.5,
        max_cube=2 ** source.randint(0, 12),
    )


def test_2000_random_positions_of_both_turns_come_back_from_every_id() -> None:
    source = random.Random(4)
    for position in random_positions(2000):
        assert from_position_id(position_id(position), turn=position.turn) == position
        roll = source.choice((None, (3, 1), (6, 6), (5, 2)))
        match = random_match(source, money=source.random() < 0.5)
        assert read(xgid(position, roll, match)) == Reading(position, roll, match)
        reading = read(gnubg_id(position, roll, match))
        # A Match ID has no room for beavers and the highest cube.
        assert reading == Reading(position, roll, dataclasses.replace(match, beavers=False, max_cube=1024))


def test_every_fact_of_a_match_id_comes_back() -> None:
    source = random.Random(5)
    for _ in range(2000):
        turn = source.randint(0, 1)
        match = dataclasses.replace(
            random_match(source, money=False),
            jacoby=source.random() < 0.5,
            offer=source.choice((None, "double")),
            resignation=source.randint(0, 3),
            state=source.choice(("none", "playing", "over", "resigned", "dropped")),
            max_cube=1024,
        )
        waiting = bool(match.offer or match.resignation)
        unusual = source.random() < 0.5
        if unusual:
            match = dataclasses.replace(match, decision=turn if waiting else 1 - turn)
        assert from_match_id(match_id(turn, "41", match)) == (turn, (4, 1), match)


def test_a_position_id_alone_has_white_on_roll_and_a_match_id_says_who() -> None:
    assert read("4HPwATDgc/ABMA") == Reading(START, None, None)
    for turn in (WHITE, BLACK):
        assert read(f"4HPwATDgc/ABMA:{match_id(turn)}").position.turn == turn


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("4HPwATDgc/ABM", "14 characters, not 13"),
        ("4HPwATDgc/ABMAA", "14 characters, not 15"),
        ("4HPwATDgc/AB-A", "letters, digits"),
        ("4HPwATDgc/ABMB", "ends with zero bits"),
        ("4HPwATDgc/ABMP", "ends with zero bits"),
        ("/" * 13 + "w", "other side"),
        ("\u00e9" * 14, "letters, digits"),
    ],
)
def test_a_position_id_that_is_none(told, why) -> None:
    with pytest.raises((InvalidTextError, InvalidPositionError), match=why):
        from_position_id(told)


def test_a_position_id_whose_checkers_stand_on_one_point() -> None:
    position = points({13: 15}, {13: 15})
    assert bits_of({13: 15}, {13: 15}) == position_id(position)
    # One side's 13 is the other side's 12.
    with pytest.raises(InvalidPositionError, match="both sides stand on one point"):
        from_position_id(bits_of({13: 1}, {12: 1}))


def bits_of(mover: dict[int, int], other: dict[int, int]) -> str:
    """A Position ID of checkers by point, legal or not."""
    bits = "".join("1" * side.get(point, 0) + "0" for side in (other, mover) for point in range(1, 26))
    number = int(bits.ljust(80, "0")[::-1], 2)
    return base64.b64encode(number.to_bytes(10, "little")).decode().rstrip("=")


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("QYkqASAAIAA", "12 characters, not 11"),
        ("QYkqASAAIA=A", "letters, digits"),
        ("QYkqASAAIAAI", "ends with zero bits"),
        ("YAkAAAAAAAAA", "owner of 2"),
        ("cAkQAAAAAAAA", "dice of"),
        ("cA8AAAAAAAAA", "game state of 7"),
    ],
)
def test_a_match_id_that_is_none(told, why) -> None:
    with pytest.raises(InvalidTextError, match=why):
        from_match_id(told)


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        (0, "-b----E-C---eE---c-e----Q-", "letter 24 is 'Q'"),
        (0, "-b----E-C---eE---c-e----C-", "white has 16 checkers"),
        (0, "Ab----E-C---eE---c-e----A-", "only black's waiting checkers"),
        (1, "16", "cube of an XGID is 0 to 15"),
        (1, "x", "cube of an XGID"),
        (1, "-1", "cube of an XGID"),
        (2, "2", "cube owner of an XGID is -1 to 1"),
        (3, "0", "turn of an XGID is 1 or -1"),
        (4, "71", "dice of an XGID is two dice, 00, D, B or R"),
        (4, "30", "dice of an XGID"),
        (4, "6-5", "dice of an XGID"),
        (4, "\u0663\u0661", "dice of an XGID"),
        (5, "-1", "bottom score"),
        (6, "99999999", "top score"),
        (7, "4", "rule of an XGID is 0 to 3"),
        (8, "-1", "match length"),
        (9, "", "highest cube"),
    ],
)
def test_a_field_of_an_xgid_that_is_wrong_is_named(field, value, why) -> None:
    fields = ["-b----E-C---eE---c-e----B-", "0", "0", "1", "31", "0", "0", "1", "0", "10"]
    fields[field] = value
    with pytest.raises((InvalidTextError, InvalidPositionError), match=why):
        read_xgid(":".join(fields))


def test_a_match_has_no_jacoby_and_an_xgid_no_ninth_field_only() -> None:
    with pytest.raises(InvalidTextError, match="rule of an XGID is 0 to 1"):
        read_xgid("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:2:7:10")
    for told in ("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0", "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10:1"):
        with pytest.raises(InvalidTextError, match="an XGID has 10 fields"):
            read_xgid(told)


def test_ids_tell_of_backgammon_only() -> None:
    for write in (position_id, gnubg_id, xgid):
        with pytest.raises(ValueError, match="backgammon positions only"):
            write(Position(TABULA))
    for told in ("4HPwATDgc/ABMA", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"):
        with pytest.raises(InvalidTextError, match="backgammon position, and other rules were asked for: 'tabula'"):
            read(told, rules=TABULA)
        assert read(told, rules=BACKGAMMON).position == START


def test_a_match_state_checks_what_it_is_told() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        MatchState().cube = 2
    bad = ({"cube": 3}, {"cube": 0}, {"length": -1}, {"owner": 2}, {"score": (0, 40_000)}, {"resignation": 4}, {"state": "x"})
    for wrong in bad:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            MatchState(**wrong)
    for wrong in ({"crawford": 1}, {"score": 3}, {"length": "7"}):
        with pytest.raises(TypeError, match=next(iter(wrong))):
            MatchState(**wrong)


def test_types_are_checked() -> None:
    for parse in (read, from_position_id, from_match_id, read_gnubg, read_xgid):
        with pytest.raises(TypeError, match="must be a str"):
            parse(None)
    for turn in (2, -1, None, "w"):
        with pytest.raises((ValueError, TypeError)):
            match_id(turn)
