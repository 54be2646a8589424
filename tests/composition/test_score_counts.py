import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.composition.score_counts import score_counts, score_fifths

SCALES = st.sampled_from([(0.0, 1.0), (0.0, 3.0), (1.0, 10.0), (0.0, 1600.0), (-2.0, 0.5)])


@given(SCALES, st.lists(st.integers(0, 30), min_size=1, max_size=40))
@settings(max_examples=150, deadline=None)
def test_fifths_are_those_of_pandas(scale, steps):
    """Scores are thirtieths of the scale, so that many are on a limit."""
    low, high = scale
    scores = np.array([low + step * (high - low) / 30 for step in steps])
    # In thirtieths, limits are whole numbers, which rounding does not touch.
    cut = pd.cut(pd.Series(steps), [0, 6, 12, 18, 24, 31], right=False, labels=False)
    expected = [int((cut == fifth).sum()) for fifth in range(5)]
    assert score_fifths(scores, scale) == expected


def test_scores_beyond_the_scale_count_at_its_ends():
    assert score_fifths(np.array([-1.0, 7.0]), (0, 5)) == [1, 0, 0, 0, 1]


@given(st.lists(st.integers(0, 5)))
def test_each_score_is_counted(scores):
    found = score_counts(np.array(scores, float))
    counts = pd.Series(scores, dtype=float).value_counts().sort_index()
    assert [(one.score, one.pairs) for one in found] == list(counts.items())


def test_very_many_scores_are_counted_in_intervals():
    scores = np.random.default_rng(0).random(5_000)
    found = score_counts(scores)
    assert len(found) <= 200
    assert sum(one.pairs for one in found) == 5_000
    edges = np.linspace(scores.min(), scores.max(), 201)
    middle = found[100].score
    place = np.searchsorted(edges, middle) - 1
    assert found[100].pairs == ((scores >= edges[place]) & (scores < edges[place + 1])).sum()
