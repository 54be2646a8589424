"""The result of a probe: recall on new and on matched older concepts, and what was asked."""

import math
from datetime import date
from typing import ClassVar, Literal, get_args

from pydantic import BaseModel, ConfigDict

from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.models.base import ModelCard
from medgauge.models.lookup import Oov
from medgauge.result import StoredResult
from medgauge.stats.resampling.jackknife import FEWEST_UNITS
from medgauge.stored import Count, Number, StoredConfidence, StoredName, StoredReason

Group = Literal["new", "old", "gap"]


class ProbeFigure(BaseModel):
    """The recall at 1 on new concepts, on the matched older ones, or the older ones' minus the new ones'."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    group: Group
    value: Number
    low: Number
    high: Number
    n: Count
    confidence: StoredConfidence = CONFIDENCE
    undefined: StoredReason = None
    no_interval: StoredReason = None

    @property
    def estimate(self) -> Estimate:
        """The figure as an estimate, over the new concepts."""
        return Estimate(
            self.value, self.low, self.high, self.confidence, self.n, self.undefined, self.no_interval
        )


def figure_of(group: Group, found: Estimate) -> ProbeFigure:
    """Return an estimate as the figure of a group."""
    return ProbeFigure(
        group=group,
        value=found.value,
        low=found.low,
        high=found.high,
        n=found.n,
        confidence=found.confidence,
        undefined=found.undefined,
        no_interval=found.no_interval,
    )


class Probe(StoredResult):
    """How often a model finds the name of a concept by a synonym, for new concepts and older ones like them.

    `concepts` counts those with a question and a date: new ones, on `since` or later, and old ones; `undated`
    those with a question alone. `asked` counts the questions behind the figures. New concepts are missing
    there if they are `unmatched`, if the model does not cover them or what they are matched with
    (`uncovered`), or if there are more than were to be asked (`not_drawn`). Each answer is one of
    `candidates` names. `ambiguous` texts, which several concepts have, are neither asked nor answers.
    """

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null")
    _kind: ClassVar[str] = "probe"

    model: ModelCard
    terminology: StoredName
    files: dict[str, str]
    since: date
    measure: StoredName
    oov: Oov
    seed: int
    candidates: Count
    wanted_candidates: Count
    concepts: dict[Literal["new", "old"], Count]
    asked: dict[Literal["new", "old"], Count]
    unmatched: Count
    uncovered: dict[Literal["new", "old"], Count]
    not_drawn: Count
    undated: Count
    ambiguous: Count
    figures: list[ProbeFigure]

    def _flaw(self) -> str | None:
        if [one.group for one in self.figures] != list(get_args(Group)):
            return "its figures are not those of new concepts, of old ones and of the gap; probe again"
        return None

    def __getitem__(self, group: Group) -> ProbeFigure:
        """Return the figure of a group."""
        return next(one for one in self.figures if one.group == group)

    @property
    def shows_training(self) -> bool | None:
        """Whether the older concepts are known better than by chance, a sign of training; None if unknown.

        That is so if the whole interval of the gap is above 0 or, where there is none since every new concept
        has the same gap, if that is above 0 and the sign test says so.
        """
        gap = self["gap"]
        if not math.isnan(gap.low):
            return gap.low > 0
        if math.isnan(gap.value) or gap.n < FEWEST_UNITS:
            return None
        return gap.value > 0 and 2 * 0.5**gap.n < 1 - gap.confidence
