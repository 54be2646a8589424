"""Ratings from elsewhere in one table, which says what each file said."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.annotate.exchange.importing import import_ratings
from medgauge.errors import FileError
from medgauge.pairs import Card, PairSet
from medgauge.ratings.source import read_ratings
from tests.annotate.exchange.test_labelstudio import annotation, result, task

SETS = [
    PairSet.of(
        [("Fièvre", "fever", 1.0), ("flu", "B-cell", 0.0), ("gout", "asthma", 0.0)],
        card=Card(name="ours", title="Ours"),
        labelled=True,
    )
]


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return path

    return write


def project(*annotations, **data):
    return [task(number, one, **data) for number, one in enumerate(annotations, 1)]


def test_a_wide_table_becomes_long(write):
    path = write(
        "mine.csv", "term_1,term_2,cui_1,note,rater_A,rater_Zoë\nfever,Fièvre,C1,x,3,\nflu,B-cell,,y,0.5,?\n"
    )
    table, card = import_ratings([path], scale=(0, 6))
    assert table.columns == ["pair_id", "term_1", "term_2", "cui_1", "annotator", "rating"]
    assert table.rows() == [
        ("1", "fever", "Fièvre", "C1", "A", "3"),
        ("2", "flu", "B-cell", None, "A", "0.5"),
        ("2", "flu", "B-cell", None, "Zoë", "don't know"),
    ]
    assert card == Card(name="mine", title="mine", scale=(0, 6), source="mine.csv")


def test_label_studio_keeps_time_and_seconds(write):
    said = [annotation(1, 10, result("3")), annotation(2, 12, result("unsure"), lead_time=None)]
    tasks = [task(4, *said, term_1=" flu ", term_2="B-cell")]
    table, card = import_ratings([write("project.json", tasks)])
    time = "2021-03-09T22:17:09.528+00:00"
    assert table.rows() == [
        ("1", "flu", "B-cell", "10", "3", time, 4.288),
        ("1", "flu", "B-cell", "12", "don't know", time, None),
    ]
    assert table.columns[3:] == ["annotator", "rating", "time", "seconds"]
    assert card.source == "project.json"


def test_pairs_of_a_set_are_found_by_their_terms_in_either_order(write):
    path = write("a.csv", "term_1,term_2,rater_A\nfever,Fièvre,same\nflu,B-cell,not same\n")
    table, card = import_ratings([path], sets=SETS)
    assert table.rows() == [
        ("1", "Fièvre", "fever", "ours", 1, "A", "same"),
        ("2", "flu", "B-cell", "ours", 0, "A", "not same"),
    ]
    assert table.schema["label"] == pl.Int8
    assert card.kind == "synonymy"


def test_pairs_of_a_set_are_found_by_their_id_if_there_are_no_terms(write):
    path = write("a.csv", "pair,annotator,rating\n2,A,3\n1,A,0\n")
    table, _ = import_ratings([path], sets=SETS)
    assert table.rows() == [
        ("2", "flu", "B-cell", "ours", 0, "A", "3"),
        ("1", "Fièvre", "fever", "ours", 1, "A", "0"),
    ]


def test_an_id_tells_pairs_of_the_same_terms_apart_and_terms_go_before_ids(write):
    twice = PairSet.of(
        [("flu", "cold", 2.0), ("cold", "flu", 2.5), ("a", "b", 1.0)], card=Card(name="t", title="T")
    )
    path = write("a.csv", "pair_id,term_1,term_2,rater_A\n2,flu,cold,3\n1,b,a,0\n")
    table, _ = import_ratings([path], sets=[twice])
    assert table["pair_id"].to_list() == ["2", "3"]
    assert table["term_1"].to_list() == ["cold", "a"]
    path = write("b.csv", "term_1,term_2,rater_A\na,b,3\nx,y,1\n")
    with pytest.raises(FileError, match=r"b\.csv, pair 2: the pair is not in sets="):
        import_ratings([path], sets=[twice])
    path = write("c.csv", "pair_id,term_1,term_2,rater_A\n7,flu,cold,3\n")
    with pytest.raises(FileError, match="pair 7: its terms are in sets= more than once; add a pair_id"):
        import_ratings([path], sets=[twice])


def test_a_pair_of_label_studio_that_is_not_in_the_set_is_reported_by_its_task(write):
    tasks = [
        task(40 + n, annotation(n, 1, result("3")), term_1=one, term_2="B-cell")
        for n, one in enumerate(["flu", "x"])
    ]
    with pytest.raises(FileError, match=r"p\.json, task 41, annotation 1: the pair is not in sets="):
        import_ratings([write("p.json", tasks)], sets=SETS)


def test_files_of_several_forms_go_into_one_table(write):
    paths = [
        write("a.csv", "pair_id,term_1,term_2,rater_A,rater_B\nx,flu,B-cell,3,2\n"),
        write("b.tsv", "pair_id\tannotator\tterm_1\tterm_2\tset\trating\nx\tC\tflu\tB-cell\tours\t1\n"),
        write(
            "c.json",
            project(annotation(1, 7, result("0")), pair_id="x", term_1="flu", term_2="B-cell", label=0),
        ),
    ]
    with pytest.raises(
        FileError, match=r"c\.json: has verdicts, and .*; import them separately, or pass scale="
    ):
        import_ratings(paths)
    table, card = import_ratings(paths, scale=(0, 3))
    assert table.select("annotator", "rating").rows() == [("A", "3"), ("B", "2"), ("C", "1"), ("7", "0")]
    assert set(table.select("pair_id", "term_1", "term_2", "set", "label").rows()) == {
        ("x", "flu", "B-cell", "ours", 0)
    }
    assert card.source == "a.csv, b.tsv, c.json"
    assert read_ratings(table).values.tolist() == [[3, 2, 1, 0]]


def test_one_project_for_each_annotator_is_joined_by_the_set(write):
    first = [
        task(n, annotation(n, 1, result("3")), term_1=a, term_2=b)
        for n, (a, b) in enumerate([("flu", "B-cell"), ("gout", "asthma")])
    ]
    second = [
        task(n, annotation(n, 2, result("1")), term_1=a, term_2=b)
        for n, (a, b) in enumerate([("gout", "asthma")])
    ]
    paths = [write("first.json", first), write("second.json", second)]
    table, _ = import_ratings(paths, sets=SETS)
    assert table.select("pair_id", "annotator").rows() == [("2", "1"), ("3", "1"), ("3", "2")]
    with pytest.raises(
        FileError, match=r"second\.json, task 0, annotation 0: the pair has another term_1 in an earlier"
    ):
        import_ratings(paths)


PAIRED = "term_1,term_2,rater_{}\nflu,B-cell,{}\n"


@pytest.mark.parametrize(
    ("first", "second", "problem"),
    [
        (
            PAIRED.format("A", 3),
            PAIRED.format("A", 3),
            r"b, pair 1: annotator 'A' has already rated the pair, in .*a$",
        ),
        (
            PAIRED.format("A", 3),
            PAIRED.format("B", "same"),
            "b: has verdicts, and .*a has numbers; import them separately",
        ),
        (
            PAIRED.format("A", "no"),
            PAIRED.format("B", 1),
            "b: has numbers, and .*a has verdicts; import them separately",
        ),
        (
            PAIRED.format("A", 3),
            "pair,annotator,rating\n2,B,1\n",
            "b: has no terms, but another file does; match",
        ),
        (
            "pair,annotator,rating\n2,B,1\n",
            PAIRED.format("A", 3),
            "a: has no terms, but another file does; match",
        ),
        (
            PAIRED.format("A", 3),
            "pair_id,term_1,term_2,rater_B\n1,gout,x,3\n",
            "b, pair 1: the pair has another term_1",
        ),
        (PAIRED.format("A", ""), PAIRED.format("B", ""), "a: has pairs but no ratings"),
        (PAIRED.format("A", 3), "flu,B-cell\n", "b: has a header but no pairs"),
        (PAIRED.format("A", 3), "[]", "b: has no tasks"),
        (PAIRED.format("A", 3), "", "b: the file is empty"),
        (PAIRED.format("A", 3), "flu,B-cell\n1,2\n", "b: no ratings were found"),
    ],
)
def test_files_that_do_not_go_together_are_reported(write, first, second, problem):
    paths = [write("a", first), write("b", second)]
    with pytest.raises(FileError, match=problem) as caught:
        import_ratings(paths)
    assert "B-cell" not in str(caught.value)


def test_the_kind_of_a_file_can_be_specified(write):
    path = write("a.csv", PAIRED.format("A", 3))
    with pytest.raises(FileError, match="is not valid JSON"):
        import_ratings([path], origin="label-studio")
    odd = write("b.csv", "[term_1],term_2,rater_A\nflu,B-cell,3\n")
    with pytest.raises(FileError, match="is not valid JSON"):
        import_ratings([odd])
    assert import_ratings([odd], origin="csv")[0].height == 1


def test_a_set_with_ratings_keeps_its_scale(tmp_path):
    frame = SETS[0].frame.drop("label").with_columns(gold=pl.lit(1.0), rater_A=pl.lit(2.0))
    PairSet(frame, Card(name="mine", title="Mine", kind="relatedness", scale=(0, 3))).save(
        tmp_path / "m.parquet"
    )
    table, card = import_ratings([tmp_path / "m.parquet"])
    assert (card.name, card.kind, card.scale) == ("mine", "relatedness", (0, 3))
    assert table.height == 3


CELL = st.sampled_from(["", "0", "1", "2.5", "3", "don't know", "?"])


@given(st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=8), st.booleans())
def test_what_is_imported_is_read_as_the_file_was(tmp_path_factory, cells, by_set):
    path = tmp_path_factory.mktemp("import") / "ratings.csv"
    rows = [f'"fièvre {n}","Fever, {n}",{",".join(row)}' for n, row in enumerate(cells)]
    path.write_text("\n".join(["term_1,term_2,rater_A,rater_B,rater_C", *rows]) + "\n", "utf-8")
    known = PairSet.of(
        [(f"Fever, {n}", f"fièvre {n}", 2.5) for n in reversed(range(len(cells)))],
        card=Card(name="s", title="S"),
    )
    before = read_ratings(path)
    if not (before.counts.sum() + before.unsure.sum()):
        with pytest.raises(FileError, match="has pairs but no ratings"):
            import_ratings([path])
        return
    after = read_ratings(import_ratings([path], sets=[known] if by_set else ())[0])
    found = {
        (frozenset(terms), annotator): (after.values[row, column], after.unsure[row, column])
        for row, terms in enumerate(after.pairs.select("term_1", "term_2").iter_rows())
        for column, annotator in enumerate(after.annotators)
    }
    for row, terms in enumerate(before.pairs.select("term_1", "term_2").iter_rows()):
        for column, annotator in enumerate(before.annotators):
            expected = before.values[row, column], before.unsure[row, column]
            got = found.get((frozenset(terms), annotator), (np.nan, False))
            np.testing.assert_equal(got, expected)


def test_published_ratings_are_the_same_after_an_import(real_data):
    path = real_data("published/SimVerb-3520-annotator-ratings.csv.gz")
    options = {"annotators": ["3:704"], "not_rated": [-1], "header": False}
    before = read_ratings(path, **options)
    after = read_ratings(import_ratings([path], **options)[0])
    assert after.pairs.equals(before.pairs.select(after.pairs.columns))
    columns = [after.annotators.index(name) for name in before.annotators]
    np.testing.assert_array_equal(after.values[:, columns], before.values)
