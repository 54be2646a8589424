"""Classifying pairs by a threshold on their scores, and the accuracy of that."""

import math

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles, Flags
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.stats.systems.cross_validation import FOLDS, right_at_others
from medgauge.stats.systems.reasons import too_few_of_a_label, too_few_pairs


def best_threshold(labels: Doubles, scores: Doubles) -> float:
    """Find the threshold of highest accuracy on these pairs, of which there is at least one.

    A pair is classified positive when score ≥ threshold. Candidates are the midpoints between neighbouring
    different scores and ±∞; among several that are best, the middle one (the lower of two) is taken.

    Reference: Schulz and Juric (2020), section 5.2.

    >>> best_threshold(np.array([0.0, 0, 1, 1]), np.array([1.0, 4.0, 3.0, 8.0]))
    2.0
    """
    values, ends = np.unique(scores, return_inverse=True)
    positives = np.bincount(ends, weights=labels, minlength=len(values))
    totals = np.bincount(ends, minlength=len(values))
    # Correct with the threshold below value k: negatives below it and positives from it on.
    negatives_under = np.concatenate([[0.0], np.cumsum(totals - positives)])
    positives_from = positives.sum() - np.concatenate([[0.0], np.cumsum(positives)])
    correct = np.rint(negatives_under + positives_from)
    middles = values[:-1] / 2 + values[1:] / 2
    # Two adjacent floats have no midpoint; the upper one separates them.
    middles = np.where(middles > values[:-1], middles, values[1:])
    candidates = np.concatenate([[-np.inf], middles, [np.inf]])
    best = np.flatnonzero(correct == correct.max())
    return float(candidates[best[(len(best) - 1) // 2]])


def right_at_best(labels: Doubles, scores: Doubles) -> Flags:
    """Return, for each pair, whether it is classified correctly at the `best_threshold`.

    >>> right_at_best(np.array([0.0, 0, 1, 1]), np.array([1.0, 4.0, 3.0, 8.0]))
    array([ True, False,  True,  True])
    """
    return np.asarray((scores >= best_threshold(labels, scores)) == (labels == 1))


def best_accuracy(labels: Doubles, scores: Doubles, *, confidence: float = CONFIDENCE) -> Estimate:
    """Compute the accuracy at the best threshold on these same pairs, with Wilson's interval.

    Figure and interval are optimistic. Undefined with fewer than three pairs.

    >>> best_accuracy(np.array([0.0, 0, 1, 1]), np.array([1.0, 4.0, 3.0, 8.0])).value
    0.75
    """
    if undefined := too_few_pairs(labels.size):
        return Estimate(confidence=confidence, n=labels.size, undefined=undefined)
    return _accuracy(right_at_best(labels, scores), confidence)


def cross_validated_accuracy(
    labels: Doubles,
    scores: Doubles,
    *,
    folds: int = FOLDS,
    rng: np.random.Generator,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Compute the accuracy at thresholds chosen on other pairs, by stratified cross-validation.

    The mean over 50 deals of the pairs into folds (`right_at_others`), with Wilson's interval. Undefined with
    fewer than two pairs of either label.

    >>> labels = np.array([0.0, 0, 1])
    >>> cross_validated_accuracy(labels, labels, rng=np.random.default_rng(0)).undefined
    'only 1 pair has label 1'
    """
    if undefined := too_few_of_a_label(labels, fewest=2):
        return Estimate(confidence=confidence, n=labels.size, undefined=undefined)
    return _accuracy(right_at_others(labels, scores, folds=folds, rng=rng), confidence)


def _accuracy(right: Flags | Doubles, confidence: float) -> Estimate:
    share = float(right.mean())
    ends = proportion_interval(share, right.size, confidence=confidence)
    return Estimate(share, *ends, confidence, right.size)


def proportion_interval(share: float, n: int, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Compute the confidence interval of a share of n pairs, by Wilson's score.

        (p + z²/2n ± z √(p (1 − p)/n + z²/4n²)) / (1 + z²/n)

    The share may be a mean of shares, so that p n is not whole. Undefined, (NaN, NaN), for n = 0 or a share
    that is NaN.

    Reference: Wilson (1927), Journal of the American Statistical Association 22:209-212.

    >>> tuple(round(end, 4) for end in proportion_interval(0.9, 100))
    (0.8256, 0.9448)
    """
    if n == 0 or math.isnan(share):
        return math.nan, math.nan
    z = float(stats.norm.ppf(0.5 + confidence / 2))
    centre, scale = share + z * z / (2 * n), 1 + z * z / n
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # Exactly 0 and 1 at the ends, whatever rounding makes of the formula.
    low = 0.0 if share == 0 else (centre - reach) / scale
    high = 1.0 if share == 1 else (centre + reach) / scale
    return low, high
