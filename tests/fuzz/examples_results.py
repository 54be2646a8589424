"""Kinds of stored results: runs with their scores, comparisons, agreements, and what a kill left of a run."""

import shutil
from collections.abc import Callable
from pathlib import Path

import medgauge
from medgauge.result import StoredResult
from tests.fuzz.examples_tables import PAIRS, frame, ratings_frame
from tests.fuzz.kind import Kind
from tests.fuzz.mutations import NESTED, RAW
from tests.fuzz.structures import JSON, PARQUET

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


def _categories() -> StoredResult:
    first, second = ([pair[side] for pair in PAIRS] for side in (0, 1))
    return medgauge.category_separation(
        "levenshtein", close=(first[:3], second[5:8]), distant=["worm", "fluke"]
    )


def _correlations() -> StoredResult:
    models = list("abcdef")
    one = [0.1, 0.5, 0.3, 0.7, 0.9, 0.4]
    return medgauge.correlate({"model": models, "sim": one}, {"model": models, "ner": one[::-1]})


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
        "agreement",
        _stored("agreement.json", lambda: medgauge.agreement(ratings_frame(), resamples=10)),
        ("agreement.json",),
        _shown(medgauge.Agreement, "agreement.json"),
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
        "categories",
        _stored("categories.json", _categories),
        ("categories.json",),
        _shown(medgauge.CategorySeparation, "categories.json"),
        _JSON,
    ),
)
