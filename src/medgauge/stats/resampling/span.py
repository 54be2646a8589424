"""Span: the range of a statistic, stretched to the whole line, so that no interval can leave it."""

import math
from dataclasses import dataclass

_TINY = 1e-12  # a value that is no further from an end may be there up to rounding


@dataclass(frozen=True)
class Span:
    """The values between two ends, each of which may be infinite; the ends themselves have no place.

    A value x is at the place

        ln((x − lowest) / (highest − x))    between two finite ends
        −ln(highest − x)                    below a highest value
        ln(x − lowest)                      above a lowest value

    on the line. Up to a factor and a shift, which no interval depends on, that is atanh x from −1 to 1, the
    logit from 0 to 1, ln(1 − x) below 1, ln x above 0, and from −1/(k − 1) to 1 Fisher's ½ ln((1 + (k − 1)x)
    / (1 − x)) for the intra-class correlation of k ratings.

    Reference: Fisher (1925). Statistical Methods for Research Workers, sections 35 and 39.

    >>> round(CORRELATION.place(0.5) / 2, 6) == round(math.atanh(0.5), 6)
    True
    >>> [round(BELOW_ONE.value(BELOW_ONE.place(0.5) + step), 3) for step in (-1, 0, 1)]
    [-0.359, 0.5, 0.816]
    """

    lowest: float = -math.inf
    highest: float = math.inf

    def contains(self, value: float) -> bool:
        """Return whether a value lies between the ends by more than rounding, so that it has a place."""
        return self.lowest + _TINY < value < self.highest - _TINY

    def __str__(self) -> str:
        """Describe the values of the span in words."""
        ends = [f"{end:.3g}".replace("-", "−") for end in (self.lowest, self.highest)]
        if math.isinf(self.lowest):
            return "a number" if math.isinf(self.highest) else f"below {ends[1]}"
        return f"above {ends[0]}" if math.isinf(self.highest) else f"between {ends[0]} and {ends[1]}"

    def place(self, value: float) -> float:
        """Return the place of a value on the line."""
        if math.isinf(self.lowest):
            return value if math.isinf(self.highest) else -math.log(self.highest - value)
        if math.isinf(self.highest):
            return math.log(value - self.lowest)
        return math.log(value - self.lowest) - math.log(self.highest - value)

    def slope(self, value: float) -> float:
        """Return how far the place moves for each unit that the value does: the derivative of the place."""
        below = 0.0 if math.isinf(self.lowest) else 1 / (value - self.lowest)
        above = 0.0 if math.isinf(self.highest) else 1 / (self.highest - value)
        return below + above or 1.0

    def value(self, place: float) -> float:
        """Return the value at a place on the line, an end where it is nearer to that than a number can be."""
        if math.isinf(self.lowest):
            return place if math.isinf(self.highest) else self.highest - _exp(-place)
        if math.isinf(self.highest):
            return self.lowest + _exp(place)
        share = 1 / (1 + _exp(-place))
        return min(max(self.lowest + (self.highest - self.lowest) * share, self.lowest), self.highest)


def _exp(power: float) -> float:
    """Return e to a power, infinity where that is too large for a number."""
    try:
        return math.exp(power)
    except OverflowError:
        return math.inf


CORRELATION = Span(-1, 1)
SHARE = Span(0, 1)
BELOW_ONE = Span(highest=1)
POSITIVE = Span(lowest=0)
