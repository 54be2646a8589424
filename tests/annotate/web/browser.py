"""Chromium without a window, and what annotators do in it: by key, by mouse, by finger, in the dark."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.prerequisites import CHROMEDRIVER, CHROMIUM

PATIENCE = 30.0
SETTLED = 220  # ms: a page takes no answer in the first 200 ms of a pair, against double taps
PHONE, SMALL_PHONE = (390, 844), (320, 568)
DESK = (1280, 900)

# A page's clock moves only when a test says so: nobody waits, and a busy machine makes no double tap slow.
_OWN_CLOCK = """
let now = performance.now();
performance.now = () => now;
window.letTimePass = (milliseconds) => { now += milliseconds; };
"""


@contextmanager
def chromium() -> Iterator[webdriver.Chrome]:
    """Run Chromium; nothing is looked for on the network."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(CHROMEDRIVER))
    try:
        yield driver
    finally:
        driver.quit()


class Browser:
    """A tab of Chromium with no cookies, and the tabs that a test opens beside it."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver
        self._expected: list[str] = []
        self._leave_old_tabs()
        self.devtools("Network.clearBrowserCookies")
        self.look(DESK)
        driver.get_log("browser")

    def _leave_old_tabs(self) -> None:
        old = self.driver.window_handles
        self.driver.switch_to.window(old[0])
        self._new_tab()
        for tab in old:
            self.close(tab)

    def _new_tab(self) -> None:
        self.driver.switch_to.new_window("tab")
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=f"{{ {_OWN_CLOCK} }}")

    def devtools(self, command: str, **arguments: Any) -> None:
        self.driver.execute_cdp_cmd(command, arguments)

    def look(self, size: tuple[int, int], *, touch: bool = False, dark: bool = False) -> None:
        """Be a screen of some size, with a finger in place of a mouse or not, in light or dark colours."""
        width, height = size
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=touch,
        )
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=touch)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.devtools("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, address: str) -> None:
        with self.leaving():
            self.driver.get(address)

    def reload(self) -> None:
        with self.leaving():
            self.driver.refresh()

    @contextmanager
    def leaving(self) -> Iterator[None]:
        """Wait after the block for another page, whose scripts have run."""
        self.run("window.isOld = true")
        yield
        self.wait(
            lambda: self.run("return !window.isOld && document.readyState === 'complete'"),
            "no other page has come",
        )

    @contextmanager
    def running_first(self, script: str) -> Iterator[None]:
        """Run a script in each page before its own."""
        added = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        try:
            yield
        finally:
            self.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])

    def open_tab(self, address: str) -> str:
        """Open another tab and give the handle of the one that was left."""
        left = self.driver.current_window_handle
        self._new_tab()
        self.open(address)
        return left

    def turn_to(self, tab: str) -> str:
        """Turn to another tab and give the handle of the one that was left."""
        left = self.driver.current_window_handle
        self.driver.switch_to.window(tab)
        return left

    def close(self, tab: str) -> None:
        """Close another tab, whatever it would ask first."""
        here = self.turn_to(tab)
        self.driver.close()
        self.driver.switch_to.window(here)

    @property
    def path(self) -> str:
        return str(self.run("return location.pathname"))

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """Read what a part of the page says, shown or not."""
        return str(self.run("return document.querySelector(arguments[0]).textContent.trim()", selector))

    def is_shown(self, selector: str) -> bool:
        return self.find(selector).is_displayed()

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def state(self) -> dict[str, Any]:
        """Read what the server sent to the page's script."""
        found: dict[str, Any] = json.loads(self.text("#state"))
        return found

    def fetch(self, path: str) -> str:
        """Give what the server answers to who is signed in, as it comes."""
        script = "const done = arguments[1]; fetch(arguments[0]).then(reply => reply.text()).then(done)"
        return str(self.driver.execute_async_script(script, path))

    def open_details(self) -> None:
        """Open all that can be opened."""
        self.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")

    def wait(self, condition: Callable[[], object], why: str) -> None:
        WebDriverWait(self.driver, PATIENCE, poll_frequency=0.03).until(lambda _: condition(), why)

    def expect(self, *failures: str) -> None:
        """Say which failed requests belong to the test: they are in the log, and are no fault of the page."""
        self._expected += failures

    def faults(self) -> list[str]:
        """List what the console holds against the pages: exceptions, breaches of policy, failed requests."""
        entries = [entry for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        return [
            f"{entry['source']}: {entry['message']}"
            for entry in entries
            if entry["source"] != "network" or not any(one in entry["message"] for one in self._expected)
        ]

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def hold(self, key: str, *, code: str, text: str, repeats: int = 8) -> None:
        """Hold a key down for about a second, in which it repeats."""
        pressed = {"key": key, "code": code, "windowsVirtualKeyCode": ord(text.upper())}
        for repeat in range(repeats):
            self.devtools(
                "Input.dispatchKeyEvent", type="keyDown", text=text, autoRepeat=repeat > 0, **pressed
            )
            self.let_time_pass(130)
        self.devtools("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def tab_to(self, selector: str) -> None:
        """Go to a part of the page by the Tab key."""
        target = self.find(selector)
        for _ in range(60):
            if self.driver.switch_to.active_element == target:
                return
            self.press("\ue004")
        raise AssertionError(f"the Tab key does not lead to {selector}")

    def tap(self, selector: str, *, times: int = 1, across: float = 0.5) -> None:
        """Touch something with a finger, in the middle or so far across."""
        element = self.find(selector)
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        box = self.run("return arguments[0].getBoundingClientRect().toJSON()", element)
        point = {"x": box["x"] + box["width"] * across, "y": box["y"] + box["height"] / 2}
        for _ in range(times):
            self.devtools("Input.dispatchTouchEvent", type="touchStart", touchPoints=[point])
            self.devtools("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def lose(self, *paths: str) -> None:
        """Have the page's requests to some paths, or to all, fail until they are found again."""
        self.run(
            """window.send ??= window.fetch;
            window.fetch = (path, ...rest) => (arguments[0].length === 0 || arguments[0].includes(path)
              ? Promise.reject(new TypeError("the line is cut")) : window.send(path, ...rest));""",
            list(paths),
        )

    def find_again(self) -> None:
        """Have requests go through, and tell the page that the device is on the network again."""
        self.run("window.fetch = window.send; dispatchEvent(new Event('online'))")

    def kept(self) -> int:
        """Count the answers that are kept on the device."""
        names = "Object.keys(localStorage).filter(name => /^medgauge:[0-9a-f]{8}:/.test(name))"
        return int(self.run(f"return {names}.length"))

    def settle(self) -> None:
        """Let the time pass in which the pair that is shown takes no answer."""
        self.let_time_pass(SETTLED)

    def let_time_pass(self, milliseconds: float) -> None:
        """Move the clock of the page."""
        self.run("letTimePass(arguments[0])", milliseconds)

    def answer(self, *keys: str) -> None:
        """Answer the pairs that come, each by a key."""
        for key in keys:
            self.settle()
            self.press(key)

    def wait_until_saved(self) -> None:
        self.wait(
            lambda: self.text("#saved") == "Everything is saved.", "the page does not say that all is saved"
        )

    @property
    def pair(self) -> tuple[str, str]:
        """The terms that are shown."""
        left, right = self.run("return ['left', 'right'].map(id => document.getElementById(id).textContent)")
        return left, right
