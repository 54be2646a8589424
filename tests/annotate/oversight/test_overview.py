"""What a coordinator sees, by hand and against slow oracles."""

import itertools
import math
import statistics
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.annotate.exchange.export import ratings_of
from medgauge.annotate.oversight.overview import (
    Disputed,
    Mechanical,
    Stretches,
    answer_times,
    mechanical_answers,
    most_disputed,
    oversee,
)
from medgauge.annotate.store.study import Rated, Timed
from medgauge.protocol import load_protocol
from tests.annotate.studies import ANN, BEA, graded, make, rate, undo

GRADED, SAME = load_protocol("graded"), load_protocol("same")
NONE = Stretches(0, 0)


def rating(annotator: str, pair_id: str, value: float | None, place: int = 0, at: int = 0) -> Rated:
    time = f"2026-03-01T19:30:00.{at:03d}+00:00"
    return Rated(
        annotator, pair_id, "Flu", "grippe", "x", 1, value, value is None, time, place, 1, "own", False, 2.0
    )


def of_pairs(**pairs: str) -> list[Rated]:
    """Make ratings of letters: of pair a, "13?" is 1 by Ann, 3 by Bea and unsure by Zoë; a blank is none."""
    return [
        rating(annotator, pair_id, None if answer == "?" else float(answer))
        for number, annotator in enumerate(("Ann", "Bea", "Zoë", "Dan", "Eve", "Fay"))
        for pair_id, answers in pairs.items()
        if (answer := answers[number : number + 1].strip())
    ]


def test_times_are_quartiles_of_first_answers():
    first = [Timed("Ann", place, seconds) for place, seconds in enumerate((5.0, 1.0, 4.0, 2.0, 3.0))]
    changed = [Timed("Ann", 0, 0.2), Timed("Ann", 0, 0.1)]
    [ann] = answer_times(first + changed)
    assert (ann.answers, ann.lower_quartile, ann.median, ann.upper_quartile) == (5, 2.0, 3.0, 4.0)
    assert ann.hasty == 0
    assert ann.hours * 3600 == pytest.approx(15.3)  # the changes were work too


def test_hasty_is_under_a_second():
    [ann] = answer_times([Timed("Ann", 0, 0.999), Timed("Ann", 1, 1.0), Timed("Ann", 2, 0.0)])
    assert ann.hasty == 2


def test_who_leaves_the_page_open_overnight_does_not_work_all_night():
    [ann] = answer_times([Timed("Ann", 0, 12 * 3600.0), Timed("Ann", 1, 300.0), Timed("Ann", 2, 299.0)])
    assert ann.hours * 3600 == pytest.approx(300 + 300 + 299)


def test_each_annotator_has_times_of_their_own_however_answers_are_mixed():
    mixed = [Timed("Zoë", 0, 3.0), Timed("Ann", 0, 1.0), Timed("Zoë", 1, 5.0)]
    assert [(one.annotator, one.answers, one.median) for one in answer_times(mixed)] == [
        ("Zoë", 2, 4.0),
        ("Ann", 1, 1.0),
    ]
    assert answer_times([]) == []


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=30))
def test_quartiles_are_those_of_the_standard_library(seconds):
    [ann] = answer_times(Timed("Ann", place, one) for place, one in enumerate(seconds))
    expected = statistics.quantiles(seconds, n=4, method="inclusive")
    assert [ann.lower_quartile, ann.median, ann.upper_quartile] == pytest.approx(expected)


def test_patterns_are_of_answers_as_they_were_given_not_as_they_stand_on_the_page():
    """By place the answers are 1 0 1 0 1 0; Ann first gave all 1s and then all 0s."""
    values = (1.0, 0.0, 1.0, 0.0, 1.0, 0.0)
    times = (0, 3, 1, 4, 2, 5)
    ratings = [rating("Ann", str(n), values[n], place=n, at=times[n]) for n in range(6)]
    assert mechanical_answers(ratings, at_least=3) == [Mechanical("Ann", Stretches(2, 3), NONE)]
    by_place = [replace(one, at="") for one in ratings]
    assert mechanical_answers(by_place, at_least=3) == [Mechanical("Ann", NONE, Stretches(1, 6))]


def test_stretches_are_counted_with_the_longest_of_each_kind():
    given_in_order = (2, 2, 2, 2, 0, 3, 0, 3, 0, 1, 1, 1, None, None, None, 2)
    ratings = [rating("Ann", str(n), value, n, n) for n, value in enumerate(given_in_order)]
    ratings += [rating("Béa", str(n), float(n), n, n) for n in range(4)]
    assert mechanical_answers(ratings, at_least=3) == [
        Mechanical("Ann", Stretches(3, 4), Stretches(1, 5)),
        Mechanical("Béa", NONE, NONE),
    ]
    assert mechanical_answers([], at_least=3) == []


def test_the_pairs_that_are_furthest_apart_come_first():
    """Standard deviations: a √(1/2), b √(9/2), c 0, d of a single rating, e √(3²·2/3) of 0, 3 and 3."""
    ratings = ratings_of(of_pairs(a="12?", b="30", c="222", d="1??", e="033"), GRADED)
    b, e, a = most_disputed(ratings)
    assert (a.pair_id, b.pair_id, e.pair_id) == ("a", "b", "e")
    assert [a.apart, b.apart, e.apart] == pytest.approx([math.sqrt(1 / 2), math.sqrt(9 / 2), math.sqrt(3)])
    assert replace(a, apart=0.0) == Disputed(
        "a", "Flu", "grippe", "x", 0.0, (("Ann", 1.0), ("Bea", 2.0), ("Zoë", None))
    )
    assert b.answers == (("Ann", 3.0), ("Bea", 0.0))
    assert most_disputed(ratings, count=1) == [b]


def test_the_same_ratings_of_others_are_as_far_apart():
    """Sums of 0.1, 0.2 and 0.7 depend on their order; ties are then by the pair's id."""
    tenths = itertools.permutations((0.1, 0.2, 0.7))
    ratings = [
        rating(annotator, pair_id, value)
        for pair_id, values in zip("fadbce", tenths, strict=True)
        for annotator, value in zip(("Ann", "Bea", "Zoë"), values, strict=True)
    ]
    assert [one.pair_id for one in most_disputed(ratings_of(ratings, GRADED))] == list("abcdef")


def test_of_verdicts_the_evenest_split_comes_first_and_of_these_the_one_with_most_verdicts():
    """Minorities: a 1 of 2, b 2 of 4, c 1 of 3, d none of 3, e 1 of 2 beside one who is unsure, f 2 of 5."""
    pairs = of_pairs(a="10", b="1100", c="110", d="111", e="01?", f="00011", g="1")
    found = most_disputed(ratings_of(pairs, SAME))
    assert [(one.pair_id, one.apart) for one in found] == [
        ("b", 1 / 2),
        ("a", 1 / 2),
        ("e", 1 / 2),
        ("f", 2 / 5),
        ("c", pytest.approx(1 / 3)),
    ]


@pytest.mark.parametrize("pairs", [{}, {"a": "1", "b": "2"}, {"a": "??"}, {"a": "11", "b": "1?"}])
@pytest.mark.parametrize("protocol", [GRADED, SAME])
def test_without_two_ratings_that_differ_nothing_is_disputed(pairs, protocol):
    assert most_disputed(ratings_of(of_pairs(**pairs), protocol)) == []


ANSWERS = st.dictionaries(st.text("abc", min_size=1, max_size=3), st.text("0123? ", max_size=6), max_size=12)


@given(ANSWERS, st.integers(1, 12))
def test_disputed_pairs_are_those_of_an_exact_standard_deviation(pairs, count):
    expected = []
    for pair_id, answers in pairs.items():
        numbers = [float(answer) for answer in answers if answer.isdecimal()]
        if len(set(numbers)) > 1:
            expected.append((-statistics.stdev(numbers), -len(numbers), pair_id))
    expected.sort()
    found = most_disputed(ratings_of(of_pairs(**pairs), GRADED), count=count)
    assert [one.pair_id for one in found] == [pair_id for *_, pair_id in expected[:count]]
    assert [one.apart for one in found] == pytest.approx([-apart for apart, *_ in expected[:count]])


def test_all_of_an_annotator_stands_together_in_the_order_of_the_study(tmp_path):
    with make(tmp_path) as store:
        for place, seconds in ((2, 0.5), (1, 3.0), (0, 4.0)):
            store.rate(ANN, place, value=2, seconds=seconds, key=f"k{place}", accepts=graded)
        store.submit_page(ANN, 1)
        rate(store, ANN, 3, None)
        rate(store, ANN, 4, 2)  # the pair of place 1, with its sides turned
        ann, bea = oversee(store.progress(), store.ratings(), store.timed(), at_least=3)
    assert (ann.progress.annotator.name, ann.progress.done, ann.progress.page) == ("Ann", 5, 2)
    assert ann.mechanical == Mechanical("Ann", Stretches(1, 3), Stretches(1, 3))  # 2 2 2, and 2 unsure 2
    assert (ann.times.answers, ann.times.hasty, ann.times.median) == (5, 1, 1.5)
    assert (ann.consistency.pairs, ann.consistency.same_turned) == (1, 1.0)
    assert (bea.progress.done, bea.times, bea.mechanical, bea.consistency) == (0, None, None, None)


def test_a_rating_that_was_taken_back_is_work_and_no_answer(store):
    rate(store, BEA, 0)
    undo(store, BEA, 0, key="u")
    _, bea = oversee(store.progress(), store.ratings(), store.timed(), at_least=2)
    assert (bea.mechanical, bea.times.answers, bea.times.hours) == (None, 1, 1.5 / 3600)
