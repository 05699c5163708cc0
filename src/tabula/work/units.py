"""Running a long computation as many small units of work, in this process or wherever an executor reaches.

A unit says in itself all that it needs, so that it can be sent to another process or machine and done there by anybody. Its
result is a value that JSON can hold. Units know nothing of each other: whoever puts their results together must not mind in
what order they come. With a checkpoint the computation can be taken up again after whatever ended it.
"""

from __future__ import annotations

import pickle
from concurrent.futures import BrokenExecutor, CancelledError, Future
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias
from weakref import WeakSet

from tabula.errors import short_repr
from tabula.work.checkpoint import Checkpoint, InvalidCheckpointError
from tabula.work.threads import Stop, StoppedError, alone

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from concurrent.futures import Executor

__all__ = ["Unit", "UnitFailedError", "give_up", "results"]

_IN_FLIGHT: Final = 4096
"""How many units an executor has at once: several for each of a thousand workers, and no more memory for a million units."""

_AHEAD: Final = 2
"""How many units of this process's own threads are handed out for each of them."""

_TRIES: Final = 2
"""How often a unit is handed to an executor before its failure is told: another worker may be better off."""

_LISTEN: Final = 0.5
"""Seconds after which waiting is begun anew: Windows hears Ctrl-C only between two waits."""

Job: TypeAlias = tuple[int, "Unit"]


class Unit(Protocol):
    """A small part of a long computation. `str` names it in errors. It is pickled, and its class stands at the top of a module.

    >>> class Nothing:
    ...     def run(self, stop):
    ...         return None
    >>> unit: Unit = Nothing()
    """

    def run(self, stop: Stop) -> Any:
        """Does it, and asks `stop` every few milliseconds whether it is still wanted. The result is a value that JSON can hold.

        >>> class Square:
        ...     def __init__(self, n):
        ...         self.n = n
        ...
        ...     def run(self, stop):
        ...         return self.n**2
        >>> Square(3).run(Stop())
        9
        """


class UnitFailedError(RuntimeError):
    """A unit of work raised an exception, with an executor twice; it is the `__cause__`, and the message names the unit.

    >>> from tabula import Position
    >>> from tabula.playouts import playouts
    >>> import numpy as np
    >>> playouts(Position(), 10, rng=np.random.default_rng(1), policy=lambda after: 1 / 0, checkpoint="games.checkpoint")
    Traceback (most recent call last):
    ...
    tabula.work.units.UnitFailedError: games 0..9 failed: ZeroDivisionError: division by zero
    """


def results(
    units: Iterable[Unit],
    many: int,
    question: Mapping[str, Any],
    *,
    executor: Executor | None = None,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Generator[tuple[int, Any], None, None]:
    """The results of units, each with the number of its unit, as they are finished; those of a checkpoint first.

    Leaving the loop early, with Ctrl-C too, cancels what has not begun; what is finished by then is still kept in the checkpoint.
    Close the iterator to be sure that this has happened.

    Parameters
    ----------
    units
        The units, `many` of them. They are taken as they are needed, and only a few thousand are under way at once.
    many
        How many there are.
    question
        What they compute, as `Checkpoint` takes it.
    executor
        What runs them: anything whose `submit` gives a `concurrent.futures.Future`. None is this process.
    threads
        How many threads of this process run them, if there is no executor.
    checkpoint
        A file to keep results in, and to take those from that it has.

    Raises
    ------
    UnitFailedError
        A unit raised an exception.
    concurrent.futures.BrokenExecutor
        The executor has lost its workers.
    TypeError
        It is no executor, or it gives one future for two units, or a unit cannot be pickled.
    ValueError
        There are not as many units as `many` says.
    InvalidCheckpointError, OSError
        As `Checkpoint` raises them.

    Examples
    --------
    >>> class Square:
    ...     def __init__(self, n):
    ...         self.n = n
    ...
    ...     def run(self, stop):
    ...         return self.n**2
    >>> sum(result for _, result in results(map(Square, range(10)), 10, {"kind": "squares"}, threads=2))
    285
    """
    alone(executor, threads)
    jobs = _numbered(units, many)
    if checkpoint is None:
        yield from _run(jobs, executor, threads, None, 0, many)
        return
    with Checkpoint(checkpoint, question, many) as kept:
        waiting = bytearray(b"\1") * many
        for unit, result in kept.done():
            if waiting[unit]:  # which it is not where somebody has put two files together
                waiting[unit] = 0
                yield unit, result
        done = many - sum(waiting)
        left = ((index, unit) for index, unit in jobs if waiting[index])
        yield from _run(left, executor, threads, kept, done, many)


def _numbered(units: Iterable[Unit], many: int) -> Iterator[Job]:
    """The units with their numbers, if there are as many as is said: a sum must not miss one in silence."""
    came = 0
    for unit in units:
        if came == many:
            raise ValueError(f"many is {many:,}, and there are more units")
        yield came, unit
        came += 1
    if came < many:
        raise ValueError(f"many is {many:,}, and there are {came:,} units")


def _run(
    jobs: Iterator[Job], executor: Executor | None, threads: int, kept: Checkpoint | None, done: int, many: int
) -> Generator[tuple[int, Any], None, None]:
    if executor is not None:
        yield from _submitted(jobs, lambda unit: executor.submit(_work, unit), _IN_FLIGHT, _TRIES, kept, done, many)
        return
    stop = Stop()
    if threads == 1:
        for index, unit in jobs:
            try:
                result = unit.run(stop)
            except Exception as error:
                raise _failed(unit, error) from error
            if kept is not None:
                kept.add(index, result)
            yield index, result
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads, thread_name_prefix="tabula") as pool:
        yield from _submitted(jobs, lambda unit: pool.submit(unit.run, stop), threads * _AHEAD, 1, kept, done, many, stop)


_HERE: Final = Stop()
"""What the units ask that this process does for an executor."""


def _work(unit: Unit) -> Any:
    """What another process is asked to do."""
    try:
        return unit.run(_HERE)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # it would break the pool that sends it
            raise RuntimeError(f"{type(error).__name__}: {error}") from None
        raise


def give_up() -> None:
    """Stops the units that this process does for an executor, and all that it is yet asked for: for a worker that is to end.

    They raise `tabula.work.threads.StoppedError` within milliseconds.

    >>> import subprocess, sys
    >>> subprocess.run([sys.executable, "-c", "from tabula.work.units import give_up; give_up()"]).returncode
    0
    """
    _HERE.set()


def unusable(unit: int, result: object, what: str, checkpoint: object) -> TypeError | InvalidCheckpointError:
    """The error for a unit whose result is no `what`: somebody's executor made it, or somebody wrote it into the checkpoint.

    >>> unusable(3, "x", "number of leaves", None)
    TypeError("unit 3 came with 'x', which is no number of leaves")
    """
    kind = TypeError if checkpoint is None else InvalidCheckpointError
    return kind(f"unit {unit} came with {short_repr(result)}, which is no {what}")


def _submitted(
    jobs: Iterator[Job],
    submit: Callable[[Unit], Future[Any]],
    in_flight: int,
    tries: int,
    kept: Checkpoint | None,
    done: int,
    many: int,
    stop: Stop | None = None,
) -> Generator[tuple[int, Any], None, None]:
    """The results as the futures are done, with so many of them in flight."""
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    under_way: dict[Future[Any], tuple[int, Unit, int]] = {}
    given: WeakSet[Future[Any]] = WeakSet()

    def hand_in(index: int, unit: Unit, tried: int) -> None:
        future = submit(unit)
        if not isinstance(future, Future):
            raise TypeError(
                f"executor.submit must give a concurrent.futures.Future, not {short_repr(future)}; "
                "of a dask.distributed Client take client.get_executor()"
            )
        if future in given:
            raise TypeError("executor.submit must give a future of its own for every call, and gave one again")
        given.add(future)
        under_way[future] = (index, unit, tried)
        future.add_done_callback(finished.put)

    def next_finished() -> Future[Any]:
        while True:
            try:
                return finished.get(timeout=_LISTEN)
            except Empty:
                continue

    try:
        for index, unit in islice(jobs, in_flight):
            hand_in(index, unit, 1)
        while under_way:
            future = next_finished()
            index, unit, tried = under_way.pop(future)
            try:
                result = future.result()
            except BrokenExecutor:
                raise
            except (Exception, CancelledError) as error:
                if not isinstance(error, StoppedError):
                    _refuse_what_cannot_travel(unit, error)
                    if tried < tries:
                        hand_in(index, unit, tried + 1)
                        continue
                raise _failed(unit, error) from error
            if kept is not None:
                kept.add(index, result)
            done += 1
            for index_after, unit_after in islice(jobs, 1):
                hand_in(index_after, unit_after, 1)
            yield index, result
    except BrokenExecutor as error:
        raise BrokenExecutor(_broken(done, many, kept)) from error
    finally:
        if stop is not None:
            stop.set()
        for future in under_way:
            future.cancel()
        if kept is not None:
            for future, (index, _, _) in under_way.items():
                if future.done() and not future.cancelled() and future.exception() is None:
                    kept.add(index, future.result())


def _failed(unit: Unit, error: BaseException) -> UnitFailedError:
    told = str(error)
    return UnitFailedError(f"{unit} failed: {type(error).__name__}{f': {told}' if told else ''}")


def _broken(done: int, many: int, kept: Checkpoint | None) -> str:
    after = (
        "a checkpoint would have kept what was done"
        if kept is None
        else f"{kept.path} has what was done: the same call with another executor goes on from there"
    )
    return f"the executor broke after {done:,} of {many:,} units: a worker has ended, or could not load what it was sent; {after}"


def _refuse_what_cannot_travel(unit: Unit, error: BaseException) -> None:
    """Raises TypeError if a unit failed because it cannot be pickled."""
    if not isinstance(error, pickle.PicklingError | AttributeError | TypeError):
        return
    try:
        pickle.dumps(unit)
    except Exception as refused:
        if type(refused) is type(error):
            raise TypeError(
                f"{unit} cannot be sent to another process: {refused}; "
                "a policy must be a function or an object of a class that stands at the top of a module"
            ) from error
