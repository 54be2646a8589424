"""correlate: whether figures of one kind predict figures of another, over the same models."""

import math
import warnings
from collections import Counter
from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from medgauge.arrays import Doubles
from medgauge.comparison.modeltable import ModelTable, TableSource, model_table
from medgauge.comparison.scope import check_alpha
from medgauge.errors import InputError, UndefinedWarning
from medgauge.estimate import CONFIDENCE, Estimate, check_confidence
from medgauge.result import StoredResult
from medgauge.stats.systems.correlation import pearson
from medgauge.stored import Count, Number, StoredConfidence, StoredName, StoredReason

_FEWEST = 3  # models; any two points lie on a line


class Correlation(BaseModel):
    """Pearson's r of an intrinsic and an extrinsic column over `n` models, with interval and p-value.

    p is two-tailed, by Student's t, and not corrected for the number of tests. NaN (null in JSON) is
    undefined, and `undefined` then says why.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    intrinsic: StoredName
    extrinsic: StoredName
    r: Number
    low: Number
    high: Number
    p: Number
    n: Count
    confidence: StoredConfidence = CONFIDENCE
    undefined: StoredReason = None

    @property
    def estimate(self) -> Estimate:
        """Pearson's r as an estimate, over the models."""
        return Estimate(self.r, self.low, self.high, self.confidence, self.n, self.undefined)


class ComparedTable(BaseModel):
    """A table that was compared: its columns, and the models that the other table does not have.

    For a run, `measures` are those of its figures; `chosen` says that each model has the best of several,
    chosen on the test data.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    columns: list[str]
    left_out: list[str]
    measures: list[str]
    chosen: bool


class Significant(NamedTuple):
    """The correlations with p < α, and those with p < α / tests (Bonferroni)."""

    uncorrected: list[Correlation]
    corrected: list[Correlation]


class Correlations(StoredResult):
    """Every intrinsic column against every extrinsic one, over the models that both tables have."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    _kind: ClassVar[str] = "correlation"

    intrinsic: ComparedTable
    extrinsic: ComparedTable
    models: list[str]
    correlations: list[Correlation]

    def _flaw(self) -> str | None:
        wanted = list(product(self.intrinsic.columns, self.extrinsic.columns))
        found = [(one.intrinsic, one.extrinsic) for one in self.correlations]
        return None if found == wanted else "the correlation of some columns is missing; correlate again"

    @property
    def tests(self) -> int:
        """The number of defined correlations."""
        return sum(not math.isnan(one.p) for one in self.correlations)

    def significant(self, alpha: float = 0.05) -> Significant:
        """Return the correlations with p < α, without and with Bonferroni's correction."""
        check_alpha(alpha)
        below = [one for one in self.correlations if one.p < alpha]
        return Significant(below, [one for one in below if one.p < alpha / self.tests])


def correlate(
    intrinsic: TableSource, extrinsic: TableSource, *, confidence: float = CONFIDENCE
) -> Correlations:
    """Correlate figures of similarity benchmarks with figures of downstream tasks, over the same models.

    Each is a CSV, TSV or Parquet file or any frame, with the model's name in the first column and
    numbers in the others; or a run, or the folder of a stored one, whose columns are its sets (Spearman's ρ,
    or the AUC of a labelled set, of each model's best measure); or a result of `entity_recognition`, or its
    folder, whose columns are its corpora (the mean F). Models are joined by name; those that only
    one side has are left out. Where a figure is missing, the model is left out for that column, and `n` says
    how many remain. `confidence` is that of the intervals.

    Undefined, NaN with an UndefinedWarning, where fewer than three models remain or all figures of a column
    are equal.

    >>> import polars as pl
    >>> models = ["win 1", "win 5", "win 30"]
    >>> similarity = pl.DataFrame({"model": models, "Bio-SimLex": [0.7294, 0.7151, 0.7043]})
    >>> ner = pl.DataFrame({"model": models, "AnatEM": [82.16, 81.32, 81.03]})
    >>> [found] = correlate(similarity, ner).correlations
    >>> round(found.r, 2), round(found.p, 2), found.n
    (0.98, 0.12, 3)
    """
    check_confidence(confidence)
    left, right = model_table(intrinsic, "intrinsic"), model_table(extrinsic, "extrinsic")
    common = [name for name in left.models if name in set(right.models)]
    _check_common(left, right, common)
    x, y = (_rows_of(table, common) for table in (left, right))
    found = [
        _correlation(one, other, x[:, i], y[:, j], confidence)
        for i, one in enumerate(left.columns)
        for j, other in enumerate(right.columns)
    ]
    for reason, count in Counter(one.undefined for one in found if one.undefined is not None).items():
        message = f"Pearson's r is undefined for {count} of {len(found)} pairs of columns: {reason}"
        warnings.warn(message, UndefinedWarning, stacklevel=2)
    return Correlations(
        intrinsic=_compared(left, common),
        extrinsic=_compared(right, common),
        models=common,
        correlations=found,
    )


def _check_common(left: ModelTable, right: ModelTable, common: list[str]) -> None:
    if len(common) >= _FEWEST:
        return
    count = {0: "no model", 1: "one model"}.get(len(common), f"{len(common)} models")
    raise InputError(
        f"{left.source} and {right.source} have {count} in common, but at least {_FEWEST} are needed; "
        "names in the first column must be spelled alike"
    )


def _rows_of(table: ModelTable, models: list[str]) -> Doubles:
    rows = {name: number for number, name in enumerate(table.models)}
    return table.values[[rows[name] for name in models]]


def _correlation(intrinsic: str, extrinsic: str, x: Doubles, y: Doubles, confidence: float) -> Correlation:
    both = ~(np.isnan(x) | np.isnan(y))
    names = (f"figures of {intrinsic}", f"figures of {extrinsic}")
    found = pearson(x[both], y[both], confidence=confidence, names=names)
    return Correlation(
        intrinsic=intrinsic,
        extrinsic=extrinsic,
        r=found.r.value,
        low=found.r.low,
        high=found.r.high,
        p=found.p,
        n=found.r.n,
        confidence=confidence,
        undefined=found.r.undefined,
    )


def _compared(table: ModelTable, common: list[str]) -> ComparedTable:
    kept = set(common)
    return ComparedTable(
        source=table.source,
        columns=table.columns,
        left_out=[name for name in table.models if name not in kept],
        measures=list(table.measures),
        chosen=table.chosen,
    )
