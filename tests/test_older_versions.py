"""Files that version 0.1.0 stored (tests/fixtures/0.1.0) can be opened and continued."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import medgauge
from medgauge.annotate.store.store import Store
from medgauge.errors import InputError
from medgauge.protocol import parse_protocol
from medgauge.stats.raters.agreement_statistics import STATISTICS

STORED = Path(__file__).parent / "fixtures" / "0.1.0"


@pytest.fixture
def study(tmp_path):
    shutil.copytree(STORED / "study", tmp_path / "study")
    return tmp_path / "study"


def test_a_study_opens_with_its_ratings_and_goes_on(study):
    with Store.open(study) as store:
        assert [(one.annotator.name, one.done, one.of) for one in store.progress()] == [
            ("ada", 4, 14),
            ("ben", 4, 14),
            ("cem", 4, 14),
        ]
        accepts = parse_protocol(store.study().protocol, "stored").allows
        open_places = [item.place for item in store.page_of(1, 1) if item.rating is None]
        for place in open_places[:2]:
            store.rate(1, place, value=1.0, seconds=2.0, key=f"new-{place}", accepts=accepts)
        assert store.progress_of(1).done == 6


def test_the_links_of_a_study_still_sign_in(study):
    links = (study / "links.csv").read_text("utf-8").splitlines()[1:]
    with Store.open(study, read_only=True) as store:
        for line in links:
            name, link = line.split(",")
            found = store.annotator_by_link(link.rpartition("/")[2])
            assert found is not None
            assert found.name == name.strip('"')


def test_the_ratings_of_a_study_can_be_exported_and_compared(study, medgauge, tmp_path):
    assert medgauge("annotate", "export", study, "--out", tmp_path / "ratings.parquet").code == 0
    found = medgauge("agreement", tmp_path / "ratings.parquet", "--resamples", 19, "--json")
    assert found.code == 0
    assert [one["name"] for one in json.loads(found.out)["annotators"]] == ["ada", "ben", "cem"]


def evaluated(out, **options):
    return medgauge.evaluate(
        ["levenshtein", "token-jaccard", STORED / "vectors.txt"],
        [STORED / "sets" / "graded.parquet", STORED / "sets" / "labelled.parquet"],
        measures=["avg_cos", "fj"],
        by="words",
        out=out,
        **options,
    )


@pytest.fixture
def run(tmp_path):
    shutil.copytree(STORED / "run", tmp_path / "run")
    return tmp_path / "run"


def test_the_same_evaluation_says_that_the_protocol_differs_and_writes_nothing(run):
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    with pytest.raises(InputError, match="different protocol"):
        evaluated(run)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


@pytest.mark.filterwarnings("ignore::medgauge.errors.UndefinedWarning")
def test_the_figures_are_those_of_the_older_version(tmp_path):
    stored, now = medgauge.Run.load(STORED / "run"), evaluated(tmp_path / "new")
    for before, after in zip(stored.figures, now.figures, strict=True):
        assert (after.model, after.measure, after.metric) == (before.model, before.measure, before.metric)
        if after.metric == "accuracy_cv":  # since protocol 2, the mean over 50 deals of folds
            continue
        assert after.value == pytest.approx(before.value, abs=1e-12, nan_ok=True)
        if after.no_interval is None:
            assert after.estimate.interval == pytest.approx(before.estimate.interval, abs=1e-12, nan_ok=True)


def test_a_run_of_protocol_1_shows_the_best_measures_as_it_did():
    stored = medgauge.Run.load(STORED / "run")
    assert (stored.protocol, stored.settings.shown) == (1, "best")
    assert "chosen on the test data" in stored.to_markdown()
    assert "chosen on the test data" not in stored.showing("standard").to_markdown()


@pytest.mark.filterwarnings("ignore::medgauge.errors.UndefinedWarning")
def test_a_replaced_run_does_not_trust_scores_that_were_stored_without_a_digest(run):
    stored = medgauge.Run.load(run)
    scores = run / stored.coverage[0].scores
    frame = pl.read_parquet(scores)
    measure = next(name for name in frame.columns if name not in ("pair_id", "gold", "covered"))
    key = pl.read_parquet_metadata(scores)["medgauge.key"]
    frame.with_columns(pl.col(measure) * -1).write_parquet(scores, metadata={"medgauge.key": key})
    now = evaluated(run, replace=True, seed=7)
    assert now.settings.seed == 7
    before, after = (
        [figure.value for figure in one.figures if figure.metric == "spearman"] for one in (stored, now)
    )
    assert after == pytest.approx(before, nan_ok=True)


@pytest.mark.filterwarnings("ignore::medgauge.errors.CoverageWarning")
def test_a_comparison_of_the_stored_run_has_the_figures_of_the_older_version():
    stored = json.loads((STORED / "comparison.json").read_text("utf-8"))
    found = json.loads(medgauge.compare(STORED / "run", resamples=199).to_json())
    for before, now in zip(stored["contests"], found["contests"], strict=True):
        if now["metric"] == "accuracy_cv":  # since protocol 2, the mean over 50 deals of folds
            continue
        assert [one["value"] for one in now["differences"]] == pytest.approx(
            [one["value"] for one in before["differences"]]
        )
        assert [one["letters"] for one in now["systems"]] == [one["letters"] for one in before["systems"]]


def test_agreement_on_the_stored_set_is_that_of_the_older_version():
    stored = json.loads((STORED / "agreement.json").read_text("utf-8"))
    found = json.loads(
        medgauge.agreement(medgauge.PairSet.load(STORED / "sets" / "graded.parquet"), resamples=199).to_json()
    )
    for name in ("alpha", "kendall_w", "icc_c1", "icc_ck", "iaa_1", "iaa_2", "human_upper_bound"):
        assert found[name] == pytest.approx(stored[name], abs=1e-9)
        # 0.1.0 had the bootstrap's on any number of pairs; the overall ICC are those of REML now.
        if name not in ("human_upper_bound", "icc_c1", "icc_ck"):
            assert STATISTICS[name].figure in found["jackknifed"]
