import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.stats.differences.letters import compact_letters


@st.composite
def differences(draw):
    count = draw(st.integers(1, 8))
    flags = draw(st.lists(st.booleans(), min_size=count * count, max_size=count * count))
    upper = np.triu(np.array(flags, bool).reshape(count, count), 1)
    return upper | upper.T


@given(differences())
@settings(max_examples=300, deadline=None)
def test_two_share_a_letter_exactly_when_they_do_not_differ(different):
    letters = compact_letters(different)
    for i in range(len(different)):
        assert letters[i]
        for j in range(i):
            assert bool(set(letters[i]) & set(letters[j])) != different[i, j]


@given(differences())
@settings(max_examples=100, deadline=None)
def test_no_letter_is_within_another(different):
    letters = compact_letters(different)
    used = sorted(set("".join(letters)))
    groups = [{system for system, mine in enumerate(letters) if letter in mine} for letter in used]
    assert not any(one < two for one in groups for two in groups)
    assert used == list(string.ascii_lowercase[: len(used)])


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], ["a", "a", "a", "a"]),
        ([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], ["a", "b", "c", "d"]),
        ([(0, 2), (0, 3), (1, 3)], ["a", "ab", "bc", "c"]),
        ([(0, 3)], ["a", "ab", "ab", "b"]),
    ],
)
def test_hand_worked_displays(pairs, expected):
    different = np.zeros((4, 4), bool)
    for i, j in pairs:
        different[i, j] = different[j, i] = True
    assert compact_letters(different) == expected


def test_many_groups_have_names_too():
    letters = compact_letters(~np.eye(60, dtype=bool))
    assert letters[:2] == ["a", "b"]
    assert letters[51:53] == ["Z", "[53]"]
