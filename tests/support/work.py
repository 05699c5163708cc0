"""Units of work, policies and executors for the tests; other processes import what is sent to them from here."""

import os
import random
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tabula.work.threads import Stop

QUESTION = {"kind": "squares"}


@dataclass(frozen=True)
class Square:
    n: int

    def __str__(self) -> str:
        return f"the square of {self.n}"

    def run(self, stop: Stop) -> int:
        stop.check()
        return self.n**2


@dataclass(frozen=True)
class Refuses(Square):
    def run(self, stop: Stop) -> int:
        stop.check()
        raise ArithmeticError(f"no square of {self.n}")


@dataclass(frozen=True)
class RefusesOnce(Square):
    """Fails the first time that it is done, by whichever process."""

    folder: Path

    def run(self, stop: Stop) -> int:
        try:
            (self.folder / str(self.n)).touch(exist_ok=False)
        except FileExistsError:
            return super().run(stop)
        raise OSError("not now")


@dataclass(frozen=True)
class EndsItsProcess(Square):
    """Ends the process that does it, once there is no file of that name."""

    file: Path

    def run(self, stop: Stop) -> int:
        if self.n == 7 and not self.file.exists():
            os._exit(3)
        return super().run(stop)


def bears_off(after: NDArray[np.int8]) -> NDArray[np.int8]:
    """A policy."""
    return after[:, 1, 25]


def raises(after: NDArray[np.int8]) -> NDArray[np.int8]:
    """A policy that cannot do it."""
    raise LookupError(f"{after.shape[1:]} is unknown")


class Later(Executor):
    """A thread that does what it was given in an order of its own, and first fails as often as it is told to."""

    def __init__(self, seed: int = 1, fails: int = 0) -> None:
        self.random = random.Random(seed)
        self.fails = fails
        self.order: list[Any] = []
        self.most = 0
        self._waiting: list[tuple[Future[Any], Callable[[], Any], tuple[Any, ...]]] = []
        self._changed = threading.Condition()
        self._ended = False
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self._changed:
            self._waiting.append((future, lambda: fn(*args, **kwargs), args))
            self.most = max(self.most, len(self._waiting))
            self._changed.notify()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        del cancel_futures
        with self._changed:
            self._ended = True
            self._changed.notify()
        if wait:
            self._thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._ended)
                if not self._waiting:
                    return
                future, work, args = self._waiting.pop(self.random.randrange(len(self._waiting)))
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if self.fails:
                    self.fails -= 1
                    raise ConnectionResetError("the worker is gone")
                result = work()
            except Exception as error:
                future.set_exception(error)
            else:
                self.order += args
                future.set_result(result)


class UnpickledError(Exception):
    """Is made of two arguments, and keeps one: what pickle makes again has too few."""

    def __init__(self, told: str, further: str) -> None:
        super().__init__(told)
        self.further = further


def raises_what_no_pickle_brings_back(after: NDArray[np.int8]) -> NDArray[np.int8]:
    """A policy that cannot do it, nor say so to another process."""
    raise UnpickledError("told", str(after.shape))
