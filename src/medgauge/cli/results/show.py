"""medgauge show."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from medgauge.cli.console import Format, print_result, say
from medgauge.cli.options.shared_options import Bom, FormatJson, NoIntervals


def show(
    path: Annotated[
        Path,
        typer.Argument(
            help="The folder of a stored run or build, or the JSON of a run, comparison, agreement or other "
            "result, as --json prints it."
        ),
    ],
    *,
    best_measure: Annotated[
        bool,
        typer.Option(
            "--best-measure",
            help="Show which measure of a run is best for which model, and whether the choice matters.",
        ),
    ] = False,
    measure: Annotated[
        Literal["standard", "best", "all"] | None,
        typer.Option(
            help="The measures of a run to show: standard (avg_cos or cos), best (chosen on the test data) "
            "or all. Default: as it was evaluated."
        ),
    ] = None,
    no_intervals: NoIntervals = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the result to this file (.svg, .pdf or .png).")
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="Output format; csv and json contain every figure.")
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Show a stored run, comparison, agreement or other result again, in any format; nothing is computed.

    Example: medgauge show runs/mine --format latex
    """
    from medgauge.errors import FileError
    from medgauge.evaluation.run import Run
    from medgauge.report.plots.canvas import check_plot, write_plot
    from medgauge.report.stored_results import load_result

    check_plot(plot)
    found = load_result(path)
    if best_measure or measure is not None:
        if not isinstance(found, Run):
            kind, given = type(found).__name__, "--best-measure" if best_measure else "--measure"
            raise FileError(path, f"holds a {kind}; {given} needs a run (medgauge evaluate … --out)")
        found = found.best_measures() if best_measure else found.showing(measure or "standard")
    if plot is not None:
        write_plot(plot, found.plot)
    print_result(found, Format.json if as_json else format, intervals=not no_intervals, bom=bom)
    if plot is not None:
        say(f"plot written to {plot}")
