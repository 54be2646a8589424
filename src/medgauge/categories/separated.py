"""Separation: how well a model separates categories of terms, as a result that can be stored."""

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.models.base import ModelCard
from medgauge.result import StoredResult
from medgauge.stored import Number, StoredConfidence, StoredName, StoredReason

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


class CategorySeparation(StoredResult):
    """Every model and measure on the same three categories; contains no terms."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null")
    _kind: ClassVar[str] = "category"

    versions: dict[str, str]
    oov: str
    models: list[ModelCard]
    categories: list[CategoryUsed]
    separations: list[Separation]

    def _flaw(self) -> str | None:
        if {card.name for card in self.models} != {one.model for one in self.separations}:
            return "its models are not those of its figures; compute it again"
        return None
