"""Whether every line of a text has the same number of fields, which readers of tables do not all check."""

import numpy as np

_BLOCK = 1 << 22


def has_even_rows(content: bytes, separator: bytes, marks: int) -> bool:
    r"""Return whether every line has `marks` separators, its end included; the last may lack its end.

    >>> has_even_rows(b"id\tname\n1\tflu\n", b"\t", 2), has_even_rows(b"1\t2\n3\n", b"\t", 2)
    (True, False)
    """
    whole = np.frombuffer(content, np.uint8)
    found = []
    for start in range(0, whole.size, _BLOCK):
        block = whole[start : start + _BLOCK]
        found.append(block[(block == ord(separator)) | (block == ord("\n"))])
    if not content.endswith(b"\n"):
        found.append(np.array([ord("\n")], np.uint8))
    is_end = np.concatenate(found) == ord("\n")
    lines, rest = divmod(is_end.size, marks)
    return rest == 0 and np.count_nonzero(is_end) == lines and bool(is_end[marks - 1 :: marks].all())
