import polars as pl
import pytest

from medgauge.errors import FileError, InputError
from medgauge.ratings.source import read_ratings
from tests.ratings.small import values


def test_columns_are_found_by_their_prefix_in_any_case(read):
    ratings = read("term_1,term_2,rater_A,Rater_b,RATER_ Zoë \nflu,cold,1,2,3\n")
    assert ratings.annotators == ("A", "b", "Zoë")
    assert values(ratings) == [[1, 2, 3]]
    assert ratings.pairs.rows() == [("1", "flu", "cold")]
    assert not ratings.verdicts
    assert ratings.scale is None


def test_named_columns_are_the_annotators_in_the_order_of_naming(read):
    ratings = read("term_1,term_2,Ann,Bob,Cy\nflu,cold,1,2,3\n", annotators=["Cy", "Ann"])
    assert ratings.annotators == ("Cy", "Ann")
    assert values(ratings) == [[3, 1]]
    assert ratings.pairs.columns == ["pair_id", "term_1", "term_2", "Bob"]


def test_a_range_is_of_neighbouring_columns(read):
    text = "term_1,term_2,Ann,Bob,Cy,Di\nflu,cold,1,2,3,4\n"
    assert values(read(text, annotators=["Ann:Cy"])) == [[1, 2, 3]]
    assert values(read(text, annotators=["Di", "Bob : Cy"])) == [[4, 2, 3]]
    assert values(read(text, annotators=["Bob:Bob"])) == [[2]]


def test_a_column_whose_name_has_a_colon_comes_before_a_range(read):
    text = "Ann,Bob,Ann:Bob,Cy:Di\n1,2,3,4\n"
    assert read(text, annotators=["Ann:Bob"]).annotators == ("Ann:Bob",)
    assert read(text, annotators=["Bob:Cy:Di"]).annotators == ("Bob", "Ann:Bob", "Cy:Di")


def test_a_file_without_a_header_has_columns_by_number_and_terms_in_the_first_two(read):
    ratings = read("flu,cold,5,-1,x\nflu,flux,-1,0,y\n", annotators=["3:4"], header=False, not_rated=[-1])
    assert ratings.annotators == ("3", "4")
    assert values(ratings) == [[5, None], [None, 0]]
    assert ratings.pairs.rows() == [("1", "flu", "cold", "x"), ("2", "flu", "flux", "y")]
    assert ratings.pairs.columns == ["pair_id", "term_1", "term_2", "5"]


def test_a_file_without_a_header_may_have_ratings_in_its_first_columns(read):
    ratings = read("1,2,x\n", annotators=["1:2"], header=False)
    assert values(ratings) == [[1, 2]]
    assert ratings.pairs.rows() == [("1", "x")]


def test_ratings_of_annotators_who_were_not_named_describe_no_pair(read):
    text = "term_1,term_2,rater_A,rater_B,unsure_B,unsure_C\nflu,cold,1,,true,x\n"
    ratings = read(text, annotators=["rater_A"])
    assert ratings.annotators == ("A",)
    assert ratings.pairs.columns == ["pair_id", "term_1", "term_2", "unsure_C"]


def test_an_annotator_without_any_rating_is_kept(read):
    ratings = read("rater_A,rater_B\n1,\n2,NA\n")
    assert ratings.annotators == ("A", "B")
    assert values(ratings) == [[1, None], [2, None]]


def test_an_unknown_column_lists_those_that_there_are(read):
    for header in ("term_1,term_2,Ann", "left,rater_x,Ann", "left,annotator,Ann"):
        with pytest.raises(FileError, match=rf"'Annn'; there are: {header.replace(',', ', ')}$"):
            read(f"{header}\nflu,cold,1\n", annotators=["Annn"])


def test_an_unknown_column_lists_no_first_line_that_may_be_terms(read):
    with pytest.raises(FileError, match=r"there are: the 3 columns of the first line$") as raised:
        read("influenza,cold,1\nfever,chill,2\n", annotators=["3:9"])
    assert "influenza" not in str(raised.value)


def test_two_hundred_thousand_colons_took_minutes(read):
    with pytest.raises(FileError, match="there is no column or range of columns ':::"):
        read("term_1,term_2,Ann,Bob\nflu,cold,1,2\n", annotators=[":" * 200_000])


def test_a_range_that_ends_before_it_begins_is_refused(read):
    with pytest.raises(FileError, match=r"mine\.csv: the column 'Ann' comes before 'Bob'"):
        read("Ann,Bob\n1,2\n", annotators=["Bob:Ann"])


@pytest.mark.parametrize("asked", [["Ann", "Ann"], ["Ann:Bob", "Bob"]])
def test_a_column_that_is_named_twice_is_refused(read, asked):
    with pytest.raises(InputError, match=r"the column '(Ann|Bob)' is named twice among the annotators"):
        read("Ann,Bob\n1,2\n", annotators=asked)


def test_two_columns_of_one_annotator_are_refused(read):
    with pytest.raises(FileError, match=r"mine\.csv: columns 2 and 4 belong to the same annotator"):
        read("term_1,rater_A,term_2,Rater_A\nflu,1,cold,2\n")


def test_names_that_are_shown_alike_are_those_of_one_annotator():
    with pytest.raises(FileError, match=r"columns 1 and 2 belong to the same annotator"):
        read_ratings(pl.DataFrame({"rater_A\x01": [1], "rater_A\x02": [2]}))


def test_a_column_without_a_name_is_refused(read):
    with pytest.raises(FileError, match=r"column 2 has ratings but no annotator's name"):
        read("rater_A,rater_\n1,2\n")


def test_a_pair_id_that_stands_twice_is_refused(read):
    with pytest.raises(FileError, match=r"mine\.csv, line 4: the pair_id is repeated"):
        read("pair_id,rater_A\n7,1\n8,1\n7,2\n")


def test_the_same_terms_may_stand_twice(read):
    assert len(read("term_1,term_2,rater_A\nflu,cold,1\nflu,cold,2\n")) == 2


def test_a_blank_pair_id_is_refused(read):
    with pytest.raises(FileError, match=r"line 3: the pair's id in column 'Pair ID' is blank"):
        read("Pair ID,rater_A\n7,1\n ,1\n")


def test_a_column_beside_the_ratings_says_where_an_annotator_did_not_know(read):
    text = "rater_A,Unsure_A,rater_B,unsure_B\n1,false,,TRUE\n,True,2,\n"
    for ratings in (read(text), read(text, annotators=["rater_A:rater_B"])):
        assert ratings.annotators == ("A", "B")
        assert values(ratings) == [[1, None], [None, 2]]
        assert ratings.unsure.tolist() == [[False, True], [True, False]]
        assert ratings.pairs.columns == ["pair_id"]


def test_a_column_of_booleans_does():
    frame = pl.DataFrame({"Ann": [None, 1.0], "unsure_Ann": [True, None]})
    assert read_ratings(frame, annotators=["Ann"]).unsure.tolist() == [[True], [False]]


def test_it_adds_to_words_for_not_knowing(read):
    assert read("rater_A,unsure_A\n?,\n,true\n").unsure.tolist() == [[True], [True]]


def test_it_may_not_contradict_a_rating(read):
    with pytest.raises(FileError, match=r"line 3: column 'unsure_A' says .* but there is a rating"):
        read("rater_A,unsure_A\n1,false\n2,true\n")


def test_it_is_true_or_false(read):
    with pytest.raises(FileError, match=r"line 3: the value of column 'unsure_A' is neither true nor fal"):
        read("rater_A,unsure_A\n1,false\n,perhaps\n")
