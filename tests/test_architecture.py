"""Which room imports which: arrows point down only, and nothing is imported that is not there yet."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "tabula"
POSITION = SOURCE / "_native" / "position.pyx"

FLOORS = [
    ["_version", "errors", "_arguments", "rules", "describing", "games", "dice"],
    ["reference", "_core", "legality"],
    ["_native.position", "_native.capi"],
    ["_native.arrays", "_native.batch", "_native.features", "_native.layers", "_native.playouts", "game", "bots", "work"],
    ["notation", "render", "batch"],
    ["features", "playouts", "counting"],
    ["evaluate"],
    ["search"],
    ["rollouts", "arena"],
    ["__init__", "cli"],
    ["__main__"],
]
"""The rooms from the ground up; a room imports those of lower floors, and those named before it on its own."""

RANK = {room: (floor, place) for floor, rooms in enumerate(FLOORS) for place, room in enumerate(rooms)}

ALLOWED = {
    ("rules", "describing"): "the rules as a paragraph",
    ("_native.position", "notation"): "reading the text of a play",
    ("_native.position", "render"): "str of a position",
    ("game", "render"): "a game's picture in a notebook",
    ("notation", "render"): "a picture in a notebook of a game that was read",
}
"""What rooms may import from above them, inside a method and by one line: a convenience each."""

FAILURE_PATH = {"reference"}
"""What `position` imports only where a play is refused, and never at the top."""


def room(path: Path) -> str:
    """The room that a file belongs to: its folder's name where it has one of its own; each native module is a room."""
    first, *rest = path.relative_to(SOURCE).parts
    return f"_native.{rest[0].partition('.')[0]}" if first == "_native" else first.partition(".")[0]


def files() -> list[Path]:
    return sorted(path for suffix in ("*.py", "*.pyx", "*.pxd", "*.pyi") for path in SOURCE.rglob(suffix))


def imported(module: str, names: list[str]) -> Iterator[str]:
    """The rooms of the package that one import statement reaches."""
    parts = module.split(".")
    if parts[0] != "tabula":
        return
    if parts[1:] == ["_native"]:
        yield from (f"_native.{name}" for name in names)
    elif parts[1:2] == ["_native"]:
        yield f"_native.{parts[2]}"
    elif len(parts) > 1:
        yield parts[1]
    else:
        yield from (name if name in RANK else "__init__" for name in names)


def python_imports(path: Path) -> Iterator[tuple[int, bool, str]]:
    """Each import of a room: its line, whether it is indented, and the room. What only a type checker reads counts too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            reached = [found for alias in node.names for found in imported(alias.name, [])]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            reached = list(imported(node.module or "", [alias.name for alias in node.names]))
        else:
            continue
        yield from ((node.lineno, node.col_offset > 0, found) for found in reached)


IMPORT = re.compile(
    r"^(?P<indent> *)(?:from +(?P<module>[\w.]+) +c?import +(?P<names>[^#\n]+)|c?import +(?P<plain>[\w.]+))", re.MULTILINE
)


def cython_imports(path: Path) -> Iterator[tuple[int, bool, str]]:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r'""".*?"""', lambda docstring: "\n" * docstring[0].count("\n"), text, flags=re.DOTALL)
    for found in IMPORT.finditer(text):
        names = [name.split()[0] for name in re.split(r"[,()]", found["names"] or "") if name.strip()]
        line = text.count("\n", 0, found.start()) + 1
        for reached in imported(found["module"] or found["plain"], names):
            yield line, bool(found["indent"]), reached


def imports(path: Path) -> list[tuple[int, bool, str]]:
    return list(cython_imports(path) if path.suffix in (".pyx", ".pxd") else python_imports(path))


def test_every_room_has_its_floor() -> None:
    assert {room(path) for path in files()} - {"_native.__init__"} <= set(RANK)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_arrows_point_down_only(path: Path) -> None:
    here = room(path)
    up = [
        f"line {line}: {here} imports {reached}"
        for line, indented, reached in imports(path)
        if reached != here and RANK[reached] >= RANK[here] and not (indented and (here, reached) in ALLOWED)
    ]
    assert not up


def test_the_imports_are_seen_in_both_languages() -> None:
    assert {reached for *_, reached in imports(POSITION)} >= {
        "_core",
        "rules",
        "errors",
        "dice",
        "legality",
        "reference",
    }
    assert {reached for *_, reached in imports(SOURCE / "counting.py")} >= {"_native.position", "dice", "games", "reference"}
    assert {reached for *_, reached in imports(SOURCE / "_core.pyx")} == {"rules"}


def test_text_that_is_included_imports_nothing() -> None:
    assert not [path.name for path in SOURCE.rglob("*.pxi") if list(cython_imports(path))]


def test_position_reaches_above_itself_only_for_the_conveniences_listed() -> None:
    above = {reached for _, _, reached in imports(POSITION) if RANK[reached] > RANK["_native.position"]}
    assert {("_native.position", reached) for reached in above} == {pair for pair in ALLOWED if pair[0] == "_native.position"}


def test_position_asks_the_reference_only_on_the_failure_path() -> None:
    lines = [(line, indented) for line, indented, reached in imports(POSITION) if reached in FAILURE_PATH]
    assert len(lines) == 1
    assert lines[0][1]
    before = POSITION.read_text(encoding="utf-8").splitlines()[: lines[0][0]]
    method = next(line for line in reversed(before) if re.match(r" *(cdef|def) .*\(.*:$", line))
    assert " refuse_moves(" in method


def test_importing_the_package_loads_neither_the_reference_nor_the_command_line() -> None:
    code = "import sys, tabula; print(sorted(name for name in sys.modules if name.startswith('tabula.')))"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    loaded = set(ast.literal_eval(told))
    assert not loaded & {"tabula.reference", "tabula.cli", "tabula.render.text", "tabula.__main__"}
    assert "tabula._core" in loaded


OPTIONAL = {"matplotlib", "shtab", "tqdm"}
"""Packages that some part uses where they are installed, and that nothing needs: no import statement at the top names one."""

OURS = {"tabula", "numpy", "cython", "cpython", "libc"}
"""The package, what it needs to run, and what Cython itself brings."""


def packages(text: str, *, native: bool) -> Iterator[tuple[str, bool]]:
    """Each package that a module imports, and whether it does so at the top: by a statement, by `import_module` or `__import__`."""
    if native:
        text = re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
        for indent, module, names in re.findall(r"^( *)(?:from +([\w.]+) +c?import\b|c?import +(.+))", text, re.MULTILINE):
            yield from ((name.split(".")[0].split()[0], not indent) for name in (module or names.partition("#")[0]).split(","))
        for found in re.finditer(r"\b(?:import_module|__import__)\((?:[\"'](\w+))?", text):
            yield found[1] or "a name that is not written out", False
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.col_offset == 0) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0], node.col_offset == 0
        elif isinstance(node, ast.Call) and called(node.func) in ("import_module", "__import__"):
            name = node.args[0] if node.args else None
            written = isinstance(name, ast.Constant) and isinstance(name.value, str)
            yield name.value.partition(".")[0] if written else "a name that is not written out", False


def called(function: ast.expr) -> str:
    """The last part of the name of a function that is called."""
    return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""


def not_allowed(text: str, *, native: bool = False) -> set[str]:
    """The packages that a module imports though it must do without them."""
    found = set(packages(text, native=native))
    allowed = OURS | set(sys.stdlib_module_names)
    return {name for name, top in found if name not in allowed and (top or name not in OPTIONAL)}


def test_only_numpy_and_the_standard_library_are_needed() -> None:
    """Stubs are left out: nothing runs them."""
    native = [path for suffix in ("pyx", "pxd", "pxi") for path in SOURCE.rglob(f"*.{suffix}")]
    for path in (*SOURCE.rglob("*.py"), *native):
        assert not_allowed(path.read_text(encoding="utf-8"), native=path in native) == set(), path.name


@pytest.mark.parametrize("native", [False, True], ids=["Python", "Cython"])
@pytest.mark.parametrize(
    "text",
    [
        "import pandas",
        "from pandas.api import types",
        "import os, pandas",
        "import tqdm",
        'import importlib\nimportlib.import_module("pandas.api")',
        'from importlib import import_module\n\ndef f():\n    return import_module("pandas")',
        '__import__("pandas")',
        "def f(name):\n    return __import__(name)",
        "def f(name):\n    import pandas",
    ],
)
def test_every_way_to_import_is_seen(text: str, native: bool) -> None:
    assert not_allowed(text, native=native)


@pytest.mark.parametrize("native", [False, True], ids=["Python", "Cython"])
@pytest.mark.parametrize("text", ["import os, numpy", 'def f():\n    return importlib.import_module("matplotlib.figure")'])
def test_the_standard_library_and_what_may_be_missing_are_let_through(text: str, native: bool) -> None:
    assert not_allowed(text, native=native) == set()


def test_the_folder_of_the_package_has_at_most_39_entries() -> None:
    built = {".c", ".so", ".pyd", ".html"}
    entries = [path.name for path in SOURCE.iterdir() if path.suffix not in built and path.name != "__pycache__"]
    assert len(entries) <= 39, sorted(entries)


def test_native_modules_have_no_list_comprehension() -> None:
    """Cython 3.3 lets go of an item twice where a list that it comprehends cannot grow, and what was freed is then written to."""
    paths = [path for suffix in ("pyx", "pxd", "pxi") for path in sorted(SOURCE.rglob(f"*.{suffix}"))]
    assert len(paths) > 10
    for path in paths:
        code = re.sub(r"#.*", "", re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.DOTALL))
        assert not re.search(r"\[[^\[\]]*\bfor\b[^\[\]]*\bin\b", code), path.name
