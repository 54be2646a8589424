"""Rating by finger, on the screens of phones."""

import pytest

from tests.annotate.web.browser import PHONE, SMALL_PHONE
from tests.annotate.web.served import ANN, COORDINATOR, shown

FINGER = 44  # CSS pixels: WCAG 2.2, success criterion 2.5.5

# What can be touched, with what is around it if that is touched for it, and is in sight.
TOO_LOW = """
const targets = document.querySelectorAll("a[href], button, input:not([type=hidden]), summary");
return [...targets]
  .map((target) => target.closest("label") ?? target)
  .filter((target) => target.checkVisibility() && target.getBoundingClientRect().right > 0)
  .filter((target) => target.getBoundingClientRect().height < arguments[0])
  .map((target) => `${target.outerHTML.slice(0, 60)} is ${target.getBoundingClientRect().height} high`);
"""
TOO_WIDE = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


def assert_fits(browser, place: str) -> None:
    """Hold the page, all of it open, against a finger and against the width of two phones."""
    browser.open_details()
    for size in (SMALL_PHONE, PHONE):
        browser.look(size, touch=True)
        assert browser.run(TOO_LOW, FINGER) == [], (place, size)
        assert browser.run(TOO_WIDE) == 0, (place, size)


@pytest.mark.parametrize(
    ("protocol", "taps", "values"),
    [
        ("graded", [["[data-value='3.0']"], ["[data-value='0.0']"], ["#unsure"]], [3, 0, None]),
        ("same", [["[data-value='1.0']"], ["#unsure"], ["[data-value='0.0']"]], [1, None, 0]),
        ("slider", [["#range", "#save"]] * 3, [3, 3, 3]),
    ],
)
def test_a_page_is_rated_by_finger(serve, browser, protocol, taps, values):
    study = serve(protocol, 3)
    browser.look(PHONE, touch=True)
    browser.open(study.link())
    assert browser.run("return matchMedia('(pointer: coarse)').matches")
    assert_fits(browser, "instructions")
    with browser.leaving():
        browser.tap("main form button")
    assert_fits(browser, "practice")
    browser.settle()
    for target in taps[0]:
        browser.tap(target)
    browser.wait(lambda: browser.is_shown("#feedback"), "there is no feedback")
    assert_fits(browser, "feedback")
    study.store.mark_practised(ANN)
    browser.open(f"{study.url}/")
    for place, targets in enumerate(taps):
        assert browser.pair == shown(place)
        assert_fits(browser, f"pair {place}")
        browser.settle()
        for target in targets:
            browser.tap(target)
    browser.wait_until_saved()
    assert_fits(browser, "full page")
    with browser.leaving():
        browser.tap("#submit-page")
    assert_fits(browser, "done")
    assert study.given() == list(enumerate(values))


def test_a_double_tap_answers_one_pair(serve, browser):
    study = serve("graded", 3)
    study.let_in()
    browser.look(PHONE, touch=True)
    browser.open(study.link())
    browser.settle()
    browser.tap("[data-value='2.0']", times=2)
    browser.wait_until_saved()
    assert browser.pair == shown(1)
    assert study.given() == [(0, 2)]


def test_a_slider_is_put_where_it_is_touched(serve, browser):
    study = serve("slider", 2)
    study.let_in()
    browser.look(PHONE, touch=True)
    browser.open(study.link())
    browser.settle()
    browser.tap("#range", across=0.99)
    assert browser.text("#chosen") == "6"
    browser.tap("#range", across=0.01)
    assert browser.text("#chosen") == "0"
    browser.tap("#save")
    browser.wait_until_saved()
    assert study.given() == [(0, 0)]


def test_the_coordinators_pages_fit(serve, browser):
    study = serve("graded", 3)
    browser.look(PHONE, touch=True)
    browser.open(study.link(COORDINATOR))
    assert_fits(browser, "overview")
    with browser.leaving():
        browser.tap("form[action='/coordinator/link'] button")
    assert_fits(browser, "new link")
