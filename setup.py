"""The extension modules and how they are compiled; everything else about the package stands in pyproject.toml."""

import os
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

SOURCES = [str(path) for suffix in ("h", "pxd", "pxi") for path in sorted(Path("src/tabula").rglob(f"*.{suffix}"))]
DIRECTIVES = {
    "language_level": 3,
    "freethreading_compatible": True,
    "auto_pickle": False,
    "cdivision": True,
    "wraparound": False,
    "boundscheck": False,
    "initializedcheck": False,
}


# The compiled modules beside the generator, in src/tabula/_native.
NATIVE = ("arrays", "batch", "capi", "features", "layers", "playouts", "position")

WINDOWS = sysconfig.get_platform().startswith("win")


def asked_for(variable: str) -> bool:
    """Whether an environment variable asks for another kind of build than the one that wheels have."""
    wanted = os.environ.get(variable, "0")
    if wanted not in ("", "0", "1"):
        raise SystemExit(f"{variable} must be 1, or 0 or nothing; it is {wanted!r}")
    return wanted == "1"


# What the generator declares inline is meant so: a compiler that weighs it anew with every line that is added makes the same
# functions faster one day and slower the next.
INLINE = "__forceinline" if WINDOWS else "inline __attribute__((always_inline))"

# A build that aborts where what holds of the generator after every step does not (src/tabula/core/invariants.pxi), and where each
# index into an array is looked at.
CHECKED = asked_for("TABULA_CHECKED")

# A build without SIMD, as other processors have it.
PLAIN = asked_for("TABULA_PLAIN")

# A build that tells gcov which lines ran.
COVERAGE = asked_for("TABULA_COVERAGE")

# A build that aborts where what C leaves undefined is done: names that gcc and clang know after -fsanitize=.
SANITIZE = os.environ.get("TABULA_SANITIZE", "")


def compiler_options() -> tuple[list[str], list[str]]:
    """What the compiler and the linker are told beyond what is usual."""
    if asked_for("TABULA_NATIVE"):
        if WINDOWS:
            raise SystemExit("TABULA_NATIVE=1 is for gcc and clang: MSVC has no option that means the processor at hand. Unset it")
        # for a build that stays on the machine that it is made on
        return ["-march=native"], []
    if WINDOWS and (SANITIZE or COVERAGE):
        raise SystemExit("TABULA_SANITIZE and TABULA_COVERAGE are for gcc and clang. Unset them")
    if SANITIZE:
        options = [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=all"]
        return [*options, "-O1", "-g", "-fno-omit-frame-pointer"], options
    if COVERAGE:
        return ["--coverage", "-O0"], ["--coverage"]
    return [], []


def extension(name: str) -> Extension:
    """One .pyx of the package."""
    macros: list[tuple[str, str | None]] = []
    if name == "_core" and not (SANITIZE or COVERAGE):
        macros.append(("CYTHON_INLINE", INLINE))
    if CHECKED:
        macros.append(("TABULA_CHECKED", "1"))
    if PLAIN:
        macros.append(("TABULA_PLAIN", "1"))
    to_compile, to_link = compiler_options()
    made = Extension(
        f"tabula.{name}",
        [f"src/tabula/{name.replace('.', '/')}.pyx"],
        depends=SOURCES,
        include_dirs=["src/tabula", "src/tabula/include"],
        define_macros=macros,
        extra_compile_args=to_compile,
        extra_link_args=to_link,
    )
    checks = {"boundscheck": True, "initializedcheck": True} if CHECKED else {}
    made.cython_directives = DIRECTIVES | checks
    return made


setup(ext_modules=[extension(name) for name in ("_core", *(f"_native.{module}" for module in NATIVE))])
