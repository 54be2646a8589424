"""Drawing the quarters of a set: pairs that are linked or that nothing links, of one domain.

Reference: Chiu et al. (2018). Bio-SimVerb and Bio-SimLex. BMC Bioinformatics 19:33, "Constructing
concept pairs".
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import isqrt

import numpy as np
import polars as pl

from medgauge.build.draws import Draws
from medgauge.build.words.choice.word_domains import Domain
from medgauge.build.words.pairing.word_links import WordLinks
from medgauge.build.words.pairing.word_vocabulary import BINS, WordVocabulary

WordPair = tuple[int, int]
"""The numbers of two words, the lower first."""


def draw_linked(
    linked: pl.DataFrame,
    vocabulary: WordVocabulary,
    count: int,
    *,
    per_word: int,
    balanced: bool,
    seed: Sequence[int],
) -> list[WordPair]:
    """Draw pairs of `linked` (`first` and `second`), at random, no word more than `per_word` times.

    `balanced` draws in turn from the pairs whose words are both in the low, both in the medium and both in
    the high bin, and where one has no more, from the others. There may be fewer than `count`.
    """
    listed: list[WordPair] = [*linked.select("first", "second").iter_rows()]
    if not balanced:
        groups = [listed]
    else:
        bins = vocabulary.frame["bin"].to_list()
        groups = [[pair for pair in listed if bins[pair[0]] == bins[pair[1]] == one] for one in BINS]
    streams = [_shuffled(group, Draws([*seed, number])) for number, group in enumerate(groups, 1)]
    return take_in_turn(streams, count, per_word=per_word)


def draw_unlinked(
    links: WordLinks,
    vocabulary: WordVocabulary,
    domain: Domain,
    count: int,
    *,
    per_word: int,
    balanced: bool,
    seed: Sequence[int],
) -> list[WordPair]:
    """Draw pairs of words of a domain that no resource links, at random, no word more than `per_word` times.

    `balanced` draws in turn from pairs of words of the low, of the medium and of the high bin.
    """
    own = np.flatnonzero(vocabulary.of_domain(domain)).tolist()
    bins = vocabulary.frame["bin"].to_list()
    groups = [[word for word in own if bins[word] == one] for one in BINS] if balanced else [own]
    streams = [
        _unlinked(group, links.codes, links.words, Draws([*seed, number]))
        for number, group in enumerate(groups, 1)
    ]
    return take_in_turn(streams, count, per_word=per_word)


def take_in_turn(streams: Sequence[Iterator[WordPair]], count: int, *, per_word: int) -> list[WordPair]:
    """Return the first pairs of several streams, one from each in turn, with no word too often.

    >>> take_in_turn([iter([(0, 1), (0, 2), (3, 4)]), iter([(5, 6)])], 9, per_word=1)
    [(0, 1), (5, 6), (3, 4)]
    """
    taken: list[WordPair] = []
    times: Counter[int] = Counter()
    waiting = list(streams)
    while waiting and len(taken) < count:
        still = []
        for stream in waiting:
            pair = next((one for one in stream if all(times[word] < per_word for word in one)), None)
            if pair is None or len(taken) == count:
                continue
            taken.append(pair)
            times.update(pair)
            still.append(stream)
        waiting = still
    return taken


def _shuffled(pairs: Sequence[WordPair], draws: Draws) -> Iterator[WordPair]:
    """Yield pairs in random order."""
    return (pairs[place] for place in draws.shuffled(len(pairs)))


def _unlinked(words: Sequence[int], linked: Collection[int], every: int, draws: Draws) -> Iterator[WordPair]:
    """Yield all pairs of some words that are not linked, in random order."""
    for number in draws.shuffled(len(words) * (len(words) - 1) // 2):
        lower, upper = numbered_pair(number)
        first, second = words[lower], words[upper]
        if first * every + second not in linked:
            yield first, second


def numbered_pair(number: int) -> WordPair:
    """Return the pair with a number, where (0, 1), (0, 2), (1, 2), (0, 3), … are numbered from 0.

    >>> [numbered_pair(number) for number in range(4)]
    [(0, 1), (0, 2), (1, 2), (0, 3)]
    """
    upper = (1 + isqrt(1 + 8 * number)) // 2
    return number - upper * (upper - 1) // 2, upper
