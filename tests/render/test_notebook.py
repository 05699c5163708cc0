"""What a notebook shows of a position, a play and plays."""

import sys
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from golden_boards import ALL_OFF, SHUT_OUT, ZENO

from tabula import WHITE, Position
from tabula.game import Game
from tabula.notation import matchtext
from tabula.playouts import playouts
from tabula.render import svg
from tabula.render.html import table


def test_a_position_shows_its_board() -> None:
    assert ZENO._repr_svg_() == svg.board(ZENO, size=560)


def test_a_play_shows_the_board_it_starts_from_with_arrows() -> None:
    play = ZENO.plays("256")[0]
    assert play._repr_svg_() == svg.board(ZENO, play=play, size=560)


def test_a_game_shows_the_board_now_with_the_last_play_or_the_roll_to_play() -> None:
    game = Game()
    assert game._repr_svg_() == svg.board(game.start, side=WHITE, size=560)
    game.push(game.position.plays("652")[0])
    assert game._repr_svg_() == svg.board(game.position, play=game.turns[-1].play, side=WHITE, size=560)
    game.roll("641")
    assert game._repr_svg_() == svg.board(game.position, roll="641", side=WHITE, size=560)


def test_a_game_that_was_read_shows_the_board_after_its_last_turn() -> None:
    (game,) = matchtext.read(" Game 1\n Ann : 0      Ben : 0\n 1) 31: 8/5 6/5    42: 8/4 6/4\n").games
    last = game.turns[-1]
    picture = game._repr_svg_()
    assert picture is not None
    assert "played 8/4 6/4" in picture
    assert ElementTree.fromstring(picture).get("width") == "560"
    assert last.after is not None
    assert matchtext.MatchGame(1, (0, 0), ())._repr_svg_() is None


def test_playouts_show_their_plot_where_matplotlib_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    played = playouts(Position(), 20, rng=np.random.default_rng(1))
    assert "<svg" in (played._repr_svg_() or "")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert played._repr_svg_() is None


def page(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(html)


def test_plays_show_a_table_of_small_boards_with_their_texts() -> None:
    plays = Position().plays("652")
    html = plays._repr_html_()
    assert html == table(plays)
    cells = list(page(html).iter("td"))
    assert len(cells) == len(plays) == 4
    for index, (cell, play) in enumerate(zip(cells, plays, strict=True)):
        assert "".join(cell.itertext()).endswith(f"{index}: {play}")
        assert len(list(cell.iter("{http://www.w3.org/2000/svg}svg"))) == 1
    assert page(html).findtext("p") == "4 plays of 6-5-2"


def test_of_many_plays_the_first_are_shown_and_the_rest_counted() -> None:
    plays = ZENO.plays("321")
    assert len(plays) > 24
    root = page(plays._repr_html_())
    assert len(list(root.iter("td"))) == 24
    assert root.findall("p")[-1].text == f"and {len(plays) - 24} more"
    assert len(list(page(plays[:24]._repr_html_()).iter("p"))) == 1


def test_a_pass_is_one_board_and_a_finished_game_none() -> None:
    assert "0: pass" in "".join(page(SHUT_OUT.plays("61")._repr_html_()).itertext())
    assert page(ALL_OFF.plays("61")._repr_html_()).findtext("p") == "0 plays of 6-1"


def test_what_is_not_plays_is_refused() -> None:
    nothing: Any = None
    with pytest.raises(TypeError, match="plays must be Plays, not None"):
        table(nothing)
