"""Splits biomedical text into tokens, in compiled code.

A token is a run of letters and digits, or a single other sign. Runs are joined where they belong together:
by an apostrophe, a hyphen or both ("IL-2", "Crohn's", "5'-AMP"), and digits by a point or comma ("0.05",
"1,25-dihydroxyvitamin"). A prime after a digit stays ("5'"). Nothing else joins: "p<0.05" is three tokens,
"mg/kg" too, and "patients'" is the word and its apostrophe.

Every word for which a term is looked up (`medgauge.models.tokens`) is one token where the term is in the
text, so that vectors trained on a corpus are found. The exceptions are words that end in an apostrophe or a
hyphen, those with two hyphens in a row, and what has a prime or a point or comma between digits, which terms
split.
"""

from collections.abc import Sequence

import polars as pl

BIOMEDICAL = "biomedical-1"
"""The name of this tokenizer and of its version, for the cards of corpora."""

LONGEST = 8_192
"""The most characters of a row of a corpus; longer passages are cut, so that a group of rows is small."""

_DIGITS = r"\p{Nd}+'?(?:[.,]\p{Nd}+'?)*"
_RUN = rf"(?:(?:{_DIGITS}|[\p{{L}}\p{{N}}])\p{{M}}*)+"
_TOKEN = rf"{_RUN}(?:(?:'-?|-){_RUN})*|[\p{{P}}\p{{S}}]\p{{M}}*"
# Every character that NFC changes is among these; normalizing all texts would take as long as splitting them.
_MAY_COMPOSE = (
    r"[\p{M}\u{340}-\u{387}\u{958}-\u{DDF}\u{F43}-\u{11FF}\u{1B06}-\u{1B43}\u{1F00}-\u{2001}\u{2126}-\u{232A}"
    r"\u{2ADC}\u{F900}-\u{FB4F}\u{11099}-\u{1D1C0}\u{2F800}-\u{2FA1D}]"
)
# Typographic apostrophes, primes and hyphens become plain; a soft hyphen is only a place to break a line.
_PLAIN = {"’": "'", "ʼ": "'", "′": "'", "‐": "-", "‑": "-", "\N{SOFT HYPHEN}": ""}


def tokens_of(texts: pl.Series) -> pl.Series:
    """Split each of many texts into tokens; the case is kept.

    >>> tokens_of(pl.Series(["IL-2 was p<0.05", ""])).to_list()
    [['IL-2', 'was', 'p', '<', '0.05'], []]
    """
    composed = texts.str.contains(_MAY_COMPOSE).arg_true()
    if len(composed):
        texts = texts.scatter(composed, texts.gather(composed).str.normalize("NFC"))
    plain = texts.str.replace_many(list(_PLAIN), list(_PLAIN.values()))
    return plain.str.extract_all(_TOKEN)


def tokenize_text(text: str) -> list[str]:
    """Split a text into tokens.

    >>> tokenize_text("The patients' anti-inflammatory 5-HT (p<0.05)")
    ['The', 'patients', "'", 'anti-inflammatory', '5-HT', '(', 'p', '<', '0.05', ')']
    >>> tokenize_text("1,25-dihydroxyvitamin D at the 5' end, 2.5mg/kg")
    ['1,25-dihydroxyvitamin', 'D', 'at', 'the', "5'", 'end', ',', '2.5mg', '/', 'kg']
    """
    found: list[str] = tokens_of(pl.Series([text], dtype=pl.String)).to_list()[0]
    return found


def cut(text: str, longest: int = LONGEST) -> Sequence[str]:
    """Cut a text that is too long for a row, at white space where there is any.

    >>> cut("one two three", 8)
    ['one two', 'three']
    """
    if len(text) <= longest:
        return (text,)
    text = text.lstrip()
    pieces = []
    while len(text) > longest:
        at = max(text.rfind(sign, 0, longest + 1) for sign in (" ", "\t", "\u2028"))
        at = at if at > 0 else longest
        pieces.append(text[:at])
        text = text[at:].lstrip()
    return [*pieces, text] if text else pieces
