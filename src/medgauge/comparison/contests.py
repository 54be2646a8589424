"""Which systems are compared with one another, and which tests are corrected together."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from medgauge.comparison.scope import By, TestFamily
from medgauge.comparison.systems import measure_of
from medgauge.evaluation.figures import Figure, Metric, best_figures
from medgauge.evaluation.run import Run, SetUsed

_NO_REASON = "the run does not say why its figure is undefined"  # as in runs of version 0.1.0


@dataclass(frozen=True)
class Entry:
    """A contest to be decided; systems in `left_out` have no figure, for the given reasons.

    Between models, `shown` are the figures that a run's table shows: the best one of each model.
    """

    used: SetUsed
    metric: Metric
    model: str | None
    figures: tuple[Figure, ...]
    left_out: Mapping[str, str]
    shown: tuple[Figure, ...] = ()

    @property
    def tests(self) -> int:
        """The number of differences between two systems."""
        return math.comb(len(self.figures), 2)


def entries_of(run: Run, used: SetUsed, by: By, choice: str | Mapping[str, str] | None) -> Iterator[Entry]:
    """Yield the contests on a set."""
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
            defined = tuple(figure for figure in field if not math.isnan(figure.value))
            left_out = {
                f"{figure.model} with {figure.measure}": figure.undefined or _NO_REASON
                for figure in field
                if math.isnan(figure.value)
            }
            chosen = by == "model" and run.settings.shown == "best"
            shown = tuple(best_figures(figures).values()) if chosen else ()
            yield Entry(used, metric, model, defined, left_out, shown)


def families(entries: list[Entry], family: TestFamily) -> list[list[int]]:
    """Return the numbers of the contests whose tests are corrected together."""
    if family == "dataset":
        return [[number] for number in range(len(entries))]
    by_metric: dict[str, list[int]] = {}
    for number, entry in enumerate(entries):
        by_metric.setdefault(entry.metric, []).append(number)
    return list(by_metric.values())
