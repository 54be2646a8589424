"""Parquet files: written with a seal, and read without trusting them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from medgauge.errors import FileError
from medgauge.files.intact import problem_with, seal
from medgauge.files.opening import begins_with, require_file
from medgauge.files.writing import writing

if TYPE_CHECKING:
    import polars as pl


@contextmanager
def _parquet_errors(path: Path) -> Iterator[None]:
    import polars as pl

    try:
        if (problem := problem_with(path)) is not None:
            raise FileError(path, f"cannot be read as Parquet: {problem}")
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, UnicodeError) as error:
        raise FileError(path, f"cannot be read as Parquet: {error}") from error


def read_parquet(path: str | Path) -> "pl.DataFrame":
    """Read a Parquet file; a damaged one is a FileError, and cannot end the process."""
    import polars as pl

    path = require_file(path).absolute()
    with _parquet_errors(path):
        return pl.read_parquet(path, glob=False)


def parquet_metadata(path: str | Path) -> dict[str, str]:
    """Read the metadata of a Parquet file."""
    import polars as pl

    path = require_file(path).absolute()
    with _parquet_errors(path):
        return pl.read_parquet_metadata(path)


def is_parquet(path: str | Path) -> bool:
    """Return whether a file begins like Parquet."""
    return begins_with(path, b"PAR1")


def write_parquet(path: Path, frame: "pl.DataFrame", metadata: dict[str, str]) -> None:
    """Write a Parquet file whole or not at all, with a seal by which damage is noticed."""
    import polars as pl

    with writing(path) as temporary:
        try:
            frame.write_parquet(temporary, metadata=metadata)
        except pl.exceptions.PolarsError as error:
            raise FileError(path, f"cannot be written: {error}") from error
        seal(temporary)
