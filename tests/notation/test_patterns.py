"""The regular expressions of the notation take no step twice: whatever the text, a match is found or refused in one pass over it.

They are taken apart by the parser of the standard library's own `re`, which has no public name.
"""

import importlib
import pkgutil
import re
import re._compiler as re_compiler
import re._parser as re_parser
from typing import Any

import pytest

from tabula import notation


def patterns() -> dict[str, re.Pattern[str]]:
    """Every regular expression that a module of the notation has."""
    modules = [importlib.import_module(module.name) for module in pkgutil.walk_packages(notation.__path__, "tabula.notation.")]
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, re.Pattern)
    }


class Shape:
    """A regular expression taken apart: which letters each repeat without an end reads, and which can come right after it."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.flags = pattern.flags
        self.without_end: list[tuple[Any, list[Any]]] = []
        self._sequence(list(re_parser.parse(pattern.pattern, pattern.flags)), [])

    def _sequence(self, items: list[Any], after: list[Any]) -> None:
        for place, (kind, told) in enumerate(items):
            following = items[place + 1 :] + after
            if kind is re_parser.MAX_REPEAT:
                _, high, repeated = told
                if high is re_parser.MAXREPEAT:
                    assert [str(kind) for kind, _ in repeated] in (["IN"], ["LITERAL"], ["ANY"]), (
                        "more than a letter without an end"
                    )
                    self.without_end.append((repeated[0], following))
                else:
                    assert high <= 80
                    self._sequence(list(repeated), following)
            elif kind is re_parser.SUBPATTERN:
                self._sequence(list(told[-1]), following)
            elif kind is re_parser.BRANCH:
                for branch in told[1]:
                    self._sequence(list(branch), following)
            else:
                assert str(kind) in ("LITERAL", "NOT_LITERAL", "IN", "ANY", "AT", "ASSERT"), kind

    def reads(self, item: Any, letter: str) -> bool:
        """Whether an item that reads one letter reads this one."""
        alone = re_parser.SubPattern(re_parser.State(), [item])
        alone.state.flags = self.flags
        return re_compiler.compile(alone, self.flags).match(letter) is not None

    def may_follow(self, items: list[Any], letter: str) -> bool:
        """Whether this letter can be the next that the items read."""
        for kind, told in items:
            if kind is re_parser.MAX_REPEAT:
                if self.may_follow(list(told[2]), letter):
                    return True
                if told[0] == 0:
                    continue
                return False
            if kind is re_parser.SUBPATTERN:
                return self.may_follow(list(told[-1]), letter)
            return self.reads((kind, told), letter)
        return False


@pytest.mark.parametrize("name", patterns())
def test_no_regular_expression_reads_a_letter_by_more_than_one_repeat_without_an_end(name: str) -> None:
    # What a repeat gives back cannot be read by what follows it, so that a match fails where it first does: no step is made twice.
    shape = Shape(patterns()[name])
    letters = [chr(code) for code in range(128)]
    for repeated, following in shape.without_end:
        assert not [letter for letter in letters if shape.reads(repeated, letter) and shape.may_follow(following, letter)]


@pytest.mark.parametrize("pattern", [r"(a+)+b", r"\s*\s*x", r"(a|b)*a", r"a*(ab)?", r"[0-9]+[0-9]"])
def test_a_regular_expression_that_steps_back_is_found_out(pattern: str) -> None:
    letters = [chr(code) for code in range(128)]
    try:
        shape = Shape(re.compile(pattern))
    except AssertionError:
        return
    assert any(
        shape.reads(repeated, letter) and shape.may_follow(following, letter)
        for repeated, following in shape.without_end
        for letter in letters
    )
