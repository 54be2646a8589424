import tracemalloc
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from medgauge.errors import InputError
from medgauge.models.base import ModelCard
from medgauge.models.encoding import Batch, TermEncoder, WordEncoder, as_encoder, encoded
from medgauge.models.terms import vectors_of
from tests.support.sources import CountingSource


class LengthSource:
    """A vector for each term, or for each of its words: their length and first letter; in batches of two."""

    def __init__(self, family: str = "vectors", bad: float | None = None) -> None:
        self.card = ModelCard(name="lengths", family=family, tokenizer="words" if family == "words" else None)
        self.bad = bad

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        backwards = range(len(texts) - 1, -1, -1)
        for first in range(0, len(texts), 2):
            places = np.array(list(backwards)[first : first + 2])
            parts = [
                texts[place].split() if self.card.family == "words" else [texts[place]] for place in places
            ]
            rows = [[len(part), self.bad or ord(part[0])] for some in parts for part in some]
            yield Batch(places, np.array(rows, np.float32), np.array([len(some) for some in parts]))

    def facts(self) -> dict[str, object]:
        return {}


def test_vectors_come_back_in_the_order_of_the_terms() -> None:
    model = as_encoder(LengthSource())
    assert isinstance(model, TermEncoder)
    assert model.encode(["a", "bcd", "ef"])[:, 0].tolist() == [1, 3, 2]


def test_words_come_back_in_the_order_of_the_terms() -> None:
    model = as_encoder(LengthSource("words"))
    assert isinstance(model, WordEncoder)
    rows, offsets = model.encode_words(["a bc", "def", "gh i jkl"])
    assert rows[:, 0].tolist() == [1, 2, 3, 2, 1, 3]
    assert offsets.tolist() == [0, 2, 3, 6]


def test_a_term_without_words_does_not_move_the_words_of_others() -> None:
    source = CountingSource("words", batch=3)
    rows, offsets = encoded(source, ["acute flu", "gout", "???"])  # as many words as terms
    assert rows.tolist() == [source.row(word).tolist() for word in ("acute", "flu", "gout")]
    assert offsets.tolist() == [0, 2, 3, 3]


def test_a_model_in_context_has_a_vector_for_each_word() -> None:
    terms = vectors_of(WordEncoder(LengthSource("words")), ["a bc", "def"])
    assert terms.covered.tolist() == [True, True]
    assert terms.missing == [(), ()]


@pytest.mark.parametrize("oov", ["uncovered", "skip-word"])
def test_a_word_without_a_vector_is_missing(oov: str) -> None:
    class Gaps(LengthSource):
        def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
            for batch in super().batches(texts):
                batch.rows[batch.rows[:, 0] == 2] = np.nan
                yield batch

    terms = vectors_of(WordEncoder(Gaps("words")), ["a bc", "def", "gh"], oov=oov)
    assert terms.missing == [(1,), (), (0,)]
    assert terms.covered.tolist() == [oov == "skip-word", True, False]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_vectors_that_are_not_numbers_are_refused(bad: float) -> None:
    with pytest.raises(
        InputError, match="lengths returned vectors with values that are infinite or not a number"
    ):
        TermEncoder(LengthSource(bad=bad)).encode(["a"])


def test_an_empty_term_is_refused() -> None:
    with pytest.raises(InputError, match="the term 2 of 3 is empty"):
        TermEncoder(LengthSource()).encode(["a", " ", "b"])


def test_no_terms_give_no_vectors() -> None:
    assert TermEncoder(LengthSource()).encode([]).shape == (0, 0)


def test_no_words_give_no_rows() -> None:
    rows, offsets = WordEncoder(LengthSource("words")).encode_words([])
    assert (rows.shape, offsets.tolist()) == ((0, 0), [0])


@pytest.mark.parametrize("family", ["vectors", "words"])
def test_a_source_that_forgets_a_term_is_named(family: str) -> None:
    class Forgetful(LengthSource):
        def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
            yield next(super().batches(texts))

    with pytest.raises(InputError, match="lengths returned vectors for 2 of 3 terms"):
        encoded(Forgetful(family), ["a", "bc", "def"])


def test_other_dimensions_half_way_are_refused() -> None:
    class Growing(LengthSource):
        def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
            for number, batch in enumerate(super().batches(texts)):
                yield Batch(batch.places, np.tile(batch.rows, 1 + number), batch.counts)

    with pytest.raises(InputError, match="lengths returned vectors of 2 and of 4 dimensions"):
        TermEncoder(Growing()).encode(["a", "bc", "def"])


def test_another_number_of_rows_than_words_is_refused() -> None:
    class Whole(LengthSource):
        def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
            for batch in super().batches(texts):
                yield Batch(batch.places, batch.rows[: len(batch.places)], np.ones_like(batch.counts))

    with pytest.raises(InputError, match="another number of vectors than the terms need"):
        WordEncoder(Whole("words")).encode_words(["a bc"])


@pytest.mark.parametrize("kind", [np.float16, np.float64])
def test_rows_of_any_precision_become_single(kind: type) -> None:
    class Other(LengthSource):
        def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
            for batch in super().batches(texts):
                yield Batch(batch.places, batch.rows.astype(kind), batch.counts)

    assert TermEncoder(Other()).encode(["a", "bc"]).dtype == np.float32


def test_the_rows_are_in_memory_once() -> None:
    """Half as much again is less than the batches and a copy of them."""
    size = 4000 * 500 * 4

    class Large(LengthSource):
        def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
            for first in range(0, len(texts), 100):
                yield Batch(np.arange(first, first + 100), np.ones((100, 500), np.float32), np.ones(100, int))

    tracemalloc.start()
    try:
        rows = TermEncoder(Large()).encode(["a"] * 4000)
        assert rows.nbytes == size
        assert tracemalloc.get_traced_memory()[1] < 1.5 * size
    finally:
        tracemalloc.stop()


def test_a_lone_surrogate_is_refused_with_its_place() -> None:
    with pytest.raises(
        InputError, match=r"the term 2 of 3 has an invalid character \(a lone surrogate\); fix its encoding"
    ):
        as_encoder(LengthSource()).encode(["Ménière", "heart \ud800", "心臓 𝛼"])
