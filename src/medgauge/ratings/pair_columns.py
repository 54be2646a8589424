"""The columns of a table of ratings that describe the pairs or name the annotators."""

from collections.abc import Mapping, Sequence

import polars as pl

from medgauge.catalog.columns import ALIASES, check_ids, check_labels, find_by_name, term_of, text_of
from medgauge.errors import FileError
from medgauge.tables import Row, Table

TERMS = ("term_1", "term_2")
ANNOTATOR = tuple(
    f"{who}{what}" for who in ("annotator", "rater", "coder", "user") for what in ("", "id", "name")
)
"""The bare names of a column that holds annotators' names."""
PAIR: dict[str, tuple[str, ...]] = {
    "pair_id": (*ALIASES["pair_id"], "pair"),
    **{name: ALIASES[name] for name in (*TERMS, "id_1", "id_2", "cui_1", "cui_2")},
    "set": ("set", "dataset", "source"),
    "label": ("label",),
}
"""From our names for what describes a pair to the bare names of such columns."""


def pair_columns(
    header: Sequence[str], aliases: Mapping[str, tuple[str, ...]], known: Mapping[str, str]
) -> dict[str, str]:
    """Map our names for what describes a pair to the table's; other columns keep their names.

    Either both terms are found or neither is; `known` has columns that need no search.

    >>> pair_columns(["Pair", "word1", "word2", "Dataset", "POS"], PAIR, {})
    {'pair_id': 'Pair', 'term_1': 'word1', 'term_2': 'word2', 'set': 'Dataset', 'POS': 'POS'}
    """
    found = {ours: name for ours, name in known.items() if name in header}
    found |= find_by_name(header, aliases, found)
    if not found.keys() >= set(TERMS):
        found = {ours: name for ours, name in found.items() if ours not in TERMS}
    used = {"", *found.values()}
    own = {name: name for name in header if name not in used and name not in aliases}
    return {ours: found[ours] for ours in aliases if ours in found} | own


def describe_pairs(table: Table, columns: Mapping[str, str]) -> pl.DataFrame:
    """Make the frame of pairs, a row for each row of the table; pairs without ids are numbered from 1."""
    described = {"pair_id": numbered_ids(len(table.rows))}
    for ours, name in columns.items():
        place = table.header.index(name)
        values = [row.values[place] for row in table.rows]
        if ours == "pair_id":
            described[ours] = pl.Series(ours, [pair_id_of(table, row, place) for row in table.rows])
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
