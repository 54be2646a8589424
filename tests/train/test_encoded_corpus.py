import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.train import encoded_corpus
from medgauge.train.encoded_corpus import encode_corpus
from medgauge.train.training_parameters import TrainingParameters
from medgauge.train.word_counts import count_words, words_of
from tests.train.corpora import plain_corpus
from tests.train.test_word_counts import TOKENS


def read_back(encoded, words):
    """Return the sentences of each piece, as words."""
    pieces = []
    for number in range(len(encoded)):
        piece = encoded.piece(number)
        assert piece[-1] == -1
        ends = np.flatnonzero(piece == -1)
        parts = [part[part >= 0] for part in np.split(piece, ends)[:-1]]
        pieces.append([[words[place] for place in part] for part in parts])
        assert encoded.words[number] == sum(map(len, pieces[-1]))
    return pieces


@pytest.mark.parametrize("longest", [3, 10_000])
def test_a_corpus_is_encoded_as_word_by_word(tmp_path_factory, longest):
    folder = tmp_path_factory.mktemp("encoded")

    @given(st.lists(st.lists(TOKENS), min_size=1, max_size=8))
    def compare(sentences):
        sentences.append(["gout", "gout", "p", "p"])
        parameters = TrainingParameters(min_count=2)
        corpus = plain_corpus(folder / "corpus.parquet", sentences)
        counts = count_words(corpus, parameters, corpus.path)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(encoded_corpus, "LONGEST", longest)
            pieces = read_back(encode_corpus(corpus, counts, parameters, folder / "ids"), counts.words)
        known = [
            [word for token in sentence for word in words_of(token, parameters) if word in counts.places]
            for sentence in sentences
        ]
        parts = [
            sentence[start : start + longest]
            for sentence in known
            for start in range(0, len(sentence), longest)
        ]
        assert [part for piece in pieces for part in piece] == parts
        sizes = [sum(map(len, piece)) for piece in pieces]
        assert max(sizes) <= longest
        assert all(one + len(piece[0]) > longest for one, piece in zip(sizes, pieces[1:], strict=False))

    compare()
