"""Subsets of pairs: by the values of a column, by bins of numbers, or by an attribute of both terms."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.errors import InputError, option, quoted
from medgauge.pairs import Pairs
from medgauge.strata.attributes import Attribute
from medgauge.strata.bins import Bins, given_bins, quantile_bins
from medgauge.strata.values import as_texts, check_storable, column, is_key, may_be_id

Cut = Literal["values", "quantiles", "edges"]
"""How the subsets were made: by distinct values, by equal counts, or by given edges."""

FEW_VALUES = 10  # distinct numbers up to which each makes a subset
DEFAULT_BINS = 3  # as in figures 1 to 4 of Chiu et al. (2018)
_MOST = 50  # subsets that a table can show
_SHARED_BY = 2  # pairs with the same value, on average; what fewer share may be a name, a note or an id

LeftOut = Literal["missing", "outside", "across"]
LEFT_OUT: dict[LeftOut, str] = {
    "missing": "without a value",
    "outside": "outside the bins",
    "across": "with terms in different intervals",
}
"""Why a pair is in no subset."""


@dataclass(frozen=True)
class Subsets:
    """The names of subsets in order, the subset of each pair (−1: none), and how many pairs are in none."""

    names: list[str]
    member: NDArray[np.int64]
    cut: Cut
    left_out: dict[LeftOut, int]


def subsets_by(pairs: Pairs, by: str, *, bins: int | Sequence[float] | None = None) -> Subsets:
    """Split the pairs by a column of the set or a computed one.

    Each value of text makes a subset, and so does each of up to ten distinct numbers that two pairs on
    average share; other numbers are binned: by the given edges or number of bins, else into three bins of
    equal counts. Subsets are stored under their names, so that text must be categories: at most 50 different
    ones, each shared by two pairs on average. What may be an id, or is a term of the set, is refused.

    >>> from medgauge.pairs import Card, PairSet
    >>> pairs = PairSet.of([("flu", "flu virus", 4.0), ("flu", "cold", 1.0)], card=Card(name="x", title="X"))
    >>> subsets = subsets_by(pairs, "words")
    >>> subsets.names, subsets.member.tolist()
    (['1', '2'], [1, 0])
    """
    name = pairs.card.name
    if is_key(by):
        raise InputError(
            f"{quoted(by)} cannot make subsets; choose a column of categories or numbers, which say nothing "
            "of single terms"
        )
    values = column(pairs, by)
    if not values.dtype.is_numeric():
        if bins is not None:
            raise InputError(f"the column {by} of {name} is not numeric; bins are for numbers")
        return _by_text(pairs, by, values)
    numbers = values.cast(pl.Float64).fill_null(np.nan).to_numpy()
    _check_any(pairs, by, numbers)
    known = numbers[np.isfinite(numbers)]
    different = np.unique(known)
    is_own = by in pairs.frame.columns
    are_shared = len(different) * _SHARED_BY <= len(known) or not is_own
    by_value = bins is None and len(different) <= FEW_VALUES and are_shared
    if is_own and (bins is None or isinstance(bins, int)):
        _check_numbers(pairs, by, different, by_value=by_value)
    if by_value:
        member = np.where(np.isfinite(numbers), np.searchsorted(different, numbers), -1)
        names = [repr(value).removesuffix(".0") for value in different.tolist()]
        return Subsets(names, member, "values", _counted(np.where(member < 0, "missing", "")))
    made, cut = _bins(numbers, bins)
    member = made.of(numbers)
    reasons = np.select([np.isnan(numbers), member < 0], ["missing", "outside"], "")
    return Subsets(made.names, member, cut, _counted(reasons))


def subsets_by_attribute(
    pairs: Pairs, attribute: Attribute, *, bins: int | Sequence[float] | None = None
) -> Subsets:
    """Split the pairs by an attribute of their terms: both in the same interval, as in Chiu et al. (2018).

    Equal counts are over the set's distinct terms. Pairs whose terms are in different intervals, or with a
    term that has no value, are in no subset.
    """
    values = dict(zip(pairs.terms, attribute.of(pairs.terms).tolist(), strict=True))
    of_terms = np.array(list(values.values()), np.float64)
    _check_any(pairs, attribute.name, of_terms)
    made, cut = _bins(of_terms, bins)
    one, two = (np.array([values[term] for term in pairs.frame[side]]) for side in ("term_1", "term_2"))
    left, right = made.of(one), made.of(two)
    unknown, outside = np.isnan(one) | np.isnan(two), np.minimum(left, right) < 0
    reasons = np.select([unknown, outside, left != right], ["missing", "outside", "across"], "")
    return Subsets(made.names, np.where(reasons == "", left, -1), cut, _counted(reasons))


def _by_text(pairs: Pairs, by: str, values: pl.Series) -> Subsets:
    texts = as_texts(values)
    names = sorted(set(texts.tolist()) - {""})
    if not names:
        raise InputError(f"no pair of {pairs.card.name} has a value in the column {by}")
    if len(names) > _MOST:
        raise InputError(
            f"the column {by} of {pairs.card.name} has {len(names)} values; at most {_MOST} can make subsets"
        )
    known = int((texts != "").sum())
    if values.dtype != pl.Boolean and len(names) * _SHARED_BY > known:
        raise InputError(
            f"the column {by} of {pairs.card.name} has {len(names)} values for {known} pairs; text makes "
            f"subsets only if {_SHARED_BY} pairs on average share a value"
        )
    check_storable(pairs, by, names)
    member = np.where(texts == "", -1, np.searchsorted(names, texts))
    return Subsets(names, member, "values", _counted(np.where(texts == "", "missing", "")))


def _check_numbers(pairs: Pairs, by: str, different: NDArray[np.float64], *, by_value: bool) -> None:
    """Refuse numbers that may be ids, since they name subsets, one by one or as the edges of intervals."""
    long = [value for value in different.tolist() if value.is_integer() and may_be_id(str(int(value)))]
    if len(long) * (len(different) if by_value else 2) >= len(different):
        raise InputError(
            f"the column {by} of {pairs.card.name} holds what may be ids, which results do not store; if "
            f"they are quantities, give the edges of intervals with {option('bins')}"
        )


def _bins(values: NDArray[np.float64], bins: int | Sequence[float] | None) -> tuple[Bins, Cut]:
    if (bins if isinstance(bins, int) else len(bins or ())) > _MOST:
        raise InputError(f"there can be at most {_MOST} bins")
    if bins is None or isinstance(bins, int):
        return quantile_bins(values, DEFAULT_BINS if bins is None else bins), "quantiles"
    return given_bins(bins), "edges"


def _check_any(pairs: Pairs, by: str, values: NDArray[np.float64]) -> None:
    if not np.isfinite(values).any():
        raise InputError(f"no pair of {pairs.card.name} has a value of {by}")


def _counted(reasons: NDArray[np.str_]) -> dict[LeftOut, int]:
    counts = Counter(reasons.tolist())
    return {reason: counts[reason] for reason in LEFT_OUT if counts[reason]}
