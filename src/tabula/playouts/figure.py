"""The picture of many games, drawn by matplotlib: how long they are, and how many plays their turns have."""

from __future__ import annotations

import importlib
import io
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from tabula.errors import short_repr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from tabula.playouts.records import Playouts

__all__ = ["drawing", "picture", "plot"]


def plot(played: Playouts, file: str | PathLike[str] | None = None, *, axes: Sequence[Any] | None = None) -> None:
    """Draws how long games are and how many plays their turns have, by ply: into a file, or onto two axes of a figure of your own.

    The picture ends with the ply that one game in a thousand goes beyond, and the mean number of plays with the ply that one in a
    hundred does: after it, it is the mean of few games.

    Matplotlib is needed: ``pip install "tabula-movegen[plot]"``.

    Parameters
    ----------
    played
        The games.
    file
        The file to write; its ending says which kind of picture.
    axes
        The axes for the lengths and those for the plays. Their title is the name of the rules, so that variants can be compared in
        one figure. Nothing is saved.

    Raises
    ------
    ImportError
        Without matplotlib.
    ValueError
        For an ending that it does not know, for other than two axes, and unless one of `file` and `axes` is given.
    OSError
        For a file that cannot be written.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from tabula import BACKGAMMON, Position
    >>> from tabula.playouts import playouts, plot
    >>> plot(playouts(Position(), 100, rng=np.random.default_rng(1)), "games.svg")
    >>> figure = Figure(figsize=(10, 6))
    >>> columns = figure.subplots(2, 2, sharex=True).T
    >>> for start, axes in zip((Position(), Position(BACKGAMMON)), columns, strict=True):
    ...     plot(playouts(start, 100, rng=np.random.default_rng(1)), axes=axes)
    >>> [column[0].get_title() for column in columns]
    ['tabula', 'backgammon']
    """
    if (file is None) == (axes is None):
        raise ValueError("plot draws into a file or onto axes, one of the two")
    if axes is not None:
        if len(axes) != 2:
            raise ValueError(f"axes must be two, one for the lengths and one for the plays, not {len(axes)}")
        _draw(played, *axes, title=played.position.rules.name or "tables")
        return
    assert file is not None
    figure = drawing(file)
    _draw_figure(played, figure)
    figure.savefig(file)


def picture(played: Playouts) -> str | None:
    """The picture as SVG, or None where matplotlib is missing."""
    try:
        figure = drawing("games.svg")
    except ImportError:
        return None
    _draw_figure(played, figure)
    written = io.StringIO()
    figure.savefig(written, format="svg")
    return written.getvalue()


def _draw_figure(played: Playouts, figure: Any) -> None:
    games = "1 game" if len(played) == 1 else f"{len(played):,} games"
    title = f"{games} of {played.position.rules.name} from {played.position.to_text()}"
    _draw(played, *figure.subplots(2, 1, sharex=True), title=title)


def _draw(played: Playouts, length: Any, branching: Any, *, title: str) -> None:
    plies = played.games["plies"]
    last = max(int(np.quantile(plies, 0.999, method="inverted_cdf")), 1)
    width = max(1, last // 100)
    length.hist(plies, bins=np.arange(0, last + width + 1, width), color="tab:blue")
    length.axvline(float(plies.mean()), color="black", linewidth=1, label=f"mean {plies.mean():.1f}")
    length.set_ylabel("games" if width == 1 else f"games, {width} plies a bar")
    length.set_title(title, fontsize=10)
    length.legend()
    turns = played.turns_by_ply
    turns = turns[: np.count_nonzero(100 * turns >= len(played))]
    plays = played.plays_by_ply[: len(turns)] / turns
    branching.plot(np.arange(1, len(plays) + 1), plays, color="tab:orange", linewidth=1)
    branching.set_xlabel("ply")
    branching.set_ylabel("distinct plays a turn, mean")
    branching.set_ylim(bottom=0)
    for axes in (length, branching):
        axes.grid(alpha=0.3)
        axes.set_xlim(0, last)


def drawing(file: str | PathLike[str]) -> Any:
    """An empty matplotlib figure that needs no screen, once it is clear that it can be saved under such a name.

    Raises ImportError where matplotlib is missing, with a sentence that says how to install it, and ValueError for a name with no
    ending or one that matplotlib does not know.

    >>> from tabula.playouts import drawing
    >>> drawing("games.svg").axes
    []
    """
    try:
        figure: Any = importlib.import_module("matplotlib.figure").Figure(figsize=(8, 7), dpi=120, layout="constrained")
    except ImportError as error:
        raise ImportError('plots need matplotlib, which is not installed: pip install "tabula-movegen[plot]"') from error
    known = sorted(figure.canvas.get_supported_filetypes())
    ending = PurePath(file).suffix.removeprefix(".").lower()
    if ending not in known:
        raise ValueError(f"the picture's name must end with one of .{', .'.join(known)}, not {short_repr(PurePath(file).name)}")
    return figure
