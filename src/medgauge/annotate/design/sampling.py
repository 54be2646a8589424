"""The pairs of a study: drawn from one set or several, or all of them."""

import warnings
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import polars as pl

from medgauge.annotate.store.study import IDS
from medgauge.arrays import Integers
from medgauge.errors import CoverageWarning, InputError
from medgauge.pairs import Pairs, PairSet

_Terms = frozenset[str]


def sample_pairs(
    sets: Sequence[Pairs], *, each_label: int | None = None, each_set: int | None = None, seed: int
) -> pl.DataFrame:
    """Draw a number of pairs per label of each set, or per set; without a number, take all.

    With both numbers, `each_label` is for sets that have labels and `each_set` for graded ones.

    The frame has `pair_id, term_1, term_2`, the `set` that a pair comes from, its `label` there (null in a
    graded set), those of `id_1, id_2, cui_1, cui_2` that a set has, and the strata of its card; no gold and
    no ratings. Pairs are in the order of the sets and of their rows. An id that several of the sets use
    becomes SET/pair_id.

    No two pairs have the same terms, in either order: an annotator would remember the first, and agreement
    would count one judgement twice. A pair counts for the first set that it is drawn from, and a later set
    draws another in its place, so that each has as many as requested. If all pairs are taken, the first is
    kept, and a CoverageWarning reports how many are left out.

    >>> from medgauge.pairs import Card, PairSet
    >>> rows = [("flu", "influenza", 1), ("flu", "fracture", 0), ("mumps", "parotitis", 1)]
    >>> pairs = PairSet.of(rows, card=Card(name="x", title="X"), labelled=True)
    >>> sample_pairs([pairs], each_label=1, seed=1)["label"].to_list()
    [1, 0]
    """
    _check(sets, each_label, each_set, seed)
    taken: set[_Terms] = set()
    frames = []
    for pairs, rng in zip(sets, np.random.default_rng(seed).spawn(len(sets)), strict=True):
        order = rng.permutation(len(pairs))
        if each_label is not None and isinstance(pairs, PairSet) and pairs.labelled:
            labels = pairs.gold[order]
            rows = _drawn(pairs, order[labels == 1], each_label, taken, what="pairs with label 1")
            rows += _drawn(pairs, order[labels == 0], each_label, taken, what="pairs with label 0")
        elif each_set is not None:
            rows = _drawn(pairs, order, each_set, taken, what="pairs")
        else:
            rows = _all_different(pairs, taken)
        frames.append(_described(pairs)[sorted(rows)])
    return _with_different_ids(sets, pl.concat(frames, how="diagonal_relaxed"))


def all_pairs(sets: Sequence[Pairs]) -> pl.DataFrame:
    """Return all pairs of sets as `sample_pairs` would, but including those that have the same terms."""
    _check(sets, None, None, 0)
    return _with_different_ids(sets, pl.concat(map(_described, sets), how="diagonal_relaxed"))


def _check(sets: Sequence[Pairs], each_label: int | None, each_set: int | None, seed: int) -> None:
    if not sets:
        raise InputError("there is no set to draw pairs from")
    for number in (each_label, each_set):
        if number is not None and number < 1:
            raise InputError(f"the sample size is {number}; it must be 1 or more")
    if seed < 0:
        raise InputError(f"seed is {seed}; it must be 0 or more")
    names = [pairs.card.name for pairs in sets]
    for place, pairs in enumerate(sets):
        if names[place] in names[:place]:
            raise InputError(f"two sets are called '{names[place]}'; give one of them another name")
        if each_label is not None and each_set is None and not pairs.labelled:
            raise InputError(f"the set '{names[place]}' has no labels; draw from each set instead")


def _drawn(pairs: Pairs, order: Integers, wanted: int, taken: set[_Terms], *, what: str) -> list[int]:
    """Return the first `wanted` rows in an order whose terms are not yet taken, and mark them as taken."""
    rows = list(islice(_different(pairs, order, taken), min(wanted, len(order))))  # islice counts no further
    if len(rows) < wanted:
        new = "" if len(rows) == len(order) else f", {len(rows)} of them with terms that are not yet drawn"
        raise InputError(
            f"the set '{pairs.card.name}' has {len(order)} {what}{new}; {wanted} cannot be drawn"
        )
    return rows


def _all_different(pairs: Pairs, taken: set[_Terms]) -> list[int]:
    rows = list(_different(pairs, np.arange(len(pairs)), taken))
    if left := len(pairs) - len(rows):
        warnings.warn(
            f"{left} of {len(pairs)} pairs of '{pairs.card.name}' have the same terms as an earlier pair "
            "and are left out",
            CoverageWarning,
            stacklevel=3,
        )
    return rows


def _different(pairs: Pairs, order: Integers, taken: set[_Terms]) -> Iterator[int]:
    """Yield the rows whose terms are not yet taken, and mark them as taken."""
    first, second = pairs.frame["term_1"], pairs.frame["term_2"]
    for row in order.tolist():
        terms = frozenset((first[row], second[row]))
        if terms not in taken:
            taken.add(terms)
            yield row


def _described(pairs: Pairs) -> pl.DataFrame:
    """Return what a study needs to know about the pairs of a set."""
    label = pl.col("label") if pairs.labelled else pl.lit(None)
    ids = [name for name in IDS if name in pairs.frame.columns]
    strata = [name for name in pairs.card.strata if name in pairs.frame.columns and name not in ids]
    return pairs.frame.select(
        "pair_id",
        "term_1",
        "term_2",
        pl.lit(pairs.card.name).alias("set"),
        label.cast(pl.Int8).alias("label"),
        pl.col(ids).cast(pl.String),
        pl.col(strata),
    )


def _with_different_ids(sets: Sequence[Pairs], sample: pl.DataFrame) -> pl.DataFrame:
    """Prefix ids that several sets use, drawn or not, with the set, so that no id depends on the seed."""
    every = pl.concat([pairs.frame["pair_id"] for pairs in sets])
    several = set(every.filter(every.is_duplicated()))
    ids = pl.Series(
        "pair_id",
        [
            f"{name}/{pair_id}" if pair_id in several else pair_id
            for name, pair_id in zip(sample["set"], sample["pair_id"], strict=True)
        ],
        pl.String,
    )
    if ids.is_duplicated().any():
        raise InputError("pairs of different sets have the same id; rename one of the sets")
    return sample.with_columns(ids)
