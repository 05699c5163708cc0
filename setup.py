"""The extension modules and how they are compiled; everything else about the package stands in pyproject.toml."""

import os
import sysconfig
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
INLINE = "__forceinline" if sysconfig.get_platform().startswith("win") else "inline __attribute__((always_inline))"


def for_this_processor() -> list[str]:
    """What TABULA_NATIVE=1 adds, for a build that stays on the machine that it is made on; wheels are built without it."""
    wanted = os.environ.get("TABULA_NATIVE", "0")
    if wanted not in ("", "0", "1"):
        raise SystemExit(f"TABULA_NATIVE must be 1, or 0 or nothing; it is {wanted!r}")
    if wanted != "1":
        return []
    if sysconfig.get_platform().startswith("win"):
        raise SystemExit("TABULA_NATIVE=1 is for gcc and clang: MSVC has no option that means the processor at hand. Unset it")
    return ["-march=native"]


def extension(name: str) -> Extension:
    """One .pyx of the package."""
    macros: list[tuple[str, str | None]] = [("CYTHON_INLINE", INLINE)] if name == "_core" else []
    made = Extension(
        f"tabula.{name}",
        [f"src/tabula/{name}.pyx"],
        depends=SOURCES,
        include_dirs=["src/tabula"],
        define_macros=macros,
        extra_compile_args=for_this_processor(),
    )
    made.cython_directives = DIRECTIVES
    return made


setup(ext_modules=[extension(name) for name in ("_core", "_capi", "_position", "_merge", "_batch", "_features", "_playouts")])
