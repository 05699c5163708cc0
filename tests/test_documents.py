"""What the pages show is what happens: their Python runs, their commands print what is shown, their pictures are what is drawn."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
from support.documents import IMAGES, PAGES, ROOT, blocks, drawn, pictures, run, text_of

from tabula import cli

OTHER_NAMES = {"", "py", "python3", "py3", "ipython", "pycon3", "{code-block} python", "{code} python", "{doctest}"}
"""What a block is not to be called: nothing at all, or Python under a name by which it would not be run."""


@pytest.mark.parametrize("page", PAGES)
def test_every_python_block_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(page, text_of(page))
    made = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.svg")}
    assert made == {name: (IMAGES / name).read_text(encoding="utf-8") for name in drawn(page)}


@pytest.mark.parametrize("page", PAGES)
def test_every_fence_is_seen_and_named(page: str) -> None:
    text = text_of(page)
    found = blocks(text)
    assert not [block for block in found if block.language in OTHER_NAMES]
    assert len(re.findall(r"^\s*(?:`{3,}|~{3,})", text, flags=re.MULTILINE)) == 2 * len(found)


@pytest.mark.parametrize("page", PAGES)
def test_every_session_stands_in_a_block_that_is_run(page: str) -> None:
    text = text_of(page)
    shown = len(re.findall(r"^\s*>>> ", text, flags=re.MULTILINE))
    assert shown == sum(len(re.findall(r"^>>> ", block.text, flags=re.MULTILINE)) for block in blocks(text, "pycon"))


@pytest.mark.parametrize("page", PAGES)
def test_every_command_prints_what_is_shown(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks(text_of(page), "console"):
        for command in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            line, _, expected = command.partition("\n")
            assert line.startswith("python -m tabula "), line
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                assert cli.main(shlex.split(line)[3:]) == 0
            assert printed.getvalue().rstrip("\n") == expected.rstrip("\n")


@pytest.mark.parametrize("page", PAGES)
def test_every_link_within_the_repository_leads_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text_of(page)):
        if "://" not in target:
            assert ((ROOT / page).parent / target).exists(), target


def test_every_test_file_that_the_checks_name_is_there() -> None:
    """pytest with several processes says no more than "no tests ran" of a file that was renamed."""
    for script in [*(ROOT / ".ci").iterdir(), *(ROOT / ".github/workflows").iterdir()]:
        for name in re.findall(r"\btests/[\w/]+\.py\b", script.read_text(encoding="utf-8") if script.is_file() else ""):
            assert (ROOT / name).is_file(), f"{script.name} names {name}"


def test_every_picture_is_drawn_by_one_page_and_shown_there() -> None:
    kept = {path.name for path in IMAGES.iterdir()}
    assert kept == set().union(*map(pictures, PAGES))
    assert sorted(kept) == sorted(name for page in PAGES for name in drawn(page) & pictures(page))


def test_the_readme_shows_a_board() -> None:
    assert pictures("README.md") == {"zeno.svg"}


SESSION = "```pycon\n>>> n\n{}\n```\n"


def test_blocks_of_a_page_share_their_names() -> None:
    assert run("page", "Words.\n\n```python\nn = 2\n```\n\n```text\nn = 3\n```\n\n" + SESSION.format(2)) == 2


def test_a_session_that_says_otherwise_fails() -> None:
    with pytest.raises(AssertionError, match=r'File "page", line 6(?s:.)*Expected:\s+3\s+Got:\s+2'):
        run("page", "```python\nn = 2\n```\n\n" + SESSION.format(3))


def test_a_program_that_raises_fails_at_its_line() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        run("page", "Words.\n\n```python\n\n1 / 0\n```\n")
    assert (caught.traceback[-1].path, caught.traceback[-1].lineno) == ("page", 4)
