import polars as pl
import pytest

from medgauge.errors import FileError
from medgauge.ratings.source import read_ratings


def test_what_is_known_of_a_pair_has_our_names_and_the_rest_its_own(read):
    text = (
        "Source,mean,Word 2,WORD_1,Code1,CUI-2,Label,Pair_ID,rater_A,,POS\n"
        "UMLS, 1.5,  Ménière's ,CO2,007,C1,1.0,00a,1,x,N\n"
    )
    ratings = read(text)
    assert ratings.pairs.columns == (
        ["pair_id", "term_1", "term_2", "id_1", "cui_2", "set", "label", "mean", "POS"]
    )
    assert ratings.pairs.rows() == [("00a", "CO2", "Ménière's", "007", "C1", "UMLS", 1, " 1.5", "N")]
    assert ratings.pairs.schema["label"] == pl.Int8


def test_pairs_without_ids_are_numbered(read):
    assert read("rater_A\n1\n2\n").pairs.rows() == [("1",), ("2",)]


def test_one_term_alone_is_none(read):
    assert read("word1,rater_A\nflu,1\n").pairs.columns == ["pair_id", "word1"]


@pytest.mark.parametrize(
    "form",
    [
        "term_1,term_2,rater_A\nflu,cold,1\nflu, ,1\n",
        "term_1,term_2,rater,score\nflu,cold,A,1\nflu, ,A,1\n",
    ],
)
def test_a_blank_term_is_refused(read, form):
    with pytest.raises(FileError, match=r"mine\.csv, line 3: the term in column 'term_2' is blank"):
        read(form)


@pytest.mark.parametrize(
    ("cell", "problem"),
    [("2", "the label is neither 0 nor 1"), ("N", "the value of column 'label' is not a number")],
)
def test_a_label_is_0_or_1(read, cell, problem):
    with pytest.raises(FileError, match=rf"mine\.csv, line 3: {problem}"):
        read(f"label,rater_A\n1,1\n{cell},1\n")


def test_a_blank_label_is_missing(read):
    assert read("label,rater_A\n1,1\n,1\n").pairs["label"].to_list() == [1, None]


def test_columns_of_a_frame_keep_their_types():
    frame = pl.DataFrame(
        {"rater_A": [1, 2], "gold": [1.5, 2.5], "rare": [True, None], "n": [3, 4], "id_1": [7, None]}
    )
    pairs = read_ratings(frame).pairs
    assert pairs.rows() == [("1", "7", 1.5, True, 3), ("2", "", 2.5, None, 4)]
