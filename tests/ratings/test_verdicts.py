"""The table of verdicts: by set, in order, with what is undefined answered."""

import math

import numpy as np
import polars as pl
import pytest

from medgauge.errors import InputError
from medgauge.pairs import Card
from medgauge.ratings.ratings import Ratings
from medgauge.ratings.verdicts import verdict_table

SAME, NOT, UNSURE, NONE = 1.0, 0.0, "?", math.nan


def verdicts(answers, *, graded=False, **columns):
    """Ratings of pairs by three doctors; "?" is "don't know"."""
    unsure = np.array([[answer == UNSURE for answer in row] for row in answers]).reshape(-1, 3)
    values = np.array([[NONE if answer == UNSURE else answer for answer in row] for row in answers], float)
    pairs = pl.DataFrame({"pair_id": [str(number) for number in range(1, len(answers) + 1)], **columns})
    card = Card(name="mine", title="Mine")
    return Ratings(pairs, ("A", "B", "C"), values.reshape(-1, 3), unsure, not graded, None, card)


ANSWERS = [
    [SAME, SAME, SAME],
    [SAME, SAME, NOT],
    [NOT, NOT, NOT],
    [SAME, NOT, UNSURE],
    [NOT, NOT, UNSURE],
    [SAME, UNSURE, UNSURE],
]


def test_without_a_column_set_there_is_one_set_called_as_the_card_is():
    [found] = verdict_table(verdicts(ANSWERS, label=[1, 0, 1, 1, 0, 0]))
    assert (found.set, found.pairs, found.without_truth) == ("mine", 6, 2)
    assert found.share_without_truth == pytest.approx(1 / 3)
    assert (found.accuracy, found.recall, found.precision) == (0.5, 0.5, 0.5)
    assert set(found.intervals) == {"accuracy", "recall", "precision"}


def test_alpha_is_nominal_and_leaves_out_who_does_not_know():
    """By hand: of 13 paired verdicts 6 are same; unequal twos weigh 2 in the second pair, 2 in the fourth."""
    [found] = verdict_table(verdicts(ANSWERS))
    assert found.alpha == pytest.approx(1 - (4 / 13) / (2 * 6 * 7 / (13 * 12)))


def test_sets_come_in_the_order_of_their_first_pair_and_all_comes_last():
    ratings = verdicts(ANSWERS, set=["Zürich", "aachen", "Zürich", "aachen", "x-y", "x-y"], label=[1] * 6)
    found = verdict_table(ratings)
    assert [(one.set, one.pairs, one.without_truth) for one in found] == [
        ("Zürich", 2, 0),
        ("aachen", 2, 1),
        ("x-y", 2, 1),
        ("all sets", 6, 2),
    ]
    assert [one.precision for one in found] == [0.5, 1.0, 0.0, 0.5]


def test_one_set_has_no_line_for_all():
    assert [one.set for one in verdict_table(verdicts(ANSWERS, set=["a"] * 6))] == ["a"]


def test_pairs_of_no_set_are_told():
    found = verdict_table(verdicts(ANSWERS, set=["a", "a", None, "", "a", "a"]))
    assert [(one.set, one.pairs) for one in found] == [("a", 4), ("without a set", 2), ("all sets", 6)]


def test_sets_may_have_numbers_for_names():
    assert [one.set for one in verdict_table(verdicts(ANSWERS, set=[2, 2, 2, 1, 1, 1]))] == [
        "2",
        "1",
        "all sets",
    ]


def test_a_set_without_labels_has_no_quality():
    [found] = verdict_table(verdicts(ANSWERS))
    assert all(map(math.isnan, (found.accuracy, found.recall, found.precision)))
    assert found.intervals == {}
    assert found.without_truth == 2


def test_pairs_without_a_label_do_not_count_for_quality():
    [found] = verdict_table(verdicts(ANSWERS, label=[1, None, None, None, None, None]))
    assert (found.accuracy, found.recall, found.precision) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("before", [[1, 0, 1, 1, 0, 0], ["1", "0", "1", "1", "0", ""]])
def test_a_gold_standards_own_labels_are_not_held_against_themselves(before):
    """In a set that was made of the verdicts, `label` is the majority, and would be right every time."""
    [found] = verdict_table(verdicts(ANSWERS, label=[1, 1, 0, 1, 0, 1], label_in_set=before))
    assert (found.accuracy, found.recall, found.precision) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("answers", [[[SAME] * 3] * 2, [[SAME, NONE, NONE]], [[UNSURE] * 3], [[NONE] * 3]])
def test_an_undefined_alpha_is_nan_without_a_warning(answers):
    [found] = verdict_table(verdicts(answers))
    assert math.isnan(found.alpha)
    assert found.pairs == len(answers)


def test_no_pairs_have_no_sets():
    assert verdict_table(verdicts([])) == []


def test_graded_ratings_are_refused():
    with pytest.raises(InputError, match="the ratings of mine are graded"):
        verdict_table(verdicts([[3.0, 2.0, 1.0]], graded=True))
