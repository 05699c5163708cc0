from typing import Any, Final, final

from tabula.rules import Rules

WAYS: Final[tuple[str, ...]]

@final
class CompiledRules:
    """A Rules beside its C struct: made once for each Rules, which holds it."""

    @property
    def rules(self) -> Rules: ...

def every_line(rules: Rules) -> Rules:
    """The same rules, always served by the search through every line of moves: what the other ways are compared with."""

def general(rules: Rules) -> Rules:
    """The same rules, served by the general way of generating if it knows all their fields."""

def members(rules: Rules) -> dict[str, Any]:
    """What each member of the struct holds for a Rules, by its name; the way of generating and the seal are added later."""

def way(rules: Rules) -> str:
    """Which way of generating serves these rules, by name: for tests and for people who measure."""

def way_with(rules: Rules, offset: int, value: int) -> str:
    """Which way would serve these rules if the byte at `offset` of their struct were `value`: what a new field would get."""

def same_build(module: str, version: int, layout: int) -> None:
    """Refuses a module of the package that was compiled with another tabula.h than this one: each asks as it is imported."""
