"""The 26-letter text of a position, under every pair of numbering and direction."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import positions
from support.tracks import WAITING, mirrored, side

from tabula import BACKGAMMON, BLACK, TABULA, TABULA_HISTORIC, WHITE, InvalidPositionError, InvalidTextError, Position, Rules

START = "O------------------------o:w"

WAYS = [
    dataclasses.replace(TABULA, numbering=numbering, direction=direction, name=f"{numbering}-{direction}")
    for numbering in ("up", "down")
    for direction in ("same", "opposed")
]
every_way = pytest.mark.parametrize("rules", WAYS, ids=lambda rules: rules.name)


def test_the_start_of_tabula() -> None:
    assert Position().to_text() == START
    assert Position.from_text(START, rules=TABULA) == Position()


def test_the_start_of_backgammon_is_letter_for_letter_that_of_an_xgid() -> None:
    assert Position(BACKGAMMON).to_text() == "-b----E-C---eE---c-e----B-:w"
    assert Position.from_text("-b----E-C---eE---c-e----B-:w", rules=BACKGAMMON) == Position(BACKGAMMON)


def test_a_text_has_the_rules_given() -> None:
    assert Position.from_text(START, rules=TABULA).rules is TABULA
    assert Position.from_text(START, rules=TABULA_HISTORIC).rules is TABULA_HISTORIC


def test_an_xgid_board_with_checkers_on_both_bars_and_off() -> None:
    position = Position.from_text("aB-B-C-------------b-c---A:w", rules=BACKGAMMON)
    assert position.mover == mirrored({25: 1, 5: 3, 3: 2, 1: 2})
    assert position.other == mirrored({25: 1, 4: 3, 6: 2})
    xgid = "--CBCBC------B--b--cabbcb-"
    position = Position.from_text(f"{xgid}:b", rules=BACKGAMMON)
    assert position.turn == BLACK
    assert position.other == mirrored({2: 3, 3: 2, 4: 3, 5: 2, 6: 3, 13: 2})
    assert position.mover == mirrored({9: 2, 6: 3, 5: 1, 4: 2, 3: 2, 2: 3, 1: 2})


EXPECTED = {
    ("up", "same"): "CA-b-------------------B-d:w",
    ("down", "same"): "d-B-------------------b-AC:w",
    ("up", "opposed"): "CA--------------------bB-d:w",
    ("down", "opposed"): "d-Bb--------------------AC:w",
}


@every_way
def test_letter_i_is_point_i_in_whites_numbering_and_white_waits_where_it_enters(rules: Rules) -> None:
    white = side({0: 3, 1: 1, 23: 2})
    black = side({0: 4, 3: 2})
    expected = EXPECTED[rules.numbering, rules.direction]
    assert Position.from_tracks(white, black, rules=rules).to_text() == expected
    assert Position.from_tracks(black, white, rules=rules, turn=BLACK).to_text() == expected.replace(":w", ":b")


@every_way
@pytest.mark.parametrize("turn", [WHITE, BLACK])
def test_a_text_round_trip_gives_the_same_position(rules: Rules, turn: int) -> None:
    white, black = side({0: 3, 1: 1, 24: 2}), side({0: 4, 3: 2, 10: 1})
    mover, other = (white, black) if turn == WHITE else (black, white)
    position = Position.from_tracks(mover, other, rules=rules, turn=turn)
    back = Position.from_text(position.to_text(), rules=rules)
    assert back == position
    assert back.turn == turn


def test_the_board_does_not_turn_with_the_side_to_move() -> None:
    position = Position.from_tracks(side({1: 2}), side({5: 3}), rules=BACKGAMMON)
    assert position.swap_sides().to_text() == position.to_text().replace(":w", ":b")


def test_checkers_off_are_what_is_missing() -> None:
    one_off = Position.from_text("N------------------------o:w", rules=TABULA)
    assert one_off.mover == side({0: 14})
    assert one_off.other == WAITING


def test_letters_go_from_1_to_15() -> None:
    for count in range(1, 16):
        letter = "ABCDEFGHIJKLMNO"[count - 1]
        position = Position.from_text(f"-{letter}---{letter.lower()}--------------------:w", rules=TABULA_HISTORIC)
        assert (position.mover, position.other) == (side({1: count}), side({5: count}))


BAD_TEXTS: list[tuple[str, str]] = [
    ("", "a position text ends with ':w' or ':b': ''"),
    ("O------------------------o", "a position text ends with ':w' or ':b': 'O------------------------o'"),
    ("O------------------------o:", "the side to move is 'w' or 'b', not ''"),
    ("O------------------------o:x", "the side to move is 'w' or 'b', not 'x'"),
    ("O------------------------o:W", "the side to move is 'w' or 'b', not 'W'"),
    ("O------------------------o:wb", "the side to move is 'w' or 'b', not 'wb'"),
    ("O------------------------o:w ", "the side to move is 'w' or 'b', not 'w '"),
    ("O------------------------o:w\n", "the side to move is 'w' or 'b', not 'w\\n'"),
    (":w", "a position text has 26 letters before the ':', not 0: ':w'"),
    ("O:w", "a position text has 26 letters before the ':', not 1: 'O:w'"),
    ("O-----------------------o:w", "a position text has 26 letters before the ':', not 25: 'O-----------------------o:w'"),
    ("O-------------------------o:w", "a position text has 26 letters before the ':', not 27: 'O-------------------------o:w'"),
    (" O------------------------o:w", "a position text has 26 letters before the ':', not 27: ' O------------------------o:w'"),
    ("O-----------P------------o:w", "letter 12 is 'P', and must be '-', 'A'..'O' or 'a'..'o': 'O-----------P------------o:w'"),
    ("O-----------p------------o:w", "letter 12 is 'p', and must be '-', 'A'..'O' or 'a'..'o': 'O-----------p------------o:w'"),
    ("O-----------1------------o:w", "letter 12 is '1', and must be '-', 'A'..'O' or 'a'..'o': 'O-----------1------------o:w'"),
    ("O-----------é------------o:w", "letter 12 is 'é', and must be '-', 'A'..'O' or 'a'..'o': 'O-----------é------------o:w'"),
    (
        "O-----------\0------------o:w",
        "letter 12 is '\\x00', and must be '-', 'A'..'O' or 'a'..'o': 'O-----------\\x00------------o:w'",
    ),
    (
        "o------------------------o:w",
        "letter 0 is 'o', where only white's waiting checkers are told: 'o------------------------o:w'",
    ),
    (
        "O------------------------O:w",
        "letter 25 is 'O', where only black's waiting checkers are told: 'O------------------------O:w'",
    ),
    ("x" * 500, f"a position text ends with ':w' or ':b': '{'x' * 60}'..."),
]


@pytest.mark.parametrize(("text", "sentence"), BAD_TEXTS, ids=range(len(BAD_TEXTS)))
def test_what_is_no_position_text_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(InvalidTextError) as refused:
        Position.from_text(text, rules=TABULA)
    assert str(refused.value) == sentence


def test_white_waits_at_the_other_end_where_points_are_numbered_down() -> None:
    with pytest.raises(InvalidTextError, match=r"^letter 0 is 'B', where only black's waiting checkers are told: "):
        Position.from_text("B------------------------b:w", rules=BACKGAMMON)


BAD_BOARDS: list[tuple[str, Rules, str]] = [
    ("OA-----------------------o:w", TABULA, "white has 16 checkers, and these rules give a side 15"),
    ("O------------------aaaaaao:w", TABULA, "black has 21 checkers, and these rules give a side 15"),
    ("-OOOOOOOOOOOOOOOOOOOOOOOO-:w", TABULA, "white has 360 checkers, and these rules give a side 15"),
    ("-F-----------------------o:w", TABULA, "mover has 6 checkers on point 1, and at most 5 may stand on one"),
    ("--------------------------:w", TABULA, "both sides have borne all checkers off, and only one can have won"),
]


@pytest.mark.parametrize(("text", "rules", "sentence"), BAD_BOARDS, ids=[row[-1] for row in BAD_BOARDS])
def test_a_board_that_cannot_stand_so_is_refused(text: str, rules: Rules, sentence: str) -> None:
    with pytest.raises(InvalidPositionError) as refused:
        Position.from_text(text, rules=rules)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("text", [None, 5, START.encode(), list(START)])
def test_a_text_is_a_str(text: Any) -> None:
    with pytest.raises(TypeError, match=r"^a position text must be a str, not "):
        Position.from_text(text)


@given(positions())
def test_any_position_has_its_own_text(position: Position) -> None:
    text = position.to_text()
    assert len(text) == 28
    assert Position.from_text(text, rules=position.rules) == position


@given(st.text(), st.sampled_from([TABULA, BACKGAMMON]))
def test_any_text_is_read_or_refused(text: str, rules: Rules) -> None:
    for tried in (text, f"{text[:26]:-<26}:w", f"{text[:26]:->26}:b"):
        try:
            position = Position.from_text(tried, rules=rules)
        except (InvalidTextError, InvalidPositionError):
            continue
        assert position.to_text() == tried


@given(st.text("-ABCOabco", min_size=26, max_size=26), st.sampled_from("wb"), st.sampled_from([*WAYS, BACKGAMMON]))
def test_any_letters_are_read_or_refused(letters: str, turn: str, rules: Rules) -> None:
    text = f"{letters}:{turn}"
    try:
        position = Position.from_text(text, rules=rules)
    except (InvalidTextError, InvalidPositionError):
        return
    assert position.to_text() == text
