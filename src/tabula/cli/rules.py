"""The command `rules`: the games that have a name, and the rules of one of them."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING, Any

from tabula import games
from tabula.cli.arguments import RefusedError, add_json, add_rules_file, game_named, rules_of_file
from tabula.cli.output import DONE, print_json, print_line

if TYPE_CHECKING:
    import argparse

    from tabula.games import GameEntry

__all__ = ["add_arguments", "run"]

_WIDEST = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `rules`."""
    parser.add_argument("game", metavar="NAME", nargs="?", help="a game; if left out, all games are listed")
    add_rules_file(parser, "explain the rules of this file instead: the JSON of Rules.to_dict()")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Lists the games, or explains one."""
    if args.rules is not None:
        if args.game is not None:
            raise RefusedError("the rules are given once: by the name of a game or by --rules")
        rules = rules_of_file(args.rules)
        if args.json:
            print_json(rules.to_dict())
        else:
            _print_paragraph(rules.describe())
    elif args.game is None:
        _list(args)
    else:
        game = game_named(args.game)
        if args.json:
            print_json(_fields(game))
        else:
            _explain(game)
    return DONE


def _list(args: argparse.Namespace) -> None:
    known = [games.entry(name) for name in games.names()]
    if args.json:
        print_json([_fields(game) for game in known])
        return
    width = max(len(game.name) for game in known)
    for game in known:
        _print_paragraph(f"{game.name:<{width}}  {game.about}", indent=" " * (width + 2))


def _explain(game: GameEntry) -> None:
    names = f" (also {', '.join(game.other_names)})" if game.other_names else ""
    print_line(f"{game.name}{names}")
    print_line()
    _print_paragraph(game.about)
    print_line()
    _print_paragraph(game.rules.describe())
    for title, lines in (("Readings chosen", game.readings), ("Sources", game.sources), ("How sure", (game.sure,))):
        if lines:
            print_line()
            print_line(f"{title}:")
            for line in lines:
                _print_paragraph(f"- {line}", indent="  ")
    print_line()
    _print_paragraph("perft: " + ", ".join(f"{value.leaves:,}" for value in game.perft.values()))


def _print_paragraph(text: str, *, indent: str = "") -> None:
    for line in textwrap.wrap(
        text, min(shutil.get_terminal_size().columns, _WIDEST), subsequent_indent=indent, break_on_hyphens=False
    ):
        print_line(line)


def _fields(game: GameEntry) -> dict[str, Any]:
    """What is known of a game in plain values that JSON can hold."""
    return {
        "name": game.name,
        "other_names": game.other_names,
        "about": game.about,
        "rules": game.rules.to_dict(),
        "readings": game.readings,
        "sources": game.sources,
        "sure": game.sure,
        "perft": {str(depth): {"leaves": value.leaves, "found": value.source} for depth, value in game.perft.items()},
    }
