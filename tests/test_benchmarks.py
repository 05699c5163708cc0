"""The benchmarks find what they should on small input: answers, not times."""

import fnmatch
import importlib
import itertools
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tabula import BACKGAMMON, Position, _core, perft
from tabula.dice import all_rolls

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "benchmarks"


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def module(name: str) -> ModuleType:
    return importlib.import_module(name)


@pytest.mark.parametrize("name", ["tabula", "backgammon"])
def test_a_corpus_begins_as_its_seed_makes_it(name: str) -> None:
    corpora = module("corpora")
    made = list(itertools.islice(corpora.make(corpora.GAMES[name], corpora.SEEDS[name]), 40))
    assert corpora.read(name).turns[:40] == made


@pytest.mark.parametrize("name", ["tabula", "backgammon"])
def test_a_corpus_has_the_afterstates_that_it_states(name: str) -> None:
    corpora = module("corpora")
    turns, every_roll = corpora.read(name)
    assert len(turns) == corpora.TURNS
    assert [turn.position.count(turn.roll) for turn in turns] == [turn.plays for turn in turns]
    first = turns[: corpora.FIRST]
    assert sum(turn.position.count(roll) for turn in first for roll in all_rolls(turn.position.rules.dice)) == every_roll


@pytest.mark.parametrize("name", ["tabula", "backgammon"])
def test_each_turn_of_a_corpus_follows_from_the_one_before(name: str) -> None:
    corpora = module("corpora")
    for before, after in itertools.pairwise(corpora.read(name).turns):
        if after.position not in (Position(corpora.GAMES[name]), Position(corpora.GAMES[name]).swap_sides()):
            assert after.position in {play.position for play in before.position.plays(before.roll)}


def test_a_corpus_whose_total_is_wrong_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    corpora = module("corpora")
    text = corpora.path("tabula").read_text(encoding="utf-8")
    (tmp_path / "tabula.txt").write_text(text.replace(" 3\n", " 4\n", 1), encoding="utf-8")
    monkeypatch.setattr(corpora, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"tabula\.txt states 59457 afterstates, and its lines sum to 59458"):
        corpora.read("tabula")


def test_the_native_loop_builds_and_counts_the_plays_of_every_turn() -> None:
    pytest.importorskip("Cython")
    pytest.importorskip("setuptools")
    corpora, native = module("corpora"), module("native")
    turns = corpora.read("tabula").turns[:50]
    loop = native.turns(turns)
    assert loop is not None
    assert loop.build() == loop.count() == sum(turn.plays for turn in turns)
    assert loop.build(3) == loop.count(3) == 3 * loop.build()


def test_boards_go_to_the_form_of_a_peer_and_back() -> None:
    peers, corpora = module("peers"), module("corpora")
    for turn in corpora.read("backgammon").turns[:200]:
        mover, other = turn.position.mover, turn.position.other
        assert peers.GnubgNN.from_peer(peers.GnubgNN.to_peer(mover)) == mover
        assert peers.Bgsage.from_peer(peers.Bgsage.to_peer(mover, other)) == (mover, other)
        boards = [peers.Bgsage.to_peer(mover, other), peers.Bgsage.to_peer(other, mover)]
        assert peers.Bgsage.all_from_peer(boards).tolist() == [[list(other), list(mover)], [list(mover), list(other)]]
    assert peers.Bgsage.all_from_peer([]).shape == (0, 2, 26)


def test_the_start_in_the_form_of_each_peer() -> None:
    peers = module("peers")
    setup = BACKGAMMON.setup
    board = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    assert peers.Bgsage.to_peer(setup, setup) == board
    assert peers.GnubgNN.to_peer(setup) == (0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, *(0,) * 10, 2, 0)


def fake(peers: ModuleType, turns: list[object], **changes: list[bytes]) -> object:
    """A peer that lists our own positions, but for some turns others."""

    class Fake(peers.Peer):  # type: ignore[name-defined, misc]
        name = "numpy"
        module = "numpy"

        def afterstates(self, index: int) -> list[bytes]:
            return changes.get(f"turn{index}", sorted(peers.ours(self.turns[index])))

        def explained(self, turn: object) -> bool:
            return turn is self.turns[2]

        def timed(self) -> list[object]:
            return []

    return Fake(turns)


def test_a_comparison_counts_what_differs_and_what_is_repeated() -> None:
    peers, corpora = module("peers"), module("corpora")
    turns = corpora.read("backgammon").turns[:5]
    plays = sum(turn.plays for turn in turns)
    assert peers.compare(fake(peers, turns)) == peers.Comparison(5, plays, plays, [], [])
    first = sorted(peers.ours(turns[0]))
    found = peers.compare(fake(peers, turns, turn0=first * 2, turn1=sorted(peers.ours(turns[1]))[1:], turn2=[bytes(52)]))
    assert found.differing == [1, 2]
    assert found.unexplained == [1]
    assert found.listed == plays + len(first) - 1 - turns[2].plays + 1
    told = list(peers.sentences(fake(peers, turns, turn1=[bytes(52)]), peers.compare(fake(peers, turns, turn1=[bytes(52)]))))
    assert told[0].startswith(f"numpy {np.__version__}: 5 turns, 1 with other positions than ours")
    assert told[1].startswith("  unexplained: ")
    assert told[1].endswith(f"{turns[1].plays} only ours, 1 only theirs")


def test_a_wrong_answer_is_not_timed() -> None:
    peers = module("peers")
    with pytest.raises(ValueError, match="ours got 2, and 1 is right"):
        peers.best_rates([peers.Timed("ours", "calls", lambda: 2, 1)], 1)


def test_the_ratio_table_compares_calls_with_calls_and_results_with_results() -> None:
    peers = module("peers")
    call = peers.Timed("call", "calls", lambda: 100, 100)
    leaves = peers.Timed("perft", "leaves", lambda: 1000, 1000)
    theirs = peers.Timed("theirs", "`moves`", lambda: 400, 400)
    # The corpus has 10 turns and 100 positions; the peer lists 400 for them, 8,000 a second: 20 passes, 2,000 positions.
    rows = list(peers.table([(call, 4e6), (leaves, 2e9)], [(theirs, 8e3)], 10, 100))
    assert rows[2] == "| call | 0.40 M calls | 2,000.0 |"
    assert rows[3] == "| perft | 2,000 M leaves | 1,000,000.0 |"
    assert rows[-1] == "| theirs | `moves` | 200 | 2,000 |"


def test_peers_that_are_missing_are_left_out_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    peers = module("peers")
    monkeypatch.setattr(peers.native, "turns", lambda _: None)
    for kind in peers.PEERS:
        monkeypatch.setattr(kind, "module", "no_such_module_at_all")
    assert peers.main(["--turns", "20", "--rounds", "1", "--depth", "1"]) == 0
    told = capsys.readouterr().out
    for name in ("gnubg-nn", "bgsage", "open-spiel"):
        assert f"{name} is left out: No module named 'no_such_module_at_all'." in told
    assert "backgammon generated in a native loop is left out" in told
    assert "| `len(position.plays(roll))` | " in told


@pytest.mark.parametrize("index", range(3))
def test_a_peer_that_is_installed_has_the_same_positions(index: int) -> None:
    peers, corpora = module("peers"), module("corpora")
    kind = peers.PEERS[index]
    pytest.importorskip(kind.module)
    turns = corpora.read("backgammon").turns[:60]
    peer = kind(turns)
    found = peers.compare(peer)
    assert found.differing == []
    assert found.distinct == sum(turn.plays for turn in turns)
    assert [way.run() for way in peer.timed()] == [way.expected for way in peer.timed()]


def test_instructions_are_read_from_a_callgrind_file() -> None:
    instructions = module("instructions")
    assert instructions.collected("events: Ir\nsummary: 123\n\nfn=x\ntotals: 123\n") == 123
    with pytest.raises(ValueError, match="no instruction was counted"):
        instructions.collected("events: Ir\nsummary: 0\ntotals: 0\n")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="valgrind counts on Linux")
def test_the_function_whose_instructions_are_counted_is_in_the_extension() -> None:
    instructions = module("instructions")
    names = re.findall(rb"__pyx_pw_\w+count_leaves", Path(instructions._position.__file__).read_bytes())
    assert not names or any(fnmatch.fnmatchcase(name.decode(), instructions._FUNCTION) for name in names)


def test_a_number_that_is_more_than_three_percent_worse_fails() -> None:
    compare = module("instructions").compare
    assert compare({"a": 102.9}, {"a": 100.0})[1]
    assert compare({"a": 90.0}, {"a": 100.0}) == (
        ["a: 90.00 instructions a leaf, committed 100.00 (-10.0%), better: --update writes it"],
        True,
    )
    lines, good = compare({"a": 103.1, "b": 1.0}, {"a": 100.0, "b": 1.0})
    assert not good
    assert lines[0].endswith("WORSE")
    assert lines[1].endswith("as committed")
    assert compare({"a": 1.0}, {}) == (["a: 1.00, with nothing to compare with"], True)


def test_an_update_says_what_got_better_and_what_got_worse() -> None:
    updated = module("instructions").updated
    assert list(updated({"a": 9.0, "b": 11.0, "c": 1.0}, {"a": 10.0, "b": 10.0})) == [
        "a: 9.00 instructions a leaf, better: it was 10.00 (-10.0%)",
        "b: 11.00 instructions a leaf, worse: it was 10.00 (+10.0%)",
        "c: 1.00 instructions a leaf, new",
    ]


def test_numbers_are_committed_for_both_games() -> None:
    instructions = module("instructions")
    numbers = json.loads(instructions.COMMITTED.read_text(encoding="utf-8"))
    assert numbers
    for committed in numbers.values():
        assert list(committed) == [case.name for case in instructions.CASES]


def test_the_checks_count_instructions() -> None:
    assert "python benchmarks/instructions.py" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_a_toolchain_without_numbers_fails_where_they_must_be_judged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    instructions = module("instructions")
    monkeypatch.setattr(instructions, "toolchain", lambda: "another")
    monkeypatch.setattr(instructions, "measure", lambda *_: 1.0)
    monkeypatch.setattr(instructions.shutil, "which", lambda name: name)
    assert (instructions.main([]), instructions.main(["--judged"])) == (0, 1)
    assert capsys.readouterr().out.count("No numbers are committed for this toolchain") == 2


def test_growth_is_told_in_three_tables(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    growth = module("growth")
    # In this process: what memory it has is not the question here.
    monkeypatch.setattr(growth, "alone", lambda function, *args: function(*args))
    monkeypatch.setattr(growth, "_HELD", 100)
    monkeypatch.setattr(growth.native, "turns", lambda _: None)
    assert growth.main(["--depth", "2", "--merged", "2", "--turns", "60", "--rounds", "1", "--iterations", "100"]) == 0
    told = capsys.readouterr().out
    assert re.findall(r"^## (.*)$", told, re.MULTILINE) == ["Depth", "Number of plays", "Threads"]
    assert "| tabula | 2 | counted again | 59,085 | " in told
    assert "| backgammon | 2 | merged | 202,782 | " in told
    assert re.search(r"^\| perft\(2\) of backgammon \| [\d.]+ \| [\d.]+ \| [\d.]+ \| \d+% \|$", told, re.MULTILINE)


@pytest.mark.parametrize(
    ("game", "depth", "leaves"), [("tabula", 3, "44,094,841"), ("backgammon", 2, "202,782"), ("historic", 4, "9,834,496")]
)
def test_perft_by_arrays_comes_to_the_published_number(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, game: str, depth: int, leaves: str
) -> None:
    arrays = module("perft_by_arrays")
    for rows in (arrays.ROWS, 1):
        monkeypatch.setattr(arrays, "ROWS", rows)
        assert arrays.main([str(depth), "--game", game]) == 0
        assert capsys.readouterr().out.startswith(f"perft({depth}) of {game} is {leaves}, as published; ")


def test_perft_by_arrays_says_when_another_number_comes_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays = module("perft_by_arrays")
    monkeypatch.setattr(arrays, "leaves", lambda *_: 221)
    assert arrays.main(["1"]) == 1
    assert capsys.readouterr().out.startswith("perft(1) of tabula is 221, published is 222; ")


def test_a_growth_table_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        module("growth").main(["width"])
    assert "there is no table 'width', only depth, plays, threads" in capsys.readouterr().err


def test_the_benchmarks_of_the_generator_run_and_assert_their_answers() -> None:
    files = [str(BENCHMARKS / name) for name in ("test_native.py", "test_python.py")]
    command = [sys.executable, "-m", "pytest", *files, "--benchmark-disable", "-q", "-n", "0", "-p", "no:cacheprovider"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="only where an ended process says how long it took")
def test_importing_is_timed_beside_numpy(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["imports.py", "--rounds", "1"])
    assert module("imports").main() == 0
    rows = re.findall(r"^\| `([\w.]+)` \| (\d+) \| ([\d.]+) \|$", capsys.readouterr().out, re.MULTILINE)
    assert [name for name, _, _ in rows] == list(module("imports").MODULES)
    assert rows[0][2] == "1.00"


def test_scaling_is_told_for_processes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    scaling = module("scaling")
    monkeypatch.setattr(scaling.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(scaling, "pool", ThreadPoolExecutor)
    assert scaling.main(["--depth", "2", "--steps", "100", "--workers", "1", "2"]) == 0
    out = capsys.readouterr().out
    assert [line.split(" | ")[:2] for line in out.splitlines() if line.startswith("| processes")] == [
        ["| processes", "1"],
        ["| processes", "2"],
    ]
    assert "122 units, " in out


def test_batches_and_games_are_timed_once_their_answers_are_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert module("batches").main(["--rows", "40", "--games", "4", "--rounds", "1", "--iterations", "1000"]) == 0
    told = capsys.readouterr().out
    for game in ("tabula", "backgammon"):
        assert re.search(rf"^\| {game}: `counts` \| [\d,.]+( M)? positions \|$", told, re.MULTILINE)
        assert re.search(rf"^\| {game}: random games \| [\d,]+ games \|$", told, re.MULTILINE)
    assert len(re.findall(r"^\| `afterstates\(\.\.\., out=\)` \|( [\d.]+ \|){3} \d+% \|$", told, re.MULTILINE)) == 2


def test_a_batch_that_is_timed_is_the_corpus_repeated() -> None:
    batches, corpora = module("batches"), module("corpora")
    rows = batches.rows("backgammon", 2 * corpora.TURNS + 5)
    assert len(rows.positions) == len(rows.rolls) == 2 * corpora.TURNS
    assert rows.plays == 2 * sum(turn.plays for turn in corpora.read("backgammon").turns)


def test_the_rules_drawn_for_the_general_way_are_those_whose_leaves_are_committed() -> None:
    general_rates = module("general_rates")
    expected = general_rates.expected()
    cases = general_rates.cases()
    assert [case.name for case in cases] == list(expected)
    assert len(cases) == len(general_rates.NAMED) + general_rates.RANDOM_RULES
    for case in cases:
        if expected[case.name] < 4000:
            assert perft(Position(_core.every_line(case.rules)), case.depth) == expected[case.name]


def test_the_general_way_is_measured_with_right_answers_only(monkeypatch: pytest.MonkeyPatch) -> None:
    general_rates = module("general_rates")
    case = next(case for case in general_rates.cases() if case.name == "random 0")
    assert list(general_rates.rates([case], 1)) == ["random 0"]
    monkeypatch.setattr(general_rates, "expected", lambda: {"random 0": 1})
    with pytest.raises(ValueError, match=r"perft\(2\) of random 0 came to \d+ leaves, and 1 is right"):
        general_rates.rates([case], 1)


def test_random_rules_are_reported_by_their_geometric_mean() -> None:
    general_rates = module("general_rates")
    figures = dict(general_rates.grouped({"historic": 5.0, "random 0": 2.0, "random 1": 8.0}))
    assert figures == {"historic": 5.0, "2 random rules, geometric mean": pytest.approx(4.0)}
    rows = list(general_rates.rows({"rate": figures}, {"before": {"rate": {"historic": 1.0}}}))
    assert rows == [
        "| rate | before | now |", "|---|---|---|", "| historic | 1.00 | 5.00 |",
        "| 2 random rules, geometric mean | - | 4.00 |", "",
    ]  # fmt: skip


def test_the_ten_rule_sets_have_the_leaves_that_other_programs_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ways = module("ways")
    small = [case for case in ways.CASES if case.leaves < 100_000]
    assert len(ways.CASES) == 10
    monkeypatch.setattr(ways, "CASES", small)
    monkeypatch.setattr(ways, "SECONDS", 0)
    assert ways.main(["--rounds", "1"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[3] for line in printed[2:]] == [f"{case.leaves:,}" for case in small]
    with pytest.raises(ValueError, match=r"^perft\(2\) of Irish came to 63722 leaves, and 1 is right$"):
        ways.rate(small[0]._replace(leaves=1))


def test_what_deciding_costs_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    deciding = module("deciding")
    assert deciding.main(["search", "luck", "--decisions", "2", "--games", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.count("|") for line in lines if line] == [6] * 10 + [7] * 6
    merged, apart = (deciding.cost(BACKGAMMON, 2, (), merge=merge).boards for merge in (True, False))
    assert 1000 < merged < apart
    found = deciding.luck(BACKGAMMON, 36, 3)
    assert found.reduced < found.plain
    assert found.boards_reduced > found.boards_plain
