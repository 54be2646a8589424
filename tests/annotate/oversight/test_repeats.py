"""Self-consistency, by hand."""

import math
from dataclasses import replace

import pytest

from medgauge.annotate.oversight.repeats import self_consistency
from medgauge.annotate.store.study import Rated

FIRST = Rated(
    "Ann", "1", "a", "b", "x", None, 3.0, False, "2026-03-01T19:30:00+00:00", 0, 1, "own", False, 2.0
)


def rated(annotator: str, *twos: tuple[float | None, float | None]) -> list[Rated]:
    found = []
    for place, (before, after) in enumerate(twos):
        one = replace(FIRST, annotator=annotator, pair_id=str(place), place=place)
        found.append(replace(one, value=before, unsure=before is None))
        found.append(replace(one, value=after, unsure=after is None, place=place + 100, role="duplicate"))
    return found


def test_second_ratings_are_held_against_the_first():
    """Of four pairs two have the same answer; three have numbers, 0, 1 and 2 apart, in the same order."""
    [ann] = self_consistency(rated("Ann", (6.0, 6.0), (3.0, 4.0), (1.0, 3.0), (None, None)))
    assert (ann.annotator, ann.pairs, ann.same, ann.apart) == ("Ann", 4, 0.5, 1.0)
    assert ann.rho == pytest.approx(1)


def test_not_knowing_once_is_another_answer_and_no_number():
    [ann] = self_consistency(rated("Ann", (None, 2.0), (2.0, 2.0)))
    assert (ann.same, ann.apart) == (0.5, 0.0)
    assert math.isnan(ann.rho)


def test_annotators_without_a_pair_twice_are_not_there():
    assert self_consistency([FIRST]) == []
    assert self_consistency([]) == []
    several = [*rated("Bea", (1.0, 2.0)), FIRST, *rated("Zoë", (None, None))]
    assert [one.annotator for one in self_consistency(several)] == ["Bea", "Zoë"]
    assert math.isnan(self_consistency(several)[1].apart)


def test_a_second_showing_without_a_first_does_not_count():
    assert self_consistency([replace(FIRST, role="duplicate")]) == []


def test_pairs_whose_terms_changed_sides_are_told_apart():
    """Of three that were turned one has the same answer, of two that were not, both have."""
    sides = [(False, True), (True, False), (False, True), (False, False), (True, True)]
    found = rated("Ann", (1.0, 1.0), (1.0, 2.0), (None, 0.0), (3.0, 3.0), (None, None))
    found = [replace(one, flipped=sides[number // 2][number % 2]) for number, one in enumerate(found)]
    [ann] = self_consistency(found)
    assert (ann.pairs, ann.same, ann.turned, ann.same_turned, ann.same_unturned) == (5, 3 / 5, 3, 1 / 3, 1.0)


def test_without_a_turned_pair_nothing_is_said_of_them():
    [ann] = self_consistency(rated("Ann", (1.0, 1.0)))
    assert (ann.turned, ann.same_unturned) == (0, 1.0)
    assert math.isnan(ann.same_turned)


@pytest.mark.parametrize("twos", [[(1.0, 1.0), (1.0, 2.0)], [(1.0, 2.0), (2.0, 2.0)], [(1.0, 3.0)]])
def test_an_undefined_correlation_is_nan_and_warns_of_nothing(twos):
    """Warnings are errors here: a thread that caught them would catch those of all others as well."""
    [ann] = self_consistency(rated("Ann", *twos))
    assert math.isnan(ann.rho)
