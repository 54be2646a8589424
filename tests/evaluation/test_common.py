import numpy as np
import polars as pl

from medgauge.evaluation.common import common_pairs, subword_pairs, undefined_pairs

NAN = float("nan")


def frame(covered, **measures):
    n = len(covered)
    return pl.DataFrame({"pair_id": list("abcd")[:n], "gold": [0.0] * n, **measures, "covered": covered})


def test_a_covered_pair_without_a_score_is_undefined():
    scores = frame([True, True, False], fj=[0.1, 0.2, NAN], mj=[0.1, NAN, NAN])
    assert undefined_pairs(scores).tolist() == [False, True, False]


def test_common_pairs_are_covered_and_defined_for_all():
    one = frame([True, True, False, True], fj=[0.1, 0.2, NAN, 0.4])
    two = frame([True, True, True, True], fj=[0.1, NAN, 0.3, 0.4])
    assert common_pairs([one, two]).tolist() == [True, False, False, True]
    assert np.array_equal(common_pairs([one]), one["covered"].to_numpy())


def test_places_of_missing_words_are_not_taken_for_a_measure():
    scores = frame([True, False], fj=[0.1, NAN], missing_1=[[], [0, 2]], missing_2=[[], []])
    assert undefined_pairs(scores).tolist() == [False, False]
    assert common_pairs([scores]).tolist() == [True, False]


def test_only_covered_pairs_are_counted_as_made_of_subwords():
    scores = frame([True, True, True, False], subwords_1=[[0], [], [], [0]], subwords_2=[[], [1], [], []])
    assert subword_pairs(scores) == 2
    assert subword_pairs(frame([True, False])) is None
