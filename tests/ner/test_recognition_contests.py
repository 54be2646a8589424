import numpy as np
import pytest

from medgauge.ner.recognition_contests import contest, resampled_figures
from medgauge.ner.recognition_result import ContestSettings

SETTINGS = ContestSettings(alpha=0.05, correction="bonferroni", resamples=1999)
SENTENCES = 400


@pytest.fixture
def counts():
    """Four models with two trials each: the first finds most; the second and the third are alike."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, SENTENCES)
    shares = [0.9, 0.6, 0.6, 0.2]
    right = np.stack([[rng.binomial(gold, share) for _ in range(2)] for share in shares])
    found = right + rng.integers(0, 2, right.shape)
    return np.stack([right, found, np.broadcast_to(gold, right.shape)], axis=-1)


def test_models_that_differ_are_told_apart_and_those_alike_share_a_letter(counts):
    found = resampled_figures(counts, "c", resamples=1999, seed=0)
    decided = contest("c", ["best", "one", "two", "worst"], found, SETTINGS, sentences=SENTENCES)
    assert [one.letters for one in decided.models] == ["a", "b", "b", "c"]
    assert [one.model for one in decided.models][::3] == ["best", "worst"]
    assert [(one.rank_low, one.rank_high) for one in decided.models] == [(1, 1), (2, 3), (2, 3), (4, 4)]
    assert decided.tests == len(decided.differences) == 6
    assert decided.level == pytest.approx(0.05 / 6)
    for one in decided.differences:
        assert one.value >= 0
        assert one.p_adjusted == pytest.approx(min(1, 6 * one.p))
        assert one.significant == (one.low > 0)


def test_an_order_of_the_models_changes_no_figure(counts):
    names = ["best", "one", "two", "worst"]
    decided = [
        contest(
            "c",
            [names[number] for number in order],
            resampled_figures(counts[order], "c", resamples=1999, seed=0),
            SETTINGS,
            sentences=SENTENCES,
        )
        for order in ([0, 1, 2, 3], [3, 1, 0, 2])
    ]
    assert decided[0] == decided[1]


def test_equal_models_share_rank_and_letter(counts):
    same = counts[[1, 1]]
    found = resampled_figures(same, "c", resamples=99, seed=0)
    decided = contest("c", ["x", "y"], found, SETTINGS, sentences=SENTENCES)
    assert [(one.rank, one.letters) for one in decided.models] == [(1, "a"), (1, "a")]
    assert (decided.differences[0].value, decided.differences[0].p) == (0, 1)


def test_resamples_of_a_corpus_are_its_own(counts):
    one, again, other = (resampled_figures(counts, name, resamples=9, seed=0) for name in ("c", "c", "d"))
    assert (one.resamples == again.resamples).all()
    assert (one.resamples != other.resamples).any()
