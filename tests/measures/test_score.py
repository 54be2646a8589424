from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from medgauge.measures import score as module
from medgauge.measures.declared import measures_for
from medgauge.measures.score import Prepared, TermVectors, pair_scores, score
from tests.measures.reference import BASIC, reference
from tests.strategies import term_rows

WORDS = measures_for("words")
VECTORS = measures_for("vectors")


def grouped(terms: list[NDArray[np.float32]]) -> TermVectors:
    offsets = np.cumsum([0, *(len(rows) for rows in terms)])
    return TermVectors(np.concatenate(terms), offsets, np.arange(offsets[-1]))


def scored(
    measures: list[str], terms: TermVectors, left: object, right: object
) -> dict[str, NDArray[np.float64]]:
    return score(measures, terms, np.asarray(left), np.asarray(right))


@pytest.mark.slow
@given(term_rows())
@settings(max_examples=150, deadline=None)
def test_the_kernels_agree_with_scipy(terms):
    left, right = (side.ravel() for side in np.indices((len(terms), len(terms))))
    scores = scored(WORDS, grouped(terms), left, right)
    for measure in WORDS:
        expected = [reference(measure, terms[i], terms[j]) for i, j in zip(left, right, strict=True)]
        np.testing.assert_allclose(scores[measure], expected, atol=2e-6, err_msg=measure)


@given(term_rows(longest=1))
@settings(max_examples=60, deadline=None)
def test_a_term_with_one_vector_has_the_four_measures_of_that_vector(terms):
    left, right = np.zeros(len(terms), int), np.arange(len(terms))
    scores = scored(VECTORS, TermVectors.single(np.concatenate(terms)), left, right)
    for measure in VECTORS:
        expected = [BASIC[measure](terms[0][0], rows[0]) for rows in terms]
        np.testing.assert_allclose(scores[measure], expected, atol=2e-6, err_msg=measure)


def test_a_hand_worked_case():
    """x₁=(1,0), x₂=(0,1) against y₁=(1,1)."""
    terms = grouped([np.array([[1, 0], [0, 1]], np.float32), np.array([[1, 1]], np.float32)])
    scores = scored(["avg_cos", "pair_cos", "fj", "mj"], terms, [0], [1])
    assert scores["avg_cos"][0] == pytest.approx(1.0)
    assert scores["pair_cos"][0] == pytest.approx(np.sqrt(0.5))
    # Memberships in x₁, x₂, y₁: of x (1, 1, 1), of y (1, 1, 2).
    assert scores["fj"][0] == pytest.approx(3 / 4)
    assert scores["mj"][0] == pytest.approx(1.0)


def test_a_word_of_both_terms_counts_twice_in_fj():
    """As the universe of DynaMax stacks the words of both (Zhelezniak et al. 2019b, algorithm 1)."""
    shared, other = np.array([1, 0], np.float32), np.array([0.5, 1], np.float32)
    terms = grouped([np.array([shared]), np.array([shared, other])])
    # Memberships in (s, s, o): of {s} (1, 1, 0.5), of {s, o} (1, 1, 1.25).
    assert scored(["fj"], terms, [0], [1])["fj"][0] == pytest.approx(2.5 / 3.25)


def test_what_is_undefined_is_nan():
    zero, constant, plain = [[0, 0, 0]], [[2, 2, 2]], [[1, 2, 3]]
    terms = grouped([np.array(rows, np.float32) for rows in (zero, constant, plain)])
    scores = score(["avg_cos", "avg_pearson"], terms, np.array([0, 1]), np.array([2, 2]))
    assert np.isnan(scores["avg_cos"]).tolist() == [True, False]
    assert np.isnan(scores["avg_pearson"]).tolist() == [True, True]


def test_mj_without_a_positive_entry_is_undefined():
    terms = grouped([np.array([[-1, -2]], np.float32), np.array([[-3, 0]], np.float32)])
    assert np.isnan(score(["mj"], terms, np.array([0]), np.array([1]))["mj"][0])


def test_negative_zero_ties_with_zero():
    rows = np.array([[0.0, -0.0, 1.0], [1.0, 1.0, 2.0]], np.float32)
    scores = scored(["spearman", "kendall"], TermVectors.single(rows), [0], [1])
    assert scores["spearman"][0] == pytest.approx(1.0)
    assert scores["kendall"][0] == pytest.approx(1.0)


def test_pearson_of_vectors_far_from_zero_is_not_lost_to_rounding():
    rows = np.array([[10000.0, 10001.0, 10002.0], [3.0, 5.0, 7.0]], np.float32)
    assert scored(["pearson"], TermVectors.single(rows), [0], [1])["pearson"][0] == pytest.approx(1.0)


def test_more_rows_than_a_sorting_block():
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((2500, 7)).astype(np.float32)
    picked = rng.integers(2500, size=(2, 40))
    scores = scored(["spearman", "kendall"], TermVectors.single(rows), *picked)
    for measure, values in scores.items():
        expected = [BASIC[measure](rows[i], rows[j]) for i, j in picked.T]
        np.testing.assert_allclose(values, expected, atol=2e-6)


def test_the_number_of_threads_changes_no_byte():
    import numba

    rng = np.random.default_rng(2)
    vectors = rng.standard_normal((2500, 30)).astype(np.float32)  # more than two sorting blocks
    offsets = np.concatenate([[0], np.cumsum(rng.integers(1, 7, 2500))])
    terms = TermVectors(vectors, offsets, rng.integers(2500, size=offsets[-1]))
    left, right = rng.integers(2500, size=(2, 5000))
    many = score(WORDS, terms, left, right)
    try:
        numba.set_num_threads(1)
        one = score(WORDS, terms, left, right)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    assert all(many[name].tobytes() == one[name].tobytes() for name in WORDS)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_only_keeps_the_scores_and_drops_the_rest(data):
    terms = grouped(data.draw(term_rows(terms=6)))
    count = data.draw(st.integers(1, 5))
    picks = st.lists(st.integers(0, len(terms) - 1), min_size=count, max_size=count).map(np.array)
    left, right = data.draw(picks), data.draw(picks)
    fewer, new_left, new_right = terms.only(left, right)
    before = scored(WORDS, terms, left, right)
    after = scored(WORDS, fewer, new_left, new_right)
    for name in WORDS:
        np.testing.assert_array_equal(before[name], after[name])
    assert len(fewer) == len({*left.tolist(), *right.tolist()})


def test_single_vectors_that_are_all_needed_are_not_copied():
    rows = np.random.default_rng(6).standard_normal((5, 4)).astype(np.float32)
    terms = TermVectors.single(rows)
    needed, left, right = terms.only(np.array([3, 1, 4]), np.array([0, 2, 4]))
    assert needed.vectors is rows
    assert Prepared(needed).means is rows
    assert (left.tolist(), right.tolist()) == ([3, 1, 4], [0, 2, 4])
    assert not TermVectors(rows, np.array([0, 2, 5]), np.arange(5)).is_single
    assert not TermVectors(rows, np.arange(6), np.array([1, 0, 2, 3, 4])).is_single


def test_on_single_words_pair_measures_are_the_measures_of_means_to_the_bit():
    rng = np.random.default_rng(3)
    terms = TermVectors.single(rng.standard_normal((50, 20)).astype(np.float32))
    left, right = np.triu_indices(50)
    scores = scored(WORDS, terms, left, right)
    for basic in BASIC:
        np.testing.assert_array_equal(scores[f"avg_{basic}"], scores[f"pair_{basic}"])


def test_signs_that_take_too_much_room_are_done_without(monkeypatch):
    rng = np.random.default_rng(4)
    terms = TermVectors.single(rng.standard_normal((30, 40)).astype(np.float32))
    left, right = np.triu_indices(30)
    roomy = pair_scores("kendall", Prepared(terms, many=True))(left, right)
    monkeypatch.setattr(module, "_SIGN_BYTES", 8 * 13 * 30 - 1)
    cramped = pair_scores("kendall", Prepared(terms, many=True))(left, right)
    assert cramped.tobytes() == roomy.tobytes()
    assert module._SCORERS["kendall"](Prepared(terms, many=True)).args[4].size == 0  # type: ignore[attr-defined]


@pytest.mark.parametrize("measure", ["pair_spearman", "avg_spearman", "pair_kendall", "avg_kendall"])
@given(st.data())
@settings(max_examples=40, deadline=None)
def test_rank_measures_are_tied_exactly_if_rational_arithmetic_ties_them(measure, data):
    """Single precision split 11 true ties of pair_spearman among the pairs of EHR-RelB."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    words = [rng.permutation(6).astype(np.float32) for _ in range(6)]  # few ranks, so that there are ties
    terms = [np.array([words[k] for k in rng.integers(6, size=rng.integers(1, 4))]) for _ in range(8)]
    if measure.startswith("avg_"):
        terms = [rows[:1] for rows in terms]
    left, right = np.triu_indices(8)
    found = scored([measure], grouped(terms), left, right)[measure]
    exact = [exact_mean(measure, terms[i], terms[j]) for i, j in zip(left, right, strict=True)]
    assert [[a == b for b in found] for a in found] == [[a == b for b in exact] for a in exact]


def exact_mean(measure, first, second):
    """Return the mean of ρ or τ over all pairs of rows without ties, as a fraction."""
    return Fraction(sum(exact(measure, x, y) for x in first for y in second)) / (len(first) * len(second))


def exact(measure, x, y):
    n = len(x)
    if measure.endswith("spearman"):
        return 1 - Fraction(6 * int(((x - y) ** 2).sum()), n**3 - n)
    orders = [np.sign((x[i] - x[j]) * (y[i] - y[j])) for i in range(n) for j in range(i)]
    return Fraction(int(sum(orders)), n * (n - 1) // 2)


def test_terms_of_words_with_and_without_ties_are_scored_in_one_call():
    rng = np.random.default_rng(5)
    terms = [rng.standard_normal((count, 12)).astype(np.float32) for count in (1, 2, 3, 1, 2)]
    terms += [np.round(rng.standard_normal((count, 12))).astype(np.float32) for count in (1, 2)]
    left, right = np.triu_indices(len(terms))
    found = scored(["pair_spearman", "avg_spearman"], grouped(terms), left, right)
    for measure, values in found.items():
        expected = [reference(measure, terms[i], terms[j]) for i, j in zip(left, right, strict=True)]
        np.testing.assert_allclose(values, expected, atol=1e-6, err_msg=measure)
