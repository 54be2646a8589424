"""The choices for building sets from a terminology."""

from typing import Literal

FileForm = Literal["parquet", "tsv"]

REPLACEMENTS = ("possibly-equivalent-to", "replaced-by", "same-as")
FAMILIES = ("fsn-syn", "syn-syn", *REPLACEMENTS)
"""The five families, in the order of table 2 of Schulz and Juric (2020)."""

DIFFICULTIES = ("easy", "hard")
STRATEGIES = ("random", "levenshtein")
"""The kinds of negatives."""
