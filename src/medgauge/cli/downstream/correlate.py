"""medgauge correlate."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, print_result, working
from medgauge.cli.options.shared_options import Bom, Confidence, FormatJson
from medgauge.comparison.scope import check_alpha
from medgauge.estimate import CONFIDENCE

_TABLE = (
    "a CSV, TSV or Parquet file with the model's name in its first column, or the folder of a stored run or "
    "of medgauge ner."
)


def correlate(
    intrinsic: Annotated[Path, typer.Argument(help=f"Figures of similarity benchmarks: {_TABLE}")],
    extrinsic: Annotated[
        Path, typer.Argument(help=f"Figures of downstream tasks of the same models: {_TABLE}")
    ],
    *,
    alpha: Annotated[
        float, typer.Option(help="Print correlations with a p-value below this in bold.")
    ] = 0.05,
    confidence: Confidence = CONFIDENCE,
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="Output format; csv and json contain intervals too.")
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Test whether similarity benchmarks predict downstream performance: Pearson's r with p-values.

    Correlates every column of one table with every column of the other, over the models that both have.

    Example: medgauge correlate similarity.csv ner.csv
    """
    from medgauge.comparison.correlate import correlate as find_correlations
    from medgauge.report.correlation_tables import correlations_grid

    check_alpha(alpha)
    with working():
        found = find_correlations(intrinsic, extrinsic, confidence=confidence)
    grids = [correlations_grid(found, alpha=alpha)]
    print_result(found, Format.json if as_json else format, grids=grids, bom=bom)
