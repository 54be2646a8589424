"""Number: the type of a figure in what medgauge writes as JSON."""

import math
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator


def _no_infinity(value: float) -> float:
    if math.isinf(value):
        raise ValueError("a figure is finite")
    return value


Number = Annotated[
    float, BeforeValidator(lambda value: math.nan if value is None else value), AfterValidator(_no_infinity)
]
"""A figure; null in JSON is NaN, undefined."""
