import numpy as np
import pytest

from medgauge.stats.differences.overlap_difference import overlap_difference
from medgauge.stats.systems.category_overlap import overlap_counts


def test_the_difference_of_two_systems_by_hand():
    """Errors by a 2, 2 and 4, 5 of 12; by b 3, 1, 0 and 5, 2, 2 of 8; by c 1, 0, 2, 1 and 1, 1, 4, 3 of 6.

    The differences have variances 1/288, 1/192 and 11/432; √(1/576 + 1/576 + 11/1728) = √(17/1728).
    """
    near, far = np.array([[3.0, 4, 6], [2, 5, 5]]), np.array([[1.0, 2, 5, 1], [3, 0, 1, 4]])
    found = overlap_difference(overlap_counts(near, far), overlap_counts(near, far + 1))
    assert found.estimate == pytest.approx(-5 / 24)
    assert found.deviation == pytest.approx((17 / 1728) ** 0.5)
    expected = (17 / 1728) ** 2 / (1 / 576**2 + 1 / 576**2 / 2 + (11 / 1728) ** 2 / 3)
    assert found.freedom == pytest.approx(expected)
