"""Instructions a leaf of perft, counted by callgrind and compared with the numbers in instructions.json.

    python benchmarks/instructions.py             compare; exit code 1 if a number is more than 3 % worse
    python benchmarks/instructions.py --update    write the numbers of this toolchain

Only instructions inside `count_leaves` are counted, without the start of the interpreter, so that two runs agree exactly. The
numbers depend on the compiler and its flags: each toolchain has its own in the file, and where it has none they are only
printed; with `--judged` that is an error.
Valgrind is needed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tabula import Position
from tabula._native import position as _position
from tabula.counting import published
from tabula.rules import PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

COMMITTED: Final = Path(__file__).with_suffix(".json")
TOLERANCE: Final = 0.03
DEPTH: Final = 3
_FUNCTION: Final = "__pyx_pw_6tabula_7_native_8position_*count_leaves"
"""The C function of `count_leaves`, whatever number Cython gives it."""

_PROGRAM: Final = """\
import sys
from tabula import Position
from tabula._native import position as _position
from tabula.rules import PRESETS
game, depth, build = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "build"
print(_position.count_leaves(Position(PRESETS[game]), depth, build))
"""


class Case(NamedTuple):
    """One number: the game, and whether the last ply is counted or built."""

    game: str
    how: str

    @property
    def name(self) -> str:
        """What the number is called in the file."""
        return f"{self.game}, {self.how}"


CASES: Final = tuple(Case(game, how) for game in ("tabula", "backgammon") for how in ("count", "build"))


def toolchain() -> str:
    """The compiler that made the extension, the flags Python compiles with, and the machine."""
    found = re.search(rb"GCC: \([^)]*\) [\d.]+|clang version [\d.]+", Path(_position.__file__).read_bytes())
    compiler = found[0].decode() if found else "an unknown compiler"
    flags = " ".join(str(sysconfig.get_config_var("CFLAGS")).split())
    return f"{compiler}; {flags}; {platform.machine()}"


def collected(text: str) -> int:
    """The number of instructions that a callgrind file tells of.

    Raises ValueError where it is 0 or missing: the function was not found in the extension.
    """
    found = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
    instructions = int(found[1]) if found else 0
    if not instructions:
        raise ValueError(f"no instruction was counted in {_FUNCTION}: the extension has no symbols")
    return instructions


def measure(case: Case, depth: int) -> float:
    """Instructions a leaf, in a process of its own under valgrind; the leaves must be the published ones."""
    leaves = published(Position(PRESETS[case.game]))[depth].leaves
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--collect-atstart=no"]
        command += [f"--toggle-collect={_FUNCTION}", sys.executable, "-c", _PROGRAM, case.game, str(depth), case.how]
        path = os.pathsep.join(filter(None, sys.path))
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": path}
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if run.returncode:
            raise ValueError(f"valgrind failed with {run.returncode}: {run.stderr.strip()}")
        if int(run.stdout) != leaves:
            raise ValueError(f"{case.name} came to {run.stdout.strip()} leaves, and {leaves} is right")
        return collected(out.read_text(encoding="utf-8")) / leaves


def compare(measured: Mapping[str, float], committed: Mapping[str, float]) -> tuple[list[str], bool]:
    """A line for each number, and whether none is worse than the tolerance allows."""
    lines, good = [], True
    for name, now in measured.items():
        before = committed.get(name)
        if before is None:
            lines.append(f"{name}: {now:.2f}, with nothing to compare with")
            continue
        change = now / before - 1
        verdict = "as committed" if abs(change) <= TOLERANCE else "better: --update writes it" if change < 0 else "WORSE"
        good &= change <= TOLERANCE
        lines.append(f"{name}: {now:.2f} instructions a leaf, committed {before:.2f} ({change:+.1%}), {verdict}")
    return lines, good


def updated(measured: Mapping[str, float], committed: Mapping[str, float]) -> Iterator[str]:
    """What an update changes, in sentences."""
    for name, now in measured.items():
        before = committed.get(name)
        if before is None:
            yield f"{name}: {now:.2f} instructions a leaf, new"
        else:
            word = "better" if now < before else "worse" if now > before else "the same"
            yield f"{name}: {now:.2f} instructions a leaf, {word}: it was {before:.2f} ({now / before - 1:+.1%})"


def main(argv: Sequence[str] | None = None) -> int:
    """Measures and compares, or updates; 1 if a number is worse, 2 if it cannot be measured."""
    parser = argparse.ArgumentParser(description="Instructions a leaf of perft, by callgrind, against the committed numbers.")
    parser.add_argument("--update", action="store_true", help="write the numbers instead of comparing them")
    parser.add_argument("--judged", action="store_true", help="exit code 1 if there are no numbers of this toolchain")
    args = parser.parse_args(argv)
    if shutil.which("valgrind") is None:
        print("valgrind is not installed, and it is what counts instructions", file=sys.stderr)
        return 2
    numbers: dict[str, dict[str, float]] = json.loads(COMMITTED.read_text(encoding="utf-8")) if COMMITTED.exists() else {}
    key = toolchain()
    committed = numbers.get(key, {})
    try:
        # The longest first, so that two processes end at about the same time.
        with ThreadPoolExecutor(2) as pool:
            found = dict(zip(reversed(CASES), pool.map(lambda case: measure(case, DEPTH), reversed(CASES)), strict=True))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    measured = {case.name: round(found[case], 2) for case in CASES}
    print(f"Made with {key}; perft({DEPTH}) from the start.")
    if args.update:
        print("\n".join(updated(measured, committed)))
        numbers[key] = measured
        COMMITTED.write_text(json.dumps(numbers, indent=2) + "\n", encoding="utf-8", newline="\n")
        return 0
    lines, good = compare(measured, committed)
    print("\n".join(lines))
    if not committed:
        print(f"No numbers are committed for this toolchain; those in {COMMITTED.name} were made with others.")
    return int(not good or (args.judged and not committed))


if __name__ == "__main__":
    sys.exit(main())
