import csv
import io
import json

import numpy as np
import pytest

from tests.runs import laid_run, noisy

GOLD = np.tile(np.arange(5.0), 40)


@pytest.fixture
def run(tmp_path):
    systems = {"good": noisy(GOLD, 0.5, 1), "fair": noisy(GOLD, 2, 2), "poor": noisy(GOLD, 20, 3)}
    laid_run(GOLD, systems, out=tmp_path / "run", concept=[f"c{k % 50}" for k in range(200)])
    return tmp_path / "run"


def test_a_stored_run_is_compared(medgauge, run):
    done = medgauge("compare", run)
    assert done.code == 0
    assert "1 [1–1] a" in done.out
    assert "+2" in done.out
    assert "Bonferroni's correction" in done.out


def test_json_has_everything(medgauge, run):
    found = json.loads(medgauge("compare", run, "--json", "--correction", "holm", "--alpha", "0.01").out)
    assert (found["correction"], found["alpha"], len(found["contests"])) == ("holm", 0.01, 1)
    assert len(found["contests"][0]["differences"]) == 3


def test_csv_has_every_difference(medgauge, run):
    rows = list(csv.DictReader(io.StringIO(medgauge("compare", run, "--format", "csv").out)))
    assert [(row["model_1"], row["model_2"]) for row in rows] == [
        ("good", "fair"),
        ("good", "poor"),
        ("fair", "poor"),
    ]
    assert all(row["significant"] == "True" for row in rows)


@pytest.mark.parametrize(("form", "mark"), [("md", "<sup>+2</sup>"), ("latex", r"\textsuperscript{+2}")])
def test_tables_for_a_paper(medgauge, run, form, mark):
    assert mark in medgauge("compare", run, "--format", form).out


def test_groups_can_be_resampled(medgauge, run):
    assert "50 groups of pairs" in medgauge("compare", run, "--clustered-by", "concept").out.replace(
        "\n", " "
    )


def test_a_plot_is_written_and_told_of(medgauge, run, tmp_path):
    done = medgauge("compare", run, "--plot", tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").read_text().startswith("<?xml")
    assert "plot.svg" in done.err


def test_the_same_seed_prints_the_same(medgauge, run):
    first, second = (medgauge("compare", run, "--json", "--seed", 5).out for _ in range(2))
    assert first == second


def test_a_narrow_terminal_shows_every_model(medgauge, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    out = medgauge("compare", run).out
    assert all(name in out for name in ("good", "fair", "poor"))
    assert max(map(len, out.splitlines())) <= 40


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--dataset", "other"], "there is no set of the run called 'other'"),
        (["--measure", "cosinus"], "there is no measure 'cosinus'"),
        (["--measure", "words="], "write NAME=MEASURE parts"),
        (["--by", "measure"], "run: there is nothing to compare"),
        (["--clustered-by", "id_1"], "there is no column of mine 'id_1'"),
        (["--alpha", "1.5"], "alpha must be between 0 and 1"),
        (["--plot", "plot.gif"], "a plot must be a .svg, .pdf or .png file"),
    ],
)
def test_wrong_options_are_answered_in_a_sentence(medgauge, run, arguments, complaint):
    done = medgauge("compare", run, *arguments)
    assert done.code == 1
    assert complaint in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert done.out == ""


@pytest.mark.parametrize("damage", ["none", "no run", "broken", "no scores", "cut scores"])
def test_a_folder_that_is_no_run_is_answered_in_a_sentence(medgauge, run, tmp_path, damage):
    folder = run
    if damage == "none":
        folder = tmp_path / "nowhere"
    elif damage == "no run":
        folder = tmp_path
    elif damage == "broken":
        (run / "results.json").write_text("{}")
    elif damage == "no scores":
        next(run.glob("scores/*")).unlink()
    else:
        next(run.glob("scores/*")).write_bytes(b"PAR1")
    done = medgauge("compare", folder)
    assert done.code == 1
    assert len(done.err.strip().splitlines()) == 1
    assert str(tmp_path) in done.err


def test_an_unknown_correction_is_a_usage_error(medgauge, run):
    assert medgauge("compare", run, "--correction", "hochberg").code == 2
