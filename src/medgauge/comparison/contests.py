"""Which systems are compared with one another, and whose tests are corrected for together."""

import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from medgauge.comparison.scope import By, TestFamily
from medgauge.comparison.systems import measure_of
from medgauge.errors import UndefinedWarning
from medgauge.evaluation.figures import METRICS, Figure
from medgauge.evaluation.run import Run, SetUsed


@dataclass(frozen=True)
class Entry:
    """A contest that is to be held."""

    used: SetUsed
    metric: str
    model: str | None
    figures: tuple[Figure, ...]

    @property
    def tests(self) -> int:
        """The number of differences between two systems."""
        return math.comb(len(self.figures), 2)


def entries_of(run: Run, used: SetUsed, by: By, choice: str | Mapping[str, str] | None) -> Iterator[Entry]:
    """List the contests on a set; a system without a figure cannot take part."""
    whole = [figure for figure in run.figures if figure.dataset == used.name and figure.subset is None]
    for metric in dict.fromkeys(figure.metric for figure in whole):
        figures = [figure for figure in whole if figure.metric == metric]
        if by == "model":
            measures = measure_of(run, choice, used.name, metric)
            fields: list[tuple[str | None, list[Figure]]] = [
                (None, [f for f in figures if measures[f.model] == f.measure])
            ]
        else:
            fields = [(card.name, [f for f in figures if f.model == card.name]) for card in run.models]
        for model, field in fields:
            for figure in field:
                if math.isnan(figure.value):
                    warnings.warn(
                        f"{figure.model} with {figure.measure} on {used.name} has no figure "
                        f"({METRICS[metric]}), and is not compared",
                        UndefinedWarning,
                        stacklevel=4,
                    )
            defined = tuple(figure for figure in field if not math.isnan(figure.value))
            if len(defined) > 1:
                yield Entry(used, metric, model, defined)


def families(entries: list[Entry], family: TestFamily) -> list[list[int]]:
    """Give the numbers of the contests whose tests are corrected for together."""
    if family == "dataset":
        return [[number] for number in range(len(entries))]
    by_metric: dict[str, list[int]] = {}
    for number, entry in enumerate(entries):
        by_metric.setdefault(entry.metric, []).append(number)
    return list(by_metric.values())
