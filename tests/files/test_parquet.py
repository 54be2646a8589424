import os
from collections.abc import Iterator
from time import sleep

import numpy as np
import polars as pl
import pytest

from medgauge.errors import FileError, InputError
from medgauge.files.intact import is_sealed
from medgauge.files.parquet import parquet_metadata, read_parquet, write_parquet, write_parquet_pieces

SCHEMA = {"term": pl.String(), "vector": pl.Array(pl.Float32(), 3)}


def piece(start: int, count: int = 4) -> pl.DataFrame:
    rows = np.arange(start, start + 3 * count, dtype=np.float32).reshape(-1, 3)
    terms = [f"t{number}" for number in range(start, start + count)]
    return pl.DataFrame({"term": terms, "vector": rows}, schema=SCHEMA)


def test_pieces_are_the_table_that_is_written_at_once(tmp_path):
    pieces = [piece(start) for start in range(0, 40, 4)]
    write_parquet_pieces(tmp_path / "pieces.parquet", iter(pieces), SCHEMA, {"a": "b"}, group=4)
    write_parquet(tmp_path / "whole.parquet", pl.concat(pieces), {"a": "b"})
    assert read_parquet(tmp_path / "pieces.parquet").equals(read_parquet(tmp_path / "whole.parquet"))
    assert parquet_metadata(tmp_path / "pieces.parquet")["a"] == "b"
    assert is_sealed(tmp_path / "pieces.parquet")


def test_the_error_of_a_piece_is_raised_and_nothing_is_left(tmp_path):
    def failing() -> Iterator[pl.DataFrame]:
        yield piece(0)
        raise InputError("the second piece is bad")

    with pytest.raises(InputError, match=r"^the second piece is bad$"):
        write_parquet_pieces(tmp_path / "a.parquet", failing(), SCHEMA, {}, group=4)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_appears_once_the_error_of_a_piece_has_been_raised(tmp_path, count):
    def failing() -> Iterator[pl.DataFrame]:
        yield from [piece(0)] * count
        raise InputError("no more")

    for number in range(60):  # Polars came too late in about 1 of 10 times
        with pytest.raises(InputError):
            write_parquet_pieces(tmp_path / f"{number}.parquet", failing(), SCHEMA, {}, group=4)
    sleep(0.2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_a_full_disk_is_named_and_nothing_is_left(tmp_path, monkeypatch):
    from medgauge.files import parquet

    def on_a_full_disk(frame, _path, **options):
        return sink(frame, "/dev/full", **options)

    sink = pl.LazyFrame.sink_parquet
    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", on_a_full_disk)
    with pytest.raises(FileError, match=r"a.parquet: cannot be written"):
        parquet.write_parquet_pieces(tmp_path / "a.parquet", iter([piece(0)]), SCHEMA, {}, group=4)
    assert list(tmp_path.iterdir()) == []
