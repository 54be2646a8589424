"""Choices that statistics leave to the user; kept apart, since a command line needs their names at once."""

from typing import Literal

Correction = Literal["bonferroni", "holm", "bh", "none"]
"""Bonferroni and Holm bound the chance of any false finding, Benjamini-Hochberg the share of false ones."""

Level = Literal["nominal", "ordinal", "interval", "ratio"]
"""What differences between ratings mean: none but being different, their order, their size, their ratio."""

RESAMPLES = 9_999
"""Of a bootstrap for 95% intervals, if nothing else is said."""
LARGEST = 1e12
"""A rating can be so far from 0 and no farther, so that its square is a number."""

MOST_RESAMPLES = 1_000_000
"""More would fill the memory."""
