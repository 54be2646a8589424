"""The statistics of agreement, declared: their names, ranges, requirements and references.

To add one, write its kernel, declare it here, and test it against a reference; the intervals, the tables, the
JSON and the contract tests follow from the table.
"""

import math
from dataclasses import dataclass
from typing import Literal

from medgauge.arrays import Doubles
from medgauge.stats.raters.alpha import Alpha
from medgauge.stats.raters.deviations import Deviations
from medgauge.stats.raters.iaa import RaterCorrelations
from medgauge.stats.raters.kernel import Kernel
from medgauge.stats.raters.reliability import ByPanel, Packed
from medgauge.stats.raters.upper_bound import UpperBounds
from medgauge.stats.raters.variance.mean_reliability import MeanReliability
from medgauge.stats.resampling.span import BELOW_ONE, CORRELATION, POSITIVE, SHARE, Span
from medgauge.stats.settings import Level

Keeps = Literal["level", "order", "line", "spread"]
"""The changes of the ratings under which a statistic is invariant: those that its level allows, any that keep
their order, a shift and a factor, or only a shift (a factor then multiplies the statistic)."""

_KRIPPENDORFF = "Krippendorff (2004). Content Analysis, 2nd edition, chapter 11."
_KENDALL = "Kendall and Gibbons (1990). Rank Correlation Methods, 5th edition, chapter 6."
_MCGRAW = "McGraw and Wong (1996). Psychological Methods 1:30-46."
_PUTKA = "Putka et al. (2008). Journal of Applied Psychology 93:959-981."
_CHIU = "Chiu et al. (2018). BMC Bioinformatics 19:33."
_SCHULZ = "Schulz et al. (2020). COLING, sections 4 and 6."
_SEVERAL = "two ratings of a pair"
_DIFFERENT = "two ratings of a pair, and ratings that differ"
_PANEL = "two pairs with equally many ratings, two or more, and ratings that differ"
_CROSSED = "two pairs with ratings by the same annotators, and ratings that differ"
_TWO_RATERS = "two annotators with three pairs in common"
_BEST = "an annotator with ten pairs that another rated"


@dataclass(frozen=True)
class Statistic:
    """A statistic of agreement.

    `label` is its name in tables and `symbol` a short one. It lies between `lowest` and `highest`. The first
    of its `kernels` computes the overall figure. The jackknife's interval is found on the line that the
    `span` is stretched to, and so cannot leave it; for a statistic of one rating (`of_one_rating`), which is
    at least −1/(k − 1) where each pair has k ratings or more, from there. A `headline` is an overall figure
    that is also computed without an annotator. A maximum (`is_maximum`) has no jackknife interval.
    """

    name: str
    label: str
    symbol: str
    lowest: float
    highest: float
    needs: str
    reference: str
    kernels: tuple[type[Kernel], ...]
    keeps: Keeps
    span: Span
    headline: bool = True
    of_one_rating: bool = False
    is_maximum: bool = False

    @property
    def figure(self) -> str:
        """The name of the overall figure among the FIGURES."""
        return self.kernels[0].prefix + self.name

    def span_for(self, fewest_ratings: int) -> Span:
        """Return the span of the jackknife's interval where no pair has fewer ratings."""
        if not self.of_one_rating or fewest_ratings < 2:
            return self.span
        return Span(-1 / (fewest_ratings - 1), self.span.highest)


def _icc(
    name: str,
    label: str,
    lowest: float,
    highest: float = 1,
    *,
    span: Span = BELOW_ONE,
    of_all: bool = False,
    of_one_rating: bool = False,
) -> Statistic:
    """Declare a form of ICC; the overall figure of some (`of_all`) is that of all ratings, with gaps."""
    return Statistic(
        name,
        label,
        label,
        lowest,
        highest,
        _CROSSED if of_all else _PANEL,
        _MCGRAW,
        (MeanReliability, Packed, ByPanel) if of_all else (Packed, ByPanel),
        keeps="line",
        span=span,
        headline=of_all,
        of_one_rating=of_one_rating,
    )


def _of_mean(name: str, label: str, symbol: str) -> Statistic:
    return Statistic(
        name,
        label,
        symbol,
        0,
        1,
        _CROSSED,
        _PUTKA,
        (MeanReliability,),
        keeps="line",
        span=SHARE,
        headline=False,
    )


STATISTICS: dict[str, Statistic] = {
    one.name: one
    for one in (
        Statistic(
            "alpha",
            "Krippendorff's α",
            "α",
            -1,
            1,
            _DIFFERENT,
            _KRIPPENDORFF,
            (Alpha,),
            keeps="level",
            span=CORRELATION,
            of_one_rating=True,
        ),
        Statistic(
            "kendall_w",
            "Kendall's W",
            "W",
            0,
            1,
            _PANEL,
            _KENDALL,
            (Packed, ByPanel),
            keeps="order",
            span=SHARE,
        ),
        _icc("icc_1", "ICC(1)", -1, span=CORRELATION, of_one_rating=True),
        _icc("icc_k", "ICC(k)", -math.inf),
        _icc("icc_c1", "ICC(C,1)", -1, span=CORRELATION, of_all=True, of_one_rating=True),
        _icc("icc_ck", "ICC(C,k)", -math.inf, of_all=True),
        _icc("icc_a1", "ICC(A,1)", -math.inf, span=CORRELATION, of_one_rating=True),
        _icc("icc_ak", "ICC(A,k)", -math.inf, math.inf),
        _of_mean("g_qk", "G(q,k), reliability of the mean", "G(q,k)"),
        Statistic(
            "mean_rho",
            "mean ρ of every two annotators",
            "mean ρ",
            -1,
            1,
            _TWO_RATERS,
            _SCHULZ,
            (RaterCorrelations,),
            keeps="order",
            span=CORRELATION,
        ),
        Statistic(
            "iaa_1",
            "IAA-1",
            "IAA-1",
            -1,
            1,
            _TWO_RATERS,
            _CHIU,
            (RaterCorrelations,),
            keeps="order",
            span=CORRELATION,
        ),
        Statistic(
            "iaa_2",
            "IAA-2",
            "IAA-2",
            -1,
            1,
            _TWO_RATERS,
            _CHIU,
            (RaterCorrelations,),
            keeps="line",
            span=CORRELATION,
        ),
        Statistic(
            "human_upper_bound",
            "best annotator",
            "best",
            -1,
            1,
            _BEST,
            _SCHULZ,
            (UpperBounds,),
            keeps="line",
            span=CORRELATION,
            is_maximum=True,
        ),
        Statistic(
            "human_upper_bound_excluding_self",
            "best annotator, own rating excluded",
            "best, own excluded",
            -1,
            1,
            _BEST,
            _SCHULZ,
            (UpperBounds,),
            keeps="line",
            span=CORRELATION,
            is_maximum=True,
        ),
        _of_mean("ceiling", "ceiling of a model, √G(q,k)", "ceiling"),
        Statistic(
            "mean_sd",
            "mean standard deviation of a pair",
            "mean SD",
            0,
            math.inf,
            _SEVERAL,
            _CHIU,
            (Deviations,),
            keeps="spread",
            span=POSITIVE,
            headline=False,
        ),
    )
}

KERNELS: tuple[type[Kernel], ...] = tuple(
    dict.fromkeys(kernel for one in STATISTICS.values() for kernel in one.kernels)
)
FIGURES: dict[str, Statistic] = {
    kernel.prefix + name: STATISTICS[name] for kernel in KERNELS for name in kernel.names
}
"""All figures that have an interval, by their names: a statistic has one for each of its kernels."""

RELIABILITY: dict[str, str] = {name: one.label for name, one in STATISTICS.items() if Packed in one.kernels}
"""The labels of the statistics of complete panels: packed, and panel by panel."""


def prepare(ratings: Doubles, level: Level) -> list[Kernel]:
    """Prepare all kernels for ratings (pairs × raters, NaN where a rater did not rate)."""
    return [kernel(ratings, level) for kernel in KERNELS]
