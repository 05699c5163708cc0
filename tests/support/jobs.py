"""Programs that are several processes: started in a session of their own, waited for, and ended with all that they began."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

PYTHON = shlex.quote(sys.executable)
"""This interpreter, in a shell command."""

PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
"""Where commands are looked for: a package may have put its own beside the interpreter."""

_HANGS = 1800
"""Seconds that no job takes, however slow the machine, unless it has come to a stop."""


class Ended(NamedTuple):
    """What a job has left: its status, and what its processes wrote."""

    status: int
    out: str
    err: str


@dataclass
class Job:
    """A shell command that is running in a folder."""

    shell: subprocess.Popen[bytes]
    folder: Path

    def wait_for_lines(self, file: Path, many: int) -> None:
        """Until the file has so many lines, or the job has ended."""
        while self.shell.poll() is None and not (file.exists() and file.read_bytes().count(b"\n") >= many):
            time.sleep(0.01)

    def interrupt(self) -> None:
        """Ctrl-C, as a terminal sends it: to all processes but those that have left the group."""
        os.killpg(self.shell.pid, signal.SIGINT)

    def end(self) -> Ended:
        """What it has left, once it has ended."""
        status = self.shell.wait(_HANGS)
        return Ended(status, *((self.folder / name).read_text(encoding="utf-8", errors="replace") for name in ("out", "err")))


@contextlib.contextmanager
def job(command: str, folder: Path, **variables: str) -> Iterator[Job]:
    """A shell command that is running in a folder, with what can be imported here."""
    environment = {**os.environ, "PATH": PATH, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **variables}
    with (
        (folder / "out").open("wb") as out,
        (folder / "err").open("wb") as err,
        subprocess.Popen(
            ["sh", "-c", command], cwd=folder, env=environment, stdout=out, stderr=err, start_new_session=True
        ) as shell,
    ):
        try:
            yield Job(shell, folder)
        finally:
            if shell.poll() is None:
                os.killpg(shell.pid, signal.SIGKILL)


def ran(command: str, folder: Path, **variables: str) -> Ended:
    """What a shell command has left."""
    with job(command, folder, **variables) as running:
        return running.end()


def adapted(text: str, changes: Mapping[str, str]) -> str:
    """Commands or a program with each of these texts, which must be there once, in the place of another."""
    for old, new in changes.items():
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text
