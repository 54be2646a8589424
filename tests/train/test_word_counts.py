from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.errors import FileError, options_as_flags
from medgauge.models.tokens import tokenize
from medgauge.train.training_parameters import TrainingParameters
from medgauge.train.word_counts import WordCounts, count_words
from tests.train.corpora import plain_corpus

TOKENS = st.sampled_from(["Gout", "gout", "IL-2", "p", "<", "0.05", "patients'", "Ångström", "1,25-OH", "-"])


def test_words_are_counted_as_one_by_one(tmp_path_factory):
    folder = tmp_path_factory.mktemp("counts")

    @given(st.lists(st.lists(TOKENS, min_size=1), min_size=2), st.booleans())
    def compare(sentences, keep_case):
        sentences.append(["Gout", "rash", "rash"])
        corpus = plain_corpus(folder / "corpus.parquet", sentences)
        found = count_words(corpus, TrainingParameters(min_count=1, keep_case=keep_case), corpus.path)
        tokens = [token if keep_case else token.lower() for sentence in sentences for token in sentence]
        slow = Counter(word for token in tokens for word in tokenize(token))
        assert dict(zip(found.words, found.counts.tolist(), strict=True)) == slow
        assert found.words == sorted(slow, key=lambda word: (-slow[word], word))

    compare()


def test_whitespace_takes_tokens_as_they_are(tmp_path):
    corpus = plain_corpus(tmp_path / "corpus.parquet", [["p", "<", "0.05"]])
    assert count_words(
        corpus, TrainingParameters(min_count=1, tokenizer="whitespace"), corpus.path
    ).words == ["0.05", "<", "p"]


def test_a_vocabulary_that_is_empty_after_min_count_is_one_sentence(tmp_path):
    corpus = plain_corpus(tmp_path / "corpus.parquet", [["gout", "gout", "rash"]])
    with options_as_flags(), pytest.raises(FileError) as caught:
        count_words(corpus, TrainingParameters(), corpus.path)
    assert str(caught.value) == (
        f"{tmp_path / 'corpus.parquet'}: has fewer than two words that occur 5 times (the commonest occurs 2 "
        "times); take a larger corpus, or a lower --min-count"
    )


@pytest.mark.parametrize("sample", [0, 1e-3, 1e-2])
def test_words_are_subsampled_as_by_gensim(sample):
    word2vec = pytest.importorskip("gensim.models").Word2Vec
    counts = WordCounts([f"w{n}" for n in range(8)], np.array([5000, 900, 400, 50, 20, 9, 5, 1]))
    model = word2vec(vector_size=2, min_count=1, sample=sample)
    model.build_vocab_from_freq(dict(zip(counts.words, counts.counts.tolist(), strict=True)))
    expected = [model.wv.get_vecattr(word, "sample_int") for word in counts.words]
    np.testing.assert_allclose(counts.thresholds(sample), expected, rtol=1e-9, atol=1)
