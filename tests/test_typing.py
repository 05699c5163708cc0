"""Every public name has a line in tests/typing that says its type, for type checkers to hold the package to."""

import ast
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

import tabula

TYPING = Path(__file__).parent / "typing"

INTERNAL = {
    "__main__", "cli.arena", "cli.arguments", "cli.completion", "cli.convert", "cli.game", "cli.output", "cli.perft",
    "cli.playouts", "cli.plays", "cli.program", "cli.replay", "cli.rules", "cli.show", "cli.terminal_game", "cli.workers",
    "describing", "legality", "playouts.figure", "playouts.play", "playouts.records", "rollouts.games",
    "rollouts.play", "rollouts.results", "work.checkpoint",
    "work.scheduler", "work.threads", "work.units",
    "notation.clip", "notation.fibs", "notation.match_state", "notation.matchtext.bgammon", "notation.matchtext.encoding",
    "notation.matchtext.game_reader", "notation.matchtext.header", "notation.matchtext.implied",
    "notation.matchtext.layout", "notation.matchtext.model", "notation.matchtext.resemblance", "notation.matchtext.score",
    "notation.matchtext.table",
    "notation.matchtext.reader", "notation.matchtext.writer", "notation.letters", "notation.play_read",
    "notation.xg", "render.arrows", "render.captions", "render.layout", "render.marks", "render.page", "render.shapes",
}  # fmt: skip
"""Rooms that other rooms use; what users need of them is public elsewhere."""

UNTYPED = {
    "cli": {"COMMANDS", "Command", "RefusedError"},
    "errors": {"invalid_text", "quoted", "short_repr"},
    "notation.replay_report": {"replay_file"},
    "notation.gnubg": {"MATCH_ID", "POSITION_ID", "looks_like_gnubg", "read_gnubg"},
}
"""What the other rooms list for rooms of the package alone."""


def rooms() -> list[str]:
    names = [module.name.removeprefix("tabula.") for module in pkgutil.walk_packages(tabula.__path__, "tabula.")]
    return [name for name in names if name not in INTERNAL and not any(part.startswith("_") for part in name.split("."))]


def typed() -> set[str]:
    """The names that are looked up where a type is asserted, or where a value is given to a variable with a type."""
    found: set[str] = set()
    for path in sorted(TYPING.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            looked: list[ast.expr] = []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "assert_type":
                looked = [*node.args]
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                looked = [node.annotation, node.value]
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):  # a function that gives nothing back
                looked = [node.value.func]
            for each in looked:
                names = (inner for inner in ast.walk(each))
                found |= {
                    inner.attr if isinstance(inner, ast.Attribute) else inner.id
                    for inner in names
                    if isinstance(inner, ast.Attribute | ast.Name)
                }
    return found


def public(module: ModuleType, names: list[str]) -> set[str]:
    """The names of a module and the public attributes of its classes."""
    found = set(names)
    for name in names:
        value = getattr(module, name)
        if isinstance(value, type) and value.__module__.startswith("tabula"):
            own = {*vars(value), *vars(value).get("__annotations__", {})}
            found |= {attribute for attribute in own if not attribute.startswith("_")}
    return found


@pytest.mark.parametrize("room", ["", *rooms()])
def test_every_public_name_has_its_type_asserted(room: str) -> None:
    module = importlib.import_module(f"tabula.{room}".rstrip("."))
    names = getattr(module, "__all__", [])
    offered = [name for name in names if name not in UNTYPED.get(room, set())]
    assert public(module, offered) - typed() == set()


def test_no_room_that_is_left_out_has_gone() -> None:
    there = {module.name.removeprefix("tabula.") for module in pkgutil.walk_packages(tabula.__path__, "tabula.")}
    assert there >= INTERNAL | set(UNTYPED)
