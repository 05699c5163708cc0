"""The example notebook, run without Jupyter: cell after cell, with what each prints and shows.

Run this file to write what the cells show into the notebook; then look at it.
"""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "notebook.ipynb"

_METHODS = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_", "text/plain": "__repr__"}
"""How an object is asked for each form that it can be shown in."""


def load(path: Path = NOTEBOOK) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def text_of(lines: str | list[str]) -> str:
    """A text as the format keeps it, whole or in lines."""
    return lines if isinstance(lines, str) else "".join(lines)


def code(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def outputs(cell: dict[str, Any]) -> list[tuple[str, dict[str, str]]]:
    """What a cell shows, without what differs from run to run: the kind of each output and its text by form."""
    told = []
    for output in cell["outputs"]:
        data = output.get("data", {output.get("name", "error"): output.get("text", "")})
        told.append((output["output_type"], {form: text_of(text) for form, text in data.items()}))
    return told


def run(notebook: dict[str, Any]) -> None:
    """Runs every cell of code and puts what it prints, and the value of its last expression, where Jupyter puts them."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(code(notebook), 1):
        tree = ast.parse(text_of(cell["source"]))
        last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, f"cell {number}", "exec"), names)
            value = None if last is None else eval(compile(last, f"cell {number}", "eval"), names)
        cell["execution_count"] = number
        cell["outputs"] = []
        if printed.getvalue():
            cell["outputs"].append(
                {"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(keepends=True)}
            )
        if value is not None:
            data = {form: getattr(value, method)() for form, method in _METHODS.items() if hasattr(value, method)}
            shown = {form: text.splitlines(keepends=True) for form, text in sorted(data.items())}
            cell["outputs"].append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": shown})


if __name__ == "__main__":
    made = load()
    run(made)
    NOTEBOOK.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
