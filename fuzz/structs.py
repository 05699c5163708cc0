"""Arbitrary bytes for every function of tabula.h, by the program that the tests compile too."""

from __future__ import annotations

import atexit
import importlib.util
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tabula
from fuzz.boards import any_rules

if TYPE_CHECKING:
    import random

SOURCE = Path(__file__).parents[1] / "tests" / "support" / "capi_fuzz.c"
ROUNDS = 2000


@cache
def compiled() -> Any:
    """The extension module that tests/support/capi_fuzz.c makes, for the package that is imported."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    made = folder / f"capi_fuzz{sysconfig.get_config_var('EXT_SUFFIX')}"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()
    paths = [f"-I{tabula.get_include()}", f"-I{sysconfig.get_path('include')}"]
    flags = ["-shared", "-fPIC", "-O1", *paths]
    if sys.platform == "darwin":
        flags += ["-undefined", "dynamic_lookup"]
    subprocess.run([*compiler, *flags, str(SOURCE), "-o", str(made)], check=True)
    found = importlib.util.spec_from_file_location("capi_fuzz", made)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def structs(source: random.Random) -> int:
    """Some rules, and a few thousand structs for each function; raises what the program finds."""
    done = compiled().run(source.getrandbits(40), ROUNDS, [any_rules(source) for _ in range(8)])
    return sum(map(sum, done.values()))
