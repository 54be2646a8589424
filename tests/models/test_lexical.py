from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from medgauge.models.base import PairScorer, family_of
from medgauge.models.lexical import (
    CharTfidfScorer,
    LevenshteinScorer,
    RandomScorer,
    TokenJaccardScorer,
    baselines,
)
from medgauge.pairs import Card, PairSet

TERMS = [
    "Heart attack",
    "heart  attacks",
    "Myocardial infarction",
    "Ménière's disease",
    "Meniere disease",
    "Crohn's disease (non-acute)",
    "vitamin B 12",
    "Vitamin b12 deficiency",
    "X",
    "a b",
    "œdème",
    "1-2u/day",
    "HEART ATTACK",
]


def pairs_of(*rows: tuple[str, str]) -> PairSet:
    return PairSet.of([(one, two, 0.0) for one, two in rows], card=Card(name="x", title="X"))


def slow_distance(one: str, two: str) -> int:
    """Fill Wagner and Fischer's table."""
    table = [[row + column for column in range(len(two) + 1)] for row in range(len(one) + 1)]
    for row, left in enumerate(one, 1):
        for column, right in enumerate(two, 1):
            table[row][column] = min(
                table[row - 1][column] + 1,
                table[row][column - 1] + 1,
                table[row - 1][column - 1] + (left != right),
            )
    return table[-1][-1]


spelled = st.text("abAB é-œ", max_size=12)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(spelled, spelled), min_size=1, max_size=5))
def test_levenshtein_is_what_a_slow_table_gives(rows: list[tuple[str, str]]) -> None:
    expected = []
    for one, two in rows:
        lower = one.lower(), two.lower()
        longer = max(map(len, lower))
        expected.append(-slow_distance(*lower) / longer if longer else 0.0)
    scores = LevenshteinScorer().score(pairs_of(*rows))
    np.testing.assert_allclose(scores, expected)
    assert not np.signbit(scores[scores == 0]).any()


def test_levenshtein_is_worked_by_hand() -> None:
    scores = LevenshteinScorer().score(pairs_of(("Kitten", "sitting"), ("HEART", "heart"), ("ab", "cd")))
    np.testing.assert_allclose(scores, [-3 / 7, 0.0, -1.0])


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("Heart attack", "heart ATTACK", 1.0),
        ("heart attack", "attack of the heart", 2 / 4),
        ("heart heart", "heart", 1.0),
        ("Crohn’s disease", "crohn's", 1 / 2),
        ("heart", "kidney", 0.0),
        ("heart", "--", 0.0),
        ("(…)", "--", 0.0),
        ("(…)", "(…)", 1.0),
    ],
)
def test_token_jaccard_is_the_share_of_words_in_common(one: str, two: str, expected: float) -> None:
    np.testing.assert_array_equal(TokenJaccardScorer().score(pairs_of((one, two))), [expected])


def sklearn_scores(rows: list[tuple[str, str]]) -> np.ndarray:
    lower = [(one.lower(), two.lower()) for one, two in rows]
    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4))
    vectorizer.fit(sorted({term for row in lower for term in row}))
    left, right = (vectorizer.transform([row[side] for row in lower]).toarray() for side in (0, 1))
    return (left * right).sum(axis=1)


def test_char_tfidf_is_what_sklearn_gives() -> None:
    rows = [(one, two) for one in TERMS for two in TERMS]
    scores = CharTfidfScorer().score(pairs_of(*rows))
    np.testing.assert_allclose(scores, sklearn_scores(rows), atol=1e-12)
    assert scores.max() <= 1.0


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.text("aAbé-' ", min_size=1, max_size=10).filter(str.strip)] * 2),
        min_size=1,
        max_size=6,
    )
)
def test_char_tfidf_is_what_sklearn_gives_for_any_terms(rows: list[tuple[str, str]]) -> None:
    np.testing.assert_allclose(CharTfidfScorer().score(pairs_of(*rows)), sklearn_scores(rows), atol=1e-12)


@pytest.mark.parametrize("other", ["heart", "  ", ""])
def test_char_tfidf_is_undefined_for_a_term_of_white_space(other: str) -> None:
    scores = CharTfidfScorer().score(pairs_of(("  ", other), (other, "  "), ("heart", "heart")))
    np.testing.assert_allclose(scores, [np.nan, np.nan, 1.0])


def test_random_scores_depend_on_the_seed_and_the_terms_alone() -> None:
    rows = [(one, two) for one in TERMS for two in TERMS]
    pairs = pairs_of(*rows)
    scores = baselines(1)["random"].score(pairs)
    np.testing.assert_array_equal(scores, baselines(1)["random"].score(pairs))
    np.testing.assert_array_equal(scores[::-1], baselines(1)["random"].score(pairs_of(*rows[::-1])))
    swapped = pairs_of(*((two, one) for one, two in rows))
    np.testing.assert_array_equal(scores, baselines(1)["random"].score(swapped))
    assert (scores != baselines(2)["random"].score(pairs)).all()


def test_random_scores_are_uniform() -> None:
    scores = RandomScorer().score(pairs_of(*((f"a{number}", f"b{number}") for number in range(5000))))
    counts, _ = np.histogram(scores, bins=10, range=(0, 1))
    assert counts.sum() == 5000
    # Within five standard deviations of 500.
    assert (np.abs(counts - 500) < 5 * np.sqrt(5000 * 0.1 * 0.9)).all()


@pytest.mark.parametrize("name", ["levenshtein", "token-jaccard", "char-tfidf", "random"])
def test_a_baseline_scores_pairs_the_same_in_either_order(name: str) -> None:
    model = baselines()[name]
    assert isinstance(model, PairScorer)
    assert family_of(model) == model.card.family == "pairs"
    assert model.card.name == name
    rows = [(one, two) for one in TERMS for two in TERMS]
    there = model.score(pairs_of(*rows))
    back = model.score(pairs_of(*((two, one) for one, two in rows)))
    np.testing.assert_array_equal(there, back)
    assert there.dtype == np.float64


@pytest.mark.parametrize("name", ["levenshtein", "token-jaccard", "char-tfidf", "random"])
def test_a_baseline_gives_no_scores_for_no_pairs(name: str) -> None:
    assert baselines()[name].score(pairs_of()).shape == (0,)


def test_the_digest_tells_baselines_and_seeds_apart() -> None:
    cards = [model.card for seed in (0, 1) for model in baselines(seed).values()]
    assert len({card.digest for card in cards}) == 5
    assert baselines(7)["random"].card.parameters == {"seed": 7}


def test_char_tfidf_of_equal_terms_is_1_and_the_same_in_either_order() -> None:
    terms = ["Chronic obstructive lung disease", "H/O: asthma", "Crohn's disease", "aortic valve stenosis"]
    scores = CharTfidfScorer().score(pairs_of(*((term, term.upper()) for term in terms)))
    assert scores.tolist() == [1.0] * 4
    rows = list(pairwise(terms))
    there = CharTfidfScorer().score(pairs_of(*rows))
    back = CharTfidfScorer().score(pairs_of(*((two, one) for one, two in rows)))
    assert there.tolist() == back.tolist()
