"""agreement: how well annotators agree, and how reliable their ratings are."""

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import numpy as np

from medgauge.arrays import Doubles, Positions
from medgauge.errors import CoverageWarning, InputError, UndefinedWarning, UnknownNameError
from medgauge.estimate import CONFIDENCE, check_confidence
from medgauge.pairs import Card
from medgauge.progress import track
from medgauge.ratings.disagreement import disagreement_by
from medgauge.ratings.findings import (
    OVERALL,
    Agreement,
    AnnotatorFigures,
    Consistency,
    Figures,
    StandingOut,
    Two,
)
from medgauge.ratings.overall import (
    estimate_agreement,
    estimate_over_raters,
    intervals_of,
    overall_figures,
    packed_reliability,
    panel_reliability,
    reasons_of,
)
from medgauge.ratings.ratings import Ratings, Scale
from medgauge.ratings.source import Source, read_ratings
from medgauge.ratings.verdicts import verdict_table
from medgauge.stats.raters.agreement_statistics import STATISTICS
from medgauge.stats.raters.alpha import check_level, krippendorff_alpha
from medgauge.stats.raters.compared import consistency_set, groups_of_raters
from medgauge.stats.raters.iaa import RaterAgreement, mean_of_defined, rater_agreement
from medgauge.stats.raters.outlying import outlying
from medgauge.stats.raters.pairwise import TwoRaters, agreement_of_two
from medgauge.stats.raters.resampled_agreement import LEFT_OUT
from medgauge.stats.raters.upper_bound import human_upper_bound
from medgauge.stats.raters.variance.mean_reliability import MOST_BLOCKS
from medgauge.stats.resampling.bootstrap import steps
from medgauge.stats.settings import MOST_RESAMPLES, RESAMPLES, KappaDistance, Level

FOR_DISAGREEMENT = ("no_majority", "too_much_disagreement")
"""The reasons for which a gold standard leaves out pairs because annotators disagree."""
_MOST_CATEGORIES = 10_000  # whole numbers of a scale
_AVERAGED = ("alpha", "kappa", "kappa_linear", "kappa_quadratic", "rho")


def agreement(
    ratings: Source,
    *,
    level: Level | None = None,
    without: Sequence[str] = (),
    annotators: Sequence[str] | None = None,
    not_rated: float | Sequence[float] = (),
    scale: Scale | None = None,
    term_1: str | None = None,
    term_2: str | None = None,
    pair_id: str | None = None,
    annotator: str | None = None,
    rating: str | None = None,
    header: bool = True,
    sheet: str | None = None,
    by: str | None = None,
    bins: int | Sequence[float] | None = None,
    attributes: str | Path | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    confidence: float = CONFIDENCE,
    kappa_distance: KappaDistance = "value",
) -> Agreement:
    """Measure how well annotators agree.

    `ratings` is a PairSet, the name of a published set, a table (CSV, TSV, Excel, OpenDocument, Parquet or a
    frame) with a column for each annotator or a row for each rating, or an array of pairs × annotators with
    NaN where there is no rating. The columns of a table are found by name or given: `annotators`, or
    `pair_id`, `annotator` and `rating`, with `term_1` and `term_2`. `level` is the level of measurement for
    α: by default "nominal" for verdicts, else "ordinal". `by`, with `bins` and `attributes`, splits the pairs
    into subsets. Intervals, at the `confidence`, are over resamples of the pairs. `kappa_distance` says what
    the weights of κ go by: the "value" of ratings, or the "index" of their categories. An UndefinedWarning
    names the figures that are undefined, each with its reason; a CoverageWarning says if disputed pairs had
    been dropped before.

    >>> import numpy as np
    >>> ratings = np.array([[0, 0, 1], [1, 2, 1], [3, 3, 3], [2, 3, 2], [0, 1, 0], [3, 2, 3]])
    >>> found = agreement(np.tile(ratings, (2, 1)), level="ordinal", resamples=99)
    >>> round(found.alpha, 2), round(found.icc_c1, 2), round(found.human_upper_bound, 2)
    (0.79, 0.81, 0.99)
    """
    read = read_ratings(
        ratings,
        annotators=annotators,
        not_rated=not_rated,
        scale=scale,
        term_1=term_1,
        term_2=term_2,
        pair_id=pair_id,
        annotator=annotator,
        rating=rating,
        header=header,
        sheet=sheet,
    )
    found = find_agreement(
        read.without(without),
        level=level,
        left_out=[without] if isinstance(without, str) else without,
        by=by,
        bins=bins,
        attributes=attributes,
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        kappa_distance=kappa_distance,
    )
    warn_of(found)
    return found


def warn_of(found: Agreement, *, stacklevel: int = 3) -> None:
    """Warn about undefined figures of an agreement, and about pairs that had been dropped before."""
    if found.dropped_note:
        warnings.warn(found.dropped_note, CoverageWarning, stacklevel=stacklevel)
    if found.unlinked_note:
        warnings.warn(found.unlinked_note, UndefinedWarning, stacklevel=stacklevel)
    if found.reasons:
        warnings.warn("; ".join(found.reasons), UndefinedWarning, stacklevel=stacklevel)


def find_agreement(
    ratings: Ratings,
    *,
    level: Level | None = None,
    left_out: Sequence[str] = (),
    by: str | None = None,
    bins: int | Sequence[float] | None = None,
    attributes: str | Path | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    confidence: float = CONFIDENCE,
    kappa_distance: KappaDistance = "value",
) -> Agreement:
    """Measure how well annotators agree, given their ratings; `left_out` is only recorded.

    This does not warn: the agreement itself says what is undefined, and what else a reader must know.
    """
    if not 1 <= resamples <= MOST_RESAMPLES:
        raise InputError(f"resamples must be between 1 and {MOST_RESAMPLES:,}, not {resamples:,}")
    check_confidence(confidence)
    level = level or ("nominal" if ratings.verdicts else "ordinal")
    check_level(level, ratings.values)
    if kappa_distance not in get_args(KappaDistance):
        raise UnknownNameError("kappa_distance", kappa_distance, get_args(KappaDistance))
    subsets = []
    if by is not None:
        subsets = disagreement_by(ratings, by, bins=bins, attributes=attributes, confidence=confidence)
    shared = consistency_set(ratings.values)
    own = ratings.of_pairs(~shared)
    groups = groups_of_raters(own.values)
    count = steps(len(own), resamples, most_left_out=LEFT_OUT) + min(len(own), MOST_BLOCKS)
    with track("resampling", count) as advance:
        overall = estimate_agreement(
            own.values, level, resamples=resamples, seed=seed, confidence=confidence, advance=advance
        )
    estimates = {name: overall.estimates[STATISTICS[name].figure] for name in OVERALL}
    undefined = reasons_of(estimates)
    if by is not None and not subsets:
        undefined["subsets"] = "no pair has two ratings"
    over_raters = estimate_over_raters(own.values, level, confidence=confidence)
    without_interval = {f"over_annotators_{name}": why for name, why in over_raters.no_interval.items()}
    pairwise = agreement_of_two(
        own.values, level=level, kappa_distance=kappa_distance, categories=_categories(ratings)
    )
    bound = human_upper_bound(own.values)
    in_groups = rater_agreement(own.values)
    on_shared = rater_agreement(ratings.values[shared]) if shared.any() else None
    standing_out = _standing_out(own, (on_shared or in_groups).with_each, level)
    names = [one.name for one in standing_out]
    found = Agreement(
        **{name: one.value for name, one in estimates.items()},
        name=ratings.card.name,
        level=level,
        scale=ratings.scale,
        pairs=len(ratings),
        rated=int(np.count_nonzero(ratings.counts)),
        rated_twice=int(np.count_nonzero(ratings.counts > 1)),
        groups=len(groups),
        resamples=resamples,
        seed=seed,
        left_out=list(left_out),
        intervals=intervals_of(estimates),
        jackknifed=overall.jackknifed,
        best_annotator=_name(ratings, bound.with_own_rater),
        best_annotator_excluding_self=_name(ratings, bound.without_own_rater),
        packed=packed_reliability(own.values, level, overall),
        by_panel=panel_reliability(own.values, level, overall),
        annotators=_annotators(ratings, groups, in_groups, pairwise),
        pairwise=[_named(two, ratings.annotators) for two in pairwise],
        consistency=None
        if on_shared is None
        else Consistency(
            pairs=int(shared.sum()),
            iaa_1=on_shared.iaa_1.value,
            alpha=krippendorff_alpha(ratings.values[shared], level=level).value,
        ),
        standing_out=standing_out,
        without_all=_figures_without(own, names, level) if len(names) > 1 else None,
        by=by,
        subsets=subsets,
        verdicts=verdict_table(ratings, confidence=confidence) if ratings.verdicts else [],
        confidence=confidence,
        undefined=undefined,
        variances=overall.variances,
        dropped=_dropped(ratings.card),
        no_interval=overall.no_interval | without_interval,
        over_annotators=over_raters.intervals,
        annotator_blocks=over_raters.blocks,
        kappa_distance=kappa_distance,
    )
    found.hold(ratings)
    return found


def _name(ratings: Ratings, rater: int | None) -> str | None:
    return None if rater is None else ratings.annotators[rater]


def _categories(ratings: Ratings) -> Doubles | None:
    """Return all whole numbers of the scale if only those are rated, else None: any that occur."""
    given = ratings.values[~np.isnan(ratings.values)]
    if ratings.scale is None or (given != given.round()).any() or np.ptp(ratings.scale) > _MOST_CATEGORIES:
        return None
    low, high = ratings.scale
    return np.arange(math.ceil(low), math.floor(high) + 1.0)


def _dropped(card: Card) -> int:
    """Count the pairs that were dropped because annotators disagreed, by the card of a gold standard."""
    count, build = 0, card.build
    while build:
        count += sum(build.get("pairs_dropped", {}).get(reason, 0) for reason in FOR_DISAGREEMENT)
        build = build.get("made_of") or {}
    return count


def _named(two: TwoRaters, names: Sequence[str]) -> Two:
    figures = {name: getattr(two, name) for name in ("pairs", *_AVERAGED)}
    return Two(annotator_1=names[two.first], annotator_2=names[two.second], **figures)


def _annotators(
    ratings: Ratings,
    groups: Sequence[Positions],
    in_groups: RaterAgreement,
    pairwise: Sequence[TwoRaters],
) -> list[AnnotatorFigures]:
    """Return each annotator's averages over the others."""
    group_of = {int(rater): number for number, raters in enumerate(groups, 1) for rater in raters}
    of_rater: list[list[TwoRaters]] = [[] for _ in ratings.annotators]
    for two in pairwise:
        of_rater[two.first].append(two)
        of_rater[two.second].append(two)
    found = []
    for rater, name in enumerate(ratings.annotators):
        given = ratings.values[:, rater]
        averages = {
            figure: mean_of_defined(np.array([getattr(two, figure) for two in of_rater[rater]]))
            for figure in _AVERAGED
        }
        found.append(
            AnnotatorFigures(
                name=name,
                group=group_of[rater],
                ratings=int(np.count_nonzero(~np.isnan(given))),
                unsure=int(ratings.unsure[:, rater].sum()),
                mean=mean_of_defined(given),
                **averages,
                rho_with_mean=float(in_groups.with_mean[rater]),
            )
        )
    return found


def _standing_out(own: Ratings, iaa_1: Doubles, level: Level) -> list[StandingOut]:
    """Return the annotators whose IAA-1 is far below the rest, with the figures without them."""
    found = []
    for one in outlying(iaa_1):
        name = own.annotators[one.rater]
        found.append(
            StandingOut(
                name=name,
                iaa_1=one.agreement,
                median=one.median,
                score=None if math.isinf(one.score) else one.score,
                without=_figures_without(own, [name], level),
            )
        )
    return found


def _figures_without(own: Ratings, names: Sequence[str], level: Level) -> Figures:
    return overall_figures(own.without(names).values, level)
