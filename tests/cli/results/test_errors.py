import csv
import io
import json

import pytest

from tests.vectors import WORDS


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "mine.csv"
    lines = [f"{WORDS[n]},{WORDS[(7 * n + 3) % 30]} {WORDS[n]},{n % 11}" for n in range(30)]
    path.write_text("\n".join(["a,b,rated", *lines, "zebrafish,w1,3"]) + "\n")
    return path


@pytest.fixture
def run(medgauge, vectors, pairs, tmp_path):
    out = tmp_path / "run"
    options = ("--measure", "avg_cos", "--measure", "fj", "--out", out)
    columns = ("--term-1", "a", "--term-2", "b", "--gold", "rated")
    done = medgauge(
        "evaluate", "--model", vectors, "--model", "levenshtein", "--dataset", pairs, *columns, *options
    )
    assert done.code == 0
    return out


COLUMNS = ("--term-1", "a", "--term-2", "b", "--gold", "rated")


def test_the_worst_pairs_of_ones_own_file_are_shown_with_terms_and_missing_words(medgauge, run, pairs):
    done = medgauge("errors", run, "--model", "mine", "--dataset", pairs, *COLUMNS, "--top", 3)
    assert done.code == 0
    assert "mine: worst pairs of mine (avg_cos)" in done.out
    assert "zebrafish (1)" in done.out
    assert "1/31" in done.out


def test_csv_has_a_row_for_each_pair(medgauge, run, pairs):
    done = medgauge(
        "errors",
        run,
        "--model",
        "mine",
        "--against",
        "levenshtein",
        "--dataset",
        f"mine={pairs}",
        *COLUMNS,
        "--measure",
        "mine=fj",
        "--top",
        4,
        "--format",
        "csv",
    )
    found = list(csv.DictReader(io.StringIO(done.out)))
    assert len(found) == 4
    assert {row["term_1"] for row in found} <= set(WORDS)
    assert {row["nearer"] for row in found} <= {"mine", "levenshtein", ""}


def test_json_says_which_measure_was_used(medgauge, run, pairs):
    done = medgauge(
        "errors", run, "--model", "mine", "--dataset", pairs, *COLUMNS, "--measure", "fj", "--json"
    )
    [found] = json.loads(done.out)["sets"]
    assert found["measure"] == "fj"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((), "no set of the run was found on this machine: get mine (--dataset mine=FILE)"),
        (("--dataset", "mine"), "the set 'mine' of the run is not a published one: give the file"),
        (
            ("--dataset", "PAIRS", "--term-1", "b", "--term-2", "a", "--gold", "rated"),
            "is not the one that was",
        ),
    ],
)
def test_a_set_that_is_not_the_evaluated_one_says_what_to_type(medgauge, run, pairs, options, complaint):
    given = [pairs if option == "PAIRS" else option for option in options]
    done = medgauge("errors", run, "--model", "mine", *given)
    assert done.code == 1
    assert complaint in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_a_folder_that_is_not_a_run_is_named(medgauge, tmp_path):
    done = medgauge("errors", tmp_path, "--model", "mine")
    assert (done.code, "results.json" in done.err) == (1, True)
