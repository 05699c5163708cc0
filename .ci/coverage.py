"""What the tests left unrun of the native code, as gcov counted it in a tree that was built in place with TABULA_COVERAGE=1.

    python .ci/coverage.py [TREE]

Lists the lines of each .pyx and .pxi that have code and were never run, and how much was. The exit code is 1 if one of them is in
the generator, or if nothing was counted.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

GENERATOR = re.compile(r"_core\.pyx|core/(?!invariants\b)\w+\.pxi")
"""What every line of must be run; core/invariants.pxi is code of another build."""

NEVER_MEANT = re.compile(r"raise ImportError|^ *f?\"|^ *\)$|or (ALL_POINTS|FIRST_HALF|LAST_SIX_POINTS) !=")
"""What only a build that does not belong to this package would come to."""

MARK = re.compile(r' */\* "(?:src/)?tabula/(?P<name>(?:\w+/)*\w+\.(?:pyx|pxi))":(?P<line>\d+)')
"""What Cython writes into its C before the code of a line."""


def counts(tree: Path) -> dict[str, dict[int, int]]:
    """For each source the lines that have code, and how often what comes of them was run at most."""
    found: dict[str, dict[int, int]] = defaultdict(dict)
    for data in sorted(tree.glob("build/temp*/src/tabula/**/*.gcda")):
        c_file = tree / "src" / "tabula" / data.parent.name.removeprefix("tabula") / f"{data.stem}.c"
        command = ["gcov", "--json-format", "--stdout", data.name]
        told = json.loads(subprocess.run(command, cwd=data.parent, check=True, capture_output=True, text=True).stdout)
        times: dict[int, int] = {}
        for file in told["files"]:
            if Path(file["file"]).name == c_file.name:
                for line in file["lines"]:
                    times[line["line_number"]] = times.get(line["line_number"], 0) + line["count"]
        here: tuple[str, int] | None = None
        for number, text in enumerate(c_file.read_text(encoding="utf-8").splitlines(), 1):
            if mark := MARK.match(text):
                here = mark["name"], int(mark["line"])
            elif text.startswith("}"):
                here = None
            elif here and number in times:
                name, line = here
                found[name][line] = max(found[name].get(line, 0), times[number])
    return found


def main(tree: Path) -> int:
    """Prints the account, and returns the exit code."""
    found, missed = counts(tree), 0
    if sum(GENERATOR.fullmatch(name) is not None for name in found) < 2:
        print("nothing was counted for the generator: was the tree built with TABULA_COVERAGE=1, and were tests run?")
        return 1
    for name, lines in sorted(found.items()):
        if name == "core/invariants.pxi":
            continue
        text = (tree / "src" / "tabula" / name).read_text(encoding="utf-8").splitlines()
        unrun = [at for at, times in sorted(lines.items()) if not times and not left_out(text, at)]
        print(f"{name}: {len(lines) - len(unrun)} of {len(lines)} lines with code were run")
        print("".join(f"    {at}: {text[at - 1].strip()}\n" for at in unrun), end="")
        missed += len(unrun) * (GENERATOR.fullmatch(name) is not None)
    return int(missed > 0)


def left_out(text: list[str], at: int) -> bool:
    """Whether a line is not meant to run in this build."""
    line = text[at - 1]
    indent = len(line) - len(line.lstrip())
    above = next((other for other in reversed(text[: at - 1]) if other.strip() and len(other) - len(other.lstrip()) < indent), "")
    return bool(NEVER_MEANT.search(line) or re.match(r" *if TABULA_CHECKED\b", above))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
