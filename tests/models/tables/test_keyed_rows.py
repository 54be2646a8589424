from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.errors import FileError
from medgauge.models.tables.keyed_rows import chosen, rows_of, single

keys = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=12)


@given(keys, st.lists(st.sampled_from(["a", "b", "c", "d", "", "x"]), unique=True))
def test_rows_are_those_of_a_plain_search(table: list[str], wanted: list[str]) -> None:
    assert rows_of(table, wanted).tolist() == [table.index(one) if one in table else -1 for one in wanted]


def test_only_wanted_rows_are_kept() -> None:
    vectors = np.arange(6, dtype=np.float32).reshape(3, 2)
    found = chosen((["a", "b", "a"], vectors), ["x", "a"])
    assert found.known.tolist() == [False, True]
    assert found.vectors.tolist() == [[0, 0], [0, 1]]
    assert found.words == 3
    assert found.vectors.base is not vectors


def test_a_row_that_is_not_finite_is_named() -> None:
    with pytest.raises(FileError, match="t, row 2: the vector has a value that is missing"):
        single(Path("t"), np.array([[1.0], [1e300]]))
