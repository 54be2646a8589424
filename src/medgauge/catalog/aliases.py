"""The names by which the columns of people's tables are known, in several languages."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import resources
from itertools import product

ALIASES: dict[str, tuple[str, ...]] = {
    "pair_id": ("pairid",),
    "term_1": (
        "term1",
        "word1",
        "text1",
        "string1",
        "sentence1",
        "name1",
        "concept1",
        "snomedlabel1",
    ),
    "term_2": (
        "term2",
        "word2",
        "text2",
        "string2",
        "sentence2",
        "name2",
        "concept2",
        "snomedlabel2",
    ),
    "gold": (
        "gold",
        "goldscore",
        "score",
        "mean",
        "meanrating",
        "rating",
        "similarity",
        "relatedness",
    ),
    "label": ("label", "class", "same", "synonym", "issynonym"),
    "id_1": ("id1", "snomedid1", "code1", "conceptid1"),
    "id_2": ("id2", "snomedid2", "code2", "conceptid2"),
    "cui_1": ("cui1",),
    "cui_2": ("cui2",),
}
"""From our names to the bare names of such columns; where a table has several, the first is meant."""

_SURE = ("pair_id", "term_1", "term_2")  # the others have names that are ordinary words too
_SEVERAL = 3
_PARTS = ("pair_id", "gold", "label", "annotator", "rating")


@cache
def more_aliases() -> dict[str, frozenset[str]]:
    """Return further names of columns, which are only looked for where none of ALIASES is there.

    >>> "begriff1" in more_aliases()["term_1"], "firstterm" in more_aliases()["term_1"]
    (True, True)
    """
    text = (resources.files("medgauge.catalog") / "column_names.toml").read_text("utf-8")
    languages = tomllib.loads(text).values()
    found: dict[str, set[str]] = {ours: set() for ours in (*_PARTS, "term_1", "term_2")}
    for names in languages:
        for ours, side in (("term_1", "first"), ("term_2", "second")):
            for term, which in product(names["term"], names[side]):
                found[ours] |= {f"{term}{which}", f"{which}{term}"}
        for ours in _PARTS:
            found[ours] |= set(names[ours])
    return {ours: frozenset(names) for ours, names in found.items()}


def bare_name(name: str) -> str:
    """Return a name as it is compared: its letters and digits, in lower case.

    >>> bare_name("Snomed_Label 1")
    'snomedlabel1'
    """
    return re.sub(r"[\W_]", "", name).lower()


def heading(name: str) -> str:
    """Return a name as further aliases are compared with it: also without accents and units in brackets.

    >>> heading("Término 1"), heading("Score (0-10)"), heading("Ähnlichkeit [0–6]")
    ('termino1', 'score', 'ahnlichkeit')
    """
    without_units = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", name)
    letters = unicodedata.normalize("NFKD", without_units)
    return bare_name("".join(one for one in letters if not unicodedata.combining(one)))


def is_header(names: Iterable[str], also: Iterable[str] = ()) -> bool:
    """Return whether names, or the first line of a file, can only be a header.

    Two must be names of columns that no term has; or at least half must be names of columns, one of them such
    a name or three of them ordinary words, and none a number. One of the bare names in `also` is enough.

    >>> is_header(["term_1", "term_2", "my score"]), is_header(["label", "torn labrum", "3.5"])
    (True, False)
    """
    written = [name for name in names if name.strip()]
    terms = {one for some in (ALIASES, more_aliases()) for ours in _SURE for one in some[ours]}
    aliases = terms.union(*ALIASES.values(), *more_aliases().values())
    spellings = [{bare_name(name), heading(name)} for name in written]
    if any(found & {*also} for found in spellings) or sum(bool(found & terms) for found in spellings) > 1:
        return True
    if any(re.fullmatch(r"\s*[+-]?[\d.,]+\s*", name) for name in written):
        return False
    known = [found for found in spellings if found & aliases]
    is_sure = len(known) >= _SEVERAL or any(found & terms for found in known)
    return is_sure and 2 * len(known) >= len(written)
