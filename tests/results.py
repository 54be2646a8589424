"""An example of every kind of result, made as a user makes it."""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import medgauge
from medgauge.pairs import Card, PairSet
from tests.build.small import small_release

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
