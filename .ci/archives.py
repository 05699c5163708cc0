"""What must be in the two archives that are published, and what must not: rules over the names of the files in them.

The sdist has every file of the repository, so that whoever packages it can build, test and document it. The wheel has what is used
once it is installed: Python, compiled modules, and what a type checker or another Cython module reads.
"""

import re
import tarfile
import zipfile
from collections.abc import Iterable, Set
from pathlib import Path, PurePosixPath

PACKAGE = "src/tabula/"

SHIPPED = {".py", ".pyi", ".pxd", ".css", ".js"}
"""Suffixes of the files of the package that are used as they are."""

GENERATED = {".o", ".so", ".pyd", ".pyc"}
"""Suffixes of what is made by building; none of it is part of the sources. In the package all C is, but for headers."""

COMPILED = re.compile(r"\.[\w-]+\.(so|pyd)$")

NEEDED = {"LICENSE", "README.md", "pyproject.toml", "setup.py"}

MADE = re.compile(r"PKG-INFO|setup\.cfg|(src/)?tabula_movegen\.egg-info/[^/]+")
"""What setuptools adds to an sdist."""

RECORDS = re.compile(r"tabula_movegen-[\w.]+\.dist-info/(METADATA|WHEEL|RECORD|entry_points\.txt|top_level\.txt|licenses/LICENSE)")


def in_sdist(archive: Path) -> set[str]:
    """The files of an sdist, without the folder that it puts them in."""
    with tarfile.open(archive) as opened:
        names = [member.name for member in opened.getmembers() if not member.isdir()]
    folder = archive.name.removesuffix(".tar.gz")
    beside = [name for name in names if not name.startswith(f"{folder}/")]
    if beside:
        raise ValueError(f"{archive.name} has files outside of {folder}/: {beside[:3]}")
    return {name.removeprefix(f"{folder}/") for name in names}


def in_wheel(archive: Path) -> set[str]:
    """The files of a wheel."""
    with zipfile.ZipFile(archive) as opened:
        return {name for name in opened.namelist() if not name.endswith("/")}


def sdist_faults(names: Set[str], repository: Set[str]) -> list[str]:
    """What is wrong with an sdist of a repository that has these files."""
    sources = {name for name in repository if not is_generated(name)}
    told = [f"{name} is missing" for name in sources | NEEDED if name not in names]
    told += [f"{name} is made by building" for name in names if is_generated(name)]
    told += [f"{name} is not in the repository" for name in names - sources if not is_generated(name) and not MADE.fullmatch(name)]
    return sorted(told)


def wheel_faults(names: Set[str], sources: Iterable[str], externs: Set[str]) -> list[str]:
    """What is wrong with a wheel that was built from these files; `externs` are the headers that the .pxd files name."""
    package = [PurePosixPath(name) for name in sources if name.startswith(PACKAGE)]
    wanted = {installed(path) for path in package if is_shipped(path, externs)}
    modules = {installed(path).removesuffix(".pyx") for path in package if path.suffix == ".pyx"}
    compiled = {name: COMPILED.sub("", name) for name in names if COMPILED.search(name)}
    records = {name for name in names if RECORDS.fullmatch(name)}
    told = [f"{name} is missing" for name in wanted - names]
    told += [f"{name} has not been compiled" for name in modules - set(compiled.values())]
    told += [f"{name} does not belong in a wheel" for name in names - wanted - records if compiled.get(name) not in modules]
    told += [f"there is no {kind}" for kind in ("METADATA", "entry_points.txt", "licenses/LICENSE") if not has(records, kind)]
    return sorted(told)


def is_generated(name: str) -> bool:
    suffix = PurePosixPath(name).suffix
    return suffix in GENERATED or (suffix in {".c", ".cpp"} and name.startswith("src/"))


def is_shipped(path: PurePosixPath, externs: Set[str]) -> bool:
    """Whether a file of the package is used once it is installed. A header is if it is in include/ or a .pxd names it."""
    if path.suffix == ".h":
        return path.parent.name == "include" or path.name in externs
    return path.suffix in SHIPPED or path.name == "py.typed" or "data" in path.parts


def installed(path: PurePosixPath) -> str:
    return path.as_posix().removeprefix("src/")


def has(names: Set[str], ending: str) -> bool:
    return any(name.endswith(ending) for name in names)


def externs_of(root: Path) -> set[str]:
    """The headers that the package's .pxd files ask a C compiler for."""
    texts = [path.read_text(encoding="utf-8") for path in root.joinpath(PACKAGE).rglob("*.pxd")]
    return {name for text in texts for name in re.findall(r'^cdef extern from "([^"]+)"', text, re.MULTILINE)}
