# The named tuples that positions and plays give: Move, Outcome and Next.
#
# Included by position.pyx.

class Move(typing.NamedTuple):
    """One checker moved by one die, on the mover's own track.

    Attributes
    ----------
    source
        The index it leaves: 0 waiting, 1..24 a point.
    target
        The index it lands on: 1..24 a point, 25 off.
    die
        The die that moves it, 1..6.
    hit
        Whether it hits a lone opposing checker.

    Examples
    --------
    >>> from tabula import Position
    >>> Position().plays("652")[0].moves[0]
    Move(source=0, target=2, die=2, hit=False)
    """

    source: int
    target: int
    die: int
    hit: bool = False


class Outcome(typing.NamedTuple):
    """How a finished game ended.

    Attributes
    ----------
    winner
        The side that won, `WHITE` (0) or `BLACK` (1).
    points
        The points it won: 1, or up to the rules' `highest_win`.

    Examples
    --------
    >>> from tabula import BACKGAMMON, Position
    >>> Position.from_points({}, {24: 15}, rules=BACKGAMMON, off=(15, 0)).outcome
    Outcome(winner=0, points=3)
    """

    winner: int
    points: int


class Next(typing.NamedTuple):
    """How a turn can go on, which `Plays.after` returns.

    Attributes
    ----------
    moves
        The single moves that can come next, a tuple of `Move`.
    may_end
        Whether the moves made are a whole legal play.

    Examples
    --------
    >>> from tabula import Position
    >>> coming = Position().plays("652").after((0, 6), (0, 5))
    >>> len(coming.moves), coming.may_end
    (3, False)
    """

    moves: tuple
    may_end: bool


# Looked up once: a call for an array is short enough for it to show.
