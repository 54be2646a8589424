import math

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_series_equal
from rapidfuzz.distance import Levenshtein

from medgauge.errors import InputError, UnknownNameError
from medgauge.models.lexical import LevenshteinScorer
from medgauge.pairs import Card, Pairs, PairSet
from medgauge.strata.values import as_texts, column, column_names, filtered, is_key

TERMS = [
    ("Heart", "heart attack"),
    ("non-ST-elevation  MI", "café au lait spot"),
    ("Cafe\u0301", "CAFÉ"),
    ("flu", "flu"),
]


def pairs(**columns):
    frame = pl.DataFrame(
        {
            "pair_id": [str(number) for number in range(len(TERMS))],
            "term_1": [one for one, _ in TERMS],
            "term_2": [two for _, two in TERMS],
            "gold": [1.0, 2.0, 3.0, 4.0],
            **columns,
        }
    )
    return PairSet(frame, Card(name="mine", title="Mine"))


RATED = {
    "rater_A": [1.0, 2.0, None, None],
    "rater_B": [1.0, 3.5, 2.0, None],
    "rater_C": [2.0, 0.0, None, None],
}


def ids(kept):
    return kept.frame["pair_id"].to_list()


def test_words_are_those_of_the_longer_term_parted_by_white_space():
    assert column(pairs(), "words").to_list() == [2, 4, 1, 1]


def test_levenshtein_counts_as_the_baseline_of_that_name_does():
    """In lower case, accents composed: the distance over the longer length is the baseline's score."""
    distances = column(pairs(), "levenshtein").to_numpy()
    assert distances.tolist()[2:] == [0, 0]
    assert distances[0] == Levenshtein.distance("heart", "heart attack") == 7
    longer = [len("heart attack"), len("non-st-elevation  mi"), len("café"), len("flu")]
    assert LevenshteinScorer().score(pairs()) == pytest.approx(-distances / longer)


def test_ratings_are_counted_and_spread_where_there_are_any():
    assert column(pairs(**RATED), "different_ratings").to_list() == [2, 3, 1, None]
    assert column(pairs(**RATED), "rating_spread").to_list() == [1.0, 3.5, 0.0, None]


def test_specificity_of_a_pair_is_that_of_its_more_specific_concept():
    given = pairs(specificity_1=[3, 6, None, 2], specificity_2=["5", "1", "4", ""])
    assert column(given, "specificity").to_list() == [5.0, 6.0, None, None]
    assert "specificity" in column_names(given)
    assert "specificity" not in column_names(pairs(specificity_1=[3, 6, None, 2]))
    with pytest.raises(InputError, match="the column specificity_2 of mine is not numeric"):
        column(pairs(specificity_1=[1, 2, 3, 4], specificity_2=["a", "b", "c", "d"]), "specificity")


def test_combinations_of_semantic_types_are_unordered_and_rare_ones_are_put_together():
    one = ["Finding"] * 3 + ["Drug"] * 60 + ["Organ", None, ""]
    two = ["Drug"] * 3 + ["Finding"] * 59 + ["Organ", "Organ", "Drug", "Drug"]
    rows = {"pair_id": [str(number) for number in range(66)], "term_1": ["a"] * 66, "term_2": ["b"] * 66}
    types = {"semantic_type_1": one, "semantic_type_2": two}
    given = Pairs(pl.DataFrame(rows | types), Card(name="mine", title="Mine"))
    assert "semantic-types" in column_names(given)
    combined = column(given, "semantic-types").to_list()
    # 64 pairs have a combination, and 3% of them are 1.92.
    assert combined == ["Drug – Finding"] * 62 + ["other", "other", None, None]
    assert "semantic-types" not in column_names(pairs(semantic_type_1=["Drug"] * 4))


def test_what_adds_the_columns_was_not_said_where_they_are_missing():
    for name in ("semantic-types", "specificity"):
        column_1 = f"{name.replace('-types', '_type')}_1"
        with pytest.raises(InputError, match=rf"{name} of mine needs its columns {column_1} and .*--columns"):
            column(pairs(), name)


def test_without_ratings_there_is_no_such_column():
    assert column_names(pairs()) == ["pair_id", "term_1", "term_2", "gold", "words", "levenshtein"]
    with pytest.raises(
        UnknownNameError, match=r"no column of mine called 'different_ratings'; choose from: pair_"
    ):
        column(pairs(), "different_ratings")


def test_a_sets_own_column_wins():
    own = pairs(words=[9, 9, 9, 9])
    assert column(own, "words").to_list() == [9, 9, 9, 9]
    assert column_names(own).count("words") == 1


def test_strata_that_were_read_as_text_are_numbers_if_all_of_them_are():
    given = pairs(stdev=["0.5", " 1e1", "NA", ""], pos=["N", "", " V", "none"], code=["007", "1", "2", "3"])
    assert_series_equal(column(given, "stdev"), pl.Series("stdev", [0.5, 10.0, None, None]))
    assert column(given, "pos").to_list() == ["N", None, "V", "none"]
    assert column(given, "code").to_list() == ["007", "1", "2", "3"]
    assert column(pairs(x=["1", "inf", "2", "3"]), "x").dtype == pl.String
    assert column(pairs(x=["", "", "", ""]), "x").to_list() == [None] * 4


def test_identifiers_stay_text():
    given = pairs(id_1=["13645005", "2", "3", "4"], cui_2=["1", "2", "3", "4"])
    assert column(given, "id_1").dtype == column(given, "cui_2").dtype == pl.String


def test_categories_can_be_shown():
    assert as_texts(pl.Series([" a\x1b ", None, "b"])).tolist() == ["a?", "", "b"]
    assert as_texts(pl.Series([True, None, False])).tolist() == ["true", "", "false"]
    assert as_texts(pl.Series([1.5, math.nan, None])).tolist() == ["1.5", "", ""]


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("words > 1", ["0", "1"]),
        ("words > 1 and levenshtein <= 7", ["0"]),
        ("different_ratings < 3", ["0", "2"]),
        ("different_ratings is null or gold > 3", ["3"]),
        ("gold > avg(gold)", ["2", "3"]),
        ("\"my group\" = 'x' or pos in ('N', 'V')", ["0", "1", "3"]),
        ("stdev < 0.3", ["0"]),
        ("pos ~ '^[NV]$' or pos = '--'", ["0", "1"]),
        ("pos like '%'", ["0", "1", "2"]),
        ("length(term_1) > 3 and gold < 2.5", ["0", "1"]),
        ("term_1 = term_2", ["3"]),
        ("pair_id not in ('1', '2')", ["0", "3"]),
        ("true", ["0", "1", "2", "3"]),
    ],
)
def test_conditions_are_over_own_and_computed_columns(condition, kept):
    given = pairs(**RATED, pos=["N", "V", "A", ""], stdev=["0.1", "0.5", "1", "na"])
    given = PairSet(given.frame.with_columns(pl.Series("my group", ["y", "y", "y", "x"])), given.card)
    found = filtered(given, condition)
    assert ids(found) == kept
    assert found.frame.columns == given.frame.columns
    assert found.card == given.card


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("", "is not a SQL expression"),
        ("words >", "is not a SQL expression"),
        ("words > 1; drop table x", "is not a SQL expression"),
        ("(" * 400 + "gold" + ")" * 400, "is not a SQL expression"),
        ("words > 1 or " * 1000 + "true", "at most 1000 are allowed"),
        ("words\n> 1", "cannot be printed"),
        ("words > 1 \udcff", "cannot be printed"),
        ("wrds > 1", "did you mean 'words'"),
        ("mine.words > 1", "no column of mine called 'mine'"),
        ("words", "it is a number, not true or false"),
        ("term_1", "it is text, not true or false"),
        ("null", "it is missing, not true or false"),
        ("term_1 > 1", "cannot be computed on mine, where term_1 is text"),
        ("cast(gold as varchar) ~ '('", "cannot be computed on mine"),
        ("cast(term_1 as double) > 1", "cannot be computed on mine"),
        ("columns('.*') > 1", "must name each of its columns"),
        ("words > 100", "no pair of mine meets"),
    ],
)
def test_what_is_no_condition_is_one_sentence_without_terms(condition, said):
    with pytest.raises(InputError) as raised:
        filtered(pairs(), condition)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "eart" not in str(raised.value)


@pytest.mark.parametrize(
    "condition",
    [
        "gold in (select a from read_csv('{}'))",
        "exists (FROM read_csv('{}'))",
        "gold = (Select max(a) from read_csv('{}'))",
        "exists (with x as (from read_csv('{}')) from x)",
        "gold in /* ( */ (select a from read_csv('{}'))",
        "read_csv('{}')",
        "gold in (read_csv('{}'))",
        "gold in (table read_csv('{}'))",
    ],
)
def test_a_condition_reads_no_file(tmp_path, condition):
    """Polars opens the file of a subquery while it parses: one that is not there would be missed."""
    with pytest.raises(InputError):
        filtered(pairs(), condition.format(tmp_path / "nowhere.csv"))


def test_a_set_that_is_filtered_is_known_by_another_digest():
    assert filtered(pairs(), "gold > 1").digest != pairs().digest
    assert filtered(pairs(), "gold > 0").digest == pairs().digest


def test_levenshtein_of_no_pairs():
    empty = PairSet(pairs().frame.clear(), pairs().card)
    assert np.array_equal(column(empty, "levenshtein").to_numpy(), [])


def coded(**columns):
    return pairs(
        id_1=["22298006", "44054006", "7", None],
        cui_1=["C01", "C0027051", "", None],
        SCTID=["22298006", "44054006", "73211009", "38341003"],
        x=["a", "b", "a", "b"],
        **columns,
    )


@pytest.mark.parametrize(
    "where",
    [
        "x = 'flu'",
        "x <> 'FLU'",
        "gold > 0 or x in ('y', 'Heart  Attack (disorder)')",
        "x = 'C01'",
        "x <> 'c0027051'",
        "gold <> 22298006",
        "x <> '38341003'",
    ],
)
def test_a_condition_that_repeats_a_term_or_an_id_is_refused_because_results_store_it(where):
    said = r"repeats a term or an id of mine, and results, .*by their pair_id, or by a column of your own"
    with pytest.raises(InputError, match=said) as caught:
        filtered(coded(), where)
    assert "flu" not in str(caught.value).lower()


def test_the_number_of_a_pair_is_not_taken_for_an_id():
    """A set may number its concepts too, and other columns hold small numbers."""
    given = pairs(id_1=["1", "2", "3", "0"], id=["0", "1", "2", "3"])
    assert ids(filtered(given, "pair_id not in ('1', '2') and words < 3")) == ["0", "3"]


def test_a_term_with_a_quote_is_recognised_in_a_condition():
    quoted = PairSet.of([("cold's", "gout", 2.0)], card=Card(name="mine", title="Mine"))
    with pytest.raises(InputError, match="repeats a term"):
        filtered(quoted, "gold > 1 or 'cold''s' = 'x'")


@pytest.mark.parametrize(
    "where",
    [
        "cui_1 <> 'C01'",
        "term_1 in ('fl' || 'u')",
        "term_1 = concat('fl', 'u')",
        "term_1 like '%lu'",
        "term_2 ~ '^fl[u]$'",
        "cast(id_1 as bigint) <> 22298006",
        "cast(id_1 as bigint) <> 22298.006e3",
        "SCTID > '3'",
        "gold > 1 and length(term_1) < 1000",
    ],
)
def test_a_condition_on_terms_or_ids_holds_no_text_and_no_long_number(where):
    """A term in parts or as a pattern cannot be recognised, and results store the condition."""
    with pytest.raises(InputError, match="can hold neither text nor numbers of more than 3 digits, because"):
        filtered(coded(), where)


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("gold > 1 -- flu", "cannot contain '--'"),
        ("gold > 1 /* flu */", r"cannot contain '/\*'"),
        ("x = $$flu$$", r"cannot contain '\$'"),
        ("\"pos'\" > 1 -- 'flu'", "cannot contain '--'"),
        ("columns('^term_1$') = 'fl' || 'u'", "must name each of its columns"),
    ],
)
def test_a_condition_has_no_place_where_a_term_could_hide(where, said):
    with pytest.raises(InputError, match=said):
        filtered(coded(), where)


@pytest.mark.parametrize(
    "name", ["SCTID", "snomed_ct_id", "Concept ID 1", "id", "CUIs", "patient-id", "mesh code"]
)
def test_names_of_ids_are_recognised_in_other_spellings(name):
    assert is_key(name)


@pytest.mark.parametrize("name", ["steroid", "code", "words", "gold", "valid", "midterm", "semantic type 1"])
def test_other_names_are_not_taken_for_ids(name):
    assert not is_key(name)


def test_a_long_condition_is_cut_in_the_message():
    pairs = PairSet.of([("flu", "cold", 1.0)], card=Card(name="mine", title="Mine"))
    with pytest.raises(InputError, match="is not a SQL expression") as caught:
        filtered(pairs, "gold > " + "(" * 900)
    assert len(str(caught.value)) < 320


def test_a_text_without_single_quotes_is_taken_for_a_column_and_the_error_says_so():
    pairs = PairSet.of([("flu", "flu virus", 4.0), ("flu", "cold", 1.0)], card=Card(name="x", title="X"))
    for where in ('words > 1 and gold = "Kardiologie"', "gold = Kardiologie"):
        with pytest.raises(
            InputError, match=r"'Kardiologie'; .*; put a text to compare with in single quotes"
        ):
            filtered(pairs, where)
