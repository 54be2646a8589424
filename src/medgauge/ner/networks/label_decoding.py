"""The best sequence of labels of each sentence: Viterbi's algorithm, for many sentences at a time."""

import numpy as np

from medgauge.arrays import Doubles, Flags, Floats, Integers

_TOGETHER = 4096  # sentences


def legal_transitions(allowed: Flags) -> Doubles:
    """Return the score of each transition: 0 where it is allowed, −∞ where it is not.

    The last row and column are the beginning and the end of a sentence.
    """
    return np.where(allowed, 0.0, -np.inf)


def best_labels(scores: Floats, starts: Integers, transitions: Doubles) -> Integers:
    """Return the labels with the highest sum of scores and transitions, sentence by sentence.

        max over y of   t[edge, y₁] + Σ scores[i, yᵢ] + Σ t[yᵢ₋₁, yᵢ] + t[yₙ, edge]

    `scores` are tokens × labels, `starts` has the first token of each sentence and the end, and
    `transitions` has the edge of a sentence as its last row and column. Of equal sums, the labels that come
    first win, from the end of the sentence on.

    Reference: Viterbi (1967). Error bounds for convolutional codes and an asymptotically optimum decoding
    algorithm. IEEE Transactions on Information Theory 13:260-269.

    >>> scores = np.array([[0.0, 1.0], [1.0, 0.0]], np.float32)
    >>> stay = np.array([[0.0, -9, 0], [-9, 0, 0], [0, 0, 0]])
    >>> best_labels(scores, np.array([0, 2]), stay).tolist()
    [0, 0]
    """
    found = np.empty(len(scores), np.int64)
    lengths = np.diff(starts)
    order = np.argsort(-lengths, kind="stable")  # the longest first, so that those that go on are a prefix
    for first in range(0, order.size, _TOGETHER):
        some = order[first : first + _TOGETHER]
        _decode(scores, starts[some], lengths[some], transitions, found)
    return found


def _decode(scores: Floats, firsts: Integers, lengths: Integers, t: Doubles, found: Integers) -> None:
    """Fill the labels of sentences that are sorted from the longest to the shortest."""
    inner = t[:-1, :-1]
    best = t[-1, :-1] + scores[firsts]
    back = []
    for place in range(1, int(lengths[0])):
        count = int(np.searchsorted(-lengths, -place, side="left"))  # sentences of more tokens
        reached = best[:count, :, None] + inner
        back.append(reached.argmax(axis=1))
        best[:count] = reached.max(axis=1) + scores[firsts[:count] + place]
    labels = (best + t[:-1, -1]).argmax(axis=1)
    for place in range(int(lengths[0]) - 1, -1, -1):
        count = int(np.searchsorted(-lengths, -place, side="left"))
        if place < len(back):
            longer = len(back[place])
            labels[:longer] = back[place][np.arange(longer), labels[:longer]]
        found[firsts[:count] + place] = labels[:count]
