"""The extension modules; everything else about the package stands in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import Extension, setup

SOURCES = [str(path) for suffix in ("h", "pxd", "pxi") for path in sorted(Path("src/tabula").glob(f"*.{suffix}"))]
DIRECTIVES = {
    "language_level": 3,
    "freethreading_compatible": True,
    "auto_pickle": False,
    "cdivision": True,
    "wraparound": False,
    "boundscheck": False,
    "initializedcheck": False,
}


# What the generator declares inline is meant so: a compiler that weighs it anew with every line that is added makes the same
# functions faster one day and slower the next.
INLINE = "__forceinline" if sys.platform == "win32" else "inline __attribute__((always_inline))"


def extension(name: str) -> Extension:
    """One .pyx of the package."""
    macros: list[tuple[str, str | None]] = [("CYTHON_INLINE", INLINE)] if name == "_core" else []
    made = Extension(
        f"tabula.{name}", [f"src/tabula/{name}.pyx"], depends=SOURCES, include_dirs=["src/tabula"], define_macros=macros
    )
    made.cython_directives = DIRECTIVES
    return made


setup(ext_modules=[extension(name) for name in ("_core", "_position", "_merge", "_batch", "_features", "_playouts")])
