"""Hypothesis strategies for the inputs of medgauge's computations."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

# Eighths are exact in float32, so that ties are ties on both sides; few values make many of them.
_COARSE = st.integers(-16, 16).map(lambda number: number / 8)
_FINE = st.floats(-4, 4, width=32, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-3)


@st.composite
def term_rows(draw: st.DrawFn, *, terms: int = 4, longest: int = 4) -> list[NDArray[np.float32]]:
    """Draw terms of one dimension, each as the rows of its words, including ties, zeros and constants."""
    dim = draw(st.sampled_from([1, 2, 3, 5, 8, 64, 65, 130]))
    values = draw(st.sampled_from([_COARSE, _FINE, st.sampled_from([0.0, 1.0, -1.0])]))
    lengths = draw(st.lists(st.integers(1, longest), min_size=2, max_size=terms))
    return [
        draw(
            arrays.arrays(np.float32, (length, dim), elements=values, fill=st.nothing() if dim < 9 else None)
        )
        for length in lengths
    ]
