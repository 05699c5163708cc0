"""A game in words: people and bots take turns at one table, until the game ends or is left.

What is read and written goes through functions that the table is given, so that a terminal, a pipe and a test are the same to it.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from tabula import dice
from tabula.bots import BOTS, pips_and_blots
from tabula.errors import quoted
from tabula.game import Game
from tabula.render.captions import count
from tabula.rules import WHITE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from tabula._native.position import Outcome, Play, Plays, Position
    from tabula.dice import Roll
    from tabula.rules import Rules

__all__ = ["Draw", "Table"]

_LINE: Final = 80
_ROWS: Final = 6
"""The rows of plays that are shown without being asked for: with the board they fill a screen."""

_COMMANDS: Final = {
    "all": "every play of the roll, where only the first are shown",
    "board": "the board once more, and the plays",
    "hint": "what the bot 'pips' would play",
    "undo": "take your last play back, and what followed; the dice stay the same",
    "save FILE": "write the game so far as match text, which 'replay' reads",
    "help": "this list",
    "quit": "leave the game",
}
_NAMES: Final = tuple(command.split()[0] for command in _COMMANDS)
_ALSO: Final = {"?": "help", "q": "quit", "exit": "quit"}
_AFTER_THE_END: Final = ("board", "undo", "save", "help", "quit")


class Draw(Protocol):
    """Draws a position for a person, with the roll that waits or the play that ended the game."""

    def __call__(
        self, position: Position, *, roll: Roll | None = None, play: Play | None = None, upside_down: bool = False
    ) -> None: ...


class Table:
    """One game from its opening to its end.

    The dice of a turn depend on the seed and on how many turns went before, not on what was played; so does what a bot draws.

    Parameters
    ----------
    rules
        What is played.
    people
        The sides that people play, `WHITE`, `BLACK`, both or neither; bots play the others.
    bot
        The name of the bot, one of `BOTS`.
    seed
        What the dice and the bots' choices are drawn from.
    ask
        Gets a prompt and returns the line that was typed; EOFError where there is none.
    write
        Writes one line.
    draw
        Draws the board.
    save
        Writes a game to the file named; OSError or ValueError where it cannot.
    signs
        White's checker and black's, as the board shows them.
    start, roll
        The position to start from, and a roll that waits there. Without them the game is opened as its rules say.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        people: Collection[int],
        bot: str,
        seed: int,
        ask: Callable[[str], str],
        write: Callable[[str], None],
        draw: Draw,
        save: Callable[[Game, str], None],
        signs: str = "OX",
        start: Position | None = None,
        roll: Roll | None = None,
    ) -> None:
        self._people = people
        self._bot = bot
        self._seed = seed
        self._signs = signs
        self._ask, self._write, self._draw, self._save = ask, write, draw, save
        self._dice = np.random.default_rng((seed, 0))
        self.game = Game(rules, self._dice, start=start)
        self._opened = start is None
        if self._opened:
            self.game.open()
            roll = self.game.rolled
        self._rolls: list[Roll] = [] if roll is None else [roll]
        self._chosen: list[int] = []
        """The turns, by their numbers from 0, in which a person had something to choose."""
        self._left = False

    def play(self) -> None:
        """Plays the game until it is over or left."""
        self._greet()
        try:
            while not self._left:
                outcome = self.game.outcome
                if outcome is None:
                    self._turn()
                elif not self._linger(outcome):
                    break
        except EOFError:
            self._write("")
            self._left = True
        if self.game.outcome is None:
            self._say(f"The game is left after {count(len(self.game.turns), 'turn')}.")

    # ------------------------------------------------------------------------------------------------------------------- words

    def _say(self, sentence: str, indent: str = "") -> None:
        """Writes a sentence, over several lines where it is long."""
        for line in textwrap.wrap(sentence, _LINE, subsequent_indent=indent, break_on_hyphens=False):
            self._write(line)

    def _who(self, side: int) -> str:
        if len(self._people) == 1:
            return "You" if side in self._people else "The bot"
        return "White" if side == WHITE else "Black"

    def _does(self, side: int, verb: str) -> str:
        """A side and what it does: ``You throw``, ``White throws``."""
        who = self._who(side)
        return f"{who} {verb}{'' if who == 'You' else 's'}"

    def _greet(self) -> None:
        rules, turn = self.game.rules, self.game.position.turn
        white, black = (f"{name} ({sign})" for name, sign in zip(("white", "black"), self._signs, strict=True))
        if len(self._people) == 1:
            yours, other = (white, black) if WHITE in self._people else (black, white)
            says = f"You play {yours}, and the bot '{self._bot}' plays {other}."
        else:
            who = "People play" if self._people else f"The bot '{self._bot}' plays"
            says = f"{who} {white} and {black}."
        helps = " Type 'help' to see what can be typed." if self._people else ""
        self._say(f"A game of {rules.name or 'tables'}, seed {self._seed}. {says}{helps}")
        if self._opened:
            self._say(f"{self._does(turn, 'throw')} the higher die and {'begin' if self._who(turn) == 'You' else 'begins'}.")

    # ------------------------------------------------------------------------------------------------------------------- turns

    def _turn(self) -> None:
        game, number = self.game, len(self.game.turns)
        if number == len(self._rolls):
            self._rolls.append(dice.throw(self._dice, game.rules.dice))
        if game.rolled is None:
            game.roll(self._rolls[number])
        plays, side = game.plays, game.position.turn
        throws = f"{self._does(side, 'throw')} {dice.to_text(plays.roll)}"
        if not plays.dice_used:
            self._say(f"{throws} and cannot move.")
            game.push(plays[0])
        elif side in self._people:
            self._show(plays, throws)
            self._choose(plays, throws)
        else:
            play = BOTS[self._bot](plays, np.random.default_rng((self._seed, 1, number)))
            self._say(f"{throws} and plays {play}.")
            game.push(play)

    def _choose(self, plays: Plays, throws: str) -> None:
        """Asks until a play is made, one is taken back, or the game is left."""
        number = len(self.game.turns)
        while True:
            line = self._ask(self._prompt()).strip()
            name, rest = _command(line)
            if name == "all":
                self._list(plays, len(plays))
            elif name == "board":
                self._show(plays, throws)
            elif name == "hint":
                play = pips_and_blots(plays)
                self._say(f"The bot 'pips' would play {plays.index(play) + 1}: {play}")
            elif name in _NAMES:
                if self._common(name, rest):
                    return
            else:
                chosen = self._read(plays, line)
                if chosen is not None:
                    self._say(f"{self._does(plays.position.turn, 'play')} {chosen}.")
                    self.game.push(chosen)
                    self._chosen.append(number)
                    return

    def _read(self, plays: Plays, line: str) -> Play | None:
        """The play that a line names by number or notation; None once it is told why it names none."""
        if line.isascii() and line.isdigit():
            # A longer number is refused as it is, for Python reads no number of thousands of digits.
            if len(line) < 10 and 1 <= int(line) <= len(plays):
                return plays[int(line) - 1]
            if len(plays) == 1:
                self._say(f"There is play 1 alone, and {quoted(line)} is not its number.")
            else:
                self._say(f"The plays are numbered 1 to {len(plays)}, and {quoted(line)} is none of them.")
        elif not line:
            self._say("Type the number of a play, or the play as it is written there, or 'help'.")
        elif line[0].isalpha() and not line.lower().startswith(("bar", "off")):
            self._say(f"{quoted(line)} is no play, and none of the commands: {', '.join(_NAMES)}.")
        else:
            try:
                return plays.position.parse_play(line, plays.roll)
            except ValueError as error:
                self._say(f"{error}.")
        return None

    def _common(self, name: str, rest: str) -> bool:
        """Does what can be asked for at any time; True if the turn does not go on where it was."""
        if name == "save":
            self._write_record(rest)
        elif name == "help":
            self._help()
        elif name == "quit":
            self._left = True
        else:
            return self._undo()
        return self._left

    def _undo(self) -> bool:
        if not self._chosen:
            self._say("There is no play of yours to take back.")
            return False
        number, played = self._chosen.pop(), self.game.turns
        while len(self.game.turns) > number:
            self.game.pop()
        followed = ", and what followed" if len(played) > number + 1 else ""
        self._say(f"Taken back: {played[number].play}{followed}.")
        return True

    def _write_record(self, file: str) -> None:
        if not file:
            self._say("'save' is followed by the name of a file: save game.txt")
            return
        try:
            self._save(self.game, file)
        except OSError as error:
            self._say(f"Not saved: {error.strerror or error}: {quoted(file)}")
        except ValueError as error:
            self._say(f"Not saved: {error}")
        else:
            self._say(f"Saved in {quoted(file)}: {count(len(self.game.turns), 'turn')}.")

    def _linger(self, outcome: Outcome) -> bool:
        """Tells how the game has ended, and lets people save it or take it back; False once they leave."""
        self._show_end()
        self._say(f"{self._does(outcome.winner, 'win')} {count(outcome.points, 'point')}.")
        while self._people and not self._left:
            line = self._ask(self._prompt()).strip()
            name, rest = _command(line)
            if name == "board":
                self._show_end()
            elif name in _AFTER_THE_END:
                if self._common(name, rest):
                    return not self._left
            else:
                self._say("The game is over: board, undo, save FILE, help or quit.")
        return False

    # ----------------------------------------------------------------------------------------------------------- what is shown

    def _prompt(self) -> str:
        return "> " if len(self._people) == 1 else f"{self._who(self.game.position.turn)}> "

    def _show(self, plays: Plays, throws: str) -> None:
        self._write("")
        self._draw(plays.position, roll=plays.roll)
        self._write("")
        self._say(f"{throws}: {count(len(plays), 'play')}.")
        self._list(plays)

    def _show_end(self) -> None:
        turns = self.game.turns
        position = self.game.position
        self._write("")
        upside_down = len(self._people) == 1 and position.turn not in self._people
        self._draw(position, play=turns[-1].play if turns else None, upside_down=upside_down)
        self._write("")

    def _list(self, plays: Plays, most: int | None = None) -> None:
        """The plays with their numbers, in as many columns as there is room for; the first rows, or up to `most` rows."""
        digits = len(str(len(plays)))
        listed = [f"{number:>{digits}} {play}" for number, play in enumerate(plays, 1)]
        width = max(map(len, listed)) + 3
        columns = max(1, (_LINE + 1) // width)
        rows = _ROWS if most is None else most
        shown = listed if len(listed) <= columns * rows else listed[: columns * rows]
        for first in range(0, len(shown), columns):
            self._write(" " + "".join(f"{cell:<{width}}" for cell in shown[first : first + columns]).rstrip())
        if len(shown) < len(listed):
            self._say(f" ... and {len(listed) - len(shown):,} more: 'all' shows them.")

    def _help(self) -> None:
        label = self.game.rules.label
        typed = {
            "NUMBER": "the play that has this number",
            "PLAY": f"a play as it is written: {label(12)}/{label(15)} {label(15)}/{label(16)}, its moves in any order",
        }
        for what, does in (typed | _COMMANDS).items():
            self._say(f"  {what:<10} {does}", indent=" " * 13)


def _command(line: str) -> tuple[str, str]:
    """The first word of a line as a command is called, and the rest of it: the name of a file stands alone there."""
    word, *more = line.split(None, 1) or [""]
    name, rest = _ALSO.get(word.lower(), word.lower()), "".join(more)
    return (name, rest) if name == "save" or not rest else ("", rest)
