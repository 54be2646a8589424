"""Classifying each pair by a threshold chosen on other pairs, and how much the accuracy of that varies."""

import numpy as np
from numba import njit, prange

from medgauge.arrays import Doubles, Flags, Integers

DEALS = 50
"""How often the pairs are dealt into folds."""

SPLITS = 200
"""How often the pairs are split into halves for the covariance of accuracies."""

HALVES_FREEDOM = 30
"""The most degrees of freedom of a variance from halves: thresholds jump, however many pairs there are."""

FOLDS = 10

FEWEST_IN_HALVES = 4
"""The fewest pairs of a label that can be split into halves, each of which is cross-validated."""


def right_at_others(
    labels: Doubles, scores: Doubles, *, folds: int = FOLDS, deals: int = DEALS, rng: np.random.Generator
) -> Doubles:
    """Return how often each pair is classified correctly by a threshold chosen on other pairs.

    The pairs are dealt at random into stratified folds; each fold is classified at the `best_threshold` of
    the others. What is returned is the share of the deals in which a pair is right, since the figure of a
    single deal depends on its seed. There must be at least two pairs of either label; with fewer than `folds`
    of the rarer one, there are as many folds as pairs of it.

    Reference: Burman (1989). A comparative study of ordinary cross-validation, v-fold cross-validation and
    the repeated learning-testing methods. Biometrika 76:503-514.

    >>> labels = np.repeat([0.0, 1.0], 20)
    >>> float(right_at_others(labels, labels + 0.1, rng=np.random.default_rng(0)).min())
    1.0
    """
    order = np.argsort(scores, kind="stable")
    ascending, positive = scores[order].astype(np.float64), labels[order] == 1
    counts = np.zeros(labels.size, np.int64)
    for _ in range(deals):
        fold, folds = deal_folds(labels, folds, rng)
        counts += _right(ascending, positive, fold[order], folds)
    right = np.empty(labels.size)
    right[order] = counts / deals
    return right


def deal_folds(labels: Doubles, folds: int, rng: np.random.Generator) -> tuple[Integers, int]:
    """Deal the pairs of each label into folds in turn; also return how many folds there are.

    >>> fold, folds = deal_folds(np.array([0.0, 0, 0, 0, 1, 1]), 10, np.random.default_rng(0))
    >>> np.bincount(fold[:4]).tolist(), np.bincount(fold[4:]).tolist(), folds
    ([2, 2], [1, 1], 2)
    """
    folds = min(folds, int((labels == 0).sum()), int((labels == 1).sum()))
    assert folds > 1
    return _dealt(labels, folds, rng), folds


def _dealt(labels: Doubles, parts: int, rng: np.random.Generator) -> Integers:
    dealt = np.empty(labels.size, np.int64)
    for label in (0, 1):
        members = np.flatnonzero(labels == label)
        dealt[members] = rng.permutation(np.arange(members.size) % parts)
    return dealt


@njit(cache=True)
def _right(scores: Doubles, positive: Flags, fold: Integers, folds: int) -> Integers:
    """Return 1 for each pair that is right at the best threshold of the other folds, else 0.

    Scores ascend. A fold's threshold takes one pass: each pair of the others moves the number of correct ones
    by one, and the places where it is highest so far are kept.
    """
    n = scores.size
    right = np.zeros(n, np.int64)
    below, above = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    for number in range(folds):
        below[0], above[0] = -1, n
        found, correct, highest, last = 1, 0, 0, -1
        for i in range(n):
            if fold[i] != number:
                if last >= 0 and correct >= highest and scores[i] != scores[last]:
                    if correct > highest:
                        highest, found = correct, 0
                    below[found], above[found] = last, i
                    found += 1
                correct += -1 if positive[i] else 1
                last = i
        if correct >= highest:
            if correct > highest:
                found = 0
            below[found], above[found] = last, n
            found += 1
        threshold = _between(scores, below[(found - 1) // 2], above[(found - 1) // 2])
        for i in range(n):
            if fold[i] == number and (scores[i] >= threshold) == positive[i]:
                right[i] = 1
    return right


@njit(cache=True)
def _between(scores: Doubles, below: int, above: int) -> float:
    """Return the midpoint of two scores, or the upper one where there is none, or an infinity."""
    if below < 0:
        return -np.inf
    if above == scores.size:
        return np.inf
    low, high = float(scores[below]), float(scores[above])
    middle = low / 2 + high / 2
    return middle if middle > low else high


def split_half_covariance(
    labels: Doubles, scores: Doubles, *, splits: int = SPLITS, rng: np.random.Generator
) -> Doubles:
    """Compute the covariance of the cross-validated accuracies of several systems (systems × pairs).

    The pairs of each label are split at random into two halves, and each half is cross-validated by itself,
    with the accuracies C₁ and C₂ of the systems:

        S = mean over the splits of (C₁ − C₂)(C₁ − C₂)ᵀ/4

    For a mean over pairs this estimates the usual variance of the mean. Cross-validated accuracies vary more,
    since thresholds vary with the pairs that they are chosen on and are shared by many pairs; halves, which
    have no pair in common, show this too. It is slightly too large, since thresholds of half as many pairs
    vary more. Undefined, NaN, with fewer than four pairs of either label.

    References: McCarthy (1969). Pseudo-replication: half samples. Review of the International Statistical
    Institute 37:239-264; Kim and Pollard (1990). Cube root asymptotics. Annals of Statistics 18:191-219;
    Nadeau and Bengio (2003). Inference for the generalization error. Machine Learning 52:239-281.

    >>> labels = np.repeat([0.0, 1.0], 20)
    >>> split_half_covariance(labels, labels[None, :], rng=np.random.default_rng(0))
    array([[0.]])
    """
    rarer = min(int((labels == 0).sum()), int((labels == 1).sum()))
    if rarer < FEWEST_IN_HALVES:
        return np.full((len(scores), len(scores)), np.nan)
    folds = min(FOLDS, rarer // 2)
    orders = np.argsort(scores, axis=1, kind="stable")
    ascending = np.take_along_axis(scores, orders, axis=1).astype(np.float64)
    positive = (labels == 1)[orders]
    apart = np.empty((len(scores), splits))
    for split in range(splits):
        # Dealt in turn, the even parts are the folds of one half and the odd parts those of the other.
        _compare_halves(ascending, positive, orders, _dealt(labels, 2 * folds, rng), folds, apart[:, split])
    return np.asarray(apart @ apart.T / (4 * splits), np.float64)


@njit(cache=True, parallel=True)
def _compare_halves(
    scores: Doubles, positive: Flags, orders: Integers, dealt: Integers, folds: int, apart: Doubles
) -> None:
    """Store, for each system, the accuracy on the even parts less that on the odd ones."""
    for system in prange(scores.shape[0]):
        parts = dealt[orders[system]]
        shares = np.empty(2)
        for half in range(2):
            mine = np.flatnonzero(parts % 2 == half)
            right = _right(scores[system][mine], positive[system][mine], parts[mine] // 2, folds)
            shares[half] = right.sum() / mine.size
        apart[system] = shares[0] - shares[1]
