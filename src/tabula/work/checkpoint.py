"""A file of finished units of work, from which a long computation goes on after whatever ended it.

It is text, one JSON object a line. The first line is the question: what is computed, from what, in how many units, by which
version. Every other line is a finished unit, ``{"unit":17,"result":421,"crc32":"0d9f5c11"}``, in the order in which they were
finished. A result that is bytes stands in base64 under ``"base64"``, in the place of ``"result"``.

The checksum is zlib's CRC-32 of the line before ``,"crc32"``, begun with that of the whole first line, so that a line
of another file does not pass; the first line's own begins with 0. Files of the same question can be put together with ``cat``.

A line is written whole by one call to the operating system, at the end of the file: a process that is killed at any moment leaves
whole lines and at most one without its end, which is cut off when the file is opened again. The operating system has a line
before its unit is counted as done, so that the end of a process loses none. The writer waits for the disk when it begins the
file, then every ten seconds, and at the end: a power cut may lose what was finished in the last ten seconds.

One process at a time has the file: it holds a lock, which ends with the process (on Windows and POSIX alike; a network file system
must be one that knows locks). A lock of POSIX is lost early if the same process opens the file once more and closes it, to read it
for instance.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import json
import os
import stat
import sys
import threading
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from tabula._version import __version__
from tabula.errors import short_repr
from tabula.rules import RENAMED_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Checkpoint", "InvalidCheckpointError"]

_FORMAT: Final = 1

_SUM: Final = len(',"crc32":"00000000"}\n')
"""How many bytes of a line are its checksum and its end."""

_LONGEST: Final = 1 << 28
"""The most bytes of a line: what is longer is no checkpoint, and is not read into memory."""

_SYNC: Final = 10.0
"""Seconds after which `add` waits for the disk again."""

_OPEN: Final[set[tuple[int, int]]] = set()
"""The files that this process has open here, by device and inode: a POSIX lock does not keep a process from itself, and is gone as
soon as the process closes the file once, however often it is open."""

_OPENING: Final = threading.Lock()


class InvalidCheckpointError(ValueError):
    """The file is the checkpoint of another question, or it is none, or it has been damaged.

    >>> from tabula import Position, perft
    >>> perft(Position(), 2, checkpoint="two")
    59085
    >>> perft(Position(), 3, checkpoint="two")
    Traceback (most recent call last):
    ...
    tabula.work.checkpoint.InvalidCheckpointError: two is the checkpoint of another question: its depth is 2, and here it is 3
    """


class Checkpoint:
    """The file, open and locked; a context manager.

    Parameters
    ----------
    path
        The file. It is made where there is none.
    question
        What is computed, in values that JSON can hold: all that the results depend on.
    units
        How many units of work there are.

    Raises
    ------
    InvalidCheckpointError
        If there is a file, and it is not of this question, this number of units and this version.
    BlockingIOError
        If another process, or another call in this one, has it open.
    OSError
        If it cannot be read and written.

    Examples
    --------
    >>> with Checkpoint("squares.checkpoint", {"kind": "squares"}, 3) as file:
    ...     file.add(2, 4)
    >>> with Checkpoint("squares.checkpoint", {"kind": "squares"}, 3) as file:
    ...     list(file.done())
    [(2, 4)]
    """

    def __init__(self, path: str | os.PathLike[str], question: Mapping[str, Any], units: int) -> None:
        if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str):
            raise TypeError(f"checkpoint must be the path of a file, not {short_repr(path)}")
        self.path = os.fspath(path)
        if not self.path:
            raise InvalidCheckpointError("checkpoint must be the path of a file, not ''")
        self.units = units
        self._fd = -1
        self._file: tuple[int, int] | None = None
        self._synced = time.monotonic()
        # Through JSON and back, so that what is compared later is what JSON makes of it.
        ours = json.loads(json.dumps({"format": _FORMAT, "version": __version__, **question, "units": units}))
        self._head = _line(ours, 0)
        self._seed = zlib.crc32(self._head)
        try:
            self._open()
            self._begin(ours)
        except BaseException as error:
            if isinstance(error, OSError) and error.filename is None:
                error.filename = self.path
            with contextlib.suppress(OSError):
                self.close()
            raise

    def _open(self) -> None:
        with _OPENING:
            try:
                there = Path(self.path).stat()
            except FileNotFoundError:
                there = None
            if there is not None:
                if not stat.S_ISREG(there.st_mode):
                    raise InvalidCheckpointError(f"{self.path} is no file that a checkpoint could be stored in")
                if (there.st_dev, there.st_ino) in _OPEN:
                    raise _in_use(self.path)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
            self._fd = os.open(self.path, flags, 0o666)
            _lock(self._fd, self.path)
            now = os.fstat(self._fd)
            self._file = (now.st_dev, now.st_ino)
            _OPEN.add(self._file)

    def _begin(self, ours: dict[str, Any]) -> None:
        """Looks at the first line, or writes it."""
        with os.fdopen(self._fd, "rb", closefd=False) as file:
            first = file.readline(max(_LONGEST, len(self._head) + 1))
        if self._head.startswith(first) and first != self._head:  # a new file, or one whose first line was not finished
            os.ftruncate(self._fd, 0)
            self._write(self._head)
            os.fsync(self._fd)
        elif first != self._head:
            raise InvalidCheckpointError(self._why_not(ours, first))

    def _why_not(self, ours: dict[str, Any], first: bytes) -> str:
        """What sets the first line of the file apart from the question."""
        theirs = _read(first, 0)
        if theirs is None or "format" not in theirs:
            return (
                f"{self.path} is no checkpoint: its first line is {short_repr(first.decode('utf-8', 'backslashreplace').rstrip())}"
            )
        rules = theirs.get("rules")
        renamed = [sentence for field, sentence in RENAMED_FIELDS.items() if isinstance(rules, dict) and field in rules]
        if renamed:
            return f"{self.path} is of an earlier version, whose rules had other fields: {'; '.join(renamed)}"
        file_values, own_values = dict(_flat(theirs)), dict(_flat(ours))
        for field in [*own_values, *file_values]:
            if field not in file_values or field not in own_values or file_values[field] != own_values[field]:
                there, here = (
                    short_repr(values[field]) if field in values else "not given" for values in (file_values, own_values)
                )
                what = "is of another version" if field in ("format", "version") else "is the checkpoint of another question"
                return f"{self.path} {what}: its {field} is {there}, and here it is {here}"
        return f"{self.path} is written in another way than this version writes"

    def done(self) -> Iterator[tuple[int, Any]]:
        """The finished units that the file has, each with its result. Go through them once, before you add any.

        A last line that was not finished is cut off. Raises InvalidCheckpointError for any other line that is not as it was
        written.

        >>> with Checkpoint("nothing.checkpoint", {"kind": "nothing"}, 3) as file:
        ...     list(file.done())
        []
        """
        with os.fdopen(self._fd, "rb", closefd=False) as file:
            file.seek(0)
            end = len(file.readline())
            for number, line in enumerate(iter(lambda: file.readline(_LONGEST), b""), 2):
                if not line.endswith(b"\n") and len(line) < _LONGEST:
                    os.ftruncate(self._fd, end)
                    break
                end += len(line)
                if line == self._head:  # of another file of the same question, added to this one
                    continue
                finished = _finished_unit(line, self._seed)
                if finished is None:
                    raise InvalidCheckpointError(
                        f"{self.path}:{number}: the line is not as it was written; take it out, and its unit is done again"
                    )
                if not 0 <= finished[0] < self.units:
                    raise InvalidCheckpointError(f"{self.path}:{number}: there is no unit {finished[0]} among {self.units:,}")
                yield finished

    def add(self, unit: int, result: Any) -> None:
        """Writes a finished unit; `result` is bytes, or a value that JSON can hold.

        Raises ValueError for a unit that there is not, and OSError if there is no room for it; the file is then as it was before.

        >>> with Checkpoint("two.checkpoint", {"kind": "two"}, 2) as file:
        ...     file.add(0, [1, 2])
        ...     file.add(1, b"3")
        """
        if not 0 <= unit < self.units:
            raise ValueError(f"unit must be 0..{self.units - 1}, not {unit}")
        text = {"base64": base64.b64encode(result).decode("ascii")} if isinstance(result, bytes) else {"result": result}
        self._write(_line({"unit": unit, **text}, self._seed))
        if time.monotonic() - self._synced > _SYNC:
            os.fsync(self._fd)
            self._synced = time.monotonic()

    def _write(self, line: bytes) -> None:
        written = os.write(self._fd, line)
        if written != len(line):
            os.ftruncate(self._fd, os.fstat(self._fd).st_size - written)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.path)

    def close(self) -> None:
        """Waits for the disk, and lets the file go; once more does nothing.

        >>> file = Checkpoint("closed.checkpoint", {"kind": "closed"}, 1)
        >>> file.close()
        >>> file.close()
        """
        fd, self._fd = self._fd, -1
        if fd < 0:
            return
        with _OPENING:
            try:
                if self._file is not None:
                    os.fsync(fd)
            finally:
                os.close(fd)
                _OPEN.discard(self._file or (-1, -1))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _line(fields: Mapping[str, Any], seed: int) -> bytes:
    """A line with its checksum."""
    body = json.dumps(fields, separators=(",", ":"))[:-1].encode("ascii")
    return b'%b,"crc32":"%08x"}\n' % (body, zlib.crc32(body, seed))


def _read(line: bytes, seed: int) -> dict[str, Any] | None:
    """The fields of a line; None if it is not as it was written."""
    body = line[:-_SUM]
    if line[-_SUM:] != b',"crc32":"%08x"}\n' % zlib.crc32(body, seed):
        return None
    try:
        fields = json.loads(body + b"}")
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _finished_unit(line: bytes, seed: int) -> tuple[int, Any] | None:
    """The number of the line's unit and its result; None if the line is not as it was written."""
    match _read(line, seed):
        case {"unit": int(unit), "base64": str(text)} if type(unit) is int:
            try:
                return unit, base64.b64decode(text, validate=True)
            except ValueError:
                return None
        case {"unit": int(unit), "result": result} if type(unit) is int:
            return unit, result
    return None


def _flat(question: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields of a question, those within a field by both names."""
    for field, value in question.items():
        if isinstance(value, dict):
            yield from ((f"{field}.{inner}", one) for inner, one in value.items())
        else:
            yield field, value


def _in_use(path: str) -> BlockingIOError:
    return BlockingIOError(errno.EWOULDBLOCK, "the checkpoint is in use by another run", path)


def _lock(fd: int, path: str) -> None:
    """Locks the file for this process alone; its children do not inherit that, and it ends with the process."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(fd, 1 << 40, os.SEEK_SET)  # a byte that is never written, for the lock keeps others from reading it as well
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
            os.lseek(fd, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            raise _in_use(path) from error
        raise
