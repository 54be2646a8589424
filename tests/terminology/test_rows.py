from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.errors import FileError
from medgauge.terminology.release import find_files
from medgauge.terminology.rows import latest, read_rows
from tests.rf2 import write_files, zip_files

NAMES = {
    "concept": "sct2_Concept_Full_INT_20190131.txt",
    "description": "sct2_Description_Full-en_INT_20190131.txt",
    "association": "der2_cRefset_AssociationFull_INT_20190131.txt",
}
CONCEPTS = "id\teffectiveTime\tactive\tmoduleId\tdefinitionStatusId\n"
DESCRIPTIONS = (
    "id\teffectiveTime\tactive\tmoduleId\tconceptId\tlanguageCode\ttypeId\tterm\tcaseSignificanceId\n"
)
TERM = "100014\t20020131\t1\t9\t100005\ten\t13\t{}\t17\n"


def read(tmp_path: Path, kind: str, content: str | bytes, *, check_ids: bool = False) -> pl.DataFrame:
    files = find_files([write_files(tmp_path, {NAMES[kind]: content})])
    return read_rows(files, kind, check_ids=check_ids, advance=lambda _done: None)


def problem(tmp_path: Path, kind: str, content: str | bytes, *, check_ids: bool = False) -> str:
    """Give the message of the error, without the path of the file."""
    with pytest.raises(FileError) as caught:
        read(tmp_path, kind, content, check_ids=check_ids)
    assert caught.value.path == tmp_path / NAMES[kind]
    return str(caught.value).removeprefix(str(tmp_path / NAMES[kind])).lstrip(",: ")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n", "\r\n\r\n"])
def test_ends_of_lines_and_a_byte_order_mark_make_no_difference(tmp_path, end, mark, last):
    text = CONCEPTS + "100005\t20020131\t1\t9\t74\n100005\t20030131\t0\t9\t74"
    rows = read(tmp_path, "concept", (mark + text).replace("\n", end) + last)
    assert rows.to_dict(as_series=False) == {
        "effectiveTime": [20020131, 20030131],
        "active": [True, False],
        "id": [100005, 100005],
        "moduleId": [9, 9],
    }


@pytest.mark.parametrize(
    "term",
    ['3" nail', '"Quoted"', '"', "Ménière’s", "l'été, 50% + #1", "\\N", "NULL", "null", "ﬀ 🫀", "a\rb"],
)
def test_a_term_is_taken_as_it_stands(tmp_path, term):
    assert read(tmp_path, "description", DESCRIPTIONS + TERM.format(term))["term"].to_list() == [term]


def test_a_file_of_nothing_but_its_header_has_no_rows(tmp_path):
    assert read(tmp_path, "concept", CONCEPTS).height == 0
    assert read(tmp_path, "concept", CONCEPTS.rstrip()).height == 0


def test_an_empty_file_is_refused(tmp_path):
    assert problem(tmp_path, "concept", "") == "the file is empty"
    assert problem(tmp_path, "concept", "\n").startswith("line 1: needs the columns")


def test_columns_may_stand_in_any_order(tmp_path):
    text = "active\tmoduleId\tid\teffectiveTime\n1\t9\t100005\t20020131\n"
    assert read(tmp_path, "concept", text)["id"].to_list() == [100005]


def test_missing_columns_are_named(tmp_path):
    text = CONCEPTS.replace("active", "Active").replace("moduleId\t", "")
    assert problem(tmp_path, "concept", text) == (
        "line 1: needs the columns active, moduleId, once each, in its first line"
    )
    assert "effectiveTime" in problem(tmp_path, "concept", CONCEPTS.encode("utf-16"))
    assert "needs the columns id," in problem(
        tmp_path, "concept", CONCEPTS.replace("definitionStatusId", "id")
    )


GOOD = "100005\t20020131\t1\t9\t74\n"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("100005\t20020131\t1\t9\n", "the row has 4 fields, but 5 are expected"),
        ("100005\t20020131\t1\t9\t74\t\n", "the row has 6 fields, but 5 are expected"),
        ("\n", "the row has 1 fields, but 5 are expected"),
        ("x\t20020131\t1\t9\t74\n", "the value of column 'id' is not a whole number of up to 18 digits"),
        ("\t20020131\t1\t9\t74\n", "the value of column 'id' is not a whole number of up to 18 digits"),
        ("1.5\t20020131\t1\t9\t74\n", "the value of column 'id' is not a whole number of up to 18 digits"),
        ("-5\t20020131\t1\t9\t74\n", "the value of column 'id' is not a whole number of up to 18 digits"),
        (
            f"{10**18}\t20020131\t1\t9\t74\n",
            "the value of column 'id' is not a whole number of up to 18 digits",
        ),
        (
            f"{10**30}\t20020131\t1\t9\t74\n",
            "the value of column 'id' is not a whole number of up to 18 digits",
        ),
        ("100005\t20020131\t1\tcore\t74\n", "the value of column 'moduleId' is not a whole number"),
        ("100005\t2002-01-31\t1\t9\t74\n", "the value of column 'effectiveTime' is not a date of 8 digits"),
        ("100005\t2002013\t1\t9\t74\n", "the value of column 'effectiveTime' is not a date of 8 digits"),
        ("100005\t\t1\t9\t74\n", "the value of column 'effectiveTime' is not a date of 8 digits"),
        ("100005\t20020131\t2\t9\t74\n", "the value of column 'active' is neither 0 nor 1"),
        ("100005\t20020131\ttrue\t9\t74\n", "the value of column 'active' is neither 0 nor 1"),
        ("100005\t20020131\t\t9\t74\n", "the value of column 'active' is neither 0 nor 1"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_row_that_cannot_be_is_named(tmp_path, row, expected, end):
    text = CONCEPTS + GOOD + row + GOOD.replace("2002", "2003")
    assert problem(tmp_path, "concept", text.replace("\n", end)).startswith(f"line 3: {expected}")


def test_a_line_that_ends_twice_is_named(tmp_path):
    header = "id\teffectiveTime\tmoduleId\tactive\n"
    assert problem(tmp_path, "concept", header + "100005\t20020131\t9\t1\r\r\n") == (
        "line 2: the value of column 'active' is neither 0 nor 1"
    )


def test_a_short_row_and_a_long_one_do_not_make_up_for_each_other(tmp_path):
    text = CONCEPTS + "100005\t20020131\t1\t9\n100014\t20020131\t1\t9\t74\t74\n"
    assert problem(tmp_path, "concept", text) == "line 2: the row has 4 fields, but 5 are expected"


def test_bytes_that_are_no_utf8_are_named_and_no_term_is(tmp_path):
    text = DESCRIPTIONS.encode() + TERM.format("good").encode() + TERM.format("fièvre").encode("latin-1")
    assert problem(tmp_path, "description", text) == "line 3: is not UTF-8; get the release again"


def test_no_term_is_repeated_in_an_error(tmp_path):
    for broken in (TERM.format("secret\tterm"), TERM.format("secret").replace("100014", "secret")):
        assert "secret" not in problem(tmp_path, "description", DESCRIPTIONS + broken)


def test_a_failure_that_no_line_explains_repeats_no_term_either(tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise pl.exceptions.ComputeError("could not parse `secret`")

    monkeypatch.setattr(pl, "read_csv", fail)
    assert problem(tmp_path, "description", DESCRIPTIONS + TERM.format("secret")) == (
        "cannot be read, although no line looks wrong; check that there is enough memory"
    )


def test_a_place_in_a_zip_is_named_with_the_zip(tmp_path):
    path = zip_files(tmp_path / "release.zip", {f"a/{NAMES['concept']}": CONCEPTS + "1\n"})
    with pytest.raises(FileError) as caught:
        read_rows(find_files([path]), "concept", check_ids=False, advance=lambda _done: None)
    assert str(caught.value).startswith(f"{path}/a/{NAMES['concept']}, line 2: ")


def test_two_rows_of_one_component_for_one_date_are_refused(tmp_path):
    other = "100014\t20020131\t1\t9\t74\n"
    text = CONCEPTS + other + GOOD + GOOD.replace("2002", "2003") + GOOD.replace("\t1", "\t0") + GOOD + other
    assert problem(tmp_path, "concept", text) == (
        "line 5: has the same id and effectiveTime as line 3; get the release again"
    )


def test_two_such_rows_are_refused_when_all_are_sorted(tmp_path):
    text = CONCEPTS + GOOD + GOOD.replace("2002", "2003") * 2 + GOOD.replace("2002", "2004")
    assert problem(tmp_path, "concept", text).startswith("line 4: has the same id")


def test_two_rows_of_one_member_for_one_date_are_refused(tmp_path):
    header = "id\teffectiveTime\tactive\tmoduleId\trefsetId\treferencedComponentId\ttargetComponentId\n"
    row = "dce0fd95-0001\t20020131\t1\t9\t527\t100005\t102002\n"
    assert problem(tmp_path, "association", header + row + row).startswith("line 3: has the same id")
    assert read(tmp_path, "association", header + row + row.replace("0001", "0002")).height == 2


def test_the_same_component_in_two_files_is_fine(tmp_path):
    files = {f"a/{NAMES['concept']}": CONCEPTS + GOOD, f"b/{NAMES['concept']}": CONCEPTS + GOOD}
    found = find_files([write_files(tmp_path, files)])
    assert read_rows(found, "concept", check_ids=False, advance=lambda _done: None).height == 2


def test_check_digits_are_looked_at_when_asked(tmp_path):
    text = CONCEPTS + GOOD + "100006\t20020131\t1\t9\t74\n"
    assert read(tmp_path, "concept", text).height == 2
    assert problem(tmp_path, "concept", text, check_ids=True) == (
        "line 3: 100006 is not a SNOMED CT identifier: its length or check digit is wrong"
    )
    assert read(tmp_path, "concept", CONCEPTS + GOOD, check_ids=True).height == 1


def test_progress_is_reported_for_each_file(tmp_path):
    done = []
    write_files(tmp_path, {f"{folder}/{NAMES['concept']}": CONCEPTS for folder in "abc"})
    read_rows(find_files([tmp_path]), "concept", check_ids=False, advance=done.append)
    assert done == [1, 1, 1]


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 2), st.integers(20020101, 20020104))))
def test_the_latest_row_is_the_last_of_those_that_none_is_later_than(rows):
    frame = pl.DataFrame(rows, schema={"a": pl.Int64, "b": pl.Int64, "effectiveTime": pl.Int32}, orient="row")
    expected: dict[tuple[int, int], int] = {}  # keeps the order in which keys are first met
    for number, (a, b, time) in enumerate(rows):
        if (a, b) not in expected or time >= rows[expected[a, b]][2]:
            expected[a, b] = number
    found = latest(frame, "a", "b")
    assert found["row"].to_list() == list(expected.values())
    assert found.drop("row").rows() == [rows[number] for number in expected.values()]
