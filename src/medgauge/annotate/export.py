"""The ratings of a study as a table: a row for each, with all that is known of how it was given."""

from typing import TYPE_CHECKING

from medgauge.annotate.protocol import Protocol
from medgauge.annotate.study import Rated

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

_VERDICTS = {1.0: "same", 0.0: "not same"}
_UNSURE = "don't know"


def ratings_table(ratings: "Sequence[Rated]", protocol: Protocol) -> "pl.DataFrame":
    """Write ratings as `medgauge agreement` and `medgauge gold` read them, a row for each.

    `rating` is the number, or in words what a verdict says and that somebody does not know. `repeat` says
    that the annotator had the pair before: such a rating is there for self-consistency, and is not read as
    another of the same pair. `order` counts an annotator's pairs as they were shown, from 1; `side` says
    which term stood first.
    """
    import polars as pl

    names: dict[str, type[pl.DataType]] = {
        "pair_id": pl.String,
        "term_1": pl.String,
        "term_2": pl.String,
        "set": pl.String,
        "label": pl.Int8,
        "annotator": pl.String,
        "rating": pl.String,
        "repeat": pl.Boolean,
        "role": pl.String,
        "time": pl.String,
        "seconds": pl.Float64,
        "page": pl.Int64,
        "order": pl.Int64,
        "side": pl.String,
    }
    rows = [
        (
            one.pair_id,
            one.term_1,
            one.term_2,
            one.set_name,
            one.label,
            one.annotator,
            _in_words(one.value, protocol),
            one.role == "duplicate",
            one.role,
            one.at,
            one.seconds,
            one.page,
            one.place + 1,
            "term_2 first" if one.flipped else "term_1 first",
        )
        for one in ratings
    ]
    return pl.DataFrame(rows, schema=names, orient="row")


def _in_words(value: float | None, protocol: Protocol) -> str:
    if value is None:
        return _UNSURE
    return _VERDICTS[value] if protocol.verdicts else repr(value).removesuffix(".0")
