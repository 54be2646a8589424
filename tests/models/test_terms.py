from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from medgauge.errors import InputError
from medgauge.models.base import ModelCard, WordModel
from medgauge.models.load import load_model
from medgauge.models.terms import Terms, vectors_of

Rows = tuple[NDArray[np.float32], NDArray[np.bool_]]


def found_in(numbers: dict[str, float], tokens: Sequence[str]) -> Rows:
    assert len(set(tokens)) == len(tokens), "a model is asked for different tokens"
    rows = [[numbers.get(token, np.nan)] for token in tokens]
    return np.array(rows, np.float32).reshape(-1, 1), np.array([token in numbers for token in tokens], bool)


@dataclass
class Words:
    """A word model in which each word is a number."""

    numbers: dict[str, float]
    card: ModelCard

    def vectors(self, tokens: Sequence[str]) -> Rows:
        return found_in(self.numbers, tokens)


@dataclass
class OpenWords:
    """A word model that has a vector for any word; an untrained one says if it has a capital."""

    numbers: dict[str, float]
    card: ModelCard

    def vectors(self, tokens: Sequence[str]) -> Rows:
        return found_in(
            {token: self.numbers.get(token, -1.0 if token != token.lower() else -2.0) for token in tokens},
            tokens,
        )

    def in_vocabulary(self, tokens: Sequence[str]) -> NDArray[np.bool_]:
        return np.array([token in self.numbers for token in tokens], bool)


@dataclass
class Table:
    """A table model in which each term is a number."""

    numbers: dict[str, float]
    card: ModelCard

    def lookup(self, keys: Sequence[str]) -> Rows:
        return found_in(self.numbers, keys)


@dataclass
class Encoder:
    """A text model that gives what it is told."""

    given: Any

    def encode(self, texts: list[str]) -> Any:
        return self.given(texts)


def word_card(**how: str) -> ModelCard:
    return ModelCard(name="fake", family="words", **how)


def numbers_of(terms: Terms) -> list[list[float]]:
    """Give each term's word vectors, as numbers."""
    vectors = terms.vectors
    return [
        vectors.vectors[vectors.members[start:stop], 0].tolist()
        for start, stop in zip(vectors.offsets[:-1], vectors.offsets[1:], strict=True)
    ]


KNOWN = {"heart": 1.0, "attack": 2.0, "Aspirin": 3.0, "aspirin": 4.0, "non-acute": 5.0}


def test_a_term_with_an_unknown_word_is_not_covered() -> None:
    terms = vectors_of(Words(KNOWN, word_card()), ["heart attack", "heart failure", "failure", "attack"])
    assert terms.covered.tolist() == [True, False, False, True]
    assert numbers_of(terms) == [[1.0, 2.0], [], [], [2.0]]


def test_a_term_is_the_words_that_are_known_if_others_are_skipped() -> None:
    model = Words(KNOWN, word_card())
    terms = vectors_of(model, ["heart attack", "heart failure", "failure"], oov="skip-word")
    assert terms.covered.tolist() == [True, True, False]
    assert numbers_of(terms) == [[1.0, 2.0], [1.0], []]


@pytest.mark.parametrize("oov", ["uncovered", "skip-word"])
@pytest.mark.parametrize("term", ["", " ", "(…)", "--"])
def test_a_term_without_any_word_is_not_covered(oov: str, term: str) -> None:
    terms = vectors_of(Words(KNOWN, word_card()), ["heart", term, "attack"], oov=oov)
    assert terms.covered.tolist() == [True, False, True]
    assert numbers_of(terms) == [[1.0], [], [2.0]]


def test_no_terms_give_no_terms() -> None:
    terms = vectors_of(Words(KNOWN, word_card()), [])
    assert len(terms.vectors) == terms.covered.size == 0


def test_a_word_counts_as_often_as_it_stands_in_a_term() -> None:
    assert numbers_of(vectors_of(Words(KNOWN, word_card()), ["heart Heart heart"])) == [[1.0, 1.0, 1.0]]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("fallback", [[3.0], [4.0], [4.0], [1.0]]),
        ("lower", [[4.0], [4.0], [4.0], [1.0]]),
        ("keep", [[3.0], [4.0], [], []]),
    ],
)
def test_a_word_is_looked_up_as_it_is_and_then_in_lower_case(case: str, expected: list[list[float]]) -> None:
    model = Words(KNOWN, word_card(case=case))
    assert numbers_of(vectors_of(model, ["Aspirin", "aspirin", "ASPIRIN", "HEART"])) == expected


def test_a_card_without_a_case_falls_back() -> None:
    assert numbers_of(vectors_of(Words(KNOWN, word_card()), ["Aspirin", "ASPIRIN"])) == [[3.0], [4.0]]


def test_the_card_says_how_terms_are_split() -> None:
    numbers = {"heart/attack": 1.0, "heart": 2.0, "attack": 3.0}
    assert numbers_of(vectors_of(Words(numbers, word_card()), ["heart/attack"])) == [[2.0, 3.0]]
    spaced = Words(numbers, word_card(tokenizer="whitespace"))
    assert numbers_of(vectors_of(spaced, ["heart/attack"])) == [[1.0]]


def test_a_word_trained_on_in_lower_case_comes_before_one_made_of_ngrams() -> None:
    model = OpenWords({"heart": 100.0, "Aspirin": 200.0, "aspirin": 300.0}, word_card())
    terms = vectors_of(model, ["Heart", "Aspirin", "ASPIRIN", "Kidneys", "heart Kidneys"])
    assert terms.covered.all()
    assert numbers_of(terms) == [[100.0], [200.0], [300.0], [-1.0], [100.0, -1.0]]


def test_a_case_that_is_kept_is_kept_by_a_model_of_ngrams_too() -> None:
    model = OpenWords({"heart": 100.0}, word_card(case="keep"))
    assert numbers_of(vectors_of(model, ["Heart", "heart"])) == [[-1.0], [100.0]]


def test_a_fasttext_file_prefers_the_word_it_was_trained_on(fasttext_file: Path) -> None:
    model = load_model(fasttext_file)
    terms = vectors_of(model, ["HEART", "heart", "hearts"])
    assert terms.covered.all()
    (upper,), (lower,), (plural,) = (
        terms.vectors.vectors[terms.vectors.members[number : number + 1]] for number in range(3)
    )
    np.testing.assert_array_equal(upper, lower)
    assert (upper != plural).any()


def test_a_table_is_asked_for_whole_terms() -> None:
    numbers = {"heart attack": 1.0, "Heart attack": 2.0}
    card = ModelCard(name="fake", family="vectors", case="fallback")
    terms = vectors_of(Table(numbers, card), ["heart attack", "Heart attack", "HEART ATTACK", "heart"])
    assert terms.covered.tolist() == [True, True, True, False]
    assert terms.vectors.vectors[:3, 0].tolist() == [1.0, 2.0, 1.0]


@pytest.mark.parametrize("case", [None, "keep"])
def test_a_table_whose_card_has_no_case_keeps_it(case: str | None) -> None:
    card = ModelCard(name="fake", family="vectors", case=case)
    assert vectors_of(Table({"heart": 1.0}, card), ["Heart", "heart"]).covered.tolist() == [False, True]


def test_a_text_model_encodes_terms_as_they_are() -> None:
    asked = []

    def encode(texts: list[str]) -> list[list[int]]:
        asked.extend(texts)
        return [[len(text), 1] for text in texts]

    terms = vectors_of(Encoder(encode), ["Heart attack", "x"])
    assert asked == ["Heart attack", "x"]
    assert terms.covered.tolist() == [True, True]
    assert terms.vectors.vectors.dtype == np.float32
    assert terms.vectors.vectors.tolist() == [[12.0, 1.0], [1.0, 1.0]]
    assert terms.vectors.members.tolist() == [0, 1]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_text_that_the_model_gives_no_number_for_is_not_covered(value: float) -> None:
    terms = vectors_of(Encoder(lambda _: np.array([[1.0, 2.0], [1.0, value]])), ["a", "b"])
    assert terms.covered.tolist() == [True, False]


@pytest.mark.parametrize("shape", [(2,), (3, 4), (2, 4, 1)])
def test_a_text_model_that_gives_another_shape_is_an_error(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"the model returned an array of shape .* for 2 texts"):
        vectors_of(Encoder(lambda _: np.ones(shape)), ["a", "b"])


def test_the_places_of_words_without_a_vector_are_known() -> None:
    terms = vectors_of(Words(KNOWN, word_card()), ["heart attack", "Heart failure", "of failure", "(…)"])
    assert terms.missing == [(), (1,), (0, 1), ()]
    assert terms.composed is None


def test_words_made_of_subwords_are_told_from_those_of_the_vocabulary() -> None:
    model = OpenWords({"heart": 1.0}, word_card())
    terms = vectors_of(model, ["Heart", "heart failure", "failure of heart"])
    assert terms.missing == [(), (), ()]
    assert terms.composed == [(), (1,), (0, 1)]


def test_a_term_without_a_vector_of_its_own_is_missing_as_a_whole() -> None:
    card = ModelCard(name="fake", family="vectors")
    assert vectors_of(Table({"heart attack": 1.0}, card), ["heart attack", "heart"]).missing == [(), (0,)]
    encoder = Encoder(lambda texts: [[1.0 if text else np.nan] for text in texts])
    assert vectors_of(encoder, ["heart", ""]).missing == [(), (0,)]


def test_a_fasttext_file_tells_its_own_words_from_those_of_subwords(fasttext_file: Path) -> None:
    model = load_model(fasttext_file)
    assert isinstance(model, WordModel)
    terms = vectors_of(model, ["heart attacks", "Heart", "kidneys of"])
    assert terms.missing == [(), (), ()]
    assert terms.composed == [(1,), (), (0,)]
