import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from medgauge.models.encoders.pooling import WordPieces, has_vector, text_weights


@pytest.mark.parametrize("pooling", ["mean", "last", "cls", "max"])
@given(
    lengths=some.lists(some.integers(1, 9), min_size=1, max_size=6),
    before=some.integers(0, 2),
    after=some.integers(0, 2),
)
def test_weights_select_the_pieces_that_count(pooling, lengths, before, after):
    counted = np.array(lengths)
    weights = text_weights(counted, pooling, before, after)
    assert weights.shape == (len(lengths), 1, max(lengths))
    for row, length, usable in zip(
        weights[:, 0], lengths, has_vector(counted, pooling, before, after), strict=True
    ):
        inner = list(range(before, length - after))
        chosen = {"mean": inner, "max": inner, "last": inner[-1:], "cls": [0]}[pooling]
        assert usable == bool(chosen)
        if usable:
            assert np.flatnonzero(row).tolist() == chosen
            assert row.sum() == pytest.approx(len(chosen) if pooling == "max" else 1)


spans = some.lists(some.integers(0, 4), max_size=8).map(
    lambda widths: [(sum(widths[:k]), sum(widths[: k + 1])) for k in range(len(widths))]
)


@given(
    texts=some.lists(some.tuples(spans, spans), min_size=1, max_size=5),
    how=some.sampled_from(["first", "mean"]),
)
def test_words_are_made_of_the_pieces_that_share_a_character_with_them(texts, how):
    own = WordPieces.of([words for words, _ in texts], [pieces for _, pieces in texts], how)
    width = max(len(pieces) for _, pieces in texts)
    numbers = np.arange(len(texts))[::-1]
    weights = own.weights(numbers, width)
    lacking = iter(own.without_pieces(numbers).tolist())
    for row, number in zip(weights, numbers, strict=True):
        words, pieces = texts[number]
        for word, (start, stop) in enumerate(words):
            mine = [
                k
                for k, (first, last) in enumerate(pieces)
                if set(range(start, stop)) & set(range(first, last))
            ]
            assert next(lacking) == (not mine)
            expected = np.zeros(width)
            expected[mine[:1] if how == "first" else mine] = (
                1 if how == "first" or not mine else 1 / len(mine)
            )
            np.testing.assert_allclose(row[word], expected, rtol=1e-6)
    assert next(lacking, None) is None
