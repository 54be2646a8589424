import csv
import gzip
import io
import math
import warnings
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import FileError, MedgaugeWarning
from medgauge.files.spreadsheets import protected
from medgauge.tables import _check_names, frame_table, is_missing, read_table, to_number

HEADER = ("term_1", "term_2", "gold")
LINES = [("angina", "chest pain", "3.5"), ("fever", "fracture", "0")]


def _written(tmp_path: Path, content: str | bytes, name: str = "table.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _joined(separator: str, ending: str = "\n") -> str:
    return "".join(separator.join(line) + ending for line in [HEADER, *LINES])


@pytest.mark.parametrize("separator", [",", "\t", ";"], ids=["comma", "tab", "semicolon"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "BOM"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["", "gzip"])
def test_a_delimited_table_is_read_whatever_its_dress(tmp_path, separator, ending, mark, pack):
    table = read_table(_written(tmp_path, pack((mark + _joined(separator, ending)).encode())))
    assert table.header == HEADER
    assert [row.values for row in table.rows] == LINES
    assert [row.place for row in table.rows] == ["line 2", "line 3"]


def test_the_last_line_needs_no_newline(tmp_path):
    table = read_table(_written(tmp_path, _joined(",").rstrip("\n")))
    assert [row.values for row in table.rows] == LINES


def test_the_commonest_separator_of_the_first_line_counts(tmp_path):
    table = read_table(_written(tmp_path, "a\tb, or c\td\n1\t2;3\t4\n"))
    assert table.header == ("a", "b, or c", "d")
    assert table.rows[0].values == ("1", "2;3", "4")


def test_names_in_the_header_are_stripped(tmp_path):
    assert read_table(_written(tmp_path, "term_1 , term_2,gold\na,b,1\n")).header == HEADER


def test_quoted_fields_may_hold_separators_quotes_and_newlines(tmp_path):
    table = read_table(_written(tmp_path, 'a,b\n"x, y","say ""ah"""\n"one\ntwo",z\n'))
    assert [row.values for row in table.rows] == [("x, y", 'say "ah"'), ("one\ntwo", "z")]


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_lines_are_counted_across_quoted_newlines_and_blank_lines(tmp_path, ending):
    text = ending.join(["a,b", '"1', "", '2",x', "", "  ", "3,y", ""])
    table = read_table(_written(tmp_path, text))
    assert [row.values[1] for row in table.rows] == ["x", "y"]
    assert table.rows[1].place == "line 7"


def test_a_row_over_several_lines_is_placed_at_one_of_them(tmp_path):
    table = read_table(_written(tmp_path, 'a,b\n"1\n2",x\n'))
    assert table.rows[0].place in ("line 2", "line 3")


@pytest.mark.parametrize(("row", "count"), [("a,b", 2), ("a,b,1,2", 4), ("a", 1)])
def test_a_row_of_another_length_is_an_error_that_names_its_line(tmp_path, row, count):
    path = _written(tmp_path, _joined(",") + row + "\n")
    with pytest.raises(FileError, match=rf"table\.csv, line 4: the row has {count} fields, but 3 are"):
        read_table(path)


def test_a_quote_that_is_not_closed_is_an_error(tmp_path):
    with pytest.raises(FileError, match=r"table\.csv, line 3: a quote is opened but not closed"):
        read_table(_written(tmp_path, 'a,b\n1,2\n"3,4\n5,6\n'))


def test_text_after_a_closing_quote_is_an_error_that_names_its_line(tmp_path):
    with pytest.raises(FileError, match=r"table\.csv, line 3: .* expected after"):
        read_table(_written(tmp_path, 'a,b\n1,2\n"3"x,4\n'))


@pytest.mark.parametrize("content", ["\n", "  \n\n", "\ufeff"])
def test_a_file_of_blank_lines_has_no_rows(tmp_path, content):
    with pytest.raises(FileError, match="the file has no rows"):
        read_table(_written(tmp_path, content))


def test_an_empty_file_is_no_table(tmp_path):
    with pytest.raises(FileError, match="the file is empty"):
        read_table(_written(tmp_path, b""))


def test_a_table_may_consist_of_a_header_alone(tmp_path):
    table = read_table(_written(tmp_path, "a,b\n"))
    assert (table.header, table.rows) == (("a", "b"), [])


def test_columns_without_a_header_are_numbered_from_1(tmp_path):
    table = read_table(_written(tmp_path, "angina,chest pain,3.5\nfever,fracture,0\n"), has_header=False)
    assert table.header == ("1", "2", "3")
    assert [row.values for row in table.rows] == LINES
    assert [row.place for row in table.rows] == ["line 1", "line 2"]


def test_parquet_is_known_by_its_content_and_keeps_its_types(tmp_path):
    path = tmp_path / "table.csv"
    pl.DataFrame({"term_1": ["a", None], "gold": [1.5, 2.0], "fold": [0, 1]}).write_parquet(path)
    table = read_table(path)
    assert table.header == ("term_1", "gold", "fold")
    assert [(row.place, row.values) for row in table.rows] == [
        ("row 1", ("a", 1.5, 0)),
        ("row 2", (None, 2.0, 1)),
    ]


def test_a_parquet_file_that_is_cut_off_is_named(tmp_path):
    path = tmp_path / "table.parquet"
    pl.DataFrame({"a": range(100)}).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(FileError, match=r"table\.parquet: cannot be read as Parquet"):
        read_table(path)


FIELDS = st.text(st.sampled_from('ab ,;\t"\n\r–è'), max_size=6)


@given(st.lists(st.tuples(FIELDS, FIELDS), max_size=5))
@settings(max_examples=50, deadline=None)
def test_what_the_csv_module_writes_is_read_back(tmp_path_factory, rows):
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([("left", "right"), *rows])
    table = read_table(_written(tmp_path_factory.mktemp("any"), text.getvalue()))
    assert [row.values for row in table.rows] == [row for row in rows if "".join(row).strip()]


def test_quotes_in_a_tsv_may_be_meant(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text('a\tb\n"Fifth" disease\tx\n5" pipe\ty\n')
    assert [row.values for row in read_table(path).rows] == [('"Fifth" disease', "x"), ('5" pipe', "y")]


@pytest.mark.parametrize("value", ["", "  ", "NA", "nan", "NULL", "None", None, float("nan")])
def test_a_missing_cell_is_missing_and_no_number(value):
    assert is_missing(value)
    assert math.isnan(to_number(value))


@pytest.mark.parametrize(
    "value", ["high", "0,5", "79%", "1_000", "inf", float("inf"), [1.0], "1e999", 10**400]
)
def test_what_is_no_finite_number_is_not_missing_either(value):
    assert not is_missing(value)
    assert math.isnan(to_number(value))


@pytest.mark.parametrize(("value", "number"), [("0.5", 0.5), (" -3 ", -3.0), ("1e-3", 0.001), (7, 7.0)])
def test_a_number_is_read(value, number):
    assert not is_missing(value)
    assert to_number(value) == number


def test_a_frame_is_a_table_with_numbered_rows():
    table = frame_table(pl.DataFrame({"model": ["a", "b"], "x": [1, None]}), Path("the frame"))
    assert table.header == ("model", "x")
    assert [(row.place, row.values) for row in table.rows] == [("row 1", ("a", 1)), ("row 2", ("b", None))]


def test_a_cell_holds_a_number_or_none_and_anything_else_is_named_by_its_place(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("word,count\nflu,12\nasthma, NA\ncough,\ncold,1_000\nangina,inf\n")
    table = read_table(path)
    assert [table.optional_number(row, 1) for row in table.rows[:3]] == [12.0, None, None]
    with pytest.raises(FileError, match="line 4: the value of column 'count' is missing"):
        table.number(table.rows[2], 1)
    for row, line in zip(table.rows[3:], (5, 6), strict=True):
        with pytest.raises(FileError, match=f"line {line}: the value of column 'count' is not a number"):
            table.optional_number(row, 1)


GERMAN = "Begriff 1;Begriff 2;Mittelwert\r\nÜbelkeit;Erbrechen, häufig;3,5\r\nFieber;Gicht;0\r\n"


def test_decimal_commas_are_read_in_files_with_semicolons(tmp_path):
    table = read_table(_written(tmp_path, GERMAN))
    assert [table.number(row, 2) for row in table.rows] == [3.5, 0.0]


@pytest.mark.parametrize(
    ("separator", "cell"), [("\t", "3,5"), (",", '"3,5"'), (";", "3,5"), (";", "-1,25e2")]
)
def test_decimal_commas_are_read_with_every_separator(tmp_path, separator, cell):
    table = read_table(_written(tmp_path, f"a{separator}b\nx{separator}{cell}\ny{separator}2\n"))
    assert [table.number(row, 1) for row in table.rows] == [-125.0 if "e" in cell else 3.5, 2.0]


@pytest.mark.parametrize("cells", [("3,5", "3.5"), ("3.5", "2", "3,5")])
def test_commas_and_points_are_not_mixed_in_a_column(tmp_path, cells):
    table = read_table(_written(tmp_path, "a;b\n" + "".join(f"x;{cell}\n" for cell in cells)))
    line = len(cells) + 1
    problem = f"line {line}: the value of column 'b' has another decimal sign than that of line 2"
    with pytest.raises(FileError, match=problem):
        [table.number(row, 1) for row in table.rows]


@pytest.mark.parametrize("cell", ["1.234,5", "1,234,567", "1,234.5", "1 234,5", "3,5 mg", ","])
def test_separators_of_thousands_are_not_guessed(tmp_path, cell):
    table = read_table(_written(tmp_path, f"a;b\nx;{cell}\n"))
    with pytest.raises(FileError, match=r"table\.csv, line 2: the value of column 'b' is not a number"):
        table.number(table.rows[0], 1)


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_comma_that_may_be_for_thousands_is_an_error(tmp_path, separator):
    rows = "".join(f'{word}{separator}"{count}"\n' for word, count in (("flu", "7"), ("gout", "1,234")))
    table = read_table(_written(tmp_path, f"word{separator}count\n{rows}"))
    assert table.number(table.rows[0], 1) == 7
    with pytest.raises(
        FileError, match="line 3: the value of column 'count' has a comma that may be for dec"
    ):
        table.number(table.rows[1], 1)


def test_three_decimals_are_no_thousands_where_others_tell(tmp_path):
    table = read_table(_written(tmp_path, "a;b\nx;1,333\n"))
    assert table.number(table.rows[0], 1) == 1.333
    table = read_table(_written(tmp_path, "a\tb\nx\t1,333\ny\t0,5\n"))
    assert [table.number(row, 1) for row in table.rows] == [1.333, 0.5]


def test_the_separator_is_the_one_that_fits_all_rows(tmp_path):
    table = read_table(
        _written(tmp_path, "Infarkt, akut, links;Herz;3,5\nFieber;Gicht;2\n"), has_header=False
    )
    assert [row.values for row in table.rows] == [
        ("Infarkt, akut, links", "Herz", "3,5"),
        ("Fieber", "Gicht", "2"),
    ]


def test_rows_that_a_spreadsheet_left_blank_are_skipped(tmp_path):
    table = read_table(_written(tmp_path, GERMAN + ";;\r\n ; ;\r\n"))
    assert len(table.rows) == 2


def test_old_mac_line_ends_do_not_hide_the_separator(tmp_path):
    table = read_table(_written(tmp_path, "a;b\rx, y, z;1\rp, q, r;2\r"))
    assert [row.values for row in table.rows] == [("x, y, z", "1"), ("p, q, r", "2")]


def test_sixty_thousand_columns_are_compared_once(tmp_path):
    """Counting each name in the header took half a minute; so many names are looked up in a moment."""

    class Counting(str):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Counting.compared += 1
            return super().__eq__(other)

        __hash__ = str.__hash__

    names = [Counting(number) for number in range(3000)]
    _check_names(tmp_path, names, "line 1")
    assert Counting.compared < 3 * len(names)


def test_a_name_that_two_columns_have_is_named_by_their_numbers(tmp_path):
    with pytest.raises(FileError, match=r"table\.csv, line 1: columns 2 and 4 have the same name"):
        read_table(_written(tmp_path, "a,b,,b,\n1,2,3,4,5\n"))


TERMS = st.text(st.sampled_from("abäéß –'\";,=-"), min_size=1, max_size=8).filter(lambda text: text.strip())
PEOPLE = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])


@given(
    rows=st.lists(st.tuples(TERMS, TERMS, st.integers(0, 1000)), min_size=1, max_size=6),
    encoding=PEOPLE,
    separator=st.sampled_from(",;\t"),
    ending=st.sampled_from(["\n", "\r\n", "\r"]),
    comma=st.booleans(),
)
@settings(max_examples=200)
def test_the_same_table_in_any_dress_has_the_same_rows(
    tmp_path_factory, rows, encoding, separator, ending, comma
):
    numbers = [f"{number / 100:.2f}".replace(".", "," if comma else ".") for _, _, number in rows]
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator=ending)
    writer.writerow(("Begriff 1", "Begriff 2", "Mittelwert (0–10)"))
    writer.writerows(
        (protected(one), protected(two), number) for (one, two, _), number in zip(rows, numbers, strict=True)
    )
    path = _written(tmp_path_factory.mktemp("any"), text.getvalue().encode(encoding))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MedgaugeWarning)
        table = read_table(path)
    found = [(one, two, table.number(row, 2)) for row in table.rows for one, two, _ in (row.values,)]
    kept = protected if separator == "\t" else str  # only what is for people is restored
    assert found == [(kept(one), kept(two), number / 100) for one, two, number in rows]


@pytest.mark.parametrize("cell", ["k.A.", " K. A.", "n/a", "N.A.", "-", "–", "—", "NaN", ""])
def test_what_people_write_where_there_is_no_number_is_missing(cell):
    assert is_missing(cell)
