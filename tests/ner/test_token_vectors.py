import numpy as np
import pytest

from medgauge.errors import InputError
from medgauge.models.base import ModelCard
from medgauge.models.in_memory import as_model
from medgauge.models.lexical import baselines
from medgauge.ner.labels.tagged_corpus import read_corpora
from medgauge.ner.token_vectors import PADDING, UNKNOWN, vector_sources
from tests.ner.tiny_corpora import telling_vectors, write_corpus


@pytest.fixture
def corpus(tmp_path):
    [found] = read_corpora(write_corpus(tmp_path / "tiny"))
    return found


def source_of(vectors, corpus, *, name="mine", **options):
    return vector_sources(
        {name: as_model(vectors, name, tokenizer="whitespace")},
        [corpus],
        **{"random": False, "seed": 0} | options,
    )


def test_each_token_has_the_vector_of_its_word(corpus):
    vectors = telling_vectors()
    [source] = source_of(vectors, corpus)
    found = source.vectors(corpus)
    for name, part in corpus.parts.items():
        rows = found.table[found.rows[name]]
        assert (rows == np.stack([vectors[word] for word in part.words])).all()
        assert found.known(name) == len(part.words)


def test_words_without_a_vector_share_one_that_is_neither_padding_nor_a_words(corpus):
    vectors = {word: own for word, own in telling_vectors().items() if not word.startswith("drug")}
    [source] = source_of(vectors, corpus)
    found = source.vectors(corpus)
    rows = found.rows["train"]
    unknown = np.array([word.startswith("drug") for word in corpus.train.words])
    assert (rows[unknown] == UNKNOWN).all()
    assert (rows[~unknown] > UNKNOWN).all()
    assert found.known("train") == int((~unknown).sum())
    assert len({tuple(row) for row in found.table}) == len(found.table)
    assert PADDING not in rows


def test_words_are_looked_up_in_lower_case_where_they_are_unknown(tmp_path, corpus):
    folder = tmp_path / "upper"
    folder.mkdir()
    for part in ("train", "devel", "test"):
        text = (tmp_path / "tiny" / f"{part}.tsv").read_text()
        (folder / f"{part}.tsv").write_text(text.replace("word", "Word"))
    [upper] = read_corpora(folder)
    [source] = source_of(telling_vectors(), upper)
    assert source.vectors(upper).known("test") == len(upper.test.words)


def test_random_vectors_have_the_words_and_the_size_of_the_others_and_nothing_else(corpus):
    vectors = {word: 3 * own for word, own in telling_vectors(dim=40).items() if word != "word3"}
    mine, control = source_of(vectors, corpus, random=True)
    own, random = mine.vectors(corpus), control.vectors(corpus)
    assert control.card.name == "random-40"
    assert control.card.trained_on == "nothing"
    assert random.table.shape == own.table.shape
    for name in corpus.parts:
        assert (random.rows[name] == own.rows[name]).all()
    assert random.table[2:].std() == pytest.approx(own.table[2:].std(), rel=0.05)
    correlation = np.corrcoef(random.table[2:].ravel(), own.table[2:].ravel())[0, 1]
    assert abs(correlation) < 0.1
    assert (control.vectors(corpus).table == random.table).all()


def test_vectors_do_not_depend_on_other_corpora(tmp_path, corpus):
    [other] = read_corpora(write_corpus(tmp_path / "other", count=100))
    model = as_model(telling_vectors(), "mine", tokenizer="whitespace")
    for place in (0, 1):
        alone = vector_sources({"mine": model}, [corpus], random=True, seed=0)[place].vectors(corpus)
        beside = vector_sources({"mine": model}, [other, corpus], random=True, seed=0)[place].vectors(corpus)
        assert (alone.table == beside.table).all()
        assert all((alone.rows[name] == beside.rows[name]).all() for name in alone.rows)


def test_random_vectors_are_added_once_for_each_size(corpus):
    models = {
        f"v{dim}{seed}": as_model(telling_vectors(dim=dim, seed=seed), "v", tokenizer="whitespace")
        for dim in (4, 6)
        for seed in (0, 1)
    }
    found = vector_sources(models, [corpus], random=True, seed=0)
    assert [one.card.name for one in found] == ["v40", "v41", "v60", "v61", "random-4", "random-6"]


def test_vectors_without_any_of_the_words_are_refused(corpus):
    [source] = source_of({"foreign": np.ones(4)}, corpus)
    with pytest.raises(InputError, match="'mine' has a vector for none of the words of 'tiny'"):
        source.vectors(corpus)


def test_models_without_vectors_of_words_are_refused(corpus):
    class Sentences:
        card = ModelCard(name="sentences", family="vectors")

        def encode(self, texts):
            return np.ones((len(texts), 2))

    for model, problem in (
        (baselines()["levenshtein"], "'levenshtein' has no vectors of words$"),
        (Sentences(), r"'sentences' has no vectors of words; for an encoder, write hf:NAME\?words=first"),
    ):
        with pytest.raises(InputError, match=problem):
            vector_sources({model.card.name: model}, [corpus], random=False, seed=0)


def test_random_vectors_need_others_and_a_name(corpus):
    with pytest.raises(InputError, match="'random-6' is the name of the random vectors"):
        source_of(telling_vectors(), corpus, name="random-6", random=True)
    with pytest.raises(InputError, match="random=True needs word vectors"):
        vector_sources({}, [corpus], random=True, seed=0)


class Encoder:
    """A vector for each word, which depends on its place; one word has none."""

    def __init__(self, tokenizer="whitespace"):
        self.card = ModelCard(name="encoder", family="words", dim=3, tokenizer=tokenizer)

    def encode_words(self, texts):
        rows, offsets = [], [0]
        for text in texts:
            for place, word in enumerate(text.split()):
                rows.append([len(word), place, 1.0] if word != "word0" else [np.nan] * 3)
            offsets.append(len(rows))
        return np.array(rows, np.float32), np.array(offsets)


def test_an_encoder_reads_whole_sentences(corpus):
    [source] = vector_sources({"encoder": Encoder()}, [corpus], random=False, seed=0)
    found = source.vectors(corpus)
    assert not source.tunable
    part = corpus.test
    for number, word in enumerate(part.words):
        row = found.rows["test"][number]
        if word == "word0":
            assert row == UNKNOWN
        else:
            place = number - part.starts[part.sentence_of[number]]
            assert found.table[row].tolist() == [len(word), place, 1.0]
    assert np.isfinite(found.table).all()


def test_an_encoder_that_splits_words_itself_is_refused(corpus):
    with pytest.raises(
        InputError, match="'encoder' splits texts into words of its own; load it with tokenizer="
    ):
        vector_sources({"encoder": Encoder("words")}, [corpus], random=False, seed=0)
