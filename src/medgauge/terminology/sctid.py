"""SNOMED CT identifiers: 6 to 18 digits, of which the last is Verhoeff's check digit.

Reference: Verhoeff (1969). Error Detecting Decimal Codes. Mathematical Centre Tracts 29.
"""

import numpy as np
from numpy.typing import NDArray

_SHORTEST, _LONGEST = 6, 18
_TURN = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def _product(first: int, second: int) -> int:
    """Multiply in the dihedral group of the pentagon, where 0 to 4 are its turns and 5 to 9 its flips."""
    turned = first + second if first < 5 else first - second
    return turned % 5 + 5 * ((first < 5) != (second < 5))


def _turned(place: int, digit: int) -> int:
    for _ in range(place):
        digit = _TURN[digit]
    return digit


_PRODUCTS = np.array([[_product(first, second) for second in range(10)] for first in range(10)], np.uint8)
# Turned 8 times, each digit is itself again.
_TURNED = np.array([[_turned(place, digit) for digit in range(10)] for place in range(8)], np.uint8)


def valid_sctids(ids: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say of each number whether it is an identifier: its length and its check digit are right.

    The digits c₀ (the check digit), c₁, … from the right are right if the product of σ⁰(c₀), σ¹(c₁), … in the
    dihedral group D₅ is 0, σ being Verhoeff's permutation.

    >>> valid_sctids(np.array([138875005, 138875050, 5]))
    array([ True, False, False])
    """
    checks = np.zeros(ids.shape, np.uint8)
    rest = ids.copy()
    for place in range(_LONGEST):
        digits = _TURNED[place % 8, rest % 10]
        checks = np.where(rest > 0, _PRODUCTS[checks, digits], checks)
        rest //= 10
    valid: NDArray[np.bool_] = (checks == 0) & (ids >= 10 ** (_SHORTEST - 1)) & (ids < 10**_LONGEST)
    return valid
