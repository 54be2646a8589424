import numpy as np
import polars as pl
import pytest

from medgauge.comparison.compare import compare
from medgauge.comparison.scores import SetScores
from medgauge.errors import CoverageWarning, InputError, UndefinedWarning, UnknownNameError
from medgauge.evaluation.run import Run
from tests.runs import laid_run

NAN = float("nan")


def test_scores_are_those_of_the_pairs_that_every_model_covers():
    with pytest.warns(CoverageWarning), pytest.warns(UndefinedWarning):
        run = laid_run([1, 2, 3, 4], {"a": [0.1, NAN, 0.3, 0.4], "b": [4, 3, 2, NAN]})
    held = SetScores(run, "mine")
    assert held.gold.tolist() == [1, 3]
    assert held.scores([("b", "score"), ("a", "score")]).tolist() == [[4, 2], [0.1, 0.3]]


def test_groups_are_numbered_and_a_pair_without_a_value_is_by_itself():
    run = laid_run([1, 2, 3, 4, 5], {"a": range(5)}, concept=["x", None, "x", "y", None])
    groups = SetScores(run, "mine").groups("concept")
    assert groups[0] == groups[2]
    assert len(set(groups.tolist())) == 4
    assert sorted(set(groups.tolist())) == [0, 1, 2, 3]


def test_an_unknown_column_is_named_with_those_there_are():
    run = laid_run([1, 2, 3], {"a": range(3)}, concept=["x", "y", "x"])
    with pytest.raises(
        UnknownNameError, match="the run: there is no column of mine 'concpet'; did you mean 'concept'"
    ):
        SetScores(run, "mine").groups("concpet")


def test_a_stored_run_has_its_groups_and_no_term(tmp_path):
    laid_run([1, 2, 3], {"a": range(3)}, out=tmp_path / "run", concept=["acne", "gout", "acne"])
    groups = Run.load(tmp_path / "run").groups("mine")
    assert groups["concept"].to_list() == [1, 2, 1]
    assert groups["term_1"].to_list() == [1, 2, 3]
    assert b"acne" not in (tmp_path / "run" / "groups" / "mine.parquet").read_bytes()


def test_scores_of_another_run_are_noticed():
    run = laid_run([1, 2, 3], {"a": [0.1, 0.2, 0.3]})
    with pytest.warns(CoverageWarning), pytest.warns(UndefinedWarning):
        other = laid_run([1, 2, 3], {"a": [0.1, NAN, 0.3]})
    run.hold({("a", "mine"): other.scores("a", "mine")}, {})
    with pytest.raises(
        InputError, match="the run: the stored scores of mine do not match the run's results; evaluate again"
    ):
        _ = SetScores(run, "mine").gold


def test_a_run_stored_without_groups_says_what_to_do(tmp_path):
    laid_run([1, 2, 3], {"a": range(3)}, out=tmp_path / "run")
    text = (tmp_path / "run" / "results.json").read_text()
    (tmp_path / "run" / "results.json").write_text(text.replace('"groups/mine.parquet"', '""'))
    with pytest.raises(InputError, match="stored without groups of pairs; evaluate again"):
        SetScores(Run.load(tmp_path / "run"), "mine").groups("term_1")


def test_numbers_are_groups_too():
    run = laid_run([1, 2, 3], {"a": range(3)}, level=[0.5, 0.5, 2.0])
    assert np.bincount(SetScores(run, "mine").groups("level")).tolist() == [2, 1]


def damaged(frame, damage):
    """Give scores that a run's figures were not made of."""
    changes = {
        "shuffled": frame.reverse(),
        "short": frame.head(3),
        "doubled": pl.concat([frame, frame]),
        "no gold": frame.drop("gold"),
        "no measure": frame.drop("score"),
        "no covered": frame.drop("covered"),
        "text": frame.with_columns(pl.lit("x").alias("score")),
        "null gold": frame.with_columns(pl.lit(None, pl.Float64).alias("gold")),
        "other gold": frame.with_columns(pl.col("gold") + 1),
        "other scores": frame.with_columns(pl.col("score").reverse()),
    }
    return changes[damage]


@pytest.mark.parametrize(
    "damage",
    ["shuffled", "short", "doubled", "no gold", "no measure", "no covered", "text", "null gold", "other gold",
     "other scores"],
)  # fmt: skip
def test_scores_that_are_not_the_runs_are_refused(tmp_path, damage):
    rng = np.random.default_rng(0)
    laid_run(np.arange(20), {"a": rng.random(20), "b": rng.random(20)}, out=tmp_path / "run")
    file = tmp_path / "run" / "scores" / "mine--b.parquet"
    damaged(pl.read_parquet(file), damage).write_parquet(file)
    with pytest.raises(InputError, match="run: the stored scores of mine do not match the run's results"):
        compare(tmp_path / "run")


@pytest.mark.parametrize("damage", ["short", "text"])
def test_groups_that_are_not_the_runs_are_refused(tmp_path, damage):
    rng = np.random.default_rng(0)
    laid_run(np.arange(20), {"a": rng.random(20), "b": rng.random(20)}, out=tmp_path / "run")
    file = tmp_path / "run" / "groups" / "mine.parquet"
    groups = pl.read_parquet(file)
    changed = groups.head(3) if damage == "short" else groups.with_columns(pl.lit("x").alias("term_1"))
    changed.write_parquet(file)
    with pytest.raises(InputError, match=r"run: the stored groups of mine are damaged"):
        compare(tmp_path / "run", clustered_by="term_1")


def test_labels_other_than_0_and_1_are_refused(tmp_path):
    rng = np.random.default_rng(0)
    laid_run([0, 1] * 10, {"a": rng.random(20), "b": rng.random(20)}, labelled=True, out=tmp_path / "run")
    for file in (tmp_path / "run" / "scores").iterdir():
        pl.read_parquet(file).with_columns(pl.col("gold") * 2).write_parquet(file)
    with pytest.raises(InputError, match="run: the stored scores of mine do not match the run's results"):
        compare(tmp_path / "run")
