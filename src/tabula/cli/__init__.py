"""The command line: ``python -m tabula COMMAND``, or ``tabula COMMAND`` where the package is installed.

A command is one entry of `COMMANDS`: what it is for, an example, the arguments it takes and the function that runs it. Exit codes:
0 done, 1 a perft value is not the published one or a replay met a problem, 2 the input was refused or what is needed is not there
(one sentence on stderr says why), 130 interrupted.
"""

from tabula.cli.program import COMMANDS, Command, main

__all__ = ["COMMANDS", "Command", "main"]
