"""Which spellings of a term are the same."""

import unicodedata


def same_term(term: str) -> str:
    """Return a key that is equal for all spellings of a term: accents composed, case ignored.

    >>> same_term("Ménière's") == same_term("MÉNIÈRE'S")
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", term).casefold())
