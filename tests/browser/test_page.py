"""The exported page in a real browser: walking, searching, filtering, by mouse, keyboard and phone."""

import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from support.trees import compacted, write_logs

from hipocampus.memory.store import MemoryStore
from hipocampus.session.export import export_page

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
if not (BROWSER and DRIVER):
    pytest.skip("chromium and its driver are not installed", allow_module_level=True)

pytestmark = pytest.mark.loopback  # the driver listens on this machine

HOSTILE = "<img src=x onerror=hacked=1></script><script>hacked=1</script><b>bold</b>"
LONG = "\n".join(
    f"## Topic {n} [project]\n- decisions: chose plan {n} over plan b{n}\n- outcome: step {n} works"
    for n in range(80)
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = tmp_path_factory.mktemp("browser") / "project"
    logs = {}
    for n in range(440):
        day = (date(2026, 3, 15) - timedelta(days=n)).isoformat()
        kind = ("project", "feedback", "user", "reference")[n % 4]
        logs[day] = f"# {day}\n\n## Walk {n} [{kind}]\n- outcome: reached stone {n}\n"
    logs["2026-03-09"] = f"# 2026-03-09\n\n{LONG}\n"
    logs["2026-03-10"] = f"# 2026-03-10\n\n## {HOSTILE} [user]\n- rule: {HOSTILE}\n- note: {{{{script}}}}\n"
    write_logs(root, logs)
    (root / "memory" / "ROOT.md").write_text("---\ntype: root\n---\n\n## Topics Index\n", encoding="utf-8")
    compacted(root, "2026-03-15")
    (root / "WORKING.md").write_text(
        "# W\n\n## Port the parser\n### Next Steps\n- [ ] read\n", encoding="utf-8"
    )
    done = export_page(MemoryStore(root), "Stones", datetime(2026, 3, 15, 9, tzinfo=UTC), UTC)
    path = root.parent / "page.html"
    path.write_text(done.text, encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    home = tmp_path_factory.mktemp("browser-home")
    options = Options()
    options.binary_location = BROWSER or ""
    for word in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1200,900",
    ):
        options.add_argument(word)
    options.add_argument(f"--user-data-dir={home / 'profile'}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    environment = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_CACHE_HOME": str(home),
        "PATH": "/usr/bin:/bin",
    }
    driver = webdriver.Chrome(options=options, service=Service(DRIVER, env=environment))
    yield driver
    driver.quit()


@pytest.fixture
def at(browser: Any, page: str) -> Any:
    """Open a place of the page; afterwards nothing was complained about and nothing was loaded."""

    def open_at(place: str = "") -> Any:
        browser.get("about:blank")
        browser.get(f"{page}#/{place}")
        return browser

    yield open_at
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert browser.execute_script("return typeof window.hacked") == "undefined"


def css(browser: Any, selector: str) -> list[Any]:
    return list(browser.find_elements("css selector", selector))


def text(browser: Any, selector: str = "main") -> str:
    return str(browser.find_element("css selector", selector).text)


def click(browser: Any, words: str, within: str = "main") -> None:
    browser.find_element("css selector", within).find_element("partial link text", words).click()


def wait(browser: Any, script: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 60, poll_frequency=0.02).until(lambda b: b.execute_script(f"return {script}"))


def searched(browser: Any, words: str) -> None:
    wait(browser, f"document.getElementById('main').dataset.searched === {words!r}")


def test_from_the_root_down_to_an_entry_and_up_again(at: Any) -> None:
    browser = at()
    browser.find_element("css selector", "nav li[data-place='2026'] .fold").click()
    browser.find_element("css selector", "nav li[data-place='2026-03'] > .row > a").click()
    assert text(browser, "h1") == "March 2026"
    click(browser, "Week 10")
    click(browser, "Thu 5 Mar")
    assert text(browser, "h1") == "Thursday, 5 March 2026"
    click(browser, "Walk 10")
    assert "reached stone 10" in text(browser, "article.lit")
    assert css(browser, "nav [aria-current]")[0].text == "Thu 5 Mar"
    for place, title in (
        ("Week 10", "Week 10, 2026"),
        ("March 2026", "March 2026"),
        ("2026", "2026"),
        ("ROOT", "Stones"),
    ):
        browser.find_element("css selector", ".way" if css(browser, ".way") else "main").find_element(
            "link text", place
        ).click()
        assert text(browser, "h1") == title
    browser.back()
    assert text(browser, "h1") == "2026"


def test_every_line_of_a_summary_leads_to_its_source(at: Any) -> None:
    browser = at("2026-03-09")
    lines = browser.execute_script(
        "return [...document.querySelectorAll('.section .text li')].filter((li) => !li.querySelector('ul'))"
        ".map((li) => [li.textContent, li.querySelectorAll('a').length])"
    )
    assert len(lines) > 50
    assert [line for line in lines if not line[1] and "more" not in line[0]] == []
    link = next(
        a
        for a in css(browser, ".section .text li a")
        if ":" in (a.get_attribute("href") or "").rsplit("/", 1)[1]
    )
    wanted = link.find_element("xpath", "..").text
    link.click()
    number = next(word for word in wanted.split() if word.isdigit())
    assert f"Topic {number}" in text(browser, ".lit") or f"plan {number} " in text(browser, "article.lit")


def test_what_is_not_open_is_not_in_the_page(at: Any) -> None:
    browser = at()
    assert css(browser, "article") == []
    assert browser.execute_script("return document.querySelectorAll('*').length") < 1200
    browser.get(browser.current_url.split("#")[0] + "#/2026-03-09")
    assert len(css(browser, "article")) == 60
    css(browser, "button.more")[-1].click()
    assert len(css(browser, "article")) == 80


def test_a_hostile_entry_stays_text(at: Any) -> None:
    browser = at("2026-03-10")
    assert HOSTILE in text(browser, "article h2")
    assert HOSTILE in text(browser, "article .text")
    assert "{{script}}" in text(browser, "article")
    assert css(browser, "main img, main b, main script") == []
    browser.find_element("id", "words").send_keys("<b>bold")
    searched(browser, "<b>bold")
    assert HOSTILE in text(browser, ".hits")
    assert css(browser, "main img, main b, main script") == []


def test_search_while_typing_over_all_years(at: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = at()
    browser.find_element("css selector", "body").send_keys("/")
    field = browser.switch_to.active_element
    assert field.get_attribute("id") == "words"
    field.send_keys("STONE 43")
    searched(browser, "STONE 43")
    assert text(browser, ".sub") == "14 results, newest first"
    assert [mark.text for mark in css(browser, ".hit:first-child p mark")] == ["stone", "43"]
    field.send_keys("9")
    searched(browser, "STONE 439")
    assert len(css(browser, ".hit")) == 1
    field.send_keys(Keys.ARROW_DOWN)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert "reached stone 439" in text(browser, "article.lit")
    field.clear()
    field.send_keys("nowhere at all")
    searched(browser, "nowhere at all")
    assert text(browser, ".sub") == "Nothing has all of these words"
    field.send_keys(Keys.ESCAPE)
    assert text(browser, "h1") == "Stones"


def test_types_are_filtered_in_every_view(at: Any) -> None:
    browser = at()
    before = len(css(browser, "a.cell.s0"))
    for kind in ("project", "feedback", "user"):
        browser.find_element("css selector", f".kinds input[value={kind}]").click()
    assert browser.switch_to.active_element.get_attribute("value") == "user"
    assert len(css(browser, "a.cell.s0")) > before
    browser.find_element("id", "words").send_keys("stone 1")
    searched(browser, "stone 1")
    assert {chip.text for chip in css(browser, ".hit .chip")} == {"reference"}


def test_the_calendar_is_walked_by_arrow_keys(at: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = at()
    assert len(css(browser, ".grid a[tabindex='0']")) == 1
    css(browser, ".grid a[tabindex='0']")[0].send_keys(Keys.ARROW_LEFT)
    assert browser.switch_to.active_element.get_attribute("aria-label") == "Sunday, 8 March 2026: 1 entry"
    browser.switch_to.active_element.send_keys(Keys.ARROW_UP)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert text(browser, "h1") == "Saturday, 7 March 2026"
    browser.back()
    next(button for button in css(browser, ".years button") if button.text == "2025").click()
    assert len(css(browser, ".grid a")) == 365


def test_the_tree_is_walked_by_arrow_keys(at: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = at()
    css(browser, "nav li[data-place='2026'] > .row > a")[0].send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert browser.switch_to.active_element.text == "March"
    browser.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    assert browser.switch_to.active_element.text == "2026"


def test_a_screen_reader_gets_names_one_title_and_what_changed(at: Any) -> None:
    for place in ("", "2026-03", "2026-W10", "2026-03-05", "tasks", "notes"):
        browser = at(place)
        nameless = browser.execute_script(
            "return [...document.querySelectorAll('a, button, input')].filter((n) => !(n.getAttribute('aria-label') || n.textContent.trim()"
            " || (n.labels && n.labels[0] && n.labels[0].textContent.trim()))).map((n) => n.outerHTML)"
        )
        assert nameless == []
        assert len(css(browser, "h1")) == 1
    click(browser, "ROOT")
    assert browser.switch_to.active_element.get_attribute("id") == "main"
    assert browser.execute_script("return document.getElementById('said').textContent") == "Stones"


def test_tasks_are_shown(at: Any) -> None:
    assert "Port the parser" in text(at("tasks"))


def test_light_and_dark(at: Any) -> None:
    browser = at()
    ground = "return getComputedStyle(document.body).backgroundColor"
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    dark = browser.execute_script(ground)
    browser.find_element("id", "theme").click()
    light = browser.execute_script(ground)
    assert light != dark
    browser.find_element("id", "theme").click()
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert browser.execute_script(ground) == dark
    browser.find_element("id", "theme").click()
    assert browser.execute_script(ground) == light


@pytest.mark.parametrize("place", ["", "2026-03", "2026-03-09", "2026-03-10", "search/stone"])
def test_a_phone_needs_no_scrolling_sideways(at: Any, place: str) -> None:
    browser = at(place)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True},
    )
    try:
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
        assert not css(browser, "nav")[0].is_displayed()
        browser.find_element("id", "browse").click()
        assert css(browser, "nav")[0].is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
