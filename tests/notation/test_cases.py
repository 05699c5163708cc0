"""Inputs that people bring, each with the reading that is right; every one stands for a kind."""

import csv
import json
import re

import pytest

from tabula import BACKGAMMON, BLACK, TABULA, WHITE, IllegalPlayError, InvalidTextError, Position, Rules
from tabula.cli.program import main
from tabula.game import Game
from tabula.notation import gnubg_id, matchtext, read, xgid
from tabula.notation.matchtext import Match

HEAD = " Game 1\n Ann : 0                  Ben : 0\n"


def one_game(*rows: str, head: str = "3 point match\n", **options) -> Match:
    """A match of one game with these rows."""
    return matchtext.read(head + HEAD + "\n".join(rows) + "\n", **options)


# ------------------------------------------------------------------------------------------------------------- who is who


COLUMNS_CHANGE = """3 point match

 Game 1
 Ann : 0                  Ben : 0
  1) 31: 8/5 6/5          42: 8/4 6/4
  2)  Doubles => 2         Drops
      Wins 1 point

 Game 2
 Ben : 0                  Ann : 1
  1) 31: 8/5 6/5          42: 8/4 6/4
  2)  Doubles => 2         Drops
      Wins 1 point
"""


def test_players_are_followed_by_name_when_the_columns_change() -> None:
    match = matchtext.read(COLUMNS_CHANGE, strict=True)
    first, second = match.games
    assert match.players == ("Ann", "Ben")
    assert (first.score, first.winner, first.points) == ((0, 0), WHITE, 1)
    assert (second.score, second.winner, second.points) == ((1, 0), BLACK, 1)
    assert [turn.side for turn in second.turns] == [BLACK, WHITE, BLACK, WHITE]
    assert second.turns[0].before.turn == BLACK
    assert second.turns[0].match.score == (1, 0)
    assert matchtext.read(matchtext.write(match), strict=True) == match


@pytest.mark.parametrize("names", ["BEN : 0                  ann : 1", "Ben : 0           Ann : 1"])
def test_names_are_the_same_in_another_case(names) -> None:
    match = matchtext.read(COLUMNS_CHANGE.replace("Ben : 0                  Ann : 1", names), strict=True)
    assert [game.winner for game in match.games] == [WHITE, BLACK]


def test_a_new_name_is_a_problem_and_the_known_one_is_followed() -> None:
    match = matchtext.read(COLUMNS_CHANGE.replace("Ben : 0                  Ann : 1", "Cat : 0                  Ann : 1"))
    (problem,) = match.problems
    assert (problem.line, problem.kind, problem.game) == (10, "contradiction", 2)
    assert problem.message == "the players were 'Ann' and 'Ben', and here is 'Cat'"
    assert (match.games[1].score, match.games[1].winner) == ((1, 0), BLACK)


def test_two_equal_names_are_a_problem() -> None:
    match = matchtext.read(COLUMNS_CHANGE.replace("Ben", "Ann"))
    assert [(problem.line, problem.kind) for problem in match.problems] == [(4, "contradiction"), (10, "contradiction")]
    assert "both players are called 'Ann'" in match.problems[0].message


# -------------------------------------------------------------------------------------------------- several matches in a file


TWO_MATCHES = """1 point match

 Game 1
 Ann : 0                  Ben : 0
  1) 31: 8/5 6/5          42: 8/4 6/4
      Wins 1 point and the match


3 point match

 Game 1
 Cat : 0                  Dan : 0
  1) 31: 8/5 6/5          42: 8/4* 6/4

 Game 2
 Dan : 0                  Cat : 1
  1) 31: 8/5 6/5
"""


def test_every_match_of_a_file_is_read() -> None:
    first, second = matchtext.read_all(TWO_MATCHES, strict=True)
    assert (first.length, first.players, len(first.games), first.problems) == (1, ("Ann", "Ben"), 1, ())
    assert (second.length, second.players, len(second.games), second.problems) == (3, ("Cat", "Dan"), 2, ())
    assert second.games[1].score == (1, 0)
    assert second.games[0].turns[0].line == 13


def test_the_reader_of_one_match_names_the_line_of_the_second() -> None:
    match = matchtext.read(TWO_MATCHES)
    assert (match.length, match.players, len(match.games)) == (1, ("Ann", "Ben"), 1)
    (problem,) = match.problems
    assert (problem.line, problem.text, problem.kind) == (9, "3 point match", "unread")
    with pytest.raises(InvalidTextError, match=r"^<text>:9: a second match starts here, and read_all\(\)"):
        matchtext.read(TWO_MATCHES, strict=True)


def test_tags_before_a_game_1_start_a_match() -> None:
    tagged = TWO_MATCHES.replace("3 point match", '; [Event "x"]\n; [Player 1 "Cat"]')
    assert [match.tags for match in matchtext.read_all(tagged)] == [(), (("Event", "x"), ("Player 1", "Cat"))]


def test_a_length_said_again_before_each_game_starts_no_match() -> None:
    (match,) = matchtext.read_all(COLUMNS_CHANGE.replace(" Game 2", "3 point match\n Game 2"), strict=True)
    assert [game.number for game in match.games] == [1, 2]


# ----------------------------------------------------------------------------------------------------------------- the length


@pytest.mark.parametrize(
    "header",
    [
        "3 point match",
        "3 Point Match",
        "Match of 3 points",
        "Match length: 3",
        "Match Length 3",
        "Match to 3",
        "Match to 3 points",
        "3-point match",
        "3 pt match",
        "Length: 3 points",
        "Three point match",
        "Match to 3 points, Crawford rule",
        '; [Match Length "3"]',
    ],
)
def test_headers_that_say_the_length(header) -> None:
    match = one_game("  1) 31: 8/5 6/5", head=header + "\n", strict=True)
    assert match.length == 3
    assert match.games[0].turns[0].match.length == 3


@pytest.mark.parametrize(
    "header", ["Money game", "Money session", "Unlimited match", "Length: unlimited", "0 point match", "", "Ann against Ben"]
)
def test_headers_of_money_play(header) -> None:
    match = one_game("  1) 31: 8/5 6/5", head=header + "\n", strict=True)
    assert match.length == 0
    assert match.games[0].turns[0].match.length == 0


@pytest.mark.parametrize("header", ["Match up to some points", "Length: 3 or 5", "drei points", "40000 point match"])
def test_a_header_about_the_length_that_is_not_understood_is_a_problem(header) -> None:
    match = one_game("  1) 31: 8/5 6/5", head="\n" + header + "\n")
    (problem,) = match.problems
    assert (problem.line, problem.kind, problem.text) == (2, "unreadable", header)
    assert match.games[0].turns[0].match is None


# ------------------------------------------------------------------------------------------------------------ ends of games


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Resigned Game", "resign"),
        ("Resigned Match", "resign"),
        ("Resigns", "resign"),
        ("Concedes", "resign"),
        ("Lost on time", "time"),
        ("Time out", "time"),
        ("Gone home", "note"),
        ("(gone home)", "note"),
    ],
)
@pytest.mark.parametrize("beside", [True, False])
def test_words_end_a_game_by_the_result_after_them(words, kind, beside) -> None:
    rows = [f"  2) {words:<20} Wins 2 points"] if beside else [f"  2) {words}", "                          Wins 2 points"]
    match = one_game("  1) 31: 8/5 6/5          42: 8/4 6/4", *rows, strict=True)
    game = match.games[0]
    assert (game.winner, game.points) == (BLACK, 2)
    assert [(turn.kind, turn.side) for turn in game.turns[2:]] == [(kind, WHITE)]
    assert matchtext.read(matchtext.write(match), strict=True) == match


@pytest.mark.parametrize("words", ["Resigned Game", "Gone home"])
def test_words_in_the_right_column_behind_a_play(words) -> None:
    match = one_game(f"  1) 31: 8/5 6/5          {words}", "      Wins 1 point", strict=True)
    assert [(turn.kind, turn.side) for turn in match.games[0].turns] == [
        ("play", WHITE),
        ("resign" if words.startswith("Resigned") else "note", BLACK),
    ]
    assert (match.games[0].winner, match.games[0].points) == (WHITE, 1)


def test_words_with_no_number_before_a_result_are_a_note() -> None:
    match = one_game("  1) 31: 8/5 6/5", "   Ben had to go", "      Wins 1 point", strict=True)
    assert [turn.kind for turn in match.games[0].turns] == ["play", "note"]


def test_words_before_another_turn_are_a_problem_and_the_result_stays() -> None:
    match = one_game("  1) 31: 8/5 6/5          42: 8/4 6/4", "  2) hello", "  3) 31: 24/20", "      Wins 1 point")
    (problem,) = match.problems
    assert (problem.line, problem.kind) == (5, "unreadable")
    assert (match.games[0].winner, match.games[0].points) == (WHITE, 1)


@pytest.mark.parametrize(
    ("row", "winner", "points", "wins_match"),
    [
        ("      Losses 1 point           Wins 1 point and the match", BLACK, 1, True),
        ("      Wins 1 point and the match     Losses 1 point", WHITE, 1, True),
        ("      Loses 2 points", BLACK, 2, False),
        ("      Wins 2 points with a gammon", WHITE, 2, False),
        ("      Wins a gammon, 2 points", WHITE, 2, False),
        ("                               Wins 3 points (backgammon) and the match", BLACK, 3, True),
        ("      Wins the match", WHITE, None, True),
        ("  2)                           Wins 1 point", BLACK, 1, False),
    ],
)
def test_results(row, winner, points, wins_match) -> None:
    match = one_game("  1) 31: 8/5 6/5          42: 8/4 6/4", row, strict=True)
    game = match.games[0]
    assert (game.winner, game.points, game.wins_match) == (winner, points, wins_match)
    assert matchtext.read(matchtext.write(match), strict=True) == match


# ---------------------------------------------------------------------------------------------------------------------- cells


@pytest.mark.parametrize("marks", ["??", "???", "????", "??????"])
def test_question_marks_are_an_unknown_play(marks) -> None:
    match = one_game(f"  1) 21: {marks}", "      Wins 1 point", strict=True)
    (turn,) = match.games[0].turns
    assert (turn.kind, turn.roll) == ("unknown", (2, 1))
    assert match.games[0].winner == WHITE


def test_dice_without_their_colon() -> None:
    match = one_game("  1) 31 8/5 6/5          42 8/4 6/4", "  2) 65: 24/13         11 8/7(2) 6/5(2)", strict=True)
    assert [(turn.roll, str(turn.play)) for turn in match.games[0].turns] == [
        ((3, 1), "8/5 6/5"),
        ((4, 2), "8/4 6/4"),
        ((6, 5), "24/13"),
        ((1, 1), "8/7(2) 6/5(2)"),
    ]


# ----------------------------------------------------------------------------------------------------------- illegal plays


ILLEGAL = ("  1) 31: 8/5 6/5          42: 8/4 6/4", "  2) 31: 8/4 6/5          64: 24/14", "  3) 65: 24/13", "      Wins 2 points")


def test_the_result_stays_after_an_illegal_play() -> None:
    match = one_game(*ILLEGAL)
    (problem,) = match.problems
    assert (problem.line, problem.kind, problem.game, problem.turn, problem.side, problem.roll) == (
        5,
        "illegal",
        1,
        3,
        WHITE,
        (3, 1),
    )
    assert problem.position.to_text() == match.games[0].turns[1].after.to_text()
    game = match.games[0]
    assert (len(game.turns), game.winner, game.points) == (2, WHITE, 2)


def test_the_game_is_read_on_from_the_board_that_the_text_implies() -> None:
    match = one_game(*ILLEGAL, keep_going=True)
    (problem,) = match.problems
    assert problem.line == 5
    turns = match.games[0].turns
    assert [turn.legal for turn in turns] == [True, True, False, True, True]
    illegal = turns[2]
    assert (illegal.kind, illegal.roll, illegal.play) == ("play", (3, 1), None)
    # 8/4 and 6/5, from 8: 2, 6: 4, 5: 2, as the first play left it.
    assert illegal.before.mover[25 - 8], illegal.before.mover[25 - 6] == (2, 4)
    expected = list(illegal.before.mover)
    for source, target in ((8, 4), (6, 5)):
        expected[25 - source] -= 1
        expected[25 - target] += 1
    assert illegal.after.other == tuple(expected)
    assert illegal.after.mover == illegal.before.other
    assert turns[3].before == illegal.after
    assert (match.games[0].winner, match.games[0].points) == (WHITE, 2)
    assert matchtext.read(matchtext.write(match), keep_going=True) == match


def test_checkers_that_do_not_stand_there_are_not_moved_and_a_blot_is_hit() -> None:
    rows = ("  1) 31: 8/4 9/8           52: 24/22 13/8", "  2) 31: 24/21 6/3")
    match = one_game(*rows, keep_going=True)
    first, second = match.games[0].turns[:2]
    assert first.after.other[25 - 8] == 2
    assert first.after.other[25 - 9] == 0
    assert second.legal
    hit = one_game("  1) 31: 24/1*", keep_going=True)
    assert hit.games[0].turns == ()
    assert [problem.kind for problem in hit.problems] == ["illegal", "unreadable"]
    assert "no position comes of '24/1*'" in hit.problems[1].message
    blot = one_game("  1) 21: 13/11 6/5     31: 8/5 6/5", "  2) 11: 24/20*", keep_going=True)
    assert blot.games[0].turns[-1].after.mover[0] == 0
    blot = one_game("  1) 21: 13/11 6/5     31: 24/20*", "  2) 31: bar/22 6/5", keep_going=True)
    assert blot.games[0].turns[1].after.mover[0] == 1


def test_an_ambiguous_play_is_read_as_it_stands() -> None:
    match = one_game("  1) 21: 13/11 6/5        42: 24/18", "  2) 11: 8/7(2) 6/5(2)", keep_going=True)
    assert [problem.kind for problem in match.problems] == ["ambiguous"]
    assert [turn.legal for turn in match.games[0].turns] == [True, True, True]
    assert str(match.games[0].turns[1].play) == "24/18"


def test_a_turn_out_of_order_is_not_legal() -> None:
    match = one_game("  1) 31: 8/5 6/5", "  2) 42: 8/4 6/4", keep_going=True)
    (problem,) = match.problems
    assert "'Ann' rolls, and it is the turn of 'Ben'" in problem.message
    assert [(turn.side, turn.legal) for turn in match.games[0].turns] == [(WHITE, True), (WHITE, False)]
    assert match.games[0].turns[1].before.turn == WHITE


def test_words_where_a_play_stands_end_the_game() -> None:
    match = one_game("  1) 31: hello", "  2) 31: 8/5 6/5", "      Wins 2 points", keep_going=True)
    assert [problem.line for problem in match.problems] == [4]
    assert match.games[0].turns == ()
    assert match.games[0].winner == WHITE


# -------------------------------------------------------------------------------------------------- points, cube and board


OPENING = "  1) 31: 8/5 6/5          42: 8/4 6/4"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("  2)  Doubles => 2         Drops", "      Wins 2 points"), "a double dropped at 2 is worth 1 point"),
        (("  2)  Doubles => 2         Drops", "                          Wins 1 point"), "the side that drops does not win"),
        (("  2) Concedes", "      Wins 1 point"), "the side that resigns does not win"),
        (
            ("  2)  Doubles => 2         Takes", "  3) 65: 24/13          Resigns", "      Wins 3 points"),
            "a game with the cube at 2 is worth 2, 4, 6 points",
        ),
        (
            ("  2)  Doubles => 2         Takes", "  3) 65: 24/13          Resigns", "      Wins 2 points with a gammon"),
            "a gammon with the cube at 2 is worth 4 points",
        ),
    ],
)
def test_points_that_cube_and_board_contradict(rows, message) -> None:
    match = one_game(OPENING, *rows, head="9 point match\n")
    (problem,) = match.problems
    assert (problem.line, problem.kind, problem.message) == (4 + len(rows), "contradiction", message)
    assert match.games[0].points is not None
    with pytest.raises(InvalidTextError, match=message):
        one_game(OPENING, *rows, head="9 point match\n", strict=True)


@pytest.mark.parametrize(
    "rows",
    [
        ("  2)  Doubles => 2         Drops", "      Wins 1 point"),
        ("  2)  Doubles => 2         Takes", "  3) 65: 24/13          Resigns", "      Wins 4 points"),
        # Points past the end of the match are left out by some programs.
        ("  2)  Doubles => 2         Takes", "  3) 65: 24/13          Resigns", "      Wins 3 points and the match"),
        ("  2) Lost on time          Wins 3 points and the match",),
    ],
)
def test_points_that_go_with_cube_and_board(rows) -> None:
    assert one_game(OPENING, *rows, strict=True).problems == ()


def test_a_board_that_is_over_says_the_points() -> None:
    over = Position.from_points({1: 1}, {12: 15}, rules=BACKGAMMON, off=(14, 0))
    game = Game(BACKGAMMON, start=over)
    game.push(over.plays("21")[0])
    assert game.outcome == (WHITE, 2)


# ------------------------------------------------------------------------------------------------------------------ encodings


NAMED = " Game 1\n {} : 0                  {} : 0\n  1) 31: 8/5 6/5\n"


@pytest.mark.parametrize(
    ("names", "encoding"),
    [
        (("\u5c71\u7530", "\u3059\u305a\u304d"), "shift-jis"),
        (("\u5c71\u7530", "\u30b9\u30ba\u30ad"), "utf-8"),
        (("\u5c71\u7530", "Ben"), "utf-16"),
        (("J\u00e4ger", "Ren\u00e9e"), "utf-16-le"),
        (("J\u00e4ger", "Ren\u00e9e"), "utf-16-be"),
        (("J\u00e4ger", "Go\u00df\u00e9n"), "latin-1"),
        (("\u0160imon", "O\u2019Neill"), "cp1252"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_names_in_every_encoding_are_readable(names, encoding, end) -> None:
    data = NAMED.format(*names).replace("\n", end).encode(encoding)
    match = matchtext.read(matchtext.decode(data), strict=True)
    assert match.players == names


@pytest.mark.parametrize(
    ("name", "encoding"), [("\u0410\u043d\u043d\u0430", "cp1251"), ("\u042f\u043d", "cp1251"), ("\u738b\u4f1f", "gbk")]
)
def test_an_encoding_that_is_not_recognised_is_a_problem_and_can_be_named(name, encoding) -> None:
    data = NAMED.format(name, "Ben").encode(encoding)
    match = matchtext.read(matchtext.decode(data))
    (problem,) = match.problems
    assert (problem.line, problem.kind) == (2, "unreadable")
    assert "in no encoding that was recognised" in problem.message
    assert not any(letter.isalpha() and not letter.isascii() for letter in match.players[0])
    assert matchtext.read(matchtext.decode(data, encoding), strict=True).players == (name, "Ben")


# ------------------------------------------------------------------------------------------------------ the match of a turn


THREE_POINTS = """3 point match

 Game 1
 Ann : 0                  Ben : 0
  1)                      31: 8/5 6/5
  2)  Doubles => 2         Takes
  3) 42: 8/4 6/4           Doubles => 4
  4)  Drops
                          Wins 2 points and the lead

 Game 2
 Ann : 0                  Ben : 2
  1) 31: 8/5 6/5          42: 8/4 6/4
  2) 11: 8/7(2) 6/5(2)     Resigns
      Wins 1 point

 Game 3
 Ann : 1                  Ben : 2
  1) 31: 8/5 6/5
"""


def test_each_turn_has_its_match_state() -> None:
    match = matchtext.read(THREE_POINTS, strict=True)
    first = [(turn.kind, turn.match.cube, turn.match.owner, turn.match.offer) for turn in match.games[0].turns]
    assert first == [
        ("play", 1, None, None),
        ("double", 1, None, None),
        ("take", 1, None, "double"),
        ("play", 2, BLACK, None),
        ("double", 2, BLACK, None),
        ("drop", 2, BLACK, "double"),
    ]
    assert [{turn.match.score for turn in game.turns} for game in match.games] == [{(0, 0)}, {(0, 2)}, {(1, 2)}]
    # Two away, then the Crawford game, then the game after it.
    assert [{turn.match.crawford for turn in game.turns} for game in match.games] == [{False}, {True}, {False}]
    assert {turn.match.length for game in match.games for turn in game.turns} == {3}
    fields = [xgid(turn.before, turn.roll, turn.match).split(":", 1)[1] for game in match.games for turn in game.turns]
    assert fields == [
        "0:0:-1:31:0:0:0:3:10",
        "0:0:1:00:0:0:0:3:10",
        "0:0:1:D:0:0:0:3:10",
        "1:-1:1:42:0:0:0:3:10",
        "1:-1:-1:00:0:0:0:3:10",
        "1:-1:-1:D:0:0:0:3:10",
        "0:0:1:31:0:2:1:3:10",
        "0:0:-1:42:0:2:1:3:10",
        "0:0:1:11:0:2:1:3:10",
        "0:0:-1:00:0:2:1:3:10",
        "0:0:1:31:1:2:0:3:10",
    ]
    assert gnubg_id(match.games[2].turns[0].before, match.games[2].turns[0].roll, match.games[2].turns[0].match).startswith(
        "4HPwATDgc/ABMA:"
    )


@pytest.mark.parametrize(
    ("head", "score", "crawford"),
    [
        ("3 point match", "Ann : 2    Ben : 2", False),
        ("3 point match", "Ann : 2    Ben : 0", True),
        ("1 point match", "Ann : 0    Ben : 0", False),
        ('; [Crawford "Off"]\n3 point match', "Ann : 2    Ben : 0", False),
        ("Money game", "Ann : 2    Ben : 0", False),
    ],
)
def test_the_crawford_game(head, score, crawford) -> None:
    (game,) = matchtext.read(f"{head}\n Game 1\n {score}\n 1) 31: 8/5 6/5\n", strict=True).games
    assert game.turns[0].match.crawford is crawford


def test_nobody_doubles_in_the_crawford_game() -> None:
    (game,) = matchtext.read("3 point match\n Game 4\n A : 2    B : 0\n 1) 31: 8/5 6/5   Doubles => 2\n 2) Takes").games
    assert not any(turn.match.crawford for turn in game.turns)


# ------------------------------------------------------------------------------------------------------------ other formats


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        ("(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.06]", r"SGF for backgammon \(GM\[6\]\)"),
        ("(;GM[1]FF[4]", "SGF"),
        ("JavaFIBS internal match representation v1.1\n8:Ann:7\n", "a match of JavaFIBS"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10", "a position"),
    ],
)
def test_other_formats_are_named(text, looks) -> None:
    with pytest.raises(InvalidTextError, match=f"this looks like {looks}.*match text .* are read"):
        matchtext.read(text)


# The first turns of the example in the description of the format, with a double, a termination and a second game added.
REPLAY = """bgammon-replay 00000048
bgammon-replay 00000200
i 1702738670 Guest_385 BOT_tabula 3 0 0 1 1 0
1 r 4-1 13/9 9/8
2 r 6-1 1/7 1/2
1 r 6-5 13/7 7/2
2 r 3-3 bar/3 bar/3 12/15 12/15
1 d 2 0
i 1702738970 BOT_tabula Guest_385 3 0 1 1 2 0
2 r 6-2 1/7 12/14
1 d 2 1
1 r 6-5 24/13
2 t
"""


def test_the_replay_of_a_backgammon_server() -> None:
    match = matchtext.read(REPLAY, strict=True)
    assert (match.players, match.length, match.rules) == (("Guest_385", "BOT_tabula"), 3, BACKGAMMON)
    first, second = match.games
    assert [str(turn.play) for turn in first.turns[:4]] == ["13/8", "24/18 24/23", "13/7* 7/2*", "bar/22(2) 13/10(2)"]
    assert [(turn.kind, turn.side, turn.line) for turn in first.turns[4:]] == [("double", WHITE, 8), ("drop", BLACK, 8)]
    assert (first.score, first.winner, first.points) == ((0, 0), WHITE, 1)
    # The seats have changed: the first player of the second game is the second of the match.
    assert (second.score, second.winner, second.points) == ((1, 0), BLACK, 2)
    assert [(turn.kind, turn.side) for turn in second.turns] == [
        ("play", WHITE),
        ("double", BLACK),
        ("take", WHITE),
        ("play", BLACK),
        ("resign", WHITE),
    ]


@pytest.mark.parametrize(("source", "plays"), [("off", ("5", "3", "2")), ("bar", ("20", "22", "23"))])
def test_the_replay_of_a_tabula_game(source, plays) -> None:
    moves = " ".join(f"{source}/{point}" for point in plays)
    match = matchtext.read(f"bgammon-replay 00000024\ni 1702738670 Ann Ben 1 0 0 2 1 2\n1 r 5-3-2 {moves}\n2 t\n")
    assert match.rules == TABULA
    (turn, last) = match.games[0].turns
    assert str(turn.play) == "bar/5 bar/3 bar/2"
    assert (last.kind, last.side) == ("resign", BLACK)


# --------------------------------------------------------------------------------------------------------------------- plays


@pytest.mark.parametrize(
    ("rows", "text", "roll", "play"),
    [
        ({24: 2, 13: 5, 6: 8}, "24-23 13-8", "51", "24/23 13/8"),
        ({24: 2, 13: 5, 6: 7}, "bar-21 6-5", "41", "bar/21 6/5"),
        ({24: 2, 13: 5, 6: 7}, "b/21 6/5", "41", "bar/21 6/5"),
        ({24: 2, 13: 5, 6: 7}, "B-21-20", "41", "bar/20"),
        ({6: 5, 2: 5}, "6-off 2-off", "62", "6/off 2/off"),
    ],
)
def test_plays_as_fibs_writes_them(rows, text, roll, play) -> None:
    on_bar = int(text[0] in "bB")
    off = 15 - sum(rows.values()) - on_bar
    position = Position.from_points(rows, {24: 15}, rules=BACKGAMMON, bar=(on_bar, 0), off=(off, 0))
    assert str(position.parse_play(text, roll)) == play


def test_a_reason_speaks_of_the_fewest_dice() -> None:
    with pytest.raises(IllegalPlayError, match=r"^'6/off': .*6/off") as caught:
        Position(BACKGAMMON).parse_play("6/off", "61")
    assert "6/5" not in str(caught.value)


def test_more_checkers_than_stand_there() -> None:
    position = Position.from_points({24: 3, 13: 12}, {24: 15}, rules=BACKGAMMON)
    with pytest.raises(IllegalPlayError, match="4 checkers leave 24, and 3 stand there"):
        position.parse_play("24/23(4)", "11")


@pytest.mark.parametrize("roll", ["6 5", "6,5", "6, 5", "65", "6-5", " 6-5"])
def test_rolls_with_what_stands_between_their_dice(roll) -> None:
    assert str(Position(BACKGAMMON).parse_play("24/13", roll)) == "24/13"


def test_a_play_may_be_its_text() -> None:
    start = Position(BACKGAMMON)
    assert start.apply("13/9", "31") == start.parse_play("13/9", "31").position
    with pytest.raises(IllegalPlayError, match="13/8 needs a 5"):
        start.apply("13/8", "31")
    with pytest.raises(TypeError, match="their roll"):
        start.apply("13/9")
    game = Game(BACKGAMMON)
    with pytest.raises(ValueError, match="needs a roll"):
        game.push("13/9")
    game.roll("31")
    assert game.push("13/9") == start.apply("13/9", "31")


# --------------------------------------------------------------------------------------------------- which game a text is of


LETTERS = "-b----E-C---eE---c-e----B-:w"


def test_a_text_with_the_name_of_its_rules() -> None:
    start = Position(BACKGAMMON)
    assert start.to_text() == LETTERS
    assert start.to_text(rules=True) == f"backgammon:{LETTERS}"
    assert Position.from_text(f"backgammon:{LETTERS}") == start
    assert Position.from_text(f"backgammon:{LETTERS}", rules=BACKGAMMON) == start
    assert read(f"backgammon:{LETTERS}").position == start
    own = Rules(name="two dice", dice=2)
    assert Position.from_text(Position(own).to_text(rules=True), rules=own) == Position(own)


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        (LETTERS, None, "names no game, so that its rules must be given"),
        (f"backgammon:{LETTERS}", TABULA, "the text says 'backgammon', and other rules were asked for: 'tabula'"),
        (f"nackgamon:{LETTERS}", None, "no game is called 'nackgamon', the nearest are nackgammon, backgammon"),
        (f"two dice:{LETTERS}", None, "no game is called 'two dice', the nearest is english_two_dice"),
    ],
)
def test_a_text_without_its_rules_or_with_others_is_refused(text, rules, message) -> None:
    with pytest.raises(InvalidTextError, match=re.escape(message)):
        Position.from_text(text, rules=rules)


def test_rules_that_have_the_name_of_others_are_not_named() -> None:
    with pytest.raises(ValueError, match="these rules are called 'tabula' and are not those"):
        Position(Rules(dice=2)).to_text(rules=True)


def test_the_command_line_asks_for_the_game(capsys) -> None:
    assert main(["show", LETTERS]) == 2
    assert "--game" in capsys.readouterr().err
    assert main(["show", LETTERS, "--game", "backgammon"]) == 0
    assert main(["show", f"backgammon:{LETTERS}"]) == 0
    assert main(["show", f"backgammon:{LETTERS}", "--game", "tabula"]) == 2


# -------------------------------------------------------------------------------------------------------------- position texts


def test_the_crawford_game_of_a_fibs_line() -> None:
    line = (
        "board:You:Other:5:4:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
    )
    reading = read(line)
    assert reading.match.crawford
    assert reading.match.offer is None
    assert xgid(reading.position, reading.roll, reading.match).endswith(":62:4:0:1:5:10")


ID = "4HPwATDgc/ABMA:cAkAAAAAAAAA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"

CLIP = f"""{XGID}

X:Player 1   O:Player 2
Score is X:0 O:0. Unlimited Game, Jacoby Beaver
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X           O    |   | O              X |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 167  O: 167 X-O: 0-0
Cube: 1
X to play 31

    1. Rolled Out   8/5 6/5                      eq:+0.159
"""

BOARD = """ GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : cAkAAAAAAAAA
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (CLIP, XGID),
        (CLIP.replace("\n", "\r\n"), XGID),
        (f"> {CLIP}", XGID),
        (f"What is right here? {XGID}.", XGID),
        (f"{XGID}.", XGID),
        (f"({XGID})", XGID),
        (XGID.replace("=", ": "), XGID),
        (XGID.replace("XGID=", "XGID:"), XGID),
        (f"GNUBGID {ID}", ID),
        (f"GNUBGID={ID}", ID),
        (f"GNUID={ID}", ID),
        (f"GNUID: {ID}.", ID),
        ("Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAA", ID),
        ("Position ID: 4HPwATDgc/ABMA", "4HPwATDgc/ABMA"),
        (BOARD, ID),
        (f"what now? {LETTERS}:31:backgammon", f"{LETTERS}:31:backgammon"),
    ],
)
def test_the_first_id_in_a_clip_is_read_and_named(text, found) -> None:
    reading = read(text)
    assert reading.text == found
    assert reading == read(found)


def test_what_was_read_of_a_clip_is_said(capsys) -> None:
    assert main(["show", CLIP]) == 0
    printed = capsys.readouterr()
    assert "3-1 to play" in printed.out
    assert printed.err == f"tabula: {XGID!r} was read\n"
    assert main(["convert", BOARD, "--to", "gnubg"]) == 0
    assert capsys.readouterr().out == f"{ID}\n"


def test_a_space_in_a_fibs_field_is_named() -> None:
    board = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    with pytest.raises(InvalidTextError, match=r"'your score' of a FIBS board line .* not ' 1', which has a space in it"):
        read(f"board:You:Other:5: 1:0:{board}:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0")


@pytest.mark.parametrize(
    "text", ["11ccccchhhjjjjj:66666888dddddoo:N0N:46:B:IB:0:0:3:0", "OGID=11ccccchhhjjjjj:66666888dddddoo:N0N"]
)
def test_an_ogid_is_named(text) -> None:
    with pytest.raises(InvalidTextError, match="looks like an OGID, the position text of OpenGammon"):
        read(text)


# ---------------------------------------------------------------------------------------------------------------------- tables


def test_a_row_for_each_turn() -> None:
    rows = list(matchtext.read(THREE_POINTS, strict=True).rows(number=7))
    assert len(rows) == 11
    assert {row["match"] for row in rows} == {7}
    assert [row["turn"] for row in rows] == [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 1]
    first = rows[0]
    assert (first["side"], first["name"], first["roll"], first["play"], first["legal"]) == ("black", "Ben", "3-1", "8/5 6/5", True)
    assert (first["forced"], first["plays"], first["hits"], first["pips_before"], first["pips_after"]) == (False, 16, 0, 167, 163)
    assert (rows[6]["score"], rows[6]["score_other"], rows[3]["cube"], rows[3]["cube_owner"]) == (0, 2, 2, "black")
    assert rows[6]["xgid"] == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:2:1:3:10"
    assert (rows[1]["kind"], rows[1]["roll"], rows[1]["play"], rows[1]["plays"]) == ("double", None, None, None)
    assert {row["problem"] for row in rows} == {None}


def test_problems_and_hits_are_in_the_rows() -> None:
    rows = list(one_game(*ILLEGAL, keep_going=True).rows())
    assert [row["legal"] for row in rows] == [True, True, False, True, True]
    assert "6/5" in rows[2]["problem"]
    left_out = list(one_game(*ILLEGAL).rows())
    assert [row["turn"] for row in left_out] == [1, 2, 3]
    assert (left_out[2]["kind"], left_out[2]["problem"]) == (None, rows[2]["problem"])
    hit = list(one_game("  1) 21: 13/11 6/5     31: 8/7 24/21", "  2) 42: 8/4* 6/4").rows())
    assert [row["hits"] for row in hit] == [0, 0, 1]


def test_a_table_in_a_file(tmp_path, capsys) -> None:
    source, target = tmp_path / "match.mat", tmp_path / "match.csv"
    source.write_text(THREE_POINTS.replace("Ann", "=1+1").replace("Ben", "@Bj\u00f6rn"), encoding="utf-8")
    assert main(["replay", str(source), "--csv", str(target)]) == 0
    capsys.readouterr()
    with target.open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert len(table) == 11
    assert {row["name"] for row in table} == {"'=1+1", "'@Bj\u00f6rn"}
    assert not [cell for row in table for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    # No file is overwritten, unless that is asked for.
    target.write_text("mine")
    assert main(["replay", str(source), "--csv", str(target)]) == 2
    assert "--force" in capsys.readouterr().err
    assert target.read_text() == "mine"
    assert main(["replay", str(source), "--csv", str(target), "--force"]) == 0
    assert target.read_text(encoding="utf-8").startswith("match,game,turn,side,name,")
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["match.csv", "match.mat"]
    capsys.readouterr()
    assert main(["replay", str(source), "--csv", "-"]) == 0
    assert capsys.readouterr().out == target.read_text(encoding="utf-8")


def test_replay_goes_on_where_asked(tmp_path, capsys) -> None:
    source = tmp_path / "match.mat"
    source.write_text("3 point match\n" + HEAD + "\n".join(ILLEGAL), encoding="cp1251")
    assert main(["replay", str(source), "--encoding", "cp1251"]) == 1
    assert "2 plays" in capsys.readouterr().out
    assert main(["replay", str(source), "--keep-going"]) == 1
    assert "4 plays" in capsys.readouterr().out
    assert main(["replay", str(source), "--encoding", "klingon"]) == 2


def test_rules_of_ones_own_on_the_command_line(tmp_path, capsys) -> None:
    file = tmp_path / "rules.json"
    own = Rules(name="two dice", dice=2)
    file.write_text(json.dumps(own.to_dict()), encoding="utf-8")
    assert main(["plays", "31", "--rules", str(file), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["plays"]) == Position(own).count("31")
    assert main(["show", "--rules", str(file), "--game", "tabula"]) == 2
    assert "given once" in capsys.readouterr().err
    file.write_text('{"dice": 9}')
    assert main(["show", "--rules", str(file)]) == 2
    assert "--rules takes a file with the JSON of Rules.to_dict()" in capsys.readouterr().err
    assert main(["show", "--rules", str(tmp_path / "missing")]) == 2
