import itertools

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from medgauge.ner.networks.sentence_windows import WindowInputs, windows_of
from medgauge.ner.token_vectors import PADDING


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.sampled_from([1, 3, 5, 7]))
def test_windows_are_the_words_around_each_word_of_its_sentence(lengths, width):
    starts = np.cumsum([0, *lengths])
    rows = np.arange(2, 2 + starts[-1])
    found = windows_of(rows, starts, width)
    for first, last in itertools.pairwise(starts):
        padded = [PADDING] * (width // 2) + rows[first:last].tolist() + [PADDING] * (width // 2)
        for place in range(last - first):
            assert found[first + place].tolist() == padded[place : place + width]


def tables():
    rng = np.random.default_rng(0)
    return [rng.normal(0, 1, (count, 2)).astype(np.float32) for count in (5, 4)]


WINDOWS = torch.tensor([[[0, 1, 2], [2, 3, 0]], [[1, 1, 3], [0, 2, 1]], [[4, 4, 4], [0, 0, 1]]])
TABLE_OF = [0, 1, 0]


def test_each_network_is_given_vectors_of_its_own_table():
    some = tables()
    for tuned in (False, True):
        inputs = WindowInputs.of(some, TABLE_OF, tuned=tuned, device="cpu")
        found = inputs.vectors(WINDOWS)
        for number, table in enumerate(TABLE_OF):
            expected = some[table][WINDOWS[number].numpy()].reshape(2, 6)
            assert (found[number].numpy() == expected).all()
        only = inputs.only([1, 2])
        assert (only.vectors(WINDOWS[1:]) == found[1:]).all()


def test_tuning_adds_up_what_all_windows_say_of_a_word_in_that_networks_table_alone():
    some = tables()
    inputs = WindowInputs.of(some, TABLE_OF, tuned=True, device="cpu")
    kept = inputs.copied(0)
    gradient = torch.from_numpy(np.random.default_rng(1).normal(0, 1, (3, 2, 6)).astype(np.float32))
    inputs.learn(WINDOWS, gradient, 0.5)
    for number, table in enumerate(TABLE_OF):
        expected = some[table].astype(np.float64)
        for window in range(2):
            for place in range(3):
                own = gradient[number, window, 2 * place : 2 * place + 2].numpy()
                expected[WINDOWS[number, window, place]] -= 0.5 * own
        np.testing.assert_allclose(inputs.copied(number).numpy(), expected, atol=1e-6)
    inputs.restore(0, kept)
    assert (inputs.copied(0).numpy() == some[0]).all()
    assert (tables()[0] == some[0]).all()  # what was given is left as it is


def test_tuning_on_a_processor_leaves_what_all_threads_share(monkeypatch):
    """Threads that switched torch's mode at the same time left it on after training."""
    switched = []
    monkeypatch.setattr(torch, "use_deterministic_algorithms", switched.append)
    inputs = WindowInputs.of(tables(), TABLE_OF, tuned=True, device="cpu")
    inputs.learn(WINDOWS, torch.ones(3, 2, 6), 0.5)
    assert switched == []
