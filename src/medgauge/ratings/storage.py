"""Files of ratings that medgauge writes: a row for each rating, and in Parquet the card of the ratings."""

from pathlib import Path
from typing import TYPE_CHECKING

from medgauge.errors import InputError
from medgauge.files.parquet import is_parquet, write_parquet
from medgauge.files.spreadsheets import frame_csv
from medgauge.files.writing import write_text
from medgauge.pairs import Card, read_card

if TYPE_CHECKING:
    import polars as pl

RATINGS_KEY = "medgauge.ratings"
"""The key of the card in a Parquet file of ratings; a set has its own under another key."""
VERDICTS = "verdicts"
"""The entry in the `build` of a card that says whether ratings of 0 and 1 are verdicts."""

STUDY, PLANNED = "study", "planned_ratings"
"""The entry in the `build` of a card on the study that ratings come from, and the entry in that on how many
ratings were planned for each pair, at least."""


def check_form(path: Path) -> None:
    """Refuse a file name that is neither .parquet nor .csv."""
    if path.suffix not in (".parquet", ".csv"):
        raise InputError(f"{path}: ratings are written as .parquet or .csv")


def write_ratings(path: Path, table: "pl.DataFrame", card: Card, *, bom: bool = False) -> None:
    """Write a long table of ratings atomically, as .parquet or .csv.

    Parquet holds the card, from which `read_ratings` knows the scale and whether ratings are verdicts; CSV
    cannot, and is protected from being read as formulas. With `bom`, CSV begins with a byte-order mark.
    """
    check_form(path)
    if path.suffix == ".parquet":
        write_parquet(path, table, {RATINGS_KEY: card.model_dump_json()})
        return
    write_text(path, frame_csv(table, bom=bom))


def card_of_ratings(path: Path) -> Card | None:
    """Read the card of a file of ratings; None for CSV, or if medgauge did not write it."""
    return read_card(path, RATINGS_KEY) if is_parquet(path) else None
