"""Every position text by one function, FIBS lines, and turning one text into another."""

from pathlib import Path

import pytest

from tabula import BACKGAMMON, BLACK, TABULA, TABULA_HISTORIC, WHITE, InvalidPositionError, InvalidTextError, Position, Rules, games
from tabula.notation import FORMATS, MatchState, Reading, convert, read, tabula_text, written_formats

START = Position(BACKGAMMON)


@pytest.mark.parametrize("rules", [TABULA, TABULA_HISTORIC, BACKGAMMON, Rules(stack_limit=6, name="six")])
def test_the_text_of_letters_alone_needs_its_rules(rules) -> None:
    position = Position(rules)
    assert read(position.to_text(), rules=rules) == Reading(position, None, None)
    with pytest.raises(InvalidTextError, match="names no game, so that its rules must be given"):
        read(position.to_text())


@pytest.mark.parametrize("rules", [TABULA, TABULA_HISTORIC, BACKGAMMON])
def test_the_text_of_letters_with_roll_and_name_needs_none(rules) -> None:
    position, roll = Position(rules).swap_sides(), (6, 5, 2)[: rules.dice]
    assert read(tabula_text(position, roll)) == Reading(position, roll, None)
    assert read(tabula_text(position)) == Reading(position, None, None)
    assert read(f"{position.to_text()}::", rules=rules) == Reading(position, None, None)
    assert read(f"{position.to_text()}:{'256'[-rules.dice :]}", rules=rules).roll is not None


def test_other_rules_have_no_name_in_a_position_text() -> None:
    with pytest.raises(
        ValueError, match=r"only the games of tabula\.games have a name in a position text, and these are other rules: 'tabula'"
    ):
        tabula_text(Position(Rules(stack_limit=6)))
    # The name is a label, the rules are what counts.
    assert tabula_text(Position(Rules(name="mine"))).endswith("::tabula")


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("O------------------------o:w:62:tabula", "3 dice, not 2"),
        ("O------------------------o:w:652:chess", "no game is called 'chess', the games are tabula, historic, backgammon, "),
        ("O------------------------o:w:652:tabula:x", "more than letters, turn, roll and name"),
        ("O------------------------o:x:652:tabula", "the side to move is 'w' or 'b', not 'x'"),
        ("-b----E-C---eE---c-e----B-:0:0:1", "10 fields, not 4"),
        ("cAkAAAAAAAAA", "looks like a GNU Backgammon Match ID"),
        ("-b----E-C---eE---c-e----B-", "does not say whose turn it is"),
        ("-b----E-C---eE---c-e----B:w", "its 25 letters are not 26"),
        ("-b----E-C---eE---c-e----P-:w", "its 26 letters are not 26 of"),
        ("4HPwATDgc/ABMA:???", "no Match ID"),
        ("4HPwATDgc/ABMA:", "12 characters, not 0"),
        ("4HPwATDgc/AB", "Match ID"),
        ("4HPwATDgc", "14 characters, not 9"),
        ("XGID=", "10 fields, not 1"),
        ("board:", "53 fields, not 2"),
        ("", "it is empty"),
        ("24/18 13/11", "none of the position texts that are known"),
        ("\x00\ud800", "none of the position texts"),
    ],
)
def test_what_is_not_sure_is_refused_with_what_it_looks_like(told, why) -> None:
    with pytest.raises(InvalidTextError, match=why) as caught:
        read(told)
    assert caught.value.position is not None


def test_rules_that_disagree_with_the_text_are_refused() -> None:
    with pytest.raises(InvalidTextError, match="the text says 'tabula', and other rules were asked for: 'backgammon'"):
        read("O------------------------o:w::tabula", rules=BACKGAMMON)
    with pytest.raises(InvalidPositionError, match="at most 5 may stand on one"):
        read("-----F-------------------o:w::tabula")
    with pytest.raises(TypeError, match="rules must be a Rules or None"):
        read("4HPwATDgc/ABMA", rules="backgammon")


def test_space_around_a_text_does_not_matter() -> None:
    assert read("  4HPwATDgc/ABMA\n").position == START


# ------------------------------------------------------------------------------------------------------------ the table of formats


@pytest.mark.parametrize("name", FORMATS)
def test_an_example_looks_like_its_own_format_alone(name) -> None:
    example = FORMATS[name].example
    assert [other for other, entry in FORMATS.items() if entry.looks_like(example)] == [name]


@pytest.mark.parametrize("name", FORMATS)
def test_an_example_is_read_and_written(name) -> None:
    entry = FORMATS[name]
    for rules in map(games.get, games.names()):
        position = Position(rules)
        if entry.write is not None and entry.holds(rules):
            assert read(entry.write(position, None, None), rules=rules).position == position
    asked = TABULA if name == "letters" else None
    reading = read(entry.example, rules=asked)
    assert reading == entry.read(entry.example, asked)
    if entry.write is not None:
        assert entry.write(reading.position, reading.roll, reading.match) == entry.example


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "letters"])
def test_a_format_of_some_games_refuses_the_others(name) -> None:
    entry, six = FORMATS[name], Rules(stack_limit=6, name="six")
    assert not entry.holds(six)
    assert name not in written_formats(six)
    with pytest.raises(InvalidTextError, match=r"and other rules were asked for: 'six'$"):
        read(entry.example, rules=six)
    if entry.write is not None:
        with pytest.raises(ValueError, match="these are other rules: 'six'"):
            entry.write(Position(six), None, None)


def test_what_is_in_no_format_is_refused_with_the_list_of_them() -> None:
    with pytest.raises(InvalidTextError) as caught:
        read("24/18 13/11")
    assert all(entry.title in str(caught.value) for entry in FORMATS.values())


def test_the_page_has_the_table() -> None:
    rows = ["| name | layout | games | written |", "|---|---|---|---|"]
    for name, entry in FORMATS.items():
        rows.append(f"| `{name}` | {entry.layout} | {entry.games} | {'no' if entry.write is None else 'yes'} |")
    page = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    assert "\n\n" + "\n".join(rows) + "\n\n" in page


# ------------------------------------------------------------------------------------------------------------------------ FIBS

OPENING = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"


def fibs(**changes: object) -> str:
    fields: dict[str, object] = {
        "names": "you:someone", "length": 3, "scores": "0:1", "board": OPENING, "turn": 1, "dice": "6:2:0:0", "cube": 1,
        "may": "1:1", "doubled": 0, "colour": 1, "direction": -1, "home": "0:25", "off": "0:0", "bar": "0:0", "rest": "2:0:0:0",
    }  # fmt: skip
    return ":".join(["board", *map(str, (fields | changes).values())])


def test_a_fibs_line_of_o() -> None:
    reading = read(fibs())
    assert reading == Reading(START, (6, 2), MatchState(length=3, score=(0, 1), players=("you", "someone")))


def test_a_fibs_line_of_x_has_the_same_board_and_its_own_dice() -> None:
    # You are X here, whose checkers are negative, and play up: the board is the same.
    line = fibs(turn=-1, dice="3:1:0:0", colour=-1, direction=1, home="25:0")
    assert read(line).position == START.swap_sides()
    assert read(line).roll == (3, 1)
    assert read(line).match.score == (1, 0)
    assert read(line).match.players == ("someone", "you")
    # The other's turn: the other's dice.
    assert read(fibs(turn=-1, dice="0:0:3:1")).roll == (3, 1)
    assert read(fibs(turn=-1, dice="0:0:0:0")).roll is None


def test_direction_and_colour_are_two_things() -> None:
    # X may play 24 to 1 as well: then X's five on point 6 are minus five there.
    board = "0:2:0:0:0:0:-5:0:-3:0:0:0:5:-5:0:0:0:3:0:5:0:0:0:0:-2:0"
    reading = read(fibs(board=board, colour=-1, direction=-1, turn=-1))
    assert reading.position == START.swap_sides()


def test_an_asymmetric_fibs_line_with_bar_and_off() -> None:
    # O, playing down: one on the bar, two on 3, 12 off. X: two on the bar, 3 on its own 4 (point 21), the rest off.
    board = "-2:0:0:2:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-3:0:0:0:1"
    for turn in (1, -1):
        position = read(fibs(board=board, turn=turn, dice="0:0:0:0", off="12:10", bar="1:2", cube=4, may="0:1")).position
        white = Position.from_points({3: 2}, {4: 3}, rules=BACKGAMMON, bar=(1, 2), off=(12, 10))
        assert position == (white if turn == 1 else white.swap_sides())


def test_cube_and_crawford_of_a_fibs_line() -> None:
    assert read(fibs(cube=4, may="0:1")).match.owner == BLACK
    assert read(fibs(cube=4, may="1:0")).match.owner == WHITE
    assert read(fibs(cube=2, may="1:0", colour=-1, direction=1, home="25:0", turn=-1)).match.owner == BLACK
    assert read(fibs(length=9999)).match.length == 0
    for may in ("0:0", "0:1", "1:1"):
        assert read(fibs(scores="2:1", may=may)).match.crawford
        assert not read(fibs(scores="1:1", may=may)).match.crawford
        for rest in ("2:0:1:0", "2:0:0:1"):
            assert not read(fibs(scores="2:1", may=may, rest=rest)).match.crawford
    assert read(fibs(doubled=1)).match.offer == "double"
    assert read(fibs(may="0:0", dice="0:0:0:0")).match.offer == "double"
    assert read(fibs(may="0:0")).match.offer is None
    assert read(fibs(may="1:0", dice="0:0:0:0")).match.offer is None


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"turn": 0}, "'turn' of a FIBS board line is 1 or -1 while the game goes on"),
        ({"turn": 2}, "'turn' of a FIBS board line is -1 to 1"),
        ({"colour": 0}, "'colour'"),
        ({"direction": 1}, "'home'"),
        ({"home": "25:0"}, "'home'"),
        ({"cube": 3}, "'cube' of a FIBS board line is a power of two"),
        ({"dice": "6:0:0:0"}, "'your die 1'"),
        ({"dice": "7:1:0:0"}, "'your die 1' of a FIBS board line is 0 to 6"),
        ({"off": "1:0"}, "'your home' of a FIBS board line is what is left of 15 checkers, 0"),
        ({"bar": "1:0"}, "'your home'"),
        ({"board": OPENING.replace("0:-2", "3:-2")}, "'board 0'"),
        ({"board": OPENING[:-1] + "2"}, "'board 25'"),
        ({"board": "x" + OPENING[1:]}, "'board 0'"),
        ({"board": OPENING + ":0"}, "53 fields, not"),
        ({"rest": "2:0:0"}, "53 fields, not 52"),
        ({"scores": "0:1\u0661"}, "score"),
    ],
)
def test_a_fibs_line_that_is_wrong(changes, why) -> None:
    with pytest.raises(InvalidTextError, match=why):
        read(fibs(**changes))


def test_a_fibs_line_is_backgammon() -> None:
    with pytest.raises(InvalidTextError, match="a FIBS board line tells of a backgammon position"):
        read(fibs(), rules=TABULA)


# --------------------------------------------------------------------------------------------------------------------- convert


def test_any_text_becomes_any_other() -> None:
    texts = {name: convert("4HPwATDgc/ABMA:QYkqASAAIAAA", name) for name in written_formats()}
    assert texts == {
        "tabula": "-b----E-C---eE---c-e----B-:w:52:backgammon",
        "letters": "-b----E-C---eE---c-e----B-:w",
        "gnubg": "4HPwATDgc/ABMA:QYkqASAAIAAA",
        "xgid": "XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:4:2:0:9:10",
    }
    for told in (*texts.values(), fibs()):
        for name in written_formats():
            assert read(convert(told, name, rules=BACKGAMMON), rules=BACKGAMMON).position == START


def test_what_cannot_be_converted() -> None:
    with pytest.raises(ValueError, match=r"^to must be 'tabula', 'letters', 'gnubg' or 'xgid', not 'fen'$"):
        convert("4HPwATDgc/ABMA", "fen")
    with pytest.raises(ValueError, match="backgammon positions only"):
        convert("O------------------------o:w::tabula", "xgid")
