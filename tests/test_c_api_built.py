"""What C and Cython callers compile: the header on its own, both bots, and a program that gives every function arbitrary bytes.

All of it is compiled against the installed package. Where the tests run in a working tree, that is a wheel made from a copy of the
tree and unpacked; nothing of the tree itself is on the path then. A module that is newer than its sources is not compiled again.
"""

import copy
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from support import abi
from support.strategies import agreeing
from support.tracks import side

import tabula
from tabula import BACKGAMMON, TABULA, Position, Rules
from tabula.playouts import playouts
from tabula.rules import PRESETS, RULE_FIELDS

ROOT = Path(__file__).parents[1]
COMPILER = (sysconfig.get_config_var("CC") or "cc").split()
GAMES, SEED = 1000, 7

pytestmark = pytest.mark.skipif(
    sys.platform != "win32" and shutil.which(COMPILER[0]) is None, reason=f"there is no C compiler {COMPILER[0]}"
)


def run(*command: object, cwd: Path, site: Path | None, **variables: str) -> str:
    """What a program prints that sees the installed package; when it fails, so does the test, with all it said."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"PYTHONPATH": str(site)} if site else {}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """The folder where a wheel of this tree is unpacked, or None where the package that is tested is an installed one."""
    if not Path(tabula.__file__).is_relative_to(ROOT / "src"):
        return None
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT / "src", folder / "tree" / "src", ignore=shutil.ignore_patterns("*.so", "*.pyd", "*.egg-info"))
    for module in ROOT.glob("build/lib*/**/*" + sysconfig.get_config_var("EXT_SUFFIX")):
        copied = folder / "tree" / module.relative_to(ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(module, copied)
    for name in ("setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "tree")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, folder / "tree", cwd=folder, site=None)
    (wheel,) = folder.glob("*.whl")
    run(*pip, "install", "--no-deps", "--no-index", "--target", folder / "site", wheel, cwd=folder, site=None)
    shutil.rmtree(folder / "tree")
    return folder / "site"


@pytest.fixture(scope="module")
def include(site: Path | None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `tabula.get_include` of the installed package says."""
    code = "import tabula; print(tabula.get_include())"
    found = Path(run(sys.executable, "-c", code, cwd=tmp_path_factory.mktemp("cwd"), site=site).strip())
    assert not found.is_relative_to(ROOT / "src")
    return found


@pytest.fixture(scope="module")
def build(site: Path | None, tmp_path_factory: pytest.TempPathFactory):
    """Compiles a copy of a folder that has a setup.py, with warnings as errors, and returns where it is."""

    def built(source: Path, **variables: str) -> Path:
        folder = tmp_path_factory.mktemp(source.name) / source.name
        shutil.copytree(source, folder)
        run(sys.executable, "setup.py", "build_ext", "--inplace", cwd=folder, site=site, **variables)
        return folder

    return built


STRICT = {} if sys.platform == "win32" else {"CFLAGS": "-Wall -Wextra -Werror"}


def totals(printed: str) -> dict[str, int]:
    return {name: int(total) for name, total in (line.split() for line in printed.splitlines())}


def played(rules: Rules, policy=None) -> dict[str, int]:
    """What the games of `tabula.playouts` come to whose seed is SEED."""

    class Seeded(np.random.Generator):
        def integers(self, *_: object, **__: object) -> int:
            return SEED

    games = playouts(Position(rules), GAMES, rng=Seeded(np.random.PCG64()), policy=policy).games
    first, second = games["winner"] == 0, games["winner"] == 1
    return {
        "first": int(first.sum()),
        "second": int(second.sum()),
        "points": int(games["points"][first].sum() - games["points"][second].sum()),
        "plies": int(games["plies"].sum()),
        "plays": int(games["plays"].sum()),
    }


def fewest_blots(after: np.ndarray) -> np.ndarray:
    """What the bot in Cython plays by, as a policy."""
    return -(after[:, 1, 1:25] == 1).sum(axis=1)


# ---------------------------------------------------------------------------------------------------------------------- bots


@pytest.fixture(scope="module")
def cython_bot(build) -> Path:
    return build(ROOT / "examples" / "cython_bot")


@pytest.fixture(scope="module")
def c_bot(build) -> Path:
    return build(ROOT / "examples" / "c_bot", **STRICT)


@pytest.mark.parametrize("name", PRESETS)
def test_the_bot_in_cython_plays_the_games_that_a_policy_plays(name: str, cython_bot: Path, site: Path | None) -> None:
    told = run(sys.executable, "play.py", name, GAMES, SEED, cwd=cython_bot, site=site)
    assert totals(told) == played(PRESETS[name], fewest_blots)


@pytest.mark.parametrize("name", PRESETS)
def test_the_bot_in_c_plays_the_random_games_of_playouts(name: str, c_bot: Path, site: Path | None) -> None:
    told = run(sys.executable, "play.py", name, GAMES, SEED, cwd=c_bot, site=site)
    assert totals(told) == played(PRESETS[name])


@pytest.mark.skipif(not sysconfig.get_config_var("Py_ENABLE_SHARED"), reason="this Python has no shared library to embed")
@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_the_bot_in_c_embeds_python(c_bot: Path, site: Path | None) -> None:
    run("make", f"PYTHON={sys.executable}", "CFLAGS=-Wall -Wextra -Werror", cwd=c_bot, site=site)
    assert totals(run("./c_bot", "backgammon", GAMES, SEED, cwd=c_bot, site=site)) == played(BACKGAMMON)
    environment = dict(os.environ) | ({"PYTHONPATH": str(site)} if site else {})
    done = subprocess.run(["./c_bot", "chess", "1", "1"], cwd=c_bot, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "a pointer is NULL, a number is out of its range, or a name is not known\n"


def test_a_bot_says_in_python_what_its_c_code_was_told(c_bot: Path, cython_bot: Path, site: Path | None) -> None:
    code = "import c_bot\ntry:\n    c_bot.play('chess', 1, 1)\nexcept RuntimeError as error:\n    print(error)"
    assert "a name is not known" in run(sys.executable, "-c", code, cwd=c_bot, site=site)
    code = "import cython_bot\ntry:\n    cython_bot.play('chess', 1, 1)\nexcept TypeError as error:\n    print(error)"
    assert run(sys.executable, "-c", code, cwd=cython_bot, site=site) == "rules must be a Rules, not 'chess'\n"


def test_the_pages_show_the_files() -> None:
    """docs/c-api.md holds the examples as they are, and the first lines of the header."""
    page = (ROOT / "docs" / "c-api.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\[`(examples/.*?)`\]\(.*?\).*?\n\n```\w+\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    assert {name for name, _ in shown} == {
        f"examples/{name}"
        for name in (
            "cython_bot/cython_bot.pyx",
            "cython_bot/setup.py",
            "c_bot/bot.h",
            "c_bot/bot.c",
            "c_bot/module.c",
            "c_bot/embed.c",
            "c_bot/setup.py",
            "c_bot/Makefile",
        )
    }
    for name, text in shown:
        assert text == (ROOT / name).read_text(encoding="utf-8"), f"docs/c-api.md shows another {name}"


# -------------------------------------------------------------------------------------------------------------------- header

GNU = pytest.mark.skipif(sys.platform == "win32", reason="these are flags of gcc and clang")


@GNU
@pytest.mark.parametrize("python", [False, True], ids=["alone", "with Python.h"])
@pytest.mark.parametrize("standard", ["c99", "c11", "c++11", "c++17"])
def test_the_header_compiles_without_a_warning(standard: str, python: bool, include: Path, tmp_path: Path) -> None:
    lines = ["#include <Python.h>"] * python + ['#include "tabula.h"', '#include "tabula.h"']
    lines += ["int main(void) { return sizeof(tabula_api) == 0", "|| tabula_import() == NULL" if python else "", "; }"]
    source = tmp_path / ("a.cpp" if "+" in standard else "a.c")
    source.write_text("\n".join(lines), encoding="utf-8")
    compiler = (sysconfig.get_config_var("CXX") or "c++").split() if "+" in standard else COMPILER
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"there is no compiler {compiler[0]}")
    flags = [f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fsyntax-only"]
    python_h = sysconfig.get_path("include")
    run(*compiler, *flags, "-isystem", python_h, f"-I{include}", source, cwd=tmp_path, site=None)


@GNU
def test_the_include_folder_has_the_header_and_nothing_else(include: Path) -> None:
    shipped = {path.name for path in include.iterdir() if path.suffix in (".h", ".pxd", ".pyx", ".pxi", ".c")}
    assert shipped == {"tabula.h"}


SETUP = """\
from setuptools import Extension, setup
setup(name="{name}", ext_modules=[Extension("{name}", ["{name}.c"], include_dirs=[{include!r}])])
"""


def extension(folder: Path, source: Path, include: Path) -> Path:
    """A folder with one C file and the setup.py that makes a module of it."""
    folder.mkdir()
    shutil.copy(source, folder)
    (folder / "setup.py").write_text(SETUP.format(name=source.stem, include=str(include)), encoding="utf-8")
    return folder


CLIENT = """\
#include <Python.h>
#include "tabula.h"
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "client", NULL, -1, NULL, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit_client(void) { return tabula_import() ? PyModule_Create(&definition) : NULL; }
"""


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("#define TABULA_ABI_VERSION 1", "#define TABULA_ABI_VERSION 2"),
        ("    uint64_t seal;", "    uint64_t seal, more;"),
        ("} tabula_api;", "    int (*later)(void);\n} tabula_api;"),
    ],
    ids=["another version", "another layout", "functions that are not there"],
)
def test_a_caller_compiled_for_another_header_is_refused(
    line: str, other: str, include: Path, build, site: Path | None, tmp_path: Path
) -> None:
    header = (include / "tabula.h").read_text(encoding="utf-8")
    assert line in header
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "tabula.h").write_text(header.replace(line, other), encoding="utf-8")
    (tmp_path / "client.c").write_text(CLIENT, encoding="utf-8")
    folder = build(extension(tmp_path / "client", tmp_path / "client.c", tmp_path / "include"))
    told = run(
        sys.executable, "-c", "try:\n    import client\nexcept ImportError as error:\n    print(error)", cwd=folder, site=site
    )
    assert re.fullmatch(
        r"this module was compiled for version \d of tabula\.h, and the tabula installed has version 1, or another build of it: "
        r"compile it again with the header in tabula\.get_include\(\)\n",
        told,
    )


@pytest.mark.skipif(struct.calcsize("P") != 8, reason="the snapshot is of 64-bit pointers")
def test_no_signature_or_layout_changes_without_a_new_version() -> None:
    assert abi.complaints(abi.found(), json.loads(abi.SNAPSHOT.read_text(encoding="utf-8"))) == []


def test_the_comparison_sees_every_kind_of_change() -> None:
    before = json.loads(abi.SNAPSHOT.read_text(encoding="utf-8"))
    for part, name, value in (
        ("numbers", "TABULA_MAX_PLAYS", 5000),
        ("layout", "tabula_rules.checkers", 12),
        ("layout", "sizeof(tabula_move)", 8),
        ("layout", "tabula_move.more", 4),
        ("layout", "tabula_api.count", 400),
        ("table", "count", "int (void)"),
        ("cython", "tabula_swap_sides", "void (tabula_position *)"),
    ):
        now = copy.deepcopy(before)
        now[part][name] = value
        assert abi.complaints(now, before)[-1] == "raise TABULA_ABI_VERSION in tabula.h", name
        now["numbers"]["TABULA_ABI_VERSION"] = 2
        assert abi.complaints(now, before)[-1] == "run python tests/support/abi.py --update"
    gone = copy.deepcopy(before)
    del gone["cython"]["tabula_swap_sides"]
    assert abi.complaints(gone, before)[0] == "cython: tabula_swap_sides was int (tabula_position *), and is gone"
    more = copy.deepcopy(before)
    more["table"]["new"] = more["cython"]["tabula_new"] = "int (void)"
    more["layout"] |= {"tabula_api.new": 208, "sizeof(tabula_api)": 216}
    assert abi.complaints(more, before) == ["run python tests/support/abi.py --update"]


# ---------------------------------------------------------------------------------------------------------------------- fuzz


@pytest.fixture(scope="module")
def fuzz(build, include: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = ROOT / "tests" / "support" / "capi_fuzz.c"
    return build(extension(tmp_path_factory.mktemp("fuzz") / "capi_fuzz", source, include), **STRICT)


def odd_rules(seed: int, n: int) -> list[Rules]:
    """Rules that nobody plays by."""
    rng, made = random.Random(seed), []
    while len(made) < n:
        fields = {name: rng.choice(field.values) for name, field in RULE_FIELDS.items()}
        fields["setup"] = (*side({rng.choice([0, 0, 1, 6]): rng.choice([15, 15, rng.randint(1, 15)])})[:25], 0)
        try:
            made.append(Rules(**agreeing(fields)))
        except ValueError:  # too little room to bear off, or both sides on one point
            continue
    return made


@pytest.mark.parametrize(
    ("rules", "rounds"),
    [([TABULA], 40_000), ([BACKGAMMON], 40_000), ([*PRESETS.values(), *odd_rules(1, 80)], 20_000)],
    ids=["tabula", "backgammon", "any rules"],
)
def test_arbitrary_bytes_get_codes_and_spoil_nothing(rules: list[Rules], rounds: int, fuzz: Path, site: Path | None) -> None:
    """Some two million calls: structs of random bytes, of a few bits changed, of checkers strewn about, and legal ones."""
    fields = json.dumps([each.to_dict() for each in rules])
    code = (
        "import json, sys, capi_fuzz; from tabula import Rules; "
        "rules = [Rules.from_dict(fields) for fields in json.loads(sys.argv[3])]; "
        "print(json.dumps(capi_fuzz.run(int(sys.argv[1]), int(sys.argv[2]), rules)))"
    )
    told = json.loads(run(sys.executable, "-c", code, 5, rounds, fields, cwd=fuzz, site=site))
    given = {name: {-code for code, times in enumerate(codes) if times} for name, codes in told.items()}
    rolled = {-1, -7}
    illegal = {-2, -3, -4, -5, -6} if any(each.stack_limit for each in rules) else {-2, -3, -5, -6}
    assert given["valid"] == {0} | illegal
    assert given["outcome"] == {0, -2, -3, -6}
    assert given["count"] == given["random_play"] == {0, -7} | illegal
    assert given["generate"] == {0, -9} | rolled | illegal
    assert given["perft"] == {0, -1} | illegal
    assert given["from_counts"] == {0} | illegal - {-2}
    assert given["apply"] == {0, -2, -3, -8}
    assert given["moves"] == given["all_moves"] == {0, -2, -3, -7, -8}
    assert given["afterstates"] == {0, -1, -2}
    assert given["stream_roll"] == {0, -1}
    assert given["to_counts"] == given["swap_sides"] == given["error"] == {0}
    assert given["start"] == {0, -2}
