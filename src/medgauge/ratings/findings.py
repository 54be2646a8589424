"""The results of an analysis of agreement between annotators."""

import math
from collections import Counter
from typing import ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, model_validator

from medgauge.errors import InputError
from medgauge.estimate import CONFIDENCE, Estimate, undefined_sentences
from medgauge.ratings.ratings import Ratings
from medgauge.result import StoredResult
from medgauge.stats.raters.agreement_statistics import RELIABILITY, STATISTICS
from medgauge.stats.raters.variance.mean_reliability import MeanReliability
from medgauge.stats.settings import KappaDistance, Level
from medgauge.stored import Count, Number, StoredName

HEADLINES = {name: one.label for name, one in STATISTICS.items() if one.headline}
"""The overall figures that are also computed without an annotator: their names in JSON and in tables."""
OVERALL = {name: one.label for name, one in STATISTICS.items() if one.headline or name not in RELIABILITY}
"""All overall figures; an agreement has an estimate of each."""

_STRICT = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")
_NOT_RECORDED = "the file does not say why"
_NAMED = 5  # annotators in a note


class Figures(BaseModel):
    """The overall figures of a table of ratings; NaN is undefined.

    A declared statistic without a field here is kept as an extra one.
    """

    model_config = ConfigDict(frozen=True, extra="allow", ser_json_inf_nan="null")
    __pydantic_extra__: dict[str, Number] = Field(init=False)

    alpha: Number
    kendall_w: Number
    icc_c1: Number
    icc_ck: Number
    mean_rho: Number
    iaa_1: Number
    iaa_2: Number
    human_upper_bound: Number
    human_upper_bound_excluding_self: Number

    @model_validator(mode="after")
    def _only_declared(self) -> Self:
        unknown = sorted(set(self.__pydantic_extra__) - set(OVERALL))
        if unknown:
            raise ValueError(f"there is no statistic of agreement called {', '.join(unknown)}")
        return self

    def figure(self, name: str) -> float:
        """Return an overall figure by its name, NaN if it was not computed."""
        return float(getattr(self, name, math.nan))


class Reliability(BaseModel):
    """Kendall's W and the six ICC forms of McGraw and Wong, over `pairs` pairs of `panels` panels.

    `raters` is the number of ratings of each pair, None where panels differ in it. `intervals` has the
    interval of each of the other figures, by name, and `undefined` the reason for each that is NaN.
    """

    model_config = _STRICT

    pairs: int
    panels: int
    raters: int | None
    kendall_w: Number
    icc_1: Number
    icc_k: Number
    icc_c1: Number
    icc_ck: Number
    icc_a1: Number
    icc_ak: Number
    intervals: dict[str, tuple[Number, Number]]
    undefined: dict[str, str] = {}


class RatingVariances(BaseModel):
    """How far true values of pairs, annotators' offsets and the rest vary, by REML on all ratings.

    They are of `pairs` rated pairs, with a harmonic mean of `k` ratings each; `q` is the share of the
    variance of offsets that remains in the mean ratings, 0 if every annotator rated every pair.
    """

    model_config = _STRICT

    pair: Number
    annotator: Number
    residual: Number
    pairs: int
    k: Number
    q: Number


class AnnotatorFigures(BaseModel):
    """An annotator's figures: average agreement with each of the others, and ρ with their mean.

    `alpha`, `kappa*` and `rho` are averages over those who rated pairs in common; `rho` is the annotator's
    IAA-1, `rho_with_mean` their IAA-2. `group` is the number of their group, from 1.
    """

    model_config = _STRICT

    name: StoredName
    group: int
    ratings: int
    unsure: int
    mean: Number
    alpha: Number
    kappa: Number
    kappa_linear: Number
    kappa_quadratic: Number
    rho: Number
    rho_with_mean: Number


class Two(BaseModel):
    """The agreement of two annotators on the pairs that both rated."""

    model_config = _STRICT

    annotator_1: StoredName
    annotator_2: StoredName
    pairs: int
    alpha: Number
    kappa: Number
    kappa_linear: Number
    kappa_quadratic: Number
    rho: Number


class StandingOut(BaseModel):
    """An annotator whose IAA-1 is far below the rest, and the overall figures without them."""

    model_config = _STRICT

    name: StoredName
    iaa_1: Number
    median: Number
    score: Number | None
    without: Figures


class Consistency(BaseModel):
    """Pairs that all annotators rated, where they otherwise have their own: IAA-1 and α on these pairs."""

    model_config = _STRICT

    pairs: int
    iaa_1: Number
    alpha: Number


class Disagreement(BaseModel):
    """The mean standard deviation of a pair's ratings over the pairs of a subset, with its interval."""

    model_config = _STRICT

    subset: StoredName
    pairs: int
    mean_sd: Number
    low: Number
    high: Number


class Verdicts(BaseModel):
    """What annotators say of a set's pairs: how many have no majority, and how accurate its labels are.

    Accuracy, recall and precision compare the set's labels with the majority, with intervals; NaN if the set
    has no labels.
    """

    model_config = _STRICT

    set: str
    pairs: int
    without_truth: int
    alpha: Number
    accuracy: Number
    recall: Number
    precision: Number
    intervals: dict[str, tuple[Number, Number]]

    @property
    def share_without_truth(self) -> float:
        """The share of pairs without a majority."""
        return self.without_truth / self.pairs


class Agreement(StoredResult, Figures):
    """How well annotators agree: the overall figures, and what they are based on.

    `intervals` has the interval of each overall figure that has one, at the `confidence`, by name.
    `undefined` has the reason for each that is NaN. Those in `jackknifed` (figures of reliability are
    prefixed with `packed_` or `panel_`) are the jackknife's, the others the bootstrap's; `no_interval` has
    the reason for each defined figure without one. `over_annotators` has the intervals of some overall
    figures from leaving out one annotator at a time, or one of `annotator_blocks` blocks; `no_interval` has
    reasons for these too, prefixed with `over_annotators_`. `kappa_distance` is what the weights of κ go by.
    `variances` are what the overall ICC, G(q,k) and the ceiling are computed from, None if these are
    undefined, or if an earlier version wrote the file: its overall ICC are those of `packed`.
    `human_upper_bound` is ρ of the `best_annotator`. `packed` has each pair's ratings side by side in the
    order of the columns, `by_panel` is averaged over panels (annotators who rated the same pairs), weighted
    by their pairs. Where there is a `consistency` set, all figures of agreement but its own are over the
    other pairs. `standing_out` lists outlying annotators, who are not removed; if there are several,
    `without_all` has the figures without all of them. `by` names the column of `subsets`. `dropped` counts
    the pairs that an earlier gold standard left out because annotators disagreed.
    """

    _kind: ClassVar[str] = "agreement"

    name: StoredName
    level: Level
    scale: tuple[float, float] | None
    pairs: int
    rated: int
    rated_twice: int
    groups: int
    resamples: int
    seed: int
    left_out: list[str]
    mean_sd: Number
    intervals: dict[str, tuple[Number, Number]]
    jackknifed: list[str]
    best_annotator: StoredName | None
    best_annotator_excluding_self: StoredName | None
    packed: Reliability
    by_panel: Reliability
    annotators: list[AnnotatorFigures]
    pairwise: list[Two]
    consistency: Consistency | None
    standing_out: list[StandingOut]
    without_all: Figures | None
    by: str | None
    subsets: list[Disagreement]
    verdicts: list[Verdicts]
    confidence: float = CONFIDENCE
    undefined: dict[str, str] = {}
    dropped: int = 0
    g_qk: Number = math.nan
    ceiling: Number = math.nan
    variances: RatingVariances | None = None
    no_interval: dict[str, str] = {}
    over_annotators: dict[str, tuple[Number, Number]] = {}
    annotator_blocks: Count = 0
    kappa_distance: KappaDistance = "value"
    _ratings: Ratings | None = PrivateAttr(default=None)

    @property
    def ratings(self) -> Ratings:
        """The ratings that it was computed from; an agreement read from JSON does not have them."""
        if self._ratings is None:
            raise InputError(
                "an agreement does not store its ratings, which its plot shows; "
                "compute it again from the ratings with medgauge.agreement"
            )
        return self._ratings

    def hold(self, ratings: Ratings) -> None:
        """Keep the ratings that it was computed from, in memory only."""
        self._ratings = ratings

    @property
    def estimates(self) -> dict[str, Estimate]:
        """Each overall figure with its interval, the pairs it is based on, and why it is undefined.

        What an earlier version did not compute is not among them.
        """
        own_pairs = self.rated_twice - (0 if self.consistency is None else self.consistency.pairs)
        of_all = self.packed.pairs if self.variances is None else self.variances.pairs
        pairs = {"kendall_w": self.packed.pairs} | dict.fromkeys(MeanReliability.names, of_all)
        found = {}
        for name in OVERALL:
            if name in type(self).model_fields and name not in self.model_fields_set:
                continue
            value = self.figure(name)
            found[name] = Estimate(
                value,
                *self.intervals.get(name, (math.nan, math.nan)),
                self.confidence,
                pairs.get(name, own_pairs),
                self.undefined.get(name, _NOT_RECORDED) if math.isnan(value) else None,
            )
        return found

    @property
    def reasons(self) -> list[str]:
        """Why overall figures are undefined: a sentence for each reason, without its full stop."""
        found = {OVERALL[name]: one.undefined for name, one in self.estimates.items() if one.undefined}
        if "subsets" in self.undefined:
            found[f"disagreement by {self.by}"] = self.undefined["subsets"]
        return undefined_sentences(found)

    @property
    def notes(self) -> list[str]:
        """What else a reader must know about the figures: sentences without their full stops."""
        return [note for note in (self.dropped_note, self.unlinked_note) if note is not None]

    @property
    def dropped_note(self) -> str | None:
        """A sentence on the pairs that were dropped before, if any were."""
        if not self.dropped:
            return None
        return (
            f"{self.dropped:,} pairs were dropped from {self.name} because annotators disagreed: they agree "
            "more on the rest than on all pairs, whose agreement is in the card"
        )

    @property
    def unlinked_note(self) -> str | None:
        """A sentence on the annotators who share no pair with another, if any do."""
        members = Counter(one.group for one in self.annotators)
        names = [one.name for one in self.annotators if members[one.group] == 1]
        if not names or len(self.annotators) == 1:
            return None
        who = f"annotator{'' if len(names) == 1 else 's'} {', '.join(names[:_NAMED])}"
        more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        return f"{who}{more} rated no pair that another annotator rated, so their agreement is unknown"
