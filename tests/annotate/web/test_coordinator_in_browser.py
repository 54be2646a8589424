"""The coordinator's pages in Chromium, and the ratings that they give out."""

import csv
import io

import pytest

from tests.annotate.web.served import ANN, COORDINATOR, NAME, TERMS


@pytest.fixture
def study(serve, browser):
    """Serve a study of four pairs, with the coordinator signed in."""
    served = serve("same", len(TERMS))
    served.let_in()
    browser.open(served.link(COORDINATOR))
    return served


def test_the_coordinator_signs_in_by_link_beside_an_annotator_and_out(study, browser):
    assert browser.path == "/coordinator"
    assert "2 annotators" in browser.text("#live")
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
    browser.press("\ue012")  # back to the third pair
    browser.answer("n")
    browser.wait_until_saved()
    browser.open(f"{study.url}/coordinator")
    rows = list(csv.DictReader(io.StringIO(browser.fetch("/coordinator/ratings.csv"))))
    assert [row["rating"] for row in rows] == ["same", "not same", "not same"]
    assert [(row["term_1"], row["term_2"]) for row in rows] == list(TERMS[:3])
    assert [row["side"] for row in rows] == ["term_1 first", "term_2 first", "term_1 first"]
    assert {row["annotator"] for row in rows} == {NAME}


def test_a_new_link_is_shown_once_and_ends_the_old_one(study, browser):
    old = study.link()
    with browser.leaving():
        browser.submit("/coordinator/link", annotator=ANN)
    assert browser.text("h1") == f"A new link for {NAME}"
    link = browser.find("#link").get_attribute("value")
    assert link.startswith(f"{study.url}/s/")
    browser.expect("status of 404")
    browser.open(old)
    assert "This link is not known." in browser.text("main")
    browser.open(link)
    assert browser.path == "/rate"


def test_a_study_is_paused_and_resumed_and_an_annotator_revoked(study, browser):
    for path, paused in (("pause", True), ("resume", False)):
        with browser.leaving():
            browser.submit(f"/coordinator/{path}")
        assert browser.path == "/coordinator"
        assert study.store.study().paused is paused
    link = study.link()
    with browser.leaving():
        browser.submit("/coordinator/revoke", annotator=ANN)
    assert study.store.annotator_by_link(link.rsplit("/", 1)[1]) is None
