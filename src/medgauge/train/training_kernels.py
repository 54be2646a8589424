"""Compiled training with negative sampling, of which many threads may run a piece of the corpus each.

Threads share the arrays without locks (Niu et al. 2011, "Hogwild!", NeurIPS): an update may overwrite another
one, which is rare among many words. One thread has the same result whenever it has the same seed.

All follow word2vec (Mikolov et al. 2013, arXiv 1310.4546). For an input h, the output row u of the word that
is to be predicted and those of `negative` other words v, drawn by their counts to the power of 3/4, the loss

    −log σ(u·h) − Σ log σ(−v·h),        σ(x) = 1 / (1 + exp(−x))

goes down its gradient, one output row at a time: each of them and h change by rate × (label − σ) × the other.
As in word2vec, a drawn word that is the one to be predicted is skipped, and h changes last.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from medgauge.arrays import Doubles, Floats, Places, Words

Blocks = NDArray[np.float32]
"""Output rows as words × positions × dimensions."""
Thresholds = NDArray[np.uint32]

SENTENCE_END = -1
"""What follows the words of each sentence in a piece of a corpus."""

# Sums may be reordered so that they run in vector registers.
_REORDER = {"reassoc", "contract", "nsz"}
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_LINE = 16  # numbers in a line of the cache, 64 bytes


@njit(cache=True, nogil=True)
def alias_table(weights: Doubles) -> Words:
    """Return a table from which words are drawn in proportion to weights, in constant time (Walker 1977).

    Each entry has a threshold in its high half, and in its low half the word that is drawn above it.
    """
    count = weights.size
    scaled = weights * (count / weights.sum())
    small, large = np.empty(count, np.int64), np.empty(count, np.int64)
    smalls, larges = 0, 0
    for word in range(count):
        if scaled[word] < 1.0:
            small[smalls] = word
            smalls += 1
        else:
            large[larges] = word
            larges += 1
    table = np.empty(count, np.uint64)
    while smalls and larges:
        smalls -= 1
        lesser, greater = small[smalls], large[larges - 1]
        threshold = np.uint64(min(scaled[lesser] * 4294967296.0, 4294967295.0))
        table[lesser] = (threshold << _HALF) | np.uint64(greater)
        scaled[greater] -= 1.0 - scaled[lesser]
        if scaled[greater] < 1.0:
            larges -= 1
            small[smalls] = greater
            smalls += 1
    for place in range(smalls):  # what rounding has left: each is drawn as itself
        table[small[place]] = (_LOW << _HALF) | np.uint64(small[place])
    for place in range(larges):
        table[large[place]] = (_LOW << _HALF) | np.uint64(large[place])
    return table


@intrinsic
def _fetch_line(_typing: Any, row: Any, place: Any) -> Any:
    """Ask the processor for the line of the cache in which a place of a row is, to write to it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind, place_kind = signature.args
        array = context.make_array(kind)(context, builder, arguments[0])
        index = context.cast(builder, arguments[1], place_kind, types.intp)
        pointer = cgutils.get_item_pointer(  # type: ignore[no-untyped-call]
            context, builder, kind, array, [index]
        )
        number = ir.IntType(32)
        form = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        prefetch = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
            builder.module, form, "llvm.prefetch.p0i8"
        )
        # To write, into all levels of the cache, as data.
        builder.call(prefetch, [builder.bitcast(pointer, cgutils.voidptr_t), number(1), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(row, place), generate


@njit(cache=True, nogil=True)
def _fetch_ahead(row: Floats) -> None:
    """Ask for a row before it is needed, since that of a drawn word is in no cache."""
    for place in range(0, row.size, _LINE):
        _fetch_line(row, place)


@njit(cache=True, inline="always")
def _drawn(state: Words) -> np.uint64:
    """Draw 64 bits: SplitMix64 (Steele, Lea and Flood 2014)."""
    state[0] += _GOLDEN
    word = state[0]
    word = (word ^ (word >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))


@njit(cache=True, nogil=True)
def _kept_words(ids: Places, start: int, keep: Thresholds, state: Words, kept: Places) -> tuple[int, int]:
    """Collect the words of a sentence that subsampling keeps; return their number and where it ends."""
    count = 0
    place = start
    while place < ids.size and ids[place] != -1:
        word = ids[place]
        if (_drawn(state) >> _HALF) <= np.uint64(keep[word]):
            kept[count] = word
            count += 1
        place += 1
    return count, place + 1


@njit(cache=True, nogil=True)
def _window_of(kept: Places, count: int, place: int, window: int, columns: Places, words: Places) -> int:
    """Collect the words around a place of a sentence, and the column of each; return their number."""
    size = 0
    for other in range(max(0, place - window), min(count, place + window + 1)):
        if other != place:
            columns[size] = other - place + window - (other > place)
            words[size] = kept[other]
            size += 1
    return size


@njit(cache=True, nogil=True)
def _draw_targets(
    word: int, targets: Places, outputs: Blocks, column: int, table: Words, state: Words
) -> None:
    """Put a word to predict and those that are drawn against it into `targets`, and fetch their rows."""
    size = np.uint64(table.size)
    targets[0] = word
    for draw in range(1, targets.size):
        bits = _drawn(state)
        place = ((bits >> _HALF) * size) >> _HALF
        entry = table[place]
        targets[draw] = np.int64(place) if (bits & _LOW) <= (entry >> _HALF) else np.int64(entry & _LOW)
    for draw in range(targets.size):
        _fetch_ahead(outputs[targets[draw], column])


@njit(cache=True, nogil=True, fastmath=_REORDER)
def _learn_targets(
    targets: Places, hidden: Floats, errors: Floats, outputs: Blocks, column: int, rate: np.float32
) -> None:
    """Predict a word from an input: change the output rows, and put into `errors` what the input gets."""
    one = np.float32(1.0)
    for k in range(errors.size):
        errors[k] = np.float32(0.0)
    for draw in range(targets.size):
        target = targets[draw]
        label = one
        if draw > 0:
            label = np.float32(0.0)
            if target == targets[0]:
                continue
        row = outputs[target, column]
        product = np.float32(0.0)
        for k in range(row.size):
            product += hidden[k] * row[k]
        step = (label - one / (one + np.exp(-product))) * rate
        for k in range(row.size):
            value = row[k]
            errors[k] += step * value
            row[k] = value + step * hidden[k]


@njit(cache=True, nogil=True, fastmath=_REORDER)
def learn_structured(
    ids: Places,
    keep: Thresholds,
    table: Words,
    inputs: Floats,
    outputs: Blocks,
    window: int,
    negative: int,
    rate: np.float32,
    seed: np.uint64,
) -> None:
    """Train structured skip-gram on a piece of a corpus (Ling et al. 2015a, NAACL, doi 10.3115/v1/N15-1142).

    Skip-gram with an output row of each word for each position relative to it. As in its authors' program,
    the window is always the full one, and the word at a position predicts the one in the middle.
    """
    state = np.empty(1, np.uint64)
    state[0] = seed
    kept = np.empty(ids.size, np.int32)
    errors = np.empty(inputs.shape[1], np.float32)
    columns, words = np.empty(2 * window, np.int32), np.empty(2 * window, np.int32)
    targets, next_targets = np.empty(negative + 1, np.int32), np.empty(negative + 1, np.int32)
    start = 0
    while start < ids.size:
        count, start = _kept_words(ids, start, keep, state, kept)
        for place in range(count):
            size = _window_of(kept, count, place, window, columns, words)
            if size > 0:
                _draw_targets(kept[place], next_targets, outputs, columns[0], table, state)
            for i in range(size):
                targets, next_targets = next_targets, targets
                if i + 1 < size:
                    _draw_targets(kept[place], next_targets, outputs, columns[i + 1], table, state)
                row = inputs[words[i]]
                _learn_targets(targets, row, errors, outputs, columns[i], rate)
                for k in range(row.size):
                    row[k] += errors[k]


@njit(cache=True, nogil=True, fastmath=_REORDER)
def learn_attention(
    ids: Places,
    keep: Thresholds,
    table: Words,
    inputs: Floats,
    outputs: Blocks,
    weights: Floats,
    biases: Floats,
    window: int,
    negative: int,
    rate: np.float32,
    seed: np.uint64,
) -> None:
    """Train CBOW with attention on a piece of a corpus (Ling et al. 2015b, EMNLP, doi 10.18653/v1/D15-1161).

    A word is predicted from h = Σ aᵢ wᵢ over the words in the full window, where a is the softmax of
    weights[wᵢ, i] + biases[i] over the positions i that the sentence has. With e what is added to h, the
    changes of the rest are aᵢ e for wᵢ, and aᵢ (wᵢ·e − h·e) for its weight and for the bias.
    """
    state = np.empty(1, np.uint64)
    state[0] = seed
    kept = np.empty(ids.size, np.int32)
    targets = np.empty(negative + 1, np.int32)
    hidden = np.empty(inputs.shape[1], np.float32)
    errors = np.empty(inputs.shape[1], np.float32)
    columns, words = np.empty(2 * window, np.int32), np.empty(2 * window, np.int32)
    shares, products = np.empty(2 * window, np.float32), np.empty(2 * window, np.float32)
    start = 0
    while start < ids.size:
        count, start = _kept_words(ids, start, keep, state, kept)
        for place in range(count):
            size = _window_of(kept, count, place, window, columns, words)
            if size == 0:
                continue
            _draw_targets(kept[place], targets, outputs, 0, table, state)
            highest = np.float32(-np.inf)
            for i in range(size):
                shares[i] = weights[words[i], columns[i]] + biases[columns[i]]
                highest = max(highest, shares[i])
            total = np.float32(0.0)
            for i in range(size):
                shares[i] = np.exp(shares[i] - highest)
                total += shares[i]
            for k in range(hidden.size):
                hidden[k] = np.float32(0.0)
            for i in range(size):
                shares[i] /= total
                share, row = shares[i], inputs[words[i]]
                for k in range(row.size):
                    hidden[k] += share * row[k]
            _learn_targets(targets, hidden, errors, outputs, 0, rate)
            mean = np.float32(0.0)
            for i in range(size):  # before any row changes, since a word may be there twice
                row = inputs[words[i]]
                product = np.float32(0.0)
                for k in range(row.size):
                    product += row[k] * errors[k]
                products[i] = product
                mean += shares[i] * product
            for i in range(size):
                share, row = shares[i], inputs[words[i]]
                step = share * (products[i] - mean)
                weights[words[i], columns[i]] += step
                biases[columns[i]] += step
                for k in range(row.size):
                    row[k] += share * errors[k]


@njit(cache=True, nogil=True, fastmath=_REORDER)
def learn_pairs(
    pairs: Places,
    keep: Thresholds,
    table: Words,
    inputs: Floats,
    outputs: Blocks,
    negative: int,
    rate: np.float32,
    seed: np.uint64,
) -> None:
    """Train skip-gram on pairs of a word and its context, one after the other in `pairs`.

    As in word2vecf (Levy and Goldberg 2014), the word predicts the context, and subsampling goes by the word.
    """
    state = np.empty(1, np.uint64)
    state[0] = seed
    errors = np.empty(inputs.shape[1], np.float32)
    targets, next_targets = np.empty(negative + 1, np.int32), np.empty(negative + 1, np.int32)
    place = _kept_pair(pairs, 0, keep, state)
    if place < pairs.size:
        _draw_targets(pairs[place + 1], next_targets, outputs, 0, table, state)
    while place < pairs.size:
        targets, next_targets = next_targets, targets
        following = _kept_pair(pairs, place + 2, keep, state)
        if following < pairs.size:
            _fetch_ahead(inputs[pairs[following]])
            _draw_targets(pairs[following + 1], next_targets, outputs, 0, table, state)
        row = inputs[pairs[place]]
        _learn_targets(targets, row, errors, outputs, 0, rate)
        for k in range(row.size):
            row[k] += errors[k]
        place = following


@njit(cache=True, nogil=True)
def _kept_pair(pairs: Places, place: int, keep: Thresholds, state: Words) -> int:
    """Return where the next pair is whose word subsampling keeps, or the size."""
    while place < pairs.size and (_drawn(state) >> _HALF) > np.uint64(keep[pairs[place]]):
        place += 2
    return place
