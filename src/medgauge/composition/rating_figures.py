"""How well the annotators of a set agree: from its ratings, or as its paper says."""

import math
from typing import Any

import numpy as np

from medgauge.catalog.cards import entry_of
from medgauge.composition.benchmark_coverage import SetAgreement
from medgauge.estimate import Estimate
from medgauge.pairs import Pairs
from medgauge.stats.raters.agreement_statistics import STATISTICS
from medgauge.stats.raters.compared import consistency_set
from medgauge.stats.raters.kernel import plain_estimates

FROM_RATINGS = "ratings"
"""The source of figures that were computed here."""
_FIGURES = {
    "mean_rho": "mean_rho",
    "icc_c1": "icc_c1",
    "icc_ck": "icc_ck",
    "kendall_w": "kendall_w",
    "best": "human_upper_bound",
    "best_excluding_self": "human_upper_bound_excluding_self",
    "ceiling": "ceiling",
}
"""The statistic of each figure."""


def set_agreement(pairs: Pairs) -> SetAgreement | None:
    """Return how well a set's annotators agree; None if it has no ratings and its card says nothing.

    The figures of ratings are the overall ones of `medgauge.agreement`. Published figures are those of all
    pairs of a published set; some of its pairs have none.
    """
    if pairs.raters:
        return _of_ratings(pairs)
    entry = entry_of(pairs)
    published = entry.agreement if entry else None
    if published is None:
        return None
    printed = ((name, getattr(published, name, None)) for name in _FIGURES)
    figures: dict[str, Any] = {name: math.nan if one is None else one for name, one in printed}
    return SetAgreement(**figures, annotators=published.annotators, ratings=None, source=published.source)


def _of_ratings(pairs: Pairs) -> SetAgreement:
    ratings = pairs.ratings
    counts = np.unique(np.count_nonzero(~np.isnan(ratings), axis=1))
    own = ratings[~consistency_set(ratings)]
    estimates: dict[type, dict[str, Estimate]] = {}
    found: dict[str, Estimate] = {}
    for name, statistic in _FIGURES.items():
        kernel = STATISTICS[statistic].kernels[0]
        if kernel not in estimates:
            estimates[kernel] = plain_estimates(kernel(own, "ordinal"), len(own))
        found[name] = estimates[kernel][statistic]
    figures: dict[str, Any] = {name: one.value for name, one in found.items()}
    return SetAgreement(
        **figures,
        annotators=f"{len(pairs.raters):,}",
        ratings=int(counts[0]) if len(counts) == 1 else None,
        source=FROM_RATINGS,
        undefined={name: one.undefined for name, one in found.items() if one.undefined},
    )
