"""The options of commands that read ratings."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from medgauge.cli.options.shared_options import split_commas
from medgauge.errors import InputError, quoted
from medgauge.files.writing import can_write
from medgauge.stats.settings import MOST_RESAMPLES, KappaDistance, Level

if TYPE_CHECKING:
    from medgauge.ratings.ratings import Scale

RatingsFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A table (CSV, TSV, Excel, OpenDocument, Parquet) with a column for each annotator (rater_NAME) "
        "or a row for each rating (pair, annotator, rating), a set that medgauge wrote, or the name of a "
        "published set.",
        show_default=False,
    ),
]
Annotators = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMNS",
        help="The annotators' columns, separated by commas or repeated: names, or FIRST:LAST for a range. "
        "Default: columns called rater_NAME.",
    ),
]
NotRated = Annotated[
    list[float] | None,
    typer.Option(metavar="N", help="A number that means no rating, such as -1. May be repeated."),
]
AnnotatorColumn = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="In a table with a row for each rating: the column of the annotators."
    ),
]
RatingColumn = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="In a table with a row for each rating: the column of the ratings."),
]
RatingScale = Annotated[
    str | None,
    typer.Option(
        metavar="SCALE", help="The lowest and highest rating, such as 0-6; a rating outside is an error."
    ),
]
Without = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Leave an annotator out. May be repeated.")
]
AlphaLevel = Annotated[
    Level | None,
    typer.Option(
        help="Level of measurement for Krippendorff's α. Default: nominal for verdicts, else ordinal."
    ),
]
KappaWeightsBy = Annotated[
    KappaDistance,
    typer.Option(
        help="What the weights of Cohen's κ go by: the values of ratings, or the index of their categories."
    ),
]
Resamples = Annotated[
    int, typer.Option(min=1, max=MOST_RESAMPLES, help="Number of bootstrap resamples for the intervals.")
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the resamples.")]

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_LONGEST_SCALE = 100  # characters; a search through many digits takes long
_SCALE = re.compile(rf"\s*({_NUMBER})\s*[-–]\s*({_NUMBER})\s*")


def check_new(
    path: Path, source: str, *, what: str, given: str = "the ratings", replace: bool | None = None
) -> None:
    """Refuse a file that cannot or should not be written, before the work starts.

    `given` is what is read from `source`. `replace` says whether an existing file may be overwritten; None,
    that no option would allow it.
    """
    if not can_write(path):
        raise InputError(f"{path}: {what} cannot be written there")
    ratings, places = Path(source), [place for place in (path, path.parent) if place.exists()]
    if ratings.exists() and any(place.samefile(ratings) for place in places):
        raise InputError(f"{path}: {given} are there; choose another place")
    if path.exists() and not replace:
        advice = "or remove it first" if replace is None else "or add --replace"
        raise InputError(f"{path} already exists; choose another file, {advice}")


def named_columns(given: list[str] | None) -> list[str] | None:
    """Return the named columns, separated by commas or one by one; None if there are none.

    >>> named_columns(["a, b", "d:f"]), named_columns([])
    (['a', 'b', 'd:f'], None)
    """
    return [name for one in given for name in split_commas(one)] if given else None


def parse_scale(given: str | None) -> "Scale | None":
    """Parse a scale: its lowest and its highest rating.

    >>> parse_scale("0-6"), parse_scale("-3-3"), parse_scale("-1.5--0.5")
    ((0.0, 6.0), (-3.0, 3.0), (-1.5, -0.5))
    """
    if given is None:
        return None
    ends = _SCALE.fullmatch(given) if len(given) <= _LONGEST_SCALE else None
    if ends is None:
        raise typer.BadParameter(f"{quoted(given)} is not a scale such as 0-6", param_hint="--scale")
    from medgauge.ratings.ratings import check_scale

    scale = float(ends[1]), float(ends[2])
    try:
        check_scale(scale)
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--scale") from error
    return scale


def parse_rescaling(given: str | None) -> "tuple[Scale | None, Scale | None]":
    """Parse the scale of ratings and, after a colon, the one to rescale them to.

    >>> parse_rescaling("0-6:0-10"), parse_rescaling("0-6")
    (((0.0, 6.0), (0.0, 10.0)), ((0.0, 6.0), None))
    """
    if given is None or ":" not in given:
        return parse_scale(given), None
    before, _, after = given.partition(":")
    return parse_scale(before), parse_scale(after)
