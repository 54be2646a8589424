"""Sets as they lie in a folder: whatever is wrong with their columns is one sentence without their terms."""

import polars as pl
import pytest

from medgauge.build.difference import diff
from medgauge.build.folder import read_set
from medgauge.build.verification import verify
from medgauge.errors import FileError
from tests.build.conftest import copied


def test_a_set_is_the_same_in_both_forms_and_none_where_it_is_not(built):
    parquet, tsv = (read_set(built / form, "fsn-syn-hard-random") for form in ("sets", "tsv"))
    assert parquet.equals(tsv)
    assert read_set(built / "some", "fsn-syn-hard-random") is None


def test_a_missing_column_is_named(tmp_path):
    (tmp_path / "a-b.tsv").write_text("term_1\tlabel\n")
    with pytest.raises(FileError, match="has no column term_2"):
        read_set(tmp_path, "a-b")


@pytest.mark.parametrize("label", ["1.0", "", "300", "secret term"])
def test_a_label_in_a_tsv_that_is_none_is_an_error_with_its_line(label, built, tmp_path):
    folder = copied(built / "tsv", tmp_path / "copy")
    path = folder / "same-as-hard-random.tsv"
    lines = path.read_text("utf-8").splitlines()
    cells = lines[1].split("\t")
    path.write_text("\n".join([lines[0], "\t".join([*cells[:3], label, *cells[4:]])]) + "\n", "utf-8")
    for compare in (verify, diff):
        with pytest.raises(FileError, match="line 2: the label is neither 0 nor 1") as caught:
            compare(built / "sets", folder)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series("term_1", [None], pl.String),
        pl.Series("term_1", [["secret"]]),
        pl.Series("term_1", [b"secret"]),
        pl.Series("term_1", [7]),
        pl.Series("term_1", ["secret"], pl.Categorical),
        pl.Series("label", [2]),
        pl.Series("label", [None], pl.Int8),
        pl.Series("label", [0.5]),
    ],
    ids=lambda column: f"{column.name} {column.dtype}",
)
def test_a_parquet_with_other_columns_is_an_error(column, built, tmp_path):
    folder = copied(built / "sets", tmp_path / "copy")
    frame = pl.DataFrame({"term_1": ["a"], "term_2": ["b"], "label": [1]}).with_columns(column)
    frame.write_parquet(folder / "same-as-hard-random.parquet")
    for compare in (verify, diff):
        with pytest.raises(FileError, match=r"same-as-hard-random\.parquet: is not a set: ") as caught:
            compare(built / "sets", folder)
        assert "secret" not in str(caught.value)
