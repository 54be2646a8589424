"""Gold standards: sets of pairs with the mean of their ratings, or the majority of their verdicts."""

import json
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
import polars as pl

from medgauge.arrays import Doubles, Flags, Integers
from medgauge.errors import CoverageWarning, InputError, option
from medgauge.estimate import CONFIDENCE
from medgauge.pairs import Card, PairSet
from medgauge.ratings.agreement import find_agreement, warn_of
from medgauge.ratings.findings import HEADLINES, Agreement
from medgauge.ratings.overall import estimate_reliability
from medgauge.ratings.ratings import Ratings, Scale, check_scale
from medgauge.ratings.source import Source, read_ratings
from medgauge.ratings.storage import PLANNED, STUDY
from medgauge.result import Result
from medgauge.rounding import without_noise
from medgauge.stats.raters.majority import majority
from medgauge.stats.raters.variance.mean_reliability import reliability_of_means
from medgauge.stats.settings import RESAMPLES, Level

REASONS = {
    "no_rating": "without a rating",
    "too_few_ratings": "with too few ratings",
    "no_majority": "without a majority",
    "too_much_disagreement": "with too much disagreement",
}
"""Why a rated pair is not in the gold standard, in the order in which the reasons are checked."""

_MADE = "Made by medgauge gold: "
_DIGITS = 6  # digits of the agreement in the card


@dataclass(frozen=True, repr=False)
class Gold(Result):
    """A gold standard, and how many rated pairs are not in it, each counted under the first reason.

    Store it with `gold.pairs.save("gold.parquet")`; the pairs are in `gold.pairs.frame`.
    """

    _kind: ClassVar[str] = "gold"

    pairs: PairSet
    dropped: dict[str, int]

    @property
    def single_note(self) -> str | None:
        """A sentence on the pairs whose gold is a single rating, without its full stop; None without any."""
        single = self.pairs.card.build["ratings_per_pair"].get("1", 0)
        if not single:
            return None
        of = f"{single:,} of the {len(self.pairs):,} pairs of {self.pairs.card.name}"
        left_out = f"{option('min_ratings', 2)} leaves such pairs out"
        return f"the {self.pairs.target} of {of} is a single rating; {left_out}"

    def described(self) -> dict[str, Any]:
        """Return a description that contains no terms, as plain values."""
        card = self.pairs.card
        from_build = (
            *("annotators", "without", "ratings_scale", "min_ratings", "ratings_per_pair"),
            *("agreement", "reliability"),
        )
        return {
            "name": card.name,
            "pairs": len(self.pairs),
            "dropped": self.dropped,
            "target": self.pairs.target,
            "scale": card.scale,
            **{name: card.build.get(name) for name in from_build},
            "digest": self.pairs.digest,
        }

    def to_json(self) -> str:
        """Return the description as JSON, without the pairs."""
        return json.dumps(self.described(), ensure_ascii=False, indent=2) + "\n"


def gold(
    ratings: Source,
    *,
    to_scale: Scale | None = None,
    without: Sequence[str] = (),
    min_ratings: int | None = None,
    max_disagreement: float | None = None,
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
    language: str | None = None,
    name: str | None = None,
    level: Level | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    confidence: float = CONFIDENCE,
) -> Gold:
    """Make a gold standard from ratings, with the agreement of the annotators in its card.

    `ratings`, the columns and how they are read, `level`, `resamples`, `seed` and `confidence` are as in
    `agreement`, the other parameters as in `make_gold`. `name` and `language` (of the terms, "de") are for
    the card; by default the set is named after the ratings. The agreement is over all rated pairs, so that
    dropping those with much disagreement does not raise it. A CoverageWarning says how many pairs have only
    one rating.

    >>> terms = {"term_1": ["flu", "gout"] * 6, "term_2": ["influenza", "asthma"] * 6}
    >>> rated = {"rater_A": [6, 0] * 6, "rater_B": [6, 3] * 6, "rater_C": [6, 0] * 6}
    >>> made = gold(pl.DataFrame(terms | rated), scale=(0, 6), to_scale=(0, 10), resamples=99)
    >>> made.pairs.frame.select("term_1", "gold", "rater_B").head(2).rows()
    [('flu', 10.0, 6.0), ('gout', 1.666666666667, 3.0)]
    """
    without = [without] if isinstance(without, str) else without
    given = read_ratings(
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
        language=language,
    ).without(without)
    if name is not None:
        given = replace(given, card=given.card.renamed(name))
    make = partial(
        make_gold,
        given,
        to_scale=to_scale,
        min_ratings=min_ratings,
        max_disagreement=max_disagreement,
        without=without,
    )
    make()  # fails early, before the slow agreement
    found = find_agreement(
        given, level=level, left_out=without, resamples=resamples, seed=seed, confidence=confidence
    )
    warn_of(found)
    made = make(agreement=found)
    if made.single_note:
        warnings.warn(made.single_note, CoverageWarning, stacklevel=2)
    return made


def make_gold(
    ratings: Ratings,
    *,
    to_scale: Scale | None = None,
    min_ratings: int | None = None,
    max_disagreement: float | None = None,
    agreement: Agreement | None = None,
    without: Sequence[str] = (),
) -> Gold:
    """Make a gold standard from ratings: the mean of each pair's ratings, or the majority of its verdicts.

    Means are rescaled linearly from the scale of the ratings to `to_scale`, if it is given. Verdicts become
    labels; a pair without a `majority` (in which "don't know" counts as an answer) has none. Pairs with fewer
    than `min_ratings` ratings are dropped: by default 2 if the ratings are of a study that planned several
    for each pair, else 1. So are those whose ratings have a standard deviation above `max_disagreement`; a
    single rating has no deviation. The ratings are kept as given, in columns
    `rater_NAME`, with `unsure_NAME` for annotators who ever answered "don't know". A label that the pairs had
    before is kept as `label_in_set`, a gold score as `gold_before`. The card says how the set was made, with
    the `agreement` (on all rated pairs), with it the reliability of the gold scores, and the annotators left
    out before (`without`).

    Reference: Chiu et al. (2018), Bio-SimVerb and Bio-SimLex, "Inter-rater reliability" (means, rescaled);
    Schulz and Juric (2020), section 3.3 (majority).
    """
    if min_ratings is None:
        min_ratings = 2 if _planned(ratings.card) > 1 else 1
    _check(ratings, to_scale, min_ratings, max_disagreement)
    target = majority(ratings.values, ratings.unsure) if ratings.verdicts else _means(ratings, to_scale)
    kept, dropped = _sift(
        {
            "no_rating": ratings.counts == 0,
            "too_few_ratings": ratings.counts < min_ratings,
            "no_majority": np.isnan(target),
            # Rounded, so that a rounding error drops no pair.
            "too_much_disagreement": ratings.deviations.round(9)
            > (math.inf if max_disagreement is None else max_disagreement),
        }
    )
    if not kept.any():
        reasons = ", ".join(f"{count} {REASONS[reason]}" for reason, count in dropped.items())
        if "too_few_ratings" in dropped:
            reasons += f" ({option('min_ratings', min_ratings)})"
        raise InputError(
            f"no pair of {ratings.named} is left for a gold standard: {reasons or 'it has no pairs'}"
        )
    build = {
        "annotators": list(ratings.annotators),
        "without": list(without),
        "ratings_scale": None if ratings.scale is None else list(ratings.scale),
        "min_ratings": min_ratings,
        "max_disagreement": max_disagreement,
        "pairs_dropped": dropped,
        "ratings_per_pair": _tallied(ratings.counts[kept]),
        "agreement": None if agreement is None else _in_card(agreement),
        "reliability": None if agreement is None else _reliability(ratings, kept, agreement),
        "made_of": _gold_before(ratings.card),
    }
    frame = _frame(ratings, target).filter(kept)
    return Gold(PairSet(frame, _card(ratings, to_scale, build)), dropped)


def _check(
    ratings: Ratings, to_scale: Scale | None, min_ratings: int, max_disagreement: float | None
) -> None:
    """Check the parameters before any work is done."""
    ratings.require_terms()
    if min_ratings < 1:
        raise InputError(f"a pair needs at least one rating; min_ratings cannot be {min_ratings}")
    if max_disagreement is not None and not 0 <= max_disagreement < math.inf:
        raise InputError(f"max_disagreement is a standard deviation and cannot be {max_disagreement:g}")
    if to_scale is None:
        return
    if ratings.verdicts:
        raise InputError("verdicts become the labels 0 and 1, and cannot be rescaled")
    if ratings.scale is None:
        raise InputError(
            "the scale of the ratings is unknown; give it too, such as "
            f"{option('scale', (0, 6), flag='--scale 0-6:0-10')}"
        )
    check_scale(to_scale)


def _means(ratings: Ratings, to_scale: Scale | None) -> Doubles:
    if to_scale is None or ratings.scale is None:
        return ratings.means
    (low, high), (new_low, new_high) = ratings.scale, to_scale
    scaled: Doubles = new_low + (ratings.means - low) / (high - low) * (new_high - new_low)
    return without_noise(scaled)


def _sift(reasons: dict[str, Flags]) -> tuple[Flags, dict[str, int]]:
    """Return the pairs that no reason drops, and how many each drops, counting the first that holds."""
    first = np.select(list(reasons.values()), list(reasons), "")
    counts = {reason: int(np.count_nonzero(first == reason)) for reason in reasons}
    return first == "", {reason: count for reason, count in counts.items() if count}


def _frame(ratings: Ratings, target: Doubles) -> pl.DataFrame:
    frame = ratings.pairs
    # Columns of annotators who were left out.
    frame = frame.drop([name for name in frame.columns if name.lower().startswith("rater_")])
    if "gold" in frame.columns:
        frame = frame.drop("gold_before", strict=False).rename({"gold": "gold_before"})
    if "label" in frame.columns and "label_in_set" not in frame.columns:
        frame = frame.rename({"label": "label_in_set"})
    elif ratings.verdicts and "label_in_set" not in frame.columns:
        # This marks the labels as the annotators' own, which are not compared with their verdicts later.
        frame = frame.with_columns(pl.lit(None, pl.Int8).alias("label_in_set"))
    first = ["pair_id", "term_1", "term_2"]
    gold = pl.Series("label" if ratings.verdicts else "gold", target, nan_to_null=True)
    return frame.select(
        *first,
        gold.cast(pl.Int8) if ratings.verdicts else gold,
        pl.exclude([*first, "label"]),
    ).with_columns(ratings.columns)


def _card(ratings: Ratings, to_scale: Scale | None, build: dict[str, Any]) -> Card:
    """Write the card of a gold standard: what the pairs' card said, and how the gold was made."""
    card = ratings.card
    count = len(ratings.annotators)
    by = f"{count} annotator{'' if count == 1 else 's'}"
    if ratings.verdicts:
        made = f"the labels are the majority of the verdicts of {by}; pairs without one are left out."
    elif to_scale is None or ratings.scale is None:
        made = f"the gold scores are the mean ratings of {by}."
    else:
        scales = f"from {_shown(ratings.scale)} to {_shown(to_scale)}"
        made = f"the gold scores are the mean ratings of {by}, scaled linearly {scales}."
    # What an earlier gold standard of these pairs said of itself no longer holds.
    before = card.description.partition(_MADE)[0].rstrip()
    of_pairs = {key: value for key, value in card.build.items() if key not in build}
    return card.model_copy(
        update={
            "scale": to_scale or ratings.scale,
            "description": f"{before} {_MADE}{made}".lstrip(),
            "build": of_pairs | {key: value for key, value in build.items() if value is not None},
        }
    )


def _gold_before(card: Card) -> dict[str, Any] | None:
    """Return what the card says of the gold standard that this one is made from, if any."""
    kept = (
        "without",
        "min_ratings",
        "max_disagreement",
        "pairs_dropped",
        "agreement",
        "reliability",
        "made_of",
    )
    return {name: card.build[name] for name in kept if name in card.build} or None


def _in_card(agreement: Agreement) -> dict[str, Any]:
    """Return the overall figures with their intervals, and what they depend on, as plain values."""
    intervals = {
        name: [_rounded(end) for end in agreement.intervals[name]]
        for name in HEADLINES
        if name in agreement.intervals
    }
    return {
        "level": agreement.level,
        **{name: _rounded(agreement.figure(name)) for name in HEADLINES},
        "intervals": intervals,
        "confidence": agreement.confidence,
        **({"undefined": agreement.undefined} if agreement.undefined else {}),
        "resamples": agreement.resamples,
        "seed": agreement.seed,
    }


def _planned(card: Card) -> int:
    """Return how many ratings of each pair were planned, by the card of a study's export; 0 if unknown."""
    study = card.build.get(STUDY)
    planned = study.get(PLANNED, study.get("per_pair", 0)) if isinstance(study, dict) else 0
    return planned if isinstance(planned, int) else 0


def _tallied(counts: Integers) -> dict[str, int]:
    """Return how many pairs have each number of ratings."""
    numbers, pairs = np.unique(counts, return_counts=True)
    return {str(number): pair for number, pair in zip(numbers.tolist(), pairs.tolist(), strict=True)}


def _reliability(ratings: Ratings, kept: Flags, agreement: Agreement) -> dict[str, Any] | None:
    """Return how reliable the gold scores of the kept pairs are, and the ceiling of a model, as plain values.

    Labels have none: they are not means.
    """
    if ratings.verdicts:
        return None
    kernel = reliability_of_means(ratings.values, kept)
    rng = np.random.default_rng(agreement.seed)
    found = estimate_reliability(kernel, rng=rng, confidence=agreement.confidence).estimates
    shown = {name: found[name] for name in ("g_qk", "ceiling")}
    undefined = found["g_qk"].undefined
    return {
        **{name: _rounded(one.value) for name, one in shown.items()},
        "intervals": {
            name: [_rounded(end) for end in one.interval]
            for name, one in shown.items()
            if not math.isnan(one.low)
        },
        "k": _rounded(kernel.design.k),
        "q": _rounded(kernel.design.q),
        **({} if undefined is None else {"undefined": undefined}),
    }


def _rounded(figure: float) -> float | None:
    return None if math.isnan(figure) else round(float(figure), _DIGITS)


def _shown(scale: Scale) -> str:
    return f"{scale[0]:g}–{scale[1]:g}"
