import pytest

from medgauge.spellings import same_term


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Heart Biopsy", "heart biopsy"),
        ("Ménière", "ME\u0301NIE\u0300RE"),
        ("Straße", "STRASSE"),
        ("ΟΔΟΣ", "οδος"),
    ],
)
def test_spellings_of_one_term(one, two):
    assert same_term(one) == same_term(two)


def test_a_hyphen_makes_another_term():
    assert same_term("x-ray") != same_term("x ray")
