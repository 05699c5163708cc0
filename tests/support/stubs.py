"""Docstrings of the stubs that editors show. Each is written once, in the .pyx file, and copied from the compiled module.

python tests/support/stubs.py --update
"""

import argparse
import ast
import importlib
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

SOURCE = Path(__file__).parents[2] / "src" / "tabula"
MODULES = tuple(".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in sorted(SOURCE.rglob("*.pyi")))
"""The native modules: each has a stub."""


def path_of(module: str) -> Path:
    return SOURCE / f"{module.replace('.', '/')}.pyi"


def documented(body: list[ast.stmt], owner: object) -> Iterator[tuple[ast.ClassDef | ast.FunctionDef, str]]:
    """The public classes, functions, methods and properties of a stub, and the docstring that each has at run time."""
    for node in body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or node.name.startswith("_"):
            continue
        value = inspect.getattr_static(owner, node.name)
        if inspect.isgetsetdescriptor(value) and not value.__doc__:  # a `cdef readonly` field, which cannot have one
            continue
        yield node, inspect.cleandoc((value.__func__ if isinstance(value, staticmethod) else value).__doc__ or "")
        if isinstance(node, ast.ClassDef):
            yield from documented(node.body, value)


def differences(text: str, module: ModuleType) -> list[str]:
    """The names whose docstring in the stub is not that of the module, or that have none."""
    found = documented(ast.parse(text).body, module)
    return [f"line {node.lineno}: {node.name}" for node, doc in found if not doc or ast.get_docstring(node) != doc]


def updated(text: str, module: ModuleType) -> str:
    """The text of a stub with the docstrings of the module."""
    lines = text.splitlines()
    for node, doc in sorted(documented(ast.parse(text).body, module), key=lambda found: -found[0].lineno):
        first = node.body[0]
        head = lines[first.lineno - 1][: first.col_offset].rstrip()
        indent = " " * (node.col_offset + 4)
        quoted = textwrap.indent(
            f'"""{doc}{chr(10) if chr(10) in doc else ""}"""', indent, lambda line: bool(line.strip())
        ).splitlines()
        if head:  # def name(...) -> type: ...
            lines[first.lineno - 1 : first.end_lineno] = [head, *quoted]
        elif isinstance(first, ast.Expr):  # the docstring that stands there
            lines[first.lineno - 1 : first.end_lineno] = quoted
        else:  # a class with fields or methods alone, the first of which may have a decorator
            at = min(each.lineno for each in (first, *getattr(first, "decorator_list", [])))
            lines[at - 1 : at - 1] = [*quoted, ""]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the docstrings of the stubs with those of the compiled modules.")
    parser.add_argument("--update", action="store_true", help="write the docstrings of the modules into the stubs")
    update = parser.parse_args().update
    for name in MODULES:
        module, path = importlib.import_module(f"tabula.{name}"), path_of(name)
        text = path.read_text(encoding="utf-8")
        if update:
            path.write_text(updated(text, module), encoding="utf-8")
        else:
            print("\n".join(differences(text, module)))


if __name__ == "__main__":
    main()
