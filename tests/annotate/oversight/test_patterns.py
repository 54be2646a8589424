"""Mechanical ratings against all stretches, tried one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.annotate.oversight.patterns import Pattern, equal_at_end, find_patterns

ANSWERS = st.lists(st.sampled_from([None, 0.0, 1.0, 2.0]), max_size=14)


def is_equal(part):
    return len(set(part)) == 1


def is_in_turn(part):
    return len(part) > 2 and len(set(part)) == 2 and all(part[k] != part[k + 1] for k in range(len(part) - 1))


def slow(answers, at_least):
    """Every stretch that has the property and is in no longer one that has it."""
    found = []
    for kind, holds in (("equal", is_equal), ("in turn", is_in_turn)):
        spans = [
            (first, last)
            for first in range(len(answers))
            for last in range(first + 1, len(answers) + 1)
            if holds(answers[first:last])
        ]
        for first, last in spans:
            inside = any(other != (first, last) and other[0] <= first and last <= other[1] for other in spans)
            if not inside and last - first >= at_least:
                found.append(Pattern(kind, first, last - first))
    return sorted(found, key=lambda pattern: (pattern.first, pattern.kind))


@given(ANSWERS, st.integers(2, 6))
def test_patterns_are_all_longest_stretches(answers, at_least):
    found = sorted(find_patterns(answers, at_least=at_least), key=lambda one: (one.first, one.kind))
    assert found == slow(answers, at_least)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([], []),
        ([1.0] * 9, []),
        ([1.0] * 10, [Pattern("equal", 0, 10)]),
        ([None] * 12, [Pattern("equal", 0, 12)]),
        ([0.0, 3.0] * 5, [Pattern("in turn", 0, 10)]),
        ([2.0, *[0.0, 3.0] * 5, 3.0], [Pattern("in turn", 1, 10)]),
    ],
)
def test_ten_are_a_pattern(answers, expected):
    assert find_patterns(answers) == expected


@given(ANSWERS)
def test_the_last_answer_in_a_row(answers):
    count = 0
    for answer in reversed(answers):
        if answer != answers[-1]:
            break
        count += 1
    assert equal_at_end(answers) == count
