import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from medgauge.errors import FileError, InputError, UndefinedWarning
from medgauge.evaluation.evaluate import evaluate
from medgauge.evaluation.run import Run
from medgauge.pairs import Card, PairSet
from tests.runs import Laid, pair_set, word_pairs
from tests.vectors import WORDS

PAIRS = PairSet.of(
    [("flu", "influenza", 4.0), ("flu", "fracture", 1.0), ("asthma", "asthma attack", 3.0)],
    card=Card(name="tiny", title="Tiny"),
)


@pytest.mark.parametrize("content", [b"", b"not JSON", b"{}", b'{"protocol": 1}'])
def test_damaged_results_are_named(tmp_path, content):
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    (tmp_path / "x" / "results.json").write_bytes(content)
    with pytest.raises(FileError, match=r"results\.json"):
        Run.load(tmp_path / "x")


def test_a_moved_run_finds_its_scores(tmp_path):
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    (tmp_path / "x").rename(tmp_path / "y")
    assert Run.load(tmp_path / "y").scores("levenshtein", "tiny").height == 3


def test_lost_or_damaged_scores_are_named(tmp_path):
    run = evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    path = tmp_path / "x" / run.coverage[0].scores
    path.write_bytes(b"PAR1 no more")
    with pytest.raises(FileError, match="levenshtein"):
        Run.load(tmp_path / "x").scores("levenshtein", "tiny")
    path.unlink()
    with pytest.raises(FileError, match="there is no such file"):
        Run.load(tmp_path / "x").scores("levenshtein", "tiny")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (".", r"^\.: is not a stored run, as it has no results\.json; give the folder that evaluate wrote"),
        ("empty", r"^empty: is not a stored run, as it has no results\.json; give the folder"),
        (
            "absent",
            r"^absent: there is no such file or folder; give the folder that evaluate wrote with out=",
        ),
        ("other.json", r"^other\.json: is not the result of an evaluation; give the folder"),
        ("vectors.bin", r"^vectors\.bin: is not a stored run; give the folder that evaluate wrote"),
        ("pairs.csv", r"^pairs\.csv: is not a stored run; give the folder"),
        ("other", r"^other.results\.json: is not the result of an evaluation; give the folder"),
        ("list", r"^list.results\.json: is not the result of an evaluation; give the folder"),
        ("half", r"^half: is an unfinished run; run the same evaluation again to complete it"),
        ("half.partial", r"^half\.partial: is an unfinished run; run the same evaluation again"),
    ],
)
def test_what_is_not_a_stored_run_is_refused_with_what_to_give(given, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("empty", "other", "list", "half.partial"):
        (tmp_path / folder).mkdir()
    for file, text in (
        ("other.json", "{}"),
        ("other/results.json", '{"a": 1}'),
        ("list/results.json", "[1]"),
        ("pairs.csv", "a,b\n"),
    ):
        (tmp_path / file).write_text(text)
    (tmp_path / "vectors.bin").write_bytes(b"1 1\n\xd6\xff")
    with pytest.raises(FileError, match=said):
        Run.load(given)


def test_nothing_but_numbers_and_names_is_in_the_results(tmp_path):
    """Terms of a licensed terminology stay out of results.json; scores know pairs by their id."""
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    text = (tmp_path / "x" / "results.json").read_text()
    assert "influenza" not in text
    assert json.loads(text)["datasets"][0]["n"] == 3
    frame = pl.read_parquet(next((tmp_path / "x" / "scores").iterdir()))
    assert frame.columns == ["pair_id", "gold", "score", "covered"]


def test_no_choice_of_a_column_or_condition_puts_a_term_into_the_results():
    frame = pl.concat([PAIRS.frame] * 4).with_columns(
        pl.Series("pair_id", [str(number) for number in range(12)]), pl.col("term_1").alias("note")
    )
    pairs = PairSet(frame, Card(name="tiny", title="Tiny"))
    for options in (
        *({"by": name} for name in ("note", "term_1", "pair_id")),
        {"where": "term_1 = 'flu'"},
        {"where": "note <> 'asthma'"},
    ):
        with pytest.raises(InputError):
            evaluate(["random"], [pairs], **options)
    assert "flu" not in evaluate(["random"], [pairs], types=("note", "note")).to_json()


def test_a_run_knows_whether_some_model_has_several_measures():
    class Encoder:
        def encode(self, texts):
            return [[len(text), text.count("a") + 1.0, text.count("f")] for text in texts]

    models = {"letters": Encoder(), "levenshtein": "levenshtein"}
    assert evaluate(models, [PAIRS]).several_measures
    assert not evaluate(models, [PAIRS], measures=["cos"]).several_measures


def test_a_run_from_before_there_were_subsets_can_be_read(tmp_path):
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    path = tmp_path / "x" / "results.json"
    results = json.loads(path.read_text())
    for name in ("where", "by", "bins", "attributes", "types"):
        del results["settings"][name]
    for name in ("total", "human", "types", "subsets", "cut", "left_out", "columns"):
        del results["datasets"][0][name]
    for figure in results["figures"]:
        del figure["subset"]
    path.write_text(json.dumps(results))
    run = Run.load(tmp_path / "x")
    assert (run.settings.by, run.datasets[0].subsets, run.figures[0].subset) == (None, [], None)
    assert evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x").to_json() == run.to_json()


VERSION_0_1_0 = Path(__file__).parents[1] / "fixtures" / "0.1.0"


def evaluate_as_0_1_0(out):
    """Evaluate what the run that version 0.1.0 stored was made of."""
    return evaluate(
        ["levenshtein", "token-jaccard", VERSION_0_1_0 / "vectors.txt"],
        [VERSION_0_1_0 / "sets" / f"{name}.parquet" for name in ("graded", "labelled")],
        measures=["avg_cos", "fj"],
        by="words",
        out=out,
    )


def test_a_run_of_version_0_1_0_is_read_and_written_as_it_was():
    run = Run.load(VERSION_0_1_0 / "run")
    assert run.settings.confidence == 0.95
    assert {figure.confidence for figure in run.figures} == {0.95}
    assert {figure.undefined for figure in run.figures} == {None}
    assert run.to_json() == (VERSION_0_1_0 / "run" / "results.json").read_text("utf-8")


def test_a_run_of_version_0_1_0_is_left_alone(tmp_path):
    shutil.copytree(VERSION_0_1_0 / "run", tmp_path / "run")
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*.*")}
    with pytest.raises(InputError, match="holds a run with different protocol"):
        evaluate_as_0_1_0(tmp_path / "run")
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*.*")} == before


def test_figures_are_those_of_version_0_1_0_and_say_why_they_are_undefined(tmp_path):
    stored = Run.load(VERSION_0_1_0 / "run")
    with pytest.warns(UndefinedWarning, match="1 of 2 subsets of graded by words .*: all 6 scores are equal"):
        run = evaluate_as_0_1_0(tmp_path / "run")
    for old, new in zip(stored.figures, run.figures, strict=True):
        changed = {"value", "low", "high", "undefined", "no_interval"}
        assert new.model_dump(exclude=changed) == old.model_dump(exclude=changed)
        if new.metric == "accuracy_cv":  # since protocol 2, the mean over 50 deals of folds
            continue
        assert new.value == pytest.approx(old.value, abs=1e-12, nan_ok=True)
        if new.no_interval is None:
            assert new.estimate.interval == pytest.approx(old.estimate.interval, abs=1e-12, nan_ok=True)
    assert [one.undefined for one in run.figures if math.isnan(one.value)] == ["all 6 scores are equal"]


def test_open_edges_are_read_back(tmp_path):
    with pytest.warns(UndefinedWarning):
        run = evaluate(["levenshtein"], [PAIRS], by="gold", bins=[-math.inf, 2, math.inf], out=tmp_path / "x")
    assert Run.load(tmp_path / "x").settings == run.settings
    assert [subset.name for subset in run.datasets[0].subsets] == ["(-inf, 2)", "[2, inf)"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda run: run["figures"].clear(), "the figures of some model on some set are missing"),
        (
            lambda run: run["figures"][0].update(metric="auc"),
            "the figures of some model on some set are missing",
        ),
        (
            lambda run: run["figures"][0].update(model="other"),
            "the figures of some model on some set are missing",
        ),
        (lambda run: run["figures"][0].update(measure="cosine"), "there is no measure 'cosine'"),
        (lambda run: run["models"].clear(), "the coverage of some model on some set is missing"),
        (
            lambda run: run["datasets"][0].update(labelled=True),
            "the figures of some model on some set are missing",
        ),
        (lambda run: run["settings"].update(seed=-3), "settings.seed"),
        (lambda run: run["figures"][0].update(value=1e999), "a figure must be finite"),
    ],
)
def test_a_damaged_results_file_is_named(tmp_path, change, complaint):
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    path = tmp_path / "x" / "results.json"
    results = json.loads(path.read_text())
    change(results)
    path.write_text(json.dumps(results))
    with pytest.raises(FileError, match=rf"results\.json.*{complaint}"):
        Run.load(tmp_path / "x")


def test_a_run_can_be_named_by_its_results_file(tmp_path):
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    assert Run.load(tmp_path / "x" / "results.json").scores("levenshtein", "tiny").height == len(PAIRS)


def test_a_run_is_read_from_its_json_alone(tmp_path):
    """What `evaluate --json` printed could not be loaded unless it was called results.json."""
    run = evaluate(["levenshtein"], [PAIRS])
    (tmp_path / "printed.json").write_text(run.to_json(), "utf-8")
    assert Run.load(tmp_path / "printed.json") == run


@pytest.mark.parametrize("shown", ["standard", "best", "all"])
def test_the_mean_correlation_is_that_of_the_measures_shown_on_graded_sets(shown):
    rng = np.random.default_rng(0)
    vectors = {word: rng.normal(size=4) for word in WORDS}
    sets = [word_pairs("one"), word_pairs("two", seed=1), word_pairs("labels", labelled=True)]
    run = evaluate({"mine": vectors}, sets, measures=shown)
    wanted = {one.measure for one in run.figures} if shown == "best" else {"avg_cos"}
    best = [
        max(
            one.value
            for one in run.figures
            if (one.dataset, one.metric) == (name, "spearman") and one.measure in wanted
        )
        for name in ("one", "two")
    ]
    [(name, mean)] = run.mean_correlations().items()
    assert (name, mean.n) == ("mine", 2)
    assert mean.value == pytest.approx(math.tanh((math.atanh(best[0]) + math.atanh(best[1])) / 2), abs=1e-3)


def test_one_graded_set_has_no_mean_correlation():
    assert evaluate(["random"], [word_pairs(), word_pairs("x", labelled=True)]).mean_correlations() == {}


def test_a_mean_correlation_without_one_of_its_figures_is_undefined():
    gold = np.arange(9.0)
    with pytest.warns(UndefinedWarning):
        run = evaluate({"flat": Laid(gold * 0)}, [pair_set(gold), pair_set(gold, name="other")])
    assert run.mean_correlations()["flat"].undefined == "2 of 2 correlations are undefined"


def _names_an_escape(results: dict[str, Any]) -> None:
    results["datasets"][0]["subsets"][0]["name"] = "\x1b[31m"


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda results: results["figures"].pop(), "the figures of some model on some set are missing"),
        (lambda results: results["figures"].append(results["figures"][0]), "the figures of some model"),
        (lambda results: results["figures"][0].update(metric="\x1b[31m"), "Input should be 'spearman'"),
        (lambda results: results["figures"][-1].update(subset="1"), "the figures of some model"),
        (lambda results: results["figures"][0].update(measure="x" * 9999), "there is no measure 'xxx"),
        (lambda results: results["coverage"].append(results["coverage"][0]), "the coverage of some model"),
        (lambda results: results["coverage"][0].update(n=10**30), "less than or equal to"),
        (lambda results: results["coverage"][0].update(covered=-1), "greater than or equal to 0"),
        (lambda results: results["datasets"][0].update(majority=1e300), "less than or equal to 1"),
        (_names_an_escape, "a name must not have control characters"),
    ],
)
@pytest.mark.filterwarnings("ignore::medgauge.errors.UndefinedWarning")
def test_results_that_lack_what_their_tables_show_are_one_sentence(spoil, problem, tmp_path):
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x", by="words")
    path = tmp_path / "x" / "results.json"
    results = json.loads(path.read_text())
    spoil(results)
    path.write_text(json.dumps(results))
    with pytest.raises(FileError, match=problem) as caught:
        Run.load(tmp_path / "x")
    assert str(caught.value).startswith(str(path))
    assert len(str(caught.value)) <= 600


@pytest.mark.parametrize(
    "content", ["[" * 10**6, '{"a":' * 10**5, '{"protocol": ' + "9" * 10**5 + "}", '{"protocol": 1e999}']
)
def test_hostile_json_is_one_sentence(content, tmp_path):
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    (tmp_path / "x" / "results.json").write_text(content)
    with pytest.raises(FileError, match=r"results\.json.*is not a medgauge run") as caught:
        Run.load(tmp_path / "x")
    assert len(str(caught.value)) <= 600


def test_results_of_gigabytes_are_refused_before_they_are_read(tmp_path):
    evaluate(["levenshtein"], [PAIRS], out=tmp_path / "x")
    with (tmp_path / "x" / "results.json").open("r+b") as stream:
        stream.truncate(3 << 30)  # a hole, which takes no place on the disk
    with pytest.raises(
        FileError, match=r"is not a medgauge run: it has 3,221,225,472 bytes, and a result at"
    ):
        Run.load(tmp_path / "x")
