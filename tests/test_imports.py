"""What `import tabula` brings in: what every user needs, in silence, and nothing that few do."""

import subprocess
import sys

import pytest

SELDOM = {
    "argparse", "base64", "bz2", "concurrent.futures.thread", "decimal", "fractions", "html", "http", "importlib.resources", "json",
    "logging", "lzma", "matplotlib", "random", "shutil", "socket", "ssl", "statistics", "tempfile", "tqdm", "urllib",
    "urllib.request", "xml", "zipfile",
}  # fmt: skip
"""Modules that only some parts of the package use, or nothing in it does."""

LATER = {
    "_native.arrays",
    "_native.batch",
    "_native.features",
    "_native.layers",
    "_native.playouts",
    "batch",
    "cli",
    "features",
    "game",
    "notation",
    "playouts",
    "reference",
    "render",
    "work.checkpoint",
    "work.units",
}
"""Rooms of the package that making a position, listing its plays and counting the tree can do without."""


def loaded(code: str) -> set[str]:
    """The modules that a fresh interpreter has after some code; a warning is an error."""
    told = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"{code}\nimport sys\nprint(*sys.modules, sep='\\n')"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert told.stderr == ""
    return set(told.stdout.split())


def test_importing_it_says_nothing() -> None:
    told = subprocess.run([sys.executable, "-W", "error", "-c", "import tabula"], check=True, capture_output=True, text=True)
    assert (told.stdout, told.stderr) == ("", "")


def test_importing_it_brings_in_nothing_that_is_seldom_used() -> None:
    brought = loaded("import tabula") - loaded("import numpy")
    assert not brought & SELDOM
    ours = {name.removeprefix("tabula.") for name in brought if name.startswith("tabula.")}
    assert not ours & LATER
    assert ours >= {"_core", "_native.position", "counting"}


@pytest.mark.parametrize("module", ["batch", "features", "game", "notation", "playouts", "render", "cli"])
def test_every_other_room_is_imported_by_its_own_name_in_silence(module: str) -> None:
    assert f"tabula.{module}" in loaded(f"import tabula.{module}")


def test_dir_has_every_public_name_before_any_is_used() -> None:
    code = "import tabula; print(sorted(set(tabula.__all__) - set(dir(tabula))), 'tabula.reference' in __import__('sys').modules)"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert told.split() == ["[]", "False"]
