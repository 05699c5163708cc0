"""`Rules` as a value: what is refused and in which words, defaults, copies, dictionaries and the paragraph for players."""

import copy
import dataclasses
import pickle
import re
from typing import Any

import pytest
from support.tracks import side

from tabula import BACKGAMMON, BLACK, NARDE, TABULA, TABULA_HISTORIC, WHITE, Rules, rules
from tabula.rules import PRESETS, RULE_FIELDS

CONSTANTS = {"TABULA": TABULA, "TABULA_HISTORIC": TABULA_HISTORIC, "BACKGAMMON": BACKGAMMON, "NARDE": NARDE}
OWN = Rules(
    dice=2, stack_limit=None, larger_die=True, setup=side({1: 7}, 7), setup_other=side({2: 7}, 7), head_limit=2, name="my own"
)

OTHERWISE: dict[str, Any] = {
    "dice": 1,
    "doubles": "twice",
    "direction": "opposed",
    "numbering": "down",
    "stack_limit": 7,
    "enter_first": True,
    "half_gate": False,
    "home_start": 14,
    "gates": "move",
    "bear_off": "rearmost",
    "larger_die": False,
    "highest_win": 3,
    "opening": "split",
    "setup": side({3: 7}, 7),
    "setup_other": side({4: 7}, 7),
    "blots": "block",
    "head_limit": 1,
    "head_doubles": (3, 4),
    "primes": "ahead",
    "runner": 13,
    "pile_from": 7,
    "extra_dice": (6,),
}
"""For each field a value that differs from that of `OWN` and goes with the rest of it."""

every_rules = pytest.mark.parametrize("value", [*CONSTANTS.values(), OWN], ids=lambda value: value.name)
constant = pytest.mark.parametrize("name", CONSTANTS)


def test_every_default_is_the_value_of_tabula() -> None:
    assert Rules() == TABULA
    assert Rules().name == TABULA.name


def test_the_fields_are_those_of_the_rule_table() -> None:
    assert Rules().to_dict() == {
        "dice": 3,
        "doubles": "once",
        "direction": "same",
        "numbering": "up",
        "stack_limit": 5,
        "enter_first": False,
        "half_gate": True,
        "home_start": 13,
        "gates": "turn",
        "bear_off": "exact",
        "larger_die": False,
        "highest_win": 1,
        "opening": "roll-off",
        "setup": [15, *[0] * 25],
        "setup_other": None,
        "blots": "hit",
        "head_limit": None,
        "head_doubles": [],
        "primes": "free",
        "runner": None,
        "pile_from": 1,
        "extra_dice": [],
        "name": "tabula",
    }
    assert BACKGAMMON.to_dict() == {
        "dice": 2,
        "doubles": "twice",
        "direction": "opposed",
        "numbering": "down",
        "stack_limit": None,
        "enter_first": True,
        "half_gate": False,
        "home_start": 19,
        "gates": "move",
        "bear_off": "rearmost",
        "larger_die": True,
        "highest_win": 3,
        "opening": "split",
        "setup": [0, 2, *[0] * 10, 5, 0, 0, 0, 0, 3, 0, 5, *[0] * 6],
        "setup_other": None,
        "blots": "hit",
        "head_limit": None,
        "head_doubles": [],
        "primes": "free",
        "runner": None,
        "pile_from": 1,
        "extra_dice": [],
        "name": "backgammon",
    }


def test_white_is_0_and_black_is_1() -> None:
    assert (WHITE, BLACK) == (0, 1)


# ----------------------------------------------------------------------------------------------------------------- what is refused

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"dice": 0}, "dice must be 1..3, not 0"),
    ({"dice": 4}, "dice must be 1..3, not 4"),
    ({"dice": -1}, "dice must be 1..3, not -1"),
    ({"dice": 10**30}, f"dice must be 1..3, not {10**30}"),
    ({"doubles": "thrice"}, "doubles must be 'once' or 'twice', not 'thrice'"),
    ({"direction": "sideways"}, "direction must be 'same', 'opposed' or 'parallel', not 'sideways'"),
    ({"numbering": "left"}, "numbering must be 'up' or 'down', not 'left'"),
    ({"stack_limit": 0}, "stack_limit must be 1..15, not 0"),
    ({"stack_limit": 16}, "stack_limit must be 1..15, not 16"),
    ({"home_start": -1}, "home_start must be 0..24, not -1"),
    ({"home_start": 25}, "home_start must be 0..24, not 25"),
    ({"gates": "never"}, "gates must be 'turn' or 'move', not 'never'"),
    ({"bear_off": "all"}, "bear_off must be 'exact', 'rearmost' or 'any', not 'all'"),
    ({"highest_win": 0}, "highest_win must be 1..3, not 0"),
    ({"highest_win": 4}, "highest_win must be 1..3, not 4"),
    ({"opening": "coin"}, "opening must be 'roll-off' or 'split', not 'coin'"),
    ({"dice": 3, "doubles": "twice"}, "doubles='twice' goes with two dice only, and dice is 3"),
    ({"dice": 1, "doubles": "twice"}, "doubles='twice' goes with two dice only, and dice is 1"),
    ({"dice": 3, "opening": "split"}, "opening='split' goes with two dice only, and dice is 3"),
    ({"dice": 1, "opening": "split"}, "opening='split' goes with two dice only, and dice is 1"),
    ({"setup": (15, *[0] * 24)}, "setup must have 26 counts, not 25"),
    ({"setup": (15, *[0] * 26)}, "setup must have 26 counts, not 27"),
    ({"setup": ()}, "setup must have 26 counts, not 0"),
    ({"setup": (16, -1, *[0] * 24)}, "setup[1] must not be negative, and is -1"),
    ({"setup": (0,) * 26}, "setup must have 1..15 checkers, not 0"),
    ({"setup": (16, *[0] * 25)}, "setup must have 1..15 checkers, not 16"),
    ({"setup": (10**30, *[0] * 25)}, f"setup must have 1..15 checkers, not {10**30}"),
    ({"setup": (14, *[0] * 24, 1)}, "setup[25] must be 0, for no checker starts off the board; it is 1"),
    ({"direction": "opposed", "setup": side({3: 6}, 6)}, "setup has 6 checkers on index 3, and stack_limit is 5"),
    ({"setup": side({0: 14, 3: 1})}, "setup puts both sides on one point: index 3 of one is 3 of the other"),
    ({"setup": side({0: 14, 24: 1})}, "setup puts both sides on one point: index 24 of one is 24 of the other"),
    (
        {"direction": "opposed", "setup": side({0: 13, 3: 1, 22: 1})},
        "setup puts both sides on one point: index 3 of one is 22 of the other",
    ),
    (
        {"direction": "parallel", "setup": side({0: 13, 3: 1, 15: 1})},
        "setup puts both sides on one point: index 3 of one is 15 of the other",
    ),
    (
        {"setup": side({0: 14, 3: 1}), "setup_other": side({0: 14, 3: 1})},
        "setup puts both sides on one point: index 3 of one is 3 of the other",
    ),
    (
        {"direction": "opposed", "setup": side({1: 2, 0: 13}), "setup_other": side({24: 1, 0: 14})},
        "setup puts both sides on one point: index 1 of one is 24 of the other",
    ),
    ({"setup_other": (15, *[0] * 24)}, "setup_other must have 26 counts, not 25"),
    ({"setup_other": side({0: 8}, 8)}, "setup_other must have as many checkers as setup, 15, not 8"),
    ({"setup_other": side({0: 9, 3: 6})}, "setup_other has 6 checkers on index 3, and stack_limit is 5"),
    ({"setup_other": (14, *[0] * 24, 1)}, "setup_other[25] must be 0, for no checker starts off the board; it is 1"),
    ({"blots": "stay"}, "blots must be 'hit' or 'block', not 'stay'"),
    ({"head_limit": 0}, "head_limit must be 1..15, not 0"),
    ({"head_limit": 16}, "head_limit must be 1..15, not 16"),
    ({"head_limit": 2}, "head_limit=2 needs a start point, and setup has 15 checkers at index 0"),
    ({"runner": 1}, "runner must be 2..24, not 1"),
    ({"runner": 25}, "runner must be 2..24, not 25"),
    ({"runner": 19}, "runner=19 needs a start point, and setup has 15 checkers at index 0"),
    (
        {"runner": 19, "direction": "parallel", "setup": side({0: 1, 1: 1}, 2)},
        "runner=19 needs a start point, and setup has 1 checker at index 0",
    ),
    ({"dice": 2, "head_doubles": (7,)}, "head_doubles[0] must be 1..6, not 7"),
    ({"dice": 2, "head_doubles": (3, 3)}, "head_doubles must have no number twice, and is (3, 3)"),
    ({"dice": 2, "head_doubles": [1] * 7}, "head_doubles must have at most 6 numbers, not 7"),
    ({"head_doubles": (3,)}, "head_doubles=(3,) goes with two dice only, and dice is 3"),
    ({"primes": "behind"}, "primes must be 'free' or 'ahead', not 'behind'"),
    ({"pile_from": 0}, "pile_from must be 1..24, not 0"),
    ({"pile_from": 25}, "pile_from must be 1..24, not 25"),
    ({"dice": 2, "extra_dice": (0,)}, "extra_dice[0] must be 1..6, not 0"),
    ({"dice": 1, "extra_dice": (1, 2, 3)}, "extra_dice must have at most 2 numbers, not 3"),
    ({"extra_dice": (6,)}, "dice=3 and extra_dice=(6,) are 4 dice, and a turn has at most 3"),
    ({"dice": 2, "extra_dice": (6, 5)}, "dice=2 and extra_dice=(5, 6) are 4 dice, and a turn has at most 3"),
    ({"dice": 2, "doubles": "twice", "extra_dice": (6,)}, "extra_dice=(6,) goes with doubles='once' only"),
    (
        {"home_start": 23},
        "home_start=23 with stack_limit=5 has room for 10 checkers of 15, so that none could ever be borne off",
    ),
    (
        {"home_start": 11, "stack_limit": 1},
        "home_start=11 with stack_limit=1 has room for 14 checkers of 15, so that none could ever be borne off",
    ),
]

MISTYPED: list[tuple[dict[str, Any], str]] = [
    ({"dice": None}, "dice must be an integer, not None"),
    ({"dice": 2.0}, "dice must be an integer, not 2.0"),
    ({"dice": True}, "dice must be an integer, not True"),
    ({"dice": "3"}, "dice must be an integer, not '3'"),
    ({"doubles": None}, "doubles must be 'once' or 'twice', not None"),
    ({"doubles": True}, "doubles must be 'once' or 'twice', not True"),
    ({"direction": None}, "direction must be 'same', 'opposed' or 'parallel', not None"),
    ({"numbering": None}, "numbering must be 'up' or 'down', not None"),
    ({"stack_limit": 5.0}, "stack_limit must be an integer, not 5.0"),
    ({"stack_limit": True}, "stack_limit must be an integer, not True"),
    ({"enter_first": None}, "enter_first must be True or False, not None"),
    ({"enter_first": 1}, "enter_first must be True or False, not 1"),
    ({"half_gate": None}, "half_gate must be True or False, not None"),
    ({"home_start": None}, "home_start must be an integer, not None"),
    ({"gates": None}, "gates must be 'turn' or 'move', not None"),
    ({"bear_off": None}, "bear_off must be 'exact', 'rearmost' or 'any', not None"),
    ({"larger_die": "no"}, "larger_die must be True or False, not 'no'"),
    ({"highest_win": None}, "highest_win must be an integer, not None"),
    ({"opening": None}, "opening must be 'roll-off' or 'split', not None"),
    ({"setup": None}, "setup must be a sequence of 26 counts, not None"),
    ({"setup": "O" * 26}, f"setup must be a sequence of 26 counts, not {'O' * 26!r}"),
    ({"setup": {0: 15}}, "setup must be a sequence of 26 counts, not {0: 15}"),
    ({"setup": (15.0, *[0] * 25)}, "setup[0] must be an integer, not 15.0"),
    ({"setup": (15, None, *[0] * 24)}, "setup[1] must be an integer, not None"),
    ({"setup_other": "O" * 26}, f"setup_other must be a sequence of 26 counts, not {'O' * 26!r}"),
    ({"blots": None}, "blots must be 'hit' or 'block', not None"),
    ({"head_limit": 1.0}, "head_limit must be an integer, not 1.0"),
    ({"head_doubles": None}, "head_doubles must be a sequence of numbers 1..6, not None"),
    ({"head_doubles": "346"}, "head_doubles must be a sequence of numbers 1..6, not '346'"),
    ({"dice": 2, "head_doubles": (3.0,)}, "head_doubles[0] must be an integer, not 3.0"),
    ({"primes": None}, "primes must be 'free' or 'ahead', not None"),
    ({"runner": True}, "runner must be an integer, not True"),
    ({"pile_from": None}, "pile_from must be an integer, not None"),
    ({"extra_dice": 6}, "extra_dice must be a sequence of numbers 1..6, not 6"),
    ({"name": None}, "name must be a str, not None"),
]


@pytest.mark.parametrize(("fields", "sentence"), REFUSED, ids=[sentence for _, sentence in REFUSED])
def test_a_field_out_of_range_or_at_odds_with_another_is_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the sentence is compared whole
        Rules(**fields)
    assert type(refused.value) is ValueError
    assert str(refused.value) == sentence
    with pytest.raises(ValueError) as again:  # noqa: PT011
        Rules.from_dict(fields)
    assert str(again.value) == sentence


@pytest.mark.parametrize(("fields", "sentence"), MISTYPED, ids=[sentence for _, sentence in MISTYPED])
def test_a_field_of_the_wrong_type_is_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TypeError) as refused:
        Rules(**fields)
    assert str(refused.value) == sentence


def test_what_is_redundant_is_not_refused() -> None:
    Rules(home_start=24, stack_limit=15)
    Rules(home_start=22)
    Rules(enter_first=True, half_gate=True, gates="move")
    Rules(dice=1, larger_die=True)
    Rules(dice=2, larger_die=True, doubles="twice", opening="split")
    Rules(home_start=10, stack_limit=1)
    Rules(direction="opposed", setup=side({12: 5, 11: 5, 10: 5}))
    Rules(bear_off="rearmost", home_start=1)
    Rules(home_start=0, stack_limit=1)
    Rules(dice=2, head_doubles=(3,))
    Rules(dice=2, direction="parallel", stack_limit=None, setup=side({1: 15}), runner=2, pile_from=24)


def test_numbers_come_in_any_order_and_are_stored_in_ascending_order() -> None:
    made = Rules(dice=1, stack_limit=None, extra_dice=[6, 2])  # type: ignore[arg-type]
    assert made.extra_dice == (2, 6)
    assert Rules(dice=2, head_doubles=(6, 3, 4)) == Rules(dice=2, head_doubles=(3, 4, 6))


def test_a_start_of_the_other_side_that_is_the_same_is_none() -> None:
    made = dataclasses.replace(BACKGAMMON, setup_other=BACKGAMMON.setup)
    assert made.setup_other is None
    assert made == BACKGAMMON
    assert made.other_setup == BACKGAMMON.setup


# ------------------------------------------------------------------------------------------------------------- how a value behaves


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        TABULA.dice = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        TABULA.mine = 2  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del TABULA.dice


def test_a_setup_is_kept_as_a_tuple_whatever_sequence_it_came_as() -> None:
    given = [15, *[0] * 25]
    made = Rules(setup=given)  # type: ignore[arg-type]
    given[0] = 3
    assert made.setup == TABULA.setup
    assert hash(made) == hash(TABULA)


def test_equality_and_hash_look_at_every_field_but_the_name() -> None:
    for field in dataclasses.fields(Rules):
        if field.name == "name":
            continue
        other = dataclasses.replace(OWN, **{field.name: OTHERWISE[field.name]})
        assert other != OWN
        assert dataclasses.replace(other, **{field.name: getattr(OWN, field.name)}) == OWN
    assert dataclasses.replace(OWN, name="x") == OWN
    assert len({OWN, dataclasses.replace(OWN, name="x")}) == 1
    assert OWN != "tabula"


@every_rules
def test_a_dictionary_round_trip_gives_equal_rules_of_the_same_name(value: Rules) -> None:
    back = Rules.from_dict(value.to_dict())
    assert back == value
    assert back.name == value.name


def test_a_missing_key_has_tabulas_value() -> None:
    assert Rules.from_dict({}) == TABULA
    assert Rules.from_dict({"stack_limit": None}) == dataclasses.replace(TABULA, stack_limit=None)


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^unknown field of Rules: 'stacklimit', 'cube'$"):
        Rules.from_dict({"stacklimit": 5, "dice": 3, "cube": True})


OLD_FIELDS = {
    "exact_bear_off": (True, "exact_bear_off is now bear_off: 'exact' for True, 'rearmost' for False"),
    "gammons": (False, "gammons is now highest_win: 3 for True, 1 for False"),
}


@pytest.mark.parametrize("field", OLD_FIELDS)
def test_a_field_by_its_old_name_is_refused_with_the_new_one(field: str) -> None:
    value, sentence = OLD_FIELDS[field]
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        Rules.from_dict({"dice": 3, field: value})


def test_all_fields_by_their_old_names_are_named_at_once() -> None:
    with pytest.raises(ValueError, match="^" + re.escape("; ".join(sentence for _, sentence in OLD_FIELDS.values())) + "$"):
        Rules.from_dict({field: value for field, (value, _) in OLD_FIELDS.items()})


@pytest.mark.parametrize("field", OLD_FIELDS)
def test_a_pickle_with_a_field_by_its_old_name_is_refused_with_the_new_one(field: str) -> None:
    class Old:
        """Is pickled as rules were, that are no preset: a call of from_dict with all fields."""

        def __reduce__(self) -> tuple[Any, ...]:
            fields = OWN.to_dict()
            del fields["bear_off"], fields["highest_win"]
            return Rules.from_dict, (fields | {field: OLD_FIELDS[field][0]},)

    with pytest.raises(ValueError, match=f"^{re.escape(OLD_FIELDS[field][1])}$"):
        pickle.loads(pickle.dumps(Old()))


@pytest.mark.parametrize("fields", [None, "tabula", 3, [("dice", 2)]])
def test_from_dict_takes_a_mapping(fields: Any) -> None:
    with pytest.raises(TypeError, match=r"^rules must be a mapping of fields, not "):
        Rules.from_dict(fields)


@every_rules
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_round_trip_gives_equal_rules_of_the_same_name(value: Rules, protocol: int) -> None:
    back = pickle.loads(pickle.dumps(value, protocol))
    assert back == value
    assert back.name == value.name
    assert hash(back) == hash(value)


@constant
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_preset_stays_itself_through_a_pickle(name: str, protocol: int) -> None:
    assert pickle.loads(pickle.dumps(CONSTANTS[name], protocol)) is CONSTANTS[name]


@every_rules
def test_a_copy_is_the_value_itself(value: Rules) -> None:
    assert copy.copy(value) is value
    assert copy.deepcopy(value) is value
    assert copy.deepcopy([value])[0] is value


@constant
def test_the_repr_of_a_preset_is_its_name(name: str) -> None:
    assert repr(CONSTANTS[name]) == name


@every_rules
def test_the_repr_evaluates_to_equal_rules_of_the_same_name(value: Rules) -> None:
    back = eval(repr(value), {**vars(rules)})
    assert back == value
    assert back.name == value.name


def test_the_repr_of_own_rules_tells_what_differs_from_tabula() -> None:
    assert repr(Rules(stack_limit=None, name="mine")) == "Rules(stack_limit=None, name='mine')"


def test_presets_are_found_by_their_names() -> None:
    assert dict(PRESETS) == {"tabula": TABULA, "historic": TABULA_HISTORIC, "backgammon": BACKGAMMON, "narde": NARDE}
    assert all(PRESETS[value.name] is value for value in CONSTANTS.values())


# ----------------------------------------------------------------------------------------------------------------- names of points


@pytest.mark.parametrize("index", range(1, 25))
def test_numbers_and_facing_points_are_their_own_inverse(index: int) -> None:
    for value in (TABULA, BACKGAMMON):
        assert value.number(value.number(index)) == index
        assert value.facing(value.facing(index)) == index
    assert (TABULA.number(index), BACKGAMMON.number(index)) == (index, 25 - index)
    assert (TABULA.facing(index), BACKGAMMON.facing(index)) == (index, 25 - index)


def test_people_call_index_0_in_hand_in_tabula_and_bar_in_backgammon() -> None:
    assert [rules.waiting_label for rules in (TABULA, BACKGAMMON)] == ["in hand", "bar"]
    assert [rules.waiting_label for rules in (Rules(numbering="down"), Rules(direction="opposed"))] == ["bar", "in hand"]


def test_labels() -> None:
    assert [TABULA.label(index) for index in (0, 1, 24, 25)] == ["bar", "1", "24", "off"]
    assert [BACKGAMMON.label(index) for index in (0, 1, 24, 25)] == ["bar", "24", "1", "off"]


# ------------------------------------------------------------------------------------------------------------------------ describe


def test_describe_tells_tabula_to_a_player() -> None:
    assert TABULA.describe() == (
        "Each side has 15 checkers and throws three dice in its turn; equal dice have no extra meaning. "
        "A side starts with 15 checkers in hand. "
        "Both travel the same way round the 24 points, from 1 to 24 in each side's own numbering. "
        "A point with two or more opposing checkers is blocked; landing on a lone one hits it, and it is then in hand. "
        "A point holds at most 5 checkers of a side: a full one is passed over, not landed on. "
        "Checkers in hand need not enter before others move. "
        "No move goes onto or within points 13 to 24 unless no own checker is in hand as the turn starts. "
        "Checkers are borne off once all that are left stand on 13 to 24, looked at as the turn starts. "
        "Only the exact number bears a checker off. "
        "As many dice as possible are played. "
        "The first side to bear all its checkers off wins. "
        "To open, each side throws one die, ties again; the higher starts and throws all dice for the first turn."
    )


def test_describe_tells_backgammon_to_a_player() -> None:
    assert BACKGAMMON.describe() == (
        "Each side has 15 checkers and throws two dice in its turn; equal dice are each played twice. "
        "A side starts with 5 checkers on 6, 3 checkers on 8, 5 checkers on 13 and 2 checkers on 24. "
        "Both travel in opposite directions round the 24 points, from 24 to 1 in each side's own numbering. "
        "A point with two or more opposing checkers is blocked; landing on a lone one hits it, and it is then on the bar. "
        "Checkers on the bar enter before any other moves. "
        "Checkers are borne off once all that are left stand on 6 to 1, looked at before each move. "
        "The exact number bears a checker off, and so does a larger one if no own checker is behind it. "
        "As many dice as possible are played. "
        "If only one can be, it is the largest that can. "
        "The first side to bear all its checkers off wins. "
        "The win counts two points if the loser has borne none off, and three if one of his checkers moreover is on the bar or "
        "in the winner's last six points. "
        "To open, each side throws one die, ties again; the higher starts and plays those two dice."
    )


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Rules) if field.name != "name"])
def test_describe_tells_every_field(field: str) -> None:
    assert dataclasses.replace(OWN, **{field: OTHERWISE[field]}).describe() != OWN.describe()


def test_every_field_but_the_setup_and_the_name_is_an_entry_of_the_table() -> None:
    fields = [field.name for field in dataclasses.fields(Rules)]
    assert [name for name in fields if name not in RULE_FIELDS] == ["setup", "setup_other", "name"]
    assert [name for name in fields if name in RULE_FIELDS] == [*RULE_FIELDS]


@pytest.mark.parametrize("name", RULE_FIELDS)
def test_the_values_of_a_field_are_accepted_and_have_codes_of_one_byte(name: str) -> None:
    field = RULE_FIELDS[name]
    assert getattr(TABULA, name) in field.values
    for value in field.values:
        checked = field.checked(name, value)
        assert (checked, type(checked)) == (value, type(value))
        assert 0 <= field.code(value) <= 255
    codes = [field.code(value) for value in field.values if value is not None]
    assert len(set(codes)) == len(codes)
