"""What a study has yet to do, and about how long that takes: the result of a dry run."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from medgauge.progress import track
from medgauge.result import StoredResult
from medgauge.stored import StoredName
from medgauge.study.study_folder import StepRecord
from medgauge.study.study_step import Step, StepKind

_LONGEST = 1e10  # seconds: 300 years

Basis = Literal["kept", "earlier steps", "measured", "unknown"]
"""How a time is known: that of a kept step, or estimated from others, or by a trial on this machine."""


class ScheduledStep(BaseModel):
    """A step of a study; `seconds` is how long it took, if it is kept, or may take, if that is known."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: StoredName
    kind: StepKind
    kept: bool
    seconds: Annotated[float, Field(ge=0, le=_LONGEST)] | None
    basis: Basis


class StudySchedule(StoredResult, BaseModel):
    """The steps of a study in their order, which of them are kept, and how long the others may take."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    _kind: ClassVar[str] = "study.schedule"

    title: StoredName
    scheduled: list[ScheduledStep]
    notes: list[StoredName]

    @property
    def left(self) -> list[ScheduledStep]:
        """The steps that are not kept."""
        return [one for one in self.scheduled if not one.kept]


def schedule(
    steps: Sequence[Step], kept: Mapping[str, StepRecord], earlier: Sequence[StepRecord]
) -> list[ScheduledStep]:
    """Return the steps with their times.

    A step that is not kept takes as long for its work as `earlier` steps of the same pace did; without these,
    as long as a trial says, of which each pace has one.
    """
    done: dict[str, tuple[float, float]] = {}
    for record in earlier:
        work, seconds = done.get(record.pace, (0.0, 0.0))
        done[record.pace] = work + record.work, seconds + record.seconds
    rates = {pace: work / seconds for pace, (work, seconds) in done.items() if work > 0 and seconds > 0}
    tried: dict[str, float] = {}
    waiting = {step.pace: step for step in steps if step.name not in kept and step.pace not in rates}
    trials = [step for step in waiting.values() if step.measure is not None and step.work > 0]
    with track("measuring speed", len(trials), "trials") as advance:
        for step in trials:
            assert step.measure is not None
            tried[step.pace] = step.measure()
            advance(1)
    return [_scheduled(step, kept.get(step.name), rates, tried) for step in steps]


def _scheduled(
    step: Step, record: StepRecord | None, rates: Mapping[str, float], tried: Mapping[str, float]
) -> ScheduledStep:
    def found(seconds: float | None, basis: Basis) -> ScheduledStep:
        return ScheduledStep(
            step=step.name, kind=step.kind, kept=record is not None, seconds=seconds, basis=basis
        )

    if record is not None:
        return found(record.seconds, "kept")
    if step.work > 0 and step.pace in rates:
        return found(min(step.work / rates[step.pace], _LONGEST), "earlier steps")
    if step.work > 0 and tried.get(step.pace, 0.0) > 0:
        return found(min(step.work / tried[step.pace], _LONGEST), "measured")
    return found(None, "unknown")
