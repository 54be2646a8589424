"""medgauge annotate export and import: the ratings of a study, or those made elsewhere, as one table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medgauge.annotate.defaults import Origin
from medgauge.cli.console import print_facts, print_json, working
from medgauge.cli.options.rating_options import (
    AnnotatorColumn,
    Annotators,
    NotRated,
    RatingColumn,
    RatingScale,
    check_new,
    named_columns,
    parse_scale,
)
from medgauge.cli.options.shared_options import (
    AsJson,
    Bom,
    FirstTerm,
    NoHeader,
    PairId,
    SecondTerm,
    SheetName,
    load_named,
)

if TYPE_CHECKING:
    from medgauge.ratings.ratings import Scale

StudyFolder = Annotated[
    Path, typer.Argument(metavar="STUDY", help="The folder of the study.", show_default=False)
]
_Out = Annotated[
    Path,
    typer.Option(
        help="The table of ratings to write (.parquet or .csv), one row per rating.", show_default=False
    ),
]
_Replace = Annotated[bool, typer.Option("--replace", help="Overwrite the --out file if it exists.")]


def export(
    study: StudyFolder,
    *,
    out: _Out,
    replace: _Replace = False,
    bom: Bom = False,
    as_json: AsJson = False,
) -> None:
    """Write the ratings of a study so far, for medgauge agreement and medgauge gold.

    Each row has the rating, who gave it, when, in which order and which term was shown first. The study may
    be served at the same time.

    Example: medgauge annotate export study --out ratings.parquet
    """
    from medgauge.annotate.exchange.export import export_study
    from medgauge.ratings.storage import check_form, write_ratings

    check_form(out)
    check_new(out, str(study), what="a table of ratings", replace=replace)
    with working():
        found = export_study(study)
        write_ratings(out, found.table, found.card, bom=bom)
    if as_json:
        print_json(
            {
                "file": str(out),
                "ratings": found.table.height,
                "open": found.open,
                "annotators": found.annotators,
                "pairs": found.pairs,
                "complete": found.complete,
                "scale": found.card.scale,
            }
        )
        return
    print_facts(
        {
            "ratings": f"{found.table.height:,}, and {found.open:,} to come",
            "annotators": f"{found.annotators:,} with ratings",
            "pairs": f"{found.complete:,} of {found.pairs:,} with all their ratings",
            "scale": _scale(found.card.scale, out),
            "written to": str(out),
        }
    )


def import_(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="A table (CSV, TSV, Excel, OpenDocument, Parquet) with a column for each annotator "
            "(rater_NAME) or a row for each rating, or a JSON or JSON_MIN export of Label Studio.",
            show_default=False,
            readable=False,  # unreadable files are reported like other bad input
        ),
    ],
    *,
    out: _Out,
    origin: Annotated[
        Origin | None,
        typer.Option("--from", help="csv (any table) or label-studio. Default: detected from the file."),
    ] = None,
    pairs: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SET",
            help="Look the pairs up in this set, by their terms or their id, and take over set and label. "
            "May be repeated.",
        ),
    ] = None,
    control: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="For Label Studio: the control with the rating, if there are several."
        ),
    ] = None,
    annotators: Annotators = None,
    not_rated: NotRated = None,
    scale: RatingScale = None,
    term_1: FirstTerm = None,
    term_2: SecondTerm = None,
    pair_id: PairId = None,
    annotator: AnnotatorColumn = None,
    rating: RatingColumn = None,
    no_header: NoHeader = False,
    sheet: SheetName = None,
    replace: _Replace = False,
    bom: Bom = False,
    as_json: AsJson = False,
) -> None:
    """Convert ratings made elsewhere into one table, as medgauge annotate export writes it.

    Label Studio annotators are identified by their number there, since an e-mail address is personal.

    Example: medgauge annotate import project.json --pairs pairs.csv --out ratings.parquet
    """
    from medgauge.annotate.exchange.importing import import_ratings
    from medgauge.ratings.storage import check_form, write_ratings

    check_form(out)
    for file in files:
        check_new(out, str(file), what="a table of ratings", replace=replace)
    with working():
        table, card = import_ratings(
            list(dict.fromkeys(files)),
            origin=origin,
            control=control,
            sets=load_named(pairs or []),
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
        )
        write_ratings(out, table, card, bom=bom)
    counts = {
        "ratings": table.height,
        "annotators": table["annotator"].n_unique(),
        "pairs": table["pair_id"].n_unique(),
    }
    if as_json:
        print_json({"file": str(out), **counts, "scale": card.scale})
    else:
        shown = {what: f"{count:,}" for what, count in counts.items()}
        print_facts({**shown, "scale": _scale(card.scale, out), "written to": str(out)})


def _scale(scale: "Scale | None", out: Path) -> str:
    """Describe the scale, and how to pass it if the file does not store it."""
    if scale is None:
        return "not known"
    low, high = (f"{end:g}" for end in scale)
    advice = (
        "" if out.suffix == ".parquet" else f"; a CSV file does not store it, so pass --scale {low}-{high}"
    )
    return f"{low} to {high}{advice}"
