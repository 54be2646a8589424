import json
import math
import os
import sys

import polars as pl
import pytest

import medgauge
from medgauge.errors import InputError, MissingExtraError, UndefinedWarning
from medgauge.models.load import load_model
from medgauge.progress import hearing
from tests.ner.tiny_corpora import QUICK, telling_vectors, write_corpus
from tests.support.processes import running
from tests.support.tiny_models import save_bert
from tests.vectors import write_binary, write_text

pytestmark = pytest.mark.filterwarnings("ignore::medgauge.errors.CoverageWarning")


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path / "tiny")


@pytest.fixture
def vectors(tmp_path):
    """Two files of word vectors."""
    return [
        write_binary(tmp_path / "one.bin", telling_vectors()),
        write_text(tmp_path / "two.txt", telling_vectors(dim=4, seed=1)),
    ]


def recognise(models, corpora, **options):
    return medgauge.entity_recognition(models, corpora, **QUICK | {"device": "cpu"} | options)


def remarks(call):
    heard = []
    with hearing(heard.append):
        found = call()
    return found, heard


def test_vectors_that_tell_entities_beat_random_ones(corpus, vectors):
    found = recognise(vectors[0], corpus, random=True, epochs=8, resamples=999)
    mine, control = (found.f_by_model()[name, "tiny"] for name in ("one", "random-6"))
    assert mine.f > control.f + 0.1
    assert mine.low < mine.f < mine.high
    [contest] = found.contests
    [difference] = contest.differences
    assert (difference.model_1, difference.significant) == ("one", True)
    assert difference.value == pytest.approx(mine.f - control.f)
    assert [one.letters for one in contest.models] == ["a", "b"]


def test_figures_are_the_means_of_the_trials(corpus, vectors):
    found = recognise(vectors[0], corpus, trials=3)
    [whole] = [one for one in found.figures if one.type is None]
    trials = [one.f for one in found.trials]
    assert whole.f == pytest.approx(sum(trials) / 3)
    assert whole.deviation == pytest.approx(pl.Series(trials).std())
    for one in found.trials:
        assert one.f == pytest.approx(2 * one.right / (one.found + one.gold))
    assert {one.type for one in found.figures} == {None, "gene", "drug"}
    assert found.contests == []


def test_a_model_has_the_same_figures_alone_and_beside_others(tmp_path, corpus, vectors):
    other = write_corpus(tmp_path / "other", count=40, kinds=("gene",))
    alone = recognise(vectors[1], corpus)
    beside = recognise(vectors, [other, corpus], random=True)
    for one, both in ((alone.figures, beside.figures), (alone.trials, beside.trials)):
        own = [figure for figure in both if (figure.model, figure.corpus) == ("two", "tiny")]
        assert [figure.model_dump_json() for figure in one] == [figure.model_dump_json() for figure in own]


def test_the_same_seed_gives_the_same_bytes_and_another_one_does_not(tmp_path, corpus, vectors):
    results = [
        recognise(vectors, corpus, out=tmp_path / f"{number}", seed=number // 2) for number in range(3)
    ]
    assert results[0].to_json() == results[1].to_json()
    assert results[0].trials != results[2].trials
    files = sorted(path.relative_to(tmp_path / "0") for path in (tmp_path / "0").rglob("*.*"))
    assert len(files) == 2 + 4
    for name in files:
        assert (tmp_path / "0" / name).read_bytes() == (tmp_path / "1" / name).read_bytes()


def test_a_stored_result_is_loaded_shown_and_correlated(tmp_path, corpus, vectors):
    models = {"a": vectors[0], "b": vectors[1], "c": telling_vectors(seed=5)}
    found = recognise(models, corpus, out=tmp_path / "ner")
    assert medgauge.load_result(tmp_path / "ner") == found
    assert medgauge.EntityRecognition.load(tmp_path / "ner") == found
    table = pl.read_csv(tmp_path / "ner" / "f-scores.csv")
    assert table["model"].to_list() == ["a", "b", "c"]
    similarity = pl.DataFrame({"model": ["a", "b", "c"], "set": [0.1, 0.5, 0.2]})
    ways = [found, tmp_path / "ner", tmp_path / "ner" / "results.json", tmp_path / "ner" / "f-scores.csv"]
    r = [medgauge.correlate(similarity, one).correlations[0] for one in ways]
    assert {(one.extrinsic, one.n) for one in r} == {("tiny", 3)}
    assert [one.r for one in r] == pytest.approx([r[0].r] * len(ways))


def test_a_corpus_called_model_leaves_the_names_of_models_in_the_table(tmp_path, corpus, vectors):
    found = recognise(vectors, {"model": corpus}, out=tmp_path / "ner", epochs=1)
    table = pl.read_csv(tmp_path / "ner" / "f-scores.csv")
    assert table.columns == ["", "model"]
    assert table[""].to_list() == [card.name for card in found.models]


def test_the_same_again_trains_nothing_and_something_else_is_refused(tmp_path, corpus, vectors):
    out = tmp_path / "ner"
    first = recognise(vectors[0], corpus, out=out)
    again, heard = remarks(lambda: recognise(vectors[0], corpus, out=out))
    assert again == first
    assert heard == [f"{out} already holds this result: nothing had to be trained"]
    with pytest.raises(InputError, match="holds a result with different settings; choose another folder"):
        recognise(vectors[0], corpus, out=out, epochs=2)
    with pytest.raises(InputError, match="different models"):
        recognise(vectors, corpus, out=out)


def test_more_trials_models_and_corpora_train_only_what_is_new(tmp_path, corpus, vectors):
    out = tmp_path / "ner"
    recognise(vectors[0], corpus, out=out)
    other = write_corpus(tmp_path / "other", count=30)
    more = {"trials": 3, "replace": True}
    found, heard = remarks(lambda: recognise(vectors, [corpus, other], out=out, **more))
    assert heard == ["resuming: 2 of 12 networks are kept"]
    assert found == recognise(vectors, [corpus, other], trials=3)


def test_a_recognition_that_was_killed_goes_on(tmp_path, corpus, vectors):
    program = f"""
import medgauge, threading, warnings
warnings.simplefilter("ignore")
from medgauge.ner import recognition_folder
kept = recognition_folder.RecognitionFolder.keep_trained
first = threading.Lock()
def slowly(folder, *rest):
    first.acquire()  # and never released: the other network is not kept
    kept(folder, *rest)
    print("kept", flush=True)
    input()
recognition_folder.RecognitionFolder.keep_trained = slowly
medgauge.entity_recognition({str(vectors[0])!r}, {str(corpus)!r}, out="ner", device="cpu", **{QUICK!r})
"""
    packages = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with running([sys.executable, "-c", program], cwd=tmp_path, env=packages, stdin=-1, stdout=-1) as process:
        assert process.stdout.readline() == "kept\n"
        process.kill()
        process.wait()
    assert not (tmp_path / "ner").exists()
    found, heard = remarks(lambda: recognise(vectors[0], corpus, out=tmp_path / "ner"))
    assert heard == ["resuming: 1 of 2 networks are kept"]
    assert found == recognise(vectors[0], corpus)
    assert not (tmp_path / "ner.partial").exists()


def test_a_model_in_memory_that_may_have_changed_is_digested(tmp_path, corpus):
    vectors = telling_vectors()
    recognise(vectors, corpus, out=tmp_path / "ner")
    vectors["word0"] = vectors["word0"] + 1
    with pytest.raises(InputError, match="different models"):
        recognise(vectors, corpus, out=tmp_path / "ner")


def test_a_corpus_without_a_development_part_is_said_and_stored(tmp_path, vectors):
    folder = write_corpus(tmp_path / "tiny", devel=False)
    found, heard = remarks(lambda: recognise(vectors[0], folder))
    assert len(heard) == 1
    assert "no development part" in heard[0]
    [used] = found.corpora
    assert used.devel_taken
    assert (used.train.sentences, used.devel.sentences) == (54, 6)
    assert "the development part is the last tenth of the training part" in found.to_markdown()


def test_a_bad_corpus_leaves_nothing_behind(tmp_path, corpus, vectors):
    (corpus / "test.tsv").write_text("a\tB-gene\nb\tQ-gene\n")
    with pytest.raises(InputError, match=r"test\.tsv, line 2: the label"):
        recognise(vectors[0], corpus, out=tmp_path / "ner")
    assert not list(tmp_path.glob("ner*"))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"window": 4}, "a window has as many words on either side"),
        ({"alpha": 1.5}, "alpha must be between 0 and 1"),
        ({"correction": "sidak"}, "there is no correction 'sidak'"),
        ({"resamples": 0}, "resamples must be between 1 and 1,000,000"),
        ({"confidence": 2}, "the confidence must be between 0 and 1"),
        ({"device": "tpu"}, "there is no device 'tpu'"),
    ],
)
def test_options_out_of_range_are_refused(corpus, vectors, options, problem):
    with pytest.raises(InputError, match=problem):
        recognise(vectors[0], corpus, **options)


def test_a_package_that_is_missing_is_named_with_its_extra(monkeypatch, corpus, vectors):
    monkeypatch.setattr("medgauge.ner.entity_recognition.find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r"needs the package torch: .*\[ner\]"):
        recognise(vectors[0], corpus)


def test_a_network_that_diverged_is_warned_of_and_not_only_given_no_f(corpus):
    huge = {word: 1e37 * vector for word, vector in telling_vectors().items()}
    with pytest.warns(UndefinedWarning, match=r"^huge on tiny: training diverged in 2 of 2 trials"):
        found = recognise({"huge": huge}, corpus, rate=100.0)
    assert all(math.isnan(one.loss) for one in found.trials)


def test_few_sentences_and_few_resamples_are_warned_of(corpus, vectors):
    with pytest.warns(medgauge.MedgaugeWarning) as caught:
        recognise(vectors, corpus, resamples=19, epochs=1)
    texts = [str(one.message) for one in caught]
    assert "tiny has 30 test sentences: its intervals and tests mean little" in texts
    assert any("with 19 resamples no difference can be significant" in text for text in texts)


def test_an_encoder_reads_the_words_of_the_corpus(tmp_path, corpus):
    folder = save_bert(tmp_path / "bert", context=200)
    model = load_model(f"hf:{folder}?words=first", name="bert", tokenizer="whitespace", device="cpu")
    found = recognise([model, telling_vectors()], corpus, epochs=1)
    assert found.models[0].tokenizer == "whitespace"
    tokens = found.corpora[0].test.tokens
    assert [one.test for one in found.covered] == [tokens, tokens]
    assert json.loads(found.to_json())["models"][0]["dim"] == 24
    named = recognise(f"hf:{folder}?words=first", corpus, epochs=1)
    assert named.trials[0].f == found.trials[0].f
    with pytest.raises(InputError, match="the vectors of an encoder cannot be tuned"):
        recognise(model, corpus, tune=True)
