import csv
import gzip
import os
import warnings
from contextlib import nullcontext

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import FileError, InputError, MedgaugeWarning, UnknownNameError
from medgauge.pairs import Card, PairSet
from medgauge.progress import hearing, showing
from medgauge.ratings.source import read_ratings
from tests.ratings.small import assert_same, values
from tests.support.workbooks import write_xlsx

NAN = float("nan")


RATED = {
    "term_1": ["flu", "gout"],
    "term_2": ["cold", "x"],
    "rater_A": [3, 0],
    "rater_B": ["2", "don't know"],
}


@pytest.mark.parametrize(
    "make", [dict, pd.DataFrame, pl.LazyFrame, pa.table, lambda columns: pl.DataFrame(columns).to_dicts()]
)
def test_ratings_may_be_any_table_in_memory(make):
    assert_same(read_ratings(make(RATED)), read_ratings(pl.DataFrame(RATED)))


@pytest.mark.parametrize("scale", [(3, 0), (2, 2), (0, NAN)])
def test_a_scale_that_does_not_rise_is_refused(read, scale):
    with pytest.raises(InputError, match="must rise from a lowest to a highest number"):
        read("rater_A\n1\n", scale=scale)


def test_the_card_has_the_scale_of_the_ratings_or_else_of_the_gold():
    frame = pl.DataFrame(
        {"pair_id": ["1"], "term_1": ["flu"], "term_2": ["cold"], "gold": [5.0], "rater_A": [3.0]}
    )
    of_gold = Card(name="mine", title="Mine", scale=(0, 10))
    of_both = of_gold.model_copy(update={"build": {"ratings_scale": [0, 6]}})
    assert read_ratings(PairSet(frame, of_gold)).scale == (0, 10)
    assert read_ratings(PairSet(frame, of_both)).scale == (0, 6)
    assert read_ratings(PairSet(frame, of_both), scale=(1, 5)).scale == (1, 5)
    with pytest.raises(FileError, match=r"mine, row 1: the rating of column 'rater_A' is outside .* 0 to 2"):
        read_ratings(PairSet(frame, of_gold.model_copy(update={"scale": (0, 2)})))


@pytest.mark.parametrize("told", ["0-6", [0], ["low", "high"], 6])
def test_a_card_with_another_thing_for_a_scale_is_refused(told):
    frame = pl.DataFrame(
        {"pair_id": ["1"], "term_1": ["flu"], "term_2": ["cold"], "gold": [5.0], "rater_A": [3.0]}
    )
    card = Card(name="mine", title="Mine", build={"ratings_scale": told})
    with pytest.raises(InputError, match=r"a scale is two numbers"):
        read_ratings(PairSet(frame, card))


def test_the_card_is_called_after_the_file(read):
    assert read("rater_A\n1\n").card == Card(name="mine", title="mine", source="mine.csv")


def test_an_array_has_annotators_by_number():
    ratings = read_ratings(np.array([[1.0, NAN, 3.0], [2.0, -1.0, 0.0]]), not_rated=[-1])
    assert ratings.annotators == ("1", "2", "3")
    assert values(ratings) == [[1, None, 3], [2, None, 0]]
    assert ratings.pairs.rows() == [("1",), ("2",)]
    assert ratings.card.name == "ratings"


def test_columns_of_an_array_are_named_by_number_too():
    assert read_ratings(np.array([[1, 2, 3]]), annotators=["2:3"]).annotators == ("2", "3")


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.float16, np.float32])
def test_an_array_may_have_numbers_of_any_kind(kind):
    assert values(read_ratings(np.array([[1, 2], [3, 4]], kind))) == [[1, 2], [3, 4]]


def test_an_array_of_booleans_has_verdicts():
    ratings = read_ratings(np.array([[True, False]]))
    assert ratings.verdicts
    assert values(ratings) == [[1, 0]]


def test_a_bad_rating_of_an_array_is_named_by_row_and_column():
    with pytest.raises(InputError, match=r"the array, row 2: the rating of column '3' is outside the scale"):
        read_ratings(np.array([[0, 1, 2], [0, 1, 9]]), scale=(0, 3))
    with pytest.raises(InputError, match=r"the array, row 1: the value of column '2' is not a number"):
        read_ratings(np.array([[0, np.inf]]))


@pytest.mark.parametrize(
    "array",
    [np.array([1, 2]), np.zeros((0, 3)), np.zeros((3, 0)), np.array([["1"]]), np.array([[1, None]])],
)
def test_another_array_is_told_what_an_array_of_ratings_is(array):
    with pytest.raises(
        InputError, match=r"an array of ratings must hold numbers, with a row for each pair and"
    ):
        read_ratings(array)


def test_a_set_is_read_from_memory_and_from_its_file(tmp_path):
    frame = pl.DataFrame(
        {
            "pair_id": ["x", "y"],
            "term_1": ["flu", "fit"],
            "term_2": ["cold", "fat"],
            "label": pl.Series([1, 0], dtype=pl.Int8),
            "rater_A": [1.0, None],
            "unsure_A": [False, True],
            "rater_B": [0.0, 1.0],
            "n": [3, 4],
        }
    )
    pairs = PairSet(frame, Card(name="mine", title="Mine", kind="synonymy", licence="CC0-1.0"))
    pairs.save(tmp_path / "set" / "other.parquet")
    found = read_ratings(pairs)
    assert values(found) == [[1, 0], [None, 1]]
    assert found.unsure.tolist() == [[False, False], [True, False]]
    assert found.verdicts
    assert found.card == pairs.card
    assert found.pairs.rows() == [("x", "flu", "cold", 1, 3), ("y", "fit", "fat", 0, 4)]
    for path in (
        tmp_path / "set" / "other.parquet",
        str(tmp_path / "set" / "other.parquet"),
        tmp_path / "set",
    ):
        assert_same(read_ratings(path), found)


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.csv.gz", "t.parquet"])
def test_a_table_may_be_in_any_form(tmp_path, name):
    path = tmp_path / name
    frame = pl.DataFrame({"term_1": ["flu"], "term_2": ["cold, or not"], "rater_A": [2], "rater_B": [None]})
    if name.endswith("parquet"):
        frame.write_parquet(path)
    else:
        text = frame.write_csv(separator="\t" if "tsv" in name else ",").encode()
        path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    ratings = read_ratings(path)
    assert (ratings.annotators, values(ratings), ratings.card.name) == (("A", "B"), [[2, None]], "t")
    assert ratings.pairs.rows() == [("1", "flu", "cold, or not")]


def test_reading_is_shown(read):
    shown = []

    def listener(what, steps):
        shown.append(what)
        return nullcontext(lambda _done: None)

    with showing(listener):
        read("rater_A\n1\n")
    assert shown == ["reading mine.csv"]


def test_an_unknown_name_suggests_the_closest_set():
    with pytest.raises(UnknownNameError, match=r"did you mean 'ehr-rel-b'"):
        read_ratings("ehr-rel-bb")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileError, match=r"nowhere\.csv: there is no such file"):
        read_ratings(tmp_path / "nowhere.csv")


def test_an_empty_file_is_named(read):
    with pytest.raises(FileError, match=r"mine\.csv: the file is empty"):
        read("")
    with pytest.raises(FileError, match=r"mine\.csv: the file has no rows"):
        read("\n\n")


@pytest.mark.parametrize("header", ["rater_A,rater_B", "pair,annotator,rating", "term_1,term_2"])
def test_a_header_alone_has_no_pairs(read, header):
    with pytest.raises(FileError, match=r"mine\.csv: has a header but no pairs"):
        read(f"{header}\n")


@pytest.mark.parametrize(
    "header",
    ["term_1,term_2,gold", "pair,annotator,gold", "pair,gold,rating", "term_1,annotator,rating"],
)
def test_a_table_without_ratings_is_told_what_is_needed(read, header):
    with pytest.raises(
        FileError,
        match=r"no ratings were found: .*; name .* annotators=, or those of pair, annotator and rating",
    ):
        read(f"{header}\nflu,cold,1\n")


def test_a_first_line_that_may_be_terms_is_not_repeated(read):
    with pytest.raises(FileError, match=r"no ratings were found") as raised:
        read("influenza,cold,1\nfever,chill,2\n")
    assert "influenza" not in str(raised.value)


def test_a_published_set_without_ratings_is_told_so(real_data):
    real_data("published/MayoSRS_mesh.csv")
    with pytest.raises(FileError, match=r"mayosrs: no ratings were found"):
        read_ratings("mayosrs")


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=5)
TERMS = st.sampled_from(["flu", "Flu", "Ménière's", "x-ray", '5" pipe', "cold, common", "β-blocker"])
NUMBERS = st.sampled_from(["0", "1", "2.5", " 3 ", "-1", "", "NA", "?", "don't know"])
WORDS = st.sampled_from(["same", "Not same", "", "dk", "unsure"])


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[tuple[str, str, str]], list[list[str]]]:
    """Annotators, pairs (id, terms) and their cells; everybody has a cell for the first pair."""
    annotators = draw(st.lists(NAMES.filter(_is_plain), min_size=1, max_size=4, unique=True))
    terms = draw(st.lists(st.tuples(TERMS, TERMS), min_size=1, max_size=5))
    pairs = [(f"p{number}", one, two) for number, (one, two) in enumerate(terms)]
    cell = draw(st.sampled_from([NUMBERS, WORDS]))
    cells = [[draw(cell) for _ in annotators] for _ in pairs]
    return annotators, pairs, cells


def _is_plain(name: str) -> bool:
    """Say whether a name is no column's of another meaning once rater_ stands before it."""
    return name.lower() not in ("id", "name") and not name.lower().startswith("rater_") and "\x00" not in name


@given(tables(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_a_table_says_the_same_in_both_forms(tmp_path_factory, table, random):
    annotators, pairs, cells = table
    path = tmp_path_factory.mktemp("any") / "mine.csv"
    wide = [[*pair, *row] for pair, row in zip(pairs, cells, strict=True)]
    long = [
        [*pair, name, cell]
        for pair, row in zip(pairs, cells, strict=True)
        for name, cell in zip(annotators, row, strict=True)
    ]
    rest = long[len(annotators) :]
    by_annotator = sorted(rest, key=lambda row: annotators.index(row[3]))  # pairs still come in their order
    long[len(annotators) :] = random.choice([rest, by_annotator])
    described = ["pair_id", "term_1", "term_2"]
    found = []
    for header, rows in (
        ([*described, *(f"rater_{name}" for name in annotators)], wide),
        ([*described, "annotator", "rating"], long),
    ):
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([header, *rows])
        found.append(read_ratings(path, not_rated=[-1]))
    assert_same(*found)
    assert found[0].annotators == tuple(annotators)
    assert found[0].pairs.rows() == pairs
    oracle = {"same": 1.0, "Not same": 0.0, "0": 0.0, "1": 1.0, "2.5": 2.5, " 3 ": 3.0}
    assert values(found[0]) == [[oracle.get(cell) for cell in row] for row in cells]
    assert found[0].unsure.tolist() == [
        [cell in ("?", "don't know", "dk", "unsure") for cell in row] for row in cells
    ]
    assert found[0].verdicts == any(cell.lower() in ("same", "not same") for row in cells for cell in row)


@pytest.mark.parametrize(
    ("name", "file", "pairs"), [("ehr-rel-a", "EHR-RelA.tsv", 111), ("ehr-rel-b", "EHR-RelB.tsv", 3630)]
)
def test_ehr_rel_is_read_by_its_name_and_by_its_path(real_data, name, file, pairs):
    path = real_data(f"published/{file}")
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    columns = [f"rater_{letter}" for letter in "ABCDE"]
    expected = np.array([[float(row[column] or "nan") for column in columns] for row in rows])
    by_name, by_path = read_ratings(name), read_ratings(path, scale=(0, 3))
    for ratings in (by_name, by_path):
        assert ratings.annotators == tuple("ABCDE")
        assert len(ratings) == pairs
        np.testing.assert_array_equal(ratings.values, expected)
        assert not ratings.unsure.any()
        assert not ratings.verdicts
        assert ratings.scale == (0, 3)
        assert ratings.pairs["term_1"].to_list() == [row["snomed_label_1"].strip() for row in rows]
    assert (by_name.card.name, by_path.card.name) == (name, file.removesuffix(".tsv"))
    assert read_ratings(path).scale is None


def test_simverb_is_read_by_ranges_of_numbers(real_data):
    path = real_data("published/SimVerb-3520-annotator-ratings.csv.gz")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    expected = np.array([[float(value) for value in row[2:]] for row in rows])
    expected[expected == -1] = np.nan
    ratings = read_ratings(path, annotators=["3:704"], header=False, not_rated=[-1], scale=(0, 6))
    assert ratings.values.shape == (3520, 702)
    assert ratings.annotators == tuple(str(number) for number in range(3, 705))
    np.testing.assert_array_equal(ratings.values, expected)
    assert ratings.pairs.select("term_1", "term_2").rows() == [(row[0], row[1]) for row in rows]


GERMAN = "Paar;Begriff 1;Begriff 2;Ärztin;Bewertung\np1;Herz;Hirn;Ada;2,5\np1;Herz;Hirn;Bea;3\n"


def test_a_long_table_with_other_names_is_read_and_the_guess_is_said(tmp_path):
    path, heard = tmp_path / "r.csv", []
    path.write_text(GERMAN, "utf-8")
    with hearing(heard.append):
        ratings = read_ratings(path)
    assert (ratings.annotators, ratings.values[0].tolist()) == (("Ada", "Bea"), [2.5, 3.0])
    assert ratings.pairs.row(0) == ("p1", "Herz", "Hirn")
    assert heard == [
        f"{path}: terms from 'Begriff 1' and 'Begriff 2', annotators from 'Ärztin', "
        "ratings from 'Bewertung', pair ids from 'Paar'"
    ]
    assert ratings.card.read_from["annotator"] == "Ärztin"


def test_columns_of_ratings_can_be_named(read):
    text = "k,x,y,who,how\np1,flu,cold,A,2\np1,flu,cold,B,3\n"
    columns = {"pair_id": "k", "term_1": "x", "term_2": "y", "annotator": "who", "rating": "how"}
    ratings = read(text, **columns)
    assert (ratings.annotators, ratings.values.tolist()) == (("A", "B"), [[2.0, 3.0]])
    assert ratings.pairs.rows() == [("p1", "flu", "cold")]
    wide = read("x,y,rater_A\nflu,cold,2\n", term_1="x", term_2="y")
    assert wide.pairs.rows() == [("1", "flu", "cold")]


def test_a_column_of_ratings_that_is_not_there_is_refused(read):
    with pytest.raises(
        FileError, match=r"mine\.csv: there is no column 'z'; choose from: term_1, term_2, rater_A"
    ):
        read("term_1,term_2,rater_A\nflu,cold,2\n", term_1="z")


def test_columns_of_long_tables_are_refused_for_wide_ones(read):
    with pytest.raises(InputError, match="annotator= and rating= are for tables with a row for each rating"):
        read("term_1,term_2,rater_A,x\nflu,cold,2,1\n", rating="x")


def test_ratings_with_decimal_commas_are_read(read):
    assert read("rater_A;rater_B\n2,5;3\n?;0,5\n").values[0].tolist() == [2.5, 3.0]
    with pytest.raises(FileError, match=r"line 3: the value of column 'rater_A' has another decimal sign"):
        read("rater_A;rater_B\n2,5;3\n2.5;3\n")


def test_ratings_are_read_from_a_sheet(tmp_path):
    rows = [["Begriff A", "Begriff B", "rater_A"], ["Herz", "Hirn", 2]]
    path = write_xlsx(tmp_path / "r.xlsx", {"Info": [["x"], ["y"]], "Daten": rows})
    ratings = read_ratings(path, sheet="Daten", language="de")
    assert (ratings.values.tolist(), ratings.card.language) == ([[2.0]], "de")


def test_a_file_name_that_is_not_utf8_is_no_traceback(tmp_path):
    path = tmp_path / os.fsdecode(b"r\xe9.csv")
    path.write_text("term_1,term_2,rater_A\nflu,cold,2\n")
    card = read_ratings(path).card
    assert (card.name, card.source) == ("r?", "r?.csv")
    assert "r?" in card.model_dump_json()


@pytest.mark.parametrize("first", ["user,drug user,1", "coder,decoder,2"])
def test_a_first_line_that_names_an_annotator_may_be_a_pair(read, first):
    with pytest.raises(FileError, match=r"columns of the first line") as raised:
        read(f"{first}\nfever,chill,2\n", annotators=["Ann"])
    assert first.split(",")[1] not in str(raised.value)


def test_a_range_of_annotators_that_runs_into_their_mean_is_noticed(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("Begriff 1;Begriff 2;Anna;Cem;Mittelwert\na;b;1;2;1,5\nc;d;3;4;3,5\n", "utf-8")
    with pytest.warns(MedgaugeWarning, match="the column 'Mittelwert' is taken for an annotator's"):
        read_ratings(path, annotators=["Anna:Mittelwert"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_ratings(path, annotators=["Anna:Cem"]).annotators == ("Anna", "Cem")
