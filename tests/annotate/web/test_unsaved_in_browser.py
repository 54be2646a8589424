"""Answers that could not be saved: they are reported, kept, and saved once as soon as possible."""

import resource

import pytest

from tests.annotate.web.served import ANN, shown

LOST = "net::ERR_"  # what Chromium says of a server that does not answer, or not to the end


@pytest.fixture
def study(serve, browser):
    """Serve a study of six and three pairs, with its first page open."""
    served = serve("graded", 6, 3)
    served.let_in()
    browser.open(served.link())
    return served


def wait_for_problem(browser, expected: str) -> None:
    browser.wait(lambda: expected in browser.text("#unsaved"), f"the page does not say: {expected}")
    assert browser.is_shown("#unsaved")
    assert "kept on this device" in browser.text("#unsaved")


def try_again(browser) -> None:
    """Have the page try at once, as when the device is on the network again."""
    browser.run("dispatchEvent(new Event('online'))")


def is_held_back(browser) -> bool:
    """Say whether the browser would ask before it leaves the page."""
    return not browser.run("return dispatchEvent(new Event('beforeunload', {cancelable: true}))")


def test_ratings_go_on_while_the_server_is_lost_and_are_saved_when_it_is_back(study, browser):
    browser.answer("0", "1")
    browser.wait_until_saved()
    assert not is_held_back(browser)
    study.server.kill()
    browser.expect(LOST)
    browser.answer("2", "3")
    wait_for_problem(browser, "The server cannot be reached.")
    browser.answer("x")
    browser.press("u")
    browser.answer("1", "0")
    assert browser.text("#left-here") == "6 of 6 rated on this page, 0 left"
    assert browser.text("#saved") == "6 changes are not saved yet."
    assert not browser.find("#submit-page").is_enabled()
    assert is_held_back(browser)
    assert study.given() == [(0, 0), (1, 1)]
    study.start()
    browser.wait_until_saved()
    assert not browser.is_shown("#unsaved")
    assert browser.kept() == 0
    assert not is_held_back(browser)
    assert study.given() == [(0, 0), (1, 1), (2, 2), (3, 3), (4, None), (4, "undo"), (4, 1), (5, 0)]
    with browser.leaving():
        browser.find("#submit-page").click()
    assert browser.text("h1") == "Page 2 of 2"
    assert study.standing() == [(0, 0), (1, 1), (2, 2), (3, 3), (4, 1), (5, 0)]


def test_equal_ratings_are_pointed_out_when_the_server_is_back(serve, browser):
    study = serve("graded", 12)
    study.let_in()
    browser.open(study.link())
    study.server.kill()
    browser.expect(LOST)
    browser.answer(*"222222222211")
    study.start()
    browser.wait_until_saved()
    assert browser.is_shown("#reminder")
    assert study.standing() == [(place, 2 if place < 10 else 1) for place in range(12)]


def test_a_closed_window_loses_nothing_that_it_kept(study, browser):
    study.server.kill()
    browser.expect(LOST)
    browser.answer("3", "x", "1")
    wait_for_problem(browser, "The server cannot be reached.")
    closed = browser.open_tab("about:blank")
    browser.close(closed)
    study.start()
    browser.open(f"{study.url}/")
    assert browser.pair == shown(3)
    browser.wait_until_saved()
    assert browser.kept() == 0
    assert study.given() == [(0, 3), (1, None), (2, 1)]


def test_an_answer_whose_reply_was_lost_is_stored_once(study, browser):
    browser.run(
        """const send = window.fetch;
        window.fetch = async (...request) => {
          await send(...request);
          window.fetch = send;
          throw new TypeError("the line was cut");
        };"""
    )
    browser.answer("2")
    wait_for_problem(browser, "The server cannot be reached.")
    assert study.given() == [(0, 2)]
    browser.answer("3")
    browser.wait_until_saved()
    assert study.given() == [(0, 2), (1, 3)]


def test_a_pause_is_reported_and_its_ratings_are_saved_when_the_study_goes_on(study, browser):
    browser.expect("status of 409")
    study.store.pause()
    browser.answer("2", "3")
    wait_for_problem(browser, "The study is paused")
    browser.reload()
    assert browser.is_shown("#paused")
    assert browser.pair == shown(2)
    wait_for_problem(browser, "The study is paused")
    assert study.given() == []
    study.store.resume()
    try_again(browser)
    browser.wait_until_saved()
    assert not browser.is_shown("#paused")
    assert not browser.is_shown("#unsaved")
    assert study.given() == [(0, 2), (1, 3)]


def test_a_disk_that_takes_nothing_is_reported_and_the_rating_is_saved_when_it_does(study, browser):
    browser.answer("1")
    browser.wait_until_saved()
    browser.expect("status of 503")
    study.expect("nothing was stored, try again (SQLITE_IOERR_WRITE)")
    resource.prlimit(
        study.server.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY)
    )  # no file may be written
    browser.answer("2")
    wait_for_problem(browser, "nothing was stored")
    browser.answer("3")
    assert study.given() == [(0, 1)]
    resource.prlimit(
        study.server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    )
    try_again(browser)
    browser.wait_until_saved()
    assert study.given() == [(0, 1), (1, 2), (2, 3)]


def test_who_is_revoked_is_reported_and_a_new_link_saves_what_was_kept(study, browser):
    browser.answer("1")
    browser.wait_until_saved()
    browser.expect("status of 401")
    study.store.revoke(ANN)
    browser.answer("2", "3")
    wait_for_problem(browser, "ask for a new one")
    assert "saved when you sign in again" in browser.text("#unsaved")
    assert browser.kept() == 2
    browser.open(study.link())
    browser.wait_until_saved()
    assert browser.pair == shown(3)
    assert study.given() == [(0, 1), (1, 2), (2, 3)]


def test_a_window_of_an_old_link_keeps_its_answers_until_a_new_one_saves_them(study, browser):
    old = browser.open_tab(study.link())
    browser.expect("status of 403")
    browser.turn_to(old)
    with browser.leaving():
        browser.answer("2")
    browser.wait_until_saved()
    assert browser.pair == shown(1)
    assert study.given() == [(0, 2)]


def test_a_window_that_is_behind_is_reported_and_shows_what_is_saved(serve, browser):
    study = serve("graded", 2, 2)
    study.let_in()
    link = study.link()
    browser.open(link)
    browser.expect("status of 409")
    browser.lose("/answers")
    behind = browser.open_tab(link)
    browser.answer("1", "2")
    browser.wait_until_saved()
    with browser.leaving():
        browser.find("#submit-page").click()
    browser.turn_to(behind)
    browser.find_again()
    with browser.leaving():
        browser.answer("3")
    assert browser.text("#refused-list") == (
        "Pair 1: Page 1 is submitted, and its ratings can no longer be changed. "
        "Your answer here, “extremely related”, was not saved."
    )
    assert browser.text("h1") == "Page 2 of 2"
    assert browser.pair == shown(2)
    assert study.given() == [(0, 1), (1, 2)]


def test_two_windows_that_send_the_same_answers_store_them_once(study, browser):
    study.server.kill()
    browser.expect(LOST)
    browser.answer("1", "2")
    wait_for_problem(browser, "The server cannot be reached.")
    study.start()
    first = browser.open_tab(f"{study.url}/")
    browser.wait(lambda: browser.kept() == 0, "an answer is still kept")
    browser.turn_to(first)
    browser.wait_until_saved()
    assert study.given() == [(0, 1), (1, 2)]


def test_practice_asks_for_the_answer_again_when_the_server_was_lost(serve, browser):
    study = serve("same", 2)
    study.store.mark_instructed(ANN)
    browser.open(study.link())
    study.server.kill()
    browser.expect(LOST)
    browser.answer("s")
    browser.wait(lambda: browser.is_shown("#problem"), "the page does not tell of the lost server")
    assert browser.text("#problem") == "The server cannot be reached. Please answer again."
    study.start()
    browser.answer("s")
    browser.wait(lambda: browser.is_shown("#feedback"), "there is no feedback")
    assert browser.text("#verdict") == "Yes."
    assert not browser.is_shown("#problem")


def test_signing_out_before_all_is_saved_says_where_the_rest_is_kept(study, browser):
    browser.expect("status of 409")
    study.store.pause()
    browser.answer("2")
    wait_for_problem(browser, "The study is paused")
    with browser.leaving():
        browser.find("header button").click()
    assert "open your link on this device, which has kept it" in browser.text("main")
    study.store.resume()
    browser.open(study.link())
    browser.wait_until_saved()
    assert study.given() == [(0, 2)]


def test_a_pair_that_was_looked_at_for_days_can_still_be_rated(study, browser):
    days = "const now = performance.now.bind(performance); performance.now = () => now() + 3 * 86400e3;"
    browser.run(days)
    browser.answer("2")
    browser.wait_until_saved()
    assert study.given() == [(0, 2)]


def test_what_is_kept_and_cannot_be_read_does_not_stop_the_page(study, browser):
    state = browser.state()
    for name, text in (("torn", '{"at": 1, "path"'), ("null", "null"), ("number", "7"), ("empty", "{}")):
        name = f"medgauge:{state['study']}:{state['annotator']}:{name}"
        browser.run("localStorage.setItem(arguments[0], arguments[1])", name, text)
    browser.reload()
    browser.answer("2")
    browser.wait_until_saved()
    assert study.given() == [(0, 2)]


def test_a_device_that_keeps_nothing_says_so_and_can_be_rated_on(study, browser):
    refusal = "{get() { throw new DOMException('', 'SecurityError'); }}"
    with browser.running_first(
        f"""Object.defineProperty(window, "localStorage", {refusal});
        Object.defineProperty(window, "sessionStorage", {refusal});"""
    ):
        browser.reload()
        browser.answer("2", "3")
        browser.press("u")
        browser.wait_until_saved()
        browser.expect("status of 409")
        study.store.pause()
        browser.answer("1")
        browser.wait(lambda: "paused" in browser.text("#unsaved"), "the page does not tell of the pause")
        assert "kept only while this page is open" in browser.text("#unsaved")
        assert is_held_back(browser)
        study.store.resume()
        try_again(browser)
        browser.wait_until_saved()
    assert study.given() == [(0, 2), (1, 3), (1, "undo"), (1, 1)]


def test_a_page_whose_token_is_never_taken_is_loaded_again_once(study, browser):
    browser.expect("status of 403")
    with browser.running_first(
        """const send = window.fetch;
        window.fetch = (path, { headers, ...rest }) =>
          send(path, { headers: { accept: headers.accept }, ...rest });"""
    ):
        browser.reload()
        with browser.leaving():
            browser.answer("2")
        wait_for_problem(browser, "This page is out of date.")
        assert browser.kept() == 1
    browser.reload()
    browser.wait_until_saved()
    assert study.given() == [(0, 2)]


def test_undo_in_a_window_that_is_behind_takes_nothing_else_back(serve, browser):
    study = serve("graded", 2, 2)
    study.let_in()
    link = study.link()
    browser.open(link)
    browser.expect("status of 409")
    browser.answer("1", "2")
    browser.wait_until_saved()
    browser.lose("/answers")
    behind = browser.open_tab(link)
    with browser.leaving():
        browser.find("#submit-page").click()
    browser.answer("3")
    browser.wait_until_saved()
    browser.turn_to(behind)
    browser.find_again()
    with browser.leaving():
        browser.press("u")
    refused = "Page 1 is submitted, and its ratings can no longer be changed. Nothing was undone."
    assert browser.text("#refused-list") == f"Pair 2: {refused}"
    assert browser.text("h1") == "Page 2 of 2"
    assert study.given() == [(0, 1), (1, 2), (2, 3)]
