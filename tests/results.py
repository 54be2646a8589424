"""An example of every kind of result, made as a user makes it."""

import json
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import medgauge
from medgauge.errors import MedgaugeWarning
from medgauge.pairs import Card, PairSet
from medgauge.study.run_study import scheduled
from tests.build.small import small_release
from tests.ner.tiny_corpora import QUICK, telling_vectors, write_corpus
from tests.study.small import plan_of, small_study, write_inputs
from tests.study.small import run as run_small_study
from tests.support.dated_terms import Knows, write_ontology
from tests.support.recorded_patients import some_events, write_omop
from tests.support.umls_releases import every_case
from tests.support.word_tables import options_of, write_small

TERMS = ["zebrafish", "wombat pox", "quoll fever", "numbat rash", "bilby cough", "dugong gout"]
"""Terms that no print of a result may contain."""


def pairs(name: str, *, labelled: bool = False) -> PairSet:
    rng = np.random.default_rng(len(name))
    rows = [
        (first, f"{second} {number}", float(rng.integers(2 if labelled else 10)))
        for number in range(12)
        for first, second in zip(TERMS, TERMS[number % 5 :] + TERMS[: number % 5], strict=True)
    ]
    return PairSet.of(rows, card=Card(name=name, title=name), labelled=labelled)


_LABELLED = pairs("labelled <set> & more", labelled=True)


@cache
def example(name: str) -> Any:
    """Make an example; its kind is the first word of its name."""
    return _MAKERS[name]()


def _run(**options: object) -> medgauge.Run:
    sets = [pairs("graded"), _LABELLED]
    return medgauge.evaluate(["levenshtein", "token-jaccard", "random"], sets, **options)


def _measures() -> medgauge.MeasureChoice:
    rng = np.random.default_rng(2)
    words = {word for term in TERMS for word in term.split()} | {str(number) for number in range(12)}
    vectors = {word: rng.normal(size=8) for word in sorted(words)}
    sets = [pairs("graded"), pairs("more graded"), pairs("labelled <set> & more", labelled=True)]
    return medgauge.evaluate(
        {"mine": vectors, "yours_$": dict(vectors), "random": "random"}, sets
    ).best_measures()


def _ratings() -> pl.DataFrame:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 7, 60)
    rated = {
        f"rater_{name}": np.clip(truth + rng.integers(-noise, noise + 1, 60), 0, 6)
        for name, noise in (("Ann", 1), ("<b>Bea</b>", 2), ("Cy $x_{", 1), ("Di", 3))
    }
    terms = {"term_1": TERMS * 10, "term_2": [f"{term} {number}" for number in range(10) for term in TERMS]}
    return pl.DataFrame(terms | rated)


def _correlations() -> medgauge.Correlations:
    models = [f"model {number}" for number in range(8)]
    rng = np.random.default_rng(1)
    intrinsic = {name: rng.random(8) for name in ("bio-simlex", "a_b <&>")}
    extrinsic = {"NER": intrinsic["bio-simlex"] + 0.05 * rng.random(8), "linking": rng.random(8)}
    return medgauge.correlate(
        pl.DataFrame({"model": models} | intrinsic), pl.DataFrame({"model": models} | extrinsic)
    )


def _categories() -> medgauge.CategorySeparation:
    close = [f"{term} of the heart" for term in TERMS], [f"{term} of the vein" for term in TERMS]
    return medgauge.category_separation(
        ["levenshtein", "token-jaccard"], close=close, distant=[f"no {term}" for term in TERMS]
    )


def _manifest() -> medgauge.Manifest:
    with tempfile.TemporaryDirectory() as folder:
        source = small_release().zip(Path(folder) / "release.zip")
        return medgauge.build_terminology(source, Path(folder) / "sets")


def _probe() -> medgauge.Probe:
    with tempfile.TemporaryDirectory() as folder:
        source = write_ontology(Path(folder) / "dated.obo", 60)
        return medgauge.probe(Knows(range(0, 40, 2)), source, since="2020-01-31", candidates=50, resamples=99)


def _data_sheet(*, dry_run: bool = False) -> medgauge.DataSheet:
    with tempfile.TemporaryDirectory() as folder:
        source = write_omop(Path(folder) / "omop", some_events())
        out = None if dry_run else Path(folder) / "pairs"
        return medgauge.build_records(source, out, sample="random", pairs=20)


def _word_sheet(*, dry_run: bool = False) -> medgauge.WordSheet:
    with tempfile.TemporaryDirectory() as folder:
        words = write_small(Path(folder))
        options = options_of(Path(folder))
        if dry_run:
            return medgauge.build_words(words, **options)
        return medgauge.build_words(words, Path(folder) / "pairs", unjudged=True, **options)


def _coverage() -> medgauge.BenchmarkCoverage:
    rng = np.random.default_rng(6)
    kinds = ["Sign or Symptom", "Disease <&>", "Drug $x_{", "Gene"]
    described = []
    for name in ("graded", "more <graded> & $"):
        whole = pairs(name)
        columns = [pl.Series(f"type_{side}", rng.choice(kinds, len(whole))) for side in (1, 2)]
        columns += [pl.Series(f"specificity_{side}", rng.integers(2, 8, len(whole))) for side in (1, 2)]
        columns += [pl.Series(f"cui_{side}", [f"C{side}"] * len(whole)) for side in (1, 2)]
        described.append(PairSet(whole.frame.with_columns(columns), whole.card))
    return medgauge.coverage([*described, _LABELLED], permutations=49)


def _concept_map() -> medgauge.ConceptMap:
    with tempfile.TemporaryDirectory() as folder:
        release = every_case().zip(Path(folder) / "umls <2024AA>.zip")
        ids = [f"100{number}00{digit}" for number, digit in enumerate("46178904", 1)]
        return medgauge.map_concepts([*ids, "9999999"], umls=release)


def _study() -> medgauge.StudyResult:
    with tempfile.TemporaryDirectory() as place:
        folder = write_inputs(Path(place))
        study = small_study(folder, windows=[1, 2, 5, 8], general_vectors=[str(folder / "news.bin")])
        with warnings.catch_warnings(action="ignore", category=MedgaugeWarning):  # the models are too few
            return run_small_study(study, folder / "out")


def _schedule() -> medgauge.StudySchedule:
    with tempfile.TemporaryDirectory() as place:
        return scheduled(plan_of(small_study(write_inputs(Path(place)))), None)


def _recognition() -> medgauge.EntityRecognition:
    with tempfile.TemporaryDirectory() as folder:
        corpora = {
            "one <corpus> & $x_{": write_corpus(Path(folder) / "one"),
            "two": write_corpus(Path(folder) / "two", kinds=("gene",), devel=False),
        }
        return medgauge.entity_recognition(
            {"mine_$": telling_vectors(), "<b>yours</b>": telling_vectors(seed=1)},
            corpora,
            random=True,
            device="cpu",
            **QUICK,
        )


_MAKERS = {
    "Run": _run,
    "Run of subsets": lambda: _run(by="words"),
    "MeasureChoice": _measures,
    "Comparison": lambda: medgauge.compare(example("Run"), resamples=999),
    "Agreement": lambda: medgauge.agreement(_ratings(), scale=(0, 6), resamples=99),
    "Gold": lambda: medgauge.gold(
        _ratings(), scale=(0, 6), to_scale=(0, 10), max_disagreement=2, resamples=99
    ),
    "WorstPairs": lambda: medgauge.worst_pairs(
        example("Run"), model="levenshtein", datasets=[pairs("graded"), _LABELLED]
    ),
    "WorstPairs of two models": lambda: medgauge.worst_pairs(
        example("Run"), model="levenshtein", against="random", datasets=[pairs("graded"), _LABELLED]
    ),
    "Correlations": _correlations,
    "CategorySeparation": _categories,
    "Manifest": _manifest,
    "DataSheet": _data_sheet,
    "DataSheet of a dry run": lambda: _data_sheet(dry_run=True),
    "WordSheet": _word_sheet,
    "WordSheet of a dry run": lambda: _word_sheet(dry_run=True),
    "Probe": _probe,
    "BenchmarkCoverage": _coverage,
    "ConceptMap": _concept_map,
    "StudyResult": _study,
    "StudySchedule": _schedule,
    "EntityRecognition": _recognition,
}
NAMES = list(_MAKERS)


def damaged(result: Any, path: Path, place: str, value: object) -> Path:
    """Write a result with another value at one place, such as "contests.0.metric", and return the file."""
    stored = json.loads(result.to_json())
    *outer, last = [int(part) if part.isdigit() else part for part in place.split(".")]
    inner = stored
    for part in outer:
        inner = inner[part]
    inner[last] = value
    path.write_text(json.dumps(stored), "utf-8")
    return path
