from collections import Counter

import numpy as np
import pytest

from medgauge.errors import FileError, options_as_flags
from medgauge.train.encoded_dependencies import count_forms, encode_dependencies
from medgauge.train.training_parameters import TrainingParameters
from tests.train import slow_contexts
from tests.train.corpora import SCIENTIST_STANFORD, SCIENTIST_UNIVERSAL, parsed_corpus

ODD = [("gout", 2, "amod"), ("attack", 0, "root"), ("of", 2, "prep"), ("Odd", 3, "pobj")]


def encoded_of(folder, sentences, **options):
    corpus = parsed_corpus(folder / "corpus.parquet", sentences)
    parameters = TrainingParameters(arch="dependency", **options)
    counts = count_forms(corpus, parameters, corpus.path)
    return counts, encode_dependencies(corpus, counts, parameters, folder / "ids", corpus.path)


def test_pairs_are_those_of_words_and_contexts_that_occur_often_enough(tmp_path):
    sentences = [SCIENTIST_STANFORD, SCIENTIST_UNIVERSAL, ODD, SCIENTIST_STANFORD, []]
    counts, encoded = encoded_of(tmp_path, [one for one in sentences if one], min_count=2)
    words = Counter(token.lower() for one in sentences for token, _, _ in one)
    known = {word for word, count in words.items() if count >= 2}
    pairs = [pair for one in sentences for pair in slow_contexts.contexts(one)]
    pairs = [(word, context) for word, context in pairs if {word, context.split("/")[0]} <= known]
    often = Counter(context for _, context in pairs)
    expected = [(word, context) for word, context in pairs if often[context] >= 2]
    numbers = np.concatenate([encoded.piece(number) for number in range(len(encoded))]).reshape(-1, 2)
    found = [(counts.words[word], encoded.contexts.words[context]) for word, context in numbers.tolist()]
    assert found == expected
    assert encoded.total == sum(words[word] for word in known)
    trained = {word for word, is_trained in zip(counts.words, encoded.trained, strict=True) if is_trained}
    assert trained == {word for word, _ in expected}
    assert "with" in set(counts.words) - trained


def test_a_corpus_without_contexts_is_one_sentence(tmp_path):
    alone = [[("gout", 0, "root")], [("rash", 0, "root")]]
    with options_as_flags(), pytest.raises(FileError) as caught:
        encoded_of(tmp_path, alone, min_count=1)
    assert str(caught.value).endswith(
        "has no dependency context that occurs 1 times or more; take a larger corpus, or a lower --min-count"
    )
