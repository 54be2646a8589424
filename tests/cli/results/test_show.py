import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from tests.runs import laid_run, noisy, word_pairs
from tests.vectors import WORDS

OLD = Path(__file__).parents[2] / "fixtures" / "0.1.0"
GOLD = np.tile(np.arange(5.0), 12)


@pytest.fixture
def run(tmp_path):
    laid_run(GOLD, {"good": noisy(GOLD, 0.5, 1), "poor": noisy(GOLD, 20, 2)}, out=tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def measured(tmp_path):
    from medgauge.evaluation.evaluate import evaluate

    rng = np.random.default_rng(0)
    vectors = {word: rng.normal(size=4) for word in WORDS}
    sets = [word_pairs("one"), word_pairs("two", seed=1)]
    evaluate({"mine": vectors, "random": "random"}, sets, out=tmp_path / "measured")
    return tmp_path / "measured"


@pytest.mark.parametrize("form", ["table", "md", "latex", "html", "csv", "json"])
def test_a_stored_run_is_shown_as_evaluate_would(medgauge, run, form):
    from medgauge.evaluation.run import Run

    stored = Run.load(run)
    done = medgauge("show", run, "--format", form)
    assert (done.code, done.err) == (0, "")
    expected = {
        "md": stored.to_markdown,
        "latex": stored.to_latex,
        "html": stored.to_html,
        "csv": stored.to_csv,
        "json": stored.to_json,
    }
    assert "Agreement with the gold" in done.out if form == "table" else done.out == expected[form]()


def test_a_comparison_that_was_printed_is_shown_again(medgauge, run, tmp_path):
    (tmp_path / "c.json").write_text(medgauge("compare", run, "--json").out, "utf-8")
    assert medgauge("show", tmp_path / "c.json").out == medgauge("compare", run).out


@pytest.mark.parametrize("name", ["run", "comparison.json", "agreement.json"])
def test_results_of_an_older_version_are_printed(medgauge, name):
    done = medgauge("show", OLD / name)
    assert done.code == 0
    assert "ρ" in done.out


def test_the_scores_are_not_needed_and_no_figure_is_computed_again(medgauge, run, monkeypatch):
    expected = medgauge("show", run).out
    for path in (run / "scores").iterdir():
        path.unlink()
    monkeypatch.setattr("medgauge.evaluation.figures.spearman", None)
    done = medgauge("show", run)
    assert (done.code, done.out) == (0, expected)


def test_intervals_can_be_left_out(medgauge, run):
    assert "95% intervals" in medgauge("show", run).out
    for form in ("table", "md", "latex"):
        said = medgauge("show", run, "--no-intervals", "--format", form).out
        assert "intervals" not in said
        assert ", 0." not in said


def test_evaluate_leaves_intervals_out_too(medgauge, vectors, tmp_path):
    word_pairs().save(tmp_path / "pairs.parquet")
    given = ("evaluate", "--model", vectors, "--dataset", tmp_path / "pairs.parquet", "--measure", "fj")
    assert "[" in medgauge(*given).out
    assert "[" not in medgauge(*given, "--no-intervals").out


def test_a_plot_is_drawn_from_a_stored_run(medgauge, run, tmp_path):
    done = medgauge("show", run, "--plot", tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").read_text("utf-8").startswith("<?xml")
    assert "plot written to" in done.err


def test_what_cannot_be_shown_is_one_sentence(medgauge, tmp_path):
    (tmp_path / "other.json").write_text("{}", "utf-8")
    for path in (tmp_path, tmp_path / "other.json", tmp_path / "gone", OLD / "sets" / "graded.parquet"):
        done = medgauge("show", path)
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith(f"medgauge: {path}: ")
        assert len(done.err.splitlines()) == 1


def test_the_best_measure_of_each_model(medgauge, measured):
    done = medgauge("show", measured, "--best-measure")
    assert done.code == 0
    assert "Mean ρ (Fisher's z) over 2 sets, by measure" in done.out
    assert "the choice moves ρ by" in done.out
    assert "--by measure" in done.out
    rows = list(
        csv.DictReader(io.StringIO(medgauge("show", measured, "--best-measure", "--format", "csv").out))
    )
    assert len(rows) == 20
    assert sum(row["best"] == "True" for row in rows) == 2
    assert json.loads(medgauge("show", measured, "--best-measure", "--json").out)["with_one_measure"] == [
        "random"
    ]


def test_a_run_with_one_measure_has_no_choice_to_show(medgauge, run):
    done = medgauge("show", run, "--best-measure")
    assert (done.code, done.out) == (1, "")
    assert "the run has one measure for each model" in done.err


def test_only_a_run_has_measures_to_choose_from(medgauge):
    done = medgauge("show", OLD / "comparison.json", "--best-measure")
    assert done.code == 1
    assert "comparison.json: holds a Comparison; --best-measure needs a run" in done.err
