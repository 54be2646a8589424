"""Cohen's κ: agreement of two raters beyond chance, plain or weighted by their distance."""

from typing import Literal, get_args

import numpy as np

from medgauge.arrays import Doubles
from medgauge.errors import UnknownNameError
from medgauge.estimate import Estimate
from medgauge.stats.settings import KappaDistance

KappaWeights = Literal["plain", "linear", "quadratic"]
_POWERS = {"linear": 1, "quadratic": 2}


def cohen_kappa(
    first: Doubles,
    second: Doubles,
    *,
    weights: KappaWeights = "plain",
    distance: KappaDistance = "value",
    categories: Doubles | None = None,
) -> Estimate:
    """Compute Cohen's κ = 1 − Σ wₓᵧ oₓᵧ / Σ wₓᵧ eₓᵧ over the pairs that both rated; no interval.

    oₓᵧ is the share of pairs that the first rated x and the second y, and eₓᵧ the product of the two shares.
    wₓᵧ is 1 where x and y differ (plain), |x − y| (linear) or (x − y)² (quadratic). NaN means not rated.
    κ is undefined when no pair is left, or when both gave the same single rating throughout.

    With the `distance` "index", x and y in these weights are the numbers of the categories in rising order
    and not their values, as in kappa2 of R's irr and cohen.kappa of psych: 0, 1 and 10 are then equally far
    apart. Like these, it takes the ratings that occur among both raters' as the categories, unless all
    `categories` are given; one that neither used only matters between two that were used.

    Reference: Cohen (1968). Weighted kappa. Psychological Bulletin 70:213-220.

    >>> round(cohen_kappa(np.array([0.0, 1.0, 2.0, 2.0]), np.array([0.0, 1.0, 1.0, 2.0])).value, 4)
    0.6364
    >>> first, second = np.array([0.0, 1.0, 10.0, 10.0]), np.array([0.0, 10.0, 10.0, 1.0])
    >>> for distance in ("value", "index"):
    ...     print(round(cohen_kappa(first, second, weights="linear", distance=distance).value, 4))
    0.0769
    0.4286
    """
    if weights not in get_args(KappaWeights):
        raise UnknownNameError("weights", weights, get_args(KappaWeights))
    if distance not in get_args(KappaDistance):
        raise UnknownNameError("distance", distance, get_args(KappaDistance))
    both = ~np.isnan(first) & ~np.isnan(second)
    x, y = first[both], second[both]
    values, codes = np.unique(np.concatenate([x, y]), return_inverse=True)
    if values.size < 2:
        equal = f"all {codes.size:,} ratings are equal"
        return Estimate(n=x.size, undefined=equal if values.size else "no pair has both ratings")
    observed = np.zeros((values.size, values.size))
    np.add.at(observed, (codes[: x.size], codes[x.size :]), 1 / x.size)
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0))
    if distance == "index":
        known = values if categories is None else np.union1d(categories, values)
        values = np.searchsorted(known, values).astype(np.float64)
    apart = np.abs(values[:, None] - values[None, :])
    costs = (apart > 0).astype(np.float64) if weights == "plain" else apart ** _POWERS[weights]
    return Estimate(float(1 - (costs * observed).sum() / (costs * expected).sum()), n=x.size)
