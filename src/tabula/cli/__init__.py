"""The command line: ``python -m tabula COMMAND``, or ``tabula COMMAND`` where the package is installed.

A command is a file that is named for it, with `add_arguments` and `run`, and one entry of `COMMANDS` in `program`.

Exit codes: 0 done, 1 a perft value is not the published one or a replay met a problem, 2 the input was refused or something needed
is missing (one sentence on stderr says what), 130 interrupted.
"""

from tabula.cli.program import COMMANDS, Command, main

__all__ = ["COMMANDS", "Command", "main"]
