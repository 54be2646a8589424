"""Files of ratings that medgauge writes: a row for each rating, and in Parquet the card of the ratings."""

from pathlib import Path
from typing import TYPE_CHECKING

from medgauge.errors import InputError
from medgauge.files import is_parquet, write_parquet, writing
from medgauge.pairs import Card, read_card

if TYPE_CHECKING:
    import polars as pl

RATINGS_KEY = "medgauge.ratings"
"""Where a Parquet file of ratings has their card; a set has its own under another key."""
VERDICTS = "verdicts"
"""Where the `build` of a card says whether ratings of 0 and 1 are verdicts."""


def check_form(path: Path) -> None:
    """Refuse the name of a file that is neither Parquet nor CSV."""
    if path.suffix not in (".parquet", ".csv"):
        raise InputError(f"{path}: ratings are written as .parquet or .csv")


def write_ratings(path: Path, table: "pl.DataFrame", card: Card) -> None:
    """Write a long table of ratings whole or not at all, as .parquet or .csv.

    Parquet holds the card, by which `read_ratings` knows the scale and whether ratings are verdicts; a CSV
    cannot.
    """
    check_form(path)
    if path.suffix == ".parquet":
        write_parquet(path, table, {RATINGS_KEY: card.model_dump_json()})
        return
    with writing(path) as temporary:
        table.write_csv(temporary)


def card_of_ratings(path: Path) -> Card | None:
    """Read the card of a file of ratings; None if medgauge did not write it, or as CSV."""
    return read_card(path, RATINGS_KEY) if is_parquet(path) else None
