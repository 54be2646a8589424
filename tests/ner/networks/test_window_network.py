import numpy as np
import pytest
import torch

from medgauge.ner.networks.window_network import WindowNetworks, softmax_error
from tests.ner.networks.plain_network import batch_of, loss_of, some_weights

NETWORKS, WINDOWS, VALUES, UNITS, LABELS = 3, 7, 6, 5, 4


@pytest.fixture
def batch():
    rng = np.random.default_rng(5)
    return (
        rng.normal(0, 1, (NETWORKS, WINDOWS, VALUES)),
        rng.integers(0, LABELS, (NETWORKS, WINDOWS)),
        (rng.random((NETWORKS, WINDOWS, UNITS)) > 0.3) / 0.7,
    )


def side_by_side(plain, dtype=torch.float64):
    """Return networks with the weights of plain ones."""
    arrays = [np.stack([one[name] for one in plain]) for name in ("W1", "b1", "W2", "b2")]
    arrays[1], arrays[3] = arrays[1][:, None], arrays[3][:, None]
    return WindowNetworks(*(torch.from_numpy(one).to(dtype).contiguous() for one in arrays))


def weights_of(networks, number):
    w1, b1, w2, b2 = (one.numpy() for one in networks.copied(number))
    return {"W1": w1, "b1": b1[0], "W2": w2, "b2": b2[0]}


def test_loss_and_gradients_are_those_of_the_plain_network(batch):
    x, labels, kept = batch
    plain = [some_weights(VALUES, UNITS, LABELS, seed) for seed in range(NETWORKS)]
    networks = side_by_side(plain)
    scores, layers = networks.forward(torch.from_numpy(x), torch.from_numpy(kept))
    losses, error = softmax_error(scores, torch.from_numpy(labels))
    of_input = networks.learn(layers, error, 1.0, needs_input=True)
    for number, before in enumerate(plain):
        loss, gradients = batch_of(before, x[number], labels[number], kept[number])
        assert losses[number].item() == pytest.approx(loss, rel=1e-12)
        after = weights_of(networks, number)
        for name, value in before.items():
            np.testing.assert_allclose(value - after[name], gradients[name], atol=1e-13, err_msg=name)
        np.testing.assert_allclose(of_input[number].numpy(), gradients["x"], atol=1e-13)


def test_the_plain_gradients_are_the_slopes_of_the_plain_loss(batch):
    x, labels, kept = (one[0] for one in batch)
    weights = some_weights(VALUES, UNITS, LABELS)
    _, gradients = batch_of(weights, x, labels, kept)
    step = 1e-6
    for name, values in weights.items():
        for place in np.ndindex(values.shape):
            sides = []
            for sign in (1, -1):
                moved = {other: one.copy() for other, one in weights.items()}
                moved[name][place] += sign * step
                sides.append(
                    np.mean([loss_of(moved, *window) for window in zip(x, labels, kept, strict=True)])
                )
            assert (sides[0] - sides[1]) / (2 * step) == pytest.approx(gradients[name][place], abs=1e-7)


def test_gradients_are_those_of_autograd(batch):
    x, labels, kept = (torch.from_numpy(one) for one in batch)
    networks = side_by_side([some_weights(VALUES, UNITS, LABELS, seed) for seed in range(NETWORKS)])
    own = [one.clone().requires_grad_() for one in vars(networks).values()]
    hidden = torch.nn.functional.hardtanh(torch.baddbmm(own[1], x, own[0])) * kept
    scores = torch.baddbmm(own[3], hidden, own[2])
    loss = (
        torch.nn.functional.cross_entropy(scores.flatten(0, 1), labels.flatten(), reduction="sum") / WINDOWS
    )
    gradients = torch.autograd.grad(loss, own)
    found, layers = networks.forward(x, kept)
    networks.learn(layers, softmax_error(found, labels)[1], 1.0)
    for before, after, gradient in zip(own, vars(networks).values(), gradients, strict=True):
        torch.testing.assert_close(before.detach() - after, gradient, rtol=0, atol=1e-13)


def test_nothing_is_dropped_without_a_mask(batch):
    x, _, kept = batch
    networks = side_by_side([some_weights(VALUES, UNITS, LABELS, seed) for seed in range(NETWORKS)])
    plain, _ = networks.forward(torch.from_numpy(x))
    all_kept, _ = networks.forward(torch.from_numpy(x), torch.ones(kept.shape, dtype=torch.float64))
    torch.testing.assert_close(plain, all_kept, rtol=0, atol=0)


def test_a_network_is_the_same_alone_and_beside_others(batch):
    x, labels, kept = (torch.from_numpy(one) for one in batch)
    plain = [some_weights(VALUES, UNITS, LABELS, seed) for seed in range(NETWORKS)]
    together = side_by_side(plain, torch.float32)
    for _ in range(20):
        scores, layers = together.forward(x.float(), kept.float())
        together.learn(layers, softmax_error(scores, labels)[1], 0.1)
    for number, one in enumerate(plain):
        alone = side_by_side([one], torch.float32)
        chosen = slice(number, number + 1)
        for _ in range(20):
            scores, layers = alone.forward(x[chosen].float(), kept[chosen].float())
            alone.learn(layers, softmax_error(scores, labels[chosen])[1], 0.1)
        for own, other in zip(alone.copied(0), together.copied(number), strict=True):
            torch.testing.assert_close(own, other, rtol=1e-5, atol=1e-6)


def test_some_of_the_networks_can_go_on_and_be_put_back():
    networks = side_by_side([some_weights(VALUES, UNITS, LABELS, seed) for seed in range(NETWORKS)])
    kept = networks.copied(2)
    two = networks.only([0, 2])
    two.hidden_weights.add_(1)
    two.restore(1, kept)
    torch.testing.assert_close(two.hidden_weights[1], networks.hidden_weights[2], rtol=0, atol=0)
    assert (two.hidden_weights[0] != networks.hidden_weights[0]).all()
