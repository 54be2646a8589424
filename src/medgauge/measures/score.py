"""Scoring of all pairs of terms at once by any measures, sharing what the measures have in common."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from medgauge.arrays import Doubles, Flags, Floats, Integers
from medgauge.measures import kernels
from medgauge.measures.kernels import ColumnPlaces

PairScores = Callable[[Integers, Integers], Doubles]
"""Scores the pairs (left[k], right[k]) of terms."""

Precision = Any  # np.float32 or np.float64; numpy types an array by one of them only

_BLOCK_ROWS = 1024
_DECIMALS = 12
_SIGN_BYTES = 1 << 29  # 768 dimensions: 14,000 rows
_CACHED_TERMS = 128
_PAIRS = 1 << 20  # enough for two threads to be worth waking
_MANY_TIED = 0.1  # share of terms with ties above which all are prepared for them at once


@dataclass(frozen=True)
class TermVectors:
    """Terms as groups of rows: term t has the rows `members[offsets[t]:offsets[t + 1]]` of `vectors`."""

    vectors: Floats
    offsets: Integers
    members: Integers

    def __post_init__(self) -> None:
        # The kernels read the raw bytes.
        assert self.vectors.dtype == np.float32
        assert self.vectors.flags.c_contiguous

    @classmethod
    def single(cls, vectors: Floats) -> "TermVectors":
        """Return terms with one vector each."""
        count = len(vectors)
        return cls(vectors, np.arange(count + 1), np.arange(count))

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def is_single(self) -> bool:
        """Whether each term has one vector, in the order of the terms."""
        everyone = np.arange(len(self.vectors) + 1)
        return np.array_equal(self.offsets, everyone) and np.array_equal(self.members, everyone[:-1])

    def only(self, left: Integers, right: Integers) -> tuple["TermVectors", Integers, Integers]:
        """Leave out the terms and rows that these pairs do not need, and renumber the rest."""
        terms, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        if terms.size == len(self) and self.is_single:
            return self, left, right
        lengths = np.diff(self.offsets)[terms]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
        members = self.members[np.repeat(self.offsets[terms], lengths) + within]
        rows, members = np.unique(members, return_inverse=True)
        needed = TermVectors(self.vectors[rows], offsets, members)
        return needed, places[: left.size], places[left.size :]


def score(measures: Iterable[str], terms: TermVectors, left: Integers, right: Integers) -> dict[str, Doubles]:
    """Score the pairs (left[k], right[k]) of terms by each measure.

    With word vectors x₁…xₙ and y₁…yₘ:

    - `avg_*`: cosine, Pearson's r, Spearman's ρ (average ranks) or Kendall's τ-b of the two means.
    - `pair_*`: the same, averaged over all (xᵢ, yⱼ).
    - `fj`: Σ min / Σ max over the words u of both terms (a word of both counts twice) of the memberships
      max(0, maxᵢ xᵢ·u) and max(0, maxⱼ yⱼ·u).
    - `mj`: Σ min / Σ max of the elementwise maxima of {0, x₁…xₙ} and {0, y₁…yₘ}.
    - `cos`, `pearson`, `spearman`, `kendall`: of the terms' single vectors.

    Undefined, NaN: the cosine with a zero vector, a correlation with a constant one, `fj` and `mj` where no
    membership is positive.

    Averages over word pairs are one product of means: the mean of aᵢ·bⱼ is mean(aᵢ)·mean(bⱼ), with a and b
    the unit vectors that the cosine or the correlation multiplies. Scores are rounded to 12 decimals, so that
    scores that differ only by the order of a sum are tied; (a, b) and (b, a) have the same bits.

    >>> terms = TermVectors.single(np.array([[1, 0], [1, 1]], np.float32))
    >>> score(["cos"], terms, np.array([0]), np.array([1]))["cos"].round(4)
    array([0.7071])
    """
    prepared = Prepared(terms)
    return {name: pair_scores(name, prepared)(left, right) for name in measures}


@dataclass(frozen=True)
class _Ordered:
    """What Kendall's tau needs of each row: see `kernels.places_of_keys`."""

    order: ColumnPlaces
    starts: ColumnPlaces
    stops: ColumnPlaces
    untied: Doubles


@dataclass(frozen=True)
class _Ranked:
    """Rows of average ranks, doubled and around 0, and which of them have ties."""

    ranks: Floats
    has_ties: Flags


@dataclass
class Prepared:
    """What measures share, computed when first needed and once for each word or term.

    With `many` pairs for each term, more is prepared than would pay off for a few pairs.
    """

    terms: TermVectors
    many: bool = False

    @cached_property
    def means(self) -> Floats:
        """The mean of each term's rows."""
        return _means(self.terms.vectors, self.terms)

    @cached_property
    def mean_ranks(self) -> _Ranked:
        """The average ranks within each mean."""
        return _ranks(self.means)

    @cached_property
    def word_ranks(self) -> _Ranked:
        """The average ranks within each row."""
        return _ranks(self.terms.vectors)


def _means(rows: Floats, terms: TermVectors) -> Floats:
    if terms.is_single:
        return rows
    means = np.empty((len(terms), rows.shape[1]), np.float32)
    kernels.mean_rows(rows, terms.offsets, terms.members, means)
    return means


def _with_sorted_keys(rows: Floats, use: Callable[[slice, NDArray[np.uint64]], None]) -> None:
    """Sort the values of each row as keys that include their column, and pass them to `use` in blocks.

    numpy's sort of 64-bit keys is vectorised and releases the GIL, so that blocks run in threads.
    """

    def work(start: int) -> None:
        block = slice(start, min(start + _BLOCK_ROWS, len(rows)))
        keys = np.empty(rows[block].shape, np.uint64)
        kernels.pack_keys(rows[block].view(np.uint32), keys)
        keys.sort(axis=1)
        use(block, keys)

    with ThreadPoolExecutor(numba.get_num_threads()) as pool:
        list(pool.map(work, range(0, len(rows), _BLOCK_ROWS)))


def _ranks(rows: Floats) -> _Ranked:
    ranks, has_ties = np.empty_like(rows), np.empty(len(rows), np.bool_)
    _with_sorted_keys(rows, lambda block, keys: kernels.ranks_of_keys(keys, ranks[block], has_ties[block]))
    return _Ranked(ranks, has_ties)


def _ordered(rows: Floats) -> _Ordered:
    place: type[np.signedinteger[Any]] = np.int16 if rows.shape[1] < 2**15 else np.int32
    order, starts, stops = (np.empty(rows.shape, place) for _ in range(3))
    untied = np.empty(len(rows))
    _with_sorted_keys(
        rows,
        lambda block, keys: kernels.places_of_keys(
            keys, order[block], starts[block], stops[block], untied[block]
        ),
    )
    return _Ordered(order, starts, stops, untied)


def pair_scores(measure: str, prepared: Prepared) -> PairScores:
    """Return a function that scores pairs of terms, bitwise equal to `score`, for repeated use."""
    scores = _SCORERS[measure](prepared)

    def rounded(left: Integers, right: Integers) -> Doubles:
        found = scores(np.minimum(left, right), np.maximum(left, right))
        return np.round(found, _DECIMALS, out=found)

    return rounded


def score_grid(scores: PairScores, rows: Integers, columns: Integers) -> Doubles:
    """Score each term of the rows with each of the columns.

    Rows are taken in blocks that fit in a cache; each block is scored with all columns at once.

    >>> terms = TermVectors.single(np.array([[1, 0], [1, 1], [0, 1]], np.float32))
    >>> score_grid(pair_scores("cos", Prepared(terms)), np.array([0, 1]), np.array([0, 2])).round(4)
    array([[1.    , 0.    ],
           [0.7071, 0.7071]])
    """
    grid = np.empty((rows.size, columns.size))
    step = max(1, min(_CACHED_TERMS, _PAIRS // max(1, columns.size)))
    for first in range(0, rows.size, step):
        some = rows[first : first + step]
        left, right = np.tile(some, columns.size), np.repeat(columns, some.size)
        grid[first : first + step] = scores(left, right).reshape(columns.size, some.size).T
    return grid


def mean_score(measure: str, prepared: Prepared, terms: Integers) -> float | None:
    """Average the scores of all pairs of these two or more different terms at once, where that is possible.

        (|Σ uᵢ|² − n) / (n (n − 1))

    where a score is the product uᵢ·uⱼ of two terms' unit vectors; None under other measures.

    >>> terms = TermVectors.single(np.array([[1, 0], [1, 1], [0, 1]], np.float32))
    >>> round(mean_score("cos", Prepared(terms), np.arange(3)), 4)
    0.4714
    """
    name = measure.removeprefix("avg_")
    if name not in _UNIT_ROWS:
        return None
    rows, centred = _UNIT_ROWS[name](prepared)
    centers, scales = kernels.center_and_scale(rows, centred)
    total = np.zeros(rows.shape[1])
    for first in range(0, terms.size, _BLOCK_ROWS):
        some = terms[first : first + _BLOCK_ROWS]
        # Not by BLAS, whose sums depend on the number of threads.
        total += ((rows[some] - centers[some, None]) * scales[some, None]).sum(axis=0)
    return float(((total * total).sum() - terms.size) / (terms.size * (terms.size - 1)))


def _correlate(rows: Floats, centred: bool) -> PairScores:
    centers, scales = kernels.center_and_scale(rows, centred)
    return partial(kernels.dot_pairs, rows, centers, scales)


def _correlate_words(
    rows: Floats, terms: TermVectors, *, centred: bool, precision: Precision = np.float32
) -> PairScores:
    centers, scales = kernels.center_and_scale(rows, centred)
    is_single = np.diff(terms.offsets) == 1
    if is_single.all():
        places = terms.members
        return lambda left, right: kernels.dot_pairs(rows, centers, scales, places[left], places[right])
    units: kernels.Rows = np.empty(rows.shape, precision)
    kernels.unit_rows(rows, centers, scales, units)
    means: kernels.Rows = np.empty((len(terms), rows.shape[1]), precision)
    kernels.mean_rows(units, terms.offsets, terms.members, means)
    nothing, one = np.zeros(len(means)), np.ones(len(means))

    def scores(left: Integers, right: Integers) -> Doubles:
        scores = kernels.dot_pairs(means, nothing, one, left, right)
        # Two single words need no mean, and so keep the ties that single precision would break.
        single = is_single[left] & is_single[right]
        words = (terms.members[terms.offsets[side[single]]] for side in (left, right))
        scores[single] = kernels.dot_pairs(rows, centers, scales, *words)
        return scores

    return scores


def _correlate_ranks(ranked: _Ranked, terms: TermVectors) -> PairScores:
    """Correlate ranks, which without ties all have the same length: what is left are sums of whole numbers.

    Where a row has ties, its length is a square root; pairs of such terms are averaged in double precision.
    """
    ranks = ranked.ranks
    dim = ranks.shape[1]
    square = dim * (dim * dim - 1) / 3
    ties = np.concatenate([[0], np.cumsum(ranked.has_ties[terms.members])])[terms.offsets]
    has_ties = np.diff(ties) > 0
    counts = np.diff(terms.offsets).astype(np.float64)
    sums = ranks
    if not (counts == 1).all() or not np.array_equal(terms.members, np.arange(len(ranks))):
        sums = np.empty((len(terms), dim), np.float32)
        kernels.sum_rows(ranks, terms.offsets, terms.members, sums)
    groups = TermVectors(ranks, terms.offsets, terms.members)

    @cache
    def all_with_ties() -> PairScores:
        return _correlate_words(ranks, groups, centred=True, precision=np.float64)

    def with_ties(left: Integers, right: Integers) -> Doubles:
        if has_ties.mean() > _MANY_TIED:
            return all_with_ties()(left, right)
        few, *places = groups.only(left, right)
        return _correlate_words(few.vectors, few, centred=True, precision=np.float64)(*places)

    def scores(left: Integers, right: Integers) -> Doubles:
        tied = has_ties[left] | has_ties[right]
        if not tied.any():
            return kernels.dot_sums(sums, counts, square, left, right)
        if tied.all():
            return with_ties(left, right)
        scores = np.empty(left.size)
        scores[~tied] = kernels.dot_sums(sums, counts, square, left[~tied], right[~tied])
        scores[tied] = with_ties(left[tied], right[tied])
        return scores

    return scores


def _taus(rows: Floats, groups: TermVectors, *, many: bool) -> PairScores:
    ordered = _ordered(rows)
    words = kernels.sign_words(rows.shape[1])
    # If the signs would take too much memory, or pairs are few, pairs are counted column by column.
    has_signs = many and 8 * words * len(rows) <= _SIGN_BYTES
    signs = np.zeros((len(rows), words if has_signs else 0), np.uint64)
    if has_signs:
        kernels.sign_rows(rows, signs)
    return partial(
        kernels.tau_pairs,
        ordered.order,
        ordered.starts,
        ordered.stops,
        ordered.untied,
        signs,
        groups.offsets,
        groups.members,
    )


def _fuzzy_jaccard(terms: TermVectors) -> PairScores:
    # Scaling by a power of two is exact and keeps products within single precision.
    _, exponent = np.frexp(np.abs(terms.vectors).max(initial=0.0))
    groups = (np.ldexp(terms.vectors, -exponent), terms.offsets, terms.members)
    return partial(kernels.fuzzy_jaccard_pairs, *groups, kernels.self_memberships(*groups))


def _max_jaccard(terms: TermVectors) -> PairScores:
    pooled = np.empty((len(terms), terms.vectors.shape[1]), np.float32)
    kernels.max_rows(terms.vectors, terms.offsets, terms.members, pooled)
    return partial(kernels.jaccard_pairs, pooled)


_Scorer = Callable[[Prepared], PairScores]

_UNIT_ROWS: dict[str, Callable[[Prepared], tuple[Floats, bool]]] = {
    "cos": lambda p: (p.means, False),
    "pearson": lambda p: (p.means, True),
    "spearman": lambda p: (p.mean_ranks.ranks, True),
}
"""Each term's row, and whether it is centred, where a score is the product of two such unit rows."""

_OF_MEANS: dict[str, _Scorer] = {
    "cos": lambda p: _correlate(*_UNIT_ROWS["cos"](p)),
    "pearson": lambda p: _correlate(*_UNIT_ROWS["pearson"](p)),
    "spearman": lambda p: _correlate_ranks(p.mean_ranks, TermVectors.single(p.means)),
    "kendall": lambda p: _taus(p.means, TermVectors.single(p.means), many=p.many),
}
_OF_WORD_PAIRS: dict[str, _Scorer] = {
    "cos": lambda p: _correlate_words(p.terms.vectors, p.terms, centred=False),
    "pearson": lambda p: _correlate_words(p.terms.vectors, p.terms, centred=True),
    "spearman": lambda p: _correlate_ranks(p.word_ranks, p.terms),
    "kendall": lambda p: _taus(p.terms.vectors, p.terms, many=p.many),
}
_SCORERS: dict[str, _Scorer] = {
    **{f"avg_{name}": scorer for name, scorer in _OF_MEANS.items()},
    **{f"pair_{name}": scorer for name, scorer in _OF_WORD_PAIRS.items()},
    "fj": lambda p: _fuzzy_jaccard(p.terms),
    "mj": lambda p: _max_jaccard(p.terms),
    # A term with one vector is its own mean.
    **_OF_MEANS,
}
