"""CoNLL-U against a reader of one sentence after another, and rows that are wrong."""

import gzip

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.corpus.passages import UnreadParts
from medgauge.corpus.readers.conllu import conllu_layout, read_conllu
from medgauge.errors import FileError
from tests.support.articles import CONLLU


def read(path, layout="parsed"):
    unread = UnreadParts(path)
    return pl.concat([batch.rows() for batch in read_conllu(path, unread, layout)]), unread


def test_words_have_their_tags_and_ranges_and_empty_nodes_are_no_words(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("\ufeff" + CONLLU.replace("\n", "\r\n"), newline="")
    assert conllu_layout(path) == "parsed"
    frame, unread = read(path)
    assert frame.rows() == [
        (
            0, "301", "0370270",
            ["Gout", "is", "n't", "very", "rare"],
            ["gout", "be", "not", "very", "rare"],
            ["NOUN", "AUX", "PART", "ADV", "ADJ"],
            [5, 5, 5, 5, 0],
            ["nsubj", "cop", "advmod", "advmod", "root"],
        ),
        (
            1, "302", None,
            ["Gout", "hurts"], ["gout", "hurt"], ["NOUN", "VERB"], [2, 0], ["nsubj", "root"],
        ),
    ]  # fmt: skip
    assert unread.count == 0


def test_without_universal_tags_those_of_the_source_are_used_and_without_heads_there_is_no_parse(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("1\tGout\tgout\t_\tNN\t_\t_\t_\t_\t_\n")
    assert conllu_layout(path) == "tagged"
    assert read(path, "tagged")[0].select("tokens", "lemmas", "pos").row(0) == (["Gout"], ["gout"], ["NN"])


CELL = st.text("abé_ .", min_size=1, max_size=5).filter(lambda text: not text.isspace())
SENTENCE = st.lists(st.tuples(CELL, CELL, st.sampled_from(["NOUN", "VERB"])), min_size=1, max_size=4)


@given(st.lists(SENTENCE, min_size=1, max_size=5))
def test_sentences_are_those_that_were_written(tmp_path_factory, sentences):
    path = tmp_path_factory.mktemp("conllu") / "a.conllu"
    rows = [
        "".join(
            f"{number}\t{form}\t{lemma}\t{pos}\t_\t_\t{number - 1}\tdep\t_\t_\n"
            for number, (form, lemma, pos) in enumerate(sentence, 1)
        )
        for sentence in sentences
    ]
    path.write_text("\n".join(rows), "utf-8")
    frame, _ = read(path)
    for row, sentence in zip(frame.iter_rows(named=True), sentences, strict=True):
        assert row["tokens"] == [form for form, *_ in sentence]
        assert row["lemmas"] == [lemma if lemma != "_" else form for form, lemma, _ in sentence]
        assert row["heads"] == list(range(len(sentence)))


@pytest.mark.parametrize(
    ("wrong", "right", "complaint"),
    [
        ("\tNOUN\tNN\t_\t2\t", "\tNOUN\t2\t", "line 14: the row has 8 of the 10 columns of CoNLL-U"),
        ("2\thurts", "3\thurts", "line 15: the word does not have the number 2"),
        ("2\thurts", "hurt-1\thurts", "line 15: the word does not have the number 2"),
        ("2\thurts\t", "2\t\t", "line 15: the form, the lemma or the part of speech is empty"),
        ("2\thurts\thurt\t", "2\thurts\t\t", "line 15: the form, the lemma or the part"),
        ("_\t2\tnsubj", "_\t3\tnsubj", "line 14: the head is not the number of one of the 2 words"),
        ("_\t2\tnsubj", "_\t1\tnsubj", "line 14: the word is its own head"),
        ("_\t2\tnsubj", "_\t_\tnsubj", "line 14: the head is not"),
    ],
)
def test_a_wrong_row_is_named_with_its_line(tmp_path, wrong, right, complaint):
    path = tmp_path / "a.conllu"
    path.write_text(CONLLU.replace(wrong, right))
    with pytest.raises(FileError, match=complaint):
        read(path)


def test_a_word_without_tags_and_one_that_is_not_utf8_are_refused(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("1\tGout\t_\tNOUN\t_\t_\t_\t_\t_\t_\n")
    with pytest.raises(FileError, match="line 1: the word has no lemma"):
        conllu_layout(path)
    path.write_bytes(b"1\tG\xffut\tgout\tNOUN\t_\t_\t0\troot\t_\t_\n")
    with pytest.raises(FileError, match="line 1: byte 0xff is not valid UTF-8"):
        conllu_layout(path)
    path.write_text("# nothing\n")
    with pytest.raises(FileError, match="has no sentences"):
        conllu_layout(path)


def test_whole_sentences_before_the_end_of_a_cut_file_are_kept(tmp_path):
    path = tmp_path / "a.conllu.gz"
    packed = gzip.compress(CONLLU.encode() * 500, compresslevel=0)
    path.write_bytes(packed[: len(packed) // 2])
    frame, unread = read(path)
    assert 0 < frame.height < 1000
    assert unread.parts[0].place.startswith("after line")
