"""The page of a game or a match: what is in it, and that nothing in it comes from outside or from a name."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from any_position import positions
from hypothesis import given, settings
from hypothesis import strategies as st

from tabula import BACKGAMMON, BLACK, TABULA_HISTORIC, Position, notation
from tabula.game import Game
from tabula.notation import matchtext
from tabula.render import html

MATCH = """\
; [Event "Club <evening> & more"]
3 point match

 Game 1
 Ann : 0                                  Ben : 0
  1)                                      51: 13/8 24/23
  2) 43: 24/20 13/10                      64: 24/14
  3) 55: 13/3 8/3(2)                      62: 14/8 23/21
  4)  Doubles => 2                         Drops
      Wins 1 point

 Game 2
 Ann : 1                                  Ben : 0
  1) 61: 13/7 8/7                         52: 13/8 24/22
  2) 64: 24/14                            31: 8/5 6/4
"""

HOSTILE = [
    "</script><script>evil()</script>",
    "<!--",
    "]]>",
    "\u2028\u2029",
    "\"'><img src=x onerror=evil()>",
    "&lt;",
    "\u202eevil",
    "a\x00b",
]


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the text of each script and style."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self.inside = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.inside = tag
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_endtag(self, _: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside in self.texts:
            self.texts[self.inside][-1] += data

    def all(self, tag: str) -> Iterator[dict[str, str | None]]:
        return (attributes for name, attributes in self.found if name == tag)


def data_of(page: str) -> dict[str, Any]:
    return json.loads(Elements(page).texts["script"][0])


def match() -> matchtext.Match:
    return matchtext.read(MATCH, file="club.mat")


def played(rules: Any, seed: int = 1, turns: int = 400) -> Game:
    rng = np.random.default_rng(seed)
    game = Game(rules, rng)
    game.open()
    while game.outcome is None and len(game.turns) < turns:
        if game.rolled is None:
            game.roll()
        game.push(game.plays[int(rng.integers(len(game.plays)))])
    return game


def test_every_turn_and_every_end_of_a_game_has_its_link_in_order() -> None:
    page = html.game(match())
    links = [link["id"] for link in Elements(page).all("a")]
    assert links == [f"g1t{turn}" for turn in range(1, 9)] + [f"g2t{turn}" for turn in range(1, 5)]
    assert all(link["href"] == f"#{link['id']}" for link in Elements(page).all("a"))
    assert len(data_of(page)["turns"]) == len(links)
    for text in ("51: 24/23 13/8<", "Doubles to 2<", "Drops<", "Ann wins 1 point<", "The game is not finished<"):
        assert text in page


def test_a_turn_has_its_board_roll_and_xgid() -> None:
    data = data_of(html.game(match()))
    turns = match().games[0].turns
    for turn, (side, letters, roll, _, arrows, _, text, _) in zip(turns, data["turns"], strict=False):
        white, black = (turn.before.mover, turn.before.other)[:: 1 if turn.before.turn == 0 else -1]
        assert tuple(ord(letter) - 97 for letter in letters) == white + black
        assert (side, roll) == (turn.side, "".join(map(str, turn.roll or ())))
        assert len(arrows) == (len(turn.play.moves) if turn.play else 0)
        assert notation.read(text).position == turn.before
        assert notation.read(text).roll == turn.roll
        assert text == notation.xgid(turn.before, turn.roll, turn.match)
        assert f":{turn.match.score[0]}:{turn.match.score[1]}:0:3:" in text


def test_a_play_that_is_not_legal_is_marked_where_reading_went_on() -> None:
    page = html.game(matchtext.read(MATCH, keep_going=True))
    marked = [link["id"] for link in Elements(page).all("a") if "wrong" in (link["class"] or "")]
    assert marked == ["g2t4"]
    assert ">31: 8/5 6/4</a>" in page


def test_what_an_xgid_cannot_hold_has_the_text_of_the_position() -> None:
    for rules in (TABULA_HISTORIC, BACKGAMMON):
        game = played(rules)
        data = data_of(html.game(game))
        assert data["turns"][-1][6] == game.position.to_text()
    tabula = played(TABULA_HISTORIC)
    texts = [row[6] for row in data_of(html.game(tabula))["turns"]]
    assert texts == [turn.before.to_text() for turn in tabula.turns] + [tabula.position.to_text()]


def test_a_problem_is_listed_with_its_line_and_its_reason() -> None:
    page = html.game(match())
    assert page.count("line 15: &#x27;8/5 6/4&#x27;: 6/4 needs a 2, and the roll is 3-1") == 1


def test_games_with_one_number_are_numbered_by_their_order() -> None:
    page = html.game(matchtext.read(MATCH.replace("Game 2", "Game 1")))
    assert {"g1t1", "g2t1"} <= {link["id"] for link in Elements(page).all("a")}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_or_text_can_end_or_start_an_element(name: str) -> None:
    plain = html.game(match())
    page = html.game(match(), names=(name, f"{name}2"))
    tagged = html.game(matchtext.read(MATCH.replace("Club <evening> & more", name.replace('"', "").replace("\x00", ""))))
    for made in (page, tagged):
        made.encode("utf-8")
        assert [tag for tag, _ in Elements(made).found] == [tag for tag, _ in Elements(plain).found]
        assert Elements(made).texts["script"][1] == Elements(plain).texts["script"][1]
    assert data_of(page)["names"] == [name, f"{name}2"]
    assert "evil()" not in "".join(Elements(page).texts["script"][1:])
    assert not any(key.startswith("on") for _, attributes in Elements(page).found for key in attributes)


def test_the_policy_names_the_script_and_the_style_and_allows_nothing_else() -> None:
    page = Elements(html.game(match()))
    (policy,) = (meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    hashes = [
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for text in (page.texts["script"][1], *page.texts["style"])
    ]
    script, style = (f"'sha256-{each}'" for each in hashes)
    assert policy == f"default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'"
    for tag, attributes in page.found:
        assert tag not in ("img", "link", "iframe", "object", "base", "form")
        assert "src" not in attributes
        assert "style" not in attributes
        assert (attributes.get("href") or "#").startswith("#")


def test_a_long_match_of_long_games_is_smaller_than_a_megabyte() -> None:
    games = [played(BACKGAMMON, seed, turns=60) for seed in range(49)]
    long = matchtext.record(games, length=25)
    assert sum(len(game.turns) for game in long.games) > 2500
    assert len(html.game(long).encode()) < 1_000_000


@given(positions(), st.integers(0, 1))
@settings(max_examples=30)
def test_a_game_from_any_position_and_from_either_side_has_a_page(position: Position, side: int) -> None:
    game = Game(position.rules, np.random.default_rng(1), start=position)
    while game.outcome is None and len(game.turns) < 4:
        game.roll()
        game.push(game.plays[-1])
    if not game.turns:
        return
    data = data_of(html.game(game, side=side))
    assert data["side"] == side
    assert len(data["turns"]) == len(game.turns) + 1


def test_one_game_of_a_match_has_a_page() -> None:
    page = html.game(match().games[1], names=("Ann", "Ben"))
    assert [link["id"] for link in Elements(page).all("a")] == [f"g2t{turn}" for turn in range(1, 5)]


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"game": None}, TypeError, "game must be a Game, a Match or a MatchGame, not None"),
        ({"game": matchtext.MatchGame(1, (0, 0), ())}, ValueError, "a game has no page before its first turn"),
        ({"game": match(), "side": 2}, ValueError, "side must be WHITE (0) or BLACK (1), not 2"),
        ({"game": match(), "names": "ab"}, TypeError, "names must be two texts, not 'ab'"),
    ],
)
def test_a_bad_argument_is_named_with_its_value(arguments: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=re.escape(sentence)):
        html.game(**arguments)


def test_a_game_that_has_not_begun_has_a_page_without_turns() -> None:
    assert data_of(html.game(Game(), side=BLACK))["turns"] == []
