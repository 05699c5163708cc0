"""What editors show of the native modules is what the modules say."""

import importlib

import pytest
from support.stubs import MODULES, differences, path_of, updated


@pytest.mark.parametrize("name", MODULES)
def test_the_docstrings_of_a_stub_are_those_of_its_module(name: str) -> None:
    module = importlib.import_module(f"tabula.{name}")
    assert differences(path_of(name).read_text(encoding="utf-8"), module) == [], "python tests/support/stubs.py --update"


def test_a_docstring_that_is_missing_or_another_is_seen_and_written() -> None:
    module = importlib.import_module("tabula._native.position")
    text = 'class Position:\n    @property\n    def turn(self) -> int: ...\n    def count(self) -> int:\n        """Another."""\n'
    assert differences(text, module) == ["line 1: Position", "line 3: turn", "line 4: count"]
    assert differences(updated(text, module), module) == []
