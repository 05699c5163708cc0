"""The historic reading of Tabula, and the throw of Emperor Zeno in AD 480 that it is chosen to explain."""

import dataclasses

import pytest
from support.engines import Engine
from support.tracks import WAITING, side

from tabula import TABULA, TABULA_HISTORIC, InvalidPositionError, Position
from tabula.dice import all_rolls

ZENO = {6: 7, 9: 1, 10: 2, 19: 2, 20: 2, 23: 1}
HIS_OPPONENT = {8: 2, 11: 2, 12: 2, 13: 1, 14: 2, 15: 2, 18: 2, 21: 2}


def test_the_historic_rules_are_tabula_but_for_four_fields() -> None:
    assert dataclasses.replace(TABULA, stack_limit=None, enter_first=True, home_start=19, gates="move") == TABULA_HISTORIC


def test_waiting_checkers_enter_first(engine: Engine) -> None:
    assert engine.ends(TABULA_HISTORIC, WAITING, WAITING, "652") == (3, {(side({0: 12, 2: 1, 5: 1, 6: 1}), WAITING)})


def test_a_point_may_hold_any_number(engine: Engine) -> None:
    assert engine.refusal(TABULA_HISTORIC, side({1: 1, 7: 14}), WAITING, "611", [(1, 6), (7, 1), (7, 1)]) is None


def test_checkers_are_borne_off_once_all_stand_on_the_last_six_points(engine: Engine) -> None:
    assert engine.refusal(TABULA_HISTORIC, side({18: 1, 24: 1}), WAITING, "111", [(24, 1), (18, 1), (19, 1)]) == (
        "24/off with a 1 cannot be made: bearing off needs every checker on 19 to 24"
    )
    assert engine.refusal(TABULA_HISTORIC, side({18: 1, 24: 1}), WAITING, "111", [(18, 1), (24, 1), (19, 1)]) is None


def test_the_second_half_opens_as_soon_as_the_last_checker_has_entered(engine: Engine) -> None:
    assert engine.refusal(TABULA_HISTORIC, side({0: 1, 12: 1}), WAITING, "321", [(0, 2), (12, 3), (15, 1)]) is None


def test_zenos_throw_has_one_play_and_leaves_eight_blots(engine: Engine) -> None:
    mover, other = side(ZENO), side(HIS_OPPONENT)
    dice_used, shown = engine.moves_shown(TABULA_HISTORIC, mover, other, "256")
    assert dice_used == 3
    ((after, other_after),) = shown
    assert after == side({6: 7, 9: 1, 10: 1, 16: 1, 19: 1, 20: 1, 22: 1, 23: 1, 24: 1})
    assert other_after == other
    assert after[1:25].count(1) == 8


def test_zenos_play_is_written_10_16_19_24_20_22() -> None:
    (play,) = Position.from_points(ZENO, HIS_OPPONENT, rules=TABULA_HISTORIC).plays("2-5-6")
    assert str(play) == "10/16 19/24 20/22"


def test_just_six_of_the_56_rolls_leave_zeno_one_play(engine: Engine) -> None:
    rolls = ["".join(map(str, roll)) for roll in all_rolls(3)]
    assert len(rolls) == 56
    forced = {roll for roll in rolls if len(engine.ends(TABULA_HISTORIC, side(ZENO), side(HIS_OPPONENT), roll).states) == 1}
    assert {"".join(sorted(roll)) for roll in forced} == {"222", "255", "256", "555", "556", "666"}


def test_zenos_board_is_no_position_of_tabula() -> None:
    with pytest.raises(InvalidPositionError, match=r"^mover has 7 checkers on point 6, and at most 5 may stand on one$"):
        Position.from_points(ZENO, HIS_OPPONENT, rules=TABULA)
