"""The area under the ROC curve: how often a positive pair scores above a negative one."""

import math
import warnings

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles
from medgauge.errors import UndefinedWarning


def auc(labels: Doubles, scores: Doubles) -> float:
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


def auc_interval(labels: Doubles, scores: Doubles, *, confidence: float = 0.95) -> tuple[float, float]:
    """Confidence interval of the AUC by DeLong's variance (`auc_covariance`), cut at 0 and 1.

    Undefined, (NaN, NaN), with fewer than two positives or negatives, and where the variance is 0 (scores
    that are all equal, or part the labels perfectly), since it would claim certainty. Pairs are taken as
    independent.

    >>> ends = auc_interval(np.array([0.0, 0, 0, 1, 1, 1]), np.array([1.0, 2, 4, 3, 5, 6]))
    >>> tuple(round(end, 4) for end in ends)
    (0.5809, 1.0)
    """
    if not 2 <= (labels == 1).sum() <= len(labels) - 2:
        return math.nan, math.nan
    area, parts = auc_parts(labels, scores)
    variance = float(auc_covariance(labels, parts[None, :])[0, 0])
    if variance == 0.0:
        return math.nan, math.nan
    half = float(stats.norm.ppf(0.5 + confidence / 2)) * math.sqrt(variance)
    return max(0.0, area - half), min(1.0, area + half)


def auc_parts(labels: Doubles, scores: Doubles) -> tuple[float, Doubles]:
    """Give the AUC and what each pair contributes to its variation (DeLong's components).

    A positive pair contributes (V₁₀ − AUC)/m, a negative one (V₀₁ − AUC)/n, where V₁₀ is the share of the n
    negatives that the positive outscores and V₀₁ the share of the m positives that outscore the negative,
    ties half. By ranks, in O(N log N).

    Reference: Sun and Xu (2014). Fast implementation of DeLong's algorithm. IEEE Signal Processing Letters
    21:1389-1393.

    >>> area, parts = auc_parts(np.array([0.0, 0, 1, 1]), np.array([1.0, 3, 2, 4]))
    >>> area, parts
    (0.75, array([ 0.125, -0.125, -0.125,  0.125]))
    """
    positive = labels == 1
    m, n = int(positive.sum()), int((~positive).sum())
    parts = np.empty(labels.size)
    ranks = stats.rankdata(scores)
    outscored = (ranks[positive] - stats.rankdata(scores[positive])) / n
    area = float(outscored.mean())
    parts[positive] = (outscored - area) / m
    outscoring = 1 - (ranks[~positive] - stats.rankdata(scores[~positive])) / m
    parts[~positive] = (outscoring - area) / n
    return area, parts


def auc_covariance(labels: Doubles, parts: Doubles) -> Doubles:
    """Covariance of the AUCs of several systems, from the `auc_parts` of each (systems × pairs).

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
