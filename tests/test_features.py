"""Encoders against slow versions that are written as the documents read, and all that they refuse."""

import dataclasses
import re
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from support.strategies import positions, rolls, rules
from support.tracks import OFF, Track, side

from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, InvalidPositionError, Position, Rules, features
from tabula._native import features as _features

Floats = npt.NDArray[np.float32]
Counts = npt.NDArray[np.int8]

ENCODE: dict[str, Callable[..., Floats]] = {name: getattr(features, name) for name in features.ENCODERS}
POINTS = range(1, 25)
DOCUMENT = Path(__file__).parents[1] / "docs" / "features.md"

every_encoder = pytest.mark.parametrize("encoder", features.ENCODERS)


# ------------------------------------------------------------------------------------------------------------ the literal versions


def raw(rules: Rules, track: Track, _: Track) -> list[float]:
    return [count / rules.checkers for count in track]


def tesauro(_: Rules, track: Track, __: Track) -> list[float]:
    row: list[float] = []
    for point in POINTS:
        n = track[point]
        row += [1 if n >= 1 else 0, 1 if n >= 2 else 0, 1 if n >= 3 else 0, (n - 3) / 2 if n > 3 else 0]
    return [*row, track[0] / 2, track[OFF] / 15]


def unary(rules: Rules, track: Track, _: Track) -> list[float]:
    row: list[float] = []
    for index, n in enumerate(track):
        most = rules.checkers if index in (0, OFF) else min(rules.checkers, rules.stack_limit or rules.checkers)
        row += [1 if n >= unit else 0 for unit in range(1, most + 1)]
    return row


def tabula(rules: Rules, track: Track, _: Track) -> list[float]:
    row: list[float] = []
    for point in POINTS:
        row += [1 if track[point] == n else 0 for n in range(6)]
    half_gate_open = not (rules.half_gate and track[0] > 0)
    bearing_off_open = half_gate_open and not any(track[: rules.home_start])
    pips = sum((25 - index) * n for index, n in enumerate(track))
    return [
        *row,
        track[0] / rules.checkers,
        track[OFF] / rules.checkers,
        1 if half_gate_open else 0,
        1 if bearing_off_open else 0,
        pips / (25 * rules.checkers),
    ]


LITERAL = {"raw": raw, "tesauro": tesauro, "unary": unary, "tabula": tabula}
BEHIND = {"tesauro": [1, 0]}
"""The columns behind those of the two sides."""


def literal(encoder: str, rules: Rules, mover: Track, other: Track) -> list[float]:
    encode = LITERAL[encoder]
    return [*encode(rules, mover, other), *encode(rules, other, mover), *BEHIND.get(encoder, [])]


def by_name(name: str, rules: Rules, mover: Track, other: Track) -> float:
    """What a column's name says."""
    of, _, what = name.partition("_")
    if what == "to_move":
        return of == "mover"
    track = {"mover": mover, "other": other}[of]
    if what == "pips":
        return sum((25 - index) * n for index, n in enumerate(track)) / (25 * rules.checkers)
    half_gate_open = not rules.half_gate or not track[0]
    if what == "half_gate_open":
        return half_gate_open
    if what == "bearing_off_open":
        return half_gate_open and sum(track[rules.home_start :]) == rules.checkers
    place, _, unit = what.partition("_")
    n = track[{"waiting": 0, "off": OFF}[place] if place in ("waiting", "off") else int(place)]
    if unit.startswith("ge"):
        return n >= int(unit[2:])
    if unit.startswith("is"):
        return n == int(unit[2:])
    assert unit in ("", "beyond3")
    return max(0, n - 3) / 2 if unit else n


# -------------------------------------------------------------------------------------------------------------------- the data


@st.composite
def any_rules(draw: st.DrawFn, encoder: str) -> Rules:
    """Rules that an encoder takes."""
    drawn = draw(rules())
    if encoder != "tabula" or drawn.limit <= 5:
        return drawn
    try:
        return dataclasses.replace(drawn, stack_limit=draw(st.integers(1, 5)))
    except ValueError:
        return TABULA


@st.composite
def batches(draw: st.DrawFn, encoder: str, least: int = 0) -> tuple[Rules, list[Position]]:
    drawn = draw(any_rules(encoder))
    return drawn, draw(st.lists(positions(st.just(drawn)), min_size=least, max_size=3))


def arrays(of: list[Position]) -> Counts:
    return np.array([(position.mover, position.other) for position in of], np.int8).reshape(-1, 2, 26)


def some(rules: Rules, n: int, seed: int = 1) -> Counts:
    """Positions of random games, one after another."""
    source = np.random.default_rng(seed)
    found: list[Position] = []
    position = Position(rules)
    while len(found) < min(n, 100):
        found.append(position)
        plays = position.plays(tuple(source.integers(1, 7, rules.dice).tolist()))
        position = plays[source.integers(len(plays))].position if plays else Position(rules)
    return np.resize(arrays(found), (n, 2, 26))


# ---------------------------------------------------------------------------------------------------------------------- values


@every_encoder
@given(data=st.data())
def test_every_column_is_what_the_literal_version_says(encoder: str, data: st.DataObject) -> None:
    rules, of = data.draw(batches(encoder))
    found = ENCODE[encoder](arrays(of), rules=rules)
    expected = [literal(encoder, rules, position.mover, position.other) for position in of]
    assert found.dtype == np.float32
    assert found.shape == (len(of), features.width(encoder, rules=rules))
    assert found.tolist() == np.array(expected, np.float32).reshape(found.shape).tolist()


@every_encoder
@given(data=st.data())
def test_every_column_is_what_its_name_says(encoder: str, data: st.DataObject) -> None:
    rules, of = data.draw(batches(encoder, least=1))
    names = features.columns(encoder, rules=rules)
    assert len(set(names)) == len(names) == features.width(encoder, rules=rules)
    assert all(name.isidentifier() for name in names)
    scale = {"mover_waiting": 2, "other_waiting": 2, "mover_off": 15, "other_off": 15} if encoder == "tesauro" else {}
    divisors = [1 if "_ge" in name or "_is" in name else scale.get(name, rules.checkers) for name in names]
    told = [(name.partition("_")[2].isdigit() or name.endswith(("_waiting", "_off"))) for name in names]
    for row, position in zip(ENCODE[encoder](arrays(of), rules=rules), of, strict=True):
        values = [by_name(name, rules, position.mover, position.other) for name in names]
        expected = [value / by if count else value for value, by, count in zip(values, divisors, told, strict=True)]
        assert row.tolist() == np.array(expected, np.float32).tolist()


def test_the_start_of_backgammon_as_td_gammon_sees_it() -> None:
    row = features.tesauro(arrays([Position(BACKGAMMON)]), rules=BACKGAMMON)[0].tolist()
    units = {0: [1, 1, 0, 0], 11: [1, 1, 1, 1], 16: [1, 1, 1, 0], 18: [1, 1, 1, 1]}
    one = [unit for point in range(24) for unit in units.get(point, [0, 0, 0, 0])] + [0, 0]
    assert row == [*one, *one, 1, 0]


def test_most_checkers_at_one_index() -> None:
    mover, other = side({12: 15}), side({0: 15})
    row = features.tesauro(np.array([[mover, other]], np.int8), rules=BACKGAMMON)[0]
    assert row[44:48].tolist() == [1, 1, 1, 6]
    assert row[98 + 96] == 7.5
    row = features.tesauro(np.array([[side({1: 1}), side({})]], np.int8), rules=BACKGAMMON)[0]
    assert row[97] == np.float32(14 / 15)
    assert row[98 + 97] == 1


@pytest.mark.parametrize(
    ("encoder", "rules", "columns"),
    [
        ("raw", TABULA, 52),
        ("tesauro", BACKGAMMON, 198),
        ("tesauro", TABULA, 198),
        ("unary", TABULA, 300),
        ("unary", BACKGAMMON, 780),
        ("unary", Rules(dice=1, stack_limit=None, setup=(1, *[0] * 25)), 52),
        ("tabula", TABULA, 298),
    ],
)
def test_how_many_columns_there_are(encoder: features.Encoder, rules: Rules, columns: int) -> None:
    assert features.width(encoder, rules=rules) == len(features.columns(encoder, rules=rules)) == columns


def documented(encoder: str) -> list[tuple[str, str]]:
    """The table of an encoder's columns in the document: which columns, and their names."""
    section = DOCUMENT.read_text(encoding="utf-8").split(f"\n### {encoder}\n")[1].split("\n#")[0]
    return re.findall(r"^\| ([^|]*\d[^|]*|[pW][^|]*|C [^|]*) \| (`[^|]*`) \|", section, re.MULTILINE)


@every_encoder
def test_the_document_has_every_column_in_its_place(encoder: features.Encoder) -> None:
    names = features.columns(encoder, rules=TABULA)
    seen: list[int] = []
    for formula, told in documented(encoder):
        # 4p - 4 is 4*p - 4; the first name goes with the first point and unit, the last with the last
        formulas = [re.sub(r"([\d)])([pCLW(])", r"\1*\2", part) for part in formula.split(" .. ")]
        first, last = (told.strip("`").split("` .. `") * 2)[:2]
        unit = re.search(r"_(is|ge)(\d+)$", last)
        most = int(unit[2]) - (unit[1] == "ge") if unit else 0
        sizes = {"C": 15, "L": 5, "W": 150}
        low = eval(formulas[0], sizes | {"p": 1, "k": 0})
        high = eval(formulas[-1], sizes | {"p": 24, "k": most})
        if told == "`other_...`":
            seen += range(low, high + 1)
            continue
        assert (names[low], names[high]) == (first, last)
        seen += range(low, high + 1, 4 if "4p" in formula else 1)
    assert sorted(seen) == list(range(len(names)))


@given(data=st.data())
def test_no_play_goes_through_a_gate_that_is_closed(data: st.DataObject) -> None:
    position = data.draw(positions(st.just(TABULA)))
    names = features.columns("tabula", rules=TABULA)
    row = dict(zip(names, features.tabula(arrays([position]), rules=TABULA)[0].tolist(), strict=True))
    targets = {move.target for play in position.plays(data.draw(rolls(TABULA))) for move in play.moves}
    if not row["mover_half_gate_open"]:
        assert all(target < 13 for target in targets)
    if not row["mover_bearing_off_open"]:
        assert OFF not in targets


# --------------------------------------------------------------------------------------------------------------------- turning


@every_encoder
@given(data=st.data())
def test_flip_gives_the_view_of_the_other_side_and_is_its_own_inverse(encoder: str, data: st.DataObject) -> None:
    rules, of = data.draw(batches(encoder))
    seen = ENCODE[encoder](arrays(of), rules=rules)
    flipped = features.swap_sides(seen, encoder, rules=rules)
    other = ENCODE[encoder](arrays(of)[:, ::-1], rules=rules)
    columns = slice(0, 196) if encoder == "tesauro" else slice(None)
    assert (flipped[:, columns] == other[:, columns]).all()
    if encoder == "tesauro":
        assert (flipped[:, 196:] == [0, 1]).all()
    assert (features.swap_sides(flipped, encoder, rules=rules) == seen).all()


def test_flip_writes_where_it_is_told_and_takes_any_array_that_can_be_read() -> None:
    seen = features.raw(some(TABULA, 9), rules=TABULA)
    expected = features.swap_sides(seen, "raw", rules=TABULA)
    strided = np.asfortranarray(seen)[::-1]
    strided.flags.writeable = False
    out = np.empty((9, 52), np.float32)
    assert features.swap_sides(strided, "raw", rules=TABULA, out=out) is out
    assert (out == expected[::-1]).all()
    assert features.swap_sides(seen[:0], "raw", rules=TABULA).shape == (0, 52)


def test_what_flip_refuses() -> None:
    seen = features.raw(some(TABULA, 3), rules=TABULA)
    with pytest.raises(ValueError, match=r"^features must have the shape \(n, 198\) for the tesauro encoder, not \(3, 52\)$"):
        features.swap_sides(seen, "tesauro", rules=TABULA)
    with pytest.raises(TypeError, match=r"^features must be a float32 array, not an array of float64$"):
        features.swap_sides(seen.astype(np.float64), "raw", rules=TABULA)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^features must be a float32 array, not list$"):
        features.swap_sides(seen.tolist(), "raw", rules=TABULA)
    with pytest.raises(ValueError, match=r"^out must be apart from features in memory, and overlaps it$"):
        features.swap_sides(seen, "raw", rules=TABULA, out=seen)


# ------------------------------------------------------------------------------------------------------------ arrays of all kinds


@every_encoder
def test_read_only_and_strided_input_is_taken(encoder: str) -> None:
    positions = some(TABULA, 20)
    expected = ENCODE[encoder](positions, rules=TABULA)
    wide = np.full((20, 5, 60), 99, np.int8)
    wide[:, 1:5:3, 3:55:2] = positions
    columns_first = np.asfortranarray(positions)
    backwards = positions[:, :, ::-1].copy()[:, :, ::-1]
    for given_ in (wide[:, 1:5:3, 3:55:2], columns_first, backwards):
        given_.flags.writeable = False
        assert not given_.flags.c_contiguous
        assert (ENCODE[encoder](given_, rules=TABULA) == expected).all()
    assert (ENCODE[encoder](positions[::-2], rules=TABULA) == expected[::-2]).all()
    one = np.broadcast_to(positions[0], (4, 2, 26))
    assert (ENCODE[encoder](one, rules=TABULA) == expected[[0] * 4]).all()


@every_encoder
def test_empty_input_gives_empty_output(encoder: str) -> None:
    none = np.empty((0, 2, 26), np.int8)
    columns = features.width(encoder, rules=TABULA)
    assert ENCODE[encoder](none, rules=TABULA).shape == (0, columns)
    out = np.empty((0, columns), np.float32)
    assert ENCODE[encoder](none, rules=TABULA, out=out, threads=3) is out


@every_encoder
@pytest.mark.parametrize("n", [1, 2, 7])
def test_out_may_be_columns_of_a_wider_array_and_nothing_else_of_it_is_touched(encoder: str, n: int) -> None:
    positions = some(TABULA, n)
    expected = ENCODE[encoder](positions, rules=TABULA)
    wide = np.full((n + 2, expected.shape[1] + 9), -7, np.float32)
    out = wide[1:-1, 4:-5]
    assert ENCODE[encoder](positions, rules=TABULA, out=out) is out
    assert (out == expected).all()
    out[:] = -7
    assert (wide == -7).all()


@every_encoder
@pytest.mark.parametrize("part", [1, 7, 64, features._PART])
def test_the_result_does_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch, encoder: str, part: int) -> None:
    monkeypatch.setattr(features, "_PART", part)
    positions = some(TABULA, 200)
    expected = [literal(encoder, TABULA, *map(tuple, position)) for position in positions.tolist()]
    for threads in (1, 2, 3, 8, np.int64(2)):
        found = ENCODE[encoder](positions, rules=TABULA, threads=threads)
        assert (found == np.array(expected, np.float32)).all()


def test_more_rows_than_one_part() -> None:
    positions = some(BACKGAMMON, 2 * features._PART + 5)
    one = features.tesauro(positions, rules=BACKGAMMON)
    assert (features.tesauro(positions, rules=BACKGAMMON, threads=2) == one).all()
    assert (one[:100] == one[100:200]).all()
    assert (one[-5:] == features.tesauro(positions[-5:], rules=BACKGAMMON)).all()


def test_calls_from_several_threads_do_not_disturb_each_other() -> None:
    positions = [some(rules, 300, seed) for seed, rules in enumerate((TABULA, BACKGAMMON, TABULA, BACKGAMMON))]
    both = (TABULA, BACKGAMMON) * 2
    expected = [features.unary(one, rules=rules) for one, rules in zip(positions, both, strict=True)]
    wrong: list[int] = []

    def work(i: int) -> None:
        out = np.empty_like(expected[i])
        same = [(features.unary(positions[i], rules=both[i], out=out) == expected[i]).all() for _ in range(50)]
        wrong.extend([i] * same.count(False))

    workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


# -------------------------------------------------------------------------------------------------------------------- refusals


WRONG = {
    "no integers": (np.zeros((1, 2, 26)), TypeError, r"positions must be an int8 array, not an array of float64"),
    "wider integers": (np.zeros((1, 2, 26), np.int64), TypeError, r"positions must be an int8 array, not an array of int64"),
    "unsigned": (np.zeros((1, 2, 26), np.uint8), TypeError, r"positions must be an int8 array, not an array of uint8"),
    "a list": ([[[0] * 26] * 2], TypeError, r"positions must be an int8 array, not list"),
    "None": (None, TypeError, r"positions must be an int8 array, not NoneType"),
    "a Position": (Position(), TypeError, r"positions must be an int8 array, not Position"),
    "one position": (np.zeros((2, 26), np.int8), ValueError, r"positions must have the shape \(n, 2, 26\), not \(2, 26\)"),
    "one side": (np.zeros((3, 1, 26), np.int8), ValueError, r"positions must have the shape \(n, 2, 26\), not \(3, 1, 26\)"),
    "short tracks": (np.zeros((3, 2, 25), np.int8), ValueError, r"positions must have the shape \(n, 2, 26\), not \(3, 2, 25\)"),
    "empty and flat": (np.zeros(0, np.int8), ValueError, r"positions must have the shape \(n, 2, 26\), not \(0,\)"),
}


@every_encoder
@pytest.mark.parametrize(("given_", "error", "sentence"), WRONG.values(), ids=list(WRONG))
@pytest.mark.parametrize("check", [False, True])
def test_other_arrays_are_refused(encoder: str, given_: object, error: type[Exception], sentence: str, check: bool) -> None:
    with pytest.raises(error, match=f"^{sentence}$"):
        ENCODE[encoder](given_, rules=TABULA, check=check)


def read_only(array: Floats) -> Floats:
    array.flags.writeable = False
    return array


MEMORY = np.zeros(3 * 198 * 4 + 1, np.uint8)
STRIDES = r"out must have a row's columns side by side, aligned, and its rows apart; its strides are "
OUTS = {
    "doubles": (np.zeros((3, 198)), TypeError, r"out must be a float32 array, not an array of float64"),
    "other byte order": (np.zeros((3, 198), ">f4" if np.little_endian else "<f4"), TypeError, r"out must be a float32 array, .*"),
    "a list": ([[0.0] * 198] * 3, TypeError, r"out must be a float32 array, not list"),
    "fewer rows": (np.zeros((2, 198), np.float32), ValueError, r"out must have the shape \(3, 198\), not \(2, 198\)"),
    "more rows": (np.zeros((4, 198), np.float32), ValueError, r"out must have the shape \(3, 198\), not \(4, 198\)"),
    "columns": (np.zeros((3, 200), np.float32), ValueError, r"out must have the shape \(3, 198\), not \(3, 200\)"),
    "flat": (np.zeros(3 * 198, np.float32), ValueError, r"out must have the shape \(3, 198\), not \(594,\)"),
    "columns first": (np.zeros((198, 3), np.float32).T, ValueError, STRIDES + r"\(4, 12\)"),
    "every second column": (np.zeros((3, 396), np.float32)[:, ::2], ValueError, STRIDES + r"\(1584, 8\)"),
    "backwards": (np.zeros((3, 198), np.float32)[:, ::-1], ValueError, STRIDES + r"\(792, -4\)"),
    "rows backwards": (np.zeros((3, 198), np.float32)[::-1], ValueError, STRIDES + r"\(-792, 4\)"),
    "rows that overlap": (
        np.lib.stride_tricks.as_strided(np.zeros(600, np.float32), (3, 198), (4, 4)),
        ValueError,
        STRIDES + r"\(4, 4\)",
    ),
    "not aligned": (MEMORY[1:].view(np.float32).reshape(3, 198), ValueError, STRIDES + r"\(792, 4\)"),
    "read-only": (read_only(np.zeros((3, 198), np.float32)), ValueError, r"out is read-only"),
    "one row three times": (np.broadcast_to(np.zeros(198, np.float32), (3, 198)), ValueError, r"out is read-only"),
}


@pytest.mark.parametrize(("out", "error", "sentence"), OUTS.values(), ids=list(OUTS))
def test_an_out_that_cannot_be_written_to_as_it_is_is_refused(out: Floats, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=f"^{sentence}$"):
        features.tesauro(some(TABULA, 3), rules=TABULA, out=out)


def test_an_out_that_overlaps_the_input_is_refused_and_left_alone() -> None:
    memory = np.zeros(198 * 3, np.float32)
    shared = memory.view(np.int8)[: 3 * 52].reshape(3, 2, 26)
    shared[:] = some(TABULA, 3)
    before = memory.tobytes()
    with pytest.raises(ValueError, match=r"^out must be apart from positions in memory, and overlaps it$"):
        features.tesauro(shared, rules=TABULA, out=memory.reshape(3, 198))
    assert memory.tobytes() == before


@every_encoder
def test_other_arguments_that_are_refused(encoder: str) -> None:
    positions, encode = some(TABULA, 3), ENCODE[encoder]
    with pytest.raises(ValueError, match=r"^threads must be 1 or more, not 0$"):
        encode(positions, rules=TABULA, threads=0)
    with pytest.raises(TypeError, match=r"^threads must be an integer, not 1.5$"):
        encode(positions, rules=TABULA, threads=1.5)
    with pytest.raises(TypeError, match=r"^check must be True or False, not 0$"):
        encode(positions, rules=TABULA, check=0)
    with pytest.raises(TypeError, match=r"^rules must be a Rules, not 'tabula'$"):
        encode(positions, rules="tabula")
    with pytest.raises(TypeError, match="rules"):
        encode(positions)


@pytest.mark.parametrize("rules", [BACKGAMMON, TABULA_HISTORIC, dataclasses.replace(TABULA, stack_limit=6)])
def test_the_tabula_encoder_refuses_rules_that_let_more_than_five_stand_on_a_point(rules: Rules) -> None:
    sentence = rf"^the tabula encoder is for rules with a stack_limit of 1\.\.5, not {rules.stack_limit}$"
    seen = np.zeros((0, 298), np.float32)
    for call in (
        lambda: features.tabula(arrays([]), rules=rules),
        lambda: features.columns("tabula", rules=rules),
        lambda: features.width("tabula", rules=rules),
        lambda: features.swap_sides(seen, "tabula", rules=rules),
    ):
        with pytest.raises(ValueError, match=sentence):
            call()


def test_an_unknown_encoder_is_refused() -> None:
    for call in (features.width, features.columns):
        with pytest.raises(ValueError, match=r"^encoder must be 'raw'.* 'tabula', not 'one-hot'$"):
            call("one-hot", rules=TABULA)  # type: ignore[operator]
        with pytest.raises(TypeError, match=r"^encoder must be 'raw'.* not None$"):
            call(None, rules=TABULA)  # type: ignore[operator]


# ------------------------------------------------------------------------------------------------------- rows that are no position


def reason(rules: Rules, row: Counts) -> str | None:
    try:
        Position.from_array(row, rules=rules)
    except InvalidPositionError as error:
        return str(error)
    return None


@st.composite
def damaged(draw: st.DrawFn) -> tuple[Rules, Counts]:
    """Legal positions, some of them changed in one or two counts to others that are often wrong."""
    drawn, of = draw(batches("raw", least=1))
    array = arrays(of)
    for _ in range(draw(st.integers(0, 3))):
        row, of_side, index = (draw(st.integers(0, most - 1)) for most in array.shape)
        array[row, of_side, index] = draw(st.one_of(st.integers(-128, 127), st.integers(0, 15)))
        if draw(st.booleans()):  # as many checkers as before, if that can be
            left = drawn.checkers - int(array[row, of_side].sum(dtype=int)) + int(array[row, of_side, 25])
            array[row, of_side, 25] = left if -128 <= left <= 127 else 0
    return drawn, array


@given(damaged())
def test_the_first_row_that_is_no_legal_position_is_named_with_the_reason(case: tuple[Rules, Counts]) -> None:
    rules, array = case
    reasons = [reason(rules, row) for row in array]
    bad = next((row for row, told in enumerate(reasons) if told is not None), None)
    if bad is None:
        assert len(features.raw(array, rules=rules)) == len(array)
        return
    with pytest.raises(InvalidPositionError) as caught:
        features.raw(array, rules=rules)
    assert str(caught.value) == f"row {bad}: {reasons[bad]}"


def broken(row: int, **changes: tuple[int, int]) -> Counts:
    array = arrays([Position()] * 4)
    for of_side, (index, count) in changes.items():
        array[row, ("mover", "other").index(of_side), index] = count
    return array


def test_the_sentence_names_row_side_and_count() -> None:
    with pytest.raises(InvalidPositionError, match=r"^row 2: mover has 16 checkers in all, and these rules give a side 15$"):
        features.tesauro(broken(2, mover=(7, 1)), rules=TABULA)
    with pytest.raises(InvalidPositionError, match=r"^row 3: other has -1 checkers on point 7: a count cannot be negative$"):
        features.tesauro(broken(3, other=(7, -1)), rules=TABULA)


def test_a_sum_that_is_right_in_eight_bits_only_is_refused() -> None:
    array = arrays([Position()])
    array[0, 0] = [15] * 18 + [1] + [0] * 7
    assert array[0, 0].sum(dtype=np.uint8) == 15
    with pytest.raises(InvalidPositionError, match=r"^row 0: mover has 15 checkers on point 1, and at most 5 may stand on one$"):
        features.tesauro(array, rules=TABULA)
    with pytest.raises(InvalidPositionError, match=r"^row 0: mover has 271 checkers in all"):
        features.tesauro(array, rules=BACKGAMMON)


@pytest.mark.parametrize("threads", [1, 2, 8])
@every_encoder
def test_nothing_is_written_if_a_row_is_refused(monkeypatch: pytest.MonkeyPatch, encoder: str, threads: int) -> None:
    monkeypatch.setattr(features, "_PART", 8)
    positions = some(TABULA, 100)
    positions[[61, 62, 99], 1, 3] += 1
    out = np.full((100, features.width(encoder, rules=TABULA)), -7, np.float32)
    with pytest.raises(InvalidPositionError, match=r"^row 61: "):
        ENCODE[encoder](positions, rules=TABULA, threads=threads, out=out)
    assert (out == -7).all()


def test_a_row_that_is_mended_while_it_is_refused_is_not_called_illegal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_features, "first_wrong", lambda *_: 1)
    with pytest.raises(RuntimeError, match=r"^row 1: positions was written to while it was read$"):
        features.raw(some(TABULA, 3), rules=TABULA)


@every_encoder
@given(data=st.data())
def test_unchecked_input_of_any_kind_touches_no_other_memory(encoder: str, data: st.DataObject) -> None:
    rules = data.draw(any_rules(encoder))
    array = data.draw(hnp.arrays(np.int8, (3, 2, 26)))
    columns = features.width(encoder, rules=rules)
    wide = np.full((5, columns + 40), -7, np.float32)
    out = wide[1:-1, 20:-20]
    ENCODE[encoder](array, rules=rules, out=out, check=False)
    assert np.isfinite(out).all()
    assert (out >= 0).all()
    out[:] = -7
    assert (wide == -7).all()


@every_encoder
def test_unchecked_and_checked_features_of_legal_positions_are_the_same(encoder: str) -> None:
    positions = some(TABULA, 50)
    assert (ENCODE[encoder](positions, rules=TABULA, check=False) == ENCODE[encoder](positions, rules=TABULA)).all()


def test_the_kernels_refuse_what_they_would_have_to_leave_memory_for() -> None:
    positions, out = some(TABULA, 3), np.zeros((3, 52), np.float32)
    shape = re.escape("positions must have the shape (n, 2, 26)")
    for given_, first, stop, sentence in (
        (positions, 0, 4, r"rows 0\.\.4 of 3"),
        (positions, -1, 3, r"rows -1\.\.3 of 3"),
        (positions, 2, 1, r"rows 2\.\.1 of 3"),
        (positions[:, :1], 0, 3, shape),
        (positions[..., 1:], 0, 3, shape),
    ):
        with pytest.raises(ValueError, match=sentence):
            _features.encode("raw", TABULA, given_, first, stop, out)
        with pytest.raises(ValueError, match=sentence):
            _features.first_wrong(TABULA, given_, first, stop)
    for wrong in (out[:2], out[:, :51], np.zeros((3, 104), np.float32)[:, ::2]):
        with pytest.raises(ValueError, match="out has another shape, or columns that are apart"):
            _features.encode("raw", TABULA, positions, 0, 3, wrong)
    with pytest.raises(ValueError, match="there is no encoder 'other'"):
        _features.width("other", TABULA)
    with pytest.raises(TypeError):
        _features.encode("raw", TABULA, None, 0, 3, out)  # type: ignore[arg-type]
