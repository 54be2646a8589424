"""An annotator's way through a study in Chromium, and the ratings that are there in the end."""

import pytest
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.keys import Keys

from medgauge.annotate.export import ratings_table
from medgauge.annotate.protocol import load_protocol
from tests.annotate.web.served import ANN, BEA, NAME, SECRETS, shown

# For each protocol: the keys of a page and of the next, the answers that they are, and the words of the table.
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
    browser.wait_for("/instructions")
    assert browser.text("h1") == load_protocol(protocol).title
    browser.tab_to("main form button")
    browser.press(Keys.ENTER)
    browser.wait_for("/practice")
    practise_by_key(browser, protocol)
    browser.wait_for("/rate")
    for place, keys in enumerate(first):
        assert browser.pair == shown(place)
        assert browser.text("#count") == f"Pair {place + 1} of 5"
        browser.answer(keys)
    browser.wait_until_saved()
    browser.tab_to("#submit-page")
    browser.press(Keys.ENTER)
    browser.wait(lambda: browser.text("h1") == "Page 2 of 2", "the second page did not come")
    assert browser.text("#left-in-all") == "2 of 7 left in all"
    browser.answer(*second)
    browser.wait_until_saved()
    browser.tab_to("#submit-page")
    browser.press(Keys.ENTER)
    browser.wait_for("/done")
    assert browser.text("h1") == f"Thank you, {NAME}"
    browser.tab_to("header button")
    browser.press(Keys.ENTER)
    browser.wait_for("/sign-out")
    assert "You are signed out" in browser.text("main")
    assert study.given() == study.standing() == list(enumerate(values))
    table = ratings_table(study.store.ratings(), load_protocol(protocol))
    assert table["rating"].to_list() == WORDS[protocol]
    assert table["order"].to_list() == list(range(1, 8))
    assert 0.2 < table["seconds"].min() <= table["seconds"].max() < 60
    browser.expect("status of 401")
    browser.open(f"{study.url}/rate")
    assert browser.text("h1") == "Not signed in"


def practise_by_key(browser, protocol):
    """Answer each practice pair rightly, but for the first, and look at what is said."""
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
        assert browser.text("#verdict") == ("We would answer otherwise." if number == 1 else "Yes.")
        assert browser.text("#why") == pair.feedback
        browser.press(key)  # no second answer while feedback is read
        browser.press(Keys.ENTER)
    assert browser.text("#end h1") == "That was the practice"
    browser.press(Keys.ENTER)
