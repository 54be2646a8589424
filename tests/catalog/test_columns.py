import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.catalog.aliases import ALIASES
from medgauge.catalog.columns import find_columns, guessed_columns, read_pairs, to_pairs
from medgauge.catalog.datasets import load_dataset, with_gold
from medgauge.errors import CoverageWarning, FileError, InputError, options_as_flags
from medgauge.pairs import Card, Pairs, PairSet
from medgauge.progress import hearing
from medgauge.tables import read_table

CARD = Card(name="mine", title="Mine")


@pytest.fixture
def pairs_of(tmp_path):
    """Read a table's text as pairs, the way load_dataset does."""

    def read(text: str, has_header: bool = True, **given: str) -> PairSet:
        path = tmp_path / "mine.csv"
        path.write_text(text, "utf-8", newline="")
        table = read_table(path, has_header=has_header)
        return with_gold(to_pairs(table, find_columns(table, given), CARD))

    return read


@pytest.fixture
def parquet_pairs(tmp_path):
    def read(columns: Mapping[str, object], **given: str) -> PairSet:
        path = tmp_path / "mine.parquet"
        pl.DataFrame(columns).write_parquet(path)
        table = read_table(path)
        return with_gold(to_pairs(table, find_columns(table, given), CARD))

    return read


@pytest.mark.parametrize(
    "header",
    [
        "term_1,term_2,gold",
        "Term1,Term2,Mean",
        "TERM 1,TERM 2,Score",
        "word1,word2,similarity",
        "text-1,text-2,relatedness",
        "sentence1,sentence2,gold_score",
        "snomed_label_1,snomed_label_2,mean_rating",
    ],
)
def test_columns_are_found_in_several_spellings(pairs_of, header):
    pairs = pairs_of(f"{header}\nangina,chest pain,3.5\n")
    assert pairs.frame.rows() == [("1", "angina", "chest pain", 3.5)]
    assert pairs.frame.columns == ["pair_id", "term_1", "term_2", "gold"]


@pytest.mark.parametrize(("ours", "alias"), [(ours, one) for ours, all_ in ALIASES.items() for one in all_])
def test_every_alias_is_written_as_names_are_compared(ours, alias):
    assert alias == "".join(filter(str.isalnum, alias)).lower(), ours


@pytest.mark.parametrize("header", ["label", "Class", "is_synonym", "same"])
def test_a_column_of_labels_is_found(pairs_of, header):
    pairs = pairs_of(f"term_1,term_2,{header}\na,b,1\nc,d,0\n")
    assert pairs.labelled
    assert pairs.frame["label"].to_list() == [1, 0]


def test_columns_given_by_the_user_come_before_those_found_by_name(pairs_of):
    text = "term_1,term_2,gold,left,right,mine\na,b,1.5,c,d,2.5\n"
    pairs = pairs_of(text, term_1="left", term_2="right", gold="mine")
    assert pairs.frame.rows() == [("1", "c", "d", 2.5)]


def test_the_user_may_swap_the_terms(pairs_of):
    pairs = pairs_of("term_1,term_2,gold\na,b,1.5\n", term_1="term_2", term_2="term_1")
    assert pairs.frame.select("term_1", "term_2").row(0) == ("b", "a")


def test_a_given_label_comes_before_a_gold_found_by_name(pairs_of):
    pairs = pairs_of("term_1,term_2,gold,mine\na,b,1.5,1\nc,d,2.5,0\n", label="mine")
    assert pairs.frame["label"].to_list() == [1, 0]
    assert "gold" not in pairs.frame.columns


@pytest.mark.parametrize("name", ["score", "similarity", "gold"])
def test_a_given_label_may_be_a_column_whose_name_means_gold(pairs_of, name):
    pairs = pairs_of(f"term_1,term_2,{name}\na,b,1\nc,d,1\n", label=name)
    assert pairs.labelled
    assert pairs.frame["label"].to_list() == [1, 1]


def test_a_given_gold_may_be_a_column_whose_name_means_label(pairs_of):
    assert pairs_of("term_1,term_2,class\na,b,1.5\n", gold="class").gold.tolist() == [1.5]


def test_a_given_second_term_may_be_a_column_whose_name_means_the_first(pairs_of):
    pairs = pairs_of("word1,term1,gold\na,b,1.5\n", term_2="term1")
    assert pairs.frame.select("term_1", "term_2").row(0) == ("a", "b")


def test_gold_comes_before_labels_when_nothing_is_said(pairs_of):
    pairs = pairs_of("term_1,term_2,gold,label\na,b,1.5,1\n")
    assert pairs.target == "gold"
    assert "label" not in pairs.frame.columns


@pytest.mark.parametrize("option", ["term_1", "term_2", "gold", "label"])
def test_a_wrong_column_name_lists_those_that_there_are(pairs_of, option):
    with pytest.raises(
        FileError, match=r"mine\.csv: there is no column 'nope'; choose from: term_1, term_2, gold"
    ):
        pairs_of("term_1,term_2,gold\na,b,1\n", **{option: "nope"})


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        (
            "x,term_2,gold",
            "found no column for term_1 among x, term_2, gold; name it with term_1='COLUMN'",
        ),
        (
            "term_1,x,gold",
            "found no column for term_2 among term_1, x, gold; name it with term_2='COLUMN'",
        ),
    ],
)
def test_a_missing_column_says_which_option_names_it(pairs_of, header, problem):
    with pytest.raises(FileError, match=problem):
        pairs_of(f"{header}\na,b,1\n")


def test_a_file_without_a_header_has_columns_by_number(pairs_of):
    pairs = pairs_of("a,b,x,1.5\n", has_header=False, term_1="1", term_2="2", gold="4")
    assert pairs.frame.select("term_1", "term_2", "gold").row(0) == ("a", "b", 1.5)


def test_a_header_alone_has_no_pairs(pairs_of):
    with pytest.raises(FileError, match=r"mine\.csv: the file has a header but no pairs"):
        pairs_of("term_1,term_2,gold\n")


@pytest.mark.parametrize("blank", ["", "  ", "\u00a0"])
@pytest.mark.parametrize("column", ["term_1", "term_2"])
def test_a_blank_term_is_an_error_that_names_its_line(pairs_of, blank, column):
    row = {"term_1": "a", "term_2": "b", "gold": "1"} | {column: blank}
    with pytest.raises(FileError, match=rf"mine\.csv, line 3: the term in column '{column}' is blank"):
        pairs_of(f"term_1,term_2,gold\na,b,1\n{','.join(row.values())}\n")


def test_terms_are_stripped_and_keep_their_case_and_inner_spaces(pairs_of):
    pairs = pairs_of("term_1,term_2,gold\n  CO2 ,Chest  pain,1.5\n")
    assert pairs.terms == ["CO2", "Chest  pain"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("high", "is not a number"),
        ('"1.003,5"', "is not a number"),
        ("nan", "is not a number"),
        ("inf", "is not a number"),
        ("", "is missing"),
        ("  ", "is missing"),
    ],
)
@pytest.mark.parametrize("column", ["gold", "label"])
def test_a_gold_that_is_no_number_is_an_error_that_names_its_line(pairs_of, column, value, shown):
    text = f'term_1,term_2,{column}\na,b,1\n"two\nlines",b,1\na,b,{value}\n'
    with pytest.raises(FileError, match=rf"mine\.csv, line 5: the value of column '{column}' {shown}"):
        pairs_of(text)


@pytest.mark.parametrize(("value", "gold"), [("3", 3.0), (" 3.5 ", 3.5), ("1e-3", 0.001), ("-2", -2.0)])
def test_numbers_are_read_in_their_usual_forms(pairs_of, value, gold):
    assert pairs_of(f"term_1,term_2,gold\na,b,{value}\n").gold.tolist() == [gold]


@pytest.mark.parametrize("value", ["2", "0.5", "-1"])
def test_a_label_other_than_0_and_1_is_an_error_that_names_its_line(pairs_of, value):
    with pytest.raises(FileError, match=r"mine\.csv, line 3: the label is neither 0 nor 1"):
        pairs_of(f"term_1,term_2,label\na,b,1\nc,d,{value}\n")


def test_gold_that_is_all_0_and_1_becomes_a_label(pairs_of):
    pairs = pairs_of("term_1,term_2,score\na,b,1.0\nc,d,0\n")
    assert pairs.labelled
    assert pairs.frame.schema["label"] == pl.Int8


@pytest.mark.parametrize(("gold_as", "labelled"), [(None, True), ("labels", True), ("graded", False)])
def test_gold_of_0_and_1_became_labels_without_a_word(tmp_path, gold_as, labelled):
    path, heard = tmp_path / "pairs.csv", []
    path.write_text("term_1,term_2,gold\na,b,1.0\nc,d,0\n")
    with hearing(heard.append), options_as_flags():
        pairs = load_dataset(path, gold_as=gold_as)
    assert pairs.labelled is labelled
    assert len(heard) == (gold_as is None)
    if heard:
        assert "is taken for labels" in heard[0]
        assert "add --gold-as graded if it is graded" in heard[0]


def test_gold_said_to_be_labels_is_refused_with_other_values(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("term_1,term_2,gold\na,b,1.0\nc,d,0.5\n")
    with pytest.raises(FileError, match="line 3: the label is neither 0 nor 1"):
        load_dataset(path, gold_as="labels")
    with pytest.raises(InputError, match="kind of gold"):
        load_dataset(path, gold_as="ranks")


@pytest.mark.parametrize("values", [("0", "0"), ("1", "1"), ("0", "0.5"), ("0", "2")])
def test_gold_with_other_values_or_one_alone_stays_gold(pairs_of, values):
    assert not pairs_of("term_1,term_2,score\na,b,{}\nc,d,{}\n".format(*values)).labelled


def test_pair_ids_of_the_file_are_kept(pairs_of):
    pairs = pairs_of("pair_id,term_1,term_2,gold\n007,a,b,1.5\nx,c,d,2\n")
    assert pairs.frame["pair_id"].to_list() == ["007", "x"]


def test_a_pair_id_that_stands_twice_is_an_error_that_names_a_line(pairs_of):
    with pytest.raises(FileError, match=r"mine\.csv, line 5: the pair_id is repeated"):
        pairs_of("pair_id,term_1,term_2,gold\n1,a,b,1\n7,a,b,1\n2,a,b,1\n7,c,d,2\n")


def test_blank_ratings_are_missing_and_others_numbers(pairs_of):
    text = "term_1,term_2,gold,rater_A,rater_B\na,b,1.5,1,\nc,d,2,NA,3\ne,f,2, ,nan\n"
    frame = pairs_of(text).frame
    assert frame["rater_A"].to_list() == [1.0, None, None]
    assert frame["rater_B"].to_list() == [None, 3.0, None]


def test_a_rater_who_rated_nothing_still_has_a_column_of_numbers(pairs_of):
    frame = pairs_of("term_1,term_2,gold,rater_A\na,b,1.5,\n").frame
    assert frame.schema["rater_A"] == pl.Float64


def test_a_rating_that_is_no_number_is_an_error_that_names_its_line(pairs_of):
    with pytest.raises(FileError, match=r"mine\.csv, line 2: the value of column 'rater_A' is not a number"):
        pairs_of("term_1,term_2,gold,rater_A\na,b,1.5,high\n")


def test_columns_that_mean_nothing_to_medgauge_are_kept_as_text_under_their_names(pairs_of):
    frame = pairs_of("term_1,term_2,gold,POS,Semantic type,CUI1\na,b,1.5,N,0,C01\n").frame
    assert frame.select("POS", "Semantic type", "cui_1").row(0) == ("N", "0", "C01")


def test_of_two_columns_of_one_meaning_the_first_is_taken(pairs_of):
    assert pairs_of("term_1,Term 1,term_2,gold\na,x,b,1.5\n").terms == ["a", "b"]


def test_parquet_values_are_read_by_their_own_types(parquet_pairs):
    pairs = parquet_pairs({"word1": ["a", "b"], "word2": ["c", "d"], "score": [3, 4], "rater_A": [None, 2]})
    assert pairs.frame.rows() == [("1", "a", "c", 3.0, None), ("2", "b", "d", 4.0, 2.0)]


def test_a_zero_in_a_parquet_column_is_not_lost(parquet_pairs):
    columns = {"pair_id": [0, 1], "term_1": ["a", "b"], "term_2": ["c", "d"], "gold": [1.5, 2.0]}
    frame = parquet_pairs(columns | {"fold": [0, 1], "is_rare": [False, True]}).frame
    assert frame["pair_id"].to_list() == ["0", "1"]
    assert frame["fold"].to_list() == ["0", "1"]
    assert frame["is_rare"].to_list() == ["False", "True"]


@pytest.mark.parametrize("value", [None, float("nan")])
def test_a_missing_gold_in_parquet_is_an_error_that_names_its_row(parquet_pairs, value):
    columns = {"term_1": ["a", "b"], "term_2": ["c", "d"], "gold": [1.5, value]}
    with pytest.raises(FileError, match=r"mine\.parquet, row 2: the value of column 'gold'"):
        parquet_pairs(columns)


def test_a_missing_term_in_parquet_is_an_error_that_names_its_row(parquet_pairs):
    with pytest.raises(FileError, match=r"mine\.parquet, row 2: the term in column 'term_2' is blank"):
        parquet_pairs({"term_1": ["a", "b"], "term_2": ["c", None], "gold": [1.5, 2.0]})


def test_a_list_of_gold_columns_stands_for_their_mean(tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("term_1,term_2,Physicians,Coders\na,b,1,2\nc,d,3,3.5\n")
    columns = {"term_1": "term_1", "term_2": "term_2", "gold": ["Physicians", "Coders"]}
    assert with_gold(to_pairs(read_table(path), columns, CARD)).gold.tolist() == [1.5, 3.25]


def test_a_card_that_names_an_absent_column_is_an_error_that_lists_those_there(tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("term_1,term_2,Physicians\na,b,1\n")
    columns = {"term_1": "term_1", "term_2": "term_2", "gold": ["Physicians", "Coders"]}
    with pytest.raises(
        FileError, match="there is no column 'Coders'; choose from: term_1, term_2, Physicians"
    ):
        to_pairs(read_table(path), columns, CARD)


SPELLINGS = st.sampled_from(["{} {}", "{}_{}", "{}-{}", "{}{}", " {}.{} "])


@given(
    st.sampled_from(["term", "word", "text", "string", "concept"]),
    SPELLINGS,
    st.sampled_from([str.lower, str.upper, str.title]),
)
@settings(max_examples=50, deadline=None)
def test_case_and_punctuation_of_names_do_not_matter(tmp_path_factory, stem, spelling, change):
    first, second = (change(spelling.format(stem, number)) for number in (1, 2))
    path = tmp_path_factory.mktemp("any") / "mine.csv"
    path.write_text(f"{first},{second},{change('score')}\na,b,1.5\n")
    table = read_table(path)
    assert to_pairs(table, find_columns(table, {}), CARD).frame.row(0) == ("1", "a", "b", 1.5)


@pytest.mark.parametrize(
    "header",
    ["Begriff 1;Begriff 2;Mittelwert", "Term A;Term B;Score (0-10)", "Terme 1;Terme 2;Moyenne [0–6]"],
)
def test_names_are_guessed_generously_and_the_guess_is_said_and_kept_in_the_card(tmp_path, header):
    path, heard = tmp_path / "pairs.csv", []
    path.write_text(f"{header}\nÜbelkeit;Brechreiz;3,5\n", "utf-8")
    with hearing(heard.append):
        pairs = read_pairs(read_table(path), {}, CARD)
    one, two, gold = header.split(";")
    assert pairs.frame.rows() == [("1", "Übelkeit", "Brechreiz", 3.5)]
    assert heard == [f"{path}: terms from '{one}' and '{two}', gold from '{gold}'"]
    assert pairs.card.read_from == {"term_1": one, "term_2": two, "gold": gold}
    assert pairs.described()["read from columns"] == f"{one} (term_1), {two} (term_2), {gold} (gold)"


def test_our_own_names_are_not_remarked_on(tmp_path):
    path, heard = tmp_path / "pairs.csv", []
    path.write_text("Term 1,TERM_2,Gold,rater_A\na,b,1.5,2\n")
    with hearing(heard.append):
        read_pairs(read_table(path), {}, CARD)
    assert heard == []


def test_columns_that_were_given_are_not_remarked_on_and_overrule_the_guess(tmp_path):
    path, heard = tmp_path / "pairs.csv", []
    path.write_text("Begriff 1,Begriff 2,Mittelwert,Bewertung\na,b,1.5,2.5\n")
    given = {"term_1": "Begriff 1", "term_2": "Begriff 2", "gold": "Bewertung"}
    with hearing(heard.append):
        pairs = with_gold(read_pairs(read_table(path), given, CARD))
    assert (pairs.gold.tolist(), heard) == ([2.5], [])


def test_two_columns_that_may_be_gold_are_an_error_that_names_both_and_the_option(pairs_of):
    problem = (
        r"mine\.csv: the columns 'Mittelwert' and 'Bewertung' may both hold the gold; name one with gold="
    )
    with pytest.raises(FileError, match=problem):
        pairs_of("term_1,term_2,Mittelwert,Bewertung\na,b,1.5,2\n")


def test_a_further_name_of_gold_needs_numbers(pairs_of):
    """ "media" is a mean in Spanish, and a kind of file in English."""
    pairs = pairs_of("term_1,term_2,media,average\na,b,video,1.5\nc,d,audio,2.5\n")
    assert pairs.gold.tolist() == [1.5, 2.5]
    assert pairs.frame["media"].to_list() == ["video", "audio"]


def test_a_further_name_of_pair_ids_needs_different_values(pairs_of):
    pairs = pairs_of("term_1,term_2,gold,par\na,b,1.5,x\nc,d,2.5,x\n")
    assert pairs.frame["pair_id"].to_list() == ["1", "2"]


@pytest.mark.parametrize(
    ("gold", "label"),
    [
        ("average", "label"),
        ("Mittelwert", "Class"),
        ("Mittelwert", "Synonym"),
        ("Mittelwert", "Klasse"),
        ("Score", "Same"),
        ("score", "gleich"),
        ("gold", "label"),
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_label_column_does_not_beat_gold_whichever_names_they_have(tmp_path, gold, label, is_first):
    path, heard = tmp_path / "pairs.csv", []
    order = (gold, label) if is_first else (label, gold)
    rows = [{gold: "1.5", label: "1"}, {gold: "2.5", label: "0"}]
    lines = [f"x,y,{row[order[0]]},{row[order[1]]}" for row in rows]
    path.write_text("\n".join([f"Term 1,Term 2,{','.join(order)}", *lines]))
    with hearing(heard.append), options_as_flags():
        pairs = with_gold(read_pairs(read_table(path), {}, CARD))
    assert pairs.gold.tolist() == [1.5, 2.5]
    said = f"gold from '{gold}', no labels from '{label}'; to use these instead, add --label {label}"
    assert heard[0] == f"{path}: {said}"


def test_pairs_without_gold_are_skipped_though_all_have_a_label(tmp_path):
    text = "Begriff 1;Begriff 2;Mittelwert;Class\na;b;3,5;1\nc;d;;0\ne;f;1;0\n"
    with pytest.warns(CoverageWarning, match="1 of 3 pairs have no value in column 'Mittelwert'"):
        pairs = with_gold(_read(tmp_path, text, missing="skip"))
    assert pairs.gold.tolist() == [3.5, 1.0]


@pytest.mark.parametrize("text", ["drug", ""])
def test_a_label_column_that_holds_no_labels_is_not_remarked_on_next_to_gold(tmp_path, text):
    path, heard = tmp_path / "pairs.csv", []
    path.write_text(f"term_1,term_2,gold,label\na,b,1.5,{text}\n")
    with hearing(heard.append):
        read_pairs(read_table(path), {}, CARD)
    assert heard == []


def test_a_blank_column_of_ratings_does_not_hide_a_filled_one(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("term_1,term_2,rating,Score\na,b,,3\n")
    aliases = {"rating": ("rating", "value", "score")}
    assert guessed_columns(read_table(path), aliases, {}, further=["rating"]) == {"rating": "Score"}


@pytest.mark.parametrize("given", [{"gold": "average"}, {"label": "label"}])
def test_of_gold_and_labels_the_one_that_is_given_is_used_without_a_remark(tmp_path, given):
    path, heard = tmp_path / "pairs.csv", []
    path.write_text("term_1,term_2,label,average\na,b,1,1.5\nc,d,0,2.5\n")
    with hearing(heard.append):
        pairs = with_gold(read_pairs(read_table(path), given, CARD))
    assert (pairs.target, heard) == (*given, [])


def test_a_column_of_text_is_not_taken_for_labels(tmp_path):
    path, heard = tmp_path / "pairs.csv", []
    path.write_text("term_1,term_2,Mittelwert,Class\na,b,1.5,drug\nc,d,2.5,sign\n")
    with hearing(heard.append):
        pairs = with_gold(read_pairs(read_table(path), {}, CARD))
    assert pairs.frame.select("gold", "Class").rows() == [(1.5, "drug"), (2.5, "sign")]
    assert heard == [f"{path}: terms from 'term_1' and 'term_2', gold from 'Mittelwert'"]
    assert type(_read(tmp_path, "term_1,term_2,Class\na,b,drug\n")) is Pairs


def test_labels_that_are_truth_values_in_parquet_are_labels(parquet_pairs):
    columns = {"term_1": ["a", "b"], "term_2": ["c", "d"], "is_synonym": [True, False]}
    assert parquet_pairs(columns).frame["label"].to_list() == [1, 0]


def test_labels_come_before_a_usual_name_of_gold_that_holds_text(pairs_of):
    text = "term_1,term_2,similarity,label\na,b,high,1\nc,d,low,0\n"
    assert pairs_of(text).labelled


def test_two_columns_that_may_be_labels_do_not_matter_next_to_gold(pairs_of):
    assert pairs_of("term_1,term_2,gold,gleich,Klasse\na,b,1.5,1,0\n").gold.tolist() == [1.5]


@pytest.mark.parametrize(
    "names", ["score,mean", "mean,score", "Score,average", "mean,Mittelwert", "avg,Mittel"]
)
@pytest.mark.parametrize("blank", ["", "NA"])
def test_a_blank_column_does_not_hide_a_filled_one(pairs_of, names, blank):
    pairs = pairs_of(f"term_1,term_2,{names}\na,b,{blank},1.5\nc,d,{blank},2.5\n")
    assert pairs.gold.tolist() == [1.5, 2.5]


def test_a_blank_gold_does_not_hide_the_labels(pairs_of):
    assert pairs_of("term_1,term_2,score,Class\na,b,,1\nc,d,,0\n").labelled


def test_a_blank_column_called_gold_is_the_gold(tmp_path):
    with pytest.raises(FileError, match="line 2: the value of column 'gold' is missing"):
        _read(tmp_path, "term_1,term_2,gold,mean\na,b,,1.5\n")


def test_a_blank_column_for_ratings_to_come_is_not_gold(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("term_1,term_2,Bewertung\na,b,\nc,d,\n")
    assert type(read_pairs(read_table(path), {}, CARD)) is Pairs


MISSING = "term_1;term_2;Mittelwert\na;b;3,5\nc;d;\ne;f;1\ng;h;NA\n"


def _read(tmp_path: Path, text: str, **options: Any) -> Pairs:
    path = tmp_path / "pairs.csv"
    path.write_text(text)
    return read_pairs(read_table(path), {}, CARD, **options)


def test_a_pair_without_gold_is_refused_with_its_line_and_advice(tmp_path):
    problem = (
        r"pairs\.csv, line 3: the value of column 'Mittelwert' is missing; add missing='skip' to skip such"
    )
    with pytest.raises(FileError, match=problem):
        _read(tmp_path, MISSING)
    with options_as_flags(), pytest.raises(FileError, match="add --missing skip to skip such pairs"):
        _read(tmp_path, MISSING)


def test_pairs_without_gold_are_skipped_and_counted(tmp_path):
    said = (
        r"pairs\.csv: 2 of 4 pairs have no value in column 'Mittelwert' and are skipped, the first at line 3"
    )
    with pytest.warns(CoverageWarning, match=said):
        pairs = with_gold(_read(tmp_path, MISSING, missing="skip"))
    assert pairs.gold.tolist() == [3.5, 1.0]
    assert pairs.card.build == {"skipped_without_gold": 2}


def test_gold_that_some_pairs_lack_can_be_ignored(tmp_path):
    pairs = _read(tmp_path, MISSING, missing="ignore")
    assert (type(pairs), len(pairs)) == (Pairs, 4)


def test_a_set_without_any_gold_to_keep_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"pairs\.csv: no pair has a value in column 'gold'"):
        _read(tmp_path, "term_1,term_2,gold\na,b,\n", missing="skip")


def test_another_way_to_treat_missing_gold_is_refused(tmp_path):
    with pytest.raises(InputError, match="no way to treat missing gold 'drop'"):
        _read(tmp_path, MISSING, missing="drop")


@pytest.mark.parametrize("first", ["label,torn labrum", "mean,arterial pressure", "class,NYHA class,2"])
def test_a_first_line_with_an_alias_that_may_be_a_pair_is_not_repeated(pairs_of, first):
    with pytest.raises(FileError, match="columns of the first line") as raised:
        pairs_of(f"{first}\nfever,chill{',1' if first.count(',') > 1 else ''}\n")
    assert not any(term in str(raised.value) for term in first.split(",")[1:2])


def test_many_columns_are_not_searched_one_by_one(tmp_path, monkeypatch):
    path = tmp_path / "wide.csv"
    names = [f"x{number}" for number in range(500)]
    path.write_text(",".join(["term_1", "term_2", "gold", *names]) + "\na,b,1.5" + ",7" * 500 + "\n")
    table = read_table(path)

    class Header(tuple[str, ...]):
        def index(self, *_arguments: Any) -> int:
            raise AssertionError("the header is searched from its beginning")

    table = dataclasses.replace(table, header=Header(table.header))
    assert read_pairs(table, {}, CARD).frame.width == 504


def test_strata_with_decimal_commas_are_numbers_unless_they_are_codes(pairs_of):
    pairs = pairs_of("term_1;term_2;gold;Frequenz;Code\na;b;1,5;3,25;1,2\nc;d;2,5;;1,2,3\ne;f;3;7;x\n")
    assert pairs.frame["Frequenz"].to_list() == ["3.25", "", "7"]
    assert pairs.frame["Code"].to_list() == ["1,2", "1,2,3", "x"]


def test_a_column_called_pair_id_in_other_letters_must_still_have_ids(pairs_of):
    with pytest.raises(FileError, match=r"mine\.csv, line 3: the pair_id is repeated"):
        pairs_of("term_1,term_2,gold,Pair ID\na,b,1.5,x\nc,d,2.5,x\n")


def test_a_misspelt_column_is_answered_with_the_one_that_was_meant(tmp_path):
    path = tmp_path / "paare.csv"
    path.write_text("Begriff 1;Begriff 2;Mittelwert\na;b;1,5\n", "utf-8")
    with pytest.raises(FileError, match="there is no column 'Mitelwert'; did you mean 'Mittelwert'"):
        load_dataset(path, gold="Mitelwert")
    path.write_text("gouty arthritis;gout;1,5\na;b;1,5\n", "utf-8")
    with pytest.raises(FileError, match="choose from: the 3 columns of the first line") as caught:
        load_dataset(path, gold="gouty arthritiss")
    assert "did you mean" not in str(caught.value)
