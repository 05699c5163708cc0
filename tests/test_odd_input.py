"""Whatever is handed to a public callable, the answer is right or the refusal is one short sentence of the right kind."""

import dataclasses
import itertools
import pickle
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tabula import (
    BACKGAMMON,
    TABULA,
    IllegalPlayError,
    InvalidPositionError,
    Move,
    Position,
    Rules,
    dice,
    errors,
    notation,
)
from tabula.game import Game
from tabula.notation import matchtext
from tabula.notation.gnubg import gnubg_id, match_id
from tabula.notation.play_read import parse_play
from tabula.notation.xg import xgid
from tabula.render import svg
from tabula.render.text import board

START = Position()
PLAYS = START.plays("652")
EMPTY = TABULA.setup


class Unspeakable:
    """A value that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no words for it")


def nested(depth: int) -> list[Any]:
    made: list[Any] = []
    for _ in range(depth):
        made = [made]
    return made


VALUES: dict[str, Any] = {
    "None": None,
    "an object": object(),
    "a float": 1.5,
    "not a number": float("nan"),
    "a huge int": 10**30,
    "an int of too many digits": 10**5000,
    "a negative int of too many digits": -(10**5000),
    "a fraction": Fraction(3),
    "a bool": True,
    "a NumPy bool": np.True_,
    "a NumPy float": np.float64(3),
    "an array of no dimension": np.array(2.5),
    "an array of floats": np.zeros(26),
    "an array of two dimensions": np.zeros((26, 2), np.int8),
    "an array of objects": np.array([None, "x", 2], object),
    "an array of records": np.zeros(3, [("a", "i4")]),
    "bytes": b"652",
    "a bytearray": bytearray(b"652"),
    "a memoryview": memoryview(b"652"),
    "an empty text": "",
    "a surrogate": "\ud800",
    "NULs": "\0\0\0",
    "a megabyte": "x" * 1_000_000,
    "digits of another script": "\u0666\u0665\u0662",
    "many moves": [(0, 1)] * 100_000,
    "lists in lists": nested(500),
    "what cannot be shown": Unspeakable(),
    "a list of what cannot be shown": [Unspeakable()] * 3,
    "a list of lists": [[], [], []],
    "a mapping": {"a": "b"},
    "no end": itertools.count(7),
    "a class": int,
    "a slice": slice(None),
}


def from_points(**told: Any) -> Position:
    return Position.from_points(**{"mover": {1: 1}, "other": {2: 1}, "rules": TABULA, "bar": (14, 14)} | told)


def from_tracks(**told: Any) -> Position:
    return Position.from_tracks(**{"mover": EMPTY, "other": EMPTY, "rules": TABULA} | told)


CALLS: dict[str, Callable[[Any], Any]] = {
    **{f"Rules({field.name}=)": lambda value, name=field.name: Rules(**{name: value}) for field in dataclasses.fields(Rules)},
    "Rules.from_dict": Rules.from_dict,
    "Rules.number": TABULA.number,
    "Rules.label": BACKGAMMON.label,
    "Rules.facing": BACKGAMMON.facing,
    **{f"from_tracks({name}=)": lambda value, name=name: from_tracks(**{name: value}) for name in ("mover", "other", "turn")},
    "from_tracks, a count": lambda value: from_tracks(mover=[value, *EMPTY[1:]]),
    **{f"from_points({name}=)": lambda value, name=name: from_points(**{name: value}) for name in ("mover", "turn", "bar", "off")},
    "from_points, a count": lambda value: from_points(mover={1: value}),
    "from_array": lambda value: Position.from_array(value, rules=TABULA),
    "from_text": Position.from_text,
    "plays": START.plays,
    "plays, a die": lambda value: START.plays((value, 5, 2)),
    "count": Position(BACKGAMMON).count,
    "apply, moves": lambda value: START.apply(value, "652"),
    "apply, a move": lambda value: START.apply([value], "652"),
    "apply, a source": lambda value: START.apply([(value, 6)], "652"),
    "apply, a die": lambda value: START.apply([(0, value)], "652"),
    "index": PLAYS.index,
    "after": PLAYS.after,
    "parse_play": lambda value: START.parse_play(value, "652"),
    "parse_play(hits=)": lambda value: START.parse_play("bar/6", "652", hits=value),
    "parse_play of a position": lambda value: parse_play(value, "bar/6", "652"),
    "dice.parse, how many": lambda value: dice.parse("652", value),
    "all_rolls": dice.all_rolls,
    "chances": dice.chances,
    "throw": lambda value: dice.throw(value, 3),
    "opening": lambda value: dice.opening(np.random.default_rng(1), value),
    "notation.read": notation.read,
    "notation.convert(to)": lambda value: notation.convert("4HPwATDgc/ABMA", value),
    "xgid": xgid,
    "xgid(match=)": lambda value: xgid(Position(BACKGAMMON), match=0 if value is None else value),
    "gnubg_id": gnubg_id,
    "match_id": match_id,
    "matchtext.read": matchtext.read,
    "matchtext.read(hits=)": lambda value: matchtext.read(" Game 1\n", hits=0 if value is None else value),
    "Game": Game,
    "Game.open": lambda value: Game().open(value if value is not None else "w"),
    "Game.push": lambda value: Game().push(value),
    "board": board,
    "board(style=)": lambda value: board(START, style=value),
    "svg": svg.board,
    "svg(labels=)": lambda value: svg.board(START, labels=value),
    "svg(colours=)": lambda value: svg.board(START, colours=value),
}

RIGHT = {
    *((f"Rules({name}=)", "None") for name in ("stack_limit", "setup_other", "head_limit", "runner")),
    *((f"Rules({name}=)", "a bool") for name in ("enter_first", "half_gate", "larger_die")),
    *(("Rules(name=)", name) for name in ("an empty text", "a surrogate", "NULs", "a megabyte", "digits of another script")),
}
"""What is no odd input after all."""


def refusal(call: Callable[[Any], Any], value: Any) -> Exception | None:
    """What a value is refused with; None if it is taken."""
    try:
        call(value)
    except (TypeError, ValueError) as error:
        return error
    return None


@pytest.mark.parametrize("call", CALLS)
def test_odd_input_is_refused_by_one_short_sentence(call: str) -> None:
    for name, value in VALUES.items():
        refused = refusal(CALLS[call], value)
        assert (refused is None) == ((call, name) in RIGHT), name
        if refused is None:
            continue
        sentence = str(refused)
        assert type(refused).__module__ in ("builtins", "tabula.errors"), (name, refused)
        assert 10 < len(sentence) < 500, (name, sentence)
        assert sentence.isprintable(), (name, sentence)
        assert "ambiguous. Use" not in sentence, (name, "an array was compared")
        if value is None or isinstance(value, float | Fraction):
            assert type(refused) is TypeError, (name, sentence)


def test_a_value_is_shown_on_one_line_and_cut() -> None:
    assert errors.short_repr(np.zeros((3, 3), int)) == "array([[0, 0, 0], [0, 0, 0], [0, 0, 0]])"
    assert errors.short_repr("a\nb") == "'a\\nb'"
    assert errors.short_repr("x" * 70) == f"'{'x' * 60}'..."
    assert errors.short_repr(Unspeakable()) == "a value of the type Unspeakable"
    assert errors.short_repr(10**5000) == "a value of the type int"


@pytest.mark.parametrize("index", [-1, 26, 10**30])
def test_a_track_index_must_be_one(index: int) -> None:
    for method in (TABULA.number, BACKGAMMON.label):
        with pytest.raises(ValueError, match=rf"^index must be 0\.\.25, not {index}$"):
            method(index)


@pytest.mark.parametrize("point", [-1, 0, 25])
def test_only_a_point_faces_a_point(point: int) -> None:
    with pytest.raises(ValueError, match=rf"^point must be 1\.\.24, not {point}$"):
        BACKGAMMON.facing(point)


def test_dice_are_one_to_three() -> None:
    for call in (dice.all_rolls, dice.chances, lambda number: dice.parse("6" * 4, number)):
        for number in (0, 4):
            with pytest.raises(ValueError, match=rf"^dice must be 1\.\.3, not {number}$"):
                call(number)


def test_a_roll_without_end_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^a roll of this game has 3 dice, not more than 20: repeat\(6\)$"):
        START.plays(itertools.repeat(6))


def test_moves_without_end_are_refused() -> None:
    with pytest.raises(IllegalPlayError, match=r"^bar/6 needs another 6, and the roll is 6-5-2$"):
        START.apply(itertools.repeat((0, 6)), "652")
    assert itertools.repeat((0, 6)) not in PLAYS


def test_moves_are_in_an_order_so_that_a_set_is_none() -> None:
    for moves in ({(0, 6), (0, 5), (0, 2)}, {(0, 6): 1}):
        with pytest.raises(TypeError, match=r"^moves must be a sequence of Move or "):
            START.apply(moves, "652")
        assert moves not in PLAYS


def test_any_iterable_of_dice_or_moves_is_read() -> None:
    for roll in ([6, 5, 2], deque((2, 5, 6)), iter((5, 6, 2)), {6, 5, 2}, np.array([2, 6, 5], np.uint8), (np.int64(6), 5, 2)):
        assert START.plays(roll) == PLAYS
    for moves in (iter([(0, 6), (0, 5), (0, 2)]), deque([(0, 6), Move(0, 5, 5), [0, 2]]), np.array([[0, 6], [0, 5], [0, 2]])):
        assert START.apply(moves, "652") in PLAYS


def test_a_point_that_is_told_twice_is_refused() -> None:
    class One:
        def __index__(self) -> int:
            return 1

    with pytest.raises(InvalidPositionError, match=r"^mover has point 1 twice$"):
        from_points(mover={1: 1, One(): 1})


def test_fields_of_rules_are_plain_values_whatever_they_were_told_by() -> None:
    class Word(str):
        __slots__ = ()

    made = Rules(dice=np.int64(2), doubles=Word("twice"), setup=np.array([3] + 25 * [0]).tolist())  # type: ignore[arg-type]
    assert type(made.dice) is int
    assert type(made.doubles) is str
    assert pickle.loads(pickle.dumps(made)) == made


def test_letters_of_texts_depend_on_direction_and_numbering_alone() -> None:
    for home_start, (direction, numbering) in itertools.product(
        range(1, 14), itertools.product(("same", "opposed"), ("up", "down"))
    ):
        rules = Rules(direction=direction, numbering=numbering, home_start=home_start)  # type: ignore[arg-type]
        assert Position.from_text(Position(rules).to_text(), rules=rules) == Position(rules)
