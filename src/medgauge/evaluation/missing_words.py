"""Words by their places in terms: which ones have no vector, or one made of subwords.

A run stores the places only, never the words; with the set at hand they become words again.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from medgauge.files.file_names import clean_name
from medgauge.models.base import ModelCard
from medgauge.models.terms import words_of
from medgauge.pairs import Pairs

SidePlaces = tuple[Sequence[Sequence[int]], Sequence[Sequence[int]]]
"""The places of words, from 0, in the first and in the second term of each pair."""

_LONGEST = 40  # characters of a word in a sentence


def words_at(pairs: Pairs, places: SidePlaces, card: ModelCard) -> list[list[str]]:
    """Return for each pair the words at these places of its terms, as a model splits them, each word once.

    >>> from medgauge.pairs import Card
    >>> pairs = Pairs.of([("heart attack", "angina"), ("flu", "gout")], card=Card(name="x", title="X"))
    >>> words_at(pairs, ([(1,), ()], [(), (0,)]), ModelCard(name="x", family="words"))
    [['attack'], ['gout']]
    """
    found: list[dict[str, None]] = [{} for _ in range(len(pairs))]
    for side, of_pairs in zip(("term_1", "term_2"), places, strict=True):
        for words, term, chosen in zip(found, pairs.frame[side], of_pairs, strict=True):
            if len(chosen):  # most pairs have none, and splitting terms is slow
                own = words_of(term, card)
                words |= dict.fromkeys(own[place] for place in chosen)
    return list(map(list, found))


def most_often(words: Iterable[Iterable[str]]) -> dict[str, int]:
    """Count the pairs that have each word, most pairs first; of those with as many, the first found.

    >>> most_often([["attack"], ["gout"], ["gout", "flu"]])
    {'gout': 2, 'attack': 1, 'flu': 1}
    """
    return dict(Counter(word for some in words for word in some).most_common())


def named(words: Sequence[str], *, most: int = 5) -> str:
    """Name the first words in quotes, and the number of the rest.

    >>> named(["gout", "flu", "angina"], most=2)
    "'gout', 'flu' and 1 more"
    """
    quoted = [
        f"'{word if len(word) <= _LONGEST else word[: _LONGEST - 1] + '…'}'"
        for word in map(clean_name, words[:most])
    ]
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return f"{', '.join(quoted)}{more}"
