"""Shell completion: a script that shtab makes from the parser, once, so that completing a word does not start Python."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from tabula import games
from tabula.bots import BOTS
from tabula.cli.arguments import STYLES, RefusedError, one_of
from tabula.cli.game import PEOPLE
from tabula.notation import written_formats

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

__all__ = ["script"]

_CHOICES: Final[dict[str, Iterable[str]]] = {
    "bot": BOTS,
    "game": games.names(),
    "side": PEOPLE,
    "style": STYLES,
    "to": written_formats(),
}
"""The values that an argument is completed with, by its name; one whose metavar is FILE or OUT is completed with file names."""


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script with which `shell` completes the arguments of `parser`; RefusedError for an unknown shell or a missing shtab."""
    try:
        shtab: Any = importlib.import_module("shtab")
    except ImportError as error:
        raise RefusedError('completion needs shtab, which is not installed: pip install "tabula-movegen[completion]"') from error
    one_of("the shell", shell, shtab.SUPPORTED_SHELLS)
    for action in _actions(parser):
        if action.dest == "print_completion":
            action.choices = tuple(shtab.SUPPORTED_SHELLS)
        elif action.dest in _CHOICES:
            action.choices = tuple(_CHOICES[action.dest])
        elif action.metavar in ("FILE", "OUT"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    text: str = shtab.complete(parser, shell=shell)
    return text


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of every command."""
    for action in parser._actions:
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                yield from command._actions
        yield action
