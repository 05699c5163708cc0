"""Splitting work over the threads of this process, for everything that is long enough to be split.

It is open to work of one's own that spends its time in native code: a thread that holds the interpreter's lock gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tabula._arguments import thread_count
from tabula.work.scheduler import Stop, StoppedError, by_threads

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

__all__ = ["Progress", "Stop", "StoppedError", "in_threads"]

Progress: TypeAlias = Callable[[int, int], object]
"""Is called with how much is done, and how much there is."""

Work = TypeVar("Work")
Result = TypeVar("Result")


def in_threads(work: Callable[[Work, Stop], Result], units: Iterable[Work], threads: int) -> Generator[Result, None, None]:
    """The results of `work` on each unit, in the order of the units, whatever the number of threads.

    The units are taken as they are needed. An exception of a unit, Ctrl-C, or leaving the loop early stops the rest: those not
    begun are dropped, and those under way are told by their `Stop` to end early.

    Raises TypeError or ValueError if `threads` is not an integer of 1..1,024, and what the work raises.

    >>> from tabula import Position
    >>> start = Position()
    >>> list(in_threads(lambda roll, stop: start.count(roll), ["652", "111"], threads=2))
    [4, 3]
    """
    with closing(by_threads(units, work, thread_count(threads), in_order=True)) as done:
        for _, result in done:
            yield result
