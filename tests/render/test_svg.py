"""Boards as SVG: kept pictures, and what holds for the picture of any position."""

import os
import re
import subprocess
import sys
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest
from any_position import positions, rolls_of
from golden_boards import ALL_OFF, BOARDS, CROSSING, ENTERING, FOLDER, LEAVING, SHUT_OUT, ZENO, play_of
from hypothesis import given
from hypothesis import strategies as st

from tabula import BACKGAMMON, BLACK, TABULA, Play, Position, Rules
from tabula.render import svg
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
        found = re.search(rf"{name}: ([^;]*); (\d+) {waiting}; (\d+) off;", text)
        assert found
        track = [int(found[2]), *[0] * 24, int(found[3])]
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
def test_checkers_are_drawn_up_to_five_and_a_number_tells_of_every_stack(position: Position) -> None:
    picture = svg.board(position)
    from_above = [0] if position.rules.direction == "opposed" else []
    stacks = [track[index] for track in (position.mover, position.other) for index in [*from_above, *range(1, OFF)]]
    lying = [track[index] for track in (position.mover, position.other) for index in ([OFF] if from_above else [0, OFF])]
    assert count(picture, "circle", r="19") == sum(min(stack, 5) for stack in stacks)
    assert count(picture, "rect", height="9") == sum(lying)
    numbers = Counter(found.text for found in element(picture).iter(f"{SVG}text") if found.get("font-size") == "18")
    assert numbers == Counter(str(stack) for stack in stacks if stack > 1)
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


@pytest.mark.parametrize("theme", [svg.LIGHT, svg.DARK], ids=["light", "dark"])
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
    ],
)
def test_what_is_to_be_read_stands_off_from_its_ground(theme: Any, ink: str, ground: str, least: float) -> None:
    darker, lighter = sorted((luminance(theme[ink]), luminance(theme[ground])))
    assert (lighter + 0.05) / (darker + 0.05) >= least


def test_themes_have_the_same_keys() -> None:
    assert svg.LIGHT.keys() == svg.DARK.keys()


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
        ({"colours": "sepia"}, ValueError, "colours must be 'light' or 'dark' or a mapping of colours, not 'sepia'"),
        ({"colours": 7}, TypeError, "colours must be 'light' or 'dark' or a mapping of colours, not 7"),
        ({"colours": {"square": "red"}}, ValueError, "colours has no key 'square'; its keys are 'frame', 'board', "),
        ({"colours": {"bar": 7}}, TypeError, "colours['bar'] must be a str, not 7"),
        ({"colours": {"bar": '"/><script>'}}, ValueError, "colours['bar'] must be a CSS colour like '#1769aa' or 'navy'"),
        ({"colours": {"bar": "url(#x)"}}, ValueError, "colours['bar'] must be a CSS colour"),
        ({"colours": {"bar": "#12345"}}, ValueError, "colours['bar'] must be a CSS colour"),
        ({"colours": {"bar": ""}}, ValueError, "colours['bar'] must be a CSS colour"),
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
