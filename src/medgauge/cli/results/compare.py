"""medgauge compare."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, print_result, say, working
from medgauge.cli.options.shared_options import Bom, FormatJson
from medgauge.comparison.scope import By, Dependence, TestFamily
from medgauge.stats.settings import Correction


def compare(
    run: Annotated[Path, typer.Argument(help="The folder of a stored run (medgauge evaluate … --out).")],
    *,
    by: Annotated[
        By, typer.Option(help="Compare models, each with one measure, or the measures of each model.")
    ] = "model",
    dataset: Annotated[
        list[str] | None,
        typer.Option(help="A set of the run. Repeat for each set, or separate them by commas. Default: all."),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            help="One measure for all models, one for each kind or model (words=fj,vectors=kendall), or "
            "best, chosen on the test data. Default: the run's only measure, else avg_cos and cos."
        ),
    ] = None,
    alpha: Annotated[float, typer.Option(help="Significance level of the whole family of tests.")] = 0.05,
    correction: Annotated[
        Correction, typer.Option(help="Correction for the number of tests.")
    ] = "bonferroni",
    family: Annotated[
        TestFamily,
        typer.Option(
            help="Correct over the tests on one set (with --by measure: of one model on it), or over the "
            "whole table."
        ),
    ] = "dataset",
    clustered_by: Annotated[
        str | None,
        typer.Option(
            help="Treat pairs with the same value in this column of the set (such as id_1) as dependent."
        ),
    ] = None,
    dependence: Annotated[
        Dependence | None,
        typer.Option(
            help="Treat pairs as dependent (dyadic) if they share a concept on either side (an id, else a "
            "CUI, else a term), or all as independent, as in the papers. Default: dyadic, or the groups of "
            "--clustered-by.",
            show_default=False,
        ),
    ] = None,
    resamples: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of swaps on graded sets of fewer than 500 pairs, and of resamples for ranks. "
            "Default: as many as the level requires, and 10,000 for ranks.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the swaps and resamples.")] = 0,
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Draw the figures with intervals and letters (with --by measure, those of every measure) to "
            "this file (.svg, .pdf or .png)."
        ),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="Output format; csv contains every difference, json everything.")
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Test which differences in a stored run are real, between every two models or measures.

    All are compared on the same pairs. Graded sets: the difference of two Spearman's ρ over its standard
    error, by Student's t, or by swaps within pairs on small sets. Labelled sets: McNemar's test for
    accuracies, DeLong's for AUCs. Pairs that share a concept depend on one another. Nothing is embedded or
    scored again.

    Example: medgauge compare runs/mine --measure words=fj,vectors=kendall --format latex
    """
    from medgauge.comparison.compare import compare as find_differences
    from medgauge.report.plots.canvas import check_plot, write_plot

    check_plot(plot)
    with working():
        found = find_differences(
            run,
            by=by,
            datasets=dataset,
            measure=measure,
            alpha=alpha,
            correction=correction,
            family=family,
            clustered_by=clustered_by,
            dependence=dependence,
            resamples=resamples,
            seed=seed,
        )
    if plot is not None:
        write_plot(plot, found.plot)
    print_result(found, Format.json if as_json else format, bom=bom)
    if plot is not None:
        say(f"plot written to {plot}")
