import csv
import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.files.spreadsheets import BOM, csv_text, frame_csv, protected, unprotected
from medgauge.tables import read_table

RISKY = ["=1+1", "+49 30", "-OH", "@SUM(A1)", "\tx", "\rx"]
TEXTS = st.text(st.sampled_from("'=+-@\t\r0.5e a,\"\n"), max_size=6)


@pytest.mark.parametrize("text", RISKY)
def test_a_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text):
    assert protected(text) == f"'{text}"


@pytest.mark.parametrize("cell", ["", "flu", "'tis", "a=b", "-0.5", "+3", "-1e-3", -0.5, 0, None, True])
def test_other_texts_and_numbers_are_left_alone(cell):
    assert protected(cell) == cell


@given(TEXTS)
def test_what_was_protected_is_restored_exactly(text):
    assert unprotected(protected(text)) == text


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5))
def test_a_csv_for_people_is_read_back_exactly(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("any") / "t.csv"
    path.write_text(csv_text(["=left", "right"], rows), "utf-8", newline="")
    table = read_table(path)
    assert table.header == ("=left", "right")
    assert [row.values for row in table.rows] == [row for row in rows if "".join(row).strip()]


def test_no_cell_of_a_frame_begins_a_formula():
    frame = pl.DataFrame({"@name": [*RISKY, None], "number": [-1.5] * (len(RISKY) + 1)})
    header, *rows = csv.reader(io.StringIO(frame_csv(frame), newline=""))
    assert header == ["'@name", "number"]
    assert rows == [[f"'{text}", "-1.5"] for text in RISKY] + [["", "-1.5"]]


def test_a_mark_makes_excel_read_utf8():
    assert csv_text(["term"], [["fièvre"]], bom=True) == f"{BOM}term\nfièvre\n"
    assert frame_csv(pl.DataFrame({"term": ["fièvre"]}), bom=True) == f"{BOM}term\nfièvre\n"


def test_tsv_keeps_what_begins_with_an_apostrophe(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("term\tscore\n'-OH\t1\n")
    assert read_table(path).rows[0].values == ("'-OH", "1")
