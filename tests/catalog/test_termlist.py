import gzip

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from medgauge.catalog.termlist import as_terms, clean_terms, distinct_terms, read_terms
from medgauge.errors import FileError, InputError, MedgaugeWarning
from tests.support.workbooks import write_xlsx


@pytest.fixture
def terms_of(tmp_path):
    def read(content: str | bytes) -> list[str]:
        path = tmp_path / "terms.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_terms(path)

    return read


@pytest.mark.parametrize(
    "content",
    [
        "heart  biopsy\n\n ECG \n",
        "heart biopsy\r\nECG",
        "heart biopsy\rECG\r",
        "\ufeffheart biopsy\nECG\n",
        "\n\nheart\u00a0biopsy\n\t\nECG\n",
        "term\nheart biopsy\nECG\n",
        "Term\r\nheart biopsy\r\nECG\r\n",
        "id,term\n1,heart biopsy\n2,ECG\n3,\n",
        "id;Term;note\n1;heart biopsy;x\n2;ECG;y\n",
        "term\tid\nheart biopsy\t1\nECG\t2\n",
        '"id","term"\n1,"heart biopsy"\n2,"ECG"\n',
        gzip.compress(b"heart biopsy\nECG\n", mtime=0),
        gzip.compress(b"id,term\n1,heart biopsy\n2,ECG\n", mtime=0),
    ],
)
def test_lines_and_columns_of_terms(terms_of, content):
    assert terms_of(content) == ["heart biopsy", "ECG"]


def test_terms_with_separators_are_no_table(terms_of):
    lines = ["Pregnancy, term", "Fracture, open", 'the "so-called" term', "a;b"]
    assert terms_of("\n".join(lines)) == lines


def test_a_first_term_with_the_word_term_was_taken_for_a_header(terms_of):
    lines = ["term birth", "Term", "premature birth"]
    assert terms_of("\n".join(lines)) == lines


def test_a_line_separator_within_a_term_does_not_part_it(terms_of):
    assert terms_of("heart\u2028biopsy\nECG\x0btrace\n") == ["heart biopsy", "ECG trace"]


def test_a_column_of_parquet(tmp_path):
    path = tmp_path / "terms.parquet"
    pl.DataFrame({"id": [1, 2, 3], "Term": ["heart biopsy", None, "ECG"]}).write_parquet(path)
    assert read_terms(path) == ["heart biopsy", "ECG"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"\n \n\t\n", "has no terms"),
        (b"term\n", "has no terms"),
        (b"heart\nna\x81ve\n", "line 2: byte 0x81 is neither UTF-8 nor Windows-1252"),
        (b"fever\nheart\0\1\2\n", "line 2: is not a text file: it has control characters"),
        (b"id,term\n1,heart\n2\n", "line 3: the row has 1 fields, but 2 are expected"),
        (b"term,TERM\na,b\n", "needs one column 'term'"),
    ],
)
def test_what_is_no_list_of_terms_is_one_sentence_with_the_place(terms_of, content, said):
    with pytest.raises(FileError, match=r"terms\.txt") as raised:
        terms_of(content)
    assert said in str(raised.value)


def test_parquet_without_a_column_of_text(tmp_path):
    path = tmp_path / "terms.parquet"
    pl.DataFrame({"name": ["heart"]}).write_parquet(path)
    with pytest.raises(FileError, match="needs one column 'term'"):
        read_terms(path)
    pl.DataFrame({"term": [1.5]}).write_parquet(path)
    with pytest.raises(FileError, match="row 1: the value of column 'term' is not text"):
        read_terms(path)


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(FileError, match="there is no such file"):
        read_terms(tmp_path / "nowhere.txt")
    with pytest.raises(FileError, match="is a directory"):
        read_terms(tmp_path)


def test_nothing_is_left_of_blanks():
    assert clean_terms(["", " ", "\u00a0\t"]) == []


TERMS = [" heart  biopsy", "", "ECG", None]


@pytest.mark.parametrize(
    "given",
    [
        TERMS,
        tuple(TERMS),
        iter(TERMS),
        pl.Series(TERMS),
        pd.Series(TERMS),
        np.array(TERMS, object),
        np.array(TERMS[:3]),
        pa.array(TERMS),
        pa.chunked_array([TERMS]),
        pl.DataFrame({"id": range(4), "Term": TERMS}),
        pd.DataFrame({"anything": TERMS}),
        pa.table({"term": TERMS}),
        {"term": TERMS},
    ],
    ids=lambda given: f"{type(given).__module__}.{type(given).__name__}",
)
def test_terms_in_memory(given):
    assert as_terms(given) == ["heart biopsy", "ECG"]


def test_a_path_is_a_file_of_terms(tmp_path):
    path = tmp_path / "terms.txt"
    path.write_text("flu\ngout\n")
    assert as_terms(path) == as_terms(str(path)) == ["flu", "gout"]


def test_a_term_that_is_not_text_is_named_by_its_row():
    with pytest.raises(InputError, match="row 2 of a list of terms is not text but int"):
        as_terms(["flu", 3])


def test_a_frame_of_several_columns_needs_one_of_terms():
    with pytest.raises(InputError, match="needs one column 'term'"):
        as_terms({"a": ["flu"], "b": ["gout"]})


def test_the_column_of_terms_can_be_named(tmp_path):
    path = tmp_path / "liste.csv"
    path.write_text("Nr;Begriff\n1;Herz\n2;=Hirn\n", "utf-8")
    assert read_terms(path, term="Begriff") == ["Herz", "=Hirn"]
    assert as_terms(pl.DataFrame({"Nr": [1], "Begriff": ["Herz"]}), term="Begriff") == ["Herz"]
    with pytest.raises(FileError, match=r"liste\.csv: needs one column 'Wort'; check its name"):
        read_terms(path, term="Wort")


def test_a_sheet_is_a_list_of_terms(tmp_path):
    path = write_xlsx(
        tmp_path / "liste.xlsx", {"A": [["x"], ["y"]], "B": [["term", "id"], ["Herz", 1], [None, 2]]}
    )
    assert read_terms(path, sheet="B") == ["Herz"]
    with pytest.raises(
        FileError, match=r"liste\.xlsx: needs one column 'term'; name the column of terms with term="
    ):
        read_terms(path)


def test_a_list_of_terms_in_windows_1252_is_read_with_a_warning(terms_of):
    with pytest.warns(MedgaugeWarning, match="read as Windows-1252"):
        assert terms_of("naïve\nfièvre\n".encode("cp1252")) == ["naïve", "fièvre"]


def test_distinct_terms_are_as_they_are_written(tmp_path):
    path = tmp_path / "terms.txt"
    path.write_text("term\nheart  biopsy\n ECG\t\nheart  biopsy\nHeart  biopsy\n\n\n")
    assert distinct_terms(path) == ["heart  biopsy", "ECG", "Heart  biopsy"]


def test_a_blank_term_among_distinct_ones_is_refused_with_its_place(tmp_path):
    path = tmp_path / "terms.txt"
    path.write_text("ECG\r\n\u00a0\r\nflu")
    with pytest.raises(FileError, match=r"terms.txt, line 2: the term is blank"):
        distinct_terms(path)
    write_xlsx(tmp_path / "terms.xlsx", {"one": [["id", "term"], [1, "flu"], [2, ""]]})
    with pytest.raises(FileError, match=r"row 3: the term is blank"):
        distinct_terms(tmp_path / "terms.xlsx")


def test_a_file_of_pairs_is_not_a_list(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("term_1,term_2\nflu,gout\n")
    for read in (read_terms, distinct_terms):
        with pytest.raises(FileError, match="has pairs of terms; name one of its columns"):
            read(path)
        assert read(path, term="term_2") == ["gout"]
