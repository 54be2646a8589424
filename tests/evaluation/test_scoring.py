import math

import numpy as np
import pytest

from medgauge.errors import InputError
from medgauge.evaluation.scoring import score_sets, similarity
from medgauge.models.load import load_model
from medgauge.pairs import Card, PairSet
from tests.measures.reference import reference
from tests.vectors import some_vectors, write_binary

VECTORS = some_vectors("renal", "kidney", "failure", "acute", dim=6)


@pytest.fixture
def model(tmp_path):
    return load_model(write_binary(tmp_path / "v.bin", VECTORS))


def rows(*words):
    return np.array([VECTORS[word] for word in words])


def test_similarity_of_two_terms_is_the_measures(model):
    expected = reference("fj", rows("acute", "renal", "failure"), rows("kidney", "failure"))
    found = similarity("Acute renal failure", "kidney failure", model=model, measure="fj")
    assert found == pytest.approx(expected, abs=1e-6)


def test_similarity_of_lists_goes_pair_by_pair(model):
    found = similarity(["renal", "failure"], ["kidney", "spleen"], model=model)
    assert found[0] == pytest.approx(reference("avg_cos", rows("renal"), rows("kidney")), abs=1e-6)
    assert math.isnan(found[1])


def test_similarity_takes_a_path_and_any_encoder(tmp_path):
    path = write_binary(tmp_path / "v.bin", VECTORS)

    class Encoder:
        def encode(self, texts):
            return np.array([[len(text), 1.0] for text in texts])

    assert similarity("renal", "renal", model=path) == pytest.approx(1.0)
    assert similarity("ab", "cd", model=Encoder()) == pytest.approx(1.0)


def test_similarity_refuses_what_cannot_be_paired(model):
    with pytest.raises(InputError, match="not one of each"):
        similarity("renal", ["kidney"], model=model)
    with pytest.raises(InputError, match="1 and 2 terms"):
        similarity(["renal"], ["kidney", "failure"], model=model)


def test_an_encoder_that_answers_in_the_wrong_shape_is_refused():
    class Broken:
        def encode(self, _texts):
            return np.zeros(3)

    with pytest.raises(InputError, match=r"shape \(3,\) for 2 texts"):
        similarity("a", "b", model=Broken())


def test_the_model_is_asked_once_for_the_terms_of_all_sets():
    class Counting:
        asked = 0

        def encode(self, texts):
            self.asked += 1
            return np.ones((len(texts), 2)) + np.arange(len(texts))[:, None]

    sets = [PairSet.of([("a", "b", 1.0)], card=Card(name=name, title=name)) for name in ("x", "y")]
    model = Counting()
    assert len(score_sets(model, sets, ["cos"])) == 2
    assert model.asked == 1


def test_uncovered_pairs_are_nan_and_covered_ones_are_not(model):
    pairs = PairSet.of([("renal", "kidney", 1.0), ("renal", "spleen", 0.5)], card=Card(name="x", title="x"))
    [scores] = score_sets(model, [pairs], ["avg_cos", "mj"])
    assert scores.covered.tolist() == [True, False]
    assert np.isnan(scores.values["avg_cos"]).tolist() == [False, True]
    [skipping] = score_sets(
        model,
        [PairSet.of([("renal", "kidney spleen", 1.0)], card=Card(name="x", title="x"))],
        ["avg_cos"],
        oov="skip-word",
    )
    assert skipping.covered.tolist() == [True]
    assert skipping.values["avg_cos"][0] == scores.values["avg_cos"][0]
