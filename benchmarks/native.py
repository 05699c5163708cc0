"""Compiles `_native.pyx`, which loops over a corpus without Python in between, and loads it.

It belongs to the benchmarks and not to the package. Cython, setuptools and a C compiler are needed; without them `turns` returns
None, and whoever asked says that the figure is left out.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import sysconfig
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import tabula

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

    from corpora import Turn

SOURCE: Final = Path(__file__).with_name("_native.pyx")
BUILT: Final = Path(__file__).parent.parent / "build" / "benchmarks"
PACKAGE: Final = Path(tabula.__file__).parent


class Turns(Protocol):
    """What `_native.Turns` can do."""

    def build(self, passes: int = 1) -> int:
        """Builds the distinct plays of every turn, and returns how many they were in all passes."""

    def count(self, passes: int = 1) -> int:
        """Counts them."""


def turns(corpus: Iterable[Turn]) -> Turns | None:
    """The corpus ready to be looped over natively, or None where the loop cannot be compiled."""
    module = _module()
    if module is None:
        return None
    made: Turns = module.Turns([(turn.position, turn.roll) for turn in corpus])
    return made


@cache
def _module() -> ModuleType | None:
    try:
        cython: Any = importlib.import_module("Cython.Build")
        setuptools: Any = importlib.import_module("setuptools")
        build_ext: Any = importlib.import_module("setuptools.command.build_ext").build_ext
    except ImportError:
        return None
    folder = BUILT / sysconfig.get_platform()
    headers = [str(path) for suffix in ("pxd", "h") for path in sorted(PACKAGE.rglob(f"*.{suffix}"))]
    extension = setuptools.Extension("_native", [str(SOURCE)], depends=headers, include_dirs=[str(PACKAGE / "include")])
    # Each Turns belongs to one thread, so that nothing in the module needs the lock.
    directives = {"language_level": 3, "freethreading_compatible": True, "boundscheck": False, "wraparound": False}
    made = cython.cythonize(
        [extension], include_path=[str(PACKAGE.parent)], build_dir=str(folder), compiler_directives=directives, quiet=True
    )
    command = build_ext(setuptools.Distribution({"ext_modules": made}))
    command.build_lib = command.build_temp = str(folder)
    command.ensure_finalized()
    try:
        command.run()
    except Exception as error:  # setuptools raises an error of its own for each compiler
        print(f"the native loop over the corpus cannot be compiled: {error}", file=sys.stderr)
        return None
    spec = importlib.util.spec_from_file_location("_native", command.get_ext_fullpath("_native"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
