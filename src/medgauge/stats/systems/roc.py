"""The area under the ROC curve: how often a positive pair scores above a negative one."""

import math

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles, Flags
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.stats.systems.reasons import too_few_of_a_label


def auc(labels: Doubles, scores: Doubles, *, confidence: float = CONFIDENCE) -> Estimate:
    """Compute the area under the ROC curve: how often a positive pair outscores a negative one, ties half.

        AUC = (Σ_{positives} R(sᵢ) − m(m + 1)/2) / (m n)

    with average ranks R, m positives and n negatives; its interval is by DeLong's variance
    (`auc_covariance`), cut at 0 and 1. Undefined with fewer than three pairs, without positives or without
    negatives. There is no interval with fewer than two of either, or where the variance is 0 (scores that are
    all equal, or separate the labels perfectly), since it would claim certainty. Pairs are assumed to be
    independent.

    Reference: Hanley and McNeil (1982). The meaning and use of the area under a receiver operating
    characteristic (ROC) curve. Radiology 143:29-36.

    >>> found = auc(np.array([0.0, 0, 0, 1, 1, 1]), np.array([1.0, 2, 4, 3, 5, 6]))
    >>> round(found.value, 4), round(found.low, 4), found.high
    (0.8889, 0.5809, 1.0)
    """
    if undefined := too_few_of_a_label(labels, fewest=1):
        return Estimate(confidence=confidence, n=labels.size, undefined=undefined)
    positive = labels == 1
    m = int(positive.sum())
    ranks = stats.rankdata(scores)
    value = float((ranks[positive].sum() - m * (m + 1) / 2) / (m * (labels.size - m)))
    area, parts = _parts(positive, scores, ranks)
    variance = float(auc_covariance(labels, parts[None, :])[0, 0])  # NaN with one positive or negative
    if not variance > 0:
        return Estimate(value, confidence=confidence, n=labels.size)
    half = float(stats.norm.ppf(0.5 + confidence / 2)) * math.sqrt(variance)
    return Estimate(value, max(0.0, area - half), min(1.0, area + half), confidence, labels.size)


def auc_parts(labels: Doubles, scores: Doubles) -> tuple[float, Doubles]:
    """Return the AUC and what each pair contributes to its variation (DeLong's components).

    A positive pair contributes (V₁₀ − AUC)/m, a negative one (V₀₁ − AUC)/n, where V₁₀ is the share of the n
    negatives that the positive outscores and V₀₁ the share of the m positives that outscore the negative,
    ties half. By ranks, in O(N log N).

    Reference: Sun and Xu (2014). Fast implementation of DeLong's algorithm. IEEE Signal Processing Letters
    21:1389-1393.

    >>> area, parts = auc_parts(np.array([0.0, 0, 1, 1]), np.array([1.0, 3, 2, 4]))
    >>> area, parts
    (0.75, array([ 0.125, -0.125, -0.125,  0.125]))
    """
    return _parts(labels == 1, scores, stats.rankdata(scores))


def _parts(positive: Flags, scores: Doubles, ranks: Doubles) -> tuple[float, Doubles]:
    m, n = int(positive.sum()), int((~positive).sum())
    parts = np.empty(scores.size)
    outscored = (ranks[positive] - stats.rankdata(scores[positive])) / n
    area = float(outscored.mean())
    parts[positive] = (outscored - area) / m
    outscoring = 1 - (ranks[~positive] - stats.rankdata(scores[~positive])) / m
    parts[~positive] = (outscoring - area) / n
    return area, parts


def auc_covariance(labels: Doubles, parts: Doubles) -> Doubles:
    """Compute the covariance of the AUCs of several systems from the `auc_parts` of each (systems × pairs).

        S = S₁₀/m + S₀₁/n

    with the sample covariances S₁₀ of V₁₀ over the m positives and S₀₁ of V₀₁ over the n negatives.
    Undefined, NaN, with fewer than two of either.

    Reference: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845.

    >>> labels = np.array([0.0, 0, 1, 1])
    >>> auc_covariance(labels, auc_parts(labels, np.array([1.0, 3, 2, 4]))[1][None, :])
    array([[0.125]])
    """
    total = np.zeros((len(parts), len(parts)))
    for label in (0, 1):
        mine = parts[:, labels == label]
        count = mine.shape[1]
        if count < 2:
            return np.full(total.shape, np.nan)
        total += mine @ mine.T * (count / (count - 1))
    return total


def auc_freedom(labels: Doubles, apart: Doubles) -> float:
    """Compute the degrees of freedom of the variance of a difference of two AUCs.

        (v₁ + v₀)² / (v₁²/(m − 1) + v₀²/(n − 1))

    with v₁ the part of the variance that comes from the m positives and v₀ from the n negatives; `apart` are
    the differences of the `auc_parts`. DeLong's test with the normal distribution finds too many differences
    on a few dozen pairs. Undefined, NaN, with fewer than two of either label; infinite without variance.

    References: Satterthwaite (1946), Biometrics Bulletin 2:110-114; Welch (1947), Biometrika 34:28-35.

    >>> labels = np.array([0.0, 0, 0, 1, 1, 1])
    >>> round(auc_freedom(labels, np.array([0.1, 0.0, -0.1, -0.1, 0.1, 0.0])), 4)
    4.0
    """
    total, weighted = 0.0, 0.0
    for label in (0, 1):
        mine = apart[labels == label]
        if mine.size < 2:
            return math.nan
        variance = float((mine**2).sum()) * mine.size / (mine.size - 1)
        total += variance
        weighted += variance**2 / (mine.size - 1)
    return total**2 / weighted if weighted > 0 else math.inf
