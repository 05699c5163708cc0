"""Every example in a docstring runs and says the truth, those in extension modules too."""

import doctest
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

import tabula

SOURCE = Path(__file__).parents[1] / "src" / "tabula"


def modules() -> list[str]:
    found = (module.name for module in pkgutil.walk_packages(tabula.__path__, "tabula."))
    return ["tabula", *(name for name in found if not name.endswith("__main__"))]


def doctests(module: ModuleType) -> list[doctest.DocTest]:
    """The examples of a module, each once: Cython lists docstrings of methods in `__test__` as well."""
    by_text = {test.docstring: test for test in doctest.DocTestFinder(exclude_empty=True).find(module) if test.examples}
    return list(by_text.values())


def source(name: str) -> str:
    """The text that a module was made from."""
    path = SOURCE.joinpath(*name.split(".")[1:])
    for candidate in (path.with_suffix(".py"), path.with_suffix(".pyx"), path / "__init__.py"):
        if candidate.is_file():
            return candidate.read_text(encoding="utf-8")
    raise FileNotFoundError(name)


@pytest.mark.parametrize("name", modules())
def test_examples_say_the_truth(name: str) -> None:
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(verbose=False)
    report: list[str] = []
    for test in doctests(module):
        runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


@pytest.mark.parametrize("name", modules())
def test_every_example_that_is_written_is_found(name: str) -> None:
    written = sum(line.lstrip().startswith(">>> ") for line in source(name).splitlines())
    found = sum(len(test.examples) for test in doctests(importlib.import_module(name)))
    assert found == written


def test_there_are_examples_where_users_look() -> None:
    found = {name: sum(len(test.examples) for test in doctests(importlib.import_module(name))) for name in modules()}
    least = {
        "tabula": 2,
        "tabula._position": 25,
        "tabula.rules": 10,
        "tabula.dice": 8,
        "tabula.perft": 6,
        "tabula.errors": 4,
        "tabula.reference": 3,
        "tabula.features": 15,
    }
    assert {name: count for name, count in least.items() if found[name] < count} == {}


@pytest.mark.parametrize("name", tabula.__all__)
def test_every_public_name_has_a_docstring(name: str) -> None:
    public = getattr(tabula, name)
    if not isinstance(public, int | str | tabula.Rules):
        assert public.__doc__


@pytest.mark.parametrize("owner", [tabula.Position, tabula.Play, tabula.Plays, tabula.Rules])
def test_every_public_method_has_a_docstring(owner: type) -> None:
    missing = [name for name, value in vars(owner).items() if not name.startswith("_") and callable(value) and not value.__doc__]
    assert not missing
