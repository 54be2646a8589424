"""An annotator's way through a study in Chromium, and the ratings that are there in the end."""

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from medgauge.annotate.exchange.export import ratings_table
from medgauge.protocol import load_protocol
from tests.annotate.web.served import ANN, NAME, elsewhere, shown

# The keys of a page and of the next, and the answers that they are.
BY_KEY = {
    "graded": (["0", "1", "2", "3", "x"], ["X", "0"], [0, 1, 2, 3, None, None, 0]),
    "same": (["s", "n", "d", "S", "N"], ["D", "s"], [1, 0, None, 1, 0, None, 1]),
    "slider": (
        [
            "5" + Keys.ENTER,
            Keys.ARROW_LEFT + Keys.ENTER,
            Keys.ARROW_RIGHT * 3 + Keys.ENTER,
            Keys.HOME + Keys.ENTER,
            "9" + "3" + Keys.ENTER,  # the scale has no 9
        ],
        ["1" + Keys.ARROW_RIGHT + Keys.ENTER, Keys.END + Keys.ENTER],
        [5, 2, 6, 0, 3, 2, 6],
    ),
}
WORDS = {
    "graded": ["0", "1", "2", "3", "don't know", "don't know", "0"],
    "same": ["same", "not same", "don't know", "same", "not same", "don't know", "same"],
    "slider": ["5", "2", "6", "0", "3", "2", "6"],
}


@pytest.mark.parametrize("protocol", BY_KEY)
def test_the_keyboard_alone_leads_from_the_link_to_the_end(serve, browser, protocol):
    study = serve(protocol, 5, 2)
    first, second, values = BY_KEY[protocol]
    browser.open(study.link())
    assert browser.path == "/instructions"
    assert browser.text("h1") == load_protocol(protocol).title
    enter(browser, "main form button")
    assert browser.path == "/practice"
    practise_by_key(browser, protocol)
    enter(browser, "#end button")
    for place, keys in enumerate(first):
        assert browser.text("#count") == f"Pair {place + 1} of 5"
        assert browser.pair == shown(place)
        browser.answer(keys)
    browser.wait_until_saved()
    enter(browser, "#submit-page")
    assert browser.text("h1") == "Page 2 of 2"
    assert browser.text("#left-in-all") == "2 of 7 left in total"
    browser.answer(*second)
    browser.wait_until_saved()
    enter(browser, "#submit-page")
    assert browser.path == "/done"
    assert browser.text("h1") == f"Thank you, {NAME}"
    enter(browser, "header button")
    assert "You are signed out" in browser.text("main")
    assert study.given() == study.standing() == list(enumerate(values))
    table = ratings_table(study.store.ratings(), load_protocol(protocol))
    assert table["rating"].to_list() == WORDS[protocol]
    assert table["order"].to_list() == list(range(1, 8))
    assert 0.2 < table["seconds"].min() <= table["seconds"].max() < 60
    browser.expect("status of 401")
    browser.open(f"{study.url}/rate")
    assert browser.text("h1") == "Not signed in"


def enter(browser, selector):
    """Go to a button by the Tab key, and on by Enter."""
    browser.tab_to(selector)
    with browser.leaving():
        browser.press(Keys.ENTER)


def practise_by_key(browser, protocol):
    """Answer each practice pair rightly, except the first, and look at what is said."""
    pairs = load_protocol(protocol).practice
    right = {"graded": ["3", "1", "2", "3", "x"], "same": ["n", "n", "n", "n", "d"], "slider": "00300"}[
        protocol
    ]
    for number, (key, pair) in enumerate(zip(right, pairs, strict=True), 1):
        assert browser.text("#count") == f"Practice pair {number} of {len(pairs)}"
        assert browser.pair == (pair.term_1, pair.term_2)
        assert not browser.is_shown("#feedback")
        browser.answer(key + (Keys.ENTER if protocol == "slider" else ""))
        browser.wait(lambda: browser.is_shown("#feedback"), "there is no feedback")
        assert browser.text("#verdict") == ("We would answer differently." if number == 1 else "Yes.")
        assert browser.text("#why") == pair.feedback
        browser.press(key)  # no second answer while feedback is read
        browser.press(Keys.ENTER)
    assert browser.text("#end h1") == "Practice is over"


@pytest.fixture
def study(serve, browser):
    """Serve a study of twelve and two pairs, with its first page open."""
    served = serve("graded", 12, 2)
    served.let_in()
    browser.open(served.link())
    return served


def pressed(browser) -> list[str]:
    return browser.run(
        "return [...document.querySelectorAll('[aria-pressed=true] .label')].map(one => one.textContent)"
    )


def test_a_reload_and_another_device_go_on_at_the_same_pair(serve, browser):
    study = serve("graded", 4)
    study.let_in()
    link = study.link()
    browser.open(link)
    browser.answer("1", "2")
    browser.wait_until_saved()
    browser.reload()
    assert browser.pair == shown(2)
    assert browser.text("#left-here") == "2 of 4 rated on this page, 2 left"
    browser.open_tab(elsewhere(link))
    assert browser.pair == shown(2)
    browser.answer("3")
    browser.wait_until_saved()
    browser.open_tab(link)
    assert browser.pair == shown(3)
    assert study.given() == [(0, 1), (1, 2), (2, 3)]


def test_an_answer_is_changed_by_going_back_or_from_the_list_and_taken_back_by_undo(study, browser):
    browser.answer("0", "1", "2")
    browser.find("#before").click()
    browser.press(Keys.ARROW_LEFT)
    assert browser.pair == shown(1)
    assert pressed(browser) == ["marginally related"]
    browser.answer("3")
    assert browser.pair == shown(3)
    browser.find("#all summary").click()
    browser.wait(lambda: browser.text("#list"), "the list stays empty")  # it is filled a moment later
    rows = browser.driver.find_elements("css selector", "#list .given")
    assert [row.text for row in rows[:4]] == ["unrelated", "extremely related", "related", "not rated"]
    browser.find("#list li:first-child button").click()
    assert browser.pair == shown(0)
    browser.answer("x")
    browser.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_RIGHT)
    assert browser.pair == shown(2)
    browser.find("#undo").click()
    assert browser.pair == shown(0)
    assert pressed(browser) == []
    browser.press("u")
    assert browser.pair == shown(1)
    browser.wait_until_saved()
    changes = [(0, 0), (1, 1), (2, 2), (1, 3), (0, None), (0, "undo"), (1, "undo")]
    assert study.given() == changes
    assert study.standing() == [(2, 2)]
    browser.reload()
    assert browser.pair == shown(0)
    browser.press("u")
    browser.wait(lambda: study.given() == [*changes, (2, "undo")], "the last rating was not taken back")
    assert not browser.find("#undo").is_enabled()


@pytest.mark.parametrize(
    ("protocol", "too_many"),
    [("graded", "2 x 0"), ("same", "n d"), ("slider", f"{Keys.ARROW_LEFT} {Keys.ENTER} 5 {Keys.ENTER}")],
)
def test_a_key_too_many_on_a_full_page_changes_nothing(serve, browser, protocol, too_many):
    study = serve(protocol, 3)
    study.let_in()
    browser.open(study.link())
    first, _, values = BY_KEY[protocol]
    browser.find("#after").click()
    browser.answer(*first[1:3])
    assert browser.pair == shown(0)
    browser.answer(first[0])
    assert browser.is_shown("#submit")
    browser.answer(*too_many.split())
    assert browser.pair == shown(0)
    browser.wait_until_saved()
    assert study.standing() == list(enumerate(values[:3]))


def test_a_rating_of_a_full_page_can_be_changed_by_who_goes_to_it(serve, browser):
    study = serve("graded", 3)
    study.let_in()
    browser.open(study.link())
    browser.answer("1", "1", "1")
    browser.find("#before").click()
    browser.answer("2", "3")
    assert browser.pair == shown(1)
    browser.press(Keys.ARROW_RIGHT)
    browser.answer("3")
    browser.press("u")
    browser.answer("0")
    browser.wait_until_saved()
    assert study.standing() == [(0, 1), (1, 2), (2, 0)]


def test_ten_equal_ratings_bring_a_reminder_that_no_answer_dismisses(study, browser):
    browser.answer(*"2222222222")
    browser.wait(lambda: browser.is_shown("#reminder"), "there is no reminder")
    browser.answer("3", "2", "u", "x")
    assert browser.is_shown("#reminder")
    browser.press(Keys.ENTER)
    assert not browser.is_shown("#reminder")
    browser.answer("2", "1")
    browser.wait_until_saved()
    assert not browser.is_shown("#reminder")
    assert study.given() == [*((place, 2) for place in range(11)), (11, 1)]


def test_a_key_that_is_held_down_answers_one_pair(study, browser):
    browser.settle()
    browser.hold("2", code="Digit2", text="2")
    assert browser.pair == shown(1)
    browser.tab_to("#choices button:nth-child(4)")
    browser.settle()
    browser.hold("Enter", code="Enter", text="\r")
    assert browser.pair == shown(2)
    browser.hold("u", code="KeyU", text="u")
    browser.wait_until_saved()
    assert study.given() == [(0, 2), (1, 3), (1, "undo")]


def type_key(browser, key: str, code: str, *, shift: bool = False) -> None:
    """Press a key of another keyboard, where `code` is its place and `key` what it types."""
    browser.settle()
    browser.run(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: arguments[0], code: arguments[1], shiftKey: arguments[2], bubbles: true, cancelable: true}))",
        key,
        code,
        shift,
    )


def test_the_digits_of_a_french_keyboard_did_nothing(study, browser):
    for key, code, shift in (
        ("&", "Digit1", False),  # AZERTY without Shift
        ("2", "Digit2", True),  # and with it
        ("à", "Digit0", False),
        ("٣", "Numpad3", False),  # Arabic-Indic
        ("1", "Numpad1", False),
    ):
        type_key(browser, key, code, shift=shift)
    browser.wait_until_saved()
    assert study.given() == [(0, 1), (1, 2), (2, 0), (3, 3), (4, 1)]
    type_key(browser, "!", "Digit1", shift=True)  # QWERTY with Shift
    type_key(browser, "Insert", "Numpad0")  # without Num Lock
    assert browser.pair == shown(5)


def test_the_digits_of_a_french_keyboard_move_a_slider(serve, browser):
    study = serve("slider", 2)
    study.let_in()
    browser.open(study.link())
    type_key(browser, "(", "Digit5")
    assert browser.text("#chosen") == "5"


def test_ones_own_answer_was_grey_while_feedback_is_shown(serve, browser):
    for protocol, key, own in (
        ("graded", "2", "[aria-pressed=true]"),
        ("slider", "4" + Keys.ENTER, "#range"),
    ):
        study = serve(protocol, 2)
        study.store.mark_instructed(ANN)
        browser.open(study.link())
        browser.answer(key)
        browser.wait(lambda: browser.is_shown("#feedback"), "there is no feedback")
        assert browser.find(own).value_of_css_property("opacity") == "1"
        if protocol == "slider":
            assert browser.run("return !document.querySelector('#range').matches(':disabled')")
            browser.press("1")  # nor does it answer again
            assert browser.text("#chosen") == "4"


def test_a_double_click_answers_one_pair(study, browser):
    browser.settle()
    ActionChains(browser.driver).double_click(browser.find("#choices button")).perform()
    browser.wait_until_saved()
    assert browser.pair == shown(1)
    assert study.given() == [(0, 0)]


def test_keys_can_be_switched_off_and_then_do_nothing(study, browser):
    browser.answer("1")
    browser.find(".keys summary").click()
    browser.find("#keys").click()
    browser.answer("2", "x", "u", Keys.ARROW_LEFT)
    browser.reload()
    browser.answer("2", "x", "u", Keys.ARROW_LEFT)
    assert browser.pair == shown(1)
    browser.tab_to("#unsure")
    browser.answer(Keys.SPACE)
    assert browser.pair == shown(2)
    browser.tab_to(".keys summary")
    browser.press(Keys.ENTER)
    browser.tab_to("#keys")
    browser.press(Keys.SPACE)
    browser.answer("3")
    browser.wait_until_saved()
    assert study.given() == [(0, 1), (1, None), (2, 3)]


def test_arrows_never_leave_the_pair_of_a_slider(serve, browser):
    study = serve("slider", 2)
    study.let_in()
    browser.open(study.link())
    browser.find("h2").click()
    browser.press(Keys.ARROW_RIGHT)
    assert browser.pair == shown(0)


def test_a_slider_without_keys_is_moved_by_arrows_alone(serve, browser):
    study = serve("slider", 2)
    study.let_in()
    browser.open(study.link())
    browser.answer(Keys.ENTER)  # nothing is chosen yet
    assert not browser.find("#save").is_enabled()
    browser.find(".keys summary").click()
    browser.find("#keys").click()
    browser.tab_to("#range")
    browser.press("5")
    assert browser.text("#chosen") == "–"
    browser.press(Keys.ARROW_UP)
    assert browser.text("#chosen") == "4"
    browser.answer(Keys.ENTER)
    assert browser.text("#chosen") == "–"
    browser.settle()
    browser.find("#range").click()  # in its middle, where the thumb is
    browser.find("#save").click()
    browser.wait_until_saved()
    assert study.given() == [(0, 4), (1, 3)]
