"""How reliable ratings are: intra-class correlations, and Kendall's coefficient of concordance."""

import math
import warnings
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from medgauge.arrays import Doubles
from medgauge.errors import UndefinedWarning

_TINY = 1e-12  # of its terms, a sum is rounding


@dataclass(frozen=True)
class IntraclassCorrelations:
    """The six forms of McGraw and Wong (1996), for one rating and for the mean of k.

    `one` and `mean`: raters are not told apart, ICC(1) and ICC(k). `consistency_*`: ICC(C,1) and ICC(C,k),
    for which it does not matter that a rater rates higher throughout; `absolute_*`: ICC(A,1) and ICC(A,k),
    for which it does.
    """

    one: float
    mean: float
    consistency_one: float
    consistency_mean: float
    absolute_one: float
    absolute_mean: float


def intraclass_correlations(ratings: Doubles) -> IntraclassCorrelations:
    """Intra-class correlations of ratings without gaps, pairs × raters.

    With n pairs, k raters and the mean squares of the two-way analysis of variance between pairs (R), between
    raters (C) and of what is left (E), and within pairs (W):

        ICC(1)   = (R − W) / (R + (k − 1) W)                        ICC(k)   = (R − W) / R
        ICC(C,1) = (R − E) / (R + (k − 1) E)                        ICC(C,k) = (R − E) / R
        ICC(A,1) = (R − E) / (R + (k − 1) E + k (C − E) / n)        ICC(A,k) = (R − E) / (R + (C − E) / n)

    All are undefined, NaN with an UndefinedWarning, for fewer than two pairs or raters, or equal ratings.

    Reference: McGraw and Wong (1996). Forming inferences about some intraclass correlation coefficients.
    Psychological Methods 1:30-46.

    >>> ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> found = intraclass_correlations(np.array(ratings, np.float64))
    >>> [round(value, 2) for value in (found.one, found.absolute_one, found.consistency_one)]
    [0.17, 0.29, 0.71]
    """
    pairs, raters = ratings.shape
    if pairs < 2 or raters < 2 or np.ptp(ratings) == 0:
        reason = (
            "all ratings are equal" if ratings.size and np.ptp(ratings) == 0 else "there are too few ratings"
        )
        warnings.warn(f"intra-class correlations are undefined: {reason}", UndefinedWarning, stacklevel=2)
        return IntraclassCorrelations(*[math.nan] * 6)
    of_pairs, of_raters, mean = ratings.mean(axis=1), ratings.mean(axis=0), ratings.mean()
    r = raters * ((of_pairs - mean) ** 2).sum() / (pairs - 1)
    c = pairs * ((of_raters - mean) ** 2).sum() / (raters - 1)
    w = ((ratings - of_pairs[:, None]) ** 2).sum() / (pairs * (raters - 1))
    left = ratings - of_pairs[:, None] - of_raters + mean
    e = (left**2).sum() / ((pairs - 1) * (raters - 1))

    def ratio(above: float, below: float) -> float:
        """Divide; NaN where the terms below cancel but for rounding."""
        return float(above / below) if abs(below) > _TINY * (r + c + e) else math.nan

    return IntraclassCorrelations(
        one=ratio(r - w, r + (raters - 1) * w),
        mean=ratio(r - w, r),
        consistency_one=ratio(r - e, r + (raters - 1) * e),
        consistency_mean=ratio(r - e, r),
        absolute_one=ratio(r - e, r + (raters - 1) * e + raters * (c - e) / pairs),
        absolute_mean=ratio(r - e, r + (c - e) / pairs),
    )


def kendall_w(ratings: Doubles) -> float:
    """Kendall's coefficient of concordance of ratings without gaps, pairs × raters, corrected for ties.

        W = 12 S / (m² (n³ − n) − m Σ Tⱼ)

    for n pairs and m raters, with S the sum of squared deviations of the pairs' rank sums from their mean,
    ranks being averaged over ties, and Tⱼ = Σ (t³ − t) over rater j's groups of t tied pairs. W is undefined,
    NaN with an UndefinedWarning, for fewer than two pairs or raters, or when every rater's ratings are all
    tied.

    Reference: Kendall and Gibbons (1990). Rank Correlation Methods, 5th edition, chapter 6.

    >>> kendall_w(np.array([[1.0, 2.0], [2.0, 3.0], [3.0, 9.0]]))
    1.0
    """
    pairs, raters = ratings.shape
    ties = 0.0
    for column in ratings.T:
        sizes = np.unique(column, return_counts=True)[1].astype(np.float64)
        ties += float((sizes**3 - sizes).sum())
    most = raters**2 * (float(pairs) ** 3 - pairs) - raters * ties
    if pairs < 2 or raters < 2 or most == 0:
        reason = (
            "each rater's ratings are all equal" if pairs > 1 and raters > 1 else "there are too few ratings"
        )
        warnings.warn(f"Kendall's W is undefined: {reason}", UndefinedWarning, stacklevel=2)
        return math.nan
    sums = rankdata(ratings, axis=0).sum(axis=1)
    return float(12 * ((sums - sums.mean()) ** 2).sum() / most)
