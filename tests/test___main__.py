"""What ends the program early: real signals to real processes, at moments that are waited for."""

import signal
import subprocess
import sys
import tomllib
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.processes import run, running

ROOT = Path(__file__).parents[1]
START = "from medgauge.__main__ import run; run()"
EVALUATE = ["evaluate", "--model", "token-jaccard", "--model", "levenshtein", "--dataset", "pairs.csv"]
INFO = ["datasets", "info", "mayosrs"]
# Prints a line and waits where a command would compute.
WAIT = "def wait(*_, **__):\n    print('here', flush=True)\n    signal.pause()\n"


def program(*arguments, before=""):
    """Return the command line of the program, after some lines of Python."""
    lines = f"import signal, sys\n{before}\nsys.argv = ['medgauge', *{list(map(str, arguments))!r}]\n{START}"
    return [sys.executable, "-c", lines]


@contextmanager
def waiting(command, **options):
    """Run a program until it has printed a line."""
    with running(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
        assert process.stdout.readline() == "here\n"
        yield process


def write_pairs(folder):
    lines = "".join(f"word{number},word{number % 7},{number % 5}\n" for number in range(30))
    (folder / "pairs.csv").write_text(f"term_1,term_2,gold\n{lines}")


@pytest.mark.parametrize("arguments", [["-m", "medgauge"], ["-c", START]])
def test_an_interrupt_while_modules_are_loaded_prints_no_traceback(arguments, tmp_path):
    (tmp_path / "typer.py").write_text(f"import signal\n{WAIT}wait()")
    path = f"{tmp_path}:{ROOT / 'src'}"
    with waiting([sys.executable, *arguments], env={"PYTHONPATH": path}) as process:
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == "interrupted; run the same command again\n"
    assert process.returncode == 130


def test_the_installed_program_starts_with_the_module_that_can_be_interrupted():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"medgauge": "medgauge.__main__:run"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code", "said"),
    [
        (signal.SIGINT, 130, "interrupted; run the same command again\n"),
        (signal.SIGTERM, 143, ""),
    ],
)
def test_an_evaluation_that_is_ended_keeps_its_scores_and_the_next_one_says_so(number, code, said, tmp_path):
    write_pairs(tmp_path)
    before = f"{WAIT}from medgauge.models import lexical; lexical.LevenshteinScorer.score = wait"
    with waiting(program(*EVALUATE, "--out", "run", before=before), cwd=tmp_path) as process:
        process.send_signal(number)
        assert process.stderr.read() == said
    assert process.returncode == code
    left = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["pairs--token-jaccard.parquet", "pairs.csv"]
    again = run(program(*EVALUATE, "--out", "run"), cwd=tmp_path)
    assert again.returncode == 0
    assert again.stderr.splitlines() == ["resuming: 1 of 2 scores are kept", "run stored in run"]


def test_an_evaluation_that_is_not_stored_cannot_be_continued(tmp_path):
    write_pairs(tmp_path)
    before = f"{WAIT}from medgauge.models import lexical; lexical.LevenshteinScorer.score = wait"
    with waiting(program(*EVALUATE, before=before), cwd=tmp_path) as process:
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == "interrupted; run the same command again\n"
    assert process.returncode == 130


@pytest.mark.slow
def test_a_plot_that_is_interrupted_leaves_no_file(tmp_path):
    write_pairs(tmp_path)
    before = f"{WAIT}from matplotlib.figure import Figure; Figure.savefig = wait"
    run(program(*EVALUATE, "--out", "run"), cwd=tmp_path, check=True)
    with waiting(program("compare", "run", "--plot", "plot.svg", before=before), cwd=tmp_path) as process:
        process.send_signal(signal.SIGINT)
        process.stderr.read()
    assert process.returncode == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pairs.csv", "run"]


def test_a_thread_that_goes_on_does_not_outlive_an_interrupt(tmp_path):
    write_pairs(tmp_path)
    busy = "from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor(1).submit(signal.pause)\n"
    before = f"{WAIT}{busy}from medgauge.models import lexical; lexical.LevenshteinScorer.score = wait"
    with waiting(program(*EVALUATE, before=before), cwd=tmp_path) as process:
        process.send_signal(signal.SIGINT)
        process.stderr.read()
    assert process.returncode == 130


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], INFO, [*INFO, "--json"], EVALUATE],
    ids=lambda arguments: " ".join(arguments[:3]),
)
def test_a_pipe_that_its_reader_closed_ends_the_program_quietly(arguments, tmp_path):
    write_pairs(tmp_path)
    command = program(*arguments)
    with running(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


@pytest.mark.parametrize("closed", [">&-", "<&- >&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", [INFO, [*INFO, "--json"]])
def test_a_stdout_that_is_closed_from_the_start_is_no_failure(closed, arguments):
    done = run(["sh", "-c", f'exec "$@" {closed}', "sh", *program(*arguments)])
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_is_a_failure_in_one_sentence():
    with Path("/dev/full").open("w") as full:
        done = run(program(*INFO), stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert (done.returncode, done.stderr) == (1, "medgauge: No space left on device\n")
