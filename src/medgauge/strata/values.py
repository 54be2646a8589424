"""The columns by which pairs are filtered and split: a set's own, and those computed on demand."""

import re
from collections.abc import Callable, Collection, Iterable
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
from medgauge.rounding import without_noise
from medgauge.tables import MISSING

AnyPairs = TypeVar("AnyPairs", bound=Pairs)

_DIGITS = 3  # of a number in a condition on terms, such as their length
_LONGEST = 1000  # characters of a condition; thousands of terms would exhaust the parser's stack
_TAG = re.compile(r"(?<=\S)\s+\([^()]*\)$")  # as in "Gout (disorder)"
_QUOTED = re.compile(r"""\"[^"]*\"|'((?:[^']|'')*)'""")  # the name of a column, or a text
_NUMBER = re.compile(r"(?<!\w)\d[\w.]*")
_LONG_NUMBER = re.compile(r"\d{6}")  # as long as the shortest identifiers of SNOMED CT
_KEY = re.compile(
    r"(term|((pair|concept|konzept|description|patient|snomed|ct|sct|umls|mesh)[\W_]*)*(id|cui)"
    r"|((concept|snomed|ct|sct|umls|mesh)[\W_]*)+code)s?[\W_]*[12ab]?",
    re.IGNORECASE,
)
# Polars opens the files and addresses of a subquery while it parses it.
_SUBQUERY = re.compile(r"\b(select|from)\b", re.IGNORECASE)
_COMMENT = re.compile(r"--|/\*|\$")  # or a text in $$: either could hold a term unseen


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
    """Return the highest rating minus the lowest; missing without ratings."""
    rated = [row[~np.isnan(row)] for row in pairs.ratings]
    spreads = without_noise(np.array([np.ptp(row) if len(row) else np.nan for row in rated], np.float64))
    return pl.Series(spreads).fill_nan(None)


SPECIFICITY = ("specificity_1", "specificity_2")
"""The columns with the specificity of the two concepts: the fewest is-a edges up to the root."""


def _specificity(pairs: Pairs) -> pl.Series:
    """Return the specificity of the more specific concept; missing where one of the two is."""
    one, two = (_numeric(pairs, name) for name in SPECIFICITY)
    larger = pl.when(one.is_not_null() & two.is_not_null()).then(pl.max_horizontal(one, two))
    return pl.select(larger).to_series()


TYPES = ("semantic_type_1", "semantic_type_2")
"""The columns with the semantic types of the two concepts, which `medgauge map` adds."""
OTHER_TYPES = "other"
"""What a combination of semantic types that few pairs have is called."""
FREQUENT = 0.03
"""The share of pairs above which a combination of semantic types is frequent."""


def _semantic_types(pairs: Pairs) -> pl.Series:
    """Return the unordered combination of a pair's semantic types; missing where one of the two is.

    Combinations of up to 3% of the pairs are "other", since there are hundreds, and few pairs say little.
    """
    sides = zip(*(as_texts(pairs.frame[name]).tolist() for name in TYPES), strict=True)
    ordered = [tuple(sorted(types)) for types in sides]
    found = pl.Series([f"{one} – {two}" if one and two else None for one, two in ordered], dtype=pl.String)
    counts = found.drop_nulls().value_counts(name="count")
    frequent = counts.filter(pl.col("count") > FREQUENT * found.count())[found.name]
    is_rare = ~found.is_in(frequent.implode()) & found.is_not_null()
    return found.set(is_rare, OTHER_TYPES)


def _numeric(pairs: Pairs, name: str) -> pl.Series:
    values = column(pairs, name)
    if not values.dtype.is_numeric():
        raise InputError(f"the column {name} of {pairs.card.name} is not numeric")
    return values.cast(pl.Float64).fill_nan(None)


_OF_TERMS: dict[str, Callable[[Pairs], pl.Series]] = {"words": _words, "levenshtein": _levenshtein}
_OF_RATINGS: dict[str, Callable[[Pairs], pl.Series]] = {
    "different_ratings": _different_ratings,
    "rating_spread": _rating_spread,
}
_OF_COLUMNS: dict[str, tuple[tuple[str, ...], Callable[[Pairs], pl.Series]]] = {
    "semantic-types": (TYPES, _semantic_types),
    "specificity": (SPECIFICITY, _specificity),
}
"""What is computed from columns that not every set has."""


def column_names(pairs: Pairs) -> list[str]:
    """Return the names of a set's columns, and of those that can be computed for it.

    >>> from medgauge.pairs import Card, PairSet
    >>> column_names(PairSet.of([("flu", "influenza", 4.0)], card=Card(name="x", title="X")))
    ['pair_id', 'term_1', 'term_2', 'gold', 'words', 'levenshtein']
    """
    from_columns = [name for name, (needed, _) in _OF_COLUMNS.items() if {*needed} <= {*pairs.frame.columns}]
    derived = [*_OF_TERMS, *(_OF_RATINGS if pairs.raters else ()), *from_columns]
    return list(dict.fromkeys([*pairs.frame.columns, *derived]))


def column(pairs: Pairs, name: str) -> pl.Series:
    """Return a column of a set: its own, or a computed one.

    `words`: words of the longer term; `levenshtein`: distance of the terms in characters; with ratings,
    `different_ratings`: how many distinct ones a pair has, and `rating_spread`: the highest minus the lowest;
    with columns `specificity_1` and `specificity_2`, `specificity`: the larger, of the more specific concept;
    with columns `semantic_type_1` and `semantic_type_2`, `semantic-types`: their unordered combination, of
    which figure 2 of Schulz et al. (2020) shows those of over 3% of the pairs; the rest is "other".
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
        if name in _OF_COLUMNS:
            first, second = _OF_COLUMNS[name][0]
            raise InputError(
                f"{name} of {pairs.card.name} needs its columns {first} and {second}; "
                "'medgauge coverage --columns' adds them"
            )
        raise UnknownNameError(f"column of {pairs.card.name} called", name, column_names(pairs))
    computed = _OF_TERMS | _OF_RATINGS | {one: compute for one, (_, compute) in _OF_COLUMNS.items()}
    return computed[name](pairs).alias(name)


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
    """Return whether a column has, by its name, a value of its own for each pair, term, concept or patient.

    >>> is_key("cui_1"), is_key("SCTID"), is_key("words")
    (True, True, False)
    """
    return _KEY.fullmatch(name.strip()) is not None


def may_be_id(text: str) -> bool:
    """Return whether a text has six digits in a row, as the identifiers of concepts have.

    >>> may_be_id("C0027051"), may_be_id("HP:0001250"), may_be_id("T047")
    (True, True, False)
    """
    return _LONG_NUMBER.search(text) is not None


def repeats_keys(pairs: Pairs, texts: Iterable[str]) -> bool:
    """Return whether some text is a term or an id of a set, in any case, with or without a semantic tag.

    A number of up to five digits is not compared with ids: it may as well be the number of a pair.

    >>> from medgauge.pairs import Card, PairSet
    >>> pairs = PairSet.of([("Renal failure", "gout", 1.0)], card=Card(name="x", title="X"))
    >>> repeats_keys(pairs, ["renal  failure (disorder)"]), repeats_keys(pairs, ["disorder"])
    (True, False)
    """
    asked = {_bare(text) for text in texts} - {""}
    if not asked.isdisjoint(map(_bare, pairs.terms)):
        return True
    asked = {text for text in asked if may_be_id(text) or not text.isdecimal()}
    columns = [name for name in pairs.frame.columns if is_key(name) and name != "pair_id"]
    return any(
        not asked.isdisjoint(map(_bare, pairs.frame[name].cast(pl.String).drop_nulls())) for name in columns
    )


def check_storable(pairs: Pairs, name: str, values: Collection[str]) -> None:
    """Refuse the values of a column if they may be terms or ids, which results do not store."""
    if any(map(may_be_id, values)) or repeats_keys(pairs, values):
        raise InputError(
            f"the column {name} of {pairs.card.name} holds terms of the set, or what may be ids, which "
            "results do not store; number its values, or name them otherwise"
        )


def _bare(text: str) -> str:
    return " ".join(_TAG.sub("", text).casefold().split())


def filtered(pairs: AnyPairs, where: str) -> AnyPairs:
    """Keep the pairs that meet a condition: a SQL expression over the columns, own and computed.

    Pairs for which it is neither true nor false, because a value is missing, are not kept. Results store the
    condition, so that it must not repeat a term or an id of the set: on a column of these it can hold neither
    text nor numbers of more than three digits.

    >>> from medgauge.pairs import Card, PairSet
    >>> pairs = PairSet.of([("flu", "flu virus", 4.0), ("flu", "cold", 1.0)], card=Card(name="x", title="X"))
    >>> filtered(pairs, "words > 1 and gold >= 2").frame["pair_id"].to_list()
    ['1']
    """
    condition = _parsed(where)
    names = list(dict.fromkeys(condition.meta.root_names()))
    _check_holds_no_key(pairs, where, names)
    try:
        frame = pairs.frame.with_columns([column(pairs, name) for name in names])
    except UnknownNameError as error:
        raise InputError(f"{error}; put a text to compare with in single quotes") from None
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


def _check_holds_no_key(pairs: Pairs, where: str, names: Iterable[str]) -> None:
    """Refuse a condition with which results would store a term or an id, whole, in parts or as a pattern."""
    numbers = _NUMBER.findall(_QUOTED.sub(" ", where))
    advice = "choose the pairs by their pair_id, or by a column of your own that marks them"
    key = next((name for name in names if is_key(name) and name != "pair_id"), None)
    if key and ("'" in where or any(sum(map(str.isalnum, number)) > _DIGITS for number in numbers)):
        raise InputError(
            f"a condition on {quoted(key)} can hold neither text nor numbers of more than {_DIGITS} digits, "
            f"because results store it and hold no terms or ids; {advice}"
        )
    texts = [text.replace("''", "'") for text in _QUOTED.findall(where)]
    if repeats_keys(pairs, [*texts, *filter(may_be_id, numbers)]):
        raise InputError(
            f"the condition repeats a term or an id of {pairs.card.name}, and results, which store it, hold "
            f"none; {advice}"
        )


def _parsed(where: str) -> pl.Expr:
    if len(where) > _LONGEST:
        raise InputError(f"the condition has {len(where)} characters; at most {_LONGEST} are allowed")
    if not where.isprintable():
        raise InputError("the condition has characters that cannot be printed")
    if word := _SUBQUERY.search(where) or _COMMENT.search(_QUOTED.sub(" ", where)):
        raise InputError(f"a condition is about the columns of one set; it cannot contain {word[0]!r}")
    try:
        condition = pl.sql_expr(where)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = quoted(str(error).partition("\n")[0])
        raise InputError(
            f"the condition {quoted(where)} is not a SQL expression ({reason}); put a column named like a "
            "SQL word in double quotes"
        ) from error
    if condition.meta.has_multiple_outputs():
        raise InputError(f"the condition {quoted(where)} must name each of its columns")
    return condition


def _kind(dtype: pl.DataType) -> str:
    if dtype == pl.String:
        return "text"
    if dtype == pl.Boolean:
        return "true or false"
    if dtype == pl.Null:
        return "missing"
    return "a number" if dtype.is_numeric() else str(dtype)
