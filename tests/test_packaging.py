"""What the package says of itself, what it is built from and with, and what goes into the archives that are published."""

import importlib.util
import re
import runpy
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import setuptools
from setuptools.command.build_ext import build_ext

import tabula

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "tabula"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS = PROJECT["dependency-groups"]


def helper(name: str) -> ModuleType:
    """A module of .ci, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


archives, licences = helper("archives"), helper("licences")


# ------------------------------------------------------------------------------------------------------- what it says of itself


def test_numpy_is_the_only_package_that_it_needs_to_run() -> None:
    (needed,) = PROJECT["project"]["dependencies"]
    assert needed.startswith("numpy")


def test_it_is_distributed_as_tabula_movegen_under_the_mit_licence() -> None:
    assert (PROJECT["project"]["name"], PROJECT["project"]["license"]) == ("tabula-movegen", "MIT")
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_python_3_11_is_new_enough() -> None:
    assert PROJECT["project"]["requires-python"] == ">=3.11"


def test_types_are_shipped() -> None:
    assert resources.files("tabula").joinpath("py.typed").is_file()
    for source in PACKAGE.rglob("*.pyx"):
        assert resources.files("tabula").joinpath(source.relative_to(PACKAGE).with_suffix(".pyi").as_posix()).is_file()


def test_the_extra_and_the_group_for_tests_name_the_same_packages() -> None:
    assert PROJECT["project"]["optional-dependencies"]["test"] == GROUPS["test"]


def test_the_group_for_building_in_place_names_what_a_build_requires() -> None:
    assert PROJECT["build-system"]["requires"] == GROUPS["build"]


def test_the_version_is_told_in_one_place() -> None:
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "tabula._version.__version__"}
    assert tabula.__version__.count(".") == 2


# ------------------------------------------------------------------------------------------------------- how it is compiled


def extensions(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What setup.py would build."""
    told: dict[str, Any] = {}
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(setuptools, "setup", lambda **fields: told.update(fields))
    runpy.run_path(str(ROOT / "setup.py"))
    return list(told["ext_modules"])


def compiler_arguments(extension: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the compiler is told when setuptools builds an extension, by a compiler that only writes it down."""
    told, compiler, source = folder / "told", folder / "cc", folder / "empty.c"
    compiler.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >> '{told}'\n", encoding="utf-8")
    compiler.chmod(0o755)
    source.write_text("", encoding="utf-8")
    for name in ("CC", "LDSHARED"):
        monkeypatch.setenv(name, str(compiler))
    extension.sources = [str(source)]
    command = build_ext(setuptools.Distribution({"name": "empty", "ext_modules": [extension]}))
    command.build_temp = command.build_lib = str(folder)
    command.force = True
    command.ensure_finalized()
    command.run()
    return told.read_text(encoding="utf-8").splitlines()


def test_every_pyx_is_built_and_declared_safe_without_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {extension.name: extension for extension in extensions(monkeypatch)}
    sources = (path.relative_to(PACKAGE.parent).with_suffix("") for path in PACKAGE.rglob("*.pyx"))
    assert set(found) == {".".join(source.parts) for source in sources}
    assert all(extension.cython_directives["freethreading_compatible"] is True for extension in found.values())


@pytest.mark.skipif(sys.platform == "win32", reason="MSVC has no such option, and setup.py says so")
@pytest.mark.parametrize(("wanted", "given"), [("1", True), ("0", False), ("", False), (None, False)])
def test_code_is_for_this_processor_only_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wanted: str | None, given: bool
) -> None:
    for name in ("TABULA_NATIVE", "CFLAGS", "CPPFLAGS"):
        monkeypatch.delenv(name, raising=False)
    if wanted is not None:
        monkeypatch.setenv("TABULA_NATIVE", wanted)
    for extension in extensions(monkeypatch):
        told = compiler_arguments(extension, tmp_path, monkeypatch)
        assert str(tmp_path / "empty.c") in told
        assert ("-march=native" in told) == given
        assert given or not [word for word in told if re.match(r"-m(arch|cpu|tune)=|-m(avx|bmi|popcnt)|/arch:", word)]


@pytest.mark.skipif(sys.platform == "win32", reason="these are options of gcc and clang, and setup.py says so")
@pytest.mark.parametrize(
    ("variable", "value", "options"),
    [
        ("TABULA_CHECKED", "1", {"-DTABULA_CHECKED=1"}),
        ("TABULA_PLAIN", "1", {"-DTABULA_PLAIN=1"}),
        ("TABULA_SANITIZE", "address,undefined", {"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}),
        ("TABULA_COVERAGE", "1", {"--coverage", "-O0"}),
    ],
)
def test_a_build_for_finding_faults_is_made_only_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, value: str, options: set[str]
) -> None:
    for name in ("TABULA_NATIVE", "TABULA_PLAIN", "TABULA_CHECKED", "TABULA_SANITIZE", "TABULA_COVERAGE", "CFLAGS", "CPPFLAGS"):
        monkeypatch.delenv(name, raising=False)
    core = next(extension for extension in extensions(monkeypatch) if extension.name == "tabula._core")
    assert not options & set(compiler_arguments(core, tmp_path, monkeypatch))
    assert core.cython_directives["boundscheck"] is False
    monkeypatch.setenv(variable, value)
    core = next(extension for extension in extensions(monkeypatch) if extension.name == "tabula._core")
    assert options <= set(compiler_arguments(core, tmp_path, monkeypatch))
    assert core.cython_directives["boundscheck"] is (variable == "TABULA_CHECKED")


def test_what_else_is_asked_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULA_NATIVE", "yes")
    with pytest.raises(SystemExit, match="TABULA_NATIVE must be 1, or 0 or nothing; it is 'yes'"):
        extensions(monkeypatch)


def test_msvc_is_told_that_it_has_no_such_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULA_NATIVE", "1")
    monkeypatch.setattr(sysconfig, "get_platform", lambda: "win-amd64")
    with pytest.raises(SystemExit, match="MSVC has no option that means the processor at hand"):
        extensions(monkeypatch)


# ------------------------------------------------------------------------------------------------------------- what is published

SOURCES = {
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "src").rglob("*")
    if path.is_file()
    and "__pycache__" not in path.parts
    and ".egg-info" not in path.as_posix()
    and not archives.is_generated(path.relative_to(ROOT).as_posix())
} | {"LICENSE", "README.md", "pyproject.toml", "setup.py", "MANIFEST.in", "tests/test_packaging.py"}
EXTERNS = archives.externs_of(ROOT)


def good_wheel() -> set[str]:
    """A wheel as it should be, said the other way round than in the rules: what is there, less what is for building only."""
    package = {name.removeprefix("src/") for name in SOURCES if name.startswith("src/tabula/")}
    modules = {name.removesuffix(".pyx") for name in package if name.endswith(".pyx")}
    private = {name for name in package if name.endswith(".h")} - {f"tabula/include/{name}" for name in EXTERNS}
    return (
        {name for name in package if not name.endswith((".pyx", ".pxi"))} - private
        | {f"{name}.cpython-311-x86_64-linux-gnu.so" for name in modules}
        | {
            f"tabula_movegen-0.1.0.dist-info/{name}"
            for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
        }
    )


def test_a_wheel_with_what_is_used_once_installed_is_a_good_one() -> None:
    assert archives.wheel_faults(good_wheel(), SOURCES, EXTERNS) == []
    assert good_wheel() >= {
        "tabula/py.typed",
        "tabula/include/tabula.h",
        "tabula/_core.pxd",
        "tabula/_core.pyi",
        "tabula/data/games.toml",
    }


@pytest.mark.parametrize(
    "name",
    [
        "tabula/_core.pyx", "tabula/_core.c", "tabula/core/backgammon_kin.pxi", "tabula/core/bits.h", "tests/test_packaging.py",
        "tabula/notes.txt", "tabula/other.cpython-311-x86_64-linux-gnu.so", "tabula/_version.pyc", "setup.py", "numpy/__init__.py",
    ],
)  # fmt: skip
def test_what_does_not_belong_in_a_wheel_is_found(name: str) -> None:
    assert archives.wheel_faults(good_wheel() | {name}, SOURCES, EXTERNS) == [f"{name} does not belong in a wheel"]


@pytest.mark.parametrize("name", sorted(good_wheel()))
def test_whatever_a_wheel_lacks_is_found(name: str) -> None:
    faults = archives.wheel_faults(good_wheel() - {name}, SOURCES, EXTERNS)
    assert bool(faults) == (not name.endswith(("WHEEL", "RECORD")))


def test_a_private_header_belongs_in_a_wheel_if_a_pxd_asks_for_it() -> None:
    assert archives.wheel_faults(good_wheel(), SOURCES, EXTERNS | {"bits.h"}) == ["tabula/core/bits.h is missing"]


def test_a_module_for_windows_is_a_compiled_module() -> None:
    names = {name.replace(".cpython-311-x86_64-linux-gnu.so", ".cp314t-win_amd64.pyd") for name in good_wheel()}
    assert archives.wheel_faults(names, SOURCES, EXTERNS) == []


def test_an_sdist_has_the_repository_and_nothing_that_was_built() -> None:
    made = {"PKG-INFO", "setup.cfg", "src/tabula_movegen.egg-info/SOURCES.txt"}
    assert archives.sdist_faults(SOURCES | made, SOURCES) == []
    assert archives.sdist_faults(SOURCES - {"src/tabula/_core.pyx"}, SOURCES) == ["src/tabula/_core.pyx is missing"]
    assert archives.sdist_faults(SOURCES | {"src/tabula/_core.c"}, SOURCES) == ["src/tabula/_core.c is made by building"]
    assert archives.sdist_faults(SOURCES | {"examples/bot.c"}, SOURCES | {"examples/bot.c"}) == []
    assert archives.sdist_faults(SOURCES | {"notes.txt"}, SOURCES) == ["notes.txt is not in the repository"]


def test_the_names_in_archives_are_read_as_they_are(tmp_path: Path) -> None:
    wheel, sdist = tmp_path / "x.whl", tmp_path / "tabula_movegen-0.1.0.tar.gz"
    with zipfile.ZipFile(wheel, "w") as opened:
        opened.writestr("tabula/__init__.py", "")
    with tarfile.open(sdist, "w:gz") as made:
        made.add(ROOT / "LICENSE", "tabula_movegen-0.1.0/LICENSE")
    assert (archives.in_wheel(wheel), archives.in_sdist(sdist)) == ({"tabula/__init__.py"}, {"LICENSE"})
    with tarfile.open(sdist, "w:gz") as made:
        made.add(ROOT / "LICENSE", "LICENSE")
    with pytest.raises(ValueError, match=r"outside of tabula_movegen-0\.1\.0/"):
        archives.in_sdist(sdist)


def test_every_folder_with_python_in_it_is_a_package_that_is_shipped() -> None:
    folders = {path.parent.relative_to(ROOT / "src").as_posix().replace("/", ".") for path in (ROOT / "src").rglob("*.py")}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders


# ------------------------------------------------------------------------------------------------------------ what it is built with


def named(requirements: list[Any]) -> set[str]:
    """The packages of some requirements, those of included groups left to their own group."""
    return {licences.name_of(each) for each in requirements if isinstance(each, str)}


def pins(file: str) -> dict[str, set[str]]:
    """The versions that a file pins, by package; one may have several, for several platforms."""
    found: dict[str, set[str]] = {}
    for line in (ROOT / "requirements" / file).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            pinned = re.fullmatch(r"([\w.-]+)==([\w.]+)( ; .+)?", line)
            assert pinned, f"{file} pins no exact version: {line}"
            found.setdefault(licences.name_of(pinned[1]), set()).add(pinned[2])
    return found


def test_all_that_the_checks_install_is_pinned() -> None:
    asked = {"build", "test", *re.findall(r"--group (\w+)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))}
    wanted = named(PROJECT["project"]["dependencies"]).union(*(named(GROUPS[group]) for group in asked))
    assert wanted <= set(pins("ci.txt")), "remake requirements/ci.txt, by the command in its first lines"


def test_the_oldest_versions_that_are_tried_are_the_oldest_that_are_allowed() -> None:
    allowed = [*PROJECT["build-system"]["requires"], *PROJECT["project"]["dependencies"], *GROUPS["test"]]
    least = {licences.name_of(each): found[1] for each in allowed if (found := re.search(r">=([\d.]+)", each))}
    tried = pins("minimum.txt")
    assert set(tried) == set(least)
    assert all(version.startswith(f"{least[package]}.") for package, versions in tried.items() for version in versions)


def test_licences_are_told_apart() -> None:
    assert licences.within("MIT", licences.PERMISSIVE)
    assert licences.within("BSD-3-Clause AND (MIT AND Zlib)", licences.PERMISSIVE)
    assert licences.within("GPL-3.0-only OR MIT", licences.PERMISSIVE)
    assert not licences.within("MIT AND GPL-3.0-only", licences.PERMISSIVE)
    assert not licences.within("MPL-2.0 AND MIT", licences.PERMISSIVE)
    assert not licences.within("unknown", licences.PERMISSIVE | licences.WEAK)


def test_what_it_needs_to_run_binds_nobody() -> None:
    needed = licences.closure(PROJECT["project"]["dependencies"])
    assert "numpy" in needed
    assert {
        package: licences.licence(package)
        for package in needed
        if not licences.within(licences.licence(package), licences.PERMISSIVE)
    } == {}


def test_the_list_of_licences_names_every_package_that_is_asked_for() -> None:
    table = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    listed = {licences.name_of(name) for name in re.findall(r"^\| ([\w.-]+) \|", table, re.MULTILINE)} - {"package"}
    project = PROJECT["project"]
    wanted = named(project["dependencies"]).union(
        *map(named, project["optional-dependencies"].values()), *map(named, GROUPS.values())
    )
    assert listed == wanted


# ----------------------------------------------------------------------------------------------------------- which tests run where


def test_files_that_have_a_marker_are_there(pytestconfig: pytest.Config) -> None:
    (tables,) = (
        each for each in pytestconfig.pluginmanager.get_plugins() if hasattr(each, "MARKERS") and hasattr(each, "TOGETHER")
    )
    assert {*tables.MARKERS, *tables.TOGETHER} <= {path.name for path in (ROOT / "tests").rglob("test_*.py")}


def test_what_the_plain_command_leaves_out_is_run_by_the_long_checks() -> None:
    settings = PROJECT["tool"]["pytest"]["ini_options"]
    assert [each for each in settings["addopts"] if each.startswith("-m")] == ["-m not slow"]
    assert "pytest -q -m slow " in (ROOT / ".ci" / "full").read_text(encoding="utf-8")
    assert [path.name for path in (ROOT / "tests").rglob("test_*.py") if "@pytest.mark.slow\n" in path.read_text(encoding="utf-8")]


def test_no_test_of_the_checks_is_named_where_a_marker_can_say_it() -> None:
    for name in ("run", "full", "wheels"):
        assert not re.search(r"--(deselect|ignore)\b|::test_", (ROOT / ".ci" / name).read_text(encoding="utf-8"))


def test_without_valgrind_the_checks_fail_where_nothing_may_be_left_out() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    guard = re.search(r"^if \[\[ -n \$\{CI:-\} \]\] && ! command -v valgrind .*?^fi$", script, re.MULTILINE | re.DOTALL)
    assert guard
    assert "exit 1" in guard[0]
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert re.search(r"install --yes valgrind\n +- run: bash \.ci/run\n", workflow)


# ------------------------------------------------------------------------------------------------------------------- workflows

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_of_a_workflow_has_a_full_version(path: Path) -> None:
    used = re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))
    assert used
    for action in used:
        if action.startswith("./"):
            assert (ROOT / action).is_file()
        else:
            assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+\.\d+\.\d+", action)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_read_and_the_job_that_publishes_may_prove_who_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    granted = re.findall(r"^( *)([\w-]+): (?:write|read|write-all|read-all|admin)$", text, re.MULTILINE)
    assert ("  ", "contents") in granted
    assert [scope for indent, scope in granted if (indent, scope) != ("  ", "contents")] == ["id-token"] * (path.stem == "publish")
    assert "secrets." not in text
    assert "pull_request_target" not in text


def test_what_is_published_was_tested_and_comes_from_a_release() -> None:
    text = (ROOT / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8")
    assert re.search(r"^on:\n  release:\n    types: \[published\]\n\n", text, re.MULTILINE)
    assert "needs: [tests, wheels]" in text


def test_the_wheels_that_are_expected_are_those_of_every_python_that_is_named() -> None:
    named_ones = [each.rpartition(" ")[2] for each in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", each)]
    pythons = {f"cp{each.replace('.', '')}" for each in named_ones} | {"cp314t"}
    expected = (ROOT / ".ci" / "wheels.txt").read_text(encoding="utf-8").split()
    assert expected == sorted(expected)
    systems = {each.partition("-")[2] for each in expected}
    assert set(expected) == {f"{python}-{system}" for python in pythons for system in systems}
    assert systems == {
        "macosx_arm64", "macosx_x86_64", "manylinux_aarch64", "manylinux_x86_64", "musllinux_aarch64", "musllinux_x86_64",
        "win_amd64",
    }  # fmt: skip


# -------------------------------------------------------------------------------------------------------------------- no network


def test_importing_and_using_it_opens_no_connection() -> None:
    code = """
import importlib, pkgutil, sys

def refuse(event, _):
    if event.startswith(("socket.", "urllib.", "http.")):
        raise SystemExit(event)

sys.addaudithook(refuse)
import tabula
for module in pkgutil.walk_packages(tabula.__path__, "tabula."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
assert tabula.perft(tabula.Position(), 2, threads=2) == 59085
"""
    subprocess.run([sys.executable, "-c", code], check=True)
