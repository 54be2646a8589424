import numpy as np
import pytest

from medgauge.models.load import load_model
from medgauge.train.vector_output import write_vectors
from tests.vectors import some_vectors


@pytest.mark.parametrize(
    ("name", "form"), [("v.bin", "word2vec binary"), ("v.txt", "word2vec text"), ("v.VEC", "word2vec text")]
)
def test_vectors_are_read_back_bit_for_bit(tmp_path, name, form):
    vectors = some_vectors("gout", "Å", "心臓", dim=7)
    vectors["tiny"] = np.full(7, 1.1754944e-38, np.float32)
    write_vectors(tmp_path / name, list(vectors), np.array(list(vectors.values())))
    model = load_model(tmp_path / name)
    found, known = model.vectors([*vectors, "unknown"])
    assert (model.card.format, known.tolist()) == (form, [True] * 4 + [False])
    np.testing.assert_array_equal(found[:4], np.array(list(vectors.values())))


def test_gensim_reads_the_file(tmp_path):
    keyed = pytest.importorskip("gensim.models").KeyedVectors
    vectors = some_vectors("gout", "Å", dim=3)
    for name in ("v.bin", "v.vec"):
        write_vectors(tmp_path / name, list(vectors), np.array(list(vectors.values())))
        found = keyed.load_word2vec_format(tmp_path / name, binary=name == "v.bin")
        np.testing.assert_array_equal(found["Å"], vectors["Å"])
