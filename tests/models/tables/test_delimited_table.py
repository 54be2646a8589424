import csv
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.errors import FileError
from medgauge.models.tables import delimited_table
from medgauge.models.tables.delimited_table import DelimitedTable
from tests.models.small import floats
from tests.support.concept_tables import as_csv, as_cui2vec, written
from tests.vectors import some_vectors

VECTORS = some_vectors("C0000039", "C0027051", "C0004238")


def table_of(path: Path) -> DelimitedTable:
    found = DelimitedTable.of(path, path.read_bytes())
    assert found is not None
    return found


def plainly_read(content: bytes, separator: str, has_header: bool) -> dict[str, list[float]]:
    """Read a table in the obvious way: the first of two vectors of a key counts."""
    rows = list(csv.reader(io.StringIO(content.decode(), newline=""), delimiter=separator))[has_header:]
    found: dict[str, list[float]] = {}
    for key, *numbers in (row for row in rows if row):
        found.setdefault(key.strip(), [float(np.float32(number)) for number in numbers])
    return found


keys = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=6).filter(
    lambda key: not key[0].isdigit()
)


@given(
    rows=st.lists(st.tuples(keys, st.tuples(floats, floats, floats)), min_size=1, max_size=8),
    separator=st.sampled_from(",;\t"),
    has_header=st.booleans(),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC, csv.QUOTE_ALL]),
    end=st.sampled_from(["\n", "\r\n"]),
    block=st.sampled_from([7, 40, 1 << 20]),
    cut=st.booleans(),
)
def test_a_table_is_read_as_the_csv_module_reads_it(
    rows: list[tuple[str, tuple[float, ...]]],
    separator: str,
    has_header: bool,
    quoting: int,
    end: str,
    block: int,
    cut: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerows([["cui", "x", "y", "z"]] * has_header)
    writer.writerows([key, *numbers] for key, numbers in rows)
    content = stream.getvalue().encode()
    content = content.rstrip() if cut else content
    path = written(tmp_path_factory.mktemp("csv") / "t", content)
    table = table_of(path)
    assert (table.separator, table.has_header, table.dim) == (separator, has_header, 3)
    plain = plainly_read(content, separator, has_header)
    wanted = [*plain, "unknown"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited_table, "BLOCK", block)
        found = table.find(wanted)
    assert found.words == len(rows)
    assert found.known.tolist() == [True] * len(plain) + [False]
    assert found.vectors[:-1].tolist() == list(plain.values())
    assert table.first_keys(content) == [key for key, _ in rows]


def test_another_library_reads_the_same(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = written(tmp_path / "t.csv", as_cui2vec(VECTORS))
    frame = pandas.read_csv(path, index_col=0, dtype={0: str}).astype("float32")
    found = table_of(path).find(list(frame.index))
    assert found.known.all()
    np.testing.assert_array_equal(found.vectors, frame.to_numpy())


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        (b"C1,1,2\nC2,nan,2\n", 2, "the vector has a value that is missing, infinite or not a number (NaN)"),
        (b"C1,nan,2\nC2,1,2\n", 1, "the vector has a value that is missing"),
        (b"C1,NA,NA\nC2,1,2\n", 1, "the vector has a value that is missing"),
        (b"C1,1,2\nC2,inf,2\n", 2, "the vector has a value that is missing"),
        (b"C1,1,2\nC2,1e300,2\n", 2, "the vector has a value that is missing"),
        (b"C1,1,2\nC2,,2\n", 2, "the vector has a value that is missing"),
        (b"C1,1,2\nC2,zqx,2\n", 2, "the vector has a value that is missing"),
        (b"C1;1,5;2,5\nC2;1,5;2,5\n", 2, "the vector has a value that is missing"),
        (b"C1,1,2\n\nC2,1\n", 3, "the vector has 1 numbers, but the first has 2"),
        (b"C1,1,2\nC2,1,2,3\n", 2, "the vector has 3 numbers, but the first has 2"),
        (b"C1,1,2\n,1,2\n", 2, "the id is missing"),
        (b",1.5,2.5\nC1,1,2\n", 1, "the id is missing"),
        (b'C1,1,2\n"",1,2\n', 2, "the id is missing"),
        (b"C1,1,2\n22298006.0,1,2\n", 2, "the id is a number with a decimal point or an exponent"),
        (b"id,x,y\n22298006,1,2\n2.2298e+07,1,2\n", 3, "the id is a number with a decimal point"),
        (b'C1,1,2\n"C2,1,2\nC3,1,2\n', 2, "a quotation mark is not closed"),
        (b"C1,1,2\nC\xff,1,2\n", 2, "byte 0xff is not valid UTF-8"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, content: bytes, line: int, problem: str) -> None:
    path = written(tmp_path / "t", content)
    with pytest.raises(FileError) as raised:
        table_of(path).find(["C1"])
    assert raised.value.place == f"line {line}"
    assert problem in raised.value.problem
    assert "zqx" not in str(raised.value)


def test_spaces_and_blank_lines_are_no_obstacle(tmp_path: Path) -> None:
    path = written(tmp_path / "t", b"C1, 1, 2\n\n C2 , 3, 4 \n\n")
    assert table_of(path).find(["C2"]).vectors.tolist() == [[3.0, 4.0]]


@pytest.mark.parametrize(
    "content",
    [
        b"\n",
        b";",
        b"C1 1 2\nC2 3 4\n",
        b", 0.5 1.5\nof 0.5 1.5\n",
        b"2 3\nC1\t1\t2\t3\nC2\t1\t2\t3\n",
        b"\x89PNG\r\n\x1a\n\0\0,\0",
        "C1,1\n".encode("utf-16"),
    ],
    ids=["nothing", "a separator", "GloVe", "a comma as a word", "word2vec with tabs", "PNG", "UTF-16"],
)
def test_what_is_no_table_is_left_to_others(tmp_path: Path, content: bytes) -> None:
    assert DelimitedTable.of(tmp_path, content) is None


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"id,x,y\n", "has a header but no vectors"),
        (b"id,x,y\nC1,1\n", "line 2: has 2 columns, and the first line 3"),
        (b"id,x\nC1,1,2,3\n", "line 2: has 4 columns, and the first line 2"),
    ],
)
def test_a_header_without_vectors_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        table_of(written(tmp_path / "t", content))


def test_a_header_of_numbers_is_recognised_by_its_first_name(tmp_path: Path) -> None:
    assert table_of(written(tmp_path / "a", b",0,1\nC1,5,6\n")).has_header
    assert table_of(written(tmp_path / "b", b"cui,1,2\nC1,5,6\n")).has_header
    assert not table_of(written(tmp_path / "c", b"22298006,0,1\n138875005,5,6\n")).has_header


def test_ids_keep_their_digits_and_zeros(tmp_path: Path) -> None:
    path = written(tmp_path / "t", b"id,x\n999000011000001104,1\n0042,2\n42,3\n")
    found = table_of(path).find(["0042", "999000011000001104", "42"])
    assert found.vectors.ravel().tolist() == [2.0, 1.0, 3.0]


def test_blocks_are_bounded_by_their_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited_table, "BLOCK", 64)
    monkeypatch.setattr(delimited_table, "_LONGEST_LINE", 200)
    path = written(tmp_path / "t", as_csv(VECTORS) + b"C1," + b"1" * 400 + b",1,1,1\n")
    with pytest.raises(FileError, match="t, line 4: the line is too long for a vector"):
        table_of(path).find([])
