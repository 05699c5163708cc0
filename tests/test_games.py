"""The games that have a name: found by any spelling, refused with the nearest, and counted as published."""

import json
import re
import subprocess
import sys
import tomllib
from importlib import resources

import pytest
from support import family_page

from tabula import BACKGAMMON, TABULA, Position, Rules, cli, games, perft, reference
from tabula.counting import published
from tabula.rules import PRESETS

LEAVES = 100_000
"""What the reference counts in a few seconds."""

DATA = tomllib.loads(resources.files("tabula").joinpath("data", "games.toml").read_text(encoding="utf-8"))
COUNTED = [(name, depth) for name in games.names() for depth in games.entry(name).perft]


def test_the_names_are_those_of_the_data_and_none_is_taken_twice() -> None:
    every_name = [name for game in map(games.entry, games.names()) for name in (game.name, *game.other_names)]
    assert games.names() == tuple(DATA)
    assert len({name.casefold().replace(" ", "_").replace("-", "_") for name in every_name}) == len(every_name)


@pytest.mark.parametrize("name", games.names())
def test_rules_carry_the_name_by_which_they_are_found(name: str) -> None:
    rules = games.get(name)
    assert rules.name == name
    assert games.with_rules(rules) is games.entry(name)
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules


def test_no_two_games_have_the_same_rules() -> None:
    assert len({games.get(name) for name in games.names()}) == len(games.names())


def test_a_preset_is_the_constant_and_has_no_fields_in_the_data() -> None:
    assert all(games.get(name) is rules for name, rules in PRESETS.items())
    assert not any("fields" in DATA[name] for name in PRESETS)
    assert all(set(DATA[name]["fields"]) for name in games.names() if name not in PRESETS)


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        ("Pareja de Entrada", "pareja_de_entrada"),
        ("bufa-de-baldrac", "bufa_de_baldrac"),
        ("LONG NARDY", "narde"),
        ("Todas tablas", "irish"),
        ("Verquere", "revertier"),
        ("HyperGammon (3)", "hypergammon"),
        (" tabula ", "tabula"),
    ],
)
def test_a_game_is_found_by_other_spellings_and_names(spelled: str, name: str) -> None:
    assert games.get(spelled) is games.get(name)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("hypergamon", "no game is called 'hypergamon', the nearest is hypergammon"),
        ("nardi", "no game is called 'nardi', the nearest is narde"),
        ("", "no game is called '', the games are tabula, historic, backgammon, "),
        ("chess", "no game is called 'chess', the games are tabula, "),
        ("x" * 100_000, "no game is called 'xxx"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(typed: str, sentence: str) -> None:
    assert games.find(typed) is None
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}"):
        games.get(typed)


@pytest.mark.parametrize("value", [None, 3, b"tabula", TABULA])
def test_what_is_no_name_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="the name of a game must be a str"):
        games.get(value)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the name of a game must be a str"):
        games.find(value)  # type: ignore[arg-type]


def test_the_data_is_read_when_a_game_is_asked_for() -> None:
    code = "import sys, tabula, tabula.games; before = 'tomllib' in sys.modules; tabula.games.get('irish'); print(before)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip() == "False"


# ----------------------------------------------------------------------------------------------------------------------- perft


@pytest.mark.parametrize(
    ("name", "depth"), [(name, depth) for name, depth in COUNTED if games.entry(name).perft[depth].leaves < 2e9]
)
def test_the_native_generator_counts_what_is_published(name: str, depth: int) -> None:
    assert perft(Position(games.get(name)), depth) == games.entry(name).perft[depth].leaves


@pytest.mark.parametrize(
    ("name", "depth"), [(name, depth) for name, depth in COUNTED if games.entry(name).perft[depth].leaves < LEAVES]
)
def test_the_reference_counts_what_is_published(name: str, depth: int) -> None:
    assert perft(Position(games.get(name)), depth, engine="reference") == games.entry(name).perft[depth].leaves


def test_a_start_has_the_values_of_its_game_and_another_position_has_none() -> None:
    assert published(Position(games.get("irish"))) == games.entry("irish").perft
    assert published(Position(BACKGAMMON).plays("31")[0].position) == {}
    assert published(Position(Rules(stack_limit=7))) == {}


# -------------------------------------------------------------------------------------------------------------- page, command line


def test_the_page_and_its_pictures_are_those_of_the_data() -> None:
    assert family_page.PAGE.read_text(encoding="utf-8") == family_page.page(), "python tests/support/family_page.py --update"
    assert {path.name: path.read_text(encoding="utf-8") for path in family_page.PICTURES.iterdir()} == family_page.pictures()


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = cli.main(argv)
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_lists_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "rules")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == list(games.names())


def test_the_command_explains_a_game_from_its_rules_and_its_entry(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "rules", "Todas Tablas")
    words = " ".join(out.split())
    irish = games.entry("irish")
    assert (code, err) == (0, "")
    assert out.startswith("irish (also todas tablas)\n")
    assert all(part in words for part in (irish.rules.describe(), irish.readings[0], irish.sources[2], irish.sure, "246, 63,722"))


def test_the_command_gives_all_that_is_known_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "rules", "irish", "--json")
    assert Rules.from_dict(json.loads(out)["rules"]) == games.get("irish")
    _, out, _ = run(capsys, "rules", "--json")
    assert [game["name"] for game in json.loads(out)] == list(games.names())


def test_the_command_explains_rules_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    file = tmp_path / "six.json"
    file.write_text(json.dumps({"stack_limit": 6}))
    _, out, _ = run(capsys, "rules", "--rules", str(file))
    assert " ".join(out.split()) == Rules(stack_limit=6).describe()
    assert run(capsys, "rules", "irish", "--rules", str(file))[0] == 2


@pytest.mark.parametrize("name", games.names())
def test_every_game_is_taken_on_the_command_line(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, out, err = run(capsys, "perft", "1", "--game", name)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].endswith("as published")
    code, out, _ = run(capsys, "show", "--game", name)
    assert out.splitlines()[-1].endswith(f"({name})")


def test_an_unknown_game_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "show", "--game", "hypergamon")[2] == "tabula: no game is called 'hypergamon', the nearest is hypergammon\n"
    assert run(capsys, "rules", "hypergamon")[0] == 2


def test_the_reference_is_another_generator() -> None:
    assert (
        perft(Position(games.get("irish")), 1) == reference.perft(games.get("irish"), BACKGAMMON.setup, BACKGAMMON.setup, 1) == 246
    )
