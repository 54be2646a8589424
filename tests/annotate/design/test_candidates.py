"""Pairs to be rated, whether somebody scored them before or not."""

import polars as pl
import pytest

from medgauge.annotate.design.candidates import load_candidates
from medgauge.annotate.design.sampling import sample_pairs
from medgauge.catalog.datasets import load_dataset
from medgauge.errors import FileError, UnknownNameError
from medgauge.pairs import Card, PairSet


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet"])
def test_a_table_of_terms_needs_no_scores(tmp_path, form):
    frame = pl.DataFrame({"Word 1": ["Fièvre", "flu"], "WORD-2": ["fever", "B-cell"], "Pair_ID": ["a", "b"]})
    path = tmp_path / f"pairs.{form}"
    if form == "parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, separator="\t" if form == "tsv" else ",")
    (pairs,) = load_candidates(str(path))
    assert pairs.card.name == "pairs"
    assert not pairs.labelled
    assert sample_pairs([pairs], seed=1).rows() == [
        ("a", "Fièvre", "fever", "pairs", None),
        ("b", "flu", "B-cell", "pairs", None),
    ]


def test_sets_are_what_they_are_elsewhere(tmp_path):
    (tmp_path / "graded.csv").write_text("term_1,term_2,score\nflu,influenza,2.5\n")
    (tmp_path / "labelled.csv").write_text("term_1,term_2,label\nflu,influenza,1\n")
    saved = PairSet.of([("a", "b", 1.0)], card=Card(name="mine", title="Mine"))
    saved.save(tmp_path / "set" / "mine.parquet")
    for name in ("graded.csv", "labelled.csv", "set/mine.parquet", "set"):
        (pairs,) = load_candidates(tmp_path / name)
        expected = load_dataset(tmp_path / name)
        assert pairs.frame.equals(expected.frame)
        assert pairs.card == expected.card


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            "flu,influenza\ngout,asthma\n",
            "no columns of terms were found among the 2 columns of the first line",
        ),
        ("term_1,other\nflu,influenza\n", "among term_1, other; call them term_1 and term_2"),
        ("term_1,term_2\nflu, \n", "line 2: the term in column 'term_2' is blank"),
        ("term_1,term_2\n", "has a header and no pairs"),
        ("term_1,term_2\nflu\n", "line 2: the row has 1 fields where 2 are expected"),
        ("pair_id,term_1,term_2\n1,flu,b\n1,gout,c\n", "line 3: the pair_id stands here again"),
        ("term_1,term_2,score\nflu,influenza,high\n", "line 2: the value of column 'score' is no number"),
    ],
)
def test_a_table_that_cannot_be_used_is_told_with_the_place(tmp_path, content, problem):
    path = tmp_path / "pairs.csv"
    path.write_text(content)
    with pytest.raises(FileError, match=problem) as caught:
        load_candidates(path)
    assert "flu" not in str(caught.value)


def test_what_is_not_there_is_told():
    with pytest.raises(UnknownNameError, match="did you mean 'ehr-rel-b'"):
        load_candidates("ehr-rel-c")
    with pytest.raises(FileError, match="there is no such file"):
        load_candidates("pairs.csv")
