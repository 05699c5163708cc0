"""FIBS board lines: what the First Internet Backgammon Server and its kin send for a board in style 3.

The fields are those of the server's own help on ``rawboard``. O is white here, X is black; "you" may be either, and may play either
way round.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabula._native.position import Position
from tabula.errors import InvalidTextError, invalid_text, quoted, short_repr
from tabula.notation.match_state import MAX_LENGTH, MatchState, Reading
from tabula.rules import BACKGAMMON, BLACK, OFF, WHITE

if TYPE_CHECKING:
    from tabula.dice import Roll

__all__ = ["looks_like_fibs", "read_fibs"]

_TAG: Final = "board:"
"""What such a line starts with."""

_NAMES: Final = (
    *("tag", "you", "opponent", "match length", "your score", "opponent's score"),
    *(f"board {slot}" for slot in range(OFF + 1)),
    *("turn", "your die 1", "your die 2", "opponent's die 1", "opponent's die 2", "cube", "you may double", "opponent may double"),
    *("was doubled", "colour", "direction", "home", "bar", "your home", "opponent's home", "your bar", "opponent's bar"),
    *("can move", "forced", "did Crawford", "redoubles"),
)
_NUMBER: Final = re.compile(r"-?[0-9]{1,6}", re.ASCII)
_UNLIMITED: Final = 9999
_MAX_NUMBER: Final = 999_999
_RANGES: Final = {
    **{f"board {slot}": (-15, 15) for slot in range(OFF + 1)},
    **{f"{whose} die {which}": (0, 6) for whose in ("your", "opponent's") for which in (1, 2)},
    **{f"{whose} {where}": (0, 15) for whose in ("your", "opponent's") for where in ("home", "bar")},
    **dict.fromkeys(("you may double", "opponent may double", "was doubled"), (0, 1)),
    **dict.fromkeys(("turn", "colour", "direction"), (-1, 1)),
    "your score": (0, MAX_LENGTH),
    "opponent's score": (0, MAX_LENGTH),
    "match length": (0, _MAX_NUMBER),
    "cube": (1, 2**15),
    "home": (0, OFF),
    "bar": (0, OFF),
}
"""The range of a field. The last four, which the server's help asks clients not to use, may be any number."""


def looks_like_fibs(text: str) -> bool:
    """Whether a text starts as a FIBS board line does.

    >>> looks_like_fibs("board:You:Other:3"), looks_like_fibs("4HPwATDgc/ABMA")
    (True, False)
    """
    return text.startswith(_TAG)


def read_fibs(text: str) -> Reading:
    """The position in a FIBS board line, the roll of the side on roll, cube, score and names.

    InvalidTextError for what is no such line, naming the field, and for a game that is over; InvalidPositionError for checkers that
    cannot stand so.

    >>> board = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    >>> reading = read_fibs(f"board:You:Other:3:0:1:{board}:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0")
    >>> reading.position.to_text(), reading.roll, reading.match.players
    ('-b----E-C---eE---c-e----B-:w', (6, 2), ('You', 'Other'))
    """
    if not isinstance(text, str):
        raise TypeError(f"a FIBS board line must be a str, not {short_repr(text)}")
    line = _Line(text)
    colour, direction, turn = line["colour"], line["direction"], line["turn"]
    for name in ("colour", "direction"):
        if line[name] == 0:
            raise line.wrong(name, "1 or -1")
    if turn == 0:
        raise line.wrong("turn", "1 or -1 while the game goes on")
    if line["bar"] != (OFF if direction == -1 else 0) or line["home"] != OFF - line["bar"]:
        raise line.wrong("home", "0 with the bar at 25 for the direction -1, and 25 with the bar at 0 for 1")
    you = WHITE if colour == 1 else BLACK
    tracks = {you: line.track("your", colour, direction), 1 - you: line.track("opponent's", -colour, -direction)}
    on_roll = WHITE if turn == 1 else BLACK
    return Reading(
        Position.from_tracks(tracks[on_roll], tracks[1 - on_roll], rules=BACKGAMMON, turn=on_roll),
        line.roll("your" if on_roll == you else "opponent's"),
        _match(line, you),
        text,
    )


class _Line:
    """The fields of one line, by name: numbers checked for their range."""

    def __init__(self, text: str) -> None:
        fields = text.split(":", len(_NAMES))
        if len(fields) != len(_NAMES) or fields[0] != _TAG[:-1]:
            count = f"more than {len(_NAMES)}" if len(fields) > len(_NAMES) else len(fields)
            raise invalid_text(f"a FIBS board line starts with {_TAG!r} and has {len(_NAMES)} fields, not {count}", text, 0)
        self._text = text
        self._fields = dict(zip(_NAMES, fields, strict=True))
        self._starts: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        start = 0
        for name, field in self._fields.items():
            self._starts[name] = start
            start += len(field) + 1
        self.players = fields[1], fields[2]
        for name, field in list(self._fields.items())[3:]:
            low, high = _RANGES.get(name, (-_MAX_NUMBER, _MAX_NUMBER))
            if not _NUMBER.fullmatch(field) or not low <= int(field) <= high:
                raise self.wrong(name, f"{low} to {high}")
            self._numbers[name] = int(field)

    def __getitem__(self, name: str) -> int:
        return self._numbers[name]

    def wrong(self, name: str, right: str) -> InvalidTextError:
        """The error of a field that must be as `right` says."""
        field = self._fields[name]
        space = ", which has a space in it" if field != field.strip() else ""
        sentence = f"the field '{name}' of a FIBS board line is {right}, not {quoted(field)}{space}"
        return invalid_text(sentence, self._text, self._starts[name])

    def track(self, whose: str, sign: int, direction: int) -> list[int]:
        """One player's track: his checkers have this sign; he travels from 24 to 1 for the direction -1, from 1 to 24 for 1."""
        track = [0] * (OFF + 1)
        for point in range(1, OFF):
            track[OFF - point if direction == -1 else point] = max(0, sign * self[f"board {point}"])
        slot = OFF if direction == -1 else 0
        track[0] = self[f"{whose} bar"]
        if sign * self[f"board {slot}"] not in (0, track[0]):
            raise self.wrong(f"board {slot}", f"0 or as many as in the field '{whose} bar', {track[0]}")
        if sum(track) > BACKGAMMON.checkers:
            raise self.wrong(
                f"{whose} home", f"what is left of {BACKGAMMON.checkers} checkers, while {sum(track)} are on the board"
            )
        track[OFF] = BACKGAMMON.checkers - sum(track)
        if self[f"{whose} home"] != track[OFF]:
            raise self.wrong(f"{whose} home", f"what is left of {BACKGAMMON.checkers} checkers, {track[OFF]}")
        return track

    def roll(self, whose: str) -> Roll | None:
        """The dice of the side on roll, None while they are not thrown."""
        first, second = self[f"{whose} die 1"], self[f"{whose} die 2"]
        if (first == 0) != (second == 0):
            raise self.wrong(f"{whose} die 1", "0 exactly when the other die is")
        return (max(first, second), min(first, second)) if first else None


def _match(line: _Line, you: int) -> MatchState:
    """The match of the position. If one player alone may double, the cube is that player's.

    As GNU Backgammon has it: while somebody is a point away and neither of the last two fields is set, this is the Crawford game,
    whatever the flags say; and before the dice are thrown, two flags of 0 are a double that waits for an answer.
    """
    length = line["match length"]
    if length >= _UNLIMITED:
        length = 0
    mine, theirs = line["your score"], line["opponent's score"]
    cube = line["cube"]
    if cube & (cube - 1):
        raise line.wrong("cube", "a power of two")
    may, other_may = line["you may double"], line["opponent may double"]
    owner = None if cube == 1 or may == other_may else you if may else 1 - you
    names = line.players
    crawford = bool(length) and length - 1 in (mine, theirs) and not (line["did Crawford"] or line["redoubles"])
    thrown = any(line[f"{whose} die 1"] for whose in ("your", "opponent's"))
    return MatchState(
        length=length,
        score=(mine, theirs) if you == WHITE else (theirs, mine),
        cube=cube,
        owner=owner,
        crawford=crawford,
        offer="double" if line["was doubled"] or not (may or other_may or crawford or thrown) else None,
        players=names if you == WHITE else (names[1], names[0]),
    )
