"""Served studies, and a browser to look at them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from tests.annotate.web.browser import Browser, chromium
from tests.annotate.web.served import ServedStudy
from tests.prerequisites import AXE, NEEDS_AXE, NEEDS_BROWSER, is_there


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., ServedStudy]]:
    """Serve a study of so many pairs on each page: `serve("graded", 6, 3)`."""
    served: list[ServedStudy] = []

    def start(protocol: str, *pages: int, url: str = "") -> ServedStudy:
        study = ServedStudy(tmp_path / f"study{len(served)}", protocol, pages, url=url)
        served.append(study)
        study.start()
        return study

    yield start
    for study in served:
        study.server.kill()
        study.store.close()
    assert [study.faults() for study in served] == [[] for _ in served]


@pytest.fixture(scope="session")
def chromium_driver() -> Iterator[webdriver.Chrome]:
    """Run one Chromium for all tests."""
    if not is_there(NEEDS_BROWSER):
        pytest.skip(NEEDS_BROWSER)
    with chromium() as driver:
        yield driver


@pytest.fixture
def browser(chromium_driver: webdriver.Chrome) -> Iterator[Browser]:
    """Give a new tab, whose console must hold nothing against the pages in the end."""
    tab = Browser(chromium_driver)
    yield tab
    assert tab.faults() == []


@pytest.fixture(scope="session")
def axe() -> str:
    """Give the accessibility rules of axe-core, as a script."""
    if not is_there(NEEDS_AXE):
        pytest.skip(NEEDS_AXE)
    return AXE.read_text("utf-8")
