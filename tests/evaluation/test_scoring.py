import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

from medgauge.errors import CoverageWarning, InputError
from medgauge.evaluation.scoring import scorer_for, similarity
from medgauge.models.base import ModelCard
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
    with pytest.warns(CoverageWarning, match="^no vector for 'spleen'$"):
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


def test_similarity_takes_word_vectors_in_memory_and_columns_of_terms(model):
    firsts, seconds = ["Acute renal failure", "spleen"], ["kidney failure", "renal"]
    with pytest.warns(CoverageWarning):
        expected = similarity(firsts, seconds, model=model, measure="fj")
    with pytest.warns(CoverageWarning):
        found = similarity(pl.Series(firsts), pd.Series(seconds), model=VECTORS, measure="fj")
    np.testing.assert_array_equal(found, expected)


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
    scorer = scorer_for(model, sets, ["cos"])
    assert model.asked == 0
    assert [len(scorer(pairs).covered) for pairs in sets] == [1, 1]
    assert model.asked == 1


def test_uncovered_pairs_are_nan_and_covered_ones_are_not(model):
    pairs = PairSet.of([("renal", "kidney", 1.0), ("renal", "spleen", 0.5)], card=Card(name="x", title="x"))
    scores = scorer_for(model, [pairs], ["avg_cos", "mj"])(pairs)
    assert scores.covered.tolist() == [True, False]
    assert np.isnan(scores.values["avg_cos"]).tolist() == [False, True]
    pairs = PairSet.of([("renal", "kidney spleen", 1.0)], card=Card(name="x", title="x"))
    skipping = scorer_for(model, [pairs], ["avg_cos"], oov="skip-word")(pairs)
    assert skipping.covered.tolist() == [True]
    assert skipping.values["avg_cos"][0] == scores.values["avg_cos"][0]


class Answering:
    """A model of words, or of whole terms, that answers with what it is given."""

    def __init__(self, method, answer):
        self.card = ModelCard(name="answering", family="words" if method == "vectors" else "vectors")
        setattr(self, method, answer)


@pytest.mark.parametrize("method", ["vectors", "lookup"])
def test_a_model_of_ones_own_may_answer_in_double_precision(method):
    def answer(keys):
        rows = np.random.default_rng(0).standard_normal((len(keys), 10))
        return np.asfortranarray(rows), np.ones(len(keys), bool)

    model = Answering(method, answer)
    measure = "pair_spearman" if method == "vectors" else "spearman"
    found = similarity(["a", "b"], ["b", "a"], model=model, measure=measure)
    assert found[0] == found[1]
    assert -1 < found[0] < 1


@pytest.mark.parametrize("method", ["vectors", "lookup"])
def test_a_row_that_is_not_finite_is_not_known(method):
    model = Answering(method, lambda keys: (np.full((len(keys), 3), np.nan), np.ones(len(keys), bool)))
    with pytest.warns(CoverageWarning, match="no vector for 'a', 'b'"):
        assert math.isnan(similarity("a", "b", model=model))


def test_a_similarity_of_nan_names_the_missing_words_each_once_and_only_a_few(model):
    with pytest.warns(CoverageWarning) as caught:
        similarity(["renal infarction", "spleen"], ["infarction", "a b c d e"], model=model)
    [warning] = caught
    assert str(warning.message) == "no vector for 'infarction', 'spleen', 'a', 'b', 'c' and 2 more"
    assert warning.filename == __file__


def test_words_that_are_dropped_are_named_too(model):
    with pytest.warns(CoverageWarning, match="no vector for 'spleen'"):
        assert similarity("renal", "renal spleen", model=model, oov="skip-word") == pytest.approx(1.0)


def test_a_scorer_of_pairs_must_answer_for_each_and_what_is_not_finite_is_not_covered():
    class Scorer:
        card = ModelCard(name="mine", family="pairs")

        def __init__(self, answer):
            self.answer = answer

        def score(self, _pairs):
            return self.answer

    pairs = PairSet.of([("a", "b", 1.0), ("c", "d", 0.5)], card=Card(name="x", title="x"))
    scores = scorer_for(Scorer([np.inf, 2]), [pairs], ["score"])(pairs)
    assert scores.covered.tolist() == [False, True]
    assert math.isnan(scores.values["score"][0])
    with pytest.raises(InputError, match=r"mine returned scores of shape \(3,\) for 2 pairs"):
        scorer_for(Scorer([1, 2, 3]), [pairs], ["score"])(pairs)


def test_what_has_none_of_the_methods_is_not_a_model():
    with pytest.raises(InputError, match="a dict is not a model: a model is a file, the name of a baseline"):
        similarity("a", "b", model={"a": None})


def test_the_similarity_of_words_by_cosine_is_that_of_their_mean_vectors():
    words = {"renal": [1.0, 0.2], "failure": [0.1, 0.9], "kidney": [0.9, 0.3]}
    asked = {
        name: similarity("renal failure", "kidney", model=words, measure=name) for name in ("COSINE", "cos")
    }
    expected = similarity("renal failure", "kidney", model=words, measure="avg_cos")
    assert asked == {"COSINE": expected, "cos": expected}
