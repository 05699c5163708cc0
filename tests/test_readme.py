"""The README's commands are those that are checked."""

import importlib.util

from support.documents import ROOT, blocks, text_of

COMMANDS = ["python -m pip install . && python -m tabula perft", 'python -m pip install ".[test]" && python -m pytest']


def shell_commands() -> list[str]:
    spec = importlib.util.spec_from_file_location("readme_commands", ROOT / ".ci" / "readme_commands.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.commands(text_of("README.md"))


def test_the_readme_shows_the_library_at_work() -> None:
    assert blocks(text_of("README.md"), "pycon")
    assert blocks(text_of("README.md"), "console")


def test_two_commands_do_all_the_setting_up() -> None:
    assert shell_commands() == COMMANDS


def test_the_checks_run_the_commands_that_the_readme_spells() -> None:
    script = text_of(".ci/run")
    assert "python .ci/readme_commands.py README.md" in script
    for index in range(len(COMMANDS)):
        assert f'bash -c "${{commands[{index}]}}"' in script
    for command in COMMANDS:
        assert command not in script
