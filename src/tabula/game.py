"""One game as a record: who started, each roll and the play made with it, and how it ended."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from tabula import dice
from tabula._arguments import generator, white_or_black
from tabula._native.position import Play, Position, checked_position
from tabula.errors import IllegalPlayError, short_repr
from tabula.rules import TABULA, WHITE, Rules, checked_rules

if TYPE_CHECKING:
    import numpy as np

    from tabula._native.position import Outcome, Plays
    from tabula.dice import Roll, RollLike

__all__ = ["Game", "Turn"]


@dataclasses.dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a game.

    >>> from tabula.game import Game
    >>> game = Game()
    >>> _ = game.push(game.position.plays("652")[0])
    >>> turn = game.turns[0]
    >>> turn.roll, str(turn.play), turn.after == game.position
    ((6, 5, 2), 'bar/6 bar/5 bar/2', True)
    """

    before: Position
    """The position before the turn."""

    roll: Roll
    """The dice, the largest first."""

    play: Play
    """The play made with the roll."""

    after: Position
    """The position after the turn, with the other side to move."""


class Game:
    """A game in progress, from its opening on: roll, push a play, take a turn back, ask how it ended.

    Parameters
    ----------
    rules
        A `Rules`; `TABULA` if left out.
    rng
        A `numpy.random.Generator` that throws the dice. Without it, the caller gives every roll and who starts.
    start
        A `Position` under `rules` from which the game goes on; its side to move has the first turn.

    Examples
    --------
    >>> from tabula.game import Game
    >>> game = Game()
    >>> game.roll("652")
    (6, 5, 2)
    >>> game.push(game.plays[0]).other[:8]
    (12, 0, 1, 0, 0, 1, 1, 0)
    >>> len(game.turns), game.outcome, game.pop().roll
    (1, None, (6, 5, 2))
    """

    def __init__(self, rules: Rules = TABULA, rng: np.random.Generator | None = None, *, start: Position | None = None) -> None:
        checked_rules(rules)
        if rng is not None:
            generator(rng)
        if start is None:
            start = Position(rules)
        elif checked_position(start, "start").rules != rules:
            raise ValueError("start is a position under other rules than the game's")
        self._rng = rng
        self._start = start
        self._turns: list[Turn] = []
        self._roll: Roll | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._start.rules

    @property
    def start(self) -> Position:
        """The position that the first turn starts from."""
        return self._start

    @property
    def position(self) -> Position:
        """The position now."""
        return self._turns[-1].after if self._turns else self._start

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far, the first one first."""
        return tuple(self._turns)

    @property
    def rolled(self) -> Roll | None:
        """The roll that is thrown and not played yet, or None."""
        return self._roll

    @property
    def plays(self) -> Plays:
        """The legal plays of the roll in `rolled`; ValueError if that is None."""
        if self._roll is None:
            raise ValueError("there is no roll to play: call roll() first")
        return self.position.plays(self._roll)

    @property
    def outcome(self) -> Outcome | None:
        """Who has won and how many points, as `Position.outcome` says it; None while the game goes on."""
        return self.position.outcome

    def open(self, turn: int | None = None) -> int:
        """Decide who starts, and return that side: `turn`, `WHITE` or `BLACK`; without it, each side throws one die.

        Where the starter plays the two dice that were thrown (``opening="split"``), they become the roll to play. ValueError after
        the first roll or play, and for a throw in a game that has no `rng`.

        >>> import numpy as np
        >>> from tabula import BACKGAMMON
        >>> game = Game(BACKGAMMON, np.random.default_rng(1))
        >>> game.open() == game.position.turn, game.rolled is not None
        (True, True)
        """
        if self._turns or self._roll is not None:
            raise ValueError("a game is opened before its first roll")
        roll = None
        if turn is None:
            turn, roll = dice.opening(self._dice_rng(), self.rules)
        else:
            turn = white_or_black("turn", turn)
        if (self._start.mover, self._start.other) == (self.rules.setup, self.rules.other_setup):
            self._start = Position.from_tracks(self.rules.setup, self.rules.other_setup, rules=self.rules, turn=turn)
        elif turn != self._start.turn:
            self._start = self._start.swap_sides()
        if self.rules.opening == "split":
            self._roll = roll
        return turn

    def roll(self, roll: RollLike | None = None) -> Roll:
        """Throw the dice, or take the roll given, and return it; the next play pushed must be one of this roll.

        ValueError if the roll before is not played yet, if the game is over, for what is not a roll of this game, and for a throw
        in a game that has no `rng`.

        >>> import numpy as np
        >>> game = Game(rng=np.random.default_rng(1))
        >>> game.roll() == game.rolled, len(game.plays) > 0
        (True, True)
        """
        if self._roll is not None:
            raise ValueError(f"the roll {dice.to_text(self._roll)} is still to be played")
        if self.outcome is not None:
            raise ValueError("the game is over")
        self._roll = dice.throw(self._dice_rng(), self.rules.dice) if roll is None else dice.parse(roll, self.rules.dice)
        return self._roll

    def push(self, play: Play | str) -> Position:
        """Make a play, and return the position after it.

        A `Play` has its roll with it: `roll` need not be called first. Text is read as `Position.parse_play` reads it, as a play of
        the roll in `rolled`. IllegalPlayError for a play of another position, and for one of another roll than `rolled`; ValueError
        for text without a roll.

        >>> game = Game()
        >>> game.push(game.position.parse_play("bar/6 bar/5 bar/2", "652")) == game.position
        True
        >>> game.roll("433")
        (4, 3, 3)
        >>> game.push("bar/4, bar/3(2)") == game.position
        True
        """
        if isinstance(play, str):
            if self._roll is None:
                raise ValueError("the text of a play needs a roll: call roll() first")
            play = self.position.parse_play(play, self._roll)
        if not isinstance(play, Play):
            raise TypeError(f"push() needs a Play, not {short_repr(play)}")
        if self._roll is not None and play.roll != self._roll:
            raise IllegalPlayError(f"the play is one of {dice.to_text(play.roll)}, and the roll is {dice.to_text(self._roll)}")
        before = self.position
        after = before.apply(play)
        self._turns.append(Turn(before, play.roll, play, after))
        self._roll = None
        return after

    def pop(self) -> Turn:
        """Take back the last turn, its roll included, and return it; IndexError if there is none.

        A roll that is not played yet is dropped.

        >>> game = Game()
        >>> _ = game.push(game.position.plays("652")[0])
        >>> game.pop().roll, game.position == game.start
        ((6, 5, 2), True)
        """
        if not self._turns:
            raise IndexError("there is no turn to take back")
        self._roll = None
        return self._turns.pop()

    def __repr__(self) -> str:
        turns = f"{len(self._turns)} turn{'' if len(self._turns) == 1 else 's'}"
        return f"<Game of {self.rules.name}: {turns}, now {self.position.to_text()}>"

    def _repr_svg_(self) -> str:
        """What a notebook displays: the board now, as white sees it, with the last play, or with the roll that is to be played."""
        from tabula.render.svg import board

        play = self._turns[-1].play if self._turns and self._roll is None else None
        return board(self.position, play=play, roll=self._roll, side=WHITE, size=560)

    def _dice_rng(self) -> np.random.Generator:
        if self._rng is None:
            raise ValueError("this game has no rng to throw dice with: give roll() the roll, open() the side, or Game() an rng")
        return self._rng
