import numpy as np
import pytest

from medgauge.models.encoders.computation.devices import Place
from medgauge.models.encoders.splitting.pieces import Pieces, Splitter

TEXTS = ["kidney", "acute renal failure", "heart attack " * 30, "Ménière's"]


@pytest.fixture
def tokenizer(bert):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(bert)


def listed(pieces: Pieces) -> list[list[int]]:
    return [
        pieces.ids[first:last].tolist()
        for first, last in zip(pieces.offsets[:-1], pieces.offsets[1:], strict=True)
    ]


@pytest.mark.parametrize("side", ["right", "left"])
def test_pieces_are_those_of_the_tokenizer_cut_at_its_side(tokenizer, side):
    tokenizer.truncation_side = side
    expected = [tokenizer(text, truncation=True, max_length=12)["input_ids"] for text in TEXTS]
    pieces, cut = Splitter.of(tokenizer, 12).split(TEXTS)
    assert listed(pieces) == expected
    assert cut.tolist() == [False, False, True, False]


def test_a_splitter_knows_what_is_put_around_a_text(tokenizer, gpt):
    from transformers import AutoTokenizer

    found = Splitter.of(tokenizer, 40)
    assert (found.before, found.after, found.pad) == (1, 1, tokenizer.pad_token_id)
    plain = Splitter.of(AutoTokenizer.from_pretrained(gpt), 40)
    assert (plain.before, plain.after, plain.pad) == (0, 0, 0)


def test_places_of_pieces_follow_the_cut(tokenizer):
    pieces, cut, places = Splitter.of(tokenizer, 12).split_with_places(TEXTS)
    assert cut.tolist() == [False, False, True, False]
    assert [len(one) for one in places] == pieces.lengths.tolist()
    assert [TEXTS[1][first:last] for first, last in places[1]] == ["", "acute", "renal", "failure", ""]


def test_a_tokenizer_without_a_fast_version_gives_the_same(tokenizer):
    class Slow:
        truncation_side = "right"
        pad_token_id = 0

        def __call__(self, texts, **options):
            return tokenizer(texts, **options)

    fast, slow = Splitter.of(tokenizer, 12).split(TEXTS), Splitter.of(Slow(), 12).split(TEXTS)
    assert listed(fast[0]) == listed(slow[0])


def test_rows_are_padded_under_a_mask():
    pieces = Pieces(np.array([5, 6, 7, 8], np.int32), np.array([0, 1, 4]))
    ids, mask = pieces.padded(np.array([1, 0]), 9, Place("cpu", "float32"))
    assert ids.tolist() == [[6, 7, 8], [5, 9, 9]]
    assert mask is not None
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]]


def test_texts_of_one_length_need_no_mask():
    pieces = Pieces(np.array([5, 6, 7, 8, 9], np.int32), np.array([0, 1, 3, 5]))
    ids, mask = pieces.padded(np.array([1, 2]), 0, Place("cpu", "float32"))
    assert ids.tolist() == [[6, 7], [8, 9]]
    assert mask is None
