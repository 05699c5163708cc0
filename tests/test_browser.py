"""The page of a match in a real browser: Chromium, driven by Selenium, without a network."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabula.notation import matchtext
from tabula.render import html

MATCHES = Path(__file__).parents[2] / "shared" / "data" / "matches"
"""Real matches, where they lie beside the repository; they are no part of it."""

TEXT = """\
3 point match

 Game 1
 Ann : 0                                  Ben : 0
  1)                                      51: 13/8 24/23
  2) 43: 24/20 13/10                      64: 24/14
  3)  Doubles => 2                         Drops
      Wins 1 point

 Game 2
 Ann : 1                                  Ben : 0
  1) 61: 13/7 8/7                         52: 13/8 24/22
  2) 64: 24/14                            31: 8/5 6/4
"""

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="Selenium is not installed: pip install --group browser")
    driver, program = shutil.which("chromedriver"), shutil.which("chromium") or shutil.which("chromium-browser")
    if driver is None or program is None:
        pytest.skip("Chromium or its driver is not installed: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    window = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield window
    window.quit()


@pytest.fixture(params=["wide", "phone"])
def window(browser: Any, request: pytest.FixtureRequest) -> Any:
    width, height = (1280, 800) if request.param == "wide" else (390, 844)
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": request.param == "phone"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    return browser


def opened(browser: Any, folder: Path, page: str, address: str = "") -> Any:
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    browser.get("about:blank")
    browser.get(file.as_uri() + address)
    return browser


def errors(browser: Any) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser")]


def by_id(browser: Any, name: str) -> Any:
    return browser.find_element("id", name)


def press(browser: Any, key: str) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.find_element("tag name", "body").send_keys(getattr(Keys, key))


def wait_for(browser: Any, address: str) -> None:
    """Waits for the end of the page's address, which is written once no more turns are asked for."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 20).until(lambda browser: browser.current_url.endswith(address))


def copies(browser: Any, name: str) -> int:
    return len(browser.find_elements("css selector", f"#drawn use[href='#{name}']"))


def status(browser: Any) -> str:
    return by_id(browser, "status").text


def test_the_first_turn_is_shown_and_keys_and_buttons_go_on(window: Any, tmp_path: Path) -> None:
    opened(window, tmp_path, html.game(matchtext.read(TEXT)))
    assert status(window) == "Game 1: turn 1, Ben, 51: 24/23 13/8"
    assert [copies(window, name) for name in ("checker0", "checker1", "die15", "die11")] == [15, 15, 1, 1]
    assert not by_id(window, "previous").is_enabled()
    press(window, "ARROW_RIGHT")
    assert status(window) == "Game 1: turn 2, Ann, 43: 24/20 13/10"
    by_id(window, "next").click()
    assert status(window) == "Game 1: turn 3, Ben, 64: 24/14"
    press(window, "ARROW_LEFT")
    assert status(window) == "Game 1: turn 2, Ann, 43: 24/20 13/10"
    wait_for(window, "#g1t2")
    press(window, "END")
    assert status(window) == "Game 2: The game is not finished"
    assert not by_id(window, "next").is_enabled()
    by_id(window, "first").click()
    wait_for(window, "#g1t1")
    assert errors(window) == []


def test_a_link_leads_to_its_turn_and_the_board_stays_in_sight(window: Any, tmp_path: Path) -> None:
    opened(window, tmp_path, html.game(matchtext.read(TEXT)), "#g2t2")
    assert status(window) == "Game 2: turn 2, Ben, 52: 24/22 13/8"
    current = window.find_element("css selector", "a[aria-current]")
    assert current.get_attribute("id") == "g2t2"
    window.find_element("id", "g1t4").click()
    assert status(window) == "Game 1: turn 4, Ann, Doubles to 2"
    top, bottom = window.execute_script(
        "const box = document.getElementById('board').getBoundingClientRect(); return [box.top, box.bottom - innerHeight];"
    )
    assert top >= -1
    assert bottom <= 0
    assert window.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    assert errors(window) == []


def test_the_position_can_be_copied(window: Any, tmp_path: Path) -> None:
    opened(window, tmp_path, html.game(matchtext.read(TEXT)))
    assert by_id(window, "id-name").get_attribute("textContent") == "XGID"
    assert by_id(window, "id").get_attribute("value").startswith("XGID=-b----E-C---eE---c-e----B-:0:0:-1:51:")
    by_id(window, "copy").click()
    window.implicitly_wait(2)
    assert window.find_element("xpath", "//span[@id='copied'][text()='Copied.']")
    assert errors(window) == []


def test_the_board_is_in_words_and_all_controls_have_names(window: Any, tmp_path: Path) -> None:
    opened(window, tmp_path, html.game(matchtext.read(TEXT)))
    words = by_id(window, "board-words").get_attribute("textContent")
    assert words.startswith("Ann: 2 on 1, 5 on 12, 3 on 17, 5 on 19; 0 on the bar; 0 off.")
    assert words.endswith("Ben: 5 on 6, 3 on 8, 5 on 13, 2 on 24; 0 on the bar; 0 off.")
    assert by_id(window, "board").accessible_name == words
    assert [button.accessible_name for button in window.find_elements("tag name", "button")] == [
        "First turn",
        "Turn before",
        "Next turn",
        "Last turn",
        "Copy",
    ]
    assert errors(window) == []


def test_the_words_of_long_nardy_have_the_numbers_of_the_side_to_move_and_no_bar(window: Any, tmp_path: Path) -> None:
    text = '; [Variation "Narde"]\n Game 1\n Ann : 0                   Ben : 0\n  1) 52: 24/17              64: 24/14\n'
    opened(window, tmp_path, html.game(matchtext.read(text)), "#g1t2")
    words = by_id(window, "board-words").get_attribute("textContent")
    assert words == "Ann: 1 on 5, 14 on 12; 0 off. Ben: 15 on 24; 0 off."
    assert errors(window) == []


@pytest.mark.parametrize(
    "name", ["</script><script>document.title='evil'</script>", "<img src=x onerror=\"document.title='evil'\">", "<!--<script>"]
)
def test_hostile_names_are_words_and_nothing_else(browser: Any, tmp_path: Path, name: str) -> None:
    tags = TEXT.replace("3 point match", f'; [Event "{name}"]\n3 point match')
    opened(browser, tmp_path, html.game(matchtext.read(tags), names=(name, name)))
    assert browser.title == f"{name} and {name}, 3-point match"
    assert browser.find_element("tag name", "h1").text == f"{name} and {name}"
    assert browser.find_elements("tag name", "dd")[2].text == name
    assert len(browser.find_elements("tag name", "script")) == 2
    assert not browser.find_elements("tag name", "img")
    assert status(browser) == f"Game 1: turn 1, {name}, 51: 24/23 13/8"
    assert errors(browser) == []


def test_nothing_from_outside_is_loaded(browser: Any, tmp_path: Path) -> None:
    opened(browser, tmp_path, html.game(matchtext.read(TEXT)))
    browser.execute_script("const image = new Image(); image.src = 'https://example.org/x.png'; document.body.append(image);")
    assert any("Content Security Policy" in message for message in errors(browser))


def test_every_real_match_has_a_page_that_runs(browser: Any, tmp_path: Path) -> None:
    folder = Path(os.environ.get("TABULA_MATCHES", MATCHES))
    files = sorted(folder.glob("*.txt"))
    if not files:
        pytest.skip(f"there are no matches in {folder}")
    for file in files:
        match = matchtext.read(matchtext.decode(file.read_bytes()), file=file.name)
        opened(browser, tmp_path, html.game(match))
        turns = browser.execute_script("return document.querySelectorAll('a.turn').length")
        assert turns == sum(len(game.turns) + 1 for game in match.games if game.turns)
        assert errors(browser) == [], file.name
        drawn = browser.execute_script(
            "const wrong = []; const next = document.getElementById('next');"
            "for (let at = 0; ; at += 1) {"
            "  const count = ['checker0', 'checker1', 'flat0', 'flat1']"
            "    .map((name) => document.querySelectorAll(`#drawn use[href='#${name}']`).length);"
            "  if (count[0] + count[2] > 15 || count[1] + count[3] > 15 || count[0] + count[1] === 0) wrong.push([at, count]);"
            "  if (next.disabled) return [at + 1, wrong];"
            "  next.click();"
            "}"
        )
        assert drawn == [turns, []], file.name
        assert errors(browser) == [], file.name
