"""Boards of characters: both styles, both views, colour, and the line of a terminal."""

import io
import re
from typing import Any

import pytest
from any_position import positions, waiting_is_said
from golden_boards import ALL_OFF, CROSSING, ENTERING, ZENO
from hypothesis import given
from hypothesis import strategies as st

from tabula import Position
from tabula.render import text

STYLES: Any = ("ascii", "unicode")
ESCAPES = re.compile(r"\x1b\[\d*m")


def test_str_of_a_position_is_its_plain_board() -> None:
    assert str(ZENO) == text.board(ZENO) == text.board(ZENO, style="ascii", colour=False, upside_down=False)
    assert str(ZENO).isascii()


@given(positions(), st.sampled_from(STYLES), st.booleans())
def test_no_line_is_wider_than_a_terminal_and_no_board_higher(position: Position, style: Any, upside_down: bool) -> None:
    lines = text.board(position, style=style, upside_down=upside_down).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24
    assert {len(line) for line in lines[1:14]} == {41}


@given(positions(), st.booleans())
def test_both_styles_and_colour_show_the_same_board(position: Position, upside_down: bool) -> None:
    plain = text.board(position, upside_down=upside_down)
    fancy = text.board(position, style="unicode", upside_down=upside_down)
    assert fancy.translate(str.maketrans("○●·─│┌┬┐└┴┘", "OX.-|++++++")) == plain
    assert ESCAPES.sub("", text.board(position, colour=True, upside_down=upside_down)) == plain


@given(positions())
def test_all_checkers_on_the_board_are_told(position: Position) -> None:
    tracks = (position.mover, position.other) if position.turn == 0 else (position.other, position.mover)
    board = text.board(position)
    rows = board.splitlines()[2:13]
    first = 1 if position.rules.direction == "same" else 0
    for sign, track in zip("OX", tracks, strict=True):
        shown = sum(row.count(sign) for row in rows)
        assert shown == sum(stack if stack <= 5 else 4 for stack in track[first:25])
        waiting = "on bar" if position.rules.numbering == "down" else "in hand"
        told = f"{track[0]} {waiting}, " if waiting_is_said(position) else ""
        assert f"{sign}: {told}{track[25]} off, " in board
    high = sorted(stack for track in tracks for stack in track[first:25] if stack > 5)
    assert sorted(int(number) for row in rows for number in re.findall(r"\d+", row)) == high


def half_round(line: str) -> str:
    """A line as one sees it who sits across the board: its points in the other order, the bar between them."""
    if line[0] == "+":
        return line
    cells = [line[at : at + 3] for at in (*range(1, 19, 3), *range(21, 39, 3))][::-1]
    return line[0] + "".join(cells[:6]) + line[19:21] + "".join(cells[6:]) + line[39:]


@given(positions())
def test_upside_down_is_the_same_board_for_the_other_side(position: Position) -> None:
    lines = text.board(position).splitlines()
    over = text.board(position, upside_down=True).splitlines()
    assert over[1:14] == [half_round(line) if position.rules.direction == "parallel" else line for line in lines[1:14][::-1]]
    assert over[15:] == lines[15:]
    if position.rules.direction == "same":
        assert (over[0], over[14]) == (lines[14], lines[0])
    else:
        assert (over[0], over[14]) == (lines[0], lines[14])


def test_the_winner_is_named() -> None:
    assert "O has won 2 points" in text.board(ALL_OFF)


def test_colour_tells_the_sides_and_is_always_taken_back() -> None:
    board = text.board(CROSSING, colour=True)
    assert "\x1b[1m  O\x1b[0m" in board
    assert "\x1b[31m  X\x1b[0m" in board
    assert all(line.count("\x1b[0m") * 2 == line.count("\x1b[") for line in board.splitlines())
    assert "\x1b" not in text.board(CROSSING)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": "0"}, False), ({"TERM": "dumb"}, False)],
)
def test_colour_is_wanted_on_a_terminal_unless_no_color_is_set(environ: dict[str, str], wanted: bool) -> None:
    assert text.wants_colour(Terminal(), environ) is wanted
    assert not text.wants_colour(io.StringIO(), environ)


@pytest.mark.parametrize(
    ("encoding", "style"), [("utf-8", "unicode"), ("cp437", "ascii"), ("ascii", "ascii"), ("utf-16", "unicode")]
)
def test_the_style_is_one_that_the_stream_can_write(encoding: str, style: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    assert text.fitting_style(stream) == style
    stream.write(text.board(ENTERING, style=text.fitting_style(stream)))
    stream.flush()


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"style": "emoji"}, ValueError, "style must be 'ascii' or 'unicode', not 'emoji'"),
        ({"style": None}, TypeError, "style must be 'ascii' or 'unicode', not None"),
        ({"colour": 1}, TypeError, "colour must be True or False, not 1"),
        ({"upside_down": "yes"}, TypeError, "upside_down must be True or False, not 'yes'"),
    ],
)
def test_a_bad_argument_is_named_with_its_value(arguments: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=re.escape(sentence)):
        text.board(Position(), **arguments)


def test_what_is_no_position_is_refused() -> None:
    nothing: Any = None
    with pytest.raises(TypeError, match="position must be a Position, not None"):
        text.board(nothing)
