import numpy as np
import polars as pl
import pytest

from medgauge.comparison.correlate import correlate
from medgauge.errors import UndefinedWarning

MODELS = ["a", "b", "c", "d", "e"]


def test_the_map_has_r_of_each_two_columns_and_bold_where_p_is_below_a_twentieth():
    left = pl.DataFrame({"model": MODELS, "x": [1.0, 2, 3, 4, 5], "y": [1.0, 1, 1, 1, 1]})
    right = pl.DataFrame({"model": MODELS, "far": [2.0, 1, 4, 3, 5], "near": [1.0, 2, 3, 4, 5.1]})
    with pytest.warns(UndefinedWarning):
        found = correlate(left, right)
    [axes] = found.plot()
    drawn = axes.images[0].get_array()
    assert np.allclose(drawn[0], [0.8, found.correlations[1].r])
    assert drawn.mask.tolist() == [[False, False], [True, True]]
    assert {text.get_text(): text.get_fontweight() for text in axes.texts} == {
        "0.80": "normal",
        "1.00": "bold",
    }
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x", "y"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["far", "near"]
