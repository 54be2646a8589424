"""Baselines that see only the spelling: what every embedding has to beat, under the same protocol."""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein
from scipy import sparse

from medgauge.arrays import Doubles
from medgauge.models.base import ModelCard
from medgauge.models.tokens import tokenize
from medgauge.pairs import Pairs


def _card(name: str, **parameters: object) -> ModelCard:
    return ModelCard(
        name=name,
        family="pairs",
        format="lexical baseline",
        digest=hashlib.sha256(json.dumps([name, parameters]).encode()).hexdigest(),
        trained_on="nothing",
        licence="Apache-2.0",
        parameters=parameters,
    )


def lowered_terms(pairs: Pairs) -> tuple[list[str], list[str]]:
    """Return the terms in lower case with accents composed, so that each spelling has one form."""
    first, second = (
        pairs.frame[name].str.normalize("NFC").str.to_lowercase().to_list() for name in ("term_1", "term_2")
    )
    return first, second


@dataclass(frozen=True)
class LevenshteinScorer:
    """−(Levenshtein distance / length of the longer term), in lower case."""

    card: ModelCard = field(default_factory=lambda: _card("levenshtein"))

    def score(self, pairs: Pairs) -> Doubles:
        """Score the pairs: 0 for equal terms, −1 for terms that share nothing."""
        first, second = lowered_terms(pairs)
        distances = process.cpdist(
            first, second, scorer=Levenshtein.normalized_distance, dtype=np.float64, workers=-1
        )
        return -distances + 0.0  # no -0.0


@dataclass(frozen=True)
class TokenJaccardScorer:
    """|A ∩ B| / |A ∪ B| of the terms' sets of words, in lower case; a term without words counts as a word."""

    card: ModelCard = field(default_factory=lambda: _card("token-jaccard"))

    def score(self, pairs: Pairs) -> Doubles:
        """Score the pairs."""
        lowered = {term: term.lower() for term in pairs.terms}
        words = {term: frozenset(tokenize(low) or [low]) for term, low in lowered.items()}
        terms = pairs.frame.select("term_1", "term_2").iter_rows()
        return np.array([len(words[a] & words[b]) / len(words[a] | words[b]) for a, b in terms], np.float64)


@dataclass(frozen=True)
class CharTfidfScorer:
    """Cosine of character n-gram TF-IDF vectors (n = 2 to 4, within words), idf from the set's own terms.

    As in scikit-learn's TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4)): words are padded with a
    space, idf(g) = ln((1 + N) / (1 + df(g))) + 1 over the N different lower-cased terms.
    """

    card: ModelCard = field(default_factory=lambda: _card("char-tfidf", shortest=2, longest=4))

    def score(self, pairs: Pairs) -> Doubles:
        """Score the pairs; NaN for a term that is all white space."""
        first, second = lowered_terms(pairs)
        terms = list(dict.fromkeys(first + second))
        rows = {term: row for row, term in enumerate(terms)}
        vectors = self._vectors(terms)
        left, right = [rows[term] for term in first], [rows[term] for term in second]
        products: Doubles = np.asarray(vectors[left].multiply(vectors[right]).sum(axis=1), np.float64).ravel()
        empty = np.diff(vectors.indptr) == 0
        # Rounded, so that the order of summation does not break ties.
        return np.where(empty[left] | empty[right], np.nan, products.round(12))

    def _vectors(self, terms: list[str]) -> sparse.csr_array:
        shortest, longest = self.card.parameters["shortest"], self.card.parameters["longest"]
        columns: dict[str, int] = {}
        indptr, indices, values = [0], [], []
        for term in terms:
            counts = Counter(_grams(term, shortest, longest))
            indices += [columns.setdefault(gram, len(columns)) for gram in counts]
            values += list(counts.values())
            indptr.append(len(indices))
        shape = (len(terms), len(columns))
        matrix = sparse.csr_array((np.array(values, float), indices, indptr), shape=shape)
        frequencies = np.bincount(np.array(indices, int), minlength=len(columns))
        matrix = matrix.multiply(np.log((1 + len(terms)) / (1 + frequencies)) + 1).tocsr()
        lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
        return sparse.csr_array(sparse.diags_array(1 / np.where(lengths > 0, lengths, 1.0)) @ matrix)


@dataclass(frozen=True)
class RandomScorer:
    """A uniform score in [0, 1) that depends only on the seed and the two terms: the level of chance."""

    card: ModelCard = field(default_factory=lambda: _card("random", seed=0))

    def score(self, pairs: Pairs) -> Doubles:
        """Score the pairs, the same in either order."""
        return np.array(
            [self._score(*sorted(terms)) for terms in pairs.frame.select("term_1", "term_2").iter_rows()]
        )

    def _score(self, one: str, two: str) -> float:
        digest = hashlib.blake2b(
            json.dumps([self.card.parameters["seed"], one, two]).encode(), digest_size=8
        ).digest()
        return (int.from_bytes(digest, "big") >> 11) / 2**53


def _grams(term: str, shortest: int, longest: int) -> list[str]:
    """Return the n-grams within the padded words; a word shorter than n counts once, as a whole."""
    grams = []
    for word in term.split():
        padded = f" {word} "
        for length in range(shortest, longest + 1):
            grams += [padded[i : i + length] for i in range(max(1, len(padded) - length + 1))]
            if length >= len(padded):
                break
    return grams


Baseline = LevenshteinScorer | TokenJaccardScorer | CharTfidfScorer | RandomScorer


def baselines(seed: int = 0) -> dict[str, Baseline]:
    """Return the four baselines, by name."""
    made: list[Baseline] = [
        LevenshteinScorer(),
        TokenJaccardScorer(),
        CharTfidfScorer(),
        RandomScorer(_card("random", seed=int(seed))),
    ]
    return {model.card.name: model for model in made}


def renamed(model: Baseline, name: str) -> Baseline:
    """Return a baseline under another name."""
    return replace(model, card=model.card.model_copy(update={"name": name}))
