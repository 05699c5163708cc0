"""A game in the terminal: people and bots take turns until the game is over or left.

It reads and writes through functions that it is given, so that a terminal, a pipe and a test are the same to it.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from tabula import dice
from tabula.bots import BLOT, BOTS, weigh
from tabula.describing import waiting_place
from tabula.errors import quoted
from tabula.game import Game, Turn
from tabula.render.captions import count
from tabula.rules import WHITE, may_wait

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tabula._native.position import Outcome, Play, Plays, Position
    from tabula.dice import Roll
    from tabula.rules import Rules

__all__ = ["DrawBoard", "TerminalGame"]

_WIDTH: Final = 80
_PANEL: Final = 36
"""The columns to the right of the board, which has 41."""

_ROWS: Final = 9
"""The rows of plays that are listed beside the board before 'all' is typed."""

_HINTS: Final = 3
"""The plays that a hint ranks."""

_COMMANDS: Final = {
    "all": "list every play of the roll",
    "board": "draw the board again, and list the plays",
    "hint": "the plays that the bot 'pips' likes best, and why",
    "undo": "take back your last play, and what followed; the dice stay the same",
    "save FILE": "write the game so far as match text, which 'replay' reads",
    "help": "print this list",
    "quit": "leave the game",
}
_NAMES: Final = tuple(command.split()[0] for command in _COMMANDS)
_ALIASES: Final = {"?": "help", "q": "quit", "exit": "quit"}
_AFTER_THE_END: Final = ("board", "undo", "save", "help", "quit")


class DrawBoard(Protocol):
    """Draws a position for a person, with the roll that is to be played or the play that ended the game, and lines beside it."""

    def __call__(
        self,
        position: Position,
        *,
        roll: Roll | None = None,
        play: Play | None = None,
        upside_down: bool = False,
        beside: Sequence[str] = (),
    ) -> None: ...


class TerminalGame:
    """One game from its opening to its end.

    The dice of a turn depend on the seed and on the number of turns before it, not on what was played; so do the bots' choices.

    Parameters
    ----------
    rules
        The rules of the game.
    people
        The sides that people play: `WHITE`, `BLACK`, both or neither. The bot plays the rest.
    bot
        The name of the bot, one of `BOTS`.
    seed
        The seed of the dice and of the bot's choices.
    ask
        Prints a prompt and returns the line that was typed; it raises EOFError where input has ended.
    write
        Writes one line.
    draw
        Draws the board.
    save
        Writes a game to the file named; it raises OSError or ValueError if it cannot.
    signs
        White's checker and black's, as they are drawn on the board.
    start, roll
        The position to start from, and a roll to play there. Without them the game is opened as its rules say.
    begun
        Turns that were made before, from `start` on. The plays of people among them can be taken back too.
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
        draw: DrawBoard,
        save: Callable[[Game, str], None],
        signs: str = "OX",
        start: Position | None = None,
        roll: Roll | None = None,
        begun: Sequence[Turn] = (),
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
        for turn in begun:
            self.game.push(turn.play)
        self._begun = len(begun)
        self._rolls: list[Roll] = [turn.roll for turn in begun] + ([] if roll is None else [roll])
        self._chosen = [
            number for number, turn in enumerate(begun) if turn.before.turn in people and turn.before.plays(turn.roll).dice_used
        ]
        """The numbers, from 0, of the turns in which a person chose the play: what 'undo' goes back to."""
        self._left = False

    def play(self) -> None:
        """Plays the game until it is over or left."""
        self._greet()
        try:
            while not self._left:
                outcome = self.game.outcome
                if outcome is None and self.game.position.stuck:
                    self._say("Neither side can move any more, and nobody wins.")
                    break
                if outcome is None:
                    self._take_turn()
                elif not self._after_the_end(outcome):
                    break
        except EOFError:
            self._write("")
            self._left = True
        if self.game.outcome is None:
            self._say(f"The game is left after {count(len(self.game.turns), 'turn')}.")

    # --------------------------------------------------------------------------------------------------------------- sentences

    def _say(self, sentence: str, indent: str = "") -> None:
        """Writes a sentence, over several lines where it is long."""
        for line in textwrap.wrap(sentence, _WIDTH, subsequent_indent=indent, break_on_hyphens=False):
            self._write(line)

    def _side_name(self, side: int) -> str:
        if len(self._people) == 1:
            return "You" if side in self._people else "The bot"
        return "White" if side == WHITE else "Black"

    def _side_and_verb(self, side: int, verb: str) -> str:
        """A side with a verb: ``You throw``, ``White throws``."""
        who = self._side_name(side)
        return f"{who} {verb}{'' if who == 'You' else 's'}"

    def _greet(self) -> None:
        rules, turn = self.game.rules, self.game.position.turn
        white, black = (f"{name} ({sign})" for name, sign in zip(("white", "black"), self._signs, strict=True))
        if len(self._people) == 1:
            yours, other = (white, black) if WHITE in self._people else (black, white)
            players = f"You play {yours}, and the bot '{self._bot}' plays {other}."
        else:
            who = "People play" if self._people else f"The bot '{self._bot}' plays"
            players = f"{who} {white} and {black}."
        hint = " Type 'help' to see what can be typed." if self._people else ""
        self._say(f"A game of {rules.name or 'tables'}, seed {self._seed}. {players}{hint}")
        if self._opened:
            begins = "begin" if self._side_name(turn) == "You" else "begins"
            self._say(f"{self._side_and_verb(turn, 'throw')} the higher die and {begins}.")
        if self._begun:
            self._say(f"The game goes on after {count(self._begun, 'turn')}.")

    # ------------------------------------------------------------------------------------------------------------------- turns

    def _take_turn(self) -> None:
        game, number = self.game, len(self.game.turns)
        if number == len(self._rolls):
            self._rolls.append(dice.throw(self._dice, game.rules.dice))
        if game.rolled is None:
            game.roll(self._rolls[number])
        plays, side = game.plays, game.position.turn
        throws = f"{self._side_and_verb(side, 'throw')} {dice.to_text(plays.roll, game.rules.extra_dice)}"
        if not plays.dice_used:
            self._say(f"{throws} and cannot move.")
            game.push(plays[0])
        elif side in self._people:
            self._draw_and_list(plays, throws)
            self._choose(plays, throws)
        else:
            play = BOTS[self._bot](plays, np.random.default_rng((self._seed, 1, number)))
            self._say(f"{throws} and plays {play}.")
            game.push(play)

    def _choose(self, plays: Plays, throws: str) -> None:
        """Asks until a play is chosen or taken back, or the game is left."""
        number = len(self.game.turns)
        while True:
            line = self._ask(self._prompt()).strip()
            name, rest = _command(line)
            if name == "all":
                self._list_plays(plays)
            elif name == "board":
                self._draw_and_list(plays, throws)
            elif name == "hint":
                self._hint(plays)
            elif name in _NAMES:
                if self._run_command(name, rest):
                    return
            else:
                chosen = self._read_play(plays, line)
                if chosen is not None:
                    self._say(f"{self._side_and_verb(plays.position.turn, 'play')} {chosen}.")
                    self.game.push(chosen)
                    self._chosen.append(number)
                    return

    def _read_play(self, plays: Plays, line: str) -> Play | None:
        """The play that a line names by its number or notation; None after a sentence that says why it names none."""
        if line.isascii() and line.isdigit():
            # A longer number is refused unread: Python reads no number of thousands of digits.
            if len(line) < 10 and 1 <= int(line) <= len(plays):
                return plays[int(line) - 1]
            if len(plays) == 1:
                self._say(f"There is play 1 alone, and {quoted(line)} is not its number.")
            else:
                self._say(f"The plays are numbered 1 to {len(plays)}, and {quoted(line)} is none of them.")
        elif not line and len(plays) == 1:
            return plays[0]
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

    def _run_command(self, name: str, rest: str) -> bool:
        """Runs a command that can be typed at any time; True if it ends the turn: a play was taken back, or the game is left."""
        if name == "save":
            self._save_game(rest)
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

    def _save_game(self, file: str) -> None:
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

    def _after_the_end(self, outcome: Outcome) -> bool:
        """Says who has won, and lets people save the game or take plays back; False when they leave."""
        self._draw_end()
        self._say(f"{self._side_and_verb(outcome.winner, 'win')} {count(outcome.points, 'point')}.")
        while self._people and not self._left:
            line = self._ask(self._prompt()).strip()
            name, rest = _command(line)
            if name == "board":
                self._draw_end()
            elif name in _AFTER_THE_END:
                if self._run_command(name, rest):
                    return not self._left
            else:
                self._say("The game is over: board, undo, save FILE, help or quit.")
        return False

    # ---------------------------------------------------------------------------------------------------------- boards and plays

    def _prompt(self) -> str:
        return "> " if len(self._people) == 1 else f"{self._side_name(self.game.position.turn)}> "

    def _draw_and_list(self, plays: Plays, throws: str) -> None:
        beside = [*self._last_plays(), "", f"{throws}: {count(len(plays), 'play')}.", *self._listed(plays, _ROWS, _PANEL)]
        if len(plays) == 1:
            beside.append("Enter plays it.")
        self._write("")
        self._draw(plays.position, roll=plays.roll, beside=beside)

    def _draw_end(self) -> None:
        turns = self.game.turns
        position = self.game.position
        self._write("")
        upside_down = len(self._people) == 1 and position.turn not in self._people
        play = turns[-1].play if turns else None
        self._draw(position, play=play, upside_down=upside_down, beside=self._last_plays())
        self._write("")

    def _last_plays(self) -> list[str]:
        """The last two turns, the later one below, as lines to stand beside the board."""
        lines = []
        for turn in self.game.turns[-2:]:
            side = turn.before.turn
            if turn.play.moves:
                sentence = f"{self._side_and_verb(side, 'play')} {turn.play}."
            else:
                sentence = f"{self._side_name(side)} cannot move."
            lines += textwrap.wrap(sentence, _PANEL, subsequent_indent="  ", break_on_hyphens=False)
        return lines

    def _list_plays(self, plays: Plays) -> None:
        """Writes all plays with their numbers."""
        for line in self._listed(plays, len(plays), _WIDTH):
            self._write(line)

    def _listed(self, plays: Plays, max_rows: int, width: int) -> list[str]:
        """The first plays with their numbers, in as many columns as fit into a width, and how many more there are."""
        digits = len(str(len(plays)))
        cells = [f"{number:>{digits}} {play}" for number, play in enumerate(plays, 1)]
        cell_width = max(map(len, cells[: 3 * max_rows])) + 2
        columns = max(1, (width + 1) // cell_width)
        listed = cells[: columns * max_rows]
        lines = [
            " " + "".join(f"{cell:<{cell_width}}" for cell in listed[first : first + columns]).rstrip()
            for first in range(0, len(listed), columns)
        ]
        if len(listed) < len(cells):
            lines.append(f" ... and {len(cells) - len(listed):,} more: 'all' shows them.")
        return lines

    def _hint(self, plays: Plays) -> None:
        """Ranks the best plays by what the bot 'pips' compares: the lead in pips, less four for each blot within reach.

        Where no blot can be hit, blots are not spoken of.
        """
        rules = plays.position.rules
        values = weigh(plays.positions, rules=rules)
        for rank, at in enumerate(np.argsort(-values, kind="stable")[:_HINTS].tolist(), 1):
            play = plays[at]
            theirs, ours = play.position.pips
            lead, blots = ours - theirs, (theirs - ours - int(values[at])) // BLOT
            reasons = [f"hits {count(hits, 'blot')}"] if (hits := sum(move.hit for move in play.moves)) else []
            if rules.blots == "hit":
                reasons.append(f"{count(blots, 'own blot')} within reach" if blots else "no own blot within reach")
            reasons.append(f"{count(abs(lead), 'pip')} {'behind' if lead > 0 else 'ahead'}" if lead else "level in pips")
            if rank == 1:
                self._say(f"The bot 'pips' would play {at + 1}: {play}")
            self._say(f" {rank}. {play}: {', '.join(reasons)}.", indent="    ")

    def _help(self) -> None:
        rules = self.game.rules
        moves = " ".join(f"{rules.label(source)}/{rules.label(target)}" for source, target in ((12, 15), (15, 16)))
        waits = f"; {rules.label(0)} is a checker {waiting_place(rules)}" if may_wait(rules) else ""
        lines = {
            "NUMBER": "the play that has this number",
            "PLAY": f"a play as the list writes it: {moves}, its moves in any order{waits}",
        }
        for name, does in (lines | _COMMANDS).items():
            self._say(f"  {name:<10} {does}", indent=" " * 13)


def _command(line: str) -> tuple[str, str]:
    """The command that is typed, and the file behind 'save'; no command if there are words behind any other."""
    word, *more = line.split(None, 1) or [""]
    name, rest = _ALIASES.get(word.lower(), word.lower()), "".join(more)
    return (name, rest) if name == "save" or not rest else ("", rest)
