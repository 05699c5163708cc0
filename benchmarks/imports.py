"""What `import tabula` costs, compared with `import numpy`, which it needs.

    python benchmarks/imports.py

Starts a fresh interpreter for each, in turn, and takes the processor time of the whole process, less that of an interpreter that
imports nothing. The least of all rounds counts, for other work of the machine can only add to it. Each process prints what it
imported, and that is checked before a time is printed. POSIX only: elsewhere the time of an ended process is not known.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from typing import Final

MODULES: Final = ("numpy", "tabula", "tabula.batch", "tabula.features", "tabula.notation", "tabula.playouts", "tabula.cli")
"""What is imported, each in processes of its own; the last ones beside `tabula`, which they all bring in."""


def seconds(module: str) -> float:
    """The processor time of an interpreter that imports a module; of one that imports nothing if that is empty."""
    code = f"import {module}; print({module}.__name__)" if module else "print()"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        imported = process.stdout.read().strip()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert (imported, process.returncode) == (module, 0)
    return used.ru_utime + used.ru_stime


def measure(rounds: int) -> dict[str, float]:
    """The least processor time that importing each module took, beyond that of an empty interpreter."""
    least: dict[str, float] = {}
    for _ in range(rounds):
        for module in ("", *MODULES):
            least[module] = min(seconds(module), least.get(module, float("inf")))
    return {module: least[module] - least[""] for module in MODULES}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=31, help="how many interpreters are started for each; 31 if left out")
    found = measure(parser.parse_args().rounds)
    print("| imported | processor time, ms | beside numpy |\n|---|---|---|")
    for module, time in found.items():
        print(f"| `{module}` | {time * 1000:.0f} | {time / found['numpy']:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
