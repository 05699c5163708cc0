"""Every example in a docstring runs and says the truth, those in extension modules too, and every public callable has one."""

import doctest
import importlib
import importlib.util
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import tabula

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "tabula"

NEEDS = {"tabula.playouts.figure.plot": "matplotlib", "tabula.playouts.figure.drawing": "matplotlib"}
"""Examples of what an optional package is needed for; without it they are left out."""

PUBLIC = [
    "tabula",
    "tabula._native.position",
    "tabula.batch",
    "tabula.bots",
    "tabula.dice",
    "tabula.errors",
    "tabula.features",
    "tabula.game",
    "tabula.notation",
    "tabula.notation.matchtext",
    "tabula.notation.replay_report",
    "tabula.counting",
    "tabula.playouts",
    "tabula.reference",
    "tabula.render",
    "tabula.render.html",
    "tabula.render.svg",
    "tabula.render.text",
    "tabula.rules",
    "tabula.work",
]
"""The modules that users import from, and the one that `tabula` takes its classes from."""


def modules() -> list[str]:
    found = (module.name for module in pkgutil.walk_packages(tabula.__path__, "tabula."))
    return ["tabula", *(name for name in found if not name.endswith("__main__"))]


def doctests(module: ModuleType) -> list[doctest.DocTest]:
    """The examples of a module, each once: Cython lists docstrings of methods in `__test__` as well."""
    by_text = {test.docstring: test for test in doctest.DocTestFinder(exclude_empty=True).find(module) if test.examples}
    return list(by_text.values())


def can_run(test: doctest.DocTest) -> bool:
    return test.name not in NEEDS or importlib.util.find_spec(NEEDS[test.name]) is not None


def source(name: str) -> str:
    """The text that a module was made from, with what it includes."""
    path = SOURCE.joinpath(*name.split(".")[1:])
    for candidate in (path.with_suffix(".py"), path.with_suffix(".pyx"), path / "__init__.py"):
        if candidate.is_file():
            text = candidate.read_text(encoding="utf-8")
            included = re.findall(r'^include "(.+)"$', text, flags=re.MULTILINE)
            return "".join([text, *((candidate.parent / part).read_text(encoding="utf-8") for part in included)])
    raise FileNotFoundError(name)


def callables(name: str) -> Iterator[tuple[str, object]]:
    """The functions and classes that a module offers, and the public methods that those classes define, by their names."""
    module = importlib.import_module(name)
    for public in getattr(module, "__all__", ()):
        value = getattr(module, public)
        if inspect.isclass(value) or inspect.isroutine(value):
            yield f"{name}.{public}", value
        if inspect.isclass(value):
            for method in vars(value):
                if not method.startswith("_") and callable(getattr(value, method)):
                    yield f"{name}.{public}.{method}", getattr(value, method)


def without_example(found: Iterator[tuple[str, object]]) -> list[str]:
    parser = doctest.DocTestParser()
    return [name for name, value in found if not parser.get_examples(inspect.getdoc(value) or "")]


@pytest.mark.parametrize("name", modules())
def test_examples_say_the_truth(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(verbose=False)
    report: list[str] = []
    for test in filter(can_run, doctests(module)):
        runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


@pytest.mark.parametrize("name", modules())
def test_every_example_that_is_written_is_found(name: str) -> None:
    written = sum(line.lstrip().startswith(">>> ") for line in source(name).splitlines())
    found = sum(len(test.examples) for test in doctests(importlib.import_module(name)))
    assert found == written


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_callable_has_an_example(name: str) -> None:
    assert not without_example(callables(name))


def test_a_callable_without_an_example_is_found() -> None:
    assert without_example(iter({"with": tabula.perft, "without": without_example}.items())) == ["without"]
    assert dict(callables("tabula"))["tabula.Position.from_text"] == tabula.Position.from_text


def test_every_public_module_has_a_page_made_from_its_docstrings() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "api").glob("*.md"))
    told = set(re.findall(r"^\.\. auto(?:module|class):: ([a-z_.]*[a-z])\b", pages, flags=re.MULTILINE))
    assert set(PUBLIC) - told == {"tabula", "tabula._native.position"}  # the names of these are listed one by one
    names = (ROOT / "docs" / "api" / "tabula.md").read_text(encoding="utf-8")
    assert [name for name in tabula.__all__ if not re.search(rf"\b{name}\b", names)] == ["__version__"]


def test_what_needs_an_optional_package_is_still_there() -> None:
    assert set(NEEDS) <= {test.name for test in doctests(importlib.import_module("tabula.playouts.figure"))}


@pytest.mark.parametrize("name", tabula.__all__)
def test_every_public_name_has_a_docstring(name: str) -> None:
    public = getattr(tabula, name)
    if not isinstance(public, int | str | tabula.Rules):
        assert public.__doc__


@pytest.mark.parametrize("owner", [tabula.Position, tabula.Play, tabula.Plays, tabula.Rules])
def test_every_property_has_a_docstring(owner: type) -> None:
    missing = [name for name, value in vars(owner).items() if inspect.isdatadescriptor(value) and not value.__doc__]
    assert not missing
