"""What the package says of itself, and what it is built from."""

import tomllib
from importlib import resources
from pathlib import Path

import tabula

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_numpy_is_the_only_package_that_it_needs_to_run() -> None:
    (needed,) = PROJECT["project"]["dependencies"]
    assert needed.startswith("numpy")


def test_it_is_distributed_as_tabula_movegen_under_the_mit_licence() -> None:
    assert (PROJECT["project"]["name"], PROJECT["project"]["license"]) == ("tabula-movegen", "MIT")
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_python_3_11_is_new_enough() -> None:
    assert PROJECT["project"]["requires-python"] == ">=3.11"


def test_setup_holds_extensions_and_flags_and_little_else() -> None:
    assert len((ROOT / "setup.py").read_text(encoding="utf-8").splitlines()) <= 30


def test_types_are_shipped() -> None:
    assert resources.files("tabula").joinpath("py.typed").is_file()
    for stub in (ROOT / "src" / "tabula").rglob("*.pyx"):
        assert resources.files("tabula").joinpath(f"{stub.stem}.pyi").is_file()


def test_the_extra_and_the_group_for_tests_name_the_same_packages() -> None:
    assert PROJECT["project"]["optional-dependencies"]["test"] == PROJECT["dependency-groups"]["test"]


def test_the_version_is_told_in_one_place() -> None:
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "tabula._version.__version__"}
    assert tabula.__version__.count(".") == 2
