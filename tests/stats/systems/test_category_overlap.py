import math

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import bootstrap, mannwhitneyu

from medgauge.stats.systems.category_overlap import OverlapCounts, overlap, overlap_counts
from medgauge.stats.systems.roc import auc


@st.composite
def similarities(draw, *, smallest=1):
    """sim(a, b) and sim(a, c), of few values, so that many are tied."""
    a, b, c = (draw(st.integers(smallest, 6)) for _ in range(3))
    values = st.integers(-2, 2).map(lambda number: number / 4)
    return draw(arrays(np.float64, (a, b), elements=values)), draw(
        arrays(np.float64, (a, c), elements=values)
    )


def all_triples(near, far):
    """Whether each triple (a, b, c) is an error, as the formula says it."""
    return np.array(
        [
            [[near[a, b] <= far[a, c] for c in range(far.shape[1])] for b in range(near.shape[1])]
            for a in range(len(near))
        ]
    ).reshape(len(near), near.shape[1], far.shape[1])


@given(similarities(smallest=0))
@settings(max_examples=200, deadline=None)
def test_counts_are_those_of_enumerating_all_triples(data):
    near, far = data
    errors = all_triples(near, far)
    counts = overlap_counts(near, far)
    assert counts.by_a.tolist() == errors.sum(axis=(1, 2)).tolist()
    assert counts.by_b.tolist() == errors.sum(axis=(0, 2)).tolist()
    assert counts.by_c.tolist() == errors.sum(axis=(0, 1)).tolist()
    assert (counts.errors, counts.triples) == (errors.sum(), errors.size)


@given(similarities(), st.integers(0, 6))
@settings(max_examples=50, deadline=None)
def test_counts_of_blocks_add_up(data, cut):
    near, far = data
    whole = overlap_counts(near, far)
    parts = overlap_counts(near[:cut], far[:cut]) + overlap_counts(near[cut:], far[cut:])
    for mine, theirs in zip(vars(parts).values(), vars(whole).values(), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_a_hand_worked_case():
    """a₁ is closer to both bs than to c₁, and ties b₂ with c₂; a₂ is closer to c₂ than to any b."""
    near = np.array([[0.8, 0.5], [0.2, 0.3]])
    far = np.array([[0.1, 0.5], [0.1, 0.9]])
    counts = overlap_counts(near, far)
    assert counts.by_a.tolist() == [1, 2]
    assert counts.by_b.tolist() == [1, 2]
    assert counts.by_c.tolist() == [0, 3]
    assert overlap(counts).value == 3 / 8
    assert overlap(counts).n == 8
    # Shares (1/4, 2/4), (1/4, 2/4) and (0, 3/4): variances 1/32, 1/32 and 9/32, each over two terms.
    half = 0.674490 * math.sqrt((1 / 32 + 1 / 32 + 9 / 32) / 2)
    halves = overlap(counts, confidence=0.5)
    assert halves.interval == pytest.approx((3 / 8 - half, 3 / 8 + half), abs=1e-6)
    assert halves.confidence == 0.5
    assert overlap(counts).interval == (0.0, 1.0)


def test_errors_and_half_the_ties_are_scipys_mann_whitney_u():
    rng = np.random.default_rng(0)
    near, far = rng.integers(0, 50, (20, 300)) / 8, rng.integers(0, 60, (20, 700)) / 8
    counts = overlap_counts(near, far)
    ties = sum(int((near[row][:, None] == far[row]).sum()) for row in range(20))
    assert counts.errors - ties / 2 == sum(mannwhitneyu(far[row], near[row]).statistic for row in range(20))


@given(similarities())
@settings(max_examples=200, deadline=None)
def test_the_interval_has_the_variance_of_hoeffdings_projection(data):
    errors = all_triples(*data).astype(float)
    ends = overlap(overlap_counts(*data)).interval
    if min(errors.shape) < 2:
        assert all(map(math.isnan, ends))
        return
    variance = sum(
        np.var(errors.mean(axis=tuple({0, 1, 2} - {side})), ddof=1) / errors.shape[side] for side in range(3)
    )
    if variance < 1e-12:
        assert all(map(math.isnan, ends))
        return
    half = 1.959964 * math.sqrt(variance)
    share = errors.mean()
    assert ends == pytest.approx((max(0, share - half), min(1, share + half)), abs=1e-6)


def test_with_rows_that_are_all_the_same_the_interval_is_delongs():
    rng = np.random.default_rng(1)
    near, far = rng.standard_normal(40), rng.standard_normal(60) - 1
    counts = overlap_counts(np.tile(near, (5, 1)), np.tile(far, (5, 1)))
    area = auc(np.repeat([0.0, 1.0], [40, 60]), np.concatenate([near, far]))
    assert overlap(counts).interval == pytest.approx(area.interval)


@pytest.mark.slow
def test_the_interval_is_as_wide_as_scipys_bootstrap_says():
    rng = np.random.default_rng(2)
    a, b, c = rng.standard_normal(60), rng.standard_normal(50), rng.standard_normal(70) + 1.5

    def share(a, b, c):
        return overlap(overlap_counts(-abs(a[:, None] - b), -abs(a[:, None] - c))).value

    resampled = bootstrap((a, b, c), share, vectorized=False, n_resamples=999, method="basic", rng=rng)
    low, high = overlap(overlap_counts(-abs(a[:, None] - b), -abs(a[:, None] - c))).interval
    assert (high - low) / (2 * 1.959964) == pytest.approx(resampled.standard_error, rel=0.1)


def test_counts_beyond_32_bits():
    counts = overlap_counts(np.zeros((1, 70_000)), np.ones((1, 70_000)))
    assert counts.errors == 70_000**2 == counts.triples
    assert overlap(counts).value == 1.0


def test_the_number_of_threads_changes_no_count():
    rng = np.random.default_rng(3)
    near, far = rng.integers(0, 9, (7, 400)) / 8, rng.integers(0, 9, (7, 600)) / 8
    many = overlap_counts(near, far)
    try:
        numba.set_num_threads(1)
        one = overlap_counts(near, far)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    for mine, theirs in zip(vars(one).values(), vars(many).values(), strict=True):
        assert mine.tobytes() == theirs.tobytes()


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        ((0, 2, 3), "no term of A can be compared"),
        ((2, 0, 3), "no term of B can be compared"),
        ((2, 3, 0), "no term of C can be compared"),
        ((0, 2, 0), "no term of A or C can be compared"),
        ((0, 0, 0), "no term of A or B or C can be compared"),
    ],
)
def test_an_empty_category_has_no_overlap_and_is_named(sizes, reason):
    a, b, c = sizes
    found = overlap(overlap_counts(np.zeros((a, b)), np.zeros((a, c))), confidence=0.9)
    assert found.undefined == reason
    assert not found.is_defined
    assert all(map(math.isnan, found.interval))
    assert (found.n, found.confidence) == (0, 0.9)


@given(similarities())
@settings(max_examples=100, deadline=None)
def test_a_category_with_terms_has_an_overlap_and_no_reason(data):
    found = overlap(overlap_counts(*data))
    assert found.is_defined
    assert found.undefined is None


def test_more_confidence_makes_a_wider_interval():
    rng = np.random.default_rng(4)
    counts = overlap_counts(rng.standard_normal((20, 30)), rng.standard_normal((20, 25)))
    narrow, wide = (overlap(counts, confidence=confidence) for confidence in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


@pytest.mark.parametrize("value", [0.0, 2.0])
def test_a_perfect_or_hopeless_separation_claims_no_certainty(value):
    counts = overlap_counts(np.ones((3, 3)), np.full((3, 3), value))
    assert overlap(counts).value == value / 2
    assert all(map(math.isnan, overlap(counts).interval))


def test_equal_shares_have_no_interval_although_their_mean_is_rounded():
    """Three shares of 0.7 have a mean that is not 0.7 in floating point."""
    equal = np.array([7, 7, 7])
    counts = OverlapCounts(equal, equal, equal)
    assert all(map(math.isnan, overlap(counts).interval))
