"""medgauge correlate."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, print_grids, print_text, working

_TABLE = (
    "a CSV, TSV or Parquet file with the model's name in its first column, or the folder of a stored run."
)


def correlate(
    intrinsic: Annotated[Path, typer.Argument(help=f"Figures of similarity benchmarks: {_TABLE}")],
    extrinsic: Annotated[
        Path, typer.Argument(help=f"Figures of downstream tasks of the same models: {_TABLE}")
    ],
    *,
    alpha: Annotated[float, typer.Option(min=0, max=1, help="Set p-values below this in bold.")] = 0.05,
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="How the table is printed; csv and json have intervals too.")
    ] = Format.table,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Find out whether similarity benchmarks predict downstream performance: Pearson's r with p-values.

    Every column of one table is held against every column of the other, over the models that both have.

    Example: medgauge correlate similarity.csv ner.csv
    """
    from medgauge.comparison.correlate import correlate as find_correlations
    from medgauge.report import correlations, grid

    with working():
        found = find_correlations(intrinsic, extrinsic)
    if as_json or format is Format.json:
        print_text(found.to_json())
    elif format is Format.csv:
        print_text(grid.to_csv(*correlations.correlation_rows(found)))
    else:
        print_grids([correlations.correlations_grid(found, alpha=alpha)], format)
