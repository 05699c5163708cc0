"""The command line: what it prints, what it refuses, how it ends."""

import importlib
import io
import json
import os
import pkgutil
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import ClassVar

import pytest

import tabula
from tabula import BACKGAMMON, TABULA, TABULA_HISTORIC, Position, cli
from tabula.counting import published
from tabula.games import PerftValue
from tabula.notation import convert, matchtext, replay
from tabula.render import html, svg
from tabula.render.text import board

ZENO = "------G-bABbbabb--bBBb-A--:w"
BACKGAMMON_START = "-b----E-C---eE---c-e----B-:w"
BACKGAMMON_IDS = "4HPwATDgc/ABMA:cAkAAAAAAAAA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"


def run(capsys, *argv):
    code = cli.main(argv)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def process(*argv, **options):
    return subprocess.Popen([sys.executable, "-m", "tabula", *argv], stderr=subprocess.PIPE, text=True, **options)


# ------------------------------------------------------------------------------------------------------------------------ perft


def test_perft_prints_a_line_a_ply_and_marks_what_is_published(capsys):
    code, out, err = run(capsys, "perft", "2")
    head, columns, *plies = out.splitlines()
    assert (code, err) == (0, "")
    assert head == "perft of tabula from O------------------------o:w"
    assert columns.split() == ["depth", "leaves", "seconds", "leaves/s"]
    assert [line.split()[:2] for line in plies] == [["1", "222"], ["2", "59,085"]]
    assert all(line.endswith("as published") for line in plies)


def test_perft_goes_three_plies_deep_if_it_is_not_told_how_far(capsys):
    code, out, _ = run(capsys, "perft", "--game", "historic")
    last = out.splitlines()[-1]
    assert code == 0
    assert last.split()[:2] == ["3", "175,616"]
    assert last.endswith("as published")


def test_perft_marks_nothing_where_nothing_is_published(capsys):
    code, out, _ = run(capsys, "perft", "1", "--game", "historic", "--position", ZENO)
    assert code == 0
    assert "published" not in out


def test_divide_shows_the_leaves_below_each_first_roll(capsys):
    code, out, _ = run(capsys, "perft", "2", "--divide", "--game", "backgammon")
    lines = [line.split() for line in out.splitlines()[4:]]
    assert code == 0
    assert {roll: int(leaves.replace(",", "")) for roll, leaves in lines} == {
        "-".join(map(str, roll)): leaves for roll, leaves in tabula.divide(Position(BACKGAMMON), 2).items()
    }


@pytest.mark.parametrize(
    "options", [("--threads", "2"), ("--merge",), ("--merge", "--threads", "3"), ("--divide", "--threads", "2")]
)
def test_threads_and_merging_change_no_number(capsys, options):
    code, out, err = run(capsys, "perft", "3", *options)
    assert (code, err) == (0, "")
    assert "44,094,841" in next(line for line in out.splitlines() if line.endswith("as published") and line.split()[0] == "3")


def test_a_checkpoint_is_of_the_depth_asked_for_alone_and_another_question_is_refused(capsys, tmp_path):
    file = str(tmp_path / "three")
    for options in ((), ("--divide",)):
        code, out, err = run(capsys, "perft", "3", "--checkpoint", file, *options)
        assert (code, err) == (0, "")
        assert out.splitlines()[2].split()[:2] == ["3", "44,094,841"]
        assert len(out.splitlines()) == 3 + 56 * len(options)
    code, out, err = run(capsys, "perft", "2", "--checkpoint", file)
    assert code == 2
    assert err == f"tabula: {file} is the checkpoint of another question: its depth is 3, and here it is 2\n"
    code, _, err = run(capsys, "playouts", "--seed", "1", "--checkpoint", file)
    assert code == 2
    assert err == f"tabula: {file} is the checkpoint of another question: its kind is 'perft', and here it is 'playouts'\n"


def test_processes_and_a_checkpoint_change_no_game(capsys, tmp_path):
    asked = ["playouts", "--games", "5000", "--seed", "4"]
    expected = run(capsys, *asked)
    for _ in range(2):
        assert run(capsys, *asked, "--processes", "2", "--checkpoint", str(tmp_path / "games")) == expected


def test_merging_is_not_divided(capsys):
    code, out, err = run(capsys, "perft", "2", "--merge", "--divide")
    assert (code, out) == (2, "")
    assert err == "tabula: --divide splits what --merge puts together: use one of them\n"


def test_a_mismatch_prints_a_divide_and_fails(capsys, monkeypatch):
    monkeypatch.setattr(cli.perft, "published", lambda _: {1: PerftValue(222, "a test"), 2: PerftValue(59086, "a test")})
    code, out, err = run(capsys, "perft", "3")
    plies = out.splitlines()[2:]
    assert code == 1
    assert plies[0].endswith("as published")
    assert not plies[1].endswith("as published")
    assert len(plies) == 2 + 56
    assert err == "tabula: depth 2 has 59,086 leaves as published, not 59,085\n"


def test_a_finished_game_has_no_leaves(capsys):
    code, out, _ = run(capsys, "perft", "1", "--position", "tabula:-------------------------o:b")
    assert code == 0
    assert out.splitlines()[2].split()[:2] == ["1", "0"]


def test_progress_is_for_terminals_alone(capsys, monkeypatch):
    # An object that has no tqdm in it: whoever asked for one would fail.
    monkeypatch.setitem(sys.modules, "tqdm", object())
    code, _, err = run(capsys, "perft", "3", "--game", "historic")
    assert (code, err) == (0, "")


def test_progress_is_told_to_the_end_on_a_terminal(monkeypatch):
    class Terminal:
        def isatty(self):
            return True

    class Bar:
        made: ClassVar = []

        def __init__(self, *, desc, total, **_):
            self.desc, self.total, self.n = desc, total, 0
            self.made.append(self)

        def reset(self, total):
            self.total = total

        def update(self, more):
            self.n += more

        def close(self):
            self.closed = True

    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setitem(sys.modules, "tqdm", type("tqdm", (), {"tqdm": Bar}))
    assert cli.main(["perft", "3", "--game", "historic"]) == 0
    assert [(bar.desc, bar.n, bar.total, bar.closed) for bar in Bar.made] == [("depth 3", 56, 56, True)]


def test_tqdm_need_not_be_there(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert cli.main(["perft", "3", "--game", "historic"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("as published")


# ---------------------------------------------------------------------------------------------------------------- plays and show


def test_plays_lists_each_play_with_the_position_it_comes_to(capsys):
    code, out, err = run(capsys, "plays", "256", "--game", "historic", "--position", ZENO)
    assert (code, err) == (0, "")
    after = Position.from_text(ZENO, rules=TABULA_HISTORIC).plays("256")[0].position
    assert out.splitlines() == ["1 play of 6-5-2:", f"  10/16 19/24 20/22  {after.to_text()}"]


@pytest.mark.parametrize("roll", [["652"], ["6-5-2"], ["2", "6", "5"]])
def test_a_roll_may_be_written_in_three_ways(capsys, roll):
    code, out, _ = run(capsys, "plays", *roll)
    assert code == 0
    assert out.startswith("4 plays of 6-5-2:\n")


def test_a_pass_is_one_play(capsys):
    blocked = "b-----B-----------------A-:b"
    code, out, _ = run(capsys, "plays", "66", "--game", "backgammon", "--position", blocked)
    assert code == 0
    assert out.splitlines()[0] == "1 play of 6-6:"
    assert out.splitlines()[1].split()[0] == "pass"


def test_a_finished_game_has_no_plays(capsys):
    code, out, _ = run(capsys, "plays", "652", "--position", "tabula:-------------------------o:b")
    assert (code, out) == (0, "0 plays: the game is over\n")


def test_show_draws_the_position_and_says_its_text(capsys):
    code, out, _ = run(capsys, "show", "--game", "backgammon")
    assert code == 0
    assert str(Position(BACKGAMMON)) in out
    assert out.splitlines()[-1] == f"{BACKGAMMON_START}  (backgammon)"


@pytest.mark.parametrize("form", [["--position", BACKGAMMON_START], [f"--position={BACKGAMMON_START}"]])
def test_a_position_may_start_with_a_hyphen(capsys, form):
    assert run(capsys, "show", "--game", "backgammon", *form) == run(capsys, "show", "--game", "backgammon")


def test_show_takes_every_position_text(capsys):
    for form in (
        [BACKGAMMON_START, "--game", "backgammon"],
        [BACKGAMMON_IDS],
        ["--position", BACKGAMMON_IDS],
        [f"{BACKGAMMON_START}::backgammon"],
    ):
        code, out, err = run(capsys, "show", *form)
        assert (code, err) == (0, "")
        assert out.startswith(str(Position(BACKGAMMON)))
    assert run(capsys, "show", XGID)[1].splitlines()[-1] == f"{BACKGAMMON_START}  (backgammon, 3-1 to play)"
    assert run(capsys, "show", "tabula:O------------------------o:w")[1] == run(capsys, "show")[1]


def test_show_draws_in_either_style_and_either_way_up(capsys):
    position = Position.from_text(ZENO, rules=TABULA_HISTORIC)
    argv = ("show", ZENO, "--game", "historic")
    assert run(capsys, *argv)[1].startswith(board(position, style="ascii") + "\n")
    assert run(capsys, *argv, "--style", "unicode", "--upside-down")[1].startswith(
        board(position, style="unicode", upside_down=True) + "\n"
    )


def test_a_stream_that_has_no_such_signs_gets_ascii_or_a_refusal():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    with process("show", "--style", "unicode", stdout=subprocess.PIPE, env=environment) as running:
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (2, "")
    assert err == "tabula: the style cannot be unicode: ascii has no code for its signs\n"


@pytest.mark.skipif(os.name == "nt", reason="there are no such terminals on Windows")
@pytest.mark.parametrize(("no_color", "colour"), [(None, True), ("", True), ("1", False)])
def test_a_terminal_gets_signs_and_colours_unless_no_color_is_set(no_color, colour):
    import pty

    environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    environment.pop("NO_COLOR", None)
    if no_color is not None:
        environment["NO_COLOR"] = no_color
    master, slave = pty.openpty()
    with process("show", "--game", "backgammon", stdout=slave, env=environment) as running:
        os.close(slave)
        told = b""
        try:
            while piece := os.read(master, 65536):
                told += piece
        except OSError:  # how Linux says that the other end is closed
            pass
        running.communicate(timeout=60)
    os.close(master)
    out = told.decode().replace("\r\n", "\n")
    assert running.returncode == 0
    assert out.startswith(board(Position(BACKGAMMON), style="unicode", colour=colour) + "\n")
    assert ("\x1b" in out) == colour
    assert max(len(re.sub(r"\x1b\[\d*m", "", line)) for line in out.splitlines()) <= 80


def test_show_writes_the_picture(capsys, tmp_path):
    file = tmp_path / "board.svg"
    code, out, err = run(capsys, "show", XGID, "--svg", str(file))
    assert (code, err) == (0, "")
    assert out == run(capsys, "show", XGID)[1]
    assert file.read_text(encoding="utf-8") == svg.board(Position(BACKGAMMON), roll="31") + "\n"
    assert run(capsys, "show", "tabula:-------------------------o:b", "--svg", str(file))[0] == 0
    assert file.read_text(encoding="utf-8") == svg.board(Position.from_text("-------------------------o:b", rules=TABULA)) + "\n"


def test_plays_takes_the_roll_from_the_position_unless_another_is_given(capsys):
    assert run(capsys, "plays", "--position", XGID) == run(capsys, "plays", "31", "--game", "backgammon")
    assert run(capsys, "plays", "62", "--position", XGID) == run(capsys, "plays", "62", "--game", "backgammon")


def test_plays_shows_one_play_alone(capsys, tmp_path):
    file = tmp_path / "play.svg"
    code, out, err = run(capsys, "plays", "13", "--game", "backgammon", "--play", "6/5, 8/5", "--svg", str(file))
    play = Position(BACKGAMMON).parse_play("8/5 6/5", "31")
    assert (code, err) == (0, "")
    assert out == f"1 of 16 plays of 3-1:\n  8/5 6/5  {play.position.to_text()}\n"
    assert file.read_text(encoding="utf-8") == svg.board(Position(BACKGAMMON), play=play) + "\n"
    assert run(capsys, "plays", "13", "--game", "backgammon", "--svg", str(file))[0] == 0
    assert file.read_text(encoding="utf-8") == svg.board(Position(BACKGAMMON), roll="31") + "\n"


# -------------------------------------------------------------------------------------------------------------------------- JSON


def told_as_json(capsys, *argv, code=0):
    ended, out, err = run(capsys, *argv, "--json")
    assert (ended, err) == (code, "")
    return json.loads(out)


def test_show_tells_json(capsys):
    position = Position.from_text(ZENO, rules=TABULA_HISTORIC)
    assert told_as_json(capsys, "show", ZENO, "--game", "historic") == {
        "game": "historic",
        "position": ZENO,
        "turn": "white",
        "mover": list(position.mover),
        "other": list(position.other),
        "pips": list(position.pips),
        "outcome": None,
        "roll": None,
    }
    told = told_as_json(capsys, "show", "tabula:-------------------------o:b")
    assert (told["turn"], told["outcome"]) == ("black", {"winner": "white", "points": 1})
    assert told_as_json(capsys, "show", XGID)["roll"] == [3, 1]


def test_plays_tells_json(capsys):
    told = told_as_json(capsys, "plays", "31", "--game", "backgammon")
    plays = Position(BACKGAMMON).plays("31")
    assert (told["game"], told["position"], told["roll"], told["legal"]) == ("backgammon", BACKGAMMON_START, [3, 1], len(plays))
    assert len(told["plays"]) == len(plays)
    for each, play in zip(told["plays"], plays, strict=True):
        assert (each["play"], each["position"]) == (str(play), play.position.to_text())
        assert [tabula.Move(**move) for move in each["moves"]] == list(play.moves)
    one = told_as_json(capsys, "plays", "31", "--game", "backgammon", "--play", "8/5 6/5")
    assert (one["legal"], [each["play"] for each in one["plays"]]) == (16, ["8/5 6/5"])
    over = told_as_json(capsys, "plays", "652", "--position", "tabula:-------------------------o:b")
    assert (over["legal"], over["plays"]) == (0, [])


def test_perft_tells_json(capsys):
    told = told_as_json(capsys, "perft", "2", "--divide", "--game", "backgammon")
    assert (told["game"], told["position"]) == ("backgammon", BACKGAMMON_START)
    assert [(each["depth"], each["leaves"], each["published"]) for each in told["depths"]] == [
        (depth, leaves.leaves, leaves.leaves) for depth, leaves in sorted(published(Position(BACKGAMMON)).items())[:2]
    ]
    assert all(each["seconds"] >= 0 for each in told["depths"])
    assert told["divide"] == {"-".join(map(str, roll)): leaves for roll, leaves in tabula.divide(Position(BACKGAMMON), 2).items()}
    elsewhere = told_as_json(capsys, "perft", "1", "--game", "historic", "--position", ZENO)
    assert [each["published"] for each in elsewhere["depths"]] == [None]
    assert "divide" not in elsewhere


def test_a_mismatch_is_told_in_json_and_on_stderr(capsys, monkeypatch):
    monkeypatch.setattr(cli.perft, "published", lambda _: {1: PerftValue(223, "a test")})
    code, out, err = run(capsys, "perft", "3", "--json")
    told = json.loads(out)
    assert code == 1
    assert [(each["depth"], each["leaves"], each["published"]) for each in told["depths"]] == [(1, 222, 223)]
    assert sum(told["divide"].values()) == 222
    assert err == "tabula: depth 1 has 223 leaves as published, not 222\n"


def test_convert_tells_json(capsys):
    told = told_as_json(capsys, "convert", XGID)
    assert (told["game"], told["position"]) == ("backgammon", BACKGAMMON_START)
    assert told["formats"] == {name: convert(XGID, name) for name in ("tabula", "letters", "gnubg", "xgid")}
    assert told_as_json(capsys, "convert", XGID, "--to", "xgid")["formats"] == {"xgid": XGID}
    assert list(told_as_json(capsys, "convert", "tabula:O------------------------o:w")["formats"]) == ["tabula", "letters"]


ONE_GAME = " Game 1\n Ann : 0      Ben : 0\n 1) 31: 8/5 6/5    42: 8/4 6/4\n"


def test_replay_writes_a_page_of_one_file(capsys, tmp_path):
    file, page = tmp_path / "a.mat", tmp_path / "a.html"
    file.write_text(ONE_GAME)
    code, out, err = run(capsys, "replay", str(file), "--html", str(page))
    assert (code, err) == (0, "")
    assert out.startswith("1 file, 1 game, 2 plays")
    assert page.read_text(encoding="utf-8") == html.game(matchtext.read(ONE_GAME))
    code, out, err = run(capsys, "replay", str(file), "--html", "-")
    assert code == 0
    assert out == page.read_text(encoding="utf-8")
    assert err.startswith("1 file, 1 game, 2 plays")
    assert [path.name for path in tmp_path.iterdir()] != []


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes as on Unix")
def test_replay_writes_through_a_link_and_into_a_pipe_with_force(capsys, tmp_path):
    file, page, link, pipe = (tmp_path / name for name in ("a.mat", "page.csv", "link.csv", "pipe.csv"))
    file.write_text(ONE_GAME)
    page.write_text("old")
    link.symlink_to(page)
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    for output in (link, pipe):
        assert run(capsys, "replay", str(file), "--csv", str(output), "--force")[0] == 0
    assert link.is_symlink()
    assert pipe.is_fifo()
    assert os.read(reader, 65536).decode() == page.read_text(encoding="utf-8")
    os.close(reader)


def test_replay_replaces_no_page_without_force_and_leaves_none_half_written(capsys, tmp_path):
    file, page = tmp_path / "a.mat", tmp_path / "a.html"
    file.write_text(ONE_GAME)
    page.write_text("mine")
    code, _, err = run(capsys, "replay", str(file), "--html", str(page))
    assert code == 2
    assert "there is a file" in err
    assert page.read_text() == "mine"
    assert run(capsys, "replay", str(file), "--html", str(page), "--force")[0] == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "a.mat"]
    code, _, err = run(capsys, "replay", str(file), str(file), "--html", "b.html")
    assert code == 2
    assert "--html writes the page of one file, and there are 2" in err


def test_a_file_without_a_game_has_no_page(capsys, tmp_path):
    (tmp_path / "a.mat").write_text("nothing")
    code, out, _ = run(capsys, "replay", str(tmp_path / "a.mat"), "--html", str(tmp_path / "a.html"))
    assert code == 1
    assert "there is no game in it" in out
    assert not (tmp_path / "a.html").exists()


def test_replay_tells_json(capsys):
    file = "tests/data/matches/plain.mat"
    assert told_as_json(capsys, "replay", file) == json.loads(json.dumps(replay([file]).to_dict()))


# -------------------------------------------------------------------------------------------------------------------- completion


def test_completion_needs_shtab(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    code, out, err = run(capsys, "--print-completion", "bash")
    assert (code, out) == (2, "")
    assert err == 'tabula: completion needs shtab, which is not installed: pip install "tabula-movegen[completion]"\n'


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("", ["show", "plays", "perft", "playouts", "arena", "replay", "convert", "rules", "game"]),
        ("pl", ["plays", "playouts"]),
        ("game --side ", ["white", "black", "both", "none"]),
        ("game --bot ", ["random", "pips"]),
        ("perft --game hi", ["historic"]),
        ("show --style ", ["unicode", "ascii"]),
        ("convert --to x", ["xgid"]),
        ("playouts --th", ["--threads"]),
    ],
)
def test_bash_completes_commands_options_and_their_values(capsys, typed, offered):
    pytest.importorskip("shtab")
    with pytest.raises(SystemExit) as ended:
        cli.main(["--print-completion", "bash"])
    assert ended.value.code == 0
    script = capsys.readouterr().out
    words = ["tabula", *typed.split(" ")]
    script += f"\nCOMP_WORDS=({' '.join(repr(word) for word in words)})\nCOMP_CWORD={len(words) - 1}\n"
    script += "$(complete -p tabula | sed 's/.*-F \\([^ ]*\\).*/\\1/')\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
    told = subprocess.run(["bash"], input=script, capture_output=True, text=True, check=True)
    assert told.stdout.split() == offered


def test_every_shell_that_shtab_knows_gets_a_script(capsys):
    shtab = pytest.importorskip("shtab")
    for shell in shtab.SUPPORTED_SHELLS:
        with pytest.raises(SystemExit) as ended:
            cli.main(["--print-completion", shell])
        assert ended.value.code == 0
        assert "historic" in capsys.readouterr().out
    code, out, err = run(capsys, "--print-completion", "elvish")
    assert (code, out) == (2, "")
    assert err.startswith("tabula: the shell must be bash, ")


def test_every_argument_of_few_values_and_every_file_is_known_to_completion():
    from tabula.cli import completion, program

    made = program.parser("tabula")
    actions = [action for action in completion._actions(made) if action.metavar in ("NAME", "SIDE", "FORMAT")]
    assert {action.dest for action in actions} == set(completion._CHOICES)
    assert {action.dest for action in completion._actions(made) if action.metavar in ("FILE", "OUT")} == {
        "svg",
        "plot",
        "save",
        "checkpoint",
        "csv",
        "file",
        "files",
        "html",
        "rules",
    }


# ---------------------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        ([], "there is nothing to do without a command"),
        (["chess"], "'chess' is no command: it must be show, plays, perft, playouts, arena, replay, convert, rules or game"),
        (["--frob"], "required: COMMAND"),
        (["show", "--frob"], "unrecognized arguments: --frob"),
        (["perft", "deep"], "the depth must be a whole number, 1 or more, not 'deep'"),
        (["perft", "0"], "the depth must be a whole number, 1 or more, not '0'"),
        (["perft", "-1"], "the depth must be a whole number, 1 or more, not '-1'"),
        (["perft", "9" * 5000], "the depth must be 1000000000000000000 or less"),
        (["playouts", "--games", "1" + "0" * 13], "--games must be 1099511627776 or less, not '10000000000000'"),
        (["playouts", "--threads", "2000"], "--threads must be 1024 or less, not '2000'"),
        (["playouts", "--max-plies", "50000000"], "--max-plies must be 16777216 or less, not '50000000'"),
        (["perft", "2", "--checkpoint", ""], "--checkpoint must be the path of a file, not ''"),
        (["show", "--rules", ""], "--rules must be the path of a file, not ''"),
        (["show", "--svg="], "--svg must be the path of a file, not ''"),
        (["playouts", "--plot", ""], "--plot must be the path of a file, not ''"),
        (["replay", ""], "FILE must be the path of a file, not ''"),
        (["replay", "a.mat", "--csv", ""], "--csv must be the path of a file, not ''"),
        (["replay", "a.mat", "--html", ""], "--html must be the path of a file, not ''"),
        (["replay", "a.mat", "--csv", "a.mat"], "--csv cannot write to 'a.mat', which replay reads: give it another file"),
        (
            ["replay", "a.mat", "--csv", "b", "--html", "./b"],
            "--html cannot write to './b', which --csv writes: give it another file",
        ),
        (["game", "--save", ""], "--save must be the path of a file, not ''"),
        (["game", "--bot", ""], "the bot must be "),
        (["game", ""], "FILE must be the path of a file, not ''"),
        (["perft", "2", "3"], "unrecognized arguments: 3"),
        (["plays"], "plays needs a roll, like 652 or 6-5-2"),
        (["plays", "65"], "a roll of this game has 3 dice, not 2: '65'"),
        (["plays", "657"], "a die must be 1..6, not 7: '657'"),
        (["plays", "six"], "a roll is written like 652 or 6-5-2, not 'six'"),
        (["plays", "\u0661\u0662\u0663"], "a roll is written like 652 or 6-5-2"),
        (["show", "--game", "chess"], "no game is called 'chess', the games are tabula, historic, backgammon, "),
        (["show", "--position"], "--position: expected one argument"),
        (["show", "--position", ""], "'' is no position text: it is empty"),
        (["show", "O:w", "--position", "o:b"], "one position is taken, not both 'O:w' and 'o:b'"),
        (
            ["show", BACKGAMMON_IDS, "--game", "historic"],
            "other rules were asked for: 'historic'",
        ),
        (["show", "--style", "fancy"], "the style must be unicode or ascii, not 'fancy'"),
        (["show", "--json", "--upside-down"], "--json prints no board: --style and --upside-down have no effect on it"),
        (["show", "--svg", "/no/such/place.svg"], "No such file or directory: '/no/such/place.svg'"),
        (["plays", "31", "--position", "tabula:O------------------------o:w"], "a roll of this game has 3 dice, not 2: '31'"),
        (["plays", "31", "--game", "backgammon", "--play", "8/5 6/4"], "6/4 needs a 2, and the roll is 3-1"),
        (["plays", "31", "--game", "backgammon", "--play", "5"], "a move is written like 13/7 (character 2 of '5')"),
        (
            ["perft", "--position", XGID],
            "the position comes with a roll, 3-1, and this command throws the dice: leave the roll out",
        ),
        (["perft", "3", "--processes", "0"], "--processes must be a whole number, 1 or more, not '0'"),
        (["perft", "3", "--processes", "2", "--threads", "2"], "--threads is for this process, and --processes is for others"),
        (["playouts", "--seed", "1", "--checkpoint", "/no/such/place"], "No such file or directory: '/no/such/place'"),
        (["playouts", "--checkpoint", "x"], "--checkpoint needs --seed N: without it every run plays other games"),
        (
            ["playouts", "--position", XGID],
            "the position comes with a roll, 3-1, and this command throws the dice: leave the roll out",
        ),
        (["convert"], "convert needs a position text"),
        (["convert", BACKGAMMON_START, "--to", "xgid", "--game", "tabula"], "an XGID tells of backgammon positions only"),
        (["game", "--side", "red"], "the side must be white, black, both or none, not 'red'"),
        (["game", "--bot", "deep"], "the bot must be random or pips, not 'deep'"),
        (["game", "--bot", "pips", "--side", "both"], "--bot has nothing to play where --side is both"),
        (["game", "--seed", "-1"], "--seed must be a whole number, 0 or more, not '-1'"),
        (["game", "--save", "/no/such/place.txt"], "No such file or directory: '/no/such/place.txt'"),
        (["show", "--position", "O:w"], "a position text has 26 letters before the ':', not 1: 'O:w'"),
        (["show", "--game", "tabula", "--position", ZENO], "7 checkers on point 6, and at most 5 may stand on one"),
        (["perft", "--position", "O------------------------o:x"], "the side to move is 'w' or 'b', not 'x'"),
    ],
)
def test_bad_input_is_refused_with_one_sentence(capsys, argv, sentence):
    code, out, err = run(capsys, *argv)
    assert (code, out) == (2, "")
    assert err.startswith("tabula: ")
    assert err.count("\n") == 1
    assert sentence in err
    assert "usage" not in err


@pytest.mark.parametrize("argv", [["--help"], *([name, "--help"] for name in cli.COMMANDS)])
def test_help_fits_a_terminal_and_every_command_shows_an_example(capsys, monkeypatch, argv):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        cli.main(argv)
    out = capsys.readouterr().out
    assert ended.value.code == 0
    assert max(map(len, out.splitlines())) <= 80
    if len(argv) == 2:
        assert f"python -m tabula {cli.COMMANDS[argv[0]].example}" in out


def test_a_command_is_the_file_that_is_named_for_it():
    files = {module.name: importlib.import_module(f"tabula.cli.{module.name}") for module in pkgutil.iter_modules(cli.__path__)}
    assert {name: (command.add_arguments, command.run) for name, command in cli.COMMANDS.items()} == {
        name: (module.add_arguments, module.run) for name, module in files.items() if hasattr(module, "run")
    }


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_example_of_every_command_runs(capsys, monkeypatch, name):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert run(capsys, *cli.COMMANDS[name].example.split())[0] == 0


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"tabula {tabula.__version__}\n"


# --------------------------------------------------------------------------------------------------------------- how it may end


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise on Windows")
def test_an_interrupt_ends_it_with_one_word():
    with process("perft", "5", stdout=subprocess.PIPE) as running:
        for _ in range(4):
            running.stdout.readline()
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err.strip() == "tabula: interrupted"


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise on Windows")
def test_an_interrupt_ends_the_processes_too(tmp_path):
    file = tmp_path / "five"
    with process("perft", "5", "--processes", "2", "--checkpoint", str(file), stdout=subprocess.PIPE) as running:
        while not file.exists() or file.read_bytes().count(b"\n") < 2:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate()
    assert running.returncode == 130
    assert err.strip() == "tabula: interrupted"
    assert file.read_bytes().endswith(b"}\n")


@pytest.mark.skipif(os.name == "nt", reason="pipes close otherwise on Windows")
@pytest.mark.parametrize("argv", [("show",), ("perft", "2"), ("plays", "652")])
def test_a_reader_that_has_read_enough_is_no_error(argv):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        with process(*argv, stdout=writing) as running:
            _, err = running.communicate(timeout=60)
    finally:
        os.close(writing)
    assert running.returncode == 141
    assert err == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")  # noqa: PTH110
def test_a_full_disk_is_told_in_a_sentence():
    with open("/dev/full", "w") as full, process("show", stdout=full) as running:  # noqa: PTH123
        _, err = running.communicate(timeout=60)
    assert running.returncode == 2
    assert err == "tabula: No space left on device\n"


def test_the_module_is_a_program():
    with process("plays", "652", stdout=subprocess.PIPE) as running:
        out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, "")
    assert out.startswith("4 plays of 6-5-2:\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")  # noqa: PTH110
def test_a_sentence_that_cannot_be_written_changes_no_exit_code():
    with open("/dev/full", "w") as full:  # noqa: PTH123
        for argv, code in ((("bogus",), 2), (("perft", "0"), 2), (("show",), 0)):
            ended = subprocess.run([sys.executable, "-m", "tabula", *argv], stdout=subprocess.PIPE, stderr=full, check=False)
            assert ended.returncode == code


@pytest.mark.skipif(os.name == "nt", reason="descriptors are closed otherwise on Windows")
@pytest.mark.parametrize("closed", [(1,), (2,), (1, 2)])
def test_closed_streams_are_no_error(closed):
    def close():
        for descriptor in closed:
            os.close(descriptor)

    for argv, code in ((("show",), 0), (("perft", "1"), 0), (("bogus",), 2), (("replay", "/"), 2)):
        ended = subprocess.run(
            [sys.executable, "-m", "tabula", *argv], capture_output=True, text=True, check=False, preexec_fn=close
        )
        assert (ended.returncode, ended.stderr) == (code, "" if 2 in closed or not code else ended.stderr)
        assert "Traceback" not in ended.stderr
        assert not (2 in closed and "tabula: " in ended.stdout), "what is for stderr is told on stdout"


def test_an_interrupt_while_the_command_line_is_loaded_ends_it_with_one_word():
    code = "import sys, runpy\nclass Interrupted:\n    def find_spec(self, name, *_):\n"
    code += "        if name == 'tabula.cli':\n            raise KeyboardInterrupt\n"
    code += "sys.meta_path.insert(0, Interrupted())\nrunpy.run_module('tabula', run_name='__main__')"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr.strip()) == (130, "tabula: interrupted")


@pytest.mark.parametrize(
    "argv",
    [
        ["{}"],
        ["perft", "{}"],
        ["perft", "1", "{}"],
        ["perft", "--game", "{}"],
        ["perft", "--{}"],
        ["plays", "{}"],
        ["show", "--position", "{}"],
        ["show", "{}"],
        ["show", "--style", "{}"],
        ["show", "--svg", "/no/{}/board.svg"],
        ["plays", "652", "--play", "{}"],
        ["replay", "/no/{}"],
        ["game", "--side", "{}"],
        ["game", "--bot", "{}"],
        ["game", "--seed", "{}"],
        ["game", "--position", "{}"],
        ["game", "--save", "/no/{}/game.txt"],
        ["convert", "{}"],
        ["convert", "4HPwATDgc/ABMA", "--to", "{}"],
        ["convert", "4HPwATDgc/ABMA", "--game", "{}"],
    ],
)
@pytest.mark.parametrize("junk", ["x" * 100_000, "1" * 100_000, "\udcff", "\x00", "a\nb\nc"])
def test_whatever_is_typed_is_refused_in_one_short_line(capsys, argv, junk):
    code, out, err = run(capsys, *(argument.format(junk) for argument in argv))
    assert (code, out) == (2, "")
    assert err.startswith("tabula: ")
    assert err.count("\n") == 1
    assert len(err) < 400
