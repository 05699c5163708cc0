"""The table of tabula.h as ctypes sees it: what a C caller can do, without a compiler."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int8, c_int64, c_uint8, c_uint32, c_uint64, c_void_p, py_object

import numpy as np

from support import abi
from tabula import Position, Rules
from tabula._native import capi as _capi

OK, BAD_ARGUMENT, BAD_RULES, BAD_CHECKERS, CROWDED, SHARED_POINT = range(0, -6, -1)
BOTH_OFF, BAD_ROLL, BAD_PLAY, NO_ROOM, NO_MEMORY = range(-6, -11, -1)
MAX_PLAYS, MAX_DEPTH = 4080, 16


class Side(Structure):
    _fields_ = [("lo", c_uint64), ("hi", c_uint64)]


class CPosition(Structure):
    _fields_ = [("mover", Side), ("other", Side)]


class CPlay(Structure):
    _fields_ = [("lo", c_uint64), ("hi", c_uint64)]


class CMove(Structure):
    _fields_ = [(name, c_uint8) for name in ("source", "target", "die", "hit")]


class Stream(Structure):
    _fields_ = [("key", c_uint64), ("counter", c_uint64)]


FIELDS = abi.structs(abi.header())["tabula_rules"][2:-2]
"""The members of a byte each, in their order: those between the setups and the reserved bytes."""


class CRules(Structure):
    _fields_ = [
        ("setup", Side),
        ("setup_other", Side),
        *((name, c_uint8) for name in FIELDS),
        ("reserved", c_uint8 * (24 - len(FIELDS))),
        ("seal", c_uint64),
    ]


_rules, _position, _roll, _counts = POINTER(CRules), POINTER(CPosition), POINTER(c_uint8), POINTER(c_int8)
_plays, _moves, _stream, _int = POINTER(CPlay), POINTER(CMove), POINTER(Stream), POINTER(c_int)

FUNCTIONS = {
    "error": CFUNCTYPE(c_char_p, c_int),
    "rules_preset": CFUNCTYPE(c_int, c_char_p, _rules),
    "rules_from": ctypes.PYFUNCTYPE(c_int, py_object, _rules),
    "start": CFUNCTYPE(c_int, _rules, _position),
    "valid": CFUNCTYPE(c_int, _rules, _position),
    "from_counts": CFUNCTYPE(c_int, _rules, _counts, _position),
    "to_counts": CFUNCTYPE(c_int, _position, _counts),
    "outcome": CFUNCTYPE(c_int, _rules, _position, _int),
    "generate": CFUNCTYPE(c_int, _rules, _position, _roll, _plays, c_int, _int),
    "count": CFUNCTYPE(c_int, _rules, _position, _roll),
    "apply": CFUNCTYPE(c_int, _rules, _position, _plays, _position),
    "swap_sides": CFUNCTYPE(c_int, _position),
    "random_play": CFUNCTYPE(c_int, _rules, _position, _roll, _stream, _plays),
    "moves": CFUNCTYPE(c_int, _rules, _position, _roll, _plays, _moves),
    "stream_seed": CFUNCTYPE(Stream, c_uint64, c_uint64),
    "stream_ply": CFUNCTYPE(c_int, _stream, c_uint64),
    "stream_next": CFUNCTYPE(c_uint64, _stream),
    "stream_below": CFUNCTYPE(c_uint32, _stream, c_uint32),
    "stream_roll": CFUNCTYPE(c_int, _stream, c_int, _roll),
    "afterstates": CFUNCTYPE(c_int, _rules, _position, _plays, c_int, _counts),
    "all_moves": CFUNCTYPE(c_int, _rules, _position, _roll, _plays, c_int, _moves),
    "perft": CFUNCTYPE(c_int64, _rules, _position, c_int),
}


class Table(Structure):
    _fields_ = [
        *((name, c_uint32) for name in ("abi_version", "size", "layout", "reserved")),
        *FUNCTIONS.items(),
    ]


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [py_object, c_char_p]

C = Table.from_address(_pointer(_capi.C_API, b"tabula._native.capi.C_API"))
"""The table of the extension module that is loaded."""


def c_rules(rules: Rules) -> CRules:
    """The struct of a Rules."""
    filled = CRules()
    assert C.rules_from(rules, filled) == OK
    return filled


def c_counts(counts: object) -> ctypes.Array:
    """2 x 26 counts as C reads them; one that does not fit a byte wraps round."""
    return (c_int8 * 52)(*np.asarray(counts, np.int64).astype(np.int8).reshape(52).tolist())


def c_position(position: Position) -> CPosition:
    """The struct of a Position."""
    packed = CPosition()
    assert C.from_counts(c_rules(position.rules), c_counts(position.to_array()), packed) == OK
    return packed


def c_roll(roll: tuple[int, ...]) -> ctypes.Array:
    """A roll as C reads it, three bytes long whatever the number of dice."""
    return (c_uint8 * 3)(*roll)


def array(position: CPosition) -> np.ndarray:
    """The counts of a position, (2, 26)."""
    counts = (c_int8 * 52)()
    assert C.to_counts(position, counts) == OK
    return np.array(counts, np.int8).reshape(2, 26)


def generated(rules: CRules, position: CPosition, roll: tuple[int, ...]) -> tuple[list[CPlay], int]:
    """The plays of a roll and the dice they use."""
    plays, used = (CPlay * MAX_PLAYS)(), c_int(-1)
    n = C.generate(rules, position, c_roll(roll), plays, MAX_PLAYS, used)
    assert n >= 0, C.error(n)
    return list(plays[:n]), used.value
