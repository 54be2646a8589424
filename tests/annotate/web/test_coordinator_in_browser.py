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


def test_the_table_holds_exactly_what_an_annotator_rated_in_the_same_browser(study, browser):
    assert browser.path == "/coordinator"
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
    with browser.leaving():
        browser.find("header button").click()
    browser.expect("status of 401")
    browser.open(f"{study.url}/coordinator")
    assert browser.text("h1") == "Not signed in"
    browser.open(f"{study.url}/")
    assert browser.path == "/rate"


def test_the_keyboard_alone_pauses_the_study_and_changes_links(study, browser):
    def press(button: str) -> None:
        browser.tab_to(button)
        with browser.leaving():
            browser.press(Keys.ENTER)

    def change_link(how: str) -> None:
        browser.tab_to("tbody tr:first-child summary")
        browser.press(Keys.ENTER)
        press(f"tbody tr:first-child a[href^='/coordinator/{how}']")
        assert who_signs_in(study, links)[-1] == NAME  # nothing has happened yet
        press("main .steps .button")  # cancel
        browser.tab_to("tbody tr:first-child summary")
        browser.press(Keys.ENTER)
        press(f"tbody tr:first-child a[href^='/coordinator/{how}']")
        assert NAME in browser.text("h1")
        press("main form button")

    for how, paused in (("pause", True), ("resume", False)):
        press(f"form[action='/coordinator/{how}'] button")
        assert study.store.study().paused is paused
        assert ("The study is paused" in browser.text("main")) is paused
    links = [study.link()]
    change_link("link")
    assert browser.text("h1") == f"A new link for {NAME}"
    links.append(browser.find("#link").get_attribute("value"))
    press("main .button")
    assert who_signs_in(study, links) == [None, NAME]
    change_link("revoke")
    assert browser.text("tbody tr:first-child summary").startswith("revoked")
    assert who_signs_in(study, links) == [None, None]


def test_the_page_did_not_say_that_the_server_is_gone(study, browser):
    browser.expect("net::ERR_", "status of 401")
    hurry = "const slow = setInterval; setInterval = (work, ms) => slow(work, ms / 100);"
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=hurry)
    browser.open(f"{study.url}/coordinator")
    browser.wait(lambda: "Nothing is rated yet" in browser.text("#agreement"), "there is no agreement")
    assert not browser.is_shown("#gone")
    study.server.kill()
    browser.wait(lambda: browser.is_shown("#gone"), "the page does not say that the server is gone")
    assert browser.text("#gone").startswith("The server cannot be reached.")
    study.start()
    browser.wait(lambda: not browser.is_shown("#gone"), "the page does not say that the server is back")
    study.link(COORDINATOR)
    browser.wait(lambda: "no longer signed in" in browser.text("#gone"), "the page is silent when signed out")


def who_signs_in(study, links: list[str]) -> list[str | None]:
    tokens = [link.removeprefix(f"{study.url}/s/") for link in links]
    found = [study.store.annotator_by_link(token) for token in tokens]
    return [one and one.name for one in found]


def test_the_page_renews_itself_but_nothing_under_the_hand(study, browser):
    # Twenty seconds are half of one.
    hurry = "const slow = setInterval; setInterval = (work, ms) => slow(work, ms / 40);"
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=hurry)
    browser.open(f"{study.url}/coordinator")
    rows = "[data-from='/coordinator/annotators'] tbody"
    browser.wait(
        lambda: "Nothing is rated yet" in browser.text("#agreement"), "nothing is shown about the agreement"
    )
    rate(study.store, ANN, 0, 1.0)
    browser.wait(lambda: "1 of 4" in browser.text(rows), "the page does not tell of the rating")
    browser.run("document.querySelector(arguments[0]).open = true", f"{rows} details")
    rate(study.store, BEA, 0, 0.0)
    disputed = "[data-from='/coordinator/behaviour']"
    browser.wait(lambda: TERMS[0][0] in browser.text(disputed), "the page does not tell of the dispute")
    assert browser.find(f"{rows} details").get_attribute("open")
    assert browser.text(rows).count("1 of 4") == 1
