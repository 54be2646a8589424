"""Compiled kernels over rows of vectors and pairs of rows: float32 in, float64 scores out.

Every row is prepared once (mean, length, ranks); a pair then costs one pass over two prepared rows. NaN is
undefined. Each result depends only on its own rows, so the number of threads does not change it.
Large results are allocated by the caller: numpy asks for huge pages, numba does not.
"""

from typing import Any

import numpy as np
from numba import njit, prange, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from medgauge.arrays import Doubles, Flags, Floats, Integers

ColumnPlaces = NDArray[np.int16] | NDArray[np.int32]
Rows = Floats | Doubles
"""Rows in single or double precision; each is compiled when it is first used."""

_BLOCK = 256  # rows that share one scratch buffer
# Sums may be reordered so that they run in vector registers; NaN keeps its meaning.
_REORDER = {"reassoc", "contract", "nsz"}


@intrinsic
def _popcount(_typing: Any, _word: Any) -> Any:
    """Count the set bits of a 64-bit word in one instruction."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@njit(cache=True, parallel=True)
def mean_rows(vectors: Rows, offsets: Integers, members: Integers, means: Rows) -> None:
    """Average the member vectors of each group, in double precision, so that their order does not matter."""
    groups, dim = means.shape
    for block in prange((groups + _BLOCK - 1) // _BLOCK):
        total = np.empty(dim, np.float64)
        for group in range(block * _BLOCK, min(groups, (block + 1) * _BLOCK)):
            first, last = offsets[group], offsets[group + 1]
            total[:] = 0.0
            for place in range(first, last):
                vector = vectors[members[place]]
                for k in range(dim):
                    total[k] += vector[k]
            for k in range(dim):
                means[group, k] = total[k] / (last - first) if last > first else np.nan


@njit(cache=True, parallel=True)
def max_rows(vectors: Floats, offsets: Integers, members: Integers, pooled: Floats) -> None:
    """Take the elementwise maximum of each group's vectors and of 0."""
    for group in prange(pooled.shape[0]):
        row = pooled[group]
        row[:] = 0.0
        for place in range(offsets[group], offsets[group + 1]):
            vector = vectors[members[place]]
            for k in range(row.size):
                row[k] = max(row[k], vector[k])


@njit(cache=True, parallel=True, fastmath=_REORDER)
def center_and_scale(rows: Floats, centred: bool) -> tuple[Doubles, Doubles]:
    """Return each row's mean (0 if not centred) and 1 / its length around it; NaN where that is 0."""
    count, dim = rows.shape
    centers, scales = np.zeros(count), np.empty(count)
    for i in prange(count):
        center, square = 0.0, 0.0
        if centred:
            for k in range(dim):
                center += np.float64(rows[i, k])
            center /= dim
        for k in range(dim):
            deviation = rows[i, k] - center
            square += deviation * deviation
        centers[i] = center
        scales[i] = 1.0 / np.sqrt(square) if square > 0.0 else np.nan
    return centers, scales


@njit(cache=True, parallel=True)
def unit_rows(rows: Floats, centers: Doubles, scales: Doubles, units: Rows) -> None:
    """Shift each row by its center and scale it to length 1."""
    for i in prange(rows.shape[0]):
        for k in range(rows.shape[1]):
            units[i, k] = (rows[i, k] - centers[i]) * scales[i]


@njit(cache=True, parallel=True, fastmath=_REORDER)
def dot_pairs(rows: Rows, centers: Doubles, scales: Doubles, left: Integers, right: Integers) -> Doubles:
    """Multiply the two shifted and scaled rows of each pair; a correlation, so within [-1, 1]."""
    scores = np.empty(left.size)
    for pair in prange(left.size):
        i, j = left[pair], right[pair]
        x, y = rows[i], rows[j]
        total = 0.0
        for k in range(x.size):
            total += (x[k] - centers[i]) * (y[k] - centers[j])
        score = total * (scales[i] * scales[j])
        scores[pair] = score if np.isnan(score) else min(1.0, max(-1.0, score))
    return scores


@njit(cache=True, parallel=True)
def sum_rows(rows: Floats, offsets: Integers, members: Integers, sums: Floats) -> None:
    """Add up the member rows of each group; of whole numbers, so exactly while sums are below 2²⁴."""
    for group in prange(sums.shape[0]):
        total = sums[group]
        total[:] = 0.0
        for place in range(offsets[group], offsets[group + 1]):
            row = rows[members[place]]
            for k in range(total.size):
                total[k] += row[k]


@njit(cache=True, parallel=True, fastmath=_REORDER)
def dot_sums(sums: Floats, counts: Doubles, square: float, left: Integers, right: Integers) -> Doubles:
    """Divide the product of two sums of rows by the product of their counts and each row's square length.

    Of whole numbers, both products are exact, and so the scores of two pairs are equal if they should be.
    """
    scores = np.empty(left.size)
    for pair in prange(left.size):
        i, j = left[pair], right[pair]
        x, y = sums[i], sums[j]
        total = 0.0
        for k in range(x.size):
            total += np.float64(x[k]) * np.float64(y[k])
        length = counts[i] * counts[j] * square
        scores[pair] = total / length if length > 0.0 else np.nan
    return scores


@njit(cache=True, nogil=True)
def pack_keys(bits: NDArray[np.uint32], keys: NDArray[np.uint64]) -> None:
    """Make 64-bit integers that sort as the floats do, with the column in their low half."""
    for i in range(bits.shape[0]):
        for k in range(bits.shape[1]):
            pattern = bits[i, k]
            if pattern == np.uint32(0x80000000):  # -0.0 equals 0.0
                pattern = np.uint32(0)
            negative = pattern >> np.uint32(31)
            flip = np.uint32(0xFFFFFFFF) if negative else np.uint32(0x80000000)
            keys[i, k] = (np.uint64(pattern ^ flip) << np.uint64(32)) | np.uint64(k)


@njit(cache=True, inline="always")
def _end_of_ties(keys: NDArray[np.uint64], row: int, start: int) -> int:
    """Return the place after the last key with the same value as the key at `start`."""
    stop = start + 1
    while stop < keys.shape[1] and keys[row, stop] >> 32 == keys[row, start] >> 32:
        stop += 1
    return stop


@njit(cache=True, nogil=True)
def ranks_of_keys(keys: NDArray[np.uint64], ranks: Floats, has_ties: Flags) -> None:
    """Compute average ranks from sorted keys, doubled and around 0: whole numbers that add up to 0."""
    count, dim = keys.shape
    for i in range(count):
        start = 0
        has_ties[i] = False
        while start < dim:
            stop = _end_of_ties(keys, i, start)
            for place in range(start, stop):
                ranks[i, np.int64(keys[i, place] & 0xFFFFFFFF)] = start + stop - dim
            has_ties[i] |= stop > start + 1
            start = stop


@njit(cache=True, nogil=True)
def places_of_keys(
    keys: NDArray[np.uint64], order: ColumnPlaces, starts: ColumnPlaces, stops: ColumnPlaces, untied: Doubles
) -> None:
    """Compute from sorted keys what tau needs of each row.

    `order` lists the columns by value; `starts` and `stops` bound, for each column, the places that its
    value takes in that order; `untied` counts the pairs of columns whose values differ.
    """
    count, dim = keys.shape
    for i in range(count):
        ties = 0
        start = 0
        while start < dim:
            stop = _end_of_ties(keys, i, start)
            for place in range(start, stop):
                column = np.int64(keys[i, place] & 0xFFFFFFFF)
                order[i, place] = column
                starts[i, column] = start
                stops[i, column] = stop
            ties += (stop - start) * (stop - start - 1) // 2
            start = stop
        untied[i] = dim * (dim - 1) // 2 - ties


@njit(cache=True, inline="always")
def _met_below(place: int, met: NDArray[np.uint64], before: Integers) -> int:
    """Count the places below `place` that were met."""
    word = place >> 6
    below = (np.uint64(1) << (np.uint64(place) & np.uint64(63))) - np.uint64(1)
    return before[word] + np.int64(_popcount(met[word] & below))


@njit(cache=True, inline="always")
def _meet(place: int, met: NDArray[np.uint64], before: Integers) -> None:
    word = place >> 6
    met[word] |= np.uint64(1) << (np.uint64(place) & np.uint64(63))
    # All words, without a branch: a loop over only the later ones is mispredicted each time.
    for later in range(before.size):
        before[later] += np.int64(later > word)


@njit(cache=True)
def _balance_untied(
    order: ColumnPlaces, y_places: ColumnPlaces, met: NDArray[np.uint64], before: Integers
) -> int:
    """Count concordant minus discordant pairs of columns where no value is tied.

    Columns are met by increasing x. `met` has a bit for each place in y's order that was met, and
    `before[w]` counts the bits in the words before w, so that "how many smaller y were met" (concordant)
    is one addition and one population count; the others met are discordant.
    """
    met[:] = 0
    before[:] = 0
    concordant = 0
    for column in order:
        place = np.int64(y_places[column])
        concordant += _met_below(place, met, before)
        _meet(place, met, before)
    return 2 * concordant - order.size * (order.size - 1) // 2


@njit(cache=True)
def _balance_tied(
    order: ColumnPlaces,
    x_stops: ColumnPlaces,
    y_starts: ColumnPlaces,
    y_stops: ColumnPlaces,
    met: NDArray[np.uint64],
    before: Integers,
) -> int:
    """Count concordant minus discordant pairs of columns; columns tied in x are met together."""
    met[:] = 0
    before[:] = 0
    balance = 0
    first = 0
    while first < order.size:
        last = x_stops[order[first]]
        for column in order[first:last]:
            smaller = _met_below(np.int64(y_starts[column]), met, before)
            not_larger = _met_below(np.int64(y_stops[column]), met, before)
            balance += smaller - (first - not_larger)
        for column in order[first:last]:
            start, stop = np.int64(y_starts[column]), np.int64(y_stops[column])
            taken = _met_below(stop, met, before) - _met_below(start, met, before)
            _meet(start + taken, met, before)
        first = last
    return balance


def sign_words(dim: int) -> int:
    """Return the number of 64-bit words that hold a bit for each pair of columns."""
    return (dim * (dim - 1) // 2 + 63) >> 6


@njit(cache=True, parallel=True)
def sign_rows(rows: Floats, signs: NDArray[np.uint64]) -> None:
    """Set a bit for each pair of columns whose later one is larger."""
    for i in prange(rows.shape[0]):
        row = rows[i]
        pair = 0
        for k in range(1, row.size):
            for earlier in range(k):
                signs[i, pair >> 6] |= np.uint64(row[k] > row[earlier]) << np.uint64(pair & 63)
                pair += 1


@njit(cache=True, inline="always")
def _opposed(x_signs: NDArray[np.uint64], y_signs: NDArray[np.uint64]) -> int:
    """Count the pairs of columns that the two rows order differently."""
    count = 0
    for word in range(x_signs.size):
        count += np.int64(_popcount(x_signs[word] ^ y_signs[word]))
    return count


@njit(cache=True, parallel=True)
def tau_pairs(
    order: ColumnPlaces,
    starts: ColumnPlaces,
    stops: ColumnPlaces,
    untied: Doubles,
    signs: NDArray[np.uint64],
    offsets: Integers,
    members: Integers,
    left: Integers,
    right: Integers,
) -> Doubles:
    """Average Kendall's tau-b over all member pairs of the two groups of each pair.

    `signs` has the bits of `sign_rows`, with which rows without ties are compared at once, or no columns.
    """
    dim = order.shape[1]
    complete = dim * (dim - 1) // 2
    scores = np.empty(left.size)
    for block in prange((left.size + _BLOCK - 1) // _BLOCK):
        met = np.empty((dim >> 6) + 1, np.uint64)
        before = np.empty((dim >> 6) + 1, np.int64)
        for pair in range(block * _BLOCK, min(left.size, (block + 1) * _BLOCK)):
            total, count = 0.0, 0
            for a in range(offsets[left[pair]], offsets[left[pair] + 1]):
                for b in range(offsets[right[pair]], offsets[right[pair] + 1]):
                    i, j = members[a], members[b]
                    comparable = np.sqrt(untied[i]) * np.sqrt(untied[j])
                    if untied[i] < complete or untied[j] < complete:
                        balance = _balance_tied(order[i], stops[i], starts[j], stops[j], met, before)
                    elif signs.shape[1]:
                        balance = complete - 2 * _opposed(signs[i], signs[j])
                    else:
                        balance = _balance_untied(order[i], starts[j], met, before)
                    tau = balance / comparable if comparable > 0.0 else np.nan
                    total += tau if np.isnan(tau) else min(1.0, max(-1.0, tau))
                    count += 1
            scores[pair] = total / count if count else np.nan
    return scores


@njit(cache=True, inline="always", fastmath=_REORDER)
def _dot(x: Floats, y: Floats) -> np.float32:
    total = np.float32(0.0)
    for k in range(x.size):
        total += x[k] * y[k]
    return total


@njit(cache=True, parallel=True, fastmath=_REORDER)
def self_memberships(vectors: Floats, offsets: Integers, members: Integers) -> Floats:
    """Compute the fuzzy membership of each group in each of its own words: max(0, maxᵢ xᵢ·u)."""
    memberships = np.zeros(members.size, np.float32)
    for group in prange(offsets.size - 1):
        first, last = offsets[group], offsets[group + 1]
        for a in range(first, last):
            for b in range(a, last):
                product = _dot(vectors[members[a]], vectors[members[b]])
                memberships[a] = max(memberships[a], product)
                memberships[b] = max(memberships[b], product)
    return memberships


@njit(cache=True, parallel=True, fastmath=_REORDER)
def fuzzy_jaccard_pairs(
    vectors: Floats,
    offsets: Integers,
    members: Integers,
    memberships: Floats,
    left: Integers,
    right: Integers,
) -> Doubles:
    """Compute Σ min / Σ max of the two groups' memberships in the words of both."""
    scores = np.empty(left.size)
    longest = 0
    for group in range(offsets.size - 1):
        longest = max(longest, offsets[group + 1] - offsets[group])
    for block in prange((left.size + _BLOCK - 1) // _BLOCK):
        columns = np.empty(longest, np.float32)
        for pair in range(block * _BLOCK, min(left.size, (block + 1) * _BLOCK)):
            first, last = offsets[left[pair]], offsets[left[pair] + 1]
            other, end = offsets[right[pair]], offsets[right[pair] + 1]
            columns[:] = 0.0
            smaller, larger = 0.0, 0.0
            for a in range(first, last):
                row = np.float32(0.0)
                for b in range(other, end):
                    product = _dot(vectors[members[a]], vectors[members[b]])
                    row = max(row, product)
                    columns[b - other] = max(columns[b - other], product)
                smaller += min(row, memberships[a])
                larger += max(row, memberships[a])
            for b in range(other, end):
                smaller += min(columns[b - other], memberships[b])
                larger += max(columns[b - other], memberships[b])
            scores[pair] = smaller / larger if larger > 0.0 else np.nan
    return scores


@njit(cache=True, parallel=True, fastmath=_REORDER)
def jaccard_pairs(rows: Floats, left: Integers, right: Integers) -> Doubles:
    """Compute Σ min / Σ max of the two rows of each pair."""
    scores = np.empty(left.size)
    for pair in prange(left.size):
        x, y = rows[left[pair]], rows[right[pair]]
        smaller, larger = 0.0, 0.0
        for k in range(x.size):
            smaller += np.float64(min(x[k], y[k]))
            larger += np.float64(max(x[k], y[k]))
        scores[pair] = smaller / larger if larger > 0.0 else np.nan
    return scores
