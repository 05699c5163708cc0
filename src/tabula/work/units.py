"""Running a long computation as many small units of work, in this process or wherever an executor reaches.

A unit holds all that it needs, so that it can be sent to another process or machine and run there. Its result is bytes, or a value
that JSON can hold. Units know nothing of each other, and their results come in any order. With a checkpoint the computation can be
taken up again after whatever ended it.
"""

from __future__ import annotations

import pickle
from concurrent.futures import BrokenExecutor, Future
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias
from weakref import WeakSet

from tabula._arguments import check_executor, thread_count
from tabula.errors import short_repr
from tabula.work.checkpoint import Checkpoint, InvalidCheckpointError
from tabula.work.scheduler import Stop, StoppedError, by_futures, by_threads

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from concurrent.futures import Executor

__all__ = ["Unit", "UnitFailedError", "give_up", "results"]

_IN_FLIGHT: Final = 4096
"""How many units an executor has at once: several for each of a thousand workers, and no more memory for a million units."""

_TRIES: Final = 2
"""How often a unit is handed to an executor before its failure is an error: another worker may be better off."""

Job: TypeAlias = tuple[int, "Unit"]


class Unit(Protocol):
    """A small part of a long computation. `str` names it in errors.

    An executor of processes pickles it: its class must stand at the top of a module.

    >>> class Nothing:
    ...     def run(self, stop):
    ...         return None
    >>> unit: Unit = Nothing()
    """

    def run(self, stop: Stop) -> Any:
        """Does the work, and calls ``stop.check()`` every few milliseconds. The result is bytes, or a value that JSON can hold.

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
    n_units: int,
    question: Mapping[str, Any],
    *,
    executor: Executor | None = None,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Generator[tuple[int, Any], None, None]:
    """The results of units, each with the number of its unit, as they are finished; those of a checkpoint first.

    Leaving the loop early, with Ctrl-C too, cancels what has not begun; the checkpoint still gets what is finished by then.
    Close the iterator to be sure that this has happened.

    Parameters
    ----------
    units
        The units, `n_units` of them. They are taken as they are needed, and only a few thousand are under way at once.
    n_units
        How many there are.
    question
        What they compute, as `Checkpoint` takes it.
    executor
        What runs them: anything whose `submit` gives a `concurrent.futures.Future`. None is this process.
    threads
        How many threads of this process run them, if there is no executor.
    checkpoint
        A file to store results in, and to take those from that it has.

    Raises
    ------
    UnitFailedError
        A unit raised an exception.
    concurrent.futures.BrokenExecutor
        The executor has lost its workers.
    TypeError
        It is no executor, or it gives one future for two units, or a unit cannot be pickled.
    ValueError
        There are not as many units as `n_units` says, or `threads` is not 1..1,024, or is not 1 beside an executor.
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
    threads = thread_count(threads)
    check_executor(executor, threads)
    jobs = _numbered(units, n_units)
    if checkpoint is None:
        yield from _run(jobs, executor, threads, None, 0, n_units)
        return
    with Checkpoint(checkpoint, question, n_units) as file:
        undone = bytearray(b"\1") * n_units
        for number, result in file.done():
            if undone[number]:  # which it is not where somebody has put two files together
                undone[number] = 0
                yield number, result
        rest = ((number, unit) for number, unit in jobs if undone[number])
        yield from _run(rest, executor, threads, file, n_units - sum(undone), n_units)


def _numbered(units: Iterable[Unit], n_units: int) -> Iterator[Job]:
    """The units with their numbers, if there are as many as is said: a sum must not miss one in silence."""
    number = -1
    for number, unit in enumerate(units):
        if number == n_units:
            raise ValueError(f"n_units is {n_units:,}, and there are more units")
        yield number, unit
    if number + 1 < n_units:
        raise ValueError(f"n_units is {n_units:,}, and there are {number + 1:,} units")


def _run(
    jobs: Iterator[Job], executor: Executor | None, threads: int, checkpoint: Checkpoint | None, done: int, n_units: int
) -> Generator[tuple[int, Any], None, None]:
    """The results of the units that are not done yet, each stored in the checkpoint before it is given back."""

    def on_result(job: Job, result: Any) -> None:
        nonlocal done
        if checkpoint is not None:
            checkpoint.add(job[0], result)
        done += 1

    def on_failure(job: Job, error: Exception, tries: int) -> Exception | None:
        if executor is not None and isinstance(error, BrokenExecutor):
            return error
        if executor is not None and not isinstance(error, StoppedError):
            refusal = _refusal_of_pickle(job[1], error)
            if refusal is not None:
                return refusal
            if tries < _TRIES:
                return None
        reason = str(error)
        return UnitFailedError(f"{job[1]} failed: {type(error).__name__}{f': {reason}' if reason else ''}")

    if executor is None:
        finished = by_threads(jobs, lambda job, stop: job[1].run(stop), threads, on_failure=on_failure, on_result=on_result)
    else:
        finished = by_futures(jobs, _submitting(executor), _IN_FLIGHT, on_failure=on_failure, on_result=on_result)
    try:
        with closing(finished):
            for (number, _), result in finished:
                yield number, result
    except BrokenExecutor as error:
        stored = (
            "a checkpoint would have stored what was done"
            if checkpoint is None
            else f"{checkpoint.path} has what was done: the same call with another executor goes on from there"
        )
        reason = "a worker has ended, or could not load what it was sent"
        raise BrokenExecutor(f"the executor broke after {done:,} of {n_units:,} units: {reason}; {stored}") from error


def _submitting(executor: Executor) -> Callable[[Job], Future[Any]]:
    """What hands a unit to an executor, and refuses what is no future of the unit's own."""
    known: WeakSet[Future[Any]] = WeakSet()

    def submit(job: Job) -> Future[Any]:
        future = executor.submit(_work, job[1])
        if not isinstance(future, Future):
            raise TypeError(
                f"executor.submit must give a concurrent.futures.Future, not {short_repr(future)}; "
                "of a dask.distributed Client take client.get_executor()"
            )
        if future in known:
            raise TypeError("executor.submit must give a future of its own for every call, and gave one again")
        known.add(future)
        return future

    return submit


_WORKER_STOP: Final = Stop()
"""The `Stop` of all units that this process runs for an executor."""


def _work(unit: Unit) -> Any:
    """Runs a unit in a worker of an executor."""
    try:
        return unit.run(_WORKER_STOP)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # it would break the pool that sends it
            raise RuntimeError(f"{type(error).__name__}: {error}") from None
        raise


def give_up() -> None:
    """Ends this worker's units early, those under way and those that it will still be sent: call it in a worker that is to end.

    The units raise `StoppedError` within milliseconds. There is no way back: it holds until the process ends.

    >>> import subprocess, sys
    >>> subprocess.run([sys.executable, "-c", "from tabula.work import give_up; give_up()"]).returncode
    0
    """
    _WORKER_STOP.set()


def unusable(unit: int, result: object, what: str, checkpoint: object) -> TypeError | InvalidCheckpointError:
    """The error for a unit whose result is no `what`: somebody's executor made it, or somebody wrote it into the checkpoint.

    >>> unusable(3, "x", "number of leaves", None)
    TypeError("unit 3 came with 'x', which is no number of leaves")
    """
    kind = TypeError if checkpoint is None else InvalidCheckpointError
    return kind(f"unit {unit} came with {short_repr(result)}, which is no {what}")


def _refusal_of_pickle(unit: Unit, error: Exception) -> TypeError | None:
    """The error for a unit that failed because it cannot be pickled; None if it failed otherwise."""
    if not isinstance(error, pickle.PicklingError | AttributeError | TypeError):
        return None
    try:
        pickle.dumps(unit)
    except Exception as refused:
        if type(refused) is type(error):
            return TypeError(
                f"{unit} cannot be sent to another process: {refused}; "
                "a policy must be a function or an object of a class that stands at the top of a module"
            )
    return None
