"""The games of the family that have a name: their rules, and what is known of them.

The data stands in ``data/games.toml``, which is read when a game is first asked for.

>>> from tabula import games
>>> games.get("hypergammon").checkers, games.get("Todas tablas").name
(3, 'irish')
"""

from __future__ import annotations

import dataclasses
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from tabula.errors import quoted, short_repr
from tabula.rules import PRESETS, TRACK, Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["GameEntry", "PerftValue", "entry", "find", "get", "names", "with_rules"]

_SETUPS: Final = ("setup", "setup_other")
_LINK: Final = str.maketrans({"-": "_", " ": "_", "'": None})


@dataclasses.dataclass(frozen=True)
class PerftValue:
    """A perft value that the package publishes, and how it was found.

    >>> from tabula import games
    >>> games.entry("tabula").perft[1].leaves
    222
    """

    leaves: int
    """How many leaves there are."""

    source: str
    """How the number was found."""


@dataclasses.dataclass(frozen=True)
class GameEntry:
    """What is known of a game.

    >>> from tabula import games
    >>> irish = games.entry("irish")
    >>> irish.other_names, irish.rules.doubles
    (('todas tablas',), 'once')
    """

    name: str
    """Its name, which is also the name of its rules."""

    rules: Rules
    """Its rules."""

    about: str
    """What it is, in a sentence."""

    other_names: tuple[str, ...]
    """What else it is called."""

    readings: tuple[str, ...]
    """The choices made where the sources are silent or differ."""

    sources: tuple[str, ...]
    """Where it is described."""

    sure: str
    """How sure its rules are."""

    perft: Mapping[int, PerftValue]
    """Leaves of perft from its start by depth, from 1 on."""


def names() -> tuple[str, ...]:
    """The names of all games.

    >>> from tabula import games
    >>> games.names()[:4]
    ('tabula', 'historic', 'backgammon', 'nackgammon')
    """
    return tuple(_games())


def get(name: str) -> Rules:
    """The rules of a game, by its name or another name; capitals, spaces, hyphens and underscores do not matter.

    ValueError for an unknown name, with the names that are nearest to it.

    >>> from tabula import games
    >>> games.get("Pareja de entrada").dice
    3
    >>> games.get("hypergamon")
    Traceback (most recent call last):
    ...
    ValueError: no game is called 'hypergamon', the nearest is hypergammon
    """
    return entry(name).rules


def entry(name: str) -> GameEntry:
    """What is known of a game; names and errors are those of `get`.

    >>> from tabula import games
    >>> games.entry("hypergammon").sure
    'settled; solved exactly'
    """
    found = find(name)
    if found is None:
        raise ValueError(f"no game is called {quoted(name)}, {_nearest(name)}")
    return found


def find(name: str) -> GameEntry | None:
    """What is known of the game with this name, or None if there is none; TypeError for what is no str.

    >>> from tabula import games
    >>> games.find("chess") is None
    True
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a game must be a str, not {short_repr(name)}")
    return _games_by_key().get(_key(name))


def with_rules(rules: Rules) -> GameEntry | None:
    """What is known of the game with these rules, whatever their name, or None if no game has them.

    >>> import dataclasses
    >>> from tabula import BACKGAMMON, games
    >>> games.with_rules(dataclasses.replace(BACKGAMMON, name="mine")).name
    'backgammon'
    """
    return next((game for game in _games().values() if game.rules == rules), None)


def _key(name: str) -> str:
    """A name as it is looked up."""
    return name.strip().casefold().translate(_LINK)


def _nearest(name: str) -> str:
    """The names that somebody may have meant, as the end of a sentence."""
    from difflib import get_close_matches

    keys = get_close_matches(_key(name[:100]), list(_games_by_key()), n=3)
    nearest = dict.fromkeys(_games_by_key()[key].name for key in keys)
    if not nearest:
        return f"the games are {', '.join(names())}"
    return f"the nearest {'is' if len(nearest) == 1 else 'are'} {', '.join(nearest)}"


@cache
def _games() -> Mapping[str, GameEntry]:
    import tomllib
    from importlib import resources

    data = tomllib.loads(resources.files("tabula").joinpath("data", "games.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: _game(name, fields) for name, fields in data.items()})


@cache
def _games_by_key() -> Mapping[str, GameEntry]:
    return {_key(name): game for game in _games().values() for name in (game.name, *game.other_names)}


def _game(name: str, data: dict[str, Any]) -> GameEntry:
    perft = {depth: PerftValue(value["leaves"], value["found"]) for depth, value in enumerate(data["perft"], 1)}
    return GameEntry(
        name=name,
        rules=_rules(name, data),
        about=data["about"],
        other_names=tuple(data.get("other_names", ())),
        readings=tuple(data.get("readings", ())),
        sources=tuple(data["sources"]),
        sure=data["sure"],
        perft=MappingProxyType(perft),
    )


def _rules(name: str, data: dict[str, Any]) -> Rules:
    """The preset of this name, or the preset that the game is based on with the fields in which it differs."""
    if "based_on" not in data:
        return PRESETS[name]
    fields = PRESETS[data["based_on"]].to_dict() | data["fields"] | {"name": name}
    for setup in _SETUPS:
        if setup in data["fields"]:
            fields[setup] = [data["fields"][setup].get(str(index), 0) for index in range(TRACK)]
    return Rules.from_dict(fields)
