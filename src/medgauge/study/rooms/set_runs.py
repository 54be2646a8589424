"""The runs of a study: all models on all sets, and on subsets of a set by an attribute of its words."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from medgauge.evaluation.evaluate import evaluate
from medgauge.files.spreadsheets import csv_text
from medgauge.files.writing import write_text
from medgauge.pairs import PairSet
from medgauge.progress import remark
from medgauge.strata.attributes import read_attribute
from medgauge.study.study_file import CountedPart
from medgauge.study.study_result import SplitBy
from medgauge.study.word_attributes import word_attributes

MEASURE = "avg_cos"
"""The cosine of Chiu et al. (2018), of the mean vectors where a term has several words."""


def evaluate_sets(
    sources: Mapping[str, str], sets: Mapping[str, PairSet], out: Path, *, confidence: float
) -> None:
    """Evaluate models on sets; scores that an earlier run in the folder has are reused."""
    evaluate(
        dict(sources), list(sets.values()), measures=MEASURE, confidence=confidence, out=out, replace=True
    )


def evaluate_subsets(
    sources: Mapping[str, str],
    pairs: PairSet,
    by: SplitBy,
    part: CountedPart,
    words: pl.DataFrame,
    out: Path,
    *,
    confidence: float,
) -> None:
    """Evaluate models on the subsets of a set by an attribute of its words; nothing if no word has one.

    The attributes of the set's words are in a temporary file only, as a set may not be passed on.
    """
    found = word_attributes(words, pairs.terms, part)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "attributes.csv"
        write_text(path, csv_text(found.columns, found.rows()))
        if not found.height or not np.isfinite(read_attribute(path, by).of(pairs.terms)).any():
            remark(f"{pairs.card.name} has no subsets by {by}: no word of it has any in the word table")
            return
        evaluate(
            dict(sources),
            [pairs],
            measures=MEASURE,
            by=by,
            attributes=path,
            confidence=confidence,
            out=out,
            replace=True,
        )
