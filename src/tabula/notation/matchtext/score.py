"""The cube and the score of a game that is being read: the match state of each turn, and the points that its end is worth."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from tabula.notation.match_state import MAX_CUBE, MAX_LENGTH, MatchState

if TYPE_CHECKING:
    from tabula._native.position import Position
    from tabula.notation.matchtext.header import Header
    from tabula.notation.matchtext.layout import Result

__all__ = ["Cube", "Terms", "contradiction", "is_crawford", "terms"]

_OFFERS: Final = frozenset(("double", "beaver", "raccoon"))


@dataclasses.dataclass(slots=True)
class Cube:
    """The cube of a game: its value, the side that owns it, and what was offered last and is not answered."""

    value: int = 1
    owner: int | None = None
    offer: Literal["double", "beaver", "raccoon"] | None = None
    offered: int = 1
    """The value that the cube has if the offer is taken."""

    turned: bool = False

    def act(self, side: int, kind: str, value: int | None, length: int) -> None:
        """Takes an action into account; `value` is what its cell says that the cube then is, or None."""
        if kind not in _OFFERS:
            if kind == "take":
                self.settle(side)
            return
        if self.offer is not None:
            self.settle(side)
        following = min(2 * self.value, MAX_CUBE)
        if value is not None and value != following and _is_cube(value):
            if not length and not self.turned:
                # Equal opening dice may have turned the cube of a money game before its first roll, which no line says.
                self.value = value // 2
            following = value
        self.offer, self.offered, self.turned = _offer(kind), following, True

    def settle(self, side: int) -> None:
        """Takes the offer, if there is one; a beaver and a raccoon leave the cube with the side that took the double."""
        if self.offer is None:
            return
        if self.offer == "double":
            self.owner = side
        self.value, self.offer = self.offered, None


def _is_cube(value: int) -> bool:
    return 2 <= value <= MAX_CUBE and not value & (value - 1)


def _offer(kind: str) -> Literal["double", "beaver", "raccoon"]:
    return "beaver" if kind == "beaver" else "raccoon" if kind == "raccoon" else "double"


class Terms(NamedTuple):
    """What holds for every game of a match."""

    length: int | None
    """The points that win the match, 0 for money play; None if the text does not say it in a way that can be read."""

    crawford: bool
    """Whether the match has a Crawford game."""

    jacoby: bool
    beavers: bool
    max_cube: int

    def state(self, score: tuple[int, int], cube: Cube, players: tuple[str, str], *, crawford: bool) -> MatchState | None:
        """The match at a turn; None where the length is not known or a number is too large for any format."""
        if self.length is None or max(score) > MAX_LENGTH:
            return None
        money = self.length == 0
        return MatchState(
            length=self.length,
            score=score,
            cube=cube.value,
            owner=cube.owner,
            crawford=crawford,
            jacoby=self.jacoby and money,
            beavers=self.beavers and money,
            max_cube=self.max_cube,
            offer=cube.offer,
            players=players,
        )


def terms(header: Header) -> Terms:
    """What the header of a match says that holds for all its games."""
    limit = header.tag("cubelimit", "cube limit") or ""
    max_cube = int(limit) if limit.isascii() and limit.isdigit() and len(limit) < 6 else 0
    return Terms(
        length=None if header.length_line is not None or (header.length or 0) > MAX_LENGTH else header.length or 0,
        crawford=not _is_off(header.tag("crawford")),
        jacoby=_is_on(header.tag("jacoby")),
        beavers=_is_on(header.tag("beaver", "beavers")),
        max_cube=max_cube if _is_cube(max_cube) else MatchState().max_cube,
    )


def _is_on(value: str | None) -> bool:
    return (value or "").strip().lower() in ("on", "yes", "true", "1")


def _is_off(value: str | None) -> bool:
    return (value or "").strip().lower() in ("off", "no", "false", "0")


def is_crawford(terms: Terms, score: tuple[int, int], earlier: list[tuple[int, int]], *, doubled: bool) -> bool:
    """Whether a game is the Crawford game: the first with one side, not both, a point away; nobody has doubled in it."""
    if not terms.length or not terms.crawford or doubled:
        return False
    away = terms.length - 1
    return max(score) == away > min(score) and all(max(before) < away for before in earlier)


def contradiction(
    result: Result, winner: int, position: Position, cube: Cube, last: tuple[str, int] | None, need: int
) -> str | None:
    """Why the stated result cannot be, by the cube and the board; None if it can.

    `last` is the kind and side of the last turn, `need` how many points the winner lacks to win the match, 0 for money play. Points
    past the end of the match may be left out.
    """
    points, outcome = result.points, position.outcome
    kind, side = last or ("", 0)
    if outcome is not None:
        if outcome.winner != winner:
            return "the other side has borne off all checkers"
        worth: tuple[int, ...] = (cube.value * outcome.points,)
        if not need and cube.owner is None:
            worth = (*worth, cube.value)  # The Jacoby rule may be in force.
        why = f"the board is worth {_points(worth[0])}"
    elif kind in ("drop", "resign", "time", "unplayed") and side == winner:
        return f"the side that {_LOSES[kind]} does not win"
    elif kind == "drop":
        # A beaver or a raccoon that is dropped is worth what it made of the cube where that is played.
        worth = (cube.value,) if cube.offer == "double" else (cube.value, cube.offered)
        why = f"a double dropped at {cube.offered} is worth {_points(cube.value)}"
    else:
        worth = (cube.value,) if result.grade == 1 else (cube.value, 2 * cube.value, 3 * cube.value)
        why = f"a game with the cube at {cube.value} is worth {', '.join(map(str, worth))} points"
        if result.grade is not None and cube.owner is not None:
            worth = (result.grade * cube.value,)
            why = f"{_GRADED[result.grade]} with the cube at {cube.value} is worth {_points(worth[0])}"
        if kind == "time" or result.match:
            return None
    if points is None or points in worth or (need and need <= points <= max(worth)):
        return None
    return why


_LOSES: Final = {"drop": "drops", "resign": "resigns", "time": "loses on time", "unplayed": "gives up"}
_GRADED: Final = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


def _points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"
