"""The records of games that have been played, and what they say together."""

from __future__ import annotations

import dataclasses
import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabula.errors import short_repr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabula._native.position import Position

__all__ = ["Playouts", "Summary", "wilson"]

_QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Playouts:
    """Games that have been played, as `playouts` returns them. ``len`` is how many.

    Attributes
    ----------
    position
        Where all games started.
    seed
        What was drawn from the generator.
    max_plies
        After how many plies a game was given up.
    games
        A read-only structured array, a record a game, in the order of their numbers. "The first player" is the side that the
        position has on roll.

        ================  ===========  ==============================================================================
        ``seed``          uint64       the key of the game's stream: what `replay` takes
        ``winner``        int16        0 the first player, 1 the other, -1 nobody within `max_plies`
        ``points``        int16        what the winner won, 1..3; 0 if nobody did
        ``plies``         int32        turns played, passes among them
        ``plays``         int64        distinct plays (afterstates) to choose from, those of all turns together
        ``most_plays``    int32        the most of them in one turn
        ``forced``        int32        turns with exactly one, passes among them
        ``hits``          int32, (2,)  checkers hit by the first player, and by the other
        ``passes``        int32, (2,)  turns with nothing playable, of the first player, and of the other
        ``wasted``        int32        pips of the dice that were not playable, those left when the last checker is off
                                       among them; all pips of a die that bears off count as played
        ``lead_changes``  int32        how often a side came to have fewer pips to go than the other, which had had fewer
                                       before; a tie changes nothing
        ================  ===========  ==============================================================================
    plays_by_ply
        A read-only int64 array: for each ply the distinct plays of all games that got there, together.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import Position
    >>> from tabula.playouts import playouts
    >>> played = playouts(Position(), 100, rng=np.random.default_rng(1))
    >>> played.games.dtype.names[:4], played.games["hits"].shape
    (('seed', 'winner', 'points', 'plies'), (100, 2))
    >>> int(played.plays_by_ply.sum()) == int(played.games["plays"].sum())
    True
    """

    position: Position
    seed: int
    max_plies: int
    games: NDArray[np.void]
    plays_by_ply: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.games)

    def __repr__(self) -> str:
        return f"<Playouts of {self.position.rules.name}: {len(self)} games from {self.position.to_text()}>"

    def _repr_svg_(self) -> str | None:
        """What a notebook displays: the picture that `plot` draws; None where matplotlib is missing."""
        from tabula.playouts.figure import picture

        return picture(self)

    @property
    def turns_by_ply(self) -> NDArray[np.int64]:
        """A new int64 array: for each ply how many games got there.

        >>> import numpy as np
        >>> from tabula import Position
        >>> from tabula.playouts import playouts
        >>> playouts(Position(), 20, rng=np.random.default_rng(1)).turns_by_ply[:3]
        array([20, 20, 20])
        """
        ended = np.bincount(self.games["plies"], minlength=len(self.plays_by_ply) + 1)
        return (len(self) - np.cumsum(ended))[: len(self.plays_by_ply)].astype(np.int64)

    def summary(self, confidence: float = 0.95) -> Summary:
        """What the games say together; `confidence`, between 0 and 1, is that of the interval for the first player's wins.

        >>> import numpy as np
        >>> from tabula import Position
        >>> from tabula.playouts import playouts
        >>> summary = playouts(Position(), 1000, rng=np.random.default_rng(1)).summary()
        >>> summary.games, summary.unfinished, summary.interval[0] < summary.first_wins / 1000 < summary.interval[1]
        (1000, 0, True)
        """
        games = self.games
        wins = [int((games["winner"] == side).sum()) for side in (0, 1)]
        plies = games["plies"].astype(np.int64)
        turns = max(int(plies.sum()), 1)
        points = np.where(games["winner"] == 1, -1, 1) * games["points"].astype(np.int64)
        return Summary(
            games=len(games),
            unfinished=len(games) - sum(wins),
            max_plies=self.max_plies,
            first_wins=wins[0],
            second_wins=wins[1],
            confidence=confidence,
            interval=wilson(wins[0], sum(wins), confidence),
            first_points=float(points.mean()),
            wins_by_points=tuple(int((games["points"] == won).sum()) for won in (1, 2, 3)),
            plies=float(plies.mean()),
            plies_deviation=float(plies.std()),
            plies_quantiles={share: int(np.quantile(plies, share, method="inverted_cdf")) for share in _QUANTILES},
            shortest=int(plies.min()),
            longest=int(plies.max()),
            plays_a_turn=float(games["plays"].sum() / turns),
            most_plays=int(games["most_plays"].max()),
            forced_share=float(games["forced"].sum(dtype=np.int64) / turns),
            passed_share=float(games["passes"].sum(dtype=np.int64) / turns),
            hits=_pair(games["hits"]),
            passes=_pair(games["passes"]),
            wasted=float(games["wasted"].mean()),
            lead_changes=float(games["lead_changes"].mean()),
        )


def _pair(columns: NDArray[np.int32]) -> tuple[float, float]:
    first, second = columns.mean(axis=0)
    return float(first), float(second)


@dataclasses.dataclass(frozen=True)
class Summary:
    """What games say together. `str` writes it in lines, `to_dict` for JSON.

    Games that were given up count in all figures but the wins and their interval; in the lengths, with the plies they had.

    Attributes
    ----------
    games, unfinished, max_plies
        How many games there were, and how many of them were given up after how many plies.
    first_wins, second_wins
        Games won by the first player, who was on roll in the position, and by the other.
    confidence, interval
        Bounds for the first player's share of the games that ended: a Wilson interval of this confidence.
    first_points
        Points a game that the first player won, less those he lost, on average.
    wins_by_points
        How many games were won with 1, 2 and 3 points.
    plies, plies_deviation, plies_quantiles, shortest, longest
        The length of a game in plies: mean, standard deviation, quantiles (each a length that so large a share of the games does
        not exceed), extremes.
    plays_a_turn, most_plays
        Distinct plays of a turn, on average over all turns, and at most.
    forced_share, passed_share
        The share of the turns with exactly one play, passes among them, and with nothing playable.
    hits, passes
        Hits and passes a game, by the first player and by the other.
    wasted, lead_changes
        A game's pips of dice that could not be played, and changes of the lead in pips.

    Examples
    --------
    >>> import numpy as np
    >>> from tabula import BACKGAMMON, Position
    >>> from tabula.playouts import playouts
    >>> print(str(playouts(Position(BACKGAMMON), 200, rng=np.random.default_rng(1)).summary()).splitlines()[0])
    games              200
    """

    games: int
    unfinished: int
    max_plies: int
    first_wins: int
    second_wins: int
    confidence: float
    interval: tuple[float, float]
    first_points: float
    wins_by_points: tuple[int, ...]
    plies: float
    plies_deviation: float
    plies_quantiles: dict[float, int]
    shortest: int
    longest: int
    plays_a_turn: float
    most_plays: int
    forced_share: float
    passed_share: float
    hits: tuple[float, float]
    passes: tuple[float, float]
    wasted: float
    lead_changes: float

    def to_dict(self) -> dict[str, Any]:
        """A dict of plain values, which JSON can hold; the quantiles are keyed by text.

        >>> import numpy as np
        >>> from tabula import Position
        >>> from tabula.playouts import playouts
        >>> fields = playouts(Position(), 20, rng=np.random.default_rng(1)).summary().to_dict()
        >>> fields["games"], sorted(fields["plies_quantiles"])[:2]
        (20, ['0.01', '0.05'])
        """
        quantiles = {str(share): plies for share, plies in self.plies_quantiles.items()}
        return dataclasses.asdict(self) | {"plies_quantiles": quantiles}

    def __str__(self) -> str:
        ended = self.games - self.unfinished
        low, high = self.interval
        rows = [("games", f"{self.games:,}")]
        if self.unfinished:
            given_up = f"given up after {self.max_plies:,} plies, or where neither side can move again"
            rows.append(("unfinished", f"{self.unfinished:,} {given_up}; not counted in the wins"))
        if ended:
            rows.append(
                (
                    "first player wins",
                    f"{self.first_wins / ended:.2%} of {ended:,} ({self.confidence:.0%}: {low:.2%} to {high:.2%})",
                )
            )
        rows.append(("points a game", f"{self.first_points:+.4f} for the first player"))
        if sum(self.wins_by_points[1:]):
            rows.append(("won with 1, 2, 3", ", ".join(f"{won / ended:.2%}" for won in self.wins_by_points)))
        rows += [
            ("plies", f"{self.plies:.2f} on average, deviation {self.plies_deviation:.2f}"),
            (
                "quantiles",
                ", ".join(
                    [
                        f"{self.shortest}",
                        *(f"{share:.0%} {plies}" for share, plies in self.plies_quantiles.items()),
                        f"{self.longest}",
                    ]
                ),
            ),
            ("plays a turn", f"{self.plays_a_turn:.2f} on average, {self.most_plays:,} at most"),
            ("forced turns", f"{self.forced_share:.2%}, passes {self.passed_share:.2%} among them"),
            ("hits a game", _both(self.hits)),
            ("passes a game", _both(self.passes)),
            ("pips wasted", f"{self.wasted:.2f} a game"),
            ("lead changes", f"{self.lead_changes:.2f} a game"),
        ]
        return "\n".join(f"{name:<18} {value}" for name, value in rows)


def _both(pair: tuple[float, float]) -> str:
    return f"{pair[0]:.2f} by the first player, {pair[1]:.2f} by the other"


def wilson(wins: int, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Bounds for a chance of which `wins` in `games` were seen, at a confidence between 0 and 1.

    The score interval of E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
    American Statistical Association 22 (1927). With no games nothing is known: 0 to 1.

    Raises ValueError for a confidence out of its range, and for wins that are not 0..games.

    >>> low, high = wilson(60, 100)
    >>> round(low, 3), round(high, 3)
    (0.502, 0.691)
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {short_repr(confidence)}")
    if not 0 <= wins <= games:
        raise ValueError(f"wins must be 0..{short_repr(games)}, not {short_repr(wins)}")
    if not games:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = wins / games, 1 + z * z / games
    centre = (share + z * z / (2 * games)) / weight
    half = z / weight * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    # Where all games or none were won the bound is 1 or 0 itself, which rounding must not pass.
    return (0.0 if wins == 0 else centre - half), (1.0 if wins == games else centre + half)
