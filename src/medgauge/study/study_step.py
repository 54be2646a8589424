"""A step of a study: a small declared thing with what it depends on, what it writes and what makes it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from medgauge.files.folders import key_of

StepKind = Literal["corpus", "words", "train", "evaluate", "ner"]

Making = Callable[[Sequence["Step"], Path], None]
"""Makes steps that go together (mostly one) by writing their outputs below a folder."""

_RULES = 1
"""Raise it when steps with the same inputs write something else than before."""


@dataclass(frozen=True)
class Step:
    """A step of a study.

    `inputs` is all that it depends on besides the steps that it `needs`, as JSON: digests of files and
    parameters. `outputs` are the patterns of the files that it writes, in the folder of the study; `reused`
    are folders of which it uses what an earlier study left. Steps with the same `together` are made by one
    call of `making`. `work` is what there is to do, in the unit of
    `pace`, which names what takes the same time for the same work; `measure` tries it out here and returns
    how much work is done in a second.
    """

    name: str
    kind: StepKind
    making: Making
    inputs: Mapping[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    reused: tuple[str, ...] = ()
    together: str = ""
    pace: str = ""
    work: float = 0.0
    measure: Callable[[], float] | None = None


def step_keys(steps: Sequence[Step]) -> dict[str, str]:
    """Return a key for each step: a digest of its inputs and of the keys of those that it needs.

    Steps come after those that they need.

    >>> def nothing(steps, folder): ...
    >>> trained = Step("train", "train", nothing, {"window": 2})
    >>> before = step_keys([trained, Step("evaluate", "evaluate", nothing, needs=("train",))])
    >>> wider = Step("train", "train", nothing, {"window": 5})
    >>> after = step_keys([wider, Step("evaluate", "evaluate", nothing, needs=("train",))])
    >>> [before[name] == after[name] for name in before]
    [False, False]
    """
    keys: dict[str, str] = {}
    for step in steps:
        keys[step.name] = key_of(
            rules=_RULES,
            step=step.name,
            kind=step.kind,
            inputs=dict(step.inputs),
            needs={name: keys[name] for name in step.needs},
        )
    return keys
