"""Two tabs, two devices, two annotators at one browser: no rating is replaced unseen or given for another."""

import pytest
from selenium.webdriver.common.keys import Keys

from tests.annotate.web.browser import PHONE, SMALL_PHONE
from tests.annotate.web.served import ANN, BEA, NAME, elsewhere, shown

BEAS_NAME = "Béa-Łucja"
LOST = "net::ERR_"


@pytest.fixture
def link(serve, browser, request):
    """Serve a study of six and three pairs to Ann and Béa, with Ann's first page open; give Ann's link."""
    request.node.study = serve("graded", 6, 3)
    request.node.study.let_in(ANN)
    request.node.study.let_in(BEA)
    found = request.node.study.link()
    browser.open(found)
    return found


@pytest.fixture
def study(link, request):
    return request.node.study


def given(browser) -> list[str]:
    """Give the answers in the list of all pairs."""
    browser.run("document.getElementById('all').open = true")
    browser.wait(lambda: browser.text("#list"), "the list stays empty")
    return [row.text for row in browser.driver.find_elements("css selector", "#list .given")]


def wait_for_refusal(browser, *sentences: str) -> None:
    browser.wait(lambda: browser.is_shown("#refused"), "the page does not say that an answer was refused")
    browser.wait_until_saved()
    rows = browser.driver.find_elements("css selector", "#refused-list li")
    assert [row.text.removesuffix("\nShow this pair") for row in rows] == list(sentences)


def test_a_stale_tab_replaced_what_was_rated_in_another(study, link, browser):
    browser.expect("status of 409")
    browser.lose("/answers")
    stale = browser.open_tab(link)
    browser.answer("3", "2", "1")
    browser.wait_until_saved()
    browser.turn_to(stale)
    assert browser.pair == shown(0)
    browser.find_again()
    browser.answer("0")
    wait_for_refusal(
        browser,
        "Pair 1: This pair was rated in another tab: 3 (extremely related). "
        "Your answer here, “unrelated”, was not saved.",
    )
    browser.wait(lambda: browser.pair == shown(3), "the page does not go on after what is rated")
    assert given(browser) == ["extremely related", "related", "marginally related", *["not rated"] * 3]
    assert study.given() == study.standing() == [(0, 3), (1, 2), (2, 1)]
    browser.reload()
    browser.answer("2")  # or a tap in the rhythm of rating
    browser.find("#refused-read").click()
    assert browser.is_shown("#refused")
    browser.let_time_pass(1001)
    browser.find("#refused-list button").click()
    assert not browser.is_shown("#refused")
    assert browser.pair == shown(0)
    browser.answer("1")  # now it is changed knowingly
    browser.wait_until_saved()
    assert study.standing()[0] == (0, 1)
    browser.reload()
    assert not browser.is_shown("#refused")


def test_an_undo_in_a_stale_tab_takes_nothing_back(study, link, browser):
    browser.expect("status of 409")
    browser.answer("0")
    browser.wait_until_saved()
    browser.lose("/answers")
    stale = browser.open_tab(link)
    browser.press(Keys.ARROW_LEFT)
    browser.answer("3")
    browser.wait_until_saved()
    browser.turn_to(stale)
    browser.find_again()
    browser.press("u")
    refused = "Pair 1: This pair was rated in another tab: 3 (extremely related). Nothing was undone."
    wait_for_refusal(browser, refused)
    assert study.standing() == [(0, 3)]


def test_two_tabs_that_rate_in_turn_show_what_the_other_did(study, link, browser):
    other = browser.open_tab(link)
    for place, key in enumerate("01230"):
        assert browser.pair == shown(place)
        browser.answer(key)
        browser.wait_until_saved()
        other = browser.turn_to(other)
        browser.wait(lambda place=place: browser.pair == shown(place + 1), "the tab does not go on")
    assert browser.text("#left-here") == "5 of 6 rated on this page, 1 left"
    browser.press(Keys.ARROW_LEFT)
    browser.answer("2")
    browser.wait_until_saved()
    browser.press("u")
    browser.wait_until_saved()
    browser.turn_to(other)
    browser.wait(lambda: "4 of 6" in browser.text("#left-here"), "the tab does not show what was undone")
    assert not browser.is_shown("#refused")
    assert study.standing() == [(0, 0), (1, 1), (2, 2), (3, 3)]


def test_answers_that_waited_offline_and_are_stale_are_shown_not_stored(study, link, browser):
    browser.expect("status of 409")
    browser.lose()
    browser.answer("0", "1")
    browser.press(Keys.ARROW_LEFT)
    browser.answer("2")  # builds on an answer that is not saved yet
    offline = browser.open_tab(elsewhere(link))
    browser.answer("3")
    browser.wait_until_saved()
    browser.turn_to(offline)
    browser.run("dispatchEvent(new Event('focus'))")  # and nothing comes of it
    assert browser.pair == shown(2)
    browser.find_again()
    wait_for_refusal(
        browser,
        "Pair 1: This pair was rated in another tab: 3 (extremely related). "
        "Your answer here, “unrelated”, was not saved.",
    )
    assert browser.kept() == 0
    assert study.standing() == [(0, 3), (1, 2)]


def test_a_tab_without_a_server_is_used_on_when_it_gets_the_focus(study, browser):
    browser.expect(LOST)
    study.server.kill()
    browser.run("dispatchEvent(new Event('focus'))")
    browser.answer("2")
    browser.wait(lambda: browser.is_shown("#unsaved"), "the page does not say that it cannot save")
    study.start()
    browser.wait_until_saved()
    assert study.given() == [(0, 2)]


def test_a_clock_that_is_put_back_keeps_the_order_of_answers(study, browser):
    browser.lose()
    browser.answer("0")
    browser.run("const now = Date.now(); Date.now = () => now - 86400e3;")
    browser.press("u")
    browser.answer("3")
    browser.find_again()
    browser.wait_until_saved()
    assert study.given() == [(0, 0), (0, "undo"), (0, 3)]


def test_a_page_that_was_submitted_in_another_tab_is_left_for_the_next(study, link, browser):
    behind = browser.open_tab(link)
    browser.answer(*"012301")
    browser.wait_until_saved()
    with browser.leaving():
        browser.find("#submit-page").click()
    browser.turn_to(behind)
    browser.wait(lambda: browser.text("h1") == "Page 2 of 2", "the tab stays on the page")
    assert study.given() == [(place, value) for place, value in enumerate((0, 1, 2, 3, 0, 1))]


def asks(browser) -> bool:
    return bool(browser.run("return document.getElementById('person').open"))


def wait_for_question(browser, *, before: str = NAME, now: str = BEAS_NAME) -> None:
    browser.wait(lambda: asks(browser), "the page does not say that another is signed in")
    assert browser.text("#person h2") == f"This browser is now signed in as {now}"
    assert f"This tab was used by {before}." in browser.text("#person")


def go_on(browser) -> None:
    browser.let_time_pass(1001)
    with browser.leaving():
        browser.find("#person button").click()


def test_the_second_tap_in_a_tab_of_another_was_stored_as_theirs(study, link, browser):
    browser.expect("status of 409")
    browser.look(PHONE, touch=True)
    browser.lose("/answers")
    browser.settle()
    ann = browser.open_tab(study.link(BEA))
    browser.turn_to(ann)
    browser.look(PHONE, touch=True)
    for _ in range(2):
        browser.settle()
        browser.tap("[data-value='2.0']")
        wait_for_question(browser)
    browser.find("#person button").click()  # too soon to have read it
    browser.press("3", Keys.ESCAPE, Keys.ESCAPE, Keys.ESCAPE)
    wait_for_question(browser)  # Chromium closes it at the second Escape, and the page opens it again
    assert study.given(ANN) == study.given(BEA) == []
    assert browser.kept() == 1
    go_on(browser)
    assert browser.text(".who") == BEAS_NAME
    assert not asks(browser)
    browser.settle()
    browser.tap("[data-value='1.0']")
    browser.wait_until_saved()
    browser.open(link)
    wait_for_question(browser, before=BEAS_NAME, now=NAME)
    browser.wait_until_saved()
    assert study.given(ANN) == [(0, 2)]  # it waited for a page of Ann
    assert study.given(BEA) == [(0, 1)]
    assert browser.kept() == 0


def test_a_tab_asks_as_soon_as_it_is_looked_at_and_goes_on_when_its_annotator_is_back(study, link, browser):
    browser.expect("status of 409")
    browser.lose()
    browser.answer("2")
    ann = browser.open_tab(study.link(BEA))
    browser.turn_to(ann)
    browser.find_again()
    browser.run("dispatchEvent(new Event('focus'))")
    wait_for_question(browser)
    browser.open_tab(link)
    browser.turn_to(ann)
    browser.wait(lambda: not asks(browser), "the page does not notice that Ann is back")
    browser.wait_until_saved()
    assert browser.pair == shown(1)
    assert study.given(ANN) == [(0, 2)]
    assert study.given(BEA) == []


@pytest.mark.parametrize("way", ["reload", "back", "link"])
def test_a_page_that_comes_back_for_another_says_so_before_anything_is_rated(study, link, browser, way):
    browser.expect("status of 409")
    browser.lose("/answers")
    with browser.leaving():
        browser.find("header a").click()
    if way == "link":
        browser.open(study.link(BEA))
    else:
        ann = browser.open_tab(study.link(BEA))
        browser.turn_to(ann)
        with browser.leaving():
            browser.driver.back() if way == "back" else browser.open(f"{study.url}/rate")
    wait_for_question(browser)
    browser.answer("2", "3")
    browser.run("dispatchEvent(new Event('focus'))")
    assert asks(browser)
    go_on(browser)
    assert not asks(browser)
    assert browser.text(".who") == BEAS_NAME
    browser.reload()
    assert not asks(browser)
    assert study.given(ANN) == study.given(BEA) == []


def test_practice_is_of_whoever_began_it(serve, browser):
    study = serve("same", 2)
    study.store.mark_instructed(ANN)
    browser.open(study.link())
    ann = browser.open_tab(study.link(BEA))
    browser.turn_to(ann)
    browser.expect("status of 409")
    browser.answer("s")
    wait_for_question(browser)
    assert not browser.is_shown("#feedback")


def test_who_signs_out_leaves_the_tab_to_the_next(study, browser):
    with browser.leaving():
        browser.find("header button").click()
    browser.open(study.link(BEA))
    assert browser.text(".who") == BEAS_NAME
    assert not asks(browser)


def test_a_form_of_another_is_refused_in_words_without_a_script(study, browser):
    browser.expect("status of 409")
    csrf = browser.find("#submit [name=csrf]").get_attribute("value")
    browser.open(study.link(BEA))
    with browser.leaving():
        browser.run(
            "document.querySelector('#submit [name=csrf]').value = arguments[0];"
            "document.getElementById('submit').submit()",
            csrf,
        )
    assert f"This browser is now signed in as {BEAS_NAME}" in browser.text("main")


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE, (360, 740)])
def test_the_name_was_not_shown_on_a_phone(study, browser, size):
    browser.look(size, touch=True)
    assert browser.is_shown(".who")
    assert browser.text(".who") == NAME
    assert browser.run("return document.documentElement.scrollWidth") <= size[0]
