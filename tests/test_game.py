"""A game as a record: opening, rolls, plays, taking back, outcome."""

import numpy as np
import pytest

from tabula import BACKGAMMON, BLACK, TABULA, WHITE, IllegalPlayError, Position
from tabula.game import Game


def thrower(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_new_game_starts_from_the_setup_with_white() -> None:
    game = Game()
    assert game.position == game.start == Position(TABULA)
    assert (game.rules, game.turns, game.rolled, game.outcome) == (TABULA, (), None, None)
    assert "Game of tabula: 0 turns" in repr(game)


def test_the_opening_of_backgammon_leaves_the_dice_that_were_thrown_for_it() -> None:
    starters = set()
    for seed in range(20):
        game = Game(BACKGAMMON, thrower(seed))
        starters.add(game.open())
        assert game.rolled is not None
        assert game.rolled[0] != game.rolled[1]
        assert game.position.pips == (167, 167)
    assert starters == {WHITE, BLACK}


def test_the_opening_of_tabula_says_who_starts_and_all_dice_are_thrown_anew() -> None:
    game = Game(TABULA, thrower())
    turn = game.open()
    assert game.rolled is None
    assert game.position.turn == turn
    assert len(game.roll()) == 3


def test_who_starts_can_be_given() -> None:
    game = Game(BACKGAMMON)
    assert game.open(BLACK) == BLACK
    assert game.position == Position(BACKGAMMON).swap_sides()
    assert game.rolled is None
    assert game.open(WHITE) == WHITE
    for wrong in (2, -1):
        with pytest.raises(ValueError, match="turn must be WHITE"):
            game.open(wrong)


def test_a_game_is_opened_before_its_first_roll() -> None:
    game = Game(BACKGAMMON)
    game.roll("31")
    with pytest.raises(ValueError, match="opened before its first roll"):
        game.open(BLACK)
    game.push(game.plays[0])
    with pytest.raises(ValueError, match="opened before its first roll"):
        game.open()


def test_a_roll_waits_until_it_is_played() -> None:
    game = Game(BACKGAMMON)
    assert game.roll("13") == (3, 1)
    with pytest.raises(ValueError, match="3-1 is still to be played"):
        game.roll("13")
    with pytest.raises(IllegalPlayError, match="the play is one of 4-2, and the roll is 3-1"):
        game.push(game.position.plays("42")[0])
    play = game.position.parse_play("8/5 6/5", "31")
    assert play in game.plays
    assert game.push(play) == play.position == game.position
    assert game.rolled is None
    with pytest.raises(ValueError, match="there is no roll to play"):
        _ = game.plays


def test_a_play_brings_its_own_roll() -> None:
    game = Game()
    play = game.position.plays("652")[0]
    game.push(play)
    (turn,) = game.turns
    assert (turn.before, turn.roll, turn.play, turn.after) == (Position(), (6, 5, 2), play, play.position)


def test_a_play_of_another_position_is_refused() -> None:
    game = Game()
    play = game.position.plays("652")[0]
    game.push(play)
    with pytest.raises(IllegalPlayError, match="another position"):
        game.push(play)
    with pytest.raises(TypeError, match="needs a Play"):
        game.push(5)
    assert len(game.turns) == 1


def test_turns_can_be_taken_back() -> None:
    game = Game(BACKGAMMON, thrower(3))
    game.open()
    for _ in range(10):
        if game.rolled is None:
            game.roll()
        game.push(game.plays[-1])
    before = [turn.before for turn in game.turns]
    game.roll()
    while game.turns:
        turn = game.pop()
        assert game.position == turn.before == before.pop()
        assert game.rolled is None
    assert game.position == game.start
    with pytest.raises(IndexError, match="no turn to take back"):
        game.pop()


def test_a_game_goes_on_until_a_side_has_won() -> None:
    game = Game(TABULA, thrower(1))
    game.open()
    while game.outcome is None:
        game.roll()
        game.push(game.plays[0])
    assert game.outcome == game.turns[-1].after.outcome
    with pytest.raises(ValueError, match="the game is over"):
        game.roll()
    assert all(turn.after == following.before for turn, following in zip(game.turns, game.turns[1:], strict=False))


def test_a_game_can_be_taken_up_half_way() -> None:
    start = Position.from_points({1: 1}, {12: 1}, rules=BACKGAMMON, off=(14, 14))
    game = Game(BACKGAMMON, start=start)
    game.push(start.plays("21")[0])
    assert game.outcome == (WHITE, 1)
    with pytest.raises(ValueError, match="other rules"):
        Game(TABULA, start=start)


def test_without_a_generator_nothing_is_thrown() -> None:
    game = Game(BACKGAMMON)
    for throw in (game.open, game.roll):
        with pytest.raises(ValueError, match="this game has no rng to throw dice with"):
            throw()


def test_the_same_seed_throws_the_same_game() -> None:
    rolls = []
    for _ in range(2):
        game = Game(TABULA, thrower(11))
        game.open()
        for _ in range(5):
            game.roll()
            game.push(game.plays[0])
        rolls.append([turn.roll for turn in game.turns])
    assert rolls[0] == rolls[1]


def test_types_are_checked() -> None:
    for wrong in ({"rules": "tabula"}, {"rng": 3}, {"start": "x"}):
        with pytest.raises(TypeError, match=next(iter(wrong))):
            Game(**wrong)
    with pytest.raises(ValueError, match="a die must be"):
        Game().roll("777")
    with pytest.raises(TypeError):
        Game().roll(3)
