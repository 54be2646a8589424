"""How reliable single ratings and their means are, with gaps: ICC(C,·), G(q,k) and the ceiling of a model."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from medgauge.arrays import Doubles, Flags
from medgauge.stats.raters.compared import consistency_set
from medgauge.stats.raters.variance.variance_components import (
    CrossedRatings,
    VarianceComponents,
    variance_components,
)
from medgauge.stats.resampling.bootstrap import Weights
from medgauge.stats.resampling.jackknife import Limits, jackknife_interval
from medgauge.stats.resampling.span import BELOW_ONE, Span
from medgauge.stats.settings import Level

MOST_BLOCKS = 200
"""The number of blocks of pairs that the jackknife leaves out, at most: each takes a search."""
_TINY = 1e-12


@dataclass(frozen=True)
class Design:
    """Who rated what, as far as means depend on it: `k` ratings of a pair, and the multiplier `q` of offsets.

    k is the harmonic mean of the numbers of ratings kᵢ of the N rated pairs, and

        q = 1/k − Σ over i ≠ i′ of cᵢᵢ′ / (kᵢ kᵢ′) / (N (N − 1))

    with the number cᵢᵢ′ of raters that two pairs have in common: 0 if all raters rated all pairs, as their
    offsets then raise all means alike, and 1/k if no two pairs share a rater. NaN for fewer than two pairs.

    Reference: Putka, Le, McCloy and Diaz (2008). Ill-structured measurement designs in organizational
    research: implications for estimating interrater reliability. Journal of Applied Psychology 93:959-981.

    >>> design = Design.of(CrossedRatings.of(np.array([[1.0, 2.0, np.nan], [np.nan, 3.0, 1.0]])))
    >>> design.k, design.q
    (2.0, 0.25)
    """

    k: float
    q: float

    @classmethod
    def of(cls, ratings: CrossedRatings) -> "Design":
        """Describe the design of ratings, without looking at their values."""
        counts = np.bincount(ratings.pairs)
        rated = int(np.count_nonzero(counts))
        if rated < 2:
            return cls(math.nan, math.nan)
        shares = 1 / counts[ratings.pairs]
        inverse = float((1 / counts[counts > 0]).sum())
        # Σ cᵢᵢ′ / (kᵢ kᵢ′) over all i and i′ is the sum over raters of the square of their shares.
        together = float((np.bincount(ratings.raters, shares) ** 2).sum())
        q = inverse / rated - (together - inverse) / (rated * (rated - 1))
        return cls(round(rated / inverse, 12), max(round(q, 12), 0.0))


def reliability_of(components: VarianceComponents, design: Design) -> dict[str, float]:
    """Return the reliability of a rating and of the mean of k, by the names of the statistics.

        ICC(C,1) = σ²_pair / (σ²_pair + σ²_residual)
        ICC(C,k) = σ²_pair / (σ²_pair + σ²_residual / k)
        G(q,k)   = σ²_pair / (σ²_pair + q σ²_rater + σ²_residual / k)
        ceiling  = √G(q,k)

    ICC(C,·) leave raters' offsets out, as if they cancelled. G(q,k) is the share of the true values in the
    expected variance of the pairs' mean ratings, to which offsets add unless every rater rated every pair;
    its root is the correlation of the means with the true values.

    >>> found = reliability_of(VarianceComponents(1.0, 0.3, 0.6), Design(3.0, 0.25))
    >>> {name: round(value, 3) for name, value in found.items()}
    {'icc_c1': 0.625, 'icc_ck': 0.833, 'g_qk': 0.784, 'ceiling': 0.886}
    """
    true, left = components.pair, components.residual
    offsets = design.q * components.rater
    mean = true / (true + offsets + left / design.k) if true > 0 else 0.0
    return {
        "icc_c1": true / (true + left),
        "icc_ck": true / (true + left / design.k),
        "g_qk": mean,
        "ceiling": math.sqrt(mean),
    }


class MeanReliability:
    """ICC(C,1), ICC(C,k), G(q,k) and the ceiling from variance components of all ratings, by REML.

    The design is that of the ratings, or the one given, such as that of the pairs of a gold standard. The
    search starts from the components of nearly the same ratings, if they are given (`near`).
    """

    names: ClassVar[tuple[str, ...]] = ("icc_c1", "icc_ck", "g_qk", "ceiling")
    prefix: ClassVar[str] = ""

    def __init__(
        self,
        ratings: Doubles,
        _level: Level | None = None,
        *,
        design: Design | None = None,
        near: VarianceComponents | None = None,
    ) -> None:
        self.size = len(ratings)
        self._ratings = CrossedRatings.of(ratings)
        self._given, self._near = design, near
        self.design = design or Design.of(self._ratings)
        self._why = self._ratings.why_undefined()

    @property
    def pairs(self) -> int:
        """The number of rated pairs: those with one rating count too."""
        return int(np.unique(self._ratings.pairs).size)

    @property
    def fewest_ratings(self) -> int:
        """The fewest ratings of a pair with two or more; 0 if there is none."""
        counts = np.bincount(self._ratings.pairs)
        return int(counts[counts > 1].min(initial=counts.max(initial=0))) if (counts > 1).any() else 0

    @cached_property
    def components(self) -> VarianceComponents | None:
        """The variance components of all ratings, None where they are undefined."""
        return None if self._why else variance_components(self._ratings, near=self._near)

    def compute(self, weights: Weights, rows: Doubles) -> None:
        """Fill the four figures, for pairs that count a whole number of times."""
        rows[:] = np.nan
        for lane, row in enumerate(rows):
            times = weights[:, lane].astype(np.int64)
            if (times == 1).all():
                found, design = self.components, self.design
            else:
                drawn = self._ratings.drawn(times)
                undefined = drawn.why_undefined() is not None
                found = None if undefined else variance_components(drawn, near=self.components)
                design = self._given or Design.of(drawn)
            if found is not None:
                row[:] = list(reliability_of(found, design).values())

    def reason(self, _name: str) -> str:
        """Return why the figures are undefined."""
        return self._why or "the ratings have no variance"

    def limits(self, name: str, value: float, without: Doubles, level: float) -> Limits:
        """Return the jackknife's interval of a figure, from its values without each block of pairs.

        It is symmetric on the scale ½ ln((1 + (k − 1)x)/(1 − x)) for ICC(C,1), ln(1 − x) for ICC(C,k) and
        G(q,k), and ln(1 − x²) for the ceiling. A variance is not negative, so no end is below 0.
        """
        if name == "ceiling":
            value, without = value**2, without**2
        is_single = name == "icc_c1" and self.design.k > 1 + _TINY
        span = Span(-1 / (self.design.k - 1), 1) if is_single else BELOW_ONE
        found = jackknife_interval(value, without, level, span=span, unit="block of pairs")
        if found.reason is not None:
            return found
        low, high = (max(end, 0.0) for end in found.ends)
        return Limits(math.sqrt(low), math.sqrt(high)) if name == "ceiling" else Limits(low, high)


def reliability_of_means(ratings: Doubles, chosen: Flags | None = None) -> MeanReliability:
    """Prepare the reliability of the mean ratings of some pairs (`chosen`, by default all) of ratings.

    The variances are those of all pairs, except a consistency set, as in all figures of agreement: choosing
    pairs on which raters agree must not raise it. Only the numbers of ratings are those of the chosen pairs.
    """
    design = Design.of(CrossedRatings.of(ratings if chosen is None else ratings[chosen]))
    return MeanReliability(ratings[~consistency_set(ratings)], design=design)
