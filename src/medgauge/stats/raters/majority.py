"""Verdicts, same or not the same: the majority on each pair, and how accurate labels are against it."""

import math
from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles, Flags
from medgauge.estimate import CONFIDENCE
from medgauge.stats.systems.classification import proportion_interval


@dataclass(frozen=True)
class LabelQuality:
    """How accurate labels are; NaN is undefined.

    `intervals` has the interval of each figure that is defined, by its name.
    """

    accuracy: float
    recall: float
    precision: float
    intervals: dict[str, tuple[float, float]]


def majority(values: Doubles, unsure: Flags) -> Doubles:
    """Return the majority verdict on each pair: 1 (same), 0 (not the same), or NaN where there is no truth.

    `values` is pairs × annotators: 1, 0, or NaN without a verdict; `unsure` flags "don't know" answers. These
    count as answers too: a verdict has the majority if more than half of all answers to the pair are that
    verdict. There is no truth without answers, without a majority, or where the majority does not know.

    Reference: Schulz and Juric (2020), Can Embeddings Adequately Represent Medical Terminology?, section 3.3.

    >>> nan = math.nan
    >>> values = np.array([[1.0, 1.0, nan], [1.0, 0.0, nan], [0.0, nan, nan]])
    >>> unsure = np.array([[False, False, True], [False, False, True], [False, False, False]])
    >>> majority(values, unsure)
    array([ 1., nan,  0.])
    """
    answers = np.count_nonzero(~np.isnan(values) | unsure, axis=1)
    truth = np.full(len(values), np.nan)
    for verdict in (0.0, 1.0):
        truth[2 * np.count_nonzero(values == verdict, axis=1) > answers] = verdict
    return truth


def label_quality(labels: Doubles, truth: Doubles, *, confidence: float = CONFIDENCE) -> LabelQuality:
    """Compare a set's labels with the truth, over the pairs that have both (NaN: missing).

        accuracy  = pairs whose label is the truth / pairs
        recall    = pairs labelled 1 whose truth is 1 / pairs whose truth is 1
        precision = pairs labelled 1 whose truth is 1 / pairs labelled 1

    with Wilson's intervals. A share of no pairs is undefined: NaN, without a warning, since sets without
    labels are common.

    Reference: Schulz and Juric (2020), section 3.3 and table 3.

    >>> found = label_quality(np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0, math.nan]))
    >>> round(found.accuracy, 3), found.recall, found.precision
    (0.667, 1.0, 0.5)
    """
    both = ~np.isnan(labels) & ~np.isnan(truth)
    labelled, same = labels[both] == 1, truth[both] == 1
    right = {"accuracy": labelled == same, "recall": labelled[same], "precision": same[labelled]}
    shares = {name: float(flags.mean()) if flags.size else math.nan for name, flags in right.items()}
    intervals = {
        name: proportion_interval(shares[name], flags.size, confidence=confidence)
        for name, flags in right.items()
        if flags.size
    }
    return LabelQuality(**shares, intervals=intervals)
