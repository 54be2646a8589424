"""Parquet files: written with a seal, and read without trusting them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

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


def parquet_schema(path: str | Path) -> "pl.Schema":
    """Read the names and types of the columns of a Parquet file."""
    import polars as pl

    path = require_file(path).absolute()
    with _parquet_errors(path):
        return pl.scan_parquet(path, glob=False).collect_schema()


def read_parquet_rows(path: str | Path, columns: "Sequence[str]", start: int, count: int) -> "pl.DataFrame":
    """Read some rows of some columns of a Parquet file, without the row groups before and after them."""
    import polars as pl

    path = require_file(path).absolute()
    with _parquet_errors(path):
        return pl.scan_parquet(path, glob=False).slice(start, count).select(columns).collect()


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


def write_parquet_pieces(
    path: Path,
    pieces: "Iterable[pl.DataFrame]",
    schema: "Mapping[str, pl.DataType]",
    metadata: "dict[str, str] | Callable[[], dict[str, str]]",
    *,
    group: int,
) -> None:
    """Write frames with the same columns as one Parquet file, of which only a few are in memory at a time.

    The file has groups of `group` rows. It is sealed, and written whole or not at all; an error of the
    iterable is raised as it is. Metadata that depend on the frames are a function, called after the last.
    """
    import polars as pl
    from polars.io.plugins import register_io_source

    raised: list[Exception] = []
    complete = False

    def all_metadata(_: object) -> dict[str, str]:
        if raised:
            return {}
        assert complete, "Polars asks for the metadata once everything is written"
        return metadata() if callable(metadata) else metadata

    def produced(*_: Any) -> "Iterator[pl.DataFrame]":
        nonlocal complete
        try:
            yield from pieces
            complete = True
        except Exception as error:
            # Polars would make a text of it, and might write to the file once more after it has failed, when
            # that is removed. So it ends as if this was all.
            raised.append(error)

    with writing(path) as temporary:
        try:
            frame = register_io_source(produced, schema=dict(schema))
            frame.sink_parquet(
                temporary,
                metadata=all_metadata if callable(metadata) else metadata,
                row_group_size=group,
            )
        except pl.exceptions.PolarsError as error:
            if not raised:
                raise FileError(path, f"cannot be written: {error}") from error
        if raised:
            raise raised[0]
        seal(temporary)
