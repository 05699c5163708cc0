"""The 26-letter text of a position: what `repr` shows and files keep. One formatter, one parser.

Letter i is point i in *white's* numbering: ``-`` empty, ``A``..``O`` 1..15 white checkers, ``a``..``o`` 1..15 black ones. White's
waiting checkers stand at the end where white enters (letter 0 where numbering is up, 25 where it is down), black's at the other.
Then ``:w`` or ``:b``, the side to move. Checkers off are what is missing. A backgammon board is letter for letter that of an
XGID.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from tabula.errors import InvalidPositionError, InvalidTextError, quoted, short_repr
from tabula.rules import OFF, TRACK, Rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["TURNS", "parse", "to_text"]

TURNS: Final = "wb"
"""The letters of the sides, white first."""

_EMPTY: Final = "-"
_BASE: Final = ("A", "a")


_Slots: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]


def _letters(rules: Rules) -> _Slots:
    white = tuple(rules.number(index) for index in range(OFF))
    return white, (OFF - white[0], *(rules.number(rules.facing(index)) for index in range(1, OFF)))


_FOUR: Final[Mapping[tuple[str, str], _Slots]] = MappingProxyType(
    {
        (each.direction, each.numbering): _letters(each)
        for each in (
            Rules(),
            Rules(numbering="down"),
            Rules(direction="opposed"),
            Rules(direction="opposed", numbering="down"),
        )
    }
)


def _slots(rules: Rules) -> _Slots:
    """For white and for black, the letter that tells of each track index 0..24: four answers, whatever the rules."""
    return _FOUR[rules.direction, rules.numbering]


def to_text(white: Sequence[int], black: Sequence[int], turn: int, *, rules: Rules) -> str:
    """The text of two legal tracks; `turn` is 0 when white is to move and 1 when black is."""
    letters = [_EMPTY] * TRACK
    for base, slots, track in zip(_BASE, _slots(rules), (white, black), strict=True):
        for index, slot in enumerate(slots):
            if track[index]:
                letters[slot] = chr(ord(base) + track[index] - 1)
    return f"{''.join(letters)}:{TURNS[turn]}"


def parse(text: str, *, rules: Rules) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """White's track, black's track and the side to move that a text says.

    Raises InvalidTextError for what is not such a text, and InvalidPositionError where a side has more checkers than the rules
    give it. The tracks are not otherwise checked: making a `Position` of them is.
    """
    if not isinstance(text, str):
        raise TypeError(f"a position text must be a str, not {short_repr(text)}")
    letters, colon, turn = text.partition(":")
    if not colon:
        raise InvalidTextError(f"a position text ends with ':w' or ':b': {quoted(text)}")
    if turn not in tuple(TURNS):
        raise InvalidTextError(f"the side to move is 'w' or 'b', not {quoted(turn)}")
    if len(letters) != TRACK:
        raise InvalidTextError(f"a position text has {TRACK} letters before the ':', not {len(letters)}: {quoted(text)}")
    tracks = ([0] * TRACK, [0] * TRACK)
    owners = [{slot: index for index, slot in enumerate(slots)} for slots in _slots(rules)]
    for slot, letter in enumerate(letters):
        if letter == _EMPTY:
            continue
        side = 1 if "a" <= letter <= "o" else 0
        if not side and not "A" <= letter <= "O":
            raise InvalidTextError(f"letter {slot} is {letter!r}, and must be '-', 'A'..'O' or 'a'..'o': {quoted(text)}")
        if slot not in owners[side]:
            whose = "white's" if side else "black's"
            raise InvalidTextError(f"letter {slot} is {letter!r}, where only {whose} waiting checkers are told: {quoted(text)}")
        tracks[side][owners[side][slot]] = ord(letter) - ord(_BASE[side]) + 1
    for track, name in zip(tracks, ("white", "black"), strict=True):
        track[OFF] = rules.checkers - sum(track)
        if track[OFF] < 0:
            raise InvalidPositionError(f"{name} has {sum(track[:OFF])} checkers, and these rules give a side {rules.checkers}")
    return tuple(tracks[0]), tuple(tracks[1]), TURNS.index(turn)
