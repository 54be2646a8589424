"""Any table in memory as a Polars frame: pandas, Polars, Arrow, a dict of columns or a list of rows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from medgauge.errors import InputError

Frame = Any
"""What `as_frame` accepts; these types have no common base."""

_KINDS = (
    "a pandas or Polars frame, an Arrow table, anything with the Arrow C stream or the dataframe "
    "interchange protocol, a dict of columns, or a list of tuples or dicts"
)
_INTERFACES = ("__arrow_c_stream__", "to_polars", "__dataframe__")


def is_frame(data: object) -> bool:
    """Return whether `as_frame` accepts the data as a table.

    A list is a table if it begins with a row, and a dict if it holds columns; a list of frames and a dict
    from names to frames are not.

    >>> is_frame([("flu", "influenza")]), is_frame(["flu", "influenza"]), is_frame({"term_1": ["flu"]})
    (True, False, True)
    """
    if isinstance(data, Mapping):
        return bool(data) and all(map(_is_column, data.values()))
    if isinstance(data, list):
        return bool(data) and _is_row(data[0])
    if len(getattr(data, "shape", (0, 0))) != 2:  # a Series has the same interfaces
        return False
    return isinstance(data, pl.LazyFrame) or any(hasattr(data, name) for name in _INTERFACES)


def as_frame(data: Frame) -> pl.DataFrame:
    """Return a table in memory as a Polars frame, without copying where possible.

    Columns of a list of tuples are named by number, from 1. What pandas considers missing becomes null. A
    column with values of several types becomes text.

    >>> as_frame([("flu", "influenza", 4), ("flu", "gout", 0.5)]).rows()
    [('flu', 'influenza', 4.0), ('flu', 'gout', 0.5)]
    """
    if isinstance(data, pl.DataFrame):
        return data
    if isinstance(data, pl.LazyFrame):
        return data.collect()
    try:
        frame = _converted(data)
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:  # not repeated: it may quote terms
        raise InputError(f"this {_kind(data)} has columns that cannot be read as a table") from error
    if frame is None:
        raise InputError(f"a table is {_KINDS}, not {_kind(data)}")
    return frame


def _converted(data: Any) -> pl.DataFrame | None:
    if isinstance(data, Mapping | list) or _is_pandas(data):
        columns = _columns_of_rows(data) if isinstance(data, list) else data
        return pl.DataFrame([_series(name, column) for name, column in columns.items()])
    if hasattr(data, "__arrow_c_stream__"):
        return pl.DataFrame(data)
    if hasattr(data, "to_polars"):
        return as_frame(data.to_polars())
    return as_frame(_interchanged(data)) if hasattr(data, "__dataframe__") else None


def _series(name: object, values: Any) -> pl.Series:
    if not _is_pandas(values):
        return pl.Series(str(name), values, strict=False)
    # Not via Arrow: pyarrow may be missing, and rejects columns of several types.
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "biuf":
        return pl.Series(str(name), values.to_numpy(), nan_to_null=True)
    missing = values.isna().tolist()
    known = [None if absent else value for value, absent in zip(values.tolist(), missing, strict=True)]
    return pl.Series(str(name), known, strict=False)


def _columns_of_rows(rows: Sequence[Any]) -> dict[str, list[Any]]:
    """Convert rows to columns: by the keys of dicts, or by position in tuples, which need equal lengths."""
    if all(isinstance(row, Mapping) for row in rows):
        names = dict.fromkeys(name for row in rows for name in row)
        return {str(name): [row.get(name) for row in rows] for name in names}
    for number, row in enumerate(rows, 1):
        if not isinstance(row, tuple):
            raise InputError(f"row {number} of the list is not a tuple; rows must be all tuples or all dicts")
        if len(row) != len(rows[0]):
            raise InputError(f"row {number} of the list has {len(row)} values, but row 1 has {len(rows[0])}")
    return {str(number): list(column) for number, column in enumerate(zip(*rows, strict=True), 1)}


def _interchanged(data: Any) -> Any:
    try:
        from pyarrow.interchange import from_dataframe
    except ImportError as error:
        raise InputError(
            f"to read this {_kind(data)}, install pyarrow, or convert it to a pandas or Polars frame"
        ) from error
    return from_dataframe(data)


def _is_pandas(data: object) -> bool:
    return type(data).__module__.partition(".")[0] == "pandas" and hasattr(data, "isna")


def _is_column(values: object) -> bool:
    """Return whether values are a sequence of scalars."""
    # Pairs have a length, but no items.
    if not hasattr(values, "__getitem__") or isinstance(values, str | Mapping) or is_frame(values):
        return False
    return not isinstance(values, list | tuple) or not values or _is_scalar(values[0])


def _is_row(values: object) -> bool:
    if isinstance(values, Mapping):
        return all(map(_is_scalar, values.values()))
    return isinstance(values, tuple) and all(map(_is_scalar, values))


def _is_scalar(value: object) -> bool:
    return isinstance(value, str) or not (hasattr(value, "__len__") or is_frame(value))


def _kind(data: object) -> str:
    return f"{type(data).__module__.partition('.')[0]}.{type(data).__qualname__}".removeprefix("builtins.")
