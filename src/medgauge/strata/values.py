"""The columns by which pairs are filtered and split: a set's own, and those computed on demand."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from medgauge.errors import InputError, UnknownNameError, quoted
from medgauge.files.file_names import clean_name
from medgauge.models.lexical import lowered_terms
from medgauge.pairs import Pairs
from medgauge.tables import MISSING

AnyPairs = TypeVar("AnyPairs", bound=Pairs)

_LONGEST = 1000  # characters of a condition; thousands of terms would exhaust the parser's stack
_TAG = re.compile(r"(?<=\S)\s+\([^()]*\)$")  # as in "Gout (disorder)"
_LITERAL = re.compile(r"'((?:[^']|'')*)'")
_CODES = re.compile(r"(pair_id|(term|id|cui)_[12])")
# Polars opens the files and addresses of a subquery while it parses it.
_SUBQUERY = re.compile(r"\b(select|from)\b", re.IGNORECASE)


def _words(pairs: Pairs) -> pl.Series:
    """Count the words of the longer term, separated by white space."""
    terms = pairs.frame.select("term_1", "term_2").iter_rows()
    return pl.Series([max(len(one.split()), len(two.split())) for one, two in terms], dtype=pl.Int64)


def _levenshtein(pairs: Pairs) -> pl.Series:
    """Compute the edit distance in lower case, as the baseline of that name does."""
    first, second = lowered_terms(pairs)
    return pl.Series(process.cpdist(first, second, scorer=Levenshtein.distance, dtype=np.int64, workers=-1))


def _different_ratings(pairs: Pairs) -> pl.Series:
    """Count the distinct ratings of a pair; missing without ratings."""
    counts = [len(set(row[~np.isnan(row)].tolist())) for row in pairs.ratings]
    return pl.Series([count or None for count in counts], dtype=pl.Int64)


def _rating_spread(pairs: Pairs) -> pl.Series:
    """Return the highest rating less the lowest; missing without ratings."""
    rated = [row[~np.isnan(row)] for row in pairs.ratings]
    return pl.Series([float(np.ptp(row)) if len(row) else None for row in rated], dtype=pl.Float64)


_OF_TERMS: dict[str, Callable[[Pairs], pl.Series]] = {"words": _words, "levenshtein": _levenshtein}
_OF_RATINGS: dict[str, Callable[[Pairs], pl.Series]] = {
    "different_ratings": _different_ratings,
    "rating_spread": _rating_spread,
}


def column_names(pairs: Pairs) -> list[str]:
    """Return the names of a set's columns, and of those that can be computed for it.

    >>> from medgauge.pairs import Card, PairSet
    >>> column_names(PairSet.of([("flu", "influenza", 4.0)], card=Card(name="x", title="X")))
    ['pair_id', 'term_1', 'term_2', 'gold', 'words', 'levenshtein']
    """
    derived = [*_OF_TERMS, *(_OF_RATINGS if pairs.raters else ())]
    return list(dict.fromkeys([*pairs.frame.columns, *derived]))


def column(pairs: Pairs, name: str) -> pl.Series:
    """Return a column of a set: its own, or a computed one.

    `words`: words of the longer term; `levenshtein`: distance of the terms in characters; with ratings,
    `different_ratings`: how many distinct ones a pair has, and `rating_spread`: the highest less the lowest.
    Text that is all numbers (strata are read as text) is returned as numbers, empty text as missing.

    >>> from medgauge.pairs import Card, PairSet
    >>> pairs = PairSet.of([("Flu", "flu virus", 4.0), ("flu", "cold", 1.0)], card=Card(name="x", title="X"))
    >>> column(pairs, "words").to_list(), column(pairs, "levenshtein").to_list()
    ([2, 1], [6, 3])
    """
    if name in pairs.frame.columns:
        own = pairs.frame[name]
        return own if is_key(name) or own.dtype != pl.String else _numbers_of(own)
    if name not in column_names(pairs):
        raise UnknownNameError(f"column of {pairs.card.name} called", name, column_names(pairs))
    return (_OF_TERMS | _OF_RATINGS)[name](pairs).alias(name)


def _numbers_of(text: pl.Series) -> pl.Series:
    """Turn text that is all numbers into numbers; codes with leading zeros stay text."""
    text = text.str.strip_chars()
    written = text.filter(~text.str.to_lowercase().is_in(MISSING))
    numbers = written.cast(pl.Float64, strict=False)
    are_numbers = numbers.is_finite().fill_null(False).all()
    if len(written) and are_numbers and not written.str.contains(r"^[+-]?0\d").any():
        return text.cast(pl.Float64, strict=False).fill_nan(None)
    return text.replace("", None)


def as_texts(values: pl.Series) -> NDArray[np.str_]:
    """Return the values of a column as categories: printable texts, "" where missing.

    >>> as_texts(pl.Series([" N ", None, "V"])).tolist()
    ['N', '', 'V']
    """
    values = values.fill_nan(None) if values.dtype.is_float() else values
    try:
        texts = values.cast(pl.String).fill_null("")
    except pl.exceptions.PolarsError:
        raise InputError(f"the column {values.name} holds neither text nor numbers") from None
    return np.array([clean_name(text.strip()) for text in texts], np.str_)


def is_key(name: str) -> bool:
    """Return whether a column has a value of its own for each pair, term or concept.

    >>> is_key("cui_1"), is_key("words")
    (True, False)
    """
    return _CODES.fullmatch(name) is not None


def repeats_terms(pairs: Pairs, texts: Iterable[str]) -> bool:
    """Return whether some text is a term of a set, in whatever case and with or without a semantic tag.

    >>> from medgauge.pairs import Card, PairSet
    >>> pairs = PairSet.of([("Renal failure", "gout", 1.0)], card=Card(name="x", title="X"))
    >>> repeats_terms(pairs, ["renal  failure (disorder)"]), repeats_terms(pairs, ["disorder"])
    (True, False)
    """
    terms = {_bare(term) for term in pairs.terms}
    return any(_bare(text) in terms for text in texts)


def _bare(text: str) -> str:
    return " ".join(_TAG.sub("", text).casefold().split())


def filtered(pairs: AnyPairs, where: str) -> AnyPairs:
    """Keep the pairs that meet a condition: a SQL expression over the columns, own and computed.

    Pairs for which it is neither true nor false, because a value is missing, are not kept. Results store the
    condition, so that it must not repeat a term of the set.

    >>> from medgauge.pairs import Card, PairSet
    >>> pairs = PairSet.of([("flu", "flu virus", 4.0), ("flu", "cold", 1.0)], card=Card(name="x", title="X"))
    >>> filtered(pairs, "words > 1 and gold >= 2").frame["pair_id"].to_list()
    ['1']
    """
    condition = _parsed(where)
    if repeats_terms(pairs, (text.replace("''", "'") for text in _LITERAL.findall(where))):
        raise InputError(
            f"the condition repeats a term of {pairs.card.name}, and results, which store it, hold no terms; "
            "choose the pairs by their pair_id instead"
        )
    names = list(dict.fromkeys(condition.meta.root_names()))
    frame = pairs.frame.with_columns([column(pairs, name) for name in names])
    try:
        kept = frame.with_columns(condition.alias("medgauge.where"))["medgauge.where"]
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        # The error message of Polars may contain terms.
        kinds = ", ".join(f"{name} is {_kind(frame[name].dtype)}" for name in names)
        raise InputError(
            f"the condition {quoted(where)} cannot be computed on {pairs.card.name}"
            f"{kinds and f', where {kinds}'}"
        ) from None
    if kept.dtype != pl.Boolean:
        raise InputError(f"{quoted(where)} is not a condition: it is {_kind(kept.dtype)}, not true or false")
    if not kept.any():
        raise InputError(f"no pair of {pairs.card.name} meets the condition {quoted(where)}")
    return replace(pairs, frame=pairs.frame.filter(kept))


def _parsed(where: str) -> pl.Expr:
    if len(where) > _LONGEST:
        raise InputError(f"the condition has {len(where)} characters; at most {_LONGEST} are allowed")
    if not where.isprintable():
        raise InputError("the condition has characters that cannot be printed")
    if word := _SUBQUERY.search(where):
        raise InputError(
            f"a condition is about the columns of one set; it cannot contain the word {word[0]!r}"
        )
    try:
        return pl.sql_expr(where)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = quoted(str(error).partition("\n")[0])
        raise InputError(
            f"the condition {quoted(where)} is not a SQL expression ({reason}); put a column named like a "
            "SQL word in double quotes"
        ) from error


def _kind(dtype: pl.DataType) -> str:
    if dtype == pl.String:
        return "text"
    if dtype == pl.Boolean:
        return "true or false"
    if dtype == pl.Null:
        return "missing"
    return "a number" if dtype.is_numeric() else str(dtype)
