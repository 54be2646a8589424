"""Figures of runs that an earlier protocol computed in another way."""

import math
from collections.abc import Sequence

import numpy as np

from medgauge.arrays import Doubles
from medgauge.evaluation.figures import METRICS, Figure, figures
from medgauge.evaluation.run import Run
from medgauge.progress import remark

_CHANGED = ("accuracy_cv",)
"""Metrics that differ between protocols: protocol 1 had one deal of folds. Intervals differ too."""


def recomputed(run: Run, stored: Sequence[Figure], gold: Doubles, scores: Doubles) -> tuple[Figure, ...]:
    """Compute figures of one metric again, from each system's scores (rows); say so if they differ."""
    found = [
        again
        for figure, row in zip(stored, scores, strict=True)
        for again in figures(
            model=figure.model,
            dataset=figure.dataset,
            measure=figure.measure,
            gold=gold,
            scores=row,
            labelled=figure.metric != "spearman",
            n=figure.n,
            seed=run.settings.seed,
            confidence=run.settings.confidence,
        )
        if again.metric == figure.metric
    ]
    if not all(map(_same, stored, found)):
        first = stored[0]
        what = "figures" if first.metric in _CHANGED else "intervals"
        remark(
            f"{run.place} was stored by an earlier version: {what} of {METRICS[first.metric]} on "
            f"{first.dataset} are computed as today, and differ from those that it shows"
        )
    return tuple(found)


def reproduces(stored: Sequence[Figure], found: Doubles, *, current: bool) -> bool:
    """Return whether the values of stored figures are found again, where today's protocol allows it."""
    if not current and stored[0].metric in _CHANGED:
        return True
    return bool(np.allclose([figure.value for figure in stored], found, rtol=0, atol=1e-9))


def _same(one: Figure, other: Figure) -> bool:
    return all(
        math.isclose(x, y, abs_tol=1e-9) or (math.isnan(x) and math.isnan(y))
        for x, y in ((one.value, other.value), (one.low, other.low), (one.high, other.high))
    )
