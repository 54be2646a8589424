"""IsAGraph: the hierarchy of a terminology's active concepts, with all ancestors of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

import numpy as np
import polars as pl

from medgauge.arrays import Doubles, Flags, Integers, Places
from medgauge.errors import FileError, quoted
from medgauge.models.ontology.ancestor_kernels import (
    MOST_ANCESTORS,
    Steps,
    ancestor_slices,
    longest_depths,
    parents_first,
    sums_below,
)
from medgauge.terminology.model import Terminology

OUTSIDE = -1
"""In place of a node: the concept is not active."""
_SHOWN = 6  # concepts of a cycle that an error names


@dataclass(frozen=True, eq=False)
class IsAGraph:
    """The is-a hierarchy: every active concept is a node, and nodes are numbered from the roots down.

    `nodes` has the node of each concept, or OUTSIDE. The ancestors of a node, itself last, are
    `ancestors[starts[node]:starts[node + 1]]`, in ascending order, and `steps` has the fewest is-a edges to
    each. `depths` counts the concepts on the longest path from a root, both ends included, so that a root
    has 1.
    """

    nodes: Integers
    starts: Integers
    ancestors: Places
    steps: Steps
    depths: Integers
    is_leaf: Flags

    @classmethod
    def of(cls, terminology: Terminology, source: str | Path) -> Self:
        """Compute the ancestors of all active concepts; `source` is what errors name."""
        active = terminology.concepts["active"].to_numpy()
        nodes = np.where(active, np.cumsum(active) - 1, OUTSIDE)
        child, parent = _edges(terminology.parents, nodes)
        if not child.size:
            raise FileError(
                source, "has no is-a relations between active concepts; give a source with its hierarchy"
            )
        count = int(active.sum())
        order = parents_first(np.bincount(child, minlength=count), *_grouped(parent, child, count))
        if order.size < count:
            ids = terminology.concepts["id"].filter(terminology.concepts["active"]).cast(pl.String).to_list()
            raise FileError(source, f"the is-a hierarchy has a cycle: {_cycle(order, child, parent, ids)}")
        place = np.empty(count, np.int64)
        place[order] = np.arange(count)
        child, parent = place[child], place[parent]
        first_parent, parents = _grouped(child, parent, count)
        starts, ancestors, steps = ancestor_slices(first_parent, parents, MOST_ANCESTORS)
        if not starts.size:
            raise FileError(
                source,
                f"the concepts have more than {MOST_ANCESTORS:,} ancestors together; check the hierarchy",
            )
        return cls(
            nodes=np.where(active, place[nodes], OUTSIDE),
            starts=starts,
            ancestors=ancestors,
            steps=steps,
            depths=longest_depths(first_parent, parents),
            is_leaf=np.bincount(parent, minlength=count) == 0,
        )

    def __len__(self) -> int:
        return self.depths.size

    @cached_property
    def depth(self) -> int:
        """How many concepts the longest path from a root has."""
        return int(self.depths.max())

    @cached_property
    def ancestor_counts(self) -> Integers:
        """How many ancestors each node has, itself included."""
        return np.diff(self.starts)

    def of_nodes(self, values: Doubles) -> Doubles:
        """Return the values of concepts, given by their number, for each node."""
        placed = np.zeros(len(self))
        inside = self.nodes != OUTSIDE
        placed[self.nodes[inside]] = values[inside]
        return placed

    def below(self, values: Doubles) -> Doubles:
        """Sum values over each node and its descendants, each descendant once."""
        return sums_below(np.asarray(values, np.float64), self.starts, self.ancestors)


def _edges(parents: pl.DataFrame | None, nodes: Integers) -> tuple[Integers, Integers]:
    """Return child and parent of each relation between active concepts, each relation once."""
    if parents is None or parents.is_empty():
        return np.empty(0, np.int64), np.empty(0, np.int64)
    unique = parents.select("child", "parent").unique(maintain_order=True)
    child, parent = (nodes[unique[name].to_numpy()] for name in ("child", "parent"))
    known = (child != OUTSIDE) & (parent != OUTSIDE)
    return child[known], parent[known]


def _grouped(keys: Integers, values: Integers, count: int) -> tuple[Integers, Places]:
    """Return where the values of each key begin, with the end, and the values ordered by key."""
    first = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=count))])
    return first, values[np.argsort(keys, kind="stable")].astype(np.int32)


def _cycle(order: Places, child: Integers, parent: Integers, ids: Sequence[str]) -> str:
    """Name the concepts of a cycle, from the first in the source upwards.

    Whatever is left out of the order has a parent that is left out too, so that walking up never ends.
    """
    left = np.ones(len(ids), np.bool_)
    left[order] = False
    up = {int(one): int(other) for one, other in zip(child, parent, strict=True) if left[one] and left[other]}
    node, walked = min(up), dict[int, None]()
    while node not in walked:
        walked[node] = None
        node = up[node]
    path = list(walked)
    path = path[path.index(node) :]
    begin = path.index(min(path))
    path = path[begin:] + path[:begin]
    shown = [quoted(ids[one]) for one in path[:_SHOWN]]
    more = [f"… ({len(path) - _SHOWN} more) …"] if len(path) > _SHOWN else []
    return " is a ".join([*shown, *more, shown[0]])
