"""Compiled walks over an is-a hierarchy in which several parents are allowed.

Concepts are numbered so that parents come before their children. The ancestors of a concept, itself
included, are then one ascending slice of a flat array: merging the slices of its parents makes it, and one
pass over two slices finds what two concepts have in common.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from medgauge.arrays import Doubles, Integers, Places

Steps = NDArray[np.int16]
"""Numbers of edges; MOST_ANCESTORS keeps them below 2¹⁵, since a path of d edges alone has d²/2 ancestors."""

MOST_ANCESTORS = 1 << 28
"""How many ancestors all concepts together may have: six bytes each, 1.5 GB."""


@njit(cache=True, nogil=True)
def parents_first(parents_left: Integers, first_child: Integers, children: Places) -> Places:
    """List the concepts so that each follows all its parents; those in or below a cycle are left out.

    `parents_left` is the number of parents of each concept, which is counted down.
    """
    order = np.empty(parents_left.size, np.int32)
    listed = 0
    for concept in range(parents_left.size):
        if parents_left[concept] == 0:
            order[listed] = concept
            listed += 1
    done = 0
    while done < listed:
        concept = order[done]
        done += 1
        for place in range(first_child[concept], first_child[concept + 1]):
            child = children[place]
            parents_left[child] -= 1
            if parents_left[child] == 0:
                order[listed] = child
                listed += 1
    return order[:listed]


@njit(cache=True, nogil=True)
def longest_depths(first_parent: Integers, parents: Places) -> Integers:
    """Return how many concepts the longest path from a root to each concept has, both ends included."""
    depths = np.ones(first_parent.size - 1, np.int64)
    for concept in range(depths.size):
        for place in range(first_parent[concept], first_parent[concept + 1]):
            depths[concept] = max(depths[concept], depths[parents[place]] + 1)
    return depths


@njit(cache=True, nogil=True)
def ancestor_slices(first_parent: Integers, parents: Places, most: int) -> tuple[Integers, Places, Steps]:
    """Return where the slice of each concept begins, its ancestors, and the fewest edges to each of them.

    The last ancestor in a slice is the concept itself. More than `most` ancestors give empty arrays.
    """
    count = first_parent.size - 1
    starts = np.zeros(count + 1, np.int64)
    ancestors, steps = np.empty(16 * count + 16, np.int32), np.empty(16 * count + 16, np.int16)
    merged, merged_steps = np.empty(count + 1, np.int32), np.empty(count + 1, np.int16)
    former, former_steps = np.empty(count + 1, np.int32), np.empty(count + 1, np.int16)
    for concept in range(count):
        size = 0
        for place in range(first_parent[concept], first_parent[concept + 1]):
            merged, former = former, merged
            merged_steps, former_steps = former_steps, merged_steps
            left, right = 0, starts[parents[place]]
            end = starts[parents[place] + 1]
            before, size = size, 0
            while left < before or right < end:
                if right == end or (left < before and former[left] < ancestors[right]):
                    merged[size], merged_steps[size] = former[left], former_steps[left]
                    left += 1
                else:
                    merged[size], merged_steps[size] = ancestors[right], steps[right] + 1
                    if left < before and former[left] == ancestors[right]:
                        merged_steps[size] = min(merged_steps[size], former_steps[left])
                        left += 1
                    right += 1
                size += 1
        merged[size], merged_steps[size] = concept, 0
        size += 1
        begin = starts[concept]
        if begin + size > most:
            return starts[:0], ancestors[:0], steps[:0]
        if begin + size > ancestors.size:
            larger = min(most, 2 * (begin + size))
            more, more_steps = np.empty(larger, np.int32), np.empty(larger, np.int16)
            more[:begin], more_steps[:begin] = ancestors[:begin], steps[:begin]
            ancestors, steps = more, more_steps
        ancestors[begin : begin + size] = merged[:size]
        steps[begin : begin + size] = merged_steps[:size]
        starts[concept + 1] = begin + size
    return starts, ancestors[: starts[count]].copy(), steps[: starts[count]].copy()


@njit(cache=True, nogil=True)
def sums_below(values: Doubles, starts: Integers, ancestors: Places) -> Doubles:
    """Sum values over each concept and all its descendants, each once whatever the paths to it."""
    sums = np.zeros(values.size, np.float64)
    for concept in range(values.size):
        if values[concept] != 0:
            for place in range(starts[concept], starts[concept + 1]):
                sums[ancestors[place]] += values[concept]
    return sums


@njit(cache=True, nogil=True)
def best_in_common(
    first: Integers,
    second: Integers,
    starts: Integers,
    ancestors: Places,
    steps: Steps,
    depths: Integers,
    information: Doubles,
) -> tuple[Integers, Doubles, Doubles]:
    """Find the best common ancestor of each pair of concepts, by three criteria.

    Returns the fewest edges by way of a common ancestor; the highest share 2·depth / (2·depth + edges) of
    one; the highest information content of one. Without a common ancestor, they are -1, NaN and NaN.
    """
    edges = np.full(first.size, -1, np.int64)
    shares, informed = np.full(first.size, np.nan), np.full(first.size, np.nan)
    for pair in range(first.size):
        left, left_end = starts[first[pair]], starts[first[pair] + 1]
        right, right_end = starts[second[pair]], starts[second[pair] + 1]
        while left < left_end and right < right_end:
            one, two = ancestors[left], ancestors[right]
            if one == two:
                between = np.int64(steps[left]) + steps[right]
                share = 2 * depths[one] / (2 * depths[one] + between)
                if edges[pair] < 0 or between < edges[pair]:
                    edges[pair] = between
                if not shares[pair] >= share:
                    shares[pair] = share
                if not informed[pair] >= information[one]:
                    informed[pair] = information[one]
            left += one <= two
            right += two <= one
    return edges, shares, informed
