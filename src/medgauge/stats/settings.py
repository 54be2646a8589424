"""Choices that statistics leave to the user; in their own module, so that the command line loads fast."""

from typing import Literal

Correction = Literal["bonferroni", "holm", "bh", "none"]
"""Bonferroni and Holm bound the chance of any false finding, Benjamini-Hochberg the share of false ones."""

Level = Literal["nominal", "ordinal", "interval", "ratio"]
"""Which differences between ratings matter: whether they differ, their order, their size, their ratio."""

KappaDistance = Literal["value", "index"]
"""What the weights of Cohen's κ go by: how far apart two ratings are, or how many categories apart."""

RESAMPLES = 9_999
"""The default number of bootstrap resamples, for 95% intervals."""
LARGEST = 1e12
"""The largest absolute value of a rating, so that its square does not overflow."""

MOST_RESAMPLES = 1_000_000
"""The largest number of resamples; more would fill the memory."""
