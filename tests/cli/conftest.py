import pytest

from tests.vectors import WORDS, some_vectors, write_binary


@pytest.fixture
def vectors(tmp_path):
    """A word2vec file of the words of the tests' pairs."""
    return write_binary(tmp_path / "mine.bin", some_vectors(*WORDS))
