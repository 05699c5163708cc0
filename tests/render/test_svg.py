"""Boards as SVG: kept pictures, and what holds for the picture of any position."""

import os
import re
import subprocess
import sys
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest
from any_position import positions, rolls_of, waiting_is_said
from golden_boards import ALL_OFF, BOARDS, CROSSING, ENTERING, FOLDER, LEAVING, SHUT_OUT, ZENO, play_of
from hypothesis import given
from hypothesis import strategies as st

from tabula import BACKGAMMON, BLACK, NARDE, TABULA, WHITE, Play, Position, Rules, games
from tabula.notation import MatchState
from tabula.render import svg
from tabula.render.layout import MIDDLE
from tabula.render.theme import THEMES
from tabula.rules import OFF

SVG = "{http://www.w3.org/2000/svg}"
WIDTH, HEIGHT = 700.0, 606.0
SCALED = re.compile(r"-?\d+(?:\.\d+)?")


@pytest.mark.parametrize("name", BOARDS)
def test_the_board_is_the_one_that_was_looked_at(name: str) -> None:
    assert BOARDS[name]() + "\n" == (FOLDER / name).read_text(encoding="utf-8")


def test_every_kept_board_is_drawn() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(BOARDS)


def element(picture: str) -> ElementTree.Element:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return root


def told(picture: str) -> str:
    root = element(picture)
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    return root.findtext(f"{SVG}desc") or ""


def count(picture: str, tag: str, **attributes: str) -> int:
    wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
    return sum(wanted.items() <= found.attrib.items() for found in element(picture).iter(f"{SVG}{tag}"))


def arrows(picture: str, colours: Any = svg.LIGHT) -> int:
    groups = element(picture).iter(f"{SVG}g")
    return sum(group.get("fill") == colours["arrow"] for group in groups)


def hit_badges(picture: str, colours: Any = svg.LIGHT) -> int:
    return count(picture, "circle", fill=colours["hit"])


def brackets(picture: str) -> int:
    return count(picture, "path", stroke=svg.LIGHT["full"])


def tracks_told(position: Position, text: str) -> list[list[int]]:
    """The tracks, white's first, that a description tells."""
    tracks = []
    for side, name in enumerate(("White", "Black")):
        waiting = "on the bar" if position.rules.numbering == "down" else "in hand"
        found = re.search(rf"{name}: ([^;]*); (?:(\d+) {waiting}; )?(\d+) off;", text)
        assert found
        assert (found[2] is not None) == waiting_is_said(position)
        track = [int(found[2] or 0), *[0] * 24, int(found[3])]
        for number, point in re.findall(r"(\d+) on (\d+)", found[1]):
            seen = position.rules.number(int(point))
            track[seen if side == position.turn else position.rules.facing(seen)] = int(number)
        tracks.append(track)
    return tracks


def within(root: ElementTree.Element) -> bool:
    """Whether all shapes lie on the picture."""
    for found in root.iter():
        numbers = {name: float(value) for name, value in found.attrib.items() if re.fullmatch(SCALED, value)}
        if found.tag == f"{SVG}rect":
            edges = [(numbers["x"], numbers["y"]), (numbers["x"] + numbers["width"], numbers["y"] + numbers["height"])]
        elif found.tag == f"{SVG}circle":
            x, y, radius = numbers["cx"], numbers["cy"], numbers["r"]
            edges = [(x - radius, y - radius), (x + radius, y + radius)]
        elif found.tag == f"{SVG}text":
            edges = [(numbers["x"], numbers["y"])]
        elif found.tag == f"{SVG}polygon":
            ends = [float(number) for number in re.findall(SCALED, found.attrib["points"])]
            edges = list(zip(ends[::2], ends[1::2], strict=True))
        else:
            continue
        if not all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in edges):
            return False
    return True


@given(positions(), st.data())
def test_any_position_is_valid_svg_that_lies_on_the_picture_and_tells_all_checkers(position: Position, data: st.DataObject) -> None:
    asked: dict[str, Any] = {
        "roll": data.draw(rolls_of(position.rules)),
        "labels": data.draw(st.sampled_from(["arabic", "roman"])),
        "colours": data.draw(st.sampled_from(["light", "dark"])),
    }
    picture = svg.board(position, **asked)
    assert within(element(picture))
    white, black = (position.mover, position.other) if position.turn != BLACK else (position.other, position.mover)
    assert tracks_told(position, told(picture)) == [list(white), list(black)]
    assert picture == svg.board(Position.from_text(position.to_text(), rules=position.rules), **asked)


@given(positions(), st.data())
def test_any_play_has_an_arrow_for_each_move_and_a_badge_for_each_hit(position: Position, data: st.DataObject) -> None:
    plays = position.plays(data.draw(rolls_of(position.rules)))
    if not plays:
        return
    play = plays[data.draw(st.integers(0, len(plays) - 1))]
    for drawn in (play.origin, play.position):
        picture = svg.board(drawn, play=play)
        assert within(element(picture))
        assert arrows(picture) == len(play.moves)
        assert hit_badges(picture) == sum(move.hit for move in play.moves)
        assert str(play) in told(picture)


@given(positions())
def test_checkers_are_drawn_up_to_five_and_a_number_stands_on_a_higher_stack(position: Position) -> None:
    picture = svg.board(position)
    from_above = [0] if position.rules.direction == "opposed" else []
    stacks = [track[index] for track in (position.mover, position.other) for index in [*from_above, *range(1, OFF)]]
    lying = [track[index] for track in (position.mover, position.other) for index in ([OFF] if from_above else [0, OFF])]
    assert count(picture, "circle", r="19") == sum(min(stack, 5) for stack in stacks)
    assert count(picture, "rect", height="9") == sum(lying)
    numbers = Counter(found.text for found in element(picture).iter(f"{SVG}text") if found.get("font-size") == "18")
    assert numbers == Counter(str(stack) for stack in stacks if stack > 5)
    full = [stack for track in (position.mover, position.other) for stack in track[1:OFF] if stack == position.rules.stack_limit]
    assert brackets(picture) == len(full)


def test_a_five_stack_is_shown_as_full_where_five_is_the_limit_only() -> None:
    assert brackets(svg.board(ENTERING)) == 1
    assert "5 on 1 (full)" in told(svg.board(ENTERING))
    assert brackets(svg.board(LEAVING)) == 0
    assert "full" not in told(svg.board(LEAVING))


def places_of(picture: str) -> dict[str, tuple[float, float]]:
    size = {"17", "14"}
    return {
        found.text or "": (float(found.attrib["x"]), float(found.attrib["y"]))
        for found in element(picture).iter(f"{SVG}text")
        if found.get("font-size") in size and re.fullmatch(r"\d+|[IVX]+", found.text or "")
    }


NUMERALS: dict[Any, list[str]] = {
    "arabic": [str(number) for number in range(1, 25)],
    "roman": re.findall("[IVX]+", "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXII XXIII XXIV"),
}


@pytest.mark.parametrize("labels", NUMERALS)
def test_tabula_goes_along_the_top_from_right_to_left_and_along_the_bottom_from_left_to_right(labels: Any) -> None:
    for turn in range(2):
        places = places_of(svg.board(Position.from_tracks(TABULA.setup, TABULA.setup, rules=TABULA, turn=turn), labels=labels))
        across = [places[numeral] for numeral in NUMERALS[labels]]
        assert [x for x, _ in across[:12]] == sorted((x for x, _ in across[:12]), reverse=True)
        assert [x for x, _ in across[12:]] == sorted(x for x, _ in across[12:])
        assert {y for _, y in across[:12]} == {min(y for _, y in across)}
        assert {y for _, y in across[12:]} == {max(y for _, y in across)}


@pytest.mark.parametrize("turn", [0, 1])
def test_backgammon_is_numbered_from_the_player_on_roll_whose_home_is_at_the_bottom_right(turn: int) -> None:
    places = places_of(svg.board(Position.from_tracks(BACKGAMMON.setup, BACKGAMMON.setup, rules=BACKGAMMON, turn=turn)))
    assert max(places, key=lambda numeral: (places[numeral][1], places[numeral][0])) == "1"
    assert places["24"][0] == places["1"][0]
    assert places["24"][1] < places["1"][1]


def test_a_play_can_be_drawn_on_the_board_before_it_and_on_the_board_after_it() -> None:
    play = ZENO.plays("256")[0]
    assert "White threw 6-5-2, to be played: 10/16 19/24 20/22." in told(svg.board(ZENO, play=play))
    assert "White threw 6-5-2, just played: 10/16 19/24 20/22." in told(svg.board(play.position, play=play))


def test_dice_that_a_play_leaves_are_faint() -> None:
    assert count(svg.board(SHUT_OUT, play=SHUT_OUT.plays("61")[0]), "g", opacity="0.4") == 2
    assert count(svg.board(ZENO, play=ZENO.plays("256")[0]), "g", opacity="0.4") == 0
    assert count(svg.board(CROSSING, play=play_of(CROSSING, "66")), "g", opacity="0.4") == 0


def test_a_double_played_twice_is_two_moves_to_a_die() -> None:
    board = Position.from_points({24: 2, 5: 7, 4: 6}, {13: 2}, rules=BACKGAMMON, off=(0, 13))
    (play,) = board.plays("66")
    assert str(play) == "24/18(2)"
    assert count(svg.board(board, play=play), "g", opacity="0.4") == 1


def rings_and_checkers(picture: str) -> set[tuple[str, str, str]]:
    return {(c.attrib["cx"], c.attrib["cy"], c.attrib["fill"]) for c in element(picture).iter(f"{SVG}circle") if c.get("r") == "19"}


@given(positions())
def test_from_one_side_the_board_stays_where_it_is_whoever_is_to_move(position: Position) -> None:
    for side in range(2):
        assert rings_and_checkers(svg.board(position, side=side)) == rings_and_checkers(svg.board(position.swap_sides(), side=side))
    assert svg.board(position, side=position.turn) == svg.board(position)


@given(positions(), st.data())
def test_points_have_the_numbers_in_which_the_play_below_the_board_is_written(position: Position, data: st.DataObject) -> None:
    plays = position.plays(data.draw(rolls_of(position.rules)))
    if not plays:
        return
    play = plays[0]
    pictures = [svg.board(drawn, play=play, side=side) for drawn in (play.origin, play.position) for side in range(2)]
    for picture in pictures:
        assert places_of(picture)[str(position.rules.number(1))][1] == places_of(pictures[0])[str(position.rules.number(1))][1] or (
            position.rules.direction != "same"
        )
        left = {move.source for move in play.moves}  # a checker that has come there may have gone on
        moved = [move for move in play.moves if move.source > 0 and move.target < OFF and move.target not in left]
        if moved and "just played" in told(picture):
            x, _ = places_of(picture)[str(position.rules.number(moved[-1].target))]
            mover = svg.LIGHT["black" if position.turn else "white"]
            assert any(abs(float(cx) - x) < 0.2 and fill == mover for cx, _, fill in rings_and_checkers(picture))


def words_of(picture: str) -> list[str]:
    return [found.text or "" for found in element(picture).iter(f"{SVG}text")]


MATCH = MatchState(length=7, score=(3, 5), cube=4, owner=BLACK, players=("Ann & Co", "Ben <b>"))


def test_a_match_has_its_names_score_and_cube_on_the_picture_and_in_its_words() -> None:
    picture = svg.board(Position(BACKGAMMON), match=MATCH)
    words = words_of(picture)
    assert {"Ann & Co: 3 points, 167 pips", "Ben <b>: 5 points, 167 pips", "7-point match, cube 4", "4"} <= set(words)
    assert "The score is 3 to 5. 7-point match, cube 4. Ben <b> owns the cube." in told(picture)
    assert element(picture).findtext(f"{SVG}title") == "backgammon: Ann & Co to move"
    assert element(picture).get("viewBox") == "0 0 700 636"
    assert "Eve: 3 points, 167 pips" in words_of(svg.board(Position(BACKGAMMON), match=MATCH, names=("Eve", "Ben")))


def cube_height(match: MatchState, side: int) -> float | None:
    picture = svg.board(Position(BACKGAMMON), match=match, side=side)
    found = [float(rect.attrib["y"]) + 14 for rect in element(picture).iter(f"{SVG}rect") if rect.get("width") == "28"]
    return found[0] if found else None


def test_the_cube_lies_in_the_middle_or_before_its_owner_and_nowhere_without_a_use() -> None:
    middle = 279
    assert cube_height(MatchState(length=3), 0) == cube_height(MatchState(), 1) == middle
    assert cube_height(MatchState(cube=2, owner=WHITE), WHITE) == cube_height(MatchState(cube=2, owner=BLACK), BLACK)
    low, high = cube_height(MatchState(cube=2, owner=WHITE), WHITE), cube_height(MatchState(cube=2, owner=WHITE), BLACK)
    assert low is not None
    assert high is not None
    assert high < middle < low
    assert cube_height(MatchState(length=1), 0) is None
    assert cube_height(MatchState(length=3, score=(2, 0), crawford=True), 0) is None
    assert "4" in words_of(svg.board(Position(), match=MatchState(cube=2, owner=WHITE, offer="double")))


def test_the_caption_is_in_the_numerals_of_the_labels_or_the_callers_own() -> None:
    play = ZENO.plays("256")[0]
    assert words_of(svg.board(ZENO, play=play, labels="roman"))[-1] == "X/XVI XIX/XXIV XX/XXII"
    assert words_of(svg.board(play.position, play=play, labels="roman"))[-1] == "played X/XVI XIX/XXIV XX/XXII"
    double = play_of(LEAVING, "66")
    assert str(double).startswith("6/off(2)")
    assert words_of(svg.board(LEAVING, play=double, labels="roman"))[-1].startswith("VI/off(2)")
    assert words_of(svg.board(ZENO, play=play, caption="Zeno's throw <i>"))[-1] == "Zeno's throw <i>"
    assert not words_of(svg.board(ZENO, play=play, caption=""))[-1].startswith("10/16")


def test_own_arrows_and_highlights_are_where_the_labels_say() -> None:
    board = Position(BACKGAMMON)
    for side in range(2):
        picture = svg.board(board, side=side, arrows=[(24, 18), svg.Arrow("bar", 20, colour="green"), (6, "off")], fill={6: "gold"})
        assert within(element(picture))
        assert arrows(picture) == 2
        assert count(picture, "g", fill="green") == 1
        assert told(picture).endswith("Arrows: 24 to 18, bar to 20, 6 to off. Highlighted: 6.")
        (gold,) = [found for found in element(picture).iter(f"{SVG}polygon") if found.get("fill") == "gold"]
        assert abs(float(gold.attrib["points"].split()[2].split(",")[0]) - places_of(picture)["6"][0]) < 0.2
    (gold,) = [
        found for found in element(svg.board(Position(), fill={24: "gold"})).iter(f"{SVG}rect") if found.get("fill") == "gold"
    ]
    assert float(gold.attrib["x"]) < places_of(svg.board(Position()))["24"][0] < float(gold.attrib["x"]) + 46


def test_a_finished_game_says_who_has_won() -> None:
    assert told(svg.board(ALL_OFF)).endswith("White has won 2 points.")


def shapes(picture: str) -> list[str]:
    return [found.tag for found in element(picture).iter() if found.tag != f"{SVG}desc"]


def test_the_sides_differ_without_colour() -> None:
    one_colour = dict.fromkeys(svg.LIGHT, "black")
    board = Position.from_points({5: 3}, {9: 3}, rules=TABULA, off=(12, 12))
    other = Position.from_points({9: 3}, {5: 3}, rules=TABULA, off=(12, 12))
    white_first, black_first = svg.board(board, colours=one_colour), svg.board(other.swap_sides(), colours=one_colour)
    assert count(white_first, "circle", r="14") == 3
    assert sorted(shapes(white_first)) == sorted(shapes(black_first))
    assert white_first != svg.board(Position.from_points({9: 3}, {5: 3}, rules=TABULA, off=(12, 12)), colours=one_colour)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [
        ("label", "frame", 4.5),
        ("label", "bar", 4.5),
        ("white mark", "white", 4.5),
        ("black mark", "black", 4.5),
        ("hit mark", "hit", 4.5),
        ("white", "black", 4.5),
        ("arrow", "arrow edge", 4.5),
        ("full", "point", 3.0),
        ("black edge", "board", 5.0),
        ("black edge", "point", 3.0),
        ("black edge", "point alternate", 3.0),
    ],
)
def test_what_is_to_be_read_stands_off_from_its_ground(theme: Any, ink: str, ground: str, least: float) -> None:
    darker, lighter = sorted((luminance(theme[ink]), luminance(theme[ground])))
    assert (lighter + 0.05) / (darker + 0.05) >= least


def test_themes_have_the_same_keys() -> None:
    assert svg.LIGHT.keys() == svg.DARK.keys() == svg.PRINT.keys()


@pytest.mark.parametrize("key", svg.LIGHT)
def test_every_colour_key_colours_something(key: str) -> None:
    play = play_of(ENTERING, "643", hits=2)
    board = svg.board(CROSSING, play=play_of(CROSSING, "66", hits=2)) + svg.board(ENTERING, play=play)
    odd = {key: "rgb(1, 2, 3)"}
    assert "rgb(1, 2, 3)" not in board
    assert "rgb(1, 2, 3)" in svg.board(CROSSING, play=play_of(CROSSING, "66", hits=2), colours=odd) + svg.board(
        ENTERING, play=play, colours=odd
    )


def test_colours_replace_those_of_a_theme() -> None:
    assert svg.board(ZENO, colours={}) == svg.board(ZENO, colours="light") == svg.board(ZENO)
    assert svg.board(ZENO, colours=svg.DARK) == svg.board(ZENO, colours="dark")
    changed = svg.board(ZENO, colours={**svg.DARK, "frame": "gold"})
    assert changed == svg.board(ZENO, colours="dark").replace(svg.DARK["frame"], "gold")


def test_size_is_the_width_and_the_picture_keeps_its_shape() -> None:
    root = element(svg.board(Position(), size=350))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("350", "303", "0 0 700 606")
    root = element(svg.board(Position()))
    assert (root.get("width"), root.get("height")) == (None, None)


@pytest.mark.parametrize("name", ["<b>&\"'", "]]>", "a\x00b\x1f\ufffe", "\ud800", "", "τάβλη 🎲", "<!--"])
def test_a_name_is_escaped(name: str) -> None:
    picture = svg.board(Position(Rules(name=name)))
    picture.encode("utf-8")
    title = element(picture).findtext(f"{SVG}title") or ""
    assert title.endswith(": White to move")
    if name.isprintable() and name:
        assert title == f"{name}: White to move"


def test_many_boards_can_stand_in_one_page() -> None:
    picture = svg.board(ENTERING, play=play_of(ENTERING, "643", hits=2))
    assert not any(re.fullmatch(r"id|class|style|.*href", name) for found in element(picture).iter() for name in found.attrib)
    assert not re.search(r"<style|<script|<defs|url\(", picture)


def a_play_of_another_position() -> Play:
    return Position(BACKGAMMON).plays("61")[0]


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"labels": "greek"}, ValueError, "labels must be 'arabic' or 'roman', not 'greek'"),
        ({"labels": None}, TypeError, "labels must be 'arabic' or 'roman', not None"),
        ({"colours": "sepia"}, ValueError, "colours must be 'light', 'dark', 'print' or a mapping of colours, not 'sepia'"),
        ({"colours": 7}, TypeError, "colours must be 'light', 'dark', 'print' or a mapping of colours, not 7"),
        ({"colours": {"square": "red"}}, ValueError, "colours has no key 'square'; its keys are 'frame', 'board', "),
        ({"colours": {"bar": 7}}, TypeError, "colours['bar'] must be a str, not 7"),
        ({"colours": {"bar": '"/><script>'}}, ValueError, "colours['bar'] must be a CSS colour like '#1769aa' or 'navy'"),
        ({"colours": {"bar": "url(#x)"}}, ValueError, "colours['bar'] must be a CSS colour"),
        ({"colours": {"bar": "#12345"}}, ValueError, "colours['bar'] must be a CSS colour"),
        ({"colours": {"bar": ""}}, ValueError, "colours['bar'] must be a CSS colour"),
        ({"side": 2}, ValueError, "side must be WHITE (0) or BLACK (1), not 2"),
        ({"names": "ab"}, TypeError, "names must be two texts, not 'ab'"),
        ({"names": ("a",)}, ValueError, "names must be white's name and black's, not ('a',)"),
        ({"names": ("a", 7)}, TypeError, "names must be two texts, not ('a', 7)"),
        ({"caption": 7}, TypeError, "caption must be a str or None, not 7"),
        ({"arrows": [(1, 2), (25, 1)]}, ValueError, "the source of arrows[1] must be 1..24 or 'bar' or 'off', not 25"),
        ({"arrows": [(1, "in hand")]}, ValueError, "the target of arrows[0] must be 1..24 or 'bar' or 'off', not 'in hand'"),
        ({"arrows": [(1, 2.5)]}, TypeError, "the target of arrows[0] must be an integer, not 2.5"),
        ({"arrows": [(3, 3)]}, ValueError, "arrows[0] must have two ends, not 3 twice"),
        ({"arrows": ["1/2"]}, TypeError, "arrows[0] must be (source, target) or (source, target, colour), not '1/2'"),
        ({"arrows": [(1, 2, "url(x)")]}, ValueError, "the colour of arrows[0] must be a CSS colour like"),
        ({"fill": {0: "red"}}, ValueError, "a key of fill must be 1..24, not 0"),
        ({"fill": {"bar": "red"}}, ValueError, "a key of fill must be 1..24, not 'bar'"),
        ({"fill": {3: '"/>'}}, ValueError, "fill[3] must be a CSS colour like"),
        ({"fill": [3]}, TypeError, "fill must be a mapping of points to colours, not [3]"),
        ({"size": 0}, ValueError, "size must be 1..10000 pixels, not 0"),
        ({"size": 10_001}, ValueError, "size must be 1..10000 pixels, not 10001"),
        ({"size": 1.5}, TypeError, "size must be an integer, not 1.5"),
        ({"size": True}, TypeError, "size must be an integer, not True"),
        ({"roll": "65"}, ValueError, "a roll of this game has 3 dice, not 2"),
        ({"roll": "607"}, ValueError, "a die must be 1..6, not 0"),
        ({"play": "bar/6"}, TypeError, "play must be a Play, not 'bar/6'"),
        (
            {"play": a_play_of_another_position()},
            ValueError,
            "play must start from the position drawn or end in it, and <Play ",
        ),
        ({"play": Position().plays("652")[0], "roll": "651"}, ValueError, "roll must be the play's own, 6-5-2, not 6-5-1"),
    ],
)
def test_a_bad_argument_is_named_with_its_value(arguments: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=re.escape(sentence)):
        svg.board(Position(), **arguments)


def test_what_is_no_position_is_refused() -> None:
    nothing: Any = None
    with pytest.raises(TypeError, match="position must be a Position, not None"):
        svg.board(nothing)


def test_another_process_draws_the_same() -> None:
    code = "from tabula import Position; from tabula.render import svg; print(svg.board(Position(), roll='652'))"
    drawn = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert drawn == {(FOLDER / "tabula-start.svg").read_text(encoding="utf-8")}


def dice_and_arrows(picture: str) -> tuple[float, list[float]]:
    """How far from the left the first die stands, and the bends of the arrows that go from one row to the other."""
    root = element(picture)
    dice = [float(box.attrib["x"]) for box in root.iter(f"{SVG}rect") if float(box.attrib["width"]) == float(box.attrib["height"])]
    bends = []
    for path in root.iter(f"{SVG}path"):
        numbers = [float(number) for number in re.findall(r"-?[0-9.]+", path.attrib["d"])]
        if "Q" in path.attrib["d"] and (numbers[1] < MIDDLE) != (numbers[5] < MIDDLE):
            bends.append(numbers[2])
    return dice[0], bends


def test_where_the_sides_start_from_opposite_corners_the_other_sides_arrows_leave_room_for_its_dice() -> None:
    position = Position.from_points({14: 15}, {12: 14, 3: 1}, rules=NARDE)
    play = position.parse_play("14/8 14/12", "62")
    for side, right in ((WHITE, False), (BLACK, True)):
        die, bends = dice_and_arrows(svg.board(position, play=play, side=side))
        assert bends
        assert all((bend > WIDTH / 2) == right for bend in bends)
        assert (die < WIDTH / 2) == right


def test_where_no_checker_can_wait_no_place_for_it_is_named() -> None:
    assert "bar" not in svg.board(Position(NARDE))
    assert ">bar<" in svg.board(Position(games.get("revertier")))
