"""The scheduler: it hands units of work to a pool, a bounded number ahead, and gives their results back.

Everything that runs for long comes through here: `in_threads`, whose units are given to a function and whose results come in
order, and `tabula.work.units.results`, whose units may be sent to other processes and whose results come as they are finished.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from concurrent.futures import Future

__all__ = ["Stop", "StoppedError", "by_futures", "by_threads"]

Work = TypeVar("Work")
Result = TypeVar("Result")

OnFailure: TypeAlias = Callable[[Work, Exception, int], Exception | None]
"""Gets a unit, what it raised, and how often it has been tried. Returns what is raised for it, or None to try it once more."""

OnResult: TypeAlias = Callable[[Work, Result], None]
"""Gets a finished unit and its result before these are given back."""

_UNITS_A_THREAD: Final = 4
"""Units handed out for each thread before the first result is asked for."""

_LISTEN: Final = 0.5
"""Seconds after which a wait is begun anew: Windows hears Ctrl-C only between two waits."""


class StoppedError(Exception):
    """A unit of work has ended early, because its result is not needed any more.

    >>> stop = Stop()
    >>> stop.set()
    >>> try:
    ...     stop.check()
    ... except StoppedError:
    ...     print("left off")
    left off
    """


class Stop:
    """What tells a unit of work to end early. A long unit calls `check` every few milliseconds.

    >>> stop = Stop()
    >>> stop.check()  # go on
    >>> stop.set()
    >>> stop.check()
    Traceback (most recent call last):
    ...
    tabula.work.scheduler.StoppedError
    """

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """From now on `check` raises.

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


def by_threads(
    units: Iterable[Work],
    work: Callable[[Work, Stop], Result],
    threads: int,
    *,
    in_order: bool = False,
    on_failure: OnFailure[Work] | None = None,
    on_result: OnResult[Work, Result] | None = None,
) -> Generator[tuple[Work, Result], None, None]:
    """Each unit with the result of `work` on it, done by threads of this process; one thread is the caller's own.

    Otherwise as `by_futures`. Units that are under way when the loop ends are told by their `Stop` to end early.
    """
    stop = Stop()
    if threads == 1:
        for unit in units:
            try:
                result = work(unit, stop)
            except Exception as error:
                raised = on_failure(unit, error, 1) if on_failure is not None else error
                if raised is None or raised is error:
                    raise
                raise raised from error
            if on_result is not None:
                on_result(unit, result)
            yield unit, result
        return
    from concurrent.futures import ThreadPoolExecutor  # here, for it is half of what this module would cost to import

    with ThreadPoolExecutor(threads, thread_name_prefix="tabula") as pool:
        try:
            yield from by_futures(
                units,
                lambda unit: pool.submit(work, unit, stop),
                threads * _UNITS_A_THREAD,
                in_order=in_order,
                on_failure=on_failure,
                on_result=on_result,
            )
        finally:
            stop.set()


def by_futures(
    units: Iterable[Work],
    submit: Callable[[Work], Future[Result]],
    ahead: int,
    *,
    in_order: bool = False,
    on_failure: OnFailure[Work] | None = None,
    on_result: OnResult[Work, Result] | None = None,
) -> Generator[tuple[Work, Result], None, None]:
    """Each unit with its result, as they are finished or in the order of the units.

    The units are taken as they are needed: no more than `ahead` are handed out whose results have not been given back. An exception
    of a unit, Ctrl-C, or leaving the loop early cancels those that have not begun. In order, an exception is raised when it is the
    unit's turn, so that which one it is does not depend on the pool. A unit that is tried again goes to the end.

    `on_result` also gets the units that are finished, and not given back, when the loop is left.
    """
    from concurrent.futures import wait
    from queue import Empty, SimpleQueue

    waiting = iter(units)
    ended: SimpleQueue[Future[Result]] = SimpleQueue()
    under_way: dict[Future[Result], tuple[Work, int]] = {}

    def hand_out(unit: Work, tries: int) -> None:
        future = submit(unit)
        under_way[future] = unit, tries
        if not in_order:
            future.add_done_callback(ended.put)

    def next_ended() -> Future[Result]:
        if in_order:
            first = next(iter(under_way))
            while not first.done():
                wait([first], _LISTEN)
            return first
        while True:
            try:
                return ended.get(timeout=_LISTEN)
            except Empty:
                continue

    try:
        for unit in islice(waiting, ahead):
            hand_out(unit, 1)
        while under_way:
            future = next_ended()
            unit, tries = under_way.pop(future)
            try:
                result = future.result()
            except Exception as error:
                raised = on_failure(unit, error, tries) if on_failure is not None else error
                if raised is error:
                    raise
                if raised is not None:
                    raise raised from error
                hand_out(unit, tries + 1)
                continue
            if on_result is not None:
                on_result(unit, result)
            for next_unit in islice(waiting, 1):
                hand_out(next_unit, 1)
            yield unit, result
    finally:
        for future in under_way:
            future.cancel()
        if on_result is not None:
            for future, (unit, _) in under_way.items():
                if future.done() and not future.cancelled() and future.exception() is None:
                    on_result(unit, future.result())
