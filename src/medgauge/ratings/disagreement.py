"""How much annotators disagree on a pair, by subset of the pairs."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from medgauge.estimate import CONFIDENCE
from medgauge.pairs import TARGETS, Pairs
from medgauge.ratings.findings import Disagreement
from medgauge.ratings.overall import error_level
from medgauge.ratings.ratings import Ratings
from medgauge.stats.raters.agreement_statistics import STATISTICS
from medgauge.stats.resampling.jackknife import jackknife_interval
from medgauge.strata.attributes import read_attribute
from medgauge.strata.subsets import subsets_by, subsets_by_attribute


def disagreement_by(
    ratings: Ratings,
    by: str,
    *,
    bins: int | Sequence[float] | None = None,
    attributes: str | Path | None = None,
    confidence: float = CONFIDENCE,
) -> list[Disagreement]:
    """Average the standard deviations of pairs by subset, as in tables 10 and 11 of Chiu et al. (2018).

    Subsets are those of `evaluate`: by a column of the pairs, or by a column of a table of word attributes.
    Pairs with fewer than two ratings have no standard deviation and do not count; if no others exist, there
    are no subsets.
    """
    rated = ratings.of_pairs(ratings.counts > 1)
    if not len(rated):
        return []
    pairs = _as_pairs(rated)
    if attributes is None:
        subsets = subsets_by(pairs, by, bins=bins)
    else:
        subsets = subsets_by_attribute(pairs, read_attribute(attributes, by), bins=bins)
    return [
        _mean(name, rated.deviations[subsets.member == number], confidence)
        for number, name in enumerate(subsets.names)
    ]


def _as_pairs(ratings: Ratings) -> Pairs:
    ratings.require_terms()
    frame = ratings.pairs.drop(*TARGETS, strict=False)
    return Pairs(frame.with_columns(ratings.columns), ratings.card)


def _mean(subset: str, deviations: NDArray[np.float64], confidence: float) -> Disagreement:
    """Average standard deviations, with an interval by Student's t on the scale of the logarithm."""
    n = deviations.size
    mean = float(deviations.mean()) if n else math.nan
    # Without a pair, the mean is (n mean − its deviation) / (n − 1).
    without = (deviations.sum() - deviations) / max(n - 1, 1)
    found = jackknife_interval(mean, without, error_level(confidence), span=STATISTICS["mean_sd"].span)
    return Disagreement(subset=subset, pairs=n, mean_sd=mean, low=found.low, high=found.high)
