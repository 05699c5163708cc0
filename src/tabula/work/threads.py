"""Splitting work over threads: the one place that does it, for everything that is long enough to be split.

It is open to work of one's own that spends its time in native code: a thread that holds the interpreter's lock gains nothing.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tabula._arguments import whole
from tabula.errors import short_repr

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from concurrent.futures import Future

__all__ = ["Progress", "Stop", "StoppedError", "alone", "in_threads", "progress_of", "threads_of"]

Progress: TypeAlias = Callable[[int, int], object]
"""Is called with how much is done, and how much there is."""

Unit = TypeVar("Unit")
Result = TypeVar("Result")

_AHEAD = 4
"""Units handed out for each thread before the first of them is asked for."""

MOST_THREADS = 1024
"""More threads than any machine gains from."""


class StoppedError(Exception):
    """The work is not wanted any more.

    >>> stop = Stop()
    >>> stop.set()
    >>> try:
    ...     stop.check()
    ... except StoppedError:
    ...     print("left off")
    left off
    """


class Stop:
    """What a long unit of work asks, between steps of some milliseconds, whether it is still wanted.

    >>> stop = Stop()
    >>> stop.check()  # still wanted
    >>> stop.set()
    >>> stop.check()
    Traceback (most recent call last):
    ...
    tabula.work.threads.StoppedError
    """

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Says that it is not.

        >>> stop = Stop()
        >>> stop.set()
        """
        self._event.set()

    def check(self) -> None:
        """Raises `StoppedError` once `set` has been called.

        >>> Stop().check()
        """
        if self._event.is_set():
            raise StoppedError


def threads_of(threads: int) -> int:
    """A number of threads, 1..1,024; TypeError or ValueError if it is none.

    >>> threads_of(2)
    2
    """
    threads = whole("threads", threads)
    if threads < 1:
        raise ValueError(f"threads must be 1 or more, not {threads}")
    if threads > MOST_THREADS:
        raise ValueError(f"threads must be {MOST_THREADS} or fewer, not {threads}")
    return threads


def alone(executor: object, threads: int) -> None:
    """Raises TypeError for what is no executor and not None, and ValueError for one together with threads of this process.

    >>> alone(None, 2)
    """
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor must be a concurrent.futures.Executor, or None, not {short_repr(executor)}")
    if executor is not None and threads != 1:
        raise ValueError(f"threads are of this process, and the executor has workers of its own: leave threads at 1, not {threads}")


def progress_of(progress: Progress | None) -> Progress | None:
    """What is told of progress, if it can be called, or None; TypeError for anything else.

    >>> progress_of(None)
    """
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, or None, not {short_repr(progress)}")
    return progress


def in_threads(work: Callable[[Unit, Stop], Result], units: Iterable[Unit], threads: int) -> Generator[Result, None, None]:
    """The results of `work` on each unit, in the order of the units, whatever the number of threads.

    The units are taken as they are needed. An exception in a unit, Ctrl-C, or leaving the loop early stops the rest: those not
    begun are dropped, those under way hear it from their `Stop`.

    >>> from tabula import Position
    >>> start = Position()
    >>> list(in_threads(lambda roll, stop: start.count(roll), ["652", "111"], threads=2))
    [4, 3]
    """
    stop = Stop()
    if threads == 1:
        for unit in units:
            yield work(unit, stop)
        return
    from concurrent.futures import ThreadPoolExecutor  # here, for it is half of what this module would cost to import

    waiting = iter(units)
    with ThreadPoolExecutor(threads, thread_name_prefix="tabula") as pool:
        futures: deque[Future[Result]] = deque()
        try:
            futures.extend(pool.submit(work, unit, stop) for unit in islice(waiting, threads * _AHEAD))
            while futures:
                result = futures.popleft().result()
                futures.extend(pool.submit(work, unit, stop) for unit in islice(waiting, 1))
                yield result
        finally:
            stop.set()
            for future in futures:
                future.cancel()
