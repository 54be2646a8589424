"""A table of word attributes, such as frequency or number of subjects, and the values of terms."""

import math
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from medgauge.arrays import Doubles
from medgauge.errors import FileError, UnknownNameError
from medgauge.files.digests import sha256_of
from medgauge.models.tokens import forms, tokenize
from medgauge.tables import read_table


@dataclass(frozen=True)
class Attribute:
    """One column of a table: a number for each word, and the digest of the table's file."""

    name: str
    values: dict[str, float]
    digest: str

    def of(self, terms: list[str]) -> Doubles:
        """Return each term's value, NaN where the table has none.

        A term in the table has its own value. Any other has the smallest value of its words, since the rarest
        word limits what a model can know about the term, and none if a word is missing. A word is looked up
        as written and then in lower case.

        >>> frequency = Attribute("frequency", {"renal": 40.0, "failure": 90.0}, "")
        >>> frequency.of(["Renal failure", "renal", "renal disease"])
        array([40., 40., nan])
        """
        return np.array([self._of_term(term) for term in terms], np.float64)

    def _of_term(self, term: str) -> float:
        whole = self._looked_up(unicodedata.normalize("NFC", term))
        if not math.isnan(whole):
            return whole
        values = [self._looked_up(word) for word in tokenize(term)]
        return float(np.min(values)) if values else math.nan  # NaN if one is

    def _looked_up(self, text: str) -> float:
        return next((self.values[form] for form in forms(text) if form in self.values), math.nan)


def read_attribute(path: str | Path, name: str) -> Attribute:
    """Read one attribute from a table: words in the first column, numbers in the others.

    Words with an empty cell have no value.
    """
    path = Path(path)
    table = read_table(path)
    if len(table.header) < 2:
        raise FileError(path, "has only one column; a table of attributes needs words and numbers")
    if name not in table.header[1:]:
        raise UnknownNameError(f"attribute in {path.name} called", name, table.header[1:])
    column = table.places[name]
    values: dict[str, float] = {}
    seen: set[str] = set()
    for row in table.rows:
        word = unicodedata.normalize("NFC", str(row.values[0] or "").strip())
        if not word:
            raise FileError(path, "the word is blank", place=row.place)
        if word in seen:
            raise FileError(path, "the word occurs a second time", place=row.place)
        seen.add(word)
        value = table.optional_number(row, column)
        if value is not None:
            values[word] = value
    return Attribute(name, values, sha256_of(path))
