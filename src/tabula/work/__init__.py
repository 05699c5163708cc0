"""Long work: many small units, done by threads of this process or by an executor, and a file from which it goes on.

`in_threads` runs units in threads and gives their results in order. `results` runs units that can be sent to other processes, over
an executor too, and stores what is finished in a `Checkpoint`. One scheduler stands behind both: it hands out a bounded number
of units ahead, and cancels the rest after an error, Ctrl-C or an early end of the loop.

>>> from tabula.work import Stop, results
>>> class Square:
...     def __init__(self, n):
...         self.n = n
...
...     def run(self, stop):
...         return self.n**2
>>> sorted(results(map(Square, range(4)), 4, {"kind": "squares"}))
[(0, 0), (1, 1), (2, 4), (3, 9)]
"""

from typing import TYPE_CHECKING, Any

from tabula.work.threads import Progress, Stop, StoppedError, in_threads

if TYPE_CHECKING:
    from tabula.work.checkpoint import Checkpoint, InvalidCheckpointError
    from tabula.work.units import Unit, UnitFailedError, give_up, results

__all__ = [
    "Checkpoint",
    "InvalidCheckpointError",
    "Progress",
    "Stop",
    "StoppedError",
    "Unit",
    "UnitFailedError",
    "give_up",
    "in_threads",
    "results",
]


def __getattr__(name: str) -> Any:
    # Imported when asked for: both bring in modules that `import tabula` does without, such as json, pickle and logging.
    if name in ("Checkpoint", "InvalidCheckpointError"):
        from tabula.work import checkpoint

        return getattr(checkpoint, name)
    if name in ("Unit", "UnitFailedError", "give_up", "results"):
        from tabula.work import units

        return getattr(units, name)
    raise AttributeError(f"module 'tabula.work' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
