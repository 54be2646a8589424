import numpy as np
import pytest

from medgauge.stats.resampling.resampled_f import resample_f
from medgauge.stats.systems.f_measure import f_measure


@pytest.fixture
def counts():
    """Systems × trials × sentences × (right, found, gold)."""
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 4, 200)
    found = rng.integers(0, 4, (2, 3, 200))
    right = np.minimum(found, gold) * rng.integers(0, 2, (2, 3, 200))
    return np.stack([right, found, np.broadcast_to(gold, found.shape)], axis=-1)


def mean_f(counts):
    return np.array(
        [np.mean([f_measure(*trial.sum(axis=0).astype(float)).f for trial in system]) for system in counts]
    )


def test_figures_on_all_sentences_and_without_each_are_plain_sums(counts):
    found = resample_f(counts, resamples=1, rng=np.random.default_rng(0))
    np.testing.assert_allclose(found.whole, mean_f(counts), rtol=1e-14)
    for number in (0, 57, 199):
        np.testing.assert_allclose(
            found.jackknife[number], mean_f(np.delete(counts, number, axis=2)), rtol=1e-12
        )


def test_resamples_spread_as_those_of_a_plain_bootstrap(counts):
    found = resample_f(counts, resamples=2_000, rng=np.random.default_rng(0)).resamples
    rng = np.random.default_rng(2)
    plain = np.array([mean_f(counts[:, :, rng.integers(0, 200, 200)]) for _ in range(500)])
    np.testing.assert_allclose(found.mean(axis=0), plain.mean(axis=0), atol=0.005)
    np.testing.assert_allclose(found.std(axis=0), plain.std(axis=0), rtol=0.12)


def test_resamples_do_not_depend_on_the_number_of_threads(counts):
    one, four = (
        resample_f(counts, resamples=600, rng=np.random.default_rng(3), workers=workers) for workers in (1, 4)
    )
    assert (one.resamples == four.resamples).all()


def test_f_is_undefined_where_no_drawn_sentence_has_an_entity():
    counts = np.zeros((1, 1, 3, 3), np.int64)
    counts[0, 0, 0] = 1
    found = resample_f(counts, resamples=50, rng=np.random.default_rng(0)).resamples
    assert np.isnan(found).any()
    assert set(found[~np.isnan(found)]) == {1.0}
