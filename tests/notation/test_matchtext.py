"""Match text: the dialects, damage, the Tabula record, and writing."""

import dataclasses
import itertools

import numpy as np
import pytest
from positions import DATA

from tabula import (
    BACKGAMMON,
    BLACK,
    NARDE,
    TABULA,
    WHITE,
    AmbiguousPlayError,
    IllegalPlayError,
    InvalidTextError,
    Position,
    Rules,
    games,
)
from tabula.game import Game
from tabula.notation import matchtext, replay
from tabula.notation.matchtext import Match

FOLDER = DATA / "matches"
BODY = " Game 1\n A : 0                  B : 0\n"


def load(name: str, **more) -> Match:
    return matchtext.read(matchtext.decode((FOLDER / name).read_bytes()), file=name, **more)


def lines(*told: str, head: str = "") -> Match:
    """A match of one game with these lines."""
    return matchtext.read(head + BODY + "\n".join(told))


def kinds(match: Match) -> list[str]:
    return [turn.kind for game in match.games for turn in game.turns]


# -------------------------------------------------------------------------------------------------------------------- dialects


def test_a_plain_match() -> None:
    match = load("plain.mat", strict=True)
    assert (match.length, match.rules, match.players) == (3, BACKGAMMON, ("White", "Black"))
    first, second = match.games
    assert (first.number, first.score, first.winner, first.points, first.wins_match) == (1, (0, 0), WHITE, 1, False)
    assert (second.number, second.score, second.winner, second.points) == (2, (1, 0), BLACK, 2)
    # The first cell is blank: black opens.
    assert [turn.side for turn in first.turns[:3]] == [BLACK, WHITE, BLACK]
    assert [turn.kind for turn in first.turns[-2:]] == ["double", "drop"]
    assert (first.turns[-2].value, first.turns[-2].side, first.turns[-1].side) == (2, WHITE, BLACK)
    assert [turn.kind for turn in second.turns[10:14]] == ["play", "double", "take", "play"]
    assert second.turns[-1].kind == "resign"
    assert sum(turn.kind == "play" and not turn.play.moves for turn in first.turns) == 1


def test_every_turn_has_the_positions_around_it() -> None:
    for game in load("plain.mat").games:
        plays = [turn for turn in game.turns if turn.kind == "play"]
        assert plays[0].before.pips == (167, 167)
        for turn, following in itertools.pairwise(plays):
            assert turn.play in turn.before.plays(turn.roll)
            assert turn.before.turn == turn.side
            assert turn.play.position == turn.after == following.before
        assert all(turn.line and turn.text for turn in game.turns)


@pytest.mark.parametrize("name", ["spelled.mat"])
def test_commas_repeats_written_out_and_another_order_say_the_same(name) -> None:
    assert ", " in (FOLDER / name).read_text(encoding="utf-8")
    assert load(name, strict=True) == load("plain.mat")


def test_windows_line_ends_tabs_and_a_roll_given_up_with() -> None:
    assert b"\r\n" in (FOLDER / "windows.mat").read_bytes()
    assert b"\t" in (FOLDER / "windows.mat").read_bytes()
    match, plain = load("windows.mat", strict=True), load("plain.mat")
    assert match.games[0] == plain.games[0]
    assert match.games[1].turns[:-1] == plain.games[1].turns[:-1]
    last = match.games[1].turns[-1]
    assert (last.kind, last.roll, last.play, last.after) == ("unplayed", (6, 1), None, None)


def test_a_byte_order_mark_a_header_capitals_and_an_unknown_end() -> None:
    data = (FOLDER / "header.txt").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf; [")
    assert b"Bar/" in data
    assert b"/Off" in data
    match = load("header.txt", strict=True)
    assert match.tags[:2] == (("Site", "nowhere"), ("Event", "made up"))
    assert match.games[0].wins_match
    last = match.games[0].turns[-1]
    assert (last.kind, last.roll, last.play) == ("unknown", (6, 6), None)


def test_no_marks_low_die_first_numbers_for_bar_and_off_and_empty_cells() -> None:
    text = (FOLDER / "unmarked.mat").read_text(encoding="utf-8")
    assert "*" not in text
    assert all(part in text for part in ("25/", "/0", " 14:", "00: ????"))
    match, header = load("unmarked.mat", strict=True), load("header.txt")
    assert [turn.play for turn in match.games[0].turns[:49]] == [turn.play for turn in header.games[0].turns[:49]]
    assert any(turn.play.moves == () for turn in match.games[0].turns if turn.play)
    last = match.games[0].turns[-1]
    assert (last.kind, last.roll) == ("unknown", None)


def test_every_line_end_and_every_encoding() -> None:
    text = (FOLDER / "plain.mat").read_text(encoding="utf-8").replace("Black", "Bl\u00e4ck")
    plain = matchtext.read(text)
    for end in ("\n", "\r\n", "\r"):
        told = text.replace("\n", end)
        for data in (told.encode(), told.encode("utf-8-sig"), told.encode("utf-16"), told.encode("latin-1")):
            assert matchtext.read(matchtext.decode(data), strict=True) == plain


def test_cube_actions_and_ends_by_all_their_words() -> None:
    match = lines(
        "1) 31: 8/5 6/5          Redoubles => 4",
        "2)  Accepts             42: 8/4 6/4",
        "3)  Doubles => 2        Beavers => 4",
        "4)  Raccoons => 8       Passes",
        "      Wins 8 points and the match",
    )
    assert match.problems == ()
    assert kinds(match) == ["play", "double", "take", "play", "double", "beaver", "raccoon", "drop"]
    assert [turn.value for turn in match.games[0].turns] == [None, 4, None, None, 2, 4, 8, None]
    assert (match.games[0].winner, match.games[0].points, match.games[0].wins_match) == (WHITE, 8, True)


def test_an_empty_cell_is_a_pass_or_a_roll_given_up_with() -> None:
    match = lines("1) 31:                   42: 8/4 6/4")
    assert kinds(match) == ["unplayed"]
    assert "the game goes on after a roll that was not played" in match.problems[0].message
    assert kinds(lines("1) 31:")) == ["unplayed"]
    assert kinds(lines("1) 31: 8/5 6/5     64: Resigns", "    Wins 2 points")) == ["play", "unplayed"]


def test_a_lone_cell_belongs_to_the_player_in_whose_half_it_stands() -> None:
    head = "3 point match\n Game 1\n " + "A".ljust(30) + " : 0" + "B : 0".rjust(12) + "\n"
    for told, side in (("  1) 31: 8/5 6/5", WHITE), ("  1)" + " " * 38 + "31: 8/5 6/5", BLACK)):
        assert matchtext.read(head + told).games[0].turns[0].side == side
    for told, side in (("      ", WHITE), (" " * 36, BLACK), ("  9)" + " " * 38, BLACK)):
        assert matchtext.read(f"{head}{told}Wins 1 point").games[0].winner == side


def test_long_cells_run_over_the_half_and_two_dice_may_be_one_token() -> None:
    match = lines("1) 11: 8/7, 8/7, 6/5, 6/5 31: 8/5 6/5", "2) 64: 24/14")
    assert match.problems == ()
    assert kinds(match) == ["play"] * 3


# ------------------------------------------------------------------------------------------------------------------ what is told


OPTIONAL = "1) 21: 13/11 6/5        42: 24/18"
"""Black may or may not hit on 20 on its way from 24 to 18, and does not."""


def test_hits_are_unmarked_if_no_star_stands_in_the_whole_file() -> None:
    (problem,) = lines(OPTIONAL).problems
    assert problem.kind == "ambiguous"
    assert "24/18' fits 2 plays of 4-2" in problem.message
    for marked in (lines(OPTIONAL, head='; [Hits "marked"]\n'), matchtext.read(BODY + OPTIONAL, hits="marked")):
        assert marked.problems == ()
        assert str(marked.games[0].turns[-1].play) == "24/18"
    # One star anywhere in the plays, even in another game, and the file marks its hits; one in the header does not count.
    other = " Game 2\n A : 0    B : 0\n 1) 21: 13/11 6/5        42: 24/20*/18"
    assert lines(OPTIONAL, other).problems == ()
    assert len(lines(OPTIONAL, head='; [Event "*"]\n').problems) == 1
    with pytest.raises(AmbiguousPlayError, match=r"^<text>:3: '24/18' fits 2 plays"):
        matchtext.read(BODY + OPTIONAL, strict=True)


@pytest.mark.parametrize(
    ("told", "kind", "message"),
    [
        ("1) 31: 8/4 6/5", "illegal", "6/5 needs another 1, and the roll is 3-1"),
        ("1) 31: 8/5", "illegal", "2 can be played"),
        ("1) 31: Cannot Move", "illegal", "passing plays no dice of 3-1"),
        ("1) 71: 8/5 6/5", "unreadable", "a die must be 1..6, not 7"),
        ("1) 311: 8/5 6/5     42: 8/4 6/4", "unreadable", "2 dice, not 3"),
        ("1) 31: hello", "unreadable", "a point, bar or off must stand here"),
        ("1) 31: 8/5 6/5   42: 8/4 6/4   31: 8/5 6/5", "unreadable", "at most two cells"),
        ("1) hello", "unreadable", "a cell is dice with a play, or an action"),
        ("hello", "unreadable", "no line of a game"),
        ("1) 31: 8/5 6/5\n2) 42: 8/4 6/4", "unreadable", "'A' rolls, and it is the turn of 'B'"),
        ("1) 31: ????\n2)     42: 8/4 6/4", "unreadable", "goes on after a play that is not known"),
        ("(" * 2000, "unreadable", "no line of a game"),
    ],
)
def test_damage_is_told_with_its_place_and_raised_when_strict(told, kind, message) -> None:
    text = "5 point match\n\n" + BODY + told + "\n\n Game 2\n A : 0    B : 1\n 1) 31: 8/5 6/5\n"
    match = matchtext.read(text, file="some.mat")
    (problem,) = match.problems
    last = told.splitlines()[-1]
    assert (problem.file, problem.line, problem.text, problem.kind) == ("some.mat", 4 + len(told.splitlines()), last.strip(), kind)
    assert message in problem.message
    # The rest of the file is read all the same.
    assert [game.number for game in match.games] == [1, 2]
    assert match.games[0].problem == problem
    assert [turn.kind for turn in match.games[1].turns] == ["play"]
    error = {"illegal": IllegalPlayError, "unreadable": InvalidTextError}[kind]
    with pytest.raises(error, match=r"^some\.mat:") as caught:
        matchtext.read(text, file="some.mat", strict=True)
    assert (caught.value.file, caught.value.line, caught.value.text) == ("some.mat", problem.line, problem.text)
    assert str(caught.value) == str(problem)


def test_a_game_without_its_players_is_damaged() -> None:
    match = matchtext.read(" Game 1\n 1) 31: 8/5 6/5\n")
    assert "a game starts with a line 'name : score  name : score'" in match.problems[0].message


@pytest.mark.parametrize("text", ["", "\n\n", "hello", "3 point match\n", '; [Event "x"]\n'])
def test_a_text_without_a_game_is_no_match(text) -> None:
    with pytest.raises(InvalidTextError, match=r"^<text>:1: there is no game in it"):
        matchtext.read(text)


def test_a_variation_that_is_not_known_needs_rules() -> None:
    text = '; [Event "x"]\n; [Variation "Plakoto"]\n' + BODY + "1) 31: 8/5 6/5\n"
    with pytest.raises(
        InvalidTextError, match=r"^f:2: no game is called 'Plakoto', .*for another variation the rules must be given"
    ) as caught:
        matchtext.read(text, file="f")
    assert (caught.value.line, caught.value.text) == (2, "Plakoto")
    assert kinds(matchtext.read(text, rules=BACKGAMMON)) == ["play"]


def test_types_and_choices_are_checked() -> None:
    with pytest.raises(TypeError, match="must be a str"):
        matchtext.read(b"")
    with pytest.raises(TypeError, match="must be a Rules or None"):
        matchtext.read("", rules="backgammon")
    with pytest.raises(ValueError, match="hits must be"):
        matchtext.read("", hits="maybe")


def test_matches_games_and_turns_are_frozen() -> None:
    match = load("plain.mat")
    for value, field in ((match, "rules"), (match.games[0], "turns"), (match.games[0].turns[0], "play")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, field, None)


# ---------------------------------------------------------------------------------------------------------- Tabula, and writing


def test_a_tabula_record() -> None:
    match = load("tabula.txt", strict=True)
    assert match.rules == TABULA
    assert ("Format", "1") in match.tags
    (game,) = match.games
    assert game.turns[0].before == Position(TABULA)
    assert game.turns[-1].after.outcome == (BLACK, 1)
    assert (game.winner, game.points) == (BLACK, 1)
    text = (FOLDER / "tabula.txt").read_text(encoding="utf-8")
    assert matchtext.write(match) == text
    # Three dice are Tabula's without a header, too.
    assert matchtext.read(text[text.index("0 point match") :], strict=True) == match


CUSTOM = (
    Rules(dice=1, name="one die"),
    Rules(dice=2, stack_limit=None, bear_off="rearmost", name="two dice, down", numbering="down", direction="opposed"),
    Rules(dice=3, home_start=19, gates="move", enter_first=True, stack_limit=3, name="three"),
)


@pytest.mark.parametrize("rules", [TABULA, BACKGAMMON, *CUSTOM], ids=lambda rules: rules.name)
def test_games_of_any_rules_come_back_from_their_record(rules) -> None:
    source = np.random.default_rng(7)
    games = []
    for _ in range(3):
        game = Game(rules, source)
        game.open()
        while game.outcome is None and len(game.turns) < 40:
            if game.rolled is None:
                game.roll()
            game.push(game.plays[int(source.integers(len(game.plays)))])
        games.append(game)
    match = matchtext.record(games, players=("First one", "Second"), length=5)
    again = matchtext.read(matchtext.write(match), rules=rules, strict=True)
    assert again == match
    for read, game in zip(again.games, games, strict=True):
        assert [turn.play for turn in read.turns] == [turn.play for turn in game.turns]


@pytest.mark.parametrize("name", ["plain.mat", "windows.mat", "unmarked.mat", "header.txt", "tabula.txt", "spelled.mat"])
def test_what_was_read_is_written_and_read_back_equal(name) -> None:
    match = load(name)
    again = matchtext.read(matchtext.write(match), strict=True)
    assert again == match
    assert matchtext.write(again) == matchtext.write(match)


def test_a_text_of_ours_without_a_hit_still_says_that_hits_are_marked() -> None:
    game = Game(BACKGAMMON)
    game.push(game.position.parse_play("24/18 13/11", "62"))
    text = matchtext.write(matchtext.record(game))
    assert "*" not in text
    assert '; [Hits "marked"]' in text


def test_scores_add_up_over_the_games_of_a_record() -> None:
    over = Position.from_points({1: 1}, {12: 1}, rules=BACKGAMMON, off=(14, 14))
    games = []
    for _ in range(2):
        game = Game(BACKGAMMON, start=over)
        game.push(over.plays("21")[0])
        games.append(game)
    match = matchtext.record(games, length=2)
    assert [(game.score, game.winner, game.wins_match) for game in match.games] == [((0, 0), 0, False), ((1, 0), 0, True)]


def test_what_cannot_be_written_is_refused() -> None:
    game = Game(BACKGAMMON)
    for name in ("", "a:b", " a", "a\nb", "\ud800"):
        with pytest.raises(ValueError, match="a player's name"):
            matchtext.write(matchtext.record(game, players=(name, "B")))
    with pytest.raises(ValueError, match="a tag of match text"):
        matchtext.write(dataclasses.replace(matchtext.record(game), tags=(("Event", 'a "b"'),)))
    with pytest.raises(ValueError, match="at least one game"):
        matchtext.record([])
    with pytest.raises(ValueError, match="the same rules"):
        matchtext.record([game, Game(TABULA)])


# ---------------------------------------------------------------------------------------------------------------------- replay


def test_replaying_files_counts_and_tells_problems() -> None:
    report = replay(sorted([*FOLDER.glob("*.mat"), *FOLDER.glob("*.txt")]))
    told = report.to_dict()
    assert {key: told[key] for key in ("files", "games", "unplayed_cells", "unknown_ends")} == {
        "files": 7, "games": 11, "unplayed_cells": 1, "unknown_ends": 1,
    }  # fmt: skip
    (problem,) = report.problems
    assert problem.file.endswith("damaged.mat")
    assert (problem.line, problem.kind) == (8, "illegal")
    assert str(report).splitlines()[0].startswith(f"{problem.file}:8: ")
    assert str(report).splitlines()[-1].startswith("7 files, 11 games, ")


def test_a_file_that_is_no_match_is_a_problem_and_one_that_is_not_there_an_error(tmp_path) -> None:
    path = tmp_path / "noise.mat"
    path.write_bytes(bytes(range(256)))
    report = replay([path])
    assert [(problem.line, problem.kind) for problem in report.problems] == [(1, "unreadable")]
    assert str(report).count("noise.mat:1:") == 1
    with pytest.raises(OSError, match="missing"):
        replay([tmp_path / "missing"])


# ------------------------------------------------------------------------------------------------------------ the other games


def played(rules: Rules, opens: int, seed: int = 7) -> Game:
    """A game of random plays to its end, or until neither side can move any more."""
    rng = np.random.default_rng(seed)
    game = Game(rules, rng)
    game.open(opens)
    while game.outcome is None and not game.position.stuck:
        game.roll()
        game.push(game.plays[int(rng.integers(len(game.plays)))])
    return game


@pytest.mark.parametrize("opens", [WHITE, BLACK])
@pytest.mark.parametrize("name", games.names())
def test_a_played_game_of_every_game_is_written_and_read_back(name: str, opens: int) -> None:
    game = played(games.get(name), opens)
    text = matchtext.write(matchtext.record(game))
    match = matchtext.read(text, strict=True)
    assert match == matchtext.record(game)
    assert match.rules == games.get(name)
    assert [turn.play for turn in match.games[0].turns] == [turn.play for turn in game.turns]
    assert [turn.after for turn in match.games[0].turns] == [turn.after for turn in game.turns]
    assert (match.games[0].winner, match.games[0].points) == (game.outcome or (None, None))
    assert match.games[0].turns[0].side == opens
    assert not any(key == "Start" for key, _ in match.tags)


def test_where_the_starts_differ_a_match_may_be_opened_by_either_side() -> None:
    rules = games.get("seis_dos_e_as")
    both = [played(rules, WHITE), played(rules, BLACK)]
    match = matchtext.record(both)
    assert match.tags == ()
    assert matchtext.read(matchtext.write(match), strict=True) == match
    swapped = Game(rules, start=Position(rules).swap_sides())
    swapped.roll("654")
    swapped.push(swapped.plays[0])
    match = matchtext.record(swapped)
    assert match.tags == (("Start", Position(rules).to_text()),)
    assert matchtext.read(matchtext.write(match), strict=True).games == match.games


def test_a_game_has_its_name_in_words_in_its_record() -> None:
    game = Game(games.get("english_two_dice"))
    game.roll("52")
    game.push("24/11")
    text = matchtext.write(matchtext.record(game))
    assert text.startswith('; [Variation "English two dice"]\n')
    assert text.endswith(" 52: 24/11\n")


def test_a_record_of_long_nardy_counts_each_sides_own_track_from_24() -> None:
    match = lines("1) 52: 24\N{EN DASH}17        64: 24-18-14", head='; [Variation "Long Nardy"]\n')
    assert match.problems == ()
    first, second = match.games[0].turns
    assert match.rules == NARDE
    assert (str(first.play), str(second.play)) == ("24/17", "24/14")
    # Index 1 is a side's 24, index 8 its 17, index 11 its 14.
    assert first.after.other == (0, 14, *[0] * 6, 1, *[0] * 17)
    assert second.after.other == (0, 14, *[0] * 9, 1, *[0] * 14)
    # Black's 24 is White's 12.
    assert NARDE.facing(1) == 25 - 12
