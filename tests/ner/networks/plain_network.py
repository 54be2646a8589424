"""The window network in plain numpy, one window at a time: loss and gradients, slow and obvious."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from medgauge.arrays import Doubles, Integers

Plain = dict[str, Any]


def some_weights(values: int, units: int, labels: int, seed: int = 0) -> Plain:
    rng = np.random.default_rng(seed)
    return {
        "W1": rng.normal(0, 0.7, (values, units)),
        "b1": rng.normal(0, 0.7, units),
        "W2": rng.normal(0, 0.7, (units, labels)),
        "b2": rng.normal(0, 0.7, labels),
    }


def loss_of(weights: Plain, x: Doubles, label: int, kept: Doubles) -> float:
    """Return the loss of one window: minus the log of the softmax at its label."""
    z = x @ weights["W1"] + weights["b1"]
    h = np.maximum(-1, np.minimum(1, z)) * kept
    s = h @ weights["W2"] + weights["b2"]
    return float(np.log(np.exp(s).sum()) - s[label])


def gradients_of(weights: Plain, x: Doubles, label: int, kept: Doubles) -> Plain:
    """Return the gradient of the loss of one window, by the chain rule; "x" is that of the input."""
    z = x @ weights["W1"] + weights["b1"]
    h = np.maximum(-1, np.minimum(1, z)) * kept
    s = h @ weights["W2"] + weights["b2"]
    error = np.exp(s) / np.exp(s).sum()
    error[label] -= 1
    back = np.zeros_like(z)
    for unit in range(z.size):
        if -1 < z[unit] < 1:
            back[unit] = kept[unit] * (weights["W2"][unit] @ error)
    return {
        "W1": np.outer(x, back),
        "b1": back,
        "W2": np.outer(h, error),
        "b2": error,
        "x": weights["W1"] @ back,
    }


def batch_of(weights: Plain, x: Doubles, labels: Integers, kept: Doubles) -> tuple[float, Plain]:
    """Return the mean loss of a batch and its gradients; that of the input is not averaged over windows."""
    windows = list(zip(x, labels.tolist(), kept, strict=True))
    loss = float(np.mean([loss_of(weights, *window) for window in windows]))
    each = [gradients_of(weights, *window) for window in windows]
    mean = {name: np.mean([one[name] for one in each], axis=0) for name in weights}
    return loss, mean | {"x": np.stack([one["x"] for one in each]) / len(windows)}


def path_score(scores: Doubles, moves: Doubles, path: Sequence[int]) -> float:
    """Return the score of a sequence of labels, with the edge of a sentence on both sides."""
    edge = len(moves) - 1
    walked = [edge, *path, edge]
    steps = sum(moves[one, other] for one, other in itertools.pairwise(walked))
    return float(steps + sum(scores[place, label] for place, label in enumerate(path)))
