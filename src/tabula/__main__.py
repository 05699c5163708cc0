"""``python -m tabula``: the command line."""

import sys


def _run() -> int:
    try:
        from tabula.cli import main

        return main()
    except KeyboardInterrupt:  # before or after `main`, which has an answer of its own
        print("\ntabula: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(_run())
