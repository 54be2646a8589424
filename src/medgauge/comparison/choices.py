"""Choices of a comparison; kept apart, since a command line needs their names at once."""

from typing import Literal

By = Literal["model", "measure"]
"""What is compared: models, each with one measure, or the measures of each model."""

Family = Literal["dataset", "table"]
"""Which tests are corrected for together: those of one contest, or all with the same metric."""
