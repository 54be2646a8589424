"""The human upper bound: what the best rater would reach as a model."""

import math
import warnings
from dataclasses import dataclass

from medgauge.arrays import Doubles
from medgauge.errors import UndefinedWarning
from medgauge.stats.raters.compared import with_mean
from medgauge.stats.raters.comparisons import rhos_of

FEWEST_OF_THE_BEST = 10  # pairs: the best of many on a few would be best by chance


@dataclass(frozen=True)
class UpperBound:
    """The best rater's ρ with the mean rating, and with the mean of the others; raters by column or None."""

    with_own: float
    with_own_rater: int | None
    without_own: float
    without_own_rater: int | None


def human_upper_bound(ratings: Doubles, *, fewest: int = FEWEST_OF_THE_BEST) -> UpperBound:
    """Human upper bound: Spearman's ρ of the best rater with the mean rating, with and without their own.

        with own:     max over raters j of ρ(rᵢⱼ, mean over all k of rᵢₖ)
        without own:  max over raters j of ρ(rᵢⱼ, mean over all k ≠ j of rᵢₖ)

    `ratings` is pairs × raters, NaN where a rater did not rate. Each ρ is over the pairs that rater j and
    somebody else rated: on a pair with one rating, mean and rating are the same. The first figure is biased
    upwards, as the mean has the rating in it. Raters with fewer than `fewest` such pairs, or for whom ρ is
    undefined, do not count; when none is left the bound is undefined, NaN with an UndefinedWarning. Of
    equal raters the first is named.

    Reference: Schulz et al. (2020). Biomedical Concept Relatedness - A large EHR-based benchmark. COLING,
    section 6.

    >>> ratings = np.array([[0.0, 0.0, 1.0], [1.0, 2.0, 0.0], [2.0, 2.0, 3.0], [3.0, 3.0, 2.0]])
    >>> bound = human_upper_bound(ratings, fewest=4)
    >>> round(bound.with_own, 4), bound.with_own_rater, round(bound.without_own, 4), bound.without_own_rater
    (1.0, 0, 0.9487, 0)
    """
    bounds: list[tuple[float, int | None]] = []
    for own in (True, False):
        compared = with_mean(ratings, own=own, fewest=fewest)
        rhos = zip(rhos_of(compared).tolist(), (one.rater for one in compared), strict=True)
        defined = [found for found in rhos if not math.isnan(found[0])]
        bounds.append(max(defined, key=lambda found: found[0], default=(math.nan, None)))
    if any(rater is None for _, rater in bounds):
        warnings.warn(
            f"the human upper bound is undefined: no rater has {fewest} pairs that another rated, "
            "and different ratings for them",
            UndefinedWarning,
            stacklevel=2,
        )
    return UpperBound(*bounds[0], *bounds[1])
