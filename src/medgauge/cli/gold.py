"""medgauge gold."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from medgauge.cli.console import print_facts, print_json, working
from medgauge.cli.options import AsJson, Confidence
from medgauge.cli.rating_options import (
    AlphaLevel,
    Annotators,
    NoHeader,
    NotRated,
    RatingsFile,
    Resamples,
    Seed,
    Without,
    check_new,
    named_columns,
    parse_rescaling,
)
from medgauge.errors import InputError
from medgauge.stats.settings import RESAMPLES

if TYPE_CHECKING:
    from medgauge.ratings.gold import Gold
    from medgauge.ratings.ratings import Scale

_MOST_NAMES = 12  # of annotators, that are printed


def gold(
    source: RatingsFile,
    *,
    out: Annotated[
        Path,
        typer.Option(
            help="The .parquet file of the gold standard; a README.md goes beside it.", show_default=False
        ),
    ],
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="SCALE",
            help="The lowest and highest rating, such as 0-6; after a colon the scale that the gold scores "
            "are put on, such as 0-6:0-10.",
        ),
    ] = None,
    without: Without = None,
    min_ratings: Annotated[int, typer.Option(min=1, help="Drop pairs with fewer ratings.")] = 1,
    max_disagreement: Annotated[
        float | None,
        typer.Option(min=0, help="Drop pairs whose ratings have a higher standard deviation."),
    ] = None,
    annotators: Annotators = None,
    not_rated: NotRated = None,
    no_header: NoHeader = False,
    level: AlphaLevel = None,
    resamples: Resamples = RESAMPLES,
    seed: Seed = 0,
    confidence: Confidence = 0.95,
    replace: Annotated[bool, typer.Option("--replace", help="Write over the file --out.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a gold standard of ratings: the mean of each pair's ratings, or the majority of its verdicts.

    It is a set to evaluate on, and holds the ratings, with the annotators' agreement in its card.

    Example: medgauge gold ratings.csv --scale 0-6:0-10 --without rater7 --out gold.parquet
    """
    from medgauge.ratings.gold import gold as make_gold

    rating_scale, to_scale = parse_rescaling(scale)
    if out.suffix != ".parquet":
        raise InputError(f"{out}: a gold standard is written as .parquet")
    check_new(out, source, what="a gold standard", replace=replace)
    with working():
        made = make_gold(
            source,
            to_scale=to_scale,
            without=list(dict.fromkeys(without or ())),
            min_ratings=min_ratings,
            max_disagreement=max_disagreement,
            annotators=named_columns(annotators),
            not_rated=not_rated or (),
            scale=rating_scale,
            header=not no_header,
            level=level,
            resamples=resamples,
            seed=seed,
            confidence=confidence,
        )
        made.pairs.save(out)
    if as_json:
        print_json(_described(made, out))
    else:
        print_facts(_facts(made, out))


def _described(made: "Gold", out: Path) -> dict[str, object]:
    card = made.pairs.card
    told = ("annotators", "without", "ratings_scale", "agreement")
    return {
        "name": card.name,
        "file": str(out),
        "pairs": len(made.pairs),
        "dropped": made.dropped,
        "target": made.pairs.target,
        "scale": card.scale,
        **{name: card.build.get(name) for name in told},
        "digest": made.pairs.digest,
    }


def _facts(made: "Gold", out: Path) -> dict[str, str]:
    from medgauge.ratings.findings import HEADLINES
    from medgauge.ratings.gold import REASONS

    card = made.pairs.card
    names, left_out, told = (card.build[name] for name in ("annotators", "without", "agreement"))
    dropped = [f"{count:,} {REASONS[reason]}" for reason, count in made.dropped.items()]
    return {
        "pairs": f"{len(made.pairs):,}",
        "dropped": ", ".join(dropped) or "none",
        "annotators": f"{len(names):,}" + (f": {', '.join(names)}" if len(names) <= _MOST_NAMES else ""),
        **({"left out": ", ".join(left_out)} if left_out else {}),
        "scale": "0 or 1" if made.pairs.labelled else _scales(card.scale, card.build.get("ratings_scale")),
        f"{HEADLINES['alpha']} ({told['level']})": _figure(told, "alpha"),
        HEADLINES["icc_ck"]: _figure(told, "icc_ck"),
        "intervals": f"{100 * told['confidence']:g}%",
        "written to": str(out),
    }


def _scales(scale: "Scale | None", of_ratings: list[float] | None) -> str:
    if scale is None:
        return "not known"
    shown = f"{scale[0]:g} to {scale[1]:g}"
    if of_ratings is None or tuple(of_ratings) == scale:
        return shown
    return f"{shown}, from ratings of {of_ratings[0]:g} to {of_ratings[1]:g}"


def _figure(told: dict[str, Any], name: str) -> str:
    from medgauge.report.grid import figure_text

    if told[name] is None:
        return "undefined"
    return figure_text(told[name], *told["intervals"].get(name, (math.nan, math.nan)))
