"""Lists the licence of every package that is installed here, and refuses one that binds whoever uses tabula.

What tabula needs to run must be permissive. An extra may also be under the Mozilla licence, which binds those who change its files.
The tools that only build and check are listed and free to be anything.
"""

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).resolve().parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]

PERMISSIVE = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "HPND", "ISC", "MIT", "MIT-CMU", "PSF-2.0", "Python-2.0",
    "Unlicense", "Zlib",
}  # fmt: skip
WEAK = {"MPL-2.0"}

CLASSIFIED = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "GNU General Public License v3 or later (GPLv3+)": "GPL-3.0-or-later",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""What the older classifiers mean, as SPDX writes it."""


def name_of(requirement: str) -> str:
    """The package that a requirement asks for, as the index spells names."""
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()  # type: ignore[index]


def licence(package: str) -> str:
    """What a package says of its licence, as SPDX writes it where that can be told."""
    about = metadata.metadata(package)
    if about.get("License-Expression"):
        return str(about["License-Expression"])
    lines = [line.split(" :: ")[1:] for line in about.get_all("Classifier") or [] if line.startswith("License :: ")]
    # A classifier of two parts, like "DFSG approved", judges a licence where one of three parts names it.
    named = [parts[-1] for parts in lines if len(parts) > 1] or [parts[-1] for parts in lines]
    if named:
        return " AND ".join(CLASSIFIED.get(each, each) for each in named)
    return str(about.get("License") or "unknown").strip().splitlines()[0]


def within(expression: str, allowed: set[str]) -> bool:
    """Whether a licence expression asks for no more than the licences allowed: all of an AND, one of an OR."""
    either = re.split(r"\s+OR\s+", expression.replace("(", " ").replace(")", " "))
    return any(all(each.strip() in allowed for each in re.split(r"\s+AND\s+", part)) for part in either)


def closure(requirements: list[str]) -> set[str]:
    """The packages that are asked for, and those that they ask for in turn, as far as they are installed."""
    found: set[str] = set()
    waiting = [name_of(each) for each in requirements]
    while waiting:
        package = waiting.pop()
        try:
            wanted = metadata.requires(package) or []
        except metadata.PackageNotFoundError:
            continue
        if package not in found:
            found.add(package)
            waiting += [name_of(each) for each in wanted if "extra ==" not in each]
    return found


def main() -> int:
    needed = closure(PROJECT["dependencies"])
    extras = closure([each for extra in PROJECT["optional-dependencies"].values() for each in extra])
    refused = []
    for package in sorted({name_of(found.name) for found in metadata.distributions()} - {PROJECT["name"]}):
        said = licence(package)
        use, allowed = (
            ("runs", PERMISSIVE) if package in needed else ("extra", PERMISSIVE | WEAK) if package in extras else ("tool", None)
        )
        print(f"{use:5}  {package:26} {metadata.version(package):16} {said}")
        if allowed is not None and not within(said, allowed):
            refused.append(f"{package} ({use}): {said}")
    if not needed:
        refused.append("nothing that tabula needs is installed, so that nothing was looked at")
    print("\n".join(f"not allowed: {each}" for each in refused) or "\nnothing binds whoever uses tabula")
    return bool(refused)


if __name__ == "__main__":
    sys.exit(main())
