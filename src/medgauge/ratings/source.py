"""read_ratings: what annotators said, from a set, any table, a frame or an array."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.arrays import Doubles
from medgauge.catalog.cards import published_sets
from medgauge.catalog.datasets import load_dataset
from medgauge.errors import FileError, InputError, MedgaugeWarning, option
from medgauge.files import plain_name
from medgauge.frames import Frame, as_frame, is_frame
from medgauge.pairs import Card, PairSet, has_card
from medgauge.ratings.cells import Answers, Reading
from medgauge.ratings.long import read_long
from medgauge.ratings.ratings import Ratings, Scale, check_scale
from medgauge.ratings.storage import card_of_ratings
from medgauge.ratings.wide import named_columns, rater_columns, read_wide
from medgauge.tables import Table, frame_table, read_table

Source = str | Path | PairSet | Table | NDArray[Any] | Frame
"""A published set's name, the file of a set or of any table, or what is in memory."""

_UNNAMED = Card(name="ratings", title="Ratings")


def read_ratings(
    source: Source,
    *,
    annotators: Sequence[str] | None = None,
    not_rated: float | Sequence[float] = (),
    scale: Scale | None = None,
    header: bool = True,
) -> Ratings:
    """Read what annotators said of pairs.

    `source` is the name of a published set, a set's Parquet file, a CSV, TSV or Parquet table, a PairSet, a
    frame (what `as_pairs` takes), or an array of pairs × annotators in which NaN is no rating. A table is
    wide, with a column for each annotator: those that begin with rater_, or `annotators`, each the name of a
    column or a range FIRST:LAST of neighbours (in a file without a header columns are named by number, and 1
    and 2 hold the terms). Or it is long, with columns for the pair (or its terms), the annotator and the
    rating.

    A cell is a number, a verdict (same, not same, yes, no, true, false), a word for not knowing (don't know,
    unsure, unclear, ?), or blank. Numbers in `not_rated` are no ratings. Numbers are verdicts if the table
    has labels in a column `label` and all of them are 0 or 1, unless the scale is wider. A column unsure_X
    says where annotator X did not know. `scale` is the lowest and highest rating that could be given, by
    default the one in the card of a set or of ratings that medgauge wrote; a rating outside is an error.

    >>> ratings = read_ratings(pl.DataFrame({"rater_A": [3, 0], "rater_B": ["2", "don't know"]}))
    >>> ratings.annotators, ratings.values.tolist(), ratings.unsure.tolist()
    (('A', 'B'), [[3.0, 2.0], [0.0, nan]], [[False, False], [False, True]])
    """
    if isinstance(annotators, str):
        annotators = [annotators]
    table, card = _opened(source, header=header)
    if not table.rows:
        raise FileError(table.path, "has a header and no pairs")
    none = (not_rated,) if isinstance(not_rated, int | float) else tuple(not_rated)
    reading = Reading(none, _rising(scale, card))
    asked = annotators or (table.header if isinstance(source, np.ndarray) else ())
    columns = named_columns(table, asked) or rater_columns(table)
    if columns:
        answers = read_wide(table, columns, reading, {} if header else {"term_1": "1", "term_2": "2"})
    else:
        answers = read_long(table, reading)
    _warn_of_minus_one(answers.cells.values, reading)
    return Ratings(
        pairs=answers.pairs,
        annotators=answers.annotators,
        values=answers.cells.values,
        unsure=answers.cells.unsure,
        verdicts=_are_verdicts(answers, reading.scale),
        scale=reading.scale,
        card=card,
    )


def _warn_of_minus_one(values: Doubles, reading: Reading) -> None:
    """Tell of ratings that look like none: -1 where all others are 0 or more, and no scale is known."""
    given = values[~np.isnan(values)]
    if reading.scale is None and given.min(initial=0) == -1 and (given[given != -1] >= 0).all():
        warnings.warn(
            f"there are ratings of -1 ({np.count_nonzero(given == -1):,}) and all others are 0 or more: if "
            f"-1 stands for no rating, say so with {option('not_rated', [-1])}",
            MedgaugeWarning,
            stacklevel=3,
        )


def _opened(source: Source, *, header: bool) -> tuple[Table, Card]:
    """Give the table of a source, under a path for errors to name, and its card."""
    if isinstance(source, np.ndarray):
        return frame_table(_frame_of(source), Path("the array")), _UNNAMED
    if isinstance(source, Table):
        return source, _named_after(source.path)
    if is_frame(source):
        return frame_table(as_frame(source), Path("the frame")), _UNNAMED
    if isinstance(source, PairSet):
        return frame_table(source.frame, Path(source.card.name)), source.card
    if not isinstance(source, str | Path):
        raise InputError(
            "ratings are a published set's name, a file, a PairSet, a frame or a numpy array, "
            f"not {type(source).__name__}"
        )
    path = Path(source)
    if source in published_sets() or not path.is_file() or has_card(path):
        pairs = load_dataset(source)
        return frame_table(pairs.frame, path), pairs.card
    return read_table(path, has_header=header), card_of_ratings(path) or _named_after(path)


def _named_after(path: Path) -> Card:
    name = plain_name(path)
    return Card(name=name, title=name, source=path.name)


def _frame_of(array: NDArray[Any]) -> pl.DataFrame:
    """Make a frame of an array, with columns that are named by number."""
    if array.ndim != 2 or array.size == 0 or array.dtype.kind not in "biuf":
        raise InputError(
            "an array of ratings has numbers, in a row for each pair and a column for each annotator"
        )
    values = array if array.dtype.kind == "b" else array.astype(np.float64)
    return pl.DataFrame(values, [str(number) for number in range(1, array.shape[1] + 1)], orient="row")


def _rising(scale: Scale | None, card: Card) -> Scale | None:
    """Give the scale that was told, or else the card's, of ratings before that of the gold."""
    found = scale or card.build.get("ratings_scale") or card.scale
    if found is None:
        return None
    try:
        low, high = map(float, found)
    except (TypeError, ValueError):
        raise InputError("a scale is two numbers, the lowest rating and the highest") from None
    check_scale((low, high))
    return low, high


def _are_verdicts(answers: Answers, scale: Scale | None) -> bool:
    """Say whether the ratings are verdicts: by their words, or as 0 and 1 beside a set's labels.

    On a wider scale 0 and 1 are grades, of which the others have not been given yet.
    """
    given = answers.cells.values[~np.isnan(answers.cells.values)]
    has_labels = "label" in answers.pairs.columns and answers.pairs["label"].count() > 0
    as_labels = has_labels and given.size > 0 and bool(np.isin(given, (0, 1)).all())
    return answers.cells.verdicts or (as_labels and scale in (None, (0, 1)))
