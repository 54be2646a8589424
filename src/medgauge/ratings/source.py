"""read_ratings: ratings from a set, any table, a frame or an array."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.arrays import Doubles
from medgauge.catalog.aliases import ALIASES, bare_name, heading, more_aliases
from medgauge.catalog.cards import published_sets
from medgauge.catalog.columns import check_given, report_guess, with_columns
from medgauge.catalog.datasets import load_dataset
from medgauge.errors import FileError, InputError, MedgaugeWarning, option, quoted
from medgauge.files.file_names import clean_name, plain_name
from medgauge.frames import Frame, as_frame, is_frame
from medgauge.pairs import Card, PairSet, has_card
from medgauge.ratings.cells import Answers, Reading, are_numbers
from medgauge.ratings.long import read_long
from medgauge.ratings.ratings import Ratings, Scale, check_scale
from medgauge.ratings.storage import VERDICTS, card_of_ratings
from medgauge.ratings.wide import named_columns, rater_columns, read_wide, read_wide_numbers
from medgauge.tables import Table, frame_table, read_table

Source = str | Path | PairSet | Table | NDArray[Any] | Frame
"""A published set's name, the file of a set or of any table, or an object in memory."""

_UNNAMED = Card(name="ratings", title="Ratings")


def read_ratings(
    source: Source,
    *,
    annotators: Sequence[str] | None = None,
    not_rated: float | Sequence[float] = (),
    scale: Scale | None = None,
    term_1: str | None = None,
    term_2: str | None = None,
    pair_id: str | None = None,
    annotator: str | None = None,
    rating: str | None = None,
    header: bool = True,
    sheet: str | None = None,
    language: str | None = None,
) -> Ratings:
    """Read annotators' ratings of pairs.

    `source` is the name of a published set, a set's Parquet file, a CSV, TSV, Excel, OpenDocument or Parquet
    table, a PairSet, a frame (as for `as_pairs`), or an array of pairs × annotators in which NaN means no
    rating. A table is either wide, with a column for each annotator: those that begin with rater_, or
    `annotators`, each the name of a column or a range FIRST:LAST of neighbours (in a file without a header,
    columns are named by number, and 1 and 2 hold the terms). Or it is long, with columns for the pair (or its
    terms), the annotator and the rating. These are found by name, like those of sets, or given with
    `pair_id`, `term_1`, `term_2`, `annotator` and `rating`; the card says in `read_from` which were found.
    `sheet` is that of a workbook, by default the first; `language` is that of the terms, for the card.

    A cell is a number, a verdict (same, not same, yes, no, true, false), a "don't know" answer (don't know,
    unsure, unclear, ?), or blank. Numbers in `not_rated` mean no rating. Numbers are verdicts if all of them
    are 0 or 1 and the card of ratings that medgauge wrote says so; without such a card, if the table has
    labels in a column `label`, unless the scale is wider. A column unsure_X marks the "don't know" answers of
    annotator X. `scale` is the lowest and highest possible rating, by default the one in the card of a set or
    of ratings that medgauge wrote; a rating outside is an error.

    >>> ratings = read_ratings(pl.DataFrame({"rater_A": [3, 0], "rater_B": ["2", "don't know"]}))
    >>> ratings.annotators, ratings.values.tolist(), ratings.unsure.tolist()
    (('A', 'B'), [[3.0, 2.0], [0.0, nan]], [[False, False], [False, True]])
    """
    if isinstance(annotators, str):
        annotators = [annotators]
    content, path, card = _opened(source, header=header, sheet=sheet)
    # Columns are found before a frame is turned into rows, which a frame of numbers never is.
    names = content if isinstance(content, Table) else Table(path, tuple(content.columns), [])
    if not (content.rows if isinstance(content, Table) else content.height):
        raise FileError(path, "has a header but no pairs")
    none = (not_rated,) if isinstance(not_rated, int | float) else tuple(not_rated)
    reading = Reading(none, _rising(scale, card))
    asked = annotators or (names.header if isinstance(source, np.ndarray) else ())
    columns = named_columns(names, asked) or rater_columns(names)
    given = {"term_1": term_1, "term_2": term_2, "pair_id": pair_id, "annotator": annotator, "rating": rating}
    known = {ours: name for ours, name in given.items() if name is not None}
    check_given(names, known)
    if columns and {"annotator", "rating"} & known.keys():
        raise InputError(
            f"the table has a column for each annotator; {option('annotator')} and {option('rating')} are "
            "for tables with a row for each rating"
        )
    if not header and columns:
        known = {"term_1": "1", "term_2": "2"} | known
    if isinstance(content, pl.DataFrame) and columns and are_numbers(content.select(columns)):
        answers = read_wide_numbers(content, path, columns, reading, known)
    else:
        table = content if isinstance(content, Table) else frame_table(content, path)
        answers = read_wide(table, columns, reading, known) if columns else read_long(table, reading, known)
    if isinstance(content, Table):
        guessed = {ours: name for ours, name in answers.columns.items() if ours not in known}
        report_guess(names, guessed)
    card = with_columns(card, answers.columns)
    if language is not None:
        card = card.model_copy(update={"language": language})
    _warn_of_minus_one(answers.cells.values, reading)
    _warn_of_means(path, columns)
    return Ratings(
        pairs=answers.pairs,
        annotators=answers.annotators,
        values=answers.cells.values,
        unsure=answers.cells.unsure,
        verdicts=_are_verdicts(answers, reading.scale, card),
        scale=reading.scale,
        card=card,
        file=str(source) if isinstance(source, str | Path) else "",
    )


def _warn_of_minus_one(values: Doubles, reading: Reading) -> None:
    """Warn of ratings that may mean none: -1 where all others are 0 or more, and no scale is known."""
    given = values[~np.isnan(values)]
    if reading.scale is None and given.min(initial=0) == -1 and (given[given != -1] >= 0).all():
        warnings.warn(
            f"there are ratings of -1 ({np.count_nonzero(given == -1):,}) and all others are 0 or more: if "
            f"-1 means no rating, say so with {option('not_rated', [-1])}",
            MedgaugeWarning,
            stacklevel=3,
        )


def _warn_of_means(path: Path, columns: Sequence[str]) -> None:
    """Warn of a column among the annotators' that is called like the mean of ratings."""
    called = {*ALIASES["gold"], *more_aliases()["gold"]}
    means = [name for name in columns if len(columns) > 1 and {bare_name(name), heading(name)} & called]
    if means:
        warnings.warn(
            f"{path}: the column {quoted(means[0])} is taken for an annotator's, though it is called like a "
            f"mean; if it is one, leave it out of {option('annotators')}",
            MedgaugeWarning,
            stacklevel=3,
        )


def _opened(source: Source, *, header: bool, sheet: str | None) -> tuple[Table | pl.DataFrame, Path, Card]:
    """Return the content of a source, a path for error messages, and its card."""
    if isinstance(source, np.ndarray):
        return _frame_of(source), Path("the array"), _UNNAMED
    if isinstance(source, Table):
        return source, source.path, _named_after(source.path)
    if is_frame(source):
        return as_frame(source), Path("the frame"), _UNNAMED
    if isinstance(source, PairSet):
        return source.frame, Path(source.card.name), source.card
    if not isinstance(source, str | Path):
        raise InputError(
            "ratings must be a published set's name, a file, a PairSet, a frame or a numpy array, "
            f"not {type(source).__name__}"
        )
    path = Path(source)
    if source in published_sets() or not path.is_file() or has_card(path):
        pairs = load_dataset(source)
        return pairs.frame, path, pairs.card
    table = read_table(path, has_header=header, sheet=sheet)
    return table, path, card_of_ratings(path) or _named_after(path)


def _named_after(path: Path) -> Card:
    name = plain_name(path)
    return Card(name=name, title=name, source=clean_name(path.name))


def _frame_of(array: NDArray[Any]) -> pl.DataFrame:
    """Return an array as a frame with columns named by number."""
    if array.ndim != 2 or array.size == 0 or array.dtype.kind not in "biuf":
        raise InputError(
            "an array of ratings must hold numbers, with a row for each pair and a column for each annotator"
        )
    values = array if array.dtype.kind == "b" else array.astype(np.float64)
    return pl.DataFrame(values, [str(number) for number in range(1, array.shape[1] + 1)], orient="row")


def _rising(scale: Scale | None, card: Card) -> Scale | None:
    """Return the given scale, or else the card's: that of ratings before that of the gold."""
    found = scale or card.build.get("ratings_scale") or card.scale
    if found is None:
        return None
    try:
        low, high = map(float, found)
    except (TypeError, ValueError):
        raise InputError("a scale is two numbers, the lowest and the highest rating") from None
    check_scale((low, high))
    return low, high


def _are_verdicts(answers: Answers, scale: Scale | None, card: Card) -> bool:
    """Return whether the ratings are verdicts: by their words, or as 0 and 1 if the card says so.

    If it says nothing, 0 and 1 in a table with labels are verdicts, unless the scale is wider: then they are
    grades, and the other grades have not been given yet.
    """
    if answers.cells.verdicts:
        return True
    given = answers.cells.values[~np.isnan(answers.cells.values)]
    if not np.isin(given, (0, 1)).all():
        return False
    stated = card.build.get(VERDICTS)
    if isinstance(stated, bool):
        return stated
    has_labels = "label" in answers.pairs.columns and answers.pairs["label"].count() > 0
    return has_labels and given.size > 0 and scale in (None, (0, 1))
