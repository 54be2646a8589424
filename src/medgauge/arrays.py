"""Names for array types, shared by the whole package."""

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
"""Single precision, as vectors are stored."""
Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]
Places = NDArray[np.int32]
"""Row numbers in compiled code."""
Positions = NDArray[np.intp]
"""Row numbers as numpy returns them."""
Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Texts = NDArray[np.str_]
