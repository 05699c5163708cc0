"""A few rounds of every target of the fuzzer, always the same ones; `python -m fuzz` goes on from there."""

import random
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from fuzz.__main__ import TARGETS  # noqa: E402

ROUNDS = {"fast": 30, "reference": 4, "structs": 2, "arrays": 150, "texts": 150, "pickles": 60, "rules": 300}


@pytest.mark.parametrize("name", TARGETS)
def test_some_rounds_find_nothing(name: str) -> None:
    if name == "structs" and shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]) is None:
        pytest.skip("there is no C compiler")
    module, function, _ = TARGETS[name]
    attempt = getattr(import_module(module), function)
    assert sum(attempt(random.Random(f"1 {number}")) for number in range(ROUNDS[name])) >= ROUNDS[name]


def test_a_find_is_told_with_the_command_that_finds_it_again() -> None:
    code = (
        "import sys, fuzz.inputs, fuzz.__main__ as command\n"
        "def broken(source):\n    assert source.random() < 0.9\n    return 1\n"
        "fuzz.inputs.rules = broken\n"
        "sys.argv = ['fuzz', 'rules', '--seed', '5', '--rounds', '1000']\n"
        "sys.exit(command.main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    number = int(last.split()[-3])
    assert last == f"found: python -m fuzz rules --seed 5 --first {number} --rounds 1"
    assert random.Random(f"5 {number}").random() >= 0.9
    assert all(random.Random(f"5 {earlier}").random() < 0.9 for earlier in range(number))


def test_rules_that_were_made_past_the_class_are_looked_at_before_native_code_believes_them() -> None:
    """A pickle can fill in fields without calling the class: a setup of a thousand counts was written past an array's end."""
    import pickle

    from tabula import Position, Rules

    made = Rules.__new__(Rules)
    made.__dict__["setup"] = (1,) * 1000
    with pytest.raises(ValueError, match=r"^setup must have 26 counts, not 1000$"):
        Position(made)

    class Stated:
        def __reduce__(self) -> tuple[object, ...]:
            return object.__new__, (Rules,), {"dice": 9}

    with pytest.raises(TypeError, match=r"^rules never change"):
        pickle.loads(pickle.dumps(Stated()))


@pytest.mark.parametrize("options", ["--seconds=0", "--seconds=nan", "--seconds=-1", "--rounds=0", "--rounds=-4"])
def test_a_run_that_would_try_nothing_is_refused(options: str) -> None:
    done = subprocess.run([sys.executable, "-m", "fuzz", "rules", options], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert re.search(r"--(seconds|rounds) must be ", done.stderr)


@pytest.mark.skipif(sys.platform == "win32", reason="bash is meant")
@pytest.mark.parametrize("words", [("--short", "checked"), ("coverage", "--short"), ("everything",)])
def test_parts_of_the_long_checks_that_do_not_go_together_are_refused(words: tuple[str, ...]) -> None:
    done = subprocess.run(["bash", ROOT / ".ci" / "full", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
