"""The examples run as their first lines say, and show what they claim."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from tabula.playouts import wilson

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name: str, *arguments: Path) -> str:
    """What an example prints."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout


def test_zeno_proves_the_throw_forced_and_draws_it(tmp_path: Path) -> None:
    told = run("zeno.py", tmp_path / "zeno")
    assert "His only play: 10/16 19/24 20/22. It leaves 8 blots." in told
    rows = re.findall(r"^(\d-\d-\d) +(\d+) +(\d+)(  forced)?$", told, re.MULTILINE)
    assert len(rows) == 56
    assert [roll for roll, _, _, forced in rows if forced] == ["2-2-2", "5-5-2", "5-5-5", "6-5-2", "6-5-5", "6-6-6"]
    assert ("6-5-2", "1", "8", "  forced") in rows
    for name in ("before.svg", "after.svg"):
        ElementTree.parse(tmp_path / "zeno" / name)


def test_the_opening_book_has_every_play_of_every_first_roll(tmp_path: Path) -> None:
    told = run("opening_book.py", tmp_path / "book.html")
    assert "222 plays of 56 rolls" in told
    page = (tmp_path / "book.html").read_text(encoding="utf-8")
    assert page.count("<svg ") == page.count("</figure>") == 222
    assert page.count("<h2>") == 56


def test_the_bot_wins_far_more_than_half_of_its_games() -> None:
    won, games = map(int, re.search(r"won (\d+) of (\d+) games", run("bot.py")).groups())
    low, _ = wilson(won, games, 0.999)
    assert games >= 400
    assert low > 0.8


def test_the_bot_is_some_thirty_lines_long() -> None:
    text = (EXAMPLES / "bot.py").read_text(encoding="utf-8")
    program = text.partition('"""\n')[2]
    assert 20 <= len([line for line in program.splitlines() if line.strip()]) <= 32


def test_examples_print_without_being_asked_to_draw() -> None:
    assert "Drawn" not in run("zeno.py") + run("opening_book.py")
