"""medgauge gold."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import print_facts, print_json, working
from medgauge.cli.options.rating_options import (
    AlphaLevel,
    AnnotatorColumn,
    Annotators,
    NotRated,
    RatingColumn,
    RatingsFile,
    Resamples,
    Seed,
    Without,
    check_new,
    named_columns,
    parse_rescaling,
)
from medgauge.cli.options.shared_options import (
    AsJson,
    Confidence,
    FirstTerm,
    Language,
    NoHeader,
    PairId,
    SecondTerm,
    SheetName,
)
from medgauge.errors import InputError
from medgauge.estimate import CONFIDENCE
from medgauge.files.file_names import plain_name
from medgauge.stats.settings import RESAMPLES


def gold(
    source: RatingsFile,
    *,
    out: Annotated[
        Path,
        typer.Option(
            help="Write the gold standard to this .parquet file; a README.md goes next to it.",
            show_default=False,
        ),
    ],
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="SCALE",
            help="The lowest and highest rating, such as 0-6; a second scale after a colon rescales the gold "
            "scores, such as 0-6:0-10.",
        ),
    ] = None,
    without: Without = None,
    min_ratings: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Drop pairs with fewer ratings; by default 2 if the ratings are of a study that planned "
            "several for each pair, else 1.",
        ),
    ] = None,
    max_disagreement: Annotated[
        float | None,
        typer.Option(min=0, help="Drop pairs whose ratings have a higher standard deviation."),
    ] = None,
    annotators: Annotators = None,
    not_rated: NotRated = None,
    term_1: FirstTerm = None,
    term_2: SecondTerm = None,
    pair_id: PairId = None,
    annotator: AnnotatorColumn = None,
    rating: RatingColumn = None,
    no_header: NoHeader = False,
    sheet: SheetName = None,
    language: Language = None,
    level: AlphaLevel = None,
    resamples: Resamples = RESAMPLES,
    seed: Seed = 0,
    confidence: Confidence = CONFIDENCE,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite the file --out.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a gold standard from ratings: the mean of each pair's ratings, or the majority of its verdicts.

    The result is a set to evaluate on. It keeps the ratings, and its card has the annotators' agreement.

    Example: medgauge gold ratings.csv --scale 0-6:0-10 --without rater7 --out gold.parquet
    """
    from medgauge.files.writing import claimed
    from medgauge.ratings.gold import gold as make_gold
    from medgauge.report.gold_tables import facts

    rating_scale, to_scale = parse_rescaling(scale)
    if out.suffix != ".parquet":
        raise InputError(f"{out}: a gold standard must be a .parquet file")
    check_new(out, source, what="a gold standard", replace=replace)
    with working(), claimed(out):
        check_new(out, source, what="a gold standard", replace=replace)  # another process may have written it
        made = make_gold(
            source,
            to_scale=to_scale,
            without=list(dict.fromkeys(without or ())),
            min_ratings=min_ratings,
            max_disagreement=max_disagreement,
            annotators=named_columns(annotators),
            not_rated=not_rated or (),
            scale=rating_scale,
            term_1=term_1,
            term_2=term_2,
            pair_id=pair_id,
            annotator=annotator,
            rating=rating,
            header=not no_header,
            sheet=sheet,
            language=language,
            name=plain_name(out),
            level=level,
            resamples=resamples,
            seed=seed,
            confidence=confidence,
        )
        made.pairs.save(out)
    if as_json:
        print_json(made.described() | {"file": str(out)})
    else:
        print_facts(facts(made) | {"written to": str(out)})
