"""Shell completion: a script made by shtab from the parser, once, so that no completion starts Python."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from tabula.bots import BOTS
from tabula.cli.common import STYLES, RefusedError, one_of
from tabula.cli.games import PEOPLE
from tabula.notation import FORMATS
from tabula.rules import PRESETS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

__all__ = ["script"]

_OFFERED: Final[dict[str, Iterable[str]]] = {"bot": BOTS, "game": PRESETS, "side": PEOPLE, "style": STYLES, "to": FORMATS}
"""What arguments are completed with, by their names."""

_FILES: Final = ("svg", "plot", "save", "checkpoint", "files")
"""The arguments that name files."""


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """What makes `shell` complete the arguments of `parser`; RefusedError for another shell, or where shtab is missing."""
    try:
        shtab: Any = importlib.import_module("shtab")
    except ImportError as error:
        raise RefusedError('completion needs shtab, which is not installed: pip install "tabula-movegen[completion]"') from error
    one_of("the shell", shell, shtab.SUPPORTED_SHELLS)
    for action in _actions(parser):
        if action.dest == "print_completion":
            action.choices = tuple(shtab.SUPPORTED_SHELLS)
        elif action.dest in _OFFERED:
            action.choices = tuple(_OFFERED[action.dest])
        elif action.dest in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    told: str = shtab.complete(parser, shell=shell)
    return told


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of every command."""
    for action in parser._actions:
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                yield from command._actions
        yield action
