"""What a comparison shows: which system beats which on how many sets."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Literal, NamedTuple

from medgauge.comparison.comparison import Comparison, Contest, Difference, System
from medgauge.evaluation.figures import MAIN_METRICS

PairedVerdict = Literal["better", "worse", "undecided", "untested"]
"""What a test says about a system beside another one; untested where its p-value is undefined."""


class Record(NamedTuple):
    """On how many sets one system is significantly better than another, worse, neither, or not tested."""

    wins: int
    losses: int
    undecided: int
    untested: int

    @property
    def sets(self) -> int:
        """The number of sets on which both were compared."""
        return sum(self)


@dataclass(frozen=True)
class Conclusion:
    """The contests of all models, or of the measures of one model, by the main metric of each set.

    `order` has the names of the systems (models or measures), best first: by their significant wins less
    their losses on all sets, and those with equally many by their mean rank.
    """

    model: str | None
    contests: tuple[Contest, ...]
    order: tuple[str, ...]

    def record(self, first: str, second: str) -> Record:
        """Count how the first system did against the second."""
        found = Counter(verdict_on(contest, first, second) for contest in self.contests)
        return Record(found["better"], found["worse"], found["undecided"], found["untested"])

    def total(self) -> Record:
        """Count the differences of every two systems on every set; each significant one is a win."""
        found = Counter(
            verdict_on(contest, *names_of(contest, one))
            for contest in self.contests
            for one in contest.differences
        )
        return Record(found["better"] + found["worse"], 0, found["undecided"], found["untested"])

    def leaders(self) -> list[str]:
        """Return the systems that have the most significant wins minus losses on all sets."""
        net = _net_wins(self.contests)
        return [name for name in self.order if net[name] == net[self.order[0]]]

    def beaten(self) -> list[str]:
        """Return the systems that the first one beats on most sets; one without figures there counts not."""
        best, *others = self.order
        return [name for name in others if 2 * self.record(best, name).wins > len(self.contests)]


def conclusions(comparison: Comparison) -> list[Conclusion]:
    """Return what a comparison shows: one conclusion on the models, or one on the measures of each model."""
    by_model: dict[str | None, list[Contest]] = {}
    for contest in comparison.contests:
        # One metric for each set: a set with three metrics does not count three times.
        if contest.metric in MAIN_METRICS:
            by_model.setdefault(contest.model, []).append(contest)
    return [
        Conclusion(model, tuple(contests), tuple(_by_wins(contests))) for model, contests in by_model.items()
    ]


def models_by_measure(contests: Iterable[Contest]) -> dict[str, list[str]]:
    """Return the models that are compared with each measure; those that score pairs themselves have none."""
    found: dict[str, dict[str, None]] = {}
    for contest in contests:
        for system in contest.systems:
            if system.measure != "score":
                found.setdefault(system.measure, {})[system.model] = None
    return {measure: list(models) for measure, models in found.items()}


def _by_wins(contests: Sequence[Contest]) -> list[str]:
    net = _net_wins(contests)
    return sorted(by_mean_rank(contests), key=lambda name: -net[name])


def _net_wins(contests: Sequence[Contest]) -> dict[str, int]:
    net: dict[str, int] = {}
    for contest in contests:
        for system in contest.systems:
            name = name_in(contest, system)
            net[name] = net.get(name, 0) + system.wins - system.losses
    return net


def by_mean_rank(contests: Iterable[Contest]) -> list[str]:
    """Return the names of the systems by their mean rank over the contests, best first."""
    places: dict[str, list[int]] = {}
    for contest in contests:
        for system in contest.systems:
            places.setdefault(name_in(contest, system), []).append(system.rank)
    return sorted(places, key=lambda name: (mean(places[name]), name))


def name_in(contest: Contest, system: System) -> str:
    """Return the name of a system among those it is compared with: its model, or its measure."""
    return system.model if contest.model is None else system.measure


def names_of(contest: Contest, difference: Difference) -> tuple[str, str]:
    """Return the names of the two systems of a difference among those compared."""
    if contest.model is None:
        return difference.model_1, difference.model_2
    return difference.measure_1, difference.measure_2


def difference_of(contest: Contest, first: str, second: str) -> Difference | None:
    """Return the first system's figure minus the second's, or None if one of them was not compared."""
    for one in contest.differences:
        names = names_of(contest, one)
        if names == (first, second):
            return one
        if names == (second, first):
            swapped = {"model_1": one.model_2, "model_2": one.model_1}
            swapped |= {"measure_1": one.measure_2, "measure_2": one.measure_1}
            return one.model_copy(update={**swapped, "value": -one.value, "low": -one.high, "high": -one.low})
    return None


def verdict_on(contest: Contest, first: str, second: str) -> PairedVerdict | None:
    """Return how the first system does against the second, or None if one of them was not compared."""
    difference = difference_of(contest, first, second)
    if difference is None:
        return None
    if math.isnan(difference.p_adjusted):
        return "untested"
    if not difference.significant:
        return "undecided"
    return "better" if difference.value > 0 else "worse"


def passed_over(contest: Contest) -> tuple[System, System] | None:
    """Return a system that differs from the first one, and one with a lower figure that does not.

    Such a lower one shares a letter with the first system, which a higher one does not: a difference is
    judged by its own variance, and that is smaller for two systems with similar scores. None if there are no
    such systems.
    """
    best, *others = contest.systems
    found = [
        (system, verdict_on(contest, name_in(contest, best), name_in(contest, system))) for system in others
    ]
    for system, verdict in found:
        lower = [other for other, of_other in found if other.value < system.value and of_other == "undecided"]
        if verdict == "better" and lower:
            return system, lower[0]
    return None
