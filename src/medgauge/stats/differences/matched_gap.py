"""The gap between cases and the controls that are matched with them, with bootstrap intervals."""

from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.stats.resampling.bca import Bca
from medgauge.stats.resampling.bootstrap import Weights, resample
from medgauge.stats.resampling.jackknife import FEWEST_UNITS


@dataclass(frozen=True)
class MatchedGap:
    """The mean of the cases, of their matched controls, and by how much the controls' is higher."""

    cases: Estimate
    controls: Estimate
    gap: Estimate


def matched_gap(
    cases: Doubles,
    controls: Doubles,
    *,
    rng: np.random.Generator,
    resamples: int,
    confidence: float = CONFIDENCE,
) -> MatchedGap:
    """Estimate means of cases and matched controls, and the gap between them, from n matched groups.

    `cases` has a value x of each case, `controls` the mean y of the controls that are matched with it, drawn
    once each, so that groups are independent. The gap is the mean of y − x. Intervals are those of the BCa
    bootstrap over the groups: a case stays with its controls.

    Without a case, all are undefined. There is no interval, but a reason, for fewer than 5 groups, and for a
    mean that is the same on every resample.

    Reference: Rosenbaum (2002). Observational Studies, chapter 10; Efron (1987), as in `Bca`.

    >>> cases, controls = np.array([0.0, 0, 1, 0, 1, 0]), np.array([1.0, 0.5, 1, 0, 1, 1])
    >>> found = matched_gap(cases, controls, rng=np.random.default_rng(0), resamples=999)
    >>> round(found.cases.value, 3), found.controls.value, round(found.gap.value, 3)
    (0.333, 0.75, 0.417)
    """
    columns = np.column_stack([cases, controls, controls - cases])
    groups = len(columns)
    if not groups:
        nothing = Estimate(confidence=confidence, undefined="there are no matched groups")
        return MatchedGap(nothing, nothing, nothing)
    means = columns.mean(axis=0)
    if groups < FEWEST_UNITS:
        reason = f"fewer than {FEWEST_UNITS} groups"
        return MatchedGap(
            *(Estimate(float(one), confidence=confidence, n=groups, no_interval=reason) for one in means)
        )

    def compute(weights: Weights, rows: Doubles) -> None:
        used = weights[:, : len(rows)].astype(np.float64)
        # Not by BLAS, whose sums depend on the number of threads.
        rows[:] = np.einsum("gf,gr->rf", columns, used) / used.sum(axis=0)[:, None]

    drawn = resample(compute, np.arange(groups), figures=3, resamples=resamples, rng=rng)

    def estimate(place: int) -> Estimate:
        boot = Bca.of(float(drawn.whole[place]), drawn.resamples[:, place], drawn.jackknife[:, place])
        low, high = boot.interval(1 - confidence)
        reason = "it is the same on every resample" if np.isnan(low) else None
        return Estimate(float(means[place]), low, high, confidence, groups, no_interval=reason)

    return MatchedGap(estimate(0), estimate(1), estimate(2))
