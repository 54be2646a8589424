"""How well scores part pairs of label 1 from pairs of label 0."""

import math
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from medgauge.errors import UndefinedWarning

Floats = NDArray[np.float64]


def auc(labels: Floats, scores: Floats) -> float:
    """Area under the ROC curve: how often a positive pair scores above a negative one, ties half.

        AUC = (Σ_{positives} R(sᵢ) − m(m + 1)/2) / (m n)

    with average ranks R, m positives and n negatives. Undefined, NaN with an UndefinedWarning, when either
    is missing.

    Reference: Hanley and McNeil (1982). The meaning and use of the area under a receiver operating
    characteristic (ROC) curve. Radiology 143:29-36.

    >>> auc(np.array([0.0, 0, 1, 1]), np.array([0.1, 0.4, 0.35, 0.8]))
    0.75
    """
    positive = labels == 1
    m, n = int(positive.sum()), int((~positive).sum())
    if not (m and n):
        message = "the AUC is undefined: there are no pairs of both labels"
        warnings.warn(message, UndefinedWarning, stacklevel=2)
        return math.nan
    ranks = stats.rankdata(scores)
    return float((ranks[positive].sum() - m * (m + 1) / 2) / (m * n))


def auc_interval(labels: Floats, scores: Floats, *, confidence: float = 0.95) -> tuple[float, float]:
    """Confidence interval of the AUC by DeLong's variance, cut at 0 and 1.

        AUC ± z √(S₁₀/m + S₀₁/n)

    where S₁₀ and S₀₁ are the sample variances of V₁₀(i), the share of negatives that positive i outscores,
    and V₀₁(j), the share of positives that outscore negative j. In O(N log N) by ranks. Undefined, (NaN,
    NaN), with fewer than two positives or negatives, and where the variance is 0 (scores that are all equal,
    or part the labels perfectly), since it would claim certainty. Pairs are taken as independent.

    References: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845; Sun and Xu (2014), IEEE
    Signal Processing Letters 21:1389-1393.

    >>> ends = auc_interval(np.array([0.0, 0, 0, 1, 1, 1]), np.array([1.0, 2, 4, 3, 5, 6]))
    >>> tuple(round(end, 4) for end in ends)
    (0.5809, 1.0)
    """
    positive = labels == 1
    m, n = int(positive.sum()), int((~positive).sum())
    if m < 2 or n < 2:
        return math.nan, math.nan
    ranks = stats.rankdata(scores)
    v10 = (ranks[positive] - stats.rankdata(scores[positive])) / n
    v01 = 1 - (ranks[~positive] - stats.rankdata(scores[~positive])) / m
    variance = float(v10.var(ddof=1) / m + v01.var(ddof=1) / n)
    if variance == 0.0:
        return math.nan, math.nan
    half = float(stats.norm.ppf(0.5 + confidence / 2)) * math.sqrt(variance)
    area = float(v10.mean())
    return max(0.0, area - half), min(1.0, area + half)


@dataclass(frozen=True)
class Threshold:
    """A threshold (a pair is positive from there on) and the accuracy it gives."""

    value: float
    accuracy: float


def best_threshold(labels: Floats, scores: Floats) -> Threshold:
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


def cross_validated_accuracy(
    labels: Floats, scores: Floats, *, folds: int = 10, rng: np.random.Generator
) -> float:
    """Accuracy with each pair classified by a threshold that was chosen on other pairs.

    The pairs are dealt into stratified folds at random; each fold is classified at the `best_threshold` of
    the others. Undefined, NaN with an UndefinedWarning, with fewer than two pairs of either label; with fewer
    than `folds` of the rarer label, there are as many folds as pairs of it.

    >>> labels = np.repeat([0.0, 1.0], 20)
    >>> cross_validated_accuracy(labels, labels + 0.1, rng=np.random.default_rng(0))
    1.0
    """
    rarer = int(min((labels == 0).sum(), (labels == 1).sum()))
    if rarer < 2:
        warnings.warn(
            "cross-validated accuracy is undefined: fewer than two pairs of one label",
            UndefinedWarning,
            stacklevel=2,
        )
        return math.nan
    fold = np.empty(len(labels), np.int64)
    for label in (0, 1):
        members = rng.permutation(np.flatnonzero(labels == label))
        fold[members] = np.arange(len(members)) % min(folds, rarer)
    right = 0
    for number in range(min(folds, rarer)):
        held = fold == number
        threshold = best_threshold(labels[~held], scores[~held]).value
        right += int(((scores[held] >= threshold) == (labels[held] == 1)).sum())
    return right / len(labels)


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
