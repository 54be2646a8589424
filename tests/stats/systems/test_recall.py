import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge.stats.systems.recall import recall_at_one

_SIMILARITY = st.sampled_from([-0.5, 0.0, 0.25, 0.5, 1.0, np.nan])


def slow(own, others):
    if np.isnan(own):
        return np.nan
    ties = 1
    for other in others:
        if other > own:
            return 0.0
        ties += other == own
    return 1 / ties


@given(
    st.integers(0, 5).flatmap(
        lambda rows: st.tuples(
            arrays(np.float64, rows, elements=_SIMILARITY),
            arrays(np.float64, (rows, 4), elements=_SIMILARITY),
        )
    )
)
def test_recall_is_that_of_a_loop(given_):
    own, others = given_
    expected = [slow(one, row) for one, row in zip(own, others, strict=True)]
    np.testing.assert_array_equal(recall_at_one(own, others), expected)


def test_a_hand_worked_case():
    # The answer is first, second, and first together with two others.
    own = np.array([0.9, 0.4, 0.5])
    others = np.array([[0.8, 0.1, 0.2], [0.5, 0.1, 0.2], [0.5, 0.5, 0.2]])
    np.testing.assert_array_equal(recall_at_one(own, others), [1, 0, 1 / 3])
