"""The tools of the tests: processes with default signals and time limits, and skips that are reported."""

import subprocess
import sys

import pytest

from tests.annotate.studies import environment
from tests.support.processes import run, running

ASKED = "from signal import *; print(getsignal(SIGHUP).name, type(getsignal(SIGINT)).__name__)"
NOHUP = f"""
import signal
for number in (signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
from tests.support.processes import give_children_default_signals, run
import sys
before = run([sys.executable, "-c", {ASKED!r}]).stdout
give_children_default_signals()
print(before + run([sys.executable, "-c", {ASKED!r}]).stdout)
"""


def test_processes_start_with_default_signals_even_if_the_tests_ignore_them():
    done = run([sys.executable, "-c", NOHUP], env=environment(), check=True)
    # Python installs its own handler for SIGINT, unless it is ignored.
    assert done.stdout.split() == ["SIG_IGN", "Handlers", "SIG_DFL", "builtin_function_or_method"]


def test_a_process_that_does_not_end_is_killed_and_reported():
    with (
        pytest.raises(subprocess.TimeoutExpired),
        running([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, timeout=0.1) as process,
    ):
        pass
    assert process.returncode == -9


def test_a_process_ends_with_the_test_that_fails():
    with (
        pytest.raises(ZeroDivisionError),
        running([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process,
    ):
        1 / 0  # noqa: B018
    assert process.returncode == -9


SKIPPING = """
import pytest

def test_without_its_file():
    pytest.skip("needs the file that/nobody.has")

def test_for_no_reason():
    pytest.skip("it is raining")
"""


@pytest.mark.slow
def test_a_skip_is_shown_by_the_processes_of_the_tests_and_fails_if_nothing_is_missing(tmp_path):
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "test_skipping.py").write_text(SKIPPING)
    command = [sys.executable, "-m", "pytest", "-rs", "--strict-skips", "-p", "no:cacheprovider", "-n", "2"]
    done = run([*command, "--rootdir", tmp_path, tmp_path], env=environment())
    assert done.returncode == 1, done.stdout + done.stderr
    assert "needs the file that/nobody.has" in done.stdout
    unjustified = [line for line in done.stdout.splitlines() if line.startswith("skipped although")]
    assert len(unjustified) == 1
    assert "test_for_no_reason (Skipped: it is raining)" in unjustified[0]
