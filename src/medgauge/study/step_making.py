"""Steps that are made or found again, one after another, each kept as soon as it is made."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from medgauge.progress import remark
from medgauge.study.study_folder import StepRecord, StudyFolder
from medgauge.study.study_step import Step, step_keys


@dataclass
class StepMaking:
    """Makes the steps of a study; `records` are of those that are done, `made` names the new ones."""

    folder: StudyFolder
    steps: Sequence[Step]
    records: dict[str, StepRecord] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.keys = step_keys(self.steps)

    def find(self, *, adopt: bool) -> None:
        """Find the steps that are kept and whose needs are; with `adopt`, keep those of a replaced folder."""
        for step in self.steps:
            if not self._is_ready(step):
                continue
            found = self.folder.kept(step.name, self.keys[step.name], self._needed(step))
            if found is not None:
                record, place = found
                if adopt:
                    self.folder.adopt(record, self.keys[step.name], place)
                self.records[step.name] = record

    def begin(self) -> None:
        """Find the steps that are kept, and what an earlier study left that others use."""
        for path in dict.fromkeys(path for step in self.steps for path in step.reused):
            self.folder.bring(path)
        self.find(adopt=True)
        if self.records:
            doing = "reusing" if self.folder.exists() else "resuming"
            remark(f"{doing}: {len(self.records)} of {len(self.steps)} steps are kept")

    def make(self, first: int | None = None) -> None:
        """Make the steps that are not kept, or those among the first ones."""
        for place, step in enumerate(self.steps[:first]):
            if step.name not in self.records:
                self._make([step, *self._with(step, self.steps[place + 1 :])])

    def plan_again(self, steps: Sequence[Step]) -> None:
        """Go on with other steps, which begin with those that are made."""
        self.steps, self.keys = steps, step_keys(steps)

    def _with(self, step: Step, others: Sequence[Step]) -> list[Step]:
        """Return the steps that are made together with one."""
        return [
            other
            for other in others
            if step.together
            and other.together == step.together
            and other.name not in self.records
            and self._is_ready(other)
        ]

    def _make(self, steps: Sequence[Step]) -> None:
        first = len(self.records) + 1
        numbers = f"step {first}" if len(steps) == 1 else f"steps {first} to {first + len(steps) - 1}"
        names = steps[0].name if len(steps) == 1 else f"{steps[0].name} and {len(steps) - 1} more"
        remark(f"{numbers} of {len(self.steps)}: {names}")
        started = time.perf_counter()
        steps[0].making(steps, self.folder.partial)
        seconds = time.perf_counter() - started
        whole = sum(step.work for step in steps)
        for step in steps:
            share = step.work / whole if whole else 1 / len(steps)
            record = StepRecord(
                step=step.name,
                pace=step.pace,
                work=step.work,
                seconds=seconds * share,
                needed=self._needed(step),
            )
            self.records[step.name] = self.folder.keep_step(record, step.outputs, self.keys[step.name])
            self.made.append(step.name)

    def _is_ready(self, step: Step) -> bool:
        return all(name in self.records for name in step.needs)

    def _needed(self, step: Step) -> dict[str, str]:
        """Return the digests of what the steps wrote that a step needs."""
        return {name: self.records[name].digest for name in step.needs}
