"""medgauge agreement."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medgauge.cli.console import Format, print_result, say, working
from medgauge.cli.options.rating_options import (
    AlphaLevel,
    AnnotatorColumn,
    Annotators,
    KappaWeightsBy,
    NotRated,
    RatingColumn,
    RatingScale,
    RatingsFile,
    Resamples,
    Seed,
    Without,
    check_new,
    named_columns,
    parse_scale,
)
from medgauge.cli.options.shared_options import (
    Bom,
    Confidence,
    FirstTerm,
    FormatJson,
    NoHeader,
    PairId,
    SecondTerm,
    SheetName,
)
from medgauge.cli.options.subset_options import Attributes, Bins, By, check_together, parse_bins
from medgauge.estimate import CONFIDENCE
from medgauge.stats.settings import RESAMPLES

if TYPE_CHECKING:
    from medgauge.ratings.ratings import Ratings


def agreement(
    source: RatingsFile,
    *,
    level: AlphaLevel = None,
    without: Without = None,
    scale: RatingScale = None,
    annotators: Annotators = None,
    not_rated: NotRated = None,
    term_1: FirstTerm = None,
    term_2: SecondTerm = None,
    pair_id: PairId = None,
    annotator: AnnotatorColumn = None,
    rating: RatingColumn = None,
    no_header: NoHeader = False,
    sheet: SheetName = None,
    by: By = None,
    bins: Bins = None,
    attributes: Attributes = None,
    resamples: Resamples = RESAMPLES,
    seed: Seed = 0,
    confidence: Confidence = CONFIDENCE,
    kappa_distance: KappaWeightsBy = "value",
    each_pair: Annotated[
        Path | None,
        typer.Option(
            help="Write each pair's number of ratings, mean and standard deviation to this new CSV file."
        ),
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(
            help="Draw the scores, the agreement of every two annotators and the disagreement in this "
            "folder, as SVG and PNG files."
        ),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="Output format; csv and json contain every figure.")
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Measure how well annotators agree, and how reliable their ratings are.

    Reports Krippendorff's α, Cohen's κ, Spearman's ρ, Kendall's W, ICC, IAA-1, IAA-2, the best annotator, the
    reliability of the mean rating and what a model can reach, with intervals over the pairs; outlying
    annotators; and, for verdicts, how accurate a set's labels are.

    Example: medgauge agreement ratings.csv --level ordinal --plots plots
    """
    from medgauge.files.writing import write_text
    from medgauge.ratings.agreement import find_agreement, warn_of
    from medgauge.ratings.source import read_ratings
    from medgauge.report.grids.grid import to_csv
    from medgauge.report.plots.agreement_plot import check_plots, write_plots

    check_together(by, bins, attributes, None)
    check_plots(plots)
    if each_pair is not None:
        check_new(each_pair, source, what="a table of pairs")
    left_out = list(dict.fromkeys(without or ()))
    with working():
        ratings = read_ratings(
            source,
            annotators=named_columns(annotators),
            not_rated=not_rated or (),
            scale=parse_scale(scale),
            term_1=term_1,
            term_2=term_2,
            pair_id=pair_id,
            annotator=annotator,
            rating=rating,
            header=not no_header,
            sheet=sheet,
        ).without(left_out)
        found = find_agreement(
            ratings,
            level=level,
            left_out=left_out,
            by=by,
            bins=parse_bins(bins),
            attributes=attributes,
            resamples=resamples,
            seed=seed,
            confidence=confidence,
            kappa_distance=kappa_distance,
        )
        warn_of(found)
    if each_pair is not None:
        write_text(each_pair, to_csv(*_each_pair(ratings), bom=bom))
    drawn = [] if plots is None else write_plots(found, plots)
    print_result(found, Format.json if as_json else format, bom=bom)
    if each_pair is not None:
        say(f"wrote each pair to {each_pair}")
    if drawn:
        say(f"plots written to {plots}: {', '.join(path.name for path in drawn)}")


def _each_pair(ratings: "Ratings") -> tuple[list[str], list[list[object]]]:
    """Return a row for each pair: its terms, if known, and a summary of its ratings."""
    names = [name for name in ("pair_id", "term_1", "term_2") if name in ratings.pairs.columns]
    summed = zip(ratings.counts.tolist(), ratings.means.tolist(), ratings.deviations.tolist(), strict=True)
    rows = [
        [*pair, count, *("" if value != value else value for value in values)]
        for pair, (count, *values) in zip(ratings.pairs.select(names).iter_rows(), summed, strict=True)
    ]
    return [*names, "ratings", "mean", "sd"], rows
