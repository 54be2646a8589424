"""Separation: how well a model separates categories of terms, as a result that can be stored."""

from itertools import combinations
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.models.base import ModelCard
from medgauge.result import StoredResult
from medgauge.stored import Count, Number, StoredConfidence, StoredDifference, StoredName, StoredReason

CategoryRole = Literal["A", "B", "C"]
"""A and B are the close categories, C is the distant one."""


class CategoryUsed(BaseModel):
    """A list of terms: how many were given, and how many of them were left out.

    `repeated` terms occur in the list more than once, and count once; `shared` ones occur in another list
    too, and are left out of both. `terms` remain.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: CategoryRole
    name: StoredName
    given: int
    repeated: int
    shared: int
    terms: int
    digest: str


class Separation(BaseModel):
    """How a model with a measure separates the categories; NaN (null in JSON) is undefined.

    `overlap` is the share `errors / triples` of triples (a, b, c) with sim(a, b) ≤ sim(a, c), with its
    interval; `overlap_undefined` says why it is undefined. `sim_ab` … `sim_cc` are mean similarities; within
    a category, no term is compared with itself. All are computed on the `used_*` of each category's `n_*`
    terms that the model covers; for `undefined` further covered terms, the measure is undefined.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    measure: StoredName
    overlap: Number
    low: Number
    high: Number
    errors: int
    triples: int
    sim_ab: Number
    sim_ac: Number
    sim_aa: Number
    sim_bb: Number
    sim_cc: Number
    used_a: int
    used_b: int
    used_c: int
    n_a: int
    n_b: int
    n_c: int
    undefined: int
    confidence: StoredConfidence = CONFIDENCE
    overlap_undefined: StoredReason = None

    @property
    def estimate(self) -> Estimate:
        """The overlap as an estimate, over the triples."""
        return Estimate(
            self.overlap, self.low, self.high, self.confidence, self.triples, self.overlap_undefined
        )


class ComparedOverlap(BaseModel):
    """A model's overlap on the terms that all models cover; models that share a letter may be equal."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    measure: StoredName
    overlap: Number
    letters: str


class OverlapDifference(StoredDifference):
    """The first overlap minus the second, with its interval; `p_adjusted` is corrected for all tests."""


class OverlapContest(BaseModel):
    """Every two models on the same triples, those of the terms that all models cover.

    Each has one measure: its only one, or the standard one. Systems are ordered from the lowest overlap to
    the highest. P-values have Bonferroni's correction for all differences, and intervals the level `alpha`
    divided by their number. `untested` says why there are no tests.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    common_a: Count
    common_b: Count
    common_c: Count
    alpha: float
    systems: list[ComparedOverlap]
    differences: list[OverlapDifference]
    untested: StoredReason = None


class CategorySeparation(StoredResult):
    """Every model and measure on the same three categories; contains no terms.

    `contest` compares the models with one another, if there are several.
    """

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null")
    _kind: ClassVar[str] = "category"

    versions: dict[str, str]
    oov: str
    models: list[ModelCard]
    categories: list[CategoryUsed]
    separations: list[Separation]
    contest: Annotated[OverlapContest | None, Field(exclude_if=lambda contest: contest is None)] = None

    def _flaw(self) -> str | None:
        if {card.name for card in self.models} != {one.model for one in self.separations}:
            return "its models are not those of its figures; compute it again"
        if self.contest is not None and self._contest_is_foreign(self.contest):
            return "its differences are not those of its models; compute it again"
        return None

    def _contest_is_foreign(self, contest: OverlapContest) -> bool:
        names = [one.model for one in contest.systems]
        wanted = {frozenset(two) for two in combinations(names, 2)}
        found = [frozenset({one.model_1, one.model_2}) for one in contest.differences]
        known = {card.name for card in self.models}
        return (
            len(set(names)) < len(names)
            or not known.issuperset(names)
            or len(found) != len(wanted)
            or set(found) != wanted
        )
