import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.catalog.as_pairs import as_pairs
from medgauge.catalog.datasets import load_dataset, with_gold
from medgauge.errors import FileError, InputError, options_as_flags
from medgauge.pairs import Card, Pairs, PairSet

ROWS = [("flu", "influenza", 4.0), ("flu", "fracture", 0.5)]
CARD = Card(name="mine", title="Mine", scale=(0, 4))

terms = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda term: term.strip())
rows_of_pairs = st.lists(st.tuples(terms, terms, st.floats(-5, 5)), min_size=1)


def _frames(rows):
    """Yield the rows as a table of each kind."""
    names = ["Word 1", "Word 2", "score"]
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    yield rows
    yield columns
    yield [dict(zip(names, row, strict=True)) for row in rows]
    yield pl.DataFrame(columns)
    yield pl.LazyFrame(columns)
    yield pa.table(columns)
    yield pd.DataFrame(columns)
    yield pd.DataFrame(columns, dtype=object)


@given(rows_of_pairs)
def test_any_table_of_the_same_pairs_is_the_same_set(rows):
    expected = PairSet.of([(one.strip(), two.strip(), gold + 0.0) for one, two, gold in rows], card=CARD)
    labelled = {gold for _, _, gold in rows} == {0.0, 1.0}
    digests = {with_gold(as_pairs(frame)).digest for frame in _frames(rows)}
    assert len(digests) == 1
    assert labelled or digests == {expected.digest}


@given(rows_of_pairs)
def test_a_table_in_memory_is_the_set_of_its_file(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("pairs") / "mine.parquet"
    frame = pl.DataFrame(rows, schema=["term_1", "term_2", "gold"], orient="row")
    frame.write_parquet(path)
    assert as_pairs(frame).frame.equals(load_dataset(path).frame)


def test_columns_are_named_by_keyword():
    frame = pd.DataFrame(
        {
            "n": [7],
            "left": ["flu"],
            "right": ["gout"],
            "y": [1],
            "c1": [11],
            "c2": [12],
            "u1": ["C1"],
            "u2": ["C2"],
        }
    )
    pairs = as_pairs(
        frame,
        pair_id="n",
        term_1="left",
        term_2="right",
        label="y",
        id_1="c1",
        id_2="c2",
        cui_1="u1",
        cui_2="u2",
        name="mine",
    )
    assert pairs.frame.row(0, named=True) == {
        "pair_id": "7",
        "term_1": "flu",
        "term_2": "gout",
        "label": 1,
        "id_1": "11",
        "id_2": "12",
        "cui_1": "C1",
        "cui_2": "C2",
    }
    assert (pairs.card.name, pairs.card.title) == ("mine", "mine")


def test_other_columns_are_strata():
    assert (
        as_pairs({"term_1": ["flu"], "term_2": ["gout"], "gold": [1.5], "topic": ["x"]}).frame["topic"][0]
        == "x"
    )
    assert as_pairs([("flu", "gout", 1.5, "x")]).frame["4"][0] == "x"


def test_tuples_may_have_their_terms_elsewhere():
    pairs = as_pairs([("A", "flu", 2.5, "gout")], term_1="2", term_2="4")
    assert pairs.frame.select("term_1", "term_2", "gold").row(0) == ("flu", "gout", 2.5)


def test_a_card_may_be_given_and_named():
    assert as_pairs(ROWS, card=CARD).card == CARD
    assert as_pairs(ROWS).card.name == "pairs"
    renamed = as_pairs(ROWS, card=CARD, name="other").card
    assert (renamed.name, renamed.title, renamed.scale) == ("other", "Mine", (0, 4))


def test_a_set_is_itself():
    pairs = PairSet.of(ROWS, card=CARD)
    assert as_pairs(pairs).card == CARD
    assert with_gold(as_pairs(pairs, name="other")).digest == pairs.digest
    assert as_pairs(pairs, name="other").card.name == "other"
    with pytest.raises(InputError, match="pairs already have their columns"):
        as_pairs(pairs, gold="score")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([("flu", "gout", 1.0), ("flu", " ", 2.0)], "the list, row 2: the term in column '2' is blank"),
        (
            pd.DataFrame({"term_1": ["flu"], "term_2": ["gout"], "gold": [float("nan")]}),
            "the frame, row 1: the value of column 'gold' is missing",
        ),
        (
            {"term_1": ["flu", "gout"], "term_2": [1, 2], "gold": [1, 2]},
            "the frame, row 1: the term in column 'term_2' is not text",
        ),
        (
            {"x": ["flu"], "y": [1]},
            "found no column for term_1 among x, y; name it with term_1='COLUMN'$",
        ),
        (pl.DataFrame({"term_1": []}), "the frame: has no pairs"),
        ([], "the list: has no pairs"),
    ],
)
def test_what_is_wrong_names_the_row_of_the_frame(data, problem):
    with pytest.raises(FileError, match=problem):
        as_pairs(data)


@pytest.mark.parametrize("data", [{"term_1": ["flu"], "term_2": ["gout"]}, [("flu", "gout")]])
def test_a_table_without_gold_is_pairs(data):
    pairs = as_pairs(data, name="mine")
    assert type(pairs) is Pairs
    with pytest.raises(InputError, match="the set 'mine' has no column of gold scores or labels: name it"):
        with_gold(pairs)


def test_the_name_of_a_set_stands_in_its_errors():
    with pytest.raises(FileError, match="mine, row 1: the term"):
        as_pairs([("", "gout", 1.0)], name="mine")


def test_a_file_is_not_in_memory():
    with pytest.raises(InputError, match="use load_dataset for"):
        as_pairs("pairs.csv")


def test_gold_and_label_are_not_both_given():
    both = {"gold": "1", "label": "2"}
    with pytest.raises(InputError, match=r"^give gold= for graded scores or label= for 0/1 labels, not both"):
        as_pairs([("a", "b")], **both)
    with options_as_flags(), pytest.raises(InputError, match=r"^give --gold for graded .* or --label for"):
        as_pairs([("a", "b")], **both)


def test_load_dataset_reads_tables_in_memory():
    frame = pd.DataFrame(ROWS, columns=["a", "b", "score"])
    assert load_dataset(frame, term_1="a", term_2="b").digest == PairSet.of(ROWS, card=CARD).digest
    assert load_dataset(ROWS).digest == PairSet.of(ROWS, card=CARD).digest
