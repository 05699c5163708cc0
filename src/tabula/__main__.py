"""``python -m tabula``: the command line."""

import sys

from tabula.cli import main

if __name__ == "__main__":
    sys.exit(main())
