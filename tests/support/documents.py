"""The project's pages: their fenced blocks, and running those that are Python, one after another as a reader would.

Run this file to draw the pages' pictures anew, which are what their code writes; then look at them.
"""

import contextlib
import doctest
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"

PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md")),
]
"""Every page that people read, by its path."""

_FENCE = re.compile(r"^(`{3,}|~{3,})([^\n`]*)\n(.*?)^\1[ ]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """What stands between two fences: the language named behind the first, the text, and the line that the text starts on."""

    language: str
    text: str
    line: int


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def pictures(page: str) -> set[str]:
    """The names of the pictures that a page shows out of docs/images."""
    return set(re.findall(r"!\[[^]]+\]\([^)]*\bimages/([\w-]+\.svg)\)", text_of(page)))


def drawn(page: str) -> set[str]:
    """The names of the pictures that a page's code writes."""
    code = "".join(block.text for block in blocks(text_of(page), "python", "pycon"))
    return set(re.findall(r'"([\w-]+\.svg)"', code))


def blocks(text: str, *languages: str) -> list[Block]:
    """The fenced blocks of a Markdown text, in order; those of these languages only, if any are named."""
    found = [Block(fence[2].strip(), fence[3], text.count("\n", 0, fence.start(3)) + 1) for fence in _FENCE.finditer(text)]
    return [block for block in found if not languages or block.language in languages]


def commands(page: str, program: str) -> str:
    """The shell commands of a page that write a program into a file of this name, and run it."""
    (found,) = [block.text for block in blocks(text_of(page), "sh") if f"cat > {program} <<" in block.text]
    return found


def run(name: str, text: str) -> int:
    """Runs the Python of a page, block after block in one namespace, and returns how many blocks there were.

    A ``python`` block is a program, and fails if it raises. A ``pycon`` block is a session, and what it says is compared;
    AssertionError with what was said if it differs.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    parser = doctest.DocTestParser()
    ran = blocks(text, "python", "pycon")
    for block in ran:
        if block.language == "python":
            exec(compile("\n" * (block.line - 1) + block.text, name, "exec"), names)
            continue
        session = parser.get_doctest(block.text, {}, name, name, block.line - 1)
        session.globs = names
        said: list[str] = []
        assert session.examples, f"{name}:{block.line}: a session with nothing in it"
        assert runner.run(session, out=said.append, clear_globs=False).failed == 0, "".join(said)
    return len(ran)


if __name__ == "__main__":
    for page in filter(drawn, PAGES):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            run(page, text_of(page))
            for name in sorted(drawn(page)):
                (IMAGES / name).write_bytes(Path(name).read_bytes())
                print(f"docs/images/{name}")
