"""A game in the terminal: the answers to what is typed, with bots and people, and how it reads, draws and saves."""

import io
import itertools
import json
import os
import re
import select
import subprocess
import sys

import numpy as np
import pytest

from tabula import BACKGAMMON, BLACK, NARDE, TABULA, WHITE, Position, bots, cli, dice
from tabula.cli.terminal_game import TerminalGame
from tabula.game import Game
from tabula.notation import matchtext, replay
from tabula.render import svg
from tabula.render.text import board
from tabula.rules import PRESETS

LAST_MOVES = Position.from_tracks([0] * 24 + [1, 14], [0] * 10 + [2] + [0] * 14 + [13], rules=TABULA)
"""White's last checker is on 24, and any 1 bears it off."""

SHUT_OUT = Position.from_text("b-----B-----------------A-:b", rules=BACKGAMMON)
"""Black's two last checkers wait, and a 6 does not let them in."""


class Sat:
    """A game in the terminal with all that was written, line by line, and what was typed and drawn."""

    def __init__(self, lines, rules=TABULA, people=(WHITE,), bot="pips", seed=1, **more):
        self.lines, self.said, self.drawn, self.saved, self.prompts = iter(lines), [], [], {}, []
        self.terminal_game = TerminalGame(
            rules,
            people=people,
            bot=bot,
            seed=seed,
            ask=self.ask,
            write=self.said.append,
            draw=self.draw,
            save=self.save,
            **more,
        )
        self.terminal_game.play()
        assert max(map(len, self.said)) <= 80
        assert not any("\n" in line for line in self.said)

    def ask(self, prompt):
        self.prompts.append(prompt)
        for line in self.lines:
            return line
        raise EOFError

    def draw(self, position, beside=(), **more):
        self.drawn.append((position, more))
        assert max(map(len, beside), default=0) <= 37
        assert len(beside) <= 17
        self.said += beside

    def save(self, game, file):
        if file == "bad":
            raise ValueError("no such name")
        if file == "full":
            raise OSError(28, "No space left on device")
        self.saved[file] = len(game.turns)

    @property
    def text(self):
        return " ".join(" ".join(self.said).split())

    @property
    def game(self):
        return self.terminal_game.game


# ---------------------------------------------------------------------------------------------------------------------- a game


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_the_first_play_again_and_again_comes_to_the_end_of_a_game(rules, seed):
    sat = Sat(itertools.chain(["1"] * 3000), rules, seed=seed, bot="random")
    outcome = sat.game.outcome
    assert outcome is not None
    who = "You win" if outcome.winner == WHITE else "The bot wins"
    assert f"{who} {outcome.points} point{'s' if outcome.points > 1 else ''}." in sat.said
    for turn in sat.game.turns:
        plays = turn.before.plays(turn.roll)
        assert turn.play in plays
        if turn.before.turn == WHITE:
            assert turn.play == plays[0]


def test_the_game_is_opened_as_its_rules_say():
    for seed in range(8):
        turn, roll = dice.opening(np.random.default_rng((seed, 0)), BACKGAMMON)
        sat = Sat([], BACKGAMMON, seed=seed)
        first = f"{'You throw' if turn == WHITE else 'The bot throws'}"
        assert sat.said[2:3] or sat.said
        assert f"{first} the higher die and begin{'' if turn == WHITE else 's'}." in sat.text
        assert f"{first} {dice.to_text(roll)}" in sat.text
    starts = {Sat([], seed=seed).game.start.turn for seed in range(8)}
    assert starts == {WHITE, BLACK}


def test_a_play_is_chosen_by_its_number_or_by_its_notation():
    by_number = Sat(["3"], BACKGAMMON, seed=3)
    play = next(turn.play for turn in by_number.game.turns if turn.before.turn == WHITE)
    assert play == play.origin.plays(play.roll)[2]
    backwards = ", ".join(reversed(str(play).split()))
    for text in (str(play), backwards, f"  {play} "):
        assert Sat([text], BACKGAMMON, seed=3).game.turns == by_number.game.turns
    assert f"You play {play}." in by_number.said


def listed(said):
    """The numbered plays among what was said."""
    pieces = [piece for line in said for piece in re.split(" {2,}", line.strip())]
    found = [re.fullmatch(r"(\d+) ((?:bar|\d+)/.*)", piece) for piece in pieces]
    return [(int(match[1]), match[2]) for match in found if match]


def test_all_plays_are_listed_with_their_numbers():
    sat = Sat([], BACKGAMMON, seed=3)
    assert sat.game.rolled is not None
    assert listed(sat.said) == [(number, str(play)) for number, play in enumerate(sat.game.plays, 1)]


def test_many_plays_are_shown_when_they_are_asked_for():
    crowded = Position.from_tracks([0, 2, 2, 2, 2, 2, 2, 2, 1] + [0] * 17, [15] + [0] * 25, rules=TABULA)
    plays = [(number, str(play)) for number, play in enumerate(crowded.plays("641"), 1)]
    sat = Sat([], start=crowded, roll=(6, 4, 1))
    shown = listed(sat.said)
    assert f"You throw 6-4-1: {len(plays)} plays." in sat.said
    assert 0 < len(shown) < len(plays) > 50
    assert shown == plays[: len(shown)]
    assert f" ... and {len(plays) - len(shown)} more: 'all' shows them." in sat.said
    assert listed(Sat(["all"], start=crowded, roll=(6, 4, 1)).said) == shown + plays


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "Type the number of a play, or the play as it is written there, or 'help'."),
        ("0", "The plays are numbered 1 to 17, and '0' is none of them."),
        ("18", "The plays are numbered 1 to 17, and '18' is none of them."),
        ("9" * 5000, "The plays are numbered 1 to 17, and '999"),
        ("-3", "a point, bar or off must stand here, not '-' (character 1 of '-3')."),
        ("chess", "'chess' is no play, and none of the commands: all, board, hint, undo, save, help, quit."),
        ("undo it", "'undo it' is no play, and none of the commands"),
        ("24/18 13/11", "'24/18 13/11': 24/18 needs a 6, and the roll is 4-3."),
        ("24/20", "24/20 plays 1 die of 4-3, and 2 can be played."),
        ("bar/21 6/3", "no checker"),
        ("8/5 6/", "a point, bar or off must stand here, not the end"),
        ("8/5;6/2", "a move is followed by a space, not by ';'"),
        ("\x00\udcff", "must stand here, not '\\x00'"),
        ("x" * 100_000, "'... is no play, and none of"),
        ("undo", "There is no play of yours to take back."),
        ("save", "'save' is followed by the name of a file: save game.txt"),
        ("save bad", "Not saved: no such name"),
        ("save full", "Not saved: No space left on device: 'full'"),
    ],
)
def test_a_bad_line_gets_a_reason_and_another_try(line, reason):
    before = Sat([], BACKGAMMON, seed=5)
    assert len(before.game.plays) == 17
    sat = Sat([line], BACKGAMMON, seed=5)
    said = " ".join(" ".join(sat.said[len(before.said) - 2 :]).split())
    assert reason in said
    assert len(sat.prompts) == 2
    assert sat.game.turns == before.game.turns
    after = Sat([line, "2"], BACKGAMMON, seed=5)
    assert after.game.turns[: len(before.game.turns) + 1] == Sat(["2"], BACKGAMMON, seed=5).game.turns[: len(before.game.turns) + 1]


def test_a_number_is_refused_in_words_of_its_own_where_there_is_one_play():
    sat = Sat(["2", "1"], start=LAST_MOVES, roll=(6, 5, 1))
    assert "There is play 1 alone, and '2' is not its number." in sat.said
    assert sat.game.outcome is not None


def test_the_hint_is_what_the_pips_bot_plays():
    sat = Sat(["hint"], BACKGAMMON, seed=5, bot="random")
    play = bots.pips_and_blots(sat.game.plays)
    assert f"The bot 'pips' would play {sat.game.plays.index(play) + 1}: {play}" in sat.said
    assert sat.game.turns == Sat([], BACKGAMMON, seed=5, bot="random").game.turns


def test_a_hint_ranks_three_plays_each_with_what_the_bot_compares():
    sat = Sat(["hint"], BACKGAMMON, seed=5, bot="random")
    plays = sat.game.plays
    values = bots.weigh(plays.positions, rules=BACKGAMMON)
    ranked = sorted(range(len(plays)), key=lambda at: -values[at])[:3]
    hints = " ".join(sat.said[sat.said.index(f"The bot 'pips' would play {ranked[0] + 1}: {plays[ranked[0]]}") + 1 :])
    for rank, at in enumerate(ranked, 1):
        reason = re.search(rf" {rank}\. {re.escape(str(plays[at]))}: ([^.]*)\.", re.sub(" +", " ", f" {hints}"))[1]
        lead = int(re.search(r"(\d+) pip", reason)[1]) * (1 if "ahead" in reason else -1) if "pip" in reason.split(",")[-1] else 0
        blots = re.search(r"(\d+) own blot", reason)
        assert lead - bots.BLOT * (int(blots[1]) if blots else 0) == values[at]
        assert ("hits" in reason) == any(move.hit for move in plays[at].moves)


def test_enter_plays_a_forced_play_and_no_other():
    sat = Sat([""], start=LAST_MOVES, roll=(6, 5, 1))
    assert "Enter plays it." in sat.said
    assert sat.game.outcome is not None
    choice = Sat([""], BACKGAMMON, seed=5)
    assert "Enter plays it." not in choice.said
    assert choice.game.turns == Sat([], BACKGAMMON, seed=5).game.turns


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_board_last_plays_and_choices_fit_a_screen_of_24_lines(capsys, monkeypatch, rules):
    name = next(name for name, preset in PRESETS.items() if preset is rules)
    for seed in range(3):
        _, out, _ = run(capsys, monkeypatch, "1\n" * 40, "--game", name, "--seed", str(seed))
        lines = out.splitlines()
        assert max(map(len, lines)) <= 80
        tops = [at for at, line in enumerate(lines) if line.startswith(("  12 11", "  13 14"))]
        tops = [at for at in tops if lines[at + 1].startswith("+")]
        assert tops
        for at in tops:
            prompt = next((more for more in range(at, len(lines)) if lines[more].startswith("> ")), None)
            if prompt is None or any("has won" in line for line in lines[at:prompt]):
                continue
            assert prompt - at < 24
            beside = " ".join(line[41:].strip() for line in lines[at:prompt])
            assert re.search(r"You throw [\d-]+: \d+ plays?\.", beside)
            assert beside.count("The bot ") <= 1


def test_help_tells_every_command():
    told = Sat(["help"]).text
    for word in ("NUMBER", "PLAY", "all", "board", "hint", "undo", "save FILE", "help", "quit"):
        assert word in told
    assert Sat(["?"]).said == Sat(["HELP"]).said


def test_the_board_is_shown_again_when_it_is_asked_for():
    sat = Sat(["board"])
    assert len(sat.drawn) == 2
    assert sat.drawn[0] == sat.drawn[1] == (sat.game.position, {"roll": sat.game.rolled})


@pytest.mark.parametrize("line", ["quit", "q", "exit", "Quit"])
def test_quitting_leaves_the_game(line):
    sat = Sat(["1", line, "1"])
    mine = [turn for turn in sat.game.turns if turn.before.turn == WHITE]
    assert len(mine) == 1
    assert sat.said[-1] == f"The game is left after {len(sat.game.turns)} turns."


def test_the_end_of_input_leaves_the_game():
    sat = Sat([])
    turns = len(sat.game.turns)
    assert sat.said[-2:] == ["", f"The game is left after {turns} turn{'' if turns == 1 else 's'}."]


# ------------------------------------------------------------------------------------------------------------------------- undo


@pytest.mark.parametrize("bot", bots.BOTS)
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_undo_goes_back_to_the_last_choice_and_rolls_nothing_again(rules, bot):
    begun = next(["1"] * many for many in range(1, 50) if len(Sat(["1"] * many, rules, seed=2, bot=bot).game.plays) > 1)
    straight = Sat([*begun, *["1"] * 4], rules, seed=2, bot=bot)
    wandering = Sat([*begun, "2", "undo", "1", "1", "1", "undo", "undo", "1", "1", "1"], rules, seed=2, bot=bot)
    assert wandering.game.turns == straight.game.turns
    assert wandering.game.rolled == straight.game.rolled


def test_the_dice_do_not_depend_on_what_is_played():
    one, two = (Sat([number] * 5, BACKGAMMON, seed=4, bot="random") for number in ("1", "2"))
    assert one.game.turns != two.game.turns
    assert all(a.roll == b.roll for a, b in zip(one.game.turns, two.game.turns, strict=False))


def test_undo_says_what_it_takes_back():
    sat = Sat(["1", "undo"], BACKGAMMON, seed=5)
    play = next(line for line in sat.said if line.startswith("You play "))[9:-1]
    assert f"Taken back: {play}, and what followed." in sat.said
    assert sat.game.turns == Sat([], BACKGAMMON, seed=5).game.turns
    assert "There is no play of yours to take back." in Sat(["1", "undo", "undo"], BACKGAMMON, seed=5).said


def test_the_end_can_be_taken_back_saved_and_left():
    turns = [str(turn.play) for turn in Sat(["1"], start=LAST_MOVES, roll=(6, 5, 1)).game.turns]
    assert turns == ["24/off"]
    sat = Sat(["24/off", "1", "save me.txt", "board", "undo", "24/off", "quit"], start=LAST_MOVES, roll=(6, 5, 1))
    assert sat.saved == {"me.txt": 1}
    assert sat.said.count("You win 1 point.") == 2
    assert "The game is over: board, undo, save FILE, help or quit." in sat.said
    assert "Taken back: 24/off." in sat.said
    assert sat.game.outcome == (WHITE, 1)
    assert "You win 1 point." in sat.said[-1]


def test_the_end_is_drawn_from_where_the_person_sits():
    sat = Sat(["24/off"], start=LAST_MOVES, roll=(6, 5, 1))
    position, how = sat.drawn[-1]
    assert (position.turn, how["upside_down"], str(how["play"])) == (BLACK, True, "24/off")
    theirs = Sat([], start=LAST_MOVES, roll=(6, 5, 1), people=(BLACK,))
    assert (theirs.drawn[-1][0].turn, theirs.drawn[-1][1]["upside_down"]) == (BLACK, False)
    assert "The bot wins 1 point." in theirs.said


# ----------------------------------------------------------------------------------------------------------- passes, bots, people


def test_a_pass_is_told_and_made():
    sat = Sat([], BACKGAMMON, start=SHUT_OUT, roll=(6, 6), people=(BLACK,))
    assert sat.game.turns[0].play.moves == ()
    assert "You throw 6-6 and cannot move." in sat.said
    assert "The bot throws 6-6 and cannot move." in Sat([], BACKGAMMON, start=SHUT_OUT, roll=(6, 6)).said


def test_a_forced_pass_is_no_choice_that_undo_goes_back_to():
    sat = Sat(["undo", "1"], BACKGAMMON, start=SHUT_OUT, roll=(6, 6), seed=2, people=(BLACK,))
    assert len(sat.prompts) >= 2
    assert "There is no play of yours to take back." in sat.said
    assert sat.game.turns[0].play.moves == ()


def test_two_people_are_asked_in_turn():
    sat = Sat(["1", "1", "1"], people=(WHITE, BLACK), seed=3)
    sides = ["White" if turn.before.turn == WHITE else "Black" for turn in sat.game.turns if turn.play.moves]
    assert sat.prompts[:3] == [f"{side}> " for side in sides[:3]]
    assert f"{sides[0]} plays {sat.game.turns[0].play}." in sat.said
    assert "People play white (O) and black (X)." in sat.text


@pytest.mark.parametrize("bot", bots.BOTS)
def test_bots_play_by_themselves(bot):
    sat = Sat([], people=(), bot=bot, seed=6)
    assert sat.game.outcome is not None
    assert not sat.prompts
    assert len(sat.drawn) == 1
    for number, turn in enumerate(sat.game.turns):
        if turn.play.moves:
            plays = turn.before.plays(turn.roll)
            assert turn.play == bots.BOTS[bot](plays, np.random.default_rng((6, 1, number)))
            assert (
                f"{'White' if turn.before.turn == WHITE else 'Black'} throws {dice.to_text(turn.roll)} and plays {turn.play}."
                in sat.text
            )


# ------------------------------------------------------------------------------------------------------------------ the command


def run(capsys, monkeypatch, typed, *argv):
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    code = cli.main(["game", *argv])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_script_plays_a_game_that_is_saved_and_replayed(capsys, monkeypatch, tmp_path):
    for name, rules in PRESETS.items():
        for side in ("white", "black", "both", "none"):
            file = tmp_path / f"{name}-{side}.txt"
            code, out, err = run(
                capsys, monkeypatch, "1\n" * 2000, "--game", name, "--seed", "3", "--side", side, "--save", str(file)
            )
            assert (code, err) == (0, "")
            assert max(map(len, out.splitlines())) <= 80
            report = replay([file])
            assert (report.total("games"), report.problems) == (1, ())
            (game,) = matchtext.read(file.read_text(encoding="utf-8"), strict=True).games
            assert game.winner is not None
            assert report.total("plays") == len(game.turns)
            assert (game.turns[0].before.rules, game.turns[-1].after.outcome) == (rules, (game.winner, game.points))


def test_a_typed_save_writes_the_game_so_far_and_nothing_that_was_there(capsys, monkeypatch, tmp_path):
    file, other = tmp_path / "game.txt", tmp_path / "other.txt"
    other.write_text("mine", encoding="utf-8")
    typed = f"1\nsave {other}\nsave {file}\n1\nsave {file}\nsave {tmp_path}/no/game.txt\nsave a\x00b\nquit\n"
    code, out, err = run(capsys, monkeypatch, typed, "--seed", "3", "--game", "backgammon")
    assert (code, err) == (0, "")
    told = " ".join(out.split())
    assert other.read_text(encoding="utf-8") == "mine"
    assert "already: choose another name" in told
    assert told.count("Saved in") == 2
    assert "Not saved: No such file or directory" in told
    assert "Not saved: embedded null byte" in told
    (game,) = matchtext.read(file.read_text(encoding="utf-8"), strict=True).games
    assert (len(game.turns), game.winner) == (4, None)


ZENO = "------G-bABbbabb--bBBb-A--:w"


def test_a_game_that_begins_elsewhere_is_saved_with_its_start_and_goes_on(capsys, monkeypatch, tmp_path):
    file = tmp_path / "game.txt"
    typed = f"1\nsave {file}\n"
    code, out, _ = run(capsys, monkeypatch, typed, "--game", "historic", "--position", f"{ZENO}:256:historic", "--seed", "3")
    assert code == 0
    assert "You throw 6-5-2: 1 play." in out
    assert " 1 10/16 19/24 20/22" in out
    (game,) = matchtext.read(file.read_text(encoding="utf-8"), strict=True).games
    assert game.turns[0].before.to_text() == ZENO
    code, out, _ = run(capsys, monkeypatch, f"1\nsave {file}\n", str(file), "--seed", "3")
    assert code == 0
    assert f"The game goes on after {len(game.turns)} turns." in out
    assert "Saved in" in out
    (longer,) = matchtext.read(file.read_text(encoding="utf-8"), strict=True).games
    assert longer.turns[: len(game.turns)] == game.turns
    assert len(longer.turns) > len(game.turns)


def test_a_game_before_its_first_play_is_saved_too(capsys, monkeypatch, tmp_path):
    file = tmp_path / "game.txt"
    start = Position().to_text()
    assert run(capsys, monkeypatch, "", "--game", "tabula", "--position", start, "--save", str(file))[0] == 0
    assert file.exists()
    code, _, err = run(capsys, monkeypatch, "", str(file))
    assert code == 2
    assert "has no play yet" in err


def test_a_game_goes_on_from_the_file_it_was_saved_in(capsys, monkeypatch, tmp_path):
    for name in PRESETS:
        file = tmp_path / f"{name}.txt"
        run(capsys, monkeypatch, "1\n1\n1\n", "--game", name, "--seed", "4", "--save", str(file))
        before = matchtext.read(file.read_text(encoding="utf-8"), strict=True).games[-1].turns
        code, out, _ = run(capsys, monkeypatch, "undo\n1\n1\n", str(file), "--seed", "4", "--save", str(file))
        assert code == 0
        assert "Taken back: " in out
        after = matchtext.read(file.read_text(encoding="utf-8"), strict=True).games[-1].turns
        assert len(after) > len(before)
        assert after[: len(before) - 2] == before[: len(before) - 2]


def test_a_file_with_nothing_to_go_on_with_is_refused(capsys, monkeypatch, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text(" Game 1\n A : 0      B : 0\n 1) 31: 8/5 6/4\n", encoding="utf-8")
    assert "6/4 needs a 2" in run(capsys, monkeypatch, "", str(file))[2]
    file.write_text("nothing", encoding="utf-8")
    assert run(capsys, monkeypatch, "", str(file))[0] == 2
    assert "not from both" in run(capsys, monkeypatch, "", str(file), "--position", ZENO, "--game", "historic")[2]


def test_the_board_is_drawn_in_the_style_asked_for_and_the_picture_kept(capsys, monkeypatch, tmp_path):
    file = tmp_path / "board.svg"
    for style in ("ascii", "unicode"):
        code, out, _ = run(
            capsys, monkeypatch, "", "--position", f"{Position().to_text()}:652:tabula", "--style", style, "--svg", str(file)
        )
        assert code == 0
        drawn, lines = board(Position(), style=style).splitlines(), out.splitlines()
        first = next(at for at, line in enumerate(lines) if line.startswith(drawn[0]))
        assert [line[:41].rstrip() for line in lines[first : first + 15]] == drawn[:15]
        assert lines[first + 15 : first + 17] == drawn[15:]
        assert f"You play white ({'O' if style == 'ascii' else '○'})" in out
    assert file.read_text(encoding="utf-8") == svg.board(Position(), roll="652") + "\n"


def test_the_game_is_told_as_json_and_the_talk_on_stderr(capsys, monkeypatch):
    code, out, err = run(capsys, monkeypatch, "1\n2\nundo\n1\n", "--json", "--seed", "8", "--side", "black", "--bot", "random")
    told = json.loads(out)
    assert code == 0
    assert "You play" in err
    assert (told["game"], told["seed"], told["people"], told["bot"], told["outcome"]) == ("tabula", 8, ["black"], "random", None)
    game = Game(start=Position.from_text(told["start"], rules=TABULA))
    for turn in told["turns"]:
        assert turn["side"] == ("white", "black")[game.position.turn]
        play = game.position.parse_play(turn["play"], turn["roll"])
        assert [tuple(move.values()) for move in turn["moves"]] == list(play.moves)
        assert game.push(play).to_text() == turn["position"]
    assert told["position"] == game.position.to_text()
    finished = json.loads(run(capsys, monkeypatch, "", "--json", "--seed", "8", "--side", "none")[1])
    assert finished["outcome"]["winner"] in ("white", "black")
    assert (finished["people"], finished["outcome"]["points"]) == ([], 1)


def test_the_seed_is_told_and_plays_the_same_game(capsys, monkeypatch):
    _, out, _ = run(capsys, monkeypatch, "1\n1\n")
    seed = re.search(r"seed (\d+)\.", out)[1]
    assert run(capsys, monkeypatch, "1\n1\n", "--seed", seed)[1] == out


def test_what_is_typed_into_a_pipe_is_told_again(capsys, monkeypatch):
    out = run(capsys, monkeypatch, "hint\r\n" + "y" * 500 + "\n\x1b[31m\n", "--seed", "3")[1].splitlines()
    assert "> hint" in out
    assert "> " + "y" * 75 + "..." in out
    assert "> ?[31m" in out
    assert max(map(len, out)) <= 80


def test_a_pipe_of_any_bytes_is_no_error():
    ended = subprocess.run(
        [sys.executable, "-m", "tabula", "game", "--seed", "3"],
        input=b"\xff\xfe\n\x00\nsave \xff/\xff\n" + bytes(range(128, 256)) + b"\n1",
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"Not saved: No such file or directory" in ended.stdout
    assert b"You play" in ended.stdout


@pytest.mark.skipif(os.name == "nt", reason="descriptors are closed otherwise on Windows")
def test_a_closed_stdin_is_the_end_of_input():
    ended = subprocess.run(
        [sys.executable, "-m", "tabula", "game", "--seed", "3"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: os.close(0),
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.endswith("The game is left after 0 turns.\n")


class Terminal:
    """The program in a terminal of its own."""

    def __init__(self, *argv, **environment):
        import pty

        self.child, self.master = pty.fork()
        if self.child == 0:
            os.environ.update({"TERM": "xterm", "PYTHONIOENCODING": "utf-8", "COLUMNS": "80", "LINES": "24", **environment})
            os.execv(sys.executable, [sys.executable, "-m", "tabula", *argv])
        self.told, self.seen = "", 0

    def until(self, end):
        """Reads until `end` is told, behind what was waited for before."""
        while end not in self.told[self.seen :]:
            try:
                piece = os.read(self.master, 65536)
            except OSError:  # how Linux says that the other end is closed
                piece = b""
            if not piece:
                raise AssertionError(f"{end!r} is not told in {self.told!r}")
            self.told += piece.decode("utf-8", "replace").replace("\r\n", "\n")
        self.seen = self.told.index(end, self.seen) + len(end)

    def type(self, what):
        os.write(self.master, what)

    def ends(self, again=b""):
        """The exit code, once all is read; what is to be typed again is, each second, until then."""
        while True:
            if not select.select([self.master], [], [], 1)[0]:
                self.type(again)
                continue
            try:
                piece = os.read(self.master, 65536)
            except OSError:
                break
            if not piece:
                break
            self.told += piece.decode("utf-8", "replace").replace("\r\n", "\n")
        os.close(self.master)
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


@pytest.mark.skipif(os.name == "nt", reason="there are no such terminals on Windows")
@pytest.mark.parametrize("no_color", ["", "1"])
def test_a_game_in_a_terminal_has_colours_unless_no_color_is_set(no_color):
    terminal = Terminal("game", "--game", "backgammon", "--seed", "5", NO_COLOR=no_color)
    terminal.until("> ")
    terminal.type(b"1\n")
    terminal.until("You play ")
    terminal.until("> ")
    terminal.type(b"\x04")
    assert terminal.ends() == 0
    assert "The game is left after 3 turns." in terminal.told
    assert ("\x1b[31m" in terminal.told) == (not no_color)
    assert "●" in terminal.told
    assert "Traceback" not in terminal.told
    plain = re.sub(r"\x1b\[[?\d;]*[a-zA-Z]", "", terminal.told)
    assert max(map(len, plain.splitlines())) <= 80


@pytest.mark.skipif(os.name == "nt", reason="there are no such terminals on Windows")
def test_an_interrupt_in_a_terminal_ends_the_game_and_keeps_it(tmp_path):
    file = tmp_path / "game.txt"
    terminal = Terminal("game", "--game", "backgammon", "--seed", "5", "--save", str(file))
    terminal.until("> ")
    terminal.type(b"1\n")
    terminal.until("You play ")
    terminal.until("> ")
    terminal.type(b"\x03")
    # One that comes in the moment before Python waits for a key is heard by the next key only, and people press it again.
    assert terminal.ends(again=b"\x03") == 130
    assert terminal.told.rstrip().endswith("tabula: interrupted")
    assert "Traceback" not in terminal.told
    assert replay([file]).total("plays") == 3


def test_long_nardy_has_no_bar_and_no_blots_in_its_sentences() -> None:
    sat = Sat(["hint", "help", "bar/20", "quit"], rules=NARDE)
    assert "pips ahead" in sat.text or "pip ahead" in sat.text or "level in pips" in sat.text or "behind" in sat.text
    assert "blot" not in sat.text
    assert "its moves in any order all" in sat.text
    assert "'bar/20': bar/20 cannot be made: no checker is waiting." in sat.text
    assert "bar" not in board(sat.drawn[0][0])
    assert "bar is a checker on the bar" in Sat(["help", "quit"], rules=BACKGAMMON).text
