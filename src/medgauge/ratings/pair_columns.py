"""The columns of a table of ratings that describe the pairs or name the annotators."""

from collections.abc import Collection, Mapping

import polars as pl

from medgauge.catalog.aliases import ALIASES
from medgauge.catalog.columns import check_ids, check_labels, guessed_columns, term_of
from medgauge.errors import FileError
from medgauge.tables import Row, Table, text_of

TERMS = ("term_1", "term_2")
ANNOTATOR = tuple(
    f"{who}{what}" for who in ("annotator", "rater", "coder", "user") for what in ("", "id", "name")
)
"""The bare names of a column that holds annotators' names."""
NOT_TERMS = tuple(name for name in ANNOTATOR if name.startswith(("annotator", "rater")))
"""Those of them that no term has, and so only a header."""
PAIR: dict[str, tuple[str, ...]] = {
    "pair_id": (*ALIASES["pair_id"], "pair"),
    **{name: ALIASES[name] for name in (*TERMS, "id_1", "id_2", "cui_1", "cui_2")},
    "set": ("set", "dataset", "source"),
    "label": ("label",),
}
"""From our names for what describes a pair to the bare names of such columns."""


_FURTHER = ("pair_id", *TERMS, "annotator", "rating")


def pair_columns(
    table: Table,
    aliases: Mapping[str, tuple[str, ...]],
    known: Mapping[str, str],
    *,
    without: Collection[str] = (),
) -> dict[str, str]:
    """Map our names for what describes a pair to the table's; other columns keep their names.

    Either both terms are found or neither is; `known` has columns that need no search, and `without` those
    that do not describe pairs.

    >>> from pathlib import Path
    >>> pair_columns(Table(Path("x"), ("Pair", "word1", "word2", "Dataset", "POS"), []), PAIR, {})
    {'pair_id': 'Pair', 'term_1': 'word1', 'term_2': 'word2', 'set': 'Dataset', 'POS': 'POS'}
    """
    header = [name for name in table.header if name not in without]
    found = {ours: name for ours, name in known.items() if name in header}
    further = [ours for ours in _FURTHER if ours in aliases]
    found |= guessed_columns(table, aliases, found, further=further, without=without)
    if not found.keys() >= set(TERMS):
        found = {ours: name for ours, name in found.items() if ours not in TERMS}
    used = {"", *found.values()}
    own = {name: name for name in header if name not in used and name not in aliases}
    return {ours: found[ours] for ours in aliases if ours in found} | own


def describe_pairs(table: Table, columns: Mapping[str, str]) -> pl.DataFrame:
    """Make the frame of pairs, a row for each row of the table; pairs without ids are numbered from 1."""
    described = {"pair_id": numbered_ids(len(table.rows))}
    for ours, name in columns.items():
        place = table.places[name]
        values = [row.values[place] for row in table.rows]
        if ours == "pair_id":
            described[ours] = pl.Series(ours, [pair_id_of(table, row, place) for row in table.rows])
        elif ours == TERMS[1] and all(not text_of(value).strip() for value in values):
            described[ours] = pl.Series(ours, [""] * len(values), pl.String)  # single terms were rated
        elif ours in TERMS:
            described[ours] = pl.Series(ours, [term_of(table, row, place) for row in table.rows])
        elif ours == "label":
            labels = [table.optional_number(row, place) for row in table.rows]
            check_labels(table, labels)
            described[ours] = pl.Series(ours, labels, pl.Float64).cast(pl.Int8)
        elif ours in PAIR:
            described[ours] = pl.Series(ours, [text_of(value).strip() for value in values])
        else:
            described[ours] = pl.Series(ours, values, strict=False)
    check_ids(table, described["pair_id"])
    return pl.DataFrame(list(described.values()))


def numbered_ids(count: int) -> pl.Series:
    """Return the ids of pairs that have none of their own: their numbers, from 1."""
    return pl.int_range(1, count + 1, eager=True).cast(pl.String).alias("pair_id")


def pair_id_of(table: Table, row: Row, place: int) -> str:
    """Return the id of a pair in a cell; a blank one is an error that names its place."""
    text = text_of(row.values[place]).strip()
    if not text:
        raise FileError(
            table.path, f"the pair's id in column '{table.header[place]}' is blank", place=row.place
        )
    return text
