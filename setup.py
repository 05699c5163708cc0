"""The extension modules; everything else about the package stands in pyproject.toml."""

from setuptools import Extension, setup

HEADERS = ["src/tabula/tabula.h", "src/tabula/_bits.h", "src/tabula/_core.pxd"]
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
    made = Extension(f"tabula.{name}", [f"src/tabula/{name}.pyx"], depends=HEADERS, include_dirs=["src/tabula"])
    made.cython_directives = DIRECTIVES
    return made


setup(ext_modules=[extension("_core"), extension("_position")])
