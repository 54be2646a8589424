"""Kinds of stored results: runs with their scores, what is computed from them, and what a kill left."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

import medgauge
from medgauge.result import StoredResult
from tests.fuzz.examples_tables import PAIRS, frame, ratings_frame
from tests.fuzz.kind import Kind
from tests.fuzz.mutations import NESTED, RAW
from tests.fuzz.structures import JSON, PARQUET
from tests.results import example

_MODELS = ["levenshtein", "token-jaccard"]
_JSON = (*NESTED, JSON, JSON, JSON, JSON)
_SCORES = tuple(f"run/scores/example--{name}.parquet" for name in _MODELS)


def _evaluate(out: Path, **options: object) -> medgauge.Run:
    pairs = medgauge.as_pairs(frame(), name="example")
    return medgauge.evaluate(_MODELS, [pairs], out=out, **options)


def _run(folder: Path) -> None:
    _evaluate(folder / "run", by="words")


def _partial(folder: Path) -> None:
    _evaluate(folder / "run")
    shutil.move(folder / "run", folder / "run.partial")
    (folder / "run.partial" / "results.json").unlink()


def _resumed(folder: Path) -> object:
    run = _evaluate(folder / "run")
    scores = [run.scores(name, "example").rows() for name in _MODELS]
    return run.to_json(), repr(scores)


def _loaded(folder: Path) -> object:
    run = medgauge.Run.load(folder / "run")
    return run.to_json(), run.to_markdown(), run.to_latex(), run.to_csv(), repr(run)


def _compared(folder: Path) -> object:
    return medgauge.compare(folder / "run", resamples=20).to_json()


def _clustered(folder: Path) -> object:
    return medgauge.compare(folder / "run", resamples=20, clustered_by="stratum").to_json()


def _shown(cls: type[StoredResult], name: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        found = cls.load(folder / name)
        return found.to_json(), found.to_markdown(), found.to_latex(), found.to_csv(), repr(found)

    return read


def _stored(name: str, make: Callable[[], StoredResult]) -> Callable[[Path], None]:
    return lambda folder: _write(folder / name, make().to_json())


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


def _comparison() -> StoredResult:
    pairs = medgauge.as_pairs(frame(), name="example")
    return medgauge.compare(medgauge.evaluate(_MODELS, [pairs]), resamples=99)


def _by_measure() -> StoredResult:
    return medgauge.compare(_measured(), by="measure", resamples=99)


def _measured() -> medgauge.Run:
    rng = np.random.default_rng(0)
    words = sorted({word for pair in PAIRS for term in pair[:2] for word in term.split()})
    vectors = {word: rng.normal(size=5) for word in words}
    sets = [medgauge.as_pairs(frame(), name=name) for name in ("example", "again")]
    return medgauge.evaluate(
        {"one": vectors, "two": {word: -vector for word, vector in vectors.items()}, "random": "random"},
        sets,
        measures=["avg_cos", "fj"],
    )


def _worst_pairs(against: str | None) -> StoredResult:
    pairs = medgauge.as_pairs(frame(), name="example")
    run = medgauge.evaluate(_MODELS, [pairs])
    return medgauge.worst_pairs(run, model=_MODELS[0], against=against, datasets=pairs)


def _categories() -> StoredResult:
    first, second = ([pair[side] for pair in PAIRS] for side in (0, 1))
    return medgauge.category_separation(
        "levenshtein", close=(first[:3], second[5:8]), distant=["worm", "fluke"]
    )


def _correlations() -> StoredResult:
    models = list("abcdef")
    one = [0.1, 0.5, 0.3, 0.7, 0.9, 0.4]
    return medgauge.correlate({"model": models, "sim": one}, {"model": models, "ner": one[::-1]})


def _coverage() -> StoredResult:
    whole = frame().with_columns(
        [pl.lit("C1").alias("cui_1"), pl.lit("C2").alias("cui_2")]
        + [
            pl.Series(f"type_{side}", ["Sign", "Disease"] * (len(PAIRS) // 2 + 1)).head(len(PAIRS))
            for side in (1, 2)
        ]
        + [pl.Series(f"specificity_{side}", [side + 1] * len(PAIRS)) for side in (1, 2)]
    )
    return medgauge.coverage(
        [medgauge.as_pairs(whole, name=name) for name in ("example", "again")], permutations=19
    )


KINDS = (
    Kind("results", _run, ("run/results.json",), _loaded, _JSON),
    Kind("run-compared", _run, ("run/results.json",), _compared, _JSON),
    Kind("run-scores", _run, _SCORES, _compared, (*RAW, PARQUET), sealed=True),
    Kind("run-groups", _run, ("run/groups/example.parquet",), _clustered, (*RAW, PARQUET), sealed=True),
    Kind(
        "run-partial",
        _partial,
        tuple(name.replace("run/", "run.partial/") for name in _SCORES),
        _resumed,
        (*RAW, PARQUET),
        sealed=True,
    ),
    Kind(
        "comparison",
        _stored("comparison.json", _comparison),
        ("comparison.json",),
        _shown(medgauge.Comparison, "comparison.json"),
        _JSON,
    ),
    Kind(
        "comparison-of-measures",
        _stored("comparison.json", _by_measure),
        ("comparison.json",),
        _shown(medgauge.Comparison, "comparison.json"),
        _JSON,
    ),
    Kind(
        "best-measures",
        _stored("measures.json", lambda: _measured().best_measures()),
        ("measures.json",),
        _shown(medgauge.MeasureChoice, "measures.json"),
        _JSON,
    ),
    Kind(
        "worst-pairs",
        _stored("pairs.json", lambda: _worst_pairs(None)),
        ("pairs.json",),
        _shown(medgauge.WorstPairs, "pairs.json"),
        _JSON,
    ),
    Kind(
        "worst-pairs-of-two",
        _stored("pairs.json", lambda: _worst_pairs(_MODELS[1])),
        ("pairs.json",),
        _shown(medgauge.WorstPairs, "pairs.json"),
        _JSON,
    ),
    Kind(
        "agreement",
        _stored("agreement.json", lambda: medgauge.agreement(ratings_frame(), resamples=10)),
        ("agreement.json",),
        _shown(medgauge.Agreement, "agreement.json"),
        _JSON,
    ),
    Kind(
        "coverage",
        _stored("coverage.json", _coverage),
        ("coverage.json",),
        _shown(medgauge.BenchmarkCoverage, "coverage.json"),
        _JSON,
    ),
    Kind(
        "correlations",
        _stored("correlations.json", _correlations),
        ("correlations.json",),
        _shown(medgauge.Correlations, "correlations.json"),
        _JSON,
    ),
    Kind(
        "recognition",
        _stored("ner.json", lambda: example("EntityRecognition")),
        ("ner.json",),
        _shown(medgauge.EntityRecognition, "ner.json"),
        _JSON,
        optional=True,
    ),
    Kind(
        "categories",
        _stored("categories.json", _categories),
        ("categories.json",),
        _shown(medgauge.CategorySeparation, "categories.json"),
        _JSON,
    ),
    Kind(
        "study-result",
        _stored("study.json", lambda: example("StudyResult")),
        ("study.json",),
        _shown(medgauge.StudyResult, "study.json"),
        _JSON,
    ),
    Kind(
        "study-schedule",
        _stored("schedule.json", lambda: example("StudySchedule")),
        ("schedule.json",),
        _shown(medgauge.StudySchedule, "schedule.json"),
        _JSON,
    ),
)
