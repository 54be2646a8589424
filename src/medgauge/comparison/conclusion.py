"""What a comparison shows: which system beats which on how many sets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import NamedTuple

from medgauge.comparison.comparison import Comparison, Contest, Difference, System

_MAIN = ("spearman", "auc")  # one metric for each set: a set with three metrics does not count three times


class Record(NamedTuple):
    """On how many sets one system is significantly better than another, worse, or neither."""

    wins: int
    losses: int
    undecided: int

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
        found = [
            verdict
            for contest in self.contests
            if (verdict := verdict_on(contest, first, second)) is not None
        ]
        return Record(found.count(1), found.count(-1), found.count(0))

    def leaders(self) -> list[str]:
        """Return the systems that have the most significant wins less losses on all sets."""
        net = _net_wins(self.contests)
        return [name for name in self.order if net[name] == net[self.order[0]]]

    def beaten(self) -> list[str]:
        """Return the systems that the first one beats on most of the sets on which both were compared."""
        best, *others = self.order
        records = {name: self.record(best, name) for name in others}
        return [name for name, record in records.items() if 2 * record.wins > record.sets]


def conclusions(comparison: Comparison) -> list[Conclusion]:
    """Return what a comparison shows: one conclusion on the models, or one on the measures of each model."""
    by_model: dict[str | None, list[Contest]] = {}
    for contest in comparison.contests:
        if contest.metric in _MAIN:
            by_model.setdefault(contest.model, []).append(contest)
    return [
        Conclusion(model, tuple(contests), tuple(_by_wins(contests))) for model, contests in by_model.items()
    ]


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


def difference_of(contest: Contest, first: str, second: str) -> Difference | None:
    """Return the first system's figure less the second's, or None if one of them was not compared."""
    for one in contest.differences:
        names = (one.model_1, one.model_2) if contest.model is None else (one.measure_1, one.measure_2)
        if names == (first, second):
            return one
        if names == (second, first):
            swapped = {"model_1": one.model_2, "model_2": one.model_1}
            swapped |= {"measure_1": one.measure_2, "measure_2": one.measure_1}
            return one.model_copy(update={**swapped, "value": -one.value, "low": -one.high, "high": -one.low})
    return None


def verdict_on(contest: Contest, first: str, second: str) -> int | None:
    """Return 1 if the first system is significantly better than the second, -1 if worse, else 0.

    None if one of them was not compared.
    """
    difference = difference_of(contest, first, second)
    if difference is None:
        return None
    return (1 if difference.value > 0 else -1) if difference.significant else 0


def not_beaten_by_first(contest: Contest) -> list[System]:
    """Return the systems that the first one of a contest is not significantly better than."""
    best, *others = contest.systems
    name = name_in(contest, best)
    return [system for system in others if verdict_on(contest, name, name_in(contest, system)) != 1]


def passed_over(contest: Contest) -> tuple[System, System] | None:
    """Return a system that differs from the first one, and one with a lower figure that does not.

    Such a lower one shares a letter with the first system, which a higher one does not: a difference is
    judged by its own variance, and that is smaller for two systems with similar scores. None if there are no
    such systems.
    """
    near = not_beaten_by_first(contest)
    for system in contest.systems[1:]:
        lower = [other for other in near if other.value < system.value]
        if system not in near and lower:
            return system, lower[0]
    return None
