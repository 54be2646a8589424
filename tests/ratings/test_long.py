import polars as pl
import pytest

from medgauge.errors import FileError
from medgauge.ratings.source import read_ratings
from tests.ratings.small import values

NAN = float("nan")


@pytest.mark.parametrize(
    "header",
    [
        "pair_id,annotator,rating",
        "Pair,RATER,Score",
        "item,coder,value",
        "Unit,user,verdict",
        "pair-id,rater_id,answer",
        "item_id,Annotator Name,Rating",
    ],
)
def test_columns_are_found_in_several_spellings(read, header):
    ratings = read(f"{header}\np2,Zoë,1\np1,Zoë,2\np1,Al-Bo,3\n")
    assert ratings.annotators == ("Zoë", "Al-Bo")
    assert ratings.pairs.rows() == [("p2",), ("p1",)]
    assert values(ratings) == [[1, None], [2, 3]]


def test_the_terms_are_the_pair_where_no_column_is(read):
    text = "word1,word2,rater,score\nflu,cold,A,1\nFlu,cold,A,2\nflu, cold ,B,3\n"
    ratings = read(text)
    assert ratings.pairs.rows() == [("1", "flu", "cold"), ("2", "Flu", "cold")]
    assert values(ratings) == [[1, 3], [2, None]]


def test_what_is_the_same_on_all_rows_of_a_pair_is_kept(read):
    text = (
        "pair,term_1,term_2,dataset,label,POS,time,annotator,rating\n"
        "7,flu,cold,easy,1,N,10:01,A,same\n8,fit,fat,hard,0,V,10:02,A,not same\n"
        "7,flu,cold,easy,1,N,10:03,B,dk\n"
    )
    ratings = read(text)
    assert ratings.pairs.columns == ["pair_id", "term_1", "term_2", "set", "label", "POS"]
    assert ratings.pairs.rows() == [
        ("7", "flu", "cold", "easy", 1, "N"),
        ("8", "fit", "fat", "hard", 0, "V"),
    ]
    assert ratings.verdicts
    assert values(ratings) == [[1, None], [0, None]]
    assert ratings.unsure.tolist() == [[False, True], [False, False]]


@pytest.mark.parametrize("column", ["term_1", "term_2", "Set", "label"])
def test_terms_sets_and_labels_that_differ_within_a_pair_are_refused(read, column):
    header = ["pair", "term_1", "term_2", "Set", "label", "annotator", "rating"]
    first = ["7", "secret", "hidden", "easy", "1", "A", "1"]
    second = list(first)
    second[5], second[header.index(column)] = "B", "0"
    text = "\n".join(",".join(row) for row in (header, first, ["8", *first[1:]], second))
    problem = (
        rf"mine\.csv, line 4: the value of column '{column}' differs from that of the same pair at line 2$"
    )
    with pytest.raises(FileError, match=problem):
        read(text)


def test_an_annotator_twice_in_a_pair_is_refused(read):
    problem = r"mine\.csv, line 5: the annotator already rated this pair, at line 2$"
    for second in ("1", "don't know"):
        with pytest.raises(FileError, match=problem):
            read(f"pair,annotator,rating\n1,A,1\n1,B,1\n2,A,1\n1,A,{second}\n")


def test_a_blank_rating_is_no_second_one(read):
    text = "pair,annotator,rating\n1,A,\n1,A,2\n1,A,-1\n2,B,\n"
    assert values(read(text, not_rated=[-1])) == [[2, None], [None, None]]


@pytest.mark.parametrize("blank", ["", "  ", "\u00a0", "rater_"])
def test_a_blank_annotator_is_refused(read, blank):
    with pytest.raises(FileError, match=r"mine\.csv, line 3: the annotator's name is blank"):
        read(f"pair,annotator,rating\n1,A,1\n1,{blank},2\n")


def test_a_blank_pair_is_refused(read):
    with pytest.raises(FileError, match=r"line 3: the pair's id in column 'pair' is blank"):
        read("pair,annotator,rating\n1,A,1\n,A,2\n")


def test_annotators_are_called_as_in_wide_tables(read):
    assert read("pair,annotator,rating\n1,rater_A,1\n1, rater_B ,1\n").annotators == ("A", "B")


def test_two_spellings_of_an_annotator_are_not_taken_for_one(read):
    with pytest.raises(FileError, match=r"line 3: .* is written differently than at line 2"):
        read("pair,annotator,rating\n1,rater_A,1\n2,A,1\n")


def test_columns_that_begin_with_rater_make_a_table_wide(read):
    ratings = read("pair,annotator,rating,rater_A\n1,x,5,2\n")
    assert ratings.annotators == ("A",)
    assert values(ratings) == [[2]]


def test_a_frame_may_be_long():
    frame = pl.DataFrame(
        {"pair": [1, 1, 2], "rater": [10, 11, 10], "rating": [1, None, 3], "fold": [0, 0, 1]}
    )
    ratings = read_ratings(frame)
    assert ratings.annotators == ("10", "11")
    assert ratings.pairs.rows() == [("1", 0), ("2", 1)]
    assert values(ratings) == [[1, None], [3, None]]


def test_a_value_that_is_missing_on_all_rows_of_a_pair_is_the_same():
    frame = pl.DataFrame({"pair": [1, 1], "rater": ["A", "B"], "rating": [1, 2], "frequency": [NAN, NAN]})
    assert read_ratings(frame).pairs.columns == ["pair_id", "frequency"]


def test_pairs_that_are_shown_again_are_not_read_twice(read):
    found = read(
        "pair,annotator,rating,Repeat\n1,A,3,false\n1,A,1,true\n2,A,0,\n1,B,2,False\n2,B,2,FALSE\n2,B,1,True\n"
    )
    assert found.values.tolist() == [[3, 2], [0, 2]]


def test_a_table_of_repeats_alone_has_nothing_to_read(read):
    with pytest.raises(FileError, match="all rows are repeats"):
        read("pair,annotator,rating,repeat\n1,A,3,true\n")


def test_a_repeat_is_true_or_false(read):
    with pytest.raises(FileError, match=r"line 2: the value of column 'repeat' is neither true nor false"):
        read("pair,annotator,rating,repeat\n1,A,3,maybe\n")
