"""Choices of a comparison; in their own module, so that the command line loads fast."""

from typing import Literal

from medgauge.errors import InputError

By = Literal["model", "measure"]
"""What is compared: models, each with one measure, or the measures of each model."""

TestFamily = Literal["dataset", "table"]
"""Which tests are corrected together: those of one contest, or all with the same metric."""

Dependence = Literal["independent", "dyadic"]
"""Whether pairs are independent, or those that share a concept on either side depend on one another."""


def check_alpha(alpha: float) -> None:
    """Refuse a level that is not between 0 and 1."""
    if not 0 < alpha < 1:
        raise InputError(f"alpha must be between 0 and 1, not {alpha:g}")
