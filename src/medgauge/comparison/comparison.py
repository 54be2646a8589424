"""The results of a comparison."""

from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from medgauge.comparison.scope import By, TestFamily
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.result import StoredResult
from medgauge.stats.settings import Correction
from medgauge.stored import Number, StoredConfidence, StoredName, StoredReason


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
    rank: int
    rank_low: int
    rank_high: int
    letters: str
    wins: int
    losses: int
    confidence: StoredConfidence = CONFIDENCE
    _pairs: int = 0

    @property
    def estimate(self) -> Estimate:
        """The figure as an estimate, on the pairs of the contest."""
        return Estimate(self.value, self.low, self.high, self.confidence, self._pairs)


class Difference(BaseModel):
    """The first system's figure less the second's, with the interval at the contest's level.

    `p_adjusted` is to be compared with the comparison's alpha.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model_1: str
    measure_1: str
    model_2: str
    measure_2: str
    value: Number
    low: Number
    high: Number
    p: Number
    p_adjusted: Number
    significant: bool
    _level: float = 1 - CONFIDENCE
    _pairs: int = 0

    @property
    def estimate(self) -> Estimate:
        """The difference as an estimate, with the interval at the contest's level."""
        return Estimate(self.value, self.low, self.high, 1 - self._level, self._pairs)


class OtherWinner(BaseModel):
    """A model with its best measure whose figure on a set is the highest of all models and measures."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    measure: StoredName
    value: Number


class Contest(BaseModel):
    """Systems that are compared with one another on one set by one metric.

    `model` is set where the measures of one model are compared. `tests` counts the whole family that was
    corrected for, `level` is that of each difference's interval, `resamples` is the number of bootstrap
    resamples, and `beyond` how many lie beyond the end of an interval with the fewest. `untested` says why a
    p-value is undefined, `left_out` why a system has no figure and is not compared. `other_winner` is set
    where a run's table, which shows each model's best measure, has another model on top.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    dataset: StoredName
    metric: StoredName
    model: StoredName | None
    pairs: int
    groups: int | None
    test: str
    resamples: int | None
    beyond: float | None = None
    tests: int
    level: float
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

    @property
    def can_find(self) -> bool:
        """Whether there are enough resamples for any difference to be significant."""
        return self.resamples is None or 2 / (self.resamples + 1) <= self.level


class Spread(BaseModel):
    """The lowest, median and highest figure of a model on a set over its measures.

    `lowest` and `highest` are the measures with these figures; results of version 0.1.0 do not name them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    dataset: StoredName
    metric: StoredName
    measures: int
    low: Number
    median: Number
    high: Number
    lowest: Annotated[str, Field(exclude_if=lambda value: not value)] = ""
    highest: Annotated[str, Field(exclude_if=lambda value: not value)] = ""


class Comparison(StoredResult):
    """Contests, each with its systems from best to worst, and how they were decided.

    `chosen_on_test_data` says that each model has the measure that is best on the same pairs. `spreads` is
    filled where measures are compared.
    """

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null")
    _kind: ClassVar[str] = "comparison"

    by: By
    alpha: float
    correction: Correction
    family: TestFamily
    clustered_by: str | None
    chosen_on_test_data: bool
    seed: int
    contests: list[Contest]
    spreads: list[Spread]
