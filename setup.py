"""The extension modules; everything else about the package stands in pyproject.toml."""

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


def extension(name: str) -> Extension:
    """One .pyx of the package."""
    made = Extension(f"tabula.{name}", [f"src/tabula/{name}.pyx"], depends=SOURCES, include_dirs=["src/tabula"])
    made.cython_directives = DIRECTIVES
    return made


setup(ext_modules=[extension(name) for name in ("_core", "_capi", "_position", "_merge", "_batch", "_features", "_playouts")])
