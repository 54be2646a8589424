"""How estimates are stored: the types of their parts in JSON.

Separate from `estimate`, so that statistics and the command line need not load pydantic.
"""

import math
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from medgauge.errors import has_controls
from medgauge.estimate import CONFIDENCE


def _no_infinity(value: float) -> float:
    if math.isinf(value):
        raise ValueError("a figure must be finite")
    return value


def _without_controls(name: str) -> str:
    if has_controls(name):
        raise ValueError("a name must not have control characters")
    return name


Number = Annotated[
    float, BeforeValidator(lambda value: math.nan if value is None else value), AfterValidator(_no_infinity)
]
"""A figure; null in JSON is NaN, undefined."""

Count = Annotated[int, Field(ge=0, le=2**53)]
"""A number of things; what is larger could not be put into a frame."""

StoredName = Annotated[str, AfterValidator(_without_controls)]
"""A name that is shown; one from elsewhere must not control the terminal."""

StoredConfidence = Annotated[float, Field(gt=0, lt=1, exclude_if=lambda value: value == CONFIDENCE)]
"""The confidence of a stored interval; written only if it is not the default."""

StoredReason = Annotated[str | None, Field(exclude_if=lambda value: value is None)]
"""Why a stored figure is undefined; written only if there is a reason."""


class StoredDifference(BaseModel):
    """The figure of a first system less that of a second; NaN (null in JSON) is undefined."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model_1: StoredName
    measure_1: StoredName
    model_2: StoredName
    measure_2: StoredName
    value: Number
    low: Number
    high: Number
    p: Number
    p_adjusted: Number
    significant: bool
