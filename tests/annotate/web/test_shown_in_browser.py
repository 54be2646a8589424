"""What pages show: terms as they are, whatever is in them, and nothing that could sway an annotator."""

import pytest

from medgauge.protocol import NAMES, protocol_text
from tests.annotate.studies import rate
from tests.annotate.web.served import BEA, SECRETS, TERMS, shown


def requested(browser) -> set[str]:
    """Give the paths of all that the page has asked for."""
    entries = browser.run("return performance.getEntries().map(entry => entry.name)")
    return {f"/{entry.split('/', 3)[3]}" for entry in entries if entry.startswith("http")}


def test_terms_are_text_whatever_is_in_them(serve, browser):
    study = serve("graded", len(TERMS))
    study.let_in()
    browser.open(study.link())
    browser.find("#all summary").click()
    for place in range(len(TERMS)):
        assert browser.pair == shown(place)
        browser.answer("1")
    browser.wait_until_saved()
    listed = [one.text for one in browser.driver.find_elements("css selector", "#list span:first-child")]
    assert listed == [" – ".join(shown(place)) for place in range(len(TERMS))]
    assert browser.driver.find_elements("css selector", "img") == []
    assert {path for path in requested(browser) if not path.startswith("/static/")} <= {"/rate", "/answers"}


def test_terms_are_written_in_their_own_direction(serve, browser):
    study = serve("graded", 1)
    study.let_in()
    browser.open(study.link())
    for term, direction in (("שפעת (חריפה)", "rtl"), ("flu (acute)", "ltr")):
        browser.run("document.getElementById('left').textContent = arguments[0]", term)
        assert browser.run("return getComputedStyle(document.getElementById('left')).direction") == direction


def test_a_single_term_has_no_and_and_no_second_term(serve, browser):
    study = serve("domain", 1)
    study.let_in()
    browser.open(study.link())

    def seen():
        parts = browser.driver.find_elements("css selector", "#pair .term, #pair .and")
        return [part.get_attribute("id") or "and" for part in parts if part.is_displayed()]

    assert seen() == ["left", "and", "right"]
    browser.run("document.getElementById('right').textContent = ''")
    assert seen() == ["left"]


def test_what_labels_a_value_of_a_slider_does_not_stand_under_another(serve, browser, tmp_path):
    labelled = protocol_text("slider").replace(
        "[[answers]]\nvalue = 6", '[[answers]]\nvalue = 1\nlabel = "hardly related"\n\n[[answers]]\nvalue = 6'
    )
    path = tmp_path / "labelled.toml"
    path.write_text(labelled, "utf-8")
    study = serve(path, 1)
    study.let_in()
    browser.open(study.link())
    marks = [mark.text for mark in browser.driver.find_elements("css selector", ".marks span")]
    assert marks == ["0 completely unrelated", "6 highly synonymous"]
    assert browser.text(".between") == "1 hardly related"
    marks, between = (browser.find(part).rect for part in (".marks", ".between"))
    assert between["y"] >= marks["y"] + marks["height"]


@pytest.mark.parametrize("protocol", NAMES)
def test_no_page_tells_the_set_the_label_the_role_or_what_others_rated(serve, browser, protocol):
    study = serve(protocol, 3, 3)
    for place in range(3):
        rate(study.store, BEA, place, 1.0)
    sources = []

    def look_around(path: str) -> None:
        browser.open(f"{study.url}{path}")
        assert browser.path == path
        # The source as it came, and the page as scripts have made it.
        sources.append(browser.fetch(path))
        sources.append(browser.driver.page_source)

    browser.open(study.link())
    look_around("/instructions")
    study.let_in()
    look_around("/practice")
    look_around("/rate")
    state = browser.state()
    assert state.keys() == {"annotator", "study", "page", "items", "before", "of"}
    for place, item in enumerate(state["items"]):
        left, right = shown(place)
        expected = {"place": place, "left": left, "right": right}
        assert item == expected | {"rated": False, "value": None, "version": None, "turn": None}
    assert [source for source in sources if any(secret in source for secret in SECRETS)] == []


def test_who_signed_out_is_not_shown_the_page_before_by_going_back(serve, browser):
    study = serve("same", 2)
    study.let_in()
    browser.expect("status of 401")
    browser.open(study.link())
    with browser.leaving():
        browser.find("header button").click()
    browser.driver.back()
    browser.wait(lambda: browser.text("h1") == "Not signed in", "what was kept of the page is shown")


def test_strangers_and_annotators_do_not_see_the_pages_of_the_coordinator(serve, browser):
    study = serve("same", 2)
    browser.expect("status of 401", "status of 404")
    browser.open(f"{study.url}/s/{'x' * 22}")
    assert "This link is not valid." in browser.text("main")
    for path in ("/", "/rate", "/coordinator", "/coordinator/ratings.csv"):
        browser.open(f"{study.url}{path}")
        assert browser.text("h1") == "Not signed in"
    browser.open(study.link())
    browser.open(f"{study.url}/coordinator")
    assert browser.text("h1") == "Not signed in"
    browser.open(f"{study.url}/nothing")
    assert "There is no such page." in browser.text("main")
