"""Pairs that share a concept: how figures and their differences vary where such pairs are dependent."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from medgauge.arrays import Doubles, Integers
from medgauge.stats.differences.student import effective_count

_FEWEST = 1e-3  # degrees of freedom: with fewer nothing is significant
_CROWDED = 8  # other pairs with which a pair shares a concept


@dataclass(frozen=True)
class DyadicVariance:
    """The variance of a figure where pairs that share a concept are dependent, and where they are not.

    `freedom` is that of Student's t, and `swap_freedom` that of swaps, which need not allow for figures that
    are not normal.
    """

    dyadic: float
    independent: float
    freedom: float
    swap_freedom: float

    @property
    def added(self) -> float:
        """What dependence adds to the variance, which it never makes smaller; NaN with one concept."""
        added = self.dyadic - self.independent
        return added if math.isnan(added) else max(added, 0.0)


@dataclass(frozen=True)
class Dyads:
    """The concepts of each pair: numbers from 0, jointly for both sides."""

    first: Integers
    second: Integers

    @cached_property
    def concepts(self) -> int:
        """The number of different concepts.

        >>> Dyads(np.array([0, 0]), np.array([1, 5])).concepts
        3
        """
        return int(np.unique(np.concatenate([self.first, self.second])).size)

    @property
    def is_shared(self) -> bool:
        """Whether any two pairs share a concept.

        >>> Dyads(np.array([0, 0]), np.array([1, 5])).is_shared
        True
        >>> Dyads(np.array([0, 2]), np.array([0, 3])).is_shared
        False
        """
        return self.others > 0

    @cached_property
    def others(self) -> float:
        """The mean number of other pairs that share a concept with a pair; both concepts count twice.

        >>> Dyads(np.array([0, 0, 3]), np.array([1, 2, 4])).others
        0.6666666666666666
        """
        differ = self.first != self.second  # a pair of one concept has it once
        pairs = np.bincount(np.concatenate([self.first, self.second[differ]]))
        found = pairs[self.first] - 1 + np.where(differ, pairs[self.second] - 1, 0)
        return float(found.mean())

    def variance(self, parts: Doubles) -> DyadicVariance:
        """Return the variance of a figure from what each pair contributes to it (influence values over n).

        The degrees of freedom are M − 1, with M the `effective_count` of the sums over the pairs of each
        concept: at corrected levels, concepts − 1 would find too many differences on a few hundred pairs. For
        swaps, which know more of how a figure varies, they are 2M − 1, but not more than concepts − 1, unless
        many pairs share each concept (benchmarks/calibration.py).

        >>> dyads = Dyads(np.array([0, 0, 3]), np.array([1, 2, 4]))
        >>> found = dyads.variance(np.array([0.1, 0.1, -0.2]))
        >>> round(found.independent, 3), round(found.dyadic, 3), round(found.added, 3)
        (0.09, 0.12, 0.03)
        """
        size = int(max(self.first.max(), self.second.max())) + 1
        once = np.where(self.first == self.second, 0.0, parts)
        sums = np.bincount(self.first, parts, size) + np.bincount(self.second, once, size)
        count = effective_count(np.asarray(sums, np.float64))
        independent = float(np.square(parts).sum()) * _inflation(parts.size)
        dyadic = float(self.covariance(parts[None, :])[0, 0])
        freedom = max(count - 1, _FEWEST) if count > 1 else _FEWEST
        most = max(self.concepts - 1, _FEWEST)
        swap_freedom = min(2 * freedom + 1, most) if self.others <= _CROWDED else freedom
        return DyadicVariance(dyadic, independent, freedom, swap_freedom)

    def covariance(self, parts: Doubles) -> Doubles:
        """Return the covariance of several figures (rows of `parts`)."""
        return dyadic_covariance(parts, self.first, self.second)

    def added_covariance(self, parts: Doubles) -> Doubles:
        """Return what the covariance of several figures exceeds that of independent pairs by.

        >>> dyads = Dyads(np.array([0, 0, 3]), np.array([1, 2, 4]))
        >>> dyads.added_covariance(np.array([[0.1, 0.1, -0.2]])).round(3)
        array([[0.03]])
        """
        return np.asarray(self.covariance(parts) - parts @ parts.T * _inflation(parts.shape[1]), np.float64)


def dyadic_covariance(parts: Doubles, first: Integers, second: Integers) -> Doubles:
    """Compute the covariance of figures over pairs of concepts, where pairs that share one are dependent.

        n′/(n′ − 1) Σ ψᵢ ψⱼᵀ    over all i, j for which the pairs i and j share a concept on either side,

    among them i = j. `parts` (figures × pairs) are what each pair contributes to each figure, influence
    values over n; `first` and `second` number the concepts of each pair, from 0 and jointly for both sides;
    n′ is the number of pairs or of concepts, whichever is smaller. The sum is over concepts, Σ s_c s_cᵀ with
    s_c the sum over the pairs with concept c, less what was counted twice: pairs with both concepts in
    common. Undefined, NaN, with one pair; a variance may come out negative where concepts are few.

    References: Aronow, Samii and Assenova (2015). Cluster-robust variance estimation for dyadic data.
    Political Analysis 23:564-577. Tabord-Meehan (2019). Inference with dyadic data. Journal of Business and
    Economic Statistics 37:671-680.

    >>> parts = np.array([[0.1, 0.1, -0.2]])
    >>> dyadic_covariance(parts, np.array([0, 0, 3]), np.array([1, 2, 4])).round(3)
    array([[0.12]])
    """
    concepts = int(max(first.max(), second.max())) + 1
    sums = _sums(parts, first, concepts) + _sums(np.where(first == second, 0.0, parts), second, concepts)
    low, high = np.minimum(first, second), np.maximum(first, second)
    different = low != high
    _, both = np.unique(low * concepts + high, return_inverse=True)
    twice = _sums(np.where(different, parts, 0.0), both, int(both.max()) + 1)
    fewer = min(first.size, Dyads(first, second).concepts)
    return np.asarray((sums @ sums.T - twice @ twice.T) * _inflation(fewer), np.float64)


def _inflation(count: int) -> float:
    return count / (count - 1) if count > 1 else math.nan


def _sums(parts: Doubles, groups: Integers, count: int) -> Doubles:
    member = csr_array((np.ones(groups.size), (np.arange(groups.size), groups)), shape=(groups.size, count))
    return np.asarray(parts @ member, np.float64)
