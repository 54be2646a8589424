from itertools import pairwise, product

import numpy as np

from medgauge.ner.labels.tag_schemes import may_follow
from medgauge.ner.networks.label_decoding import best_labels, legal_transitions
from tests.ner.networks.plain_network import path_score

LABELS = 3


def test_decoding_finds_the_best_of_all_sequences():
    rng = np.random.default_rng(0)
    lengths = [3, 1, 5, 2, 5]
    starts = np.cumsum([0, *lengths])
    scores = rng.normal(0, 1, (starts[-1], LABELS)).astype(np.float32)
    moves = rng.normal(0, 1, (LABELS + 1, LABELS + 1))
    moves[0, 1] = -np.inf
    found = best_labels(scores, starts, moves)
    for first, length in zip(starts[:-1], lengths, strict=True):
        own = scores[first : first + length].astype(float)
        best = max(product(range(LABELS), repeat=length), key=lambda path: path_score(own, moves, path))
        assert tuple(found[first : first + length]) == best


def test_decoding_without_transitions_is_the_best_label_of_each_token():
    scores = np.random.default_rng(1).normal(0, 1, (40, 5)).astype(np.float32)
    free = np.zeros((6, 6))
    assert (best_labels(scores, np.array([0, 7, 8, 40]), free) == scores.argmax(axis=1)).all()


def test_decoded_labels_are_legal():
    scores = np.random.default_rng(2).normal(0, 3, (300, 9)).astype(np.float32)
    starts = np.sort(
        np.concatenate([[0, 300], np.random.default_rng(3).choice(np.arange(1, 300), 60, False)])
    )
    allowed = may_follow(2)
    found = best_labels(scores, starts, legal_transitions(allowed))
    for first, last in pairwise(starts):
        path = [-1, *found[first:last].tolist(), -1]
        assert all(allowed[one, other] for one, other in pairwise(path))
    assert (found != scores.argmax(axis=1)).any()
