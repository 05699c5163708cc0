"""How Sphinx makes a site of these pages: `python -m sphinx -W --keep-going docs build/site`. The package must be built."""

import ast
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

# `name` in a docstring is a link where it is a public name, and code where it is an argument's; a name with a capital letter that
# leads nowhere is a mistake. Names of other packages lead nowhere, and neither do the short names that signatures have for types.
nitpicky = True
nitpick_ignore_regex = [
    ("py:obj", r"[a-z_]\w*|numpy\..*|concurrent\..*|dask\..*|ProcessPoolExecutor"),
    ("py:class", r"(np|npt|numpy|collections|fractions|os)\..*|NDArray|PathLike|Executor|Fraction"),
    ("py:exc", r"(concurrent\.futures\.)?BrokenExecutor"),
    ("py:class", "_Counts|_MoveLike|Encoder|Engine|Policy|Progress|Result|State|Track|Unit"),
]


def from_stub():
    """What the classes of the native module take and return: its compiled functions know no types, and its stub does."""
    stub = ast.parse(resources.files("tabula").joinpath("_position.pyi").read_text(encoding="utf-8"))
    told = {}
    for made in stub.body:
        for method in made.body if isinstance(made, ast.ClassDef) else ():
            if not isinstance(method, ast.FunctionDef):
                continue
            marks = {ast.unparse(mark) for mark in method.decorator_list}
            if "overload" not in marks:
                method.args.args = method.args.args["staticmethod" not in marks :]
                told[f"tabula.{made.name}.{method.name}"] = f"({ast.unparse(method.args)})", ast.unparse(method.returns)
    return told


SIGNATURES = from_stub()


def signature(app, what, name, value, options, arguments, returns):
    return SIGNATURES.get(name) if arguments else None


KEPT = []


def put_aside(app, what, name, value, options, lines):
    """Keeps the docstring of an attribute from napoleon, which takes what stands before a colon in it for a type."""
    if what in ("attribute", "data", "property"):
        KEPT.extend(lines)
        lines.clear()


def put_back(app, what, name, value, options, lines):
    lines.extend(KEPT)
    KEPT.clear()


def by_last_names(app, env, node, link):
    """A link from a name as docstrings have it: `Position` is `tabula.Position`, and of `Rules.gates` it is `Rules` that tells."""
    wanted = node["reftarget"]
    if node.get("refdomain") != "py" or not (wanted[:1].isupper() or "." in wanted):
        return None
    known = {name: entry for name, entry in env.get_domain("py").objects.items() if not entry.aliased}
    for target in (wanted, wanted.rpartition(".")[0]):
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
