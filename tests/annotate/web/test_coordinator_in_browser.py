"""The coordinator's pages in Chromium, and the ratings that they give out."""

import csv
import io

import pytest
from selenium.webdriver.common.keys import Keys

from tests.annotate.studies import rate
from tests.annotate.web.served import ANN, BEA, COORDINATOR, NAME, TERMS


@pytest.fixture
def study(serve, browser):
    """Serve a study of four pairs, with the coordinator signed in."""
    served = serve("same", len(TERMS))
    served.let_in()
    browser.open(served.link(COORDINATOR))
    return served


def change_link(browser, button: str) -> None:
    """Press a button beside the first annotator, by the keyboard."""
    browser.tab_to("tbody tr:first-child summary")
    browser.press(Keys.ENTER)
    browser.tab_to(f"tbody tr:first-child form[action='/coordinator/{button}'] button")
    with browser.leaving():
        browser.press(Keys.ENTER)


def test_the_coordinator_signs_in_by_link_beside_an_annotator_and_out(study, browser):
    assert browser.path == "/coordinator"
    browser.open(study.link())
    assert browser.path == "/rate"
    browser.open(f"{study.url}/coordinator")
    with browser.leaving():
        browser.find("header button").click()
    browser.expect("status of 401")
    browser.open(f"{study.url}/coordinator")
    assert browser.text("h1") == "Not signed in"
    browser.open(f"{study.url}/")
    assert browser.path == "/rate"


def test_the_table_holds_exactly_what_was_rated(study, browser):
    browser.open(study.link())
    browser.answer("s", "n", "d")
    browser.press("u")
    browser.answer("s")
    browser.press(Keys.ARROW_LEFT)
    browser.answer("n")
    browser.wait_until_saved()
    browser.open(f"{study.url}/coordinator")
    table = browser.fetch(browser.find("a[download]").get_attribute("href"))
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["rating"] for row in rows] == ["same", "not same", "not same"]
    assert [(row["term_1"], row["term_2"]) for row in rows] == list(TERMS[:3])
    assert [row["side"] for row in rows] == ["term_1 first", "term_2 first", "term_1 first"]
    assert {row["annotator"] for row in rows} == {NAME}


def test_a_new_link_is_shown_once_and_ends_the_old_one(study, browser):
    old = study.link()
    change_link(browser, "link")
    assert browser.text("h1") == f"A new link for {NAME}"
    link = browser.find("#link").get_attribute("value")
    assert link.startswith(f"{study.url}/s/")
    browser.expect("status of 404")
    browser.open(old)
    assert "This link is not known." in browser.text("main")
    browser.open(link)
    assert browser.path == "/rate"


def test_an_annotator_is_revoked(study, browser):
    link = study.link()
    change_link(browser, "revoke")
    assert browser.text("tbody tr:first-child summary").startswith("revoked")
    browser.expect("status of 404")
    browser.open(link)
    assert "This link is not known." in browser.text("main")


def test_a_study_is_paused_and_goes_on(study, browser):
    for button, paused in (("Pause the study", True), ("Resume the study", False)):
        assert browser.text(".steps button") == button
        with browser.leaving():
            browser.find(".steps button").click()
        assert study.store.study().paused is paused
        assert ("The study is paused" in browser.text("main")) is paused


def test_the_page_renews_itself_but_nothing_under_the_hand(study, browser):
    # Twenty seconds are half of one.
    hurry = "const slow = setInterval; setInterval = (work, ms) => slow(work, ms / 40);"
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=hurry)
    browser.open(f"{study.url}/coordinator")
    rows = "[data-from='/coordinator/annotators'] tbody"
    browser.wait(
        lambda: "Nothing is rated yet" in browser.text("#agreement"), "nothing is told of the agreement"
    )
    rate(study.store, ANN, 0, 1.0)
    browser.wait(lambda: "1 of 4" in browser.text(rows), "the page does not tell of the rating")
    browser.run("document.querySelector(arguments[0]).open = true", f"{rows} details")
    rate(study.store, BEA, 0, 0.0)
    disputed = "[data-from='/coordinator/manners']"
    browser.wait(lambda: TERMS[0][0] in browser.text(disputed), "the page does not tell of the dispute")
    assert browser.find(f"{rows} details").get_attribute("open")
    assert browser.text(rows).count("1 of 4") == 1
