import hashlib
import sys

import numpy as np
import pytest

from medgauge.errors import InputError, UnknownNameError
from medgauge.models import in_memory
from medgauge.models.base import card_of, family_of, name_of
from medgauge.models.in_memory import WordsInMemory, as_model, is_model
from medgauge.models.lexical import LevenshteinScorer
from medgauge.models.load import load_model
from medgauge.models.terms import vectors_of
from tests.models.conftest import SENTENCES
from tests.prerequisites import NEEDS_GENSIM
from tests.support.processes import run
from tests.vectors import some_vectors, write_binary

gensim = pytest.importorskip("gensim.models", reason=NEEDS_GENSIM)
fasttext = pytest.importorskip("gensim.models.fasttext", reason=NEEDS_GENSIM)

WORDS = ["heart", "attack", "Aspirin", "aspirin", "œdème", "心臓"]
TERMS = ["heart attack", "Aspirin", "ASPIRIN", "œdème", "unknown heart", "unknown", "心臓", "attacks"]


class Encoder:
    def encode(self, texts):
        return np.zeros((len(texts), 2), np.float32)


def keyed(vectors=None):
    vectors = vectors or some_vectors(*WORDS)
    made = gensim.KeyedVectors(vector_size=4)
    made.add_vectors(list(vectors), list(vectors.values()))
    return made


def assert_same_terms(one, two):
    """Compare all that the measures see of two models."""
    for oov in ("uncovered", "skip-word"):
        left, right = vectors_of(one, TERMS, oov=oov), vectors_of(two, TERMS, oov=oov)
        np.testing.assert_array_equal(left.covered, right.covered)
        np.testing.assert_array_equal(left.vectors.offsets, right.vectors.offsets)
        np.testing.assert_array_equal(
            left.vectors.vectors[left.vectors.members], right.vectors.vectors[right.vectors.members]
        )


@pytest.mark.parametrize("binary", [True, False])
def test_keyed_vectors_are_what_their_file_is(tmp_path, binary):
    path = tmp_path / "vectors"
    keyed().save_word2vec_format(str(path), binary=binary)
    assert_same_terms(as_model(keyed()), load_model(path))


def test_word2vec_is_its_word_vectors():
    trained = gensim.Word2Vec(SENTENCES, vector_size=4, min_count=1, workers=1, seed=1)
    assert_same_terms(as_model(trained), as_model(trained.wv))
    assert (name_of(as_model(trained)), name_of(as_model(trained.wv))) == ("Word2Vec", "KeyedVectors")


def test_a_dict_of_vectors_is_what_its_file_is(tmp_path):
    vectors = some_vectors(*WORDS)
    model = as_model({word: vector.tolist() for word, vector in vectors.items()})
    assert_same_terms(model, load_model(write_binary(tmp_path / "vectors", vectors)))
    assert name_of(model) == "vectors"


def test_fasttext_is_what_its_file_is(fasttext_file):
    gensim = fasttext.load_facebook_vectors(str(fasttext_file))
    model = as_model(gensim)
    assert_same_terms(model, load_model(fasttext_file))
    words = ["heart", "hearts", "心臓病", "naïve", "x", "</s>"]
    found, known = model.vectors(words)
    expected, expected_known = load_model(fasttext_file).vectors(words)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(known, expected_known)
    np.testing.assert_allclose(found[:4], [gensim[word] for word in words[:4]], atol=1e-6)
    assert model.in_vocabulary(words).tolist() == [True, False, False, True, True, False]


def test_fasttext_without_ngrams_knows_its_words_alone():
    options = {"vector_size": 4, "min_count": 1, "workers": 1, "seed": 1, "bucket": 0, "max_n": 0}
    model = as_model(gensim.FastText(SENTENCES, **options))
    assert isinstance(model, WordsInMemory)
    assert model.vectors(["heart", "hearts"])[1].tolist() == [True, False]


@pytest.mark.parametrize("source", [Encoder(), LevenshteinScorer(), as_model(keyed())])
def test_a_model_is_itself(source):
    assert as_model(source) is source
    assert as_model(source, "other") is source


def test_names_and_files_are_loaded(tmp_path):
    path = write_binary(tmp_path / "vectors.bin", some_vectors(*WORDS))
    assert card_of(as_model(path, "mine", case="lower")) == load_model(path, name="mine", case="lower").card
    assert as_model("random", seed=3).card.parameters == {"seed": 3}


def test_a_name_and_how_terms_are_looked_up_may_be_given():
    card = as_model(keyed(), "mine", tokenizer="whitespace", case="lower").card
    assert (card.name, card.tokenizer, card.case, card.dim, card.family) == (
        "mine",
        "whitespace",
        "lower",
        4,
        "words",
    )
    assert card_of(as_model(keyed()), "other").name == "other"
    with pytest.raises(UnknownNameError, match="no case 'upper'"):
        as_model(keyed(), case="upper")


@pytest.mark.parametrize("make", [keyed, dict], ids=["keyed", "dict"])
def test_the_digest_tells_any_other_content(make):
    vectors = some_vectors(*WORDS)

    def digest(vectors):
        return card_of(as_model(make(vectors))).digest

    first = digest(vectors)
    assert len(first) == 64
    assert digest(dict(vectors)) == first
    moved = dict(zip(reversed(vectors), vectors.values(), strict=True))
    changed = vectors | {"heart": np.nextafter(vectors["heart"], np.float32(9))}
    fewer = {word: vector for word, vector in vectors.items() if word != "heart"}
    renamed = {word.upper(): vector for word, vector in vectors.items()}
    digests = {digest(other) for other in (vectors, moved, changed, fewer, renamed)}
    assert len(digests) == 5


def test_the_digest_of_a_dict_does_not_depend_on_its_order():
    vectors = some_vectors(*WORDS)
    turned = dict(reversed(vectors.items()))
    assert card_of(as_model(vectors)).digest == card_of(as_model(turned)).digest


def test_the_digest_follows_a_model_that_changes():
    vectors = keyed()
    model = as_model(vectors)
    before = card_of(model).digest
    vectors.vectors[0, 0] += 1
    assert card_of(model).digest != before


def test_the_digest_tells_words_that_have_changed_places():
    matrix = np.eye(2, dtype=np.float32)
    card = as_model({"a": [1.0]}).card
    one, two = WordsInMemory({"a": 0, "b": 1}, matrix, card), WordsInMemory({"a": 1, "b": 0}, matrix, card)
    assert one.content_digest() != two.content_digest()


def test_the_digest_of_fasttext_tells_other_ngrams(fasttext_file):
    gensim = fasttext.load_facebook_vectors(str(fasttext_file))
    before = card_of(as_model(gensim)).digest
    gensim.vectors_ngrams[-1, -1] += 1
    changed = card_of(as_model(gensim)).digest
    gensim.max_n += 1
    assert len({before, changed, card_of(as_model(gensim)).digest}) == 3


@pytest.mark.parametrize("chunk", [1, 40, 1 << 24])
def test_a_matrix_is_digested_in_pieces(monkeypatch, chunk):
    matrix = np.asfortranarray(np.random.default_rng(0).standard_normal((7, 5)))
    words = {str(row): row for row in range(7)}
    state = hashlib.sha256(b'["", ["0", "1", "2", "3", "4", "5", "6"]]')
    state.update(np.arange(7).astype("<i8").tobytes())
    state.update(b"[7, 5]")
    state.update(matrix.astype("<f4").tobytes("C"))
    monkeypatch.setattr(in_memory, "_CHUNK", chunk)
    assert WordsInMemory(words, matrix, as_model(keyed()).card).content_digest() == state.hexdigest()


def test_an_encoder_has_no_digest():
    card = card_of(as_model(Encoder()))
    assert (card.name, card.digest, card.family) == ("Encoder", "", "vectors")


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        (keyed(), True),
        (Encoder(), True),
        ({"flu": [1.0, 2.0]}, True),
        ({"flu": np.ones(2)}, True),
        ({"mine": keyed()}, False),
        ({"mine": Encoder()}, False),
        ({"mine": "vectors.bin"}, False),
        ({"mine": {"flu": [1.0]}}, False),
        ({}, False),
        ([keyed()], False),
        (3, False),
    ],
)
def test_a_dict_of_models_is_not_a_model(source, answer):
    assert is_model(source) is answer


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (3, "a int is not a model: a model is a file, .* KeyedVectors"),
        ({"mine": keyed()}, "a dict is not a model"),
        ({"flu": [1.0], "gout": [1.0, 2.0]}, r"vectors of shape \(2,\) and \(1,\)"),
        ({"flu": [1.0], "gout": ["x"]}, "a value that is not a list of numbers"),
        ({"flu": [1.0], 3: [2.0]}, "this dict has words that are not text"),
        (gensim.KeyedVectors(vector_size=4), "this KeyedVectors has no words"),
    ],
)
def test_what_cannot_be_a_model_is_reported(source, problem):
    with pytest.raises(InputError, match=problem):
        as_model(source)


def test_what_is_not_a_model_has_no_family():
    with pytest.raises(InputError, match="a int is not a model: it has none of the methods vectors, encode"):
        family_of(3)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_a_vector_that_is_not_finite_is_an_error_as_in_a_file(value):
    model = as_model({"flu": [value, 1.0], "gout": [1.0, 1.0]})
    assert model.vectors(["gout"])[1].all()
    with pytest.raises(InputError, match="infinite or not a number"):
        model.vectors(["flu"])


def test_gensim_is_not_loaded_to_know_its_models():
    code = (
        "import sys; from medgauge.models.in_memory import as_model; as_model({'a': [1.0]}); "
        "assert 'gensim' not in sys.modules"
    )
    assert run([sys.executable, "-c", code]).returncode == 0
