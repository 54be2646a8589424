import math

import numpy as np
import polars as pl
import pytest

from medgauge.errors import FileError, UnknownNameError
from medgauge.files.digests import sha256_of
from medgauge.strata.attributes import Attribute, read_attribute


def write(path, text):
    path.write_text(text, "utf-8")
    return path


def values(attribute, *terms):
    return [None if math.isnan(value) else value for value in attribute.of(list(terms)).tolist()]


def test_a_term_has_the_smallest_value_of_its_words(tmp_path):
    path = write(tmp_path / "t.csv", "word,frequency,subjects\nrenal,40,3\nfailure,90,\nIL-2,7,1\ncafé,5,2\n")
    frequency = read_attribute(path, "frequency")
    assert frequency.digest == sha256_of(path)
    terms = ("Renal failure", "FAILURE", "renal disease", "il-2", "IL-2 (renal)", "cafe\u0301", "...")
    assert values(frequency, *terms) == [40, 90, None, None, 7, 5, None]
    assert values(read_attribute(path, "subjects"), "renal", "renal failure") == [3, None]


def test_a_term_that_stands_in_the_table_has_its_own_value():
    attribute = Attribute("frequency", {"heart": 9.0, "attack": 8.0, "heart attack": 2.0}, "")
    assert values(attribute, "heart attack", "Heart Attack", "heart") == [2, 2, 9]


def test_tsv_and_parquet_are_read_alike(tmp_path):
    tsv = write(tmp_path / "t.tsv", "w\tn\nflu\t3\ncold\tNA\n")
    parquet = tmp_path / "t.parquet"
    pl.DataFrame({"w": ["flu", "cold"], "n": [3, None]}).write_parquet(parquet)
    assert read_attribute(tsv, "n").values == read_attribute(parquet, "n").values == {"flu": 3.0}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("word,n\nflu,3\nflu,4\n", "line 3: the word occurs a second time"),
        ("word,n\ncafé,3\ncafe\u0301,4\n", "line 3: the word occurs a second time"),
        ("word,n\nflu,many\n", "line 2: the value of column 'n' is not a number"),
        ("word,n\n,3\n", "line 2: the word is blank"),
        ("word\nflu\n", "has only one column"),
        ("word,n\nflu\n", "line 2: the row has 1 fields"),
        ("", "the file is empty"),
    ],
)
def test_a_bad_table_is_named_with_its_place_and_no_word(tmp_path, text, said):
    path = write(tmp_path / "t.csv", text)
    with pytest.raises(FileError) as raised:
        read_attribute(path, "n")
    assert said in str(raised.value)
    assert "flu" not in str(raised.value)


def test_an_unknown_attribute_names_those_there_are(tmp_path):
    path = write(tmp_path / "t.csv", "word,frequency\nflu,3\n")
    with pytest.raises(
        UnknownNameError, match=r"no attribute in t\.csv called 'subjects'; choose from: frequency"
    ):
        read_attribute(path, "subjects")
    with pytest.raises(UnknownNameError):
        read_attribute(path, "word")


def test_no_terms_have_no_values():
    assert np.array_equal(Attribute("n", {}, "").of([]), [])


def test_frequencies_of_a_german_spreadsheet_are_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("Wort;Häufigkeit\nfièvre;3,5\nGicht;\n".encode("utf-16"))
    assert read_attribute(path, "Häufigkeit").values == {"fièvre": 3.5}
