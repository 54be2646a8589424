"""Splits terms into words, and lists the forms in which a word is looked up."""

import re
import unicodedata

from medgauge.models.lookup import Case, Tokenizer

_WORD = re.compile(r"[^\W_](?:[^\W_]|['\u0300-\u036f-])*")  # combining accents stay with their letter
_UNBROKEN = re.compile(r"\S+")
# Typographic apostrophes and hyphens become the plain ones that vocabularies have.
_PLAIN = str.maketrans({"’": "'", "ʼ": "'", "‐": "-", "‑": "-"})


def tokenize(term: str, *, tokenizer: Tokenizer = "words") -> list[str]:
    """Split a term into words.

    `words`: the runs of letters, digits, apostrophe and hyphen that begin with a letter or digit.
    `whitespace`: whatever is separated by white space.

    >>> tokenize("H/O: Crohn's disease (non-acute)")
    ['H', 'O', "Crohn's", 'disease', 'non-acute']
    >>> tokenize("H/O: asthma", tokenizer="whitespace")
    ['H/O:', 'asthma']
    """
    if tokenizer == "whitespace":
        return term.split()
    return _WORD.findall(_plain(term))


def word_places(term: str, *, tokenizer: Tokenizer = "words") -> tuple[str, list[tuple[int, int]]]:
    """Return a term as `tokenize` splits it, and where each word of it begins and ends.

    >>> word_places("H/O: asthma")
    ('H/O: asthma', [(0, 1), (2, 3), (5, 11)])
    >>> word_places("H/O: asthma", tokenizer="whitespace")
    ('H/O: asthma', [(0, 4), (5, 11)])
    """
    if tokenizer == "whitespace":
        return term, [found.span() for found in _UNBROKEN.finditer(term)]
    plain = _plain(term)
    return plain, [found.span() for found in _WORD.finditer(plain)]


def _plain(term: str) -> str:
    return unicodedata.normalize("NFC", term).translate(_PLAIN)


def forms(word: str, *, case: Case = "fallback") -> tuple[str, ...]:
    """Return the forms under which a word is looked up; the first one found is used.

    >>> forms("Aspirin"), forms("Aspirin", case="lower"), forms("Aspirin", case="keep")
    (('Aspirin', 'aspirin'), ('aspirin',), ('Aspirin',))
    """
    lower = word.lower()
    if case == "lower":
        return (lower,)
    return (word,) if case == "keep" or lower == word else (word, lower)
