"""The branches of a hierarchy, which serve as the types of its concepts."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import polars as pl

from medgauge.arrays import Integers
from medgauge.terminology.hierarchy import roots, with_descendants

NO_BRANCH = -1
"""In place of a concept's branch: it is not in the hierarchy, or its branches have nothing in common."""
_TOO_LARGE = 0.9  # of all concepts in the hierarchy; a branch with more says nothing of a concept


@dataclass(frozen=True)
class Branches:
    """The branches of a hierarchy: the concepts right below an opened one.

    Opened is the root, and then each branch that has more than nine tenths of the hierarchy's concepts, whose
    children become branches in its place. With several roots, these are the first branches. `opened` has the
    opened concepts from the root down, `level` for each branch the number of opened concepts above it, and
    `of` the branch of each concept; that of a concept in several branches is the most specific opened concept
    above them all, and that of an opened concept is itself.
    """

    opened: list[int]
    level: dict[int, int]
    of: Integers

    def common(self, concepts: Iterable[int]) -> int:
        """Return the branch that some concepts have in common, as `of` has it for one; or NO_BRANCH.

        >>> found = branches(pl.DataFrame({"child": [1, 2, 3, 4], "parent": [0, 0, 1, 2]}), 6)
        >>> found.of.tolist(), found.common([3]), found.common([3, 4]), found.common([3, 5])
        ([0, 1, 2, 1, 2, -1], 1, 0, 1)
        """
        found = {int(self.of[one]) for one in concepts} - {NO_BRANCH}
        if len(found) <= 1:
            return found.pop() if found else NO_BRANCH
        return self._above(
            {self.level[one] if one in self.level else self.opened.index(one) + 1 for one in found}
        )

    def _above(self, levels: set[int]) -> int:
        shallowest = min(levels)
        return self.opened[shallowest - 1] if shallowest else NO_BRANCH


def branches(parents: pl.DataFrame, count: int) -> Branches:
    """Find the branches of a hierarchy; `parents` is the frame of a Terminology with `count` concepts."""
    current = roots(parents)
    whole = with_descendants(parents, current.tolist()).size if current.size else 0
    opened: list[int] = []
    level: dict[int, int] = {}
    below: dict[int, Integers] = {}
    while current.size:
        found = {one: with_descendants(parents, [one]) for one in current.tolist()}
        largest = max(found, key=lambda one: found[one].size)
        is_opened = found[largest].size > _TOO_LARGE * whole and found[largest].size > 1
        for one in found.keys() - ({largest} if is_opened else set()):
            level[one], below[one] = len(opened), found[one]
        if not is_opened:
            break
        opened.append(largest)
        children = parents.filter(pl.col("parent") == largest)["child"]
        current = np.setdiff1d(children.to_numpy().astype(np.int64), opened)
    return Branches(opened, level, _branch_of_each(opened, level, below, count))


def _branch_of_each(
    opened: list[int], level: dict[int, int], below: dict[int, Integers], count: int
) -> Integers:
    several, shallowest = np.zeros(count, np.int64), np.full(count, len(opened), np.int64)
    of = np.full(count, NO_BRANCH, np.int64)
    for branch, concepts in below.items():
        of[concepts] = branch
        several[concepts] += 1
        shallowest[concepts] = np.minimum(shallowest[concepts], level[branch])
    above = np.array([NO_BRANCH, *opened], np.int64)
    of = np.where(several > 1, above[shallowest], of)
    of[opened] = opened
    return of
