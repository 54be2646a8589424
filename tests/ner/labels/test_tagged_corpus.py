import gzip

import pytest

from medgauge.errors import FileError, InputError
from medgauge.ner.labels.tagged_corpus import read_corpora
from medgauge.progress import hearing
from tests.ner.tiny_corpora import some_sentences, text_of, write_corpus


def converted(sentences, scheme):
    """Write BIO labels in another scheme, entity by entity."""
    made = []
    for sentence in sentences:
        labels = [label for _, label in sentence]
        for place, label in enumerate(labels):
            after = labels[place + 1] if place + 1 < len(labels) else "O"
            goes_on = after == f"I-{label[2:]}"
            if scheme == "IOBES" and label != "O":
                prefix = {("B", True): "B", ("B", False): "S", ("I", True): "I", ("I", False): "E"}
                labels[place] = f"{prefix[label[0], goes_on]}-{label[2:]}"
            elif scheme == "IOB" and label[0] == "B" and (not place or labels[place - 1][2:] != label[2:]):
                labels[place] = f"I-{label[2:]}"
        made.append([(word, label) for (word, _), label in zip(sentence, labels, strict=True)])
    return made


def test_a_corpus_is_the_same_in_every_scheme_and_compressed(tmp_path):
    corpora = {}
    for scheme in ("BIO", "IOB", "IOBES"):
        folder = tmp_path / scheme
        folder.mkdir()
        for seed, part in enumerate(("train", "dev", "test")):
            text = text_of(converted(some_sentences(30, seed=seed), scheme))
            (folder / f"{part}.conll.gz").write_bytes(gzip.compress(text.encode()))
        corpora[scheme] = folder
    read = read_corpora(corpora)
    assert [one.name for one in read] == [one.train.scheme for one in read] == list(corpora)
    assert len({one.digest for one in read}) == 1
    assert {tuple(one.train.labels) for one in read} == {tuple(read[0].train.labels)}


def test_the_digest_changes_with_a_word_a_label_and_a_sentence_end(tmp_path):
    text = text_of(some_sentences(5))
    changed = [
        text,
        text.replace("word0\tO", "word1\tO", 1),
        text.replace("B-drug", "B-gene", 1),
        text + "a\tO\n",
    ]
    digests = set()
    for number, test in enumerate(changed):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "train.txt").write_text(text_of(some_sentences(20, seed=1)))
        (folder / "test.txt").write_text(test.rstrip() + "\n")
        digests.add(read_corpora(folder)[0].digest)
    assert len(digests) == len(changed)


def test_without_a_development_part_the_last_tenth_of_training_is_taken_and_said(tmp_path):
    folder = write_corpus(tmp_path / "mine", count=60, devel=False)
    heard = []
    with hearing(heard.append):
        [corpus] = read_corpora(folder)
    said = "there is no development part; the last sentences of the training part are taken (6 of 60)"
    assert heard == [f"mine: {said}"]
    assert (corpus.train.sentences, corpus.devel.sentences, corpus.devel_taken) == (54, 6, True)
    [whole] = read_corpora({"mine": write_corpus(tmp_path / "whole", count=60)})
    assert corpus.train.words + corpus.devel.words == whole.train.words
    both = [*corpus.train.labels, *corpus.devel.labels]
    assert both == whole.train.labels.tolist()
    assert corpus.devel.starts[0] == 0
    assert corpus.devel.starts[-1] == len(corpus.devel.words)


def test_types_are_those_of_training_then_those_seen_only_elsewhere(tmp_path):
    folder = write_corpus(tmp_path / "mine", kinds=("gene",))
    with (folder / "test.tsv").open("a") as file:
        file.write("new\tB-cell\n")
    [corpus] = read_corpora(folder)
    assert corpus.types == ["gene", "cell"]


def test_sentences_for_an_encoder_have_a_space_between_words_alone(tmp_path):
    folder = write_corpus(tmp_path / "mine")
    (folder / "test.tsv").write_text("5\u00a0mg\tB-drug\nof\tO\n\nit\tO\n", "utf-8")
    [corpus] = read_corpora(folder)
    assert corpus.test.texts() == ["5mg of", "it"]


def refusal(given):
    with pytest.raises(InputError) as raised:
        read_corpora(given)
    return str(raised.value)


def test_what_is_not_a_corpus_is_refused_in_a_sentence(tmp_path):
    folder = write_corpus(tmp_path / "mine")
    assert "there is no such folder" in refusal(tmp_path / "other")
    assert "is a file; give the folder that it is in" in refusal(folder / "train.tsv")
    (folder / "train.txt.gz").write_bytes(b"x")
    assert "has both train.tsv and train.txt.gz; remove one" in refusal(folder)
    (folder / "train.txt.gz").unlink()
    (folder / "test.tsv").rename(folder / "tests.tsv")
    assert "has no file test.tsv" in refusal(folder)
    assert refusal([]) == "no corpus was given"
    assert "two corpora are called 'mine'" in refusal([folder, folder])


@pytest.mark.parametrize("part", ["train", "test"])
def test_a_part_without_an_entity_is_refused(tmp_path, part):
    folder = write_corpus(tmp_path / "mine")
    (folder / f"{part}.tsv").write_text("a\tO\n\nb\tO\n")
    assert refusal(folder) == f"{folder / f'{part}.tsv'}: has no entity: every label is O"


def test_a_training_part_that_is_too_small_to_take_a_tenth_of_is_refused(tmp_path):
    folder = write_corpus(tmp_path / "mine", devel=False)
    (folder / "train.tsv").write_text("a\tB-gene\n")
    assert "has one sentence; no development part can be taken from it" in refusal(folder)
    (folder / "train.tsv").write_text("a\tO\n\nb\tB-gene\n")
    assert "has no entity before its last tenth" in refusal(folder)


def test_a_bad_row_names_its_file(tmp_path):
    folder = write_corpus(tmp_path / "mine")
    (folder / "devel.tsv").write_text("a\tO\tO\nb\tO\n")
    with pytest.raises(FileError, match=r"devel\.tsv, line 2"):
        read_corpora(folder)
