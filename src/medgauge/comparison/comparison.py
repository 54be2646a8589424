"""The results of a comparison."""

import math
from itertools import combinations
from typing import Annotated, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from medgauge.comparison.outcome import SHARED
from medgauge.comparison.scope import By, Dependence, TestFamily
from medgauge.errors import quoted
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.evaluation.contamination import Contamination
from medgauge.evaluation.figures import Metric
from medgauge.measures.declared import MEASURES
from medgauge.result import StoredResult
from medgauge.stats.settings import Correction
from medgauge.stored import Count, Number, StoredConfidence, StoredDifference, StoredName, StoredReason

_Positive = Annotated[int, Field(ge=1, le=2**53)]
_Level = Annotated[float, Field(gt=0, lt=1)]
_Known = TypeVar("_Known")
_Sometimes = Annotated[_Known | None, Field(exclude_if=lambda value: value is None)]
"""A field that is not written where it is None."""


class System(BaseModel):
    """A model with a measure: its figure with an interval, its rank, and its wins and losses.

    Systems that share one of the `letters` cannot be told apart. `confidence` is that of the intervals of the
    figure and of the rank.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    measure: StoredName
    value: Number
    low: Number
    high: Number
    rank: _Positive
    rank_low: _Positive
    rank_high: _Positive
    letters: StoredName
    wins: Count
    losses: Count
    confidence: StoredConfidence = CONFIDENCE
    _pairs: int = 0

    @property
    def estimate(self) -> Estimate:
        """The figure as an estimate, on the pairs of the contest."""
        return Estimate(self.value, self.low, self.high, self.confidence, self._pairs)


class Difference(StoredDifference):
    """The first system's figure minus the second's, with the interval at the contest's level.

    `p_adjusted` is to be compared with the comparison's alpha. `floored` says that p is the smallest that
    the test can give, and `no_interval` why the interval is refused. The two are shown to differ by less than
    `margin`: two one-sided tests at α, not corrected for the number of tests, or the larger end, in size, of
    the interval at level 2 α. `detectable` is the difference that would be significant, after correction, in
    80% of samples like this one.
    """

    floored: Annotated[bool, Field(exclude_if=lambda value: not value)] = False
    no_interval: StoredReason = None
    margin: Annotated[Number, Field(exclude_if=math.isnan)] = math.nan
    detectable: Annotated[Number, Field(exclude_if=math.isnan)] = math.nan
    _level: float = 1 - CONFIDENCE
    _pairs: int = 0

    @property
    def estimate(self) -> Estimate:
        """The difference as an estimate, with the interval at the contest's level."""
        return Estimate(
            self.value, self.low, self.high, 1 - self._level, self._pairs, no_interval=self.no_interval
        )


class OtherWinner(BaseModel):
    """A model with its best measure whose figure on a set is the highest of all models and measures."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    measure: StoredName
    value: Number


class Contest(BaseModel):
    """Systems that are compared with one another on one set by one metric.

    `model` is set where the measures of one model are compared. `tests` counts the whole family that was
    corrected for, `level` is that of each difference's interval, `resamples` the number of swaps of the test
    with the most, if it swaps (in version 0.1.0 of bootstrap resamples, of which `beyond` says how many lie
    beyond an end of an interval). `concepts` is the number of different concepts of the pairs, if known, and
    `error_ratio` the lowest and the highest ratio of a difference's standard error, where pairs that share a
    concept are dependent, to that of independent pairs. `most_edits` is the Levenshtein distance by which the
    set's positives were chosen, if they were. `untested` says why a p-value is undefined,
    `left_out` why a system has no figure and is not compared. `other_winner` is set where a run's table,
    if it shows each model's best measure, has another model on top.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    dataset: StoredName
    metric: Metric
    model: StoredName | None
    pairs: Count
    groups: _Positive | None
    test: StoredName
    resamples: _Positive | None
    beyond: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    concepts: _Sometimes[_Positive] = None
    error_ratio: _Sometimes[tuple[Number, Number]] = None
    most_edits: _Sometimes[_Positive] = None
    tests: _Positive
    level: _Level
    systems: list[System]
    differences: list[Difference]
    untested: StoredReason = None
    left_out: Annotated[dict[str, str], Field(exclude_if=lambda value: not value)] = {}
    other_winner: Annotated[OtherWinner | None, Field(exclude_if=lambda value: value is None)] = None

    def model_post_init(self, _context: object) -> None:
        """Pass the number of pairs and the level on to systems and differences, for their estimates."""
        for system in self.systems:
            system._pairs = self.pairs
        for difference in self.differences:
            difference._pairs, difference._level = self.pairs, self.level

    def flaw(self) -> str | None:
        """Return what contradicts that every two systems were compared, None if nothing does."""
        if len(self.systems) < 2:
            return "has fewer than two systems"
        if any(system.measure not in MEASURES for system in self.systems):
            unknown = next(system.measure for system in self.systems if system.measure not in MEASURES)
            return f"has no known measure {quoted(unknown)}"
        ranks = [system.rank for system in self.systems]
        if ranks[0] != 1 or ranks != sorted(ranks) or any(math.isnan(one.value) for one in self.systems):
            return "does not have its systems from best to worst"
        if self.model is not None and {system.model for system in self.systems} != {self.model}:
            return "has another model than the one whose measures are compared"
        names = [system.model if self.model is None else system.measure for system in self.systems]
        if len(set(names)) < len(names):
            return "has a system twice"
        systems = [(system.model, system.measure) for system in self.systems]
        wanted = {frozenset(two) for two in combinations(systems, 2)}
        found = [
            frozenset({(one.model_1, one.measure_1), (one.model_2, one.measure_2)})
            for one in self.differences
        ]
        if len(found) != len(wanted) or set(found) != wanted:
            return "lacks the difference of two systems"
        if any(one.significant and not math.isfinite(one.value + one.p_adjusted) for one in self.differences):
            return "has a significant difference without a p-value"
        return None

    @property
    def shares_concepts(self) -> bool:
        """Whether its tests allow for pairs that share a concept."""
        return SHARED in self.test

    @property
    def can_find(self) -> bool:
        """Whether there are enough swaps for any difference to be significant."""
        return self.resamples is None or 1 / (self.resamples + 1) < self.level


class Spread(BaseModel):
    """The lowest, median and highest figure of a model on a set over its measures.

    `lowest` and `highest` are the measures with these figures; results of version 0.1.0 do not name them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    dataset: StoredName
    metric: Metric
    measures: Count
    low: Number
    median: Number
    high: Number
    lowest: Annotated[str, Field(exclude_if=lambda value: not value)] = ""
    highest: Annotated[str, Field(exclude_if=lambda value: not value)] = ""


class Comparison(StoredResult):
    """Contests, each with its systems from best to worst, and how they were decided.

    `chosen_on_test_data` says that each model has the measure that is best on the same pairs. `spreads` is
    filled where measures are compared. `contamination` has the models that were trained on what a set was
    made of.
    """

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null")
    _kind: ClassVar[str] = "comparison"

    by: By
    alpha: _Level
    correction: Correction
    family: TestFamily
    clustered_by: StoredName | None
    dependence: Annotated[Dependence, Field(exclude_if=lambda value: value == "independent")] = "independent"
    chosen_on_test_data: bool
    seed: int
    contests: list[Contest]
    spreads: list[Spread]
    contamination: list[Contamination] = Field(default=[], exclude_if=lambda found: not found)

    def _flaw(self) -> str | None:
        if not self.contests:
            return "it has no contest; compare again"
        for one in self.contests:
            if flaw := one.flaw():
                return f"the contest on {quoted(one.dataset)} by {one.metric} {flaw}; compare again"
            if (one.model is None) != (self.by == "model"):
                return f"the contest on {quoted(one.dataset)} is not by {self.by}; compare again"
            if (one.groups is None) != (self.clustered_by is None):
                return f"the groups of pairs of {quoted(one.dataset)} are missing; compare again"
        contests = [(one.model, one.dataset, one.metric) for one in self.contests]
        if len(set(contests)) < len(contests):
            return "a set is compared twice by the same metric; compare again"
        spreads = [(one.model, one.dataset, one.metric) for one in self.spreads]
        if sorted(spreads) != (sorted(contests) if self.by == "measure" else []):
            return "the spreads are not those of the contests; compare again"
        compared = {(one.model, each.dataset) for each in self.contests for one in each.systems}
        if not {(one.model, one.dataset) for one in self.contamination} <= compared:
            return "its contamination is of another model or set; compare again"
        return None
