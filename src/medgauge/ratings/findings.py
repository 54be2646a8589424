"""What is found of the agreement between annotators."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from medgauge.errors import InputError
from medgauge.ratings.ratings import Ratings
from medgauge.result import StoredResult
from medgauge.stats.settings import Level
from medgauge.stored import Number

HEADLINES = {
    "alpha": "Krippendorff's α",
    "kendall_w": "Kendall's W",
    "icc_c1": "ICC(C,1)",
    "icc_ck": "ICC(C,k)",
    "mean_rho": "mean ρ of each two annotators",
    "iaa_1": "IAA-1",
    "iaa_2": "IAA-2",
    "human_upper_bound": "human upper bound",
    "human_upper_bound_excluding_self": "human upper bound, own rating excluded",
}
"""The overall figures, as they are called in JSON and in tables."""

_STRICT = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")


class Figures(BaseModel):
    """The overall figures of a table of ratings; what is undefined is NaN."""

    model_config = _STRICT

    alpha: Number
    kendall_w: Number
    icc_c1: Number
    icc_ck: Number
    mean_rho: Number
    iaa_1: Number
    iaa_2: Number
    human_upper_bound: Number
    human_upper_bound_excluding_self: Number


class Reliability(BaseModel):
    """Kendall's W and the six ICC forms of McGraw and Wong, over `pairs` pairs of `panels` panels.

    `raters` are the ratings of each pair, None where panels differ in that. `intervals` has the 95% interval
    of each of the other figures, by its name.
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


class AnnotatorFigures(BaseModel):
    """An annotator's figures: averages over the others of the agreement with each, and ρ with their mean.

    `alpha`, `kappa*` and `rho` are averages over those who rated pairs in common; `rho` is the annotator's
    IAA-1, `rho_with_mean` their IAA-2. `group` is the number of their group, from 1.
    """

    model_config = _STRICT

    name: str
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
    """How far two annotators agree on the pairs that both rated."""

    model_config = _STRICT

    annotator_1: str
    annotator_2: str
    pairs: int
    alpha: Number
    kappa: Number
    kappa_linear: Number
    kappa_quadratic: Number
    rho: Number


class StandingOut(BaseModel):
    """An annotator whose IAA-1 is far under the rest, and the overall figures without them."""

    model_config = _STRICT

    name: str
    iaa_1: Number
    median: Number
    score: Number | None
    without: Figures


class Consistency(BaseModel):
    """Pairs that all annotators rated, where they else have pairs of their own: IAA-1 and α on these."""

    model_config = _STRICT

    pairs: int
    iaa_1: Number
    alpha: Number


class Disagreement(BaseModel):
    """The mean standard deviation of a pair's ratings over the pairs of a subset, with its interval."""

    model_config = _STRICT

    subset: str
    pairs: int
    mean_sd: Number
    low: Number
    high: Number


class Verdicts(BaseModel):
    """What annotators say of a set's pairs: how many have no majority, and how right its labels are.

    Accuracy, recall and precision hold the set's labels against the majority, with 95% intervals; NaN where
    the set has no labels.
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
    """How far annotators agree: the overall figures, and what they rest on.

    `intervals` has the 95% interval of each overall figure and of `mean_sd`, by its name; an undefined one
    is left out. Those in `jackknifed` (with `packed_` and `panel_` before the figures of reliability) are the
    jackknife's, the others the bootstrap's. `best_annotator` reaches the human upper bound. `packed` has each
    pair's ratings side by side in the order of the columns, `by_panel` is averaged over panels (annotators
    who rated the same pairs), weighed by their pairs. Where there is a `consistency` set, all figures of
    agreement but its own are over the other pairs. `standing_out` names annotators whom nobody removed; with
    several, `without_all` has the figures without all of them. `by` names the column of `subsets`.
    """

    _kind: ClassVar[str] = "agreement"

    name: str
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
    best_annotator: str | None
    best_annotator_excluding_self: str | None
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
    _ratings: Ratings | None = None

    @property
    def ratings(self) -> Ratings:
        """The ratings that it was computed from; an agreement that was read from JSON does not have them."""
        if self._ratings is None:
            raise InputError(
                "an agreement does not store its ratings, which its plot shows; "
                "compute it again from the ratings with medgauge.agreement"
            )
        return self._ratings

    def hold(self, ratings: Ratings) -> None:
        """Keep the ratings that it was computed from, in memory only."""
        self._ratings = ratings
