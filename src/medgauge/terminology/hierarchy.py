"""The is-a hierarchy as a graph: how deep it is, how specific a concept is, and which are below it."""

import warnings
from collections.abc import Sequence

import numpy as np
import polars as pl

from medgauge.arrays import Integers
from medgauge.errors import MedgaugeWarning


class _Children:
    """The children of each concept, in one flat array."""

    def __init__(self, parents: pl.DataFrame, count: int) -> None:
        above = parents["parent"].to_numpy().astype(np.int64)
        self.number = np.bincount(above, minlength=count)
        self._first = np.cumsum(self.number) - self.number
        self._listed = parents["child"].to_numpy().astype(np.int64)[np.argsort(above, kind="stable")]

    def of(self, concepts: Integers) -> Integers:
        """Return the children of some concepts; a child is repeated for each of its parents among them."""
        numbers = self.number[concepts]
        steps = np.arange(numbers.sum()) - np.repeat(np.cumsum(numbers) - numbers, numbers)
        listed: Integers = self._listed[np.repeat(self._first[concepts], numbers) + steps]
        return listed


def depth(parents: pl.DataFrame, count: int) -> int:
    """Return the number of steps in the longest path down from a concept without parents.

    `parents` is the frame of a Terminology and `count` its number of concepts. Concepts in a cycle or below
    one have no depth: they are left out, with a warning.

    >>> depth(pl.DataFrame({"child": [1, 2, 2], "parent": [0, 0, 1]}), 4)
    2
    """
    children = _Children(parents, count)
    missing = np.bincount(parents["child"].to_numpy().astype(np.int64), minlength=count)
    level = np.flatnonzero(missing == 0)
    steps, left = 0, count - level.size
    # A concept is reached after the last of its parents, which is the longest path to it.
    while level.size:
        below, met = np.unique(children.of(level), return_counts=True)
        missing[below] -= met
        level = below[missing[below] == 0]
        left -= level.size
        steps += level.size > 0
    if left:
        warnings.warn(
            f"the hierarchy has a cycle: {left:,} concepts in or below it have no depth",
            MedgaugeWarning,
            stacklevel=2,
        )
    return steps


def roots(parents: pl.DataFrame) -> Integers:
    """Return the numbers of the roots, ascending: the concepts that have children and no parents.

    >>> roots(pl.DataFrame({"child": [1, 2, 2, 3], "parent": [0, 0, 1, 4]}))
    array([0, 4])
    """
    return np.setdiff1d(parents["parent"].to_numpy(), parents["child"].to_numpy()).astype(np.int64)


def specificity(parents: pl.DataFrame, count: int) -> Integers:
    """Return how specific each concept is: the fewest is-a edges from it up to a root; −1 without a way.

    `parents` is the frame of a Terminology and `count` its number of concepts. A root has 0. A concept
    without parents and children, such as an inactive one, has −1, as has one that is below a cycle alone.

    Reference: Schulz et al. (2020). Biomedical Concept Relatedness - A large EHR-based benchmark. COLING,
    section 5.3.

    >>> specificity(pl.DataFrame({"child": [1, 2, 3, 3], "parent": [0, 1, 0, 2]}), 5)
    array([ 0,  1,  2,  1, -1])
    """
    children = _Children(parents, count)
    edges = np.full(count, -1, np.int64)
    level, steps = roots(parents), 0
    while level.size:
        edges[level] = steps
        below = np.unique(children.of(level))
        level = below[edges[below] < 0]
        steps += 1
    return edges


def descendants(parents: pl.DataFrame, root: int) -> Integers:
    """Return the numbers of the concepts below a root, ascending, without the root.

    >>> descendants(pl.DataFrame({"child": [1, 2, 2, 3], "parent": [0, 0, 1, 4]}), 0)
    array([1, 2])
    """
    found = with_descendants(parents, [root])
    below: Integers = found[found != root]
    return below


def with_descendants(parents: pl.DataFrame, roots: Sequence[int]) -> Integers:
    """Return the numbers of some concepts and of all below any of them, ascending.

    >>> with_descendants(pl.DataFrame({"child": [1, 2, 2, 3], "parent": [0, 0, 1, 4]}), [1, 4])
    array([1, 2, 3, 4])
    """
    count = max((*roots, *(int(parents[name].max() or 0) for name in ("child", "parent")))) + 1  # type: ignore[arg-type]
    children = _Children(parents, count)
    met = np.zeros(count, np.bool_)
    level = np.unique(np.array(roots, np.int64))
    while level.size:
        met[level] = True
        below = np.unique(children.of(level))
        level = below[~met[below]]
    return np.flatnonzero(met)
