"""Classifying pairs by a threshold on their scores, and how often that is right."""

import math
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from medgauge.arrays import Doubles
from medgauge.errors import UndefinedWarning


@dataclass(frozen=True)
class Threshold:
    """A threshold (a pair is positive from there on) and the accuracy it gives."""

    value: float
    accuracy: float


def best_threshold(labels: Doubles, scores: Doubles) -> Threshold:
    """Find the threshold of highest accuracy on these very pairs (an optimistic figure).

    A pair is classified positive when score ≥ threshold. Candidates are the midpoints between neighbouring
    different scores and ±∞; of several that are best, the middle one (the lower of two middles). Undefined,
    NaN with an UndefinedWarning, without pairs.

    Reference: Schulz and Juric (2020), section 5.2.

    >>> best_threshold(np.array([0.0, 0, 1, 1]), np.array([1.0, 4.0, 3.0, 8.0]))
    Threshold(value=2.0, accuracy=0.75)
    """
    if not len(scores):
        warnings.warn("accuracy is undefined without pairs", UndefinedWarning, stacklevel=2)
        return Threshold(math.nan, math.nan)
    values, ends = np.unique(scores, return_inverse=True)
    positives = np.bincount(ends, weights=labels, minlength=len(values))
    totals = np.bincount(ends, minlength=len(values))
    # Correct with the threshold below value k: negatives under it and positives from it on.
    negatives_under = np.concatenate([[0.0], np.cumsum(totals - positives)])
    positives_from = positives.sum() - np.concatenate([[0.0], np.cumsum(positives)])
    correct = np.rint(negatives_under + positives_from)
    middles = values[:-1] / 2 + values[1:] / 2
    # Between two neighbouring floats there is no middle, and the upper one parts them.
    middles = np.where(middles > values[:-1], middles, values[1:])
    candidates = np.concatenate([[-np.inf], middles, [np.inf]])
    best = np.flatnonzero(correct == correct.max())
    middle = best[(len(best) - 1) // 2]
    return Threshold(float(candidates[middle]), float(correct[middle] / len(scores)))


def cross_validated(
    labels: Doubles, scores: Doubles, *, folds: int = 10, rng: np.random.Generator
) -> NDArray[np.bool_] | None:
    """Say for each pair whether it is classified right by a threshold that was chosen on other pairs.

    The pairs are dealt into stratified folds at random; each fold is classified at the `best_threshold` of
    the others. Undefined, None with an UndefinedWarning, with fewer than two pairs of either label; with
    fewer than `folds` of the rarer label, there are as many folds as pairs of it.

    >>> labels = np.repeat([0.0, 1.0], 20)
    >>> cross_validated(labels, labels + 0.1, rng=np.random.default_rng(0)).mean()
    np.float64(1.0)
    """
    rarer = int(min((labels == 0).sum(), (labels == 1).sum()))
    if rarer < 2:
        warnings.warn(
            "cross-validated accuracy is undefined: fewer than two pairs of one label",
            UndefinedWarning,
            stacklevel=2,
        )
        return None
    fold = np.empty(len(labels), np.int64)
    for label in (0, 1):
        members = rng.permutation(np.flatnonzero(labels == label))
        fold[members] = np.arange(len(members)) % min(folds, rarer)
    right = np.empty(len(labels), np.bool_)
    for number in range(min(folds, rarer)):
        held = fold == number
        threshold = best_threshold(labels[~held], scores[~held]).value
        right[held] = (scores[held] >= threshold) == (labels[held] == 1)
    return right


def proportion_interval(share: float, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Confidence interval of a share of n pairs, by Wilson's score.

    Undefined, (NaN, NaN), for n = 0 and a share that is NaN.

    Reference: Wilson (1927), Journal of the American Statistical Association 22:209-212.

    >>> tuple(round(end, 4) for end in proportion_interval(0.9, 100))
    (0.8256, 0.9448)
    """
    if n == 0 or math.isnan(share):
        return math.nan, math.nan
    interval = stats.binomtest(round(share * n), n).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)
