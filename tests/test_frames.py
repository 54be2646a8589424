import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from medgauge.errors import InputError
from medgauge.frames import as_frame, is_frame
from medgauge.pairs import Card, PairSet
from tests.support.processes import run

COLUMNS = {"term": ["flu", "gout", None], "score": [1.5, None, 3.0], "count": [1, 2, 3]}
ROWS = list(zip(*COLUMNS.values(), strict=True))


class OnlyStream:
    """An object with nothing but the Arrow C stream."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


class OnlyInterchange:
    """An object with nothing but the dataframe interchange protocol."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __dataframe__(self, *arguments: object, **named: object) -> object:
        return self._table.__dataframe__(*arguments, **named)


TABLES = {
    "polars": pl.DataFrame(COLUMNS),
    "polars lazy": pl.LazyFrame(COLUMNS),
    "pandas": pd.DataFrame(COLUMNS, index=[7, 8, 9]),
    "pandas object": pd.DataFrame(COLUMNS, dtype=object),
    "pandas nullable": pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas categorical": pd.DataFrame(COLUMNS).astype({"term": "category"}),
    "pyarrow": pa.table(COLUMNS),
    "pyarrow batch": pa.RecordBatch.from_pydict(COLUMNS),
    "arrow stream": OnlyStream(pa.table(COLUMNS)),
    "interchange": OnlyInterchange(pa.table(COLUMNS)),
    "to_polars": SimpleNamespace(to_polars=lambda: pl.DataFrame(COLUMNS)),
    "dict": COLUMNS,
    "dict of arrays": {
        "term": pd.Series(COLUMNS["term"]),
        "score": pl.Series(COLUMNS["score"]),
        "count": np.array(COLUMNS["count"]),
    },
    "dict of arrow": {name: pa.array(values) for name, values in COLUMNS.items()},
    "dicts": [dict(zip(COLUMNS, row, strict=True)) for row in ROWS],
}


@pytest.mark.parametrize("kind", TABLES)
def test_any_table_is_the_same_frame(kind):
    frame = as_frame(TABLES[kind])
    assert is_frame(TABLES[kind])
    assert frame.columns == list(COLUMNS)
    assert frame.rows() == ROWS


def test_a_polars_frame_is_not_copied():
    assert as_frame(TABLES["polars"]) is TABLES["polars"]


def test_columns_of_tuples_are_named_by_number():
    frame = as_frame(ROWS)
    assert is_frame(ROWS)
    assert frame.columns == ["1", "2", "3"]
    assert frame.rows() == ROWS


def test_dicts_may_lack_keys():
    assert as_frame([{"a": 1}, {"b": "x", "a": 2}]).rows() == [(1, None), (2, "x")]


@pytest.mark.parametrize("make", [dict, pd.DataFrame])
def test_a_column_of_several_kinds_is_text(make):
    assert as_frame(make({"rater_A": [3, "don't know", None]})).rows() == [("3",), ("don't know",), (None,)]


def test_names_of_columns_become_text():
    assert as_frame(pd.DataFrame([["flu", 1.0]])).columns == ["0", "1"]


@pytest.mark.parametrize(
    "data",
    [
        "pairs.csv",
        ["pairs.csv", "ehr-rel-b"],
        [],
        {},
        [TABLES["pandas"], TABLES["polars"]],
        [COLUMNS],
        {"mine": TABLES["polars"]},
        {"mine": ROWS},
        {"mine": "pairs.csv"},
        [("mine", TABLES["polars"])],
        [("mine", TABLES["polars lazy"])],
        PairSet.of([("a", "b", 1.0)], card=Card(name="x", title="X")),
        pd.Series(["flu"]),
        pl.Series(["flu"]),
        np.array(["flu"]),
        None,
        3,
    ],
    ids=lambda data: type(data).__name__,
)
def test_what_is_several_tables_or_none_is_not_a_table(data):
    assert not is_frame(data)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (3, "a table is a pandas or Polars frame, .*, not int"),
        (np.zeros((2, 2)), "not numpy.ndarray"),
        ({"a": [1, 2], "b": [1]}, "this dict has columns that cannot be read as a table"),
        ([("a", "b"), ("c",)], "row 2 of the list has 1 values, but row 1 has 2"),
        ([("a", "b"), {"a": "c"}], "row 2 of the list is not a tuple"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "this pandas.DataFrame has columns that cannot be read"),
    ],
)
def test_what_is_not_a_table_is_an_error_that_names_its_type(data, problem):
    with pytest.raises(InputError, match=problem):
        as_frame(data)


# In a separate process, since Polars looks for pyarrow when it is imported.
_WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import pandas as pd
import polars as pl
from medgauge.errors import InputError
from medgauge.frames import as_frame
columns = {"term": ["flu", "gout", None], "score": [1.5, None, 3.0], "count": [1, 2, 3]}
for frame in (pd.DataFrame(columns), pd.DataFrame(columns).convert_dtypes()):
    assert as_frame(frame).equals(pl.DataFrame(columns)), as_frame(frame)

class Interchange:
    __dataframe__ = None

try:
    as_frame(Interchange())
except InputError as error:
    print(error)
"""


def test_pandas_works_without_pyarrow():
    done = run([sys.executable, "-c", _WITHOUT_PYARROW])
    assert done.returncode == 0, done.stderr
    assert "to read this __main__.Interchange, install pyarrow" in done.stdout
