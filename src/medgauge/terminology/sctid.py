"""SNOMED CT identifiers: 6 to 18 digits, of which the last is Verhoeff's check digit.

Reference: Verhoeff (1969). Error Detecting Decimal Codes. Mathematical Centre Tracts 29.
"""

import numpy as np
from numpy.typing import NDArray

_SHORTEST, _LONGEST = 6, 18
_TURN = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def _product(first: int, second: int) -> int:
    """Multiply in the dihedral group of the pentagon, where 0 to 4 are rotations and 5 to 9 reflections."""
    turned = first + second if first < 5 else first - second
    return turned % 5 + 5 * ((first < 5) != (second < 5))


def _turned(place: int, digit: int) -> int:
    for _ in range(place):
        digit = _TURN[digit]
    return digit


_PRODUCTS = np.array([[_product(first, second) for second in range(10)] for first in range(10)], np.uint8)
# After 8 turns, each digit is itself again.
_TURNED = np.array([[_turned(place, digit) for digit in range(10)] for place in range(8)], np.uint8)


# What a product must be multiplied by to give 0: a reflection by itself, a rotation by the rest of the turn.
_INVERSES = np.array([0, 4, 3, 2, 1, 5, 6, 7, 8, 9], np.uint8)


def check_digits(numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Compute the check digit that follows each number.

    For the digits d₁, d₂, … from the right, it is the inverse of the product of σ¹(d₁), σ²(d₂), … in the
    dihedral group D₅, where σ is Verhoeff's permutation.

    >>> check_digits(np.array([13887500, 236]))
    array([5, 3], dtype=uint8)
    """
    products = np.zeros(numbers.shape, np.uint8)
    rest = numbers.copy()
    place = 1
    while (rest > 0).any():
        digits = _TURNED[place % 8, rest % 10]
        products = np.where(rest > 0, _PRODUCTS[products, digits], products)
        rest //= 10
        place += 1
    return _INVERSES[products]


def valid_sctids(ids: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each number is a valid identifier: its length and check digit are right.

    >>> valid_sctids(np.array([138875005, 138875050, 5]))
    array([ True, False, False])
    """
    in_range = (ids >= 10 ** (_SHORTEST - 1)) & (ids < 10**_LONGEST)
    valid: NDArray[np.bool_] = in_range & (check_digits(ids // 10) == ids % 10)
    return valid
