"""How Sphinx makes a site from these pages: `python -m sphinx -W --keep-going docs build/site`. The package must be built."""

import ast
import itertools
from importlib import resources

from sphinx.util.nodes import make_refnode

import tabula

project = "tabula"
author = "the authors of tabula"
project_copyright = "the authors of tabula, MIT licence"
version = release = tabula.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = f"tabula {release}"

default_role = "py:obj"
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 100
napoleon_google_docstring = False
napoleon_use_rtype = False

# `name` in a docstring is a link if it is a public name, and code if it is an argument. A capitalised name without a page is a
# mistake. Names of other packages have no page, and neither have the short names of types in signatures.
nitpicky = True
nitpick_ignore_regex = [
    ("py:obj", r"[a-z_]\w*|numpy\..*|concurrent\..*|dask\..*|ProcessPoolExecutor"),
    ("py:class", r"(np|npt|numpy|collections|fractions|os)\..*|NDArray|PathLike|Executor|Fraction"),
    ("py:exc", r"(concurrent\.futures\.)?BrokenExecutor"),
    ("py:class", "_Counts|_MoveLike|ArrowLike|Encoder|Engine|Place|Policy|Progress|Result|Standing|State|Track|Unit|Work"),
]


def from_stub():
    """Parameters and result of each method of the native classes: compiled functions have no types, and their stubs do."""
    stubs = [path for path in resources.files("tabula._native").iterdir() if path.name.endswith(".pyi")]
    signatures = {}
    for made in itertools.chain.from_iterable(ast.parse(stub.read_text(encoding="utf-8")).body for stub in stubs):
        for method in made.body if isinstance(made, ast.ClassDef) else ():
            if not isinstance(method, ast.FunctionDef):
                continue
            marks = {ast.unparse(mark) for mark in method.decorator_list}
            if "overload" not in marks:
                method.args.args = method.args.args["staticmethod" not in marks :]
                signatures[f"tabula.{made.name}.{method.name}"] = f"({ast.unparse(method.args)})", ast.unparse(method.returns)
    return signatures


SIGNATURES = from_stub()


def signature(app, what, name, value, options, arguments, returns):
    return SIGNATURES.get(name) if arguments else None


ATTRIBUTE_LINES = []


def put_aside(app, what, name, value, options, lines):
    """Hides the docstring of an attribute from napoleon, which would read the words before a colon in it as a type."""
    if what in ("attribute", "data", "property"):
        ATTRIBUTE_LINES.extend(lines)
        lines.clear()


def put_back(app, what, name, value, options, lines):
    lines.extend(ATTRIBUTE_LINES)
    ATTRIBUTE_LINES.clear()


def by_last_names(app, env, node, link):
    """A link from a name as docstrings have it: `Position` to `tabula.Position`, and `Rules.gates` to `Rules`."""
    short = node["reftarget"]
    if node.get("refdomain") != "py" or not (short[:1].isupper() or "." in short):
        return None
    known = {name: entry for name, entry in env.get_domain("py").objects.items() if not entry.aliased}
    for target in (short, short.rpartition(".")[0]):
        fits = [name for name in known if name.endswith(f".{target}")]
        if len(fits) == 1:
            entry = known[fits[0]]
            return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, link, fits[0])
    return None


def setup(app):
    app.connect("autodoc-process-signature", signature)
    app.connect("autodoc-process-docstring", put_aside, priority=400)
    app.connect("autodoc-process-docstring", put_back, priority=600)
    app.connect("missing-reference", by_last_names)
