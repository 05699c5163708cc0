"""The ids are those that GNU Backgammon's own package makes; skipped where that package, under the GPL, is not installed."""

import dataclasses
import random
from pathlib import Path

import pytest
from positions import random_positions

from tabula import BLACK, WHITE
from tabula.notation import MatchState, match_id, matchtext, position_id
from tabula.notation.gnubg import from_match_id, from_position_id
from tabula.rules import OFF

gnubg = pytest.importorskip("gnubg", reason="the gnubg package is not installed")


def board(track: tuple[int, ...]) -> tuple[int, ...]:
    """A side as that package has it: its points 1 to 24, then the bar."""
    return (*(track[OFF - point] for point in range(1, OFF)), track[0])


def test_position_ids_of_2000_positions() -> None:
    for position in random_positions(2000, seed=2):
        theirs = gnubg.positionid((board(position.other), board(position.mover)))
        assert position_id(position) == theirs
        assert from_position_id(theirs, turn=position.turn) == position
        assert gnubg.positionfromid(theirs) == (board(position.other), board(position.mover))


def test_match_ids_of_2000_states() -> None:
    source = random.Random(3)
    player = {WHITE: 1, BLACK: 0, None: -1}
    for _ in range(2000):
        turn = source.choice((WHITE, BLACK))
        cube = 2 ** source.randint(0, 9)
        length = source.randint(1, 25)
        score = (source.randrange(length), source.randrange(length))
        match = MatchState(
            length=length,
            score=score,
            cube=cube,
            owner=source.choice((WHITE, BLACK)) if cube > 1 else None,
            crawford=cube == 1 and (score[0] == length - 1) != (score[1] == length - 1),
        )
        roll = (source.randint(4, 6), source.randint(1, 4))
        scores = score[BLACK], score[WHITE]
        cube_info = gnubg.cubeinfo(cube, player[match.owner], player[turn], length, scores, int(match.crawford), 0)
        theirs = gnubg.matchid(cube_info, gnubg.posinfo(player[turn], 0, 0, 1, roll))
        assert match_id(turn, roll, match) == theirs
        assert from_match_id(theirs) == (turn, roll, match)


FOLDER = Path(__file__).parents[3] / "shared" / "data" / "matches"


def seats_changed(match: MatchState) -> MatchState:
    """The match with white and black changed: that program seats the first player of a file as its player 0, who is black here."""
    sides = {field: None if getattr(match, field) is None else 1 - getattr(match, field) for field in ("owner", "decision")}
    return dataclasses.replace(match, score=match.score[::-1], **sides)


@pytest.mark.skipif(not FOLDER.exists(), reason="the recorded matches are not beside the checkout, and may not be copied into it")
def test_every_decision_of_whole_matches_has_the_ids_that_the_program_shows_there() -> None:
    compared = 0
    for command in ("set automatic game off", "set confirm new off", "set confirm save off"):
        gnubg.command(command)
    for path in sorted(FOLDER.glob("*.txt"))[:5]:
        match = matchtext.read(matchtext.decode(path.read_bytes()))
        gnubg.command(f"import mat {path}")
        records = [len(game["game"]) for game in gnubg.match(0, 0, 0, 0)["games"]]
        gnubg.command("first game")
        for game, length in zip(match.games, records, strict=True):
            ids = []
            for _ in range(length):
                gnubg.command("next")
                ids.append(gnubg.gnubgid())
            # After each record stands the position in which the next decision is made, before its dice.
            for turn, shown in zip(game.turns[1:], ids, strict=False):
                before = turn.before
                ours = f"{position_id(before)}:{match_id(1 - before.turn, None, seats_changed(turn.match))}"
                assert ours == shown
                compared += 1
            gnubg.command("next game")
    assert compared > 1000
