"""Play text: what is written, and that what is read is lenient in form and strict in meaning."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import golden
from support.strategies import turns

from tabula import BACKGAMMON, TABULA, AmbiguousPlayError, IllegalPlayError, InvalidTextError, Position
from tabula._native.position import Play, Plays, find_play
from tabula.notation import parse_play, play_text
from tabula.notation.play_read import _read_closely

START = Position(BACKGAMMON)
EMPTY = Position(TABULA)
# A checker on 24 with a blot on 18, and a free pause on 19.
CHOICE = Position.from_points({24: 1, 6: 3}, {7: 1, 4: 11}, rules=BACKGAMMON, off=(11, 3))


def test_every_play_of_the_golden_cases_is_read_back_from_its_own_text() -> None:
    seen: Counter[str] = Counter()
    for name, position, roll in golden():
        plays = position.plays(roll)
        texts = [str(play) for play in plays]
        assert len(set(texts)) == len(texts)
        for play, text in zip(plays, texts, strict=True):
            assert play_text(play) == text
            assert position.parse_play(text, roll) == play
            seen[name] += 1
    assert {"tabula", "backgammon", "historic"} < set(seen)
    assert len(seen) == 17
    assert sum(seen.values()) > 30_000


def test_every_play_is_read_from_its_single_moves_in_any_order_with_or_without_stars() -> None:
    source = random.Random(1)
    for _, position, roll in golden():
        rules, plays = position.rules, position.plays(roll)
        for play in plays[:: max(1, len(plays) // 8)]:
            moves = list(play.moves)
            source.shuffle(moves)
            starred = " ".join(f"{rules.label(m.source)}/{rules.label(m.target)}{'*' if m.hit else ''}" for m in moves)
            assert position.parse_play(starred, roll) == play
            assert position.parse_play(starred.upper().replace("*", ""), roll, hits="unmarked") == play


def closely(plays: Plays, text: str) -> Play | str:
    """What the reader of every form makes of a text."""
    try:
        return _read_closely(plays, text, "marked")
    except ValueError as error:
        return str(error)


@given(turns(), st.data())
def test_where_the_quick_reader_answers_the_careful_one_answers_the_same(
    turn: tuple[Position, tuple[int, ...]], data: st.DataObject
) -> None:
    position, roll = turn
    plays, label = position.plays(roll), position.rules.label
    places = st.integers(0, 25).map(label) | st.sampled_from(["bar", "off", "25", "0", ""])
    hops = st.tuples(places, places, st.sampled_from(["", "", "*", "(2)", "(2)*", "/5"])).map(
        lambda hop: f"{hop[0]}/{hop[1]}{hop[2]}"
    )
    texts = [data.draw(st.lists(hops, max_size=4).map(" ".join))]
    for play in plays[: data.draw(st.integers(1, 5))]:
        single = [f"{label(move.source)}/{label(move.target)}" for move in play.moves]
        texts += [str(play), ", ".join(data.draw(st.permutations(single))), " ".join(single[1:]), "/".join(single)]
    for text in texts:
        found = find_play(plays, text)
        assert found is None or found == closely(plays, text)


def test_the_quick_reader_answers_for_plays_as_they_are_written() -> None:
    seen: Counter[bool] = Counter()
    for _, position, roll in golden():
        plays = position.plays(roll)
        seen.update(find_play(plays, str(play)) == play for play in plays[::16])
    assert seen[True] > 9 * seen[False] > 0


@pytest.mark.parametrize(
    "text", ["", "pass", "BAR/6", "24/18\0", "24/18 13", "8/5(0)", "8/5(5)", "/5", "8/5x", "08/05", "8/5/", "\ud800/5"]
)
def test_the_quick_reader_leaves_other_forms_to_the_careful_one(text: str) -> None:
    assert find_play(START.plays("31"), text) is None


@pytest.mark.parametrize(
    ("text", "roll", "canonical"),
    [
        ("24/14", "64", "24/14"),
        ("24/18/14", "64", "24/14"),
        ("24/18 18/14", "64", "24/14"),
        ("18/14, 24/18", "46", "24/14"),
        ("24/20 24/18", "64", "24/18 24/20"),
        (" 8/4(2),6/2 (2) ", "44", "8/4(2) 6/2(2)"),
        ("8/4*(2) 6/2(2)*", "44", "8/4(2) 6/2(2)"),
        ("13/5(2)", (4, 4), "13/5(2)"),
        ("13/5 13/9 13/9", "44", "13/5 13/9(2)"),
    ],
)
def test_backgammon_text_in_many_forms(text, roll, canonical) -> None:
    assert str(START.parse_play(text, roll)) == canonical


@pytest.mark.parametrize("text", ["bar/20 24/23", "BAR/20 24/23", "25/20 24/23", "Bar/20/19", "25/24, 25/20"])
def test_the_bar_is_named_or_numbered(text) -> None:
    position = Position.from_points({24: 1, 13: 5}, {}, rules=BACKGAMMON, bar=(2, 15), off=(7, 0))
    one = Position.from_points({24: 1, 13: 5}, {}, rules=BACKGAMMON, bar=(1, 15), off=(8, 0))
    both = text.count("25/") == 2
    assert (position if both else one).parse_play(text, "51").roll == (5, 1)


@pytest.mark.parametrize("text", ["6/off 4/off", "6/Off 4/OFF", "6/0, 4/0", "4/0 6/off"])
def test_off_is_named_or_numbered(text) -> None:
    position = Position.from_points({6: 1, 4: 2}, {}, rules=BACKGAMMON, bar=(0, 15), off=(12, 0))
    assert str(position.parse_play(text, "64")) == "6/off 4/off"


@pytest.mark.parametrize("text", ["bar/11 bar/2", "0/6/11 0/2", "25/11,25/2", "bar/2 6/11 bar/6", "bar/11* BAR/2*"])
def test_tabula_text_counts_up(text) -> None:
    assert str(EMPTY.parse_play(text, "652")) == "bar/11 bar/2"


def test_bearing_off_in_tabula() -> None:
    position = Position.from_points({24: 1, 20: 1}, {}, rules=TABULA, bar=(0, 15), off=(13, 0))
    for text in ("20/off 24/off", "20/25 24/off", "24/0 20/0", "20/24 24/25 24/off"):
        roll = "541" if text != "20/24 24/25 24/off" else "411"
        assert position.parse_play(text, roll).position.outcome is not None


@pytest.mark.parametrize("text", ["", "  ", "pass", "Pass", "Cannot Move", "cannot  move", "Can't move", "no move", "No play", ","])
def test_a_pass_has_many_words(text) -> None:
    shut = Position.from_points({13: 14}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}, rules=BACKGAMMON, bar=(1, 0), off=(0, 3))
    assert shut.parse_play(text, "64").moves == ()
    with pytest.raises(IllegalPlayError, match="passing plays no dice of 6-4"):
        START.parse_play(text, "64")


@pytest.mark.parametrize(
    ("text", "marked", "unmarked"),
    [
        ("24/13", "24/13", None),
        ("24/18*/13", "24/18* 18/13", "24/18* 18/13"),
        ("24/18* 18/13", "24/18* 18/13", "24/18* 18/13"),
        ("24/18/13", "24/18* 18/13", "24/18* 18/13"),
        ("18/13 24/18", "24/18* 18/13", "24/18* 18/13"),
        ("24/19/13", "24/13", "24/13"),
        ("24/19* 19/13*", "24/13", "24/13"),
        ("24/13*", "24/13", None),
    ],
)
def test_stars_only_choose_between_plays(text, marked, unmarked) -> None:
    assert str(parse_play(CHOICE, text, "65")) == marked
    if unmarked is None:
        with pytest.raises(AmbiguousPlayError, match=r"fits 2 plays of 6-5: .*24/18\* 18/13"):
            parse_play(CHOICE, text, "65", hits="unmarked")
    else:
        assert str(parse_play(CHOICE, text, "65", hits="unmarked")) == unmarked


def test_a_landing_on_a_blot_hits_though_no_star_is_written() -> None:
    play = CHOICE.parse_play("24/18 6/1", "65")
    assert play == CHOICE.parse_play("24/18* 6/1", "65")
    assert play.position.mover[0] == 1


def test_two_pauses_that_both_hit_are_ambiguous_even_where_hits_are_marked() -> None:
    position = Position.from_points({24: 1, 6: 3}, {7: 1, 6: 1, 4: 11}, rules=BACKGAMMON, off=(11, 2))
    with pytest.raises(AmbiguousPlayError, match="24/13' fits 2 plays"):
        position.parse_play("24/13", "65")
    assert str(position.parse_play("24/19*/13", "65")) == "24/19* 19/13"
    assert str(position.parse_play("24/18*/13", "65")) == "24/18* 18/13"


@pytest.mark.parametrize(
    ("position", "text", "roll", "reason"),
    [
        (START, "24/21 21/14", "64", "24/21 needs a 3, and the roll is 6-4"),
        (START, "24/18 13/7", "64", "13/7 needs another 6, and the roll is 6-4"),
        (START, "24/1", "64", "24/1 is 23 pips, and the dice of 6-4 do not add up to that"),
        (START, "6/24", "64", "6/24 goes against the direction of play"),
        (START, "6/6 24/14", "64", "6/6 goes against the direction of play"),
        (START, "24/19 13/8", "55", "19 is blocked by 5 opposing checkers"),
        (START, "24/18", "64", "24/18 plays 1 die of 6-4, and 2 can be played"),
        (START, "12/6 6/2", "64", "no checker stands on 12"),
        (START, "bar/20 24/18", "65", "no checker is waiting"),
        (START, "6/off 8/4", "64", "bearing off needs every checker on 6 to 1"),
        (START, "8/7(5)", "11", "no checker stands on 8"),
        (START, "8/7(9)", "11", "more moves than any roll has"),
        (EMPTY, "bar/13", "652", "points 13 to 24 and off are closed to a side with a checker waiting as the turn started"),
        (EMPTY, "bar/6 bar/5", "652", "plays 2 dice of 6-5-2, and 3 can be played"),
        (EMPTY, "bar/6 bar/5 bar/3", "652", "bar/3 needs a 3, and the roll is 6-5-2"),
    ],
)
def test_an_illegal_play_is_refused_with_the_reason(position, text, roll, reason) -> None:
    with pytest.raises(IllegalPlayError, match=reason):
        position.parse_play(text, roll)


def test_nothing_is_legal_when_the_game_is_over() -> None:
    over = Position.from_points({}, {3: 1}, rules=BACKGAMMON, off=(15, 14)).swap_sides()
    for text in ("", "3/off"):
        with pytest.raises(IllegalPlayError, match="the game is over"):
            over.parse_play(text, "31")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("24/14)", 5),
        ("24/", 3),
        ("x", 0),
        ("24/18 x", 6),
        ("99/1", 0),
        ("24", 2),
        ("24~18", 2),
        ("8/4(0)", 4),
        ("8/4(100)", 4),
        ("8/4(", 3),
        ("off/3", 0),
        ("13/bar", 3),
        ("13/off/3", 6),
        ("24/18*13/9", 6),
        ("24*/18", 2),
        ("123456789/1", 0),
        ("\u0661/1", 0),
        ("8/4\x00", 3),
        ("\ud800", 0),
    ],
)
def test_what_is_not_notation_is_refused_with_its_place(text, at) -> None:
    with pytest.raises(InvalidTextError, match=f"character {at + 1} of ") as caught:
        START.parse_play(text, "64")
    assert caught.value.position == at


def test_types_and_choices_are_checked() -> None:
    for text in (None, b"24/18", 3):
        with pytest.raises(TypeError, match="must be a str"):
            START.parse_play(text, "64")
    with pytest.raises(ValueError, match="hits must be 'marked' or 'unmarked', not 'maybe'"):
        START.parse_play("24/18", "64", hits="maybe")
    with pytest.raises(ValueError, match="a die must be"):
        START.parse_play("24/18", "74")
    with pytest.raises(TypeError):
        START.parse_play("24/18", None)
