"""Rating by finger, on the screens of phones."""

from io import BytesIO

import pytest
from PIL import Image

from medgauge.protocol import protocol_text
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
    for how in ("revoke", "link"):
        browser.open(f"{study.url}/coordinator")
        browser.open_details()
        with browser.leaving():
            browser.tap(f"a[href^='/coordinator/{how}']")
        assert_fits(browser, f"question before: {how}")
    with browser.leaving():
        browser.tap("main form button")
    assert_fits(browser, "new link")


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE, (360, 740)])
def test_the_scale_lost_its_numbers_and_its_order_on_a_phone(serve, browser, size):
    study = serve("graded", 2)
    study.let_in()
    browser.look(size, touch=True)
    browser.open(study.link())
    buttons = browser.driver.find_elements("css selector", "#choices button")
    assert [button.text.split("\n")[:2] for button in buttons] == [
        ["0", "unrelated"],
        ["1", "marginally related"],
        ["2", "related"],
        ["3", "extremely related"],
    ]
    boxes = [button.rect for button in buttons]
    assert len({box["x"] for box in boxes}) == 1
    assert boxes == sorted(boxes, key=lambda box: box["y"])


def test_the_keys_of_verdicts_are_not_shown_to_a_finger(serve, browser):
    study = serve("same", 2)
    study.let_in()
    browser.look(PHONE, touch=True)
    browser.open(study.link())
    shown_keys = browser.driver.find_elements("css selector", ".answer kbd")
    assert shown_keys
    assert not any(key.is_displayed() for key in shown_keys)


def test_a_number_is_shown_beside_a_key_that_differs_from_it(serve, browser, tmp_path):
    text = protocol_text("graded")
    for number, letter in enumerate("abcd"):
        text = text.replace(f'key = "{number}"', f'key = "{letter}"')
    (tmp_path / "letters.toml").write_text(text, "utf-8")
    study = serve(tmp_path / "letters.toml", 2)
    study.let_in()
    browser.look(PHONE, touch=True)
    browser.open(study.link())
    numbers = browser.driver.find_elements("css selector", "#choices .number")
    assert [one.text for one in numbers if one.is_displayed()] == ["0", "1", "2", "3"]


def pixels(browser, selector: str) -> Image.Image:
    return Image.open(BytesIO(browser.find(selector).screenshot_as_png)).convert("RGB")


def test_a_slider_suggested_its_middle_before_it_was_touched(serve, browser):
    study = serve("slider", 2)
    study.let_in()
    browser.look(PHONE, touch=True)
    browser.open(study.link())
    browser.run("document.activeElement.blur()")

    def columns() -> set[bytes]:
        """Return the different columns of pixels, except those at the ends."""
        picture = pixels(browser, "#range")
        return {picture.crop((x, 0, x + 1, picture.height)).tobytes() for x in range(12, picture.width - 12)}

    assert len(columns()) == 1
    browser.tap("#range", across=0.5)
    browser.run("document.activeElement.blur()")
    assert len(columns()) > 1
