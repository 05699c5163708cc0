"""The colours of a drawn board: the colour keys, the themes, and the check of a caller's own colours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tabula.errors import short_repr

__all__ = ["DARK", "LIGHT", "PRINT", "THEMES", "checked", "resolve"]

LIGHT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "frame": "#e7dac2",
        "board": "#fbf6ea",
        "bar": "#d9c8a8",
        "point": "#e3cfa6",
        "point alternate": "#c59d6a",
        "label": "#4a3a26",
        "white": "#fffdf8",
        "white edge": "#4a3a26",
        "white mark": "#2b2118",
        "black": "#43352f",
        "black edge": "#1c1512",
        "black mark": "#f3e7d2",
        "arrow": "#1769aa",
        "arrow edge": "#ffffff",
        "hit": "#b71c1c",
        "hit mark": "#ffffff",
        "full": "#8e2b5c",
    }
)
"""Dark ink on a light board: every colour key with its colour. A ``mark`` is drawn on a checker, a die or a badge."""

DARK: Final[Mapping[str, str]] = MappingProxyType(
    {
        "frame": "#211d1a",
        "board": "#3d3731",
        "bar": "#2f2a26",
        "point": "#564b40",
        "point alternate": "#776149",
        "label": "#e0d4c1",
        "white": "#efe6d6",
        "white edge": "#0f0d0b",
        "white mark": "#2b2118",
        "black": "#0c0a09",
        "black edge": "#e0d0b6",
        "black mark": "#e6d9c4",
        "arrow": "#64b5f6",
        "arrow edge": "#10202e",
        "hit": "#ff7062",
        "hit mark": "#1a0c0a",
        "full": "#f9a8c4",
    }
)
"""Light ink on a dark board, with the keys of `LIGHT`."""

PRINT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "frame": "#ffffff",
        "board": "#ffffff",
        "bar": "#eeeeee",
        "point": "#e4e4e4",
        "point alternate": "#bdbdbd",
        "label": "#000000",
        "white": "#ffffff",
        "white edge": "#000000",
        "white mark": "#000000",
        "black": "#000000",
        "black edge": "#000000",
        "black mark": "#ffffff",
        "arrow": "#404040",
        "arrow edge": "#ffffff",
        "hit": "#000000",
        "hit mark": "#ffffff",
        "full": "#000000",
    }
)
"""Black ink and grey points on white paper, with the keys of `LIGHT`."""

THEMES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({"light": LIGHT, "dark": DARK, "print": PRINT})
"""The themes by their names for ``colours``."""

_CHOICES: Final = f"{', '.join(map(repr, THEMES))} or a mapping of colours"

_COLOUR: Final = re.compile(
    r"#(?:[0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,30}|(?:rgb|hsl)a?\([0-9.,%/ +-]{1,60}\)",
    re.ASCII | re.IGNORECASE,
)


def resolve(colours: str | Mapping[str, str]) -> Mapping[str, str]:
    """Every colour key with its colour, from the name of a theme or from colours that replace some of `LIGHT`.

    Raises ValueError for an unknown theme or key or a value that is not a colour, and TypeError for any other type.

    >>> resolve("dark")["frame"], resolve({"frame": "navy"})["frame"]
    ('#211d1a', 'navy')
    """
    if isinstance(colours, str):
        if colours not in THEMES:
            raise ValueError(f"colours must be {_CHOICES}, not {short_repr(colours)}")
        return THEMES[colours]
    if not isinstance(colours, Mapping):
        raise TypeError(f"colours must be {_CHOICES}, not {short_repr(colours)}")
    for key, colour in colours.items():
        if key not in LIGHT:
            raise ValueError(f"colours has no key {short_repr(key)}; its keys are {', '.join(map(repr, LIGHT))}")
        checked(f"colours[{short_repr(key)}]", colour)
    return {**LIGHT, **colours}


def checked(name: str, colour: str) -> str:
    """The colour, which the argument `name` has; ValueError or TypeError if it is none.

    >>> checked("fill[6]", "gold")
    'gold'
    """
    if not isinstance(colour, str):
        raise TypeError(f"{name} must be a str, not {short_repr(colour)}")
    if not _COLOUR.fullmatch(colour):
        raise ValueError(f"{name} must be a CSS colour like '#1769aa' or 'navy', not {short_repr(colour)}")
    return colour
