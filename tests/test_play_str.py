"""How a play is written: chains, hits and groups, in the game's own numbering."""

import dataclasses

import pytest
from support.tracks import WAITING, Track, mirrored, side

from tabula import BACKGAMMON, TABULA, Position, Rules


def texts(rules: Rules, mover: Track, other: Track, roll: str) -> set[str]:
    plays = Position.from_tracks(mover, other, rules=rules).plays(roll)
    written = {str(play) for play in plays}
    assert len(written) == len(plays)
    return written


def test_a_pass_is_written_pass() -> None:
    assert texts(TABULA, side({1: 1}), side({2: 2}), "111") == {"pass"}


def test_a_checker_that_moves_on_is_one_chain_from_its_first_source_to_its_last_target() -> None:
    assert texts(TABULA, side({1: 1}), WAITING, "321") == {"1/7"}
    assert texts(BACKGAMMON, mirrored({24: 1}), WAITING, "55") == {"24/4"}


def test_a_chain_ends_where_it_hits() -> None:
    assert texts(BACKGAMMON, mirrored({24: 1}), mirrored({7: 1}), "65") == {"24/18* 18/13", "24/13"}
    assert texts(TABULA, side({1: 1}), side({3: 1, 5: 1}), "222") == {"1/3* 3/5* 5/7"}
    assert "bar/8* bar/5" in texts(TABULA, WAITING, side({0: 14, 8: 1}), "553")


def test_a_hit_at_the_end_of_a_chain_is_marked() -> None:
    assert texts(TABULA, side({1: 1}), side({7: 1}), "222") == {"1/7*"}


def test_chains_stand_by_source_along_the_track_the_farther_target_first() -> None:
    assert "bar/6 bar/5 bar/2" in texts(TABULA, WAITING, WAITING, "652")
    assert "24/20 13/7" not in texts(BACKGAMMON, BACKGAMMON.setup, BACKGAMMON.setup, "61")
    assert "13/7 8/7" in texts(BACKGAMMON, BACKGAMMON.setup, BACKGAMMON.setup, "61")
    assert "24/23 13/7" in texts(BACKGAMMON, BACKGAMMON.setup, BACKGAMMON.setup, "61")


def test_bar_and_off_are_named() -> None:
    assert texts(TABULA, side({0: 1}), WAITING, "111") == {"bar/3"}
    assert texts(TABULA, side({22: 1}), WAITING, "111") == {"22/off"}
    assert texts(BACKGAMMON, mirrored({25: 1}), WAITING, "21") == {"bar/22"}
    assert texts(BACKGAMMON, mirrored({3: 1}), WAITING, "21") == {"3/off"}


def test_equal_chains_are_grouped() -> None:
    assert "bar/1(3)" in texts(TABULA, WAITING, WAITING, "111")
    assert "13/11(2) 6/4(2)" in texts(BACKGAMMON, BACKGAMMON.setup, BACKGAMMON.setup, "22")
    assert "13/7(2)" not in texts(BACKGAMMON, BACKGAMMON.setup, BACKGAMMON.setup, "66")
    assert "24/18(2) 13/7(2)" in texts(BACKGAMMON, BACKGAMMON.setup, BACKGAMMON.setup, "66")


def test_equal_chains_of_which_the_first_hits_are_one_group_with_one_star() -> None:
    assert "6/4*(2)" in texts(BACKGAMMON, mirrored({6: 2}), mirrored({21: 1}), "11")
    assert "bar/2*(2) bar/1" in texts(TABULA, WAITING, side({0: 14, 2: 1}), "221")


def test_a_move_joins_the_earliest_chain_that_ends_at_its_source() -> None:
    assert texts(TABULA, side({1: 1, 3: 1}), WAITING, "642") >= {"1/11 3/5"}
    assert "1/5 3/11" not in texts(TABULA, side({1: 1, 3: 1}), WAITING, "642")


def test_points_are_named_in_the_movers_own_numbering_whoever_moves() -> None:
    for position in (Position(BACKGAMMON), Position(BACKGAMMON).swap_sides()):
        assert "8/5 6/5" in {str(play) for play in position.plays("31")}


@pytest.mark.parametrize(("numbering", "text"), [("up", "1/3* 3/5 20/22"), ("down", "24/22* 22/20 5/3")])
@pytest.mark.parametrize("direction", ["same", "opposed"])
def test_numbering_names_points_whatever_the_direction(numbering: str, text: str, direction: str) -> None:
    rules = dataclasses.replace(TABULA, numbering=numbering, direction=direction)
    blot = side({rules.facing(3): 1})
    assert text in texts(rules, side({1: 1, 20: 1}), blot, "222")
