"""Valgrind's memcheck on the C example: whole games by the C interface, and what memcheck says of it or of the package.

    python .ci/memcheck.py FOLDER [GAMES]

FOLDER is a copy of examples/c_bot that was built in place. What memcheck says of the interpreter alone is passed over.
"""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from tabula.rules import PRESETS

OURS = re.compile(r"/tabula/(_native/)?\w+\.[^/]*so$|/c_bot\.[^/]*so$")
"""The files whose code is judged."""

NEAR = 3
"""An error is theirs whose first frames, so many, are in none of these files."""


def ours(error: ElementTree.Element) -> bool:
    """Whether an error happened in the package or the example, or in what they called."""
    frames = [frame.findtext("obj") or "" for frame in error.iter("frame")]
    return any(OURS.search(name) for name in frames[:NEAR])


def main(folder: Path, games: str) -> int:
    """Plays the games of each preset, and returns 1 if there is an error."""
    found = 0
    for game in PRESETS:
        with tempfile.TemporaryDirectory() as scratch:
            told = Path(scratch) / "memcheck.xml"
            command = ["valgrind", "--tool=memcheck", "--leak-check=full", "--show-leak-kinds=definite", "--xml=yes"]
            command += [f"--xml-file={told}", sys.executable, "play.py", game, games, "7"]
            environment = {**os.environ, "PYTHONMALLOC": "malloc"}
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                print(done.stdout + done.stderr)
                return 1
            errors = list(ElementTree.parse(told).getroot().iter("error"))
        mine = [error for error in errors if ours(error)]
        print(f"{game}: {games} games, {len(mine)} errors in the package or the example ({len(errors)} in all)")
        for error in mine:
            print(error.findtext("kind"), error.findtext("what") or error.findtext("xwhat/text"))
            print("".join(f"    {frame.findtext('fn')} ({frame.findtext('obj')})\n" for frame in error.iter("frame")), end="")
        found += len(mine)
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "20"))
