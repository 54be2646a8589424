"""What holds for every statistic of agreement, so that a new one cannot escape it."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge.estimate import Estimate
from medgauge.stats.raters.agreement_statistics import FIGURES, KERNELS, RELIABILITY, STATISTICS, prepare
from medgauge.stats.raters.kernel import plain_estimates
from medgauge.stats.raters.reliability import Packed
from medgauge.stats.raters.resampled_agreement import resample_agreement, without_blocks
from medgauge.stats.raters.variance.mean_reliability import MeanReliability
from tests.stats.raters import references

NAN = math.nan
VALUES = (0.0, 1.0, 2.0, 3.5)
LEVELS = ("nominal", "ordinal", "interval", "ratio")
LEVEL = st.sampled_from(LEVELS)
# Up to 30 pairs, so that there are best annotators and panels.
RATINGS = st.tuples(
    arrays(
        np.float64, st.tuples(st.integers(1, 15), st.integers(1, 4)), elements=st.sampled_from([NAN, *VALUES])
    ),
    st.sampled_from([1, 2]),
).map(lambda drawn: np.tile(drawn[0], (drawn[1], 1)))


def estimates(ratings, level) -> dict[str, Estimate]:
    """Every figure on all pairs."""
    return {
        kernel.prefix + name: one
        for kernel in prepare(ratings, level)
        for name, one in plain_estimates(kernel, len(ratings)).items()
    }


def values(ratings, level) -> dict[str, float]:
    return {name: one.value for name, one in estimates(ratings, level).items()}


def assert_alike(one: dict[str, float], other: dict[str, float]) -> None:
    assert other == pytest.approx(one, abs=1e-9, nan_ok=True)


def mapped(ratings, images):
    """Put other values in the place of VALUES."""
    return np.vectorize(dict(zip(VALUES, images, strict=True)).get, otypes=[float])(ratings)


def test_every_statistic_is_computed_by_its_kernels_cited_and_has_its_needs():
    for name, one in STATISTICS.items():
        assert name == one.name
        assert one.kernels
        assert all(name in kernel.names for kernel in one.kernels), name
        assert one.reference.endswith(".")
        assert one.needs
        assert one.lowest < one.highest


def test_no_interval_can_leave_the_range_of_its_statistic():
    """The jackknife's lie in the span, and so does the span in the range; other ends would be infinite."""
    for name, one in STATISTICS.items():
        for span in (one.span, *(one.span_for(ratings) for ratings in (0, 2, 3, 10))):
            assert one.lowest <= span.lowest < span.highest <= one.highest, name
            assert math.isfinite(span.lowest) or math.isfinite(span.highest), name


@given(RATINGS, LEVEL)
@settings(max_examples=100, deadline=None)
def test_a_statistic_of_one_rating_is_at_least_what_its_number_of_ratings_allows(ratings, level):
    """But for ICC(A,1), whose least value −n / (n (k − 1) − k) is a little lower on n pairs."""
    for kernel in prepare(ratings, level):
        for name, one in plain_estimates(kernel, len(ratings)).items():
            statistic = STATISTICS[name]
            if statistic.of_one_rating and one.is_defined and name != "icc_a1":
                assert one.value >= statistic.span_for(kernel.fewest_ratings).lowest - 1e-9, name


def bound(value: float) -> str:
    return {-math.inf: "−∞", math.inf: "∞"}.get(value, f"{value:g}".replace("-", "−"))


def test_the_page_on_agreement_has_the_table_of_the_statistics():
    page = (Path(__file__).parents[3] / "docs" / "agreement.md").read_text("utf-8")
    rows = [
        f"| {one.label} | {bound(one.lowest)} to {bound(one.highest)} | {one.needs} | {one.reference} |"
        for one in STATISTICS.values()
    ]
    assert "\n".join(rows) in page


def test_every_figure_has_a_slow_reference_and_a_name_of_its_own():
    assert set(references.figures(np.eye(3), [0, 1, 2], "nominal")) == set(FIGURES)
    assert len(FIGURES) == sum(len(kernel.names) for kernel in KERNELS)


def test_the_figures_of_panels_are_those_of_two_kernels():
    assert tuple(RELIABILITY) == references.RELIABILITY
    assert STATISTICS["icc_a1"].figure == "packed_icc_a1"


def test_the_overall_consistency_is_that_of_all_ratings():
    assert [STATISTICS[name].figure for name in ("icc_c1", "icc_ck")] == ["icc_c1", "icc_ck"]


@given(RATINGS, LEVEL, st.integers(0, 99))
@settings(max_examples=100, deadline=None)
def test_every_figure_is_in_its_range_on_all_pairs_and_on_resamples(ratings, level, seed):
    kernels = prepare(ratings, level)
    # Each value of REML takes a search, so that is left out of the resamples as in an agreement.
    resampled = [kernel for kernel in kernels if not isinstance(kernel, MeanReliability)]
    rng = np.random.default_rng(seed)
    found = resample_agreement(resampled, len(ratings), resamples=16, rng=rng)
    rows = np.concatenate([found.whole[None], found.resamples, found.jackknife])
    names = [kernel.prefix + name for kernel in resampled for name in kernel.names]
    columns = dict(zip(names, rows.T, strict=True))
    for kernel in kernels:
        if isinstance(kernel, MeanReliability):
            without = without_blocks(kernel, rng=np.random.default_rng(seed))
            columns |= dict(zip(kernel.names, without.T, strict=True))
    assert set(columns) == set(FIGURES)
    for name, one in FIGURES.items():
        defined = columns[name][~np.isnan(columns[name])]
        assert (defined >= one.lowest - 1e-9).all(), name
        assert (defined <= one.highest + 1e-9).all(), name


@given(RATINGS, LEVEL, st.randoms())
@settings(max_examples=60, deadline=None)
def test_the_order_of_pairs_changes_nothing(ratings, level, random):
    order = list(range(len(ratings)))
    random.shuffle(order)
    assert_alike(values(ratings, level), values(ratings[order], level))


@given(RATINGS, LEVEL, st.randoms())
@settings(max_examples=60, deadline=None)
def test_the_order_of_raters_changes_only_what_is_packed(ratings, level, random):
    order = list(range(ratings.shape[1]))
    random.shuffle(order)
    one, other = values(ratings, level), values(ratings[:, order], level)
    kept = [name for name in FIGURES if not name.startswith(Packed.prefix)]
    assert_alike({name: one[name] for name in kept}, {name: other[name] for name in kept})
    if not np.isnan(ratings).any():
        assert_alike(one, other)


CHANGES = {
    "any other values": (("nominal",), lambda ratings: mapped(ratings, (5.0, 0.0, 9.0, 1.0)), ()),
    "the same order": (
        ("nominal", "ordinal"),
        lambda ratings: mapped(ratings, (-7.0, 0.0, 0.25, 90.0)),
        ("order",),
    ),
    "a shift and a factor": (
        ("nominal", "ordinal", "interval"),
        lambda ratings: 4 * ratings - 8,
        ("order", "line"),
    ),
    "a factor": (LEVELS, lambda ratings: 0.5 * ratings, ("order", "line")),
    "a shift": (
        ("nominal", "ordinal", "interval"),
        lambda ratings: ratings + 8,
        ("order", "line", "spread"),
    ),
}


@pytest.mark.parametrize("change", list(CHANGES))
@given(ratings=RATINGS, data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_change_of_the_ratings_leaves_what_it_should(change, ratings, data):
    levels, apply, kept = CHANGES[change]
    level = data.draw(st.sampled_from(levels))
    one, other = values(ratings, level), values(apply(ratings), level)
    names = [name for name, statistic in FIGURES.items() if statistic.keeps in ("level", *kept)]
    assert_alike({name: one[name] for name in names}, {name: other[name] for name in names})


@given(RATINGS)
@settings(max_examples=40, deadline=None)
def test_a_factor_multiplies_a_spread(ratings):
    one, other = values(ratings, "ratio"), values(4 * ratings, "ratio")
    names = [name for name, statistic in FIGURES.items() if statistic.keeps == "spread"]
    assert names
    assert_alike({name: 4 * one[name] for name in names}, {name: other[name] for name in names})


def test_what_keeps_less_does_change():
    """So that no statistic is declared to keep less than it does."""
    ratings = np.random.default_rng(0).choice(VALUES, (40, 3))
    one = values(ratings, "interval")
    bent, scaled = (
        values(mapped(ratings, (-7.0, 0.0, 0.25, 90.0)), "interval"),
        values(4 * ratings, "interval"),
    )
    for name, statistic in FIGURES.items():
        if statistic.keeps == "line":
            assert bent[name] != pytest.approx(one[name], abs=1e-6), name
        if statistic.keeps == "spread":
            assert scaled[name] != pytest.approx(one[name], abs=1e-6), name


def assert_reasons_where_undefined(ratings, level) -> None:
    for name, one in estimates(ratings, level).items():
        assert math.isnan(one.value) == bool(one.undefined), name
        assert 0 <= one.n <= len(ratings)


@given(RATINGS, LEVEL)
@settings(max_examples=100, deadline=None)
def test_what_is_undefined_is_nan_with_a_reason_and_nothing_else_is(ratings, level):
    assert_reasons_where_undefined(ratings, level)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "ratings",
    [
        np.empty((0, 3)),
        np.empty((5, 0)),
        np.full((4, 3), NAN),
        np.array([[1.0]]),
        np.array([[1.0, 2.0]]),
        np.full((40, 3), 2.0),
        np.tile([1.0, 2.0, 3.0], (40, 1)),
        np.array([[1.0, 2.0], [2.0, 1.0]]),
        np.array([[k, 39.0 - k] for k in range(40)]),
        np.zeros((40, 2)),
    ],
    ids=[
        *("no pairs", "no raters", "not rated", "one rating", "one pair", "all equal", "pairs alike"),
        *("turned round", "opposites", "zeros"),
    ],
)
def test_no_table_crashes_a_statistic(ratings, level):
    assert_reasons_where_undefined(ratings, level)


@pytest.mark.parametrize(
    ("ratings", "names"),
    [
        (np.empty((0, 3)), set(FIGURES)),
        (np.array([[1.0, NAN], [NAN, 2.0]]), set(FIGURES)),
        (np.full((40, 3), 2.0), set(FIGURES) - {"mean_sd"}),
    ],
    ids=["no pairs", "no pair rated twice", "all equal"],
)
def test_without_what_it_needs_a_statistic_is_undefined(ratings, names):
    found = estimates(ratings, "ordinal")
    assert {name for name, one in found.items() if not one.is_defined} == names
