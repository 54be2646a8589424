"""Take the pictures on docs/annotate.md again: python -m tests.annotate.web.screenshots."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import product
from pathlib import Path
from subprocess import PIPE

import polars as pl
from PIL import Image

from tests.annotate.example import PAGE, command, rate, write_files
from tests.annotate.web.browser import PHONE, Browser, chromium
from tests.support.processes import PATIENCE, Process, run, running

PICTURES = PAGE.parent / "annotate"
PORT = 8765
WIDE, TALL = (1000, 760), (1000, 900)


@contextmanager
def served(protocol: str, *, rated: float) -> Iterator[tuple[dict[str, str], Process]]:
    """Serve the example study, of which so much is rated; give everybody's link and the process."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_files(folder)
        words = [protocol if word == "graded" else word for word in command("init")]
        program = (sys.executable, "-m", "medgauge")
        run([*program, *words, "--url", f"http://127.0.0.1:{PORT}"], cwd=folder, check=True)
        rate(folder / "study", until=rated)
        links = pl.read_csv(folder / "study" / "links.csv")
        serve = [*program, *command("serve"), "--port", str(PORT)]
        with running(serve, cwd=folder, stderr=PIPE) as process:
            assert process.stderr
            process.stderr.readline()
            try:
                yield dict(links.iter_rows()), process
            finally:
                process.terminate()


def take(browser: Browser, name: str, *, wide: tuple[int, int] = WIDE, top: str = "body") -> None:
    """Take what is shown on a desk and on a phone, in light and dark, as one picture."""
    found = []
    for size, dark in product((wide, (PHONE[0], wide[1])), (False, True)):
        browser.look(size, dark=dark)
        browser.run("document.querySelector(arguments[0]).scrollIntoView()", top)
        found.append(Image.open(BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB"))
    sheet = Image.new("RGB", (sum(one.width for one in found[::2]), 2 * wide[1]))
    for place, one in enumerate(found):
        sheet.paste(one, ((place // 2) * wide[0], (place % 2) * wide[1]))
    # A few colours do for text on paper, and make small files.
    small = sheet.resize((sheet.width * 4 // 5, sheet.height * 4 // 5)).quantize(64)
    small.save(PICTURES / f"{name}.png", optimize=True)
    print(name)  # noqa: T201


def of_the_way_in(browser: Browser) -> None:
    with served("graded", rated=0) as (links, _):
        browser.open(links["Amari"])
        take(browser, "instructions")
        browser.find("main form button").click()
        browser.wait(lambda: browser.path == "/practice" and browser.pair[0], "there is no practice")
        browser.answer("2")
        browser.wait(lambda: browser.is_shown("#feedback"), "there is no feedback")
        take(browser, "practice", wide=TALL)
        browser.open(links["Amari"][:-4])
        take(browser, "unknown-link")


def of_rating(browser: Browser) -> None:
    with served("graded", rated=0.4) as (links, server):
        browser.open(links["Amari"])
        take(browser, "rate", wide=TALL)
        browser.find("#all summary").click()
        take(browser, "all-pairs", top="#all")
        browser.answer("2", "2", "1")
        browser.wait_until_saved()
        take(browser, "submit", wide=TALL)
        browser.press("u")
        browser.wait_until_saved()
        server.kill()
        server.wait(PATIENCE)
        browser.answer("3")
        browser.wait(lambda: browser.is_shown("#unsaved"), "the page does not say that it cannot save")
        take(browser, "unsaved", wide=TALL)


def of_two_tabs(browser: Browser) -> None:
    with served("graded", rated=0.4) as (links, _):
        browser.open(links["Amari"])
        browser.lose("/answers")
        stale = browser.open_tab(links["Amari"])
        browser.answer("3")
        browser.wait_until_saved()
        browser.turn_to(stale)
        browser.find_again()
        browser.answer("1")
        browser.wait(lambda: browser.is_shown("#refused"), "the answer is not refused")
        browser.wait_until_saved()
        take(browser, "refused", wide=TALL)
        browser.open(links["Brandt"])
        browser.wait(lambda: browser.is_shown("#person"), "the change of person is not said")
        take(browser, "person")


def of_the_reminder(browser: Browser) -> None:
    with served("graded", rated=0.01) as (links, _):
        browser.open(links["Castel"])
        browser.answer(*["2"] * 9)
        browser.wait(lambda: browser.is_shown("#reminder"), "there is no reminder")
        take(browser, "reminder")


def of_the_other_protocols(browser: Browser) -> None:
    for protocol in ("slider", "same"):
        with served(protocol, rated=0.3) as (links, _):
            browser.open(links["Brandt"])
            take(browser, protocol)


def of_the_coordinator(browser: Browser) -> None:
    with served("graded", rated=0.95) as (links, _):  # second showings come last
        browser.open(links["coordinator"])
        browser.wait(lambda: "Krippendorff" in browser.driver.page_source, "there is no agreement")
        take(browser, "coordinator", wide=(WIDE[0], 1000))
        take(browser, "behaviour", wide=(WIDE[0], 1000), top="[data-from$=behaviour]")
        browser.open_details()
        with browser.leaving():
            browser.find("a[href^='/coordinator/link']").click()
        take(browser, "sure", wide=(WIDE[0], 400))
        with browser.leaving():
            browser.find("main form button").click()
        take(browser, "new-link", wide=(WIDE[0], 400))


def of_the_end(browser: Browser) -> None:
    with served("graded", rated=1) as (links, _):
        browser.open(links["Brandt"])
        take(browser, "done", wide=(WIDE[0], 400))


SCENES: tuple[Callable[[Browser], None], ...] = (
    of_the_way_in,
    of_rating,
    of_two_tabs,
    of_the_reminder,
    of_the_other_protocols,
    of_the_coordinator,
    of_the_end,
)

if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    with chromium() as driver:
        for scene in SCENES:
            browser = Browser(driver)
            browser.devtools("Emulation.setScrollbarsHidden", hidden=True)
            browser.look(WIDE)
            scene(browser)
