"""No page has a fault that axe-core knows, in any state, wide or narrow, light or dark."""

from collections.abc import Callable

import pytest
from selenium.webdriver.common.keys import Keys

from medgauge.protocol import NAMES
from tests.annotate.studies import rate
from tests.annotate.web.browser import DESK, PHONE
from tests.annotate.web.served import ANN, BEA, COORDINATOR

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS = [(size, touch, dark) for size, touch in ((DESK, False), (PHONE, True)) for dark in (False, True)]
RUN = """
const done = arguments[1];
axe.run({ runOnly: arguments[0], resultTypes: ["violations"] }).then(
  ({ violations }) => done(violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target }) => `${id} (${impact}): ${target.join(" ")}`))),
  (error) => done([String(error)]),
);
"""


@pytest.fixture
def check(browser, axe) -> Callable[[str], None]:
    """Hold the page that is open against the rules, in all looks."""

    def hold(page: str) -> None:
        browser.run(axe)
        faults = []
        for size, touch, dark in LOOKS:
            browser.look(size, touch=touch, dark=dark)
            look = f"{size[0]} px wide, {'dark' if dark else 'light'}"
            faults += [f"{page}, {look}: {fault}" for fault in browser.driver.execute_async_script(RUN, TAGS)]
        browser.look(DESK)
        if faults:
            pytest.fail("\n".join(faults))

    return hold


def test_the_rules_find_a_fault_and_in_which_look_it_is(serve, browser, check):
    study = serve("same", 2)
    browser.open(study.link())
    browser.run("document.querySelector('h1').style.color = '#1d2428'")
    with pytest.raises(pytest.fail.Exception) as caught:
        check("dark letters")
    assert str(caught.value).splitlines() == [
        "dark letters, 1280 px wide, dark: color-contrast (serious): h1",
        "dark letters, 390 px wide, dark: color-contrast (serious): h1",
    ]


@pytest.mark.parametrize("protocol", NAMES)
def test_pages_on_the_way_to_the_end(serve, browser, check, protocol):
    study = serve(protocol, 4)
    answers = {"same": "s", "graded": "2", "slider": "4" + Keys.ENTER, "associated": "a", "domain": "b"}
    keys = answers[protocol]
    browser.open(study.link())
    check("instructions")
    study.store.mark_instructed(ANN)
    browser.open(f"{study.url}/")
    check("practice")
    browser.answer(keys)
    browser.wait(lambda: browser.is_shown("#feedback"), "there is no feedback")
    check("feedback")
    study.store.mark_practised(ANN)
    browser.open(f"{study.url}/")
    check("first pair")
    browser.answer(keys, keys, keys, keys)
    browser.open_details()
    browser.wait_until_saved()
    check("full page, all of it open")
    with browser.leaving():
        browser.find("#submit-page").click()
    check("done")


def test_the_end_of_the_practice(serve, browser, check):
    study = serve("same", 2)
    study.store.mark_instructed(ANN)
    browser.open(study.link())
    for _ in range(5):
        browser.answer("d")
        browser.wait(lambda: browser.is_shown("#feedback"), "there is no feedback")
        browser.press(Keys.ENTER)
    assert browser.is_shown("#end")
    check("end of the practice")


def test_the_reminder(serve, browser, check):
    study = serve("graded", 12)
    study.let_in()
    for place in range(9):
        rate(study.store, ANN, place, 1.0)
    browser.open(study.link())
    browser.answer("1")
    browser.wait(lambda: browser.is_shown("#reminder"), "there is no reminder")
    check("reminder")


def test_notices_of_what_is_not_saved(serve, browser, check):
    study = serve("same", 4)
    study.let_in()
    study.store.pause()
    browser.expect("status of 409")
    browser.open(study.link())
    browser.answer("s")
    browser.wait(lambda: browser.is_shown("#unsaved"), "the page does not tell of the pause")
    assert browser.is_shown("#paused")
    check("paused and not saved")


def test_an_answer_that_was_refused_and_another_annotator(serve, browser, check):
    study = serve("graded", 4)
    study.let_in()
    study.let_in(BEA)
    browser.expect("status of 409")
    browser.open(study.link())
    rate(study.store, ANN, 0, 3.0)
    browser.answer("1")
    browser.wait(lambda: browser.is_shown("#refused"), "the page does not say that an answer was refused")
    check("refused")
    browser.open(study.link(BEA))
    assert browser.is_shown("#person")
    check("another annotator")


def test_pages_of_who_is_not_signed_in(serve, browser, check):
    study = serve("same", 2)
    browser.expect("status of 401", "status of 404")
    browser.open(f"{study.url}/")
    check("not signed in")
    browser.open(f"{study.url}/s/unknown")
    check("unknown link")
    browser.open(study.link())
    with browser.leaving():
        browser.find("header button").click()
    check("signed out")


def test_the_pages_of_the_coordinator(serve, browser, check):
    study = serve("same", 12)
    for place in range(12):
        rate(study.store, ANN, place, place % 2)
        rate(study.store, BEA, place, place % 3 and 1)
    study.store.pause()
    study.store.revoke(BEA)
    browser.open(study.link(COORDINATOR))
    browser.wait(lambda: browser.find("#agreement table"), "the page does not tell how far annotators agree")
    browser.open_details()
    check("overview, all of it open")
    for how in ("revoke", "link"):
        browser.open(f"{study.url}/coordinator/{how}?annotator={ANN}")
        check(f"question before: {how}")
    with browser.leaving():
        browser.find("main form button").click()
    check("new link")
    browser.open(f"{study.url}/coordinator")
    browser.expect("net::ERR_")
    study.server.kill()
    browser.run("document.dispatchEvent(new Event('visibilitychange'))")
    browser.wait(lambda: browser.is_shown("#gone"), "the page does not say that the server is gone")
    check("server gone")


def test_the_coordinators_pages_before_there_is_something_to_tell(serve, browser, check):
    study = serve("graded", 4)
    browser.open(study.link(COORDINATOR))
    browser.wait(
        lambda: "Nothing is rated" in browser.text("#agreement"), "nothing is shown about the agreement"
    )
    check("overview")
    browser.expect("status of 403")
    with browser.leaving():
        browser.run("document.querySelector('[name=csrf]').value = ''; document.forms[0].submit()")
    check("message to who is signed in")
