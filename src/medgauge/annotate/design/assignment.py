"""Assign pairs to annotators: who rates which, in which order and on which side, drawn from a seed.

The same seed gives the same assignment under one version of numpy; a study stores the tasks themselves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.random import Generator

from medgauge.annotate.defaults import CONSISTENCY, DUPLICATES, PAGE
from medgauge.annotate.design.showings import TaskRole, order_roles, page_sizes
from medgauge.errors import InputError

AnnotatorPanel = tuple[int, ...]
"""The annotators who rate a pair, by number, in order."""


@dataclass(frozen=True)
class Task:
    """A pair that is shown to an annotator.

    `place` is its position in the annotator's order, from 0, and `page` the page it is on, from 1; `pair` is
    the number of the pair, from 0, and its terms swap sides if `flipped`. A `duplicate` is the second showing
    of one of the annotator's own pairs.
    """

    place: int
    page: int
    pair: int
    role: TaskRole
    flipped: bool


def assign_groups(
    pairs: int,
    annotators: int,
    *,
    groups: int,
    consistency: int = CONSISTENCY,
    duplicates: int = DUPLICATES,
    page: int = PAGE,
    seed: int,
) -> list[list[Task]]:
    """Assign pairs in groups, plus a consistency set that all annotators rate; return each annotator's tasks.

    The consistency set is drawn at random; the other pairs, and the annotators, are dealt to the groups as
    evenly as possible. An annotator rates all pairs of the group, the consistency set, and `duplicates` of
    the group's pairs a second time. These are the same for the whole group, so that the self-consistency of
    its annotators is measured on pairs of the same difficulty.

    There are as few pages as possible, of at most `page` tasks, but at least two if there are duplicates.
    Pages differ in size by at most 1, and hold equal shares of the consistency set; the order is random. A
    second showing is on a later page than the first, since annotators may look back and revise until they
    submit a page, and at least `BETWEEN` other pairs come in between, or as many as the size allows. Second
    showings are spread over the pages where that is possible. Half of them have the terms swapped: the
    unswapped ones show how consistent an annotator is, and the swapped ones whether the side matters as well.

    Reference: Chiu et al. (2018). Bio-SimVerb and Bio-SimLex, "Concept pair scoring".

    >>> tasks = assign_groups(1050, 12, groups=2, seed=1)
    >>> len(tasks), len(tasks[0]), tasks[0][-1].page
    (12, 600, 5)
    """
    _check(pairs=pairs, annotators=annotators, groups=groups, page=page)
    _check(0, consistency=consistency, duplicates=duplicates, seed=seed)
    if groups > annotators:
        raise InputError(f"{annotators} annotators cannot be split into {groups} groups; use fewer groups")
    if pairs - consistency < groups:
        raise InputError(
            f"{pairs} pairs are too few for a consistency set of {consistency} and at least one for each of "
            f"{groups} groups; make the consistency set smaller"
        )
    smallest = (pairs - consistency) // groups
    if duplicates > smallest:
        raise InputError(
            f"{duplicates} duplicates are more than the {smallest} pairs of a group; ask for fewer duplicates"
        )
    dealing, *own = np.random.default_rng(seed).spawn(annotators + 1)
    order = dealing.permutation(pairs).tolist()
    shared, rest = order[:consistency], order[consistency:]
    group_of = [number % groups for number in dealing.permutation(annotators).tolist()]
    return [
        _lay_out(rest[group::groups], shared, duplicates, page=page, rng=rng)
        for group, rng in zip(group_of, own, strict=True)
    ]


def assign_balanced(
    pairs: int, annotators: int, *, per_pair: int, page: int = PAGE, seed: int
) -> list[list[Task]]:
    """Assign each pair to `per_pair` of the annotators; return each annotator's tasks.

    Annotators' numbers of pairs differ by at most 1. So do the numbers of pairs of all panels, the
    combinations of annotators that can rate a pair: with as many pairs as there are panels, each has one.
    There are as few pages as possible, of at most `page` tasks, which differ in size by at most 1.

    >>> tasks = assign_balanced(4000, 5, per_pair=3, seed=1)
    >>> [len(one) for one in tasks]
    [2400, 2400, 2400, 2400, 2400]
    """
    _check(pairs=pairs, annotators=annotators, per_pair=per_pair, page=page)
    _check(0, seed=seed)
    if per_pair > annotators:
        raise InputError(f"a pair cannot be rated by {per_pair} of only {annotators} annotators")
    if pairs * per_pair < annotators:
        raise InputError(
            f"{pairs} pairs, each rated by {per_pair}, are too few for {annotators} annotators; "
            "use fewer annotators"
        )
    dealing, *own = np.random.default_rng(seed).spawn(annotators + 1)
    rated: list[list[int]] = [[] for _ in range(annotators)]
    for pair, panel in enumerate(_panels(pairs, annotators, per_pair, rng=dealing)):
        for annotator in panel:
            rated[annotator].append(pair)
    return [_lay_out(mine, [], 0, page=page, rng=rng) for mine, rng in zip(rated, own, strict=True)]


def closest_repeat(assigned: Iterable[Sequence[Task]]) -> int | None:
    """Return the smallest number of other pairs between the two showings of a pair; None without repeats.

    >>> closest_repeat(assign_groups(24, 2, groups=1, consistency=0, duplicates=6, seed=1))
    23
    """
    found = []
    for tasks in assigned:
        firsts = {task.pair: task.place for task in tasks if task.role == "own"}
        found += [task.place - firsts[task.pair] - 1 for task in tasks if task.role == "duplicate"]
    return min(found, default=None)


def _check(lowest: int = 1, /, **numbers: int) -> None:
    for name, number in numbers.items():
        if number < lowest:
            raise InputError(f"{name} is {number}; it must be {lowest} or more")


def _panels(pairs: int, annotators: int, size: int, *, rng: Generator) -> list[AnnotatorPanel]:
    """Draw the panel of each pair: all panels equally often, plus a remainder that keeps the loads even."""
    possible = comb(annotators, size)
    rounds, left = divmod(pairs, possible)
    every = list(combinations(range(annotators), size)) if possible <= 2 * pairs else []
    drawn = dict.fromkeys(every[place] for place in rng.permutation(len(every))[:left].tolist())
    while len(drawn) < left:  # with this many panels, few are drawn twice
        drawn[tuple(sorted(rng.choice(annotators, size, replace=False).tolist()))] = None
    found = every * rounds + _even_loads(drawn, annotators)
    return [found[place] for place in rng.permutation(pairs).tolist()]


def _even_loads(panels: Iterable[AnnotatorPanel], annotators: int) -> list[AnnotatorPanel]:
    """Change the panels, which are all distinct and stay so, until loads differ by at most 1.

    Among the panels with the busiest annotator and without the idlest, at least one can swap the two
    without becoming a panel that exists already: there are fewer panels the other way round.
    """
    kept = dict.fromkeys(panels)
    loads = np.bincount([one for panel in kept for one in panel], minlength=annotators)
    while loads.max() - loads.min() > 1:
        busiest, idlest = int(loads.argmax()), int(loads.argmin())
        candidates = (panel for panel in kept if busiest in panel and idlest not in panel)
        changes = ((panel, tuple(sorted({*panel, idlest} - {busiest}))) for panel in candidates)
        old, new = next((old, new) for old, new in changes if new not in kept)
        del kept[old]
        kept[new] = None
        loads[busiest] -= 1
        loads[idlest] += 1
    return list(kept)


def _lay_out(
    own: Sequence[int], shared: Sequence[int], duplicates: int, *, page: int, rng: Generator
) -> list[Task]:
    """Put an annotator's pairs in order, showing the first `duplicates` of their own twice."""
    roles, firsts = order_roles(len(own), len(shared), duplicates, page=page, rng=rng)
    sizes = page_sizes(len(roles), page=page, duplicates=duplicates)
    pages = [number for number, size in enumerate(sizes, 1) for _ in range(size)]
    twice, once, common = (
        iter(rng.permutation(pairs).tolist()) for pairs in (own[:duplicates], own[duplicates:], shared)
    )
    repeated = set(firsts.values())
    sides, changes = iter(_half(len(own) + len(shared), rng=rng)), iter(_half(duplicates, rng=rng))
    tasks: list[Task] = []
    for place, role in enumerate(roles):
        if role == "duplicate":
            first = tasks[firsts[place]]
            pair, flipped = first.pair, first.flipped != next(changes)
        else:
            source = common if role == "consistency" else twice if place in repeated else once
            pair, flipped = next(source), next(sides)
        tasks.append(Task(place, pages[place], pair, role, flipped))
    return tasks


def _half(count: int, *, rng: Generator) -> list[bool]:
    """Mark a random half of `count` places; if the count is odd, toss a coin for the extra one."""
    return [number % 2 == 1 for number in (rng.permutation(count) + rng.integers(2)).tolist()]
