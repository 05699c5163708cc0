"""What the documents show is what happens: every Python block runs, and the README's commands are those that are checked."""

import contextlib
import doctest
import importlib.util
import io
import re
import shlex
from pathlib import Path

import pytest

from tabula import cli

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *sorted(f"docs/{path.name}" for path in ROOT.glob("docs/*.md"))]
COMMANDS = ["python -m pip install . && python -m tabula perft", 'python -m pip install ".[test]" && python -m pytest']


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def blocks(document: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(document), flags=re.MULTILINE | re.DOTALL)


def shell_commands() -> list[str]:
    spec = importlib.util.spec_from_file_location("readme_commands", ROOT / ".ci" / "readme_commands.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.commands(text_of("README.md"))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_python_block_runs(document):
    shown = "".join(blocks(document, "pycon"))
    test = doctest.DocTestParser().get_doctest(shown, {}, document, document, 0)
    said = io.StringIO()
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.write)
    assert results.failed == 0, said.getvalue()
    assert results.attempted > 0 or not shown


def test_the_readme_shows_the_library_at_work():
    assert len(blocks("README.md", "pycon")) == 1


def test_every_console_block_of_the_readme_says_what_is_printed():
    for block in blocks("README.md", "console"):
        command, *expected = block.splitlines()
        prompt, python, flag, module, *argv = shlex.split(command)
        assert [prompt, python, flag, module] == ["$", "python", "-m", "tabula"]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            assert cli.main(argv) == 0
        assert printed.getvalue().splitlines() == expected


def test_two_commands_do_all_the_setting_up():
    assert shell_commands() == COMMANDS


def test_the_checks_run_the_commands_that_the_readme_spells():
    script = text_of(".ci/run")
    assert "python .ci/readme_commands.py README.md" in script
    for index in range(len(COMMANDS)):
        assert f'bash -c "${{commands[{index}]}}"' in script
    for command in COMMANDS:
        assert command not in script


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_within_the_repository_leads_somewhere(document):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text_of(document)):
        if "://" not in target:
            assert ((ROOT / document).parent / target).exists(), target
