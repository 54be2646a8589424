"""What holds for every measure, so that a new one cannot escape it."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from medgauge.measures import score as module
from medgauge.measures.declared import MEASURES, measures_for
from medgauge.measures.score import _SCORERS, Prepared, mean_score, pair_scores, score_grid
from tests.measures.test_score import grouped, scored
from tests.strategies import term_rows

COMPUTED = [name for name, measure in MEASURES.items() if measure.family != "pairs"]


def longest_for(name: str) -> int:
    return 1 if MEASURES[name].family == "vectors" else 4


def test_every_declared_measure_is_computed_and_no_other():
    assert set(_SCORERS) == set(COMPUTED)
    assert len(measures_for("words")) == 10
    assert len(measures_for("vectors")) == 4


def test_every_measure_is_cited():
    assert [name for name in COMPUTED if not MEASURES[name].citation] == []


@pytest.mark.parametrize("name", COMPUTED)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_symmetry_and_range(name, data):
    terms = grouped(data.draw(term_rows(longest=longest_for(name))))
    left, right = np.triu_indices(len(terms))
    there = scored([name], terms, left, right)[name]
    back = scored([name], terms, right, left)[name]
    np.testing.assert_array_equal(there, back)
    defined = there[~np.isnan(there)]
    assert ((defined >= MEASURES[name].lowest) & (defined <= MEASURES[name].highest)).all()


@pytest.mark.parametrize("name", COMPUTED)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_word_order_and_a_common_positive_factor_change_nothing(name, data):
    rows = data.draw(term_rows(longest=longest_for(name)))
    # Powers of two, which leave the ties of sums as they are.
    factor = np.float32(data.draw(st.sampled_from([2.0**-50, 0.25, 8.0, 2.0**50])))
    plain = scored([name], grouped(rows), [0, 1], [1, 1])[name]
    reversed_rows = [np.ascontiguousarray(one[::-1]) for one in rows]
    np.testing.assert_allclose(scored([name], grouped(reversed_rows), [0, 1], [1, 1])[name], plain, atol=1e-6)
    scaled = grouped([one * factor for one in rows])
    np.testing.assert_allclose(scored([name], scaled, [0, 1], [1, 1])[name], plain, atol=1e-5)


@pytest.mark.parametrize("name", COMPUTED)
def test_a_term_is_most_similar_to_itself(name):
    rng = np.random.default_rng(0)
    terms = grouped([rng.standard_normal((1, 20)).astype(np.float32) for _ in range(2)])
    itself, other = scored([name], terms, [0, 0], [0, 1])[name]
    assert itself == 1.0
    assert other < itself


@pytest.mark.parametrize("name", COMPUTED)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_grid_has_the_scores_of_its_pairs_to_the_bit(name, data):
    terms = grouped(data.draw(term_rows(longest=longest_for(name))))
    everyone = np.arange(len(terms))
    rows, columns = (data.draw(st.permutations(everyone.tolist())) for _ in range(2))
    grid = score_grid(pair_scores(name, Prepared(terms, many=True)), np.array(rows), np.array(columns))
    left, right = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
    assert grid.ravel().tobytes() == scored([name], terms, left, right)[name].tobytes()


@pytest.mark.parametrize("at_once", [1 << 20, 20])
@pytest.mark.parametrize("name", COMPUTED)
def test_a_grid_that_is_scored_in_parts_has_the_scores_of_its_pairs_to_the_bit(name, at_once, monkeypatch):
    rng = np.random.default_rng(5)
    lengths = np.minimum(rng.integers(1, 5, 310), longest_for(name))
    terms = grouped([rng.standard_normal((length, 70)).astype(np.float32) for length in lengths])
    rows, columns = np.arange(7, 310), np.arange(7)
    monkeypatch.setattr(module, "_PAIRS", at_once)
    grid = score_grid(pair_scores(name, Prepared(terms, many=True)), rows, columns)
    left, right = np.repeat(rows, columns.size), np.tile(columns, rows.size)
    assert grid.ravel().tobytes() == scored([name], terms, left, right)[name].tobytes()


@pytest.mark.parametrize("name", COMPUTED)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_mean_that_is_had_at_once_is_the_plain_mean_over_pairs(name, data):
    terms = grouped(data.draw(term_rows(terms=6, longest=longest_for(name))))
    everyone = np.arange(len(terms))
    defined = everyone[~np.isnan(scored([name], terms, everyone, everyone)[name])]
    assume(defined.size > 1)
    left, right = (defined[side] for side in np.triu_indices(defined.size, 1))
    mean = mean_score(name, Prepared(terms), defined)
    if mean is None:
        assert not name.endswith(("cos", "pearson", "spearman")) or name.startswith("pair_")
    else:
        assert mean == pytest.approx(scored([name], terms, left, right)[name].mean(), abs=1e-12)
