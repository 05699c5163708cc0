"""Prints the shell commands of README.md, one a line, so that whoever runs them runs what a newcomer reads."""

import re
import sys
from pathlib import Path


def commands(text: str) -> list[str]:
    """The lines of every block marked as `sh` in a Markdown text."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


if __name__ == "__main__":
    print("\n".join(commands(Path(sys.argv[1]).read_text(encoding="utf-8"))))
