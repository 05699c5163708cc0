"""Rolls: all of them, their chances, reading and throwing them, and the opening."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from tabula import BACKGAMMON, BLACK, TABULA, WHITE, Rules
from tabula.dice import all_rolls, chances, opening, parse, throw, to_text

every_number = pytest.mark.parametrize("dice", [1, 2, 3])


@pytest.mark.parametrize(("dice", "number"), [(1, 6), (2, 21), (3, 56)])
def test_all_rolls_are_each_once_the_largest_die_first_in_ascending_order(dice: int, number: int) -> None:
    rolls = all_rolls(dice)
    assert len(rolls) == len(set(rolls)) == number
    assert list(rolls) == sorted(rolls)
    assert all(roll == tuple(sorted(roll, reverse=True)) for roll in rolls)
    assert set(rolls) == {tuple(sorted(faces, reverse=True)) for faces in product(range(1, 7), repeat=dice)}


@every_number
def test_chances_are_exact_and_sum_to_one(dice: int) -> None:
    assert sum(chances(dice).values()) == 1
    assert all(isinstance(chance, Fraction) for chance in chances(dice).values())
    assert tuple(chances(dice)) == all_rolls(dice)


@every_number
def test_chances_are_those_of_fair_dice(dice: int) -> None:
    throws = Counter(tuple(sorted(faces, reverse=True)) for faces in product(range(1, 7), repeat=dice))
    assert chances(dice) == {roll: Fraction(times, 6**dice) for roll, times in throws.items()}


def test_chances_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        chances(2)[1, 1] = Fraction(1)  # type: ignore[index]


@pytest.mark.parametrize(
    "roll", ["652", "256", "6-5-2", "2-5-6", (6, 5, 2), [2, 5, 6], (5, 6, 2), np.array([5, 2, 6]), iter([2, 6, 5])]
)
def test_a_roll_is_read_in_any_form_and_any_order(roll: Any) -> None:
    assert parse(roll, 3) == (6, 5, 2)


@every_number
def test_every_roll_is_read_back_from_its_text(dice: int) -> None:
    for roll in all_rolls(dice):
        assert parse(to_text(roll), dice) == roll
        assert parse(to_text(roll).replace("-", ""), dice) == roll
        assert parse(roll, dice) == roll


def test_a_roll_read_is_of_plain_integers() -> None:
    assert [type(die) for die in parse(np.array([5, 2, 6], np.int8), 3)] == [int, int, int]


@pytest.mark.parametrize(
    ("roll", "dice", "sentence"),
    [
        ("65", 3, "a roll of this game has 3 dice, not 2: '65'"),
        ("652", 2, "a roll of this game has 2 dice, not 3: '652'"),
        ("65", 1, "a roll of this game has 1 die, not 2: '65'"),
        ("", 1, "a roll of this game has 1 die, not 0: ''"),
        ((), 2, "a roll of this game has 2 dice, not 0: ()"),
        ("650", 3, "a die must be 1..6, not 0: '650'"),
        ("7", 1, "a die must be 1..6, not 7: '7'"),
        ((7, 1), 2, "a die must be 1..6, not 7: (7, 1)"),
        ((0, 1), 2, "a die must be 1..6, not 0: (0, 1)"),
        ((-1, 1), 2, "a die must be 1..6, not -1: (-1, 1)"),
        ((10**30, 1), 2, f"a die must be 1..6, not {10**30}: ({10**30}, 1)"),
        ("6;5;2", 3, "a roll is written like 652 or 6-5-2, not '6;5;2'"),
        ("6/5", 2, "a roll is written like 65 or 6-5, not '6/5'"),
        ("six", 3, "a roll is written like 652 or 6-5-2, not 'six'"),
        ("6-52", 3, "a roll is written like 652 or 6-5-2, not '6-52'"),
        ("-6-5-2", 3, "a roll is written like 652 or 6-5-2, not '-6-5-2'"),
        ("6-5-", 3, "a roll is written like 652 or 6-5-2, not '6-5-'"),
        ("٦٥٢", 3, "a roll is written like 652 or 6-5-2, not '٦٥٢'"),
        ("²¹¹", 3, "a roll is written like 652 or 6-5-2, not '²¹¹'"),
        ("652\n", 3, "a roll is written like 652 or 6-5-2, not '652\\n'"),
    ],
)
def test_what_is_no_roll_is_refused(roll: Any, dice: int, sentence: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the sentence is compared whole
        parse(roll, dice)
    assert type(refused.value) is ValueError
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    "roll",
    [None, 6, 6.5, b"65", bytearray(b"65"), {6: 1, 5: 2}, object(), (6, None), (6, 5.0), (6, "5"), (True, 5), np.array([6.0, 5.0])],
)
def test_a_roll_of_a_wrong_type_is_refused(roll: Any) -> None:
    with pytest.raises(TypeError, match=r"^a (roll|die) must be "):
        parse(roll, 2)


@every_number
def test_throws_are_those_of_fair_dice_and_repeat_with_the_seed(dice: int) -> None:
    number = 30_000
    rng = np.random.default_rng(7)
    throws = Counter(throw(rng, dice) for _ in range(number))
    for roll, chance in chances(dice).items():
        expected = float(chance) * number
        assert abs(throws[roll] - expected) < 5 * expected**0.5
    again = np.random.default_rng(7)
    first = [throw(again, dice) for _ in range(20)]
    again = np.random.default_rng(7)
    assert [throw(again, dice) for _ in range(20)] == first
    assert all(type(die) is int for roll in first for die in roll)


def test_the_opening_is_never_a_tie_and_both_sides_start_as_often() -> None:
    rng = np.random.default_rng(3)
    openings = [opening(rng, BACKGAMMON) for _ in range(6_000)]
    assert all(roll[0] > roll[1] for _, roll in openings)
    turns = Counter(turn for turn, _ in openings)
    assert set(turns) == {WHITE, BLACK}
    assert abs(turns[WHITE] - turns[BLACK]) < 500


class Scripted:
    """A generator that throws what it is told to."""

    def __init__(self, *dice: int) -> None:
        self.dice = list(dice)

    def integers(self, low: int, high: int, size: int) -> np.ndarray:
        assert (low, high) == (1, 7)
        thrown, self.dice = self.dice[:size], self.dice[size:]
        return np.array(thrown)


@pytest.mark.parametrize(
    ("rules", "dice", "expected"),
    [
        (BACKGAMMON, (5, 3), (WHITE, (5, 3))),
        (BACKGAMMON, (3, 5), (BLACK, (5, 3))),
        (BACKGAMMON, (4, 4, 6, 6, 1, 2), (BLACK, (2, 1))),
        (TABULA, (5, 3, 1, 1, 6), (WHITE, (6, 1, 1))),
        (TABULA, (2, 2, 3, 5, 2, 4, 2), (BLACK, (4, 2, 2))),
        (Rules(dice=1), (2, 6, 3), (BLACK, (3,))),
    ],
)
def test_the_higher_die_starts_ties_are_thrown_again(
    rules: Rules, dice: tuple[int, ...], expected: tuple[int, tuple[int, ...]]
) -> None:
    rng = Scripted(*dice)
    assert opening(rng, rules) == expected  # type: ignore[arg-type]
    assert rng.dice == []
