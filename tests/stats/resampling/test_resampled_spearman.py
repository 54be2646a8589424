import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from medgauge.stats.resampling.bootstrap import steps
from medgauge.stats.resampling.resampled_spearman import resample_spearman

scores_of = st.integers(2, 3).flatmap(
    lambda systems: st.lists(
        st.tuples(*[st.integers(0, 4) for _ in range(systems + 2)]), min_size=2, max_size=12
    )
)


def slow_rho(x, y):
    """Rank the drawn values anew, as one would by hand."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    return float(np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1])


def slow_resamples(gold, scores, groups, resamples, seed):
    """Draw as the fast version does (a generator for every 512 resamples, 16 at a time), and rank anew."""
    count = groups.max() + 1
    batches = range(0, resamples, 512)
    rows = []
    for first, rng in zip(batches, np.random.default_rng(seed).spawn(len(batches)), strict=True):
        for start in range(first, min(first + 512, resamples), 16):
            size = (min(16, resamples - start), count)
            for drawn in rng.integers(0, count, size=size, dtype=np.uint16):
                pairs = np.concatenate([np.flatnonzero(groups == group) for group in drawn])
                rows.append([slow_rho(gold[pairs], row[pairs]) for row in scores])
    return np.array(rows)


def parted(rows):
    table = np.array(rows, float).T
    groups = np.unique(table[-1], return_inverse=True)[1]
    return table[0], table[1:-1], groups


@given(scores_of, st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_a_walk_gives_what_ranking_anew_gives(rows, seed):
    gold, scores, _ = parted(rows)
    found = resample_spearman(gold, scores, resamples=33, rng=np.random.default_rng(seed))
    alone = np.arange(len(gold))
    expected = slow_resamples(gold, scores, alone, 33, seed)
    assert found.resamples == pytest.approx(expected, abs=1e-12, nan_ok=True)
    without = [[slow_rho(gold[alone != i], row[alone != i]) for row in scores] for i in alone]
    assert found.jackknife == pytest.approx(np.array(without), abs=1e-12, nan_ok=True)


@given(scores_of, st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_groups_are_drawn_and_left_out_whole(rows, seed):
    gold, scores, groups = parted(rows)
    found = resample_spearman(gold, scores, resamples=20, rng=np.random.default_rng(seed), groups=groups)
    assert found.resamples == pytest.approx(
        slow_resamples(gold, scores, groups, 20, seed), abs=1e-12, nan_ok=True
    )
    without = [
        [slow_rho(gold[groups != group], row[groups != group]) for row in scores]
        for group in range(groups.max() + 1)
    ]
    assert found.jackknife == pytest.approx(np.array(without), abs=1e-12, nan_ok=True)


def test_a_figure_on_all_pairs_is_the_same_number_as_on_a_resample_of_them():
    """Ties with the estimate count half in z₀, so they must be ties to the bit."""
    rng = np.random.default_rng(8)
    gold, scores = rng.integers(0, 3, 6).astype(float), rng.integers(0, 4, (3, 6)).astype(float)
    found = resample_spearman(gold, scores, resamples=4000, rng=rng)
    assert found.whole == pytest.approx([slow_rho(gold, row) for row in scores], abs=1e-12)
    again = np.isclose(found.resamples, found.whole, atol=1e-13)
    assert again.any()
    assert (found.resamples[again] == np.broadcast_to(found.whole, again.shape)[again]).all()


def test_batches_follow_one_another():
    rng = np.random.default_rng(4)
    gold, scores = rng.integers(0, 5, 40).astype(float), rng.standard_normal((2, 40)).round(1)
    found = resample_spearman(gold, scores, resamples=1050, rng=np.random.default_rng(9))
    expected = slow_resamples(gold, scores, np.arange(40), 1050, 9)
    assert found.resamples == pytest.approx(expected, abs=1e-12)


def test_the_number_of_threads_changes_no_byte():
    rng = np.random.default_rng(0)
    gold, scores = rng.standard_normal(300), rng.standard_normal((3, 300))
    runs = [
        resample_spearman(gold, scores, resamples=2000, rng=np.random.default_rng(1), workers=workers)
        for workers in (1, 2, 5)
    ]
    assert len({run.resamples.tobytes() + run.jackknife.tobytes() for run in runs}) == 1


def test_the_spread_is_that_of_scipys_bootstrap():
    rng = np.random.default_rng(2)
    gold = rng.standard_normal(80)
    scores = gold + rng.standard_normal(80)
    found = resample_spearman(gold, scores[None, :], resamples=4000, rng=np.random.default_rng(3))
    theirs = stats.bootstrap(
        (gold, scores),
        lambda x, y: stats.spearmanr(x, y).statistic,
        paired=True,
        vectorized=False,
        n_resamples=1999,
        method="percentile",
        rng=rng,
    )
    assert found.resamples.std() == pytest.approx(theirs.standard_error, rel=0.08)


def test_more_pairs_than_single_precision_holds_are_ranked_exactly():
    rng = np.random.default_rng(5)
    gold = rng.standard_normal(100_001)
    scores = gold + rng.standard_normal(gold.size)
    groups = np.repeat(np.arange(3), [40_000, 40_000, 20_001])
    found = resample_spearman(gold, scores[None, :], resamples=3, rng=rng, groups=groups)
    left = groups != 2
    assert found.jackknife[2, 0] == pytest.approx(
        stats.spearmanr(gold[left], scores[left]).statistic, abs=1e-12
    )


def test_progress_is_told_of_every_resample_and_pair_left_out():
    told = []
    gold = np.arange(10.0)
    resample_spearman(gold, gold[None, :], resamples=700, rng=np.random.default_rng(0), advance=told.append)
    assert sum(told) == steps(10, 700) == 710


def test_of_many_pairs_the_jackknife_leaves_out_blocks():
    rng = np.random.default_rng(6)
    gold = rng.standard_normal(12_000)
    scores = gold + rng.standard_normal(gold.size)
    found = resample_spearman(gold, scores[None, :], resamples=2, rng=rng)
    assert found.jackknife.shape == (5_000, 1)
    left = np.arange(gold.size) * 5_000 // gold.size != 1234
    assert found.jackknife[1234, 0] == pytest.approx(
        stats.spearmanr(gold[left], scores[left]).statistic, abs=1e-12
    )
