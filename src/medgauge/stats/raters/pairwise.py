"""How well every two raters agree: α, κ and ρ on the pairs that both rated."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from medgauge.arrays import Doubles
from medgauge.estimate import Estimate
from medgauge.stats.raters.alpha import krippendorff_alpha
from medgauge.stats.raters.compared import FEWEST, Compared, each_two
from medgauge.stats.raters.comparisons import rhos_of
from medgauge.stats.raters.kappa import cohen_kappa
from medgauge.stats.settings import KappaDistance, Level


@dataclass(frozen=True)
class TwoRaters:
    """Two raters (columns), the pairs that both rated, and their agreement; NaN where it is undefined."""

    first: int
    second: int
    pairs: int
    alpha: float
    kappa: float
    kappa_linear: float
    kappa_quadratic: float
    rho: float


def agreement_of_two(
    ratings: Doubles,
    *,
    level: Level,
    kappa_distance: KappaDistance = "value",
    categories: Doubles | None = None,
) -> list[TwoRaters]:
    """Compute Krippendorff's α, Cohen's κ with each weighting and Spearman's ρ of every two raters.

    `ratings` is pairs × raters, NaN where a rater did not rate. Raters with no pair in common are left
    out; ρ needs three pairs. The weights of κ go by `kappa_distance`, over the `categories` if given.

    >>> ratings = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 1.0], [2.0, 2.0]])
    >>> [two] = agreement_of_two(ratings, level="ordinal")
    >>> round(two.kappa, 4), round(two.rho, 4)
    (0.6364, 0.8333)
    """
    twos = each_two(ratings, fewest=1)
    kappa = partial(cohen_kappa, distance=kappa_distance, categories=categories)
    return [_of_two(one, rho, level, kappa) for one, rho in zip(twos, rhos_of(twos).tolist(), strict=True)]


def _of_two(one: Compared, rho: float, level: Level, kappa: Callable[..., Estimate]) -> TwoRaters:
    return TwoRaters(
        first=one.rater,
        second=one.other,
        pairs=one.rows.size,
        alpha=krippendorff_alpha(np.stack([one.own, one.others], axis=1), level=level).value,
        kappa=kappa(one.own, one.others).value,
        kappa_linear=kappa(one.own, one.others, weights="linear").value,
        kappa_quadratic=kappa(one.own, one.others, weights="quadratic").value,
        rho=rho if one.rows.size >= FEWEST else math.nan,
    )
