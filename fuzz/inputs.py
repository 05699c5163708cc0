"""The input of people and programs: texts, arrays, pickles and fields of rules, most of them wrong.

Each function takes a source of random numbers, tries some inputs, and returns their number. An input may raise an error that the
documentation names, with a message that UTF-8 can encode; any other error is a find.
"""

from __future__ import annotations

import contextlib
import io
import pickle
import pickletools
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzz.boards import any_position, any_positions, any_rules
from tabula import (
    AmbiguousPlayError,
    IllegalPlayError,
    InvalidPositionError,
    InvalidTextError,
    Play,
    Plays,
    Position,
    Rules,
    batch,
    dice,
    features,
    reference,
)
from tabula.game import Game
from tabula.notation import matchtext
from tabula.rules import PRESETS, TRACK

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "notation"))
from parsers import SEEDS, feed

REFUSALS = (TypeError, ValueError, IndexError, InvalidTextError, InvalidPositionError, IllegalPlayError, AmbiguousPlayError)


def refused(call: Callable[[], Any]) -> Any:
    """What a call returns, or None if it raises one of `REFUSALS`, whose message must be one that UTF-8 can encode."""
    try:
        return call()
    except REFUSALS as error:
        str(error).encode("utf-8")
    return None


# --------------------------------------------------------------------------------------------------------------------- texts


def changed_text(source: random.Random) -> str:
    """A valid text with changes, or two texts joined."""
    text = list(source.choice(SEEDS))
    for _ in range(source.randint(1, 8)):
        at = source.randrange(len(text) + 1)
        put = source.choice(("", source.choice("0123456789:/*()-,\n Aa"), chr(source.randrange(0x3000)), *SEEDS))
        text[at : at + source.randint(0, 3)] = put
    return "".join(text)


def texts(source: random.Random) -> int:
    """Changed texts for every parser; those that need rules get any rules."""
    text = matchtext.decode(source.randbytes(source.randrange(200))) if source.random() < 0.1 else changed_text(source)
    feed(text)
    rules = any_rules(source)
    position = Position.from_tracks(*any_position(source, rules), rules=rules)
    sound = position.to_text()
    at = source.randrange(len(sound))
    refused(lambda: Position.from_text(sound[:at] + source.choice("-AaOoXx?9\x00é") + sound[at + 1 :], rules=rules))
    refused(lambda: dice.parse("".join(source.choices("0123456-, ", k=source.randrange(6))), rules.dice))
    roll = source.choice(dice.all_rolls(rules.dice))
    plays = position.plays(roll)
    if plays:
        written = str(source.choice(plays))
        at = source.randrange(len(written) + 1)
        refused(lambda: position.parse_play(written[:at] + source.choice("0129/*()b ") + written[at + 1 :], roll))
        assert str(position.parse_play(written, roll)) == written
    return 5


# -------------------------------------------------------------------------------------------------------------------- arrays

DTYPES = ("i1", "u1", "i2", ">i2", "i4", "i8", ">i8", "u8", "f4", "f8", "c8", "?", "O", "V32", "U2", "M8[s]")


def any_array(source: random.Random, near: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An array like another: with other values, of another type or shape, with strides, with sides swapped, or read-only."""
    rng = np.random.default_rng(source.getrandbits(64))
    made: np.ndarray[Any, Any] = near.copy()
    for _ in range(source.randint(0, 3)):
        kind = source.randrange(9)
        if kind == 0 and made.size and made.dtype.kind in "iu":
            low, high = np.iinfo(made.dtype).min, np.iinfo(made.dtype).max
            made = made.copy()
            flat = made.reshape(-1)
            flat[rng.integers(0, flat.size, source.randint(1, 4))] = source.choice((low, high, 0, 1, min(high, 15)))
        elif kind == 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # numpy warns where a part of each number is lost
                try:
                    made = made.astype(np.dtype(source.choice(DTYPES)))
                except (TypeError, ValueError, RuntimeError):  # numpy does not have this one
                    continue
        elif kind == 2:
            made = made[::-1]
        elif kind == 3:
            made = made[..., ::-1] if source.random() < 0.5 else made[::2]
        elif kind == 4:
            made = made.T if source.random() < 0.5 else np.asfortranarray(made)
        elif kind == 5:
            made = made.reshape(-1)[: source.randrange(made.size + 1)]
        elif kind == 6:
            made = np.broadcast_to(made[:1], made.shape) if made.ndim and len(made) else made
        elif kind == 7:
            made = made.view()
            made.flags.writeable = False
        else:
            made = np.frombuffer(b"\0" + made.tobytes(), np.uint8)[1:].view(near.dtype) if near.dtype.itemsize == 1 else made
            if made.size == near.size:
                made = made.reshape(near.shape)
    return made


def arrays(source: random.Random) -> int:
    """Arrays of any kind for `Position.from_array` and every function of `batch` and `features`, checked and unchecked."""
    rules = any_rules(source)
    n = source.choice((0, 1, 2, 7))
    good = any_positions(source, rules, n)
    rng = np.random.default_rng(source.getrandbits(64))
    # with the right number of checkers and otherwise anything: what unchecked positions may be
    wild = np.array([[np.bincount(rng.integers(0, TRACK, rules.checkers), minlength=TRACK) for _ in range(2)] for _ in range(n)])
    positions = any_array(source, source.choice((good, wild.astype(np.int8).reshape(-1, 2, TRACK))))
    rolls = any_array(source, batch.roll(n, rng=rng, rules=rules))
    keys = any_array(source, batch.pack(good, rules=rules))
    index = any_array(source, rng.integers(-2, 40, n))
    options: dict[str, Any] = {"rules": rules, "threads": source.choice((1, 2)), "check": source.random() < 0.5}
    out = any_array(source, np.zeros((source.choice((0, 3, 5000)), 2, TRACK), np.int8))
    if source.random() < 0.3 and positions.dtype == np.int8:
        out = positions if source.random() < 0.5 else positions[1:]
    encoder = source.choice(("raw", "tesauro", "unary"))
    near = np.zeros((n, features.width(encoder, rules=rules)), np.float32)
    encoded = any_array(source, near)
    calls: tuple[Callable[[], Any], ...] = (
        lambda: batch.afterstates(positions, rolls, **options),
        lambda: batch.afterstates(positions, rolls, out=out, **options),
        lambda: batch.all_rolls(positions, **options),
        lambda: batch.counts(positions, rolls, **options),
        lambda: batch.counts(positions, None, **options),
        lambda: batch.moves(positions, rolls, **options),
        lambda: batch.play(positions, rolls, index, **options),
        lambda: batch.random_play(positions, rolls, rng=rng, **options),
        lambda: batch.outcome(positions, **options),
        lambda: batch.pack(positions, **options),
        lambda: batch.unpack(keys, **options),
        lambda: batch.swap_sides(positions),
        lambda: batch.validate(positions, rules=rules),
        lambda: batch.afterstates(good, batch.roll(n, rng=rng, rules=rules), rules=rules).best(index),
        lambda: batch.start(n, rules=rules),
        lambda: features.raw(positions, **options),
        lambda: features.tesauro(positions, **options),
        lambda: features.unary(positions, **options),
        lambda: features.tabula(positions, **options),
        lambda: features.swap_sides(encoded, encoder, rules=rules),
        lambda: getattr(features, encoder)(positions, out=encoded, **options),
        lambda: features.swap_sides(
            encoded, encoder, rules=rules, out=encoded if source.random() < 0.5 else any_array(source, near)
        ),
        lambda: Position.from_array(positions, rules=rules),
        lambda: Position.from_array(positions[0] if positions.ndim and len(positions) else positions, rules=rules),
    )
    for call in calls:
        refused(call)
    return len(calls)


# ------------------------------------------------------------------------------------------------------------------- pickles

HARMLESS = {("copyreg", "_reconstructor"), ("builtins", "object"), ("builtins", "object.__new__"), ("builtins", "getattr")}


class Narrow(pickle.Unpickler):
    """Finds only the classes and functions that the package's pickles name; other names are pickle's matter."""

    def find_class(self, module: str, name: str) -> Any:
        """The class or function of that name."""
        if module.partition(".")[0] == "tabula" or (module, name) in HARMLESS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


class Stated:
    """An object whose pickle makes a `Rules` without calling it, and then sets fields."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    def __reduce__(self) -> tuple[Any, ...]:
        return object.__new__, (Rules,), self.fields


TORN = (
    *REFUSALS,
    pickle.UnpicklingError,
    EOFError,
    AttributeError,
    KeyError,
    ImportError,
    OverflowError,
    MemoryError,
    RecursionError,
)
"""The errors of `pickle` itself for bytes that are not a pickle."""


def _odd(source: random.Random, value: Any) -> Any:
    """A value like this one, or of another kind."""
    if isinstance(value, tuple) and value and source.random() < 0.7:
        at = source.randrange(len(value))
        return (*value[:at], _odd(source, value[at]), *value[at + 1 :])
    if isinstance(value, dict) and value and source.random() < 0.8:
        return value | {source.choice(sorted(value)): _odd(source, 3)}
    if isinstance(value, str) and value and source.random() < 0.7:
        at = source.randrange(len(value))
        return value[:at] + source.choice("aAoO-z0") + value[at + 1 :]
    return source.choice((0, -1, 1, 3, 2**31, -(2**63), 2**64, None, "", "x", (), b"\0", 1.5, [], {}, Rules, Position()))


def _look(value: Any) -> None:
    """Uses an object from a pickle, which must be complete."""
    if isinstance(value, Position | Plays | Play | Rules):
        repr(value), hash(value)
    if isinstance(value, Position):
        roll = (6, 5, 4)[: value.rules.dice]
        assert value.count(roll) == len(value.plays(roll))
        assert value.swap_sides().swap_sides() == value


def _asks_for_a_huge_memo(data: bytes) -> bool:
    """Whether pickle itself would fill gigabytes: it makes a list as long as the largest index that an object is stored at."""
    with contextlib.suppress(Exception):  # the unpickler refuses what is torn
        return any(code.name in ("PUT", "LONG_BINPUT") and argument > 1 << 20 for code, argument, _ in pickletools.genops(data))
    return False


def pickles(source: random.Random) -> int:
    """Pickles with changed bytes, and the functions that pickles call with changed arguments."""
    rules = any_rules(source)
    position = Position.from_tracks(*any_position(source, rules), rules=rules)
    plays = position.plays(source.choice(dice.all_rolls(rules.dice)))
    things: list[Any] = [position, plays, plays[::-2], rules, Game(rules), *plays[:1], *PRESETS.values()]
    done = 0
    for _ in range(20):
        thing = source.choice(things)
        if source.random() < 0.5:
            data = bytearray(pickle.dumps(thing, source.randint(0, 5)))
            for _ in range(source.randint(1, 3)):
                data[source.randrange(len(data))] = source.randrange(256)
            if _asks_for_a_huge_memo(bytes(data)):
                continue
            try:
                value = Narrow(io.BytesIO(bytes(data))).load()
            except TORN:
                value = None
        else:
            reduced = thing.__reduce_ex__(4)
            if isinstance(reduced, str) or (len(reduced) > 2 and reduced[2] is not None):
                continue
            arguments = _odd(source, reduced[1])
            value = refused(lambda: reduced[0](*arguments))  # noqa: B023 - called at once
        with contextlib.suppress(RecursionError):  # a pickle may refer to itself
            _look(value)
        done += 1
    # fields set without the constructor: by the state that a pickle has for an object, and by its `__dict__`
    fields = dict(_fields(source))
    assert refused(lambda: Narrow(io.BytesIO(pickle.dumps(Stated(fields)))).load()) is None or not fields
    made = Rules.__new__(Rules)
    made.__dict__.update(fields)
    refused(lambda: _look(Position(made)))
    return done + 2


# --------------------------------------------------------------------------------------------------------------------- rules


def _fields(source: random.Random) -> Iterator[tuple[str, Any]]:
    odd = (None, True, False, 0, 1, 2, 3, 7, 15, 16, -1, 24, 25, 2**40, 1.0, "once", "twice", "turn", "move", "same", "opposed", "")
    for name in any_rules(source).to_dict():
        if source.random() < 0.3:
            yield name, source.choice(odd)
    if source.random() < 0.5:
        track = [0] * TRACK
        for _ in range(source.randint(0, 16)):
            track[source.randrange(TRACK)] += source.choice((1, 1, 1, -1, 5))
        yield "setup", source.choice((tuple(track), track, track[:-1], track * 50, "x" * TRACK, track[0]))


def rules(source: random.Random) -> int:
    """Fields of every kind: an error, or rules under which both generators agree at the start of a game."""
    fields = dict(_fields(source))
    made = refused(lambda: Rules.from_dict(any_rules(source).to_dict() | fields))
    if made is None:
        return 1
    assert Rules.from_dict(made.to_dict()) == made
    start = Position(made)
    roll = source.choice(dice.all_rolls(made.dice))
    expected = reference.generate(made, made.setup, made.other_setup, roll)
    plays = start.plays(roll)
    assert {(play.position.other, play.position.mover) for play in plays} == set(expected.afterstates)
    assert plays.dice_used == expected.dice_used
    assert start.count(roll) == len(plays)
    return 1
