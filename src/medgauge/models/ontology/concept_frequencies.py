"""How often concepts were counted, in a corpus or in health records, read from a table."""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import numpy as np

from medgauge.arrays import Doubles
from medgauge.errors import FileError
from medgauge.files.digests import remembered_sha256
from medgauge.progress import remark
from medgauge.tables import Row, Table, read_table, text_of
from medgauge.terminology.concept_lookup import AMBIGUOUS, ConceptLookup

CountedIn = Literal["corpus", "records"]

_NUMBERS: MappingProxyType[CountedIn, tuple[str, ...]] = MappingProxyType(
    {
        "corpus": ("count", "frequency", "n", "documents"),
        "records": ("patients", "events", "count", "n"),
    }
)
"""The columns that may hold the counts; the first that a table has is used."""
_IDS = ("id", "concept_id", "concept", "code", "sctid", "snomed_id")
_TERMS = ("term", "name")
# As medgauge build records writes numbers of patients.
_BAND = re.compile(r"(?P<low>\d{1,3}(?:,?\d{3})*)\s*[–-]\s*(?P<high>\d{1,3}(?:,?\d{3})*)")


@dataclass(frozen=True)
class ConceptFrequencies:
    """The count of each concept of a terminology, by its number, and the digest of their table."""

    counts: Doubles
    digest: str


def read_frequencies(path: Path, counted_in: CountedIn, lookup: ConceptLookup) -> ConceptFrequencies:
    """Read counts from a table with a column of ids or terms, and add up those of one concept.

    A row is of the concept with its id, else of the one that its term names. Rows of no concept, and terms of
    several, are left out, and their number is remarked. A band such as 20–49 counts as √(20 · 49), since
    information content goes by orders of magnitude.
    """
    table = read_table(path)
    number = _column(table, _NUMBERS[counted_in], "counts")
    ids, terms = (_first(table, names) for names in (_IDS, _TERMS))
    if ids is None and terms is None:
        raise FileError(path, f"needs a column of concepts: one of {', '.join((*_IDS, *_TERMS))}")
    values = np.array([_count(table, row, number) for row in table.rows], np.float64)
    concepts = lookup.find(
        None if ids is None else [text.strip() for text in table.texts(ids)],
        None if terms is None else table.texts(terms),
    )
    known = concepts >= 0
    if not known.any():
        raise FileError(
            path,
            f"none of its {len(values):,} rows has a concept of {lookup.terminology.title}; check its ids",
        )
    if not values[known].any():
        raise FileError(path, "counts no concept more than 0 times")
    if not known.all():
        several = int((concepts == AMBIGUOUS).sum())
        named = f", of which {several:,} have a term of several concepts" if several else ""
        remark(
            f"{path}: {int((~known).sum()):,} of {len(values):,} rows are left out, which are of no concept "
            f"of {lookup.terminology.title}{named}"
        )
    counts = np.zeros(lookup.terminology.concepts.height)
    np.add.at(counts, concepts[known], values[known])
    return ConceptFrequencies(counts, remembered_sha256(path))


def _column(table: Table, names: tuple[str, ...], what: str) -> int:
    found = _first(table, names)
    if found is None:
        raise FileError(table.path, f"needs a column of {what}: one of {', '.join(names)}")
    return found


def _first(table: Table, names: tuple[str, ...]) -> int | None:
    """Return the place of the first of these columns, whose names may be in any case."""
    places = {name.lower(): place for name, place in table.places.items()}
    return next((places[name] for name in names if name in places), None)


def _count(table: Table, row: Row, column: int) -> float:
    band = _BAND.fullmatch(text_of(row.values[column]).strip())
    if band is None:
        value = table.number(row, column)
        if value < 0:
            raise table.error(row, column, "is below 0")
        return value
    low, high = (float(band[name].replace(",", "")) for name in ("low", "high"))
    if low > high:
        raise table.error(row, column, "is a band that ends before it begins")
    return math.sqrt(low * high)
