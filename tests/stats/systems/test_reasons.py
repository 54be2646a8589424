import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.stats.systems.reasons import nearly_constant, too_few_of_a_label, too_few_pairs


@pytest.mark.parametrize(
    ("count", "reason"),
    [
        (0, "no pair is covered"),
        (1, "only 1 pair; at least 3 are needed"),
        (2, "only 2 pairs; at least 3 are needed"),
        (3, None),
    ],
)
def test_pairs_are_counted_in_words(count, reason):
    assert too_few_pairs(count) == reason


@given(st.lists(st.sampled_from([0.0, 1.0]), max_size=6), st.sampled_from([1, 2]))
def test_the_label_that_is_named_is_the_one_that_is_missing(labels, fewest):
    reason = too_few_of_a_label(np.array(labels), fewest=fewest)
    rarest = min(labels.count(0.0), labels.count(1.0))
    assert (reason is None) == (rarest >= fewest and len(labels) >= 3)
    if len(labels) < 3:
        assert reason == too_few_pairs(len(labels))
    elif reason is not None:
        label = float(reason[-1])
        assert labels.count(label) == rarest
        assert reason == f"{'only 1' if rarest else 'no'} pair has label {label:.0f}"


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12))
def test_values_are_nearly_constant_if_fewer_than_5_differ_from_the_commonest(values):
    different = len(values) - max(map(values.count, values))
    reason = nearly_constant(np.array(values, float), "scores")
    assert (reason is None) == (different >= 5)
    if reason is not None:
        expected = f"only {different} of {len(values)} scores differ" if different else "all"
        assert reason.startswith(expected)


def test_the_reason_counts_the_values_that_differ():
    values = np.zeros(313)
    assert nearly_constant(values, "scores") == "all 313 scores are equal"
    values[7] = 0.5
    assert nearly_constant(values, "scores") == "only 1 of 313 scores differs from the commonest"
    values[8] = -0.5
    assert nearly_constant(values, "gold scores") == "only 2 of 313 gold scores differ from the commonest"
    assert nearly_constant(np.zeros(0), "scores") == "there are no scores"
