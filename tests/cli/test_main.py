import json
import sys

import pytest
import typer

from medgauge.cli.main import app
from tests.support.processes import run

HEAVY = {"numba", "numpy", "polars", "rapidfuzz", "scipy"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["evaluate", "--help"],
        ["compare", "--help"],
        ["correlate", "--help"],
        ["categories", "--help"],
        ["build", "categories", "--help"],
        ["datasets", "fetch", "--help"],
        ["annotate", "init", "--help"],
        ["annotate", "import", "--help"],
    ],
)
def test_help_loads_nothing_heavy(arguments):
    code = (
        "import json, sys\n"
        "from medgauge.cli.main import app\n"
        f"try: app({arguments!r})\n"
        "except SystemExit: pass\n"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    done = run([sys.executable, "-c", code], check=True)
    assert "Usage" in done.stdout
    assert set(json.loads(done.stdout.splitlines()[-1])) & HEAVY == set()


def test_the_list_of_commands_does_not_wait_for_pydantic():
    code = "import sys; import medgauge.cli.main; sys.exit('pydantic' in sys.modules)"
    assert run([sys.executable, "-c", code]).returncode == 0


def commands(command, path=()):
    """Yield each command and group of commands with the words that call it."""
    if path:
        yield " ".join(path), command
    for name, one in getattr(command, "commands", {}).items():
        yield from commands(one, (*path, name))


COMMANDS = dict(commands(typer.main.get_command(app)))


def test_there_are_commands_and_groups():
    assert {"evaluate", "cache", "build records"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command, medgauge):
    done = medgauge(*command.split(), "--help")
    assert done.code == 0
    assert f"Example: medgauge {command}" in " ".join(done.out.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_wrapped_by_the_terminal_and_not_as_in_the_source(command):
    assert [part for part in COMMANDS[command].help.split("\n\n") if "\n" in part] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_help(command):
    assert [one.name for one in COMMANDS[command].params if not one.help] == []


def test_the_version_is_printed(medgauge):
    assert medgauge("--version").out.startswith("medgauge 0.")


def test_a_usage_error_is_exit_code_2(medgauge):
    assert medgauge("evaluate", "--modle", "x").code == 2
    assert medgauge("evaluate").code == 2


@pytest.mark.slow
def test_kernels_are_compiled_once_and_cached(tmp_path):
    code = (
        "import numpy as np\n"
        "from medgauge.measures import kernels\n"
        "from medgauge.measures.declared import measures_for\n"
        "from medgauge.measures.score import TermVectors, score\n"
        "terms = TermVectors.single(np.random.default_rng(0).random((4, 8), np.float32))\n"
        "score(measures_for('words'), terms, np.array([0, 1]), np.array([2, 3]))\n"
        "used = [k for k in vars(kernels).values() if hasattr(k, 'stats') and k.signatures]\n"
        "print(sum(len(k.stats.cache_misses) for k in used), sum(len(k.stats.cache_hits) for k in used))"
    )
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PATH": ""}
    for expected_misses in (False, True):
        done = run([sys.executable, "-c", code], check=True, env=environment)
        misses, hits = map(int, done.stdout.split())
        assert (misses == 0) is expected_misses
        assert (hits > 0) is expected_misses
