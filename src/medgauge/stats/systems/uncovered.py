"""What a figure could be if the pairs that a model does not cover had scores."""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles, Flags


@dataclass(frozen=True)
class CompletedFigures:
    """A figure on all pairs if the uncovered ones had the `lowest` score, the `worst` or the `best` order."""

    lowest: float
    worst: float
    best: float


def completed_spearman(gold: Doubles, scores: Doubles, covered: Flags) -> CompletedFigures:
    """Compute Spearman's ρ on all pairs, with scores for the pairs that are not covered.

    `lowest` gives them all the same score, below all others. `best` and `worst` are the highest and lowest
    ρ of all placements of the uncovered pairs among the others that make no further ties: the uncovered pairs
    are then in the order of the gold, or in the reversed order. With the scores' groups of ties in order, of
    sizes t and sums of gold ranks g, and u gold ranks of uncovered pairs in order, the best sum of products

        V(i, j) = max(V(i − 1, j) + gᵢ (nᵢ₋₁ + j + (tᵢ + 1)/2), V(i, j − 1) + uⱼ (nᵢ + j))

    where nᵢ pairs are in the first i groups. Undefined, NaN, with fewer than three pairs, where all gold
    scores are equal, and for `lowest` where that makes all scores equal.

    >>> gold, scores = np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, np.nan])
    >>> found = completed_spearman(gold, scores, np.array([True, True, True, False]))
    >>> round(found.lowest, 2), round(found.worst, 2), round(found.best, 2)
    (-0.4, -0.4, 0.8)
    """
    if gold.size < 3 or np.ptp(gold) == 0:
        return CompletedFigures(nan, nan, nan)
    ranks = stats.rankdata(gold) - (gold.size + 1) / 2
    best, worst = (sign * _most(sign * ranks, scores, covered) for sign in (1.0, -1.0))
    filled = np.where(covered, scores, scores[covered].min(initial=0.0) - 1)
    lowest = float(stats.spearmanr(gold, filled).statistic) if np.ptp(filled) > 0 else nan
    return CompletedFigures(lowest, worst, best)


def _most(ranks: Doubles, scores: Doubles, covered: Flags) -> float:
    """Return the highest correlation of these ranks around 0 with those of completed scores."""
    added = np.sort(ranks[~covered])
    places = np.arange(added.size + 1.0)
    sums = np.concatenate([[0.0], np.cumsum(added)])
    products = np.concatenate([[0.0], np.cumsum(added * places[1:])])
    _, group, sizes = np.unique(scores[covered], return_inverse=True, return_counts=True)
    of_groups = np.bincount(group, weights=ranks[covered], minlength=sizes.size)
    before, best = 0, products
    for size, total in zip(sizes.tolist(), of_groups.tolist(), strict=True):
        moved = best + total * (before + places + (size + 1) / 2)
        before += size
        appended = before * sums + products
        best = appended + np.maximum.accumulate(moved - appended)
    n = ranks.size
    ties = float((sizes.astype(np.float64) ** 3 - sizes).sum())
    square = ((n**3 - n) - ties) / 12
    return float(best[-1]) / sqrt(square * float((ranks**2).sum())) if square > 0 else nan


def completed_auc(labels: Doubles, scores: Doubles, covered: Flags) -> CompletedFigures:
    """Compute the AUC on all pairs, with scores for the pairs that are not covered.

    `lowest` gives them all the same score, below all others. `best` puts uncovered positives above and
    negatives below all others, `worst` the other way round; no scores lead further. Undefined, NaN, without
    positives or without negatives.

    >>> labels, scores = np.array([0.0, 0, 1, 1]), np.array([1.0, 2, 3, np.nan])
    >>> completed_auc(labels, scores, np.array([True, True, True, False]))
    CompletedFigures(lowest=0.5, worst=0.5, best=1.0)
    """
    positive = labels == 1
    m = int(positive.sum())
    if not 0 < m < labels.size:
        return CompletedFigures(nan, nan, nan)
    below = scores[covered].min(initial=0.0) - 1
    above = scores[covered].max(initial=0.0) + 1

    def area(filling: Doubles | float) -> float:
        ranks = stats.rankdata(np.where(covered, scores, filling))
        return float((ranks[positive].sum() - m * (m + 1) / 2) / (m * (labels.size - m)))

    return CompletedFigures(
        area(below), area(np.where(positive, below, above)), area(np.where(positive, above, below))
    )
