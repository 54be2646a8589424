import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.stats.systems.reasons import too_few_of_a_label, too_few_pairs


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
