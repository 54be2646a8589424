"""McGraw and Wong's interval of ICC(A,1), which the calibration compares with medgauge's own."""

import numpy as np
from scipy.stats import f


def mcgraw_wong_interval(ratings: np.ndarray, level: float) -> tuple[float, float]:
    """Return the interval of ICC(A,1) for ratings of n pairs by k raters, without gaps.

    With the mean squares between pairs (R), between raters (C) and of the residual (E), and ρ = ICC(A,1):

        low  = n (R − F E) / (F (k C + (k n − k − n) E) + n R),    F = F quantile with n − 1 and v degrees
        high = n (G R − E) / (k C + (k n − k − n) E + n G R),      G = F quantile with v and n − 1 degrees
        v = (a C + b E)² / ((a C)² / (k − 1) + (b E)² / ((n − 1) (k − 1)))
        a = k ρ / (n (1 − ρ)),    b = 1 + k ρ (n − 1) / (n (1 − ρ))

    both at 1 − level/2, for normal ratings and raters who are a sample.

    Reference: McGraw and Wong (1996). Psychological Methods 1:30-46, table 7.
    """
    n, k = ratings.shape
    of_pairs, of_raters, mean = ratings.mean(axis=1), ratings.mean(axis=0), ratings.mean()
    r = k * ((of_pairs - mean) ** 2).sum() / (n - 1)
    c = n * ((of_raters - mean) ** 2).sum() / (k - 1)
    e = ((ratings - of_pairs[:, None] - of_raters + mean) ** 2).sum() / ((n - 1) * (k - 1))
    rho = (r - e) / (r + (k - 1) * e + k * (c - e) / n)
    a, b = k * rho / (n * (1 - rho)), 1 + k * rho * (n - 1) / (n * (1 - rho))
    v = (a * c + b * e) ** 2 / ((a * c) ** 2 / (k - 1) + (b * e) ** 2 / ((n - 1) * (k - 1)))
    below, above = f.ppf(1 - level / 2, n - 1, v), f.ppf(1 - level / 2, v, n - 1)
    rest = k * c + (k * n - k - n) * e
    low, high = n * (r - below * e) / (below * rest + n * r), n * (above * r - e) / (rest + n * above * r)
    return float(low), float(high)
