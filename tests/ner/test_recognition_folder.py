import numpy as np
import pytest

from medgauge.ner.labels.tagged_corpus import read_corpora
from medgauge.ner.networks.training_group import Trained
from medgauge.ner.recognition_folder import RecognitionFolder, counts_path
from tests.ner.tiny_corpora import write_corpus

PATH = counts_path("mine", "tiny", 0)


@pytest.fixture
def corpus(tmp_path):
    [found] = read_corpora(write_corpus(tmp_path / "tiny"))
    return found


@pytest.fixture
def trained(corpus):
    rng = np.random.default_rng(0)
    test = rng.integers(0, 2, (corpus.test.sentences, len(corpus.types), 3))
    return Trained(test, test.sum(axis=0), 5, 3, 0.123456789012345)


def kept(tmp_path, corpus, trained):
    folder = RecognitionFolder.at(tmp_path / "out")
    with folder.locked():
        folder.keep_trained(PATH, "key", trained, corpus.types)
    return folder


def test_what_a_network_found_is_read_back_under_its_key(tmp_path, corpus, trained):
    folder = kept(tmp_path, corpus, trained)
    found = folder.find(PATH, "key", corpus)
    assert (found.test == trained.test).all()
    assert (found.devel == trained.devel).all()
    assert (found.epochs, found.scored, found.loss) == (5, 3, trained.loss)
    assert folder.find(PATH, "other", corpus) is None


def test_a_damaged_part_is_trained_again(tmp_path, corpus, trained):
    folder = kept(tmp_path, corpus, trained)
    path = folder.partial / PATH
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert folder.find(PATH, "key", corpus) is None


def test_a_part_has_no_word_of_the_corpus(tmp_path, corpus, trained):
    path = kept(tmp_path, corpus, trained).partial / PATH
    assert not any(word.encode() in path.read_bytes() for word in corpus.vocabulary)
