"""Options that select pairs and split them into subsets."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.errors import quoted

Where = Annotated[
    str | None,
    typer.Option(
        metavar="CONDITION",
        help="Use only the pairs that meet a condition, such as 'words > 1 and levenshtein <= 5'.",
    ),
]
By = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Report subsets too, split by a column of the sets or by words, levenshtein, different_ratings, "
        "rating_spread, semantic-types or specificity.",
    ),
]
Bins = Annotated[
    str | None,
    typer.Option(
        metavar="BINS",
        help="How --by splits numbers: a number of intervals of equal counts, or edges such as 0,10,100.",
    ),
]
Attributes = Annotated[
    Path | None,
    typer.Option(
        help="A table of words with numbers (CSV, TSV or Parquet); --by names one of its columns, and "
        "both terms of a pair must be in the same interval.",
    ),
]
Types = Annotated[
    tuple[str, str] | None,
    typer.Option(
        metavar="COLUMN_1 COLUMN_2",
        help="Report how well the types of the two terms, in these columns, predict the gold by themselves.",
    ),
]
Plot = Annotated[
    Path | None, typer.Option(help="Draw the figures of --by to this file (.svg, .pdf or .png).")
]


def parse_bins(given: str | None) -> int | list[float] | None:
    """Parse a number of bins, or their edges.

    >>> parse_bins("3"), parse_bins("0, 10,inf")
    (3, [0.0, 10.0, inf])
    """
    if given is None:
        return None
    try:
        return [float(edge) for edge in given.split(",")] if "," in given else int(given)
    except ValueError:
        raise typer.BadParameter(
            f"{quoted(given)} is neither a number of bins nor edges such as 0,10,100", param_hint="--bins"
        ) from None


def check_together(by: str | None, bins: str | None, attributes: Path | None, plot: Path | None) -> None:
    """Refuse options about subsets when no subsets were asked for."""
    for option, given in (("--bins", bins), ("--attributes", attributes), ("--plot", plot)):
        if given is not None and by is None:
            raise typer.BadParameter(f"{option} needs --by COLUMN")
