import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.terminology.sctid import check_digits, valid_sctids
from tests.rf2 import check_digit

# SNOMED CT Release File Specification, section 6.8, "Example SNOMED CT identifiers": all twelve.
PUBLISHED = [
    *(100005, 100014, 100022, 1290023401004, 1290023401015, 9940000001029),
    *(11000001102, 10989121108, 1290989121103, 1290000001117, 9940000001126, 999999990989121104),
]


@pytest.mark.parametrize("identifier", PUBLISHED)
def test_published_identifiers_are_valid(identifier):
    assert valid_sctids(np.array([identifier])).all()


@given(st.lists(st.integers(0, 10**19 - 1).map(lambda number: min(number, 2**63 - 1))))
def test_the_arrays_agree_with_a_check_of_one_digit_after_another(numbers):
    expected = [6 <= len(str(n)) <= 18 and str(n)[-1] == check_digit(str(n)[:-1]) for n in numbers]
    assert valid_sctids(np.array(numbers, np.int64)).tolist() == expected


def test_the_check_digit_of_an_example_worked_by_hand():
    # Wikipedia, "Verhoeff algorithm", works out that 236 is followed by 3.
    assert check_digits(np.array([236])).tolist() == [3]


@given(st.integers(10_000, 10**17 - 1))
def test_one_last_digit_of_ten_is_right(number):
    candidates = 10 * number + np.arange(10)
    assert candidates[valid_sctids(candidates)].tolist() == [int(f"{number}{check_digit(str(number))}")]


@given(st.sampled_from(PUBLISHED), st.data())
def test_a_wrong_digit_and_two_swapped_neighbours_are_seen(identifier, data):
    digits = list(str(identifier))
    place = data.draw(st.integers(1, len(digits) - 1))
    other = digits.copy()
    other[place] = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != digits[place]]))
    digits[place - 1], digits[place] = digits[place], digits[place - 1]
    assert not valid_sctids(np.array([int("".join(other))])).any()
    if int("".join(digits)) != identifier:
        assert not valid_sctids(np.array([int("".join(digits))])).any()


@pytest.mark.parametrize("number", [0, 5, -138875005, 12345, 10**18, 2**63 - 1])
def test_what_is_too_short_too_long_or_negative_is_no_identifier(number):
    assert not valid_sctids(np.array([number])).any()


def test_no_ids_are_no_trouble():
    assert valid_sctids(np.array([], np.int64)).shape == (0,)
