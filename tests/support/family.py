"""The games of the family that are no presets, as `Rules`, and what their perft is from the start."""

import dataclasses
from typing import Any, Final

from support.tracks import side
from tabula import BACKGAMMON, Rules

ROLL_OFF: Final[dict[str, Any]] = {"opening": "roll-off"}
THREE_DICE: Final[dict[str, Any]] = {
    "dice": 3,
    "doubles": "once",
    "larger_die": False,
    "highest_win": 1,
    "opening": "roll-off",
}
FROM_ONE_POINT: Final[dict[str, Any]] = {"direction": "parallel", "setup": side({1: 15})}
BLOCKED: Final[dict[str, Any]] = FROM_ONE_POINT | {"enter_first": False, "blots": "block", "highest_win": 1}


def _backgammon(name: str, **fields: Any) -> Rules:
    return dataclasses.replace(BACKGAMMON, name=name, **fields)


_RULES: Final = (
    _backgammon("nackgammon", setup=side({1: 2, 2: 2, 12: 4, 17: 3, 19: 4})),
    _backgammon("hypergammon", setup=side({1: 1, 2: 1, 3: 1}, 3)),
    _backgammon("longgammon", setup=side({1: 15})),
    _backgammon("portes", highest_win=2, **ROLL_OFF),
    _backgammon("irish", doubles="once", highest_win=1, **ROLL_OFF),
    _backgammon("narde", **BLOCKED | ROLL_OFF | {"head_limit": 1, "head_doubles": (3, 4, 6), "primes": "ahead", "highest_win": 2}),
    _backgammon("jacquet", **BLOCKED | {"runner": 19}),
    _backgammon("maghribiyya", **BLOCKED | {"runner": 19, "direction": "opposed"}),
    _backgammon("bufa_de_baldrac", **THREE_DICE | {"setup": side({0: 15})}),
    _backgammon("emperador", **THREE_DICE | {"setup": side({1: 15})}),
    _backgammon("pareja_de_entrada", **THREE_DICE | {"direction": "same", "enter_first": False, "setup": side({0: 15})}),
    _backgammon(
        "seis_dos_e_as",
        **THREE_DICE | {"direction": "same", "setup": side({1: 8, 5: 4, 6: 3}), "setup_other": side({2: 5, 3: 5, 4: 5})},
    ),
    _backgammon("english", **THREE_DICE | {"setup": side({1: 15}), "pile_from": 7}),
    _backgammon("english_two_dice", **THREE_DICE | {"dice": 2, "setup": side({1: 15}), "pile_from": 7, "extra_dice": (6,)}),
    _backgammon("provincial", **THREE_DICE | {"setup": side({6: 8, 7: 7})}),
    _backgammon("imperial", **THREE_DICE | {"setup": side({6: 5, 7: 5, 8: 5})}),
    _backgammon("revertier", **FROM_ONE_POINT | {"pile_from": 13, "highest_win": 1}),
)

GAMES: Final[dict[str, Rules]] = {rules.name: rules for rules in _RULES}

LEAVES: Final[dict[str, tuple[int, ...]]] = {
    "nackgammon": (547, 324161),
    "hypergammon": (195, 38017),
    "longgammon": (59, 3484),
    "portes": (447, 202782),
    "irish": (246, 63722),
    "narde": (22, 484, 35387, 2411418),
    "jacquet": (21, 441, 10897),
    "maghribiyya": (21, 441, 15259),
    "bufa_de_baldrac": (56, 3136),
    "emperador": (238, 57063),
    "pareja_de_entrada": (238, 68324),
    "seis_dos_e_as": (1312, 1443348),
    "english": (202, 41231),
    "english_two_dice": (88, 7965),
    "provincial": (794, 687358),
    "imperial": (1724,),
    "revertier": (39, 1526),
}
"""Leaves from the start at depth 1, 2, ...: found by three programs that share no code with this one."""
