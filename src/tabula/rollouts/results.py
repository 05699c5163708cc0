"""What rollouts give back."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabula.evaluate import CHANCES, of_outcomes, points

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabula._native.position import Position

__all__ = ["CUT", "FINISHED", "GIVEN_UP", "Comparison", "Rollout", "points_of"]

FINISHED: Final = 0
CUT: Final = 1
GIVEN_UP: Final = 2


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Rollout:
    """What the games from one position came to, by both estimates. `points` and `se` are of the reduced one if there is one."""

    position: Position
    """Where they started."""

    seed: int
    """What the dice were made from."""

    plain_results: NDArray[np.float64]
    """The result of each game: points (n, 1), or chances (n, 5) if the evaluator gives chances."""

    reduced_results: NDArray[np.float64] | None
    """The same less the luck, or None if luck was not measured."""

    plies: NDArray[np.int64]
    """(n): the plies that each game took."""

    endings: NDArray[np.int64]
    """(n): 0 for a game that was finished, 1 for one cut at the horizon, 2 for one given up."""

    @property
    def games(self) -> int:
        """How often it was played."""
        return len(self.plies)

    @property
    def points(self) -> float:
        """The better estimate of the points: the reduced mean, or without it the plain one."""
        return self.plain_points if self.reduced_points is None else self.reduced_points

    @property
    def se(self) -> float:
        """The standard error of `points`; NaN for one game."""
        return self.plain_se if self.reduced_se is None else self.reduced_se

    @property
    def plain_points(self) -> float:
        """The mean of the points of the games."""
        return float(points_of(self.plain_results).mean())

    @property
    def plain_se(self) -> float:
        """The standard error of `plain_points`."""
        return standard_error(points_of(self.plain_results))

    @property
    def reduced_points(self) -> float | None:
        """The mean of the points less the luck; None if luck was not measured."""
        return None if self.reduced_results is None else float(points_of(self.reduced_results).mean())

    @property
    def reduced_se(self) -> float | None:
        """The standard error of `reduced_points`."""
        return None if self.reduced_results is None else standard_error(points_of(self.reduced_results))

    @property
    def chances(self) -> NDArray[np.float64] | None:
        """The five chances, (5): of the better estimate; None if the evaluator gives points and not all games were finished."""
        found = self._chances()
        return None if found is None else found.mean(axis=0)

    @property
    def chances_se(self) -> NDArray[np.float64] | None:
        """The standard errors of `chances`, (5)."""
        found = self._chances()
        return None if found is None else np.array([standard_error(column) for column in found.T])

    def _chances(self) -> NDArray[np.float64] | None:
        if self.plain_results.shape[1] == CHANCES:
            return self.plain_results if self.reduced_results is None else self.reduced_results
        if (self.endings == FINISHED).all():
            return of_outcomes(self.plain_results[:, 0].astype(np.int8), chances=True)
        return None

    @property
    def cut(self) -> int:
        """The games that were cut at the horizon: their result is the evaluator's value there."""
        return int((self.endings == CUT).sum())

    @property
    def given_up(self) -> int:
        """The games given up, after `max_plies` or as neither side could ever move: they have the evaluator's value there."""
        return int((self.endings == GIVEN_UP).sum())

    def to_dict(self) -> dict[str, Any]:
        """The figures in plain values that JSON can hold; None for what is not known."""
        values = {
            "points": self.points,
            "se": self.se,
            "plain_points": self.plain_points,
            "plain_se": self.plain_se,
            "reduced_points": self.reduced_points,
            "reduced_se": self.reduced_se,
        }
        chances, chances_se = self.chances, self.chances_se
        return {
            "position": self.position.to_text(),
            "games": self.games,
            "seed": self.seed,
            **{name: None if value is None or np.isnan(value) else value for name, value in values.items()},
            "chances": None if chances is None else chances.tolist(),
            "chances_se": None if chances_se is None or np.isnan(chances_se).any() else chances_se.tolist(),
            "cut": self.cut,
            "given_up": self.given_up,
        }

    def __repr__(self) -> str:
        return f"<Rollout: {self.games} games, {self.points:+.4f} +- {self.se:.4f} points>"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Rollouts of plays of one roll on the same dice, best first, for the side that makes the play."""

    plays: tuple[int, ...]
    """The number of each play among the plays of the roll, the play with the most points first."""

    rollouts: tuple[Rollout, ...]
    """What each came to; `position` of each is the afterstate, and the figures are those of the side that made the play."""

    @property
    def best(self) -> int:
        """The number of the play with the most points."""
        return self.plays[0]

    @property
    def differences(self) -> NDArray[np.float64]:
        """(k): the points that each play gives away, 0 for the first."""
        return np.array([row.mean() for row in self._behind()])

    @property
    def differences_se(self) -> NDArray[np.float64]:
        """(k): the standard error of each difference, of games on the same dice; 0 for the first, NaN for one game."""
        return np.array([standard_error(row) for row in self._behind()])

    def _behind(self) -> list[NDArray[np.float64]]:
        results = [points_of(_best_results(each)) for each in self.rollouts]
        return [results[0] - result for result in results]

    def __repr__(self) -> str:
        return f"<Comparison: {len(self.plays)} plays, {self.rollouts[0].games} games each, best is play {self.best}>"


def _best_results(found: Rollout) -> NDArray[np.float64]:
    return found.plain_results if found.reduced_results is None else found.reduced_results


def points_of(results: NDArray[np.float64]) -> NDArray[np.float64]:
    return points(results if results.shape[1] == CHANCES else results[:, 0])


def standard_error(values: NDArray[np.float64]) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")
