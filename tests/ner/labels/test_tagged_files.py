import gzip

import pytest

from medgauge.errors import FileError
from medgauge.ner.labels.tagged_files import read_tagged


def read(tmp_path, text):
    path = tmp_path / "train.tsv"
    path.write_text(text, "utf-8")
    return read_tagged(path)


def test_words_labels_and_sentences_are_read(tmp_path):
    tokens = read(tmp_path, "The\tO\nBRCA1\tB-gene\ngene\tI-gene\n\nNo\tO\n")
    assert tokens.words == ["The", "BRCA1", "gene", "No"]
    assert tokens.tags.starts.tolist() == [0, 3, 4]
    assert tokens.tags.prefixes.tolist() == [0, 1, 2, 0]
    assert tokens.types == ["gene"]


def test_the_label_is_the_last_column_and_those_between_are_skipped(tmp_path):
    tokens = read(tmp_path, "EU\tNNP\tB-NP\tB-ORG\nrejects\tVBZ\tB-VP\tO\n")
    assert (tokens.words, tokens.types) == (["EU", "rejects"], ["ORG"])


def test_labels_without_a_type_are_of_one_type(tmp_path):
    assert read(tmp_path, "a\tB\nb\tI\nc\tO\n").types == ["entity"]


def test_a_type_may_contain_a_hyphen(tmp_path):
    assert read(tmp_path, "a\tB-cell-line\n").types == ["cell-line"]


def test_marks_of_documents_are_left_out(tmp_path):
    tokens = read(tmp_path, "-DOCSTART-\tO\n\na\tO\n\n-DOCSTART-\tO\n\nb\tB-x\n")
    assert (tokens.words, tokens.tags.starts.tolist()) == (["a", "b"], [0, 1, 2])
    assert tokens.tags.types.tolist() == [0, 0]


def test_compressed_files_and_windows_line_ends_are_read(tmp_path):
    path = tmp_path / "train.tsv.gz"
    path.write_bytes(gzip.compress(b"a\tB-x\r\nb\tO\r\n\r\nc\tO\r\n\r\n"))
    tokens = read_tagged(path)
    assert (tokens.words, tokens.types, tokens.tags.starts.tolist()) == (["a", "b", "c"], ["x"], [0, 2, 3])


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a\tO\nb\tB-x\tB-x\n", 2, "the row has 3 columns, and those before it 2"),
        ("a\tb\tO\nc\tO\n", 2, "the row has 2 columns, and those before it 3"),
        ("a O\n", 1, "the row has 1 column; write a word and its label, separated by a tab"),
        (
            "a\tO\nb\tX-gene\n",
            2,
            "the label, in the last column, is neither O nor B-",
        ),
        ("a\tO\nb\tb-gene\n", 2, "is neither O nor B-"),
        ("a\tO\nb\tB-\n", 2, "is neither O nor B-"),
        ("a\tO-gene\n", 1, "is neither O nor B-"),
        ("a\tO\n\n\nb\tO\n", 3, "a sentence is empty: there is a blank line too many"),
        ("\na\tO\n", 1, "a sentence is empty"),
        ("a\tO\n \tO\n", 2, "the word before the label is blank"),
        (f"a\tB-{'x' * 200}\n", 1, "is neither O nor B-"),
        ("a\tB-x\x1b[31m\n", 1, "is neither O nor B-"),
    ],
)
def test_bad_rows_are_refused_with_file_and_line(tmp_path, text, line, problem):
    with pytest.raises(FileError) as raised:
        read(tmp_path, text)
    assert str(raised.value).startswith(f"{tmp_path / 'train.tsv'}, line {line}: ")
    assert problem in str(raised.value)
    assert len(str(raised.value)) < 400


def test_a_file_of_marks_alone_is_refused(tmp_path):
    with pytest.raises(FileError, match="has no sentences"):
        read(tmp_path, "-DOCSTART-\tO\n\n")
