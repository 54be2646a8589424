"""The keys of concepts: whether they are CUIs or other ids, and whether they are still whole."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from medgauge.errors import FileError

ConceptKeyKind = Literal["id", "cui"]

COLUMNS: dict[ConceptKeyKind, tuple[str, ...]] = {
    "id": ("id", "code", "concept", "key", "concept_id", "snomed_id", "sctid", "conceptid", "cui"),
    "cui": ("cui", "id", "code", "concept", "key", "concept_id", "snomed_id", "sctid", "conceptid"),
}
"""The names that the column of keys of a table may have, by what is looked up; the first counts."""

LISTED_COLUMNS = "id, cui, code, concept or key"
"""The usual ones of these names, for a message."""

ARRAYS: dict[ConceptKeyKind, tuple[str, ...]] = {
    "id": ("keys", "ids", "cuis", "terms"),
    "cui": ("keys", "cuis", "ids", "terms"),
}
"""The same for the arrays of an .npz file."""

AS_NUMBERS = (
    "are numbers with a decimal point, as pandas makes them where some are missing, and long ones have lost "
    "digits; write the ids as text"
)

NAMES = {"id": "ids", "cui": "CUIs"}
"""What the keys are called in messages."""

_CUI = re.compile(r"C\d{7}")
_FLOAT = re.compile(r"\d{6,}\.0*|\d\.\d+[eE][+-]?\d+|\d[eE]\+\d+")


def kind_of_keys(keys: Sequence[str]) -> ConceptKeyKind:
    """Return what keys are by their form: CUIs if at least half of them look like C0027051, else ids.

    >>> kind_of_keys(["C0027051", "C0004238"]), kind_of_keys(["22298006", "I21.9"])
    ('cui', 'id')
    """
    return "cui" if 2 * sum(map(is_cui, keys)) >= len(keys) > 0 else "id"


def is_cui(key: str) -> bool:
    """Return whether a key has the form of a CUI, a concept of the UMLS.

    >>> is_cui("C0027051"), is_cui("C34.1")
    (True, False)
    """
    return _CUI.fullmatch(key) is not None


def is_float(key: str) -> bool:
    """Return whether a key is an id that some program made a number of; codes such as 250.00 are not.

    >>> is_float("22298006.0"), is_float("2.2298006e7"), is_float("250.00"), is_float("1E50.0")
    (True, True, False, False)
    """
    # Most ids have neither sign, which is quickly seen.
    return ("." in key or "+" in key) and _FLOAT.fullmatch(key) is not None


def check_written(path: Path, keys: Sequence[str], *, what: str, first: int = 1) -> None:
    """Raise an error for a blank key, or one that was written as a number; `first` is the place of the first.

    The key itself is not repeated.
    """
    for number, key in enumerate(keys, first):
        if not key:
            raise FileError(path, "the id is missing", place=f"{what} {number}")
        if is_float(key):
            raise FileError(
                path,
                "the id is a number with a decimal point or an exponent, as a spreadsheet or pandas writes "
                "it, and may have lost digits; write the ids as text",
                place=f"{what} {number}",
            )
