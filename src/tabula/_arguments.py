"""Argument checks, each once: a function returns the value as it is used, or raises an error that names the field and the value."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Final, SupportsIndex, TypeAlias

import numpy as np

from tabula.errors import short_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "MOST_ROWS",
    "MOST_THREADS",
    "array_of",
    "at_least",
    "check_executor",
    "check_progress",
    "choice",
    "flag",
    "generator",
    "row_count",
    "thread_count",
    "white_or_black",
    "whole",
    "within",
]

MOST_THREADS: Final = 1024
"""More threads than any machine gains from."""

Array: TypeAlias = np.ndarray[Any, Any]

MOST_ROWS: Final = 1 << 48
"""More rows than any memory holds."""


def whole(field: str, value: SupportsIndex) -> int:
    """`value` as an int, or a TypeError that names the field: NumPy's integers are welcome, bools and floats are not."""
    if type(value) is int:
        return value
    # NumPy's own bools are no subclass of bool, and before NumPy 2 they pass for integers.
    if not isinstance(value, bool) and getattr(getattr(value, "dtype", None), "kind", "") != "b":
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{field} must be an integer, not {short_repr(value)}")


def within(field: str, value: SupportsIndex, low: int, high: int) -> int:
    """`value` as an int, or an error that names the field and the range that it must be in."""
    found = whole(field, value)
    if not low <= found <= high:
        raise ValueError(f"{field} must be {low}..{high}, not {short_repr(found)}")
    return found


def at_least(field: str, value: SupportsIndex, low: int, high: int | None = None) -> int:
    """`value` as an int, or an error that names the field and the bound that it is beyond; None is no upper bound."""
    found = whole(field, value)
    if found < low:
        raise ValueError(f"{field} must be {low} or more, not {short_repr(found)}")
    if high is not None and found > high:
        raise ValueError(f"{field} must be {high} or fewer, not {short_repr(found)}")
    return found


def thread_count(value: SupportsIndex) -> int:
    """A number of threads, 1..1,024, as an int, or an error that names the bound that it is beyond."""
    return at_least("threads", value, 1, MOST_THREADS)


def check_executor(executor: object, threads: int) -> None:
    """A TypeError for what is neither an executor nor None; a ValueError for an executor together with threads of this process."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor must be a concurrent.futures.Executor, or None, not {short_repr(executor)}")
    if executor is not None and threads != 1:
        raise ValueError(f"threads are of this process, and the executor has workers of its own: leave threads at 1, not {threads}")


def check_progress(progress: Callable[[int, int], object] | None) -> None:
    """A TypeError, unless `progress` can be called or is None."""
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, or None, not {short_repr(progress)}")


def generator(rng: object) -> np.random.Generator:
    """`rng`, or a TypeError for what is no random generator of NumPy."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, not {short_repr(rng)}")
    return rng


def row_count(field: str, value: SupportsIndex) -> int:
    """A number of rows to make, 0..`MOST_ROWS`, as an int, or an error that names the field and the bound that it is beyond."""
    return at_least(field, value, 0, MOST_ROWS)


def choice(field: str, value: str, choices: Iterable[str]) -> str:
    """The one of `choices` that `value` is; a TypeError for what is no str, a ValueError for another, both naming the field."""
    known = tuple(choices)
    if isinstance(value, str) and value in known:
        return known[known.index(value)]
    *most, last = map(repr, known)
    sentence = f"{field} must be {', '.join(most)} or {last}, not {short_repr(value)}"
    raise ValueError(sentence) if isinstance(value, str) else TypeError(sentence)


def white_or_black(field: str, value: SupportsIndex) -> int:
    """`WHITE` or `BLACK`, or an error that names the field."""
    found = whole(field, value)
    if found not in (0, 1):
        raise ValueError(f"{field} must be WHITE (0) or BLACK (1), not {short_repr(found)}")
    return found


def flag(field: str, value: bool) -> None:
    """A TypeError that names the field, unless `value` is True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{field} must be True or False, not {short_repr(value)}")


def array_of(field: str, value: object, dtype: np.dtype[Any]) -> Array:
    """`value`, or a TypeError that names the field, unless it is an array of this dtype."""
    if isinstance(value, np.ndarray) and (value.dtype is dtype or value.dtype == dtype):
        return value
    found = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
    article = "an" if dtype.kind == "i" else "a"
    expected = f"an array of dtype {dtype.str[1:]}" if dtype.kind == "V" else f"{article} {dtype.name} array"
    raise TypeError(f"{field} must be {expected}, not {found}")
