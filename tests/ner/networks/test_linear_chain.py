from itertools import product

import numpy as np
import pytest
import torch

from medgauge.ner.networks.linear_chain import ChainFields
from tests.ner.networks.plain_network import path_score

NETWORKS, LABELS = 2, 3
LENGTHS = np.array([[4, 1, 2], [3, 4, 1]])


@pytest.fixture
def sentences():
    """Transitions, scores and labels of two networks with three padded sentences each."""
    rng = np.random.default_rng(3)
    shape = (NETWORKS, *LENGTHS.shape[1:], int(LENGTHS.max()))
    return (
        rng.normal(0, 1, (NETWORKS, LABELS + 1, LABELS + 1)),
        rng.normal(0, 1, (*shape, LABELS)),
        rng.integers(0, LABELS, shape),
        np.arange(shape[2]) < LENGTHS[..., None],
    )


def plain_loss(scores, moves, labels, there):
    """Return the mean loss of a network's sentences by listing all sequences of labels."""
    losses = []
    for own, right, inside in zip(scores, labels, there, strict=True):
        length = int(inside.sum())
        every = [path_score(own, moves, path) for path in product(range(LABELS), repeat=length)]
        losses.append(np.log(np.exp(every).sum()) - path_score(own, moves, right[:length]))
    return float(np.mean(losses))


def test_loss_and_gradients_are_those_of_listing_all_sequences(sentences):
    moves, scores, labels, there = sentences
    fields = ChainFields(torch.from_numpy(moves.copy()))
    loss, of_scores, of_moves = fields.error(*map(torch.from_numpy, (scores, labels, there)))
    step = 1e-6
    for number in range(NETWORKS):
        given = [scores[number], moves[number], labels[number], there[number]]
        assert loss[number].item() == pytest.approx(plain_loss(*given), rel=1e-12)
        for which, gradient in ((0, of_scores[number]), (1, of_moves[number])):
            for place in np.ndindex(given[which].shape):
                sides = []
                for sign in (1, -1):
                    moved = list(given)
                    moved[which] = given[which].copy()
                    moved[which][place] += sign * step
                    sides.append(plain_loss(*moved))
                assert gradient[place].item() == pytest.approx((sides[0] - sides[1]) / (2 * step), abs=1e-7)


def test_padding_makes_no_difference(sentences):
    moves, scores, labels, there = sentences
    fields = ChainFields(torch.from_numpy(moves))
    more = [np.concatenate([one, one[:, :, :2]], axis=2) for one in (scores, labels, there)]
    more[2][:, :, -2:] = False
    found = fields.error(*map(torch.from_numpy, (scores, labels, there)))
    padded = fields.error(*map(torch.from_numpy, more))
    torch.testing.assert_close(found[0], padded[0])
    torch.testing.assert_close(found[1], padded[1][:, :, :-2])
    assert not padded[1][:, :, -2:].any()


def test_a_field_learns_transitions():
    fields = ChainFields.of(1, 2, "cpu")
    labels = torch.tensor([[[0, 1, 0, 1], [1, 0, 1, 0]]])
    scores, there = torch.zeros(1, 2, 4, 2), torch.ones(1, 2, 4, dtype=torch.bool)
    first = fields.error(scores, labels, there)[0].item()
    for _ in range(50):
        fields.learn(fields.error(scores, labels, there)[2], 0.5)
    assert fields.error(scores, labels, there)[0].item() < first / 2
    moves = fields.of_network(0)
    assert moves[0, 1] > moves[0, 0]
    assert moves[1, 0] > moves[1, 1]
