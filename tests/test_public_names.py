"""The names that the package offers, and the errors that tell one refusal from another."""

import importlib
import itertools
import pickle
import pkgutil
import subprocess
import sys
from types import ModuleType

import pytest

import tabula

NAMES = {
    "Rules",
    "TABULA",
    "TABULA_HISTORIC",
    "BACKGAMMON",
    "NARDE",
    "WHITE",
    "BLACK",
    "Position",
    "Move",
    "Next",
    "Outcome",
    "Play",
    "Plays",
    "perft",
    "divide",
    "get_include",
    "InvalidPositionError",
    "InvalidTextError",
    "IllegalPlayError",
    "AmbiguousPlayError",
    "reference",
}


def test_the_public_names_are_these() -> None:
    assert set(tabula.__all__) - {"__version__"} == NAMES
    assert all(hasattr(tabula, name) for name in tabula.__all__)
    assert set(tabula.__all__) <= set(dir(tabula))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'tabula' has no attribute 'cube'"):
        _ = tabula.cube  # type: ignore[attr-defined]


def test_the_reference_is_loaded_when_first_used() -> None:
    code = (
        "import sys, tabula; before = 'tabula.reference' in sys.modules; tabula.reference; "
        "print(before, 'tabula.reference' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert told.split() == ["False", "True"]
    assert tabula.reference is importlib.import_module("tabula.reference")


def test_every_error_is_a_value_error_of_its_own_kind() -> None:
    errors = [tabula.InvalidPositionError, tabula.InvalidTextError, tabula.IllegalPlayError, tabula.AmbiguousPlayError]
    assert all(issubclass(error, ValueError) for error in errors)
    assert not any(issubclass(one, two) for one, two in itertools.permutations(errors, 2))


@pytest.mark.parametrize("name", ["InvalidPositionError", "InvalidTextError", "IllegalPlayError", "AmbiguousPlayError"])
def test_an_error_survives_a_pickle(name: str) -> None:
    error = getattr(tabula, name)("a sentence")
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == "a sentence"


def hidden_modules(package: ModuleType) -> list[str]:
    """The modules of a package, and of the packages in it, in whose place an import gives something else."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    names = [module.name for module in found if not module.name.endswith("__main__")]
    for name in names:
        importlib.import_module(name)
    parents = {name: name.rpartition(".") for name in names}
    return [name for name, (parent, _, last) in parents.items() if getattr(sys.modules[parent], last) is not sys.modules[name]]


def test_no_function_hides_a_module_of_its_name() -> None:
    assert hidden_modules(tabula) == []


def test_a_function_that_hides_a_module_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    importlib.import_module("tabula.cli.perft")
    monkeypatch.setattr(importlib.import_module("tabula.cli"), "perft", tabula.perft)
    assert hidden_modules(tabula) == ["tabula.cli.perft"]


def test_perft_is_the_function_and_not_the_module() -> None:
    assert callable(tabula.perft)
    assert tabula.perft(tabula.Position(), 1) == 222
